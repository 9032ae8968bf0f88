/* How the modules of sm_mem are wired when they run lazily (cmodel/step/lazy_parts.h alone includes this). The connections are made
 * from their rows (docs/connections.md), wire_<inst> and the like; here is in which order, and what must be known before.
 *
 * Invariant: nothing here ticks or sleeps. */
#ifndef HEDDLE_CMODEL_STEP_LAZY_WIRES_H
#define HEDDLE_CMODEL_STEP_LAZY_WIRES_H

#include "cmodel/step/lazy_names.h"

/* ---- The scheduler and the prefetcher that are there ---- */

static inline void show_picks(const struct hd_lazy *l, const uint64_t *valid, const uint64_t *wid) {
  for (unsigned s = 0; s < l->m->base.c->d.SCHEDS; s++) {
    l->out->pick_valid[s] = valid[s];
    l->out->pick_wid[s] = wid[s];
  }
}

static inline void pick_sched(const struct hd_lazy *l, unsigned meet) {
  struct sm_mem *m = l->m;
  wire_u_sched(m, l->in, meet);
  wire_u_sched_beside(m, l->in, meet);
  sched_mealy(m->u_sched, &m->u_sched_in, &m->u_sched_out);
  show_picks(l, m->u_sched_out.pick_valid, m->u_sched_out.pick_wid);
}

/* LAWS hears of loads, what became of them, and prefetches too, and tells the prefetcher of misses. */
static inline void pick_laws(const struct hd_lazy *l, unsigned meet) {
  struct sm_mem *m = l->m;
  wire_u_laws(m, l->in, meet);
  wire_u_laws_beside(m, l->in, meet);
  laws_mealy(m->u_laws, &m->u_laws_in, &m->u_laws_out);
  show_picks(l, m->u_laws_out.pick_valid, m->u_laws_out.pick_wid);
}

static inline void pick_two_level(const struct hd_lazy *l, unsigned meet) {
  struct sm_mem *m = l->m;
  wire_u_two_level(m, l->in, meet);
  wire_u_two_level_beside(m, l->in, meet);
  two_level_mealy(m->u_two_level, &m->u_two_level_in, &m->u_two_level_out);
  show_picks(l, m->u_two_level_out.pick_valid, m->u_two_level_out.pick_wid);
}

/* The scheduler that is there, and those beside it: what it hears of them they say before, what they hear of it after. */
static inline void pick(struct hd_lazy *l, unsigned meet) {
  struct sm_mem *m = l->m;
  if (l->beside & SCHED)
    l->heard[LAZY_SCHED] = hear_SCHED(m, l->in, meet, l->there, &l->busy);
  if (m->u_sched)
    pick_sched(l, meet);
  else if (m->u_laws)
    pick_laws(l, meet);
  else
    pick_two_level(l, meet);
  if (l->beside & SCHED)
    hear_after_SCHED(m, l->in, meet, l->heard[LAZY_SCHED]);
}

/* After the picks. The prefetcher that is there. LAWS, which may sleep, tells of a miss in the cycle alone in
 * which it is told of one. */
static inline void wire_prefetcher(struct hd_lazy *l, unsigned meet) {
  struct sm_mem *m = l->m;
  if (l->beside & PREFETCH)
    l->heard[LAZY_PREFETCH] = hear_PREFETCH(m, l->in, meet, l->there, &l->busy);
  if (!m->u_sap) {
    wire_u_sld(m, l->in, meet);
    return;
  }
  if (m->u_laws)
    m->u_laws_out.miss_valid &= (meet & TOLD) != 0;
  wire_u_sap(m, l->in, meet);
}

/* ---- What the SM sees ---- */

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
