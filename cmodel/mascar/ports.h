/* The outputs of the re-execution queue, and MASCAR's saturation (cmodel/sm/ports.h). Spec:
 * docs/mechanisms/mascar.md.
 *
 * Invariant: no function here changes the model. memo[REEXEC_MINE] has the warps with `mine` > 0, so that a cycle
 * costs the same for any number of warps.
 *
 * Inlined: measured in cmodel/sm/ports.h. */
#ifndef HEDDLE_CMODEL_MASCAR_PORTS_H
#define HEDDLE_CMODEL_MASCAR_PORTS_H

#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

enum { REEXEC_MINE };

/* Return the thresholds: the memory is saturated if at most this many MSHRs, or places of the miss queue, are free. */
static inline uint64_t mascar_few_mshrs(const struct mascar *m, const struct mascar_in *in) {
  return HD_IS(m, APB) ? in->mascar_mshrs : m->base.c->d.MSHRS_LOW;
}
static inline uint64_t mascar_few_places(const struct mascar *m, const struct mascar_in *in) {
  return HD_IS(m, APB) ? in->mascar_places : m->base.c->d.PLACES_LOW;
}
static inline uint64_t mascar_waiting(const struct mascar *m) {
  const struct mascar_st *s = &m->s;
  return s->waiting_0 + s->waiting_1 + s->waiting_2 + s->waiting_3;
}
/* True if the memory is saturated by the MSHRs that waited in the last cycle. */
static inline bool mascar_lines_wait(const struct mascar *m, const struct mascar_in *in) {
  return mascar_waiting(m) + mascar_few_mshrs(m, in) >= m->base.c->d.MSHRS;
}

/* True if the request in the input register may go to the L1D. */
static inline bool reexec_may_go(const struct reexec *m) {
  return m->s.in_valid && m->s.in_may;
}
/* True if the request in the input register is offered to the L1D. */
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
