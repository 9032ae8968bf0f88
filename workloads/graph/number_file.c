/* Reading text files of numbers. See number_file.h. */
#include "workloads/graph/number_file.h"
#include "base/printable.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool wl_scan_open(struct wl_scan *s, const char *path, char *err, size_t errlen) {
  struct stat info;
  *s = (struct wl_scan){.path = path, .file = fopen(path, "r"), .line = 1, .err = err, .errlen = errlen};
  if (!s->file) {
    snprintf(err, errlen, "%s: %s", path, strerror(errno));
    return false;
  }
  if (fstat(fileno(s->file), &info) != 0 || !S_ISREG(info.st_mode)) {
    snprintf(err, errlen, "%s: is not a regular file", path);
    wl_scan_close(s);
    return false;
  }
  s->bytes = (uint64_t)info.st_size;
  return true;
}

void wl_scan_close(struct wl_scan *s) {
  fclose(s->file);
}

bool wl_scan_fail(struct wl_scan *s, const char *format, ...) {
  const int head = snprintf(s->err, s->errlen, "%s:%" PRIu64 ": ", s->path, s->line);
  if (head >= 0 && (size_t)head < s->errlen) {
    va_list args;
    va_start(args, format);
    vsnprintf(s->err + head, s->errlen - (size_t)head, format, args);
    va_end(args);
    hd_printable(s->err);
  }
  return false;
}

int wl_scan_next(struct wl_scan *s) {
  if (s->at == s->read) {
    s->at = 0;
    s->read = fread(s->buffer, 1, sizeof s->buffer, s->file);
  }
  return s->read ? s->buffer[s->at] : EOF;
}

int wl_scan_char(struct wl_scan *s) {
  const int c = wl_scan_next(s);
  s->at += c != EOF;
  s->line += c == '\n';
  return c;
}

static bool is_blank(int c) {
  return c == ' ' || c == '\t' || c == '\r' || c == ',';
}

int wl_scan_peek(struct wl_scan *s) {
  int c;
  while (is_blank(c = wl_scan_next(s)))
    s->at++;
  return c == EOF ? '\n' : c;
}

/* Skips the rest of the line. Returns false at the end of the file. */
static bool leave_line(struct wl_scan *s) {
  int c;
  while ((c = wl_scan_char(s)) != '\n' && c != EOF)
    ;
  return wl_scan_next(s) != EOF;
}

bool wl_scan_next_line(struct wl_scan *s, const char *comments) {
  while (leave_line(s)) {
    const int c = wl_scan_peek(s);
    if (c != '\n' && !strchr(comments, c))
      return true;
  }
  return false;
}

bool wl_scan_need_line(struct wl_scan *s, const char *comments, const char *what) {
  return wl_scan_next_line(s, comments) || wl_scan_fail(s, "the file ends; %s must follow", what);
}

bool wl_scan_need_row(struct wl_scan *s, const char *comments, const char *what) {
  while (leave_line(s)) {
    const int c = wl_scan_peek(s);
    if (c == '\n' || !strchr(comments, c))
      return true;
  }
  return wl_scan_fail(s, "the file ends; %s must follow", what);
}

/* Reads a field into text, at most size - 1 characters of it. */
static bool field(struct wl_scan *s, const char *what, char *text, size_t size) {
  size_t n = 0;
  if (wl_scan_peek(s) == '\n')
    return wl_scan_fail(s, "the line ends; %s must follow", what);
  for (int c; (c = wl_scan_next(s)) != EOF && c != '\n' && !is_blank(c); s->at++)
    if (n + 1 < size)
      text[n++] = (char)c;
  text[n] = '\0';
  return true;
}

bool wl_scan_line_ends(struct wl_scan *s) {
  char text[32];
  if (wl_scan_peek(s) == '\n')
    return true;
  return field(s, "", text, sizeof text) && wl_scan_fail(s, "'%s' is too much on this line", text);
}

bool wl_scan_number(struct wl_scan *s, const char *what, uint64_t min, uint64_t max, uint64_t *value) {
  char text[32];
  if (!field(s, what, text, sizeof text))
    return false;
  bool ok = true;
  *value = 0;
  for (const char *c = text; *c && ok; c++) {
    const uint64_t digit = (uint64_t)(unsigned char)*c - '0';
    ok = digit <= 9 && *value <= (UINT64_MAX - digit) / 10;
    *value = *value * 10 + digit;
  }
  if (ok && *value >= min && *value <= max)
    return true;
  return wl_scan_fail(s, "%s is '%s'; allowed: %" PRIu64 "..%" PRIu64, what, text, min, max);
}

bool wl_scan_count(struct wl_scan *s, const char *what, uint64_t max, uint64_t bytes, uint64_t *value) {
  return wl_scan_number(s, what, 0, max, value) &&
         (*value <= s->bytes / bytes ||
          wl_scan_fail(s, "%s is %" PRIu64 ", more than the file has room for", what, *value));
}

bool wl_scan_real(struct wl_scan *s, const char *what, double *value) {
  char text[64], *end;
  if (!field(s, what, text, sizeof text))
    return false;
  *value = strtod(text, &end);
  return (*end == '\0' && isfinite(*value)) || wl_scan_fail(s, "%s is '%s'; allowed: a number", what, text);
}

bool wl_scan_word(struct wl_scan *s, const char *what, char *word, size_t size) {
  return field(s, what, word, size);
}
