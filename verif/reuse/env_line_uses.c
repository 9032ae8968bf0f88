/* The environment of `line_uses`: it plays an L1D that reports misses, hits, merges, fills and bypassed loads; with a prefetcher also
 * prefetched lines and the loads that adopt them. The reports are about a few places or all, and often about the same place twice. (A place
 * is a way of a set.)
 *
 * It checks at the ports: for each place the environment keeps the load that took the line, and the uses since then as a whole number, from
 * its own reports. So it knows the hash and counter of every evicted line, the earlier uses of each load's line, and the counters of every
 * set. A place that no load has taken since the reset, or that a prefetch took, is not checked.
 */
#include "verif/harness/env_common.h"

#include <inttypes.h>

struct place {
  bool there, known; /* it holds a line; a load took the line */
  uint64_t uses, hpc;
};
/* A decision of the L1D. OUTCOME reports it in the next cycle. */
struct decision {
  enum { NOTHING, HIT, ADOPT, MERGE_AT, MERGE_NOWHERE, TAKE, FETCH, PAST } kind; /* FETCH: for a prefetch */
  bool merges, evicts; /* merges: ADOPT by a merge; evicts: a load's line is evicted */
  unsigned place;
  uint64_t hpc, nth;
};

struct uses_env {
  struct hd_env_base p;
  unsigned places; /* of the L1D's lines */
  struct {         /* the mood */
    unsigned busy, take, fetch, lose, places, first, again;
  } m;
  struct place place[HD_RTL_L1D_LINES];
  struct decision now, reported; /* of this cycle, and of the last */
};

static unsigned some_place(struct uses_env *e) {
  struct hd_env_base *p = &e->p;
  if (hd_chance(p, e->m.again))
    return e->reported.place;
  return (e->m.first + hd_below(p, e->m.places)) % e->places;
}

static void new_mood(struct uses_env *e) {
  struct hd_env_base *p = &e->p;
  e->m.busy = hd_density(p, true);
  e->m.take = hd_density(p, false);
  e->m.fetch = p->c->d.PREF ? hd_density(p, false) : 0;
  e->m.lose = hd_below(p, 2) ? 0 : 16;
  e->m.places = hd_below(p, 2) ? 1 + hd_below(p, 4) : e->places;
  e->m.first = hd_below(p, e->places);
  e->m.again = hd_below(p, 2) ? 0 : hd_density(p, false);
}

/* Draws the next decision. A line that a load or a fill has just brought stays for a cycle. */
static void decide(struct uses_env *e) {
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  const unsigned at = some_place(e), how = hd_below(p, 8);
  const struct place *line = &e->place[at];
  const bool brought = (e->reported.kind == TAKE || e->reported.kind == FETCH) && e->reported.place == at;
  const bool fresh = line->there && !line->known;
  e->now = (struct decision){.place = at, .hpc = hd_bits(p, d->HPC_W), .nth = hd_below(p, d->MERGE)};
  if (p->env.stop || !hd_chance(p, e->m.busy))
    return;
  if (how == 0)
    e->now.kind = PAST;
  else if (how < 3 && !d->ON_MISS && d->MERGE > 1)
    e->now.kind = MERGE_NOWHERE;
  else if (hd_chance(p, e->m.fetch) && !brought)
    e->now.kind = FETCH;
  else if ((!line->there || hd_chance(p, e->m.take)) && !brought)
    e->now.kind = TAKE;
  else if (line->there)
    e->now.kind = fresh && hd_below(p, 8) ? ADOPT : how < 6 || !d->ON_MISS || d->MERGE == 1 ? HIT : MERGE_AT;
  e->now.merges = e->now.kind == ADOPT && d->ON_MISS && hd_below(p, 2);
  e->now.evicts = (e->now.kind == TAKE || e->now.kind == FETCH) && line->known;
}

/* Updates a place when OUTCOME reports it. A store or a flush may remove a line at random. */
static void learn(struct uses_env *e, const struct decision *t) {
  struct place *line = &e->place[t->place];
  switch (t->kind) {
  case HIT:
  case MERGE_AT:
    line->uses += line->known;
    break;
  case ADOPT:
    *line = (struct place){true, true, 0, t->hpc};
    break;
  case TAKE:
    *line = (struct place){true, true, e->p.c->d.ON_MISS ? 0 : t->nth, t->hpc};
    break;
  case FETCH:
    *line = (struct place){.there = true};
    break;
  default:
    break;
  }
  const unsigned lost = some_place(e);
  if (hd_chance(&e->p, e->m.lose) && lost != e->now.place)
    e->place[lost] = (struct place){.there = false};
}

