/* Requests of several SMs to an L2 slice, and its memory; see l2_checker.h.
 *
 * The lines come from a pool of a few sets with more lines than ways. A mood picks a part of the pool: a line, a set, more lines than a set
 * has ways, all. The fields of a request are its name: two requests inside never have the same. A line's prediction stays for a while. The
 * memory reads a line when the read leaves the slice, and brings it after any time, in any order. At the end of the run each line that was
 * ever stored to is read once more.
 */
#include "verif/l2/l2_checker.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SETS = 8 };

static uint64_t some_prediction(struct l2_env *e) {
  struct hd_env_base *p = &e->p;
  const unsigned how = hd_below(p, 8), small = 1 + hd_below(p, 8);
  const uint64_t all = p->c->d.L2_SLEEPS ? hd_ones(p->c->d.CNT_W) : 0;
  return (how < 3 ? how : how < 6 ? small : how == 6 ? all : hd_bits(p, p->c->d.CNT_W)) & all;
}

static void add_to_pool(struct l2_env *e, unsigned set, uint64_t unit) {
  struct l2_line *line = &e->pool[e->n_lines];
  line->set = set;
  line->addr = unit;
  for (unsigned w = 0; w < e->p.c->d.L2_WORDS; w++)
    line->now[w] = line->memory[w] = wl_rng_mix(line->addr, w);
  line->rank = e->n_lines && line[-1].set == line->set ? line[-1].rank + 1 : 0;
  line->pred = some_prediction(e);
  HASH_ADD(hh, e->by_addr, addr, sizeof line->addr, line);
  e->n_lines++;
}

/* Makes the pool. Lines of a set are neighbours in it, and so are sectors of a line. Returns false if out of memory. */
static bool make_pool(struct l2_env *e) {
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  const unsigned sets = d->L2_SETS < MOST_SETS ? d->L2_SETS : MOST_SETS, some = hd_below(p, d->L2_SETS);
  const uint64_t all = hd_ones(d->LINE_W), low = d->L2_SETS - 1;
  e->of_set = 2 * d->L2_WAYS + d->L2_MSHRS / sets + 4;
  e->sectors = d->L2_SECTOR_FILL ? d->SECTORS : 1;
  e->pool = calloc((size_t)sets * e->of_set * e->sectors, sizeof *e->pool);
  for (unsigned i = 0; e->pool && i < sets * e->of_set; i++) {
    const unsigned set = (some + i / e->of_set) % d->L2_SETS;
    uint64_t upper = hd_bits(p, d->LINE_W); /* or, below, one bit different from the last line's */
    if (e->n_lines && hd_below(p, 2))
      upper = hd_neighbour(p, hd_slice_line_of(d, e->pool[e->n_lines - 1].addr), d->LINE_W);
    const uint64_t addr = ((upper & ~low) | set) & all;
    if (hd_slice_line(e, hd_slice_unit(d, addr, 0))) /* with few upper bits the pool is smaller */
      continue;
    for (unsigned t = 0; t < e->sectors; t++)
      add_to_pool(e, set, hd_slice_unit(d, addr, t));
  }
  return e->pool;
}

void *hd_slice_new(size_t size, bool enable, const struct hd_env_job *job, const struct hd_env_ops *ops,
                   struct hd_why *why) {
  struct l2_env *e = hd_env_base_new(size, job, ops, why);
  if (!e)
    return NULL;
  const struct hd_derived *d = &e->p.c->d;
  e->enable = enable;
  if (d->L2_SLEEPS) {
    const unsigned kind = hd_below(&e->p, 4);
    e->strict = kind == 0;
    e->low = kind == 1;
    e->narrow = 2000 + hd_below(&e->p, 10000);
  }
  e->reads = calloc(d->L2_MSHRS, sizeof *e->reads);
  if (e->reads && make_pool(e))
    return e;
  ops->close(&e->p.env);
  hd_because(why, HD_TOOL, "out of memory");
  return NULL;
}

void hd_slice_close(struct hd_env *env) {
  struct l2_env *e = (struct l2_env *)env;
  struct l2_record *rec = e->records, *next;
  HASH_CLEAR(hh, e->records); /* frees the table only; the records remain a list */
  for (; rec; rec = next) {
    next = rec->hh.next;
    free(rec);
  }
  HASH_CLEAR(hh, e->by_addr);
  for (unsigned i = 0; i < e->n_lines; i++)
    free(e->pool[i].version);
  free(e->pool);
  free(e->reads);
  free(e);
}

