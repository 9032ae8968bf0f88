/* Sums of statistics. */
#ifndef HEDDLE_CMODEL_MODEL_COUNTS_H
#define HEDDLE_CMODEL_MODEL_COUNTS_H

#include <stddef.h>

/* Adds each count of `of` to that of `sum`. Both are of one type, of `bytes` bytes, which has counts of type uint64_t alone. */
void hd_add_counts(void *sum, const void *of, size_t bytes);

#endif
