/* Decides whether a team's next round is shared by its threads or done by one thread alone (docs/gpu.md, "Threads"). Both ways are tried,
 * and the faster one is used for a while.
 *
 * Invariant: the decision depends only on the times and stalls that it was told. */
#ifndef HEDDLE_CMODEL_GPU_SHARING_H
#define HEDDLE_CMODEL_GPU_SHARING_H

#include <stdbool.h>
#include <stdint.h>

enum {
  HD_SHARING_TRIAL = 64,     /* rounds of a trial, which is measured */
  HD_SHARING_STRETCH = 4096, /* the most rounds of the faster way until the next trial */
  /* Rounds alone, after sharing was slower for the first time, or stalled. Each further time there are twice as many. */
  HD_ALONE_FIRST = 64
};

/* First one thread alone is measured, then sharing. The faster of them goes on. */
enum hd_sharing_phase { HD_TRY_ALONE, HD_TRY_SHARING, HD_ALONE, HD_SHARING };

/* The state before the first round: {.patience = HD_ALONE_FIRST, .phase = HD_ALONE}. */
struct hd_sharing {
  enum hd_sharing_phase phase;
  unsigned left;     /* rounds that are left of the phase */
  unsigned patience; /* rounds of the next HD_ALONE */
  uint64_t since;    /* when the phase began */
  uint64_t alone;    /* time of the last HD_TRY_ALONE */
};

/* Call it at the start of each round: returns whether the round is shared. `stalled`: the round before waited for a thread that the
 * system did not run. `now`: gives the time; it is called only where the phase changes. */
bool hd_round_is_shared(struct hd_sharing *p, bool stalled, uint64_t (*now)(void));

#endif
