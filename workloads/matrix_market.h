/* Reads a sparse matrix in the Matrix Market exchange format (R. F. Boisvert, R. Pozo, K. A. Remington,
 * NISTIR 5935, 1996): coordinate; real, integer or pattern; general or symmetric.
 */
#ifndef HEDDLE_WORKLOADS_MATRIX_MARKET_H
#define HEDDLE_WORKLOADS_MATRIX_MARKET_H

#include "workloads/scan.h"

struct wl_matrix_entry {
  uint32_t row, col; /* from 0 */
  double value;      /* 1 in a pattern */
};

struct wl_matrix {
  uint32_t rows, cols;
  uint32_t entries;              /* a symmetric matrix's mirrored ones among them */
  struct wl_matrix_entry *entry; /* in the order of the file, each followed by its mirror image */
};

/* What the format may begin with. */
#define WL_MATRIX_MARKET_BANNER "%%MatrixMarket"

/* Reads a whole file; entry is to be freed. At most `max_rows` rows and columns each and `max_entries`
 * entries, the mirrored ones counted. False: nothing is left in *m, and one line in err says where the
 * file is wrong. */
bool wl_matrix_market_read(struct wl_matrix *m, const char *path, uint32_t max_rows, uint32_t max_entries,
                           char *err, size_t errlen);

#endif
