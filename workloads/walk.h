/* Going through a whole workload: every instruction of every warp of every launch, in one fixed order.
 *
 * Invariant: one warp is open at a time, so memory does not grow with the workload.
 */
#ifndef HEDDLE_WORKLOADS_WALK_H
#define HEDDLE_WORKLOADS_WALK_H

#include "workloads/stream.h"

#include <stddef.h>

/* Who goes along. Every function may be NULL; false ends the walk. */
struct wl_walker {
  bool (*launch)(struct wl_walker *self, const struct wl_source *source, const struct wl_launch *launch);
  bool (*warp)(struct wl_walker *self, uint32_t cta, uint32_t warp);
  bool (*inst)(struct wl_walker *self, const struct wl_inst *inst); /* of the last warp */
  bool (*launch_end)(struct wl_walker *self);
};

/* Launches in order, in each CTAs in order, in each warps in order. False: the source failed, and one line in err says
 * why; or the walker ended it, and err is empty. */
bool wl_walk(struct wl_source *source, struct wl_walker *walker, char *err, size_t errlen);

#endif
