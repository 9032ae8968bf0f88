/* Loads a machine of configs/ for a test. */
#ifndef HEDDLE_TESTS_UNIT_LOADED_H
#define HEDDLE_TESTS_UNIT_LOADED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "arch/config/config.h"

/* Returns the machine configs/NAME.yaml, which must be legal. */
static inline struct hd_config loaded(const char *name) {
  char path[64];
  struct hd_config c;
  snprintf(path, sizeof path, "configs/%s.yaml", name);
  assert_int_equal(hd_config_load(&c, path, stderr), 0);
  return c;
}

#endif
