/* Memory from the heap; see alloc.h. */
#include "base/alloc.h"

#include <stdlib.h>

void *hd_resized(void *of, size_t n, size_t each) {
  void *at = n <= (size_t)-1 / each ? realloc(of, (n ? n : 1) * each) : NULL;
  if (!at)
    abort();
  return at;
}

void *hd_zeroed(size_t n, size_t each) {
  void *at = calloc(n ? n : 1, each);
  if (!at)
    abort();
  return at;
}
