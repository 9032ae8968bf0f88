/* Writes the power intent of a design whose memories have rows that can be powered off, as UPF (IEEE Std
 * 1801-2015); see files.h and docs/integrate/flow.md, "Power intent".
 *
 * Invariant: it names only instances and ports that the Verilog has, and uses the numbers of its rows. */
#include <stdlib.h>
#include <string.h>

#include "base/version.h"
#include "rtl_gen/emit/files.h"

static bool sleeps(const struct hd_mem *m) {
  return m->ports == HD_1RW_M_SLEEP;
}

/* Writes a domain of everything in the scope, with its two supplies from outside. */
static void put_domain(FILE *f, const char *name) {
  fprintf(f,
          "create_supply_port VDD -direction in\n"
          "create_supply_port VSS -direction in\n"
          "create_supply_net VDD\n"
          "create_supply_net VSS\n"
          "connect_supply_net VDD -ports {VDD}\n"
          "connect_supply_net VSS -ports {VSS}\n"
          "create_power_domain %s -elements {.} -supply {primary}\n"
          "create_supply_set %s.primary -function {power VDD} -function {ground VSS} -update\n"
          "add_power_state -supply %s.primary \\\n"
          "  -state {ON -supply_expr {power == FULL_ON && ground == FULL_ON} -simstate NORMAL} \\\n"
          "  -state {OFF -supply_expr {power == OFF} -simstate CORRUPT}\n",
          name, name, name);
}

/* Writes a memory as a power model. A row has no instance and no port, so it is a supply and a switch of the
 * model. */
static void put_model(FILE *f, const struct hd_mem *m, unsigned wake) {
  fprintf(
      f,
      "\n"
      "# --- the memory %s: hd_ram_1rw_m_sleep, or the macro in its place\n"
      "\n"
      "begin_power_model %s_rows -for hd_ram_1rw_m_sleep\n"
      "\n"
      "# what every row hangs on: decoders, word line drivers, sense amplifiers, and the rows' switches\n",
      m->name, m->name);
  put_domain(f, "PD_MACRO");
  fprintf(f,
          "add_power_state -domain PD_MACRO \\\n"
          "  -state {ALL_ROWS_OFF -logic_expr {&sleep}} \\\n"
          "  -state {SOME_ROW_ON -logic_expr {!(&sleep)}}\n"
          "set_port_attributes -ports {clk en we addr wdata wmask sleep} -receiver_supply PD_MACRO.primary\n"
          "# isolation: the word line of a row that sleeps is kept low, so its cells drive no bit line\n"
          "set_port_attributes -ports {rdata} -driver_supply PD_MACRO.primary -is_isolated\n"
          "\n"
          "# a row: off while its bit of sleep is 1. What it held is lost: no retention\n"
          "for {set row 0} {$row < $heddle_%s_rows} {incr row} {\n"
          "  create_supply_net VDD_ROW_$row\n"
          "  create_supply_set SS_ROW_$row -function [list power VDD_ROW_$row] -function {ground VSS}\n",
          m->name);
  if (wake)
    fputs("  create_logic_net row_awake_$row\n", f);
  fputs("  create_power_switch SW_ROW_$row -domain PD_MACRO \\\n"
        "    -input_supply_port {in VDD} -output_supply_port [list out VDD_ROW_$row] \\\n"
        "    -control_port [list off \"sleep\\[$row\\]\"] \\\n",
        f);
  if (wake)
    fputs("    -ack_port [list awake row_awake_$row 1] -ack_delay [list awake ${heddle_wake_ns}ns] \\\n", f);
  fprintf(f,
          "    -on_state {ROW_ON in {!off}} -off_state {ROW_OFF {off}}\n"
          "  add_power_state -supply SS_ROW_$row \\\n"
          "    -state {ON -supply_expr {power == FULL_ON && ground == FULL_ON} -simstate NORMAL} \\\n"
          "    -state {OFF -supply_expr {power == OFF} -simstate CORRUPT}\n"
          "}\n"
          "\n"
          "end_power_model %s_rows\n",
          m->name);
}

/* Writes the design around the memories, which is always on. */
static void put_top(FILE *f) {
  fputs("\n"
        "# --- the design: one domain, always on\n"
        "\n",
        f);
  put_domain(f, "PD_TOP");
}

/* Writes one part of the text for each memory below `decl` whose rows can sleep. `path` is the path of the
 * instance: "" or with a slash at its end. Returns the number of these memories. */
enum part { NUMBERS, MODEL, USE };
static size_t put_each(FILE *f, const struct hd_decl *decl, const char *path, enum part part, unsigned wake) {
  size_t n = 0;
  for (size_t i = 0; i < decl->n_mems; i++) {
    const struct hd_mem *m = &decl->mems[i];
    if (!sleeps(m))
      continue;
    n++;
    if (part == NUMBERS)
      fprintf(f,
              "# rows of %su_%s: its DEPTH\n"
              "if {![info exists heddle_%s_rows]} { set heddle_%s_rows %u }\n",
              path, m->name, m->name, m->name, m->depth);
    else if (part == MODEL)
      put_model(f, m, wake);
    else
      fprintf(
          f, "apply_power_model %s_rows -elements {%su_%s} -supply_map {{PD_MACRO.primary PD_TOP.primary}}\n",
          m->name, path, m->name);
  }
  for (size_t i = 0; i < decl->n_insts; i++) {
    char *inner = hd_format("%s%s/", path, decl->insts[i].name);
    n += put_each(f, decl->insts[i].decl, inner, part, wake);
    free(inner);
  }
  return n;
}

char *hd_files_upf(const struct hd_set *set) {
  char *text;
  size_t size;
  unsigned mhz;
  const struct hd_config *c = set->design->c;
  const char *key = hd_design_clock(set->design, set->top->module, &mhz);
  FILE *f = hd_memory_open(&text, &size);
  fprintf(f,
          "# %s: power intent, IEEE Std 1801-2015 (UPF 3.0).\n"
          "# Configuration: %s. Generated by heddle " HD_VERSION
          ": do not edit; set a variable before this file is read.\n"
          "\n"
          "upf_version 3.0\n"
          "\n",
          set->top->module, c->name);
  const size_t n = put_each(f, set->top, "", NUMBERS, c->d.WAKE);
  if (c->d.WAKE)
    fprintf(f,
            "# ns from a switch being closed until its row may be written: loscache.wake_cycles %u, %s %u\n"
            "if {![info exists heddle_wake_ns]} { set heddle_wake_ns %.4f }\n",
            c->d.WAKE, key, mhz, c->d.WAKE * 1000.0 / mhz);
  put_each(f, set->top, "", MODEL, c->d.WAKE);
  put_top(f);
  put_each(f, set->top, "", USE, c->d.WAKE);
  hd_memory_close(f);
  if (n)
    return text;
  free(text);
  return NULL;
}
