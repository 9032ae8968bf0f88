/* Energy of a GPU's run; see gpu_energy.h. */
#include "area/gpu_energy.h"

#include <string.h>

#include "area/memory.h"

struct event {
  double low, mid, high;
};
#define HD_GPU_EVENT(name, low, mid, high, unit, what, source)                                               \
  static const struct event name = {low, mid, high};
#define HD_GPU_STATIC(name, watts, what, source) static const double name##_w = watts;
#include "area/gpu_energy.def"
#undef HD_GPU_EVENT
#undef HD_GPU_STATIC

struct reading {
  const json_t *run;
  struct hd_gpu_energy *e;
  struct hd_why *why;
  enum hd_rc rc;
};

/* A number at "a.b.c"; HD_INPUT if there is none. */
static double number(struct reading *r, const char *path) {
  const json_t *at = r->run;
  char name[64];
  for (const char *rest = path; at && *rest; rest += strlen(name) + (rest[strlen(name)] == '.')) {
    snprintf(name, sizeof name, "%.*s", (int)strcspn(rest, "."), rest);
    at = json_object_get(at, name);
  }
  if (!json_is_number(at) && r->rc == HD_OK)
    r->rc = hd_because(r->why, HD_INPUT,
                       "found a run without %s; allowed are results of heddle sim on a GPU (memory.kind: l2)",
                       path);
  return json_number_value(at);
}

static void add(struct reading *r, const char *name, const char *by, bool is_static, double events,
                struct event pj) {
  struct hd_gpu_energy *e = r->e;
  const double times = is_static ? 1 : events * 1e-6; /* static: uJ already */
  const struct hd_gpu_part p = {
      name, by, is_static ? 0 : events, pj.low * times, pj.mid * times, pj.high * times, is_static};
  e->part[e->parts++] = p;
  e->low += p.low;
  e->mid += p.mid;
  e->high += p.high;
  *(is_static ? &e->static_mid : &e->dynamic_mid) += p.mid;
}

static struct event exactly(double value) {
  return (struct event){value, value, value};
}

/* The L1Ds' arrays, as generated: tags a macro a way, lines in one macro. Looks read all tags; hits read a line, fills write a
 * line and a tag. */
static void add_l1d(struct reading *r) {
  const double sets = number(r, "config.l1d.sets"), ways = number(r, "config.l1d.ways"),
               bytes = number(r, "config.l1d.line_bytes"), node = number(r, "energy.node_nm");
  const double looks = number(r, "l1d.accesses"), hits = number(r, "l1d.hits"),
               fills = number(r, "l1d.misses");
  if (r->rc != HD_OK)
    return;
  const struct hd_pricer model = {.node_nm = node};
  const struct hd_memory lines = {(int)(sets * ways), (int)(8 * bytes), HD_MEM_1RW, HD_MEM_SRAM},
                         tags = {(int)sets, 24, HD_MEM_1R1W, HD_MEM_SRAM};
  struct hd_mem_price line, tag;
  r->rc = hd_mem_price(&model, &lines, &line, r->why);
  if (r->rc == HD_OK)
    r->rc = hd_mem_price(&model, &tags, &tag, r->why);
  if (r->rc != HD_OK)
    return;
  const double pj = looks * ways * tag.read_pj + hits * line.read_pj + fills * (line.write_pj + tag.write_pj);
  add(r, "L1D arrays", "model", false, looks, exactly(looks > 0 ? pj / looks : 0));
  r->e->l1d_mid = pj * 1e-6;
  add(r, "L1D arrays, leakage", "model", true, 0,
      exactly((line.leak_mw + ways * tag.leak_mw) * number(r, "sms") * r->e->us * 1e-3));
}

