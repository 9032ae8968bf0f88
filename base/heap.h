/* The program's heap, from the host's large pages. For programs only: a library must not decide this. */
#ifndef HEDDLE_BASE_HEAP_H
#define HEDDLE_BASE_HEAP_H

#include <stddef.h>

/* Makes the next `bytes` bytes or so of the heap come in large pages, if the host has them, so that fewer pages are
 * fetched. A page is fetched when it is touched, so `bytes` may be more than is needed. Call it in the process of a
 * run, before the run. No result depends on it. */
void hd_heap_expect(size_t bytes);

#endif
