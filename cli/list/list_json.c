/* heddle list --json: the tables that the listings are printed from, for programs. */
#include "cli/list/list.h"
#include "workloads/workloads.h"

static json_t *key_value(const struct hd_key *k, long value) {
  return k->type == HD_KEY_INT    ? json_integer(value)
         : k->type == HD_KEY_BOOL ? json_boolean(value)
                                  : json_string(hd_key_text(k, value).text);
}

json_t *hd_list_params_json(void) {
  static const char *const types[] = {"int", "bool", "word"};
  json_t *all = json_array();
  size_t n;
  const struct hd_key *keys = hd_keys(&n);
  for (size_t i = 0; i < n; i++) {
    const struct hd_key *k = &keys[i];
    json_t *o = json_pack("{s:s, s:s, s:s, s:o, s:s, s:s}", "section", k->section, "key", k->key, "type",
                          types[k->type], "default", key_value(k, k->dflt), "meaning", k->meaning, "source",
                          k->source);
    if (k->type == HD_KEY_INT)
      json_object_update_new(o, json_pack("{s:I, s:I, s:s}", "min", (json_int_t)k->min, "max",
                                          (json_int_t)k->max, "unit", k->unit));
    json_t *words = k->type == HD_KEY_ENUM ? json_array() : NULL;
    for (size_t w = 0; w < k->n_words; w++)
      json_array_append_new(
          words, json_pack("{s:s, s:s}", "word", k->words[w].word, "meaning", k->words[w].meaning));
    if (words)
      json_object_set_new(o, "words", words);
    json_array_append_new(all, o);
  }
  return all;
}

/* Returns null for a number beyond JSON's integers, such as the whole range of 64 bits. */
static json_t *count(uint64_t n) {
  return n > INT64_MAX ? json_null() : json_integer((json_int_t)n);
}

json_t *hd_list_workloads_json(void) {
  json_t *all = json_array();
  const struct wl_workload *w;
  for (size_t i = 0; (w = wl_workload(i)); i++) {
    json_t *keys = json_array(), *inputs = json_array();
    for (const struct wl_key *k = w->key; k->name; k++)
      json_array_append_new(keys, json_pack("{s:s, s:o, s:o, s:s, s:b}", "key", k->name, "min", count(k->min),
                                            "max", count(k->max), "meaning", k->meaning, "not_with_file",
                                            wl_made_up(w, k)));
    for (const struct wl_input *in = w->input; in->name; in++) {
      json_t *values = json_object();
      for (const struct wl_key *k = w->key; k->name; k++)
        json_object_set_new(values, k->name, count(in->value[k - w->key]));
      json_array_append_new(inputs, json_pack("{s:s, s:o}", "name", in->name, "values", values));
    }
    json_array_append_new(all, json_pack("{s:s, s:s, s:s, s:s, s:o, s:o}", "name", w->name, "suite",
                                         wl_suite(i), "launches", w->launches, "origin", w->origin, "keys",
                                         keys, "inputs", inputs));
  }
  return all;
}

static json_t *module(const struct hd_decl *d) {
  json_t *ports = json_array(), *registers = json_array(), *memories = json_array(), *events = json_array(),
         *instances = json_array();
  for (size_t i = 0; i < d->n_rows; i++) {
    const struct hd_row *r = &d->rows[i];
    if (r->cls == HD_RAM)
      continue;
    json_t *o = json_pack("{s:s, s:i, s:i, s:s}", "name", r->name, "elements", (int)r->count, "width",
                          (int)r->width, "meaning", r->meaning);
    if (hd_is_port(r->cls)) {
      json_object_set_new(o, "dir", json_string(r->cls == HD_IN ? "in" : "out"));
      json_object_set_new(o, "mealy", json_boolean(r->cls == HD_MEALY));
      json_object_set_new(o, "late", json_boolean(r->cls == HD_LATE));
    } else {
      json_object_set_new(o, "cam", json_boolean(r->cls == HD_CAM));
      json_object_set_new(o, "reset",
                          r->reset == NORESET ? json_null()
                          : r->reset == INDEX ? json_string("index")
                                              : json_integer(r->reset));
    }
    json_array_append_new(hd_is_port(r->cls) ? ports : registers, o);
  }
  for (size_t i = 0; i < d->n_mems; i++) {
    const struct hd_mem *m = &d->mems[i];
    json_array_append_new(memories, json_pack("{s:s, s:i, s:i, s:i, s:s, s:s}", "name", m->name, "banks",
                                              (int)m->banks, "depth", (int)m->depth, "width", (int)m->width,
                                              "ports", hd_ports_name(m->ports), "meaning", m->meaning));
  }
  for (size_t i = 0; i < d->n_events; i++)
    if (d->events[i].when)
      json_array_append_new(
          events, json_pack("{s:s, s:s}", "name", d->events[i].name, "meaning", d->events[i].meaning));
  for (size_t i = 0; i < d->n_insts; i++)
    json_array_append_new(
        instances, json_pack("{s:s, s:s}", "name", d->insts[i].name, "module", d->insts[i].decl->module));
  return json_pack("{s:s, s:s, s:s, s:i, s:i, s:o, s:o, s:o, s:o, s:o}", "name", d->module, "title", d->title,
                   "source", d->source, "flipflop_bits", (int)hd_decl_ff_bits(d), "ram_bits",
                   (int)hd_decl_ram_bits(d), "ports", ports, "registers", registers, "memories", memories,
                   "events", events, "instances", instances);
}

json_t *hd_list_modules_json(const struct hd_design *design) {
  json_t *all = json_array();
  for (size_t i = 0; i < design->n; i++)
    json_array_append_new(all, module(design->decls[i]));
  return all;
}
