/* A cycle of the golden model of the warp schedulers. Spec: docs/mechanisms/sched.md.
 *
 * Invariant: the pick is a function of registers, `ready` and the warps that go first. sched_say makes it, once a cycle. `older` is a total
 * order of the CTA slots from reset on. memo[BY_AGE] and the words after it hold that order: one byte a slot, the oldest slot first. They
 * are 0 before the first launch, when no slot has warps. The first memo[NEVER] slots of the order were never launched.
 *
 * Inlined: measured in cmodel/sm/sm_cycle.h. */
#ifndef HEDDLE_CMODEL_SM_SCHED_CYCLE_H
#define HEDDLE_CMODEL_SM_SCHED_CYCLE_H

#include "cmodel/model/models.h"
#include "cmodel/model/pairs.h"
#include "cmodel/sm/sched_pick.h"

enum { BY_AGE = 1, NEVER = BY_AGE + HD_MOST(sm, ctas) / 8 };
_Static_assert(sizeof((struct hd_model *)0)->memo > 8 * NEVER, "a byte for each slot");

/* Returns the lowest warp of `ready` in the oldest CTA that has one, or NO_WARP. A slot that was never launched has no warps, unless an
 * observer of the model has set a bit. */
static inline unsigned sched_oldest(const struct sched *m, uint64_t ready) {
  const uint8_t *slot = (const uint8_t *)&m->base.memo[BY_AGE];
  for (uint64_t i = HD_WATCHED ? 0 : m->base.memo[NEVER]; i < m->base.c->d.CTAS; i++)
    if (ready & m->s.cta_warps[slot[i]])
      return hd_lowest(ready & m->s.cta_warps[slot[i]]);
  return NO_WARP;
}

/* The warp of `own` that scheduler s issues, or NO_WARP. */
static inline unsigned sched_choice(const struct sched *m, uint64_t own, unsigned s) {
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t last = m->s.last[s];
  if (!own)
    return NO_WARP;
  if (!d->GTO)
    return sched_lrr(m->base.c, own, last, s);
  const unsigned same = sched_at(m->base.c, last, s);
  return m->s.ran[s] && hd_has(own, same) ? same : sched_oldest(m, own);
}

/* CTA slot c becomes the youngest. */
static inline void sched_make_youngest(struct sched *m, uint8_t c) {
  const struct hd_derived *d = &m->base.c->d;
  /* (i, j) = CTA slot i was launched before slot j */
  const struct hd_pairs older = {m->s.older, d->AGE_N, d->AGE_C, d->CTAS};
  uint8_t *const slot = (uint8_t *)&m->base.memo[BY_AGE];
  const unsigned last = d->CTAS - 1;
  unsigned i = 0;
  hd_pairs_put(&older, c, false);
  if (slot[0] == slot[last]) { /* the first launch */
    for (unsigned k = 0; k <= last; k++)
      slot[k] = (uint8_t)(last - k);
    m->base.memo[NEVER] = d->CTAS;
  }
  while (i < last && slot[i] != c)
    i++;
  m->base.memo[NEVER] -= i < m->base.memo[NEVER];
  for (; i < last; i++)
    slot[i] = slot[i + 1];
  slot[last] = c;
}

static inline void sched_launch(struct sched *m, const struct sched_in *in) {
  HD_EV(m, sched_launch, in->launch_cta, in->launch_warps, 0, 0);
  sched_make_youngest(m, (uint8_t)in->launch_cta);
  m->s.cta_warps[in->launch_cta] = in->launch_warps;
}

/* As sched_mealy. */
static inline void sched_say(struct sched *m, const struct sched_in *in, struct sched_out *out) {
  const uint64_t may = HD_SOME(m->base.c, PICKS) ? in->ready & ~in->withhold : in->ready;
  const bool boosting = HD_SOME(m->base.c, PREFERS) && in->boosting;
  for (unsigned s = 0; s < HD_IS(m, SCHEDS); s++)
    sched_note(&m->base, out->pick_valid, out->pick_wid, s,
               sched_choice(m, sched_among(m->base.c, may, in->prefer, boosting, s), s));
}

/* As sched_tick. */
static inline uint64_t sched_cycle(struct sched *m, const struct sched_in *in) {
  struct sched_st *st = &m->s;
  const uint64_t may = HD_SOME(m->base.c, PICKS) ? in->ready & ~in->withhold : in->ready;
  const bool boosting = HD_SOME(m->base.c, PREFERS) && in->boosting;
  for (unsigned s = 0; s < HD_IS(m, SCHEDS); s++) {
    const uint64_t first = sched_first(m->base.c, may, in->prefer, boosting, s);
    const unsigned wid = sched_noted(&m->base, s);
    SCHED_TELL(sched, m, s, HD_SOME(m->base.c, PICKS) && sched_held(m->base.c, in->ready, may, s), first,
               wid);
    if (wid == NO_WARP)
      continue;
    uint64_t place = wid / HD_IS(m, SCHEDS);
    if (m->base.c->d.GTO) {
      if (st->ran[s] && st->last[s] == place) /* the same warp again: it was among those to pick from */
        HD_EV(m, sched_greedy, s, wid, 0, 0);
      st->ran[s] = 1;
    }
    st->last[s] = place;
  }
  if (m->base.c->d.GTO && in->launch_valid)
    sched_launch(m, in);
  return hd_bit(EV_sched_idle); /* `ready` and `launch_valid` count as ports that meet */
}

#endif
