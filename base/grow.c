/* Arrays that grow; see grow.h. */
#include "base/grow.h"

#include <stdlib.h>

void *hd_grown(void *of, size_t n, unsigned *room, size_t each) {
  if (n <= *room)
    return of;
  const size_t more = 2 * n + 16;
  void *at = realloc(of, more * each);
  if (at)
    *room = (unsigned)more;
  return at;
}
