/* heddle45 for tests of toggle energy, with a directory for their files. */
#ifndef HEDDLE_TESTS_UNIT_POWER_RIG_H
#define HEDDLE_TESTS_UNIT_POWER_RIG_H

#include <math.h>

#include "tests/unit/synth/synth_rig.h"

#define NEAR(a, b) assert_true(fabs((a) - (double)(b)) < 1e-6 * (1 + fabs((double)(b))))

static struct hd_lib lib;

static inline int make_lib(void **state) {
  struct hd_why why;
  if (make_dir(state))
    return -1;
  char *path = hd_format("%s/h.lib", dir);
  const bool good = hd_heddle45_write(path, &why) == HD_OK && hd_lib_read(path, &lib, &why) == HD_OK;
  free(path);
  return good ? 0 : -1;
}

static inline int drop_lib(void **state) {
  hd_lib_free(&lib);
  return remove_dir(state);
}

#endif
