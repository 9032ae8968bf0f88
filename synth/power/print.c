/* Prints the power report as text and as JSON. */
#include "synth/power/report.h"

#include <string.h>

static int name_width(const char *path) { /* without the dot at its end */
  const size_t n = strlen(path);
  return n ? (int)n - 1 : 0;
}

static void print_logic(const struct hd_power_report *r, FILE *out) {
  fprintf(out, "%-26s %7s %6s %9s %9s %9s %9s %9s %9s %9s\n", "logic, mW", "cells", "ff", "activity",
          "switching", "internal", "clock", "tree", "leakage", "sum");
  for (const struct hd_power_logic *l = r->logic; l < r->logic + r->logics; l++) {
    char name[64];
    snprintf(name, sizeof name, "%.*s%s", name_width(l->name), l->name, *l->name ? "" : l->module);
    fprintf(out, "%-26s %7ld %6ld %9.4f %9.4f %9.4f %9.4f %9.4f %9.4f %9.4f", name, l->cells, l->flipflops,
            l->register_activity, l->switching, l->internal, l->clock, l->tree, l->leak, l->total);
    if (r->sample > 1)
      fprintf(out, "  switching and internal +- %.1f %%", 100 * l->error);
    fprintf(out, "\n");
    if (l->clock_gates)
      fprintf(out,
              "  %ld cells give the clock of %ld flip-flops; a flip-flop has a clock in %.2f %% of cycles\n",
              l->clock_gates, l->gated, 100 * l->clocked);
  }
}

static void print_kinds(const struct hd_power_report *r, FILE *out) {
  fprintf(out, "%-26s %7s %26s %9s %9s %19s\n", "by kind of cell, mW", "cells", "switching", "internal",
          "clock", "leakage");
  for (const struct hd_kind_energy *k = r->kinds.at; k < r->kinds.at + r->kinds.n; k++)
    fprintf(out, "%-26s %7ld %26.4f %9.4f %9.4f %19.4f\n", k->name, k->cells, k->switching, k->internal,
            k->clock, k->leak_nw * 1e-6);
}

static void print_memories(const struct hd_power_report *r, FILE *out) {
  fprintf(out, "%-26s %11s %11s %9s %9s %9s %9s %9s %9s %9s\n", "memories", "reads", "writes", "masked",
          "wakes", "pJ read", "pJ write", "access mW", "leak mW", "sum mW");
  for (const struct hd_power_store *s = r->memory; s < r->memory + r->memories; s++)
    fprintf(out, "%-26s %11llu %11llu %9llu %9llu %9.3f %9.3f %9.4f %9.4f %9.4f  %s\n", s->of->name,
            (unsigned long long)s->of->did.reads, (unsigned long long)s->of->did.writes,
            (unsigned long long)s->of->did.masked, (unsigned long long)s->of->wakes, s->price.read_pj,
            s->price.write_pj, s->dynamic, s->leak, s->total, hd_mem_source_name(s->price.source));
}

static void print_sum(const struct hd_power_report *r, const char *name, double mw, FILE *out) {
  fprintf(out, "%-10s %10.4f mW %10.3f pJ a cycle", name, mw, hd_pj_a_cycle(r, mw));
  if (r->loads)
    fprintf(out, " %10.3f pJ a load", hd_pj_a_load(r, mw));
  fprintf(out, "\n");
}

void hd_power_print(const struct hd_power_report *r, FILE *out) {
  fprintf(out, "%s on %s: %llu cycles from %llu, %g MHz, %s at %g V; memories at %g nm\n", r->top,
          r->stimulus, (unsigned long long)r->cycles, (unsigned long long)r->from, r->clock_mhz, r->lib,
          r->volts, r->node_nm);
  print_logic(r, out);
  print_kinds(r, out);
  if (r->memories)
    print_memories(r, out);
  print_sum(r, "logic", r->logic_mw, out);
  print_sum(r, "memories", r->memory_mw, out);
  print_sum(r, "sum", r->total_mw, out);
  uint64_t compared = 0;
  for (int i = 0; i < r->logics; i++)
    compared += r->logic[i].compared;
  if (r->sample > 1)
    fprintf(out, "gates: simulated in 1 of %u windows of %d cycles", r->sample, HD_POWER_WINDOW);
  else
    fprintf(out, "gates: all cycles simulated");
  fprintf(out, "; %llu bits of outputs and registers compared with the RTL, none differed\n",
          (unsigned long long)compared);
  fprintf(out, "not counted: wires, glitches within a cycle, gates between the modules of %s\n", r->top);
}

