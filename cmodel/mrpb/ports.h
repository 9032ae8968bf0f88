/* The outputs of mrpb (cmodel/sm/ports.h). Spec: docs/mechanisms/mrpb.md.
 *
 * Invariant: no function here changes the model. memo[MRPB_FILLED] has the queues with `count` > 0, as `ready` has
 * those with `avail` > 0. So a cycle costs the same for any number of queues.
 *
 * Inlined: measured in cmodel/sm/ports.h. */
#ifndef HEDDLE_CMODEL_MRPB_PORTS_H
#define HEDDLE_CMODEL_MRPB_PORTS_H

#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

enum { MRPB_FILLED };

/* Returns the queue of the request in the input register; 0 before the first request. */
static inline uint64_t mrpb_in_q(const struct mrpb *m) {
  if (!m->base.c->d.SIG_W)
    return m->s.in.wid;
  return m->s.in_at ? hd_lowest(m->s.in_at) : 0;
}
/* True if the request in the input register enters no queue: goes_on in the spec. */
static inline bool mrpb_goes_on(const struct mrpb *m) {
  return m->s.in_on || (m->s.in.write && !HD_IS(m, WIDE));
}
/* What becomes of the request in the input register, by the spec's conditions: none; enqueue; full; w_wait; or
 * MRPB_W_BEHIND: it goes straight on, but requests of its queue are before it. */
enum mrpb_input { MRPB_NONE, MRPB_ENTERS, MRPB_FULL, MRPB_W_WAIT, MRPB_W_BEHIND };
static inline enum mrpb_input mrpb_input(const struct mrpb *m) {
  const struct mrpb_st *s = &m->s;
  if (!s->in_valid)
    return MRPB_NONE;
  if (mrpb_goes_on(m)) /* in_straight with two stages (in_pass is 0 then), in_pass with one */
    return s->in_pass | s->in_straight ? MRPB_W_WAIT : MRPB_W_BEHIND;
  return s->in_pass ? MRPB_ENTERS : MRPB_FULL;
}

static inline bool mrpb_offers(const struct mrpb *m, enum mrpb_input input) {
  return m->s.o_valid || input == MRPB_W_WAIT;
}
static inline bool mrpb_deq_valid(const struct mrpb *m) {
  return mrpb_offers(m, mrpb_input(m));
}
static inline struct req mrpb_deq(const struct mrpb *m) {
  return m->s.o_valid ? m->s.fifo_q : m->s.in;
}
/* True if the request in the input register goes straight to the output. */
static inline bool mrpb_w_leaves(const struct mrpb *m, enum mrpb_input input, bool deq_ready) {
  return input == MRPB_W_WAIT && !m->s.o_valid && deq_ready;
}
static inline bool mrpb_takes(const struct mrpb *m, enum mrpb_input input, bool deq_ready) {
  return input <= MRPB_ENTERS || mrpb_w_leaves(m, input, deq_ready);
}
static inline bool mrpb_enq_ready(const struct mrpb *m, bool deq_ready) {
  return mrpb_takes(m, mrpb_input(m), deq_ready);
}
static inline uint64_t mrpb_drained(const struct mrpb *m) {
  const struct mrpb_st *s = &m->s;
  const uint64_t inside =
      m->base.memo[MRPB_FILLED] | s->o_valid << s->o_q | (s->in_valid & !s->in_on) << mrpb_in_q(m);
  return hd_ones(m->base.c->d.QUEUES) & ~inside;
}

#endif
