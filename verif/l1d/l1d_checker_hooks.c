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
  uint64_t valid, reserved;
  int own; /* the way of its line, valid or reserved */
  struct place *place;
  bool joins; /* reserved: it can merge */
};

static uint64_t all_ways(const struct hd_derived *d) {
  return UINT64_MAX >> (64 - d->WAYS);
}

/* --- what each way holds --------------------------------------------------------------------------------- */

/* Stores to the line before that request. */
static int64_t stores_before(const struct l1d_env *e, const struct line *line, const struct trial *t) {
  int64_t n = line->stores;
  for (const struct trial *later = t + 1; later < e->trial + e->n_trials; later++)
    n -= later->r.write && later->line == line;
  return n;
}

static struct view view_of(struct l1d_env *e, const struct trial *t, uint64_t cycle) {
  const struct hd_derived *d = &e->p.c->d;
  struct view v = {.own = NO_WAY};
  for (unsigned w = 0; w < d->WAYS; w++) {
    struct place *p = &e->places[t->line->set * d->WAYS + w];
    if (!p->line)
      continue;
    const bool dead = p->dead || stores_before(e, p->line, t) != p->stores;
    const bool in_flight = !p->filled || cycle <= p->when;
    if (!in_flight && dead)
      continue;
    *(in_flight ? &v.reserved : &v.valid) |= UINT64_C(1) << w;
    if (p->line != t->line)
      continue;
    v.own = (int)w;
    v.place = p;
    v.joins = in_flight && !dead && p->merged < d->MERGE;
  }
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
  if (there)
    return d->FORWARD && early ? FORWARDED | left : SERVED;
  if (v->joins)
    return MERGED;
  if (early)
    return PASSED | left;
  if (v->own != NO_WAY)
    return lacking(e, false, m);
  if (pins && (v->reserved | (v->valid & pins)) == all_ways(d))
    return PASSED | left;
  if (v->reserved == all_ways(d))
    return lacking(e, true, m);
  if (m->hold && !m->keep)
    return 0;
  if (m->refuse && !m->keep)
    return PASSED | left;
  unsigned may = waiting + m->answering >= d->MSHRS ? lacking(e, false, m) : 0;
  if (waiting < d->MSHRS)
    may |= MISSED | left;
  return may;
}

/* The victim: NULL, or what is wrong with it. */
static const char *judge_victim(const struct l1d_env *e, const struct trial *t, const struct view *v,
                                uint64_t at) {
  const struct hd_derived *d = &e->p.c->d;
  const struct moment *m = &e->before;
  const uint64_t empty = all_ways(d) & ~v->valid & ~v->reserved;
  const bool choosy = d->HOLD && !m->keep;
  const uint64_t free = v->valid & (choosy ? m->among : all_ways(d));
  if (empty)
    return at == (empty & (~empty + 1)) ? NULL : "takes a way that is not the lowest empty one";
  if (!(at & free & ~t->all))
    return at & v->reserved ? "takes a way that is reserved"
           : at & ~free     ? "takes a way that is not one of those among which it may"
                            : "takes a way that is pinned";
  const struct place *set = &e->places[t->line->set * d->WAYS];
  unsigned taken = 0;
  while (!(at >> taken & 1))
    taken++;
  for (unsigned w = 0; w < d->WAYS; w++)
    if ((free & ~t->some) >> w & 1 && set[w].used < set[taken].used)
      return "takes a way that was used after another that it may take";
  return NULL;
}

/* --- told all: what becomes of the oldest load ------------------------------------------------------------ */

