/* The environment of `rft_line`: requests of a few hashes or any pass c and d, and are reported. The bits of the table stay the same for
 * long, or flip. The environment plays the L1D: a load with the advice to bypass mostly bypasses.
 *
 * It checks at the ports: the advice is the bit of the load's entry when the load moved into d. With rft.resample = n at most n - 1
 * reported loads of an entry bypass in a row. Then loads are let through, until OUTCOME reports one of these as done.
 */
#include "verif/harness/env_common.h"

#include <inttypes.h>

enum { HOT = 4 };

/* A request in c or d. */
struct request {
  bool there, write;
  uint64_t hpc;
};

struct rft_line_env {
  struct hd_env_base p;
  struct { /* the mood */
    unsigned come, stores, go, past, hot, like, enable, flip, done;
  } m;
  uint64_t hot[HOT], hints;
  struct request c, d;
  bool known, bypass,
      sees; /* of d: known since the reset; it shall bypass; it is let through to sample the reuse */
  bool advances;
  struct { /* decisions: of the last cycle; of this one */
    bool load, past, bypass, sees;
    uint64_t hpc;
  } reported, now;
  unsigned passed[HD_MOST(rft, entries)]; /* loads that bypassed since one was let through */
};

static void new_mood(struct rft_line_env *e) {
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  const uint64_t all = hd_ones(d->RFT), hints[] = {0, all, hd_bits(p, d->RFT), e->hints};
  e->m.come = hd_density(p, true);
  e->m.stores = hd_below(p, 2) ? 32 : hd_density(p, false);
  e->m.go = hd_density(p, true);
  e->m.past = hd_below(p, 2) ? HD_ALWAYS : hd_density(p, false);
  e->m.done = hd_below(p, 2) ? HD_ALWAYS : hd_density(p, false);
  e->m.hot = 1 + hd_below(p, HOT);
  e->m.like = hd_density(p, false);
  e->m.enable = hd_below(p, 2) ? HD_ALWAYS : hd_density(p, false);
  e->m.flip = hd_below(p, 2) ? 0 : hd_density(p, false);
  e->hints = hints[hd_below(p, 4)];
  for (unsigned i = 0; i < HOT; i++)
    if (hd_below(p, 4) == 0)
      e->hot[i] = hd_bits(p, d->HPC_W);
}

/* Draws the next request. Fields are random even if there is no request. */
static struct request draw_request(struct rft_line_env *e) {
  struct hd_env_base *p = &e->p;
  return (struct request){.there = !p->env.stop && hd_chance(p, e->m.come),
                          .write = hd_chance(p, e->m.stores),
                          .hpc = hd_chance(p, e->m.like) ? e->hot[hd_below(p, e->m.hot)]
                                                         : hd_bits(p, p->c->d.HPC_W)};
}

static void drive(struct hd_env *env, const void *out_, void *in_) {
  struct rft_line_env *e = (struct rft_line_env *)env;
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  const struct rft_line_out *out = out_;
  struct rft_line_in *in = in_;
  if (hd_new_mood(p))
    new_mood(e);
  if (hd_chance(p, e->m.flip))
    e->hints ^= UINT64_C(1) << hd_below(p, d->RFT);
  const bool goes = env->stop || hd_chance(p, e->m.go);
  e->advances = !e->d.there || goes;
  e->now.load = e->d.there && !e->d.write && goes && hd_chance(p, e->m.done); /* else it is given back */
  e->now.past = e->now.load && (out->advice_bypass ? hd_chance(p, e->m.past) : hd_below(p, 16) == 0);
  e->now.hpc = e->d.hpc;
  in->rft_en = hd_chance(p, e->m.enable);
  in->rft_bypass = e->hints;
  in->look_valid = e->c.there;
  in->look_write = e->c.write;
  in->look_hpc = e->c.hpc;
  in->late_advance = e->advances;
  in->outcome_load = d->RESAMPLED && e->reported.load;
  in->outcome_past = d->RESAMPLED && e->reported.past;
  in->outcome_hpc = d->RESAMPLED ? e->reported.hpc : 0;
}

/* Returns the entry of a hash: bit i is the parity of bits i, i + RFT_W, ... */
static unsigned entry_of(const struct hd_config *c, uint64_t hpc) {
  unsigned entry = 0;
  for (unsigned i = 0; i < c->d.HPC_W; i++)
    entry ^= (unsigned)(hpc >> i & 1) << i % c->d.RFT_W;
  return entry;
}

/* Counts the reported load; the count is used from the next cycle on. */
static void learn(struct rft_line_env *e) {
  unsigned *passed = &e->passed[entry_of(e->p.c, e->reported.hpc)];
  if (e->reported.load && e->reported.sees)
    *passed = 0;
  else if (e->reported.past && e->reported.bypass)
    ++*passed;
}

static void advance(struct rft_line_env *e, const struct rft_line_in *in) {
  const struct hd_config *c = e->p.c;
  const unsigned entry = entry_of(c, e->c.hpc), resample = c->rft.resample;
  const bool says = in->rft_en && e->c.there && !e->c.write && in->rft_bypass >> entry & 1;
  e->known = true;
  e->sees = says && resample && e->passed[entry] + 1 >= resample;
  e->bypass = says && !e->sees;
  e->d = e->c;
  e->c = draw_request(e);
}

static bool clock(struct hd_env *env, const void *in, const void *out_) {
  struct rft_line_env *e = (struct rft_line_env *)env;
  const struct rft_line_out *out = out_;
  if (e->known && out->advice_bypass != e->bypass)
    return hd_fail(env,
                   "advice_bypass is %" PRIu64
                   ", it should be %d for what is in d: there %d, write %d, hash %" PRIx64,
                   out->advice_bypass, e->bypass, e->d.there, e->d.write, e->d.hpc);
  e->now.bypass = e->bypass;
  e->now.sees = e->sees;
  env->checked += e->known && e->d.there;
  if (e->advances)
    advance(e, in);
  learn(e);
  e->reported = e->now;
  hd_cycle_over(&e->p, false, true);
  return true;
}

static bool done(const struct hd_env *env) {
  const struct rft_line_env *e = (const struct rft_line_env *)env;
  return env->stop && !e->c.there && !e->d.there && !e->reported.load;
}

struct hd_env *rft_line_env(const struct hd_env_job *job, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, clock, done, hd_nothing_to_check, hd_env_free};
  struct rft_line_env *e = hd_env_base_new(sizeof *e, job, &ops, why);
  if (!e)
    return NULL;
  for (unsigned i = 0; i < HOT; i++)
    e->hot[i] = hd_bits(&e->p, e->p.c->d.HPC_W);
  return &e->p.env;
}
