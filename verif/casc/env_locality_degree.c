/* The environment of `locality_degree`: loads are held, decided, and done or refused. It plays the L1D, whose fills come while a load is
 * held; the counters of the set; and the re-reference table, whose sums are near the decisive values.
 *
 * It checks at the ports. A load that is decided by its locality degree is held for two cycles; no other load is held. It is compared with
 * the valid ways that were not pinned in the first of these cycles, and with the table's answer in the second. From these the environment
 * computes, with plain sums and products, whether the load is refused, and which ways it may take. One of them can really be taken, as
 * docs/mechanisms/hooks.md demands of every answer. With on_fill a fill may take any way of its set whose counter is the smallest.
 */
#include "verif/harness/env_common.h"

#include <inttypes.h>

/* The load in stage d. */
struct load {
  bool there, loc, misses; /* loc: decided by its locality degree; misses: then it is held */
  uint64_t hpc, lines, reserved, pins, counters[HD_MOST(l1d, ways)];
  unsigned held; /* cycles, up to 2 */
};

struct degree_env {
  struct hd_env_base p;
  struct { /* the mood */
    unsigned come, loc, miss, wait, fill, known, full, pinned, spread;
  } m;
  struct load load;
  bool waits, advances, holds; /* the load's fate in this cycle */
  bool learned, room, better;  /* about the load held last; learned: there was one since the reset */
  uint64_t least, min;
};

static uint64_t all_ways(const struct hd_derived *d) {
  return hd_ones(d->WAYS);
}

static void new_mood(struct degree_env *e) {
  struct hd_env_base *p = &e->p;
  e->m.come = hd_density(p, true);
  e->m.loc = hd_density(p, false);
  e->m.miss = hd_density(p, false);
  e->m.wait = hd_below(p, 2) ? 0 : hd_density(p, true) / 2;
  e->m.fill = hd_density(p, false);
  e->m.known = hd_density(p, false);
  e->m.full = hd_density(p, false);
  e->m.pinned = hd_below(p, 2) ? 0 : hd_density(p, false);
  e->m.spread = 1 + hd_below(p, p->c->d.RR_W); /* bits of counters */
}

/* Returns true if a load may miss: its set has an empty way, or a valid way that is not pinned. */
static bool has_victim(const struct hd_derived *d, const struct load *l) {
  return ((l->lines & ~l->pins) | (all_ways(d) & ~l->lines & ~l->reserved)) != 0;
}

static void draw_load(struct degree_env *e) {
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  struct load *l = &e->load;
  *l = (struct load){.there = !p->env.stop && hd_chance(p, e->m.come),
                     .loc = hd_chance(p, e->m.loc),
                     .hpc = hd_bits(p, d->HPC_W)};
  l->lines = hd_chance(p, e->m.full) ? all_ways(d) : hd_bits(p, d->WAYS);
  l->reserved = d->ON_MISS ? hd_bits(p, d->WAYS) : 0;
  if (hd_below(p, 2)) /* fewer reserved ways */
    l->reserved &= hd_bits(p, d->WAYS);
  l->lines &= ~l->reserved;
  if (d->ON_MISS && hd_chance(p, e->m.full))
    l->reserved = all_ways(d) & ~l->lines;
  if (d->PINS && hd_chance(p, e->m.pinned))
    l->pins = hd_bits(p, d->WAYS);
  for (unsigned w = 0; w < d->WAYS; w++)
    l->counters[w] = hd_bits(p, hd_below(p, 4) ? e->m.spread : d->RR_W);
  l->misses = hd_chance(p, e->m.miss) && has_victim(d, l);
}

/* A fill of the set in d: its line becomes valid, or it was dead. */
static void fill(struct degree_env *e) {
  struct hd_env_base *p = &e->p;
  struct load *l = &e->load;
  const uint64_t way = UINT64_C(1) << hd_below(p, p->c->d.WAYS);
  if (hd_below(p, 4))
    l->lines |= p->c->d.ON_MISS ? l->reserved & way : way;
  l->reserved &= ~way;
}

static void drive(struct hd_env *env, const void *out, void *in_) {
  struct degree_env *e = (struct degree_env *)env;
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  struct locality_degree_in *in = in_;
  const struct load *l = &e->load;
  (void)out;
  if (hd_new_mood(p))
    new_mood(e);
  e->waits = l->there && hd_chance(p, e->m.wait);
  e->holds = l->there && !e->waits && l->loc && l->misses && l->held < 2;
  e->advances = !e->waits && !e->holds;
  in->decide_loc = l->loc;
  in->decide_hpc = l->hpc;
  in->decide_lines = l->lines;
  in->decide_reserved = l->reserved;
  in->decide_pins = d->PINS ? l->pins : 0;
  for (unsigned w = 0; w < d->WAYS; w++)
    in->decide_counters[w] = l->counters[w];
  for (unsigned w = 0; !d->ON_MISS && w < d->WAYS; w++)
    in->fill_counters[w] = hd_bits(p, hd_below(p, 4) ? e->m.spread : d->RR_W);
  in->late_advance = e->advances;
  in->late_held = e->holds;
  const uint64_t most = hd_ones(d->RRSUM_W), count = 1 + hd_bits(p, d->SAMPLE_W) / 2;
  const uint64_t near = count * (l->held ? e->min : hd_bits(p, d->RR_W)) + hd_below(p, 3);
  in->lk_count = count;
  in->lk_sum = near > most ? most : near ? near - hd_below(p, 2) : 0;
  in->lk_known = hd_chance(p, e->m.known);
}

