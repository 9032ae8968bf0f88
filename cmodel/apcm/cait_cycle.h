/* One cycle of the golden model of the cache access information table. Spec: docs/mechanisms/apcm.md.
 *
 * Invariant: a load whose lines are to be protected has a count above 1.
 *
 * Inlined: measured in cmodel/apcm/apcm_line_cycle.h. */
#ifndef HEDDLE_CMODEL_APCM_CAIT_CYCLE_H
#define HEDDLE_CMODEL_APCM_CAIT_CYCLE_H

#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

static inline void cait_show(struct cait *m, struct cait_out *out) {
  const struct cait_st *s = &m->s;
  uint64_t once = 0;
  for (unsigned i = 0; i < m->base.c->d.LAT; i++)
    once |= (uint64_t)(s->count[i] == 1) << i;
  out->bypass = once;
  out->protect = s->keep;
  if (HD_SOME(m->base.c, APCM_P))
    hd_copy(out->last, s->final, m->base.c->d.LAT);
}

/* Updates load i: one of its lines had more accesses than the table knew. */
static inline void cait_learn(struct cait *m, const struct cait_in *in) {
  struct cait_st *s = &m->s;
  const uint64_t i = in->up_id, count = in->up_count;
  const bool own = count > 1 && in->up_intra == count;
  if (!in->clear) {
    if (count == 1)
      HD_EV(m, cait_stream, i, 0, 0, 0);
    else if (own)
      HD_EV(m, cait_intra, i, count, in->up_last, 0);
    else
      HD_EV(m, cait_inter, i, count, in->up_intra, 0);
  }
  s->count[i] = count;
  if (HD_SOME(m->base.c, APCM_P)) {
    s->final[i] = in->up_last;
    s->keep = hd_with(s->keep, i, own);
  }
}

static inline void cait_clear(struct cait *m) {
  HD_EV(m, cait_clear, 0, 0, 0, 0);
  memset(m->s.count, 0, m->base.c->d.LAT * sizeof *m->s.count);
  m->s.keep = 0;
}

static inline uint64_t cait_cycle(struct cait *m, const struct cait_in *in) {
  const uint64_t i = in->up_id;
  if (in->up_valid && i < m->base.c->d.LAT) {
    if (in->up_count > m->s.count[i])
      cait_learn(m, in);
    else if (!in->clear)
      HD_EV(m, cait_stay, i, in->up_count, m->s.count[i], 0);
  }
  if (in->clear)
    cait_clear(m);
  return 0;
}

#endif
