/* The stimulus of `l1d`: requests, prefetches, a memory, and the answers of the hooks. The checks are in l1d_checker.h.
 *
 * The lines come from a pool of a few sets with many lines each. A mood picks a part of the pool: one set, one line, few lines, all. If a
 * miss fetches a sector, a "line" here and in the checker is a sector; sectors of one address share a way.
 * The memory answers after random times. Answers to one line keep the order of the requests; others come in any order.
 * (warp, slot, number) names a request; as in the SM, one request at a time has a name.
 * A flush comes when no request is inside, but prefetches may be. Then another writer changes the memory.
 * The hooks' answers are random, drawn anew in every cycle or constant for long; but one way at least may be chosen
 * (docs/mechanisms/hooks.md). A load that was given back is offered again, sooner or later, among other requests.
 */
#include "verif/l1d/l1d_checker.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_SETS = 32 };

/* Returns a line address whose index is `set`, by the definition of the index (docs/mechanisms/l1d.md). */
static uint64_t line_in(const struct hd_config *c, unsigned set, uint64_t upper) {
  const uint64_t low = c->d.SETS - 1, line = upper & ~low;
  if (c->l1d.set_index == HD_INDEX_LINEAR)
    return line | set;
  if (c->l1d.set_index == HD_INDEX_XOR)
    return line | (set ^ (line >> c->d.SET_W & low));
  const uint64_t upset = line | set; /* the bits above the low five; bit 5 too if it is part of the set */
  const uint64_t fold =
      (upset >> 6 & 3) | (upset >> 8 & 1) << 2 | (upset >> 10 & 1) << 3 | (upset >> 12 & 1) << 4;
  return upset ^ fold;
}

static bool make_pool(struct l1d_env *e) {
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  const unsigned want = d->MSHRS + 4 < MIN_SETS ? MIN_SETS : d->MSHRS + 4;
  const unsigned sets = d->SETS < want ? d->SETS : want, some = hd_below(p, d->SETS);
  e->of_set = 4 * d->WAYS + d->MSHRS / sets + 4;
  e->pool = calloc((size_t)sets * e->of_set, sizeof *e->pool);
  for (unsigned i = 0; e->pool && i < sets * e->of_set; i++) {
    const unsigned set = (some + i / e->of_set) % d->SETS;
    struct line *line = &e->pool[e->n_lines], *same;
    uint64_t upper = hd_bits(p, d->LINE_W); /* or, below, one bit different from the last line's */
    if (e->n_lines && hd_below(p, 2))
      upper = e->pool[e->n_lines - 1].addr ^ UINT64_C(1) << hd_below(p, d->LINE_W);
    line->addr = line_in(p->c, set, upper);
    if (d->SECTOR_FILL && e->n_lines && e->pool[e->n_lines - 1].set == set && hd_below(p, 2))
      line->addr = e->pool[e->n_lines - 1].addr; /* another sector of that line */
    line->sectors = hd_sectors_draw(p) * d->SECTOR_FILL;
    line->unit = hd_unit(d, line->addr, line->sectors);
    HASH_FIND(hh, e->by_unit, &line->unit, sizeof line->unit, same);
    if (same) /* with few upper bits the pool is smaller */
      continue;
    for (unsigned w = 0; w < d->WORDS; w++)
      line->now[w] = line->memory[w] = hd_bits(p, 64);
    line->filled = NEVER;
    line->set = set;
    HASH_ADD(hh, e->by_unit, unit, sizeof line->unit, line);
    e->n_lines++;
  }
  return e->pool;
}

/* Draws the mood of the hooks' answers. Now and then all ways are pinned, and loads of many different lines of one set come. */
static void new_answers(struct l1d_env *e) {
  struct hd_env_base *p = &e->p;
  e->m.bypass = hd_below(p, 2) ? hd_density(p, false) : 0;
  e->m.keep = hd_below(p, 2) ? hd_density(p, false) : 0;
  e->m.hold = hd_below(p, 2) ? hd_density(p, false) : 0;
  e->m.refuse = hd_below(p, 2) ? hd_density(p, false) : 0;
  e->m.choosy = hd_density(p, false);
  e->m.lack = hd_density(p, false);
  e->m.stalls = p->c->d.LACK_BYPASS ? hd_density(p, false) : 0;
  e->m.again = hd_below(p, 4) ? HD_ALWAYS : hd_density(p, false);
  e->m.back = hd_density(p, true);
  e->m.pin = hd_below(p, 6) ? (unsigned)hd_below(p, 3) : PIN_ANY;
  e->m.pin_new = hd_density(p, false);
  e->m.change = hd_below(p, 2) ? hd_below(p, 2) : hd_density(p, false);
  if (!p->c->d.PINS || hd_below(p, 8))
    return;
  e->m.pin = PIN_ALL;
  e->m.bypass = e->m.hold = e->m.refuse = e->m.stores = 0;
  e->m.first -= e->m.first % e->of_set;
  e->m.lines = e->of_set;
  e->m.send = HD_ALWAYS;
}

