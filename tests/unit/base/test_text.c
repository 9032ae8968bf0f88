/* Writing files: a lost byte is reported, whenever it was lost. */
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* A disk that accepts writes after the first `full` ones. */
static ssize_t take(void *full, const char *bytes, size_t n) {
  unsigned *left = full;
  (void)bytes;
  return *left ? (--*left, 0) : (ssize_t)n;
}

static bool written(unsigned full) {
  FILE *f = fopencookie(&full, "w", (cookie_io_functions_t){.write = take});
  assert_non_null(f);
  for (int i = 0; i < 20000; i++)
    fprintf(f, "%d\n", i);
  return hd_close_written(f);
}

static void a_write_that_was_lost(void **state) {
  (void)state;
  assert_true(written(0));
  assert_false(written(1));
  assert_false(written(1000000));
}

static void a_text(void **state) {
  (void)state;
  static const size_t sizes[] = {1, 4096, 5000, 1 << 20};
  char path[] = "/tmp/heddle_text_XXXXXX";
  const int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    char *text = calloc(sizes[i] + 1, 1);
    assert_non_null(text);
    memset(text, 'x', sizes[i]);
    assert_true(hd_write_file(path, text));
    char *back = hd_slurp(path);
    assert_string_equal(back, text);
    free(back);
    assert_false(hd_write_file("/dev/full", text));
    assert_false(hd_write_file("/no/such/file", text));
    free(text);
  }
  unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_write_that_was_lost), cmocka_unit_test(a_text)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
