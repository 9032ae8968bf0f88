/* Arrays that grow, of models and workloads. Their callers report that memory is out; the program does not end. */
#ifndef HEDDLE_BASE_GROW_H
#define HEDDLE_BASE_GROW_H

#include <stddef.h>

/* `of` (NULL: a new array) has room for *room elements of `each` bytes. Returns it with room for n or more. Returns NULL if memory is out,
 * or if n is more than can be counted; nothing has changed then. */
void *hd_grown(void *of, size_t n, unsigned *room, size_t each);

#endif
