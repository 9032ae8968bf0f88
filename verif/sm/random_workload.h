/* The workload of a random run of `sm_mem`: one random kernel after another. Sizes and mixture are drawn anew for each kernel. When the
 * environment stops, every warp ends with its next instruction.
 * With APCM most kernels have loads of few program counters, some of more than can get an id. Some kernels run longer on few warps. In
 * some each warp has lines of its own, which no other warp uses.
 * With a stride prefetcher most kernels are loops of loads, whose addresses go in equal steps from warp to warp, on large CTAs.
 *
 * Invariant: an instruction fits the machine's lanes and address bits.
 */
#ifndef HEDDLE_VERIF_SM_RANDOM_WORKLOAD_H
#define HEDDLE_VERIF_SM_RANDOM_WORKLOAD_H

#include "verif/harness/env_common.h"

struct hd_random_source {
  struct wl_source source; /* the source for the SM */
  struct hd_env_base *p;
  struct wl_source *kernel; /* the current kernel, or NULL */
  uint64_t base;            /* XORed with its addresses */
  bool ordered[2];          /* [0]: this kernel has barriers; [1]: the one before had */
  unsigned warps;           /* warps of a CTA */
  unsigned hot;             /* APCM: number of load instructions; 0: those of the workload */
  unsigned loop;            /* with a stride prefetcher: loads of the kernel's loop; 0: no loop */
  uint64_t loop_seed;       /* seed of their addresses */
  bool apart;               /* APCM: each warp has lines of its own */
  bool hasty;               /* APCM: no instruction waits for another's result */
  bool narrow;              /* APCM: each instruction has one active lane */
  bool moves; /* APCM: once its loads are known, a warp moves to other lines with each instruction */
};

/* `p` is the environment's and must outlive the source. */
void hd_random_source_open(struct hd_random_source *e, struct hd_env_base *p);
void hd_random_source_close(struct hd_random_source *e);

#endif
