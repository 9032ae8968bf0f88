/* How the modules of sm_mem are wired when they run lazily (cmodel/step/lazy_parts.h alone includes this). The connections are made
 * from their rows (docs/connections.md), wire_<inst> and the like; here is in which order, and what must be known before.
 *
 * Invariant: nothing here ticks or sleeps but the tables that go with the L1D, and the one that gives ids to loads. */
#ifndef HEDDLE_CMODEL_STEP_LAZY_WIRES_H
#define HEDDLE_CMODEL_STEP_LAZY_WIRES_H

#include "cmodel/lasc/shared_rft.h"
#include "cmodel/step/lazy_attachments.h"
#include "cmodel/step/lazy_names.h"

/* ---- The scheduler and the prefetcher that are there, and the prediction table ---- */

static inline void pick_sched(const struct hd_lazy *l, unsigned meet) {
  struct sm_mem *m = l->m;
  struct sched_out out = {.pick_valid = l->out->pick_valid, .pick_wid = l->out->pick_wid};
  wire_u_sched(m, l->in, meet);
  if (m->u_pred)
    wire_u_sched_from_u_pred(m, l->in, meet);
  sched_mealy(m->u_sched, &m->u_sched_in, &out);
}

/* LAWS hears of loads, what became of them, and prefetches too, and tells the prefetcher of misses. */
static inline void pick_laws(const struct hd_lazy *l, unsigned meet) {
  struct sm_mem *m = l->m;
  struct laws_out out = {.pick_valid = l->out->pick_valid, .pick_wid = l->out->pick_wid};
  wire_u_laws(m, l->in, meet);
  if (m->u_pred)
    wire_u_laws_from_u_pred(m, l->in, meet);
  laws_mealy(m->u_laws, &m->u_laws_in, &out);
  m->u_laws_out.miss_valid = out.miss_valid;
  m->u_laws_out.miss_group = out.miss_group;
}

static inline void pick_two_level(const struct hd_lazy *l, unsigned meet) {
  struct sm_mem *m = l->m;
  struct two_level_out out = {.pick_valid = l->out->pick_valid, .pick_wid = l->out->pick_wid};
  wire_u_two_level(m, l->in, meet);
  if (m->u_pred)
    wire_u_two_level_from_u_pred(m, l->in, meet);
  two_level_mealy(m->u_two_level, &m->u_two_level_in, &out);
}

/* What withholds warps from the scheduler: before it picks. */
static inline void withhold(const struct hd_lazy *l, unsigned meet) {
  struct sm_mem *m = l->m;
  if (m->u_limit)
    wire_u_limit(m, l->in, meet);
  if (m->u_ccws_score) {
    wire_u_ccws_score(m, l->in, meet);
    ccws_score_mealy(m->u_ccws_score, &m->u_ccws_score_in, &m->u_ccws_score_out);
  }
  if (m->u_mascar) {
    wire_u_mascar(m, l->in, meet);
    mascar_mealy(m->u_mascar, &m->u_mascar_in, &m->u_mascar_out);
  }
}

/* The scheduler that is there. The prediction table hears, and says, whatever it does in this cycle. */
static inline void pick(const struct hd_lazy *l, unsigned meet) {
  struct sm_mem *m = l->m;
  if (m->u_pred) {
    wire_u_pred(m, l->in, meet);
    pred_table_mealy(m->u_pred, &m->u_pred_in, &m->u_pred_out);
  }
  withhold(l, meet);
  if (m->u_sched)
    pick_sched(l, meet);
  else if (m->u_laws)
    pick_laws(l, meet);
  else
    pick_two_level(l, meet);
  if (m->u_ccws_score)
    hd_copy(m->u_ccws_score_in.pick_valid, l->out->pick_valid, m->base.c->d.SCHEDS);
}

/* After the picks. The prefetcher that is there. LAWS, which may sleep, tells of a miss in the cycle alone in
 * which it is told of one. */
static inline void wire_prefetcher(const struct hd_lazy *l, unsigned meet) {
  struct sm_mem *m = l->m;
  if (!m->u_sap) {
    wire_u_sld(m, l->in, meet);
    return;
  }
  if (m->u_laws) {
    m->u_laws_out.miss_valid &= (meet & TOLD) != 0;
    wire_u_sap_from_u_laws(m, l->in, meet);
  }
  wire_u_sap(m, l->in, meet);
}

/* ---- The tables that hear of evicted lines ---- */

/* After the attachments have heard. Their inputs, and those of the attachments from them; true if they tick: they hear
 * of a line, or are asked. Here a shared table is told, and asked. */
