/* Whether a team's next round is shared or done by one thread alone (docs/gpu.md, "Threads"): what was faster when both were tried, for a
 * while.
 *
 * Invariant: it depends on the times and stalls that it was told alone.
 */
#ifndef HEDDLE_CMODEL_GPU_SHARING_H
#define HEDDLE_CMODEL_GPU_SHARING_H

#include <stdbool.h>
#include <stdint.h>

enum {
  HD_SHARING_TRIAL = 64,     /* rounds that are measured */
  HD_SHARING_STRETCH = 4096, /* of what was faster, at most */
  /* alone, after sharing was slower for the first time, or stalled; each time again twice as many */
  HD_ALONE_FIRST = 64
};

/* One thread alone is measured, then sharing, and then the faster of them goes on. */
enum hd_sharing_phase { HD_TRY_ALONE, HD_TRY_SHARING, HD_ALONE, HD_SHARING };

/* {.patience = HD_ALONE_FIRST, .phase = HD_ALONE}: no round yet. */
struct hd_sharing {
  enum hd_sharing_phase phase;
  unsigned left;     /* rounds of the phase */
  unsigned patience; /* rounds of the next ALONE */
  uint64_t since;    /* its begin */
  uint64_t alone;    /* what the last trial of it took */
};

/* At the begin of each round: whether it is shared. `stalled`: the one before waited for a thread that the system did not run; `now`: the
 * time, which is asked for where the phase changes. */
bool hd_round_is_shared(struct hd_sharing *p, bool stalled, uint64_t (*now)(void));

#endif
