/* Reads lists of kernels, and a kernel's header and blocks, in Accel-Sim's format; see accel.h. */
#include "workloads/accelsim/accel.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct accel_feed {
  struct wl_trace_feed feed;
  char *path;           /* path of the list, or of the one kernel */
  struct wl_text *list; /* NULL: one kernel */
  uint64_t kernels;     /* read so far */
};

/* The state of converting a kernel's file into a .htrace file. */
struct reading {
  struct wl_accel_line at;
  struct wl_accel_kernel kernel;
  struct wl_trace_writer *writer;
  uint64_t ctas; /* read so far */
  char *line;
};

/* Moves to the next line that is not blank, and cuts blanks off its end. Returns false if there is none. */
static bool next_line(struct reading *r) {
  size_t n = 0;
  while (!n && (r->line = wl_text_line(r->at.text)))
    for (n = wl_text_length(r->at.text); n && (r->line[n - 1] == ' ' || r->line[n - 1] == '\t'); n--)
      r->line[n - 1] = 0;
  return r->line;
}

/* The same, but a line must follow. */
static bool need_line(struct reading *r, const char *what) {
  if (next_line(r))
    return true;
  const char *error = wl_text_error(r->at.text);
  return error ? wl_accel_error(&r->at, "after this line: %s", error)
               : wl_accel_error(&r->at, "the file ends after this line; expected %s", what);
}

/* Returns the text after "key =" in the line, or NULL if the line does not begin with this key. */
static const char *value_of(const char *line, const char *key) {
  const size_t n = strlen(key);
  if (strncmp(line, key, n) != 0)
    return NULL;
  line += n + strspn(line + n, " \t");
  return *line == '=' ? line + 1 + strspn(line + 1, " \t") : NULL;
}

/* Reads "x,y,z" with or without parentheses. */
static bool read_three(const char *text, uint32_t three[3]) {
  for (int d = 0; d < 3; d++) {
    uint64_t x = 0;
    text += strspn(text, d ? ", \t" : "( \t");
    if (*text < '0' || *text > '9')
      return false;
    for (; *text >= '0' && *text <= '9'; text++) {
      x = 10 * x + (uint64_t)(*text - '0');
      if (x > UINT32_MAX)
        return false;
    }
    three[d] = (uint32_t)x;
  }
  return !text[strspn(text, ") \t")];
}

static bool read_limited(const char *text, int base, uint64_t max, uint64_t *x) {
  return wl_accel_number(&text, base, x) && *x <= max && !text[strspn(text, " \t")];
}

/* --- the header ----------------------------------------------------------------------------------------- */

static void set_name(struct wl_launch *launch, const char *name) {
  size_t n = 0;
  for (; name[n] && n < sizeof launch->name - 1; n++)
    launch->name[n] = (char)(name[n] >= ' ' && name[n] <= '~' ? name[n] : '?');
  launch->name[n] = 0;
}

/* Reads one line of the header. Skips unknown keys. */
static bool read_key(struct reading *r) {
  struct wl_accel_kernel *k = &r->kernel;
  const char *line = r->line, *v;
  uint64_t x = 0;
  bool good = true;
  if ((v = value_of(line, "-kernel name"))) {
    set_name(&k->launch, v);
  } else if ((v = value_of(line, "-grid dim"))) {
    good = read_three(v, k->launch.grid);
  } else if ((v = value_of(line, "-block dim"))) {
    good = read_three(v, k->launch.block);
  } else if ((v = value_of(line, "-shmem"))) {
    good = read_limited(v, 10, UINT32_MAX, &x);
    k->launch.shared_bytes = (uint32_t)x;
  } else if ((v = value_of(line, "-nregs"))) {
    good = read_limited(v, 10, WL_TRACE_REGISTERS, &x);
    k->launch.regs = (uint32_t)x;
  } else if ((v = value_of(line, "-binary version"))) {
    good = read_limited(v, 10, 999, &x);
    k->version = (unsigned)x;
  } else if ((v = value_of(line, "-accelsim tracer version"))) {
    good = read_limited(v, 10, 999, &x);
    k->tracer = (unsigned)x;
  } else if ((v = value_of(line, "-enable lineinfo"))) {
    good = read_limited(v, 10, 1, &x);
    k->lines = x;
  } else if ((v = value_of(line, "-shmem base_addr"))) {
    good = read_limited(v, 16, UINT64_MAX, &k->shared_base);
  } else if ((v = value_of(line, "-local mem base_addr"))) {
    good = read_limited(v, 16, UINT64_MAX, &k->local_base);
  }
  return good || wl_accel_error(&r->at, "'%.60s' has no such value", line);
}

