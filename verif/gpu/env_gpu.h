/* The environment of SM 0's sm_mem in a GPU: all the rest of the GPU, on a workload.
 *
 * Invariant: the GPU behaves as in `heddle sim`, cycle for cycle; only bytes are added.
 */
#ifndef HEDDLE_VERIF_GPU_ENV_GPU_H
#define HEDDLE_VERIF_GPU_ENV_GPU_H

#include "verif/harness/run.h"

/* A function for hd_run.surround. `bank` is the open struct hd_run of l2_top, a guest. It is stepped in every cycle of L2 bank 0 with that
 * bank's inputs. */
struct hd_env *hd_gpu_env(void *bank, const struct hd_env_job *job, struct hd_why *why);
/* Returns the cycles up to the end of the last CTA, as hd_sim_result.sm.cycles counts them. */
uint64_t hd_gpu_env_cycles(const struct hd_env *env);

#endif
