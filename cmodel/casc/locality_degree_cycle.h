/* One cycle of the golden model of the locality degree at the L1D. Spec: docs/mechanisms/casc.md.
 *
 * Invariant: l_step is 2 only for a load that was held, and the l_* registers are those of the load's set.
 *
 * Inlined: measured in cmodel/casc/casc_cycle.h. */
#ifndef HEDDLE_CMODEL_CASC_LOCALITY_DEGREE_CYCLE_H
#define HEDDLE_CMODEL_CASC_LOCALITY_DEGREE_CYCLE_H

#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

enum { HELD_LONG_ENOUGH = 2 };

/* Returns the ways with the smallest counter. */
static inline uint64_t locality_degree_least_used(const struct locality_degree_in *in, unsigned ways) {
  uint64_t least = 1;
  unsigned best = 0;
  for (unsigned w = 1; w < ways; w++) {
    const uint64_t count = in->fill_counters[w], smallest = in->fill_counters[best];
    if (count < smallest) {
      best = w;
      least = 0;
    }
    least |= (uint64_t)(count <= smallest) << w;
  }
  return least;
}

static inline void locality_degree_say(struct locality_degree *m, const struct locality_degree_in *in,
                                       struct locality_degree_out *out) {
  const struct locality_degree_st *s = &m->s;
  const bool asks = in->decide_loc, held = s->l_step == HELD_LONG_ENOUGH;
  out->hold = asks & !held;
  out->hold_refuse = asks & held & !(s->l_room | s->l_better);
  out->hold_among = asks && !s->l_room ? s->l_least : hd_ones(m->base.c->d.WAYS);
  out->lack_line = asks;
  if (!HD_IS(m, ON_MISS)) {
    out->hold_fill = asks;
    out->fill_among = locality_degree_least_used(in, m->base.c->d.WAYS);
  }
  out->lk_hpc = in->decide_hpc;
}

/* Notes what the load's set offers: room, and the ways with the smallest counter. */
static inline void locality_degree_look(struct locality_degree *m, const struct locality_degree_in *in) {
  struct locality_degree_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  s->l_room = (hd_ones(d->WAYS) & ~in->decide_lines & ~in->decide_reserved) != 0;
  s->l_min = hd_ones(m->base.c->d.RR_W);
  s->l_least = 0;
  for (uint64_t left = in->decide_lines & ~in->decide_pins; left; left &= left - 1) {
    const uint64_t count = in->decide_counters[hd_lowest(left)];
    if (count < s->l_min) {
      s->l_min = count;
      s->l_least = 0;
    }
    if (count == s->l_min)
      s->l_least |= left & -left;
  }
  HD_EV(m, locality_degree_look, in->decide_hpc, 0, 0, 0);
}

/* Counts the outcome as the held load leaves. */
static inline void locality_degree_tell(struct locality_degree *m, uint64_t hpc) {
  const struct locality_degree_st *s = &m->s;
  if (s->l_room)
    HD_EV(m, locality_degree_room, hpc, 0, 0, 0);
  else if (s->l_better)
    HD_EV(m, locality_degree_better, hpc, s->l_min, 0, 0);
  else
    HD_EV(m, locality_degree_refuse, hpc, s->l_min, 0, 0);
}

static inline uint64_t locality_degree_cycle(struct locality_degree *m, const struct locality_degree_in *in) {
  struct locality_degree_st *s = &m->s;
  if (in->late_held) {
    if (s->l_step == 0)
      locality_degree_look(m, in);
    else if (s->l_step == 1)
      s->l_better = !in->lk_known || in->lk_sum > s->l_min * in->lk_count;
    s->l_step += s->l_step < HELD_LONG_ENOUGH;
    return HD_MOVES;
  }
  if (!in->late_advance)
    return 0;
  if (in->decide_loc && s->l_step == HELD_LONG_ENOUGH)
    locality_degree_tell(m, in->decide_hpc);
  s->l_step = 0;
  return 0;
}

#endif
