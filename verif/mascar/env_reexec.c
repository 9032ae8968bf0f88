/* The environment of `reexec`: requests, and an L1D that takes them. Some cycles later, in order, the L1D reports whether it served a load
 * or gives it back: seldom, often, or for long stretches always. The run-time enable changes now and then while nothing is inside.
 *
 * It checks at the ports. The environment keeps the request in the input register, and lists of loads that came back and of loads in the
 * L1D. So it knows in every cycle the request that must be at deq, with its payload and bytes, whether enq is ready, and which warps are
 * drained. Each request leaves in order. Loads that came back leave again in the order in which they came back. A store leaves when no
 * load of its warp is left.
 */
#include "verif/harness/env_common.h"

#include <inttypes.h>
#include <string.h>

enum { PIPELINE = 5 };

/* Loads, oldest first. */
struct list {
  unsigned n;
  struct req r[HD_RTL_QUEUE + PIPELINE];
};

struct reexec_env {
  struct hd_env_base p;
  struct { /* the mood */
    unsigned offer, accept, stores, tell, serve, warps, first, flip;
  } m;
  bool enabled, offering;
  struct hd_request next, in; /* at enq, valid or not; in the input register */
  bool waits, on;             /* `in` is valid; it passes without limits, because it came while not enabled */
  struct list queue, away;    /* loads that came back; loads that the L1D has */
  struct req out;             /* the load from the queue that is tried again */
  bool out_there, stays;      /* `out` is valid; it was offered and not taken */
  unsigned inside, mine[HD_MOST(sm, warps)];
  bool reports, serves; /* in this cycle */
};

static void new_mood(struct reexec_env *e) {
  struct hd_env_base *p = &e->p;
  e->m.offer = hd_density(p, true);
  e->m.accept = hd_below(p, 2) ? HD_ALWAYS : hd_density(p, true);
  e->m.stores = hd_below(p, 2) ? 64 : hd_density(p, false);
  e->m.tell = hd_below(p, 2) ? HD_ALWAYS : hd_density(p, true);
  e->m.serve = hd_density(p, false);
  e->m.warps = hd_below(p, 2) ? p->c->d.WARPS : 1 + hd_below(p, 4);
  e->m.first = hd_below(p, p->c->d.WARPS);
  e->m.flip = hd_below(p, 4) ? 0 : 64;
}

static bool idle(const struct reexec_env *e) {
  return !e->waits && !e->offering && !e->queue.n && !e->away.n && !e->out_there;
}

static void draw_request(struct reexec_env *e) {
  struct hd_env_base *p = &e->p;
  hd_request_draw(p, e->m.stores, &e->next);
  e->next.r.wid = (e->m.first + hd_below(p, e->m.warps)) % p->c->d.WARPS;
}

/* Draws the L1D's report about its oldest load; random fields if it reports nothing. While `reexec_en` is 0 it gives none back. */
static void draw_outcome(struct reexec_env *e, struct reexec_in *in) {
  struct hd_env_base *p = &e->p;
  const unsigned half = HD_ALWAYS / 2;
  struct hd_request none;
  hd_request_draw(p, 0, &none);
  e->reports = e->away.n && hd_chance(p, p->env.stop ? half : e->m.tell);
  e->serves = !e->enabled || hd_chance(p, p->env.stop ? half : e->m.serve);
  const struct req *r = e->reports ? &e->away.r[0] : &none.r;
  in->outcome_tried = e->reports;
  in->outcome_load = e->reports && e->serves;
  in->outcome_line = r->line;
  in->outcome_wid = r->wid;
  in->outcome_slot = r->slot;
  in->outcome_num = r->num;
  in->outcome_last = r->last;
  in->outcome_sectors = r->sectors;
  in->outcome_gid = r->gid;
  in->outcome_pc = r->pc;
  in->outcome_low = r->low;
  in->outcome_hpc = r->hpc;
  in->outcome_trk = r->trk;
  in->outcome_lid = r->lid;
  in->outcome_pe = r->pe;
  in->outcome_byp = r->byp;
  in->outcome_loc = r->loc;
}

static void drive(struct hd_env *env, const void *out, void *in_) {
  struct reexec_env *e = (struct reexec_env *)env;
  struct hd_env_base *p = &e->p;
  struct reexec_in *in = in_;
  (void)out;
  if (hd_new_mood(p))
    new_mood(e);
  if (idle(e) && hd_chance(p, e->m.flip))
    e->enabled = !e->enabled;
  if (!e->offering) {
    draw_request(e);
    e->offering = !env->stop && hd_chance(p, e->m.offer);
  }
  in->reexec_en = e->enabled;
  in->enq_valid = e->offering;
  hd_request_put(p, &e->next, &in->enq, in->enq_wdata, in->enq_wmask);
  in->deq_ready = e->away.n < PIPELINE && hd_chance(p, env->stop ? HD_ALWAYS / 2 : e->m.accept);
  draw_outcome(e, in);
}

