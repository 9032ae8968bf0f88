/* The environment of `mta`: accesses of a few warps or all, to a few lines that are used again and again or to any lines, in some sets or
 * all. The monitored warp accesses more or less often than others. Warps end; the monitored one ends now and then. After that nothing is
 * monitored in this kernel, and a clear comes soon, sometimes before all entries are read out.
 *
 * It checks at the ports: the environment keeps the lines of each set as a queue, in the order in which they came. It does all work of an
 * access in the cycle in which the access comes; the result is at the port two cycles later, unless a clear comes in between. Line number
 * n of a set since the clear is in way n mod MTA_WAYS, which decides when it is read out.
 */
#include "verif/harness/env_common.h"

#include <inttypes.h>
#include <string.h>

enum { POOL = 24 };

struct line {
  bool there;
  uint64_t line, first, last, count, intra;
};

struct known {
  bool valid;
  bool used; /* the line was used again: valid only if its count reaches the threshold of the next cycle */
  uint64_t id, last, count, intra;
};

struct mta_env {
  struct hd_env_base p;
  struct { /* the mood */
    unsigned acc, warps, first, mine, tracked, ids, two, before, pool, like, sets, set, exit, others, clear,
        own;
  } m;
  uint64_t pool[POOL];
  struct line line[HD_MOST(apcm, entries)];
  unsigned came[HD_MOST(apcm, entries)]; /* number of lines that came into each set */
  bool mon, over;
  uint64_t warp;  /* the monitored warp */
  unsigned scans; /* entries still to be read out */
  struct known due, next;
  uint64_t enough; /* the threshold */
  bool shown;      /* the payload of `due` has been at the port */
};

static uint64_t new_line(struct mta_env *e) {
  struct hd_env_base *p = &e->p;
  const unsigned sets = p->c->d.MTA_SETS;
  const uint64_t line = hd_bits(p, p->c->d.LINE_W);
  return e->m.sets ? line - line % sets + (e->m.set + hd_below(p, e->m.sets)) % sets : line;
}

static void new_mood(struct mta_env *e) {
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  const unsigned sets[] = {0, 1, 1, 2, 1 + hd_below(p, d->MTA_SETS)};
  e->m.acc = hd_density(p, true);
  e->m.own = hd_density(p, false);
  e->m.warps = hd_below(p, 2) ? d->WARPS : 1 + hd_below(p, 4);
  e->m.first = hd_below(p, d->WARPS);
  e->m.mine = hd_density(p, false);
  e->m.tracked = hd_below(p, 4) ? 896 : hd_density(p, false);
  e->m.ids = hd_below(p, 2) ? d->LAT : 1 + hd_below(p, 3);
  e->m.two = hd_below(p, 4) ? 896 : hd_density(p, false);
  e->m.before = hd_density(p, false);
  e->m.pool = 1 + hd_below(p, hd_below(p, 2) ? 3 : POOL);
  e->m.like = hd_density(p, false); /* how often an access is to the pool */
  e->m.sets = sets[hd_below(p, 5)] % d->MTA_SETS;
  e->m.set = hd_below(p, d->MTA_SETS);
  e->m.exit = hd_below(p, 4) ? 0 : hd_below(p, 32);
  e->m.others = hd_density(p, false);
  e->m.clear = hd_below(p, 32) ? 0 : hd_density(p, true);
  for (unsigned i = 0; i < POOL; i++) {
    if (hd_below(p, 4) == 0)
      e->pool[i] = new_line(e);
    else if (hd_below(p, 8) == 0) /* another line with one bit flipped, in its tag or in its set */
      e->pool[i] = hd_neighbour(p, e->pool[hd_below(p, POOL)], d->LINE_W);
  }
}

static unsigned some_warp(struct mta_env *e) {
  return (e->m.first + hd_below(&e->p, e->m.warps)) % e->p.c->d.WARPS;
}

static void draw_access(struct mta_env *e, struct access *a) {
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  *a = (struct access){0};
  a->wid = e->mon && hd_chance(p, e->m.mine) ? e->warp : some_warp(e);
  a->trk = hd_chance(p, e->m.tracked);
  a->two = hd_chance(p, e->m.two);
  a->line = hd_chance(p, e->m.like) ? e->pool[hd_below(p, e->m.pool)] : new_line(e);
  if (a->trk)
    a->lid = hd_below(p, e->m.ids);
  if (hd_chance(p, e->m.before))
    a->count = hd_below(p, 2) ? hd_below(p, 3) : hd_bits(p, d->RR_W);
}

/* Draws the warps that end: others at random, the monitored warp as often as the mood says. */
static uint64_t draw_exits(struct mta_env *e) {
  struct hd_env_base *p = &e->p;
  uint64_t exit = 0;
  if (hd_chance(p, e->m.others)) {
    exit = UINT64_C(1) << some_warp(e);
    exit |= UINT64_C(1) << some_warp(e);
  }
  if (e->mon)
    exit &= ~(UINT64_C(1) << e->warp);
  if (e->mon && hd_chance(p, e->m.exit))
    exit |= UINT64_C(1) << e->warp;
  return exit;
}

