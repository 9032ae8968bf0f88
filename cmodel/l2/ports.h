/* The outputs of an L2 slice, one function each (cmodel/sm/ports.h), and the conditions of its slots. Spec:
 * docs/mechanisms/l2.md. l2_slice_moore and l2_slice_mealy set all outputs; the lazy bank reads those that it needs.
 *
 * Invariant: these are functions of the registers; none changes the model.
 *
 * Inlined: with calls instead, heddle sim executes 4.7 % more instructions (gpu/fermi on atax:n=256). */
#ifndef HEDDLE_CMODEL_L2_PORTS_H
#define HEDDLE_CMODEL_L2_PORTS_H

#include "cmodel/l2/l2_sets.h"

static inline bool l2_slice_mt_ready(const struct l2_slice *m) {
  return !(HD_IS(m, L2_MAINT) && m->s.mt_phase);
}
static inline bool l2_slice_req_ready(const struct l2_slice *m) {
  return m->s.iq_count < m->base.c->d.L2_IQ && l2_slice_mt_ready(m);
}
static inline bool l2_slice_rsp_valid(const struct l2_slice *m) {
  return m->s.ro_valid;
}
static inline const struct l2rsp *l2_slice_rsp(const struct l2_slice *m) {
  return &m->s.rq_q;
}
static inline bool l2_slice_out_valid(const struct l2_slice *m) {
  return m->s.oo_valid;
}
static inline const struct l2out *l2_slice_out(const struct l2_slice *m) {
  return &m->s.oq_q;
}
static inline bool l2_slice_fill_ready(const struct l2_slice *m) {
  return m->s.fq_count < m->base.c->d.L2_FQ && !m->s.fill_wait;
}

/* ---- Slots ---- */

static inline uint64_t l2_slice_slot(const struct l2_slice *m) {
  return m->s.b_req | m->s.b_rep;
}
static inline bool l2_slice_room(const struct l2_slice *m) {
  return m->s.rq_count + l2_slice_slot(m) + m->s.c_rsp < m->base.c->d.L2_RQ;
}
static inline bool l2_slice_out_room(const struct l2_slice *m) {
  return m->s.oq_count + m->s.c_out < m->base.c->d.L2_IQ;
}
static inline bool l2_slice_steps(const struct l2_slice *m) {
  const struct l2_slice_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  return s->f_valid && s->f_pos + s->b_rep < s->mshr_count[s->f_id] && l2_slice_room(m) &&
         s->oq_count + l2_slice_slot(m) + s->c_out < d->L2_IQ;
}
/* `steps`: a step goes in this cycle. */
static inline bool l2_slice_looks(const struct l2_slice *m, bool steps) {
  return m->s.q_valid && !m->s.blocked && !steps && l2_slice_room(m);
}
/* True if a ring of `count` entries reads its next one. `held`: the macro's output holds one of the entries.
 * `leaves`: the held entry leaves. */
static inline bool l2_ring_reads(uint64_t count, bool held, bool leaves) {
  return count > held && (!held || leaves);
}
static inline bool l2_slice_iq_reads(const struct l2_slice *m, bool looks) {
  const struct l2_slice_st *s = &m->s;
  return l2_ring_reads(s->iq_count - s->b_req, s->q_valid, looks);
}

/* What an attachment hears: that a request is looked up, its set, and the set of the request in b, which was looked
 * up last. */
static inline bool l2_slice_look_valid(const struct l2_slice *m) {
  return l2_slice_looks(m, l2_slice_steps(m));
}
static inline uint64_t l2_slice_look_set(const struct l2_slice *m) {
  return l2_set_of(&m->base.c->d, m->s.iq_q.line);
}
static inline uint64_t l2_slice_looked_set(const struct l2_slice *m) {
  return l2_set_of(&m->base.c->d, m->s.b.line);
}
/* The set in which the slot may act: that of a step's line, or of b's. */
static inline uint64_t l2_slice_act_set(const struct l2_slice *m) {
  const struct l2_slice_st *s = &m->s;
  return s->b_rep ? l2_set_of(&m->base.c->d, s->mshr_line[s->f_id]) : l2_slice_looked_set(m);
}
/* The MSHR that a request for a line would get in this cycle; 0 if none is free. */
static inline uint64_t l2_slice_act_mshr(const struct l2_slice *m) {
  const uint64_t free = hd_ones(m->base.c->d.L2_MSHRS) & ~m->s.mshr_used;
  return free ? hd_lowest(free) : 0;
}

#endif
