/* What the modules of sm_mem show, signal by signal: X_moore and X_mealy show all of it, the lazy run
 * (cmodel/lazy.c) looks at what it needs. Payloads of valid ports only. And the one wire that is more than that.
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
/* What becomes of the request in the input register, in terms of the spec: none; enqueue; full; w_wait; or a
 * write that is not the next of its queue. */
enum mrpb_input { MRPB_NONE, MRPB_ENTERS, MRPB_FULL, MRPB_W_WAIT, MRPB_W_BEHIND };
static inline enum mrpb_input mrpb_input(const struct mrpb *m) {
  const struct mrpb_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  if (!s->in_valid)
    return MRPB_NONE;
  const uint64_t count = s->count[mrpb_in_q(m)];
  if (s->in.write && !d->WIDE)
    return count == 0 ? MRPB_W_WAIT : MRPB_W_BEHIND;
  return count < d->DEPTH ? MRPB_ENTERS : MRPB_FULL;
}

static inline bool mrpb_deq_valid(const struct mrpb *m, enum mrpb_input input) {
  return m->s.o_valid || input == MRPB_W_WAIT;
}
static inline const struct req *mrpb_deq(const struct mrpb *m) {
  return m->s.o_valid ? &m->s.fifo_q : &m->s.in;
}
/* A write goes straight to the output. */
static inline bool mrpb_w_leaves(const struct mrpb *m, enum mrpb_input input, bool deq_ready) {
  return input == MRPB_W_WAIT && !m->s.o_valid && deq_ready;
}
static inline bool mrpb_enq_ready(const struct mrpb *m, enum mrpb_input input, bool deq_ready) {
  return input <= MRPB_ENTERS || mrpb_w_leaves(m, input, deq_ready);
}
static inline uint64_t mrpb_drained(const struct mrpb *m) {
  const struct mrpb_st *s = &m->s;
  const uint64_t inside = m->base.memo[MRPB_FILLED] | s->o_valid << s->o_q | s->in_valid << mrpb_in_q(m);
  return hd_below(m->base.c->d.QUEUES) & ~inside;
}

static inline bool l1d_req_ready(const struct l1d *m) {
  return m->s.a_count < 2;
}
static inline bool l1d_pf_ready(const struct l1d *m) {
  return !m->s.p_valid;
}
static inline bool l1d_mrsp_ready(const struct l1d *m) {
  return !(m->s.f_valid | (m->s.resp_v & m->s.r_fill));
}

/* What the stride prefetcher hears of a verdict; `laws` has seen it, if it is there. */
static inline void hd_wire_load_event(const struct hd_config *c, bool verdict_valid, const struct verdict *v,
                                      const struct laws_out *laws, struct sap_in *in) {
  const bool misses_only = c->prefetch.kind == HD_PF_SAP;
  in->ev_valid = verdict_valid && (c->d.GROUPED ? laws->miss_valid : !(misses_only && v->hit));
  in->ev = (struct load_event){.wid = v->wid,
                               .pc = v->pc,
                               .addr = v->line << c->d.OFFSET_W | v->low,
                               .group = c->d.GROUPED ? laws->miss_group : 0};
}

#endif
