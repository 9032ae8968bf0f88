/* Power: gates, their toggles, sums worked out by hand, samples, SAIF, and the energy of a GPU's run. */
#include "area/gpu_energy.h"
#include "synth/power/report.h"
#include "synth/power/sample.h"
#include "tests/unit/power/power_rig.h"

static uint64_t truth_of(const char *cell) {
  const struct hd_lib_cell *c = hd_lib_find(&lib, cell);
  uint64_t truth;
  assert_non_null(c);
  assert_true(hd_lib_truth(c, hd_lib_output(c), 6, &truth));
  return truth;
}

static void functions_are_truth_tables(void **state) {
  (void)state;
  assert_int_equal(truth_of("INV_X1"), 1);
  assert_int_equal(truth_of("NAND2_X1"), 7);
  assert_int_equal(truth_of("NOR2_X1"), 1);
  assert_int_equal(truth_of("XOR2_X1"), 6);
  assert_int_equal(truth_of("MUX2_X1"), 0xca);  /* inputs A, B, S: S ? B : A */
  assert_int_equal(truth_of("AOI21_X1"), 0x15); /* A, B1, B2 */
  assert_int_equal(truth_of("TIE1_X1"), 1);
  uint64_t truth;
  const struct hd_lib_cell *dff = hd_lib_find(&lib, "DFF_X1");
  assert_false(hd_lib_truth(dff, hd_lib_output(dff), 6, &truth));
  assert_true(dff->plain && !strcmp(dff->data, "D") && !strcmp(dff->clock, "CK"));
  assert_false(
      hd_lib_truth(hd_lib_find(&lib, "NAND3_X1"), hd_lib_output(hd_lib_find(&lib, "NAND3_X1")), 2, &truth));
}

static void any_librarys_functions_and_energies(void **state) {
  (void)state;
  put("odd.lib",
      "library (odd) { capacitive_load_unit (1, pf); leakage_power_unit : \"1uW\"; nom_voltage : 2;\n"
      "  power_lut_template (t) { variable_1 : total_output_net_capacitance; variable_2 : "
      "input_net_transition; }\n"
      "  cell (f) { ff (q, n) { next_state : \"d\"; clocked_on : \"c\"; } pin (c) { direction : input; }\n"
      "    pin (d) { direction : input; } pin (y) { direction : output; function : \"q\"; } }\n"
      "  cell (b) { area : 1; pin (a) { direction : input; capacitance : 0.1; } pin (y) { direction : "
      "output;\n"
      "    function : \"a\"; } }\n"
      "  cell (g) { area : 1; pin (a) { direction : input; } pin (b) { direction : input; }\n"
      "    pin (c) { direction : input; } pin (y) { direction : output; function : \"(a b' + !c)^1\";\n"
      "    internal_power () { related_pin : \"a\";\n"
      "      rise_power (t) { index_1 (\"1, 3\"); index_2 (\"5, 6\"); values (\"10, 11\", \"20, 21\"); }\n"
      "      fall_power (t) { index_1 (\"1, 3\"); index_2 (\"5, 6\"); values (\"0, 1\", \"2, 3\"); } } } } "
      "}\n");
  char *path = hd_format("%s/odd.lib", dir);
  struct hd_lib odd;
  struct hd_why why;
  uint64_t truth;
  assert_int_equal(hd_lib_read(path, &odd, &why), HD_OK);
  const struct hd_lib_cell *g = hd_lib_find(&odd, "g");
  assert_true(hd_lib_truth(g, hd_lib_output(g), 6, &truth));
  assert_int_equal(truth, (uint8_t)~0x2f); /* a and not b: 0x22; not c: 0x0f */
  /* at 2 pF: half way, 15 rising and 1 falling; 8 pJ on the mean */
  NEAR(hd_lib_energy(&odd, hd_lib_output(g), 2000), 8000);
  NEAR(hd_lib_energy(&odd, hd_lib_output(g), 9000), 11000); /* beyond the table the value at its end */
  NEAR(odd.volts, 2);
  hd_lib_free(&odd);
  free(path);
}

