/* What surrounds SM 0's sm_mem in a GPU: all of the rest of it, on a workload.
 *
 * Invariant: the GPU does what it does in `heddle sim`, cycle for cycle; bytes beside.
 */
#ifndef HEDDLE_VERIF_GPU_ENV_GPU_H
#define HEDDLE_VERIF_GPU_ENV_GPU_H

#include "verif/harness/run.h"

/* For hd_run.surround; `bank` is the struct hd_run of l2_top, opened, a guest: it is stepped in every cycle of L2 bank 0 with what
 * that sees. */
struct hd_env *hd_gpu_env(void *bank, const struct hd_env_job *job, struct hd_why *why);
/* Cycles up to the end of the last CTA, as hd_sim_result.sm.cycles counts them. */
uint64_t hd_gpu_env_cycles(const struct hd_env *env);

#endif
