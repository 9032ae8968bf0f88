/* Writing .htrace; see trace_file.h. */
#include "workloads/trace/trace_code.h"
#include "workloads/trace/trace_layout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define ZSTD_STATIC_LINKING_ONLY /* for dictionaries in caller's memory */
#include <zstd.h>

/* Level 3 of zstd: higher levels take long and gain little on blocks of this size. */
enum { LEVEL = 3, BUFFER = 1 << 18 };
/* A frame takes zstd some 12,000 instructions in addition to the work for each byte. In a file that passes,
 * smaller blocks are not worth that. */
enum { SMALL_BLOCK = 256 };
/* Entries of the index in memory. Warps mostly come in order, and a system call for each entry takes long. */
enum { ENTRIES = 512, ENTRY = 8 };
/* The pattern is made when the gathered blocks reach one of these limits. */
enum { PATTERN_BYTES = 8000, PATTERN_BLOCKS = 128 };

/* A block that waits for the launch's pattern. Its bytes are in `pattern_bytes`. */
struct waiting {
  uint64_t warp, number;
  size_t size;
  bool last;
};

struct wl_trace_writer {
  int fd;
  bool passing, failed;
  uint64_t at; /* offset of the end of the written bytes, `buffer` included */
  size_t used;
  uint8_t buffer[BUFFER]; /* the bytes before `at` */

  uint32_t launches; /* launches begun */
  uint64_t header;   /* offset of the launch's header; the index follows it */
  struct wl_trace_launch launch;
  uint8_t entries[ENTRIES * ENTRY]; /* of the index, from warp `entries_from` on; UINT64_MAX: none */
  uint64_t entries_from;
  bool entries_changed; /* `entries` differ from the file */
  ZSTD_CCtx *zstd;
  const ZSTD_CDict *pattern; /* made of the launch's first blocks; NULL: still gathering them */
  void *pattern_room;        /* the memory of `pattern` */
  struct waiting waiting[PATTERN_BLOCKS];
  size_t waits, pattern_size;
  uint8_t pattern_bytes[WL_TRACE_BLOCK];

  uint64_t warp, blocks; /* the current warp, and how many of its blocks have been ended */
  struct wl_trace_encoder encoder;
  uint8_t packed[WL_TRACE_BLOCK];
};

struct wl_trace_writer *wl_trace_write_begin(int fd, bool passing) {
  struct wl_trace_writer *w = calloc(1, sizeof *w);
  if (!w)
    return NULL;
  w->fd = fd;
  w->passing = passing;
  w->zstd = ZSTD_createCCtx();
  if (!w->zstd) {
    free(w);
    return NULL;
  }
  w->at = WL_TRACE_FILE_HEADER;
  return w;
}

void wl_trace_write_free(struct wl_trace_writer *w) {
  if (!w)
    return;
  free(w->pattern_room);
  ZSTD_freeCCtx(w->zstd);
  free(w);
}

static bool fail(struct wl_trace_writer *w, int reason) {
  w->failed = true;
  errno = reason;
  return false;
}

static bool write_at(struct wl_trace_writer *w, const uint8_t *bytes, size_t n, uint64_t at) {
  while (n) {
    const ssize_t done = pwrite(w->fd, bytes, n, (off_t)at);
    if (done < 0 && errno == EINTR)
      continue;
    if (done <= 0)
      return fail(w, done ? errno : ENOSPC);
    bytes += done;
    n -= (size_t)done;
    at += (uint64_t)done;
  }
  return true;
}

static bool flush(struct wl_trace_writer *w) {
  const size_t n = w->used;
  w->used = 0;
  return write_at(w, w->buffer, n, w->at - n);
}

static bool append(struct wl_trace_writer *w, const uint8_t *bytes, size_t n) {
  if (w->used + n > BUFFER && !flush(w))
    return false;
  memcpy(w->buffer + w->used, bytes, n);
  w->used += n;
  w->at += n;
  return true;
}

static uint64_t index_of(const struct wl_trace_writer *w, uint64_t warp) {
  return w->header + WL_TRACE_LAUNCH_HEADER + ENTRY * warp;
}

