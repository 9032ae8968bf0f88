/* Flows: small Verilog through Yosys and OpenSTA, its cost, and refusals; and how many bits a design declares. */
#include <math.h>

#include "tests/unit/synth/synth_rig.h"

#include <sys/stat.h>

#include "arch/declaration/declaration.h"

static void unconstrained_endpoints_are_named(void **state) {
  (void)state;
  need_tools();
  struct hd_synth_report r;
  struct hd_why why = {""};
  if (synth("module top (input clk, input clk2, input d, output reg q, output reg [1:0] p);\n"
            "  always @(posedge clk) q <= d;\n  always @(posedge clk2) p <= {p[0], d};\nendmodule\n",
            "top", 3, &r, &why) != HD_OK)
    fail_msg("%s", why.text);
  assert_int_equal(r.result[0].timing.unconstrained, 4);
  assert_non_null(strstr(r.result[0].timing.unconstrained_names, " p[1]_reg/D"));
  hd_synth_free(&r);
}

static const char counter[] =
    "module counter (input clk, input rst, input en, output reg [7:0] n);\n"
    "  always @(posedge clk) if (rst) n <= 0; else if (en) n <= n + 1;\nendmodule\n";

static void a_counter_is_priced(void **state) {
  (void)state;
  need_tools();
  struct hd_synth_report r;
  struct hd_why why = {""};
  if (synth(counter, "counter", 8, &r, &why) != HD_OK)
    fail_msg("%s", why.text);
  const struct hd_synth_result *c = &r.result[0];
  assert_string_equal(r.lib, "heddle45");
  assert_int_equal(c->net.flipflops, 8);
  assert_int_equal(c->net.macros, 0);
  assert_true(c->net.cells > 8 && c->net.area_um2 > 8 * 4.5 && c->net.area_um2 < 150);
  assert_true(c->timing.fmax_mhz > 1500 && c->timing.fmax_mhz < 8000);
  const struct hd_path *worst = &c->timing.path[HD_PATH_REG_REG];
  assert_true(worst->there && worst->levels >= 2);
  assert_non_null(strstr(worst->from, "n[")); /* named by the RTL's register */
  assert_non_null(strstr(worst->to, "n["));
  assert_true(c->timing.path[HD_PATH_IN_REG].there && c->timing.path[HD_PATH_REG_OUT].there);
  assert_false(c->timing.path[HD_PATH_IN_OUT].there);
  assert_int_equal(c->timing.unconstrained, 0);

  json_t *json = hd_synth_json(&r);
  assert_int_equal(json_integer_value(json_object_get(json, "flipflops")), 8);
  assert_int_equal(json_integer_value(json_object_get(json, "declared_bits")), 8);
  const double fmax = json_real_value(json_object_get(json, "fmax_mhz")),
               low = json_real_value(json_object_get(json, "fmax_low_mhz")),
               high = json_real_value(json_object_get(json, "fmax_high_mhz"));
  assert_true(fmax > 1500 && fabs(low * 1.09 / fmax - 1) < 1e-9 && fabs(high * 0.97 / fmax - 1) < 1e-9);
  /* another library's clock is its own; a macro's own cycle bounds both ends */
  double to;
  struct hd_synth_report other = {.lib = "osu018"}, ours = {.lib = "heddle45"};
  struct hd_timing slow = c->timing;
  assert_false(hd_synth_tolerance(&other, &slow, &to, &to));
  double from;
  slow.macro_cycle_ns = 1;
  assert_true(hd_synth_tolerance(&ours, &slow, &from, &to));
  assert_true(from == 1000 && to == 1000);
  json_decref(json);
  hd_synth_free(&r);
}

static const char pair[] = "module pair (input clk, input rst, input en, output [15:0] n);\n"
                           "  counter a (.clk(clk), .rst(rst), .en(en), .n(n[7:0]));\n"
                           "  counter b (.clk(clk), .rst(rst), .en(n[7]), .n(n[15:8]));\nendmodule\n";

/* A module's price is its own. It is the same beside files that are not part of it, even unreadable ones, in a design of several
 * modules, and below a directory with spaces. */
