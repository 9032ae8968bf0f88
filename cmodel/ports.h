/* What the modules of sm_mem show, signal by signal: X_moore and X_mealy show all of it, the lazy run
 * (cmodel/lazy.c) looks at what it needs. Payloads of valid ports only.
 *
 * Invariant: nothing here changes anything. memo[MRPB_FILLED] and memo[MRPB_READY] of the MRPB say which
 * queues have `count` > 0 and `avail` > 0, so that a cycle costs the same however many queues there are. */
#ifndef HEDDLE_CMODEL_PORTS_H
#define HEDDLE_CMODEL_PORTS_H

#include "cmodel/bits.h"
#include "cmodel/models.h"

static inline bool coalescer_issue_ready(const struct coalescer *m) {
  return m->s.p_valid != 3;
}
static inline uint64_t coalescer_busy(const struct coalescer *m) {
  const struct coalescer_st *s = &m->s;
  return (s->p_valid & 1) << s->p_wid[0] | s->p_valid >> 1 << s->p_wid[1] | s->o_valid << s->o.wid;
}

static inline bool request_slot_enq_ready(const struct request_slot *m, bool deq_ready) {
  return !m->s.valid || deq_ready;
}

enum { MRPB_FILLED, MRPB_READY };

/* The queue of the request in the input register. */
static inline uint64_t mrpb_in_q(const struct mrpb *m) {
  return m->base.c->d.SIG_W ? m->s.in_q : m->s.in.wid;
}
/* Whether the request in the input register is one that goes through its queue. */
static inline bool mrpb_may_enter(const struct mrpb *m) {
  return m->s.in_valid && (!m->s.in.write || m->base.c->d.WIDE);
}
/* Named conditions of the spec. */
static inline bool mrpb_w_wait(const struct mrpb *m) {
  return m->s.in_valid && m->s.in.write && !m->base.c->d.WIDE && m->s.count[mrpb_in_q(m)] == 0;
}
static inline bool mrpb_enqueue(const struct mrpb *m) {
  return mrpb_may_enter(m) && m->s.count[mrpb_in_q(m)] < m->base.c->d.DEPTH;
}

static inline bool mrpb_deq_valid(const struct mrpb *m) {
  return m->s.o_valid || mrpb_w_wait(m);
}
static inline const struct req *mrpb_deq(const struct mrpb *m) {
  return m->s.o_valid ? &m->s.fifo_q : &m->s.in;
}
static inline bool mrpb_enq_ready(const struct mrpb *m, bool deq_ready) {
  return !m->s.in_valid || mrpb_enqueue(m) || (deq_ready && !m->s.o_valid && mrpb_w_wait(m));
}
static inline uint64_t mrpb_drained(const struct mrpb *m) {
  const struct mrpb_st *s = &m->s;
  const uint64_t inside = m->base.memo[MRPB_FILLED] | s->o_valid << s->o_q | s->in_valid << mrpb_in_q(m);
  return hd_below(m->base.c->d.QUEUES) & ~inside;
}

static inline bool l1d_req_ready(const struct l1d *m) {
  return m->s.a_count < 2;
}
static inline bool l1d_mrsp_ready(const struct l1d *m) {
  return !(m->s.f_valid | (m->s.resp_v & m->s.r_fill));
}

#endif