static uint64_t warps(const struct wl_trace_writer *w) {
  return (uint64_t)w->launch.launch.ctas * w->launch.launch.warps_per_cta;
}

/* Returns the bytes of `entries` in use: the index ends with the launch's last warp. */
static size_t entries_size(const struct wl_trace_writer *w) {
  const uint64_t rest = warps(w) - w->entries_from;
  return ENTRY * (size_t)(rest < ENTRIES ? rest : ENTRIES);
}

static bool write_entries(struct wl_trace_writer *w) {
  const bool changed = w->entries_changed;
  w->entries_changed = false;
  return !changed || write_at(w, w->entries, entries_size(w), index_of(w, w->entries_from));
}

/* Returns the warp's entry in `entries`, or NULL if the file cannot be written or read. */
static uint8_t *entry_of(struct wl_trace_writer *w, uint64_t warp) {
  const uint64_t from = warp - warp % ENTRIES;
  if (from != w->entries_from) {
    if (!write_entries(w))
      return NULL;
    w->entries_from = from;
    /* bytes beyond the end of the file, and holes, read as 0 */
    memset(w->entries, 0, sizeof w->entries);
    if (pread(w->fd, w->entries, entries_size(w), (off_t)index_of(w, from)) < 0) {
      fail(w, errno);
      return NULL;
    }
  }
  return w->entries + ENTRY * (warp - from);
}

/* Writes the header of the current launch. This happens when the next launch begins, or at the end, since the
 * header holds the offset of the next launch. */
static bool put_next(struct wl_trace_writer *w, uint64_t next) {
  uint8_t bytes[WL_TRACE_LAUNCH_HEADER];
  if (!w->header)
    return true;
  wl_trace_put_launch(bytes, &w->launch, next);
  return write_at(w, bytes, sizeof bytes, w->header);
}

bool wl_trace_write_launch(struct wl_trace_writer *w, const struct wl_launch *launch) {
  if (w->failed || !flush(w))
    return false;
  if (!wl_trace_good_launch(launch))
    return fail(w, EINVAL);
  if (!put_next(w, w->at))
    return false;
  w->launches++;
  w->header = w->at;
  w->launch = (struct wl_trace_launch){.launch = *launch};
  w->at = index_of(w, warps(w));
  w->entries_from = UINT64_MAX;
  free(w->pattern_room);
  w->pattern_room = NULL;
  w->pattern = NULL;
  w->waits = w->pattern_size = 0;
  return true;
}

bool wl_trace_written(struct wl_trace_writer *w, uint32_t cta, uint32_t warp) {
  const uint8_t *entry = entry_of(w, (uint64_t)cta * w->launch.launch.warps_per_cta + warp);
  return entry && wl_trace_get64(entry);
}

static bool write_entry(struct wl_trace_writer *w, uint64_t warp, uint64_t at) {
  uint8_t *entry = entry_of(w, warp);
  if (!entry)
    return false;
  wl_trace_put64(entry, at);
  return w->entries_changed = true;
}

bool wl_trace_write_warp(struct wl_trace_writer *w, uint32_t cta, uint32_t warp) {
  if (w->failed)
    return false;
  if (wl_trace_written(w, cta, warp))
    return fail(w, EEXIST);
  w->warp = (uint64_t)cta * w->launch.launch.warps_per_cta + warp;
  w->blocks = 0;
  wl_trace_encode_begin(&w->encoder);
  return write_entry(w, w->warp, 1); /* the offset is not known yet */
}

/* Compresses n bytes into `packed`, or copies them if compression gains nothing. */
static size_t pack(struct wl_trace_writer *w, const uint8_t *raw, size_t n) {
  if (w->passing && n < SMALL_BLOCK) {
    memcpy(w->packed, raw, n);
    return n;
  }
  const size_t got = w->pattern ? ZSTD_compress_usingCDict(w->zstd, w->packed, n - 1, raw, n, w->pattern)
                                : ZSTD_compressCCtx(w->zstd, w->packed, n - 1, raw, n, LEVEL);
  if (!ZSTD_isError(got))
    return got;
  memcpy(w->packed, raw, n);
  return n;
}

