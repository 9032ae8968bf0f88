/* The environment of `memsched`: instructions, and an L1D that takes requests and reports for each load, later and in any order, whether
 * it served it. A load has one request or many, now and then more than there are lanes or places in a queue. Mostly a warp has one
 * instruction inside, as in the SM; in some moods that rule is broken. Answers to probes are random, or match a cache whose lines stay for
 * long.
 *
 * It checks at the ports. Each request taken comes out with its payload and bytes. The loads of a warp come out in order: the next one
 * when the one before is served; one that is given back comes out again. A store comes out when no load of its warp is left, and before
 * any load that is not at the output yet. The head that goes out, and its cycle, follow from the inputs, outputs and reports: the
 * environment keeps a list for each warp, chooses from the lists by the drain policy, and sends one head of each group: one that hits,
 * else one that can go. It also checks `drained`, `enq_ready` and the probed lines.
 */
#include "verif/harness/env_common.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES = 3, NONE = -1 };

/* The loads of a warp that are not served. */
struct queue {
  struct req *r;     /* a ring of DEPTH + 1 */
  unsigned first, n; /* n: the head and the requests behind it */
  bool tried;        /* the head is on its way to the L1D, or there */
  bool late;         /* the head is new: it may be chosen one cycle later */
};

/* The choices of the units in one cycle: a warp each, or NONE. */
struct group {
  int of[HD_MOST(request_buffer, probes)];
};

struct memsched_env {
  struct hd_env_base p;
  struct { /* the mood */
    unsigned offer, accept, stores, answer, serve, hit, can, broken, warps, first, most;
    bool in_order, truthful;
    uint64_t cache; /* picks the lines that are there */
  } m;
  struct hd_request next; /* at enq, valid or not */
  unsigned num, requests; /* of its instruction: requests before it; all; num 0: it has not begun */
  bool offering;
  struct hd_request in; /* taken, but in no queue yet */
  bool waits;           /* `in` is valid */
  struct queue queue[HD_MOST(sm, warps)];
  unsigned inside[HD_MOST(sm, warps)], total; /* requests of each warp, stores too; of all */
  unsigned turn, last[HD_MOST(request_buffer, probes)];
  struct group g[STAGES];                    /* the choices of the last cycle, of the one before, ... */
  int out;                                   /* the warp whose head is at the output, or NONE */
  unsigned held[HD_MOST(sm, warps)], n_held; /* warps whose loads are in the L1D, oldest first */
  int back;                                  /* the index in `held` of this cycle's report, or NONE */
  uint64_t probed[2][HD_MOST(request_buffer, probes)]; /* lines of the last cycle and the one before */
};

static void new_mood(struct memsched_env *e) {
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  const unsigned most[] = {1, 2, d->DEPTH + 1, d->LANES, d->LANES};
  e->m.offer = hd_density(p, true);
  e->m.accept = hd_below(p, 2) ? HD_ALWAYS : hd_density(p, false);
  e->m.stores = hd_below(p, 2) ? 64 : hd_density(p, false);
  e->m.answer = hd_below(p, 2) ? HD_ALWAYS : hd_density(p, false);
  e->m.serve = hd_below(p, 2) ? 512 : hd_density(p, false);
  e->m.hit = hd_density(p, false);
  e->m.can = hd_density(p, false);
  e->m.broken = hd_below(p, 4) ? 0 : hd_density(p, true);
  e->m.warps = hd_below(p, 2) ? d->WARPS : 1 + hd_below(p, 2 * d->UNITS);
  e->m.first = hd_below(p, d->WARPS);
  e->m.most = hd_below(p, 8) ? most[hd_below(p, 5)] : d->LANES + d->DEPTH;
  e->m.in_order = hd_below(p, 2);
  e->m.truthful = hd_below(p, 2);
  e->m.cache = hd_bits(p, 64);
}

static unsigned some_warp(struct memsched_env *e) {
  return (e->m.first + hd_below(&e->p, e->m.warps)) % e->p.c->d.WARPS;
}

/* Returns the group whose probes are answered: chosen three cycles ago, with PROBE_EARLY in the last cycle. */
static struct group *answered_group(struct memsched_env *e) {
  return &e->g[e->p.c->d.PROBE_EARLY ? 0 : STAGES - 1];
}