/* Reads the header, up to the first line that begins with '#'. */
static bool read_header(struct reading *r) {
  struct wl_accel_kernel *k = &r->kernel;
  memset(k->number, WL_NO_REG, sizeof k->number);
  do {
    if (!need_line(r, "the header's end, a line that begins with #"))
      return false;
    if (*r->line != '-' && *r->line != '#')
      return wl_accel_error(&r->at, "'%.40s' is no line of a header", r->line);
    if (*r->line == '-' && !read_key(r))
      return false;
  } while (*r->line != '#');
  if (!k->version)
    return wl_accel_error(&r->at, "the header has no '-binary version = '");
  return wl_trace_count_launch(&k->launch) ||
         wl_accel_error(&r->at, "the header gives no grid of 1 to 2^32-1 CTAs of 1 to 1024 threads");
}

/* --- the blocks ----------------------------------------------------------------------------------------- */

static bool write_failed(struct reading *r) {
  const int reason = errno;
  return wl_accel_error(&r->at, "the temporary file cannot be written: %s", strerror(reason));
}

/* Reads a warp, from its "warp =" line on. */
static bool read_warp(struct reading *r, uint32_t cta, uint32_t *seen) {
  const struct wl_launch *launch = &r->kernel.launch;
  uint64_t warp, count;
  const char *v = value_of(r->line, "warp");
  if (!v || !read_limited(v, 10, launch->warps_per_cta - 1, &warp))
    return wl_accel_error(&r->at, "'%.40s' where 'warp = ' and 0 to %" PRIu32 " is expected", r->line,
                          launch->warps_per_cta - 1);
  if (*seen >> warp & 1)
    return wl_accel_error(&r->at, "warp %" PRIu64 " is there twice in CTA %" PRIu32, warp, cta);
  *seen |= UINT32_C(1) << warp;
  if (!need_line(r, "'insts = '"))
    return false;
  v = value_of(r->line, "insts");
  if (!v || !read_limited(v, 10, UINT64_MAX, &count) || !count)
    return wl_accel_error(&r->at, "'%.40s' where 'insts = ' and at least 1 is expected", r->line);
  if (!wl_trace_write_warp(r->writer, cta, (uint32_t)warp))
    return write_failed(r);
  for (uint64_t i = 1; i <= count; i++) {
    struct wl_inst inst;
    struct wl_accel_stride stride;
    if (!need_line(r, "more instructions of this warp"))
      return false;
    if (!wl_accel_inst(&r->kernel, r->line, i == count, &inst, &stride, &r->at))
      return false;
    if (!wl_trace_write_inst(r->writer, &inst, stride.told ? &stride.by : NULL))
      return write_failed(r);
  }
  return true;
}

/* Reads a CTA, from the line after "#BEGIN_TB" on. */
static bool read_cta(struct reading *r) {
  const struct wl_launch *launch = &r->kernel.launch;
  const uint32_t *grid = launch->grid;
  uint32_t at[3], seen = 0;
  if (!need_line(r, "'thread block = '"))
    return false;
  const char *v = value_of(r->line, "thread block");
  if (!v || !read_three(v, at) || at[0] >= grid[0] || at[1] >= grid[1] || at[2] >= grid[2])
    return wl_accel_error(&r->at, "'%.60s' where 'thread block = x,y,z' of the grid is expected", r->line);
  const uint32_t cta = at[0] + grid[0] * (at[1] + grid[1] * at[2]);
  if (wl_trace_written(r->writer, cta, 0))
    return wl_accel_error(&r->at, "thread block %" PRIu32 ",%" PRIu32 ",%" PRIu32 " is there twice", at[0],
                          at[1], at[2]);
  for (;;) {
    if (!need_line(r, "'warp = ' or '#END_TB'"))
      return false;
    if (!strcmp(r->line, "#END_TB"))
      break;
    const bool other =
        strchr(r->line, '=') && strncmp(r->line, "warp", 4) != 0 && strncmp(r->line, "insts", 5) != 0;
    if (!other && !read_warp(r, cta, &seen))
      return false;
  }
  const uint32_t all = UINT32_MAX >> (32 - launch->warps_per_cta);
  if (seen != all)
    return wl_accel_error(&r->at, "warp %d of thread block %" PRIu32 ",%" PRIu32 ",%" PRIu32 " is missing",
                          __builtin_ctz(all & ~seen), at[0], at[1], at[2]);
  r->ctas++;
  return true;
}

