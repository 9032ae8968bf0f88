/* Reading .htrace: launches and warps; see trace_file.h. trace_blocks.h reads the blocks. */
#include "workloads/trace/trace_read.h"
#include "base/printable.h"
#include "workloads/trace/trace_blocks.h"
#include "workloads/trace/trace_layout.h"
#include "workloads/trace/trace_statics.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct trace_source {
  struct wl_source source;
  struct wl_trace_input in;
  struct wl_trace_feed *feed; /* NULL: the file holds the whole trace */
  uint32_t launches, number;  /* launches in the file; launches begun */
  uint64_t header;            /* offset of the current launch's header */
  struct wl_trace_launch launch;
  uint64_t next; /* offset of the next launch's header; 0: none */
  struct wl_trace_blocks blocks;
  struct hd_file_window heads;     /* window for launch headers and indices */
  struct trace_stream *spare;      /* streams to be used again; needs the input's mutex */
  struct wl_trace_statics statics; /* static instructions of the current launch */
};

/* The members that every instruction needs are in the first line of the host's cache. */
struct trace_stream {
  _Alignas(64) struct trace_source *src;
  struct wl_trace_decoder decoder;
  struct trace_stream *next; /* next in `spare` */
  uint64_t warp, blocks;     /* `blocks`: read so far */
  uint64_t at;               /* offset of the next block */
  bool last;                 /* the decoded block is the warp's last */
  struct wl_trace_raw raw;
};
_Static_assert(offsetof(struct trace_stream, decoder.now.pc) <= 64, "one line");

/* --- the file and its launches -------------------------------------------------------------------------- */

static bool open_file(struct trace_source *src) {
  uint8_t bytes[WL_TRACE_FILE_HEADER];
  struct stat file;
  uint32_t version;
  uint64_t size;
  hd_file_window_forget(&src->heads);
  wl_trace_input_changed(&src->in);
  if (fstat(src->in.fd, &file) != 0 || !S_ISREG(file.st_mode))
    return wl_trace_fail(&src->in, "is no regular file, so it can't be read at any place");
  if (file.st_size < WL_TRACE_FILE_HEADER)
    return wl_trace_fail(&src->in, "offset %lld: the file ends in its header", (long long)file.st_size);
  if (!wl_trace_read_at(&src->in, &src->heads, bytes, sizeof bytes, 0))
    return false;
  if (memcmp(bytes, WL_TRACE_MAGIC, 8) != 0)
    return wl_trace_fail(&src->in, "offset 0: found no " WL_TRACE_MAGIC
                                   "; it is no .htrace file, or its writing was cut short");
  if (!wl_trace_get_file(bytes, &version, &size, &src->launches))
    return wl_trace_fail(&src->in, "offset 0: the checksum of the header is wrong");
  if (version != WL_TRACE_VERSION)
    return wl_trace_fail(&src->in, "offset 8: found version %" PRIu32 "; this program reads version %d",
                         version, WL_TRACE_VERSION);
  if (size != (uint64_t)file.st_size)
    return wl_trace_fail(&src->in, "has %lld bytes; its header says %" PRIu64, (long long)file.st_size, size);
  src->in.size = size;
  src->number = 0;
  src->header = 0;
  src->next = WL_TRACE_FILE_HEADER;
  return true;
}

static uint64_t warps(const struct trace_source *src) {
  return (uint64_t)src->launch.launch.ctas * src->launch.launch.warps_per_cta;
}

/* Reads the block that all others of the launch are compressed with. */
static bool read_pattern(struct trace_source *src) {
  struct wl_trace_raw raw = {0};
  struct wl_trace_blocks *blocks = &src->blocks;
  bool last;
  ZSTD_freeDDict(blocks->pattern);
  *blocks = (struct wl_trace_blocks){.launch = src->number,
                                     .first = src->header + WL_TRACE_LAUNCH_HEADER + 8 * warps(src)};
  uint64_t at = blocks->first;
  const size_t n = wl_trace_read_block(&src->in, blocks, WL_TRACE_PATTERN, 0, &at, &last, &raw);
  if (n)
    blocks->pattern = ZSTD_createDDict(raw.bytes, n);
  free(raw.bytes);
  return blocks->pattern || wl_trace_fail(&src->in, "launch %" PRIu32 ": out of memory", src->number);
}

