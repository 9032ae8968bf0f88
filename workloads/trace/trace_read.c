/* Reading .htrace; see trace_file.h.
 *
 * Over 400 lines: blocks, launches and warps are one reader, with one lock and one error. */
#include "workloads/trace/trace_read.h"
#include "base/file_window.h"
#include "base/printable.h"
#include "workloads/trace/trace_code.h"
#include "workloads/trace/trace_layout.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

struct trace_source {
  struct wl_source source;
  int fd;
  char *name;                 /* for errors */
  struct wl_trace_feed *feed; /* NULL: the file is all there is */
  uint64_t size;
  uint32_t launches, number; /* in the file; begun */
  uint64_t header;           /* offset of the current launch's */
  struct wl_trace_launch launch;
  uint64_t next;               /* of the launch after it; 0: none */
  ZSTD_DDict *pattern;         /* of the launch */
  struct hd_file_window heads; /* of launches, and their indices */
  pthread_mutex_t mutex;
  struct room *room;          /* those that nobody uses; with `mutex` */
  struct trace_stream *spare; /* likewise */
  char error[512];            /* of the first that was told; empty: none. With `mutex` */
  atomic_bool failed;         /* there is one */
};

/* What reading a block needs: one for each thread that reads. A block is there whole with the call that reads its header. */
struct room {
  struct room *next;
  ZSTD_DCtx *zstd;
  struct hd_file_window blocks;
  uint8_t packed[WL_TRACE_BLOCK];
};
_Static_assert(WL_TRACE_BLOCK_HEADER + WL_TRACE_BLOCK <= HD_FILE_WINDOW, "a block fits the window");

/* What every instruction needs is in the first line of the host's cache. */
struct trace_stream {
  _Alignas(64) struct wl_trace_decoder decoder;
  struct trace_stream *next; /* spare */
  struct trace_source *src;
  uint64_t warp, blocks; /* read so far */
  uint64_t at;           /* offset of the next */
  bool last;             /* the block that is decoded is the warp's last */
  uint8_t raw[WL_TRACE_BLOCK];
};

