/* What the hooks of `l1d` tell and show, judged; see l1d_checker.h.
 *
 * A load that is told of was decided in the last cycle, so what its answers were is known to the cycle. Its pins are
 * those of the cycle in which it moved from c to d: the one in which the load before it was decided, if LOOK showed it
 * then, or else the first in which LOOK shows it; behind a store, some cycle in which LOOK shows it.
 */
#include "verif/l1d/l1d_checker.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  PIPELINE = 5, /* requests that are not decided, or decided in the last cycle, at most */
  NO_WAY = -1
};

/* What may become of a load. */
enum fate {
  SERVED = 1,
  FORWARDED = 2,
  MERGED = 4,
  MISSED = 8,
  PASSED = 16, /* it goes on uncached, and did not hit */
  LEFT = 32    /* it is to come again */
};

/* What the ways of a load's set hold as it is decided. */
struct view {
  uint64_t valid, reserved, unknown; /* unknown: of reserved, those of lines that are not known yet */
  int own;                           /* the way of its line, valid or reserved */
  bool flies, joins;                 /* its line is in flight; it can merge */
  bool perhaps;                      /* nothing of that is sure */
};

static uint64_t all_ways(const struct hd_derived *d) {
  return UINT64_MAX >> (64 - d->WAYS);
}

static unsigned lowest(uint64_t ways) {
  return (unsigned)__builtin_ctzll(ways);
}

/* --- what each way holds --------------------------------------------------------------------------------- */

static struct place *place_at(const struct l1d_env *e, unsigned set, unsigned way) {
  return &e->places[set * e->p.c->d.WAYS + way];
}

/* Stores to the line, but for those from this one on of the requests that are not known to be decided. */
static int64_t stores_before(const struct l1d_env *e, const struct line *line, unsigned from) {
  int64_t n = line->stores;
  for (unsigned i = from; i < e->n_trials; i++)
    n -= e->trial[i].r.write && e->trial[i].line == line;
  return n;
}

/* A fill that is answered in a cycle enters the cache in the next, and counts from the second. */
static bool is_in_flight(const struct line *line, uint64_t cycle) {
  return line->flight.there && (!line->flight.filled || cycle <= line->flight.when);
}

/* The ways of a set for what is decided before request `from` of those that are not known to be. */
static struct view set_view(const struct l1d_env *e, unsigned set, unsigned from, uint64_t cycle) {
  const struct hd_derived *d = &e->p.c->d;
  struct view v = {.own = NO_WAY};
  for (unsigned w = 0; w < d->WAYS; w++) {
    const struct place *p = place_at(e, set, w);
    const uint64_t bit = UINT64_C(1) << w;
    if (p->unknown) {
      v.reserved |= bit;
      v.unknown |= bit;
    } else if (p->line && d->ON_MISS && is_in_flight(p->line, cycle)) {
      v.reserved |= bit;
    } else if (p->line && !p->dead && stores_before(e, p->line, from) == p->stores) {
      v.valid |= bit;
    }
  }
  return v;
}

/* As that request sees them. */
static struct view view_of(const struct l1d_env *e, unsigned at, uint64_t cycle) {
  const struct hd_derived *d = &e->p.c->d;
  const struct line *line = e->trial[at].line;
  struct view v = set_view(e, line->set, at + 1, cycle);
  for (unsigned w = 0; w < d->WAYS; w++)
    if ((v.valid | (v.reserved & ~v.unknown)) >> w & 1 && place_at(e, line->set, w)->line == line)
      v.own = (int)w;
  v.flies = is_in_flight(line, cycle);
  v.joins = v.flies && !line->flight.dead && line->flight.stores == stores_before(e, line, at + 1) &&
            line->flight.merged < d->MERGE;
  v.perhaps =
      v.flies ? line->flight.unsure : line->prefetches && v.own == NO_WAY && (!d->ON_MISS || v.unknown);
  return v;
}

/* --- the joining rule ------------------------------------------------------------------------------------ */

static bool is_early(const struct l1d_env *e, const struct req *r, const struct moment *m) {
  return (m->bypass || r->byp || e->p.c->d.BYP_ALL) && !m->keep;
}

/* A load that lacks a line, an MSHR, or a place to merge. */
static unsigned lacking(const struct l1d_env *e, bool line, const struct moment *m) {
  const enum hd_bypass stall = e->p.c->request_buffer.bypass;
  const bool past =
      stall == HD_BYPASS_ALL || (line && (stall == HD_BYPASS_ASSOC || (m->lack_line && !m->keep)));
  return (past ? PASSED : 0U) | (m->again ? LEFT : 0U);
}

