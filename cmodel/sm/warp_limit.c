/* Golden model of the static warp limit, with PCAL's tokens. Spec: docs/mechanisms/warp_limit.md.
 *
 * Invariant: no scheduler has more than LIMIT active warps, unless the limit has fallen since they became active. At most TOKENS of them
 * have a token. All of them were awake in the last cycle. */
#include "cmodel/sm/ports.h"
#include "cmodel/sm/sched_pick.h"

/* Returns the warps that have one of the `places` places of a scheduler. The warps of `stay` keep theirs. If one is left, the lowest warp
 * of `want` gets it. No warp is in both sets. */
static uint64_t share(uint64_t stay, uint64_t want, uint64_t places) {
  return (uint64_t)__builtin_popcountll(stay) < places ? stay | (want & -want) : stay;
}

/* The warps of `want` that may become active if there is a place. None may while more warps are active than the limit allows. */
static uint64_t follow(const struct warp_limit *m, uint64_t want, unsigned s, uint64_t limit) {
  const uint64_t active = sched_own(m->base.c, m->s.active, s);
  return (uint64_t)__builtin_popcountll(active) > limit ? 0 : sched_own(m->base.c, want, s);
}

static struct warp_limit_st next(const struct warp_limit *m, const struct warp_limit_in *in) {
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t limit = d->APB ? in->swl_limit : d->LIMIT, awake = in->awake;
  const uint64_t stay = m->s.active & awake, want = awake & ~m->s.active;
  struct warp_limit_st st = {0};
  for (unsigned s = 0; s < d->SCHEDS; s++) {
    st.active |= share(sched_own(m->base.c, stay, s), follow(m, want, s, limit), limit);
    if (d->PCAL)
      st.tokens |= share(sched_own(m->base.c, stay & m->s.tokens, s),
                         sched_own(m->base.c, stay & ~m->s.tokens, s), d->TOKENS);
  }
  return st;
}

void warp_limit_moore(struct warp_limit *m, struct warp_limit_out *out) {
  out->withhold = warp_limit_withhold(m);
  out->token = m->s.tokens;
}

/* The module sleeps if the next cycle, with the same warps awake, would change nothing. */
uint64_t warp_limit_tick(struct warp_limit *m, const struct warp_limit_in *in) {
  const uint64_t was = m->s.active;
  m->s = next(m, in);
  for (uint64_t fresh = m->s.active & ~was; fresh; fresh &= fresh - 1)
    HD_EV(m, warp_limit_activate, hd_lowest(fresh) % m->base.c->d.SCHEDS, hd_lowest(fresh), 0, 0);
  const struct warp_limit_st then = next(m, in);
  return then.active != m->s.active || then.tokens != m->s.tokens ? HD_MOVES : 0;
}