/* A long mood that exhausts one resource, even a large one. */
static void extreme_mood(struct l2_env *e, unsigned which) {
  struct hd_env_base *p = &e->p;
  if (which > 2)
    return;
  p->mood_left += 2 * (p->c->d.L2_WAYS + p->c->d.L2_MSHRS);
  e->draining = true;
  e->m.offer = e->m.accept = e->m.send = e->m.answer = HD_ALWAYS;
  e->m.queries = e->m.repeat = 0;
  e->m.stores = which == 2 ? HD_ALWAYS : 16;
  e->m.sweep = true;
  e->m.whose = e->strict ? OF_LINE : OF_MOOD;
  e->m.pred = 0;
  if (which == 0) /* a line is accessed more often than its count can say */
    e->m.step = 0;
  else if (which == 1) /* all ways of a set are in flight, or all MSHRs are used */
    e->m.answer = 0;
  else /* the queue to the memory is full */
    e->m.send = 0;
}

static void new_mood(struct l2_env *e) {
  struct hd_env_base *p = &e->p;
  const unsigned ways = p->c->d.L2_WAYS, all = e->n_lines / e->sectors,
                 lines[] = {1, 2, ways + 1, 2 * ways, e->of_set, all};
  const bool fast = hd_below(p, 4) == 0;
  e->draining = hd_below(p, 8) == 0;
  e->m.offer = fast ? HD_ALWAYS : hd_density(p, true);
  e->m.stores = hd_below(p, 2) ? HD_ALWAYS / 4 : hd_density(p, false);
  e->m.queries = !p->c->d.L2_SLEEPS ? 0 : hd_below(p, 4) ? 32 : hd_density(p, false);
  e->m.accept = fast || hd_below(p, 2) ? HD_ALWAYS : hd_density(p, false);
  e->m.send = fast || hd_below(p, 2) ? HD_ALWAYS : hd_density(p, false);
  e->m.answer = fast ? HD_ALWAYS : hd_density(p, false);
  e->m.order = hd_below(p, 3);
  e->m.first = hd_below(p, all);
  if (hd_below(p, 2))
    e->m.first -= e->m.first % e->of_set;
  e->m.sweep = hd_below(p, 4) == 0;
  e->m.step = hd_below(p, 2) ? e->of_set + 1 : 1;
  e->m.lines = lines[hd_below(p, sizeof lines / sizeof lines[0])];
  e->m.repeat = hd_below(p, 2) ? 0 : hd_density(p, false) / 2;
  e->m.full = hd_density(p, false);
  e->m.whose = e->strict || hd_below(p, 2) ? OF_LINE : hd_below(p, 2) ? OF_MOOD : AT_RANDOM;
  e->m.pred = hd_below(p, 2) ? some_prediction(e) : hd_below(p, 2) & p->c->d.L2_SLEEPS;
  e->m.change = e->strict ? 0 : hd_density(p, false) / 16;
  e->m.command = !p->c->d.L2_MAINT || hd_below(p, 2) ? 0 : hd_below(p, 4) ? 4 : hd_density(p, false);
  e->m.enable = hd_below(p, 2) ? HD_ALWAYS : hd_density(p, false);
  extreme_mood(e, hd_below(p, 16));
}

static struct l2_line *some_line(struct l2_env *e) {
  if (e->next_line && hd_chance(&e->p, e->m.repeat))
    return e->next_line;
  const unsigned at = e->m.sweep ? ++e->swept * e->m.step : hd_below(&e->p, e->m.lines);
  struct l2_line *line = &e->pool[(e->m.first + at) % (e->n_lines / e->sectors) * e->sectors];
  if (e->sectors > 1)
    return line + hd_below(&e->p, e->sectors);
  return e->strict ? line - line->rank + line->rank % e->p.c->d.L2_WAYS : line;
}

static uint64_t predict(struct l2_env *e, struct l2_line *line) {
  if (e->low && !e->enable)
    return 0;
  if (e->m.whose == OF_MOOD)
    return e->m.pred;
  if (e->m.whose == AT_RANDOM)
    return some_prediction(e);
  if (hd_chance(&e->p, e->m.change))
    line->pred = some_prediction(e);
  return line->pred;
}

/* Draws bytes and a mask of at least one byte, for any kind of request. If lines sleep it also draws `full`, which a store has only if its
 * mask is full. */
static void draw_bytes(struct l2_env *e, struct l2_offer *o) {
  struct hd_env_base *p = &e->p;
  const unsigned words = p->c->d.L2_WORDS;
  bool full = true;
  hd_store_draw(p, words, o->data, o->mask);
  for (unsigned w = 0; w < words; w++)
    full &= o->mask[w] == 0xff;
  o->r.full = p->c->d.L2_SLEEPS && (full || o->r.kind != HD_STORE) && hd_chance(p, e->m.full);
}