/* What may become of a load that is decided in a moment like that; 0: it waits. A load that lacks a place in the miss
 * queue or a bypass slot may leave; whether there is one is not known here. */
static unsigned may_become(const struct l1d_env *e, const struct trial *t, const struct view *v,
                           const struct moment *m, uint64_t pins) {
  const struct hd_derived *d = &e->p.c->d;
  const unsigned left = m->again ? LEFT : 0;
  const bool early = is_early(e, &t->r, m), there = v->own != NO_WAY && v->valid >> v->own & 1;
  const unsigned waiting = e->waiting + m->filled; /* what comes in this cycle waits to its end */
  const bool full = waiting + m->answering >= d->MSHRS || (d->PREF && !d->ON_MISS); /* perhaps */
  if (there)
    return d->FORWARD && early ? FORWARDED | left : SERVED;
  if (v->perhaps) {
    const struct view not = {v->valid, v->reserved, v->unknown, NO_WAY, false, false, false};
    return MERGED | (early ? PASSED | left : lacking(e, false, m)) |
           (v->flies ? 0 : may_become(e, t, &not, m, pins));
  }
  if (v->joins)
    return MERGED;
  if (early)
    return PASSED | left;
  if (v->flies)
    return lacking(e, false, m);
  if (pins && (v->reserved | (v->valid & pins)) == all_ways(d))
    return PASSED | left;
  if (v->reserved == all_ways(d))
    return lacking(e, true, m);
  if (m->hold && !m->keep)
    return 0;
  if (m->refuse && !m->keep)
    return PASSED | left;
  unsigned may = full ? lacking(e, false, m) : 0;
  if (waiting < d->MSHRS)
    may |= MISSED | left;
  return may;
}

/* The victim, of the ways that may give way: NULL, or what is wrong with it. `some`, `all`: those that may be pinned, and
 * those that are. */
static const char *judge_victim(const struct l1d_env *e, unsigned set, const struct view *v, uint64_t at,
                                uint64_t free, uint64_t some, uint64_t all) {
  const struct hd_derived *d = &e->p.c->d;
  const uint64_t empty = all_ways(d) & ~v->valid & ~v->reserved;
  if (empty)
    return at == (empty & (~empty + 1)) ? NULL : "takes a way that is not the lowest empty one";
  if (!(at & v->valid & free & ~all))
    return at & v->reserved ? "takes a way that is reserved"
           : at & ~free     ? "takes a way that is not one of those among which it may"
                            : "takes a way that is pinned";
  for (unsigned w = 0; w < d->WAYS; w++)
    if ((v->valid & free & ~some) >> w & 1 && place_at(e, set, w)->used < place_at(e, set, lowest(at))->used)
      return "takes a way that was used after another that it may take";
  return NULL;
}

/* What is told of the line that gives way: NULL, or what is wrong with it. */
static const char *judge_evict(const struct l1d_env *e, unsigned set, const struct view *v,
                               const struct l1d_out *out) {
  const bool evicts = v->valid & out->told_at && !place_at(e, set, lowest(out->told_at))->fresh;
  if (!e->p.c->d.TOLD_EVICT || out->told_evict == evicts)
    return NULL;
  return evicts ? "is not said to replace a load's line, and one was there"
                : "is said to replace a load's line, and none was there";
}

/* A line, or one that is not known yet, takes a way. */
static void put(struct l1d_env *e, struct place *p, struct line *line, int64_t stores, bool fresh) {
  if (p->line)
    p->line->place = NULL;
  if (line && line->place)
    *line->place = (struct place){.line = NULL};
  *p = (struct place){.line = line, .unknown = !line, .fresh = fresh, .stores = stores, .used = ++e->stamp};
  if (line)
    line->place = p;
}

/* A line that was prefetched becomes known. */
static void identify(struct place *p, struct line *line, int64_t stores) {
  if (line->place)
    *line->place = (struct place){.line = NULL};
  p->line = line;
  p->unknown = false;
  p->stores = stores;
  line->place = p;
  line->flight.dead = p->dead;
}

