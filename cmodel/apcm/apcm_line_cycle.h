/* One cycle of the golden model of APCM at the L1D. Spec: docs/mechanisms/apcm.md.
 *
 * Invariant: for a way written in the last cycle, OUTCOME is valid in this cycle, and `prot` and `owner` are valid
 * from the next cycle on.
 *
 * Inlined: with calls instead, heddle sim executes 4.9 % more instructions: 4 headers refer here (apcm on syrk:tiny and
 * gemm:ni=128,nj=128,nk=32). */
#ifndef HEDDLE_CMODEL_APCM_APCM_LINE_CYCLE_H
#define HEDDLE_CMODEL_APCM_APCM_LINE_CYCLE_H

#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

/* True if a load of the last cycle got a line to protect. With on_fill: also if it was the first load to want such a
 * line. */
static inline bool apcm_line_protects(const struct apcm_line *m, const struct apcm_line_in *in) {
  if (HD_IS(m, ON_MISS))
    return in->outcome_take && m->s.e_keep;
  const bool first = in->outcome_hit ? in->outcome_take : in->outcome_nth == 0;
  return m->s.e_keep && in->outcome_load && !in->outcome_past && first;
}

/* Returns the warp that took a line in the last cycle. */
static inline uint64_t apcm_line_taker(const struct apcm_line *m, const struct apcm_line_in *in) {
  return HD_IS(m, ON_MISS) ? in->outcome_wid : in->took_wid;
}

/* Returns the warp that owns way w of the set. `row`: the row of `owner` that was read in the last cycle. */
static inline uint64_t apcm_line_owner_of(const struct apcm_line *m, const uint64_t *row, uint64_t set,
                                          unsigned w) {
  const struct apcm_line_st *s = &m->s;
  return s->w_take && s->w_set == set && hd_has(s->w_at, w) ? s->w_wid : row[w];
}

/* Returns the ways of the set whose lines were taken to be protected, updated by OUTCOME. */
static inline uint64_t apcm_line_marked_of(const struct apcm_line *m, const struct apcm_line_in *in,
                                           uint64_t set) {
  const uint64_t before = m->s.prot[set];
  if (in->outcome_set != set || !(in->outcome_take | in->outcome_write))
    return before;
  const bool to_protect = HD_IS(m, ON_MISS) ? m->s.e_keep : in->took_pin;
  return (in->outcome_take & to_protect) ? before | in->outcome_at : before & ~in->outcome_at;
}

/* Returns the pinned ways of the set. `row`: the row of `owner` that was read for the set. `on`: the warps that protect. */
static inline uint64_t apcm_line_pins_of(const struct apcm_line *m, const struct apcm_line_in *in,
                                         uint64_t set, const uint64_t *row, uint64_t on) {
  const bool taken = HD_IS(m, ON_MISS) ? apcm_line_protects(m, in)
                                       : in->outcome_take && in->took_pin && hd_has(on, in->took_wid);
  uint64_t pins = 0;
  for (uint64_t left = m->s.prot[set]; left; left &= left - 1)
    pins |= hd_has(on, apcm_line_owner_of(m, row, set, hd_lowest(left))) ? left & -left : 0;
  if (in->outcome_set != set || !(in->outcome_take | in->outcome_write))
    return pins;
  return (pins & ~in->outcome_at) | (taken ? in->outcome_at : 0);
}

static inline void apcm_line_say(struct apcm_line *m, const struct apcm_line_in *in,
                                 struct apcm_line_out *out) {
  const struct apcm_line_st *s = &m->s;
  if (!HD_SOME(m->base.c, APCM_P))
    return;
  out->own = (in->outcome_at & s->e_own) != 0;
  out->ps_wid = in->outcome_wid;
  out->ps_loop = s->e_final == in->outcome_lid;
  if (HD_IS(m, APCM_PN)) { /* pd pins the lines */
    out->marked = apcm_line_marked_of(m, in, in->look_set);
    if (!HD_IS(m, ON_MISS))
      out->fill_marked = apcm_line_marked_of(m, in, in->fill_set);
    return;
  }

  out->ps_valid = apcm_line_protects(m, in);
  const uint64_t on = in->psb_on | out->ps_valid << in->outcome_wid;
  out->pins = apcm_line_pins_of(m, in, in->look_set, s->owner_q, on);
  if (!HD_IS(m, ON_MISS))
    out->fill_pins = apcm_line_pins_of(m, in, in->fill_set, s->owner_fill_q, on);
}

/* Learns what is known of c's load. The load may name a warp and an id that do not exist. */
static inline void apcm_line_learn(struct apcm_line *m, const struct apcm_line_in *in) {
  struct apcm_line_st *s = &m->s;
  const bool known = in->apcm_en && in->look_valid && in->look_trk && !in->look_write;
  s->d_apb = HD_IS(m, APCM_B) && known && hd_has(in->m_bypass, in->look_lid);
  if (s->d_apb)
    HD_EV(m, apcm_line_advise, in->look_lid, HD_SOME(m->base.c, APCM_P) ? in->look_wid : 0, 0, 0);
  s->d_full = HD_IS(m, APCM_F) && in->apcm_en;
  if (!HD_SOME(m->base.c, APCM_P))
    return;
  s->d_final = in->look_lid < m->base.c->d.LAT ? in->m_last[in->look_lid] : 0;
  /* A warp protects for one load at a time. */
  const bool free = !hd_has(in->psb_on, in->look_wid) ||
                    (in->psb_last[in->look_wid] == s->d_final &&
                     hd_has(in->psb_loop, in->look_wid) == (s->d_final == in->look_lid));
  s->d_keep = known && hd_has(in->m_protect, in->look_lid) && free;
}

