/* Memory from the heap. The program ends if memory runs out, because no caller has a better answer. */
#ifndef HEDDLE_BASE_ALLOC_H
#define HEDDLE_BASE_ALLOC_H

#include <stddef.h>

/* Resizes `of` (NULL: a new block) to n elements of `each` bytes, and returns it. New bytes are undefined. */
void *hd_resized(void *of, size_t n, size_t each);
/* Returns room for n elements of `each` bytes, all 0. */
void *hd_zeroed(size_t n, size_t each);

#endif