static void fly(struct l1d_env *e, struct line *line, int64_t stores, unsigned merged, uint64_t hpc) {
  line->flight.there = true;
  line->flight.filled = line->flight.dead = line->flight.unsure = false;
  line->flight.fresh = merged == 0;
  line->flight.stores = stores;
  line->flight.merged = merged;
  line->flight.hpc = hpc;
  e->waiting++;
}

/* --- told all: what becomes of the oldest load ------------------------------------------------------------ */

static unsigned fate_of(const struct hd_derived *d, const struct l1d_out *out) {
  if (!out->told_load)
    return LEFT;
  if (out->told_hit)
    return !d->TOLD_PAST ? SERVED | FORWARDED : out->told_past ? FORWARDED : SERVED;
  if (out->told_merge)
    return MERGED;
  if (d->ON_MISS)
    return out->told_take ? MISSED : PASSED;
  return !d->TOLD_PAST ? MISSED | PASSED : out->told_past ? PASSED : MISSED;
}

static bool names_fate(struct l1d_env *e, const struct trial *t, unsigned is, unsigned may) {
  static const char *const words[] = {"hits and is served", "hits and goes on uncached", "merges", "misses",
                                      "goes on uncached",   "is to come again"};
  char text[2][160] = {"", ""};
  for (unsigned i = 0; i < 6; i++)
    for (unsigned k = 0; k < 2; k++)
      if ((k ? may : is) >> i & 1)
        snprintf(text[k] + strlen(text[k]), sizeof text[k] - strlen(text[k]), "%s%s", *text[k] ? ", or " : "",
                 words[i]);
  return hd_fail(&e->p.env, "the %s %s, by what is told; by the joining rule it %s", hd_req_words(&t->r).text,
                 text[0], *text[1] ? text[1] : "waits");
}

static void settle(struct record *rec, bool cacheable, bool past) {
  rec->line->cached += (unsigned)cacheable - rec->cacheable;
  rec->cacheable = cacheable;
  rec->may_go = rec->must_go = past;
}

/* A load merges. Its line may be one that was prefetched, of which that is the first sign. */
static const char *merges(struct l1d_env *e, const struct trial *t, const struct view *v,
                          const struct l1d_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  struct line *line = t->line;
  if (d->ON_MISS && !v->flies) {
    if (!(out->told_at & v->unknown))
      return "is told of with another way than its line is in";
    fly(e, line, t->stores, 0, 0);
    e->waiting--; /* that an MSHR was taken is known */
    identify(place_at(e, line->set, lowest(out->told_at)), line, t->stores);
  } else if (!v->flies) {
    fly(e, line, t->stores, 0, 0);
  }
  const bool adopts = d->ON_MISS && line->flight.fresh;
  if (out->told_take != adopts)
    return adopts ? "is not said to adopt a line that no load has asked for"
                  : "is said to adopt a line that it does not";
  if (d->TOLD_NTH && v->flies && !line->flight.unsure && out->told_nth != line->flight.merged)
    return "is told of with another number of loads before it";
  if (d->ON_MISS) {
    line->place->used = ++e->stamp;
    line->place->fresh = false;
  }
  if (line->flight.merged++ == 0)
    line->flight.hpc = t->r.hpc;
  line->flight.fresh = false;
  return NULL;
}

/* A load misses; with on_miss it takes a way. */
static const char *misses(struct l1d_env *e, const struct trial *t, const struct view *v,
                          const struct l1d_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  const struct moment *m = &e->before;
  struct line *line = t->line;
  const uint64_t free = d->HOLD && !m->keep ? m->among : all_ways(d);
  const char *wrong = d->ON_MISS ? judge_victim(e, line->set, v, out->told_at, free, t->some, t->all) : NULL;
  if (!wrong && d->ON_MISS)
    wrong = judge_evict(e, line->set, v, out);
  if (wrong)
    return wrong;
  if (d->ON_MISS)
    put(e, place_at(e, line->set, lowest(out->told_at)), line, t->stores, false);
  fly(e, line, t->stores, 1, t->r.hpc);
  line->owed++;
  return NULL;
}

/* A load hits: its line may have been prefetched, and is adopted by the first that is served. */
static const char *hits(struct l1d_env *e, struct place *p, bool served, const struct l1d_out *out) {
  const bool adopts = served && p->fresh;
  if (out->told_take != adopts)
    return adopts ? "is not said to adopt a line that no load has asked for"
                  : "is said to adopt a line that it does not";
  p->fresh &= !served;
  if (served)
    p->used = ++e->stamp;
  return NULL;
}

