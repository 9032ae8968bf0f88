/* The environment of `rft`: evictions of some SMs or all, of a few entries or any, with little reuse or much; a clear now and then. With
 * control registers the threshold changes.
 *
 * It checks at the ports: the environment keeps each SM's queue as a list, and each entry as the result of its updates. It takes one
 * update a cycle, the SMs in turn. So it knows the whole bypass vector, and which SMs' updates were lost, in every cycle.
 */
#include "verif/harness/env_common.h"

#include <inttypes.h>
#include <string.h>

enum { HOT = 4, NOBODY = -1 };

struct update {
  unsigned entry;
  int64_t count; /* number of re-references; with one bit an entry: whether there were any */
};
struct entry {
  bool known;
  int64_t refs; /* average: references of a line, in sixteenths; with one bit: whether a line was reused */
  bool few;     /* refs was not above the threshold at the last update */
};

struct rft_env {
  struct hd_env_base p;
  struct { /* the mood */
    unsigned evict, sms, first, hot, like, reuse, clear;
  } m;
  uint64_t hot[HOT]; /* hashes */
  uint64_t enough;   /* average: the threshold */
  struct update queue[HD_MOST(rft, sharers)][HD_MOST(rft, queue)], doing;
  unsigned queued[HD_MOST(rft, sharers)], turn;
  bool does; /* `doing` is valid */
  struct entry table[HD_MOST(rft, entries)];
  uint64_t lost;
};

static void new_mood(struct rft_env *e) {
  struct hd_env_base *p = &e->p;
  const unsigned sms = p->c->d.SHARERS;
  e->m.evict = hd_density(p, true);
  e->m.sms = hd_below(p, 2) ? sms : 1 + hd_below(p, sms);
  e->m.first = hd_below(p, sms);
  e->m.hot = 1 + hd_below(p, HOT);
  e->m.like = hd_density(p, false); /* how often a hot hash is drawn */
  e->m.reuse = hd_below(p, 2) ? hd_below(p, 16) : hd_density(p, false);
  e->m.clear = hd_below(p, 16) ? 0 : hd_below(p, 2) ? 8 : hd_density(p, true);
  if (!p->c->d.RFT_AVG && !e->m.clear) /* else all entries would in the end never bypass */
    e->m.clear = hd_below(p, 4);
  for (unsigned i = 0; i < HOT; i++)
    if (hd_below(p, 4) == 0)
      e->hot[i] = hd_bits(p, p->c->d.HPC_W);
}

static void drive(struct hd_env *env, const void *out, void *in_) {
  struct rft_env *e = (struct rft_env *)env;
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  struct rft_in *in = in_;
  (void)out;
  if (hd_new_mood(p))
    new_mood(e);
  in->clear = hd_chance(p, e->m.clear);
  if (d->THRESHOLD_W)
    in->rft_threshold = hd_threshold_draw(p, &e->enough, 16, 64);
  in->up_valid = 0;
  for (unsigned s = 0; s < d->SHARERS; s++) {
    const bool some = (s + d->SHARERS - e->m.first) % d->SHARERS < e->m.sms;
    if (!env->stop && some && hd_chance(p, e->m.evict))
      in->up_valid |= UINT64_C(1) << s;
    in->up_hpc[s] = hd_chance(p, e->m.like) ? e->hot[hd_below(p, e->m.hot)] : hd_bits(p, d->HPC_W);
    in->up_count[s] = hd_chance(p, e->m.reuse) ? hd_bits(p, d->RR_W) : 0;
  }
}

/* Returns the entry of a hash: bit i is the parity of bits i, i + RFT_W, ... */
static unsigned entry_of(const struct hd_config *c, uint64_t hpc) {
  unsigned entry = 0;
  for (unsigned i = 0; i < c->d.HPC_W; i++)
    entry ^= (unsigned)(hpc >> i & 1) << i % c->d.RFT_W;
  return entry;
}

/* Returns the quotient, rounded down. */
static int64_t floor_div(int64_t a, int64_t b) {
  return a / b - (a % b < 0);
}

