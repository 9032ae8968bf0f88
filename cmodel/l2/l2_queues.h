/* The queues of an L2 slice to and from its ports, and the entries that c adds to them. Spec: docs/mechanisms/l2.md,
 * "Queues" and "Behind the decision"; part of the model in cmodel/l2/l2_cycle.h.
 *
 * Invariant: each queue is read before it is written, so an entry counts from the next cycle on. Most queues are
 * empty most of the time; a cycle skips them then.
 *
 * Inlined: with calls instead, heddle sim executes 2.5 % more instructions (gpu/fermi on atax:n=256). */
#ifndef HEDDLE_CMODEL_L2_L2_QUEUES_H
#define HEDDLE_CMODEL_L2_L2_QUEUES_H

#include "cmodel/l2/ports.h"

/* Returns a word whose byte i is 0xff if bit i of the mask is set, else 0. */
static inline uint64_t l2_bytes(uint64_t mask) {
  const uint64_t ones = UINT64_C(0x0101010101010101), own = UINT64_C(0x8040201008040201);
  return (((mask * ones & own) + 0x7f * ones) >> 7 & ones) * 0xff;
}

/* Overwrites the bytes of `to` with those of `from` where the mask says so. */
static inline void l2_patch(uint64_t *to, const uint64_t *from, const uint64_t *mask, unsigned words) {
  for (unsigned i = 0; i < words; i++)
    to[i] = (to[i] & ~l2_bytes(mask[i])) | (from[i] & l2_bytes(mask[i]));
}

/* Returns the row of a macro of line bytes. */
static inline uint64_t *l2_row(const struct l2_slice *m, uint64_t *macro, uint64_t row) {
  return macro + row * m->base.c->d.L2_WORDS;
}

/* Copies the line that c leaves to this row. */
static inline void l2_leave_line(const struct l2_slice *m, uint64_t *row) {
  const struct l2_slice_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  hd_copy(row, !HD_IS(m, L2_SLEEPS) && s->c_mask[0] ? s->c_data : s->data_q, d->L2_WORDS);
  if (HD_IS(m, L2_SLEEPS))
    l2_patch(row, s->c_data, s->c_mask, d->L2_WORDS);
}

static inline void l2_replies(struct l2_slice *m, bool leaves) {
  struct l2_slice_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  if (!(s->rq_count | s->ro_valid | s->c_rsp))
    return;
  if (leaves)
    HD_EV(m, l2_slice_reply, s->rq_q.sm, s->rq_q.kind, 0, 0);
  if (l2_ring_reads(s->rq_count, s->ro_valid, leaves)) {
    s->rq_q = s->rq[s->rq_head];
    if (HD_WATCHED) {
      s->rq_n.reads++;
      s->rq_data_n.reads++;
    }
    if (HD_CARRIES(m))
      hd_copy(s->rq_data_q, l2_row(m, s->rq_data, s->rq_head), d->L2_WORDS);
    s->rq_head = hd_next(s->rq_head, d->L2_RQ, d->L2_RQ_W);
    s->ro_valid = 1;
  } else if (leaves)
    s->ro_valid = 0;
  s->rq_count += s->c_rsp - leaves;
  if (!s->c_rsp)
    return;
  s->rq[s->rq_tail] = s->c;
  if (HD_WATCHED) {
    s->rq_wr = (int64_t)s->rq_tail;
    s->rq_n.writes++;
    s->rq_data_n.writes++;
  }
  if (HD_CARRIES(m)) {
    l2_leave_line(m, l2_row(m, s->rq_data, s->rq_tail));
    s->rq_data_wr = s->rq_wr;
  }
  s->rq_tail = hd_next(s->rq_tail, d->L2_RQ, d->L2_RQ_W);
}

static inline void l2_sends(struct l2_slice *m, bool leaves) {
  struct l2_slice_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  if (!(s->oq_count | s->oo_valid | s->c_out))
    return;
  if (leaves)
    HD_EV(m, l2_slice_send, s->oq_q.write, s->oq_q.line, s->oq_q.id, 0);
  if (l2_ring_reads(s->oq_count, s->oo_valid, leaves)) {
    s->oq_q = s->oq[s->oq_head];
    if (HD_WATCHED) {
      s->oq_n.reads++;
      s->oq_data_n.reads++;
    }
    if (HD_CARRIES(m))
      hd_copy(s->oq_data_q, l2_row(m, s->oq_data, s->oq_head), d->L2_WORDS);
    s->oq_head = hd_next(s->oq_head, d->L2_IQ, d->L2_IQ_W);
    s->oo_valid = 1;
  } else if (leaves)
    s->oo_valid = 0;
  s->oq_count += s->c_out - leaves;
  if (!s->c_out)
    return;
  s->oq[s->oq_tail] = s->co;
  if (HD_WATCHED) {
    s->oq_wr = (int64_t)s->oq_tail;
    s->oq_n.writes++;
    s->oq_data_n.writes++;
  }
  if (HD_CARRIES(m)) {
    l2_leave_line(m, l2_row(m, s->oq_data, s->oq_tail));
    s->oq_data_wr = s->oq_wr;
  }
  s->oq_tail = hd_next(s->oq_tail, d->L2_IQ, d->L2_IQ_W);
}