static bool judge_fate(struct l1d_env *e, unsigned number, const struct l1d_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  const struct trial *t = &e->trial[number];
  struct record *rec = hd_l1d_record(e, t->r.wid, t->r.slot, t->r.num);
  const struct view v = view_of(e, number, e->p.cycle - 1);
  const unsigned may = may_become(e, t, &v, &e->before, t->some) | may_become(e, t, &v, &e->before, t->all);
  const unsigned is = fate_of(d, out), fate = is & may;
  const bool past = fate == PASSED || fate == FORWARDED, hit = fate == SERVED || fate == FORWARDED;
  const bool in_own = hit || (d->ON_MISS && fate == MERGED && v.flies),
             any = d->ON_MISS && fate & (MERGED | MISSED);
  const char *wrong = NULL;
  if (!fate)
    return names_fate(e, t, is, may);
  if (d->DECIDE_LINES && (e->before.decide_lines != v.valid || e->before.decide_reserved != v.reserved))
    wrong = "is decided with other valid or reserved ways of its set than there are";
  else if (d->DECIDE_LINES && d->PINS &&
           ((t->all & ~e->before.decide_pins) || (e->before.decide_pins & ~t->some)))
    wrong = "is decided with other pinned ways than there were";
  else if ((d->TOLD_PAST && out->told_past != past) || (out->told_hit && !hit) ||
           (out->told_merge && fate != MERGED) ||
           (d->TOLD_WRITE && out->told_write != (d->ON_MISS && fate == MISSED)) ||
           (out->told_take && (fate & (PASSED | LEFT) || (fate == MISSED && !d->ON_MISS))) ||
           (d->TOOK_HPC && out->told_take && out->took.hpc != t->r.hpc))
    wrong = "is told of in ways that exclude each other, or took a line with another hash than its own";
  else if ((in_own || !any) && out->told_at != (in_own ? UINT64_C(1) << v.own : 0))
    wrong = "is told of with another way than its line is in";
  else if (d->TOLD_EVICT && out->told_evict && fate != MISSED)
    wrong = "is said to replace a load's line, and takes none";
  else if (hit)
    wrong = hits(e, place_at(e, t->line->set, (unsigned)v.own), fate == SERVED, out);
  else if (fate == MERGED)
    wrong = merges(e, t, &v, out);
  else if (fate == MISSED)
    wrong = misses(e, t, &v, out);
  if (wrong)
    return hd_fail(&e->p.env, "the %s %s", hd_req_words(&t->r).text, wrong);
  e->queued += d->ON_MISS && (past || fate == MISSED);
  settle(rec, fate == MISSED, past);
  rec->sure = true;
  return true;
}

/* --- told all: what becomes of prefetches, and fills ------------------------------------------------------- */

/* A tag is written, and no load is decided. With on_miss a prefetch misses, of a line that is not known yet; with on_fill
 * a fill enters the cache and stays. Stores to lines of the set that are not known to be decided may have been, or not. */
static const char *judge_write(struct l1d_env *e, const struct l1d_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  const unsigned set = (unsigned)out->told_set;
  const struct view v = set_view(e, set, 0, e->p.cycle - 1);
  struct line *line = d->ON_MISS ? NULL : e->filling;
  struct place *p = place_at(e, set, lowest(out->told_at));
  const char *wrong = NULL;
  bool sure = !(d->PINS && d->ON_MISS);
  for (unsigned i = 0; i < e->n_trials; i++)
    sure &= !(e->trial[i].r.write && e->trial[i].line->set == set);
  if (!d->ON_MISS) {
    if (!line || line->flight.when + 2 != e->p.cycle || line->set != set)
      return "a tag was written, and no fill to that set is";
    if (!line->flight.unsure && (line->flight.dead || stores_before(e, line, 0) > line->flight.stores))
      return "a fill stays that was to answer its loads alone";
    if (!line->flight.unsure && out->told_take != (line->flight.merged > 0))
      return out->told_take ? "a fill for no load is said to be one for some"
                            : "a fill for loads is not said to be one";
    if (out->told_take && d->TOOK_HPC && out->took.hpc != line->flight.hpc)
      return "a fill is said to be for a load with another hash than that of its first";
    if (out->told_take && d->TOLD_NTH && !line->flight.unsure && out->told_nth + 1 != line->flight.merged)
      return "a fill is told of with another number of loads";
  }
  if (sure)
    wrong = judge_victim(e, set, &v, out->told_at, all_ways(d), 0, 0);
  if (sure && !wrong)
    wrong = judge_evict(e, set, &v, out);
  if (wrong)
    return wrong;
  put(e, p, line, line ? line->flight.stores : 0, line ? line->flight.merged == 0 : true);
  e->waiting += d->ON_MISS;
  e->queued += d->ON_MISS;
  return NULL;
}

