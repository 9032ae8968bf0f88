/* Golden model of contention-aware selective caching. Spec: docs/mechanisms/casc.md.
 * The conditions that also show at ports are in cmodel/casc/ports.h.
 *
 * Invariant: the requests of a load leave in the order in which they came, all of them gathered or none; what
 * passes finds nothing gathered. A bank is written before it is full and read after. */
#include "cmodel/casc/ports.h"
#include "cmodel/l1d/l1d_sets.h"

void casc_moore(struct casc *m, struct casc_out *out) {
  out->busy = casc_busy(m);
}

void casc_mealy(struct casc *m, const struct casc_in *in, struct casc_out *out) {
  const struct casc_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  out->in_ready = casc_in_ready(m, in);
  out->out_valid = casc_out_valid(m, in);
  if (!s->o_valid) {
    out->out = hd_request_of(&in->in);
    out->out_sig = in->in_sig;
    return;
  }
  const uint64_t b = s->o_bank;
  out->out = (struct req){.line = s->lines_q[0],
                          .wid = s->b_wid[b],
                          .slot = s->b_slot[b],
                          .num = s->o_num,
                          .last = s->o_last,
                          .byp = s->o_byp,
                          .loc = s->o_loc};
  if (d->SECTORED)
    out->out.sectors = s->sectors_q[0];
  if (d->GID_W)
    out->out.gid = s->b_gid[b];
  if (d->REQ_PC_W) { /* and LOW_W */
    out->out.pc = s->b_pc[b];
    out->out.low = s->b_low[b];
  }
  if (d->HPC_W)
    out->out.hpc = s->b_hpc[b];
  if (d->APCM) {
    out->out.trk = hd_has(s->b_trk, b);
    out->out.lid = s->b_lid[b];
  }
  if (d->LOS)
    out->out.pe = s->b_pe[b];
  if (d->SIG_W)
    out->out_sig = s->b_sig[b];
}

/* What all requests of a load have in common. */
static void begin(struct casc *m, const struct casc_in *in) {
  struct casc_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t b = s->fill;
  s->b_wid[b] = in->in.wid;
  s->b_slot[b] = in->in.slot;
  if (d->SIG_W)
    s->b_sig[b] = in->in_sig;
  if (d->GID_W)
    s->b_gid[b] = in->in.gid;
  if (d->REQ_PC_W) {
    s->b_pc[b] = in->in.pc;
    s->b_low[b] = in->in.low;
  }
  if (d->HPC_W)
    s->b_hpc[b] = in->in.hpc;
  if (d->APCM) {
    s->b_trk = hd_with(s->b_trk, b, in->in.trk);
    s->b_lid[b] = in->in.lid;
  }
  if (d->LOS)
    s->b_pe[b] = in->in.pe;
}

/* Request j of the load goes to this set, too. Those of a load before it are found by `memo`: of the sets that are the same modulo
 * CLASSES, the request that came last + 1, or 0; then of each request likewise the one of its class before it. Of requests to one
 * set the earlier one has the larger or equal count. */
static void count_later(struct casc *m, uint64_t set, unsigned j) {
  enum { CLASSES = 32, MOST_LANES = 32 };
  _Static_assert(CLASSES + MOST_LANES <= sizeof m->base.memo, "");
  const unsigned lanes = m->base.c->d.LANES;
  const uint64_t ways = m->base.c->d.WAYS, *sets = m->s.set;
  uint64_t *later = m->s.later + m->s.fill * lanes;
  uint8_t *last = (uint8_t *)m->base.memo, *before = last + CLASSES;
  if (j == 0)
    memset(last, 0, CLASSES);
  last += set % CLASSES;
  for (unsigned i = *last; i--; i = before[i])
    if (sets[i] == set) {
      if (later[i] == ways)
        break;
      later[i]++;
    }
  before[j] = *last;
  *last = (uint8_t)(j + 1);
  if (j < lanes - 1)
    m->s.set[j] = set;
  later[j] = 0;
}

/* Step 1. */
static void gather(struct casc *m, const struct casc_in *in) {
  struct casc_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t b = s->fill, j = in->in.num, row = b * d->LANES + j;
  HD_EV(m, casc_gather, j, in->in.wid, in->in.line, b);
  s->lines[row] = in->in.line;
  s->lines_wr = (int64_t)row;
  s->lines_n.writes++;
  if (d->SECTORED) {
    s->sectors[row] = in->in.sectors;
    s->sectors_wr = (int64_t)row;
    s->sectors_n.writes++;
  }
  s->b_count[b] = j + 1;
  if (j == 0)
    begin(m, in);
  if (d->LATER_W)
    count_later(m, l1d_set_of(m->base.c, in->in.line), (unsigned)j);
  s->mid = !in->in.last;
  if (s->mid)
    return;
  HD_EV(m, casc_complete, in->in.wid, j + 1, 0, 0);
  if (j + 1 <= d->WAYS)
    HD_EV(m, casc_few, in->in.wid, j + 1, 0, 0);
  s->full |= hd_bit(b);
  s->fill = 1 - b;
}

/* Whether request j of the load in bank b, which has more requests than a set has ways, is to bypass. */
static bool bypasses(const struct casc *m, uint64_t b, uint64_t j) {
  const struct hd_derived *d = &m->base.c->d;
  switch (m->base.c->casc.scheme) {
  case HD_CASC_FIRST:
    return j >= d->WAYS;
  case HD_CASC_LAST:
    return j + d->WAYS < m->s.b_count[b];
  case HD_CASC_PER_SET:
  case HD_CASC_LOCALITY:
    return m->s.later[b * d->LANES + j] == d->WAYS;
  case HD_CASC_ALL:
  case HD_CASC_OFF: /* there is no such module */
    break;
  }
  return true;
}

/* Step 2. */
static void read(struct casc *m) {
  struct casc_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t b = s->drain, j = s->next;
  const bool many = s->b_count[b] > d->WAYS, byp = many && bypasses(m, b, j);
  if (byp)
    HD_EV(m, casc_bypass, j, s->b_wid[b], 0, 0);
  else if (many)
    HD_EV(m, casc_keep, j, s->b_wid[b], 0, 0);
  s->lines_q[0] = s->lines[b * d->LANES + j];
  s->lines_n.reads++;
  if (d->SECTORED) {
    s->sectors_q[0] = s->sectors[b * d->LANES + j];
    s->sectors_n.reads++;
  }
  s->o_valid = 1;
  s->o_bank = b;
  s->o_num = j;
  s->o_last = j + 1 == s->b_count[b];
  s->o_byp = byp;
  s->o_loc = d->LOC && many && !byp;
  s->next = s->o_last ? 0 : (j + 1) & hd_ones(d->LANE_W);
  if (s->o_last)
    s->drain = 1 - b;
}

/* What a cycle without a handshake would do. A request that waits is still there then; none comes. */
static uint64_t ahead(const struct casc *m, bool waits) {
  if (hd_has(m->s.full, m->s.drain) && !m->s.o_valid)
    return HD_MOVES;
  return waits ? hd_bit(EV_casc_wait) : 0;
}

uint64_t casc_tick(struct casc *m, const struct casc_in *in) {
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
    read(m);
  else if (leaves)
    s->o_valid = 0;
  if (mine && !waits)
    gather(m, in);
  s->full &= ~left;
  return ahead(m, waits);
}
