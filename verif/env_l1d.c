/* Requests and a memory for `l1d`.
 *
 * The lines come from a pool of a few sets with many lines each; a mood picks a part of it: one set, one
 * line, few lines, all. The memory answers after random times, in the order in which requests to one line
 * came and else in any. (warp, slot, number) names a request: it is used once at a time, as in the SM.
 *
 * Judged at the ports: every load is answered exactly once, every store acknowledged exactly once after the
 * memory's answer, with the fields of the request. The data of a load are exactly the stores to its line that
 * were taken before it, and no later one: requests are decided in order and leave in order, a store frees its
 * line and makes a line in flight not stay, and the memory keeps the order within a line (D-L1-1, D-L1-2). A
 * store leaves once, in turn, with its bytes; a line is fetched only for a load, by an MSHR that is free, and
 * not twice at a time; what is offered stays until it is taken.
 */
#include "verif/parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

enum { MIN_SETS = 32, FILL = 0, BYPASSED = 1, STORE = 2 };

/* A line of the pool. */
struct line {
  uint64_t addr;
  uint64_t now[HD_MAX_WORDS];    /* with all stores taken at the request port */
  uint64_t memory[HD_MAX_WORDS]; /* with all stores the memory has handled */
  unsigned loads;                /* taken and not answered */
  bool fetched;                  /* an MSHR waits for it */
  UT_hash_handle hh;
};

/* A request by its name. */
struct record {
  enum {
    FREE,
    LOAD,
    WRITE,
    BEYOND,
    ACKED
  } state; /* WRITE: inside; BEYOND: the memory has it; ACKED: and answered */
  bool last, bypassed;
  struct line *line;
  uint64_t turn;                                   /* WRITE: which store this is */
  uint64_t data[HD_MAX_WORDS], mask[HD_MAX_WORDS]; /* a load's answer; a store's bytes */
};

/* A request the memory has taken and not answered. */
struct pending {
  struct mreq r;
  struct line *line;
  struct record *store;
};

struct l1d_env {
  struct hd_parts p;
  struct { /* the mood */
    unsigned offer, stores, accept, send, answer, first, lines, step, warps;
    bool newest, sweep; /* the memory answers the newest first; lines in turn, `step` apart */
  } m;
  struct line *pool, *by_addr;
  unsigned n_lines, of_set; /* in all, of a set (some fewer if there are few upper bits) */
  struct record *records;   /* of (warp, slot, number) */
  bool flushing;            /* nothing is offered until the cache is empty and has been flushed */
  bool offering;
  struct hd_request next; /* at req, valid or not */
  struct line *next_line;
  unsigned swept;
  struct pending *pending; /* in the order in which they came */
  unsigned n_pending, room;
  bool answering;
  struct pending answer; /* at mrsp, valid or not */
  uint64_t rdata[HD_MAX_WORDS];
  uint64_t mshrs;        /* bit i = MSHR i waits for the memory */
  uint64_t stores, sent; /* taken, and gone to the memory */
  unsigned inside;       /* requests without an answer */
  struct hd_held resp, mreq;
};

static struct record *record_of(const struct l1d_env *e, uint64_t wid, uint64_t slot, uint64_t num) {
  const struct hd_config *c = e->p.c;
  if (wid >= c->d.WARPS || slot >= c->sm.loads || num >= c->d.LANES)
    return NULL;
  return &e->records[(wid * c->sm.loads + slot) * c->d.LANES + num];
}

/* A line address that falls into the set, by the definition of the index (docs/mechanisms/l1d.md). */
static uint64_t line_in(const struct hd_config *c, unsigned set, uint64_t upper) {
  const uint64_t low = c->d.SETS - 1, line = upper & ~low;
  if (c->l1d.set_index == HD_INDEX_LINEAR)
    return line | set;
  if (c->l1d.set_index == HD_INDEX_XOR)
    return line | (set ^ (line >> c->d.SET_W & low));
  const uint64_t upset = line | set; /* bits above the low five, bit 5 too if it is the set's */
  const uint64_t fold =
      (upset >> 6 & 3) | (upset >> 8 & 1) << 2 | (upset >> 10 & 1) << 3 | (upset >> 12 & 1) << 4;
  return upset ^ fold;
}