/* No tag is written: a fill that enters the cache, with on_fill, is one that may not stay. */
static const char *judge_no_write(const struct l1d_env *e) {
  const struct line *line = e->filling;
  if (e->p.c->d.ON_MISS || !line || line->flight.when + 2 != e->p.cycle || line->flight.unsure ||
      line->flight.dead)
    return NULL;
  return line->stores > line->flight.stores ? NULL : "a fill does not stay, and is to";
}

/* The line that was prefetched is known as it is fetched: the first of those of its set whose line is not. Stores that are
 * sent before it were decided before it. */
const char *hd_l1d_hooks_fetch(struct l1d_env *e, struct line *line) {
  const struct hd_derived *d = &e->p.c->d;
  e->queued -= d->ON_MISS;
  if (line->owed || is_in_flight(line, e->p.cycle))
    return NULL;
  struct place *p = NULL;
  for (unsigned w = 0; d->ON_MISS && w < d->WAYS; w++) {
    struct place *other = place_at(e, line->set, w);
    if (other->unknown && (!p || other->used < p->used))
      p = other;
  }
  if (d->ON_MISS && !p)
    return "fetches a line that no load is said to have missed, nor a prefetch";
  fly(e, line, line->sent, 0, 0);
  if (!d->ON_MISS) {
    line->flight.dead = line->last < e->flushed;
    line->flight.unsure = line->first <= e->flushed && e->flushed <= line->last;
    return NULL;
  }
  e->waiting--; /* that an MSHR was taken is known */
  identify(p, line, line->sent);
  return NULL;
}

/* --- told less -------------------------------------------------------------------------------------------- */

/* What is known of the oldest load: NULL, or what is wrong with it. */
static const char *judge_some(struct l1d_env *e, const struct trial *t, const struct l1d_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  const struct moment *m = &e->before;
  struct record *rec = hd_l1d_record(e, t->r.wid, t->r.slot, t->r.num);
  const bool early = is_early(e, &t->r, m), hit = d->TOLD_HIT && out->told_hit;
  const bool merge = d->TOLD_MERGE && out->told_merge;
  if (!out->told_load)
    return m->again ? NULL : "is to come again, and nobody brings it";
  if (hit && merge)
    return "is told of in ways that exclude each other";
  if (hit && t->line->filled < t->stores)
    return "is said to hit what can't be there";
  rec->sure = hit || merge || (d->TOLD_HIT && d->TOLD_MERGE);
  const bool barred = d->PINS || e->p.c->request_buffer.bypass != HD_BYPASS_OFF ||
                      (d->LACK_LINE && m->lack_line && !m->keep) || (m->refuse && !m->hold && !m->keep);
  settle(rec, !early && !hit && !merge, false);
  rec->must_go = early && !merge && (d->FORWARD || (rec->sure && !hit));
  rec->may_go = merge ? false : hit ? d->FORWARD && early : early || barred;
  if (d->TOLD_PAST && out->told_past && !rec->may_go)
    return "is said to go on uncached, and nothing lets it";
  if (d->TOLD_PAST && !out->told_past && rec->must_go)
    return "is not said to go on uncached, and is to";
  return NULL;
}

/* --- what is told ----------------------------------------------------------------------------------------- */

static bool has_fields(const struct hd_derived *d, const struct req *r, const struct told *t) {
  return (!d->TOLD_LINE || t->line == r->line) && (!d->TOLD_WID || t->wid == r->wid) &&
         (!d->TOLD_FIRST || t->first == (r->num == 0)) && (!d->TOLD_TWO || t->two == (r->num < 2)) &&
         (!d->TOLD_LAST || t->last == r->last) && (!d->TOLD_GID || t->gid == r->gid) &&
         (!d->TOLD_PC || (t->pc == r->pc && t->low == r->low)) && (!d->TOLD_HPC || t->hpc == r->hpc) &&
         (!d->TOLD_LID || (t->trk == r->trk && t->lid == r->lid));
}

