/* From cells to a clock frequency: one OpenSTA run; see flow.h.
 *
 * OpenSTA returns status 0 after a Tcl error. So the script runs its body under catch and ends with a line of
 * its own: without "HD done" there is no answer.
 *
 * Invariant: fmax comes only from the worst register-to-register path. A module without such a path has no
 * fmax, not an infinite one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "synth/flow.h"

enum { PERIOD_PS = 1000 }; /* any value: slack is measured against it, and it is subtracted again */

/* report_checks prints one line per pin: "delay time edge instance/pin (CELL)". Each path group has one
 * block. */
static const char body[] =
    "if {[catch {\n"
    "  set ins {}\n"
    "  foreach p [all_inputs] { if {[get_property $p full_name] ne {clk}} { lappend ins $p } }\n"
    "  create_clock -name clk -period $period [get_ports clk]\n"
    "  if {[llength $ins]} {\n"
    "    set_input_delay 0 -clock clk $ins\n"
    "    set_driving_cell -lib_cell $driver -pin $driver_pin $ins\n"
    "  }\n"
    "  set outs [all_outputs]\n"
    "  if {[llength $outs]} {\n"
    "    set_output_delay 0 -clock clk $outs\n"
    "    set_load $load $outs\n"
    "  }\n"
    "  set from [all_registers -clock_pins]\n"
    "  set to [all_registers -data_pins]\n"
    /* A latch is transparent in the first half of a cycle. So paths do not end at it: they go on from its D,
     * with the time that the latch was given (time borrowing). */
    "  if {$latches} {\n"
    "    set from [concat $from [all_registers -data_pins -level_sensitive]]\n"
    "    set to [all_registers -data_pins -edge_triggered]\n"
    "  }\n"
    "  foreach e $enables { set to [concat $to [get_pins $e]] }\n"
    "  puts {HD unconstrained}\n"
    "  check_setup -verbose -unconstrained_endpoints\n"
    "  puts {HD path 0}\n"
    "  if {[llength $from] && [llength $to]} { report_checks -from $from -to $to -digits 4 }\n"
    "  puts {HD path 1}\n"
    "  if {[llength $ins] && [llength $to]} { report_checks -from $ins -to $to -digits 4 }\n"
    "  puts {HD path 2}\n"
    "  if {[llength $from] && [llength $outs]} { report_checks -from $from -to $outs -digits 4 }\n"
    "  puts {HD path 3}\n"
    "  if {[llength $ins] && [llength $outs]} { report_checks -from $ins -to $outs -digits 4 }\n"
    "  puts {HD done}\n"
    "} message]} { puts \"HD error $message\" }\n"
    "exit\n";

/* The enable pins of clock-gating cells, to be freed. */
static char *enables_of(const struct hd_flow *flow, const struct hd_netlist *net) {
  if (!net->gates && !net->rows)
    return hd_format("%s", "");
  const char *pin = hd_lib_find(flow->lib, flow->lib->gate)->data;
  return hd_format("%s%s %s%s", net->gates ? HD_GATE_NAME "*/" : "", net->gates ? pin : "",
                   net->rows ? HD_ROW_NAME "*/" : "", net->rows ? pin : "");
}

static bool write_script(const struct hd_flow *flow, const struct hd_netlist *net) {
  char *path = hd_format("%s/sta.tcl", flow->dir);
  FILE *f = fopen(path, "w");
  free(path);
  if (!f)
    return false;
  const struct hd_lib *lib = flow->lib;
  const bool macros = net->macros > 0;
  char *enables = enables_of(flow, net);
  /* the first library that is read sets the units of the commands, so it must be the cell library */
  fprintf(f, "read_liberty cells.lib\n%s", macros ? "read_liberty macros.lib\n" : "");
  fprintf(f,
          "read_verilog netlist.v\nlink_design %s\n"
          "set period %.6g\nset driver %s\nset driver_pin %s\nset load %.6g\nset enables {%s}\nset latches "
          "%d\n%s",
          flow->top, PERIOD_PS / lib->time_ps, lib->driver, lib->driver_pin, 4 * lib->driver_load, enables,
          net->latches > 0, body);
  free(enables);
  return hd_close_written(f);
}

/* Reads one report: the pins up to "data arrival time", then the slack. The line of a pin is
 *   delay  time  ^ or v  instance/pin (CELL)
 * The path allows a period of PERIOD - slack. */
