/* The environment of `ccws_score`: CTAs start, warps end, instructions issue, and warps lose locality. These events are rare, so that
 * everything comes to rest, or frequent; they are about one warp, a few or all.
 *
 * It checks at the ports: the environment divides with C's operator, and keeps the warps with their scores in a sorted array. It knows the
 * cycle in which a quotient is ready, a pass begins, and each warp's turn comes. So it knows the warps in `withhold` in every cycle.
 */
#include "verif/harness/env_common.h"

#include <inttypes.h>
#include <string.h>

struct ranked {
  unsigned wid;
  uint64_t score;
};

struct score_env {
  struct hd_env_base p;
  struct { /* the mood */
    unsigned launch, exit, pick, hit, loads, enable, warps, first;
  } m;
  uint64_t present, before; /* present warps; those of the last cycle */
  unsigned picked;          /* instructions picked in the last cycle */
  uint64_t issued, hits, waits, allowed;
  unsigned asked; /* the warp that is checked for waiting, or whose score is being divided */
  /* The division: 0 = none, n = its n-th cycle, 2 * LLS_W + 1 = done. */
  unsigned dividing;
  uint64_t product, quotient;
  /* The pass: 0 = none, else its cycle. */
  unsigned at;
  bool again;
  struct ranked order[HD_MOST(sm, warps)]; /* the order before the pass */
  struct ranked turn[HD_MOST(sm, warps)];  /* the order of turns in the pass, with the scores after it */
  unsigned slow;                           /* turns from this one on come one cycle later */
  uint64_t left;
  bool first, beyond;
};

static void new_mood(struct score_env *e) {
  struct hd_env_base *p = &e->p;
  const unsigned warps = p->c->d.WARPS;
  const bool calm = hd_below(p, 8) == 0;
  e->m.launch = hd_below(p, 2) ? 8 : hd_density(p, false);
  e->m.exit = hd_below(p, 2) ? 4 : hd_density(p, false);
  e->m.pick = hd_density(p, false);
  e->m.hit = calm ? 0 : hd_below(p, 2) ? 4 + hd_below(p, 16) : hd_density(p, true);
  e->m.loads = hd_below(p, 2) ? HD_ALWAYS : hd_density(p, false);
  e->m.enable = hd_below(p, 4) ? HD_ALWAYS : hd_density(p, false);
  e->m.warps = hd_below(p, 2) ? 1 + hd_below(p, 4) : warps;
  e->m.first = hd_below(p, warps);
}

/* Returns a random part of the warps, with this density. */
static uint64_t some_of(struct hd_env_base *p, uint64_t warps, unsigned density) {
  uint64_t some = 0;
  for (unsigned w = 0; w < p->c->d.WARPS; w++)
    if (warps >> w & 1 && hd_chance(p, density))
      some |= UINT64_C(1) << w;
  return some;
}

static void drive(struct hd_env *env, const void *out, void *in_) {
  struct score_env *e = (struct score_env *)env;
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  struct ccws_score_in *in = in_;
  (void)out;
  if (hd_new_mood(p))
    new_mood(e);
  const uint64_t all = hd_ones(d->WARPS), absent = all & ~e->present;
  in->ccws_en = hd_chance(p, e->m.enable);
  in->launch_warps = hd_below(p, 2) ? absent : some_of(p, absent, HD_ALWAYS / 4);
  in->launch_valid = !env->stop && in->launch_warps && hd_chance(p, e->m.launch);
  in->exit = some_of(p, e->present, hd_below(p, 8) == 0 ? e->m.exit : 0);
  for (unsigned s = 0; s < d->SCHEDS; s++)
    in->pick_valid[s] = !env->stop && hd_chance(p, e->m.pick);
  in->next_load = some_of(p, all, e->m.loads);
  in->hit_valid = !env->stop && hd_chance(p, e->m.hit);
  in->hit_wid = (e->m.first + hd_below(p, e->m.warps)) % d->WARPS;
}

static uint64_t cutoff(const struct score_env *e) {
  return (uint64_t)__builtin_popcountll(e->before) * e->p.c->ccws.base;
}

/* ---- Division ---- */

/* Advances the division by a cycle. The counts are those at the start of the cycle. `halves`: both counts are halved in it. */
static void divide(struct score_env *e, bool halves) {
  const struct hd_config *c = e->p.c;
  const unsigned bits = c->d.LLS_W;
  if (e->dividing == 0) {
    if (!e->waits || halves)
      return;
    if (!(e->waits >> e->asked & 1)) {
      e->asked = (e->asked + 1) % c->d.WARPS;
      return;
    }
    e->waits &= ~(UINT64_C(1) << e->asked);
    e->product = (e->hits < e->issued ? e->hits : e->issued) * cutoff(e) * c->ccws.k;
    e->dividing = 1;
    return;
  }
  if (e->dividing == bits)
    e->quotient = e->issued ? e->product / e->issued : 0;
  if (e->dividing <= 2 * bits)
    e->dividing++;
}

/* ---- Pass ---- */

