/* Heddle's trace form, .htrace: writing it, and reading it as a workload. docs/trace.md has the layout.
 *
 *   file header | launch: header, index, blocks | launch: ... | ...
 *
 * A warp's instructions are blocks of at most WL_TRACE_BLOCK bytes (trace_code.h), one after another in the file,
 * each compressed by itself; the index of a launch says where each warp's first one is. So a reader holds one block
 * a resident warp, however long the trace, and a writer one block.
 *
 * Invariant: a file is complete or refused: its header gets the size of the file last of all. Every byte that is
 * read has been checked, and checksums of blocks say which warp and which place they are for.
 */
#ifndef HEDDLE_WORKLOADS_TRACE_TRACE_FILE_H
#define HEDDLE_WORKLOADS_TRACE_TRACE_FILE_H

#include "workloads/stream.h"

#include <stddef.h>
#include <stdio.h>

#define WL_TRACE_MAGIC "HEDTRACE"
enum {
  WL_TRACE_VERSION = 1,
  WL_TRACE_FILE_HEADER = 32,
  WL_TRACE_LAUNCH_HEADER = 512,
  WL_TRACE_BLOCK_HEADER = 8
};

/* REGISTERS: a thread holds at most; no GPU since Kepler can name more, and those before 63. */
enum { WL_OPS = WL_EXIT + 1, WL_TRACE_UNKNOWN = 96, WL_TRACE_REGISTERS = 255 };

/* What a reader of a foreign trace decided where that does not fit stream.h: instructions concerned, but for
 * `registers`. docs/trace.md says why. */
struct wl_trace_notes {
  uint64_t unknown;                     /* their opcode is not known; taken as ALU */
  uint64_t off;                         /* memory instructions with no lane; taken as ALU */
  uint64_t misaligned;                  /* an address was no multiple of the size; rounded down */
  uint64_t early_exit;                  /* EXITs of some lanes; taken as ALU */
  uint64_t registers;                   /* registers that share a number with another one */
  uint64_t destinations;                /* more than one is written; the first is kept */
  char unknown_names[WL_TRACE_UNKNOWN]; /* the first unknown opcodes, separated by blanks */
};

/* What the header of a launch says. */
struct wl_trace_launch {
  struct wl_launch launch;
  uint64_t insts[WL_OPS]; /* warp instructions by operation */
  uint64_t lanes;         /* active lanes of all of them */
  uint64_t bytes;         /* in the file: header, index, blocks */
  uint64_t coded;         /* blocks before compression */
  struct wl_trace_notes notes;
};

/* Sets ctas and warps_per_cta from grid and block; false: there are none, or more than stream.h allows. */
bool wl_trace_count_launch(struct wl_launch *launch);

/* --- writing -------------------------------------------------------------------------------------------- */

struct wl_trace_writer;

/* A writer into the empty file of descriptor fd, which stays the caller's; NULL: memory is out. `passing`: the file is read
 * once and goes, so small blocks, which gain little, are not compressed. */
struct wl_trace_writer *wl_trace_write_begin(int fd, bool passing);
/* The functions below answer false when the file cannot be written, and then always; `errno` says why. */
bool wl_trace_write_launch(struct wl_trace_writer *w, const struct wl_launch *launch);
/* Starts the stream of a warp, in any order. EEXIST: it has been. The one before ended in WL_EXIT. */
bool wl_trace_write_warp(struct wl_trace_writer *w, uint32_t cta, uint32_t warp);
/* `stride`: as wl_trace_encode. */
bool wl_trace_write_inst(struct wl_trace_writer *w, const struct wl_inst *inst, const uint64_t *stride);
/* Ends the launch; all its warps have been written. notes may be NULL. */
bool wl_trace_write_launch_end(struct wl_trace_writer *w, const struct wl_trace_notes *notes);
/* Makes the file complete. */
bool wl_trace_write_end(struct wl_trace_writer *w);
void wl_trace_write_free(struct wl_trace_writer *w);
/* Whether the warp has been written in this launch. */
bool wl_trace_written(struct wl_trace_writer *w, uint32_t cta, uint32_t warp);

/* --- reading -------------------------------------------------------------------------------------------- */

/* The workload in the file of descriptor fd, which it closes at its end, also if it fails. `name` is for errors.
 * NULL: one line in err. */
struct wl_source *wl_trace_read(int fd, const char *name, char *err, size_t errlen);
/* What the header of the current launch says, if the source is a trace; else NULL. */
const struct wl_trace_launch *wl_trace_launch_of(const struct wl_source *source);

#endif
