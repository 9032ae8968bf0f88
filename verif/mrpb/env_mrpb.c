/* The environment of `mrpb`: requests of few or many queues, with few or many stores, and a sink that stalls now and then.
 *
 * A warp's signature changes only while none of its requests is inside, as in the SM.
 *
 * It checks at the ports. Each request taken comes out exactly once, with its payload and bytes, in the order of its queue. (So a store,
 * or a request that came while not enabled, comes out after every earlier request of its queue.) It comes out no earlier than the latency
 * allows. A request at the output stays until it is taken. A queue holds no more than its places. `drained` is 1 exactly for queues
 * without a request inside, or whose oldest request came while not enabled. The queue and the cycle of each offered request follow the
 * drain policy (drain_order.h).
 */
#include "verif/harness/env_common.h"
#include "verif/mrpb/drain_order.h"

#include <inttypes.h>
#include <stdlib.h>

enum { EXTRA = 2 }; /* requests of a queue outside its places: one in the input register, one at the output */

struct mrpb_env {
  struct hd_env_base p;
  unsigned offer, accept, stores, en, warps; /* the mood; `warps` warps from `first` on make requests */
  unsigned first;
  bool offering;
  struct hd_request next;    /* at enq, valid or not */
  uint64_t *sig;             /* of each warp */
  unsigned *of_warp;         /* its requests inside */
  struct hd_request *inside; /* a ring of DEPTH + EXTRA for each queue */
  bool *off;                 /* for each of these requests: it came while not enabled */
  uint64_t *taken, *given;   /* number of requests of each queue, taken and given */
  unsigned total;
  struct hd_held deq;
  struct hd_drain_order *drain;
};

/* Returns the k-th request ever taken into queue q. */
static struct hd_request *entry(struct mrpb_env *e, unsigned q, uint64_t k) {
  const unsigned room = e->p.c->d.DEPTH + EXTRA;
  return &e->inside[q * room + k % room];
}

static bool *came_off(struct mrpb_env *e, unsigned q, uint64_t k) {
  const unsigned room = e->p.c->d.DEPTH + EXTRA;
  return &e->off[q * room + k % room];
}

static unsigned queue_of(const struct mrpb_env *e, const struct req *r) {
  return (unsigned)(e->p.c->request_buffer.signature == HD_SIG_WARP ? r->wid : e->sig[r->wid]);
}

static void new_mood(struct mrpb_env *e) {
  struct hd_env_base *p = &e->p;
  static const unsigned some[] = {1, 2, 4};
  e->offer = hd_density(p, true);
  e->accept = hd_density(p, false);
  e->stores = hd_below(p, 2) ? 16 : hd_density(p, false);
  e->en = hd_below(p, 3) ? HD_ALWAYS : hd_density(p, true);
  e->warps = hd_below(p, 2) ? p->c->d.WARPS : some[hd_below(p, 3)];
  e->first = hd_below(p, p->c->d.WARPS);
}

static void drive(struct hd_env *env, const void *out, void *in_) {
  struct mrpb_env *e = (struct mrpb_env *)env;
  struct hd_env_base *p = &e->p;
  struct mrpb_in *in = in_;
  (void)out;
  if (hd_new_mood(p))
    new_mood(e);
  if (!e->offering) {
    hd_request_draw(p, e->stores, &e->next);
    const unsigned w = (e->first + hd_below(p, e->warps)) % p->c->d.WARPS;
    if (e->of_warp[w] == 0 && hd_below(p, 4) == 0)
      e->sig[w] = hd_below(p, p->c->d.QUEUES);
    e->offering = !env->stop && hd_chance(p, e->offer);
    if (e->offering) {
      e->next.r.wid = w;
      e->next.sig = e->sig[w];
    }
  }
  in->en = hd_chance(p, e->en);
  in->enq_valid = e->offering;
  in->enq_sig = p->c->d.SIG_W ? e->next.sig : 0;
  hd_request_put(p, &e->next, &in->enq, in->enq_wdata, in->enq_wmask);
  in->deq_ready = hd_chance(p, env->stop ? HD_ALWAYS / 2 : e->accept);
}

/* Checks a request when it is first offered. */
static bool offered(struct mrpb_env *e, const struct mrpb_out *out) {
  struct hd_env *env = &e->p.env;
  const struct hd_config *c = e->p.c;
  if (out->deq.wid >= c->d.WARPS)
    return hd_fail(env, "deq offers a request of no warp: %s", hd_req_words(&out->deq).text);
  const unsigned q = queue_of(e, &out->deq);
  if (e->taken[q] == e->given[q])
    return hd_fail(env, "deq offers a request of queue %u, of which none is inside: %s", q,
                   hd_req_words(&out->deq).text);
  const struct hd_request *oldest = entry(e, q, e->given[q]);
  if (!hd_request_is(&e->p, oldest, &out->deq, out->deq_wdata, out->deq_wmask))
    return hd_fail(env,
                   "the oldest request of queue %u, taken in cycle %" PRIu64
                   ", is: %s; deq offers: %s, or its bytes differ",
                   q, oldest->cycle, hd_req_words(&oldest->r).text, hd_req_words(&out->deq).text);
  const bool straight = *came_off(e, q, e->given[q]) || (c->request_buffer.flush && oldest->r.write);
  const uint64_t least = 1 + (straight ? 0 : c->request_buffer.latency);
  if (e->p.cycle < oldest->cycle + least)
    return hd_fail(
        env, "taken in cycle %" PRIu64 ", offered in cycle %" PRIu64 ", less than %" PRIu64 " later: %s",
        oldest->cycle, e->p.cycle, least, hd_req_words(&oldest->r).text);
  env->checked += 2;
  return true;
}

