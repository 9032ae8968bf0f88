/* The heap of the program, from the host's large pages. For programs only: a library has no say in it. */
#ifndef HEDDLE_BASE_HEAP_H
#define HEDDLE_BASE_HEAP_H

#include <stddef.h>

/* The next `bytes` or so of the heap come in pages as large as the host has them, where it has: fewer of them are to be fetched one by
 * one. A page comes when it is touched, so `bytes` may be more than is needed. For the process of a run, before it. Nothing depends on
 * it. */
void hd_heap_expect(size_t bytes);

#endif
