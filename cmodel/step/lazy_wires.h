/* How the modules of sm_mem are wired when they run lazily. Only cmodel/step/lazy_parts.h includes this. The functions wire_<inst> and the
 * like are made from the connection rows (docs/connections.md). This file has their order, and what must be known before.
 *
 * Invariant: nothing here ticks or sleeps.
 *
 * Inlined: measured in cmodel/step/lazy_parts.h. */
#ifndef HEDDLE_CMODEL_STEP_LAZY_WIRES_H
#define HEDDLE_CMODEL_STEP_LAZY_WIRES_H

#include "cmodel/step/lazy_names.h"

/* The modules of this machine that stand beside the first of their part. */
ALWAYS_INLINE uint64_t beside(const struct hd_lazy *l) {
#ifdef HD_SPECIALIZED
  return all_beside(l->m);
#else
  return l->there;
#endif
}

/* ---- The scheduler and the prefetcher that are there ---- */

/* The machine's scheduler picks. The modules beside it say what it hears before it picks, and hear what it says after. */
static inline void pick(struct hd_lazy *l, unsigned meet) {
  struct sm_mem *m = l->m;
  if (beside(l) & ALL_BESIDE_SCHED)
    l->heard[LAZY_SCHED] = hear_SCHED(m, l->in, meet, beside(l), &l->busy[LAZY_SCHED]);
  wire_SCHED(m, l->in, meet);
  say_SCHED(m, l->out);
  if (beside(l) & ALL_BESIDE_SCHED)
    hear_after_SCHED(m, l->in, meet, l->heard[LAZY_SCHED]);
}

/* True if registers and the SM may withhold warps in this machine. */
static inline bool withholds(const struct sm_mem *m) {
  return HD_HAS(m, u_sched) && (HD_HAS(m, u_ccws_score) || HD_HAS(m, u_limit) || HD_HAS(m, u_mascar));
}

/* The warps that are withheld in the next cycle. */
static inline uint64_t withheld(const struct sm_mem *m, const struct sm_mem_in *in) {
  return (HD_HAS(m, u_ccws_score) ? in->next_load & ~m->u_ccws_score->s.allowed : 0) |
         (HD_HAS(m, u_limit) ? warp_limit_withhold(m->u_limit) : 0) |
         (HD_HAS(m, u_mascar) && (HD_HAS(m, u_apb) ? m->u_apb->s.mascar_en : in->mascar_en)
              ? in->next_mem & m->u_mascar->s.barred
              : 0);
}

/* Wires the machine's prefetcher. Call it after the picks. LAWS tells of a miss only in the cycle in which it is told of one; as it may
 * sleep, its output is cleared in all other cycles. */
static inline void wire_prefetcher(struct hd_lazy *l, unsigned meet) {
  struct sm_mem *m = l->m;
  if (beside(l) & ALL_BESIDE_PREFETCH)
    l->heard[LAZY_PREFETCH] = hear_PREFETCH(m, l->in, meet, beside(l), &l->busy[LAZY_PREFETCH]);
  if (HD_HAS(m, u_laws))
    m->u_laws_out.miss_valid &= (meet & OUTCOME) != 0;
  wire_PREFETCH(m, l->in, meet);
}

/* ---- What the SM sees ---- */

/* Sets what the SM rarely looks at: the insides of other modules. */
static inline void show_order(const struct hd_lazy *l) {
  l->out->busy = shows_busy(l->m);
  l->out->drained = shows_drained(l->m);
}

/* True if the SM would see something else there than it saw last. */
static inline bool order_changed(const struct hd_lazy *l) {
  return l->out->busy != shows_busy(l->m) || l->out->drained != shows_drained(l->m);
}

#endif
