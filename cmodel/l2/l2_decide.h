/* The plan for the slot in b of an L2 slice: a request's decision, or a step of a fill. Spec: docs/mechanisms/l2.md,
 * "Decision" and "Step"; part of the model in cmodel/l2/l2_cycle.h.
 *
 * Invariant: no function here changes the model.
 *
 * Inlined: with calls instead, heddle sim executes 1.8 % more instructions (gpu/fermi on atax:n=256). */
#ifndef HEDDLE_CMODEL_L2_L2_DECIDE_H
#define HEDDLE_CMODEL_L2_L2_DECIDE_H

#include "cmodel/l2/l2_sets.h"
#include "cmodel/l2/ports.h"

/* The action of a slot. From L2_WRITES_BACK on the request stays in its queue. From L2_FAILS on it fails; the events
 * of the fails are in the same order. */
enum l2_what {
  L2_NOTHING,
  L2_COUNTS, /* a query */
  L2_MERGES,
  L2_HITS,
  L2_CLOSES_CLEAN,
  L2_CLOSES_DIRTY,
  L2_READS_PAST, /* the line is not stored */
  L2_WRITES_PAST,
  L2_ALLOCATES,
  L2_STEPS,
  L2_WRITES_BACK,
  L2_FAILS,
  L2_FAILS_LINE = L2_FAILS,
  L2_FAILS_MSHR,
  L2_FAILS_MERGE,
  L2_FAILS_QUEUE,
  L2_FAILS_WAKE
};
enum l2_mask { L2_NO_BYTES, L2_ITS_BYTES, L2_ALL_BYTES }; /* c_mask of a request */

struct l2_plan {
  uint8_t what, act;
  uint8_t way, mshr; /* their meaning depends on `what` and `act`; 0 if unused */
  uint8_t sector;    /* of a write-back */
  bool match : 1;    /* the way had the line's tag */
  bool room : 1;     /* of a miss: a way for the tag exists */
  uint8_t early;     /* the line's accesses so far, with this one, if the line slept */
  uint8_t mask;
};

/* ---- MSHRs ---- */

static inline bool l2_keeps(const struct l2_slice *m, unsigned mshr) {
  return !HD_IS(m, L2_SLEEPS) || hd_has(m->s.mshr_keep, mshr);
}
static inline unsigned l2_mshr_way(const struct l2_slice *m, unsigned mshr) {
  return m->base.c->d.L2_WAY_W ? (unsigned)m->s.mshr_way[mshr] : 0;
}
static inline uint64_t l2_free_mshrs(const struct l2_slice *m) {
  return hd_ones(m->base.c->d.L2_MSHRS) & ~m->s.mshr_used;
}

/* The MSHRs whose line has a way. */
static inline uint64_t l2_kept(const struct l2_slice *m) {
  return HD_IS(m, L2_SLEEPS) ? m->s.mshr_used & m->s.mshr_keep : m->s.mshr_used;
}

/* The sector that an MSHR waits for; 0 if lines come whole. */
static inline unsigned l2_mshr_sector(const struct l2_slice *m, unsigned mshr) {
  return HD_IS(m, L2_SECTOR_FILL) ? (unsigned)m->s.mshr_sector[mshr] : 0;
}

/* Returns the MSHR of the line in flight, or of this sector of it, as a set of one; 0 if none. `match`: a way has the
 * line's tag. A line in flight that has a way matches there. */
static inline uint64_t l2_flight(const struct l2_slice *m, uint64_t line, unsigned sector, bool match) {
  uint64_t may = match ? m->s.mshr_used : m->s.mshr_used & ~l2_kept(m);
  while (may && (m->s.mshr_line[hd_lowest(may)] != line || l2_mshr_sector(m, hd_lowest(may)) != sector))
    may &= may - 1;
  return may & -may;
}

static inline uint64_t l2_busy(const struct l2_slice *m, uint64_t set) {
  uint64_t busy = 0;
  for (uint64_t kept = l2_kept(m); kept; kept &= kept - 1)
    if (l2_set_of(&m->base.c->d, m->s.mshr_line[hd_lowest(kept)]) == set)
      busy |= hd_bit(l2_mshr_way(m, hd_lowest(kept)));
  return busy;
}

/* ---- Decision ---- */

/* The inputs of a decision. */
struct l2_case {
  uint64_t set, match, up; /* up: ways whose line, or the requested sector of it, can be hit */
  bool store, out_room;
};

/* Returns the accesses so far, with this one, of the sleeping line in way `match`. Returns 0 without such a line. */
static inline uint8_t l2_early(const struct l2_slice *m, const struct l2_slice_in *in, uint64_t match) {
  if (!HD_IS(m, L2_SLEEPS) || !match)
    return 0;
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): lines sleep where u_gate counts them alone */
  const uint64_t count = in->count[hd_lowest(match)];
  return (uint8_t)(count + (count != hd_ones(m->base.c->d.CNT_W)));
}

/* Plans for b if its line is in flight. */
static inline struct l2_plan l2_plan_merge(const struct l2_slice *m, const struct l2_slice_in *in,
                                           const struct l2_case *q, unsigned mshr) {
  const struct l2_slice_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const bool in_f = s->f_valid && s->f_id == mshr;
  if (s->mshr_count[mshr] == d->L2_MERGE ||
      (q->store && (!l2_keeps(m, mshr) || hd_has(s->mshr_after, mshr) || in_f)))
    return (struct l2_plan){.what = L2_FAILS_MERGE, .mshr = (uint8_t)mshr};
  struct l2_plan plan = {.what = L2_MERGES, .mshr = (uint8_t)mshr};
  if (q->match) {
    plan.match = 1;
    plan.way = (uint8_t)hd_lowest(q->match);
    plan.act = HD_IS(m, L2_SLEEPS) ? HD_ACT_COUNT : HD_ACT_NONE;
    plan.early = l2_early(m, in, q->match & ~q->up);
  }
  return plan;
}

