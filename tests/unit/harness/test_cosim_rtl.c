/* Lockstep of Verilog that the user has edited: unedited it passes, a mistake in it is found and told with the user's file, and what
 * does not fit the declaration is refused with the file and the name.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rtl_gen/rtl.h"
#include "verif/harness/cosim.h"
#include "verif/harness/locked_dir.h"

static struct {
  struct hd_config c;
  struct hd_design *design;
  char *work, *dir; /* dir: the user's, anew for each test */
  struct hd_cosim_report r;
  struct hd_why why;
} t;

static int begin(void **state) {
  (void)state;
  const char *build = getenv("BUILD") ? getenv("BUILD") : "build";
  t.work = hd_format("%s/tests/cosim", getenv("MODELS") ? getenv("MODELS") : build);
  t.dir = hd_format("%s/tests/edited_rtl", build);
  hd_config_default(&t.c);
  t.c.sm.warps = 8;
  t.c.sm.ctas = 2;
  t.c.l1d.line_bytes = 32;
  t.c.l1d.sets = 4;
  t.c.l1d.ways = 2;
  t.c.l1d.mshrs = 4;
  t.c.l1d.mshr_merge = 2;
  if (hd_config_check(&t.c, NULL, NULL, stderr))
    return 1;
  return (t.design = hd_design_new(&t.c)) ? 0 : 1;
}

static int end(void **state) {
  (void)state;
  hd_cosim_free(&t.r);
  hd_design_free(t.design);
  hd_remove_tree(t.dir);
  free(t.work);
  free(t.dir);
  return 0;
}

static void generate(const char *module) {
  hd_remove_tree(t.dir);
  if (hd_rtl_write(t.design, module, t.dir, &t.why) != HD_OK)
    fail_msg("%s", t.why.text);
}

/* Puts another text in the place of one that is in the file once. */
static void edit(const char *file, const char *was, const char *becomes) {
  char *path = hd_format("%s/%s", t.dir, file), *text = hd_slurp(path);
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

static void run(const char *module, const char *dir, enum hd_rc rc) {
  const struct hd_cosim_job job = {.design = t.design,
                                   .module = module,
                                   .seed = 1,
                                   .cycles = 2000,
                                   .work = t.work,
                                   .rtl = dir,
                                   .no_waves = true};
  hd_cosim_free(&t.r);
  if (hd_cosim_run(&job, &t.r, &t.why) != rc)
    fail_msg("expected %d: %s", rc, t.why.text);
}

/* DIR and what follows it in a text. */
static void says(const char *text, const char *before, const char *words) {
  char *all = hd_format("%s%s%s", before, t.dir, words);
  if (!text || !strstr(text, all))
    fail_msg("found \"%s\", expected \"%s\"", text ? text : "", all);
  free(all);
}

static void test_unedited(void **state) {
  (void)state;
  generate("request_slot");
  run("request_slot", t.dir, HD_OK);
  assert_true(t.r.values_compared > 0 && t.r.mismatches == 0);
}

static void test_mistake(void **state) {
  (void)state;
  generate("request_slot");
  edit("request_slot.v", "valid_q <= enq_valid;", "valid_q <= 1'b1;");
  run("request_slot", t.dir, HD_CHECK);
  assert_int_equal(t.r.mismatches, 1);
  says(t.r.failure, "  rtl      ", "/request_slot.v\n");
  says(t.r.failure, " --rtl ", " --work");
  assert_non_null(strstr(t.r.failure, "  register  valid "));
  /* a signal more is nothing wrong */
  generate("request_slot");
  edit("request_slot.v", "endmodule", "  wire mine = valid_q;\n\nendmodule");
  run("request_slot", t.dir, HD_OK);
}

static void refused(const char *module, const char *words) {
  run(module, t.dir, HD_INPUT);
  says(t.why.text, "", words);
  assert_null(t.r.failure);
}

static void test_refused(void **state) {
  (void)state;
  hd_remove_tree(t.dir);
  refused("request_slot", ": no such directory");
  generate("request_slot");
  char *list = hd_format("%s/request_slot.f", t.dir), *file = hd_format("%s/request_slot.v", t.dir);
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

/* A module inside: it, or a port of it, is gone, or the port has another width. */
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_unedited),
      cmocka_unit_test(test_mistake),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_inside),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
