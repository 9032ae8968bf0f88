/* Walks through a whole workload: every instruction of every warp of every launch, in one fixed order.
 *
 * Invariant: one warp is open at a time, so memory does not grow with the workload.
 */
#ifndef HEDDLE_WORKLOADS_WALK_H
#define HEDDLE_WORKLOADS_WALK_H

#include "workloads/stream.h"

#include <stddef.h>

/* The functions that a walk calls. Each may be NULL. A function that returns false ends the walk. */
struct wl_walker {
  bool (*launch)(struct wl_walker *self, const struct wl_source *source, const struct wl_launch *launch);
  bool (*warp)(struct wl_walker *self, uint32_t cta, uint32_t warp);
  bool (*inst)(struct wl_walker *self, const struct wl_inst *inst); /* of the last warp begun */
  bool (*launch_end)(struct wl_walker *self);
};

/* Walks the launches in order, the CTAs of a launch in order, and the warps of a CTA in order. Returns
 * false if the source failed, with one line in err, or if the walker ended the walk, with err empty. */
bool wl_walk(struct wl_source *source, struct wl_walker *walker, char *err, size_t errlen);

#endif