static void read_path(const char *text, const char *stop, double time_ps, struct hd_path *path) {
  char first[160] = "", second[160] = "", pin[160], cell[80];
  double delay, time, slack;
  char edge;
  int pins = 0;
  bool arrived = false;
  for (const char *line = text; line < stop; line += strcspn(line, "\n") + 1) {
    if (!arrived && sscanf(line, " %lf %lf %c %159s (%79[^)])", &delay, &time, &edge, pin, cell) == 5 &&
        (edge == '^' || edge == 'v')) {
      snprintf(pins == 0 ? first : pins == 1 ? second : path->to, sizeof first, "%s", pin);
      pins++;
    } else if (strstr(line, "data arrival time") == line + strcspn(line, "d\n")) {
      arrived = true;
    } else if (sscanf(line, " %lf slack (%79[A-Z])", &slack, cell) == 2) {
      path->there = true;
      path->delay_ps = PERIOD_PS - slack * time_ps;
      break;
    }
  }
  if (pins == 2)
    snprintf(path->to, sizeof path->to, "%s", second);
  /* a path from a register begins with two pins, its clock and its output; a path from a port begins with one */
  const bool port = !strchr(first, '/');
  snprintf(path->from, sizeof path->from, "%s", port ? first : second);
  path->levels = pins - (port ? 2 : 3);
}

/* Reads OpenSTA's list, a name a line after two blanks. It leaves out endpoints tied to 0 or 1: they have no
 * path and need none. */
static void read_unconstrained(const char *text, const char *stop, const char *tied,
                               struct hd_timing *timing) {
  size_t used = 0;
  for (const char *line = text; line < stop; line += strcspn(line, "\n") + 1) {
    char name[160], whole[164];
    if (strncmp(line, "  ", 2) || sscanf(line, " %159s", name) != 1)
      continue;
    snprintf(whole, sizeof whole, "\n%s\n", name);
    if (tied && strstr(tied, whole))
      continue;
    timing->unconstrained++;
    if (used + strlen(name) + 2 <= sizeof timing->unconstrained_names)
      used += (size_t)sprintf(timing->unconstrained_names + used, " %s", name);
  }
}

static enum hd_rc read_report(const char *log, const char *log_path, const struct hd_flow *flow,
                              const struct hd_netlist *net, struct hd_timing *timing, struct hd_why *why) {
  const char *error = strstr(log, "HD error "), *failed = strstr(log, "Error: ");
  if (error || failed || !strstr(log, "HD done")) {
    const char *said = failed ? failed : error ? error + 9 : "it stopped early";
    return hd_because(why, HD_TOOL, "OpenSTA on %s: %.*s (log: %s)", flow->top, (int)strcspn(said, "\n"),
                      said, log_path);
  }
  read_unconstrained(strstr(log, "HD unconstrained"), strstr(log, "HD path 0"), net->tied, timing);
  for (int g = 0; g < HD_PATH_GROUPS; g++) {
    char mark[24], next[24];
    snprintf(mark, sizeof mark, "HD path %d", g);
    snprintf(next, sizeof next, g + 1 < HD_PATH_GROUPS ? "HD path %d" : "HD done", g + 1);
    read_path(strstr(log, mark), strstr(log, next), flow->lib->time_ps, &timing->path[g]);
  }
  double period_ps = timing->path[HD_PATH_REG_REG].delay_ps;
  for (int i = 0; i < net->macros; i++)
    if (net->macro[i].price.cycle_ns > timing->macro_cycle_ns)
      timing->macro_cycle_ns = net->macro[i].price.cycle_ns;
  if (timing->macro_cycle_ns * 1000 > period_ps)
    period_ps = timing->macro_cycle_ns * 1000;
  timing->fmax_mhz = period_ps > 0 ? 1e6 / period_ps : 0;
  return HD_OK;
}

enum hd_rc hd_opensta(const struct hd_flow *flow, const struct hd_netlist *net, struct hd_timing *timing,
                      struct hd_why *why) {
  memset(timing, 0, sizeof *timing);
  enum hd_rc rc = hd_program_need(HD_OPENSTA, why);
  if (rc != HD_OK)
    return rc;
  char *macros = hd_format("%s/macros.lib", flow->dir);
  char *log_path = hd_format("%s/sta.log", flow->dir), *log = NULL;
  rc = net->macros ? hd_macro_lib_write(macros, net->macro, net->macros, why) : HD_OK;
  if (rc == HD_OK && !write_script(flow, net))
    rc = hd_because(why, HD_TOOL, "cannot write to %s", flow->dir);
  if (rc == HD_OK) {
    const char *const args[] = {"-no_splash", "-no_init", "-exit", "sta.tcl", NULL};
    const int status = hd_program_run(HD_OPENSTA, args, flow->dir, log_path, hd_flow_limit(flow));
    log = hd_slurp(log_path);
    rc = status || !log ? hd_because(why, HD_TOOL, "OpenSTA failed on %s (log: %s)", flow->top, log_path)
                        : read_report(log, log_path, flow, net, timing, why);
  }
  free(log);
  free(log_path);
  free(macros);
  return rc;
}