static void new_mood(struct l1d_env *e) {
  struct hd_env_base *p = &e->p;
  const unsigned lines[] = {1, 2, p->c->d.WAYS + 1, 2 * p->c->d.WAYS, e->of_set, e->n_lines, e->n_lines};
  e->flushing = hd_below(p, 4) == 0;
  e->m.offer = hd_density(p, true);
  e->m.stores = hd_below(p, 2) ? 32 : hd_density(p, false);
  e->m.accept = hd_below(p, 2) ? HD_ALWAYS : hd_density(p, false);
  e->m.send = hd_below(p, 2) ? HD_ALWAYS : hd_density(p, false);
  e->m.answer = hd_density(p, false);
  e->m.newest = hd_below(p, 4) == 0;
  e->m.first = hd_below(p, e->n_lines);
  if (hd_below(p, 2))
    e->m.first -= e->m.first % e->of_set;
  e->m.sweep = hd_below(p, 4) == 0;
  e->m.step = hd_below(p, 2) ? e->of_set : 1;
  e->m.lines = lines[hd_below(p, sizeof lines / sizeof lines[0])];
  e->m.warps = hd_below(p, 4) ? p->c->d.WARPS : 1 + hd_below(p, 4);
  if (p->c->d.PREF)
    e->m.prefetch = hd_density(p, false);
  e->m.byp = hd_density(p, false);
  new_answers(e);
}

/* Returns a line from the mood's part of the pool. */
static struct line *some_line(struct l1d_env *e) {
  const unsigned at = e->m.sweep ? ++e->swept * e->m.step : hd_below(&e->p, e->m.lines);
  return &e->pool[(e->m.first + at) % e->n_lines];
}

/* Offers a load again that was given back. */
static void offer_again(struct l1d_env *e) {
  const unsigned at = hd_below(&e->p, 2) ? 0 : hd_below(&e->p, e->n_back);
  e->next.r = e->back[at].r;
  e->next_line = e->back[at].line;
  memmove(&e->back[at], &e->back[at + 1], (--e->n_back - at) * sizeof *e->back);
  e->offering = true;
}

/* Limits the request to its line's sector, with its bytes. */
static void in_sector(struct l1d_env *e) {
  const struct hd_derived *d = &e->p.c->d;
  const unsigned n = d->SECTOR_WORDS;
  e->next.r.sectors = e->next_line->sectors;
  for (unsigned w = 0; w < d->WORDS; w++)
    e->next.mask[w] &= e->next.r.sectors >> w / n & 1 ? 0xff : 0;
}

/* Draws the next request. It is offered only if its name is free. */
static void draw_request(struct l1d_env *e) {
  struct hd_env_base *p = &e->p;
  if (e->n_back && !e->flushing && hd_chance(p, p->env.stop ? HD_ALWAYS / 2 : e->m.back)) {
    offer_again(e);
    return;
  }
  hd_request_draw(p, e->m.stores, &e->next);
  e->next.r.wid = (e->m.first + hd_below(p, e->m.warps)) % p->c->d.WARPS;
  if (p->c->d.OUTCOME_FIRST && hd_below(p, 2))
    e->next.r.num = 0;
  e->next.r.byp = e->byp_there && hd_chance(p, e->m.byp);
  e->next_line = some_line(e);
  e->next.r.line = e->next_line->addr;
  if (p->c->d.SECTOR_FILL)
    in_sector(e);
  e->offering = !p->env.stop && !e->flushing && hd_chance(p, e->m.offer) && e->n_back < p->c->d.WARPS &&
                hd_l1d_record(e, e->next.r.wid, e->next.r.slot, e->next.r.num)->state == FREE;
}

/* Draws the next prefetch, sometimes of a line outside the mood's part of the pool. */
static void draw_prefetch(struct l1d_env *e) {
  struct hd_env_base *p = &e->p;
  e->prefetching = !p->env.stop && hd_chance(p, e->m.prefetch);
  if (e->prefetching)
    e->prefetch = hd_below(p, 8) ? some_line(e) : &e->pool[hd_below(p, e->n_lines)];
}