static bool drained_ok(struct mrpb_env *e, uint64_t drained) {
  for (unsigned q = 0; q < e->p.c->d.QUEUES; q++)
    if ((drained >> q & 1) != (e->taken[q] == e->given[q] || *came_off(e, q, e->given[q])))
      return hd_fail(&e->p.env,
                     "drained says %" PRIu64 " of queue %u, of which %" PRIu64 " requests are inside",
                     drained >> q & 1, q, e->taken[q] - e->given[q]);
  e->p.env.checked++;
  return true;
}

/* Checks that the offered queue is the one whose turn it is, in the right cycle. */
static bool in_order(struct mrpb_env *e, const struct mrpb_in *in, const struct mrpb_out *out) {
  const int offers = hd_drain_offers(e->drain);
  if (out->deq_valid && offers >= 0 && queue_of(e, &out->deq) != (unsigned)offers)
    return hd_fail(&e->p.env, "it is queue %d's turn by the drain policy; deq offers: %s, of queue %u",
                   offers, hd_req_words(&out->deq).text, queue_of(e, &out->deq));
  if (out->deq_valid != (offers >= 0))
    return hd_fail(&e->p.env,
                   "deq_valid is %" PRIu64 " in cycle %" PRIu64
                   "; by the drain policy queue %d offers (-1: none)",
                   out->deq_valid, e->p.cycle, offers);
  if (out->enq_ready != hd_drain_takes(e->drain, in->deq_ready))
    return hd_fail(&e->p.env, "enq_ready is %" PRIu64 "; the input register %s", out->enq_ready,
                   out->enq_ready ? "does not empty" : "is free or empties");
  e->p.env.checked++;
  return true;
}

static bool clock(struct hd_env *env, const void *in_, const void *out_) {
  struct mrpb_env *e = (struct mrpb_env *)env;
  struct hd_env_base *p = &e->p;
  const struct mrpb_in *in = in_;
  const struct mrpb_out *out = out_;
  const bool take = in->enq_valid && out->enq_ready, give = out->deq_valid && in->deq_ready;
  const bool fresh = out->deq_valid && !e->deq.held;
  const uint64_t hash = hd_req_hash(p, &out->deq, out->deq_wdata, out->deq_wmask);
  if (!hd_held_ok(&e->deq, out->deq_valid, in->deq_ready, hash))
    return hd_fail(env, "a request offered at deq went away or changed before it was taken; deq shows: %s",
                   hd_req_words(&out->deq).text);
  if (!drained_ok(e, out->drained) || (fresh && !offered(e, out)) || !in_order(e, in, out))
    return false;
  if (give) {
    e->given[queue_of(e, &out->deq)]++;
    e->of_warp[out->deq.wid]--;
    e->total--;
  }
  if (take) {
    const unsigned q = queue_of(e, &in->enq);
    if (e->taken[q] - e->given[q] == p->c->d.DEPTH + EXTRA)
      return hd_fail(env, "queue %u takes more than it has places for: %s", q, hd_req_words(&in->enq).text);
    struct hd_request *place = entry(e, q, e->taken[q]++);
    *place = e->next;
    place->cycle = p->cycle;
    *came_off(e, q, e->taken[q] - 1) = !in->en;
    e->of_warp[in->enq.wid]++;
    e->total++;
    e->offering = false;
  }
  hd_drain_clock(e->drain, in->deq_ready, take, queue_of(e, &in->enq),
                 !in->en || (p->c->request_buffer.flush && in->enq.write));
  if (!hd_cycle_over(p, e->total > 0 || e->offering, take || give))
    return hd_fail(env, "nothing moves any more; %u requests are inside", e->total);
  return true;
}

static bool done(const struct hd_env *env) {
  const struct mrpb_env *e = (const struct mrpb_env *)env;
  return env->stop && !e->offering && e->total == 0;
}

static void close(struct hd_env *env) {
  struct mrpb_env *e = (struct mrpb_env *)env;
  free(e->sig);
  free(e->of_warp);
  free(e->inside);
  free(e->off);
  free(e->taken);
  free(e->given);
  hd_drain_free(e->drain);
  free(e);
}

struct hd_env *mrpb_env(const struct hd_env_job *job, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, clock, done, hd_nothing_to_check, close};
  const struct hd_derived *d = &job->design->c->d;
  struct mrpb_env *e = hd_env_base_new(sizeof *e, job, &ops, why);
  if (!e)
    return NULL;
  e->sig = calloc(d->WARPS, sizeof *e->sig);
  e->of_warp = calloc(d->WARPS, sizeof *e->of_warp);
  e->inside = calloc((size_t)d->QUEUES * (d->DEPTH + EXTRA), sizeof *e->inside);
  e->off = calloc((size_t)d->QUEUES * (d->DEPTH + EXTRA), sizeof *e->off);
  e->taken = calloc(d->QUEUES, sizeof *e->taken);
  e->given = calloc(d->QUEUES, sizeof *e->given);
  e->drain = hd_drain_new(job->design->c);
  if (e->sig && e->of_warp && e->inside && e->off && e->taken && e->given && e->drain)
    return &e->p.env;
  close(&e->p.env);
  hd_because(why, HD_TOOL, "out of memory");
  return NULL;
}