static void learn(struct rft_env *e, const struct update *u) {
  const struct hd_config *c = e->p.c;
  struct entry *at = &e->table[u->entry];
  const int64_t refs = 16 * (1 + u->count);
  if (!c->d.RFT_AVG)
    at->refs = u->count > 0 || (at->known && at->refs);
  else
    at->refs = at->known ? at->refs + floor_div(refs - at->refs, INT64_C(1) << c->rft.forget) : refs;
  at->known = true;
  at->few = at->refs <= (c->d.RFT_AVG ? (int64_t)e->enough : 0);
}

/* Returns the SM whose turn it is, or NOBODY. */
static int next_turn(const struct rft_env *e) {
  const unsigned sms = e->p.c->d.SHARERS;
  for (unsigned i = 1; i <= sms; i++)
    if (e->queued[(e->turn + i) % sms])
      return (int)((e->turn + i) % sms);
  return NOBODY;
}

static bool check(struct rft_env *e, const struct rft_out *out) {
  const struct hd_config *c = e->p.c;
  uint64_t bypass = 0;
  for (unsigned i = 0; i < c->d.RFT; i++)
    if (e->table[i].known && e->table[i].few)
      bypass |= UINT64_C(1) << i;
  if (out->bypass != bypass)
    return hd_fail(&e->p.env, "bypass is %016" PRIx64 ", what is known says %016" PRIx64, out->bypass,
                   bypass);
  if (out->lost != e->lost)
    return hd_fail(&e->p.env, "lost is %" PRIx64 ", updates were lost of %" PRIx64, out->lost, e->lost);
  return true;
}

static void forget(struct rft_env *e) {
  memset(e->queued, 0, sizeof e->queued);
  memset(e->table, 0, sizeof e->table);
  e->does = false;
  e->lost = 0;
}

/* Puts an update into the queue of SM s. Returns true if it is lost. */
static bool comes(struct rft_env *e, unsigned s, uint64_t hpc, uint64_t count) {
  const struct hd_config *c = e->p.c;
  if (e->queued[s] == c->rft.queue)
    return true;
  e->queue[s][e->queued[s]++] = (struct update){entry_of(c, hpc), (int64_t)count};
  return false;
}

static bool clock(struct hd_env *env, const void *in_, const void *out_) {
  struct rft_env *e = (struct rft_env *)env;
  const struct rft_in *in = in_;
  if (!check(e, out_))
    return false;
  if (e->does) {
    learn(e, &e->doing);
    env->checked++;
  }
  const int sm = next_turn(e); /* by the queues before this cycle's updates */
  struct update taken = {0};
  if (sm != NOBODY)
    taken = e->queue[sm][0];
  e->lost = 0;
  for (unsigned s = 0; s < e->p.c->d.SHARERS; s++)
    if (in->up_valid >> s & 1 && comes(e, s, in->up_hpc[s], in->up_count[s]))
      e->lost |= UINT64_C(1) << s;
  e->does = sm != NOBODY;
  if (e->does) { /* its place in the queue is free only from now on */
    e->doing = taken;
    e->turn = (unsigned)sm;
    memmove(&e->queue[sm][0], &e->queue[sm][1], --e->queued[sm] * sizeof e->queue[sm][0]);
  }
  if (in->clear)
    forget(e);
  hd_cycle_over(&e->p, false, true);
  return true;
}

static bool done(const struct hd_env *env) {
  const struct rft_env *e = (const struct rft_env *)env;
  return env->stop && !e->does && next_turn(e) == NOBODY;
}

struct hd_env *rft_env(const struct hd_env_job *job, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, clock, done, hd_nothing_to_check, hd_env_free};
  struct rft_env *e = hd_env_base_new(sizeof *e, job, &ops, why);
  if (!e)
    return NULL;
  e->turn = e->p.c->d.SHARERS - 1;
  e->enough = e->p.c->rft.threshold;
  for (unsigned i = 0; i < HOT; i++)
    e->hot[i] = hd_bits(&e->p, e->p.c->d.HPC_W);
  return &e->p.env;
}
