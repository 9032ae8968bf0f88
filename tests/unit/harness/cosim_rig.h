/* A lockstep run under test: its machine, its report, and the directory that keeps its models from run to run. Needs Verilator. */
#ifndef HEDDLE_TESTS_UNIT_HARNESS_COSIM_RIG_H
#define HEDDLE_TESTS_UNIT_HARNESS_COSIM_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "verif/harness/cosim.h"

static struct {
  struct hd_config c;
  struct hd_design *design;
  const char *build; /* $BUILD, or build */
  char *work;        /* $MODELS/cosim, or a directory below build: Verilator's output, shared by all suites */
  struct hd_cosim_report r;
  struct hd_why why;
} t;

/* Takes t.c as the machine. Returns 0, or 1 after printing the reason on stderr. */
static int begin_machine(void) {
  t.build = getenv("BUILD") ? getenv("BUILD") : "build";
  t.work = hd_format("%s/cosim", getenv("MODELS") ? getenv("MODELS") : t.build);
  if (hd_config_check(&t.c, NULL, NULL, stderr))
    return 1;
  return (t.design = hd_design_new(&t.c)) ? 0 : 1;
}

/* One SM that is quick to build: 8 warps, 32-byte lines. */
static inline int begin_small(void) {
  hd_config_default(&t.c);
  strcpy(t.c.name, "small");
  t.c.sm.warps = 8;
  t.c.sm.ctas = 2;
  t.c.l1d.line_bytes = 32;
  t.c.l1d.sets = 4;
  t.c.l1d.ways = 2;
  t.c.l1d.mshrs = 4;
  t.c.l1d.mshr_merge = 2;
  return begin_machine();
}

static void finish(void) {
  hd_cosim_free(&t.r);
  hd_design_free(t.design);
  free(t.work);
}

/* Runs the job and fails unless it ends with `rc`. The report is then in t.r, the reason of a failure in t.why. */
static void run(struct hd_cosim_job job, enum hd_rc rc) {
  hd_cosim_free(&t.r);
  if (hd_cosim_run(&job, &t.r, &t.why) != rc)
    fail_msg("expected %d: %s", rc, t.why.text);
}

static void says(const char *text, const char *words) {
  if (!text || !strstr(text, words))
    fail_msg("not found: \"%s\" in:\n%s", words, text ? text : "nothing");
}

#endif