static void energies_inside_cells(void **state) {
  (void)state;
  static const struct {
    const char *cell, *pin;
    double ff; /* internal nodes that swing, by cells45.def */
  } cells[] = {{"INV_X1", "Z", 1.97},
               {"INV_X4", "Z", 4 * 1.97},
               {"NAND2_X1", "Z", 1.97 + 1.5 * .73}, /* A1 has one more drain, A2 has two */
               {"BUF_X1", "Z", .53 * 1.97 + 1.57 + .22 + 1.97}};
  for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
    assert_true(fabs(hd_lib_energy(&lib, hd_lib_pin(hd_lib_find(&lib, cells[i].cell), cells[i].pin), 10) -
                     .5 * 1.21 * cells[i].ff) < 6e-4); /* the file has three digits */
  const struct hd_lib_cell *dff = hd_lib_find(&lib, "DFF_X1");
  NEAR(hd_lib_energy(&lib, hd_lib_pin(dff, "CK"), 0), 3.45);
  NEAR(hd_lib_energy(&lib, hd_lib_pin(dff, "D"), 0), 3.6);
  NEAR(hd_lib_energy(&lib, hd_lib_pin(dff, "Q"), 0), 4.2);
}

/* --- gates: q toggles in every cycle in which `go` is 1: d = go ^ q --------------------------------------- */

static const char toggler[] =
    "{\"modules\": {\"t\": {\"ports\": {\"clk\": {\"direction\": \"input\", \"bits\": [2]},"
    " \"go\": {\"direction\": \"input\", \"bits\": [3]}, \"out\": {\"direction\": \"output\", \"bits\": "
    "[4]}},"
    " \"cells\": {\"x\": {\"type\": \"%s\", \"connections\": {\"A\": [3], \"B\": [%d], \"Z\": [5]}},"
    " \"q_reg\": {\"type\": \"DFF_X1\", \"connections\": {\"CK\": [2], \"D\": [5], \"Q\": [4]}}%s},"
    " \"netnames\": {\"q_q\": {\"hide_name\": 0, \"bits\": [4]}}}}}";

static enum hd_rc read_gates(const char *type, int input, const char *more, struct hd_gates *g,
                             struct hd_why *why) {
  char *text = hd_format(toggler, type, input, more), *path = hd_format("%s/netlist.json", dir);
  put("netlist.json", text);
  const enum hd_rc rc = hd_gates_read(path, "t", &lib, g, why);
  free(text);
  free(path);
  return rc;
}

static void cycle(struct hd_gates *g, bool go) {
  hd_gates_set(g, 3, go);
  hd_gates_settle(g);
  hd_gates_edge(g);
}

static void gates_toggle_and_cost(void **state) {
  (void)state;
  struct hd_gates g;
  struct hd_why why;
  assert_int_equal(read_gates("XOR2_X1", 4, "", &g, &why), HD_OK);
  assert_int_equal(hd_bits_find(&g.name, "q_q")->net[0], 4);
  hd_gates_put(&g, 3, true);
  hd_gates_put(&g, 4, false);
  hd_gates_start(&g);
  assert_int_equal(g.value[5], 1);
  hd_gates_edge(&g);
  for (int i = 0; i < 10; i++) { /* q: 1, 0, 1, ... */
    cycle(&g, true);
    assert_int_equal(g.value[4], i % 2 == 0);
  }
  cycle(&g, false); /* q toggles once more, to 1, as d was 1; then d = q: go and q change, d does not */
  cycle(&g, false);
  assert_int_equal(g.toggles[4], 11);
  assert_int_equal(g.toggles[3], 1);
  assert_int_equal(g.toggles[5], 10);
  assert_int_equal(g.cycles, 12);
  /* by hand: q is read by one XOR2 input, d by a flip-flop, go by the other input */
  const double a_ff = hd_lib_pin(hd_lib_find(&lib, "XOR2_X1"), "A")->cap,
               b_ff = hd_lib_pin(hd_lib_find(&lib, "XOR2_X1"), "B")->cap, d_ff = 1.136;
  const double inside = hd_lib_energy(&lib, hd_lib_pin(hd_lib_find(&lib, "XOR2_X1"), "Z"), 0);
  struct hd_kinds kinds = {.n = 0};
  const struct hd_logic_energy e = hd_logic_price(&g, 1, 12, &kinds);
  NEAR(e.switching, .5 * 1.21 * (11 * b_ff + 1 * a_ff + 10 * d_ff));
  NEAR(e.internal, 11 * 4.2 + 10 * inside + 10 * 3.6);
  NEAR(e.clock, 12 * (6.9 + 1.21 * .948));
  NEAR(e.leak_nw, 79.1 + 36.2);
  assert_int_equal(kinds.n, 3); /* XOR2, DFF, inputs */
  double by_weight = 0, *weight = hd_net_weights(&g), by_kind = 0;
  for (int net = 2; net < g.nets; net++)
    by_weight += (double)g.toggles[net] * weight[net];
  for (int i = 0; i < kinds.n; i++)
    by_kind += kinds.at[i].switching + kinds.at[i].internal + kinds.at[i].clock;
  NEAR(by_weight, e.switching + e.internal);
  NEAR(by_kind, e.switching + e.internal + e.clock);
  const struct hd_logic_energy twice = hd_logic_price(&g, 2, 12, &kinds);
  NEAR(twice.switching, 2 * e.switching);
  NEAR(twice.clock, e.clock);
  free(weight);
  hd_gates_free(&g);
}

