/* The environment of `warp_limit`: warps wake and sleep at random. With control registers the limit changes too.
 *
 * It checks at the ports, from this cycle and the one before:
 * - No more warps of a scheduler than the limit may issue.
 * - A warp that slept may not issue.
 * - A warp that may issue keeps its place while it is awake.
 * - If a place is free, the first awake warp without one gets it, and no other warp in that cycle.
 */
#include "verif/harness/env_common.h"

#include <inttypes.h>

struct limit_env {
  struct hd_env_base p;
  unsigned sleep, wake; /* the mood */
  uint64_t awake;
  uint64_t may, slept;                   /* in the last cycle: warps that might issue; warps that slept */
  uint64_t limit, most;                  /* in this cycle; in the last one */
  uint64_t own[HD_MOST(sm, schedulers)]; /* the warps of each scheduler */
};

static void drive(struct hd_env *env, const void *out, void *in_) {
  struct limit_env *e = (struct limit_env *)env;
  struct hd_env_base *p = &e->p;
  struct warp_limit_in *in = in_;
  (void)out;
  if (hd_new_mood(p)) {
    e->sleep = hd_below(p, 2) ? 2 : hd_density(p, false) / 8;
    e->wake = hd_below(p, 2) ? 16 : hd_density(p, false);
  }
  for (unsigned w = 0; w < p->c->d.WARPS; w++)
    if (hd_chance(p, e->awake >> w & 1 ? e->sleep : e->wake))
      e->awake ^= UINT64_C(1) << w;
  in->awake = e->awake;
  in->swl_limit = hd_threshold_draw(p, &e->limit, 1, p->c->d.MEMBERS);
}

/* `may`: the warps that may issue now. */
static bool check(struct limit_env *e, unsigned s, uint64_t may) {
  struct hd_env *env = &e->p.env;
  const unsigned most = (unsigned)e->most, before = (unsigned)__builtin_popcountll(e->may & e->own[s]);
  const uint64_t now = may & e->own[s], stay = e->may & ~e->slept & e->own[s], fresh = now & ~stay,
                 wait = e->own[s] & ~e->slept & ~e->may;
  const bool place = before <= most && (unsigned)__builtin_popcountll(stay) < most;
  const uint64_t first = place ? wait & -wait : 0;
  if (before <= most && (unsigned)__builtin_popcountll(now) > most)
    return hd_fail(env, "warps %" PRIx64 " of scheduler %u may issue, which are more than %u", now, s, most);
  if (now & e->slept)
    return hd_fail(env, "warps %" PRIx64 " of scheduler %u may issue, of which %" PRIx64 " slept", now, s,
                   now & e->slept);
  if (stay & ~now)
    return hd_fail(env, "warps %" PRIx64 " of scheduler %u are withheld, though they stayed awake",
                   stay & ~now, s);
  if (fresh != first)
    return hd_fail(env,
                   "scheduler %u lets warps %" PRIx64 " issue beside %" PRIx64
                   ", the first that waits is %" PRIx64 " (0: none, or no place)",
                   s, fresh, stay, first);
  env->checked++;
  return true;
}

static bool clock(struct hd_env *env, const void *in_, const void *out_) {
  struct limit_env *e = (struct limit_env *)env;
  const struct warp_limit_in *in = in_;
  const uint64_t may = ~((const struct warp_limit_out *)out_)->withhold;
  for (unsigned s = 0; s < e->p.c->d.SCHEDS; s++)
    if (!check(e, s, may))
      return false;
  e->may = may;
  e->slept = ~in->awake;
  e->most = e->limit;
  hd_cycle_over(&e->p, false, true);
  return true;
}

struct hd_env *warp_limit_env(const struct hd_env_job *job, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, clock, hd_env_stopped, hd_nothing_to_check, hd_env_free};
  struct limit_env *e = hd_env_base_new(sizeof *e, job, &ops, why);
  if (!e)
    return NULL;
  e->slept = UINT64_MAX; /* before the first cycle */
  e->limit = e->most = e->p.c->scheduler.limit;
  for (unsigned w = 0; w < e->p.c->d.WARPS; w++)
    e->own[w % e->p.c->d.SCHEDS] |= UINT64_C(1) << w;
  return &e->p.env;
}
