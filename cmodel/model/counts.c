/* Sums of statistics; see counts.h. */
#include "cmodel/model/counts.h"

#include <stdint.h>

void hd_add_counts(void *sum, const void *of, size_t bytes) {
  uint64_t *to = sum;
  const uint64_t *from = of;
  for (size_t i = 0; i < bytes / sizeof *to; i++)
    to[i] += from[i];
}
