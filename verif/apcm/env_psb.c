/* The environment of `psb`: protections of a few warps or all. Warps ask for protection while they protect for the same load, for another,
 * or not at all. A protection ends by its last load, by a loop that the warp leaves, or by the warp's exit. The environment also plays the
 * load alias table: a loop's range contains the load's program counter, ends at it, or misses it by one.
 *
 * It checks at the ports: for each warp the environment knows the load for which it protects, and for each loop left the load with which
 * the loop is compared. So it knows the whole board in every cycle. A warp's entry means nothing before its first protection.
 */
#include "verif/harness/env_common.h"

#include <inttypes.h>

enum { HOT = 3 };

struct guard {
  bool on, loop;
  bool named; /* loop and last have been set */
  uint64_t last;
};

struct psb_env {
  struct hd_env_base p;
  struct { /* the mood */
    unsigned ask, acc, leave, exit, clear, like, loop, warps, first, ids, fit;
  } m;
  uint64_t id[HOT];                  /* ids of loads that are often used */
  uint64_t pc[HD_MOST(apcm, loads)]; /* the program counter of each id; 0 if no load has the id */
  struct guard guard[HD_MOST(sm, warps)];
  struct { /* the loop left in the last cycle, and the load of the warp's guard then */
    bool valid, named;
    uint64_t wid, from, to, id;
  } left;
};

/* Draws the loads of a new kernel. Ids are given in order. */
static void draw_loads(struct psb_env *e) {
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  const unsigned given = hd_below(p, 4) ? d->LAT : hd_below(p, d->LAT + 1);
  for (unsigned i = 0; i < d->LAT; i++)
    e->pc[i] = i < given ? hd_bits(p, d->PC_W) : 0;
}

static void new_mood(struct psb_env *e) {
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  e->m.ask = hd_density(p, true);
  e->m.acc = hd_density(p, false);
  e->m.leave = hd_density(p, false);
  e->m.exit = hd_below(p, 2) ? 16 : hd_density(p, false);
  e->m.clear = hd_below(p, 8) ? hd_below(p, 4) : hd_density(p, true);
  e->m.like = hd_density(p, false); /* how often an input fits the warp's guard */
  e->m.loop = hd_density(p, false);
  e->m.warps = hd_below(p, 2) ? d->WARPS : 1 + hd_below(p, 4);
  e->m.first = hd_below(p, d->WARPS);
  e->m.ids = 1 + hd_below(p, HOT);
  e->m.fit = hd_density(p, false); /* how often a loop is drawn around its guard's load */
  for (unsigned i = 0; i < HOT; i++)
    if (hd_below(p, 4) == 0)
      e->id[i] = hd_below(p, d->LAT);
}

static unsigned some_warp(struct psb_env *e) {
  return (e->m.first + hd_below(&e->p, e->m.warps)) % e->p.c->d.WARPS;
}

/* Returns a load for a warp: its guard's, or another one. */
static uint64_t some_load(struct psb_env *e, uint64_t warp) {
  const struct guard *g = &e->guard[warp];
  if (g->named && hd_chance(&e->p, e->m.like))
    return g->last;
  return e->id[hd_below(&e->p, e->m.ids)];
}

/* Draws a loop, from the branch to its target; as often as the mood says around, at or just beside the load of the warp's guard. */
static void draw_loop(struct psb_env *e, struct psb_in *in) {
  struct hd_env_base *p = &e->p;
  const unsigned w = p->c->d.PC_W;
  const uint64_t all = hd_ones(w);
  const struct guard *g = &e->guard[in->leave_wid];
  in->leave_from = hd_bits(p, w);
  in->leave_to = hd_bits(p, w);
  if (!g->named || !hd_chance(p, e->m.fit))
    return;
  const uint64_t pc = e->pc[g->last];
  const uint64_t up = hd_below(p, 2) ? 0 : hd_bits(p, 6), down = hd_below(p, 2) ? 0 : hd_bits(p, 6);
  const unsigned how = hd_below(p, 6);
  in->leave_from = (how == 0 ? pc - 1 : pc + up) & all;
  in->leave_to = (how == 1 ? pc + 1 : pc - down) & all;
}

static uint64_t draw_exits(struct psb_env *e) {
  uint64_t exit = 0;
  while (hd_chance(&e->p, e->m.exit) && hd_below(&e->p, 4))
    exit |= UINT64_C(1) << some_warp(e);
  return exit;
}