enum hd_rc hd_gpu_energy_of(const json_t *run, struct hd_gpu_energy *e, struct hd_why *why) {
  *e = (struct hd_gpu_energy){.parts = 0};
  struct reading r = {run, e, why, HD_OK};
  const char *config = json_string_value(json_object_get(json_object_get(run, "config"), "name"));
  const char *workload = json_string_value(json_object_get(run, "workload"));
  snprintf(e->config, sizeof e->config, "%s", config ? config : "");
  snprintf(e->workload, sizeof e->workload, "%s", workload ? workload : "");
  e->us = number(&r, "time_us");
  const double sms = number(&r, "sms");
  const double flits = number(&r, "gpu.icnt.up_flits") + number(&r, "gpu.icnt.down_flits");
  const double lines = number(&r, "gpu.dram.reads") + number(&r, "gpu.dram.writes");
  const double flit_bits = 8 * number(&r, "config.icnt.flit_bytes"),
               line_bits = 8 * number(&r, "config.l1d.line_bytes");
  add(&r, "SM without L1D", "table", false, number(&r, "thread_instructions"), thread_instruction);
  add_l1d(&r);
  add(&r, "interconnect", "table", false, flits * flit_bits, flit_bit);
  e->icnt_mid = e->part[e->parts - 1].mid;
  const double l2 = number(&r, "energy.access_nj") + number(&r, "energy.wake_nj"),
               added = number(&r, "energy.added_nj");
  add(&r, "L2 slices' memories", "model", true, 0, exactly(l2 * 1e-3));
  add(&r, "L2 slices' memories, leakage", "model", true, 0, exactly(number(&r, "energy.leak_nj") * 1e-3));
  add(&r, "LoSCache's own", "model", true, 0, exactly(added * 1e-3));
  e->l2_mid = number(&r, "energy.total_nj") * 1e-3;
  /* accesses and wakes are no static energy, though no single event's */
  e->part[e->parts - 3].is_static = false;
  e->static_mid -= l2 * 1e-3;
  e->dynamic_mid += l2 * 1e-3;
  add(&r, "DRAM", "table", false, lines * line_bits, dram_bit);
  e->dram_mid = e->part[e->parts - 1].mid;
  add(&r, "SMs, static", "table", true, 0, exactly(sm_w * sms * e->us));
  add(&r, "chip, static", "table", true, 0, exactly(chip_w * e->us));
  return r.rc;
}

void hd_gpu_energy_print(const struct hd_gpu_energy *e, FILE *out) {
  fprintf(out, "%s on %s: %.1f us, %.1f uJ (%.1f to %.1f), dynamic %.1f, static %.1f\n", e->workload,
          e->config, e->us, e->mid, e->low, e->high, e->dynamic_mid, e->static_mid);
  for (const struct hd_gpu_part *p = e->part; p < e->part + e->parts; p++)
    fprintf(out, "  %-30s %10.2f uJ  %10.2f to %10.2f  %5.1f %%  %s, %s\n", p->name, p->mid, p->low, p->high,
            100 * p->mid / e->mid, p->is_static ? "static" : "dynamic",
            !strcmp(p->by, "model") ? "emitted hardware by the memory model" : "table");
}

json_t *hd_gpu_energy_json(const struct hd_gpu_energy *e) {
  json_t *parts = json_array();
  for (const struct hd_gpu_part *p = e->part; p < e->part + e->parts; p++)
    json_array_append_new(parts, json_pack("{s:s, s:s, s:b, s:f, s:f, s:f, s:f}", "part", p->name, "by",
                                           p->by, "static", p->is_static, "events", p->events, "low_uj",
                                           p->low, "uj", p->mid, "high_uj", p->high));
  return json_pack("{s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:o}", "config", e->config,
                   "workload", e->workload, "time_us", e->us, "low_uj", e->low, "uj", e->mid, "high_uj",
                   e->high, "dynamic_uj", e->dynamic_mid, "static_uj", e->static_mid, "l1d_uj", e->l1d_mid,
                   "l2_uj", e->l2_mid, "icnt_uj", e->icnt_mid, "dram_uj", e->dram_mid, "parts", parts);
}
