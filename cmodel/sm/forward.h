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

/* Each running warp passes up to `each` instructions; where all warps of a CTA have ended, the next one of the launch takes their place.
 * `passed` NULL: addresses are not even computed. Returns how many were passed; 0: none can be. */
uint64_t hd_sm_forward(struct hd_sm *sm, unsigned each, const struct hd_passed *passed);

/* Warps that it holds, and that have not ended in a cycle. */
unsigned hd_sm_warps(const struct hd_sm *sm);

/* After all of it, before the next cycle: what may issue is known again. Warps that are through end. */
void hd_sm_forwarded(struct hd_sm *sm);

/* All instructions of a CTA of the launch that `source` is at, which nobody has: passed, warp after warp, and added to *n. `passed`: as
 * above. False: a stream can't be opened; if the source has no error, for want of memory. */
bool hd_pass_cta(const struct hd_config *c, struct wl_source *source, const struct wl_launch *launch,
                 uint32_t cta, const struct hd_passed *passed, uint64_t *n);

#endif
