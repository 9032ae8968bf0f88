/* Checks the outcome of loads, prefetches and fills; see l1d_checker_load.h. */
#include "verif/l1d/l1d_checker_load.h"

#include <stdio.h>
#include <string.h>

static unsigned outcome_of(const struct hd_derived *d, const struct l1d_out *out) {
  if (!out->outcome_load)
    return LEFT;
  if (out->outcome_hit)
    return !d->OUTCOME_PAST ? SERVED | FORWARDED : out->outcome_past ? FORWARDED : SERVED;
  if (out->outcome_merge)
    return MERGED;
  if (d->ON_MISS)
    return out->outcome_take ? MISSED : PASSED;
  return !d->OUTCOME_PAST ? MISSED | PASSED : out->outcome_past ? PASSED : MISSED;
}

static bool fail_outcome(struct l1d_env *e, const struct trial *t, unsigned is, unsigned may) {
  static const char *const words[] = {"hits and is served", "hits and goes on uncached", "merges", "misses",
                                      "goes on uncached",   "is to come again"};
  char text[2][160] = {"", ""};
  for (unsigned i = 0; i < 6; i++)
    for (unsigned k = 0; k < 2; k++)
      if ((k ? may : is) >> i & 1)
        snprintf(text[k] + strlen(text[k]), sizeof text[k] - strlen(text[k]), "%s%s", *text[k] ? ", or " : "",
                 words[i]);
  return hd_fail(&e->p.env, "the %s %s, by OUTCOME; by the joining rule it %s", hd_req_words(&t->r).text,
                 text[0], *text[1] ? text[1] : "waits");
}

void hd_l1d_settle(struct record *rec, bool cacheable, bool past) {
  rec->line->cached += (unsigned)cacheable - rec->cacheable;
  rec->cacheable = cacheable;
  rec->may_go = rec->must_go = past;
}

/* A load merges. Its line may be a prefetched one that becomes known only now. Returns NULL, or the error. */
static const char *merges(struct l1d_env *e, const struct trial *t, const struct view *v,
                          const struct l1d_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  struct line *line = t->line;
  if (d->ON_MISS && !v->flies) {
    if (!(out->outcome_at & v->unknown))
      return "is reported with another way than its line is in";
    hd_l1d_fly(e, line, t->stores, NULL);
    e->waiting--; /* this MSHR was counted when the prefetch took its way */
    hd_l1d_identify(hd_l1d_place_at(e, line->set, hd_l1d_lowest(out->outcome_at)), line, t->stores);
  } else if (!v->flies) {
    hd_l1d_fly(e, line, t->stores, NULL);
  }
  const bool adopts = d->ON_MISS && line->flight.fresh;
  if (out->outcome_take != adopts)
    return adopts ? "is not said to adopt a line that no load has asked for"
                  : "is said to adopt a line that it does not";
  if (d->OUTCOME_NTH && v->flies && !line->flight.unsure && out->outcome_nth != line->flight.merged)
    return "is reported with another number of loads before it";
  if (d->ON_MISS) {
    line->place->used = ++e->stamp;
    line->place->fresh = false;
  }
  if (line->flight.merged++ == 0) {
    line->flight.hpc = t->r.hpc;
    line->flight.wid = t->r.wid;
    line->flight.pin = e->before.pin_new;
  }
  line->flight.fresh = false;
  return NULL;
}

/* A load misses; with on_miss it takes a way. Returns NULL, or the error. */
static const char *misses(struct l1d_env *e, const struct trial *t, const struct view *v,
                          const struct l1d_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  const struct moment *m = &e->before;
  struct line *line = t->line;
  const uint64_t free = d->HOLD && d->ON_MISS && !m->keep ? m->among : hd_l1d_all_ways(d);
  const char *wrong =
      d->ON_MISS ? hd_l1d_check_victim(e, line->set, v, out->outcome_at, free, t->some, t->all) : NULL;
  if (!wrong && d->ON_MISS)
    wrong = hd_l1d_check_evict(e, line->set, v, out);
  if (wrong)
    return wrong;
  if (d->ON_MISS)
    hd_l1d_put(e, hd_l1d_place_at(e, line->set, hd_l1d_lowest(out->outcome_at)), line, t->stores, false);
  hd_l1d_fly(e, line, t->stores, &t->r);
  line->flight.pin = m->pin_new;
  line->flight.among = m->hold_fill && !m->keep;
  line->owed++;
  return NULL;
}

/* A load hits. If its line was prefetched, the first load that is served adopts the line. Returns NULL, or the error. */
static const char *hits(struct l1d_env *e, struct place *p, bool served, const struct l1d_out *out) {
  const bool adopts = served && p->fresh;
  if (adopts && e->p.c->d.TOOK_PIN && out->took_pin != e->before.pin_new)
    return "adopts a line that is not pinned as it was said to be";
  if (out->outcome_take != adopts)
    return adopts ? "is not said to adopt a line that no load has asked for"
                  : "is said to adopt a line that it does not";
  p->fresh &= !served;
  if (served)
    p->used = ++e->stamp;
  return NULL;
}