static void drive(struct hd_env *env, const void *out_, void *in_) {
  struct psb_env *e = (struct psb_env *)env;
  struct hd_env_base *p = &e->p;
  const struct psb_out *out = out_;
  struct psb_in *in = in_;
  if (hd_new_mood(p))
    new_mood(e);
  in->clear = hd_chance(p, e->m.clear);
  in->ps_valid = !env->stop && hd_chance(p, e->m.ask);
  in->ps_wid = some_warp(e);
  in->ps_last = some_load(e, in->ps_wid);
  in->ps_loop = hd_chance(p, e->m.loop);
  in->acc_valid = !env->stop && hd_chance(p, e->m.acc);
  in->acc_wid = some_warp(e);
  in->acc_trk = hd_below(p, 8) != 0;
  in->acc_lid = in->acc_trk ? some_load(e, in->acc_wid) : 0;
  in->acc_last = hd_below(p, 2);
  in->exit = draw_exits(e);
  in->leave_valid = !env->stop && hd_chance(p, e->m.leave);
  /* The module looks this warp up even if leave_valid is 0; then it may be a number that no warp has. */
  in->leave_wid = in->leave_valid || hd_below(p, 2) ? some_warp(e) : hd_bits(p, p->c->d.WID_W);
  draw_loop(e, in);
  in->ask_pc = out->ask_id < p->c->d.LAT ? e->pc[out->ask_id] : 0;
}

static bool check(struct psb_env *e, const struct psb_out *out) {
  struct hd_env *env = &e->p.env;
  for (unsigned w = 0; w < e->p.c->d.WARPS; w++) {
    const struct guard *g = &e->guard[w];
    if ((out->psb_on >> w & 1) != g->on)
      return hd_fail(env, "psb_on says %" PRIu64 " of warp %u, it should be %d", out->psb_on >> w & 1, w,
                     g->on);
    if (g->named && (out->psb_last[w] != g->last || (out->psb_loop >> w & 1) != g->loop))
      return hd_fail(env,
                     "warp %u protects until load %" PRIu64 ", loop %" PRIu64 "; it should be load %" PRIu64
                     ", loop %d",
                     w, out->psb_last[w], out->psb_loop >> w & 1, g->last, g->loop);
  }
  if (e->left.named && out->ask_id != e->left.id)
    return hd_fail(env, "ask_id is %" PRIu64 ", warp %" PRIu64 " protected until load %" PRIu64, out->ask_id,
                   e->left.wid, e->left.id);
  e->left.id = out->ask_id; /* an entry that was never set may name any load */
  return true;
}

/* Returns true if the protection that warp w has at the start of this cycle ends in it. */
static bool ends(const struct psb_env *e, unsigned w, const struct psb_in *in) {
  const struct guard *g = &e->guard[w];
  if (!g->on)
    return false;
  const bool last =
      in->acc_valid && in->acc_wid == w && in->acc_trk && in->acc_lid == g->last && in->acc_last;
  const bool left = e->left.valid && e->left.wid == w && e->left.id == g->last && e->left.to <= in->ask_pc &&
                    in->ask_pc <= e->left.from;
  return (g->loop ? left : last) || (in->exit >> w & 1);
}

static bool clock(struct hd_env *env, const void *in_, const void *out_) {
  struct psb_env *e = (struct psb_env *)env;
  const struct psb_in *in = in_;
  if (!check(e, out_))
    return false;
  const struct guard leaver = e->guard[in->leave_wid];
  const bool begins = in->ps_valid && !e->guard[in->ps_wid].on && !in->clear;
  for (unsigned w = 0; w < e->p.c->d.WARPS; w++)
    if (ends(e, w, in)) {
      e->guard[w].on = false;
      env->checked++;
    }
  if (begins) {
    const bool gone = in->exit >> in->ps_wid & 1;
    e->guard[in->ps_wid] = (struct guard){!gone, in->ps_loop, true, in->ps_last};
  }
  e->left.valid = in->leave_valid && !in->clear;
  e->left.named = leaver.named;
  e->left.wid = in->leave_wid;
  e->left.from = in->leave_from;
  e->left.to = in->leave_to;
  e->left.id = leaver.last;
  if (in->clear) {
    for (unsigned w = 0; w < e->p.c->d.WARPS; w++)
      e->guard[w].on = false;
    draw_loads(e);
  }
  hd_cycle_over(&e->p, false, true);
  return true;
}

static bool done(const struct hd_env *env) {
  return env->stop && !((const struct psb_env *)env)->left.valid;
}

struct hd_env *psb_env(const struct hd_env_job *job, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, clock, done, hd_nothing_to_check, hd_env_free};
  struct psb_env *e = hd_env_base_new(sizeof *e, job, &ops, why);
  if (!e)
    return NULL;
  draw_loads(e);
  return &e->p.env;
}