/* Draws a new instruction, or the next request of the one that has begun. Returns false if no warp may have a new instruction. */
static bool draw(struct memsched_env *e) {
  struct hd_env_base *p = &e->p;
  const unsigned lanes = p->c->d.LANES;
  struct hd_request *q = &e->next;
  if (e->num == 0) {
    const bool broken = hd_chance(p, e->m.broken);
    unsigned w = some_warp(e);
    for (unsigned tries = 0; e->inside[w] && !broken && tries < 8; tries++)
      w = some_warp(e);
    if (e->inside[w] && !broken)
      return false;
    hd_request_draw(p, e->m.stores, q);
    q->r.wid = w;
    e->requests = hd_below(p, 2) ? e->m.most : 1 + hd_below(p, e->m.most);
    if (q->r.write && e->requests > lanes)
      e->requests = lanes;
  }
  q->r.line = hd_bits(p, p->c->d.LINE_W);
  q->r.num = e->num < lanes ? e->num : lanes - 1; /* only the first has number 0 */
  q->r.last = e->num + 1 == e->requests;
  q->r.sectors = hd_sectors_draw(p);
  q->r.byp = q->r.write ? 0 : hd_bits(p, p->c->d.CASC);
  q->r.loc = q->r.write || q->r.byp ? 0 : hd_bits(p, p->c->d.LOC);
  if (p->c->d.LOS)
    q->r.pe = hd_below(p, p->c->d.LPT + 1);
  if (q->r.write)
    hd_store_draw(p, p->c->d.WORDS, q->data, q->mask);
  return true;
}

/* Returns true if the line is in the cache of this mood. */
static bool there(const struct memsched_env *e, uint64_t line) {
  return wl_rng_mix(e->m.cache, line) % HD_ALWAYS < e->m.hit;
}

static const struct req *head(const struct memsched_env *e, unsigned w) {
  return &e->queue[w].r[e->queue[w].first];
}

static void draw_answer(struct memsched_env *e, struct memsched_in *in) {
  struct hd_env_base *p = &e->p;
  const bool stop = p->env.stop;
  e->back = NONE;
  in->back_wid = hd_below(p, p->c->d.WARPS);
  if (e->n_held && hd_chance(p, stop ? HD_ALWAYS / 2 : e->m.answer)) {
    e->back = e->m.in_order ? 0 : (int)hd_below(p, e->n_held);
    in->back_wid = e->held[e->back];
  }
  in->en = p->c->request_buffer.enable;
  in->back_valid = e->back != NONE;
  in->back_ok = hd_chance(p, stop ? HD_ALWAYS / 2 : e->m.serve);
  if (in->back_valid && e->m.truthful && there(e, head(e, (unsigned)in->back_wid)->line))
    in->back_ok = 1;
}

static void draw_probes(struct memsched_env *e, const struct memsched_out *out, struct memsched_in *in) {
  struct hd_env_base *p = &e->p;
  in->pr_hit = in->pr_can = 0;
  for (unsigned u = 0; u < p->c->d.PROBES; u++) {
    const bool hit = e->m.truthful ? there(e, e->probed[!p->c->d.PROBE_EARLY][u]) : hd_chance(p, e->m.hit);
    const bool can = hd_chance(p, p->env.stop ? HD_ALWAYS / 2 : e->m.can);
    in->pr_hit |= (uint64_t)hit << u;
    in->pr_can |= (uint64_t)can << u;
    e->probed[1][u] = e->probed[0][u];
    e->probed[0][u] = out->pr_line[u];
  }
}

static void drive(struct hd_env *env, const void *out, void *in_) {
  struct memsched_env *e = (struct memsched_env *)env;
  struct hd_env_base *p = &e->p;
  struct memsched_in *in = in_;
  if (hd_new_mood(p))
    new_mood(e);
  if (!e->offering && (!env->stop || e->num))
    e->offering = draw(e) && hd_chance(p, env->stop ? HD_ALWAYS / 2 : e->m.offer);
  in->enq_valid = e->offering;
  hd_request_put(p, &e->next, &in->enq, in->enq_wdata, in->enq_wmask);
  in->deq_ready = hd_chance(p, env->stop ? HD_ALWAYS / 2 : e->m.accept);
  draw_answer(e, in);
  draw_probes(e, out, in);
}

/* Returns true if a store waits, and its warp has no load left. */
static bool store_may_go(const struct memsched_env *e) {
  return e->waits && e->in.r.write && e->queue[e->in.r.wid].n == 0;
}

static bool enters(const struct memsched_env *e) {
  const unsigned n = e->queue[e->in.r.wid].n;
  return e->waits && !e->in.r.write && n <= e->p.c->d.DEPTH && (e->in.r.num != 0 || n == 0);
}