static void a_price_depends_on_the_module_alone(void **state) {
  (void)state;
  need_tools();
  put_module("one", "counter", counter);
  put_module("a few more", "counter", counter);
  put_module("a few more", "pair", pair);
  put_module("a few more", "aaa", "module aaa (input clk, output q) wire; endmodule\n");
  static const struct hd_synth_module alone = {.name = "counter", .declared_bits = 8},
                                      both[] = {{.name = "pair", .declared_bits = 16},
                                                {.name = "counter", .declared_bits = 8}};
  char *one = hd_format("%s/one", dir), *more = hd_format("%s/a few more", dir);
  char *work = hd_format("%s/work of one", dir), *more_work = hd_format("%s/work of\tmore", dir);
  const struct hd_synth_job job = {one, &alone, 1, NULL, work, {.node_nm = 45}, .timeout_s = 120};
  const struct hd_synth_job more_job = {more, both, 2, NULL, more_work, {.node_nm = 45}, .timeout_s = 120};
  struct hd_synth_report r, more_r;
  struct hd_why why = {""};
  if (hd_synth_run(&job, &r, &why) != HD_OK || hd_synth_run(&more_job, &more_r, &why) != HD_OK)
    fail_msg("%s", why.text);
  const struct hd_synth_result *a = &r.result[0], *b = &more_r.result[1];
  assert_int_equal(a->net.cells, b->net.cells);
  assert_true(a->net.area_um2 == b->net.area_um2 && a->timing.fmax_mhz == b->timing.fmax_mhz);
  assert_int_equal(more_r.result[0].net.flipflops, 16);
  hd_synth_free(&r);
  hd_synth_free(&more_r);
  free(one);
  free(more);
  free(work);
  free(more_work);
}

/* One of a pair is taken out. The other remains, with ports where the two met. No clock goes out. */
static void instances_that_do_not_count_are_left_out(void **state) {
  (void)state;
  need_tools();
  put_module("pairs", "counter", counter);
  put_module("pairs", "pair", pair);
  static const struct hd_synth_module left = {
      .name = "first", .declared_bits = 8, .of = "pair", .others = " pair/b"};
  char *rtl_dir = hd_format("%s/pairs", dir), *work = hd_format("%s/work of pairs", dir);
  const struct hd_synth_job job = {rtl_dir, &left, 1, NULL, work, {.node_nm = 45}, .timeout_s = 120};
  struct hd_synth_report r;
  struct hd_why why = {""};
  if (hd_synth_run(&job, &r, &why) != HD_OK)
    fail_msg("%s", why.text);
  assert_string_equal(r.result[0].name, "first");
  assert_int_equal(r.result[0].net.flipflops, 8);
  assert_int_equal(r.result[0].timing.unconstrained, 0);
  assert_true(r.result[0].timing.path[HD_PATH_REG_OUT].there);
  char *path = hd_format("%s/heddle45/first/netlist.v", work), *netlist = hd_slurp(path);
  assert_non_null(strstr(netlist, "output b_en;"));
  assert_non_null(strstr(netlist, "input [7:0] b_n;"));
  assert_null(strstr(netlist, "b_clk"));
  free(netlist);
  free(path);
  hd_synth_free(&r);
  free(rtl_dir);
  free(work);
}

static void wrong_declarations_are_found(void **state) {
  (void)state;
  need_tools();
  struct hd_synth_report r;
  struct hd_why why = {""};
  assert_int_equal(synth(counter, "counter", 9, &r, &why), HD_CHECK);
  assert_non_null(strstr(why.text, "counter: 9 bits declared, 8 found"));
  hd_synth_free(&r);
}

