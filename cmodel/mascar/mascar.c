/* Golden model of MASCAR's memory-access priority. Spec: docs/mechanisms/mascar.md.
 *
 * Invariant: while `tight`, all warps but one at most are `barred`, else none. */
#include "cmodel/mascar/ports.h"

static uint64_t all(const struct mascar *m) {
  return hd_ones(m->base.c->d.WARPS);
}

/* The warp that alone may access memory, as a set. */
static uint64_t owner(const struct mascar *m) {
  return m->s.tight ? all(m) & ~m->s.barred : 0;
}

/* Its one output is MEALY. */
void mascar_moore(struct mascar *m, struct mascar_out *out) {
  (void)m;
  (void)out;
}

void mascar_mealy(struct mascar *m, const struct mascar_in *in, struct mascar_out *out) {
  out->withhold = in->mascar_en ? in->next_mem & m->s.barred : 0;
}

/* The next owner as a set, while the memory is saturated and the last one does not go on. */
static uint64_t follow(struct mascar *m, uint64_t can) {
  if (can)
    HD_EV(m, mascar_own, hd_lowest(can), 0, 0, 0);
  else if (owner(m))
    HD_EV(m, mascar_nobody, 0, 0, 0, 0);
  return can & -can;
}

/* Counts the MSHRs that wait, in quarters. */
static void recount(struct mascar *m, uint64_t lines) {
  const struct hd_derived *d = &m->base.c->d;
  const unsigned size[] = {d->QUARTER_0, d->QUARTER_1, d->QUARTER_2, d->QUARTER_3};
  uint64_t *const count[] = {&m->s.waiting_0, &m->s.waiting_1, &m->s.waiting_2, &m->s.waiting_3};
  for (unsigned k = 0; k < 4; k++) {
    *count[k] = (uint64_t)__builtin_popcountll(lines & hd_ones(size[k]));
    lines >>= size[k];
  }
}

/* It moves if another cycle with the same inputs would change something on which others depend. */
uint64_t mascar_tick(struct mascar *m, const struct mascar_in *in) {
  struct mascar_st *s = &m->s;
  const bool was_tight = s->tight, was_crowded = s->crowded, waited = mascar_lines_wait(m, in);
  const bool tight = waited || was_crowded;
  const uint64_t waiting = mascar_waiting(m), barred = s->barred;
  uint64_t own = owner(m);
  if (was_tight && !(own & in->awake & ~in->wait_mem))
    own = follow(m, in->ready & in->next_mem);
  if (tight && !was_tight)
    HD_EV(m, mascar_saturated, waiting, was_crowded, 0, 0);
  else if (!tight && was_tight)
    HD_EV(m, mascar_relaxed, waiting, was_crowded, 0, 0);
  s->barred = tight ? all(m) & ~own : 0;
  s->tight = tight;
  s->crowded = in->lines_queue + mascar_few_places(m, in) >= m->base.c->d.MQ;
  recount(m, in->lines_waiting);
  const bool moves = tight != was_tight || s->barred != barred || s->crowded != was_crowded ||
                     mascar_lines_wait(m, in) != waited;
  return moves ? HD_MOVES : 0;
}
