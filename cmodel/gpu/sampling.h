/* Systematic sampling of a run (docs/gpu/sampling.md): stretches of cycles are simulated, and what lies between is passed over.
 *
 * Invariant: each instruction of the workload is either simulated or passed, and counted once. Where samples lie depends on the options and
 * on what was simulated alone, never on threads.
 */
#ifndef HEDDLE_CMODEL_GPU_SAMPLING_H
#define HEDDLE_CMODEL_GPU_SAMPLING_H

#include "cmodel/gpu/gpu.h"

struct hd_sampling_options {
  unsigned
      one_in; /* >= 2: of so many cycles about one is to be simulated, or more, so that a class has three samples; 0: all are */
  unsigned cycles; /* that a sample measures at least, >= 1, after one to two times as many to warm up */
  uint64_t seed;   /* of which launches are simulated, and where samples lie */
};

struct hd_sampling_result {
  uint64_t samples;         /* that stand for something that was passed */
  uint64_t launches_passed; /* as a whole */
  uint64_t cycles_simulated;
  uint64_t simulated, passed; /* instructions of warps */
  double cycles;              /* of the whole run, estimated */
  bool
      leads_walk; /* CTAs or warps of an SM came further and further apart in a good part of it: then `margin` is NAN */
  double
      margin; /* half the width of the 95 % confidence interval of `cycles`, as a part of them; NAN: not known. By how samples differ,
                    and a measured allowance for what passing does wrong in all of them alike */
};

struct hd_sampling;
/* Before the GPU, whose L2 does not sleep, is run. NULL: out of memory. */
struct hd_sampling *hd_sampling_new(const struct hd_sampling_options *options, struct hd_gpu *gpu);
void hd_sampling_free(struct hd_sampling *s);
/* How far SMs may be run at a time, at most. */
uint64_t hd_sampling_window(const struct hd_sampling_options *options);
/* Between two windows, when all is settled: begins and ends samples, and passes what comes between. False: out of memory. */
bool hd_sampling_step(struct hd_sampling *s);
/* At the end of the run. */
struct hd_sampling_result hd_sampling_end(struct hd_sampling *s);

#endif
