/* Golden model of the warp schedulers. Spec: docs/mechanisms/sched.md.
 *
 * Invariant: the pick is a function of registers, `ready` and who goes first, made once a cycle, by sched_mealy. `older`
 * is a total order of the CTA slots, from reset on. */
#include "cmodel/model/models.h"
#include "cmodel/model/pairs.h"
#include "cmodel/sm/sched_pick.h"

/* (i, j) = CTA slot i was launched before slot j. */
static inline struct hd_pairs older(const struct sched *m) {
  const struct hd_derived *d = &m->base.c->d;
  return (struct hd_pairs){m->s.older, d->AGE_N, d->AGE_C, d->CTAS};
}

/* The oldest CTA's lowest warp among those of `ready`, or NO_WARP. */
static unsigned oldest(const struct sched *m, uint64_t ready) {
  const struct sched_st *s = &m->s;
  const struct hd_pairs order = older(m);
  uint64_t among = 0;
  for (unsigned j = 0; j < m->base.c->d.CTAS; j++) /* no branch on it, which would be a coin toss */
    among |= (uint64_t)((ready & s->cta_warps[j]) != 0) << j;
  if (!among)
    return NO_WARP;
  return hd_lowest(ready & s->cta_warps[hd_pairs_find(&order, among, true)]);
}

/* The warp of `own` that scheduler s issues, or NO_WARP. */
static inline unsigned pick(const struct sched *m, uint64_t own, unsigned s) {
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t last = m->s.last[s];
  if (!own)
    return NO_WARP;
  if (!d->GTO)
    return sched_lrr(d, own, last, s);
  const unsigned same = sched_at(d, last, s);
  return m->s.ran[s] && hd_has(own, same) ? same : oldest(m, own);
}

static void launch(struct sched *m, const struct sched_in *in) {
  const struct hd_pairs order = older(m);
  HD_EV(m, sched_launch, in->launch_cta, in->launch_warps, 0, 0);
  hd_pairs_put(&order, (unsigned)in->launch_cta, false);
  m->s.cta_warps[in->launch_cta] = in->launch_warps;
}

/* Every output is MEALY. */
void sched_moore(struct sched *m, struct sched_out *out) {
  (void)m;
  (void)out;
}

void sched_mealy(struct sched *m, const struct sched_in *in, struct sched_out *out) {
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t may = in->ready & ~in->withhold;
  for (unsigned s = 0; s < d->SCHEDS; s++)
    sched_note(&m->base, out->pick_valid, out->pick_wid, s,
               pick(m, sched_among(d, may, in->prefer, in->boosting, s), s));
}

uint64_t sched_tick(struct sched *m, const struct sched_in *in) {
  struct sched_st *st = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t may = in->ready & ~in->withhold;
  for (unsigned s = 0; s < d->SCHEDS; s++) {
    const uint64_t first = sched_first(d, may, in->prefer, in->boosting, s);
    if (sched_held(d, in->ready, may, s))
      HD_EV(m, sched_held, s, 0, 0, 0);
    if (first)
      HD_EV(m, sched_boost, s, first, 0, 0);
    const unsigned wid = sched_noted(&m->base, s);
    if (wid == NO_WARP) {
      HD_EV(m, sched_idle, s, 0, 0, 0);
      continue;
    }
    HD_EV(m, sched_pick, s, wid, 0, 0);
    uint64_t place = wid / d->SCHEDS;
    if (d->GTO) {
      if (st->ran[s] && st->last[s] == place) /* picked again: it was among those to pick from */
        HD_EV(m, sched_greedy, s, wid, 0, 0);
      st->ran[s] = 1;
    }
    st->last[s] = place;
  }
  if (d->GTO && in->launch_valid)
    launch(m, in);
  return hd_bit(EV_sched_idle); /* `ready` and `launch_valid` are ports that meet */
}
