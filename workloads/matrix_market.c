/* The Matrix Market reader. See matrix_market.h. */
#include "workloads/matrix_market.h"

#include <stdlib.h>
#include <strings.h>

/* What the banner says. */
struct banner {
  bool pattern, symmetric;
};

/* A word of the banner, one of the `n` allowed; its number in *which. */
static bool banner_word(struct wl_scan *s, const char *what, const char *const allowed[], int n, int *which) {
  char word[32];
  if (!wl_scan_word(s, what, word, sizeof word))
    return false;
  for (*which = 0; *which < n; ++*which)
    if (strcasecmp(word, allowed[*which]) == 0)
      return true;
  return wl_scan_fail(s, "%s is '%s'; allowed: %s%s%s%s%s", what, word, allowed[0], n > 1 ? ", " : "",
                      n > 1 ? allowed[1] : "", n > 2 ? ", " : "", n > 2 ? allowed[2] : "");
}

static bool read_banner(struct wl_scan *s, struct banner *banner) {
  static const char *const first[] = {WL_MATRIX_MARKET_BANNER}, *const object[] = {"matrix"},
                           *const format[] = {"coordinate"}, *const field[] = {"real", "integer", "pattern"},
                           *const symmetry[] = {"general", "symmetric"};
  int unused, f, y;
  if (!banner_word(s, "the first word", first, 1, &unused) ||
      !banner_word(s, "the object", object, 1, &unused) ||
      !banner_word(s, "the format", format, 1, &unused) || !banner_word(s, "the field", field, 3, &f) ||
      !banner_word(s, "the symmetry", symmetry, 2, &y) || !wl_scan_line_ends(s))
    return false;
  *banner = (struct banner){.pattern = f == 2, .symmetric = y == 1};
  return true;
}

/* One entry, and its mirror image. */
static bool read_entry(struct wl_scan *s, struct wl_matrix *m, struct banner banner) {
  uint64_t row, col;
  double value = 1;
  if (!wl_scan_need_line(s, "%", "an entry") || !wl_scan_number(s, "the row", 1, m->rows, &row) ||
      !wl_scan_number(s, "the column", 1, m->cols, &col) ||
      (!banner.pattern && !wl_scan_real(s, "the value", &value)) || !wl_scan_line_ends(s))
    return false;
  m->entry[m->entries++] = (struct wl_matrix_entry){(uint32_t)row - 1, (uint32_t)col - 1, value};
  if (banner.symmetric && row != col)
    m->entry[m->entries++] = (struct wl_matrix_entry){(uint32_t)col - 1, (uint32_t)row - 1, value};
  return true;
}

static bool read_matrix(struct wl_scan *s, struct wl_matrix *m, uint32_t max_rows, uint32_t max_entries) {
  enum { SHORTEST = 3 }; /* bytes of an entry: "1 1", and no end of line at the end of the file */
  struct banner banner;
  uint64_t rows, cols, stored;
  if (!read_banner(s, &banner) || !wl_scan_need_line(s, "%", "the size") ||
      !wl_scan_number(s, "the number of rows", 1, max_rows, &rows) ||
      !wl_scan_number(s, "the number of columns", 1, max_rows, &cols))
    return false;
  if (banner.symmetric && rows != cols)
    return wl_scan_fail(s, "a symmetric matrix has as many rows as columns");
  if (!wl_scan_count(s, "the number of entries", max_entries / (1 + banner.symmetric), SHORTEST, &stored) ||
      !wl_scan_line_ends(s))
    return false;
  m->rows = (uint32_t)rows;
  m->cols = (uint32_t)cols;
  m->entry = calloc(stored * (1 + banner.symmetric) + 1, sizeof *m->entry);
  if (!m->entry)
    return wl_scan_fail(s, "out of memory");
  for (uint64_t i = 0; i < stored; i++)
    if (!read_entry(s, m, banner))
      return false;
  return !wl_scan_next_line(s, "%") || wl_scan_fail(s, "an entry too many");
}

bool wl_matrix_market_read(struct wl_matrix *m, const char *path, uint32_t max_rows, uint32_t max_entries,
                           char *err, size_t errlen) {
  struct wl_scan s;
  *m = (struct wl_matrix){0};
  if (!wl_scan_open(&s, path, err, errlen))
    return false;
  const bool ok = read_matrix(&s, m, max_rows, max_entries);
  wl_scan_close(&s);
  if (!ok) {
    free(m->entry);
    *m = (struct wl_matrix){0};
  }
  return ok;
}
