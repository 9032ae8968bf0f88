/* Instructions of an SM that are passed over: its warps go on in their streams, and CTAs end and follow one another, without time
 * (docs/gpu/sampling.md). Between two of its cycles.
 *
 * Invariant: barriers hold, a warp's instructions are passed in order, each of them once; what is in flight stays so.
 */
#ifndef HEDDLE_CMODEL_SM_FORWARD_H
#define HEDDLE_CMODEL_SM_FORWARD_H

#include "cmodel/sm/sm.h"

/* Who is told which lines are accessed, and which sector of each (0 where L2 lines come whole), if anyone. */
struct hd_passed {
  void (*access)(void *ctx, uint64_t line, unsigned sector, bool store);
  void *ctx;
};

/* Warp slots (bits) that a CTA of the launch holds, whether their warps have ended or not. And what a slot has issued and passed so far,
 * of one CTA after the other. */
uint64_t hd_sm_occupied(const struct hd_sm *sm);
uint64_t hd_sm_went(const struct hd_sm *sm, unsigned wid);

/* Of each warp slot that the SM has, before hd_sms_forward: so many instructions it is to pass; 0: none. What a slot has passed too many
 * or too few, to end where it began, is left for the next goal: of the same CTA, or of one that took its
 * place while passing; a CTA that the dispatcher places begins without. */
void hd_sm_set_goal(struct hd_sm *sm, unsigned wid, double instructions);

/* Warps of so many SMs pass their goals, all at the same pace; a warp that goes round ends at the instruction at which it began, in the
 * iteration that is nearest. Where all warps of a CTA have ended, the next one of the launch takes their place. `passed` is told of the
 * last part of their way (0 to 1) alone; of what comes before it addresses are not even computed. There warps of all SMs take turns, as
 * SMs share what is told, each up to a barrier or its end; what follows these goes SM by SM. Adds to `went` of each SM how many
 * instructions it has passed. */
void hd_sms_forward(struct hd_sm *const *sm, unsigned sms, double last, const struct hd_passed *passed,
                    uint64_t *went);

/* After it: a CTA has ended, and there was none to follow. And the part of its goal that the warp which came farthest has passed. */
bool hd_sm_starved(const struct hd_sm *sm);
double hd_sm_way(const struct hd_sm *sm);

/* After all of it, before the next cycle: what may issue is known again. Warps that are through end. */
void hd_sm_forwarded(struct hd_sm *sm);

/* All instructions of a CTA of the launch that `source` is at, which nobody has: passed, warp after warp, and added to *n. `passed`: as
 * above. False: a stream can't be opened; if the source has no error, for want of memory. */
bool hd_pass_cta(const struct hd_config *c, struct wl_source *source, const struct wl_launch *launch,
                 uint32_t cta, const struct hd_passed *passed, uint64_t *n);

#endif
