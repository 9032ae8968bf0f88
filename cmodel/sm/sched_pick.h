/* What all warp schedulers share: which scheduler owns a warp, which warps go first, the loose round-robin pick, and the picks of a cycle.
 * Spec: docs/mechanisms/sched.md.
 *
 * Invariant: picks are made once a cycle, before the tick. memo[0] holds them for the tick: byte s is the warp that scheduler s has picked,
 * or NO_WARP.
 *
 * Inlined: with calls instead, heddle sim executes 2.7 % more instructions (gpu/loscache on gemm:tiny). */
#ifndef HEDDLE_CMODEL_SM_SCHED_PICK_H
#define HEDDLE_CMODEL_SM_SCHED_PICK_H

#include "arch/declaration/declaration.h"
#include "cmodel/model/bits.h"
#include "cmodel/model/specialized.h"

enum { NO_WARP = 0xff };

/* The warps of `warps` that scheduler s owns. */
static inline uint64_t sched_own(const struct hd_config *c, uint64_t warps, unsigned s) {
  /* Every n-th warp. Shifted up by s, these are the warps of scheduler s of n. */
  static const uint64_t every[] = {0, UINT64_MAX, 0x5555555555555555, 0x9249249249249249, 0x1111111111111111};
  return warps & every[HD_SIZE(c, SCHEDS)] << s;
}

/* True if scheduler s has ready warps, and none of them may issue. */
static inline bool sched_held(const struct hd_config *c, uint64_t ready, uint64_t may, unsigned s) {
  return sched_own(c, ready, s) && !sched_own(c, may, s);
}

/* The warps of scheduler s that may issue and that go before its others. */
static inline uint64_t sched_first(const struct hd_config *c, uint64_t may, uint64_t prefer, bool boosting,
                                   unsigned s) {
  return boosting ? sched_own(c, may & prefer, s) : 0;
}

/* The warps from which scheduler s picks. */
static inline uint64_t sched_among(const struct hd_config *c, uint64_t may, uint64_t prefer, bool boosting,
                                   unsigned s) {
  const uint64_t first = sched_first(c, may, prefer, boosting, s);
  return first ? first : sched_own(c, may, s);
}

/* The warp with number `place` among the warps of scheduler s. */
static inline unsigned sched_at(const struct hd_config *c, uint64_t place, unsigned s) {
  return (unsigned)place * HD_SIZE(c, SCHEDS) + s;
}

/* The first warp of `own` after the place from which scheduler s issued last. `own` must not be empty. */
static inline unsigned sched_lrr(const struct hd_config *c, uint64_t own, uint64_t last, unsigned s) {
  return hd_after(own, sched_at(c, last, s));
}

/* Scheduler s picks warp `wid`, or NO_WARP: sets its outputs, and the note for the tick. */
static inline void sched_note(struct hd_model *b, uint64_t *pick_valid, uint64_t *pick_wid, unsigned s,
                              unsigned wid) {
  pick_valid[s] = wid != NO_WARP;
  pick_wid[s] = wid == NO_WARP ? 0 : wid;
  ((uint8_t *)b->memo)[s] = (uint8_t)wid;
}

static inline unsigned sched_noted(const struct hd_model *b, unsigned s) {
  return ((const uint8_t *)b->memo)[s];
}

/* The events of scheduler s, of a module of kind X, in the cycle. `held`: its warps are held back. `first`: the warps that go first, or
 * 0. `wid`: the warp that it issues, or NO_WARP. */
#define SCHED_TELL(X, m, s, held, first, wid)                                                                \
  do {                                                                                                       \
    if (held)                                                                                                \
      HD_EV(m, X##_held, s, 0, 0, 0);                                                                        \
    if (first)                                                                                               \
      HD_EV(m, X##_boost, s, first, 0, 0);                                                                   \
    if ((wid) == NO_WARP)                                                                                    \
      HD_EV(m, X##_idle, s, 0, 0, 0);                                                                        \
    else                                                                                                     \
      HD_EV(m, X##_pick, s, wid, 0, 0);                                                                      \
  } while (0)

#endif