static unsigned fate_of(const struct hd_derived *d, const struct l1d_out *out) {
  if (!out->told_load)
    return LEFT;
  if (out->told_hit)
    return !d->TOLD_PAST ? SERVED | FORWARDED : out->told_past ? FORWARDED : SERVED;
  if (out->told_merge)
    return MERGED;
  return out->told_take ? MISSED : PASSED;
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

/* The load takes a way. */
static const char *takes(struct l1d_env *e, const struct trial *t, const struct view *v,
                         const struct l1d_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  const uint64_t at = out->told_at;
  const char *wrong = judge_victim(e, t, v, at);
  if (wrong)
    return wrong;
  if (d->TOLD_EVICT && out->told_evict != ((v->valid & at) != 0))
    return out->told_evict ? "is said to replace a line, and none was there"
                           : "is not said to replace a line, and one was there";
  if (d->TOOK_HPC && out->took.hpc != t->r.hpc)
    return "took a line with another hash than its own";
  unsigned w = 0;
  while (!(at >> w & 1))
    w++;
  struct place *p = &e->places[t->line->set * d->WAYS + w];
  if (p->line)
    p->line->place = NULL;
  if (t->line->place)
    t->line->place->line = NULL;
  *p = (struct place){.line = t->line, .stores = t->stores, .merged = 1, .used = ++e->stamp};
  t->line->place = p;
  t->line->owed++;
  e->waiting++;
  return NULL;
}

static void settle(struct record *rec, bool cacheable, bool past) {
  rec->line->cached += (unsigned)cacheable - rec->cacheable;
  rec->cacheable = cacheable;
  rec->may_go = rec->must_go = past;
}

static bool judge_fate(struct l1d_env *e, const struct trial *t, const struct l1d_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  struct record *rec = hd_l1d_record(e, t->r.wid, t->r.slot, t->r.num);
  const struct view v = view_of(e, t, e->p.cycle - 1);
  const unsigned may = may_become(e, t, &v, &e->before, t->some) | may_become(e, t, &v, &e->before, t->all);
  const unsigned is = fate_of(d, out), fate = is & may;
  const bool takes_way = fate == MISSED, past = fate == PASSED || fate == FORWARDED;
  const bool in_own = fate == SERVED || fate == FORWARDED || fate == MERGED;
  const char *wrong = NULL;
  if (!fate)
    return names_fate(e, t, is, may);
  if (d->DECIDE_LINES && (e->before.decide_lines != v.valid || e->before.decide_reserved != v.reserved))
    wrong = "is decided with other valid or reserved ways of its set than there are";
  else if (d->DECIDE_LINES && d->PINS &&
           ((t->all & ~e->before.decide_pins) || (e->before.decide_pins & ~t->some)))
    wrong = "is decided with other pinned ways than there were";
  else if ((d->TOLD_PAST && out->told_past != past) || out->told_take != takes_way ||
           (d->TOLD_WRITE && out->told_write != takes_way) || (out->told_merge && fate != MERGED))
    wrong = "is told of in ways that exclude each other";
  else if (takes_way)
    wrong = takes(e, t, &v, out);
  else if (out->told_at != (in_own ? UINT64_C(1) << v.own : 0))
    wrong = "is told of with another way than its line is in";
  else if (d->TOLD_EVICT && out->told_evict)
    wrong = "is said to replace a line, and takes none";
  if (wrong)
    return hd_fail(&e->p.env, "the %s %s", hd_req_words(&t->r).text, wrong);
  if (fate == SERVED || fate == MERGED)
    v.place->used = ++e->stamp;
  if (fate == MERGED)
    v.place->merged++;
  if (takes_way || past)
    e->queued++;
  settle(rec, takes_way, past);
  rec->sure = true;
  return true;
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

/* The next request moved to d as a load of that set was decided, whose way it may have taken; or finds d empty. */
static void follow(struct l1d_env *e, unsigned set, const struct l1d_out *out) {
  const struct moment *m = &e->before;
  struct trial *next = &e->trial[0];
  if (e->n_trials == 0 || next->alone)
    return;
  const uint64_t taken = e->told_all && out->told_take && next->line->set == set ? out->told_at : 0;
  next->looked = false;
  if (m->look_valid && is_looked_at(&e->p.c->d, next, m))
    look(next, (m->pins & ~taken) | (m->pin_new ? taken : 0));
  next->alone = !e->p.c->d.PREF;
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
  const char *wrong = !has_fields(d, &t->r, &out->told) ? "is told of with other fields than it has"
                      : d->TOLD_AT && d->ON_MISS && out->told_set != t->line->set
                          ? "is told of with another set than its own"
                      : !is_decided(d, t, &e->before) ? "is decided with other fields than it has"
                      : d->LOOK_VALID && !t->looked   ? "was never looked at"
                      : e->told_all                   ? NULL
                                                      : judge_some(e, t, out);
  if (wrong)
    return hd_fail(&e->p.env, "the oldest load of which nothing was told, %s, %s", hd_req_words(&t->r).text,
                   wrong);
  if (e->told_all && !judge_fate(e, t, out))
    return false;
  const unsigned set = t->line->set;
  hd_l1d_record(e, t->r.wid, t->r.slot, t->r.num)->untold = false;
  if (!out->told_load)
    give_back(e, t);
  e->n_trials -= at + 1;
  memmove(&e->trial[0], t + 1, e->n_trials * sizeof *t);
  follow(e, set, out);
  e->waited = 0;
  e->p.env.checked++;
  return true;
}

/* What is told with no load: a prefetch that misses, or a fill. */
static const char *judge_quiet(const struct l1d_env *e, const struct l1d_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  if ((d->TOLD_HIT && out->told_hit) || (d->TOLD_MERGE && out->told_merge) ||
      (d->TOLD_PAST && out->told_past))
    return "what became of a load is told, and none is";
  if (d->ON_MISS && d->TOLD_TAKE && out->told_take)
    return "that a load took a line is told, and none is";
  if (d->TOLD_WRITE && out->told_write && d->ON_MISS && !d->PREF)
    return "that a tag was written is told, and no load is";
  return NULL;
}

/* What holds of TOLD in any case. */
static const char *judge_bits(struct l1d_env *e, const struct l1d_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  if (d->TOLD_TRIED && out->told_load && !out->told_tried)
    return "a load was done, and was not tried";
  if (d->TOLD_WRITE && out->told_write && (!out->told_at || (out->told_at & (out->told_at - 1))))
    return "a tag was written, and not in one way";
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
    const struct view v = view_of(e, t, e->p.cycle);
    goes = may_become(e, t, &v, &e->now, t->all) != 0 && !e->now.answering;
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
    const bool reserved = out->lines_reserved[i / d->WAYS] >> i % d->WAYS & 1;
    if (!p->line                                  ? valid || reserved
        : !p->filled || e->p.cycle <= p->when + 1 ? valid || !reserved
                                                  : reserved)
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
  if (!e->told_all || !line->place)
    return;
  line->place->filled = true;
  line->place->when = e->p.cycle;
  e->waiting--;
}

void hd_l1d_hooks_flush(struct l1d_env *e) {
  for (unsigned i = 0; e->told_all && i < e->p.c->d.SETS * e->p.c->d.WAYS; i++) {
    struct place *p = &e->places[i];
    if (!p->line)
      continue;
    p->line->place = NULL;
    p->line = NULL;
  }
}
