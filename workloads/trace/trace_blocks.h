/* The input file of a trace reader: its error state, and its blocks. Several threads may read blocks at the
 * same time.
 *
 * Invariant: the first error is kept. The checksum of a block covers its launch, warp and number, so a
 * block that was read is the block that was asked for.
 */
#ifndef HEDDLE_WORKLOADS_TRACE_TRACE_BLOCKS_H
#define HEDDLE_WORKLOADS_TRACE_TRACE_BLOCKS_H

#include "base/file_window.h"
#include "workloads/trace/trace_code.h"

#include <pthread.h>
#include <stdatomic.h>
#include <zstd.h>

struct wl_trace_room;

struct wl_trace_input {
  int fd;
  char *name;    /* name for error messages */
  uint64_t size; /* bytes of the file */
  pthread_mutex_t mutex;
  struct wl_trace_room *room; /* buffers that no thread uses now; needs `mutex` */
  char error[512];            /* the first error; empty: none; needs `mutex` */
  atomic_bool failed;         /* true if there is an error */
};

/* Takes over fd, and closes it in wl_trace_input_end or on failure. Returns false if memory is out. */
bool wl_trace_input_begin(struct wl_trace_input *in, int fd, const char *name);
void wl_trace_input_end(struct wl_trace_input *in);
/* Call this after the file has changed: drops the buffered bytes. No thread may read a block meanwhile. */
void wl_trace_input_changed(struct wl_trace_input *in);

/* Records an error, with the file's name before it, unless there is one already. Returns false. */
bool wl_trace_fail(struct wl_trace_input *in, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Reads the n bytes at offset `at`. Returns false after recording an error if the file does not have them. */
bool wl_trace_read_at(struct wl_trace_input *in, struct hd_file_window *near, void *bytes, size_t n,
                      uint64_t at);

/* The place of a launch's blocks, and the dictionary that they are compressed with. */
struct wl_trace_blocks {
  uint32_t launch;     /* from 1 */
  uint64_t first;      /* offset of the first block, which is the pattern */
  ZSTD_DDict *pattern; /* NULL: not read yet */
};

/* The decompressed bytes of a block. The room is a power of two, enough for the largest block that was read into it. {0}: new. */
struct wl_trace_raw {
  uint8_t *bytes; /* to be freed with free() */
  size_t room;
};

/* Reads block `number` of a warp, or the pattern (WL_TRACE_PATTERN), into raw, and moves *at behind it.
 * Sets *last if it is the warp's last block. Returns the size in bytes, or 0 after recording an error. */
size_t wl_trace_read_block(struct wl_trace_input *in, const struct wl_trace_blocks *of, uint64_t warp,
                           uint64_t number, uint64_t *at, bool *last, struct wl_trace_raw *raw);

#endif
