/* Parsing the output of an FPGA's tools: texts as Yosys 0.23 and nextpnr-ecp5 0.11.1 write them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "synth/fpga/fpga.h"

static const char yosys_log[] = "3.18. Executing MEMORY_LIBMAP pass (mapping memories to cells).\n"
                                "mapping memory mrpb.u_fifo.mem via $__ECP5_PDPW16KD_\n"
                                "mapping memory psb.u_small.mem via $__TRELLIS_DPR16X4_\n"
                                "mapping memory psb.u_other.mem via $__ECP5_DP16KD_\n"
                                "using FF mapping for memory psb.\\table\n"
                                "no further mapping memory of it\n";
#define USE(io, block, dsp, ff, comb, ramw)                                                                  \
  "Info: Logic utilisation before packing:\nInfo:     Total LUT4s:      2917/83640     3%\n"                 \
  "Info: Device utilisation:\nInfo: \t          TRELLIS_IO:    " io "/    365     0%\n"                      \
  "Info: \t              DP16KD:       " block "/    208     0%\n"                                           \
  "Info: \t          MULT18X18D:       " dsp "/    156     0%\n"                                             \
  "Info: \t          TRELLIS_FF:    " ff "/  83640     2%\n"                                                 \
  "Info: \t        TRELLIS_COMB:    " comb "/  83640     3%\n"                                               \
  "Info: \t        TRELLIS_RAMW:       " ramw "/  10455     0%\n"

static const struct hd_fpga_part part = {"85k", "LFE5U-85F", "CABGA756"};

static void arrays_are_where_yosys_put_them(void **state) {
  (void)state;
  struct hd_fpga_result r = {.name = "mrpb"};
  hd_fpga_read_memories(yosys_log, &r);
  assert_int_equal(r.memories[HD_FPGA_IN_BLOCK], 2);
  assert_string_equal(r.names[HD_FPGA_IN_BLOCK], " mrpb.u_fifo.mem psb.u_other.mem");
  assert_int_equal(r.memories[HD_FPGA_IN_LUT], 1);
  assert_string_equal(r.names[HD_FPGA_IN_LUT], " psb.u_small.mem");
  assert_int_equal(r.memories[HD_FPGA_IN_FF], 1);
  assert_string_equal(r.names[HD_FPGA_IN_FF], " psb.\\table");
  for (int p = 0; p < HD_FPGA_PLACES; p++)
    free(r.names[p]);
}

static void use_is_of_the_table_after_packing(void **state) {
  (void)state;
  struct hd_fpga_result r = {.name = "mrpb"};
  struct hd_why why = {""};
  assert_int_equal(hd_fpga_read_use(USE("116", "2", "1", "1895", "2919", "7"), &part, false, &r, &why),
                   HD_OK);
  assert_int_equal(r.used[HD_FPGA_LUT], 2919);
  assert_int_equal(r.there[HD_FPGA_LUT], 83640);
  assert_int_equal(r.used[HD_FPGA_FF], 1895);
  assert_int_equal(r.used[HD_FPGA_LUT_RAM], 7);
  assert_int_equal(r.used[HD_FPGA_BLOCK], 2);
  assert_int_equal(r.there[HD_FPGA_BLOCK], 208);
  assert_int_equal(r.used[HD_FPGA_DSP], 1);
  assert_int_equal(r.used[HD_FPGA_PIN], 116);
}

static void too_much_is_said(void **state) {
  (void)state;
  struct hd_fpga_result r = {.name = "l1d"};
  struct hd_why why = {""};
  assert_int_equal(hd_fpga_read_use(USE("366", "2", "0", "1", "2", "0"), &part, false, &r, &why), HD_CHECK);
  assert_string_equal(why.text, "l1d does not fit: found 366 pins, LFE5U-85F has 365 in package CABGA756; "
                                "--out-of-context keeps the ports inside");
  assert_int_equal(hd_fpga_read_use(USE("0", "209", "0", "1", "2", "0"), &part, true, &r, &why), HD_CHECK);
  assert_string_equal(why.text, "l1d does not fit: found 209 block RAMs, LFE5U-85F has 208; "
                                "take a larger --device, or a smaller machine (--set)");
  assert_int_equal(hd_fpga_read_use("ERROR: no table\n", &part, true, &r, &why), HD_TOOL);
  assert_int_equal(hd_fpga_read_use(NULL, &part, true, &r, &why), HD_TOOL);
}

static void the_clock_is_of_the_slowest_path_between_registers(void **state) {
  (void)state;
  struct hd_fpga_result r = {.name = "m"};
  json_t *report = json_loads("{\"critical_paths\": ["
                              "{\"from\": \"<async>\", \"to\": \"posedge clk\", \"path\": [{\"from\": "
                              "{\"cell\": \"a\"}, \"to\": {\"cell\": \"b\"}}]},"
                              "{\"from\": \"posedge clk\", \"to\": \"posedge clk\", \"path\": [{\"from\": "
                              "{\"cell\": \"x_q\"}, \"to\": {\"cell\": \"l\"}},"
                              "{\"from\": {\"cell\": \"l\"}, \"to\": {\"cell\": \"y_q\"}}]}],"
                              "\"fmax\": {\"clk\": {\"achieved\": 123.5, \"constraint\": 250}}}",
                              0, NULL);
  assert_non_null(report);
  hd_fpga_read_timing(report, &r);
  assert_float_equal(r.fmax_mhz, 123.5, 1e-9);
  assert_string_equal(r.from, "x_q");
  assert_string_equal(r.to, "y_q");
  json_decref(report);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arrays_are_where_yosys_put_them),
      cmocka_unit_test(use_is_of_the_table_after_packing),
      cmocka_unit_test(too_much_is_said),
      cmocka_unit_test(the_clock_is_of_the_slowest_path_between_registers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
