/* The environment of `ccws_vta`: it plays an L1D that reports misses and evicted lines. They are of a few warps and lines, so that lost
 * lines come again, or of many; bursts fill the module's queue. With a prefetcher there are prefetched lines, and loads that adopt them. A
 * flush comes now and then. With on_fill loads miss, hit, merge or bypass, and fills take lines for earlier loads.
 *
 * It checks at the ports. The environment keeps the line and its warp for each place, the victims of each warp and set as a list (last used
 * first), and the module's queue as a list; and it knows the cycles of each step. So it knows in every cycle whether a warp has lost
 * locality, and which one. (A place is a way of a set.)
 */
#include "verif/harness/env_common.h"

#include <inttypes.h>
#include <string.h>

enum { POOL = 256, LOOKS = 3 };

struct place {
  bool there, known; /* it holds a line; a load took the line */
  uint64_t wid, line;
};
/* A decision of the L1D. OUTCOME reports it in the next cycle. */
struct decision {
  enum {
    NOTHING,
    ADOPT,
    TAKE,
    FETCH,
    MISS,
    HIT,
    MERGE,
    PAST
  } kind;              /* FETCH: for a prefetch; from MISS on: on_fill */
  bool merges, evicts; /* merges: ADOPT by a merge; evicts: a load's line is evicted */
  unsigned place;
  uint64_t wid, line;
};
struct job {
  bool misses, evicts;
  uint64_t wid, line, victim_wid, victim;
};
struct victims {
  unsigned n;
  uint64_t line[HD_MOST(ccws, ways)]; /* last used first */
};

struct vta_env {
  struct hd_env_base p;
  struct { /* the mood */
    unsigned busy, fetch, adopt, lose, again, like, enable, clear;
    unsigned warps, first, places, lines;
  } m;
  uint64_t pool[POOL]; /* lines */
  struct place place[HD_RTL_L1D_LINES];
  struct decision now, reported; /* of this cycle, and of the last */
  struct victims victims[HD_MOST(sm, warps)][HD_MOST(ccws, entries)];
  struct job queue[HD_MOST(ccws, queue)], job;
  unsigned queued, age; /* age: cycles since `job` left the queue; 0: there is no job */
  bool hit, known;      /* a warp was found to have lost locality: in the last cycle; ever */
  uint64_t hit_wid;
  struct job looked; /* the last miss that was looked up */
};

static void new_mood(struct vta_env *e) {
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  const unsigned places = d->SETS * d->WAYS;
  e->m.busy = hd_below(p, 2) ? 64 + hd_below(p, 192) : hd_density(p, true);
  e->m.fetch = d->PREF ? hd_density(p, false) : 0;
  e->m.adopt = hd_density(p, false);
  e->m.lose = hd_below(p, 2) ? 0 : 16;
  e->m.again = hd_below(p, 2) ? 0 : hd_density(p, false);
  e->m.like = hd_below(p, 2) ? HD_ALWAYS : hd_density(p, false);
  e->m.enable = hd_below(p, 4) ? HD_ALWAYS : hd_density(p, false);
  e->m.clear = hd_below(p, 8) ? 0 : hd_below(p, 2) ? 8 : hd_density(p, true);
  e->m.warps = hd_below(p, 2) ? 1 + hd_below(p, 4) : d->WARPS;
  e->m.first = hd_below(p, d->WARPS);
  e->m.places = hd_below(p, 2) ? 1 + hd_below(p, places < 8 ? places : 8) : places;
  e->m.lines = 1 + hd_below(p, hd_below(p, 2) ? POOL : 4 * d->VTA_WAYS);
  for (unsigned i = 0; i < POOL; i++)
    if (hd_below(p, 8) == 0)
      e->pool[i] = hd_bits(p, d->LINE_W);
}

static unsigned some_place(struct vta_env *e) {
  if (hd_chance(&e->p, e->m.again))
    return e->reported.place;
  return hd_below(&e->p, e->m.places);
}

