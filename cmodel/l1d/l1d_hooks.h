/* The outputs of the L1D's hooks that are functions of its registers. Spec: docs/mechanisms/hooks.md; part of the
 * model in cmodel/l1d/l1d.c, and of the lazy run, which uses no other part of l1d_moore.
 *
 * Invariant: these ports are read only in a machine with HOOKED.
 *
 * Inlined: with calls instead, heddle sim executes 0.1 % more instructions (apcm on syr2k:tiny). */
#ifndef HEDDLE_CMODEL_L1D_L1D_HOOKS_H
#define HEDDLE_CMODEL_L1D_L1D_HOOKS_H

#include "cmodel/l1d/l1d_sets.h"
#include "cmodel/l1d/ports.h"
#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

/* The valid, and the reserved, ways of the set of the request in d. */
static inline uint64_t l1d_decide_lines(const struct l1d *m) {
  return m->s.valid[m->s.d_set];
}
static inline uint64_t l1d_decide_reserved(const struct l1d *m) {
  return l1d_reserved(m, m->s.d_set);
}

/* True if a fill entered in the last cycle. Always false with on_miss. */
static inline bool l1d_took_fill(const struct l1d *m) {
  return !HD_IS(m, ON_MISS) && m->s.took_fill;
}
static inline struct took l1d_took(const struct l1d *m) {
  const struct l1d_st *s = &m->s;
  return (struct took){.hpc = l1d_took_fill(m)        ? s->merged_q.hpc
                              : m->base.c->d.TOOK_OWN ? s->took_hpc
                                                      : s->outcome.hpc};
}
static inline uint64_t l1d_took_wid(const struct l1d *m) {
  return l1d_took_fill(m) ? m->s.merged_q.wid : m->s.outcome.wid;
}
static inline uint64_t l1d_took_line(const struct l1d *m) {
  const struct l1d_st *s = &m->s;
  if (!l1d_took_fill(m))
    return s->outcome.line;
  return s->f.id < m->base.c->d.MSHRS ? s->mshr_line[s->f.id] : 0;
}

static inline bool l1d_lines_room(const struct l1d *m) {
  return m->s.mq_count != m->base.c->d.MQ;
}

/* True if a fill is entering that DECIDE or OUTCOME will report. */
static inline bool l1d_shows_fill(const struct l1d *m) {
  return m->s.f_valid && m->s.f_commit && (!HD_IS(m, ON_MISS) || HD_IS(m, DECIDE_LINES));
}

/* True if OUTCOME reports in this cycle. */
static inline bool l1d_outcome_valid(const struct l1d *m) {
  return m->s.outcome_tried | m->s.outcome_write | l1d_took_fill(m);
}

/* Set the outputs of LOOK and DECIDE; of OUTCOME; of LINES. */
void l1d_show_requests(const struct l1d *m, struct l1d_out *out);
void l1d_show_outcome(const struct l1d *m, struct l1d_out *out);
void l1d_show_lines(const struct l1d *m, struct l1d_out *out);

#endif
