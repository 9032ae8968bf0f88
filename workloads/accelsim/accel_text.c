/* Reads lines of plain and xz files; see accel_text.h. */
#include "workloads/accelsim/accel_text.h"

#include <errno.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PACKED = 1 << 16, BUFFER = 1 << 18 };
/* Memory limit of the decoder: four times the need of `xz -9`. */
#define XZ_MEMORY (UINT64_C(256) << 20)

struct wl_text {
  FILE *file;
  bool xz, ended; /* ended: no more bytes come into `bytes` */
  lzma_stream lzma;
  uint64_t number;
  const char *error;
  size_t at, filled; /* positions in `bytes` */
  size_t length;     /* length of the last line */
  uint8_t packed[PACKED];
  char bytes[BUFFER + 1 + WL_TEXT_SLACK];
};

static const char *xz_error(lzma_ret ret) {
  switch (ret) {
  case LZMA_MEMLIMIT_ERROR:
    return "its xz dictionary is larger than what `xz -9` makes";
  case LZMA_BUF_ERROR:
    return "the xz file is cut short";
  case LZMA_MEM_ERROR:
    return "out of memory";
  default:
    return "the xz file is damaged";
  }
}

/* Decompresses more into `bytes`, which has room. */
static void fill_xz(struct wl_text *t) {
  lzma_stream *z = &t->lzma;
  z->next_out = (uint8_t *)t->bytes + t->filled;
  z->avail_out = BUFFER - t->filled;
  while (z->avail_out == BUFFER - t->filled && !t->ended) {
    if (!z->avail_in && !feof(t->file)) {
      z->next_in = t->packed;
      z->avail_in = fread(t->packed, 1, PACKED, t->file);
    }
    const lzma_ret ret = lzma_code(z, feof(t->file) ? LZMA_FINISH : LZMA_RUN);
    t->ended = ret != LZMA_OK;
    if (ret != LZMA_OK && ret != LZMA_STREAM_END)
      t->error = xz_error(ret);
  }
  t->filled = BUFFER - z->avail_out;
}

static void fill(struct wl_text *t) {
  memmove(t->bytes, t->bytes + t->at, t->filled - t->at);
  t->filled -= t->at;
  t->at = 0;
  if (t->xz) {
    fill_xz(t);
  } else {
    const size_t got = fread(t->bytes + t->filled, 1, BUFFER - t->filled, t->file);
    t->filled += got;
    t->ended = !got;
  }
  if (ferror(t->file)) {
    t->error = strerror(errno);
    t->ended = true;
  }
}

struct wl_text *wl_text_open(const char *path, char *err, size_t errlen) {
  static const char magic[] = "\xFD"
                              "7zXZ";
  struct stat what;
  struct wl_text *t = calloc(1, sizeof *t);
  if (t)
    t->file = fopen(path, "rb");
  if (!t || !t->file) {
    snprintf(err, errlen, "%s: cannot be read: %s", path, strerror(t ? errno : ENOMEM));
    free(t);
    return NULL;
  }
  if (fstat(fileno(t->file), &what) == 0 && S_ISDIR(what.st_mode)) {
    snprintf(err, errlen, "%s: is a directory", path);
    wl_text_close(t);
    return NULL;
  }
  fill(t);
  t->xz = t->filled >= sizeof magic && memcmp(t->bytes, magic, sizeof magic) == 0;
  if (!t->xz)
    return t;
  rewind(t->file);
  t->filled = 0;
  t->ended = false;
  if (lzma_stream_decoder(&t->lzma, XZ_MEMORY, LZMA_CONCATENATED) == LZMA_OK)
    return t;
  snprintf(err, errlen, "%s: out of memory", path);
  wl_text_close(t);
  return NULL;
}

char *wl_text_line(struct wl_text *t) {
  char *end;
  while (!(end = memchr(t->bytes + t->at, '\n', t->filled - t->at)) && !t->ended &&
         t->filled - t->at <= WL_TEXT_LINE)
    fill(t);
  if (t->error || (t->at == t->filled && t->ended))
    return NULL;
  t->number++;
  if (!end) /* the last line may lack its newline */
    end = t->bytes + t->filled;
  char *line = t->bytes + t->at;
  if (end - line > WL_TEXT_LINE) {
    t->error = "the line is longer than 65536 bytes";
    return NULL;
  }
  t->at = (size_t)(end - t->bytes) + (end < t->bytes + t->filled);
  if (end > line && end[-1] == '\r')
    end--;
  *end = 0;
  t->length = (size_t)(end - line);
  return line;
}

size_t wl_text_length(const struct wl_text *t) {
  return t->length;
}

uint64_t wl_text_number(const struct wl_text *t) {
  return t->number;
}

const char *wl_text_error(const struct wl_text *t) {
  return t->error;
}

void wl_text_close(struct wl_text *t) {
  if (!t)
    return;
  lzma_end(&t->lzma);
  if (t->file)
    fclose(t->file);
  free(t);
}