static void drive(struct hd_env *env, const void *out, void *in_) {
  struct mta_env *e = (struct mta_env *)env;
  struct hd_env_base *p = &e->p;
  struct mta_in *in = in_;
  (void)out;
  if (hd_new_mood(p))
    new_mood(e);
  const unsigned idle = e->over && !e->scans ? 64 : e->over ? 2 : 0;
  in->clear = hd_chance(p, e->m.clear > idle ? e->m.clear : idle);
  in->exit = draw_exits(e);
  const bool leaves = e->mon && in->exit >> e->warp & 1;
  in->acc_valid = !env->stop && (hd_chance(p, e->m.acc) || (leaves && hd_below(p, 2)));
  in->apcm_threshold = hd_threshold_draw(p, &e->enough, 2, hd_ones(p->c->d.RR_W));
  draw_access(e, &in->acc);
  if (leaves && hd_below(p, 2)) /* an access to the entry that is read out first */
    in->acc.line = e->line[0].there ? e->line[0].line : in->acc.line - in->acc.line % p->c->d.MTA_SETS;
  in->acc_own = p->c->d.APCM_O && hd_chance(p, e->m.own);
}

static bool check(struct mta_env *e, const struct mta_out *out) {
  struct hd_env *env = &e->p.env;
  const struct known *k = &e->due;
  if (out->up_valid != k->valid)
    return hd_fail(env, "up_valid is %" PRIu64 ", of a load's patterns %s due", out->up_valid,
                   k->valid ? "some are" : "none are");
  if (e->shown && (out->up_id != k->id || out->up_last != k->last || out->up_count != k->count ||
                   out->up_intra != k->intra))
    return hd_fail(
        env,
        "load %" PRIu64 ", last %" PRIu64 ", %" PRIu64 " accesses, %" PRIu64
        " intra; it should be load %" PRIu64 ", last %" PRIu64 ", %" PRIu64 " accesses, %" PRIu64 " intra",
        out->up_id, out->up_last, out->up_count, out->up_intra, k->id, k->last, k->count, k->intra);
  env->checked += k->valid;
  return true;
}

static void tell(struct mta_env *e, const struct line *l, struct known *k) {
  *k = (struct known){true, false, l->first, e->p.c->d.APCM_P ? l->last : 0, l->count, l->intra};
}

static struct line *find(struct mta_env *e, uint64_t line) {
  for (unsigned i = 0; i < e->p.c->d.MTA; i++)
    if (e->line[i].there && e->line[i].line == line)
      return &e->line[i];
  return NULL;
}

/* Another use of a line. */
static void use(struct mta_env *e, struct line *l, const struct access *a, bool mine, struct known *k) {
  const uint64_t most = hd_ones(e->p.c->d.RR_W);
  if (l->count < most) {
    l->count++;
    l->intra += mine;
  }
  if (mine && a->trk)
    l->last = a->lid;
  tell(e, l, k);
  k->used = true;
}

/* The first use of a line: it replaces the oldest line of its set. */
static void bring(struct mta_env *e, const struct access *a, bool own, struct known *k) {
  const struct hd_derived *d = &e->p.c->d;
  const uint64_t most = hd_ones(d->RR_W);
  const unsigned set = (unsigned)(a->line % d->MTA_SETS);
  struct line *l = &e->line[set * d->MTA_WAYS + e->came[set]++ % d->MTA_WAYS];
  if (l->there)
    tell(e, l, k);
  const uint64_t before = own ? 0 : a->count;
  *l = (struct line){true, a->line, a->lid, a->lid, before < most ? before + 1 : most, 1};
}

/* Does all work of an access, or of reading out one entry. Returns the result. */
static struct known act(struct mta_env *e, const struct mta_in *in) {
  struct known k = {0};
  const unsigned lines = e->p.c->d.MTA;
  if (e->scans) {
    struct line *l = &e->line[lines - e->scans--];
    if (l->there)
      tell(e, l, &k);
    l->there = false;
    return k;
  }
  const bool was = e->mon;
  if (in->acc_valid && in->acc.trk && !e->mon && !e->over) {
    e->mon = true;
    e->warp = in->acc.wid;
  }
  if (in->acc_valid && e->mon) {
    const bool mine = in->acc.wid == e->warp;
    struct line *l = find(e, in->acc.line);
    if (l)
      use(e, l, &in->acc, mine, &k);
    else if (mine && in->acc.trk && in->acc.two)
      bring(e, &in->acc, in->acc_own, &k);
  }
  if (was && in->exit >> e->warp & 1) {
    e->mon = false;
    e->over = true;
    e->scans = lines;
  }
  return k;
}

static bool clock(struct hd_env *env, const void *in_, const void *out_) {
  struct mta_env *e = (struct mta_env *)env;
  const struct mta_in *in = in_;
  if (!check(e, out_))
    return false;
  const struct known new = act(e, in);
  if (e->next.valid && !(e->next.used && e->next.count < e->enough) && !in->clear) {
    e->due = e->next;
    e->shown = true;
  } else
    e->due.valid = false; /* the other fields stay at the port */
  e->next = new;
  if (in->clear) {
    e->mon = e->over = false;
    e->scans = 0;
    e->next.valid = false;
    memset(e->line, 0, sizeof e->line);
    memset(e->came, 0, sizeof e->came);
  }
  hd_cycle_over(&e->p, false, true);
  return true;
}

static bool done(const struct hd_env *env) {
  const struct mta_env *e = (const struct mta_env *)env;
  return env->stop && !e->scans && !e->next.valid && !e->due.valid;
}

struct hd_env *mta_env(const struct hd_env_job *job, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, clock, done, hd_nothing_to_check, hd_env_free};
  struct mta_env *e = hd_env_base_new(sizeof *e, job, &ops, why);
  if (!e)
    return NULL;
  e->enough = e->p.c->apcm.threshold;
  for (unsigned i = 0; i < POOL; i++)
    e->pool[i] = new_line(e);
  return &e->p.env;
}
