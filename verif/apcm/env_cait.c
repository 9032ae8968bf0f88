/* The environment of `cait`: updates of a few loads or all, about lines used once, a few times or often, by one warp or several; a clear
 * now and then, with an update in the same cycle or without.
 *
 * It checks at the ports: for each load the environment keeps the update that counts, which is the first one with the most accesses since
 * the last clear. This update decides whether the load is bypassed or protected.
 */
#include "verif/harness/env_common.h"

#include <inttypes.h>
#include <string.h>

/* The update that counts for a load. */
struct use {
  uint64_t count, intra, last; /* count 0: nothing is known */
};

struct cait_env {
  struct hd_env_base p;
  struct { /* the mood */
    unsigned update, loads, first, once, alone, most, clear;
  } m;
  struct use known[HD_MOST(apcm, loads)];
};

static void new_mood(struct cait_env *e) {
  struct hd_env_base *p = &e->p;
  const unsigned loads = p->c->d.LAT;
  e->m.update = hd_density(p, true);
  e->m.loads = hd_below(p, 2) ? loads : 1 + hd_below(p, 4);
  e->m.first = hd_below(p, loads);
  e->m.once = hd_density(p, false);
  e->m.alone = hd_density(p, false); /* how often only the monitored warp used the line */
  e->m.most = hd_below(p, 2) ? 3 : (1U << p->c->d.RR_W) - 1;
  e->m.clear = hd_below(p, 8) ? hd_below(p, 32) : hd_density(p, true);
}

static void drive(struct hd_env *env, const void *out, void *in_) {
  struct cait_env *e = (struct cait_env *)env;
  struct hd_env_base *p = &e->p;
  struct cait_in *in = in_;
  (void)out;
  if (hd_new_mood(p))
    new_mood(e);
  in->clear = hd_chance(p, e->m.clear);
  in->up_valid = !env->stop && hd_chance(p, e->m.update);
  in->up_id = (e->m.first + hd_below(p, e->m.loads)) % p->c->d.LAT;
  in->up_last = p->c->d.LAST_W ? hd_below(p, p->c->d.LAT) : 0;
  in->up_count = hd_chance(p, e->m.once) ? 1 : 1 + hd_below(p, e->m.most);
  in->up_intra = hd_chance(p, e->m.alone) ? in->up_count : 1 + hd_below(p, (unsigned)in->up_count);
}

static bool check(struct cait_env *e, const struct cait_out *out) {
  struct hd_env *env = &e->p.env;
  const struct hd_derived *d = &e->p.c->d;
  uint64_t bypass = 0, protect = 0;
  for (unsigned i = 0; i < d->LAT; i++) {
    const struct use *u = &e->known[i];
    const bool keep = u->count > 1 && u->intra == u->count;
    bypass |= (uint64_t)(u->count == 1) << i;
    protect |= (uint64_t)keep << i;
    if (d->APCM_P && keep && out->last[i] != u->last)
      return hd_fail(env, "load %u is protected until load %" PRIu64 " is done, it should be load %" PRIu64,
                     i, out->last[i], u->last);
  }
  if (d->APCM_B && out->bypass != bypass)
    return hd_fail(env, "bypass is %08" PRIx64 ", what is known says %08" PRIx64, out->bypass, bypass);
  if (d->APCM_P && out->protect != protect)
    return hd_fail(env, "protect is %08" PRIx64 ", what is known says %08" PRIx64, out->protect, protect);
  return true;
}

static bool clock(struct hd_env *env, const void *in_, const void *out_) {
  struct cait_env *e = (struct cait_env *)env;
  const struct cait_in *in = in_;
  if (!check(e, out_))
    return false;
  if (in->up_valid && in->up_count > e->known[in->up_id].count) {
    e->known[in->up_id] = (struct use){in->up_count, in->up_intra, in->up_last};
    env->checked += !in->clear;
  }
  if (in->clear)
    memset(e->known, 0, sizeof e->known);
  hd_cycle_over(&e->p, false, true);
  return true;
}

struct hd_env *cait_env(const struct hd_env_job *job, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, clock, hd_env_stopped, hd_nothing_to_check, hd_env_free};
  struct cait_env *e = hd_env_base_new(sizeof *e, job, &ops, why);
  return e ? &e->p.env : NULL;
}
