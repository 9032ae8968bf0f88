/* Libraries and flows: the liberty files written and read, small Verilog through Yosys and OpenSTA, what is
 * refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arch/kit.h"
#include "synth/synth.h"

static char *dir;

static int make_dir(void **state) {
  (void)state;
  dir = hd_format("/tmp/hd-synth-XXXXXX");
  return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state) {
  (void)state;
  const char *const argv[] = {"rm", "-rf", dir, NULL};
  hd_run(argv, NULL, "/dev/null", 10);
  free(dir);
  return 0;
}

static void put(const char *name, const char *text) {
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

/* --- libraries ------------------------------------------------------------------------------------------ */

static void heddle45_is_a_library(void **state) {
  (void)state;
  char *path = hd_format("%s/h.lib", dir), *again = hd_format("%s/h2.lib", dir);
  struct hd_why why;
  struct hd_lib lib;
  assert_int_equal(hd_heddle45_write(path, &why), HD_OK);
  assert_int_equal(hd_heddle45_write(again, &why), HD_OK);
  char *a = hd_slurp(path), *b = hd_slurp(again);
  assert_string_equal(a, b);
  free(a);
  free(b);
  assert_int_equal(hd_lib_read(path, &lib, &why), HD_OK);
  assert_string_equal(lib.name, "heddle45");
  assert_string_equal(lib.flipflop, "DFF_X1");
  assert_string_equal(lib.driver, "BUF_X1");
  assert_string_equal(lib.driver_pin, "Z");
  assert_true(lib.time_ps == 1 && lib.cap_ff == 1 && lib.leak_nw == 1);
  assert_true(lib.cells > 60);
  static const struct {
    const char *cell;
    double um2;
  } areas[] = {{"INV_X1", .532}, {"NAND2_X1", .798}, {"MUX2_X1", 1.862}, {"DFF_X1", 4.522}};
  for (int i = 0; i < 4; i++)
    assert_true(fabs(hd_lib_find(&lib, areas[i].cell)->area - areas[i].um2) < 1e-6);
  assert_true(hd_lib_find(&lib, "DFF_X2")->flipflop);
  assert_false(hd_lib_find(&lib, "BUF_X1")->flipflop);
  assert_null(hd_lib_find(&lib, "NAND9_X1"));
  hd_lib_free(&lib);
  free(path);
  free(again);
}

static const char strange_lib[] =
    "/* a library with other names and units */\nlibrary (odd) { time_unit : \"100ps\"; capacitive_load_unit "
    "(1,pf);\n"
    "  cell (scan) { area : 3; ff (q, qn) { next_state : \"(e d) + (e' i)\"; clocked_on : \"c\"; }\n"
    "    pin (c) { direction : input; } pin (d) { direction : input; } pin (q) { direction : output; } }\n"
    "  cell (clr) { area : 4; ff (q, qn) { next_state : \"d\"; clocked_on : \"c\"; clear : \"r\"; }\n"
    "    pin (c) { direction : input; } pin (d) { direction : input; } pin (r) { direction : input; } }\n"
    "  cell (flop) { area : 5; ff (\"q\", \"qn\") { next_state : \"d\"; clocked_on : \"c\"; }\n"
    "    pin (c) { direction : input; clock : true; } pin (d) { direction : input; }\n"
    "    pin (o) { direction : output; function : \"q\"; } }\n"
    "  cell (keep) { area : 4; latch (q, qn) { data_in : \"d\"; enable : \"g\"; } }\n"
    "  cell (not1) { area : 1; pin (i) { direction : input; capacitance : 0.002; }\n"
    "    pin (o) { direction : output; function : \"(!i)\"; timing () { related_pin : \"i\"; } } }\n"
    "%s}\n";

static void any_library_is_understood(void **state) {
  (void)state;
  char *text = hd_format(strange_lib, ""), *path = hd_format("%s/odd.lib", dir);
  struct hd_lib lib;
  struct hd_why why;
  put("odd.lib", text);
  assert_int_equal(hd_lib_read(path, &lib, &why), HD_OK);
  assert_string_equal(lib.flipflop, "flop");
  assert_string_equal(lib.driver, "not1");
  assert_true(fabs(lib.time_ps - 100) < 1e-9 && fabs(lib.cap_ff - 1000) < 1e-9);
  assert_true(hd_lib_find(&lib, "keep")->latch && hd_lib_find(&lib, "scan")->flipflop);
  hd_lib_free(&lib);
  free(text);
  /* a buffer is better than an inverter, whatever its size */
  text = hd_format(strange_lib,
                   "cell (b2) { area : 2; pin (a) { direction : input; } pin (y) { direction : output;"
                   " function : \"a\"; } }\n");
  put("odd.lib", text);
  assert_int_equal(hd_lib_read(path, &lib, &why), HD_OK);
  assert_string_equal(lib.driver, "b2");
  assert_string_equal(lib.driver_pin, "y");
  hd_lib_free(&lib);
  free(text);
  free(path);
}

