/* A directory for the files of a test, and small Verilog through Yosys and OpenSTA in it. A test that needs the answers of these
 * tools checks first that they are there. */
#ifndef HEDDLE_TESTS_UNIT_SYNTH_RIG_H
#define HEDDLE_TESTS_UNIT_SYNTH_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "synth/synth.h"

static char *dir;

static inline int make_dir(void **state) {
  (void)state;
  dir = hd_format("/tmp/hd-synth-XXXXXX");
  return mkdtemp(dir) ? 0 : -1;
}

static inline int remove_dir(void **state) {
  (void)state;
  const char *const argv[] = {"rm", "-rf", dir, NULL};
  hd_run(argv, NULL, "/dev/null", 10);
  free(dir);
  return 0;
}

static inline void put(const char *name, const char *text) {
  char *path = hd_format("%s/%s", dir, name);
  *strrchr(path, '/') = 0;
  assert_true(hd_make_dirs(path));
  path[strlen(path)] = '/';
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
  free(path);
}

static inline void need_tools(void) {
  if (hd_program_find(HD_YOSYS, NULL) && hd_program_find(HD_OPENSTA, NULL))
    return;
  print_message("skipped: yosys or sta is missing\n");
  skip();
}

static inline void put_module(const char *where, const char *module, const char *text) {
  char *name = hd_format("%s/%s.v", where, module);
  put(name, text);
  free(name);
}

static inline enum hd_rc synth(const char *rtl, const char *top, long bits, struct hd_synth_report *report,
                               struct hd_why *why) {
  put_module("rtl", top, rtl);
  char *rtl_dir = hd_format("%s/rtl", dir), *work = hd_format("%s/work", dir);
  const struct hd_synth_module module = {.name = top, .declared_bits = bits};
  const struct hd_synth_job job = {.rtl_dir = rtl_dir,
                                   .module = &module,
                                   .modules = 1,
                                   .work = work,
                                   .pricer = {.node_nm = 45},
                                   .timeout_s = 120};
  const enum hd_rc rc = hd_synth_run(&job, report, why);
  free(rtl_dir);
  free(work);
  return rc;
}

#endif
