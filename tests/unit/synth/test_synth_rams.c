/* RAMs in the flow: they stay macros with all their pins and are timed as macros. Arrays that become no macro are reported by name. */
#include "tests/unit/synth/synth_rig.h"

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
  /* a pin, a bit of a pin or output that is tied to 0 or 1 is not unconstrained */
  if (t->timing.unconstrained)
    fail_msg("unconstrained:%s", t->timing.unconstrained_names);
  assert_non_null(strstr(t->timing.path[HD_PATH_REG_REG].from, "ram/rdata"));
  assert_true(t->timing.path[HD_PATH_REG_REG].delay_ps > t->net.macro[0].price.access_ns * 1000);
  hd_synth_free(&r);
}

/* All kinds at once. Black boxes stand for the RTL's own wrappers, which can't even be read here. */
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
    /* priced as the plain memory */
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
  assert_null(strstr(t->timing.path[HD_PATH_REG_REG].to, "_reg")); /* setup of sleep and addresses counts */
  free(path);
  free(lib);
  hd_synth_free(&r);
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(macros_of_another_node_are_warned_of),
      cmocka_unit_test(rams_stay_macros_and_are_timed),
      cmocka_unit_test(masked_rams_are_macros_with_all_their_pins),
      cmocka_unit_test(arrays_that_become_flipflops_are_named),
  };
  return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
