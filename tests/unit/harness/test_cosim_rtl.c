/* Lockstep of Verilog that the user has edited. Unedited Verilog passes. A mistake in it is found and reported with the user's file.
 * Verilog that does not fit the declaration is refused with the file and the name. */
#include <stdio.h>
#include <unistd.h>

#include "rtl_gen/rtl.h"
#include "tests/unit/harness/cosim_rig.h"
#include "verif/verilate/build.h"
#include "verif/verilate/locked_dir.h"

static char *dir; /* the user's directory, new for each test */

static int begin(void **state) {
  (void)state;
  const int failed = begin_small();
  dir = hd_format("%s/tests/edited_rtl", t.build);
  return failed;
}

static int end(void **state) {
  (void)state;
  finish();
  hd_remove_tree(dir);
  free(dir);
  return 0;
}

static void generate(const char *module) {
  hd_remove_tree(dir);
  if (hd_rtl_write(t.design, module, dir, &t.why) != HD_OK)
    fail_msg("%s", t.why.text);
}

/* Replaces a text that the file has exactly once. */
static void edit(const char *file, const char *was, const char *becomes) {
  char *path = hd_format("%s/%s", dir, file), *text = hd_slurp(path);
  assert_non_null(text);
  const char *at = strstr(text, was);
  if (!at)
    fail_msg("%s: no %s", path, was);
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fprintf(f, "%.*s%s%s", (int)(at - text), text, becomes, at + strlen(was));
  fclose(f);
  free(text);
  free(path);
}

static void compare(const char *module, enum hd_rc rc) {
  run((struct hd_cosim_job){.design = t.design,
                            .module = module,
                            .seed = 1,
                            .cycles = 2000,
                            .work = t.work,
                            .rtl = dir,
                            .no_waves = true},
      rc);
}

/* Checks that DIR stands between these words. */
static void names_dir(const char *text, const char *before, const char *behind) {
  char *all = hd_format("%s%s%s", before, dir, behind);
  says(text, all);
  free(all);
}

static void test_unedited(void **state) {
  (void)state;
  generate("request_slot");
  compare("request_slot", HD_OK);
  assert_true(t.r.values_compared > 0 && t.r.mismatches == 0);
}

static void test_mistake(void **state) {
  (void)state;
  generate("request_slot");
  edit("request_slot.v", "valid_q <= enq_valid;", "valid_q <= 1'b1;");
  compare("request_slot", HD_CHECK);
  assert_int_equal(t.r.mismatches, 1);
  names_dir(t.r.failure, "  rtl      ", "/request_slot.v\n");
  names_dir(t.r.failure, " --rtl ", " --work");
  assert_non_null(strstr(t.r.failure, "  register  valid "));
  /* an additional signal is no error */
  generate("request_slot");
  edit("request_slot.v", "endmodule", "  wire mine = valid_q;\n\nendmodule");
  compare("request_slot", HD_OK);
  /* a loop that assigns an array is no error */
  generate("request_slot");
  edit("request_slot.v", "endmodule",
       "  reg [1:0] mine [0:7];\n  integer i;\n"
       "  always @(posedge clk) for (i = 0; i < 8; i = i + 1) mine[i] <= {2{valid_q}};\n\nendmodule");
  compare("request_slot", HD_OK);
}

static void refused(const char *module, const char *words) {
  compare(module, HD_INPUT);
  names_dir(t.why.text, "", words);
  assert_null(t.r.failure);
}

static void test_refused(void **state) {
  (void)state;
  hd_remove_tree(dir);
  refused("request_slot", ": no such directory");
  generate("request_slot");
  char *list = hd_format("%s/request_slot.f", dir), *file = hd_format("%s/request_slot.v", dir);
  unlink(file);
  refused("request_slot", "/request_slot.v: no such file");
  unlink(list);
  refused("request_slot", "/request_slot.f: no such file");
  free(list);
  free(file);
  generate("request_slot");
  edit("request_slot.v", "endmodule", "  wire ;\nendmodule");
  refused("request_slot", "/request_slot.v:");
  generate("request_slot");
  edit("request_slot.v", "reg                valid_q", "reg [1:0] valid_q");
  refused("request_slot",
          "/request_slot.v: valid_q in TOP.request_slot is 1 rows of 2 bits, declared are 1 of 1");
  generate("request_slot");
  edit("request_slot.v", "module request_slot", "module my_slot");
  refused("request_slot", "");
}

/* A module inside, or a port of it, is missing, or the port has another width. */
static void test_inside(void **state) {
  (void)state;
  generate("sm_mem");
  edit("sched.v", "module sched ", "module other ");
  refused("sm_mem", "/sm_mem.v:");
  assert_non_null(strstr(t.why.text, "sched"));
  generate("sm_mem");
  edit("sm_mem.v", "    .enq_valid(", "    .enq_value(");
  refused("sm_mem", "/sm_mem.v:");
  assert_non_null(strstr(t.why.text, "enq_value"));
  generate("sm_mem");
  edit("request_slot.v", "input  wire [LINE_W-1:0]", "input  wire [LINE_W:0]");
  refused("sm_mem", "/sm_mem.v:");
  assert_non_null(strstr(t.why.text, "enq_line"));
}

/* A run of few cycles uses a model compiled for speed if there is one. */
static void test_fast_is_taken(void **state) {
  (void)state;
  struct hd_dut_lib lib[3];
  generate("request_slot");
  for (int i = 0; i < 3; i++)
    if (hd_dut_build(t.design, "request_slot", t.work,
                     (struct hd_dut_want){.rtl = dir, .quick = i > 0, .inside = i == 2}, &lib[i],
                     &t.why) != HD_OK)
      fail_msg("%s", t.why.text);
  assert_string_equal(lib[0].dir, lib[1].dir);
  assert_string_not_equal(lib[0].dir, lib[2].dir);
  for (int i = 0; i < 3; i++)
    hd_dut_unload(&lib[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_unedited), cmocka_unit_test(test_mistake),       cmocka_unit_test(test_refused),
      cmocka_unit_test(test_inside),   cmocka_unit_test(test_fast_is_taken),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
