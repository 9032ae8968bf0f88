/* How the modules of sm_mem are wired when they run lazily (cmodel/step/lazy_parts.h alone includes this): as cmodel/sm/sm_mem.c does
 * it, but looking only at what a port that meets carries.
 *
 * Invariant: nothing here ticks or sleeps but the tables that go with the L1D, and the one that gives ids to loads. */
#ifndef HEDDLE_CMODEL_STEP_LAZY_WIRES_H
#define HEDDLE_CMODEL_STEP_LAZY_WIRES_H

#include "cmodel/lasc/shared_rft.h"
#include "cmodel/model/models.h"
#include "cmodel/sm/ports.h"
#include "cmodel/step/lazy.h"
#include "cmodel/step/lazy_attachments.h"

/* The ports between its parts, as sets of one: of those that are valid; shifted by READY, of those that are ready; by
 * READY_IF, of those that are if DEQ meets. A port meets if it is valid and ready. PICK: a warp may issue, or a CTA is
 * launched. ENQ: from the coalescer, or CASC behind it. FLUSH: the L1D is flushed. JUDGE: the L1D tells of a load that LAWS or a prefetcher hears of. PF: a prefetch.
 * BACK: the L1D has tried a head of MemSched. LEAVE: a warp ends, or leaves a loop. (These four come last: most machines do
 * not have them, and then what is looked up by ports stays small.) */
enum {
  PICK = 1,
  ISSUE = 2,
  ENQ = 4,
  DEQ = 8,
  RESP = 16,
  MREQ = 32,
  MRSP = 64,
  FLUSH = 128,
  JUDGE = 256,
  PF = 512,
  BACK = 1024,
  LEAVE = 2048,
  READY = LAZY_PORTS,
  READY_IF = 2 * LAZY_PORTS,
  PORTS = (1 << LAZY_PORTS) - 1
};

/* ---- The scheduler and the prefetcher that are there, and the prediction table ---- */

static inline void pick_sched(const struct hd_lazy *l) {
  struct sm_mem *m = l->m;
  struct sched_out out = {.pick_valid = l->out->pick_valid, .pick_wid = l->out->pick_wid};
  m->u_sched_in.ready = l->in->ready;
  m->u_sched_in.prefer = m->u_pred_out.prefer; /* who is not there says 0 */
  m->u_sched_in.boosting = m->u_pred_out.boosting;
  m->u_sched_in.launch_valid = l->in->launch_valid;
  m->u_sched_in.launch_cta = l->in->launch_cta;
  m->u_sched_in.launch_warps = l->in->launch_warps;
  m->u_sched_in.awake = l->in->awake;
  sched_mealy(m->u_sched, &m->u_sched_in, &out);
}

/* LAWS hears of loads, what became of them, and prefetches too, and tells the prefetcher of misses. */
static inline void pick_laws(const struct hd_lazy *l, unsigned meet) {
  struct sm_mem *m = l->m;
  const struct sm_mem_in *sm = l->in;
  const struct l1d_st *t = &m->u_l1d->s;
  struct laws_out out = {.pick_valid = l->out->pick_valid, .pick_wid = l->out->pick_wid};
  m->u_laws_in = (struct laws_in){.en = sm->laws_en,
                                  .ready = sm->ready,
                                  .prefer = m->u_pred_out.prefer,
                                  .boosting = m->u_pred_out.boosting,
                                  .launch_valid = sm->launch_valid,
                                  .launch_warps = sm->launch_warps,
                                  .load_valid = meet & ISSUE && !sm->issue_write,
                                  .load_wid = sm->issue_wid,
                                  .load_pc = sm->issue_pc,
                                  .fb_valid = (meet & JUDGE) != 0,
                                  .fb_hit = t->told_hit,
                                  .fb_gid = t->told.gid,
                                  .tgt_valid = (meet & PF) != 0};
  if (meet & PF && m->u_sap)
    m->u_laws_in.tgt_wid = m->u_sap->s.pf_w;
  laws_mealy(m->u_laws, &m->u_laws_in, &out);
  m->u_laws_out.miss_valid = out.miss_valid;
  m->u_laws_out.miss_group = out.miss_group;
}

static inline void pick_two_level(const struct hd_lazy *l) {
  struct sm_mem *m = l->m;
  struct two_level_out out = {.pick_valid = l->out->pick_valid, .pick_wid = l->out->pick_wid};
  m->u_two_level_in.ready = l->in->ready;
  m->u_two_level_in.prefer = m->u_pred_out.prefer;
  m->u_two_level_in.boosting = m->u_pred_out.boosting;
  m->u_two_level_in.wait_mem = l->in->wait_mem;
  two_level_mealy(m->u_two_level, &m->u_two_level_in, &out);
}

/* The prediction table hears, and says, whatever it does in this cycle. */
static inline void foretell(const struct hd_lazy *l, unsigned meet) {
  struct sm_mem *m = l->m;
  hd_wire_pred(m, l->in, &m->u_l1d->s.mq_q, m->u_l1d->s.mo_valid, meet & ISSUE, meet & MREQ, meet & MRSP);
  m->u_pred_out.prefer = m->u_pred->s.predictor;
  pred_table_mealy(m->u_pred, &m->u_pred_in, &m->u_pred_out);
}

