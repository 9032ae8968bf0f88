/* Writes the liberty stand-ins for RAM macros, so that OpenSTA times the paths into and out of them.
 *
 * Invariant: a macro's timing comes from its price (CACTI or the embedded model) and nowhere else. Only the
 * set-up time is that of a flip-flop, because neither source has one. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "synth/liberty.h"

enum { SETUP_PS = 40, HOLD_PS = 15 };
#define OUT_PS_PER_FF 0.4 /* that of an X4 inverter, as the output driver */

void hd_macro_name(const struct hd_macro *macro, char *name, size_t room) {
  char mask[16] = "";
  if (macro->mask)
    snprintf(mask, sizeof mask, "_%d", macro->mask);
  snprintf(name, room, "hd_ram_%s_%dx%d%s", hd_ports_name(macro->ports), macro->depth, macro->width, mask);
}

static int address_bits(int depth) {
  int bits = 1;
  while (bits < 31 && 1L << bits < depth)
    bits++;
  return bits;
}

static void put_input(FILE *f, const char *name, int bits, bool bus) {
  fprintf(f, "    %s (%s) {\n", bus ? "bus" : "pin", name);
  if (bus)
    fprintf(f, "      bus_type : bus%d;\n", bits);
  fprintf(f,
          "      direction : input;\n      capacitance : %g;\n"
          "      timing () { related_pin : \"clk\"; timing_type : setup_rising;\n"
          "        rise_constraint (scalar) { values (\"%d\"); } fall_constraint (scalar) { values (\"%d\"); "
          "} }\n"
          "      timing () { related_pin : \"clk\"; timing_type : hold_rising;\n"
          "        rise_constraint (scalar) { values (\"%d\"); } fall_constraint (scalar) { values (\"%d\"); "
          "} }\n"
          "    }\n",
          HD_MACRO_PIN_FF, SETUP_PS, SETUP_PS, HOLD_PS, HOLD_PS);
}

static void put_output(FILE *f, int bits, double access_ps) {
  fprintf(
      f,
      "    bus (rdata) {\n      bus_type : bus%d;\n      direction : output;\n      max_capacitance : 240;\n"
      "      timing () { related_pin : \"clk\"; timing_type : rising_edge; timing_sense : non_unate;\n",
      bits);
  static const char *const kinds[] = {"cell_rise", "cell_fall", "rise_transition", "fall_transition"};
  for (int k = 0; k < 4; k++) {
    const double base = k < 2 ? access_ps : 5;
    fprintf(f, "        %s (load) { values (\"%.1f, %.1f\"); }\n", kinds[k], base,
            base + 100 * OUT_PS_PER_FF);
  }
  fprintf(f, "      }\n    }\n");
}

static void put_macro(FILE *f, const struct hd_macro *m) {
  char name[64];
  hd_macro_name(m, name, sizeof name);
  const int a = address_bits(m->depth);
  fprintf(f,
          "  cell (%s) {\n    area : 0;\n    interface_timing : true;\n"
          "    pin (clk) { direction : input; clock : true; capacitance : %g; min_period : %.1f; }\n",
          name, HD_MACRO_PIN_FF, m->price.cycle_ns * 1000);
  put_input(f, "we", 1, false);
  if (hd_one_port(m->ports)) {
    put_input(f, "en", 1, false);
    put_input(f, "addr", a, true);
  } else {
    put_input(f, "re", 1, false);
    put_input(f, "waddr", a, true);
    put_input(f, "raddr", a, true);
  }
  put_input(f, "wdata", m->width, true);
  if (hd_masked(m->ports))
    put_input(f, "wmask", m->mask, true);
  if (m->ports == HD_1RW_M_SLEEP)
    put_input(f, "sleep", m->depth, true);
  put_output(f, m->width, m->price.access_ns * 1000);
  fprintf(f, "  }\n");
}

static bool has_bus(const struct hd_macro *m, int bits) {
  return m->width == bits || address_bits(m->depth) == bits || m->mask == bits ||
         (m->ports == HD_1RW_M_SLEEP && m->depth == bits);
}

static void put_bus(FILE *f, int bits) {
  fprintf(f,
          "  type (bus%d) { base_type : array; data_type : bit; bit_width : %d; bit_from : %d; bit_to : 0;"
          " downto : true; }\n",
          bits, bits, bits - 1);
}

static enum hd_rc cannot(const char *path, struct hd_why *why) {
  return hd_because(why, HD_INPUT, "cannot write the macro library %s: %s", path, strerror(errno));
}

enum hd_rc hd_macro_lib_write(const char *path, const struct hd_macro *macro, int n, struct hd_why *why) {
  FILE *f = fopen(path, "w");
  if (!f)
    return cannot(path, why);
  fprintf(
      f, "library (hd_macros) {\n  delay_model : table_lookup;\n  time_unit : \"1ps\";\n"
         "  capacitive_load_unit (1, ff);\n  voltage_unit : \"1V\";\n  current_unit : \"1mA\";\n"
         "  leakage_power_unit : \"1nW\";\n  pulling_resistance_unit : \"1kohm\";\n"
         "  slew_lower_threshold_pct_rise : 30;\n  slew_upper_threshold_pct_rise : 70;\n"
         "  slew_lower_threshold_pct_fall : 30;\n  slew_upper_threshold_pct_fall : 70;\n"
         "  input_threshold_pct_rise : 50;\n  input_threshold_pct_fall : 50;\n"
         "  output_threshold_pct_rise : 50;\n  output_threshold_pct_fall : 50;\n"
         "  lu_table_template (load) { variable_1 : total_output_net_capacitance; index_1 (\"0, 100\"); }\n");
  /* each bus width once */
  int widest = HD_MEM_MAX_WIDTH;
  for (int i = 0; i < n; i++)
    if (macro[i].ports == HD_1RW_M_SLEEP && macro[i].depth > widest)
      widest = macro[i].depth;
  for (int bits = 1; bits <= widest; bits++) {
    bool used = false;
    for (int i = 0; i < n && !used; i++)
      used = has_bus(&macro[i], bits);
    if (used)
      put_bus(f, bits);
  }
  for (int i = 0; i < n; i++)
    put_macro(f, &macro[i]);
  fprintf(f, "}\n");
  return hd_close_written(f) ? HD_OK : cannot(path, why);
}
