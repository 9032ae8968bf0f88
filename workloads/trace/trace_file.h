/* Heddle's trace format, .htrace: writing it, and reading it as a workload. docs/trace.md has the layout.
 *
 *   file header | launch: header, index, blocks | launch: ... | ...
 *
 * A warp's instructions are in blocks of at most WL_TRACE_BLOCK bytes (trace_code.h). The blocks of a warp
 * follow one another in the file; each is compressed by itself. The index of a launch gives the place of
 * each warp's first block. So a reader holds one block per resident warp, however long the trace is, and a
 * writer holds one block.
 *
 * Invariant: a file is complete or refused, because its header gets the size of the file last of all. All
 * bytes that are read have been checked; the checksum of a block includes its warp and its number in the
 * warp.
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

/* WL_TRACE_REGISTERS: most registers of a thread. GPUs since Kepler can name no more; earlier ones could
 * name 63. */
enum { WL_OPS = WL_EXIT + 1, WL_TRACE_UNKNOWN = 96, WL_TRACE_REGISTERS = 255 };

/* Counts of the cases in which a foreign trace does not fit stream.h. They count instructions, except for
 * `registers`. docs/trace.md gives the reasons. */
struct wl_trace_notes {
  uint64_t unknown;                     /* unknown opcode; taken as ALU */
  uint64_t off;                         /* memory instructions without an active lane; taken as ALU */
  uint64_t misaligned;                  /* an address was no multiple of the size; rounded down */
  uint64_t early_exit;                  /* EXITs of some lanes only; taken as ALU */
  uint64_t registers;                   /* registers that share their number with another register */
  uint64_t destinations;                /* more than one register written; the first is kept */
  char unknown_names[WL_TRACE_UNKNOWN]; /* the first unknown opcodes, separated by blanks */
};

/* The contents of a launch's header. */
struct wl_trace_launch {
  struct wl_launch launch;
  uint64_t insts[WL_OPS]; /* warp instructions for each operation */
  uint64_t lanes;         /* sum of their active lanes */
  uint64_t bytes;         /* size in the file: header, index, blocks */
  uint64_t coded;         /* bytes of the blocks before compression */
  struct wl_trace_notes notes;
};

/* Sets ctas and warps_per_cta from grid and block. Returns false if a size is 0, or larger than stream.h
 * allows. */
bool wl_trace_count_launch(struct wl_launch *launch);

/* --- writing -------------------------------------------------------------------------------------------- */

struct wl_trace_writer;

/* Returns a writer into the empty file fd, which the caller closes, or NULL if memory is out. `passing`:
 * the file is read once and then dropped, so small blocks, which gain little, are not compressed. */
struct wl_trace_writer *wl_trace_write_begin(int fd, bool passing);
/* The functions below return false when the file cannot be written; `errno` has the reason. After that they
 * always return false. */
bool wl_trace_write_launch(struct wl_trace_writer *w, const struct wl_launch *launch);
/* Starts the stream of a warp. Warps may come in any order. Fails with EEXIST if the warp has been written
 * already. The stream before must have ended with WL_EXIT. */
bool wl_trace_write_warp(struct wl_trace_writer *w, uint32_t cta, uint32_t warp);
/* `stride` is as in wl_trace_encode. */
bool wl_trace_write_inst(struct wl_trace_writer *w, const struct wl_inst *inst, const uint64_t *stride);
/* Ends the launch, after all its warps have been written. `notes` may be NULL. */
bool wl_trace_write_launch_end(struct wl_trace_writer *w, const struct wl_trace_notes *notes);
/* Completes the file. */
bool wl_trace_write_end(struct wl_trace_writer *w);
void wl_trace_write_free(struct wl_trace_writer *w);
/* Returns true if the warp has been written in this launch. */
bool wl_trace_written(struct wl_trace_writer *w, uint32_t cta, uint32_t warp);

/* --- reading -------------------------------------------------------------------------------------------- */

/* Returns the workload in the file fd, which it closes at its end, also on failure. `name` is for error
 * messages. Returns NULL with one line in err. */
struct wl_source *wl_trace_read(int fd, const char *name, char *err, size_t errlen);
/* Returns the header of the current launch if the source is a trace; else NULL. */
const struct wl_trace_launch *wl_trace_launch_of(const struct wl_source *source);

#endif