/* Before the L1D's tick, and that of the prediction table: whose request the memory takes, and whose its answer is. */
static inline void wire_foretold(const struct hd_lazy *l, unsigned meet) {
  struct sm_mem *m = l->m;
  if (meet & MREQ) {
    m->u_l1d_in.mreq_ready = !m->u_pred->s.o_valid;
    l->out->mreq = hd_foretold(m->u_pred, &m->u_l1d->s.mq_q);
  }
  if (meet & MRSP)
    m->u_l1d_in.mrsp_valid = l->in->mrsp.kind != HD_QUERY;
}

/* The scheduler that is there. */
static inline void pick(const struct hd_lazy *l, unsigned meet) {
  if (l->m->u_pred)
    foretell(l, meet);
  if (l->m->u_sched)
    pick_sched(l);
  else if (l->m->u_laws)
    pick_laws(l, meet);
  else
    pick_two_level(l);
}

/* After the picks. The prefetcher that is there. */
static inline void wire_prefetcher(const struct hd_lazy *l, unsigned meet) {
  struct sm_mem *m = l->m;
  const struct l1d_st *t = &m->u_l1d->s;
  if (m->u_sap) {
    m->u_sap_in.en = l->in->pf_en;
    m->u_sap_in.pf_ready = (meet & PF) != 0;
    hd_wire_load_event(m->base.c, meet & JUDGE, t->told_hit, &t->told, &m->u_laws_out, &m->u_sap_in);
  } else
    m->u_sld_in = (struct sld_in){.en = l->in->pf_en,
                                  .ev_valid = (meet & JUDGE) != 0,
                                  .ev_line = t->told.line,
                                  .pf_ready = (meet & PF) != 0};
}

static inline uint64_t prefetch_line(const struct sm_mem *m) {
  if (m->u_sap)
    return m->u_sap->s.pf_l;
  struct sld_out out;
  sld_moore(m->u_sld, &out);
  return out.pf_line;
}

/* ---- The tables that hear of evicted lines ---- */

/* After line_uses and locality_degree. Their inputs, and those of the attachments from them; true if they tick: they hear
 * of a line, or are asked. Here a shared table is told, and asked. */
static inline bool wire_tables(const struct hd_lazy *l, uint64_t flush) {
  struct sm_mem *m = l->m;
  const struct line_uses_out *uo = &m->u_line_uses_out;
  if (m->u_rft)
    m->u_rft_line_in.rft_bypass = rft_bypass(m->u_rft);
  else if (l->rft) {
    if (uo->evict_valid)
      hd_rft_port_evicted(l->rft, l->now, uo->evict_hpc, uo->evict_count);
    if (flush)
      hd_rft_port_flushed(l->rft, l->now);
    m->u_rft_line_in.rft_bypass = hd_rft_port_bypass(l->rft, l->now);
  }
  if (!(l->tables | flush | uo->evict_valid | m->u_degree_in.decide_loc))
    return false;
  if (m->u_rrt) {
    m->u_rrt_in = (struct rrt_in){.clear = flush,
                                  .ev_valid = uo->evict_valid,
                                  .ev_hpc = uo->evict_hpc,
                                  .ev_count = uo->evict_count,
                                  .lk_hpc = m->u_degree_out.lk_hpc};
    rrt_moore(m->u_rrt, &m->u_rrt_out);
    m->u_degree_in.lk_known = m->u_rrt_out.lk_known;
    m->u_degree_in.lk_sum = m->u_rrt_out.lk_sum;
    m->u_degree_in.lk_count = m->u_rrt_out.lk_count;
  }
  if (m->u_rft) {
    m->u_rft_in.clear = flush;
    m->u_rft_in.up_valid = uo->evict_valid;
    m->u_rft_in.up_hpc[0] = uo->evict_hpc;
    m->u_rft_in.up_count[0] = uo->evict_count;
  }
  return true;
}

/* After the L1D's tick. */
static inline uint64_t tick_tables(struct hd_lazy *l) {
  struct sm_mem *m = l->m;
  const uint64_t ahead =
      (m->u_rrt ? rrt_tick(m->u_rrt, &m->u_rrt_in) : 0) | (m->u_rft ? rft_tick(m->u_rft, &m->u_rft_in) : 0);
  l->tables = (ahead & HD_MOVES) != 0;
  return ahead;
}

/* ---- APCM's modules ---- */

/* The id of the load, or store, that the coalescer takes. */
static inline void give_id(const struct hd_lazy *l, struct coalescer_in *in) {
  struct lat *m = l->m->u_lat;
  const struct lat_in of = {.load_valid = !in->issue_write, .load_pc = in->issue_pc};
  struct lat_out out;
  lat_mealy(m, &of, &out);
  in->issue_trk = out.load_trk;
  in->issue_lid = out.load_lid;
  lat_tick(m, &of);
}

