/* Passing instructions of an SM (docs/gpu/sampling.md): its warps go on in their streams, and CTAs end and follow one another, without
 * simulated time. This happens between two cycles of the SM.
 *
 * Invariant: barriers hold. Each warp's instructions are passed in order, each of them once. What is in flight stays in flight. */
#ifndef HEDDLE_CMODEL_SM_FORWARD_H
#define HEDDLE_CMODEL_SM_FORWARD_H

#include "cmodel/sm/sm.h"

/* The observer of the accesses that are passed, if there is one. `sector`: 0 where L2 lines come whole. */
struct hd_passed {
  void (*access)(void *ctx, uint64_t line, unsigned sector, bool store);
  void *ctx;
};

/* hd_sm_occupied: the warp slots (bits) that CTAs of the launch hold, even if their warps have ended. hd_sm_went: the instructions that a
 * slot has issued and passed so far, added up over its CTAs. */
uint64_t hd_sm_occupied(const struct hd_sm *sm);
uint64_t hd_sm_went(const struct hd_sm *sm, unsigned wid);

/* Sets how many instructions warp slot `wid` is to pass; 0: none. Call it for each warp slot of the SM before hd_sms_forward. To end
 * where it began, a warp may pass more or fewer instructions than that. The slot's next goal makes up for the difference, also if another
 * CTA has taken the slot while passing. A CTA that the dispatcher places starts without such a difference. */
void hd_sm_set_goal(struct hd_sm *sm, unsigned wid, double instructions);

/* The warps of `sms` SMs pass their goals, all at the same pace. A warp in a loop stops at the instruction at which it began, in the
 * iteration that is nearest to its goal. If all warps of a CTA have ended, the next CTA of the launch takes their place. `passed` hears
 * only of the last part of the way (`last`, 0 to 1). Before that part not even addresses are computed. In it the warps of all SMs take
 * turns, because the SMs share what is told; each warp goes up to a barrier or its end. What follows barriers and ends goes SM by SM.
 * Adds the instructions that each SM has passed to its `went`. */
void hd_sms_forward(struct hd_sm *const *sm, unsigned sms, double last, const struct hd_passed *passed,
                    uint64_t *went);

/* After hd_sms_forward. hd_sm_starved: a CTA has ended, and none was left to follow. hd_sm_way: the part of its goal that the warp with
 * the largest part has passed. */
bool hd_sm_starved(const struct hd_sm *sm);
double hd_sm_way(const struct hd_sm *sm);

/* Call it after all passing, before the next cycle. It brings up to date which warps may issue. Warps that have come to their end, end. */
void hd_sm_forwarded(struct hd_sm *sm);

/* Passes all instructions of a CTA that no SM holds, warp after warp, and adds their number to *n. `launch`: the one at which `source`
 * is. `passed`: as above. Returns false if a stream can't be opened. If the source then has no error, memory has run out. */
bool hd_pass_cta(const struct hd_config *c, struct wl_source *source, const struct wl_launch *launch,
                 uint32_t cta, const struct hd_passed *passed, uint64_t *n);

#endif