static inline struct l2_plan l2_plan_hit(const struct l2_slice *m, const struct l2_slice_in *in,
                                         const struct l2_case *q) {
  const unsigned way = hd_lowest(q->match);
  const bool gated = HD_IS(m, L2_SLEEPS);
  struct l2_plan plan = {
      .what = L2_HITS, .act = gated ? HD_ACT_COUNT : HD_ACT_NONE, .way = (uint8_t)way, .match = 1};
  if (!gated || !hd_has(in->last, way))
    return plan;
  plan.act = HD_ACT_COUNT_SLEEP;
  plan.what = L2_CLOSES_CLEAN;
  if (!q->store && !hd_has(*l2_dirty(m, q->set, 0), way))
    return plan;
  plan.mask = q->store ? L2_ITS_BYTES : L2_NO_BYTES;
  if (!q->out_room)
    return (struct l2_plan){.what = L2_FAILS_QUEUE, .mask = plan.mask};
  plan.what = L2_CLOSES_DIRTY;
  return plan;
}

/* Returns the candidate ways for the line of a miss: the least recently used of them is the victim. 0: there is no
 * victim. */
static inline uint64_t l2_victims(const struct l2_slice *m, const struct l2_case *q) {
  const uint64_t all = hd_ones(m->base.c->d.L2_WAYS), valid = m->s.valid[q->set];
  if (q->match)
    return q->match;
  return valid != all ? ~valid & -~valid : all & ~l2_busy(m, q->set);
}

static inline struct l2_plan l2_plan_miss(const struct l2_slice *m, const struct l2_slice_in *in,
                                          const struct l2_case *q) {
  const bool gated = HD_IS(m, L2_SLEEPS), past = gated && in->once && (!q->store || m->s.b.full),
             asks = !past || !q->store, no_wake = HD_IS(m, L2_WAKE_LIMITED) && !in->wake_room;
  const uint64_t may = l2_victims(m, q);
  struct l2_plan plan = {.mask = past && q->store ? L2_ALL_BYTES : L2_NO_BYTES};
  plan.what = (uint8_t)(!may && !past               ? L2_FAILS_LINE
                        : asks && !l2_free_mshrs(m) ? L2_FAILS_MSHR
                        : !q->out_room              ? L2_FAILS_QUEUE
                        : !past && no_wake          ? L2_FAILS_WAKE
                        : !past                     ? L2_ALLOCATES
                        : q->store                  ? L2_WRITES_PAST
                                                    : L2_READS_PAST);
  if (plan.what >= L2_FAILS)
    return plan;
  if (may) {
    plan.room = 1;
    plan.way = (uint8_t)l2_least_recent(m, q->set, may);
    const uint64_t goes =
        HD_IS(m, L2_SECTOR_FILL) ? m->s.valid[q->set] & ~q->match : q->up; /* leaves if it is the victim */
    if (hd_has(goes & l2_any_dirty(m, q->set), plan.way))
      return (struct l2_plan){
          .what = L2_WRITES_BACK, .way = plan.way, .sector = (uint8_t)l2_first_dirty(m, q->set, plan.way)};
    plan.act = past ? HD_ACT_KEEP : gated ? HD_ACT_WAKE : HD_ACT_NONE;
  }
  if (asks)
    plan.mshr = (uint8_t)hd_lowest(l2_free_mshrs(m));
  plan.match = q->match != 0;
  plan.early = l2_early(m, in, gated ? q->match : 0);
  return plan;
}

static inline struct l2_plan l2_decide(const struct l2_slice *m, const struct l2_slice_in *in) {
  const struct l2_slice_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t set = l2_slice_looked_set(m), match = l2_match(m, s->b.line);
  const unsigned sector = l2_sector_of(m, s->b.sectors);
  if (s->b.kind == HD_QUERY)
    return (struct l2_plan){
        .what = L2_COUNTS, .match = match != 0, .way = (uint8_t)(match ? hd_lowest(match) : 0)};
  const struct l2_case q = {.set = set,
                            .match = match,
                            .up = HD_IS(m, L2_SLEEPS) ? in->on
                                  : HD_IS(m, L2_SECTOR_FILL)
                                      ? s->valid[set] & s->present[set * d->SECTORS + sector]
                                      : s->valid[set],
                            .store = s->b.kind == HD_STORE,
                            .out_room = l2_slice_out_room(m)};
  const uint64_t flight = l2_flight(m, s->b.line, sector, match != 0);
  if (flight)
    return l2_plan_merge(m, in, &q, hd_lowest(flight));
  if (match & q.up)
    return l2_plan_hit(m, in, &q);
  return l2_plan_miss(m, in, &q);
}

/* ---- Step ---- */

/* True if the step in b answers the last request that waits for its line. */
static inline bool l2_last_step(const struct l2_slice *m) {
  return m->s.f_pos + 1 == m->s.mshr_count[m->s.f_id];
}

static inline struct l2_plan l2_plan_step(const struct l2_slice *m) {
  const unsigned mshr = (unsigned)m->s.f_id;
  struct l2_plan plan = {.what = L2_STEPS, .mshr = (uint8_t)mshr};
  if (!l2_last_step(m) || !l2_keeps(m, mshr))
    return plan;
  plan.way = (uint8_t)l2_mshr_way(m, mshr);
  plan.act = HD_IS(m, L2_SLEEPS) && hd_has(m->s.mshr_close, mshr) ? HD_ACT_SLEEP : HD_ACT_NONE;
  return plan;
}

#endif
