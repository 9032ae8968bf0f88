/* The environment of `lat`: loads of a few program counters that differ in single bits, fewer than the ids or more, so that all ids are
 * given; a clear now and then.
 *
 * It checks at the ports: the environment lists the program counters in the order in which they were first seen since the last clear. A
 * load's id is its place in the list, or the place that it is about to take. The list also gives the expected answer for each asked id.
 */
#include "verif/harness/env_common.h"

#include <inttypes.h>

enum { MAX_POOL = HD_MOST(apcm, loads) + 8 };

struct lat_env {
  struct hd_env_base p;
  struct { /* the mood */
    unsigned load, pool, like, clear;
  } m;
  uint64_t pool[MAX_POOL]; /* program counters of the kernel's loads; some may be the same */
  uint64_t seen[HD_MOST(apcm, loads)];
  unsigned n;
};

static void new_mood(struct lat_env *e) {
  struct hd_env_base *p = &e->p;
  const unsigned loads = p->c->d.LAT;
  e->m.load = hd_density(p, true);
  e->m.pool = 1 + hd_below(p, hd_below(p, 2) ? loads + 8 : 4);
  e->m.like = hd_below(p, 4) ? HD_ALWAYS : hd_density(p, true); /* how often a load is one of the pool */
  e->m.clear = hd_below(p, 8) ? hd_below(p, 4) : hd_density(p, true);
  for (unsigned i = 0; i < MAX_POOL; i++) {
    if (hd_below(p, 4) == 0)
      e->pool[i] = hd_bits(p, p->c->d.PC_W);
    else if (hd_below(p, 4) == 0)
      e->pool[i] = hd_neighbour(p, e->pool[hd_below(p, MAX_POOL)], p->c->d.PC_W);
  }
}

static void drive(struct hd_env *env, const void *out, void *in_) {
  struct lat_env *e = (struct lat_env *)env;
  struct hd_env_base *p = &e->p;
  struct lat_in *in = in_;
  (void)out;
  if (hd_new_mood(p))
    new_mood(e);
  in->clear = hd_chance(p, e->m.clear);
  in->load_valid = !in->clear && !env->stop && hd_chance(p, e->m.load);
  in->load_pc = hd_chance(p, e->m.like) ? e->pool[hd_below(p, e->m.pool)] : hd_bits(p, p->c->d.PC_W);
  in->ask_id = hd_bits(p, p->c->d.LAST_W); /* any id, given to a load or not */
}

static bool check(struct lat_env *e, const struct lat_in *in, const struct lat_out *out, unsigned place) {
  struct hd_env *env = &e->p.env;
  const bool has = place < e->p.c->d.LAT;
  if (out->load_trk != has || out->load_lid != (has ? place : 0))
    return hd_fail(env,
                   "the load at 0x%" PRIx64 " has trk %" PRIu64 ", lid %" PRIu64
                   "; it comes as number %u of %u, there are %u ids",
                   in->load_pc, out->load_trk, out->load_lid, place, e->n, e->p.c->d.LAT);
  const uint64_t asked = in->ask_id < e->n ? e->seen[in->ask_id] : 0;
  if (e->p.c->d.APCM_P && out->ask_pc != asked)
    return hd_fail(env, "ask_pc is 0x%" PRIx64 ", id %" PRIu64 " of %u given has 0x%" PRIx64, out->ask_pc,
                   in->ask_id, e->n, asked);
  env->checked += in->load_valid;
  return true;
}

static bool clock(struct hd_env *env, const void *in_, const void *out_) {
  struct lat_env *e = (struct lat_env *)env;
  const struct lat_in *in = in_;
  unsigned place = 0;
  while (place < e->n && e->seen[place] != in->load_pc)
    place++;
  if (!check(e, in, out_, place))
    return false;
  if (in->load_valid && place == e->n && e->n < e->p.c->d.LAT)
    e->seen[e->n++] = in->load_pc;
  if (in->clear)
    e->n = 0;
  hd_cycle_over(&e->p, false, true);
  return true;
}

struct hd_env *lat_env(const struct hd_env_job *job, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, clock, hd_env_stopped, hd_nothing_to_check, hd_env_free};
  struct lat_env *e = hd_env_base_new(sizeof *e, job, &ops, why);
  if (!e)
    return NULL;
  for (unsigned i = 0; i < MAX_POOL; i++)
    e->pool[i] = hd_bits(&e->p, e->p.c->d.PC_W);
  return &e->p.env;
}