static bool read_launch(struct trace_source *src) {
  uint8_t bytes[WL_TRACE_LAUNCH_HEADER];
  const uint64_t at = src->next;
  if (at <= src->header || at > src->in.size || src->in.size - at < WL_TRACE_LAUNCH_HEADER)
    return wl_trace_fail(&src->in, "launch %" PRIu32 " would be at offset %" PRIu64 ", outside of the file",
                         src->number + 1, at);
  if (!wl_trace_read_at(&src->in, &src->heads, bytes, sizeof bytes, at))
    return false;
  src->header = at;
  src->number++;
  if (!wl_trace_get_launch(bytes, &src->launch, &src->next))
    return wl_trace_fail(&src->in, "offset %" PRIu64 ": the header of launch %" PRIu32 " is wrong", at,
                         src->number);
  if (src->number == src->launches && src->next)
    return wl_trace_fail(&src->in,
                         "offset %" PRIu64 ": launch %" PRIu32
                         " is the last, but says that the next is at offset %" PRIu64,
                         at, src->number, src->next);
  if (warps(src) > (src->in.size - at - WL_TRACE_LAUNCH_HEADER) / 8)
    return wl_trace_fail(&src->in,
                         "offset %" PRIu64 ": launch %" PRIu32 " has %" PRIu64 " warps; the file ends before",
                         at, src->number, warps(src));
  return read_pattern(src);
}

static bool next_launch(struct wl_source *source, struct wl_launch *launch) {
  struct trace_source *src = (struct trace_source *)source;
  if (!src->in.failed && src->number == src->launches && src->feed) {
    char err[sizeof src->in.error];
    const enum wl_trace_fed fed =
        ftruncate(src->in.fd, 0) ? WL_TRACE_BAD : src->feed->next(src->feed, src->in.fd, err, sizeof err);
    if (fed == WL_TRACE_NO_MORE)
      return false;
    if (fed == WL_TRACE_BAD) {
      memcpy(src->in.error, err, sizeof err);
      hd_printable(src->in.error); /* it may quote the file */
      src->in.failed = true;
    } else
      open_file(src);
  }
  if (src->in.failed || src->number == src->launches || !read_launch(src))
    return false;
  wl_trace_statics_begin(&src->statics);
  *launch = src->launch.launch;
  return true;
}

/* --- warps ---------------------------------------------------------------------------------------------- */

static bool find_warp(struct trace_source *src, uint64_t warp, uint64_t *at) {
  uint8_t entry[8];
  if (!wl_trace_read_at(&src->in, &src->heads, entry, sizeof entry,
                        src->header + WL_TRACE_LAUNCH_HEADER + 8 * warp))
    return false;
  *at = wl_trace_get64(entry);
  return true;
}

/* Reads the next block, ready to be decoded. */
static bool refill(struct trace_stream *s) {
  struct trace_source *src = s->src;
  const size_t n = wl_trace_read_block(&src->in, &src->blocks, s->warp, s->blocks, &s->at, &s->last, &s->raw);
  s->blocks++;
  wl_trace_decode_begin(&s->decoder, s->raw.bytes, n, &src->statics);
  return n;
}

/* Returns a spare stream or a new one, or NULL if memory is out. */
static struct trace_stream *take_stream(struct trace_source *src) {
  pthread_mutex_lock(&src->in.mutex);
  struct trace_stream *s = src->spare;
  if (s)
    src->spare = s->next;
  pthread_mutex_unlock(&src->in.mutex);
  if (!s && (s = aligned_alloc(_Alignof(struct trace_stream), sizeof *s)))
    *s = (struct trace_stream){0};
  return s;
}

