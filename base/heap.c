/* See heap.h. Large pages save the fetching of pages of 4 KB, which takes a microsecond or two each (docs/speed.md):
 * gpu/gtx480 on a small trace has 600 page faults instead of 2,500 and takes 6 MB more. Blocks of 128 KB and more
 * stay outside of the heap, as without this file. With these blocks in the heap gpu/h100, which touches 64 of the 150
 * MB that it asks for, had more page faults than without large pages.
 *
 * The settings of the C library stay for the whole process: it keeps freed memory, and the size from which blocks are
 * outside of the heap no longer grows.
 *
 * Invariant: without glibc on Linux, or without large pages, this file changes nothing that can be seen. */
#include "base/heap.h"

#include <stdlib.h> /* which says whether this is glibc */

#ifdef __GLIBC__
#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

void hd_heap_expect(size_t bytes) {
  enum { LARGE = 2 << 20, BLOCK = 1 << 16 }; /* bytes of a page; of a block that comes from the heap */
  malloc_trim(0);                            /* so that the heap must grow for a block */
  char *const old = sbrk(0), *const from = old + (LARGE - (uintptr_t)old % LARGE) % LARGE;
  mallopt(M_TRIM_THRESHOLD, (int)(2 * bytes)); /* pages that were fetched stay */
  mallopt(M_TOP_PAD, (int)bytes);
  void *volatile grows = malloc(BLOCK);
  free(grows);
  mallopt(M_TOP_PAD, 1 << 17);
  const char *const end = sbrk(0);
  if (from < end)
    madvise(from, (size_t)(end - from), MADV_HUGEPAGE); /* failing changes nothing */
}
#else
void hd_heap_expect(size_t bytes) {
  (void)bytes;
}
#endif