static void useless_libraries_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *text, *says;
  } bad[] = {{"", "no liberty file"},
             {"root:x:0:0\n", "no liberty file"},
             {"library (a) { cell (i) { area : 1; } }", "no plain rising-edge flip-flop"},
             {"library (a) { cell (f) { ff (q,n) { next_state : \"d\"; clocked_on : \"c\"; } pin (c) { "
              "direction : input; }"
              " pin (d) { direction : input; } } }",
              "neither a buffer nor an inverter"}};
  char *path = hd_format("%s/bad.lib", dir);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct hd_lib lib;
    struct hd_why why;
    put("bad.lib", bad[i].text);
    assert_int_equal(hd_lib_read(path, &lib, &why), HD_INPUT);
    assert_non_null(strstr(why.text, bad[i].says));
    hd_lib_free(&lib);
  }
  free(path);
  char *lib_path;
  struct hd_why why;
  assert_int_equal(hd_synth_lib_path("/no/such.lib", dir, &lib_path, &why), HD_INPUT);
  assert_non_null(strstr(why.text, "/no/such.lib"));
}

/* --- flows ---------------------------------------------------------------------------------------------- */

static void need_tools(void) {
  if (hd_have_tool("yosys") && hd_have_tool("sta"))
    return;
  print_message("skipped: yosys or sta is missing\n");
  skip();
}

static void put_module(const char *where, const char *module, const char *text) {
  char *name = hd_format("%s/%s.v", where, module);
  put(name, text);
  free(name);
}

static enum hd_rc synth(const char *rtl, const char *top, long bits, struct hd_synth_report *report,
                        struct hd_why *why) {
  put_module("rtl", top, rtl);
  char *rtl_dir = hd_format("%s/rtl", dir), *work = hd_format("%s/work", dir);
  const struct hd_synth_module module = {top, bits};
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
  assert_true(json_real_value(json_object_get(json, "fmax_mhz")) > 1500);
  json_decref(json);
  hd_synth_free(&r);
}

static const char pair[] = "module pair (input clk, input rst, input en, output [15:0] n);\n"
                           "  counter a (.clk(clk), .rst(rst), .en(en), .n(n[7:0]));\n"
                           "  counter b (.clk(clk), .rst(rst), .en(n[7]), .n(n[15:8]));\nendmodule\n";

/* A module's price is its own: the same beside files that are not in it, even unreadable ones, in a design of
 * several modules, and below a directory with spaces. */
