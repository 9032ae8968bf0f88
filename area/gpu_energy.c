/* Energy of a GPU's run; see gpu_energy.h. */
#include "area/gpu_energy.h"

#include <stdlib.h>
#include <string.h>

#include "arch/declaration/declaration.h"
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

/* The number at "a.b.c". Sets HD_INPUT if there is none. */
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

static void add(struct reading *r, struct hd_gpu_part p) {
  struct hd_gpu_energy *e = r->e;
  e->part[e->parts++] = p;
  e->low += p.low;
  e->mid += p.mid;
  e->high += p.high;
  *(p.is_static ? &e->static_mid : &e->dynamic_mid) += p.mid;
}

/* Adds `events` events at the prices of the table. Returns uJ. */
static double add_events(struct reading *r, const char *name, double events, struct event pj) {
  const double times = events * 1e-6;
  add(r, (struct hd_gpu_part){name, "table", events, pj.low * times, pj.mid * times, pj.high * times, false});
  return pj.mid * times;
}

/* Adds an energy without a range, which belongs to no single event. */
static void add_uj(struct reading *r, const char *name, const char *by, double uj, bool is_static) {
  add(r, (struct hd_gpu_part){name, by, 0, uj, uj, uj, is_static});
}

/* Sets key k to a value. Returns false if the key can't have that value. */
static bool set_key(struct hd_config *c, const struct hd_key *k, const json_t *value) {
  char *field = (char *)c + k->offset;
  size_t w = 0;
  if (k->type == HD_KEY_BOOL) {
    *(bool *)field = json_is_true(value);
    return json_is_boolean(value);
  }
  if (k->type == HD_KEY_INT &&
      (!json_is_integer(value) || json_integer_value(value) < k->min || json_integer_value(value) > k->max))
    return false;
  while (k->type == HD_KEY_ENUM && w < k->n_words &&
         strcmp(k->words[w].word, json_is_string(value) ? json_string_value(value) : "") != 0)
    w++;
  if (k->type == HD_KEY_ENUM && w == k->n_words)
    return false;
  const unsigned number =
      k->type == HD_KEY_ENUM ? (unsigned)k->words[w].value : (unsigned)json_integer_value(value);
  memcpy(field, &number, sizeof number); /* enum constants are never negative */
  return true;
}

/* The machine of the run, from the keys in the run's result. All other keys have their defaults. */
static bool machine_of(struct reading *r, struct hd_config *c) {
  size_t n;
  const struct hd_key *keys = hd_keys(&n);
  hd_config_default(c);
  for (const struct hd_key *k = keys; k < keys + n && r->rc == HD_OK; k++) {
    const json_t *section = json_object_get(json_object_get(r->run, "config"), k->section),
                 *value = json_object_get(section, k->key);
    if (value && !set_key(c, k, value)) {
      char *found = json_dumps(value, JSON_ENCODE_ANY);
      r->rc =
          hd_because(r->why, HD_INPUT, "found a run with config.%s.%s: %s; allowed is what heddle sim writes",
                     k->section, k->key, found ? found : "");
      free(found);
    }
  }
  char *said = NULL;
  size_t size;
  FILE *err = hd_memory_open(&said, &size);
  if (r->rc == HD_OK && hd_config_check(c, NULL, NULL, err) && !fflush(err))
    r->rc = hd_because(r->why, HD_INPUT, "found a run of a machine that cannot be: %.*s",
                       (int)strcspn(said, "\n"), said);
  hd_memory_close(err);
  free(said);
  return r->rc == HD_OK;
}

/* The price of memory `name` of the L1D; *banks: its number of macros. */
static struct hd_mem_price l1d_memory(struct reading *r, const struct hd_design *design, const char *name,
                                      double node, double *banks) {
  const struct hd_decl *d = hd_design_find(design, "l1d");
  const struct hd_pricer model = {.node_nm = node};
  struct hd_mem_price price = {0};
  *banks = 0;
  for (const struct hd_mem *m = d->mems; m < d->mems + d->n_mems; m++)
    if (!strcmp(m->name, name)) {
      const struct hd_memory mem = hd_memory_of(m->depth, m->width, m->ports);
      *banks = m->banks;
      r->rc = hd_mem_price(&model, &mem, &price, r->why);
    }
  return price;
}

/* Adds the L1Ds' arrays as generated: the tags of each way are a macro, and the lines (or sectors) are one
 * macro. A look reads all tags. A hit reads a line or a sector, and a fill writes one. A miss writes a tag
 * unless the line is there. */
static void add_l1d(struct reading *r) {
  const double node = number(r, "energy.node_nm");
  const double looks = number(r, "l1d.accesses"), hits = number(r, "l1d.hits"),
               fills = number(r, "l1d.misses");
  struct hd_config c;
  if (r->rc != HD_OK || !machine_of(r, &c))
    return;
  struct hd_design *design = hd_design_new(&c);
  double ways, macros;
  const struct hd_mem_price tag = l1d_memory(r, design, "tags", node, &ways);
  const struct hd_mem_price line =
      l1d_memory(r, design, c.d.SECTOR_FILL ? "sector_data" : "data", node, &macros);
  const double tagged = fills - (c.d.SECTOR_FILL ? number(r, "sectors.sector_misses") : 0);
  hd_design_free(design);
  const double uj = 1e-6 * (looks * ways * tag.read_pj +
                            macros * (hits * line.read_pj + fills * line.write_pj) + tagged * tag.write_pj);
  add(r, (struct hd_gpu_part){"L1D arrays", "model", looks, uj, uj, uj, false});
  r->e->l1d_mid = uj;
  add_uj(r, "L1D arrays, leakage", "model",
         (macros * line.leak_mw + ways * tag.leak_mw) * number(r, "sms") * r->e->us * 1e-3, true);
}

/* The bytes that one DRAM read or write moves: a line, or a sector of it. */
static double dram_bytes(struct reading *r) {
  const json_t *fill = json_object_get(json_object_get(json_object_get(r->run, "config"), "l2"), "fill");
  const char *word = json_string_value(fill);
  return number(r, word && !strcmp(word, "sectors") ? "config.l1d.sector_bytes" : "config.l1d.line_bytes");
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
  const double flit_bits = 8 * number(&r, "config.icnt.flit_bytes"), line_bits = 8 * dram_bytes(&r);
  add_events(&r, "SM without L1D", number(&r, "thread_instructions"), thread_instruction);
  add_l1d(&r);
  e->icnt_mid = add_events(&r, "interconnect", flits * flit_bits, flit_bit);
  add_uj(&r, "L2 slices' memories", "model",
         1e-3 * (number(&r, "energy.access_nj") + number(&r, "energy.wake_nj")), false);
  add_uj(&r, "L2 slices' memories, leakage", "model", 1e-3 * number(&r, "energy.leak_nj"), true);
  add_uj(&r, "LoSCache's own", "model", 1e-3 * number(&r, "energy.added_nj"), true);
  e->l2_mid = number(&r, "energy.total_nj") * 1e-3;
  e->dram_mid = add_events(&r, "DRAM", lines * line_bits, dram_bit);
  add_uj(&r, "SMs, static", "table", sm_w * sms * e->us, true);
  add_uj(&r, "chip, static", "table", chip_w * e->us, true);
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