/* ---- The expected outputs ---- */

/* Returns true if the request in the input register must be offered. */
static bool first(const struct reexec_env *e) {
  if (!e->waits || e->stays)
    return false;
  return e->on || (e->in.r.write ? !e->mine[e->in.r.wid] : e->inside < e->p.c->d.DEPTH);
}

static bool check_output(struct reexec_env *e, const struct reexec_out *out) {
  struct hd_env *env = &e->p.env;
  struct hd_request due = e->in;
  if (!first(e)) {
    if (!e->out_there)
      return !out->deq_valid ||
             hd_fail(env, "deq offers, and nothing is due: %s", hd_req_words(&out->deq).text);
    due.r = e->out;
  }
  if (!out->deq_valid)
    return hd_fail(env, "deq offers nothing, due is: %s", hd_req_words(&due.r).text);
  return hd_request_is(&e->p, &due, &out->deq, out->deq_wdata, out->deq_wmask) ||
         hd_fail(env, "deq offers: %s; due is: %s, or its bytes or the rest of it differ",
                 hd_req_words(&out->deq).text, hd_req_words(&due.r).text);
}

static bool check(struct reexec_env *e, const struct reexec_in *in, const struct reexec_out *out) {
  struct hd_env *env = &e->p.env;
  const bool ready = !e->waits || (first(e) && in->deq_ready);
  for (unsigned w = 0; w < e->p.c->d.WARPS; w++) {
    const unsigned n = e->mine[w] + (e->waits && e->in.r.wid == w);
    if ((out->drained >> w & 1) != (n == 0))
      return hd_fail(env, "drained says %" PRIu64 " of warp %u, of which %u requests are inside",
                     out->drained >> w & 1, w, n);
  }
  if (!check_output(e, out))
    return false;
  return out->enq_ready == ready ||
         hd_fail(env, "enq_ready is %" PRIu64 "; in the input register: %s", out->enq_ready,
                 e->waits ? hd_req_words(&e->in.r).text : "nothing");
}

/* ---- The cycle ---- */

static struct req remove_first(struct list *l) {
  const struct req r = l->r[0];
  memmove(&l->r[0], &l->r[1], --l->n * sizeof l->r[0]);
  return r;
}

/* The L1D has reported a load. */
static void reported(struct reexec_env *e) {
  const struct req r = remove_first(&e->away);
  if (!e->serves)
    e->queue.r[e->queue.n++] = r;
  else if (e->enabled) {
    e->inside--;
    e->mine[r.wid]--;
  }
  e->p.env.checked += e->serves;
}

/* The L1D takes the request from the input register. */
static void gives(struct reexec_env *e) {
  const struct req *r = &e->in.r;
  e->waits = false;
  e->p.env.checked += r->write;
  if (r->write)
    return;
  e->away.r[e->away.n++] = *r;
  e->inside += e->enabled;
  e->mine[r->wid] += e->enabled;
}

static bool clock(struct hd_env *env, const void *in_, const void *out_) {
  struct reexec_env *e = (struct reexec_env *)env;
  const struct reexec_in *in = in_;
  const struct reexec_out *out = out_;
  if (!check(e, in, out))
    return false;
  const bool take = in->enq_valid && out->enq_ready, give = out->deq_valid && in->deq_ready,
             at_first = first(e);
  const bool again = give && !at_first, queued = e->queue.n > 0;
  const struct req out_again = e->out;
  e->stays = !at_first && e->out_there && !in->deq_ready;
  if (!e->out_there || again) {
    e->out_there = queued;
    if (queued)
      e->out = remove_first(&e->queue);
  }
  if (e->reports)
    reported(e);
  if (again)
    e->away.r[e->away.n++] = out_again;
  else if (give)
    gives(e);
  if (take) {
    e->in = e->next;
    e->waits = true;
    e->on = !e->enabled;
    e->offering = false;
  }
  if (!hd_cycle_over(&e->p, !idle(e), take || give || e->reports))
    return hd_fail(env, "nothing moves any more; %u loads are inside", e->inside);
  return true;
}

static bool done(const struct hd_env *env) {
  return env->stop && idle((const struct reexec_env *)env);
}

struct hd_env *reexec_env(const struct hd_env_job *job, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, clock, done, hd_nothing_to_check, hd_env_free};
  struct reexec_env *e = hd_env_base_new(sizeof *e, job, &ops, why);
  if (!e)
    return NULL;
  e->enabled = e->p.c->request_buffer.enable;
  return &e->p.env;
}