static bool fail(struct trace_source *src, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool fail(struct trace_source *src, const char *format, ...) {
  pthread_mutex_lock(&src->mutex);
  if (!*src->error) {
    const int n = snprintf(src->error, sizeof src->error, "%.300s: ", src->name);
    va_list args;
    va_start(args, format);
    vsnprintf(src->error + n, sizeof src->error - (size_t)n, format, args);
    va_end(args);
    src->failed = true;
  }
  pthread_mutex_unlock(&src->mutex);
  return false;
}

static struct room *new_room(void) {
  struct room *room = malloc(sizeof *room);
  if (room && !(room->zstd = ZSTD_createDCtx())) {
    free(room);
    return NULL;
  }
  if (room)
    hd_file_window_forget(&room->blocks);
  return room;
}

/* NULL: out of memory. */
static struct room *take_room(struct trace_source *src) {
  pthread_mutex_lock(&src->mutex);
  struct room *room = src->room;
  if (room)
    src->room = room->next;
  pthread_mutex_unlock(&src->mutex);
  return room ? room : new_room();
}

static void leave_room(struct trace_source *src, struct room *room) {
  pthread_mutex_lock(&src->mutex);
  room->next = src->room;
  src->room = room;
  pthread_mutex_unlock(&src->mutex);
}

static bool read_at(struct trace_source *src, struct hd_file_window *near, void *bytes, size_t n,
                    uint64_t at) {
  const ssize_t got = hd_file_window_read(near, src->fd, bytes, n, at);
  return got == (ssize_t)n ||
         fail(src, "offset %" PRIu64 ": %s", at, got < 0 ? strerror(errno) : "the file ends here");
}

/* --- the file and its launches -------------------------------------------------------------------------- */

static bool open_file(struct trace_source *src) {
  uint8_t bytes[WL_TRACE_FILE_HEADER];
  struct stat file;
  uint32_t version;
  uint64_t size;
  hd_file_window_forget(&src->heads);
  for (struct room *room = src->room; room; room = room->next)
    hd_file_window_forget(&room->blocks);
  if (fstat(src->fd, &file) != 0 || !S_ISREG(file.st_mode))
    return fail(src, "is no regular file, so it can't be read at any place");
  if (file.st_size < WL_TRACE_FILE_HEADER)
    return fail(src, "offset %lld: the file ends in its header", (long long)file.st_size);
  if (!read_at(src, &src->heads, bytes, sizeof bytes, 0))
    return false;
  if (memcmp(bytes, WL_TRACE_MAGIC, 8) != 0)
    return fail(src,
                "offset 0: found no " WL_TRACE_MAGIC "; it is no .htrace file, or its writing was cut short");
  if (!wl_trace_get_file(bytes, &version, &size, &src->launches))
    return fail(src, "offset 0: the checksum of the header is wrong");
  if (version != WL_TRACE_VERSION)
    return fail(src, "offset 8: found version %" PRIu32 "; this program reads version %d", version,
                WL_TRACE_VERSION);
  if (size != (uint64_t)file.st_size)
    return fail(src, "has %lld bytes; its header says %" PRIu64, (long long)file.st_size, size);
  src->size = size;
  src->number = 0;
  src->header = 0;
  src->next = WL_TRACE_FILE_HEADER;
  return true;
}

static uint64_t warps(const struct trace_source *src) {
  return (uint64_t)src->launch.launch.ctas * src->launch.launch.warps_per_cta;
}

static uint64_t first_block(const struct trace_source *src) {
  return src->header + WL_TRACE_LAUNCH_HEADER + 8 * warps(src);
}

/* False, with a sentence about a block. */
static bool fail_block(struct trace_source *src, uint64_t warp, uint64_t number, uint64_t at,
                       const char *what) {
  char who[32] = "pattern";
  if (warp != WL_TRACE_PATTERN)
    snprintf(who, sizeof who, "warp %" PRIu64, warp);
  return fail(src, "offset %" PRIu64 ": launch %" PRIu32 ", %s, block %" PRIu64 ": %s", at, src->number, who,
              number, what);
}

/* Into raw. */
static bool decompress(const struct trace_source *src, const struct room *room,
                       const struct wl_trace_block *block, uint8_t raw[WL_TRACE_BLOCK]) {
  const size_t n = src->pattern
                       ? ZSTD_decompress_usingDDict(room->zstd, raw, WL_TRACE_BLOCK, room->packed,
                                                    block->packed, src->pattern)
                       : ZSTD_decompressDCtx(room->zstd, raw, WL_TRACE_BLOCK, room->packed, block->packed);
  return n == block->raw;
}

/* Reads a block of a warp into raw and moves *at behind it. 0: it can't be; else its size. */
static size_t read_in(struct trace_source *src, struct room *room, uint64_t warp, uint64_t number,
                      uint64_t *at, bool *last, uint8_t raw[WL_TRACE_BLOCK]) {
  uint8_t header[WL_TRACE_BLOCK_HEADER];
  if (*at < first_block(src) || *at > src->size || src->size - *at < WL_TRACE_BLOCK_HEADER) {
    fail_block(src, warp, number, *at, "the place is outside of the launch's blocks");
    return 0;
  }
  if (!read_at(src, &room->blocks, header, sizeof header, *at))
    return 0;
  const struct wl_trace_block block = wl_trace_get_block(header);
  const char *wrong = NULL;
  if (!block.raw || !block.packed || block.raw > WL_TRACE_BLOCK || block.packed > block.raw ||
      block.packed > src->size - WL_TRACE_BLOCK_HEADER - *at)
    wrong = "its sizes are impossible";
  else if (!read_at(src, &room->blocks, room->packed, block.packed, *at + WL_TRACE_BLOCK_HEADER))
    return 0;
  else if (block.check != wl_trace_check(src->number - 1, warp, number, &block, room->packed))
    wrong = "its checksum is wrong";
  else if (block.packed == block.raw)
    memcpy(raw, room->packed, block.raw);
  else if (!decompress(src, room, &block, raw))
    wrong = "its bytes do not decompress";
  if (wrong) {
    fail_block(src, warp, number, *at, wrong);
    return 0;
  }
  *at += WL_TRACE_BLOCK_HEADER + block.packed;
  *last = block.last;
  return block.raw;
}

static size_t read_block(struct trace_source *src, uint64_t warp, uint64_t number, uint64_t *at, bool *last,
                         uint8_t raw[WL_TRACE_BLOCK]) {
  struct room *room = take_room(src);
  if (!room) {
    fail(src, "launch %" PRIu32 ": out of memory", src->number);
    return 0;
  }
  const size_t n = read_in(src, room, warp, number, at, last, raw);
  leave_room(src, room);
  return n;
}

/* The block that all others of the launch are compressed against. */
static bool read_pattern(struct trace_source *src) {
  uint8_t *raw = malloc(WL_TRACE_BLOCK);
  uint64_t at = first_block(src);
  bool last;
  ZSTD_freeDDict(src->pattern);
  src->pattern = NULL;
  const size_t n = raw ? read_block(src, WL_TRACE_PATTERN, 0, &at, &last, raw) : 0;
  if (n)
    src->pattern = ZSTD_createDDict(raw, n);
  free(raw);
  return src->pattern || fail(src, "launch %" PRIu32 ": out of memory", src->number);
}

static bool read_launch(struct trace_source *src) {
  uint8_t bytes[WL_TRACE_LAUNCH_HEADER];
  const uint64_t at = src->next;
  if (at <= src->header || at > src->size || src->size - at < WL_TRACE_LAUNCH_HEADER)
    return fail(src, "launch %" PRIu32 " would be at offset %" PRIu64 ", outside of the file",
                src->number + 1, at);
  if (!read_at(src, &src->heads, bytes, sizeof bytes, at))
    return false;
  src->header = at;
  src->number++;
  if (!wl_trace_get_launch(bytes, &src->launch, &src->next))
    return fail(src, "offset %" PRIu64 ": the header of launch %" PRIu32 " is wrong", at, src->number);
  if (src->number == src->launches && src->next)
    return fail(src,
                "offset %" PRIu64 ": launch %" PRIu32
                " is the last, but says that the next is at offset %" PRIu64,
                at, src->number, src->next);
  if (warps(src) > (src->size - at - WL_TRACE_LAUNCH_HEADER) / 8)
    return fail(src, "offset %" PRIu64 ": launch %" PRIu32 " has %" PRIu64 " warps; the file ends before", at,
                src->number, warps(src));
  return read_pattern(src);
}

static bool next_launch(struct wl_source *source, struct wl_launch *launch) {
  struct trace_source *src = (struct trace_source *)source;
  if (!src->failed && src->number == src->launches && src->feed) {
    char err[sizeof src->error];
    const enum wl_trace_fed fed =
        ftruncate(src->fd, 0) ? WL_TRACE_BAD : src->feed->next(src->feed, src->fd, err, sizeof err);
    if (fed == WL_TRACE_NO_MORE)
      return false;
    if (fed == WL_TRACE_BAD) {
      memcpy(src->error, err, sizeof err);
      hd_printable(src->error); /* it may hold what stands in the file */
      src->failed = true;
    } else
      open_file(src);
  }
  if (src->failed || src->number == src->launches || !read_launch(src))
    return false;
  *launch = src->launch.launch;
  return true;
}

/* --- warps ---------------------------------------------------------------------------------------------- */

static bool find_warp(struct trace_source *src, uint64_t warp, uint64_t *at) {
  uint8_t entry[8];
  if (!read_at(src, &src->heads, entry, sizeof entry, src->header + WL_TRACE_LAUNCH_HEADER + 8 * warp))
    return false;
  *at = wl_trace_get64(entry);
  return true;
}

/* Makes a block ready to be decoded. */
static bool refill(struct trace_stream *s) {
  struct trace_source *src = s->src;
  const size_t n = read_block(src, s->warp, s->blocks, &s->at, &s->last, s->raw);
  s->blocks++;
  wl_trace_decode_begin(&s->decoder, s->raw, n);
  return n;
}

/* One that is no longer read, or a new one; NULL: out of memory. */
static struct trace_stream *take_stream(struct trace_source *src) {
  pthread_mutex_lock(&src->mutex);
  struct trace_stream *s = src->spare;
  if (s)
    src->spare = s->next;
  pthread_mutex_unlock(&src->mutex);
  if (!s && (s = aligned_alloc(_Alignof(struct trace_stream), sizeof *s)))
    s->decoder = (struct wl_trace_decoder){0};
  return s;
}

static void close_warp(void *stream) {
  struct trace_stream *s = stream;
  pthread_mutex_lock(&s->src->mutex);
  s->next = s->src->spare;
  s->src->spare = s;
  pthread_mutex_unlock(&s->src->mutex);
}

static void *open_warp(struct wl_source *source, uint32_t cta, uint32_t warp) {
  struct trace_source *src = (struct trace_source *)source;
  if (src->failed)
    return NULL;
  struct trace_stream *s = take_stream(src);
  if (!s) {
    fail(src, "launch %" PRIu32 ": out of memory", src->number);
    return NULL;
  }
  s->src = src;
  s->warp = (uint64_t)cta * src->launch.launch.warps_per_cta + warp;
  s->blocks = 0;
  if (find_warp(src, s->warp, &s->at) && refill(s))
    return s;
  close_warp(s);
  return NULL;
}

static void next(void *stream, struct wl_inst *inst) {
  struct trace_stream *s = stream;
  struct wl_trace_decoder *d = &s->decoder;
  const bool over = d->at == d->end && (s->last || !refill(s));
  const bool good =
      !over && wl_trace_decode(d, inst) && (inst->op == WL_EXIT) == (d->at == d->end && s->last);
  if (over)
    fail(s->src, "launch %" PRIu32 ", warp %" PRIu64 ": ends without EXIT", s->src->number, s->warp);
  else if (!good && d->no_memory)
    fail(s->src, "launch %" PRIu32 ", warp %" PRIu64 ": out of memory", s->src->number, s->warp);
  else if (!good)
    fail(s->src,
         "offset %" PRIu64 ": launch %" PRIu32 ", warp %" PRIu64
         ": the block before holds no instruction at byte %td",
         s->at, s->src->number, s->warp, d->at - s->raw);
  if (atomic_load_explicit(&s->src->failed, memory_order_relaxed))
    wl_give(inst, &(struct wl_inst){.op = WL_EXIT, .dst = WL_NO_REG});
}

static void locate(void *stream, struct wl_inst *inst) {
  wl_trace_locate(&((const struct trace_stream *)stream)->decoder, inst);
}

static void close_source(struct wl_source *source) {
  struct trace_source *src = (struct trace_source *)source;
  if (src->feed)
    src->feed->close(src->feed);
  ZSTD_freeDDict(src->pattern);
  for (struct room *room = src->room, *next; room; room = next) {
    next = room->next;
    ZSTD_freeDCtx(room->zstd);
    free(room);
  }
  for (struct trace_stream *s = src->spare, *next; s; s = next) {
    next = s->next;
    free(s->decoder.known);
    free(s);
  }
  pthread_mutex_destroy(&src->mutex);
  close(src->fd);
  free(src->name);
  free(src);
}

static const char *error(const struct wl_source *source) {
  const struct trace_source *src = (const struct trace_source *)source;
  return src->failed ? src->error : NULL;
}

static const struct wl_source_ops ops = {
    .next_launch = next_launch,
    .open_warp = open_warp,
    .next = next,
    .locate = locate,
    .close_warp = close_warp,
    .close = close_source,
    .error = error,
};

const struct wl_trace_launch *wl_trace_launch_of(const struct wl_source *source) {
  return source->ops == &ops ? &((const struct trace_source *)source)->launch : NULL;
}

struct wl_source *wl_trace_read_fed(int fd, const char *name, struct wl_trace_feed *feed) {
  struct trace_source *src = calloc(1, sizeof *src);
  char *copy = strdup(name);
  struct room *room = new_room();
  if (src && copy && room) {
    *src = (struct trace_source){.source = {&ops}, .fd = fd, .name = copy, .feed = feed};
    pthread_mutex_init(&src->mutex, NULL);
    leave_room(src, room);
    return &src->source;
  }
  free(src);
  free(copy);
  if (room)
    ZSTD_freeDCtx(room->zstd);
  free(room);
  close(fd);
  if (feed)
    feed->close(feed);
  return NULL;
}

struct wl_source *wl_trace_read(int fd, const char *name, char *err, size_t errlen) {
  struct wl_source *source = wl_trace_read_fed(fd, name, NULL);
  if (!source)
    snprintf(err, errlen, "%s: out of memory", name);
  else if (!open_file((struct trace_source *)source)) {
    snprintf(err, errlen, "%s", source->ops->error(source));
    source->ops->close(source);
    source = NULL;
  }
  return source;
}