/* Draws the next answer of the memory. It answers the oldest request to its line. */
static void draw_answer(struct l1d_env *e) {
  struct hd_env_base *p = &e->p;
  if (!e->n_pending || !hd_chance(p, p->env.stop ? HD_ALWAYS / 2 : e->m.answer))
    return;
  unsigned at = e->m.newest ? e->n_pending - 1 : hd_below(p, e->n_pending);
  for (unsigned i = 0; i < at; i++)
    if (e->pending[i].line == e->pending[at].line)
      at = i;
  e->answer = e->pending[at];
  memmove(&e->pending[at], &e->pending[at + 1], (--e->n_pending - at) * sizeof *e->pending);
  e->answering = true;
  if (e->answer.r.kind != HD_STORE)
    memcpy(e->rdata, e->answer.line->memory, sizeof e->rdata);
  e->failing = p->c->d.ERRORS && hd_below(p, 16) == 0;
  for (unsigned w = 0; w < p->c->d.WORDS; w++) /* words that the answer does not bring have wrong data */
    if (e->failing || !hd_l1d_brings(&p->c->d, e->answer.line, w))
      e->rdata[w] = ~e->rdata[w];
  if (e->answer.store)
    hd_l1d_perform(e->answer.store, e->answer.line->memory, p->c->d.WORDS);
}

/* Returns random bits; in half of the calls fewer bits are 1. */
static uint64_t bits_of(struct hd_env_base *p, unsigned w) {
  const uint64_t any = hd_bits(p, w);
  return hd_below(p, 2) ? any : any & hd_bits(p, w);
}

/* Draws the pinned ways of the set in c. PIN_KEPT: a taken way is pinned if pin_new's density says so, until a random change. */
static uint64_t draw_pins(struct l1d_env *e, const struct l1d_out *out) {
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  const uint64_t all = hd_ones(d->WAYS);
  if (hd_chance(p, e->m.change))
    e->pinned[hd_below(p, 4) ? out->look_set % d->SETS : hd_below(p, d->SETS)] &= hd_bits(p, d->WAYS);
  if (d->OUTCOME_WRITE && out->outcome_write) {
    e->pinned[out->outcome_set % d->SETS] &= ~out->outcome_at;
    if (hd_chance(p, e->m.pin_new))
      e->pinned[out->outcome_set % d->SETS] |= out->outcome_at;
  }
  switch (e->m.pin) {
  case PIN_NONE:
    return 0;
  case PIN_KEPT:
    return e->pinned[out->look_set % d->SETS];
  case PIN_ALL:
    return all;
  default:
    return bits_of(p, d->WAYS);
  }
}

/* Draws the pinned ways of a fill's set. */
static uint64_t draw_fill_pins(struct l1d_env *e, const struct l1d_out *out) {
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  switch (e->m.pin) {
  case PIN_NONE:
    return 0;
  case PIN_KEPT:
    return d->FILL_SET ? e->pinned[out->fill_set % d->SETS] : bits_of(p, d->WAYS);
  case PIN_ALL:
    return hd_ones(d->WAYS);
  default:
    return bits_of(p, d->WAYS);
  }
}

/* Draws the ways among which the victim is chosen. If no way is empty, one of them is valid and not pinned, if such a way exists. */
static uint64_t draw_among(struct l1d_env *e, const struct l1d_out *out) {
  struct hd_env_base *p = &e->p;
  const uint64_t all = hd_ones(p->c->d.WAYS);
  const uint64_t loose = out->decide_lines & ~out->decide_pins;
  uint64_t among = hd_chance(p, e->m.choosy) ? bits_of(p, p->c->d.WAYS) : all;
  if (!(among & loose) && (out->decide_lines | out->decide_reserved) == all)
    among |= loose;
  return among;
}

static void drive_hooks(struct l1d_env *e, const struct l1d_out *out, struct l1d_in *in) {
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  in->advice_bypass = d->ADVISED && hd_chance(p, e->m.bypass);
  in->advice_keep = d->KEPT && hd_chance(p, e->m.keep);
  in->pins = d->PINS ? draw_pins(e, out) : 0;
  in->pin_new = d->PINS && hd_chance(p, e->m.pin_new);
  in->hold = d->HOLD && hd_chance(p, p->env.stop ? HD_ALWAYS / 8 : e->m.hold);
  in->hold_refuse = d->HOLD && hd_chance(p, e->m.refuse);
  in->hold_among = d->HOLD && d->ON_MISS ? draw_among(e, out) : 0;
  in->hold_fill = d->FILL && d->HOLD && hd_chance(p, e->m.choosy);
  in->fill_among = d->FILL && d->HOLD ? bits_of(p, d->WAYS) : 0;
  in->fill_pins = d->FILL && d->PINS ? draw_fill_pins(e, out) : 0;
  in->lack_line = d->LACK_LINE && hd_chance(p, e->m.lack);
  in->lack_bypass = d->LACK_BYPASS && hd_chance(p, e->m.stalls);
  in->lack_again = d->AGAIN && hd_chance(p, e->m.again);
}

