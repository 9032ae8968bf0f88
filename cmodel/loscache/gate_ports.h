/* What gate_ctrl says to its L2 slice, signal by signal. Spec: docs/mechanisms/loscache.md.
 *
 * Invariant: nothing here changes anything; all of it follows from the registers. */
#ifndef HEDDLE_CMODEL_LOSCACHE_GATE_PORTS_H
#define HEDDLE_CMODEL_LOSCACHE_GATE_PORTS_H

#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

/* Bit w = way w of the set, of which gate_ctrl is told that it was looked up last. */
static inline uint64_t gate_ctrl_on(const struct gate_ctrl *m, uint64_t set) {
  return m->s.power[set];
}
static inline const uint64_t *gate_ctrl_row(const struct gate_ctrl *m) {
  return m->s.w_hit ? m->s.w_row : m->s.counts_q;
}
static inline uint64_t gate_ctrl_last(const struct gate_ctrl *m, uint64_t pred) {
  const uint64_t *row = gate_ctrl_row(m);
  uint64_t last = 0;
  for (unsigned way = 0; pred && way < m->base.c->d.L2_WAYS; way++)
    last |= (uint64_t)(row[way] + 1 >= pred) << way;
  return last;
}
static inline bool gate_ctrl_foretold(uint64_t pred) {
  return pred != 0;
}
static inline bool gate_ctrl_once(uint64_t pred) {
  return pred == 1;
}

#endif