/* Draws the next decision. A line that a load or a fill has just brought stays for a cycle. */
static void decide(struct vta_env *e) {
  struct hd_env_base *p = &e->p;
  const unsigned at = some_place(e);
  const struct place *line = &e->place[at];
  const bool brought = (e->reported.kind == TAKE || e->reported.kind == FETCH) && e->reported.place == at;
  e->now = (struct decision){.place = at};
  e->now.wid = (e->m.first + hd_below(p, e->m.warps)) % p->c->d.WARPS;
  e->now.line = e->pool[hd_below(p, e->m.lines)];
  if (!hd_chance(p, e->m.like))
    e->now.line = hd_bits(p, p->c->d.LINE_W);
  if (p->env.stop || !hd_chance(p, e->m.busy))
    return;
  if (line->there && !line->known && hd_chance(p, e->m.adopt))
    e->now.kind = ADOPT;
  else if (!brought)
    e->now.kind = hd_chance(p, e->m.fetch) ? FETCH : TAKE;
  if (!p->c->d.ON_MISS && hd_below(p, 2))
    e->now.kind = hd_below(p, 4) ? MISS : HIT + hd_below(p, p->c->d.PAST ? 3 : 2);
  e->now.merges = e->now.kind == ADOPT && p->c->d.ON_MISS && hd_below(p, 2);
  e->now.evicts = (e->now.kind == TAKE || e->now.kind == FETCH) && line->known;
}

/* Updates a place when OUTCOME reports it. A store or a flush may remove a line at random. */
static void learn(struct vta_env *e, const struct decision *t) {
  if (t->kind == ADOPT || t->kind == TAKE)
    e->place[t->place] = (struct place){true, true, t->wid, t->line};
  else if (t->kind == FETCH)
    e->place[t->place] = (struct place){.there = true};
  const unsigned lost = some_place(e);
  if (hd_chance(&e->p, e->m.lose) && lost != e->now.place)
    e->place[lost] = (struct place){.there = false};
}

/* ---- Victims ---- */

static struct victims *victims_of(struct vta_env *e, uint64_t wid, uint64_t line) {
  return &e->victims[wid][line % e->p.c->d.VTA_SETS];
}

/* Returns the place of a line among the victims, or n. */
static unsigned find(const struct victims *v, uint64_t line) {
  unsigned i = 0;
  while (i < v->n && v->line[i] != line)
    i++;
  return i;
}

/* Makes the line the one used last; there are at most `most`. */
static void use(struct victims *v, uint64_t line, unsigned most) {
  unsigned i = find(v, line);
  if (i == v->n && v->n < most)
    v->n++;
  if (i == v->n)
    i--;
  memmove(&v->line[1], &v->line[0], i * sizeof v->line[0]);
  v->line[0] = line;
}

/* Returns true if in this cycle a warp is found to have lost locality. */
static bool will_be_found(struct vta_env *e) {
  const struct job *j = &e->job;
  struct victims *v = victims_of(e, j->wid, j->line);
  return j->misses && e->age == LOOKS && find(v, j->line) < v->n;
}

/* ---- Stimulus ---- */

static void drive(struct hd_env *env, const void *out, void *in_) {
  struct vta_env *e = (struct vta_env *)env;
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  struct ccws_vta_in *in = in_;
  const struct decision *t = &e->reported;
  (void)out;
  if (hd_new_mood(p))
    new_mood(e);
  decide(e);
  in->ccws_en = hd_chance(p, e->m.enable);
  in->clear = hd_chance(p, e->m.clear) || (will_be_found(e) && hd_below(p, 64) == 0);
  in->outcome_take = t->kind == ADOPT || t->kind == TAKE;
  in->outcome_load = !d->ON_MISS && (t->kind == ADOPT || t->kind >= MISS);
  in->outcome_hit = (d->PREF && t->kind == ADOPT && !t->merges) || t->kind == HIT;
  in->outcome_merge = (d->PREF && t->kind == ADOPT && t->merges) || t->kind == MERGE;
  in->outcome_past = t->kind == PAST;
  in->outcome_evict = t->evicts;
  in->outcome_set = t->place / d->WAYS;
  const bool at = t->kind == NOTHING ? hd_below(p, 2) : t->kind <= FETCH || t->kind == HIT;
  in->outcome_at = at ? UINT64_C(1) << t->place % d->WAYS : 0;
  const bool other = !d->ON_MISS && t->kind <= FETCH && t->kind != ADOPT; /* another request is in d then */
  in->outcome_wid = other ? hd_below(p, d->WARPS) : t->wid;
  in->outcome_line = other ? e->pool[hd_below(p, POOL)] : t->line;
  in->took_wid = d->ON_MISS ? 0 : t->wid;
  in->took_line = d->ON_MISS ? 0 : t->line;
  in->late_evict = e->now.evicts;
  in->late_row = e->now.evicts ? e->now.place : some_place(e);
}