static void clock_trees(void **state) {
  (void)state;
  struct hd_logic_energy e = {0};
  double fj;
  /* 40 sinks: 3 buffers, and 1 above them */
  hd_tree_price(&lib, 40, &e, &fj);
  const struct hd_lib_pin *z = hd_lib_pin(hd_lib_find(&lib, "BUF_X1"), "Z");
  assert_int_equal(e.tree_buffers, 4);
  NEAR(fj, 4 * 2 * (hd_lib_energy(&lib, z, 0) + .5 * 1.21 * lib.driver_load));
  NEAR(e.tree_leak_nw, 4 * 21.4);
}

static void wrong_netlists_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *type;
    int input;
    const char *more, *says;
  } bad[] = {
      {"XOR2_X1", 5, "", "combinational loop"},
      {"XOR9_X1", 4, "", "neither a cell nor a RAM"},
      {"XOR2_X1", 4, ", \"y\": {\"type\": \"INV_X1\", \"connections\": {\"A\": [3], \"Z\": [5]}}",
       "two drivers"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct hd_gates g;
    struct hd_why why;
    assert_int_equal(read_gates(bad[i].type, bad[i].input, bad[i].more, &g, &why), HD_CHECK);
    assert_non_null(strstr(why.text, bad[i].says));
    hd_gates_free(&g);
  }
  struct hd_lib mute = {.name = "mute"};
  struct hd_why why;
  assert_int_equal(hd_price_need(&mute, &why), HD_INPUT);
  assert_non_null(strstr(why.text, "nom_voltage"));
}

/* --- samples, SAIF, a GPU's run ----------------------------------------------------------------------------- */

static void samples_are_carried_to_the_run(void **state) {
  (void)state;
  double scale, error;
  assert_true(hd_power_ratio((double[]){10, 20}, (double[]){1, 2}, 2, .2, 30, &scale, &error));
  NEAR(scale, 10);
  NEAR(error, 0); /* all on one line */
  /* ratio 20; two samples, each off by 10: sqrt((1 - 1/2) * 200 * 2 / 1) of 40 */
  assert_true(hd_power_ratio((double[]){10, 30}, (double[]){1, 1}, 2, .5, 6, &scale, &error));
  NEAR(scale, 3);
  NEAR(error, sqrt(200) / 40);
  /* all cycles were run, so there is no sampling error; also if there is no activity in any cycle */
  assert_true(hd_power_ratio((double[]){10, 30}, (double[]){1, 1}, 2, 1, 2, &scale, &error));
  NEAR(scale, 1);
  NEAR(error, 0);
  assert_true(hd_power_ratio((double[]){0, 0}, (double[]){0, 0}, 2, .5, 0, &scale, &error));
  NEAR(scale, 1);
  /* unknown: a single window has no error, and windows without activity say nothing about the others */
  assert_false(hd_power_ratio((double[]){10}, (double[]){1}, 1, .5, 6, &scale, &error));
  assert_false(hd_power_ratio((double[]){0, 0}, (double[]){0, 0}, 2, .5, 6, &scale, &error));
}