static bool check_output(struct memsched_env *e, const struct memsched_out *out) {
  struct hd_env *env = &e->p.env;
  const bool store = e->out == NONE && store_may_go(e), load = e->out != NONE;
  if (!store && !load)
    return out->deq_valid ? hd_fail(env, "deq offers, and nothing is due: %s", hd_req_words(&out->deq).text)
                          : true;
  struct hd_request due = e->in;
  if (load)
    due.r = *head(e, (unsigned)e->out);
  if (!out->deq_valid)
    return hd_fail(env, "deq offers nothing, due is: %s", hd_req_words(&due.r).text);
  return hd_request_is(&e->p, &due, &out->deq, out->deq_wdata, out->deq_wmask) ||
         hd_fail(env, "deq offers: %s; due is: %s, or its bytes or the rest of it differ",
                 hd_req_words(&out->deq).text, hd_req_words(&due.r).text);
}

/* Checks the probed lines: of the heads chosen last; with PROBE_EARLY of those chosen in this cycle. */
static bool check_probes(struct memsched_env *e, const struct memsched_out *out) {
  for (unsigned u = 0; u < e->p.c->d.PROBES; u++) {
    const int w = e->g[0].of[u];
    if (w != NONE && out->pr_line[u] != head(e, (unsigned)w)->line)
      return hd_fail(&e->p.env,
                     "unit %u probes line 0x%" PRIx64 ", the head of queue %d is of line 0x%" PRIx64, u,
                     out->pr_line[u], w, head(e, (unsigned)w)->line);
  }
  return true;
}

static bool check(struct memsched_env *e, const struct memsched_in *in, const struct memsched_out *out) {
  struct hd_env *env = &e->p.env;
  const struct hd_derived *d = &e->p.c->d;
  for (unsigned w = 0; w < d->WARPS; w++)
    if ((out->drained >> w & 1) != (e->inside[w] == 0))
      return hd_fail(env, "drained says %" PRIu64 " of warp %u, of which %u requests are inside",
                     out->drained >> w & 1, w, e->inside[w]);
  if ((!d->PROBE_EARLY && !check_probes(e, out)) || !check_output(e, out))
    return false;
  const bool ready = !e->waits || enters(e) || (e->out == NONE && store_may_go(e) && in->deq_ready);
  if (out->enq_ready != ready)
    return hd_fail(env, "enq_ready is %" PRIu64 "; what waits to enter: %s, and %u are in its queue",
                   out->enq_ready, e->waits ? hd_req_words(&e->in.r).text : "nothing",
                   e->queue[e->in.r.wid].n);
  return true;
}

/* Returns the unit whose head is sent, among the heads whose probes are answered; or NONE. */
static int best(struct memsched_env *e, const struct memsched_in *in) {
  const unsigned probes = e->p.c->d.PROBES;
  const struct group *g = answered_group(e);
  int can = NONE;
  for (unsigned i = 0; i < probes; i++) {
    const unsigned u = (e->turn + i) % probes;
    const int w = g->of[u];
    if (w != NONE && in->pr_hit >> u & 1)
      return (int)u;
    if (w != NONE && can == NONE && (in->pr_can >> u & 1 || head(e, (unsigned)w)->byp))
      can = (int)u;
  }
  return can;
}

/* Returns the warp whose head goes to the output if that is `free`, or NONE. The other heads of its group go back. */
static int send(struct memsched_env *e, const struct memsched_in *in, bool free) {
  const unsigned probes = e->p.c->d.PROBES;
  if (!probes) {
    const int w = free ? e->g[0].of[0] : NONE;
    if (free)
      e->g[0].of[0] = NONE;
    return w;
  }
  struct group *g = answered_group(e);
  const int unit = free ? best(e, in) : NONE;
  const int sent = unit == NONE ? NONE : g->of[unit];
  bool any = false;
  for (unsigned u = 0; u < probes; u++) {
    any |= g->of[u] != NONE;
    if (g->of[u] != NONE && (int)u != unit)
      e->queue[g->of[u]].tried = false;
  }
  if (any)
    e->turn = (e->turn + 1) % probes;
  memmove(&e->g[1], &e->g[0], (STAGES - 1) * sizeof e->g[0]);
  return sent;
}

/* Each unit chooses one of its queues, among the warps in `may`. */
static void choose(struct memsched_env *e, uint64_t may) {
  const struct hd_derived *d = &e->p.c->d;
  if (e->p.c->request_buffer.drain == HD_DRAIN_LONGEST) { /* only the longest queues stay in `may` */
    unsigned most = 0;
    for (unsigned w = 0; w < d->WARPS; w++)
      most = may >> w & 1 && e->queue[w].n > most ? e->queue[w].n : most;
    for (unsigned w = 0; w < d->WARPS; w++)
      may &= ~((uint64_t)(e->queue[w].n < most) << w);
  }
  for (unsigned u = 0; u < d->UNITS; u++) {
    e->g[0].of[u] = NONE;
    for (unsigned i = 0; i < d->ROWS && e->g[0].of[u] == NONE; i++) {
      const unsigned row = d->POINTED ? (e->last[u] + 1 + i) % d->ROWS : i;
      const unsigned w = row * d->UNITS + u;
      if (w >= d->WARPS || !(may >> w & 1))
        continue;
      e->g[0].of[u] = (int)w;
      e->queue[w].tried = true;
      e->last[u] = row;
    }
  }
}

