/* Finds programs by variable and by name, and reads their versions. Uses stand-ins. */
#include "base/programs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char dir[] = "/tmp/test_programs.XXXXXX";

/* Writes a program that runs this shell text. Returns its path; the caller frees it. */
static char *put(const char *name, const char *text) {
  char *path = hd_format("%s/%s", dir, name);
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fprintf(f, "#!/bin/sh\n%s\n", text);
  fclose(f);
  assert_int_equal(chmod(path, 0755), 0);
  return path;
}

static int make_dir(void **state) {
  (void)state;
  return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state) {
  (void)state;
  return hd_run((const char *const[]){"rm", "-rf", dir, NULL}, NULL, "/dev/null", 10);
}

static void assert_command(enum hd_program_id id, const char *want) {
  char *command = hd_program_command(id);
  assert_string_equal(command, want);
  free(command);
}

static void a_variable_is_a_command(void **state) {
  (void)state;
  char cwd[1000], *want;
  assert_non_null(getcwd(cwd, sizeof cwd));
  unsetenv("CXX");
  assert_command(HD_CXX, "g++");
  setenv("CXX", " ", 1);
  assert_command(HD_CXX, "g++");
  setenv("CXX", "  ccache  clang++ ", 1);
  assert_command(HD_CXX, "ccache clang++");
  setenv("CXX", "/a/g++ -x/y", 1);
  assert_command(HD_CXX, "/a/g++ -x/y");
  setenv("CXX", "a/g++", 1);
  want = hd_format("%s/a/g++", cwd);
  assert_command(HD_CXX, want);
  free(want);
  unsetenv("CXX");
}

static void versions_are_read_and_judged(void **state) {
  (void)state;
  static const struct {
    enum hd_program_id id;
    const char *says, *version;
    enum hd_program_state state;
  } want[] = {
      {HD_VERILATOR, "echo 'Verilator 5.006 2023-01-22 rev (Debian 5.006-3)'", "5.006", HD_PROGRAM_GOOD},
      {HD_VERILATOR, "echo 'Verilator 5.048 2026-04-01 rev v5.048'", "5.048", HD_PROGRAM_GOOD},
      {HD_VERILATOR, "echo 'Verilator 4.228 2022-10-01'", "4.228", HD_PROGRAM_OLD},
      {HD_VERILATOR, "echo 'Verilator 5.004 2022-12-14'", "5.004", HD_PROGRAM_OLD},
      {HD_YOSYS, "echo 'Yosys 0.23 (git sha1 7ce5011c24b)'", "0.23", HD_PROGRAM_GOOD},
      {HD_YOSYS, "echo 'Yosys 0.9 (git sha1 1979e0b)'", "0.9", HD_PROGRAM_OLD},
      {HD_CXX, "echo 'g++ (Debian 12.2.0-14+deb12u1) 12.2.0'", "12.2.0", HD_PROGRAM_GOOD},
      {HD_CXX, "echo 'g++ (GCC) 11.4.1'", "11.4.1", HD_PROGRAM_OLD},
      {HD_CXX, "echo 'Debian clang version 14.0.6'", "clang 14.0.6", HD_PROGRAM_GOOD},
      {HD_CXX, "echo 'clang version 13.0.1'", "clang 13.0.1", HD_PROGRAM_OLD},
      {HD_ICARUS, "echo 'Icarus Verilog version 12.0 (stable) ()'", "12.0", HD_PROGRAM_GOOD},
      {HD_ICARUS, "echo 'Icarus Verilog version 10.3 (stable)'", "10.3", HD_PROGRAM_OLD},
      {HD_YOSYS, "echo 'Yosys 0.23'; exit 1", "", HD_PROGRAM_BROKEN},
      {HD_YOSYS, "echo nothing of the kind", "", HD_PROGRAM_BROKEN},
  };
  for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
    char version[64], *path = put("it", want[i].says);
    setenv(hd_programs[want[i].id].variable, path, 1);
    const enum hd_program_state found = hd_program_check(want[i].id, version, sizeof version);
    if (found != want[i].state || strcmp(version, want[i].version) != 0)
      fail_msg("%s: state %d, version '%s'", want[i].says, (int)found, version);
    unsetenv(hd_programs[want[i].id].variable);
    free(path);
  }
}

/* A Verilator that is not one of its releases. */
static void verilator_is_read_from_its_header(void **state) {
  (void)state;
  char *include = hd_format("%s/include", dir), *header = hd_format("%s/include/verilated_config.h", dir);
  char *says =
      hd_format("case $1 in --version) echo ' rev vUNKNOWN-built20260516' ;; *) echo %s ;; esac", dir);
  char *path = put("verilator", says), version[64];
  assert_true(hd_make_dirs(include));
  FILE *f = fopen(header, "w");
  assert_non_null(f);
  fputs("// 9.99\n#define VERILATOR_PRODUCT \"Verilator\"\n#define VERILATOR_VERSION \"5.49\"\n", f);
  fclose(f);
  setenv("VERILATOR", path, 1);
  assert_int_equal(hd_program_check(HD_VERILATOR, version, sizeof version), HD_PROGRAM_GOOD);
  assert_string_equal(version, "5.49");
  assert_int_equal(unlink(header), 0);
  assert_int_equal(hd_program_check(HD_VERILATOR, version, sizeof version), HD_PROGRAM_BROKEN);
  unsetenv("VERILATOR");
  free(include);
  free(header);
  free(says);
  free(path);
}

static void what_is_missing_is_said(void **state) {
  (void)state;
  struct hd_why why = {""};
  char version[64], *before = hd_format("%s", getenv("PATH"));
  setenv("YOSYS", "/no/such/yosys -q", 1);
  assert_int_equal(hd_program_need(HD_YOSYS, &why), HD_TOOL);
  assert_string_equal(why.text, "Yosys is not in PATH: found YOSYS=/no/such/yosys -q; allowed a program; see "
                                "heddle doctor");
  assert_int_equal(hd_program_check(HD_YOSYS, version, sizeof version), HD_PROGRAM_MISSING);
  unsetenv("YOSYS");
  setenv("PATH", "/nowhere", 1);
  assert_int_equal(hd_program_need(HD_YOSYS, &why), HD_TOOL);
  assert_non_null(strstr(why.text, "yosys is not in PATH (Debian: apt install yosys, or "));
  assert_non_null(strstr(why.text, "; or set YOSYS)"));
  setenv("PATH", before, 1);
  free(before);
}

/* The words of the command come first. */
static void a_command_of_several_words_runs(void **state) {
  (void)state;
  char *path = put("it", "echo \"$#:$1:$2:$3\""), *log = hd_format("%s/log", dir);
  char *command = hd_format("env %s one", path);
  setenv("YOSYS", command, 1);
  assert_int_equal(hd_program_run(HD_YOSYS, (const char *const[]){"two", "th ree", NULL}, dir, log, 10), 0);
  char *text = hd_slurp(log);
  assert_string_equal(text, "3:one:two:th ree\n");
  unsetenv("YOSYS");
  free(text);
  free(command);
  free(log);
  free(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_variable_is_a_command),           cmocka_unit_test(versions_are_read_and_judged),
      cmocka_unit_test(verilator_is_read_from_its_header), cmocka_unit_test(what_is_missing_is_said),
      cmocka_unit_test(a_command_of_several_words_runs),
  };
  return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
