/* The graph kernels of Pannotia (graph colouring, sssp, all-pairs shortest paths) and of GraphBIG (graph
 * colouring, connected components). The catalogue is in pannotia.c; docs/workloads/graphs.md describes the
 * kernels.
 */
#ifndef HEDDLE_WORKLOADS_PANNOTIA_PANNOTIA_H
#define HEDDLE_WORKLOADS_PANNOTIA_PANNOTIA_H

#include "workloads/plan/plan.h"

/* The keys after the graph's. */
enum { PN_KEY_VARIANT = 3 };

/* See catalog.h: build, prepare, release. */
bool pn_color(struct wl_plan *p, uint32_t launch);
bool pn_color_prepare(struct wl_plan *p, char *err, size_t errlen);
void pn_color_release(void *data);
bool pn_sssp(struct wl_plan *p, uint32_t launch);
bool pn_sssp_prepare(struct wl_plan *p, char *err, size_t errlen);
void pn_sssp_release(void *data);
bool pn_ccl(struct wl_plan *p, uint32_t launch);
bool pn_ccl_prepare(struct wl_plan *p, char *err, size_t errlen);
void pn_ccl_release(void *data);
bool pn_apsp(struct wl_plan *p, uint32_t launch);
bool pn_apsp_prepare(struct wl_plan *p, char *err, size_t errlen);
void pn_apsp_release(void *data);

#endif
