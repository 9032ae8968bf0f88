/* The environment of `rrt`: evictions and lookups of a few entries that stay the same for long, so that counts saturate and an entry is
 * read right after it was written; or of any entries. A clear comes now and then, also with evictions in flight.
 *
 * It checks at the ports, with a plain table in which an eviction counts from the next cycle on. The answer to a lookup comes in the next
 * cycle. It includes the evictions of all cycles before the lookup's, but none that came before a clear or with it.
 */
#include "verif/harness/env_common.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_ENTRIES = 1 << HD_MOST(casc, pc_bits), HOT = 4 };

struct entry {
  uint64_t sum, count; /* count 0: nothing is known */
};

struct rrt_env {
  struct hd_env_base p;
  struct { /* the mood */
    unsigned evict, hot, like, clear, ones;
  } m;
  uint64_t hot[HOT];
  struct entry table[MAX_ENTRIES];
  struct { /* the eviction of the last cycle */
    bool valid;
    uint64_t hpc, count;
  } ev;
  struct entry due; /* the answer that must be at the port */
};

static void new_mood(struct rrt_env *e) {
  struct hd_env_base *p = &e->p;
  e->m.evict = hd_density(p, true);
  e->m.hot = hd_below(p, 2) ? 1 : 1 + hd_below(p, HOT);
  e->m.like = hd_below(p, 4) ? HD_ALWAYS : hd_density(p, false); /* how often a hot entry is drawn */
  e->m.clear = hd_below(p, 64) ? 0 : hd_density(p, true);
  e->m.ones = hd_below(p, 3); /* 0: any counter; more: large counters, so that sums get large */
  const unsigned at = hd_below(p, HOT), like = hd_below(p, HOT);
  if (hd_below(p, 16) == 0) /* one hot entry becomes another one with one bit flipped */
    e->hot[at] = hd_neighbour(p, e->hot[like], p->c->d.HPC_W);
}

static uint64_t some_entry(struct rrt_env *e) {
  struct hd_env_base *p = &e->p;
  return hd_chance(p, e->m.like) ? e->hot[hd_below(p, e->m.hot)] : hd_bits(p, p->c->d.HPC_W);
}

static void drive(struct hd_env *env, const void *out, void *in_) {
  struct rrt_env *e = (struct rrt_env *)env;
  struct hd_env_base *p = &e->p;
  struct rrt_in *in = in_;
  (void)out;
  if (hd_new_mood(p))
    new_mood(e);
  in->clear = hd_chance(p, e->m.clear);
  in->ev_valid = !env->stop && hd_chance(p, e->m.evict);
  in->ev_hpc = some_entry(e);
  in->ev_count = hd_bits(p, p->c->d.RR_W);
  for (unsigned i = 0; i < e->m.ones; i++)
    in->ev_count |= hd_bits(p, p->c->d.RR_W);
  in->lk_hpc = some_entry(e);
}

/* Returns the entry of a hash: bit b of the hash counts in bit b mod HASH_BITS of the entry's number. */
static struct entry *entry_of(struct rrt_env *e, uint64_t hpc) {
  uint64_t number = 0;
  for (unsigned b = 0; b < e->p.c->d.HPC_W; b++)
    number ^= (hpc >> b & 1) << b % e->p.c->d.HASH_BITS;
  return &e->table[number];
}

/* Adds the eviction of the last cycle to its entry. */
static void learn(struct rrt_env *e) {
  struct entry *at = entry_of(e, e->ev.hpc);
  if (!e->ev.valid)
    return;
  at->sum += e->ev.count;
  at->count++;
  if (at->count == UINT64_C(1) << e->p.c->d.SAMPLE_W) {
    at->sum /= 2;
    at->count /= 2;
  }
}

static bool clock(struct hd_env *env, const void *in_, const void *out_) {
  struct rrt_env *e = (struct rrt_env *)env;
  const struct rrt_in *in = in_;
  const struct rrt_out *out = out_;
  const bool known = e->due.count > 0;
  if (out->lk_known != known)
    return hd_fail(env, "lk_known is %" PRIu64 ", of what was looked up %" PRIu64 " evictions are known",
                   out->lk_known, e->due.count);
  if (known && (out->lk_sum != e->due.sum || out->lk_count != e->due.count))
    return hd_fail(env,
                   "what was looked up has sum %" PRIu64 " and count %" PRIu64 ", it should be %" PRIu64
                   " and %" PRIu64,
                   out->lk_sum, out->lk_count, e->due.sum, e->due.count);
  env->checked += known;
  learn(e);
  if (in->clear)
    memset(e->table, 0, sizeof e->table);
  e->ev.valid = in->ev_valid && !in->clear;
  e->ev.hpc = in->ev_hpc;
  e->ev.count = in->ev_count;
  e->due = *entry_of(e, in->lk_hpc);
  hd_cycle_over(&e->p, false, true);
  return true;
}

static bool done(const struct hd_env *env) {
  return env->stop && !((const struct rrt_env *)env)->ev.valid;
}

struct hd_env *rrt_env(const struct hd_env_job *job, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, clock, done, hd_nothing_to_check, hd_env_free};
  struct rrt_env *e = hd_env_base_new(sizeof *e, job, &ops, why);
  if (!e)
    return NULL;
  for (unsigned i = 0; i < HOT; i++)
    e->hot[i] = hd_bits(&e->p, e->p.c->d.HPC_W);
  return &e->p.env;
}