static void drive(struct hd_env *env, const void *out, void *in_) {
  struct l1d_env *e = (struct l1d_env *)env;
  struct hd_env_base *p = &e->p;
  struct l1d_in *in = in_;
  if (hd_new_mood(p))
    new_mood(e);
  if (!e->offering)
    draw_request(e);
  if (!e->answering)
    draw_answer(e);
  in->flush = e->flushing && !e->offering && e->inside == 0;
  if (in->flush)
    e->flushing = false;
  if (p->c->d.PREF) {
    if (!e->prefetching)
      draw_prefetch(e);
    in->pf_valid = e->prefetching;
    in->pf_line = e->prefetching ? e->prefetch->addr : hd_bits(p, p->c->d.LINE_W);
  }
  drive_hooks(e, out, in);
  in->req_valid = e->offering;
  hd_request_put(p, &e->next, &in->req, in->req_wdata, in->req_wmask);
  in->resp_ready = hd_chance(p, env->stop ? HD_ALWAYS / 2 : e->m.accept);
  in->mreq_ready = hd_chance(p, env->stop ? HD_ALWAYS / 2 : e->m.send);
  const struct mreq *a = &e->answer.r;
  in->mrsp_valid = e->answering;
  in->mrsp = (struct mrsp){a->kind, a->id, a->wid, a->slot, a->num, a->last, e->failing};
  memcpy(in->mrsp_data, e->rdata, p->c->d.WORDS * sizeof *in->mrsp_data);
}

static bool done(const struct hd_env *env) {
  const struct l1d_env *e = (const struct l1d_env *)env;
  return env->stop && !e->offering && !e->prefetching && e->inside == 0 && e->n_pending == 0 &&
         !e->answering && e->n_back == 0 && (!e->p.c->d.PREF || e->silent >= SILENCE);
}

static bool finish(struct hd_env *env) {
  const struct l1d_env *e = (const struct l1d_env *)env;
  for (unsigned i = 0; i < e->n_lines; i++)
    if (memcmp(e->pool[i].now, e->pool[i].memory, e->p.c->d.WORDS * sizeof e->pool[i].now[0]))
      return hd_fail(env, "line 0x%" PRIx64 " in the memory is not what the stores made of it",
                     e->pool[i].addr);
  return true;
}

static void close(struct hd_env *env) {
  struct l1d_env *e = (struct l1d_env *)env;
  HASH_CLEAR(hh, e->by_unit);
  free(e->pool);
  free(e->records);
  free(e->places);
  free(e->pinned);
  free(e->back);
  free(e->pending);
  free(e);
}

static bool has(const struct hd_decl *d, const char *port) {
  for (size_t i = 0; i < d->n_rows; i++)
    if (strcmp(d->rows[i].name, port) == 0)
      return true;
  return false;
}

struct hd_env *l1d_env(const struct hd_env_job *job, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, hd_l1d_check, done, finish, close};
  const struct hd_config *c = job->design->c;
  struct l1d_env *e = hd_env_base_new(sizeof *e, job, &ops, why);
  if (!e)
    return NULL;
  e->p.env.late = hd_l1d_late;
  const struct hd_derived *d = &c->d;
  e->byp_there = has(hd_design_find(job->design, "l1d"), "req.byp");
  e->outcome_all = d->OUTCOME_HIT && d->OUTCOME_MERGE && d->OUTCOME_TAKE && d->OUTCOME_AT &&
                   (!d->PREF || d->OUTCOME_WRITE) &&
                   (d->ON_MISS || d->OUTCOME_PAST || c->request_buffer.bypass == HD_BYPASS_OFF);
  e->records = calloc((size_t)d->WARPS * c->sm.loads * d->LANES, sizeof *e->records);
  e->places = calloc((size_t)d->SETS * d->WAYS, sizeof *e->places);
  e->pinned = calloc(d->SETS, sizeof *e->pinned);
  if (e->records && e->places && e->pinned && make_pool(e))
    return &e->p.env;
  close(&e->p.env);
  hd_because(why, HD_TOOL, "out of memory");
  return NULL;
}
