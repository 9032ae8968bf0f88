/* Arrays that grow; see grow.h. */
#include "base/grow.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

void *hd_grown(void *of, size_t n, unsigned *room, size_t each) {
  if (n <= *room)
    return of;
  enum { FIRST = 16 };
  if (n > (UINT_MAX - FIRST) / 2)
    return NULL;
  const size_t more = 2 * n + FIRST;
  void *at = more <= SIZE_MAX / each ? realloc(of, more * each) : NULL;
  if (at)
    *room = (unsigned)more;
  return at;
}
