/* Clock gating: which flip-flops get a gating cell, and what a gated clock costs. */
#include "synth/power/report.h"
#include "tests/unit/power/power_rig.h"

/* q is a flip-flop behind a gating cell with the enable `go`, d = !q; clk is net 2, go 3, q 4, d 5, the gated clock 7. */
static enum hd_rc read_gates(int gate_clock, int clock, struct hd_gates *g, struct hd_why *why) {
  char *text = hd_format(
      "{\"modules\": {\"t\": {\"ports\": {\"clk\": {\"direction\": \"input\", \"bits\": [2]},"
      " \"go\": {\"direction\": \"input\", \"bits\": [3]}, \"out\": {\"direction\": \"output\", \"bits\": "
      "[4]}},"
      " \"cells\": {\"x\": {\"type\": \"INV_X1\", \"connections\": {\"A\": [4], \"Z\": [5]}},"
      " \"hd_icg_0\": {\"type\": \"CLKGATE_X1\", \"connections\": {\"CK\": [%d], \"E\": [3], \"GCK\": [7]}},"
      " \"q_reg\": {\"type\": \"DFF_X1\", \"connections\": {\"CK\": [%d], \"D\": [5], \"Q\": [4]}}},"
      " \"netnames\": {\"q_q\": {\"hide_name\": 0, \"bits\": [4]}}}}}",
      gate_clock, clock);
  put("netlist.json", text);
  char *path = hd_format("%s/netlist.json", dir);
  const enum hd_rc rc = hd_gates_read(path, "t", &lib, g, why);
  free(path);
  free(text);
  return rc;
}

static void cycle(struct hd_gates *g, bool go) {
  hd_gates_set(g, 3, go);
  hd_gates_settle(g);
  hd_gates_edge(g);
}

static void a_gated_clock_costs_where_it_runs(void **state) {
  (void)state;
  struct hd_gates g;
  struct hd_why why;
  assert_int_equal(read_gates(2, 7, &g, &why), HD_OK);
  hd_gates_put(&g, 3, false);
  hd_gates_put(&g, 4, false);
  hd_gates_start(&g);
  hd_gates_edge(&g); /* d is 1, and the clock is stopped */
  static const int go[] = {0, 0, 1, 1, 0, 0}, q[] = {0, 0, 0, 1, 0, 0};
  for (int i = 0; i < 6; i++) {
    cycle(&g, go[i]);
    assert_int_equal(g.value[4], q[i]);
  }
  assert_int_equal(g.clockgates, 1);
  assert_int_equal(g.clockgate[0].sinks, 1);
  assert_int_equal(g.clockgate[0].on, 2);
  NEAR(hd_clocked(&g), 2. / 6);
  struct hd_kinds kinds = {.n = 0};
  const struct hd_logic_energy e = hd_logic_price(&g, 1, 6, &kinds);
  NEAR(e.clock, 2 * (6.9 + 1.21 * .948) + 6 * (4.9 + 1.21 * 1.84) + 2 * 10.2);
  NEAR(e.leak_nw, 79.1 + 14.4 + 48.6);
  NEAR(e.tree, 0); /* one pin above the cell, one below */
  hd_gates_free(&g);
}

static void clocks_of_elsewhere_are_refused(void **state) {
  (void)state;
  struct hd_gates g;
  struct hd_why why;
  assert_int_equal(read_gates(2, 5, &g, &why), HD_CHECK);
  assert_non_null(strstr(why.text, "neither an input nor a gating cell's"));
  hd_gates_free(&g);
  assert_int_equal(read_gates(4, 7, &g, &why), HD_CHECK);
  assert_non_null(strstr(why.text, "the clock of a gating cell of the netlist is no input"));
  hd_gates_free(&g);
}

/* --- inserting ------------------------------------------------------------------------------------------------ */

/* 130 flip-flops of enable 3, 3 of enable 4. */
static void groups_get_gating_cells(void **state) {
  (void)state;
  json_t *cells = json_object();
  for (int i = 0; i < 133; i++) {
    char *name = hd_format("f%d", i);
    json_object_set_new(cells, name,
                        json_pack("{s:s, s:{s:s}, s:{s:[i], s:[i], s:[i], s:[i]}}", "type", "$_DFFE_PP_",
                                  "port_directions", "E", "input", "connections", "C", 2, "E",
                                  i < 130 ? 3 : 4, "D", 10 + i, "Q", 200 + i));
    free(name);
  }
  json_t *root = json_pack("{s:{s:{s:{}, s:{}, s:o}}}", "modules", "t", "ports", "netnames", "cells", cells);
  char *from = hd_format("%s/enables.json", dir), *to = hd_format("%s/gated.json", dir);
  assert_int_equal(json_dump_file(root, from, 0), 0);
  json_decref(root);
  const struct hd_flow flow = {.top = "t", .lib = &lib, .dir = dir, .gate = 4};
  struct hd_why why;
  long gated;
  assert_int_equal(hd_gating_insert(&flow, &gated, &why), HD_OK);
  assert_int_equal(gated, 130);
  root = json_load_file(to, 0, NULL);
  cells = json_object_get(json_object_get(json_object_get(root, "modules"), "t"), "cells");
  assert_int_equal(json_object_size(cells), 133 + 3); /* at most 64 flip-flops per cell */
  int plain = 0, enabled = 0, of[3] = {0};
  const char *name;
  json_t *cell;
  json_object_foreach(cells, name, cell) {
    const char *type = json_string_value(json_object_get(cell, "type"));
    json_t *pins = json_object_get(cell, "connections");
    plain += !strcmp(type, "$_DFF_P_");
    enabled += !strcmp(type, "$_DFFE_PP_");
    if (!strcmp(type, "CLKGATE_X1")) {
      assert_int_equal(json_integer_value(json_array_get(json_object_get(pins, "E"), 0)), 3);
      assert_int_equal(json_integer_value(json_array_get(json_object_get(pins, "CK"), 0)), 2);
    } else if (!strcmp(type, "$_DFF_P_")) {
      const long clock = (long)json_integer_value(json_array_get(json_object_get(pins, "C"), 0)) - 333;
      assert_true(clock >= 0 && clock < 3 && !json_object_get(pins, "E")); /* new nets */
      of[clock]++;
    }
  }
  assert_int_equal(plain, 130);
  assert_int_equal(enabled, 3);
  for (int i = 0; i < 3; i++)
    assert_true(of[i] == 43 || of[i] == 44);
  json_decref(root);
  free(from);
  free(to);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_gated_clock_costs_where_it_runs),
                                     cmocka_unit_test(clocks_of_elsewhere_are_refused),
                                     cmocka_unit_test(groups_get_gating_cells)};
  return cmocka_run_group_tests(tests, make_lib, drop_lib);
}
