/* The Matrix Market reader. See matrix_market.h. */
#include "workloads/graph/matrix_market.h"

#include <strings.h>

/* The contents of the banner. */
struct banner {
  bool pattern, symmetric;
};

/* Reads a word of the banner, which must be one of the `n` allowed; its number goes to *which. */
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

/* Reads one entry, and passes it on with its mirror image. */
static bool read_entry(struct wl_scan *s, const struct wl_matrix_taker *to, struct banner banner,
                       uint64_t rows, uint64_t cols) {
  uint64_t row, col;
  double value = 1;
  return wl_scan_need_line(s, "%", "an entry") && wl_scan_number(s, "the row", 1, rows, &row) &&
         wl_scan_number(s, "the column", 1, cols, &col) &&
         (banner.pattern || wl_scan_real(s, "the value", &value)) && wl_scan_line_ends(s) &&
         to->entry(to->user, s, (uint32_t)row - 1, (uint32_t)col - 1, value) &&
         (!banner.symmetric || row == col ||
          to->entry(to->user, s, (uint32_t)col - 1, (uint32_t)row - 1, value));
}

static bool read_matrix(struct wl_scan *s, const struct wl_matrix_taker *to) {
  enum { SHORTEST = 3 }; /* bytes of the shortest entry: "1 1", without a newline at the end of the file */
  struct banner banner;
  uint64_t rows, cols, stored;
  if (!read_banner(s, &banner) || !wl_scan_need_line(s, "%", "the size") ||
      !wl_scan_number(s, "the number of rows", 1, to->max_rows, &rows) ||
      !wl_scan_number(s, "the number of columns", 1, to->max_rows, &cols))
    return false;
  if (banner.symmetric && rows != cols)
    return wl_scan_fail(s, "a symmetric matrix has as many rows as columns");
  if (!wl_scan_count(s, "the number of entries", to->max_entries / (1 + banner.symmetric), SHORTEST,
                     &stored) ||
      !wl_scan_line_ends(s) || !to->size(to->user, s, (uint32_t)rows, (uint32_t)cols))
    return false;
  for (uint64_t i = 0; i < stored; i++)
    if (!read_entry(s, to, banner, rows, cols))
      return false;
  return !wl_scan_next_line(s, "%") || wl_scan_fail(s, "an entry too many");
}

bool wl_matrix_market_read(const struct wl_matrix_taker *taker, const char *path, char *err, size_t errlen) {
  struct wl_scan s;
  if (!wl_scan_open(&s, path, err, errlen))
    return false;
  const bool ok = read_matrix(&s, taker);
  wl_scan_close(&s);
  return ok;
}