static void bad_rtl_is_refused(void **state) {
  (void)state;
  need_tools();
  static const struct {
    const char *rtl;
    enum hd_rc rc;
    const char *says;
  } bad[] = {
      {"module top (input clk, input g, input d, output reg q); always @* if (g) q = d; endmodule\n",
       HD_CHECK, "latch"},
      {"module top (input clk, input a, output q); wire x; assign x = a ^ y; wire y = ~x; assign q = x; "
       "endmodule\n",
       HD_CHECK, "loop"},
      {"module top (input clk, output q) wire; endmodule\n", HD_INPUT, "syntax error"},
      {"module other (input clk); endmodule\n", HD_INPUT, "top"},
      {"module top (input clk, output q); nowhere u (.q(q)); endmodule\n", HD_INPUT, "nowhere"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct hd_synth_report r;
    struct hd_why why = {""};
    assert_int_equal(synth(bad[i].rtl, "top", -1, &r, &why), bad[i].rc);
    if (!strstr(why.text, bad[i].says))
      fail_msg("'%s' does not say '%s'", why.text, bad[i].says);
    hd_synth_free(&r);
  }
}

/* Three rows of two bits behind hd_icg, and one more latch, whose register is left unassigned, or none. */
static const char latched[] =
    "module top (input clk, input [2:0] we, input [1:0] d, input g, output [5:0] q, output reg l);\n"
    "  reg [1:0] taken; reg [5:0] m; wire [2:0] open; assign q = m;\n"
    "  always @(posedge clk) taken <= d;\n"
    "  genvar r; generate for (r = 0; r < 3; r = r + 1) begin : row\n"
    "    hd_icg i (.clk(clk), .en(we[r]), .gclk(open[r]));\n"
    "    always @* if (open[r]) m[r*2 +: 2] = taken;\n"
    "  end endgenerate\n"
    "  always %s l = d[0];\nendmodule\n";

static void declared_latches_are_taken_and_no_others(void **state) {
  (void)state;
  need_tools();
  static const struct {
    const char *always;
    long bits, latches, rows;
    enum hd_rc rc;
    const char *says, *lib;
  } of[] = {
      {"@*", 8, 6, 3, HD_OK, "", NULL},
      {"@* if (g)", 8, 6, 3, HD_CHECK, "6 latches in 3 rows declared, 7 found with 3 clock-gating cells",
       NULL},
      {"@*", 8, 6, 2, HD_CHECK, "6 latches in 2 rows declared, 6 found with 3", NULL},
      {"@*", 8, 0, 0, HD_CHECK, "latch", NULL},
      {"@*", 8, 6, 3, HD_INPUT, "found no plain latch that is open while its clock is 1", "no_latch.lib"}};
  char *heddle45 = NULL;
  struct hd_why why = {""};
  assert_int_equal(hd_synth_lib_path(NULL, dir, &heddle45, &why), HD_OK);
  char *text = hd_slurp(heddle45), *latch = strstr(text, "  cell (DLH_X1)"),
       *tie = strstr(text, "  cell (TIE");
  assert_true(latch && tie > latch);
  memmove(latch, tie, strlen(tie) + 1);
  put("no_latch.lib", text);
  free(text);
  free(heddle45);
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    char *rtl = hd_format(latched, of[i].always);
    put_module("latched", "top", rtl);
    char *rtl_dir = hd_format("%s/latched", dir), *work = hd_format("%s/work of latches %zu", dir, i),
         *lib = of[i].lib ? hd_format("%s/%s", dir, of[i].lib) : NULL;
    const struct hd_synth_module module = {
        .name = "top", .declared_bits = of[i].bits, .latches = of[i].latches, .rows = of[i].rows};
    const struct hd_synth_job job = {rtl_dir, &module, 1, lib, work, {.node_nm = 45}, .timeout_s = 0};
    struct hd_synth_report r;
    const enum hd_rc rc = hd_synth_run(&job, &r, &why);
    if (rc != of[i].rc)
      fail_msg("%zu: %d, %s", i, (int)rc, why.text);
    if (of[i].rc != HD_OK && !strstr(why.text, of[i].says))
      fail_msg("'%s' does not say '%s'", why.text, of[i].says);
    if (of[i].rc == HD_OK) {
      assert_true(r.result[0].net.latches == 6 && r.result[0].net.rows == 3);
      assert_int_equal(r.result[0].net.flipflops, 2);
      assert_int_equal(r.result[0].timing.unconstrained, 0);
      /* from the register of the written data, through an open latch, to the output */
      const struct hd_path *out = &r.result[0].timing.path[HD_PATH_REG_OUT];
      assert_true(out->there && out->delay_ps > 100);
    }
    hd_synth_free(&r);
    free(rtl);
    free(rtl_dir);
    free(work);
    free(lib);
  }
}

static void missing_tools_and_files_are_said(void **state) {
  (void)state;
  struct hd_synth_report r;
  struct hd_why why = {""};
  const struct hd_synth_job job = {.rtl_dir = "/no/such/dir", .work = dir};
  char *path = hd_format("%s", getenv("PATH"));
  setenv("PATH", "/nowhere", 1);
  assert_int_equal(hd_synth_run(&job, &r, &why), HD_TOOL);
  assert_non_null(strstr(why.text, "yosys is not in PATH"));
  setenv("PATH", path, 1);
  free(path);
  hd_synth_free(&r);
  need_tools();
  assert_int_equal(hd_synth_run(&job, &r, &why), HD_INPUT);
  assert_non_null(strstr(why.text, "no directory /no/such/dir"));
  hd_synth_free(&r);
}

/* Checks the report for a Yosys that is this script, as for a failing tool. Its time limit is one second. */
static void says_of_yosys(const char *script, const char *said) {
  need_tools();
  put("bin/yosys", script);
  char *program = hd_format("%s/bin/yosys", dir), *before = hd_format("%s", getenv("PATH"));
  char *path = hd_format("%s/bin:%s", dir, before);
  assert_int_equal(chmod(program, 0755), 0);
  put_module("failing_tool", "counter", counter);
  char *rtl_dir = hd_format("%s/failing_tool", dir), *work = hd_format("%s/work of a failing tool", dir);
  const struct hd_synth_module module = {.name = "counter", .declared_bits = 8};
  const struct hd_synth_job job = {rtl_dir, &module, 1, NULL, work, {.node_nm = 45}, .timeout_s = 1};
  struct hd_synth_report r;
  struct hd_why why = {""};
  setenv("PATH", path, 1);
  assert_int_equal(hd_synth_run(&job, &r, &why), HD_TOOL);
  setenv("PATH", before, 1);
  if (!strstr(why.text, said) || !strstr(why.text, "counter/synth.log"))
    fail_msg("%s", why.text);
  hd_synth_free(&r);
  free(program);
  free(before);
  free(path);
  free(rtl_dir);
  free(work);
}

