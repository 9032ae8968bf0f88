/* The versions of Verilator and the compiler, asked of stand-ins. The answers are kept whole, however long a line is, per process
 * and per directory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "verif/verilate/tools.h"

static char work[] = "/tmp/heddle_tools_XXXXXX";

static void make_folder(const char *name) {
  char *path = hd_format("%s/%s", work, name);
  assert_int_equal(mkdir(path, 0777), 0);
  free(path);
}

/* Writes a program work/name. Returns its path; the caller frees it. */
static char *script(const char *name, const char *text) {
  char *path = hd_format("%s/%s", work, name);
  assert_true(hd_write_text(work, name, text));
  assert_int_equal(chmod(path, 0755), 0);
  return path;
}

/* Returns how often the stand-ins were asked. */
static size_t asked(void) {
  char *path = hd_format("%s/asked", work), *text = hd_slurp(path);
  const size_t n = text ? strlen(text) : 0;
  free(text);
  free(path);
  return n;
}

/* Asks with this stand-in for Verilator. Returns the versions; the caller frees them. */
static char *ask(const char *verilator) {
  char *dir = hd_format("%s/dir", work);
  struct hd_why why = {""};
  const struct hd_tool_place place = {.module = "none", .dir = dir, .failed = dir, .why = &why};
  struct hd_tools tools = {0};
  setenv("VERILATOR", verilator, 1);
  if (hd_tools_ask(&tools, &place, work) != HD_OK)
    fail_msg("%s", why.text);
  char *versions = hd_format("%s", tools.versions);
  hd_tools_free(&tools);
  free(dir);
  return versions;
}

static void long_answers_are_kept_whole(void **state) {
  (void)state;
  assert_non_null(mkdtemp(work));
  make_folder("build");
  make_folder("dir");
  make_folder("include");
  char *config = hd_format("%s/include/verilated_config.h", work);
  FILE *f = fopen(config, "w");
  assert_non_null(f);
  assert_int_equal(fclose(f), 0);
  free(config);
  char *of[2];
  for (int i = 0; i < 2; i++) {
    char *text =
        hd_format("#!/bin/sh\nprintf x >>%s/asked\n[ $1 = --getenv ] && echo %s || printf 'Verilator "
                  "%d.%%0700d\\n' 0\n",
                  work, work, i);
    of[i] = script(i ? "verilator1" : "verilator0", text);
    free(text);
  }
  char *text = hd_format("#!/bin/sh\nprintf x >>%s/asked\nprintf 'g++ %%0900d\\n' 0\n", work),
       *cxx = script("g++", text);
  setenv("CXX", cxx, 1);
  char *first = ask(of[0]), *other = ask(of[1]);
  assert_int_equal(strlen(first), strlen("Verilator 0.") + 700 + strlen("; g++ ") + 900);
  assert_string_not_equal(first, other);
  assert_int_equal(asked(), 6);
  char *again = ask(of[0]); /* from the directory, since this process knows the other */
  assert_string_equal(first, again);
  assert_int_equal(asked(), 6);
  free(again);
  free(other);
  free(first);
  free(cxx);
  free(text);
  free(of[0]);
  free(of[1]);
  text = hd_format("rm -r %s", work);
  assert_int_equal(system(text), 0);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(long_answers_are_kept_whole)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
