/* See heap.h. A run of a small trace touches some 3,000 pages of 4 KB, each of which costs the system a microsecond or two.
 *
 * Invariant: where this is not glibc on Linux, or there are no large pages, it does nothing that can be seen. */
#include "base/heap.h"

#include <stdlib.h> /* which says whether this is glibc */

#ifdef __GLIBC__
#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

void hd_heap_expect(size_t bytes) {
  enum { LARGE = 2 << 20 }; /* a page */
  char *const old = sbrk(0), *const from = old + (LARGE - (uintptr_t)old % LARGE) % LARGE;
  mallopt(M_MMAP_THRESHOLD, (int)bytes);       /* large blocks come from the heap, too, */
  mallopt(M_TRIM_THRESHOLD, (int)(2 * bytes)); /* and what has been fetched stays */
  mallopt(M_TOP_PAD, (int)bytes);
  void *volatile grows = malloc(bytes / 64);
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
