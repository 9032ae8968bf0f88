/* A cycle of the golden model of contention-aware selective caching. Spec: docs/mechanisms/casc.md.
 * The conditions that also show at ports are in cmodel/casc/ports.h.
 *
 * Invariant: the requests of a load leave in the order in which they came. All of them are gathered, or none. A request
 * that passes finds nothing gathered. A bank is written before it is full, and read after that. Where bits may be wrong,
 * requests are counted as in the hardware: in lockstep, and if their numbers do not come in order.
 *
 * Inlined: with calls instead, heddle sim executes 1.2 % more instructions: 4 headers refer here (casc on syrk:tiny and
 * gemm:ni=128,nj=128,nk=32). */
#ifndef HEDDLE_CMODEL_CASC_CASC_CYCLE_H
#define HEDDLE_CMODEL_CASC_CASC_CYCLE_H

#include "cmodel/casc/gather.h"
#include "cmodel/casc/ports.h"
#include "cmodel/l1d/l1d_sets.h"

static inline void casc_say(struct casc *m, const struct casc_in *in, struct casc_out *out) {
  const struct casc_st *s = &m->s;
  out->in_ready = casc_in_ready(m, in);
  out->out_valid = casc_out_valid(m, in);
  if (!s->o_valid) {
    out->out = hd_request_of(&in->in);
    out->out_sig = in->in_sig;
    return;
  }
  const uint64_t b = s->o_bank;
  out->out.line = s->lines_q[0]; /* field by field: what the machine has not stays 0 */
  out->out.write = out->out.op = 0;
  out->out.wid = s->b_wid[b];
  out->out.slot = s->b_slot[b];
  out->out.num = s->o_num;
  out->out.last = s->o_last;
  out->out.byp = s->o_byp;
  out->out.loc = s->o_loc;
  if (HD_IS(m, SECTORED))
    out->out.sectors = s->sectors_q[0];
  if (HD_SOME(m->base.c, GID_W))
    out->out.gid = s->b_gid[b];
  if (HD_SOME(m->base.c, REQ_PC_W)) { /* and LOW_W */
    out->out.pc = s->b_pc[b];
    out->out.low = s->b_low[b];
  }
  if (HD_SOME(m->base.c, HPC_W))
    out->out.hpc = s->b_hpc[b];
  if (HD_SOME(m->base.c, APCM)) {
    out->out.trk = hd_has(s->b_trk, b);
    out->out.lid = s->b_lid[b];
  }
  if (HD_SOME(m->base.c, LOS))
    out->out.pe = s->b_pe[b];
  if (HD_SOME(m->base.c, SIG_W))
    out->out_sig = s->b_sig[b];
}

/* What all requests of a load have in common. */
static inline void casc_begin(struct casc *m, const struct casc_in *in) {
  struct casc_st *s = &m->s;
  const uint64_t b = s->fill;
  s->b_wid[b] = in->in.wid;
  s->b_slot[b] = in->in.slot;
  if (HD_SOME(m->base.c, SIG_W))
    s->b_sig[b] = in->in_sig;
  if (HD_SOME(m->base.c, GID_W))
    s->b_gid[b] = in->in.gid;
  if (HD_SOME(m->base.c, REQ_PC_W)) {
    s->b_pc[b] = in->in.pc;
    s->b_low[b] = in->in.low;
  }
  if (HD_SOME(m->base.c, HPC_W))
    s->b_hpc[b] = in->in.hpc;
  if (HD_SOME(m->base.c, APCM)) {
    s->b_trk = hd_with(s->b_trk, b, in->in.trk);
    s->b_lid[b] = in->in.lid;
  }
  if (HD_SOME(m->base.c, LOS))
    s->b_pe[b] = in->in.pe;
}

/* Counts request j of the load, which goes to `set`. All requests before it have come in order, and no bit is wrong: of
 * two requests to one set, the earlier one has the larger or an equal count. */
static inline void casc_count_later(struct casc *m, uint64_t set, unsigned j) {
  const unsigned lanes = HD_IS(m, LANES);
  const uint64_t ways = m->base.c->d.WAYS, *sets = m->s.set;
  uint64_t *later = m->s.later + m->s.fill * lanes;
  struct casc_memo *const memo = casc_memo(m);
  if (j == 0)
    memset(memo->last, 0, sizeof memo->last);
  uint8_t *const last = &memo->last[set % CASC_CLASSES], *const before = memo->before;
  for (unsigned i = *last; i--; i = before[i])
    if (sets[i] == set) {
      if (later[i] == ways)
        break;
      later[i]++;
    }
  before[j] = *last;
  *last = (uint8_t)(j + 1);
  later[j] = 0;
  if (j == lanes - 1) {
    memo->next = CASC_NO_ORDER;
    return;
  }
  memo->next = (uint8_t)(j + 1);
  m->s.set[j] = set;
}