/* Returns null if no load was taken. */
static json_t *a_load(const struct hd_power_report *r, double mw) {
  return r->loads ? json_real(hd_pj_a_load(r, mw)) : json_null();
}

static json_t *logic_json(const struct hd_power_report *r, const struct hd_power_logic *l) {
  return json_pack(
      "{s:s%, s:s, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:o, s:f, s:I, s:I}",
      "instance", l->name, (size_t)name_width(l->name), "module", l->module, "cells", (json_int_t)l->cells,
      "flipflops", (json_int_t)l->flipflops, "tree_buffers", (json_int_t)l->tree_buffers, "clock_gates",
      (json_int_t)l->clock_gates, "gated_flipflops", (json_int_t)l->gated, "clocked", l->clocked, "activity",
      l->register_activity, "switching_mw", l->switching, "internal_mw", l->internal, "clock_mw", l->clock,
      "tree_mw", l->tree, "leak_mw", l->leak, "total_mw", l->total, "pj_cycle", hd_pj_a_cycle(r, l->total),
      "pj_load", a_load(r, l->total), "sampling_error", l->error, "compared_bits", (json_int_t)l->compared,
      "gate_cycles", (json_int_t)l->gate_cycles);
}

static json_t *store_json(const struct hd_power_report *r, const struct hd_power_store *s) {
  const struct hd_power_memory *m = s->of;
  return json_pack("{s:s, s:i, s:i, s:i, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:o, s:s}", "name",
                   m->name, "banks", (int)m->mem->banks, "depth", (int)m->mem->depth, "width",
                   (int)m->mem->width, "reads", (json_int_t)m->did.reads, "writes", (json_int_t)m->did.writes,
                   "masked_writes", (json_int_t)m->did.masked, "sleeps", (json_int_t)m->sleeps, "wakes",
                   (json_int_t)m->wakes, "read_pj", s->price.read_pj, "write_pj", s->price.write_pj,
                   "access_mw", s->dynamic, "leak_mw", s->leak, "total_mw", s->total, "pj_load",
                   a_load(r, s->total), "source", hd_mem_source_name(s->price.source));
}

json_t *hd_power_json(const struct hd_power_report *r) {
  json_t *logic = json_array(), *kinds = json_array(), *memories = json_array();
  for (int i = 0; i < r->logics; i++)
    json_array_append_new(logic, logic_json(r, &r->logic[i]));
  for (const struct hd_kind_energy *k = r->kinds.at; k < r->kinds.at + r->kinds.n; k++)
    json_array_append_new(kinds, json_pack("{s:s, s:I, s:f, s:f, s:f, s:f}", "kind", k->name, "cells",
                                           (json_int_t)k->cells, "switching_mw", k->switching, "internal_mw",
                                           k->internal, "clock_mw", k->clock, "leak_mw", k->leak_nw * 1e-6));
  for (int i = 0; i < r->memories; i++)
    json_array_append_new(memories, store_json(r, &r->memory[i]));
  return json_pack(
      "{s:s, s:s, s:s, s:f, s:f, s:f, s:I, s:I, s:I, s:i, s:f, s:f, s:f, s:f, s:o, s:o, s:o, s:o}", "top",
      r->top, "stimulus", r->stimulus, "lib", r->lib, "volts", r->volts, "clock_mhz", r->clock_mhz,
      "memory_node_nm", r->node_nm, "from", (json_int_t)r->from, "cycles", (json_int_t)r->cycles, "loads",
      (json_int_t)r->loads, "sample", (int)r->sample, "logic_mw", r->logic_mw, "memory_mw", r->memory_mw,
      "total_mw", r->total_mw, "pj_cycle", hd_pj_a_cycle(r, r->total_mw), "pj_load", a_load(r, r->total_mw),
      "logic", logic, "kinds", kinds, "memories", memories);
}