/* Begins a pass. A warp with a new score (`moves`) goes before all warps whose scores are not higher. Without a new score the order
 * changes by one pass of a bubble sort: a warp with a lower score than the next one moves down. */
static void begin_pass(struct score_env *e, bool moves) {
  const struct hd_config *c = e->p.c;
  const unsigned warps = c->d.WARPS;
  struct ranked new = {e->asked, e->quotient > c->ccws.base ? e->quotient : c->ccws.base};
  unsigned n = 0, old = 0;
  e->slow = 0;
  if (!moves) {
    memcpy(e->turn, e->order, sizeof e->turn);
    for (unsigned i = 0; i + 1 < warps; i++)
      if (e->turn[i].score < e->turn[i + 1].score) {
        const struct ranked x = e->turn[i];
        e->turn[i] = e->turn[i + 1];
        e->turn[i + 1] = x;
      }
  } else {
    while (e->order[old].wid != new.wid)
      old++;
    e->slow = old;
    struct ranked carried = new;
    for (unsigned i = 0; i < warps; i++) {
      if (i == old)
        continue;
      const bool before = e->order[i].score > carried.score;
      e->turn[n++] = before ? e->order[i] : carried;
      if (!before)
        carried = e->order[i];
    }
    e->turn[n] = carried;
  }
  e->at = 1;
  e->left = cutoff(e);
  e->first = true;
  e->beyond = e->again = false;
}

/* The turn of the i-th warp: decides whether it may load, and lowers its score. */
static void take_turn(struct score_env *e, unsigned i) {
  const struct hd_config *c = e->p.c;
  const unsigned base = c->ccws.base, w = e->turn[i].wid;
  const uint64_t score = e->turn[i].score, bit = UINT64_C(1) << w;
  const bool here = (e->present & bit) != 0, within = !e->beyond && score <= e->left;
  const bool may = within || e->first || !here;
  e->allowed = may ? e->allowed | bit : e->allowed & ~bit;
  e->turn[i].score = here && score - base >= c->d.PASS ? score - c->d.PASS : base;
  if (!here)
    return;
  e->first = false;
  e->left -= within ? score : 0;
  e->beyond |= !within;
  e->again |= !may || e->turn[i].score != base;
}

static void pass(struct score_env *e) {
  const unsigned warps = e->p.c->d.WARPS;
  if (e->at == 0) {
    const bool moves = e->dividing > 2 * e->p.c->d.LLS_W;
    if (!moves && !e->again)
      return;
    begin_pass(e, moves);
    if (moves) {
      e->dividing = 0;
      e->asked = (e->asked + 1) % warps;
    }
    return;
  }
  for (unsigned i = 0; i < warps; i++)
    if (e->at == i + (i < e->slow ? 2 : 3))
      take_turn(e, i);
  if (++e->at < warps + 3)
    return;
  memcpy(e->order, e->turn, sizeof e->order);
  e->at = 0;
}

/* ---- The cycle ---- */

static void count(struct score_env *e, const struct ccws_score_in *in, bool halves) {
  e->issued = (e->issued + e->picked) / (halves ? 2 : 1);
  e->hits = (e->hits + in->hit_valid) / (halves ? 2 : 1);
  e->picked = 0;
  for (unsigned s = 0; s < e->p.c->d.SCHEDS; s++)
    e->picked += in->pick_valid[s] != 0;
}

static bool clock(struct hd_env *env, const void *in_, const void *out_) {
  struct score_env *e = (struct score_env *)env;
  const struct ccws_score_in *in = in_;
  const struct ccws_score_out *out = out_;
  const uint64_t due = in->next_load & ~e->allowed, full = UINT64_C(1) << (e->p.c->d.TALLY_W - 1);
  const bool halves = e->dividing == 0 && (e->issued >= full || e->hits >= full);
  if (out->withhold != due)
    return hd_fail(env, "withhold is %" PRIx64 ", by the scores it should be %" PRIx64, out->withhold, due);
  env->checked += due != 0;
  const bool idle = e->dividing == 0;
  pass(e);
  if (idle || e->dividing)
    divide(e, halves);
  count(e, in, halves);
  if (in->hit_valid)
    e->waits |= UINT64_C(1) << in->hit_wid;
  e->before = e->present;
  e->present &= ~in->exit;
  if (in->launch_valid) {
    e->present |= in->launch_warps;
    e->allowed |= in->launch_warps;
  }
  if (!in->ccws_en)
    e->allowed = hd_ones(e->p.c->d.WARPS);
  hd_cycle_over(&e->p, false, true);
  return true;
}

static bool done(const struct hd_env *env) {
  const struct score_env *e = (const struct score_env *)env;
  return env->stop && !e->waits && !e->dividing && !e->at && !e->again;
}

struct hd_env *ccws_score_env(const struct hd_env_job *job, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, clock, done, hd_nothing_to_check, hd_env_free};
  struct score_env *e = hd_env_base_new(sizeof *e, job, &ops, why);
  if (!e)
    return NULL;
  for (unsigned w = 0; w < HD_MOST(sm, warps); w++)
    e->order[w] = (struct ranked){w, e->p.c->ccws.base};
  return &e->p.env;
}