/* Updates `prot` after a line was written or taken. */
static inline void apcm_line_protect(struct apcm_line *m, const struct apcm_line_in *in) {
  if (apcm_line_protects(m, in))
    HD_EV(m, apcm_line_protect, in->outcome_wid, in->outcome_set,
          in->outcome_at ? hd_lowest(in->outcome_at) : 0, 0);
  m->s.prot[in->outcome_set] = apcm_line_marked_of(m, in, in->outcome_set);
}

/* Clocks the macros of `owner`. They read a row, and write the warp of d's load for the way that the load takes;
 * `prot` says whether that counts. A row that is written and read in one cycle reads as garbage, as in the hardware's
 * macro. */
static inline void apcm_line_clock_owner(struct apcm_line *m, const struct apcm_line_in *in) {
  struct apcm_line_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  HD_COUNT(s->owner_n.reads, in->late_read ? d->WAYS : 0);
  if (in->late_read)
    hd_copy(s->owner_q, s->owner + in->late_set * d->WAYS, d->WAYS);
  if (HD_WATCHED)
    s->owner_wr = in->late_take ? (int64_t)in->decide_set : -1;
  for (uint64_t left = in->late_take; left; left &= left - 1) {
    const unsigned way = hd_lowest(left);
    s->owner[in->decide_set * d->WAYS + way] = in->decide_wid;
    HD_COUNT(s->owner_n.writes, 1);
    if (in->late_read && in->late_set == in->decide_set)
      s->owner_q[way] = ~in->decide_wid & hd_ones(d->WID_W);
  }
}

/* With on_fill only OUTCOME reports a taken line. Both copies are written; each is read on its own. */
static inline void apcm_line_clock_owners(struct apcm_line *m, const struct apcm_line_in *in) {
  struct apcm_line_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t written = in->outcome_take ? in->outcome_at : 0, set = in->outcome_set;
  HD_COUNT(s->owner_n.reads, in->late_read ? d->WAYS : 0);
  HD_COUNT(s->owner_fill_n.reads, in->late_fill ? d->WAYS : 0);
  if (in->late_read)
    hd_copy(s->owner_q, s->owner + in->late_set * d->WAYS, d->WAYS);
  if (in->late_fill)
    hd_copy(s->owner_fill_q, s->owner_fill + in->late_fill_set * d->WAYS, d->WAYS);
  s->owner_wr = s->owner_fill_wr = written ? (int64_t)set : -1;
  for (uint64_t left = written; left; left &= left - 1) {
    const unsigned way = hd_lowest(left);
    const uint64_t garbage = ~in->took_wid & hd_ones(d->WID_W);
    s->owner[set * d->WAYS + way] = s->owner_fill[set * d->WAYS + way] = in->took_wid;
    HD_COUNT(s->owner_n.writes, 1);
    HD_COUNT(s->owner_fill_n.writes, 1);
    if (in->late_read && in->late_set == set)
      s->owner_q[way] = garbage;
    if (in->late_fill && in->late_fill_set == set)
      s->owner_fill_q[way] = garbage;
  }
  s->w_take = in->outcome_take;
  s->w_set = set;
  s->w_at = in->outcome_at;
  s->w_wid = in->took_wid;
}

/* Returns the ways of `set` that warp `wid` brought: `before`, updated by OUTCOME. */
static inline uint64_t apcm_line_own_ways(const struct apcm_line *m, const struct apcm_line_in *in,
                                          uint64_t set, uint64_t wid, uint64_t before) {
  if (!in->outcome_take || in->outcome_set != set)
    return before;
  return apcm_line_taker(m, in) == wid ? before | in->outcome_at : before & ~in->outcome_at;
}

/* Updates e_own (the own lines of the request that OUTCOME reports next) and d_own (those of the request in d then). */
static inline void apcm_line_follow_own(struct apcm_line *m, const struct apcm_line_in *in) {
  struct apcm_line_st *s = &m->s;
  uint64_t read = 0;
  for (unsigned w = 0; w < m->base.c->d.WAYS; w++)
    read |= (uint64_t)(apcm_line_owner_of(m, s->owner_q, in->look_set, w) == in->look_wid) << w;
  s->e_own = apcm_line_own_ways(m, in, in->decide_set, in->decide_wid, s->d_own);
  s->d_own = in->late_advance ? apcm_line_own_ways(m, in, in->look_set, in->look_wid, read) : s->e_own;
}

static inline uint64_t apcm_line_cycle(struct apcm_line *m, const struct apcm_line_in *in) {
  struct apcm_line_st *s = &m->s;
  if (HD_SOME(m->base.c, APCM_P)) {
    apcm_line_protect(m, in);
    if (HD_IS(m, APCM_O))
      apcm_line_follow_own(m, in); /* uses the row that was read before */
    (HD_IS(m, ON_MISS) ? apcm_line_clock_owner : apcm_line_clock_owners)(m, in);
    s->e_keep = s->d_keep;
    s->e_final = s->d_final;
  }
  if (in->late_advance)
    apcm_line_learn(m, in);
  return s->w_take ? HD_MOVES : 0;
}

#endif