static void too_little_is_refused(void **state) {
  (void)state;
  struct hd_gates g;
  struct hd_why why;
  assert_int_equal(read_gates("XOR2_X1", 4, "", &g, &why), HD_OK);
  const struct hd_decl decl = {.module = "t"};
  double energy = 1, activity = 1;
  uint8_t value = 0;
  const struct hd_row row = {.name = "n", .var = "n_q"};
  const struct hd_dut_var var = {&value, 1, 1, 1};
  struct hd_power_part part = {.decl = &decl,
                               .path = "",
                               .netlist = "n",
                               .to = 1,
                               .gates = g,
                               .energy = &energy,
                               .activity = &activity,
                               .windows = 1};
  struct hd_power_watch w = {.lib = &lib, .top = "t", .sample = 2, .part = &part, .parts = 1};
  hd_toggles_add(&w.toggles, "", &row, &var);
  w.toggles.at->toggles[0] = 1;
  w.toggles.cycles = 4096;
  struct hd_pricer pricer = {0};
  struct hd_power_report r;
  assert_int_equal(hd_power_report_make(&w, 1000, &pricer, &r, &why), HD_CHECK);
  assert_non_null(strstr(why.text, "no bit of an output or register was compared"));
  hd_power_report_free(&r);
  part.compared = 1;
  part.gates.cycles = 1024;
  assert_int_equal(hd_power_report_make(&w, 1000, &pricer, &r, &why), HD_INPUT);
  assert_non_null(strstr(why.text, "--sample 2: found 1 simulated windows, 1 of them with activity in t"));
  hd_power_report_free(&r);
  w.sample = 1;
  part.gates.cycles = 4096;
  assert_int_equal(hd_power_report_make(&w, 1000, &pricer, &r, &why), HD_OK);
  r.stimulus = "random traffic";
  json_t *json = hd_power_json(&r);
  assert_true(json_is_null(json_object_get(json, "pj_load"))); /* no load was taken */
  json_decref(json);
  hd_power_report_free(&r);
  hd_toggles_free(&w.toggles);
  hd_gates_free(&g);
}

static void toggles_as_saif(void **state) {
  (void)state;
  uint8_t value[1] = {2};
  const struct hd_row row = {.name = "n", .var = "n_q"};
  const struct hd_dut_var var = {value, 1, 2, 1};
  struct hd_toggles t = {0};
  hd_toggles_add(&t, "u_x.", &row, &var);
  hd_toggles_start(&t);
  static const uint8_t after[] = {2, 3, 3, 0, 1}; /* bit 0: 0 1 1 0 1; bit 1: 1 1 1 0 0 */
  for (size_t i = 0; i < sizeof after; i++) {
    *value = after[i];
    hd_toggles_count(&t);
  }
  assert_int_equal(hd_toggles_of(&t, 0, 1), 4);
  char *text = NULL;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  hd_toggles_saif(&t, "top", "1", 500, f);
  fclose(f);
  assert_non_null(strstr(text, "(DURATION 2500)"));
  assert_non_null(strstr(text, "(INSTANCE top\n(INSTANCE u_x\n(NET\n"));
  assert_non_null(strstr(text, "(n_q\\[0\\] (T0 1500) (T1 1000) (TX 0) (TC 3) (IG 0))"));
  assert_non_null(strstr(text, "(n_q\\[1\\] (T0 500) (T1 2000) (TX 0) (TC 1) (IG 0))") ||
                  strstr(text, "(n_q\\[1\\] (T0 1000) (T1 1500) (TX 0) (TC 1) (IG 0))"));
  free(text);
  hd_toggles_free(&t);
}

static const char run_text[] =
    "{\"workload\": \"w\", \"time_us\": 10, \"sms\": 2, \"thread_instructions\": 1000000,"
    " \"config\": {\"name\": \"c\", \"l1d\": {\"sets\": 32, \"ways\": 4, \"line_bytes\": 128}, \"icnt\": "
    "{\"flit_bytes\": 32}},"
    " \"l1d\": {\"accesses\": 1000, \"hits\": 400, \"misses\": 600},"
    " \"gpu\": {\"icnt\": {\"up_flits\": 600, \"down_flits\": 400}, \"dram\": {\"reads\": 90, \"writes\": "
    "10}},"
    " \"energy\": {\"node_nm\": 45, \"access_nj\": 1000, \"leak_nj\": 2000, \"wake_nj\": 500, \"added_nj\": "
    "100,"
    " \"total_nj\": 3600}}";

