/* The environment of `laws`: random ready masks, launches, loads with their feedback, and prefetch targets; `en` by moods; preferred and
 * withheld warps.
 *
 * The loads are of a few PCs that differ in single bits, so that warps share their last load and groups form. Each load gets its feedback
 * once, two cycles after it at the earliest, in order or not.
 *
 * It checks at the ports, with the queue as a plain list, and groups made at the load. With `en` a scheduler picks the ready warp nearest
 * to the head of the queue. Without `en` it picks the first ready warp after the one picked last, in a circle, whatever `en` was then.
 * While preferred warps go first and one of them is ready, it picks among these. A withheld warp counts as not ready. A load gets the
 * lowest free group. A miss is reported exactly when a load with a group misses while `en` is 1, with the warps of its group.
 */
#include "verif/harness/env_common.h"

#include <inttypes.h>
#include <string.h>

enum { PCS = 6, LOADS = 16, NONE = -1 };

/* A load that has not got its feedback. */
struct load {
  uint64_t gid, wid, cycle;
};

struct laws_env {
  struct hd_env_base p;
  struct { /* the mood */
    unsigned thin, launch, load, pcs, warps, feedback, hit, target, en, boost, hold;
    bool sticky, in_order; /* a warp stays ready until it is picked; feedback keeps the order of the loads */
    uint64_t crowd;        /* warps that may get ready */
  } m;
  uint64_t pc[PCS];
  uint64_t ready, prefer, withhold;
  uint64_t own[HD_MOST(sm, schedulers)];     /* the warps of each scheduler */
  unsigned next[HD_MOST(sm, schedulers)];    /* without `en`: the warp at which its search begins */
  unsigned queue[HD_MOST(sm, warps)];        /* the warps from head to tail */
  bool loaded[HD_MOST(sm, warps)];           /* the warp has loaded since its launch */
  uint64_t last_load[HD_MOST(sm, warps)];    /* the PC of its last load */
  uint64_t group[HD_MOST(laws, groups) + 1]; /* the warps of each group number; 0: the number is free */
  struct load load[LOADS];
  unsigned n_loads;
  int fed; /* the load of this cycle's feedback, or NONE */
};

static void new_mood(struct laws_env *e) {
  struct hd_env_base *p = &e->p;
  e->m.thin = hd_below(p, 8);
  e->m.launch = hd_below(p, 2) ? 16 : 128;
  e->m.load = hd_density(p, false);
  e->m.pcs = 1 + hd_below(p, PCS);
  e->m.warps = hd_below(p, 2) ? p->c->d.WARPS : 1 + hd_below(p, p->c->d.WARPS);
  e->m.feedback = hd_density(p, false);
  e->m.hit = hd_density(p, false);
  e->m.target = hd_below(p, 2) ? 64 : hd_density(p, false);
  e->m.en = hd_below(p, 2) ? HD_ALWAYS : hd_density(p, false);
  e->m.sticky = hd_below(p, 2);
  if (p->c->d.PREFERS)
    e->m.boost = hd_density(p, false);
  if (p->c->d.PICKS)
    e->m.hold = hd_density(p, false);
  e->m.in_order = hd_below(p, 2);
  e->m.crowd = hd_some_warps(p, hd_below(p, 4));
  const unsigned like = hd_below(p, PCS), one = hd_below(p, PCS);
  e->pc[one] = hd_neighbour(p, e->pc[like], p->c->d.PC_W);
}

static void draw_feedback(struct laws_env *e, struct laws_in *in) {
  struct hd_env_base *p = &e->p;
  const unsigned at = e->m.in_order || !e->n_loads ? 0 : hd_below(p, e->n_loads);
  const bool ripe = e->n_loads && e->load[at].cycle + 2 <= p->cycle;
  in->fb_valid = ripe && hd_chance(p, p->env.stop ? HD_ALWAYS / 2 : e->m.feedback);
  in->fb_hit = hd_chance(p, e->m.hit);
  in->fb_gid = in->fb_valid ? e->load[at].gid : hd_bits(p, p->c->d.GID_W);
  if (p->c->d.OTHERS)
    in->fb_wid = in->fb_valid ? e->load[at].wid : hd_bits(p, p->c->d.WID_W);
  e->fed = in->fb_valid ? (int)at : NONE;
}