static void a_yosys_that_says_nothing_is_a_failing_tool(void **state) {
  (void)state;
  says_of_yosys("#!/bin/sh\nexit 1\n", "ended with 1 on counter and does not say why");
}
static void a_yosys_that_does_not_end_is_ended(void **state) {
  (void)state;
  says_of_yosys("#!/bin/sh\nsleep 100\n", "did not end on counter in 1 s");
}

/* inner is twice in top: 10 flip-flop bits, and 64 of RAM in two banks, each. top has 3 flip-flops of its own. */
static void declared_bits_count_instances(void **state) {
  (void)state;
  struct hd_row inner_rows[] = {{.cls = HD_REG, .count = 2, .width = 5, .mem = -1},
                                {.cls = HD_IN, .count = 1, .width = 9}};
  struct hd_mem inner_mems[] = {{.name = "m", .banks = 2, .depth = 16, .width = 2}};
  struct hd_decl inner = {
      .module = "inner", .rows = inner_rows, .mems = inner_mems, .n_rows = 2, .n_mems = 1};
  struct hd_row top_rows[] = {{.cls = HD_CAM, .count = 1, .width = 3, .mem = -1}};
  struct hd_inst insts[] = {{.name = "a", .decl = &inner}, {.name = "b", .decl = &inner}};
  struct hd_decl top = {.module = "top", .rows = top_rows, .insts = insts, .n_rows = 1, .n_insts = 2};
  struct hd_decl *decls[] = {&inner, &top};
  const struct hd_design design = {.decls = decls, .n = 2};

  struct hd_synth_module *modules;
  assert_int_equal(hd_synth_modules_of(&design, NULL, &modules), 2);
  assert_string_equal(modules[0].name, "top");
  assert_int_equal(modules[0].declared_bits, 3 + 2 * 74);
  assert_string_equal(modules[1].name, "inner");
  assert_int_equal(modules[1].declared_bits, 74);
  free(modules);
  assert_int_equal(hd_synth_modules_of(&design, "inner", &modules), 1);
  free(modules);
  assert_int_equal(hd_synth_modules_of(&design, "nobody", &modules), -1);
}

/* The L1D of LASC: its attachments hear it by name. The table behind them does not, nor do coalescer and buffer. */
static void attachments_go_by_the_rows(void **state) {
  (void)state;
  struct hd_config c;
  struct hd_why why = {""};
  assert_int_equal(hd_config_load(&c, "configs/lasc.yaml", stderr), 0);
  struct hd_design *design = hd_design_new(&c);
  assert_non_null(design);
  struct hd_synth_module *group = hd_synth_attached(design, "l1d", &why), *modules;
  if (!group)
    fail_msg("%s", why.text);
  assert_string_equal(group->name, "l1d_attached");
  assert_string_equal(group->of, "sm_mem");
  assert_string_equal(group->others, " sm_mem/u_sched sm_mem/u_coalescer sm_mem/u_rft sm_mem/u_slot");
  long bits = 0;
  const int n = hd_synth_modules_of(design, "sm_mem", &modules);
  for (int i = 0; i < n; i++)
    for (const char *const *own = (const char *const[]){"l1d", "line_uses", "rft_line", NULL}; *own; own++)
      bits += strcmp(modules[i].name, *own) ? 0 : modules[i].declared_bits;
  assert_int_equal(group->declared_bits, bits);
  free(modules);
  free(group);

  assert_null(hd_synth_attached(design, "sm_mem", &why));
  assert_string_equal(why.text,
                      "--attached: found sm_mem, which nothing can be attached to; allowed a module in "
                      "sm_mem or l2_top; leave it out");
  hd_design_free(design);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(declared_bits_count_instances),
      cmocka_unit_test(attachments_go_by_the_rows),
      cmocka_unit_test(a_counter_is_priced),
      cmocka_unit_test(a_price_depends_on_the_module_alone),
      cmocka_unit_test(instances_that_do_not_count_are_left_out),
      cmocka_unit_test(unconstrained_endpoints_are_named),
      cmocka_unit_test(wrong_declarations_are_found),
      cmocka_unit_test(declared_latches_are_taken_and_no_others),
      cmocka_unit_test(bad_rtl_is_refused),
      cmocka_unit_test(missing_tools_and_files_are_said),
      cmocka_unit_test(a_yosys_that_says_nothing_is_a_failing_tool),
      cmocka_unit_test(a_yosys_that_does_not_end_is_ended),
  };
  return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
