/* How the modules of sm_mem are wired when they run lazily (cmodel/step/lazy_parts.h alone includes this). The connections are made
 * from their rows (docs/connections.md), wire_<inst> and the like; here is in which order, and what must be known before.
 *
 * Invariant: nothing here ticks or sleeps but the tables that go with the L1D, and the one that gives ids to loads. */
#ifndef HEDDLE_CMODEL_STEP_LAZY_WIRES_H
#define HEDDLE_CMODEL_STEP_LAZY_WIRES_H

#include "cmodel/lasc/shared_rft.h"
#include "cmodel/model/models.h"
#include "cmodel/sm/ports.h"
#include "cmodel/step/lazy.h"

/* The ports between its parts, as sets of one: of those that are valid; shifted by READY, of those that are ready; by
 * READY_IF, of those that are if DEQ meets. A port meets if it is valid and ready. PICK: a warp may issue, or a CTA is
 * launched. ENQ: from the coalescer, or CASC behind it. FLUSH: the L1D is flushed. JUDGE: the L1D's verdict. PF: a prefetch.
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

/* The parts as sets of one. */
enum {
  SCHED = 1 << LAZY_SCHED,
  COALESCER = 1 << LAZY_COALESCER,
  BUFFER = 1 << LAZY_BUFFER,
  L1D = 1 << LAZY_L1D,
  PREFETCH = 1 << LAZY_PREFETCH,
  CASC = 1 << LAZY_CASC,
  SM = 1 << LAZY_SM,
  MEMORY = 1 << LAZY_MEMORY,
  ALL = (1 << LAZY_PARTS) - 1
};

#include "cmodel/sm_mem_lazy.h"

/* ---- The scheduler and the prefetcher that are there, and the prediction table ---- */

static inline void pick_sched(const struct hd_lazy *l, unsigned meet) {
  struct sm_mem *m = l->m;
  struct sched_out out = {.pick_valid = l->out->pick_valid, .pick_wid = l->out->pick_wid};
  wire_u_sched(m, l->in, meet);
  if (m->u_pred)
    wire_u_sched_from_u_pred(m, l->in, meet);
  sched_mealy(m->u_sched, &m->u_sched_in, &out);
}

/* LAWS hears of loads, verdicts and prefetches too, and tells the prefetcher of misses. */
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

/* The scheduler that is there. The prediction table hears, and says, whatever it does in this cycle. */
static inline void pick(const struct hd_lazy *l, unsigned meet) {
  struct sm_mem *m = l->m;
  if (m->u_pred) {
    wire_u_pred(m, l->in, meet);
    pred_table_mealy(m->u_pred, &m->u_pred_in, &m->u_pred_out);
  }
  if (m->u_sched)
    pick_sched(l, meet);
  else if (m->u_laws)
    pick_laws(l, meet);
  else
    pick_two_level(l, meet);
}

/* After the picks. The prefetcher that is there. LAWS, which may sleep, tells of a miss in the cycle of the verdict alone. */
static inline void wire_prefetcher(const struct hd_lazy *l, unsigned meet) {
  struct sm_mem *m = l->m;
  if (!m->u_sap) {
    wire_u_sld(m, l->in, meet);
    return;
  }
  if (m->u_laws) {
    m->u_laws_out.miss_valid &= (meet & JUDGE) != 0;
    wire_u_sap_from_u_laws(m, l->in, meet);
  }
  wire_u_sap(m, l->in, meet);
}

/* ---- The tables that hear of evicted lines ---- */

/* Their inputs, and the L1D's from them. Here a shared table is told, and asked. */
static inline void wire_tables(const struct hd_lazy *l, unsigned meet) {
  struct sm_mem *m = l->m;
  const struct l1d_st *s = &m->u_l1d->s;
  if (m->u_rrt) {
    wire_u_rrt(m, l->in, meet);
    rrt_moore(m->u_rrt, &m->u_rrt_out);
    wire_u_l1d_from_u_rrt(m, l->in, meet);
  }
  if (m->u_rft) {
    wire_u_rft(m, l->in, meet);
    rft_moore(m->u_rft, &m->u_rft_out);
  } else if (l->rft) {
    if (s->e_valid)
      hd_rft_port_evicted(l->rft, l->now, *s->line_hpc_q, s->e_count);
    if (meet & FLUSH)
      hd_rft_port_flushed(l->rft, l->now);
    l->in->rft_bypass = hd_rft_port_bypass(l->rft, l->now);
  }
}

/* After the L1D's tick; true if they, or what they show to it, would change in the next cycle. */
static inline bool tick_tables(struct sm_mem *m) {
  uint64_t ahead = 0;
  if (m->u_rrt) {
    ahead = rrt_tick(m->u_rrt, &m->u_rrt_in);
    if (m->u_rrt->s.l_hpc != m->u_l1d->s.d.hpc)
      ahead = HD_MOVES;
  }
  if (m->u_rft)
    ahead |= rft_tick(m->u_rft, &m->u_rft_in);
  return ahead & HD_MOVES;
}

/* ---- APCM's modules ---- */

/* The id of the load, or store, that the coalescer takes. */
static inline void give_id(const struct hd_lazy *l, unsigned meet) {
  struct sm_mem *m = l->m;
  wire_u_lat(m, l->in, meet);
  lat_mealy(m->u_lat, &m->u_lat_in, &m->u_lat_out);
  lat_tick(m->u_lat, &m->u_lat_in);
}

/* Before the L1D's tick; true if they tick. What they show to the L1D it has since they ticked last. */
static inline bool wire_patterns(const struct hd_lazy *l, unsigned meet) {
  struct sm_mem *m = l->m;
  const struct sm_mem_in *sm = l->in;
  const struct l1d_st *s = &m->u_l1d->s;
  if (!(l->learns | sm->flush | s->x_valid | s->ps_v | (sm->exit != 0) | sm->leave_valid))
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
  wire_u_l1d_from_u_psb(m, l->in, meet);
  return ahead;
}

/* After the L1D's tick; its inputs are those of the next one. */
static inline void tick_patterns(struct hd_lazy *l, unsigned meet) {
  struct sm_mem *m = l->m;
  uint64_t ahead = mta_tick(m->u_mta, &m->u_mta_in);
  if (m->u_cait_in.up_valid | m->u_cait_in.clear) {
    cait_tick(m->u_cait, &m->u_cait_in);
    cait_moore(m->u_cait, &m->u_cait_out);
    wire_u_l1d_from_u_cait(m, l->in, meet);
  }
  if (m->u_psb)
    ahead |= tick_psb(l, meet);
  if (m->u_mta_in.clear)
    lat_tick(m->u_lat, &(struct lat_in){.clear = 1});
  l->learns = (ahead & HD_MOVES) != 0;
}

/* ---- MemSched, and what the SM sees ---- */

/* Before the L1D's tick. What the tags say of a probe matters only while both tick. */
static inline void wire_tries(const struct hd_lazy *l, unsigned meet) {
  struct sm_mem *m = l->m;
  wire_u_memsched_from_u_l1d(m, l->in, meet);
  for (unsigned u = 0; u < m->base.c->d.PROBES; u++)
    m->u_l1d_in.pr_line[u] = memsched_pr_line(m->u_memsched, u);
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
