/* Systematic sampling of a run (docs/gpu/sampling.md): stretches of cycles are simulated, and the instructions between them are passed.
 *
 * Invariant: each instruction of the workload is either simulated or passed, and counted once. Where samples lie depends only on the
 * options and on what was simulated, never on threads. */
#ifndef HEDDLE_CMODEL_GPU_SAMPLING_H
#define HEDDLE_CMODEL_GPU_SAMPLING_H

#include "cmodel/gpu/gpu.h"

struct hd_sampling_options {
  /* >= 2: about one cycle in so many is simulated, or more, so that a class has three samples. 0: all cycles are. */
  unsigned one_in;
  /* The least that a sample measures, >= 1, after one to two times as many cycles to warm up. */
  unsigned cycles;
  uint64_t seed; /* decides which launches are simulated, and where samples lie */
};

struct hd_sampling_result {
  uint64_t samples;         /* samples that stand for something that was passed */
  uint64_t launches_passed; /* launches that were passed as a whole */
  uint64_t cycles_simulated;
  uint64_t simulated, passed; /* instructions of warps */
  double cycles;              /* of the whole run, estimated */
  /* CTAs or warps of an SM came further and further apart in a good part of the run; `margin` is then NAN. */
  bool leads_walk;
  /* Half the width of the 95 % confidence interval of `cycles`, as a part of them. NAN: not known. It comes from the differences of
   * samples, and from a measured allowance for errors that passing makes in all samples alike. */
  double margin;
};

struct hd_sampling;
/* Call it before the GPU is run. The lines of its L2 must not sleep. Returns NULL if memory has run out. */
struct hd_sampling *hd_sampling_new(const struct hd_sampling_options *options, struct hd_gpu *gpu);
void hd_sampling_free(struct hd_sampling *s);
/* The most cycles that SMs may be run at a time. */
uint64_t hd_sampling_window(const struct hd_sampling_options *options);
/* Call it between two windows, when all is settled. It begins and ends samples, and passes what comes between. Returns false if memory
 * has run out. */
bool hd_sampling_step(struct hd_sampling *s);
/* At the end of the run. */
struct hd_sampling_result hd_sampling_end(struct hd_sampling *s);

#endif
