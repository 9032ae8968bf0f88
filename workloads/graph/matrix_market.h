/* Reads a sparse matrix in the Matrix Market exchange format (R. F. Boisvert, R. Pozo, K. A. Remington,
 * NISTIR 5935, 1996): coordinate; real, integer or pattern; general or symmetric.
 *
 * Invariant: nothing of the matrix is kept here, so a large one takes what its reader makes of it, no more.
 */
#ifndef HEDDLE_WORKLOADS_GRAPH_MATRIX_MARKET_H
#define HEDDLE_WORKLOADS_GRAPH_MATRIX_MARKET_H

#include "workloads/graph/number_file.h"

/* What the format may begin with. */
#define WL_MATRIX_MARKET_BANNER "%%MatrixMarket"

/* Who takes the matrix. A function that returns false has said why with wl_scan_fail, and ends it. */
struct wl_matrix_taker {
  uint32_t max_rows;    /* rows and columns each */
  uint32_t max_entries; /* a symmetric matrix's mirrored ones counted */
  /* The size, before all entries. */
  bool (*size)(void *user, struct wl_scan *s, uint32_t rows, uint32_t cols);
  /* An entry, row and column from 0; in the order of the file, each followed by its mirror image. A pattern's values are 1. */
  bool (*entry)(void *user, struct wl_scan *s, uint32_t row, uint32_t col, double value);
  void *user;
};

/* Reads a whole file. False: one line in err says where the file is wrong, or what a function of the taker has
 * said. */
bool wl_matrix_market_read(const struct wl_matrix_taker *taker, const char *path, char *err, size_t errlen);

#endif