/* Finds the smallest counter of the valid ways that are not pinned, and the ways that have it. */
static void compare(struct degree_env *e) {
  const struct hd_derived *d = &e->p.c->d;
  const struct load *l = &e->load;
  const uint64_t loose = l->lines & ~l->pins;
  e->learned = true;
  e->room = (l->lines | l->reserved) != all_ways(d);
  e->least = 0;
  e->min = hd_ones(d->RR_W);
  for (unsigned w = 0; w < d->WAYS; w++)
    if (loose >> w & 1 && l->counters[w] < e->min)
      e->min = l->counters[w];
  for (unsigned w = 0; w < d->WAYS; w++)
    if (loose >> w & 1 && l->counters[w] == e->min)
      e->least |= UINT64_C(1) << w;
}

/* Checks hold_fill, and the ways that a fill may take. */
static bool check_fill(struct degree_env *e, const struct locality_degree_in *in,
                       const struct locality_degree_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  if (out->hold_fill != e->load.loc)
    return hd_fail(&e->p.env, "hold_fill is %" PRIu64 ", the load's loc is %d", out->hold_fill, e->load.loc);
  for (unsigned w = 0; w < d->WAYS; w++) {
    bool least = true;
    for (unsigned x = 0; x < d->WAYS; x++)
      least &= in->fill_counters[w] <= in->fill_counters[x];
    if ((out->fill_among >> w & 1) != least)
      return hd_fail(&e->p.env,
                     "fill_among is %" PRIx64 ", and the counter of way %u is%s one of the smallest",
                     out->fill_among, w, least ? "" : " not");
  }
  return true;
}

static bool check(struct degree_env *e, const struct locality_degree_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  const struct load *l = &e->load;
  struct hd_env *env = &e->p.env;
  const bool hold = l->loc && l->held < 2, refuse = l->loc && l->held == 2 && !e->room && !e->better;
  const uint64_t among = l->loc && !e->room ? e->least : all_ways(d);
  if (out->lk_hpc != l->hpc)
    return hd_fail(env, "hash %" PRIx64 " is looked up, the load's is %" PRIx64, out->lk_hpc, l->hpc);
  if (d->ON_MISS && out->lack_line != l->loc)
    return hd_fail(env, "lack_line is %" PRIu64 ", the load's loc is %d", out->lack_line, l->loc);
  if (out->hold != hold)
    return hd_fail(env, "hold is %" PRIu64 " for a load with loc %d that was held %u times", out->hold,
                   l->loc, l->held);
  if (out->hold_refuse != refuse)
    return hd_fail(env,
                   "hold_refuse is %" PRIu64
                   " for a load with loc %d that was held %u times, empty way %d, better %d",
                   out->hold_refuse, l->loc, l->held, e->room, e->better);
  if (d->ON_MISS && (!l->loc || e->learned) && out->hold_among != among)
    return hd_fail(env, "hold_among is %" PRIx64 ", the lines with the smallest counter are %" PRIx64,
                   out->hold_among, among);
  if (d->ON_MISS && l->there && l->misses && l->held == 2 && (l->lines | l->reserved) == all_ways(d) &&
      !(out->hold_among & l->lines & ~l->pins))
    return hd_fail(env, "hold_among is %" PRIx64 ", of which no line is there and not pinned",
                   out->hold_among);
  env->checked += e->holds || (l->held == 2 && e->advances);
  return true;
}

static bool clock(struct hd_env *env, const void *in_, const void *out) {
  struct degree_env *e = (struct degree_env *)env;
  struct hd_env_base *p = &e->p;
  const struct locality_degree_in *in = in_;
  struct load *l = &e->load;
  if (!check(e, out) || (!p->c->d.ON_MISS && !check_fill(e, in, out)))
    return false;
  if (e->holds && l->held == 0)
    compare(e);
  else if (e->holds)
    e->better = !in->lk_known || in->lk_sum > e->min * in->lk_count;
  l->held += e->holds;
  if (e->advances)
    draw_load(e);
  else if (hd_chance(p, e->m.fill))
    fill(e);
  hd_cycle_over(p, false, true);
  return true;
}

static bool done(const struct hd_env *env) {
  return env->stop && !((const struct degree_env *)env)->load.there;
}

struct hd_env *locality_degree_env(const struct hd_env_job *job, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, clock, done, hd_nothing_to_check, hd_env_free};
  struct degree_env *e = hd_env_base_new(sizeof *e, job, &ops, why);
  return e ? &e->p.env : NULL;
}