static void drive(struct hd_env *env, const void *out, void *in_) {
  struct uses_env *e = (struct uses_env *)env;
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  struct line_uses_in *in = in_;
  const struct decision *t = &e->reported;
  (void)out;
  if (hd_new_mood(p))
    new_mood(e);
  decide(e);
  const bool load = t->kind != NOTHING && t->kind != FETCH && (d->ON_MISS || t->kind != TAKE);
  const bool quiet = t->kind == NOTHING && hd_below(p, 2);
  in->outcome_load = load;
  in->outcome_hit = t->kind == HIT || (t->kind == ADOPT && !t->merges);
  in->outcome_merge = t->kind == MERGE_AT || t->kind == MERGE_NOWHERE || (t->kind == ADOPT && t->merges);
  in->outcome_take = t->kind == ADOPT || t->kind == TAKE;
  in->outcome_evict = d->REUSE && t->evicts;
  in->outcome_set = t->place / d->WAYS;
  in->outcome_at =
      t->kind == PAST || t->kind == MERGE_NOWHERE || quiet ? 0 : UINT64_C(1) << t->place % d->WAYS;
  in->outcome_nth = d->OUTCOME_NTH ? t->nth : 0;
  in->took_hpc = d->REUSE ? t->hpc : 0;
  in->late_evict = d->REUSE && e->now.evicts;
  in->late_row = d->REUSE ? e->now.evicts ? e->now.place : some_place(e) : 0;
  in->decide_set = d->LOC ? some_place(e) / d->WAYS : 0;
  in->fill_set = d->LOC && !d->ON_MISS ? some_place(e) / d->WAYS : 0;
}

static uint64_t at_most(const struct hd_derived *d, uint64_t n) {
  const uint64_t most = hd_ones(d->RR_W);
  return n < most ? n : most;
}

static bool check_evict(struct uses_env *e, const struct line_uses_out *out) {
  const struct decision *t = &e->reported;
  const struct place *line = &e->place[t->place];
  if (out->evict_valid != t->evicts)
    return hd_fail(&e->p.env, "evict_valid is %" PRIu64 ", and a load's line %s", out->evict_valid,
                   t->evicts ? "gave way" : "did not give way");
  if (t->evicts && (out->evict_hpc != line->hpc || out->evict_count != at_most(&e->p.c->d, line->uses)))
    return hd_fail(&e->p.env,
                   "the line that gave way in place %u is said to be of hash %" PRIx64
                   " with counter %" PRIu64 "; a load of hash %" PRIx64
                   " brought it, and it was used %" PRIu64 " times",
                   t->place, out->evict_hpc, out->evict_count, line->hpc, line->uses);
  e->p.env.checked += t->evicts;
  return true;
}

static bool check_uses(struct uses_env *e, const struct line_uses_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  const struct decision *t = &e->reported;
  const struct place *line = &e->place[t->place];
  const bool used = t->kind == HIT || t->kind == MERGE_AT;
  const uint64_t uses = used ? line->uses + 1 : t->kind == MERGE_NOWHERE ? t->nth : 0;
  if (used && !line->known)
    return true;
  if (out->uses != at_most(d, uses))
    return hd_fail(&e->p.env, "uses is %" PRIu64 ", the line of place %u had been used %" PRIu64 " times",
                   out->uses, t->place, uses);
  e->p.env.checked += used;
  return true;
}

static bool check_counters(struct uses_env *e, uint64_t set, const uint64_t *counters) {
  const struct hd_derived *d = &e->p.c->d;
  for (unsigned w = 0; w < d->WAYS; w++) {
    const struct place *line = &e->place[set * d->WAYS + w];
    if (line->known && counters[w] != at_most(d, line->uses))
      return hd_fail(&e->p.env,
                     "the counter of set %" PRIu64 " way %u is %" PRIu64 ", it was used %" PRIu64 " times",
                     set, w, counters[w], line->uses);
    e->p.env.checked += line->known;
  }
  return true;
}

static bool clock(struct hd_env *env, const void *in_, const void *out_) {
  struct uses_env *e = (struct uses_env *)env;
  const struct hd_derived *d = &e->p.c->d;
  const struct line_uses_in *in = in_;
  const struct line_uses_out *out = out_;
  if (d->REUSE && !check_evict(e, out))
    return false;
  if (d->APCM && !check_uses(e, out))
    return false;
  if (d->LOC && !check_counters(e, in->decide_set, out->decide_counters))
    return false;
  if (d->LOC && !d->ON_MISS && !check_counters(e, in->fill_set, out->fill_counters))
    return false;
  learn(e, &e->reported);
  e->reported = e->now;
  hd_cycle_over(&e->p, false, true);
  return true;
}

static bool done(const struct hd_env *env) {
  return env->stop && ((const struct uses_env *)env)->reported.kind == NOTHING;
}

struct hd_env *line_uses_env(const struct hd_env_job *job, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, clock, done, hd_nothing_to_check, hd_env_free};
  struct uses_env *e = hd_env_base_new(sizeof *e, job, &ops, why);
  if (!e)
    return NULL;
  e->places = e->p.c->d.SETS * e->p.c->d.WAYS;
  return &e->p.env;
}