static void energy_of_a_gpus_run(void **state) {
  (void)state;
  json_t *run = json_loads(run_text, 0, NULL);
  struct hd_gpu_energy e;
  struct hd_why why;
  assert_int_equal(hd_gpu_energy_of(run, &e, &why), HD_OK);
  double sum = 0;
  for (int i = 0; i < e.parts; i++)
    sum += e.part[i].mid;
  NEAR(e.mid, sum);
  NEAR(e.dynamic_mid + e.static_mid, sum);
  NEAR(e.part[0].mid, 90);                /* 1 M instructions at 90 pJ */
  NEAR(e.icnt_mid, 1000 * 256 * 2.3e-6);  /* flits of 32 bytes */
  NEAR(e.dram_mid, 100 * 1024 * 15.4e-6); /* lines of 128 bytes */
  NEAR(e.l2_mid, 3.6);
  NEAR(e.part[e.parts - 2].mid, 2 * 1.59 * 10); /* W times us */
  NEAR(e.part[e.parts - 1].mid, 11 * 10);
  /* the L1D's tags are as wide as declared: 32 - 7 - 5 bits, with a hashed index 5 more */
  const struct hd_memory tags = {32, 20, HD_MEM_1R1W, HD_MEM_SRAM},
                         data = {128, 1024, HD_MEM_1RW, HD_MEM_SRAM};
  struct hd_mem_price tag, line;
  const struct hd_pricer model = {.node_nm = 45};
  assert_int_equal(hd_mem_price(&model, &tags, &tag, &why), HD_OK);
  assert_int_equal(hd_mem_price(&model, &data, &line, &why), HD_OK);
  NEAR(e.l1d_mid,
       1e-6 * (1000 * 4 * tag.read_pj + 400 * line.read_pj + 600 * (line.write_pj + tag.write_pj)));
  json_t *l1d = json_object_get(json_object_get(run, "config"), "l1d");
  struct hd_gpu_energy hashed;
  json_object_set_new(l1d, "set_index", json_string("xor"));
  assert_int_equal(hd_gpu_energy_of(run, &hashed, &why), HD_OK);
  assert_true(hashed.l1d_mid > e.l1d_mid);
  json_object_set_new(l1d, "set_index", json_string("fermy"));
  assert_int_equal(hd_gpu_energy_of(run, &hashed, &why), HD_INPUT);
  assert_non_null(strstr(why.text, "config.l1d.set_index: \"fermy\""));
  json_object_set_new(l1d, "set_index", json_string("linear"));
  json_object_set_new(l1d, "sets", json_integer(0));
  assert_int_equal(hd_gpu_energy_of(run, &hashed, &why), HD_INPUT);
  assert_non_null(strstr(why.text, "config.l1d.sets: 0"));
  json_object_set_new(l1d, "sets", json_integer(33));
  assert_int_equal(hd_gpu_energy_of(run, &hashed, &why), HD_INPUT);
  assert_non_null(strstr(why.text, "a machine that cannot be"));
  json_object_set_new(l1d, "sets", json_integer(32));
  /* static: SMs, chip, leakage of L2 and L1D, LoSCache's own */
  NEAR(e.static_mid, 31.8 + 110 + 2 + .1 + e.part[2].mid);
  json_object_del(run, "gpu");
  assert_int_equal(hd_gpu_energy_of(run, &e, &why), HD_INPUT);
  assert_non_null(strstr(why.text, "gpu.icnt.up_flits"));
  json_decref(run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(functions_are_truth_tables),
                                     cmocka_unit_test(any_librarys_functions_and_energies),
                                     cmocka_unit_test(energies_inside_cells),
                                     cmocka_unit_test(gates_toggle_and_cost),
                                     cmocka_unit_test(clock_trees),
                                     cmocka_unit_test(wrong_netlists_are_refused),
                                     cmocka_unit_test(samples_are_carried_to_the_run),
                                     cmocka_unit_test(too_little_is_refused),
                                     cmocka_unit_test(toggles_as_saif),
                                     cmocka_unit_test(energy_of_a_gpus_run)};
  return cmocka_run_group_tests(tests, make_lib, drop_lib);
}
