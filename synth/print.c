/* Prints the result of a synthesis, for people and for programs. Both forms name what the figures leave out. */
#include <string.h>

#include "synth/synth.h"

static const char *const group_names[HD_PATH_GROUPS] = {"reg_to_reg", "in_to_reg", "reg_to_out", "in_to_out"};

/* True unless cells and macros are known to be of one node. Delays of two nodes do not add up to a clock, so
 * the report warns. */
static bool nodes_differ(const struct hd_synth_report *r) {
  bool macros = false;
  for (int i = 0; i < r->results; i++)
    macros |= r->result[i].net.macros > 0;
  return macros && (strcmp(r->lib, "heddle45") || r->macro_nm != 45);
}

static void print_clock(const struct hd_synth_report *report, const struct hd_timing *t, FILE *out) {
  char range[32] = "-";
  double low, high;
  if (hd_synth_tolerance(report, t, &low, &high))
    snprintf(range, sizeof range, "%.0f-%.0f", low, high);
  if (t->fmax_mhz > 0)
    fprintf(out, " %8.0f %11s", t->fmax_mhz, range);
  else
    fprintf(out, " %8s %11s", "-", "-");
}

void hd_synth_print(const struct hd_synth_report *report, FILE *out) {
  fprintf(out,
          "library %s; %s corner, ideal clock, %s, no utilisation factor; each line holds all below it\n",
          report->lib, *report->corner ? report->corner : "unnamed",
          report->wires ? "wires by the pins of a net" : "no wires");
  fprintf(out, "%-24s %8s %8s %9s %9s %11s %8s %11s %7s\n", "module", "cells", "ff", "RAM bits", "declared",
          "area um2", "MHz", "range MHz", "s");
  for (int i = 0; i < report->results; i++) {
    const struct hd_synth_result *r = &report->result[i];
    fprintf(out, "%-24s %8ld %8ld %9ld", r->name, r->net.cells, r->net.flipflops, r->net.macro_bits);
    if (r->declared_bits < 0)
      fprintf(out, " %9s", "-");
    else
      fprintf(out, " %9ld", r->declared_bits);
    fprintf(out, " %11.1f", r->net.area_um2);
    print_clock(report, &r->timing, out);
    fprintf(out, " %7.1f\n", r->seconds);
  }
  for (int i = 0; i < report->results; i++) {
    const struct hd_synth_result *r = &report->result[i];
    fprintf(out, "%s\n", r->name);
    for (int g = 0; g < HD_PATH_GROUPS; g++) {
      const struct hd_path *p = &r->timing.path[g];
      if (p->there)
        fprintf(out, "  %-10s %6.0f ps, %2d levels, %s -> %s\n", group_names[g], p->delay_ps, p->levels,
                p->from, p->to);
    }
    for (int m = 0; m < r->net.macros; m++) {
      const struct hd_macro *mac = &r->net.macro[m];
      fprintf(
          out,
          "  macro      %d x %dx%d %s, timed by %s: access %.3f ns, cycle %.3f ns; not in the area above\n",
          mac->count, mac->depth, mac->width, hd_ports_name(mac->ports),
          hd_mem_source_name(mac->price.source), mac->price.access_ns, mac->price.cycle_ns);
    }
    if (r->net.latches)
      fprintf(out, "  latches    %ld in %ld rows, a clock-gating cell each\n", r->net.latches, r->net.rows);
    if (report->gate)
      fprintf(out, "  gating     %ld cells give the clock of %ld of %ld flip-flops; groups of %u and more\n",
              r->net.gates, r->net.gated, r->net.flipflops, report->gate);
    if (r->net.arrays)
      fprintf(out, "  arrays     %d became flip-flops:%s\n", r->net.arrays, r->net.array_names);
    if (r->timing.unconstrained)
      fprintf(out, "  unconstrained endpoints: %d:%s\n", r->timing.unconstrained,
              r->timing.unconstrained_names);
  }
  if (!strcmp(report->lib, "heddle45"))
    fprintf(out, "range MHz: with the library that heddle45 is fitted to, by circuits tried with both; see "
                 "docs/pricing.md\n");
  if (nodes_differ(report))
    fprintf(
        out,
        "warning: RAM macros are timed at %g nm, cells as %s has them: clocks with macros may mix nodes\n",
        report->macro_nm, report->lib);
  if (report->gate)
    fprintf(out, "scripts, logs, netlists: %s/%s/MODULE-gated%u/\n", report->work, report->lib, report->gate);
  else
    fprintf(out, "scripts, logs, netlists: %s/%s/MODULE/\n", report->work, report->lib);
}