/* Draws the fields that name a request. Returns false if a request inside has that name. */
static bool draw_name(struct l2_env *e, struct l2req *r) {
  struct hd_env_base *p = &e->p;
  const struct hd_config *c = p->c;
  struct l2_record *same;
  r->sm = hd_below(p, c->d.SMS);
  r->id = hd_below(p, c->d.MSHRS);
  r->wid = hd_below(p, c->d.WARPS);
  r->slot = hd_below(p, c->sm.loads);
  r->num = hd_below(p, c->d.LANES);
  r->last = hd_below(p, 2);
  r->pe = hd_bits(p, c->d.PE_W);
  r->sectors =
      c->d.L2_SECTOR_FILL ? UINT64_C(1) << hd_slice_sector_of(&c->d, e->next_line->addr) : hd_sectors_draw(p);
  const struct l2rsp name = hd_l2rsp_to(r);
  HASH_FIND(hh, e->records, &name, sizeof name, same);
  return !same;
}

/* Draws the next request, and whether it is offered. */
static void draw_request(struct l2_env *e) {
  struct hd_env_base *p = &e->p;
  struct l2_offer *o = &e->next;
  bool load = p->env.stop;
  while (p->env.stop && e->ended < e->n_lines && !e->pool[e->ended].stored)
    e->ended++;
  if (p->env.stop && e->ended == e->n_lines)
    return;
  e->next_line = p->env.stop ? &e->pool[e->ended] : some_line(e);
  load |= !hd_chance(p, e->m.stores);
  o->r = (struct l2req){.kind = load ? hd_below(p, 2) : HD_STORE};
  if (!p->env.stop && hd_chance(p, e->m.queries))
    o->r.kind = HD_QUERY;
  o->r.line = hd_slice_line_of(&p->c->d, e->next_line->addr);
  o->r.pred = predict(e, e->next_line);
  draw_bytes(e, o);
  const bool can = draw_name(e, &o->r);
  e->offering = can && !e->draining && hd_chance(p, p->env.stop ? HD_ALWAYS : e->m.offer);
  e->ended += e->offering && p->env.stop;
}

/* Returns true if the slice must become empty: then outputs are taken and reads answered, whatever the mood. */
static bool empties(const struct l2_env *e) {
  return e->p.env.stop || e->draining;
}

/* Draws the next line that the memory brings. */
static void draw_fill(struct l2_env *e) {
  struct hd_env_base *p = &e->p;
  if (!e->n_reads || !hd_chance(p, empties(e) ? HD_ALWAYS / 2 : e->m.answer))
    return;
  e->fill = e->m.order == OLDEST ? 0 : e->m.order == NEWEST ? e->n_reads - 1 : hd_below(p, e->n_reads);
  e->filling = true;
}

bool hd_slice_drive(struct l2_env *e, const struct l2_inputs *in) {
  struct hd_env_base *p = &e->p;
  const size_t bytes = p->c->d.L2_WORDS * sizeof(uint64_t);
  if (p->cycle == e->narrow)
    e->strict = e->low = false;
  const bool begins = !e->draining && hd_new_mood(p);
  if (begins)
    new_mood(e);
  e->draining &= !p->env.stop && (e->records || e->silent < SILENCE);
  if (!e->offering)
    draw_request(e);
  if (!e->filling)
    draw_fill(e);
  e->rsp_ready = hd_chance(p, empties(e) ? HD_ALWAYS / 2 : e->m.accept);
  e->out_ready = hd_chance(p, empties(e) ? HD_ALWAYS / 2 : e->m.send);
  if (p->c->d.L2_SLEEPS)
    e->enabled = e->strict || !e->enable || (!e->low && hd_chance(p, e->m.enable));
  if (!e->command.offered) {
    e->command.op = hd_bits(p, 2);
    if (e->behind_bus)
      e->command.op |= (e->command.op & HD_MT_INVALIDATE) ? HD_MT_WRITE_BACK : 0;
    e->command.offered = !empties(e) && hd_chance(p, e->m.command);
  }
  *in->mt_valid = e->command.offered;
  *in->mt_op = e->command.op;
  *in->req_valid = e->offering;
  *in->req = e->next.r;
  memcpy(in->req_wdata, e->next.data, bytes);
  memcpy(in->req_wmask, e->next.mask, bytes);
  *in->rsp_ready = e->rsp_ready;
  *in->out_ready = e->out_ready;
  *in->fill_valid = e->filling;
  *in->fill_id = e->filling ? e->reads[e->fill].id : hd_below(p, p->c->d.L2_MSHRS);
  if (e->filling)
    memcpy(in->fill_data, e->reads[e->fill].data, bytes);
  return begins;
}