static bool make_pool(struct l1d_env *e) {
  struct hd_parts *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  const unsigned want = d->MSHRS + 4 < MIN_SETS ? MIN_SETS : d->MSHRS + 4;
  const unsigned sets = d->SETS < want ? d->SETS : want, some = hd_below(p, d->SETS);
  e->of_set = 4 * d->WAYS + d->MSHRS / sets + 4;
  e->pool = calloc((size_t)sets * e->of_set, sizeof *e->pool);
  for (unsigned i = 0; e->pool && i < sets * e->of_set; i++) {
    const unsigned set = (some + i / e->of_set) % d->SETS;
    struct line *line = &e->pool[e->n_lines], *same;
    uint64_t upper = hd_bits(p, d->LINE_W); /* or one bit beside another line's */
    if (e->n_lines && hd_below(p, 2))
      upper = e->pool[e->n_lines - 1].addr ^ UINT64_C(1) << hd_below(p, d->LINE_W);
    line->addr = line_in(p->c, set, upper);
    HASH_FIND(hh, e->by_addr, &line->addr, sizeof line->addr, same);
    if (same) /* few upper bits: the pool stays smaller */
      continue;
    for (unsigned w = 0; w < d->WORDS; w++)
      line->now[w] = line->memory[w] = hd_bits(p, 64);
    HASH_ADD(hh, e->by_addr, addr, sizeof line->addr, line);
    e->n_lines++;
  }
  return e->pool;
}

static void new_mood(struct l1d_env *e) {
  struct hd_parts *p = &e->p;
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
}

/* The next request, offered or not, under a free name. */
static void draw_request(struct l1d_env *e) {
  struct hd_parts *p = &e->p;
  hd_request_draw(p, e->m.stores, &e->next);
  e->next.r.wid = (e->m.first + hd_below(p, e->m.warps)) % p->c->d.WARPS;
  const unsigned at = e->m.sweep ? ++e->swept * e->m.step : hd_below(p, e->m.lines);
  e->next_line = &e->pool[(e->m.first + at) % e->n_lines];
  e->next.r.line = e->next_line->addr;
  e->offering = !p->env.stop && !e->flushing && hd_chance(p, e->m.offer) &&
                record_of(e, e->next.r.wid, e->next.r.slot, e->next.r.num)->state == FREE;
}

/* The next answer of the memory: of a request before which no request to its line waits. */
static void draw_answer(struct l1d_env *e) {
  struct hd_parts *p = &e->p;
  if (!e->n_pending || !hd_chance(p, p->env.stop ? HD_ALWAYS / 2 : e->m.answer))
    return;
  unsigned at = e->m.newest ? e->n_pending - 1 : hd_below(p, e->n_pending);
  for (unsigned i = 0; i < at; i++)
    if (e->pending[i].line == e->pending[at].line)
      at = i;
  e->answer = e->pending[at];
  memmove(&e->pending[at], &e->pending[at + 1], (--e->n_pending - at) * sizeof *e->pending);
  e->answering = true;
  if (e->answer.r.kind == STORE)
    hd_merge(e->answer.line->memory, e->answer.store->data, e->answer.store->mask, p->c->d.WORDS);
  else
    memcpy(e->rdata, e->answer.line->memory, sizeof e->rdata);
}

static void drive(struct hd_env *env, const void *out, void *in_) {
  struct l1d_env *e = (struct l1d_env *)env;
  struct hd_parts *p = &e->p;
  struct l1d_in *in = in_;
  (void)out;
  if (hd_new_mood(p))
    new_mood(e);
  if (!e->offering)
    draw_request(e);
  if (!e->answering)
    draw_answer(e);
  in->flush = e->flushing && !e->offering && e->inside == 0;
  if (in->flush)
    e->flushing = false;
  in->req_valid = e->offering;
  hd_request_put(p, &e->next, &in->req, in->req_wdata, in->req_wmask);
  in->resp_ready = hd_chance(p, env->stop ? HD_ALWAYS / 2 : e->m.accept);
  in->mreq_ready = hd_chance(p, env->stop ? HD_ALWAYS / 2 : e->m.send);
  const struct mreq *a = &e->answer.r;
  in->mrsp_valid = e->answering;
  in->mrsp = (struct mrsp){a->kind, a->id, a->wid, a->slot, a->num, a->last};
  memcpy(in->mrsp_data, e->rdata, p->c->d.WORDS * sizeof *in->mrsp_data);
}

