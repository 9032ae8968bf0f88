/* The CUDA SDK's samples, and LIB and NN of the ISPASS-2009 set: the build functions of their kernels, see
 * catalog.h. The catalogue is in sdk.c.
 *
 * The accesses and their order are those of the sources. Arithmetic has as many instructions as the
 * sources' compiled loops, rounded, in four chains (kernel_code.h). If a sample repeats a launch only to
 * measure time, there is one launch here.
 *
 * Invariant: only histogram64 has data, its bytes; they follow from the seed and their position.
 */
#ifndef HEDDLE_WORKLOADS_SDK_SDK_H
#define HEDDLE_WORKLOADS_SDK_SDK_H

#include "workloads/plan/kernel_code.h"

/* Adds up `count` elements in shared memory, a power of two, by halves. A CTA of `threads` threads works on
 * it, with a barrier before each of the log2(count) steps. Element 0 gets the sum. */
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