/* Before the L1D's tick; true if they tick. What they show to its attachment that has since they ticked last. */
static inline bool wire_patterns(const struct hd_lazy *l) {
  struct sm_mem *m = l->m;
  const struct sm_mem_in *sm = l->in;
  if (!(l->learns | sm->flush | m->u_l1d->s.told_load | (sm->exit != 0) | sm->leave_valid))
    return false;
  if (m->u_psb)
    m->u_lat_out.ask_pc = lat_ask_pc(m->u_lat, m->u_psb->s.l_id);
  mta_moore(m->u_mta, &m->u_mta_out);
  hd_wire_patterns(m, sm);
  return true;
}

static inline uint64_t tick_psb(struct sm_mem *m) {
  const uint64_t on = m->u_psb->s.on, ahead = psb_tick(m->u_psb, &m->u_psb_in);
  if (m->u_psb->s.on == on && !m->u_psb_in.ps_valid)
    return ahead;
  struct apcm_line_in *to = &m->u_apcm_line_in;
  struct psb_out out = {.psb_last = to->psb_last};
  psb_moore(m->u_psb, &out);
  to->psb_on = out.psb_on;
  to->psb_loop = out.psb_loop;
  return ahead;
}

/* After the L1D's tick; what they show is for the next one. */
static inline void tick_patterns(struct hd_lazy *l) {
  struct sm_mem *m = l->m;
  uint64_t ahead = mta_tick(m->u_mta, &m->u_mta_in);
  if (m->u_cait_in.up_valid | m->u_cait_in.clear) {
    struct apcm_line_in *to = &m->u_apcm_line_in;
    struct cait_out out = {.last = to->m_last};
    cait_tick(m->u_cait, &m->u_cait_in);
    cait_moore(m->u_cait, &out);
    to->m_bypass = out.bypass;
    to->m_protect = out.protect;
  }
  if (m->u_psb)
    ahead |= tick_psb(m);
  if (m->u_mta_in.clear)
    lat_tick(m->u_lat, &(struct lat_in){.clear = 1});
  l->learns = (ahead & HD_MOVES) != 0;
}

/* ---- The buffer that is there ---- */

/* Before the L1D's tick. What the tags say of a probe matters only while both tick. Of the lines the probe units look at
 * few sets. */
static inline void wire_tries(struct sm_mem *m, unsigned meet) {
  const struct l1d_st *from = &m->u_l1d->s;
  const struct hd_derived *d = &m->base.c->d;
  struct memsched_in *in = &m->u_memsched_in;
  struct tag_probe_in *probe = &m->u_probe_in;
  in->back_valid = (meet & BACK) != 0;
  in->back_wid = from->told.wid;
  in->back_ok = from->told_load;
  if (!m->u_probe)
    return;
  in->pr_hit = m->u_probe->s.pr_h;
  in->pr_can = tag_probe_can(m->u_probe);
  probe->lines_free = from->m_free;
  probe->lines_room = from->mq_count != d->MQ;
  for (unsigned u = 0; u < d->PROBES; u++) {
    const uint64_t set = l1d_set_of(m->base.c, m->u_probe->s.pr_q[u]);
    probe->lines_valid[set] = from->valid[set];
    if (d->ON_MISS)
      probe->lines_reserved[set] = from->reserved[set];
    probe->pr_line[u] = memsched_pr_line(m->u_memsched, u);
  }
}

/* What it offers to the L1D. */
static inline struct req deq(const struct sm_mem *m) {
  return m->u_slot ? m->u_slot->s.r : m->u_mrpb ? *mrpb_deq(m->u_mrpb) : memsched_deq(m->u_memsched);
}

/* What is offered to it, and its signature. */
static inline void wire_enq(const struct sm_mem *m, struct req *enq, uint64_t *sig) {
  if (m->u_casc) {
    struct casc_out out;
    casc_mealy(m->u_casc, &m->u_casc_in, &out);
    *enq = out.out;
    *sig = out.out_sig;
    return;
  }
  *enq = hd_request_of(&m->u_coalescer->s.o);
  *sig = m->u_coalescer->s.o_sig;
}

/* CASC's inputs in the next cycle, should what it offers not be taken. */
static inline void wire_casc(const struct hd_lazy *l) {
  const struct coalescer_st *from = &l->m->u_coalescer->s;
  struct casc_in *in = &l->m->u_casc_in;
  in->en = l->in->casc_en;
  in->out_ready = 0;
  in->in_valid = from->o_valid;
  if (!from->o_valid)
    return;
  in->in = from->o;
  in->in_sig = from->o_sig;
  in->in_many = from->o_many;
}

/* What the SM looks at, rarely, of the insides of others. */
static inline void show_order(const struct hd_lazy *l) {
  l->out->busy = coalescer_busy(l->m->u_coalescer);
  if (l->m->u_casc)
    l->out->busy |= casc_busy(l->m->u_casc);
  if (l->m->u_mrpb)
    l->out->drained = mrpb_drained(l->m->u_mrpb);
  else if (l->m->u_memsched)
    l->out->drained = memsched_drained(l->m->u_memsched);
}

#endif