/* Step 1. */
static inline void casc_gather(struct casc *m, const struct casc_in *in) {
  struct casc_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t b = s->fill, j = in->in.num, row = b * HD_IS(m, LANES) + j;
  HD_EV(m, casc_gather, j, in->in.wid, in->in.line, b);
  s->lines[row] = in->in.line;
  s->lines_wr = (int64_t)row;
  HD_COUNT(s->lines_n.writes, 1);
  if (HD_IS(m, SECTORED)) {
    s->sectors[row] = in->in.sectors;
    s->sectors_wr = (int64_t)row;
    HD_COUNT(s->sectors_n.writes, 1);
  }
  s->b_count[b] = j + 1;
  if (j == 0)
    casc_begin(m, in);
  if (m->base.c->d.LATER_W) {
    const uint64_t set = l1d_set_of(m->base.c, in->in.line);
    if (HD_WATCHED || __builtin_expect(j != casc_memo(m)->next, 0))
      casc_count_any(m, set, (unsigned)j);
    else
      casc_count_later(m, set, (unsigned)j);
  }
  s->mid = !in->in.last;
  if (s->mid)
    return;
  casc_memo(m)->next = 0;
  HD_EV(m, casc_complete, in->in.wid, j + 1, 0, 0);
  if (j + 1 <= d->WAYS)
    HD_EV(m, casc_few, in->in.wid, j + 1, 0, 0);
  s->full |= hd_bit(b);
  s->fill = 1 - b;
}

/* Whether request j of the load in bank b, which has more requests than a set has ways, is to bypass. */
static inline bool casc_bypasses(const struct casc *m, uint64_t b, uint64_t j) {
  const struct hd_derived *d = &m->base.c->d;
  switch (m->base.c->casc.scheme) {
  case HD_CASC_FIRST:
    return j >= d->WAYS;
  case HD_CASC_LAST:
    return j + d->WAYS < m->s.b_count[b];
  case HD_CASC_PER_SET:
  case HD_CASC_LOCALITY:
    return m->s.later[b * HD_IS(m, LANES) + j] == d->WAYS;
  case HD_CASC_ALL:
  case HD_CASC_OFF: /* there is no such module */
    break;
  }
  return true;
}

/* Step 2. */
static inline void casc_read(struct casc *m) {
  struct casc_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t b = s->drain, j = s->next;
  const bool many = s->b_count[b] > d->WAYS, byp = many && casc_bypasses(m, b, j);
  if (byp)
    HD_EV(m, casc_bypass, j, s->b_wid[b], 0, 0);
  else if (many)
    HD_EV(m, casc_keep, j, s->b_wid[b], 0, 0);
  s->lines_q[0] = s->lines[b * HD_IS(m, LANES) + j];
  HD_COUNT(s->lines_n.reads, 1);
  if (HD_IS(m, SECTORED)) {
    s->sectors_q[0] = s->sectors[b * HD_IS(m, LANES) + j];
    HD_COUNT(s->sectors_n.reads, 1);
  }
  s->o_valid = 1;
  s->o_bank = b;
  s->o_num = j;
  s->o_last = j + 1 == s->b_count[b];
  s->o_byp = byp;
  s->o_loc = HD_IS(m, LOC) && many && !byp;
  s->next = s->o_last ? 0 : (j + 1) & hd_ones(d->LANE_W);
  if (s->o_last)
    s->drain = 1 - b;
}

/* What a cycle without a handshake would do. A request that waits is still there then; none comes. */
static inline uint64_t casc_ahead(const struct casc *m, bool waits) {
  if (hd_has(m->s.full, m->s.drain) && !m->s.o_valid)
    return HD_MOVES;
  return waits ? hd_bit(EV_casc_wait) : 0;
}

static inline uint64_t casc_cycle(struct casc *m, const struct casc_in *in) {
  struct casc_st *s = &m->s;
  const bool mine = casc_mine(m, in), waits = in->in_valid && !casc_in_ready(m, in);
  const bool leaves = s->o_valid && in->out_ready;
  const bool reads = hd_has(s->full, s->drain) && (!s->o_valid || in->out_ready);
  const uint64_t left = leaves && s->o_last ? hd_bit(s->o_bank) : 0;
  s->lines_wr = -1;
  if (waits)
    HD_EV(m, casc_wait, in->in.wid, in->in.line, 0, 0);
  else if (in->in_valid && !mine)
    HD_EV(m, casc_pass, in->in.wid, in->in.line, 0, 0);

  /* Reading comes first: it looks at what is full as it was before the edge. */
  if (reads)
    casc_read(m);
  else if (leaves)
    s->o_valid = 0;
  if (mine && !waits)
    casc_gather(m, in);
  s->full &= ~left;
  return casc_ahead(m, waits);
}

#endif
