/* Reading a file through a window: the window returns the bytes of the file for every position and length. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file_window.h"
#include "workloads/rng.h"

enum { SIZE = 5 * HD_FILE_WINDOW / 2 };
static uint8_t file[SIZE], got[SIZE];

/* Returns a file with these bytes. The file has no name. */
static int new_file(void) {
  FILE *f = tmpfile();
  assert_non_null(f);
  for (unsigned i = 0; i < SIZE; i++)
    file[i] = (uint8_t)(i * 7 + i / 251);
  assert_int_equal(fwrite(file, 1, SIZE, f), SIZE);
  assert_int_equal(fflush(f), 0);
  return fileno(f);
}

static void gives(struct hd_file_window *w, int fd, uint64_t at, size_t n) {
  const size_t there = at >= SIZE ? 0 : n < SIZE - at ? n : SIZE - at;
  memset(got, 0xa5, sizeof got);
  assert_int_equal(hd_file_window_read(w, fd, got, n, at), there);
  assert_memory_equal(got, file + (there ? at : 0), there);
}

static void any_place(void **state) {
  (void)state;
  const int fd = new_file();
  struct hd_file_window w = {0};
  struct wl_rng rng = {7};
  gives(&w, fd, 0, 0);
  gives(&w, fd, 0, HD_FILE_WINDOW);
  gives(&w, fd, HD_FILE_WINDOW, 1); /* just behind the window */
  gives(&w, fd, 10, SIZE - 10);     /* more than a window */
  gives(&w, fd, SIZE - 3, 8);       /* beyond the end */
  gives(&w, fd, SIZE, 1);
  gives(&w, fd, SIZE + 100, 1);
  for (unsigned i = 0; i < 2000; i++) {
    const uint64_t at = wl_rng_below(&rng, SIZE + 64);
    const size_t n = wl_rng_below(&rng, wl_rng_below(&rng, 4) ? 100 : HD_FILE_WINDOW + 100);
    gives(&w, fd, at, n < SIZE ? n : SIZE);
  }
  close(fd);
}

static void what_has_changed_is_read_after_forgetting(void **state) {
  (void)state;
  const int fd = new_file();
  struct hd_file_window w = {0};
  gives(&w, fd, 100, 50);
  file[120] ^= 0xff;
  assert_int_equal(pwrite(fd, &file[120], 1, 120), 1);
  hd_file_window_forget(&w);
  gives(&w, fd, 100, 50);
  close(fd);
}

static void an_error_is_told_and_nothing_kept(void **state) {
  (void)state;
  const int fd = new_file();
  struct hd_file_window w = {0};
  gives(&w, fd, 0, 10);
  errno = 0;
  assert_int_equal(hd_file_window_read(&w, -1, got, 10, HD_FILE_WINDOW + 5), -1);
  assert_int_equal(errno, EBADF);
  gives(&w, fd, HD_FILE_WINDOW + 5, 10);
  gives(&w, fd, 0, 10);
  close(fd);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_place),
      cmocka_unit_test(what_has_changed_is_read_after_forgetting),
      cmocka_unit_test(an_error_is_told_and_nothing_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