static void drive(struct hd_env *env, const void *out, void *in_) {
  struct laws_env *e = (struct laws_env *)env;
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  struct laws_in *in = in_;
  (void)out;
  if (hd_new_mood(p))
    new_mood(e);
  const uint64_t fresh = e->m.crowd & hd_some_warps(p, e->m.thin);
  e->ready = e->m.sticky ? e->ready | fresh : fresh;
  in->en = hd_chance(p, e->m.en);
  in->ready = e->ready;
  hd_withhold_draw(p, e->m.hold, &e->withhold);
  in->withhold = e->withhold;
  if (d->PREFERS) {
    if (hd_below(p, 64) == 0)
      e->prefer = hd_some_warps(p, hd_below(p, 8));
    in->prefer = e->prefer;
    in->boosting = hd_chance(p, e->m.boost);
  }
  in->launch_valid = hd_chance(p, e->m.launch);
  in->launch_warps = hd_some_warps(p, hd_below(p, 6));
  in->load_valid = !env->stop && e->n_loads < LOADS && hd_chance(p, e->m.load);
  in->load_wid = hd_below(p, e->m.warps);
  in->load_pc = e->pc[hd_below(p, e->m.pcs)];
  draw_feedback(e, in);
  if (d->GROUPED) {
    in->tgt_valid = hd_chance(p, e->m.target);
    in->tgt_wid = in->tgt_valid ? hd_below(p, d->WARPS) : hd_bits(p, d->WID_W);
  }
}

/* Returns the warp that a scheduler must pick, or NONE. */
static int choice(const struct laws_env *e, const struct laws_in *in, unsigned s) {
  const unsigned warps = e->p.c->d.WARPS;
  const uint64_t own = e->ready & ~e->withhold & e->own[s],
                 among = in->boosting && own & in->prefer ? own & in->prefer : own;
  for (unsigned i = 0; i < warps; i++) {
    const unsigned w = in->en ? e->queue[i] : (e->next[s] + i) % warps;
    if (among & UINT64_C(1) << w)
      return (int)w;
  }
  return NONE;
}

static bool check_pick(struct laws_env *e, const struct laws_in *in, unsigned s, uint64_t valid,
                       uint64_t wid) {
  const int want = choice(e, in, s);
  if (valid != (want != NONE) || wid != (valid ? (uint64_t)want : 0))
    return hd_fail(&e->p.env,
                   "scheduler %u picks %s (shows warp %" PRIu64 "), the one %s is %d (-1: none is ready)", s,
                   valid ? "a warp" : "nothing", wid, in->en ? "nearest to the head" : "in turn", want);
  if (valid) {
    e->next[s] = (unsigned)(wid + 1) % e->p.c->d.WARPS;
    if (e->m.sticky)
      e->ready &= ~(UINT64_C(1) << wid);
  }
  e->p.env.checked++;
  return true;
}

/* Returns the lowest free group number; 0 if there is none. */
static uint64_t free_group(const struct laws_env *e) {
  for (unsigned g = 1; g <= e->p.c->d.WGT; g++)
    if (!e->group[g])
      return g;
  return 0;
}

static bool check(struct laws_env *e, const struct laws_in *in, const struct laws_out *out) {
  struct hd_env *env = &e->p.env;
  for (unsigned s = 0; s < e->p.c->d.SCHEDS; s++)
    if (!check_pick(e, in, s, out->pick_valid[s], out->pick_wid[s]))
      return false;
  const uint64_t gid = free_group(e);
  if (out->load_gid != gid)
    return hd_fail(env, "load_gid is %" PRIu64 ", the lowest free group is %" PRIu64 " (0: none)",
                   out->load_gid, gid);
  if (!e->p.c->d.GROUPED)
    return true;
  const bool miss = in->en && in->fb_valid && in->fb_gid && !in->fb_hit;
  const uint64_t warps = miss ? e->group[in->fb_gid] : 0;
  if (out->miss_valid != miss || out->miss_group != warps)
    return hd_fail(env,
                   "miss_valid is %" PRIu64 " with group %" PRIx64 ", it should be %d with warps %" PRIx64,
                   out->miss_valid, out->miss_group, miss, warps);
  return true;
}