static json_t *result_json(const struct hd_synth_report *report, const struct hd_synth_result *r) {
  json_t *paths = json_object(), *macros = json_array();
  for (int g = 0; g < HD_PATH_GROUPS; g++) {
    const struct hd_path *p = &r->timing.path[g];
    if (p->there)
      json_object_set_new(paths, group_names[g],
                          json_pack("{s:f, s:i, s:s, s:s}", "delay_ps", p->delay_ps, "levels", p->levels,
                                    "from", p->from, "to", p->to));
  }
  for (int m = 0; m < r->net.macros; m++) {
    const struct hd_macro *mac = &r->net.macro[m];
    json_array_append_new(macros,
                          json_pack("{s:s, s:i, s:i, s:i, s:f, s:f, s:s}", "ports", hd_ports_name(mac->ports),
                                    "depth", mac->depth, "width", mac->width, "count", mac->count,
                                    "access_ns", mac->price.access_ns, "cycle_ns", mac->price.cycle_ns,
                                    "source", hd_mem_source_name(mac->price.source)));
  }
  json_t *o = json_pack("{s:s, s:I, s:I, s:I, s:f, s:f, s:i, s:i, s:o, s:o}", "name", r->name, "cells",
                        (json_int_t)r->net.cells, "flipflops", (json_int_t)r->net.flipflops, "macro_bits",
                        (json_int_t)r->net.macro_bits, "area_um2", r->net.area_um2, "leak_nw", r->net.leak_nw,
                        "arrays_as_flipflops", r->net.arrays, "unconstrained", r->timing.unconstrained,
                        "paths", paths, "macros", macros);
  if (r->net.latches)
    json_object_set_new(
        o, "latches",
        json_pack("{s:I, s:I}", "bits", (json_int_t)r->net.latches, "rows", (json_int_t)r->net.rows));
  if (report->gate)
    json_object_set_new(
        o, "clock_gates",
        json_pack("{s:I, s:I}", "cells", (json_int_t)r->net.gates, "flipflops", (json_int_t)r->net.gated));
  json_object_set_new(o, "declared_bits",
                      r->declared_bits < 0 ? json_null() : json_integer(r->declared_bits));
  json_object_set_new(o, "fmax_mhz", r->timing.fmax_mhz > 0 ? json_real(r->timing.fmax_mhz) : json_null());
  double low, high;
  const bool known = hd_synth_tolerance(report, &r->timing, &low, &high);
  json_object_set_new(o, "fmax_low_mhz", known ? json_real(low) : json_null());
  json_object_set_new(o, "fmax_high_mhz", known ? json_real(high) : json_null());
  return o;
}

json_t *hd_synth_json(const struct hd_synth_report *report) {
  json_t *o = json_pack("{s:s, s:s, s:b, s:s, s:f}", "lib", report->lib, "corner", report->corner,
                        "wire_load", report->wires, "work", report->work, "macro_node_nm", report->macro_nm),
         *modules = json_array();
  for (int i = 0; i < report->results; i++)
    json_array_append_new(modules, result_json(report, &report->result[i]));
  /* the first module is the design's top, so its figures are the totals */
  static const char *const totals[] = {"cells",    "flipflops", "declared_bits", "macro_bits",
                                       "area_um2", "fmax_mhz",  "fmax_low_mhz",  "fmax_high_mhz"};
  for (size_t k = 0; report->results && k < sizeof totals / sizeof *totals; k++)
    json_object_set(o, totals[k], json_object_get(json_array_get(modules, 0), totals[k]));
  if (report->results)
    json_object_set(o, "top", json_object_get(json_array_get(modules, 0), "name"));
  json_object_set_new(o, "modules", modules);
  return o;
}