static void take_request(struct l1d_env *e) {
  const struct req *r = &e->next.r;
  struct record *rec = record_of(e, r->wid, r->slot, r->num);
  const size_t bytes = e->p.c->d.WORDS * sizeof *rec->data;
  rec->state = r->write ? WRITE : LOAD;
  rec->last = r->last;
  rec->bypassed = false;
  rec->line = e->next_line;
  if (r->write) {
    rec->turn = e->stores++;
    memcpy(rec->data, e->next.data, bytes);
    memcpy(rec->mask, e->next.mask, bytes);
    hd_merge(rec->line->now, rec->data, rec->mask, e->p.c->d.WORDS);
  } else {
    rec->line->loads++;
    memcpy(rec->data, rec->line->now, bytes);
  }
  e->inside++;
  e->offering = false;
}

/* A request goes to the memory: NULL, or what is wrong with it. */
static const char *judge_send(struct l1d_env *e, const struct l1d_out *out, struct pending *new) {
  const struct mreq *r = &out->mreq;
  const size_t bytes = e->p.c->d.WORDS * sizeof *out->mreq_wdata;
  struct line *line;
  HASH_FIND(hh, e->by_addr, &r->line, sizeof r->line, line);
  if (!line)
    return "is to a line that nobody asked for";
  *new = (struct pending){*r, line, NULL};
  if (r->kind == FILL) {
    if (r->id >= e->p.c->d.MSHRS || e->mshrs >> r->id & 1)
      return "is of an MSHR that is not there or not free";
    if (line->fetched)
      return "fetches a line that is being fetched";
    if (line->loads == 0)
      return "fetches a line that no load waits for";
    if (r->wid || r->slot || r->num || r->last)
      return "is a fill with fields that are not 0";
    e->mshrs |= UINT64_C(1) << r->id;
    line->fetched = true;
    return NULL;
  }
  struct record *rec = record_of(e, r->wid, r->slot, r->num);
  if (!rec || r->kind > STORE || rec->state != (r->kind == STORE ? WRITE : LOAD) || rec->bypassed)
    return "is of no request inside, or was sent before";
  if (rec->line != line || rec->last != r->last || r->id)
    return "differs from its request";
  if (r->kind == BYPASSED) {
    rec->bypassed = true;
    return NULL;
  }
  if (rec->turn != e->sent++)
    return "is a store out of turn";
  if (memcmp(out->mreq_wdata, rec->data, bytes) || memcmp(out->mreq_wmask, rec->mask, bytes))
    return "is a store with other bytes than it brought";
  rec->state = BEYOND;
  new->store = rec;
  return NULL;
}

static bool send(struct l1d_env *e, const struct l1d_out *out) {
  const struct mreq *r = &out->mreq;
  struct pending new;
  const char *wrong = judge_send(e, out, &new);
  if (wrong)
    return hd_fail(&e->p.env,
                   "the request at the memory port (kind %" PRIu64 ", line 0x%" PRIx64 ", MSHR %" PRIu64
                   ", warp %" PRIu64 " slot %" PRIu64 " number %" PRIu64 ") %s",
                   r->kind, r->line, r->id, r->wid, r->slot, r->num, wrong);
  if (e->n_pending == e->room) {
    e->room = 2 * e->room + 64;
    e->pending = realloc(e->pending, e->room * sizeof *e->pending);
    if (!e->pending)
      abort();
  }
  e->pending[e->n_pending++] = new;
  e->p.env.checked++;
  return true;
}

static void answered(struct l1d_env *e) {
  struct pending *a = &e->answer;
  if (a->r.kind == FILL) {
    e->mshrs &= ~(UINT64_C(1) << a->r.id);
    a->line->fetched = false;
  } else if (a->r.kind == STORE) {
    a->store->state = ACKED;
  }
  e->answering = false;
}

