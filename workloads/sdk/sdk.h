/* The CUDA SDK's samples, and LIB and NN of the ISPASS-2009 set: the builds of their kernels, see catalog.h. The
 * catalogue is in sdk.c.
 *
 * The accesses and their order are those of the sources; arithmetic is as many instructions as the sources' compiled
 * loops have, rounded, in four chains (kernel_code.h). Where a sample repeats a launch for its timing only, it is launched
 * once.
 *
 * Invariant: nothing but histogram64's bytes is data, and those follow from the seed and their position.
 */
#ifndef HEDDLE_WORKLOADS_SDK_SDK_H
#define HEDDLE_WORKLOADS_SDK_SDK_H

#include "workloads/plan/kernel_code.h"

/* Adds up `count` elements in shared memory, a power of two, by halves, a CTA of `threads` threads at once, with a
 * barrier before each of the log2(count) steps. Element 0 has the sum. */
void sdk_tree(struct wl_plan *p, uint32_t count, uint32_t threads);

bool sdk_scalarprod(struct wl_plan *p, uint32_t launch);
bool sdk_convsep(struct wl_plan *p, uint32_t launch);
bool sdk_matrixmul(struct wl_plan *p, uint32_t launch);
bool sdk_blackscholes(struct wl_plan *p, uint32_t launch);
bool sdk_fwt(struct wl_plan *p, uint32_t launch);
bool sdk_histogram64(struct wl_plan *p, uint32_t launch);
bool sdk_lib(struct wl_plan *p, uint32_t launch);
bool sdk_nn(struct wl_plan *p, uint32_t launch);

#endif