static inline bool wire_tables(const struct hd_lazy *l, unsigned meet) {
  struct sm_mem *m = l->m;
  const struct line_uses_out *uo = &m->u_line_uses_out;
  if (l->rft) {
    if (uo->evict_valid)
      hd_rft_port_evicted(l->rft, l->now, uo->evict_hpc, uo->evict_count);
    if (meet & FLUSH)
      hd_rft_port_flushed(l->rft, l->now);
    l->in->rft_bypass = hd_rft_port_bypass(l->rft, l->now);
  }
  if (m->u_rft_line)
    wire_u_rft_line_from_u_rft(m, l->in, meet);
  if (!(l->tables | ((meet & FLUSH) != 0) | uo->evict_valid | m->u_degree_in.decide_loc))
    return false;
  if (m->u_rrt) {
    wire_u_rrt(m, l->in, meet);
    rrt_moore(m->u_rrt, &m->u_rrt_out);
    wire_u_degree_from_u_rrt(m, l->in, meet);
  }
  if (m->u_rft)
    wire_u_rft(m, l->in, meet);
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
static inline void give_id(const struct hd_lazy *l, unsigned meet) {
  struct sm_mem *m = l->m;
  wire_u_lat(m, l->in, meet);
  lat_mealy(m->u_lat, &m->u_lat_in, &m->u_lat_out);
  lat_tick(m->u_lat, &m->u_lat_in);
}

/* Before the L1D's tick; true if they tick. What they show to its attachment that has since they ticked
 * last. */
static inline bool wire_patterns(const struct hd_lazy *l, unsigned meet) {
  struct sm_mem *m = l->m;
  const struct sm_mem_in *sm = l->in;
  if (!(l->learns | sm->flush | m->u_l1d->s.told_load | (sm->exit != 0) | sm->leave_valid))
    return false;
  mta_moore(m->u_mta, &m->u_mta_out);
  wire_u_mta(m, sm, meet);
  wire_u_cait(m, sm, meet);
  if (m->u_psb) {
    m->u_lat_out.ask_pc = lat_ask_pc(m->u_lat, m->u_psb->s.l_id);
    wire_u_psb(m, sm, meet);
  }
  return true;
}

static inline uint64_t tick_psb(const struct hd_lazy *l, unsigned meet) {
  struct sm_mem *m = l->m;
  const uint64_t on = m->u_psb->s.on, ahead = psb_tick(m->u_psb, &m->u_psb_in);
  if (m->u_psb->s.on == on && !m->u_psb_in.ps_valid)
    return ahead;
  psb_moore(m->u_psb, &m->u_psb_out);
  wire_u_apcm_line_from_u_psb(m, l->in, meet);
  return ahead;
}

/* After the L1D's tick; what they show is for the next one. */
static inline void tick_patterns(struct hd_lazy *l, unsigned meet) {
  struct sm_mem *m = l->m;
  uint64_t ahead = mta_tick(m->u_mta, &m->u_mta_in);
  if (m->u_cait_in.up_valid | m->u_cait_in.clear) {
    cait_tick(m->u_cait, &m->u_cait_in);
    cait_moore(m->u_cait, &m->u_cait_out);
    wire_u_apcm_line_from_u_cait(m, l->in, meet);
  }
  if (m->u_psb)
    ahead |= tick_psb(l, meet);
  if (m->u_mta_in.clear)
    lat_tick(m->u_lat, &(struct lat_in){.clear = 1});
  l->learns = (ahead & HD_MOVES) != 0;
}

/* ---- MemSched, and what the SM sees ---- */

/* Before the L1D's tick. What the tags say of a probe matters only while both tick. Of the lines the probe units look at
 * few sets. */
static inline void wire_tries(const struct hd_lazy *l, unsigned meet) {
  struct sm_mem *m = l->m;
  const struct l1d_st *from = &m->u_l1d->s;
  const struct hd_derived *d = &m->base.c->d;
  struct tag_probe_in *probe = &m->u_probe_in;
  wire_u_memsched_from_u_l1d(m, l->in, meet);
  if (!m->u_probe)
    return;
  wire_u_memsched_from_u_probe(m, l->in, meet);
  for (unsigned u = 0; u < d->PROBES; u++) {
    const uint64_t set = l1d_set_of(m->base.c, m->u_probe->s.pr_q[u]);
    probe->lines_valid[set] = from->valid[set];
    if (d->ON_MISS)
      probe->lines_reserved[set] = from->reserved[set];
    probe->pr_line[u] = memsched_pr_line(m->u_memsched, u);
  }
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
  else if (l->m->u_reexec)
    l->out->drained = reexec_drained(l->m->u_reexec);
}

#endif