static bool is_decided(const struct hd_derived *d, const struct trial *t, const struct moment *m) {
  const struct decide *r = &m->decide;
  return (!d->DECIDE_SET || m->decide_set == t->line->set) && (!d->DECIDE_WID || r->wid == t->r.wid) &&
         (!d->DECIDE_HPC || r->hpc == t->r.hpc) && (!d->DECIDE_LOC || r->loc == t->r.loc);
}

static bool is_looked_at(const struct hd_derived *d, const struct trial *t, const struct moment *m) {
  const struct look *r = &m->look;
  return (!d->LOOK_SET || m->look_set == t->line->set) && (!d->LOOK_WRITE || r->write == t->r.write) &&
         (!d->LOOK_WID || r->wid == t->r.wid) && (!d->LOOK_HPC || r->hpc == t->r.hpc) &&
         (!d->LOOK_LID || (r->trk == t->r.trk && r->lid == t->r.lid));
}

/* It may have left c in that cycle. */
static void look(struct trial *t, uint64_t pins) {
  t->all = t->looked ? t->all & pins : pins;
  t->some = t->looked ? t->some | pins : pins;
  t->looked = true;
}

/* The load is to come again: as if it had never come. */
static void give_back(struct l1d_env *e, const struct trial *t) {
  struct record *rec = hd_l1d_record(e, t->r.wid, t->r.slot, t->r.num);
  rec->state = AGAIN;
  settle(rec, true, false);
  hd_l1d_count(e, &t->r, t->line, -1);
  if (e->n_back == e->back_room) {
    e->back_room = 2 * e->back_room + 16;
    e->back = realloc(e->back, e->back_room * sizeof *e->back);
    if (!e->back)
      abort();
  }
  e->back[e->n_back++] = *t;
}

/* The next request moved to d as a load was decided, or finds d empty. */
static void follow(struct l1d_env *e) {
  const struct moment *m = &e->before;
  struct trial *next = &e->trial[0];
  if (e->n_trials == 0 || next->alone)
    return;
  next->looked = false;
  if (m->look_valid && is_looked_at(&e->p.c->d, next, m))
    look(next, m->pins);
  next->alone = !e->p.c->d.PREF;
}

/* A way was taken: for a request that moved to d in that cycle it is pinned as said then, or, by a prefetch, not. */
static void repin(struct l1d_env *e, uint64_t set, uint64_t ways, bool pins) {
  for (struct trial *t = e->trial; t < e->trial + e->n_trials; t++) {
    const bool sure = t == e->trial && t->alone; /* it moved in that cycle */
    if (!t->looked || t->line->set != set)
      continue;
    t->all = pins && sure ? t->all | ways : t->all & ~ways;
    t->some = pins ? t->some | ways : sure ? t->some & ~ways : t->some;
  }
}

/* The oldest load is told of, and with it all before it are decided. */
static bool judge_oldest(struct l1d_env *e, const struct l1d_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  unsigned at = 0;
  while (at < e->n_trials && e->trial[at].r.write)
    at++;
  if (at == e->n_trials)
    return hd_fail(&e->p.env, "a load is told of, and none is inside of which nothing was told");
  const struct trial *t = &e->trial[at];
  const char *wrong =
      !has_fields(d, &t->r, &out->told)                         ? "is told of with other fields than it has"
      : d->TOLD_AT && out->told_set != t->line->set             ? "is told of with another set than its own"
      : !is_decided(d, t, &e->before)                           ? "is decided with other fields than it has"
      : d->LOOK_VALID && !t->looked                             ? "was never looked at"
      : e->filling && e->filling->flight.when + 2 == e->p.cycle ? "is decided as a fill enters the cache"
      : e->told_all                                             ? NULL
                                                                : judge_some(e, t, out);
  if (wrong)
    return hd_fail(&e->p.env, "the oldest load of which nothing was told, %s, %s", hd_req_words(&t->r).text,
                   wrong);
  if (e->told_all && !judge_fate(e, at, out))
    return false;
  const unsigned set = t->line->set;
  hd_l1d_record(e, t->r.wid, t->r.slot, t->r.num)->untold = false;
  if (!out->told_load)
    give_back(e, t);
  e->n_trials -= at + 1;
  memmove(&e->trial[0], t + 1, e->n_trials * sizeof *t);
  follow(e);
  if (e->told_all && out->told_take)
    repin(e, set, out->told_at, e->before.pin_new);
  e->waited = 0;
  e->p.env.checked++;
  return true;
}

