/* One cycle of the golden model of the re-reference counters and hashed PCs of the L1D's lines. Spec:
 * docs/mechanisms/line_uses.md.
 *
 * Invariant: a counter is at most all ones. A counter and `line_hpc` mean something only while the line is valid or
 * reserved.
 *
 * Inlined: with calls instead, heddle sim executes 1.0 % more instructions (casc on syrk:tiny and gemm:ni=128,nj=128,nk=32). */
#ifndef HEDDLE_CMODEL_REUSE_LINE_USES_CYCLE_H
#define HEDDLE_CMODEL_REUSE_LINE_USES_CYCLE_H

#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

/* Returns the row of the way that was hit, merged into or written; that of way 0 if none was. */
static inline uint64_t line_uses_row_of(const struct line_uses *m, const struct line_uses_in *in) {
  return in->outcome_set * m->base.c->d.WAYS + (in->outcome_at ? hd_lowest(in->outcome_at) : 0);
}

/* Returns the counter of the way in outcome_at. If outcome_at has several ways, which it has only before anything is
 * reported: the OR of all. */
static inline uint64_t line_uses_count_of(const struct line_uses *m, const struct line_uses_in *in) {
  uint64_t count = 0;
  for (uint64_t left = in->outcome_at; left; left &= left - 1)
    count |= m->s.rr[in->outcome_set * m->base.c->d.WAYS + hd_lowest(left)];
  return count;
}

/* Returns one more, at most all ones. */
static inline uint64_t line_uses_more(const struct line_uses *m, uint64_t count) {
  return count + (count != hd_ones(m->base.c->d.RR_W));
}

static inline uint64_t line_uses_nth(const struct line_uses *m, const struct line_uses_in *in) {
  const uint64_t most = hd_ones(m->base.c->d.RR_W);
  return in->outcome_nth < most ? in->outcome_nth : most;
}

/* True if the row of the reported line was written as it was read. */
static inline bool line_uses_same(const struct line_uses *m, const struct line_uses_in *in) {
  return m->s.last_take && m->s.last_row == line_uses_row_of(m, in);
}

static inline void line_uses_say(struct line_uses *m, const struct line_uses_in *in,
                                 struct line_uses_out *out) {
  const struct line_uses_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t count = line_uses_count_of(m, in);
  if (HD_IS(m, REUSE)) {
    out->evict_valid = in->outcome_evict;
    out->evict_count = count;
    out->evict_hpc = line_uses_same(m, in) ? s->last_hpc : *s->line_hpc_q;
  }
  const bool used = (in->outcome_hit | in->outcome_merge) & !in->outcome_take;
  out->uses = !used ? 0 : in->outcome_at ? line_uses_more(m, count) : line_uses_nth(m, in);
  if (!HD_IS(m, LOC) || !HD_WATCHED)
    return;
  hd_copy(out->decide_counters, s->rr + in->decide_set * d->WAYS, d->WAYS);
  if (!HD_IS(m, ON_MISS))
    hd_copy(out->fill_counters, s->rr + in->fill_set * d->WAYS, d->WAYS);
}

/* Logs the events of an evicted line. */
static inline void line_uses_evict(struct line_uses *m, const struct line_uses_in *in) {
  const uint64_t way = in->outcome_at ? hd_lowest(in->outcome_at) : 0, count = line_uses_count_of(m, in);
  if (count == 0)
    HD_EV(m, line_uses_evict_unused, in->outcome_set, way, 0, 0);
  else
    HD_EV(m, line_uses_evict_used, in->outcome_set, way, count, 0);
  if (line_uses_same(m, in))
    HD_EV(m, line_uses_same, in->outcome_set, way, 0, 0);
}

/* Clocks the macro `line_hpc`. A row that is written and read in one cycle reads as garbage, as in the hardware's macro. */
static inline void line_uses_clock_hpc(struct line_uses *m, const struct line_uses_in *in) {
  struct line_uses_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  s->line_hpc_wr = -1;
  if (in->late_evict) {
    const bool garbage = in->outcome_take && in->late_row == line_uses_row_of(m, in);
    *s->line_hpc_q = garbage ? ~in->took_hpc & hd_ones(d->HPC_W) : s->line_hpc[in->late_row];
    HD_COUNT(s->line_hpc_n.reads, 1);
  }
  if (HD_IS(m, PREF))
    s->last_take = in->outcome_take;
  if (!in->outcome_take)
    return;
  const uint64_t row = line_uses_row_of(m, in);
  s->line_hpc[row] = in->took_hpc;
  s->line_hpc_wr = (int64_t)row;
  HD_COUNT(s->line_hpc_n.writes, 1);
  if (HD_IS(m, PREF)) {
    s->last_row = row;
    s->last_hpc = in->took_hpc;
  }
}

static inline uint64_t line_uses_cycle(struct line_uses *m, const struct line_uses_in *in) {
  uint64_t *rr = m->s.rr;
  if (HD_IS(m, REUSE) && in->outcome_evict)
    line_uses_evict(m, in);
  if (in->outcome_take)
    rr[line_uses_row_of(m, in)] = HD_IS(m, ON_MISS) || in->outcome_hit ? 0 : line_uses_nth(m, in);
  else if (in->outcome_load & (in->outcome_hit | in->outcome_merge) && in->outcome_at) {
    uint64_t *const count = &rr[line_uses_row_of(m, in)];
    *count = line_uses_more(m, *count);
  }
  if (HD_IS(m, REUSE))
    line_uses_clock_hpc(m, in);
  return m->s.last_take ? HD_MOVES : 0;
}

#endif
