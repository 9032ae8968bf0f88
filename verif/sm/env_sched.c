/* The environment of `sched`: random ready masks, CTA launches and preferred warps.
 *
 * It checks at the ports that a scheduler picks one of its own ready warps, by its policy:
 * - LRR: the first ready warp after the warp picked last, in a circle; after a reset its lowest warp comes first.
 * - GTO: the warp picked last, if it is ready. Otherwise the lowest ready warp of the oldest CTA that has a ready warp of the scheduler.
 *   The environment itself counts the age of CTAs. A warp in no CTA is never picked.
 * If warps are preferred and some of them are ready, the scheduler picks among these. A withheld warp counts as not ready.
 */
#include "verif/harness/env_common.h"

#include <inttypes.h>

struct sched_env {
  struct hd_env_base p;
  unsigned thin, launch; /* the mood */
  bool sticky;           /* the mood: a warp stays ready until it is picked */
  uint64_t crowd;        /* the mood: warps that may get ready */
  uint64_t ready;
  unsigned hold; /* the mood: how often other warps are withheld */
  uint64_t prefer, withhold;
  unsigned boost;                        /* the mood: preferred warps go first */
  uint64_t own[HD_MOST(sm, schedulers)]; /* the warps of each scheduler */
  uint64_t among;                        /* the warps that may be picked in this cycle */
  int last[HD_MOST(sm, schedulers)];     /* warp picked last, or -1 */
  uint64_t warps[HD_MOST(sm, ctas)],
      since[HD_MOST(sm, ctas)]; /* for each CTA slot: its warps, the cycle of its launch */
};

static bool gto(const struct sched_env *e) {
  return e->p.c->scheduler.policy == HD_GTO;
}

/* Draws a launch: the CTA slot and its warps, none of which is in another slot. */
static void draw_launch(struct sched_env *e, struct sched_in *in) {
  struct hd_env_base *p = &e->p;
  in->launch_valid = hd_chance(p, e->launch);
  in->launch_cta = hd_below(p, p->c->d.CTAS);
  in->launch_warps = hd_bits(p, p->c->d.WARPS);
  for (unsigned i = 0; i < p->c->d.CTAS && in->launch_valid; i++)
    if (i != in->launch_cta)
      in->launch_warps &= ~e->warps[i];
}

/* Draws the preferred warps, mostly those of one CTA for a while, and whether they go first. */
static void draw_preferred(struct sched_env *e, struct sched_in *in) {
  struct hd_env_base *p = &e->p;
  if (hd_below(p, 64) == 0)
    e->prefer = hd_below(p, 4) ? e->warps[hd_below(p, p->c->d.CTAS)] : hd_some_warps(p, hd_below(p, 8));
  in->prefer = e->prefer;
  in->boosting = hd_chance(p, e->boost);
}

/* Returns the warps among which the schedulers must choose. */
static uint64_t choose(const struct sched_env *e, const struct sched_in *in) {
  const uint64_t ready = e->ready & ~e->withhold;
  uint64_t among = ready;
  for (unsigned s = 0; s < e->p.c->d.SCHEDS; s++)
    if (in->boosting && ready & in->prefer & e->own[s])
      among &= in->prefer | ~e->own[s];
  return among;
}

static void drive(struct hd_env *env, const void *out, void *in_) {
  struct sched_env *e = (struct sched_env *)env;
  struct hd_env_base *p = &e->p;
  struct sched_in *in = in_;
  (void)out;
  if (hd_new_mood(p)) {
    e->thin = hd_below(p, 8);
    e->launch = hd_below(p, 2) ? 32 : 256;
    e->sticky = hd_below(p, 2);
    e->crowd = hd_some_warps(p, hd_below(p, 5));
    if (p->c->d.PREFERS)
      e->boost = hd_density(p, false);
    if (p->c->d.PICKS)
      e->hold = hd_density(p, false);
  }
  const uint64_t fresh = e->crowd & hd_some_warps(p, e->thin);
  e->ready = e->sticky ? e->ready | fresh : fresh;
  in->ready = e->ready;
  hd_withhold_draw(p, e->hold, &e->withhold);
  in->withhold = e->withhold;
  if (p->c->d.PREFERS)
    draw_preferred(e, in);
  e->among = choose(e, in);
  in->launch_valid = in->launch_cta = in->launch_warps = 0;
  if (gto(e))
    draw_launch(e, in);
}

/* Returns the warp that GTO picks, or -1. */
static int oldest(const struct sched_env *e, unsigned s, uint64_t ready) {
  if (e->last[s] >= 0 && ready >> e->last[s] & 1)
    return e->last[s];
  uint64_t best = 0, first = UINT64_MAX;
  for (unsigned i = 0; i < e->p.c->d.CTAS; i++)
    if (e->warps[i] & ready && e->since[i] < first) {
      best = e->warps[i] & ready;
      first = e->since[i];
    }
  return best ? __builtin_ctzll(best) : -1;
}

/* Returns the warp that LRR picks, or -1. */
static int behind(const struct sched_env *e, unsigned s, uint64_t ready) {
  const unsigned warps = e->p.c->d.WARPS;
  for (unsigned i = 1; i <= warps; i++) {
    const unsigned w = (unsigned)(e->last[s] + (int)i) % warps;
    if (ready >> w & 1)
      return (int)w;
  }
  return -1;
}

static bool check(struct sched_env *e, unsigned s, uint64_t valid, uint64_t wid) {
  struct hd_env *env = &e->p.env;
  const uint64_t ready = e->among & e->own[s];
  if (!valid && wid)
    return hd_fail(env, "scheduler %u picks nothing but shows warp %" PRIu64, s, wid);
  if (valid && (wid >= HD_MOST(sm, warps) || !(ready >> wid & 1)))
    return hd_fail(env,
                   "scheduler %u picks warp %" PRIu64
                   ", which is not its own or not ready (those that it may pick: %" PRIx64 ")",
                   s, wid, ready);
  const int got = valid ? (int)wid : -1, want = gto(e) ? oldest(e, s, ready) : behind(e, s, ready);
  if (got != want)
    return hd_fail(env, "scheduler %u picks warp %d, the %s ready one is %d (-1: none)", s, got,
                   gto(e) ? "last or oldest" : "next", want);
  if (valid) {
    e->last[s] = (int)wid;
    if (e->sticky)
      e->ready &= ~(UINT64_C(1) << wid);
  }
  env->checked++;
  return true;
}

static bool clock(struct hd_env *env, const void *in_, const void *out_) {
  struct sched_env *e = (struct sched_env *)env;
  const struct sched_in *in = in_;
  const struct sched_out *out = out_;
  for (unsigned s = 0; s < e->p.c->d.SCHEDS; s++)
    if (!check(e, s, out->pick_valid[s], out->pick_wid[s]))
      return false;
  if (in->launch_valid) {
    e->warps[in->launch_cta] = in->launch_warps;
    e->since[in->launch_cta] = e->p.cycle;
  }
  hd_cycle_over(&e->p, false, true);
  return true;
}

struct hd_env *sched_env(const struct hd_env_job *job, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, clock, hd_env_stopped, hd_nothing_to_check, hd_env_free};
  struct sched_env *e = hd_env_base_new(sizeof *e, job, &ops, why);
  if (!e)
    return NULL;
  for (unsigned s = 0; s < HD_MOST(sm, schedulers); s++)
    e->last[s] = -1;
  for (unsigned w = 0; w < e->p.c->d.WARPS; w++)
    e->own[w % e->p.c->d.SCHEDS] |= UINT64_C(1) << w;
  return &e->p.env;
}
