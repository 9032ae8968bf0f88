/* The file of a trace as its reader has it: what is wrong with it, and its blocks, which several threads read at the same time.
 *
 * Invariant: the first error is kept. A block that is given has its own checksum, so it is the one that was asked for.
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
  char *name;    /* for errors */
  uint64_t size; /* of the file */
  pthread_mutex_t mutex;
  struct wl_trace_room *room; /* those that nobody uses; with `mutex` */
  char error[512];            /* of the first that was told; empty: none. With `mutex` */
  atomic_bool failed;         /* there is one */
};

/* The input becomes fd's, which is closed at its end, also if that is at once: false, memory is out. */
bool wl_trace_input_begin(struct wl_trace_input *in, int fd, const char *name);
void wl_trace_input_end(struct wl_trace_input *in);
/* The file has changed: what was read ahead is forgotten. Nobody reads a block meanwhile. */
void wl_trace_input_changed(struct wl_trace_input *in);

/* Tells an error, the name of the file before it; false. */
bool wl_trace_fail(struct wl_trace_input *in, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The n bytes at offset `at`; false: they are not there, which is told. */
bool wl_trace_read_at(struct wl_trace_input *in, struct hd_file_window *near, void *bytes, size_t n,
                      uint64_t at);

/* Where the blocks of a launch are, and what they are compressed against. */
struct wl_trace_blocks {
  uint32_t launch;     /* from 1 */
  uint64_t first;      /* offset of the first one, the pattern */
  ZSTD_DDict *pattern; /* NULL: it has not been read */
};

/* Where a block is decompressed to. It has room for the largest block that was read into it, WL_TRACE_BLOCK bytes at most. {0}: new. */
struct wl_trace_raw {
  uint8_t *bytes; /* free() */
  size_t room;
};

/* Reads block `number` of a warp, or the pattern (WL_TRACE_PATTERN), into raw and moves *at behind it. 0: it can't be, which is told;
 * else its size. *last: it is the warp's last. */
size_t wl_trace_read_block(struct wl_trace_input *in, const struct wl_trace_blocks *of, uint64_t warp,
                           uint64_t number, uint64_t *at, bool *last, struct wl_trace_raw *raw);

#endif