/* Returns true if OUTCOME reports the right fields of the load that took a line. */
static bool took_ok(const struct hd_derived *d, const struct l1d_out *out, uint64_t hpc, uint64_t wid,
                    uint64_t line) {
  return (!d->TOOK_HPC || out->took.hpc == hpc) && (!d->TOOK_WID || out->took_wid == wid) &&
         (!d->TOOK_LINE || out->took_line == line);
}

bool hd_l1d_check_decided(struct l1d_env *e, unsigned number, const struct l1d_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  const struct trial *t = &e->trial[number];
  struct record *rec = hd_l1d_record(e, t->r.wid, t->r.slot, t->r.num);
  const struct view v = hd_l1d_view_of(e, number, e->p.cycle - 1);
  const unsigned may =
      hd_l1d_may_become(e, t, &v, &e->before, t->some) | hd_l1d_may_become(e, t, &v, &e->before, t->all);
  const unsigned is = outcome_of(d, out), outcome = is & may;
  const bool past = outcome == PASSED || outcome == FORWARDED,
             hit = outcome == SERVED || outcome == FORWARDED;
  const bool in_own = hit || (d->ON_MISS && outcome == MERGED && v.flies),
             any = d->ON_MISS && outcome & (MERGED | MISSED);
  const char *wrong = NULL;
  if (!outcome)
    return fail_outcome(e, t, is, may);
  if (d->DECIDE_LINES && (e->before.decide_lines != v.valid || e->before.decide_reserved != v.reserved))
    wrong = "is decided with other valid or reserved ways of its set than there are";
  else if (d->DECIDE_LINES && d->PINS &&
           ((t->all & ~e->before.decide_pins) || (e->before.decide_pins & ~t->some)))
    wrong = "is decided with other pinned ways than there were";
  else if ((d->OUTCOME_PAST && out->outcome_past != past) || (out->outcome_hit && !hit) ||
           (out->outcome_merge && outcome != MERGED) ||
           (d->OUTCOME_WRITE && out->outcome_write != (d->ON_MISS && outcome == MISSED)) ||
           (out->outcome_take && (outcome & (PASSED | LEFT) || (outcome == MISSED && !d->ON_MISS))) ||
           (out->outcome_take && !took_ok(d, out, t->r.hpc, t->r.wid, t->r.line)))
    wrong = "is reported in ways that exclude each other, or took a line with other fields than its own";
  else if ((in_own || !any) && out->outcome_at != (in_own ? UINT64_C(1) << v.own : 0))
    wrong = "is reported with another way than its line is in";
  else if (d->OUTCOME_EVICT && out->outcome_evict && outcome != MISSED)
    wrong = "is said to replace a load's line, and takes none";
  else if (hit)
    wrong = hits(e, hd_l1d_place_at(e, t->line->set, (unsigned)v.own), outcome == SERVED, out);
  else if (outcome == MERGED)
    wrong = merges(e, t, &v, out);
  else if (outcome == MISSED)
    wrong = misses(e, t, &v, out);
  if (wrong)
    return hd_fail(&e->p.env, "the %s %s", hd_req_words(&t->r).text, wrong);
  e->queued += d->ON_MISS && (past || outcome == MISSED);
  hd_l1d_settle(rec, outcome == MISSED, past);
  rec->sure = true;
  return true;
}

/* A tag is written, and no load is decided. With on_miss a prefetch misses; its line is not known yet. With on_fill a fill enters the cache
 * and stays. If a store to the set may be undecided, the victim is not checked. */
const char *hd_l1d_check_write(struct l1d_env *e, const struct l1d_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  const unsigned set = (unsigned)out->outcome_set;
  const struct view v = hd_l1d_set_view(e, set, 0, e->p.cycle - 1);
  struct line *line = d->ON_MISS ? NULL : e->filling;
  struct place *p = hd_l1d_place_at(e, set, hd_l1d_lowest(out->outcome_at));
  const char *wrong = NULL;
  bool sure = !(d->PINS && d->ON_MISS);
  for (unsigned i = 0; i < e->n_trials; i++)
    sure &= !(e->trial[i].r.write && e->trial[i].line->set == set);
  uint64_t pins = 0, free = hd_l1d_all_ways(d);
  if (!d->ON_MISS) {
    if (!line || line->flight.when + hd_l1d_fill_cycles(d) != e->p.cycle || line->set != set)
      return "a tag was written, and no fill to that set is";
    if (!line->flight.unsure && (line->flight.dead || hd_l1d_stores_before(e, line, 0) > line->flight.stores))
      return "a fill stays that was to answer its loads alone";
    if (!line->flight.unsure && out->outcome_take != (line->flight.merged > 0))
      return out->outcome_take ? "a fill for no load is said to be one for some"
                               : "a fill for loads is not said to be one";
    if (out->outcome_take && !took_ok(d, out, line->flight.hpc, line->flight.wid, line->addr))
      return "a fill is said to be for a load with other fields than those of its first";
    if (out->outcome_take && d->OUTCOME_NTH && !line->flight.unsure &&
        out->outcome_nth + 1 != line->flight.merged)
      return "a fill is reported with another number of loads";
    if (out->outcome_take && d->TOOK_PIN && !line->flight.unsure && out->took_pin != line->flight.pin)
      return "a fill is said to be pinned, and its first load was not to have it so, or the other way round";
    pins = d->PINS ? e->fill_pins : 0;
    free = d->HOLD && line->flight.among && e->fill_among & ~pins ? e->fill_among : free;
  }
  if (sure && d->FILL && v.valid == hd_l1d_all_ways(d) && pins == v.valid)
    return "a fill stays that finds every way pinned";
  if (sure)
    wrong = hd_l1d_check_victim(e, set, &v, out->outcome_at, free, pins, pins);
  if (sure && !wrong)
    wrong = hd_l1d_check_evict(e, set, &v, out);
  if (wrong)
    return wrong;
  hd_l1d_put(e, p, line, line ? line->flight.stores : 0, line ? line->flight.merged == 0 : true);
  e->waiting += d->ON_MISS;
  e->queued += d->ON_MISS;
  return NULL;
}

