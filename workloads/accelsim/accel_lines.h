/* An instruction as a line of an Accel-Sim trace.
 *
 * Invariant: what is printed, accel_inst.c reads as the same instruction, but for what docs/trace.md lists.
 */
#ifndef HEDDLE_WORKLOADS_ACCELSIM_ACCEL_LINES_H
#define HEDDLE_WORKLOADS_ACCELSIM_ACCEL_LINES_H

#include "workloads/stream.h"

#include <stddef.h>

/* A line's room, and the sources it has at most. */
enum { WL_ACCEL_LINE = 1024, WL_ACCEL_SOURCES = 4 };

/* Prints the line with its end, for binary version `version`; gives its length. */
size_t wl_accel_print(const struct wl_inst *inst, unsigned version, char line[WL_ACCEL_LINE]);

#endif
