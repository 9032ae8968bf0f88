/* Blocks of a .htrace file; see trace_blocks.h. */
#include "workloads/trace/trace_blocks.h"
#include "workloads/trace/trace_layout.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The buffers for reading a block, one set for each thread that reads. The window holds a whole block once
 * its header has been read. */
struct wl_trace_room {
  struct wl_trace_room *next;
  ZSTD_DCtx *zstd;
  struct hd_file_window near;
  uint8_t packed[WL_TRACE_BLOCK];
};
_Static_assert(WL_TRACE_BLOCK_HEADER + WL_TRACE_BLOCK <= HD_FILE_WINDOW, "a block fits the window");

bool wl_trace_fail(struct wl_trace_input *in, const char *format, ...) {
  pthread_mutex_lock(&in->mutex);
  if (!*in->error) {
    const int n = snprintf(in->error, sizeof in->error, "%.300s: ", in->name);
    va_list args;
    va_start(args, format);
    vsnprintf(in->error + n, sizeof in->error - (size_t)n, format, args);
    va_end(args);
    in->failed = true;
  }
  pthread_mutex_unlock(&in->mutex);
  return false;
}

static struct wl_trace_room *new_room(void) {
  struct wl_trace_room *room = calloc(1, sizeof *room);
  if (room && !(room->zstd = ZSTD_createDCtx())) {
    free(room);
    return NULL;
  }
  return room;
}

/* Returns NULL if memory is out. */
static struct wl_trace_room *take_room(struct wl_trace_input *in) {
  pthread_mutex_lock(&in->mutex);
  struct wl_trace_room *room = in->room;
  if (room)
    in->room = room->next;
  pthread_mutex_unlock(&in->mutex);
  return room ? room : new_room();
}

static void leave_room(struct wl_trace_input *in, struct wl_trace_room *room) {
  pthread_mutex_lock(&in->mutex);
  room->next = in->room;
  in->room = room;
  pthread_mutex_unlock(&in->mutex);
}

bool wl_trace_input_begin(struct wl_trace_input *in, int fd, const char *name) {
  *in = (struct wl_trace_input){.fd = fd, .name = strdup(name), .room = new_room()};
  pthread_mutex_init(&in->mutex, NULL);
  if (in->name && in->room) {
    return true;
  }
  wl_trace_input_end(in);
  return false;
}

void wl_trace_input_end(struct wl_trace_input *in) {
  for (struct wl_trace_room *room = in->room, *next; room; room = next) {
    next = room->next;
    ZSTD_freeDCtx(room->zstd);
    free(room);
  }
  pthread_mutex_destroy(&in->mutex);
  close(in->fd);
  free(in->name);
}

void wl_trace_input_changed(struct wl_trace_input *in) {
  for (struct wl_trace_room *room = in->room; room; room = room->next)
    hd_file_window_forget(&room->near);
}

bool wl_trace_read_at(struct wl_trace_input *in, struct hd_file_window *near, void *bytes, size_t n,
                      uint64_t at) {
  const ssize_t got = hd_file_window_read(near, in->fd, bytes, n, at);
  return got == (ssize_t)n ||
         wl_trace_fail(in, "offset %" PRIu64 ": %s", at, got < 0 ? strerror(errno) : "the file ends here");
}

/* Records an error about a block. */
static void fail_block(struct wl_trace_input *in, const struct wl_trace_blocks *of, uint64_t warp,
                       uint64_t number, uint64_t at, const char *what) {
  char who[32] = "pattern";
  if (warp != WL_TRACE_PATTERN)
    snprintf(who, sizeof who, "warp %" PRIu64, warp);
  wl_trace_fail(in, "offset %" PRIu64 ": launch %" PRIu32 ", %s, block %" PRIu64 ": %s", at, of->launch, who,
                number, what);
}

/* Makes room for the block in raw; the old contents may be lost. Returns false if memory is out. */
static bool make_room(struct wl_trace_raw *raw, const struct wl_trace_block *block) {
  if (block->raw <= raw->room)
    return true;
  enum { LEAST = 1024 };
  size_t room = LEAST;
  while (room < block->raw) /* few allocations, however the sizes of blocks differ */
    room *= 2;
  free(raw->bytes);
  raw->bytes = malloc(room);
  raw->room = raw->bytes ? room : 0;
  return raw->bytes;
}

/* Decompresses the block into raw, which has room for it. */
static bool decompress(const struct wl_trace_blocks *of, const struct wl_trace_room *room,
                       const struct wl_trace_block *block, const struct wl_trace_raw *raw) {
  const size_t n = of->pattern
                       ? ZSTD_decompress_usingDDict(room->zstd, raw->bytes, raw->room, room->packed,
                                                    block->packed, of->pattern)
                       : ZSTD_decompressDCtx(room->zstd, raw->bytes, raw->room, room->packed, block->packed);
  return n == block->raw;
}

static void fail_memory(struct wl_trace_input *in, const struct wl_trace_blocks *of) {
  wl_trace_fail(in, "launch %" PRIu32 ": out of memory", of->launch);
}

static size_t read_in(struct wl_trace_input *in, struct wl_trace_room *room, const struct wl_trace_blocks *of,
                      uint64_t warp, uint64_t number, uint64_t *at, bool *last, struct wl_trace_raw *raw) {
  uint8_t header[WL_TRACE_BLOCK_HEADER];
  if (*at < of->first || *at > in->size || in->size - *at < WL_TRACE_BLOCK_HEADER) {
    fail_block(in, of, warp, number, *at, "the place is outside of the launch's blocks");
    return 0;
  }
  if (!wl_trace_read_at(in, &room->near, header, sizeof header, *at))
    return 0;
  const struct wl_trace_block block = wl_trace_get_block(header);
  const char *wrong = NULL;
  if (!block.raw || !block.packed || block.raw > WL_TRACE_BLOCK || block.packed > block.raw ||
      block.packed > in->size - WL_TRACE_BLOCK_HEADER - *at)
    wrong = "its sizes are impossible";
  else if (!wl_trace_read_at(in, &room->near, room->packed, block.packed, *at + WL_TRACE_BLOCK_HEADER))
    return 0;
  else if (block.check != wl_trace_check(of->launch - 1, warp, number, &block, room->packed))
    wrong = "its checksum is wrong";
  else if (!make_room(raw, &block)) {
    fail_memory(in, of);
    return 0;
  } else if (block.packed == block.raw)
    memcpy(raw->bytes, room->packed, block.raw);
  else if (!decompress(of, room, &block, raw))
    wrong = "its bytes do not decompress";
  if (wrong) {
    fail_block(in, of, warp, number, *at, wrong);
    return 0;
  }
  *at += WL_TRACE_BLOCK_HEADER + block.packed;
  *last = block.last;
  return block.raw;
}

size_t wl_trace_read_block(struct wl_trace_input *in, const struct wl_trace_blocks *of, uint64_t warp,
                           uint64_t number, uint64_t *at, bool *last, struct wl_trace_raw *raw) {
  struct wl_trace_room *room = take_room(in);
  if (!room) {
    fail_memory(in, of);
    return 0;
  }
  const size_t n = read_in(in, room, of, warp, number, at, last, raw);
  leave_room(in, room);
  return n;
}
