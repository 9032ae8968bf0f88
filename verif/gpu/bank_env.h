/* The environment of L2 bank 0 in a GPU, for its RTL. Requests and fills, and their cycles, come from the GPU's own bank; this environment
 * only adds bytes. The outputs are checked as for l2_top alone (verif/l2/l2_checker.h).
 *
 * Stores of SM 0 bring SM 0's bytes, stores of other SMs random ones; the memory is an image. More checks:
 * - The ports show the same as the GPU's own bank.
 * - SM 0 gets back the bytes that it stored, except those that other SMs have written.
 * - At the end no byte is lost: each line that was stored to is in the image, or powered and dirty in the slice; a powered clean line is
 *   equal to the image. Only this check reads the model's rows.
 *
 * Invariant: the bytes of a request or fill stay the same while it is offered.
 */
#ifndef HEDDLE_VERIF_GPU_BANK_ENV_H
#define HEDDLE_VERIF_GPU_BANK_ENV_H

#include "verif/gpu/bank_bytes.h"
#include "verif/harness/env.h"

/* Returns the environment; `sm0` stays the caller's. Returns NULL and sets *why if out of memory. */
struct hd_env *hd_bank_env(const struct hd_env_job *job, struct hd_bytes *sm0, struct hd_why *why);
/* Sets the model whose rows are read at the end. */
void hd_bank_env_model(struct hd_env *env, const struct l2_top *model);

/* For hd_bank_watch.before: adds bytes to the offered request and fill. */
void hd_bank_env_bytes(struct hd_env *env, struct l2_top_in *in);
/* Sets the next cycle of the environment: the inputs, and the outputs of the GPU's bank. */
void hd_bank_env_cycle(struct hd_env *env, const struct l2_top_in *in, const struct l2_top_out *out);
/* Returns true if nothing is inside, or on its way to the memory or back. */
bool hd_bank_env_idle(const struct hd_env *env);

#endif
