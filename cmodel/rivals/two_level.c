/* Golden model of the two-level and the prefetch-aware scheduler. Spec: docs/mechanisms/rivals.md.
 *
 * Invariant: the pick is a function of the registers, `ready`, and the withheld and preferred warps. two_level_mealy
 * makes it once a cycle. A number that no group has counts as that of an empty group. */
#include "cmodel/model/models.h"
#include "cmodel/sm/sched_pick.h"

static inline bool apart(const struct two_level *m) {
  return m->base.c->scheduler.policy == HD_PA;
}

static inline unsigned groups(const struct two_level *m) {
  return (m->base.c->d.WARPS + m->base.c->scheduler.group - 1) / m->base.c->scheduler.group;
}

static inline unsigned group_of(const struct two_level *m, unsigned wid) {
  return apart(m) ? wid % groups(m) : wid / m->base.c->scheduler.group;
}

/* Returns the warps of group g. */
static uint64_t members(const struct two_level *m, uint64_t g) {
  const unsigned size = m->base.c->scheduler.group, n = groups(m);
  const uint64_t all = hd_ones(m->base.c->d.WARPS);
  if (g >= n)
    return 0;
  if (!apart(m))
    return all & hd_ones((g + 1) * size) & ~hd_ones(g * size);
  uint64_t every = 1; /* every n-th warp: the known bits are doubled until there are 64 */
  for (unsigned known = n; known < 64; known *= 2)
    every |= every << known;
  return all & every << g;
}

/* Returns the warp that scheduler s issues, or NO_WARP. */
static unsigned pick(const struct two_level *m, const struct two_level_in *in, unsigned s) {
  const uint64_t own = sched_among(m->base.c, in->ready & ~in->withhold, in->prefer, in->boosting, s);
  if (!own)
    return NO_WARP;
  const unsigned n = groups(m);
  uint64_t g = m->s.active[s], of_group;
  while (!(of_group = own & members(m, g)))
    g = g + 1 < n ? g + 1 : 0;
  return hd_after(of_group, m->s.last[s]);
}

/* Every output is MEALY. */
void two_level_moore(struct two_level *m, struct two_level_out *out) {
  (void)m;
  (void)out;
}

void two_level_mealy(struct two_level *m, const struct two_level_in *in, struct two_level_out *out) {
  for (unsigned s = 0; s < m->base.c->d.SCHEDS; s++)
    sched_note(&m->base, out->pick_valid, out->pick_wid, s, pick(m, in, s));
}

uint64_t two_level_tick(struct two_level *m, const struct two_level_in *in) {
  struct two_level_st *st = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t may = in->ready & ~in->withhold, gone = in->wait_mem | in->withhold;
  for (unsigned s = 0; s < d->SCHEDS; s++) {
    const uint64_t first = sched_first(m->base.c, may, in->prefer, in->boosting, s);
    const unsigned wid = sched_noted(&m->base, s);
    SCHED_TELL(two_level, m, s, sched_held(m->base.c, in->ready, may, s), first, wid);
    if (wid == NO_WARP)
      continue;
    st->last[s] = wid;
    const unsigned g = group_of(m, wid);
    if (g != st->active[s] && !sched_own(m->base.c, members(m, st->active[s]) & ~gone, s)) {
      HD_EV(m, two_level_change, s, g, 0, 0);
      st->active[s] = g;
    }
  }
  return hd_bit(EV_two_level_idle); /* a change of `ready` counts as a handshake */
}
