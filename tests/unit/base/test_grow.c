/* Arrays that grow, by hand. */
#include "base/grow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <limits.h>
#include <stdlib.h>

/* What was there stays; with room enough nothing moves. */
static void grows(void **state) {
  (void)state;
  unsigned room = 0;
  uint32_t *at = NULL;
  for (unsigned n = 0; n < 1000; n++) {
    uint32_t *const was = at;
    const unsigned had = room;
    at = hd_grown(at, n + 1, &room, sizeof *at);
    assert_non_null(at);
    assert_true(room > n);
    if (n < had)
      assert_true(at == was && room == had);
    at[n] = n * n;
  }
  for (unsigned n = 0; n < 1000; n++)
    assert_int_equal(at[n], n * n);
  free(at);
}

/* More than `room` counts, or more bytes than there are: NULL, and what was there is still there. */
static void too_many(void **state) {
  (void)state;
  unsigned room = 0;
  char *const at = hd_grown(NULL, 5, &room, 1);
  const unsigned had = room;
  assert_non_null(at);
  at[4] = 7;
  assert_null(hd_grown(at, (size_t)UINT_MAX / 2, &room, 1));
  assert_null(hd_grown(at, (size_t)UINT_MAX + 7, &room, 1));
  assert_null(hd_grown(at, SIZE_MAX / 2 + 1, &room, 1));
  assert_null(hd_grown(at, had + 1, &room, SIZE_MAX / 2 + 2));
  assert_int_equal(room, had);
  assert_int_equal(at[4], 7);
  free(at);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(grows), cmocka_unit_test(too_many)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
