/* The workload of a random run of `sm_mem`: one random kernel after another, sizes and mixture drawn anew each time,
 * until the environment is told to stop: then every warp ends with its next instruction. With APCM most kernels have
 * loads of few program counters, for some of them more than get an id; some last longer on few warps, and in some each
 * warp has lines of its own, so that it alone uses them again.
 * With a stride prefetcher most are loops of loads that go in equal steps from warp to warp, on large CTAs.
 *
 * Invariant: an instruction fits the machine, its lanes and its addresses.
 */
#ifndef HEDDLE_VERIF_SM_RANDOM_WORKLOAD_H
#define HEDDLE_VERIF_SM_RANDOM_WORKLOAD_H

#include "verif/harness/env_common.h"

struct hd_random_source {
  struct wl_source source; /* to be given to the SM */
  struct hd_env_base *p;
  struct wl_source *kernel; /* the current one, or NULL */
  uint64_t base;            /* what is added to its addresses' upper bits */
  bool ordered[2];          /* this kernel, and the one before, has barriers */
  unsigned warps;           /* of a CTA of it */
  unsigned hot;             /* APCM: its load instructions; 0: the workload's */
  unsigned loop;            /* a stride prefetcher: the loads of its loop; 0: it has none */
  uint64_t loop_seed;       /* of their addresses */
  bool apart;               /* APCM: each warp of it has lines of its own */
  bool hasty;               /* APCM: no instruction of it waits for what another gives */
  bool narrow;              /* APCM: each has one lane */
  bool moves;               /* APCM: each warp, once its loads are known, goes on to ever other lines */
};

/* `p`: the environment's, which must outlive it. */
void hd_random_source_open(struct hd_random_source *e, struct hd_env_base *p);
void hd_random_source_close(struct hd_random_source *e);

#endif