static void leaves(struct memsched_env *e, unsigned w) {
  e->inside[w]--;
  e->total--;
  e->p.env.checked++;
}

/* The L1D takes the request at the output. */
static void gives(struct memsched_env *e) {
  if (e->out != NONE) {
    e->held[e->n_held++] = (unsigned)e->out;
  } else {
    e->waits = false;
    leaves(e, (unsigned)e->in.r.wid);
  }
}

/* The L1D reports a load. */
static void answered(struct memsched_env *e, bool ok) {
  const unsigned w = e->held[e->back], at = (unsigned)e->back;
  struct queue *q = &e->queue[w];
  memmove(&e->held[at], &e->held[at + 1], (--e->n_held - at) * sizeof e->held[0]);
  q->tried = false;
  if (!ok)
    return;
  q->first = (q->first + 1) % (e->p.c->d.DEPTH + 1);
  q->late = --q->n > 0;
  leaves(e, w);
}

static void enter(struct memsched_env *e) {
  struct queue *q = &e->queue[e->in.r.wid];
  q->r[(q->first + q->n++) % (e->p.c->d.DEPTH + 1)] = e->in.r;
  e->waits = false;
}

static void taken(struct memsched_env *e) {
  e->in = e->next;
  e->waits = true;
  e->inside[e->in.r.wid]++;
  e->total++;
  e->offering = false;
  e->num = e->in.r.last ? 0 : e->num + 1;
}

static bool clock(struct hd_env *env, const void *in_, const void *out_) {
  struct memsched_env *e = (struct memsched_env *)env;
  const struct memsched_in *in = in_;
  const struct memsched_out *out = out_;
  if (!check(e, in, out))
    return false;
  const bool take = in->enq_valid && out->enq_ready, give = out->deq_valid && in->deq_ready;
  const bool free = (e->out == NONE || give) && (!store_may_go(e) || (e->out == NONE && give));
  const bool moves_in = enters(e);
  uint64_t may = 0;
  for (unsigned w = 0; w < e->p.c->d.WARPS; w++) {
    struct queue *q = &e->queue[w];
    may |= (uint64_t)(q->n > 0 && !q->late && !q->tried) << w;
    q->late = false;
  }
  const int sent = send(e, in, free);
  if (e->p.c->d.PROBES || e->g[0].of[0] == NONE)
    choose(e, may);
  if (e->p.c->d.PROBE_EARLY && !check_probes(e, out))
    return false;
  if (give)
    gives(e);
  e->out = sent != NONE ? sent : give ? NONE : e->out;
  if (e->back != NONE)
    answered(e, in->back_ok);
  if (moves_in)
    enter(e);
  if (take)
    taken(e);
  if (!hd_cycle_over(&e->p, e->total > 0 || e->offering, take || give || e->back != NONE))
    return hd_fail(env, "nothing moves any more; %u requests are inside", e->total);
  return true;
}

static bool done(const struct hd_env *env) {
  const struct memsched_env *e = (const struct memsched_env *)env;
  return env->stop && !e->offering && e->num == 0 && e->total == 0;
}

static void close(struct hd_env *env) {
  struct memsched_env *e = (struct memsched_env *)env;
  for (unsigned w = 0; w < HD_MOST(sm, warps); w++)
    free(e->queue[w].r);
  free(e);
}

struct hd_env *memsched_env(const struct hd_env_job *job, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, clock, done, hd_nothing_to_check, close};
  const struct hd_derived *d = &job->design->c->d;
  struct memsched_env *e = hd_env_base_new(sizeof *e, job, &ops, why);
  if (!e)
    return NULL;
  e->out = NONE;
  for (unsigned u = 0; u < HD_MOST(request_buffer, probes); u++) {
    e->last[u] = 0;
    for (unsigned s = 0; s < STAGES; s++)
      e->g[s].of[u] = NONE;
  }
  for (unsigned w = 0; w < d->WARPS; w++) {
    e->queue[w].r = calloc(d->DEPTH + 1, sizeof *e->queue[w].r);
    if (!e->queue[w].r) {
      close(&e->p.env);
      hd_because(why, HD_TOOL, "out of memory");
      return NULL;
    }
  }
  return &e->p.env;
}
