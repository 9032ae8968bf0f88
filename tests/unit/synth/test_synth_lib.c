/* Libraries: liberty files written and read, and refusals. */
#include "tests/unit/synth/synth_rig.h"

#include <math.h>

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
  assert_string_equal(lib.corner, "typical");
  hd_lib_free(&lib);
  free(path);
  free(again);
}

static const char strange_lib[] =
    "/* a library with other names and units */\nlibrary (odd) { time_unit : \"100ps\"; capacitive_load_unit "
    "(1,pf); voltage_unit : \"1V\";\n"
    "  operating_conditions (slow_1v1) { voltage : 1.1; } default_operating_conditions : \"slow_1v1\";\n"
    "  wire_load (w) { capacitance : 1; } default_wire_load : w;\n"
    "  cell (scan) { area : 3; ff (q, qn) { next_state : \"(e d) + (e' i)\"; clocked_on : \"c\"; }\n"
    "    pin (c) { direction : input; } pin (d) { direction : input; } pin (q) { direction : output; } }\n"
    "  cell (clr) { area : 4; ff (q, qn) { next_state : \"d\"; clocked_on : \"c\"; clear : \"r\"; }\n"
    "    pin (c) { direction : input; } pin (d) { direction : input; } pin (r) { direction : input; } }\n"
    "  cell (flop) { area : 5; ff (\"q\", \"qn\") { next_state : \"d\"; clocked_on : \"c\"; }\n"
    "    pin (c) { direction : input; clock : true; } pin (d) { direction : input; }\n"
    "    pin (o) { direction : output; function : \"q\"; } }\n"
    "  cell (keep) { area : 4; latch (q, qn) { data_in : \"d\"; enable : \"g\"; } }\n"
    "  cell (low) { area : 1; latch (q, qn) { data_in : \"d\"; enable : \"!g\"; } pin (g) { direction : "
    "input; }\n"
    "    pin (d) { direction : input; } pin (o) { direction : output; function : \"q\"; } }\n"
    "  cell (open) { area : 4; latch (q, qn) { data_in : \"d\"; enable : \"g\"; } pin (g) { direction : "
    "input; }\n"
    "    pin (d) { direction : input; } pin (o) { direction : output; function : \"q\"; } }\n"
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
  assert_string_equal(lib.corner, "slow_1v1");
  assert_true(lib.wires);
  assert_true(hd_lib_find(&lib, "keep")->latch && hd_lib_find(&lib, "scan")->flipflop);
  assert_string_equal(lib.latch, "open"); /* a plain latch that is open while its enable is 1 */
  assert_string_equal(hd_lib_find(&lib, "open")->data, "d");
  assert_string_equal(hd_lib_find(&lib, "open")->clock, "g");
  assert_string_equal(hd_lib_output(hd_lib_find(&lib, "open"))->name, "o");
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
             {"library (a) { time_unit : \"1parsec\"; cell (i) { area : 1; } }",
              "found time_unit : 1parsec; allowed"},
             {"library (a) { time_unit : \"fast\"; cell (i) { area : 1; } }", "found time_unit : fast"},
             {"library (a) { capacitive_load_unit (1, xx); }", "found capacitive_load_unit : 1xx"},
             {"library (a) { voltage_unit : \"1mV\"; }", "found voltage_unit : 1mV"},
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(heddle45_is_a_library),
      cmocka_unit_test(any_library_is_understood),
      cmocka_unit_test(useless_libraries_are_refused),
  };
  return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
