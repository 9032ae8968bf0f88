/* Walks through a workload; see walk.h. */
#include "workloads/walk.h"

#include <stdio.h>

static bool failed(const struct wl_source *source) {
  return source->ops->error && source->ops->error(source);
}

static bool walk_warp(struct wl_source *source, struct wl_walker *w, uint32_t cta, uint32_t warp, char *err,
                      size_t errlen) {
  if (w->warp && !w->warp(w, cta, warp))
    return false;
  void *stream = source->ops->open_warp(source, cta, warp);
  if (!stream) {
    snprintf(err, errlen, "out of memory");
    return false;
  }
  struct wl_inst inst;
  bool good = true;
  do {
    wl_next(source, stream, &inst);
    good = !failed(source) && (!w->inst || w->inst(w, &inst));
  } while (good && inst.op != WL_EXIT);
  source->ops->close_warp(stream);
  return good;
}

static bool walk(struct wl_source *source, struct wl_walker *w, char *err, size_t errlen) {
  struct wl_launch launch;
  while (source->ops->next_launch(source, &launch)) {
    if (w->launch && !w->launch(w, source, &launch))
      return false;
    for (uint32_t cta = 0; cta < launch.ctas; cta++)
      for (uint32_t warp = 0; warp < launch.warps_per_cta; warp++)
        if (!walk_warp(source, w, cta, warp, err, errlen))
          return false;
    if (w->launch_end && !w->launch_end(w))
      return false;
  }
  return true;
}

bool wl_walk(struct wl_source *source, struct wl_walker *walker, char *err, size_t errlen) {
  snprintf(err, errlen, "%s", "");
  const bool good = walk(source, walker, err, errlen);
  if (!failed(source))
    return good;
  snprintf(err, errlen, "%s", source->ops->error(source));
  return false;
}