/* What is told with no load: a prefetch that misses, or a fill. */
static const char *judge_quiet(struct l1d_env *e, const struct l1d_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  const bool take = d->TOLD_TAKE && out->told_take;
  if ((d->TOLD_HIT && out->told_hit) || (d->TOLD_MERGE && out->told_merge) ||
      (d->TOLD_PAST && out->told_past))
    return "what became of a load is told, and none is";
  if (d->ON_MISS && take)
    return "that a load took a line is told, and none is";
  const bool write = d->TOLD_WRITE ? out->told_write : take || (d->TOLD_EVICT && out->told_evict);
  if (write && d->ON_MISS && !d->PREF)
    return "that a tag was written is told, and no load is";
  const char *wrong = !e->told_all ? NULL : write ? judge_write(e, out) : judge_no_write(e);
  if (!wrong && e->told_all && write && d->ON_MISS)
    repin(e, out->told_set, out->told_at, false);
  return wrong;
}

/* What holds of TOLD in any case. */
static const char *judge_bits(struct l1d_env *e, const struct l1d_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  if (d->TOLD_TRIED && out->told_load && !out->told_tried)
    return "a load was done, and was not tried";
  const bool write = (d->TOLD_WRITE && out->told_write) || (d->TOLD_EVICT && out->told_evict);
  const bool one = out->told_at && !(out->told_at & (out->told_at - 1));
  if (d->TOLD_AT && (write || (d->TOLD_TAKE && out->told_take)) && !one)
    return "a tag was written, or a line taken, and not in one way";
  if (d->TOLD_EVICT && out->told_evict && ++e->evictions > e->fills)
    return "a line was replaced more often than one came";
  if (d->TOLD_EVICT && d->TOLD_WRITE && out->told_evict && !out->told_write)
    return "a line was replaced, and no tag was written";
  return NULL;
}

bool hd_l1d_judge_told(struct l1d_env *e, const struct l1d_in *in, const struct l1d_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  (void)in;
  if (!d->TOLD_LOAD)
    return true;
  const bool load = d->TOLD_TRIED ? out->told_tried : out->told_load;
  const char *wrong = judge_bits(e, out);
  if (!wrong && !load)
    wrong = judge_quiet(e, out);
  if (wrong)
    return hd_fail(&e->p.env, "told: %s", wrong);
  return !load || judge_oldest(e, out);
}

/* --- every cycle ------------------------------------------------------------------------------------------ */

static struct moment moment_of(const struct l1d_in *in, const struct l1d_out *out) {
  return (struct moment){.bypass = in->advice_bypass,
                         .keep = in->advice_keep,
                         .hold = in->hold,
                         .refuse = in->hold_refuse,
                         .lack_line = in->lack_line,
                         .again = in->lack_again,
                         .among = in->hold_among,
                         .pins = in->pins,
                         .pin_new = in->pin_new,
                         .answering = !out->mrsp_ready,
                         .filled = in->mrsp_valid && out->mrsp_ready && in->mrsp.kind == HD_FILL,
                         .look_valid = out->look_valid,
                         .look_set = out->look_set,
                         .decide_set = out->decide_set,
                         .decide_lines = out->decide_lines,
                         .decide_reserved = out->decide_reserved,
                         .decide_pins = out->decide_pins,
                         .look = out->look,
                         .decide = out->decide};
}

/* Somebody is looked at: false if nobody is inside who looks like that. */
static bool judge_look(struct l1d_env *e) {
  const struct hd_derived *d = &e->p.c->d;
  bool found = d->PREF;
  for (struct trial *t = e->trial; t < e->trial + e->n_trials; t++)
    if (is_looked_at(d, t, &e->now)) {
      found = true;
      if (!t->looked || !t->alone)
        look(t, e->now.pins);
    }
  return found ||
         hd_fail(&e->p.env, "look_valid is 1, and no request inside that is not decided looks like that");
}

/* Cycles in which any load gets through to the response or memory port if nothing keeps it: all earlier answers
 * and requests leave. */
static unsigned patience(const struct hd_derived *d) {
  return 16 + d->MQ + d->MERGE;
}

