/* Converts any workload into Accel-Sim's format; see accel_write.h.
 *
 * The number of a warp's lines comes before them. So the lines are kept in a file without a name until it
 * is known.
 */
#include "workloads/accelsim/accel_write.h"
#include "base/text.h"
#include "workloads/accelsim/accel_lines.h"
#include "workloads/trace/trace_temporary.h"
#include "workloads/walk.h"

#include <errno.h>
#include <inttypes.h>
#include <lzma.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COPY = 1 << 16 };

struct writing {
  struct wl_walker walker;
  const char *dir;
  const struct wl_trace_how *how;
  struct wl_trace_summary *summary;
  struct wl_launch launch;
  FILE *list, *kernel, *lines; /* kernelslist.g; the current kernel; the current warp's lines */
  lzma_stream lzma;
  uint64_t count; /* lines of the warp */
  uint32_t warp;
  char *err; /* buffer for an error line */
  size_t errlen;
  uint8_t copied[COPY], packed[COPY];
};

static bool fail(struct writing *w, const char *what) {
  snprintf(w->err, w->errlen, "%s: %s cannot be written: %s", w->dir, what, strerror(errno));
  return false;
}

/* --- the kernel's file ---------------------------------------------------------------------------------- */

/* Writes bytes to the kernel's file, compressed if how->xz is set. `end`: they are the last. */
static bool put(struct writing *w, const void *bytes, size_t n, bool end) {
  if (!w->how->xz)
    return fwrite(bytes, 1, n, w->kernel) == n || fail(w, "the kernel");
  lzma_stream *z = &w->lzma;
  z->next_in = bytes;
  z->avail_in = n;
  lzma_ret ret = LZMA_OK;
  while (ret == LZMA_OK && (z->avail_in || end)) {
    z->next_out = w->packed;
    z->avail_out = COPY;
    ret = lzma_code(z, end ? LZMA_FINISH : LZMA_RUN);
    const size_t got = COPY - z->avail_out;
    if (fwrite(w->packed, 1, got, w->kernel) != got)
      return fail(w, "the kernel");
  }
  errno = ENOMEM;
  return ret == (end ? LZMA_STREAM_END : LZMA_OK) || fail(w, "the kernel");
}

static bool say(struct writing *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool say(struct writing *w, const char *format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return put(w, text, strlen(text), false);
}

static FILE *create(const struct writing *w, const char *name) {
  char *path = NULL;
  FILE *file = NULL;
  if (asprintf(&path, "%s/%s", w->dir, name) >= 0) {
    file = fopen(path, "w");
    free(path);
  }
  return file;
}

static bool launch(struct wl_walker *self, const struct wl_source *source, const struct wl_launch *l) {
  struct writing *w = (struct writing *)self;
  char name[64];
  (void)source;
  w->launch = *l;
  snprintf(name, sizeof name, "kernel-%" PRIu64 ".traceg%s", ++w->summary->launches, w->how->xz ? ".xz" : "");
  w->kernel = create(w, name);
  if (!w->kernel || fprintf(w->list, "%s\n", name) < 0)
    return fail(w, name);
  if (w->how->xz && lzma_easy_encoder(&w->lzma, LZMA_PRESET_DEFAULT, LZMA_CHECK_CRC64) != LZMA_OK) {
    errno = ENOMEM;
    return fail(w, name);
  }
  return say(
      w,
      "-kernel name = %s\n-kernel id = %" PRIu64 "\n-grid dim = (%" PRIu32 ",%" PRIu32 ",%" PRIu32
      ")\n-block dim = (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")\n-shmem = %" PRIu32 "\n-nregs = %" PRIu32
      "\n-binary version = %u\n-cuda stream id = 0\n-shmem base_addr = 0x0000000000000000\n"
      "-local mem base_addr = 0x0000000000000000\n-nvbit version = none\n-accelsim tracer version = 5\n"
      "-enable lineinfo = 0\n\n#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num "
      "[reg_srcs] mem_width [adrrescompress?] [mem_addresses] immediate\n\n",
      *l->name ? l->name : "kernel", w->summary->launches, l->grid[0], l->grid[1], l->grid[2], l->block[0],
      l->block[1], l->block[2], l->shared_bytes, l->regs, w->how->version);
}

/* --- warps ---------------------------------------------------------------------------------------------- */

