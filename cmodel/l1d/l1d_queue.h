/* The L1D's miss queue, and the memory port that it feeds. Spec: docs/mechanisms/l1d.md; part of the model in
 * cmodel/l1d/l1d.c.
 *
 * Invariant: a pushed entry counts from the next cycle on (l1d_cycle adds it), so a decision sees the queue as it was
 * at the start of the cycle.
 *
 * Inlined: with calls instead, heddle sim executes 0.9 % more instructions (gpu/apres on syr2k:tiny). */
#ifndef HEDDLE_CMODEL_L1D_L1D_QUEUE_H
#define HEDDLE_CMODEL_L1D_L1D_QUEUE_H

#include "cmodel/l1d/ports.h"
#include "cmodel/model/bits.h"

static inline bool l1d_queue_full(const struct l1d *m) {
  return m->s.mq_count == m->base.c->d.MQ;
}

/* Pushes an entry for d's request, whose fields go with it, or for d's prefetch. */
static inline void l1d_push(struct l1d *m, struct mreq e) {
  struct l1d_st *s = &m->s;
  e.pe = l1d_pf_decides(m) ? 0 : s->d.pe;
  if (HD_IS(m, ATOMICS) && !l1d_pf_decides(m))
    e.op = s->d.op;
  if (m->base.c->d.SECTORED)
    e.sectors = e.kind == HD_BYPASSED || (e.kind == HD_STORE && m->base.c->d.SPLIT) || HD_IS(m, SECTOR_FILL)
                    ? s->d.sectors
                    : hd_ones(m->base.c->d.SECTORS);
  s->mq[s->mq_tail] = e;
  s->mq_wr = (int64_t)s->mq_tail;
  HD_COUNT(s->mq_n.writes, 1);
  s->mq_store = hd_with(s->mq_store, s->mq_tail, s->d.write & !l1d_pf_decides(m)) & hd_ones(m->base.c->d.MQ);
  s->mq_tail = hd_next(s->mq_tail, m->base.c->d.MQ, m->base.c->d.MQ_W);
}

/* Returns d's request as it goes to memory without an MSHR: a bypassed load or a store. */
static inline struct mreq l1d_uncached(const struct req *d, unsigned kind) {
  return (struct mreq){
      .kind = kind, .line = d->line, .wid = d->wid, .slot = d->slot, .num = d->num, .last = d->last};
}

/* Feeds the memory port. `mreq_ready`: as at the port. Returns true if the queue gets shorter. */
static inline bool l1d_memory_port(struct l1d *m, bool mreq_ready) {
  struct l1d_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  if (s->mo_valid && !mreq_ready)
    return false;
  if (s->mo_valid)
    HD_EV(m, l1d_send, s->mq_q.kind, s->mq_q.line, 0, 0);
  s->mo_valid = s->mq_count > 0;
  if (!s->mo_valid)
    return false;
  s->mq_q = s->mq[s->mq_head];
  HD_COUNT(s->mq_n.reads, 1);
  if (hd_has(s->mq_store, s->mq_head)) {
    HD_COUNT(s->sdata_n.reads, 1);
    HD_COUNT(s->smask_n.reads, 1);
    if (HD_CARRIES(m)) {
      hd_copy(s->sdata_q, s->sdata + s->sd_head * d->WORDS, d->WORDS);
      hd_copy(s->smask_q, s->smask + s->sd_head * d->WORDS, d->WORDS);
    }
    s->sd_head = hd_next(s->sd_head, d->SD, d->SD_W);
  }
  s->mq_head = hd_next(s->mq_head, d->MQ, d->MQ_W);
  s->mq_count--;
  return true;
}

#endif
