/* kmeans and kmn: how often the host launches the kernel, which depends on the data; and the user's file. test_totals_rodinia.c
 * checks the kernels' accesses. */
#include "tests/unit/workloads/totals.h"

#include <stdio.h>
#include <unistd.h>

static char *file_of(const char *text) {
  static char path[] = "/tmp/heddle-kmeans-XXXXXX";
  strcpy(path + sizeof path - 7, "XXXXXX");
  const int fd = mkstemp(path);
  FILE *file = fdopen(fd, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
  return path;
}

/* Two clusters that are far apart. Both first centres, points 0 and 1, lie in the left cluster. Iteration 1 gives (3, 0) and all
 * points on the right to centre 1, which moves far right. Iteration 2 takes (3, 0) and (2, 0) back. Iteration 3 changes nothing. */
static void runs_until_no_point_moves(void **state) {
  (void)state;
  char spec[128];
  const char *path = file_of("1 0 0\n2 2 0\n3 3,0\n\n4 100 1\n5 100 tcp\n6 101 0\n");
  snprintf(spec, sizeof spec, "kmeans:small,clusters=2,iters=501,file=%s", path);
  assert_int_equal(count_launches(spec), 1 + 3);
  snprintf(spec, sizeof spec, "kmeans:small,clusters=2,iters=2,file=%s", path);
  assert_int_equal(count_launches(spec), 1 + 2);
  snprintf(spec, sizeof spec, "kmn:small,clusters=2,iters=2,file=%s", path);
  assert_int_equal(count_launches(spec), 2);
  snprintf(spec, sizeof spec, "kmeans:small,clusters=1,iters=501,file=%s", path);
  assert_int_equal(count_launches(spec), 1 + 2); /* the first gives each point its cluster */
  remove(path);
}

/* Made-up points: the number of launches depends on the seed. Repeated rows do not change it. */
static void launches_of_made_up_points(void **state) {
  (void)state;
  const uint32_t n = count_launches("kmeans:points=1024,rows=1024,iters=501,seed=1");
  assert_in_range(n, 5, 400);
  assert_int_equal(count_launches("kmeans:points=1024,rows=1024,iters=501,seed=1"), n);
  assert_int_equal(count_launches("kmeans:points=8192,rows=1024,iters=501,seed=1"), n);
  assert_true(count_launches("kmeans:points=1024,rows=1024,iters=501,seed=2") != n ||
              count_launches("kmeans:points=1024,rows=1024,iters=501,seed=3") != n);
  assert_int_equal(count_launches("kmeans:paper"), 1 + 17);
  assert_int_equal(count_launches("kmeans:kdd"), 1 + 37);
  assert_int_equal(count_launches("kmn:paper"), 2);
}

static void refuses_bad_files(void **state) {
  (void)state;
  static const struct {
    const char *text, *error;
  } want[] = {
      {"", ":1: the file ends; a point must follow"},
      {"1\n", ":1: 0 features; allowed: 1 or more, as many as the first point has"},
      {"1 2 3\n2 3\n", ":2: 1 features; allowed: 1 or more, as many as the first point has"},
      {"1 2 3\n2 3 4\n", ":3: 2 points; allowed: at least the 5 clusters"},
  };
  for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
    char spec[128], err[256];
    const char *path = file_of(want[i].text);
    snprintf(spec, sizeof spec, "kmeans:small,file=%s", path);
    assert_null(wl_open(spec, err, sizeof err));
    assert_string_equal(err + strlen(path), want[i].error);
    remove(path);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(runs_until_no_point_moves),
      cmocka_unit_test(launches_of_made_up_points),
      cmocka_unit_test(refuses_bad_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