/* Returns true if every way of the set may be valid: no store that is surely decided has freed one. */
static bool may_be_full(const struct l1d_env *e, unsigned set) {
  for (unsigned w = 0; w < e->p.c->d.WAYS; w++) {
    const struct place *p = hd_l1d_place_at(e, set, w);
    if (!p->line || p->dead || p->stores < hd_l1d_stores_before(e, p->line, 0))
      return false;
  }
  return true;
}

/* No tag is written. With on_fill, a fill that enters the cache now must be one that does not stay. */
const char *hd_l1d_check_no_write(const struct l1d_env *e) {
  const struct hd_derived *d = &e->p.c->d;
  const struct line *line = e->filling;
  if (d->ON_MISS || !line || line->flight.when + hd_l1d_fill_cycles(d) != e->p.cycle || line->flight.unsure ||
      line->flight.dead)
    return NULL;
  if (d->PINS && e->fill_pins == hd_l1d_all_ways(d) && may_be_full(e, line->set))
    return NULL;
  return line->stores > line->flight.stores ? NULL : "a fill does not stay, and is to";
}

/* A prefetched line becomes known when it is fetched: its way is the oldest way of the set whose line is not known. Stores that were sent
 * before it were decided before it. */
const char *hd_l1d_hooks_fetch(struct l1d_env *e, struct line *line) {
  const struct hd_derived *d = &e->p.c->d;
  e->queued -= d->ON_MISS;
  if (line->owed || hd_l1d_in_flight(d, line, e->p.cycle))
    return NULL;
  struct place *p = NULL;
  for (unsigned w = 0; d->ON_MISS && w < d->WAYS; w++) {
    struct place *other = hd_l1d_place_at(e, line->set, w);
    if (other->unknown && (!p || other->used < p->used))
      p = other;
  }
  if (d->ON_MISS && !p)
    return "fetches a line that no load is said to have missed, nor a prefetch";
  hd_l1d_fly(e, line, line->sent, NULL);
  if (!d->ON_MISS) {
    line->flight.dead = line->last < e->flushed;
    line->flight.unsure = line->first <= e->flushed && e->flushed <= line->last;
    return NULL;
  }
  e->waiting--; /* this MSHR was counted when the prefetch took its way */
  hd_l1d_identify(p, line, line->sent);
  return NULL;
}

/* Not told all: checks the report of the oldest load. Returns NULL, or the error. */
const char *hd_l1d_check_some(struct l1d_env *e, const struct trial *t, const struct l1d_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  const struct moment *m = &e->before;
  struct record *rec = hd_l1d_record(e, t->r.wid, t->r.slot, t->r.num);
  const bool early = hd_l1d_is_early(e, &t->r, m), hit = d->OUTCOME_HIT && out->outcome_hit;
  const bool merge = d->OUTCOME_MERGE && out->outcome_merge;
  if (!out->outcome_load)
    return m->again ? NULL : "is to come again, and nobody brings it";
  if (hit && merge)
    return "is reported in ways that exclude each other";
  if (hit && t->line->filled < t->stores)
    return "is said to hit what can't be there";
  rec->sure = hit || merge || (d->OUTCOME_HIT && d->OUTCOME_MERGE);
  const bool barred = d->PINS || m->stalls || (d->LACK_LINE && m->lack_line && !m->keep) ||
                      (m->refuse && !m->hold && !m->keep);
  hd_l1d_settle(rec, !early && !hit && !merge, false);
  rec->must_go = early && !merge && (d->FORWARD || (rec->sure && !hit));
  rec->may_go = merge ? false : hit ? d->FORWARD && early : early || barred;
  if (d->OUTCOME_PAST && out->outcome_past && !rec->may_go)
    return "is said to go on uncached, and nothing lets it";
  if (d->OUTCOME_PAST && !out->outcome_past && rec->must_go)
    return "is not said to go on uncached, and is to";
  return NULL;
}
