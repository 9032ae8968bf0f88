/* The outputs of pred_table, and the counts and waking rows of gate_ctrl (cmodel/sm/ports.h). Spec:
 * docs/mechanisms/loscache.md.
 *
 * Invariant: no function here changes the model.
 *
 * Inlined: measured in cmodel/sm/ports.h. */
#ifndef HEDDLE_CMODEL_LOSCACHE_PORTS_H
#define HEDDLE_CMODEL_LOSCACHE_PORTS_H

#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

/* True if the entry of a request or an answer is used. `pe`: its number + 1, or 0. */
static inline bool pred_table_has(const struct pred_table *m, uint64_t pe) {
  return pe && hd_has(m->s.used, pe - 1);
}
/* Returns the accesses that such an entry predicts; 0: no prediction. */
static inline uint64_t pred_table_mq_pred(const struct pred_table *m, uint64_t pe) {
  if (!pred_table_has(m, pe) || !m->s.count[pe - 1])
    return 0;
  const uint64_t all = m->s.count[pe - 1] + (m->base.c->d.ADAPT ? m->s.extra[pe - 1] : 0),
                 most = hd_ones(m->base.c->d.CNT_W);
  return all < most ? all : most;
}

/* Returns the counts of the set that the L2 slice looked up last. */
static inline const uint64_t *gate_ctrl_row(const struct gate_ctrl *m) {
  return m->s.w_hit ? m->s.w_row : m->s.counts_q;
}

/* True if a row is awake from the next cycle on, and the row's MSHR. */
static inline bool gate_ctrl_woken(const struct gate_ctrl *m) {
  const unsigned cycles = m->base.c->d.WAKE;
  return cycles && hd_has(m->s.waking, cycles - 1);
}
static inline uint64_t gate_ctrl_woken_mshr(const struct gate_ctrl *m) {
  const unsigned cycles = m->base.c->d.WAKE;
  return cycles ? m->s.waking_mshr[cycles - 1] : 0;
}
/* True if one more row may begin to wake. Of the rows that wake now, all but the one that is done still wake in the
 * next cycle. */
static inline bool gate_ctrl_wake_room(const struct gate_ctrl *m) {
  const struct hd_derived *d = &m->base.c->d;
  return d->WAKE_LIMITED && (unsigned)__builtin_popcountll(m->s.waking & hd_ones(d->WAKE - 1)) < d->WAKE_MOST;
}

#endif
