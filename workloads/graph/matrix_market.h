/* Reads a sparse matrix in the Matrix Market exchange format (R. F. Boisvert, R. Pozo, K. A. Remington,
 * NISTIR 5935, 1996): coordinate; real, integer or pattern; general or symmetric.
 *
 * Invariant: the reader keeps nothing of the matrix. So a large matrix takes only the memory that its user
 * needs.
 */
#ifndef HEDDLE_WORKLOADS_GRAPH_MATRIX_MARKET_H
#define HEDDLE_WORKLOADS_GRAPH_MATRIX_MARKET_H

#include "workloads/graph/number_file.h"

/* The first word of a file in this format. */
#define WL_MATRIX_MARKET_BANNER "%%MatrixMarket"

/* The receiver of the matrix. A function that returns false has called wl_scan_fail; then reading ends. */
struct wl_matrix_taker {
  uint32_t max_rows;    /* limit of the rows and of the columns */
  uint32_t max_entries; /* limit of the entries, mirrored entries of a symmetric matrix included */
  /* Called with the size, before all entries. */
  bool (*size)(void *user, struct wl_scan *s, uint32_t rows, uint32_t cols);
  /* Called for each entry, rows and columns from 0, in the order of the file; the mirror image follows its
   * entry. In a pattern, values are 1. */
  bool (*entry)(void *user, struct wl_scan *s, uint32_t row, uint32_t col, double value);
  void *user;
};

/* Reads a whole file. Returns false with one line in err: where the file is wrong, or the error of one of
 * the receiver's functions. */
bool wl_matrix_market_read(const struct wl_matrix_taker *taker, const char *path, char *err, size_t errlen);

#endif