static bool read_ctas(struct reading *r) {
  const struct wl_launch *launch = &r->kernel.launch;
  while (next_line(r)) {
    if (!strcmp(r->line, "#BEGIN_TB")) {
      if (!read_cta(r))
        return false;
    } else if (*r->line != '#') {
      return wl_accel_error(&r->at, "'%.40s' where '#BEGIN_TB' is expected", r->line);
    }
  }
  if (wl_text_error(r->at.text))
    return wl_accel_error(&r->at, "after this line: %s", wl_text_error(r->at.text));
  if (r->ctas == launch->ctas)
    return true;
  uint32_t cta = 0;
  while (wl_trace_written(r->writer, cta, 0))
    cta++;
  return wl_accel_error(&r->at,
                        "the file ends with %" PRIu64 " of %" PRIu32 " CTAs; the first missing is %" PRIu32
                        ",%" PRIu32 ",%" PRIu32,
                        r->ctas, launch->ctas, cta % launch->grid[0], cta / launch->grid[0] % launch->grid[1],
                        cta / launch->grid[0] / launch->grid[1]);
}

/* --- the feed ------------------------------------------------------------------------------------------- */

static bool read_kernel(const char *path, int fd, char *err, size_t errlen) {
  struct reading *r = calloc(1, sizeof *r);
  struct wl_trace_writer *writer = wl_trace_write_begin(fd, true);
  bool good = false;
  if (!r || !writer) {
    snprintf(err, errlen, "%s: out of memory", path);
  } else if ((r->at.text = wl_text_open(path, err, errlen))) {
    r->at = (struct wl_accel_line){r->at.text, path, err, errlen};
    r->writer = writer;
    good = read_header(r) && (wl_trace_write_launch(writer, &r->kernel.launch) || write_failed(r)) &&
           read_ctas(r) &&
           ((wl_trace_write_launch_end(writer, &r->kernel.notes) && wl_trace_write_end(writer)) ||
            write_failed(r));
    wl_text_close(r->at.text);
  }
  wl_trace_write_free(writer);
  free(r);
  return good;
}

/* Returns the path of a file in the folder of the list, to be freed, or NULL if memory is out. */
static char *beside(const char *list, const char *name) {
  const char *slash = strrchr(list, '/');
  const int folder = slash && *name != '/' ? (int)(slash + 1 - list) : 0;
  char *path = NULL;
  return asprintf(&path, "%.*s%s", folder, list, name) < 0 ? NULL : path;
}

static enum wl_trace_fed next_kernel(struct wl_trace_feed *feed, int fd, char *err, size_t errlen) {
  struct accel_feed *f = (struct accel_feed *)feed;
  if (!f->list) {
    if (f->kernels++)
      return WL_TRACE_NO_MORE;
    return read_kernel(f->path, fd, err, errlen) ? WL_TRACE_FED : WL_TRACE_BAD;
  }
  char *line;
  do /* other commands copy memory, which the SMs do not do */
    line = wl_text_line(f->list);
  while (line && strncmp(line, "kernel", 6) != 0);
  if (!line && wl_text_error(f->list)) {
    snprintf(err, errlen, "%s:%" PRIu64 ": after this line: %s", f->path, wl_text_number(f->list),
             wl_text_error(f->list));
    return WL_TRACE_BAD;
  }
  if (!line && !f->kernels) {
    snprintf(err, errlen, "%s: names no kernel", f->path);
    return WL_TRACE_BAD;
  }
  if (!line)
    return WL_TRACE_NO_MORE;
  f->kernels++;
  char *path = beside(f->path, line);
  const bool good = path && read_kernel(path, fd, err, errlen);
  if (!path)
    snprintf(err, errlen, "%s: out of memory", f->path);
  free(path);
  return good ? WL_TRACE_FED : WL_TRACE_BAD;
}

static void close_feed(struct wl_trace_feed *feed) {
  struct accel_feed *f = (struct accel_feed *)feed;
  wl_text_close(f->list);
  free(f->path);
  free(f);
}

struct wl_trace_feed *wl_accel_open(const char *path, char *err, size_t errlen) {
  struct wl_text *text = wl_text_open(path, err, errlen);
  if (!text)
    return NULL;
  /* The file of a kernel begins with its header; a list does not. */
  char *line;
  do
    line = wl_text_line(text);
  while (line && !*line);
  if (!line) {
    snprintf(err, errlen, "%s: %s", path, wl_text_error(text) ? wl_text_error(text) : "is empty");
    wl_text_close(text);
    return NULL;
  }
  const bool kernel = *line == '-';
  wl_text_close(text);
  struct accel_feed *f = calloc(1, sizeof *f);
  char *copy = strdup(path);
  if (f && copy) {
    *f = (struct accel_feed){{next_kernel, close_feed}, copy, NULL, 0};
    f->list = kernel ? NULL : wl_text_open(path, err, errlen);
    if (kernel || f->list)
      return &f->feed;
  } else {
    snprintf(err, errlen, "%s: out of memory", path);
  }
  free(f);
  free(copy);
  return NULL;
}
