/* The environment of `mascar`: an L1D that fills and drains, and is saturated seldom, now and then or nearly always; and warps that
 * compute, have a memory access next, wait for loads, or wait at barriers. With control registers the thresholds change.
 *
 * It checks at the ports: the environment counts the levels of the L1D that it drives, keeps the owner as a number, and searches the next
 * owner warp by warp. So it knows the warps in `withhold` in every cycle.
 */
#include "verif/harness/env_common.h"

#include <inttypes.h>

enum { NOBODY = -1 };

struct mascar_env {
  struct hd_env_base p;
  struct { /* the mood */
    unsigned full, change, ready, memory, wait, sleep, enable;
  } m;
  uint64_t mshrs, queue; /* lines_waiting and lines_queue of the L1D */
  uint64_t next, waiting, asleep;
  uint64_t few_mshrs, few_places; /* thresholds: with so few free MSHRs or places the memory is saturated */
  bool tight;                     /* the memory is saturated in this cycle */
  unsigned free;                  /* free MSHRs in the last cycle */
  bool crowded;                   /* the miss queue was nearly full in the last cycle */
  int owner;                      /* a warp, or NOBODY */
};

static void new_mood(struct mascar_env *e) {
  struct hd_env_base *p = &e->p;
  e->m.full = hd_density(p, false);
  e->m.change = hd_density(p, true);
  e->m.ready = hd_density(p, true);
  e->m.memory = hd_density(p, true);
  e->m.wait = hd_below(p, 2) ? 32 : hd_density(p, false);
  e->m.sleep = hd_below(p, 2) ? 16 : hd_density(p, false);
  e->m.enable = hd_below(p, 4) ? HD_ALWAYS : hd_density(p, false);
}

static uint64_t some_of(struct hd_env_base *p, unsigned n, unsigned density) {
  uint64_t some = 0;
  for (unsigned i = 0; i < n; i++)
    some |= (uint64_t)hd_chance(p, density) << i;
  return some;
}

/* Returns n bits with `ones` neighbouring bits set (in a circle), from a random one on. */
static uint64_t run_of(struct hd_env_base *p, unsigned ones, unsigned n) {
  const unsigned first = hd_below(p, n);
  uint64_t bits = 0;
  for (unsigned i = 0; i < ones; i++)
    bits |= UINT64_C(1) << (first + i) % n;
  return bits;
}

/* Draws the levels of the L1D: near saturation, or any. */
static void draw_levels(struct mascar_env *e) {
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  const bool full = hd_chance(p, e->m.full), by_mshrs = hd_below(p, 2);
  const unsigned few_mshrs = (unsigned)e->few_mshrs, few_places = (unsigned)e->few_places;
  const unsigned most_mshrs = d->MSHRS - few_mshrs - 1, most_queue = d->MQ - few_places - 1;
  const unsigned mshrs = full && by_mshrs ? most_mshrs + 1 + hd_below(p, few_mshrs + 1)
                         : hd_below(p, 2) ? most_mshrs
                                          : hd_below(p, most_mshrs + 1);
  e->mshrs = run_of(p, mshrs, d->MSHRS);
  e->queue = full && !by_mshrs ? most_queue + 1 + hd_below(p, few_places + 1)
             : hd_below(p, 2)  ? most_queue
                               : hd_below(p, most_queue + 1);
}

static void drive(struct hd_env *env, const void *out, void *in_) {
  struct mascar_env *e = (struct mascar_env *)env;
  struct hd_env_base *p = &e->p;
  const unsigned warps = p->c->d.WARPS;
  struct mascar_in *in = in_;
  (void)out;
  if (hd_new_mood(p))
    new_mood(e);
  in->mascar_mshrs = hd_threshold_draw(p, &e->few_mshrs, 0, p->c->d.MSHRS - 1);
  in->mascar_places = hd_threshold_draw(p, &e->few_places, 0, p->c->d.MQ - 1);
  if (hd_chance(p, e->m.change))
    draw_levels(e);
  if (hd_chance(p, e->m.change))
    e->next = some_of(p, warps, e->m.memory);
  if (hd_chance(p, e->m.change))
    e->waiting = some_of(p, warps, e->m.wait);
  if (hd_chance(p, e->m.change))
    e->asleep = some_of(p, warps, e->m.sleep);
  in->mascar_en = hd_chance(p, e->m.enable);
  in->lines_waiting = e->mshrs;
  in->lines_queue = e->queue;
  in->next_mem = e->next;
  in->wait_mem = e->waiting;
  in->awake = ~e->asleep & hd_ones(warps);
  in->ready = some_of(p, warps, e->m.ready) & ~e->waiting & ~e->asleep;
}

/* Returns the warp that becomes the owner, or NOBODY. */
static int next_owner(const struct mascar_env *e, uint64_t can) {
  for (unsigned w = 0; w < e->p.c->d.WARPS; w++)
    if (can >> w & 1)
      return (int)w;
  return NOBODY;
}

static bool clock(struct hd_env *env, const void *in_, const void *out_) {
  struct mascar_env *e = (struct mascar_env *)env;
  const struct hd_config *c = e->p.c;
  const struct mascar_in *in = in_;
  const struct mascar_out *out = out_;
  const uint64_t own = e->owner == NOBODY ? 0 : UINT64_C(1) << e->owner;
  const uint64_t due = in->mascar_en && e->tight ? in->next_mem & ~own : 0;
  if (out->withhold != due)
    return hd_fail(
        env, "withhold is %" PRIx64 ", it should be %" PRIx64 ": the memory is%s saturated, the owner is %d",
        out->withhold, due, e->tight ? "" : " not", e->owner);
  env->checked += due != 0;
  if (!e->tight)
    e->owner = NOBODY;
  else if (!(own & in->awake & ~in->wait_mem)) {
    e->owner = next_owner(e, in->ready & in->next_mem);
  }
  e->tight = e->free <= e->few_mshrs || e->crowded;
  e->free = c->l1d.mshrs - (unsigned)__builtin_popcountll(in->lines_waiting);
  e->crowded = c->l1d.miss_queue - in->lines_queue <= e->few_places;
  hd_cycle_over(&e->p, false, true);
  return true;
}

struct hd_env *mascar_env(const struct hd_env_job *job, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, clock, hd_env_stopped, hd_nothing_to_check, hd_env_free};
  struct mascar_env *e = hd_env_base_new(sizeof *e, job, &ops, why);
  if (!e)
    return NULL;
  e->owner = NOBODY;
  e->free = e->p.c->l1d.mshrs;
  e->few_mshrs = e->p.c->mascar.mshrs;
  e->few_places = e->p.c->mascar.places;
  return &e->p.env;
}