/* Returns the mask of the warp's lanes that have a thread. */
static uint32_t lanes(const struct writing *w) {
  const uint32_t threads = w->launch.block[0] * w->launch.block[1] * w->launch.block[2];
  const uint32_t left = threads - w->warp * WL_LANES;
  return left >= WL_LANES ? UINT32_MAX : (UINT32_C(1) << left) - 1;
}

static bool warp(struct wl_walker *self, uint32_t cta, uint32_t number) {
  struct writing *w = (struct writing *)self;
  const uint32_t *grid = w->launch.grid;
  w->warp = number;
  w->count = 0;
  rewind(w->lines);
  if (number)
    return true;
  if (w->how->progress)
    w->how->progress(w->how->user, &w->launch, w->summary->launches, cta);
  return say(w, "\n#BEGIN_TB\n\nthread block = %" PRIu32 ",%" PRIu32 ",%" PRIu32 "\n", cta % grid[0],
             cta / grid[0] % grid[1], cta / grid[0] / grid[1]);
}

/* Writes the number of the warp's lines, then the lines. */
static bool end_warp(struct writing *w) {
  const long size = ftell(w->lines);
  if (size < 0 || fflush(w->lines))
    return fail(w, "a temporary file");
  if (!say(w, "\nwarp = %" PRIu32 "\ninsts = %" PRIu64 "\n", w->warp, w->count))
    return false;
  rewind(w->lines);
  for (size_t left = (size_t)size; left;) {
    const size_t n = fread(w->copied, 1, left < COPY ? left : COPY, w->lines);
    if (!n)
      return fail(w, "a temporary file");
    if (!put(w, w->copied, n, false))
      return false;
    left -= n;
  }
  return w->warp + 1 < w->launch.warps_per_cta || say(w, "\n#END_TB\n");
}

static bool inst(struct wl_walker *self, const struct wl_inst *i) {
  struct writing *w = (struct writing *)self;
  char line[WL_ACCEL_LINE];
  struct wl_inst exit;
  if (i->op == WL_EXIT) { /* Accel-Sim ends each lane once, and the warp with its last lane */
    exit = *i;
    exit.active = lanes(w);
    w->summary->exits += exit.active != i->active;
    i = &exit;
  }
  w->summary->sources += __builtin_popcountll(i->src) > WL_ACCEL_SOURCES;
  w->summary->shared += i->op == WL_SHARED && !i->size;
  w->summary->insts++;
  w->count++;
  const size_t n = wl_accel_print(i, w->how->version, line);
  if (fwrite(line, 1, n, w->lines) != n)
    return fail(w, "a temporary file");
  return i->op != WL_EXIT || end_warp(w);
}

static bool launch_end(struct wl_walker *self) {
  struct writing *w = (struct writing *)self;
  FILE *kernel = w->kernel;
  if (!put(w, "", 0, true))
    return false;
  w->kernel = NULL;
  return hd_close_written(kernel) || fail(w, "the kernel");
}

bool wl_trace_to_accel(struct wl_source *source, const char *dir, const struct wl_trace_how *how,
                       struct wl_trace_summary *summary, char *err, size_t errlen) {
  *summary = (struct wl_trace_summary){0};
  struct writing *w = calloc(1, sizeof *w);
  const int fd = wl_trace_temporary(err, errlen);
  bool good = false;
  if (w && fd >= 0) {
    w->walker = (struct wl_walker){launch, warp, inst, launch_end};
    w->dir = dir;
    w->how = how;
    w->summary = summary;
    w->err = err;
    w->errlen = errlen;
    w->lines = fdopen(fd, "w+");
    w->list = create(w, "kernelslist.g");
    if (w->lines && w->list) {
      char wrong[512];
      good = wl_walk(source, &w->walker, wrong, sizeof wrong);
      if (*wrong)
        snprintf(err, errlen, "%s", wrong);
    } else {
      fail(w, "kernelslist.g");
    }
    if (w->list && !hd_close_written(w->list) && good)
      good = fail(w, "kernelslist.g");
    if (w->kernel)
      fclose(w->kernel);
    lzma_end(&w->lzma);
  }
  if (!w)
    snprintf(err, errlen, "out of memory");
  if (w && w->lines)
    fclose(w->lines);
  else if (fd >= 0)
    close(fd);
  free(w);
  return good;
}