static void close_warp(void *stream) {
  struct trace_stream *s = stream;
  pthread_mutex_lock(&s->src->in.mutex);
  s->next = s->src->spare;
  s->src->spare = s;
  pthread_mutex_unlock(&s->src->in.mutex);
}

static void *open_warp(struct wl_source *source, uint32_t cta, uint32_t warp) {
  struct trace_source *src = (struct trace_source *)source;
  if (src->in.failed)
    return NULL;
  struct trace_stream *s = take_stream(src);
  if (!s) {
    wl_trace_fail(&src->in, "launch %" PRIu32 ": out of memory", src->number);
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

/* Gives any instruction. A function of its own, so that the common path in `next` has no registers to save. */
static __attribute__((noinline)) void next_of_any(struct trace_stream *s, struct wl_inst *inst) {
  struct wl_trace_decoder *d = &s->decoder;
  const bool over = d->at == d->end && (s->last || !refill(s));
  const bool good =
      !over && wl_trace_decode(d, inst) && (inst->op == WL_EXIT) == (d->at == d->end && s->last);
  if (over)
    wl_trace_fail(&s->src->in, "launch %" PRIu32 ", warp %" PRIu64 ": ends without EXIT", s->src->number,
                  s->warp);
  else if (!good && d->no_memory)
    wl_trace_fail(&s->src->in, "launch %" PRIu32 ", warp %" PRIu64 ": out of memory", s->src->number,
                  s->warp);
  else if (!good)
    wl_trace_fail(&s->src->in,
                  "offset %" PRIu64 ": launch %" PRIu32 ", warp %" PRIu64
                  ": the block before holds no instruction at byte %td",
                  s->at, s->src->number, s->warp, d->at - s->raw.bytes);
  if (atomic_load_explicit(&s->src->in.failed, memory_order_relaxed))
    wl_give(inst, &(struct wl_inst){.op = WL_EXIT, .dst = WL_NO_REG});
}

static void next(void *stream, struct wl_inst *inst) {
  struct trace_stream *s = stream;
  if (atomic_load_explicit(&s->src->in.failed, memory_order_relaxed) ||
      !wl_trace_decode_plain(&s->decoder, inst))
    next_of_any(s, inst);
}

static void locate(void *stream, struct wl_inst *inst) {
  wl_trace_locate(&((const struct trace_stream *)stream)->decoder, inst);
}

static bool stride(void *stream, const struct wl_inst *inst, uint64_t *first, uint64_t *by) {
  return wl_trace_stride(&((const struct trace_stream *)stream)->decoder, inst, first, by);
}

static void close_source(struct wl_source *source) {
  struct trace_source *src = (struct trace_source *)source;
  if (src->feed)
    src->feed->close(src->feed);
  ZSTD_freeDDict(src->blocks.pattern);
  for (struct trace_stream *s = src->spare, *next; s; s = next) {
    next = s->next;
    wl_trace_decode_end(&s->decoder);
    free(s->raw.bytes);
    free(s);
  }
  wl_trace_input_end(&src->in);
  pthread_mutex_destroy(&src->statics.mutex);
  free(src);
}

static const char *error(const struct wl_source *source) {
  const struct trace_source *src = (const struct trace_source *)source;
  return src->in.failed ? src->in.error : NULL;
}

static const struct wl_source_ops ops = {
    .next_launch = next_launch,
    .open_warp = open_warp,
    .next = next,
    .locate = locate,
    .stride = stride,
    .close_warp = close_warp,
    .close = close_source,
    .error = error,
};

const struct wl_trace_launch *wl_trace_launch_of(const struct wl_source *source) {
  return source->ops == &ops ? &((const struct trace_source *)source)->launch : NULL;
}

struct wl_source *wl_trace_read_fed(int fd, const char *name, struct wl_trace_feed *feed) {
  struct trace_source *src = calloc(1, sizeof *src);
  if (src && wl_trace_input_begin(&src->in, fd, name)) {
    src->source.ops = &ops;
    src->feed = feed;
    pthread_mutex_init(&src->statics.mutex, NULL);
    return &src->source;
  }
  if (!src)
    close(fd);
  free(src);
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