/* Moves a line from its queue into f. */
static inline void l2_load_fill(struct l2_slice *m) {
  struct l2_slice_st *s = &m->s;
  s->f_valid = 1;
  s->f_id = *s->fq_id_q;
  s->f_pos = 0;
  if (HD_CARRIES(m))
    hd_copy(s->f_data, s->fq_data_q, m->base.c->d.L2_WORDS);
  HD_EV(m, l2_slice_fill, s->f_id, s->mshr_count[s->f_id], 0, 0);
}

static inline void l2_fills(struct l2_slice *m, const struct l2_slice_in *in, bool taken) {
  struct l2_slice_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  if (!(s->fq_count | s->fo_valid | s->fill_wait | taken))
    return;
  const bool ready = s->fo_valid && !s->f_valid;
  const bool loads = ready && !(HD_IS(m, L2_WAKES) && hd_has(s->mshr_wakes, *s->fq_id_q));
  if (loads)
    l2_load_fill(m);
  else if (ready)
    HD_EV(m, l2_slice_fill_waits, *s->fq_id_q, 0, 0, 0);
  if (l2_ring_reads(s->fq_count, s->fo_valid, loads)) {
    *s->fq_id_q = s->fq_id[s->fq_head];
    if (HD_WATCHED) {
      s->fq_id_n.reads++;
      s->fq_data_n.reads++;
    }
    if (HD_CARRIES(m))
      hd_copy(s->fq_data_q, l2_row(m, s->fq_data, s->fq_head), d->L2_WORDS);
    s->fq_head = hd_next(s->fq_head, d->L2_FQ, d->L2_FQ_W);
    s->fo_valid = 1;
  } else if (loads)
    s->fo_valid = 0;
  s->fq_count += (uint64_t)taken - loads;
  s->fill_wait = taken ? d->L2_FILL - 1 : s->fill_wait - !!s->fill_wait;
  if (!taken)
    return;
  s->fq_id[s->fq_tail] = in->fill_id;
  if (HD_WATCHED) {
    s->fq_id_wr = (int64_t)s->fq_tail;
    s->fq_id_n.writes++;
    s->fq_data_n.writes++;
  }
  if (HD_CARRIES(m)) {
    hd_copy(l2_row(m, s->fq_data, s->fq_tail), in->fill_data, d->L2_WORDS);
    s->fq_data_wr = s->fq_id_wr;
  }
  s->fq_tail = hd_next(s->fq_tail, d->L2_FQ, d->L2_FQ_W);
}

/* Takes the request `q`; its bytes are in `in`. */
static inline void l2_take(struct l2_slice *m, const struct l2_slice_in *in, const struct l2req *q) {
  struct l2_slice_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  HD_EV(m, l2_slice_take, q->sm, q->kind, q->line, 0);
  s->iq[s->iq_tail] = *q;
  if (HD_WATCHED) {
    s->iq_wr = (int64_t)s->iq_tail;
    s->iq_n.writes++;
    s->iq_wdata_n.writes++;
    s->iq_wmask_n.writes++;
  }
  if (HD_CARRIES(m)) {
    hd_copy(l2_row(m, s->iq_wdata, s->iq_tail), in->req_wdata, d->L2_WORDS);
    hd_copy(l2_row(m, s->iq_wmask, s->iq_tail), in->req_wmask, d->L2_WORDS);
    s->iq_wdata_wr = s->iq_wmask_wr = s->iq_wr;
  }
  s->iq_tail = hd_next(s->iq_tail, d->L2_IQ, d->L2_IQ_W);
  s->iq_count++;
}

/* Reads the next request, for a look. */
static inline void l2_read_request(struct l2_slice *m) {
  struct l2_slice_st *s = &m->s;
  s->iq_q = s->iq[s->iq_next];
  if (HD_WATCHED)
    s->iq_n.reads++;
  s->q_row = s->iq_next;
  s->iq_next = hd_next(s->iq_next, m->base.c->d.L2_IQ, m->base.c->d.L2_IQ_W);
  s->q_valid = 1;
  if (!HD_WATCHED)
    l2_expect_set(m, l2_set_of(&m->base.c->d, s->iq_q.line));
}

#endif
