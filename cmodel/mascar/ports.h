/* What the re-execution queue shows (cmodel/sm/ports.h). Spec: docs/mechanisms/mascar.md.
 *
 * Invariant: nothing here changes anything. memo[REEXEC_MINE] says which warps have `mine` > 0, so that a cycle costs
 * the same however many there are.
 *
 * Inlined: measured in cmodel/sm/ports.h. */
#ifndef HEDDLE_CMODEL_MASCAR_PORTS_H
#define HEDDLE_CMODEL_MASCAR_PORTS_H

#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

enum { REEXEC_MINE };

/* The request in the input register may go to the L1D. */
static inline bool reexec_may_go(const struct reexec *m) {
  return m->s.in_valid && m->s.in_may;
}
/* It is what is offered. */
static inline bool reexec_first(const struct reexec *m) {
  return reexec_may_go(m) && !m->s.stays;
}
static inline bool reexec_deq_valid(const struct reexec *m) {
  return reexec_first(m) || m->s.o_valid;
}
static inline struct req reexec_deq(const struct reexec *m) {
  return reexec_first(m) ? m->s.in : m->s.fifo_q;
}
static inline bool reexec_enq_ready(const struct reexec *m, bool deq_ready) {
  return !m->s.in_valid || (reexec_first(m) && deq_ready);
}
static inline uint64_t reexec_drained(const struct reexec *m) {
  return hd_ones(m->base.c->d.WARPS) & ~(m->base.memo[REEXEC_MINE] | m->s.in_valid << m->s.in.wid);
}

#endif