/* An answer goes to the SM: NULL, or what is wrong with it. */
static const char *judge_response(struct l1d_env *e, const struct l1d_out *out) {
  const struct resp *r = &out->resp;
  struct record *rec = record_of(e, r->wid, r->slot, r->num);
  if (!rec || rec->state == FREE)
    return "is of no request inside, or a second one";
  if (r->write != (rec->state != LOAD) || r->last != rec->last)
    return "differs from its request";
  if (r->write && rec->state != ACKED)
    return "acknowledges a store that the memory has not acknowledged";
  if (!r->write && memcmp(out->resp_data, rec->data, e->p.c->d.WORDS * sizeof *rec->data))
    return "has other data than the stores to its line before it left there";
  if (rec->state == LOAD)
    rec->line->loads--;
  rec->state = FREE;
  e->inside--;
  e->p.env.checked++;
  return NULL;
}

static bool held_ok(struct l1d_env *e, const struct l1d_in *in, const struct l1d_out *out) {
  const size_t bytes = e->p.c->d.WORDS * sizeof(uint64_t);
  uint64_t hash = hd_hash(0, &out->resp, sizeof out->resp);
  if (!out->resp.write)
    hash = hd_hash(hash, out->resp_data, bytes);
  if (!hd_held_ok(&e->resp, out->resp_valid, in->resp_ready, hash))
    return hd_fail(&e->p.env, "an answer at resp went away or changed before it was taken");
  hash = hd_hash(0, &out->mreq, sizeof out->mreq);
  if (out->mreq.kind == STORE)
    hash = hd_hash(hd_hash(hash, out->mreq_wdata, bytes), out->mreq_wmask, bytes);
  if (!hd_held_ok(&e->mreq, out->mreq_valid, in->mreq_ready, hash))
    return hd_fail(&e->p.env, "a request at mreq went away or changed before it was taken");
  return true;
}

static bool clock(struct hd_env *env, const void *in_, const void *out_) {
  struct l1d_env *e = (struct l1d_env *)env;
  const struct l1d_in *in = in_;
  const struct l1d_out *out = out_;
  const bool take = in->req_valid && out->req_ready, give = out->resp_valid && in->resp_ready;
  const bool ask = out->mreq_valid && in->mreq_ready, tell = in->mrsp_valid && out->mrsp_ready;
  if (!held_ok(e, in, out))
    return false;
  const char *wrong = give ? judge_response(e, out) : NULL;
  if (wrong) {
    const struct resp *r = &out->resp;
    return hd_fail(env, "the answer (%s, warp %" PRIu64 " slot %" PRIu64 " number %" PRIu64 ") %s",
                   r->write ? "store" : "load", r->wid, r->slot, r->num, wrong);
  }
  if (tell)
    answered(e);
  if (ask && !send(e, out))
    return false;
  if (take)
    take_request(e);
  if (!hd_cycle_over(&e->p, e->inside > 0 || e->offering, take || give || ask || tell))
    return hd_fail(env, "nothing moves any more; %u requests are without an answer", e->inside);
  return true;
}

static bool done(const struct hd_env *env) {
  const struct l1d_env *e = (const struct l1d_env *)env;
  return env->stop && !e->offering && e->inside == 0 && e->n_pending == 0 && !e->answering;
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
  HASH_CLEAR(hh, e->by_addr);
  free(e->pool);
  free(e->records);
  free(e->pending);
  free(e);
}

struct hd_env *l1d_env(const struct hd_env_job *job, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, clock, done, finish, close};
  const struct hd_config *c = job->design->c;
  struct l1d_env *e = hd_parts_new(sizeof *e, job, &ops, why);
  if (!e)
    return NULL;
  e->records = calloc((size_t)c->d.WARPS * c->sm.loads * c->d.LANES, sizeof *e->records);
  if (e->records && make_pool(e))
    return &e->p.env;
  close(&e->p.env);
  hd_because(why, HD_TOOL, "out of memory");
  return NULL;
}
