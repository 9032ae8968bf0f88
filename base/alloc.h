/* Memory from the heap. Who runs out of it ends the program: no caller has a better answer. */
#ifndef HEDDLE_BASE_ALLOC_H
#define HEDDLE_BASE_ALLOC_H

#include <stddef.h>

/* `of` (NULL: new) with room for n things of `each` bytes; what is new in it is undefined. */
void *hd_resized(void *of, size_t n, size_t each);
/* Room for n things of `each` bytes, all 0. */
void *hd_zeroed(size_t n, size_t each);

#endif