static bool judge_wait(struct l1d_env *e, const struct l1d_in *in) {
  const struct hd_derived *d = &e->p.c->d;
  const struct trial *t = e->trial;
  const bool open =
      in->resp_ready && in->mreq_ready && !in->mrsp_valid && !in->flush && (!d->BYPS || e->away < d->BYPS);
  bool goes = false;
  if (e->told_all && open && e->n_trials && !t->r.write) {
    const struct view v = view_of(e, 0, e->p.cycle);
    goes = !v.perhaps && may_become(e, t, &v, &e->now, t->all) != 0 && !e->now.answering;
  }
  e->waited = goes ? e->waited + 1 : 0;
  return e->waited < patience(d) ||
         hd_fail(&e->p.env, "the %s waits, and nothing keeps it", hd_req_words(&t->r).text);
}

/* The lines that LINES shows, of which no store is on its way; the tag that was written; and what is free. */
static const char *judge_lines(const struct l1d_env *e, const struct l1d_in *in, const struct l1d_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  const unsigned n_mshrs = (unsigned)__builtin_popcountll(e->mshrs);
  if (out->lines_free && n_mshrs == d->MSHRS)
    return "an MSHR is said to be free, and all wait for the memory";
  if (!out->lines_free && e->inside == 0 && e->silent >= SILENCE)
    return "no MSHR is said to be free, and nothing is inside";
  if (!out->lines_room && !out->mreq_valid)
    return "the miss queue is said to be full, and nothing is at the memory port";
  const bool load = out->mreq_valid && out->mreq.kind != HD_STORE; /* it has left the queue */
  if (out->lines_room && e->queued + (load && in->mreq_ready) >= d->MQ + load)
    return "the miss queue is said to have room, and more wait than fit";
  if (d->TOLD_WRITE && out->told_write) {
    const uint64_t valid = out->lines_valid[out->told_set],
                   there = d->ON_MISS ? out->lines_reserved[out->told_set] : valid;
    if (~there & out->told_at || (d->ON_MISS && valid & out->told_at))
      return "a tag was written, and its way does not show that";
  }
  for (unsigned i = 0; e->told_all && i < d->SETS * d->WAYS; i++) {
    const struct place *p = &e->places[i];
    const bool valid = out->lines_valid[i / d->WAYS] >> i % d->WAYS & 1;
    const bool reserved = d->ON_MISS && out->lines_reserved[i / d->WAYS] >> i % d->WAYS & 1;
    const bool flies = p->unknown || (d->ON_MISS && p->line && p->line->flight.there &&
                                      (!p->line->flight.filled || e->p.cycle <= p->line->flight.when + 1));
    if (reserved != flies || (valid && (flies || !p->line)))
      return "a way is said to be valid or reserved, and is not, or the other way round";
  }
  return NULL;
}

bool hd_l1d_judge_hooks(struct l1d_env *e, const struct l1d_in *in, const struct l1d_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  e->now = moment_of(in, out);
  if (e->now.bypass && !e->now.keep)
    e->advised = e->p.cycle + 1;
  if (d->TOLD_LOAD && e->now.look_valid && !judge_look(e))
    return false;
  const char *wrong = d->LINES ? judge_lines(e, in, out) : NULL;
  if (wrong)
    return hd_fail(&e->p.env, "%s", wrong);
  if (!judge_wait(e, in))
    return false;
  e->before = e->now;
  return true;
}

void hd_l1d_hooks_take(struct l1d_env *e, const struct req *r, struct line *line) {
  if (!e->p.c->d.TOLD_LOAD)
    return;
  while (e->n_trials >= PIPELINE && e->trial[0].r.write) /* it is decided */
    memmove(&e->trial[0], &e->trial[1], --e->n_trials * sizeof *e->trial);
  if (e->n_trials < UNDECIDED)
    e->trial[e->n_trials] = (struct trial){
        .r = *r, .line = line, .stores = line->stores, .alone = e->n_trials == 0 && !e->p.c->d.PREF};
  e->n_trials += e->n_trials < UNDECIDED;
}

void hd_l1d_hooks_fill(struct l1d_env *e, struct line *line) {
  if (!e->told_all || !line->flight.there)
    return;
  line->flight.filled = true;
  line->flight.when = e->p.cycle;
  e->filling = line;
  e->waiting--;
}

/* What is valid goes; what is in flight does not stay, and with on_fill neither does a fill that is entering. */
void hd_l1d_hooks_flush(struct l1d_env *e) {
  e->flushed = e->p.cycle;
  for (struct place *p = e->places; e->told_all && p < e->places + e->p.c->d.SETS * e->p.c->d.WAYS; p++)
    p->dead = true;
  for (unsigned i = 0; e->told_all && i < e->n_lines; i++)
    e->pool[i].flight.dead = true;
}
