/* The environment of `request_slot`: random requests, and a sink that stalls now and then.
 *
 * It checks at the ports: requests come out in the order in which they were taken, with their payload and bytes. None is lost. The slot
 * holds one request at most. A request at the output stays until it is taken.
 */
#include "verif/harness/env_common.h"

#include <inttypes.h>

struct slot_env {
  struct hd_env_base p;
  unsigned offer, accept, stores; /* the mood */
  bool offering;
  struct hd_request next; /* at enq, valid or not */
  bool holding;
  struct hd_request inside; /* if holding: taken, and not yet out */
  struct hd_held deq;
};

static void drive(struct hd_env *env, const void *out, void *in_) {
  struct slot_env *e = (struct slot_env *)env;
  struct hd_env_base *p = &e->p;
  struct request_slot_in *in = in_;
  (void)out;
  if (hd_new_mood(p)) {
    e->offer = hd_density(p, true);
    e->accept = hd_density(p, false);
    e->stores = hd_density(p, false);
  }
  if (!e->offering) {
    hd_request_draw(p, e->stores, &e->next);
    e->offering = !env->stop && hd_chance(p, e->offer);
  }
  in->enq_valid = e->offering;
  hd_request_put(p, &e->next, &in->enq, in->enq_wdata, in->enq_wmask);
  in->deq_ready = hd_chance(p, env->stop ? HD_ALWAYS / 2 : e->accept);
}

static bool clock(struct hd_env *env, const void *in_, const void *out_) {
  struct slot_env *e = (struct slot_env *)env;
  struct hd_env_base *p = &e->p;
  const struct request_slot_in *in = in_;
  const struct request_slot_out *out = out_;
  const bool take = in->enq_valid && out->enq_ready, give = out->deq_valid && in->deq_ready;
  const uint64_t hash = hd_req_hash(p, &out->deq, out->deq_wdata, out->deq_wmask);
  if (!hd_held_ok(&e->deq, out->deq_valid, in->deq_ready, hash))
    return hd_fail(env, "a request offered at deq went away or changed before it was taken; deq shows: %s",
                   hd_req_words(&out->deq).text);
  if (out->deq_valid && !e->holding)
    return hd_fail(env, "deq offers a request, but none is inside: %s", hd_req_words(&out->deq).text);
  if (give) {
    if (!hd_request_is(p, &e->inside, &out->deq, out->deq_wdata, out->deq_wmask))
      return hd_fail(env, "taken in cycle %" PRIu64 ": %s; given back: %s, or its bytes differ",
                     e->inside.cycle, hd_req_words(&e->inside.r).text, hd_req_words(&out->deq).text);
    e->holding = false;
    env->checked++;
  }
  if (take) {
    if (e->holding)
      return hd_fail(env, "a request is taken while one is inside that stays: %s",
                     hd_req_words(&e->inside.r).text);
    e->holding = true;
    e->inside = e->next;
    e->inside.cycle = p->cycle;
    e->offering = false;
  }
  if (!hd_cycle_over(p, e->holding || e->offering, take || give))
    return hd_fail(env, "nothing moves any more; inside: %s", hd_req_words(&e->inside.r).text);
  return true;
}

static bool done(const struct hd_env *env) {
  const struct slot_env *e = (const struct slot_env *)env;
  return env->stop && !e->offering && !e->holding;
}

struct hd_env *request_slot_env(const struct hd_env_job *job, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, clock, done, hd_nothing_to_check, hd_env_free};
  struct slot_env *e = hd_env_base_new(sizeof *e, job, &ops, why);
  return e ? &e->p.env : NULL;
}
