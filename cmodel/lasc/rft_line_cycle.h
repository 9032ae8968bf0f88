/* One cycle of the golden model of the reuse-frequency table's attachment to the L1D. Spec: docs/mechanisms/rft.md.
 *
 * Invariant: an entry's count is at most RESAMPLE - 1. At that count the next load that would bypass is cached.
 *
 * Inlined: measured in cmodel/lasc/rft_cycle.h. */
#ifndef HEDDLE_CMODEL_LASC_RFT_LINE_CYCLE_H
#define HEDDLE_CMODEL_LASC_RFT_LINE_CYCLE_H

#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

/* Learns what the table says about c's load, from the registers at the start of the cycle. */
static inline void rft_line_learn(struct rft_line *m, const struct rft_line_in *in) {
  struct rft_line_st *s = &m->s;
  const uint64_t entry = hd_xor_fold(in->look_hpc, m->base.c->d.RFT_W);
  const bool says = in->rft_en && in->look_valid && !in->look_write && hd_has(in->rft_bypass, entry);
  s->d_res = says && HD_IS(m, RESAMPLED) && s->rs[entry] == m->base.c->d.RESAMPLE - 1;
  s->d_rft = says && !s->d_res;
  if (s->d_rft)
    HD_EV(m, rft_line_advise, entry, 0, 0, 0);
}

/* Counts a reported load that bypassed, or that was cached as a sample (D-RFT-3). */
static inline void rft_line_count(struct rft_line *m, const struct rft_line_in *in) {
  const struct rft_line_st *s = &m->s;
  const uint64_t most = m->base.c->d.RESAMPLE - 1, entry = hd_xor_fold(in->outcome_hpc, m->base.c->d.RFT_W);
  if (in->outcome_load && s->e_res) {
    s->rs[entry] = 0;
    HD_EV(m, rft_line_resample, entry, 0, 0, 0);
  } else if (in->outcome_past && s->e_rft)
    s->rs[entry] += s->rs[entry] != most;
}

static inline uint64_t rft_line_cycle(struct rft_line *m, const struct rft_line_in *in) {
  struct rft_line_st *s = &m->s;
  const uint64_t rft = s->d_rft, res = s->d_res;
  if (in->late_advance)
    rft_line_learn(m, in);
  if (HD_IS(m, RESAMPLED)) {
    rft_line_count(m, in);
    s->e_rft = rft;
    s->e_res = res;
  }
  return HD_IS(m, RESAMPLED) && (s->e_rft != s->d_rft || s->e_res != s->d_res) ? HD_MOVES : 0;
}

#endif