static bool write_block(struct wl_trace_writer *w, const struct waiting *b, const uint8_t *raw) {
  struct wl_trace_block block = {.raw = (uint16_t)b->size, .last = b->last};
  block.packed = (uint16_t)pack(w, raw, b->size);
  block.check = wl_trace_check(w->launches - 1, b->warp, b->number, &block, w->packed);
  w->launch.coded += block.raw;
  uint8_t header[WL_TRACE_BLOCK_HEADER];
  wl_trace_put_block(header, &block);
  if (b->warp != WL_TRACE_PATTERN && !b->number && !write_entry(w, b->warp, w->at))
    return false;
  return append(w, header, sizeof header) && append(w, w->packed, block.packed);
}

/* Uses our own memory: ZSTD_createCDict of zstd 1.5.4 writes through NULL when it gets none. The parameters
 * are those that it chooses for frames that are small beside the dictionary. */
static bool make_pattern(struct wl_trace_writer *w) {
  enum { SMALL = 513 };
  const ZSTD_compressionParameters how = ZSTD_getCParams(LEVEL, SMALL, w->pattern_size);
  const size_t room = ZSTD_estimateCDictSize_advanced(w->pattern_size, how, ZSTD_dlm_byRef);
  w->pattern_room = malloc(room);
  if (w->pattern_room)
    w->pattern = ZSTD_initStaticCDict(w->pattern_room, room, w->pattern_bytes, w->pattern_size,
                                      ZSTD_dlm_byRef, ZSTD_dct_auto, how);
  return w->pattern || fail(w, ENOMEM);
}

/* Makes the pattern from the waiting blocks, and writes the pattern and these blocks. */
static bool write_pattern(struct wl_trace_writer *w) {
  const struct waiting all = {.warp = WL_TRACE_PATTERN, .size = w->pattern_size, .last = true};
  if (!write_block(w, &all, w->pattern_bytes))
    return false;
  if (!make_pattern(w))
    return false;
  const uint8_t *raw = w->pattern_bytes;
  for (size_t i = 0; i < w->waits; raw += w->waiting[i++].size)
    if (!write_block(w, &w->waiting[i], raw))
      return false;
  return true;
}

/* Ends the current block. */
static bool end_block(struct wl_trace_writer *w, bool last) {
  const struct waiting block = {w->warp, w->blocks++, w->encoder.used, last};
  if (!w->pattern && w->waits && w->pattern_size + block.size > WL_TRACE_BLOCK && !write_pattern(w))
    return false;
  bool good = true;
  if (w->pattern) {
    good = write_block(w, &block, w->encoder.bytes);
  } else {
    memcpy(w->pattern_bytes + w->pattern_size, w->encoder.bytes, block.size);
    w->pattern_size += block.size;
    w->waiting[w->waits++] = block;
    if (w->pattern_size >= PATTERN_BYTES || w->waits == PATTERN_BLOCKS)
      good = write_pattern(w);
  }
  wl_trace_encode_begin(&w->encoder);
  return good;
}

bool wl_trace_write_inst(struct wl_trace_writer *w, const struct wl_inst *inst, const uint64_t *stride) {
  if (w->failed)
    return false;
  if (!wl_trace_encode(&w->encoder, inst, stride)) {
    if (!end_block(w, false))
      return false;
    wl_trace_encode(&w->encoder, inst, stride);
  }
  w->launch.insts[inst->op]++;
  w->launch.lanes += inst->active == UINT32_MAX ? WL_LANES : (unsigned)__builtin_popcount(inst->active);
  return inst->op != WL_EXIT || end_block(w, true);
}

bool wl_trace_write_launch_end(struct wl_trace_writer *w, const struct wl_trace_notes *notes) {
  if (w->failed || (!w->pattern && !write_pattern(w)) || !write_entries(w) || !flush(w))
    return false;
  if (notes)
    w->launch.notes = *notes;
  w->launch.bytes = w->at - w->header;
  return true;
}

bool wl_trace_write_end(struct wl_trace_writer *w) {
  uint8_t bytes[WL_TRACE_FILE_HEADER];
  if (w->failed || !flush(w) || !put_next(w, 0))
    return false;
  wl_trace_put_file(bytes, w->at, w->launches);
  return write_at(w, bytes, sizeof bytes, 0);
}
