/* One cycle of the golden model of MASCAR's memory-access priority. Spec: docs/mechanisms/mascar.md.
 *
 * Invariant: while `tight`, all warps except at most one are `barred`; otherwise none is. memo[MASCAR_COUNTED] are
 * the MSHRs that are counted in `waiting_0` to `waiting_3`. For the compare with the RTL they are counted anew in
 * each cycle, even if a fault has changed the counts.
 *
 * Inlined: measured in cmodel/mascar/reexec_cycle.h. */
#ifndef HEDDLE_CMODEL_MASCAR_MASCAR_CYCLE_H
#define HEDDLE_CMODEL_MASCAR_MASCAR_CYCLE_H

#include "cmodel/mascar/ports.h"

enum { MASCAR_COUNTED };

static inline uint64_t mascar_all(const struct mascar *m) {
  return hd_ones(m->base.c->d.WARPS);
}

/* Returns the owner, the only warp that may access memory, as a set; 0 if none. */
static inline uint64_t mascar_owner(const struct mascar *m) {
  return m->s.tight ? mascar_all(m) & ~m->s.barred : 0;
}

static inline void mascar_say(struct mascar *m, const struct mascar_in *in, struct mascar_out *out) {
  out->withhold = in->mascar_en ? in->next_mem & m->s.barred : 0;
}

/* Returns the next owner as a set, while the memory is saturated and the last owner does not go on. `can`: the warps
 * that could issue a memory access. */
static inline uint64_t mascar_follow(struct mascar *m, uint64_t can) {
  if (can)
    HD_EV(m, mascar_own, hd_lowest(can), 0, 0, 0);
  else if (mascar_owner(m))
    HD_EV(m, mascar_nobody, 0, 0, 0, 0);
  return can & -can;
}

/* Counts the MSHRs that wait, in quarters. Returns false if they are the same as in the last cycle. */
static inline bool mascar_recount(struct mascar *m, uint64_t lines) {
  const struct hd_derived *d = &m->base.c->d;
  const unsigned size[] = {d->QUARTER_0, d->QUARTER_1, d->QUARTER_2, d->QUARTER_3};
  uint64_t *const count[] = {&m->s.waiting_0, &m->s.waiting_1, &m->s.waiting_2, &m->s.waiting_3};
  if (!HD_WATCHED && lines == m->base.memo[MASCAR_COUNTED])
    return false;
  m->base.memo[MASCAR_COUNTED] = lines;
  for (unsigned k = 0; k < 4; k++) {
    *count[k] = (uint64_t)__builtin_popcountll(lines & hd_ones(size[k]));
    lines >>= size[k];
  }
  return true;
}

/* Returns HD_MOVES if another cycle with the same inputs would change something that other modules can see. */
static inline uint64_t mascar_cycle(struct mascar *m, const struct mascar_in *in) {
  struct mascar_st *s = &m->s;
  const bool was_tight = s->tight, was_crowded = s->crowded, waited = mascar_lines_wait(m, in);
  const bool tight = waited || was_crowded;
  const uint64_t waiting = mascar_waiting(m), barred = s->barred;
  uint64_t own = mascar_owner(m);
  if (was_tight && !(own & in->awake & ~in->wait_mem))
    own = mascar_follow(m, in->ready & in->next_mem);
  if (tight && !was_tight)
    HD_EV(m, mascar_saturated, waiting, was_crowded, 0, 0);
  else if (!tight && was_tight)
    HD_EV(m, mascar_relaxed, waiting, was_crowded, 0, 0);
  s->barred = tight ? mascar_all(m) & ~own : 0;
  s->tight = tight;
  s->crowded = in->lines_queue + mascar_few_places(m, in) >= m->base.c->d.MQ;
  const bool recounted = mascar_recount(m, in->lines_waiting);
  const bool moves = tight != was_tight || s->barred != barred || s->crowded != was_crowded ||
                     (recounted && mascar_lines_wait(m, in) != waited);
  return moves ? HD_MOVES : 0;
}

#endif
