/* Prints an instruction as a line of an Accel-Sim trace.
 *
 * Invariant: accel_inst.c reads a printed line as the same instruction, except for the cases that
 * docs/trace.md lists.
 */
#ifndef HEDDLE_WORKLOADS_ACCELSIM_ACCEL_LINES_H
#define HEDDLE_WORKLOADS_ACCELSIM_ACCEL_LINES_H

#include "workloads/stream.h"

#include <stddef.h>

/* WL_ACCEL_LINE: most bytes of a line. WL_ACCEL_SOURCES: most sources of a line. */
enum { WL_ACCEL_LINE = 1024, WL_ACCEL_SOURCES = 4 };

/* Prints the line and its newline, for binary version `version`. Returns its length. */
size_t wl_accel_print(const struct wl_inst *inst, unsigned version, char line[WL_ACCEL_LINE]);

#endif
