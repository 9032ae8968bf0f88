/* What surrounds bank 0 of the L2 in a GPU, for its RTL: nothing of its own but bytes. Requests, and what comes back from the
 * memory and when, are those of the GPU's bank; here they get bytes, and what comes out is checked as for l2_top alone (l2_checker.h).
 *
 * SM 0's stores bring SM 0's bytes, the others' any; the memory is an image. Checked besides: the ports show what the GPU's own bank
 * shows; SM 0 gets back what it has stored, but for bytes that others have written; at the end each line that was stored to is in
 * the image, or powered and dirty in the slice, and a powered line that is clean is as the image: not one byte is lost. For that
 * alone the model's rows are read.
 *
 * Invariant: the bytes of a request, and of a fill, stay while it is offered.
 */
#ifndef HEDDLE_VERIF_GPU_BANK_ENV_H
#define HEDDLE_VERIF_GPU_BANK_ENV_H

#include "verif/gpu/bank_bytes.h"
#include "verif/harness/env.h"

/* `sm0` is the caller's. */
struct hd_env *hd_bank_env(const struct hd_env_job *job, struct hd_bytes *sm0, struct hd_why *why);
/* The model of the slice, for the end; NULL: there is none. */
void hd_bank_env_model(struct hd_env *env, const struct l2_top *model);

/* As hd_bank_watch.before: bytes to what is offered. */
void hd_bank_env_bytes(struct hd_env *env, struct l2_top_in *in);
/* What the next cycle of the environment is: the inputs, and what the GPU's bank shows. */
void hd_bank_env_cycle(struct hd_env *env, const struct l2_top_in *in, const struct l2_top_out *out);
/* Nothing is inside, nor on its way to the memory or back. */
bool hd_bank_env_idle(const struct hd_env *env);

#endif