/* Moves the warps of the set to the head or to the tail of the queue. */
static void move(struct laws_env *e, uint64_t set, bool head) {
  unsigned old[HD_MOST(sm, warps)], n = 0;
  memcpy(old, e->queue, sizeof old);
  for (unsigned part = 0; part < 2; part++)
    for (unsigned i = 0; i < e->p.c->d.WARPS; i++)
      if ((set >> old[i] & 1) == (head ? 1 - part : part))
        e->queue[n++] = old[i];
}

/* Returns the warps that go to the tail with their group when a load of warp `wid` misses. */
static uint64_t followers(const struct laws_env *e, uint64_t wid) {
  const enum hd_on_miss who = e->p.c->laws.on_miss;
  return who == HD_MISS_GROUP ? UINT64_MAX : who == HD_MISS_OTHERS ? ~(UINT64_C(1) << wid) : 0;
}

/* Makes the group of a load, with all events of its cycle: the warp itself, and the warps whose last load has the same PC as the warp's
 * last load. */
static void group(struct laws_env *e, const struct laws_in *in) {
  const unsigned w = (unsigned)in->load_wid;
  const bool known = e->loaded[w];
  const uint64_t pc = e->last_load[w], gid = free_group(e);
  e->loaded[w] = true;
  e->last_load[w] = in->load_pc;
  uint64_t warps = 0;
  for (unsigned v = 0; v < e->p.c->d.WARPS; v++)
    if (known && e->loaded[v] && e->last_load[v] == pc && !(in->launch_valid && in->launch_warps >> v & 1))
      warps |= UINT64_C(1) << v;
  e->group[gid] = warps | UINT64_C(1) << w; /* number 0 means no group */
  e->load[e->n_loads++] = (struct load){gid, w, e->p.cycle};
}

static bool clock(struct hd_env *env, const void *in_, const void *out_) {
  struct laws_env *e = (struct laws_env *)env;
  const struct laws_in *in = in_;
  if (!check(e, in, out_))
    return false;
  const uint64_t freed = in->fb_valid ? in->fb_gid : 0;
  if (freed && in->fb_hit)
    move(e, e->group[freed], true);
  else if (freed)
    move(e, e->group[freed] & followers(e, in->fb_wid), false);
  if (in->tgt_valid && e->p.c->d.GROUPED)
    move(e, UINT64_C(1) << in->tgt_wid, true);
  if (e->fed != NONE) {
    const unsigned at = (unsigned)e->fed;
    memmove(&e->load[at], &e->load[at + 1], (--e->n_loads - at) * sizeof *e->load);
    env->checked++;
  }
  if (in->load_valid)
    group(e, in);
  e->group[freed] = 0; /* after the load's choice: a number freed now is free from the next cycle on */
  for (unsigned v = 0; v < e->p.c->d.WARPS; v++)
    e->loaded[v] = e->loaded[v] && !(in->launch_valid && in->launch_warps >> v & 1);
  hd_cycle_over(&e->p, false, true);
  return true;
}

static bool done(const struct hd_env *env) {
  return env->stop && ((const struct laws_env *)env)->n_loads == 0;
}

struct hd_env *laws_env(const struct hd_env_job *job, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, clock, done, hd_nothing_to_check, hd_env_free};
  struct laws_env *e = hd_env_base_new(sizeof *e, job, &ops, why);
  if (!e)
    return NULL;
  for (unsigned w = 0; w < e->p.c->d.WARPS; w++) {
    e->own[w % e->p.c->d.SCHEDS] |= UINT64_C(1) << w;
    e->queue[w] = w;
  }
  for (unsigned i = 0; i < PCS; i++)
    e->pc[i] = hd_bits(&e->p, e->p.c->d.PC_W);
  return &e->p.env;
}
