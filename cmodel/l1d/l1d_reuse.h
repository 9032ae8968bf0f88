/* What the L1D's lines know of the loads that brought them and use them, and what is decided by that: the locality
 * degree (CASC), resampling (LASC). Spec: docs/mechanisms/l1d.md; part of the model in cmodel/l1d/l1d.c.
 *
 * Invariant: with COUNTED lines come and go on_miss and there is no prefetcher, so whoever gets a line is d's load. */
#ifndef HEDDLE_CMODEL_L1D_L1D_REUSE_H
#define HEDDLE_CMODEL_L1D_L1D_REUSE_H

#include "cmodel/l1d/l1d_sets.h"
#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"
#include "cmodel/sm/ports.h"

/* Before anything else of the cycle: what the last miss brings is noted. Its row is never one that is read now: a line
 * so young is still reserved. */
static inline void l1d_reuse_tick(struct l1d *m) {
  struct l1d_st *s = &m->s;
  if (!m->base.c->d.REUSE)
    return;
  s->line_hpc_wr = -1;
  if (s->lp_valid) {
    s->line_hpc[s->lp_row] = s->lp_hpc;
    s->line_hpc_wr = (int64_t)s->lp_row;
  }
  s->lp_valid = s->e_valid = 0;
}

/* d's load gets the way; the line there, if valid, is reported. */
static inline void l1d_reuse_begins(struct l1d *m, uint64_t set, unsigned way, bool valid) {
  struct l1d_st *s = &m->s;
  const uint64_t row = set * m->base.c->d.WAYS + way, count = s->rr[row];
  if (valid) {
    *s->line_hpc_q = s->line_hpc[row];
    s->e_valid = 1;
    s->e_count = count;
    if (count == 0)
      HD_EV(m, l1d_evict_unused, set, way, 0, 0);
    else
      HD_EV(m, l1d_evict_used, set, way, count, 0);
  }
  s->lp_valid = 1;
  s->lp_row = row;
  s->lp_hpc = s->d.hpc;
}

/* d's load hits or merges into the line of the way. */
static inline void l1d_referenced(struct l1d *m, unsigned way) {
  const struct hd_derived *d = &m->base.c->d;
  if (!d->COUNTED)
    return;
  uint64_t *rr = &m->s.rr[m->s.d_set * d->WAYS + way];
  *rr += *rr != hd_below(d->RR_W);
}

/* ---- The reuse-frequency table's word ---- */

/* What it says of c's load: that it is to bypass, or would be, but is cached to see. */
struct l1d_says {
  uint64_t bypass, resample;
};

/* From the registers at the start of the cycle. */
static inline struct l1d_says l1d_says(const struct l1d *m, const struct l1d_in *in) {
  const struct l1d_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  if (!d->RFT)
    return (struct l1d_says){0, 0};
  const uint64_t entry = hd_fold(s->c.hpc, d->RFT_W);
  const bool says = in->rft_en && !s->c.write && hd_has(in->rft_bypass, entry);
  const bool resample = says && d->RESAMPLE && s->rs[entry] == d->RESAMPLE - 1;
  return (struct l1d_says){says && !resample, resample};
}

/* d is empty, and its word is still to follow what the last load did to `rs`. */
static inline bool l1d_says_anew(const struct l1d *m, const struct l1d_in *in) {
  const struct l1d_says says = l1d_says(m, in);
  return says.bypass != m->s.d_rft || says.resample != m->s.d_res;
}

/* d's load bypasses by the table's word. */
static inline void l1d_resample_count(struct l1d *m) {
  const struct hd_derived *d = &m->base.c->d;
  if (!d->RESAMPLE)
    return;
  uint64_t *rs = &m->s.rs[hd_fold(m->s.d.hpc, d->RFT_W)];
  *rs += *rs != d->RESAMPLE - 1;
}

/* d's load, cached to see, is done. */
static inline void l1d_resampled(struct l1d *m) {
  m->s.rs[hd_fold(m->s.d.hpc, m->base.c->d.RFT_W)] = 0;
  HD_EV(m, l1d_resample, m->s.d.wid, m->s.d.line, 0, 0);
}

/* ---- The locality degree ---- */

/* The two cycles in which d looks what its set has to give and what its load promises. False: they are over. */
static inline bool l1d_degree_looks(struct l1d *m, const struct l1d_in *in) {
  struct l1d_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  if (s->l_step == 2)
    return false;
  if (s->l_step++ == 1) {
    s->l_better = !in->lk_known || in->lk_sum > s->l_min * in->lk_count;
    return true;
  }
  const uint64_t valid = s->valid[s->d_set], *rr = &s->rr[s->d_set * d->WAYS];
  s->l_room = (l1d_all_ways(m) & ~valid & ~l1d_reserved(m, s->d_set)) != 0;
  s->l_min = hd_below(d->RR_W);
  s->l_least = 0;
  for (uint64_t left = valid & ~s->d_pin; left; left &= left - 1) {
    const unsigned way = hd_lowest(left);
    if (rr[way] < s->l_min) {
      s->l_min = rr[way];
      s->l_least = 0;
    }
    if (rr[way] == s->l_min)
      s->l_least |= hd_bit(way);
  }
  HD_EV(m, l1d_degree_look, s->d.wid, s->d.line, 0, 0);
  return true;
}

/* What it found lets d's load be cached. */
static inline void l1d_degree_cached(struct l1d *m) {
  const struct l1d_st *s = &m->s;
  if (s->l_room)
    HD_EV(m, l1d_degree_room, s->d.wid, s->d.line, s->d_set, 0);
  else
    HD_EV(m, l1d_degree_better, s->d.wid, s->d.line, s->l_min, 0);
}

#endif