static void a_price_depends_on_the_module_alone(void **state) {
  (void)state;
  need_tools();
  put_module("one", "counter", counter);
  put_module("a few more", "counter", counter);
  put_module("a few more", "pair", pair);
  put_module("a few more", "aaa", "module aaa (input clk, output q) wire; endmodule\n");
  static const struct hd_synth_module alone[] = {{"counter", 8}}, both[] = {{"pair", 16}, {"counter", 8}};
  char *one = hd_format("%s/one", dir), *more = hd_format("%s/a few more", dir);
  char *work = hd_format("%s/work of one", dir), *more_work = hd_format("%s/work of\tmore", dir);
  const struct hd_synth_job job = {one, alone, 1, NULL, work, {.node_nm = 45}, .timeout_s = 120};
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

static void macros_of_another_node_are_warned_of(void **state) {
  (void)state;
  struct hd_macro macro = {HD_1RW, 64, 16, 0, 1, {.source = HD_MEM_BY_MODEL}};
  struct hd_synth_result result = {.name = "top", .net = {.macro = &macro, .macros = 1}};
  struct hd_synth_report report = {.lib = "heddle45", .result = &result, .results = 1, .macro_nm = 45};
  for (int i = 0; i < 3; i++) {
    snprintf(report.lib, sizeof report.lib, "%s", i == 1 ? "osu018" : "heddle45");
    report.macro_nm = i == 2 ? 32 : 45;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    hd_synth_print(&report, out);
    fclose(out);
    assert_int_equal(strstr(text, "warning: RAM macros are timed at") != NULL, i > 0);
    free(text);
  }
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

static const char ram_wrapper[] =
    "module hd_ram_1rw #(parameter DEPTH = 2, parameter WIDTH = 1) (input clk, input en, input we,\n"
    "  input [$clog2(DEPTH)-1:0] addr, input [WIDTH-1:0] wdata, output reg [WIDTH-1:0] rdata);\n"
    "  reg [WIDTH-1:0] m [0:DEPTH-1];\n"
    "  always @(posedge clk) if (en) begin if (we) m[addr] <= wdata; else rdata <= m[addr]; end\nendmodule\n";
static const char with_ram[] =
    "module top (input clk, input [5:0] a, input [15:0] d, output reg [15:0] q, output [3:0] k, output z);\n"
    "  wire [15:0] r;\n  reg [5:0] aq;\n  assign k = {a[0], 2'b10, d[0]}, z = 0;\n"
    "  hd_ram_1rw #(.DEPTH(64), .WIDTH(16)) ram (.clk(clk), .en(1'b1), .we(d[0]), .addr({aq[5:1], 1'b0}), "
    ".wdata(d), .rdata(r));\n"
    "  always @(posedge clk) begin aq <= a; q <= r + 1; end\nendmodule\n";

static void rams_stay_macros_and_are_timed(void **state) {
  (void)state;
  need_tools();
  struct hd_synth_report r;
  struct hd_why why = {""};
  put_module("rtl", "hd_ram_1rw", ram_wrapper);
  if (synth(with_ram, "top", 64 * 16 + 5 + 16, &r, &why) != HD_OK)
    fail_msg("%s", why.text);
  const struct hd_synth_result *t = &r.result[0];
  assert_int_equal(t->net.flipflops, 21);
  assert_int_equal(t->net.macro_bits, 1024);
  assert_int_equal(t->net.macros, 1);
  assert_int_equal(t->net.macro[0].depth, 64);
  assert_int_equal(t->net.macro[0].width, 16);
  assert_int_equal(t->net.arrays, 0);
  /* what is tied to 0 or 1 is none: a pin, a bit of a pin, an output, bits of an output */
  if (t->timing.unconstrained)
    fail_msg("unconstrained:%s", t->timing.unconstrained_names);
  assert_non_null(strstr(t->timing.path[HD_PATH_REG_REG].from, "ram/rdata"));
  assert_true(t->timing.path[HD_PATH_REG_REG].delay_ps > t->net.macro[0].price.access_ns * 1000);
  hd_synth_free(&r);
}

/* All kinds at once. The RTL's own wrappers can't even be read: black boxes stand for them. */
static const char with_masked_rams[] =
    "module top (input clk, input [2:0] a, input [15:0] d, input [7:0] m, input [6:0] s, output [15:0] x, y, "
    "z);\n"
    "  reg [2:0] aq;\n  reg [6:0] sq;\n  always @(posedge clk) begin aq <= a; sq <= s; end\n"
    "  hd_ram_1rw_m #(.DEPTH(5), .WIDTH(16), .MASK_W(8)) one (.clk(clk), .en(1'b1), .we(d[0]), .addr(aq),\n"
    "    .wdata(d), .wmask(m), .rdata(x));\n"
    "  hd_ram_1r1w_m #(.DEPTH(6), .WIDTH(16), .MASK_W(8)) two (.clk(clk), .we(d[0]), .waddr(a), .re(d[1]),\n"
    "    .raddr(aq), .wdata(d), .wmask(m), .rdata(y));\n"
    "  hd_ram_1rw_m_sleep #(.DEPTH(7), .WIDTH(16), .MASK_W(8)) sleepy (.clk(clk), .en(1'b1), .we(d[0]),\n"
    "    .addr(aq), .wdata(d), .wmask(m), .sleep(sq), .rdata(z));\nendmodule\n";

static void masked_rams_are_macros_with_all_their_pins(void **state) {
  (void)state;
  need_tools();
  static const struct {
    enum hd_ports ports;
    int depth;
    const char *cell;
    enum hd_mem_ports plain;
  } kinds[] = {{HD_1RW_M, 5, "hd_ram_1rw_m_5x16_8", HD_MEM_1RW},
               {HD_1R1W_M, 6, "hd_ram_1r1w_m_6x16_8", HD_MEM_1R1W},
               {HD_1RW_M_SLEEP, 7, "hd_ram_1rw_m_sleep_7x16_8", HD_MEM_1RW}};
  struct hd_synth_report r;
  struct hd_why why = {""};
  for (int k = 0; k < 3; k++) {
    char *name = hd_format("hd_ram_%s", hd_ports_name(kinds[k].ports));
    put_module("rtl", name, "this is no Verilog\n");
    free(name);
  }
  if (synth(with_masked_rams, "top", (5 + 6 + 7) * 16 + 3 + 7, &r, &why) != HD_OK)
    fail_msg("%s", why.text);
  const struct hd_synth_result *t = &r.result[0];
  char *path = hd_format("%s/heddle45/top/macros.lib", r.work), *lib = hd_slurp(path);
  assert_non_null(lib);
  assert_int_equal(t->net.macro_bits, (5 + 6 + 7) * 16);
  assert_int_equal(t->net.macros, 3);
  for (int k = 0; k < 3; k++) {
    const struct hd_macro *m = t->net.macro;
    while (m->ports != kinds[k].ports)
      assert_true(++m < t->net.macro + t->net.macros);
    assert_true(m->count == 1 && m->depth == kinds[k].depth && m->width == 16 && m->mask == 8);
    /* priced as the plain one */
    const struct hd_memory plain = {m->depth, m->width, kinds[k].plain, HD_MEM_SRAM};
    struct hd_mem_price price;
    assert_int_equal(hd_mem_price(&(struct hd_pricer){.node_nm = 45}, &plain, &price, &why), HD_OK);
    assert_true(m->price.access_ns == price.access_ns && m->price.cycle_ns == price.cycle_ns);
    char name[64], *cell = hd_format("cell (%s)", kinds[k].cell);
    hd_macro_name(m, name, sizeof name);
    assert_string_equal(name, kinds[k].cell);
    const char *at = strstr(lib, cell), *sleep = at ? strstr(at, "bus (sleep)") : NULL;
    const char *end = at ? strstr(at + 1, "cell (") : NULL, *mask = at ? strstr(at, "bus (wmask)") : NULL;
    assert_true(mask && (!end || mask < end));
    assert_int_equal(sleep && (!end || sleep < end), m->ports == HD_1RW_M_SLEEP);
    free(cell);
  }
  if (t->timing.unconstrained)
    fail_msg("unconstrained:%s", t->timing.unconstrained_names);
  assert_null(strstr(t->timing.path[HD_PATH_REG_REG].to, "_reg")); /* sleep and addresses are set up */
  free(path);
  free(lib);
  hd_synth_free(&r);
}

static void arrays_that_become_flipflops_are_named(void **state) {
  (void)state;
  need_tools();
  struct hd_synth_report r;
  struct hd_why why = {""};
  if (synth(
          "module top (input clk, input we, input [1:0] a, input [3:0] d, output [3:0] q);\n"
          "  reg [3:0] store [0:3];\n  always @(posedge clk) if (we) store[a] <= d;\n  assign q = store[a];\n"
          "endmodule\n",
          "top", 16, &r, &why) != HD_OK)
    fail_msg("%s", why.text);
  assert_int_equal(r.result[0].net.arrays, 1);
  assert_string_equal(r.result[0].net.array_names, " store ");
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

static void missing_tools_and_files_are_said(void **state) {
  (void)state;
  struct hd_synth_report r;
  struct hd_why why = {""};
  const struct hd_synth_job job = {.rtl_dir = "/no/such/dir", .work = dir};
  char *path = hd_format("%s", getenv("PATH"));
  setenv("PATH", "/nowhere", 1);
  assert_int_equal(hd_synth_run(&job, &r, &why), HD_TOOL);
  assert_non_null(strstr(why.text, "yosys is not installed"));
  setenv("PATH", path, 1);
  free(path);
  hd_synth_free(&r);
  need_tools();
  assert_int_equal(hd_synth_run(&job, &r, &why), HD_INPUT);
  assert_non_null(strstr(why.text, "no directory /no/such/dir"));
  hd_synth_free(&r);
}

static void a_yosys_that_says_nothing_is_a_failing_tool(void **state) {
  (void)state;
  need_tools();
  put("bin/yosys", "#!/bin/sh\nexit 1\n");
  char *program = hd_format("%s/bin/yosys", dir), *before = hd_format("%s", getenv("PATH"));
  char *path = hd_format("%s/bin:%s", dir, before);
  assert_int_equal(chmod(program, 0755), 0);
  struct hd_synth_report r;
  struct hd_why why = {""};
  setenv("PATH", path, 1);
  assert_int_equal(synth(counter, "counter", 8, &r, &why), HD_TOOL);
  setenv("PATH", before, 1);
  assert_non_null(strstr(why.text, "counter/synth.log"));
  hd_synth_free(&r);
  free(program);
  free(before);
  free(path);
}

/* inner is twice in top: 10 flip-flop bits and 64 of RAM in two banks each; top has 3 flip-flops of its own. */
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(heddle45_is_a_library),
      cmocka_unit_test(any_library_is_understood),
      cmocka_unit_test(useless_libraries_are_refused),
      cmocka_unit_test(declared_bits_count_instances),
      cmocka_unit_test(a_counter_is_priced),
      cmocka_unit_test(a_price_depends_on_the_module_alone),
      cmocka_unit_test(macros_of_another_node_are_warned_of),
      cmocka_unit_test(unconstrained_endpoints_are_named),
      cmocka_unit_test(wrong_declarations_are_found),
      cmocka_unit_test(rams_stay_macros_and_are_timed),
      cmocka_unit_test(masked_rams_are_macros_with_all_their_pins),
      cmocka_unit_test(arrays_that_become_flipflops_are_named),
      cmocka_unit_test(bad_rtl_is_refused),
      cmocka_unit_test(missing_tools_and_files_are_said),
      cmocka_unit_test(a_yosys_that_says_nothing_is_a_failing_tool),
  };
  return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