/* ---- The module's work ---- */

/* A miss is looked up three cycles after it has left the queue. The evicted line becomes a victim three cycles later; without a miss, four
 * cycles after it has left the queue. */
static void serve(struct vta_env *e) {
  const struct job *j = &e->job;
  const unsigned ways = e->p.c->d.VTA_WAYS, inserts = j->misses ? LOOKS + 3 : 4;
  e->hit = false;
  if (!e->age)
    return;
  if (j->misses && e->age == LOOKS) {
    struct victims *v = victims_of(e, j->wid, j->line);
    e->looked = *j;
    e->p.env.checked++;
    if (find(v, j->line) < v->n) {
      use(v, j->line, ways);
      e->hit = e->known = true;
      e->hit_wid = j->wid;
    }
  }
  if (j->evicts && e->age == inserts)
    use(victims_of(e, j->victim_wid, j->victim), j->victim, ways);
  e->age = e->age == (j->evicts ? inserts : LOOKS) ? 0 : e->age + 1;
}

static void forget(struct vta_env *e) {
  memset(e->victims, 0, sizeof e->victims);
  e->queued = e->age = 0;
  e->hit = false;
}

/* Puts the reported decision into the queue, if `free`. */
static void queue_up(struct vta_env *e, bool free) {
  const struct decision *t = &e->reported;
  const struct place *gone = &e->place[t->place];
  const bool misses = t->kind == (e->p.c->d.ON_MISS ? TAKE : MISS);
  if ((!misses && !t->evicts) || !free)
    return;
  e->queue[e->queued++] = (struct job){.misses = misses,
                                       .evicts = t->evicts,
                                       .wid = t->wid,
                                       .line = t->line,
                                       .victim_wid = gone->wid,
                                       .victim = gone->line};
}

static void work(struct vta_env *e, bool enabled) {
  const bool free = e->queued < e->p.c->d.VTA_Q, takes = !e->age && e->queued;
  serve(e);
  if (takes) {
    e->job = e->queue[0];
    e->age = 1;
    memmove(&e->queue[0], &e->queue[1], --e->queued * sizeof e->queue[0]);
  }
  if (enabled)
    queue_up(e, free);
}

static bool clock(struct hd_env *env, const void *in_, const void *out_) {
  struct vta_env *e = (struct vta_env *)env;
  const struct ccws_vta_in *in = in_;
  const struct ccws_vta_out *out = out_;
  if (out->hit_valid != e->hit)
    return hd_fail(env,
                   "hit_valid is %" PRIu64 "; the last miss looked up was of warp %" PRIu64
                   " to line 0x%" PRIx64 ", which is%s among its victims in this cycle",
                   out->hit_valid, e->looked.wid, e->looked.line, e->hit ? "" : " not found");
  if (e->known && out->hit_wid != e->hit_wid)
    return hd_fail(env, "hit_wid is %" PRIu64 ", warp %" PRIu64 " was the last to lose locality",
                   out->hit_wid, e->hit_wid);
  if (in->clear)
    forget(e);
  else
    work(e, in->ccws_en);
  learn(e, &e->reported);
  e->reported = e->now;
  hd_cycle_over(&e->p, false, true);
  return true;
}

static bool done(const struct hd_env *env) {
  const struct vta_env *e = (const struct vta_env *)env;
  return env->stop && e->reported.kind == NOTHING && !e->queued && !e->age && !e->hit;
}

struct hd_env *ccws_vta_env(const struct hd_env_job *job, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, clock, done, hd_nothing_to_check, hd_env_free};
  struct vta_env *e = hd_env_base_new(sizeof *e, job, &ops, why);
  if (!e)
    return NULL;
  for (unsigned i = 0; i < POOL; i++)
    e->pool[i] = hd_bits(&e->p, e->p.c->d.LINE_W);
  return &e->p.env;
}
