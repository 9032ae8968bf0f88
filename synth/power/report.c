/* Converts counts to milliwatts; see report.h. */
#include "synth/power/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "synth/power/sample.h"

/* fJ / cycles * MHz is nW. */
static double mw_of(double fj, double cycles, double mhz) {
  return cycles > 0 ? fj / cycles * mhz * 1e-6 : 0;
}

static enum hd_rc logic_of(const struct hd_power_watch *w, const struct hd_power_part *p, double mhz,
                           struct hd_kinds *kinds, struct hd_power_logic *to, struct hd_why *why) {
  struct hd_power_logic l = {.module = p->decl->module, .name = p->path};
  const double cycles = (double)w->toggles.cycles, all = (double)hd_toggles_of(&w->toggles, p->from, p->to);
  double bits = 0;
  for (int i = p->from; i < p->to; i++)
    bits += w->toggles.at[i].var.bits;
  l.register_activity = bits > 0 ? all / bits / cycles : 0;
  *to = l;
  if (!p->netlist)
    return HD_OK;
  if (!p->compared)
    return hd_because(why, HD_CHECK, "gates of %s: no bit of an output or register was compared with the RTL",
                      l.module);
  double scale;
  const enum hd_rc rc = hd_power_scale(w, p, &scale, &l.error, why);
  if (rc != HD_OK)
    return rc;
  const struct hd_logic_energy e = hd_logic_price(&p->gates, scale, w->toggles.cycles, kinds);
  l.cells = p->gates.gates + p->gates.flops + p->gates.clockgates;
  l.flipflops = p->gates.flops;
  l.tree_buffers = e.tree_buffers;
  l.clock_gates = p->gates.clockgates;
  for (int i = 0; i < p->gates.clockgates; i++)
    l.gated += p->gates.clockgate[i].sinks;
  l.clocked = hd_clocked(&p->gates);
  l.switching = mw_of(e.switching, cycles, mhz);
  l.internal = mw_of(e.internal, cycles, mhz);
  l.clock = mw_of(e.clock, cycles, mhz);
  l.tree = mw_of(e.tree, cycles, mhz) + e.tree_leak_nw * 1e-6;
  l.leak = e.leak_nw * 1e-6;
  l.total = l.switching + l.internal + l.clock + l.tree + l.leak;
  l.compared = p->compared;
  l.gate_cycles = p->gates.cycles;
  *to = l;
  return HD_OK;
}

/* pJ / cycles * MHz is uW. A row that wakes costs a write of it, a sleeping row leaks nothing, a masked write
 * costs a write (docs/pricing.md). */
static enum hd_rc store_of(const struct hd_power_watch *w, const struct hd_power_memory *m, double mhz,
                           const struct hd_pricer *pricer, struct hd_power_store *s, struct hd_why *why) {
  const struct hd_memory mem = hd_memory_of(m->mem->depth, m->mem->width, m->mem->ports);
  *s = (struct hd_power_store){.of = m};
  const enum hd_rc rc = hd_mem_price(pricer, &mem, &s->price, why);
  if (rc != HD_OK)
    return rc;
  const double cycles = (double)w->toggles.cycles, rows = (double)m->mem->depth * m->mem->banks;
  const double pj = (double)m->did.reads * s->price.read_pj +
                    (double)(m->did.writes + m->did.masked + m->wakes) * s->price.write_pj;
  s->dynamic = pj / cycles * mhz * 1e-3;
  s->leak = s->price.leak_mw * m->mem->banks * (1 - (double)m->asleep / (rows * cycles));
  s->total = s->dynamic + s->leak;
  return HD_OK;
}

enum hd_rc hd_power_report_make(const struct hd_power_watch *w, double clock_mhz,
                                const struct hd_pricer *pricer, struct hd_power_report *r,
                                struct hd_why *why) {
  *r = (struct hd_power_report){.top = w->top,
                                .volts = w->lib->volts,
                                .clock_mhz = clock_mhz,
                                .node_nm = pricer->node_nm ? pricer->node_nm : 45,
                                .cycles = w->toggles.cycles,
                                .loads = w->loads,
                                .from = w->from,
                                .sample = w->sample};
  snprintf(r->lib, sizeof r->lib, "%s", w->lib->name);
  enum hd_rc rc = hd_price_need(w->lib, why);
  if (rc == HD_OK && !w->toggles.cycles)
    rc = hd_because(why, HD_INPUT, "--from %llu: found a run that ends before it; nothing was counted",
                    (unsigned long long)w->from);
  if (rc != HD_OK)
    return rc;
  r->logic = hd_zeroed((size_t)w->parts + 1, sizeof *r->logic);
  r->memory = hd_zeroed((size_t)w->memories + 1, sizeof *r->memory);
  for (int i = 0; i < w->parts && rc == HD_OK; i++) {
    rc = logic_of(w, &w->part[i], clock_mhz, &r->kinds, &r->logic[r->logics], why);
    if (rc == HD_OK)
      r->logic_mw += r->logic[r->logics++].total;
  }
  for (int i = 0; i < w->memories && rc == HD_OK; i++) {
    rc = store_of(w, &w->memory[i], clock_mhz, pricer, &r->memory[r->memories], why);
    if (rc == HD_OK)
      r->memory_mw += r->memory[r->memories++].total;
  }
  for (int i = 0; i < r->kinds.n; i++) {
    struct hd_kind_energy *k = &r->kinds.at[i];
    k->switching = mw_of(k->switching, (double)r->cycles, clock_mhz);
    k->internal = mw_of(k->internal, (double)r->cycles, clock_mhz);
    k->clock = mw_of(k->clock, (double)r->cycles, clock_mhz);
  }
  r->total_mw = r->logic_mw + r->memory_mw;
  return rc;
}

void hd_power_report_free(struct hd_power_report *r) {
  free(r->logic);
  free(r->memory);
  *r = (struct hd_power_report){0};
}

double hd_pj_a_cycle(const struct hd_power_report *r, double mw) {
  return mw * 1e3 / r->clock_mhz;
}

double hd_pj_a_load(const struct hd_power_report *r, double mw) {
  return r->loads ? hd_pj_a_cycle(r, mw) * (double)r->cycles / (double)r->loads : 0;
}
