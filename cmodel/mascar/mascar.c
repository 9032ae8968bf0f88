/* Golden model of MASCAR's memory-access priority. Spec: docs/mechanisms/mascar.md.
 *
 * Invariant: the 1s of `passed` are the warps from 0 to the last owner, or none. */
#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

/* The warp that alone may access memory, as a set. */
static uint64_t owner(const struct mascar *m) {
  const uint64_t passed = m->s.passed;
  return m->s.owned ? passed & ~(passed >> 1) : 0;
}

/* Its one output is MEALY. */
void mascar_moore(struct mascar *m, struct mascar_out *out) {
  (void)m;
  (void)out;
}

void mascar_mealy(struct mascar *m, const struct mascar_in *in, struct mascar_out *out) {
  out->withhold = in->mascar_en && m->s.tight ? in->next_mem & ~owner(m) : 0;
}

/* The next owner, while the memory is saturated and the last one does not go on. */
static void follow(struct mascar *m, uint64_t can) {
  struct mascar_st *s = &m->s;
  if (!can) {
    if (s->owned)
      HD_EV(m, mascar_nobody, 0, 0, 0, 0);
    s->owned = 0;
    return;
  }
  const uint64_t behind = can & ~s->passed;
  const unsigned w = hd_lowest(behind ? behind : can);
  HD_EV(m, mascar_own, w, 0, 0, 0);
  s->passed = hd_below(w + 1);
  s->owned = 1;
}

/* It moves if another cycle with the same inputs would change something. */
uint64_t mascar_tick(struct mascar *m, const struct mascar_in *in) {
  struct mascar_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const struct mascar_st before = *s;
  const bool tight = s->waiting >= d->MSHRS - d->MSHRS_LOW || s->queued >= d->MQ - d->PLACES_LOW;
  if (!s->tight)
    s->owned = 0;
  else if (!(owner(m) & in->awake & ~in->wait_mem))
    follow(m, in->ready & in->next_mem);
  if (tight && !s->tight)
    HD_EV(m, mascar_saturated, s->waiting, s->queued, 0, 0);
  else if (!tight && s->tight)
    HD_EV(m, mascar_relaxed, s->waiting, s->queued, 0, 0);
  s->tight = tight;
  s->waiting = (uint64_t)__builtin_popcountll(in->lines_waiting);
  s->queued = in->lines_queue;
  return memcmp(&before, s, sizeof before) ? HD_MOVES : 0;
}
