/* Arrays that grow, of models and workloads: who runs out of memory there says so, and the program goes on. */
#ifndef HEDDLE_BASE_GROW_H
#define HEDDLE_BASE_GROW_H

#include <stddef.h>

/* `of` (NULL: new), which has room for *room things of `each` bytes, with room for n at least. NULL: out of memory, and nothing has
 * changed. */
void *hd_grown(void *of, size_t n, unsigned *room, size_t each);

#endif
