/* The files beside the modules: file list, FuseSoC core, signature; see files.h. */
#include "rtl_gen/emit/files.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "rtl_gen/emit/emit.h"
#include "rtl_gen/emit/template.h"

struct hd_text hd_ram_name(enum hd_ports ports) {
  struct hd_text name;
  snprintf(name.text, sizeof name.text, "hd_ram_%s", hd_ports_name(ports));
  return name;
}

char *hd_ram_text(const struct hd_design *design, enum hd_ports ports) {
  struct hd_template_text expanded;
  struct hd_why why;
  if (!hd_template_expand(&hd_templates, hd_template_of(&hd_templates, hd_ram_name(ports).text), design, NULL,
                          &expanded, &why))
    abort(); /* which the build's check rules out */
  char *text = hd_format("%s", expanded.text);
  hd_template_free(&expanded);
  return text;
}

/* One line per Verilog file, leaves first. */
static void put_names(FILE *f, const struct hd_set *set, const char *before) {
  for (enum hd_ports p = 0; p < HD_PORT_KINDS; p++)
    if (set->ports[p])
      fprintf(f, "%s%s.v\n", before, hd_ram_name(p).text);
  for (size_t i = 0; i < set->n; i++)
    fprintf(f, "%s%s.v\n", before, set->decls[i]->module);
}

static FILE *memory_file(char **text, size_t *size) {
  FILE *f = open_memstream(text, size);
  if (!f)
    abort();
  return f;
}

char *hd_files_list(const struct hd_set *set) {
  char *text;
  size_t size;
  FILE *f = memory_file(&text, &size);
  put_names(f, set, "");
  fclose(f);
  return text;
}

/* The top's parameters, if any: what each is, then their names for the target. */
static void put_core_parameters(FILE *f, const struct hd_set *set, const struct hd_stand *all, bool names) {
  bool used[hd_n_sizes], any = false;
  hd_scan_sizes(set->texts[set->n - 1], used); /* the top's text is the last */
  for (size_t i = 0; i < hd_n_sizes; i++)
    if (used[i] && all[i].stands == HD_FREE) {
      if (names)
        fprintf(f, "%s%s", any ? ", " : "    parameters: [", hd_sizes[i].name);
      else
        fprintf(f, "%s  %s: {datatype: int, default: %u, paramtype: vlogparam, description: \"%s\"}\n",
                any ? "" : "parameters:\n", hd_sizes[i].name, hd_size_of(set->design->c, i),
                hd_sizes[i].meaning);
      any = true;
    }
  fputs(any && names ? "]\n" : "", f);
}

char *hd_files_core(const struct hd_set *set) {
  char *text;
  size_t size;
  struct hd_stand all[hd_n_sizes];
  struct hd_why why;
  if (!hd_stands_of(set->design->c, set->top, false, all, &why))
    abort(); /* there would be no text */
  FILE *f = memory_file(&text, &size);
  fprintf(f,
          "CAPI=2:\n"
          "name: heddle:%s:%s:1.0.0\n"
          "description: \"%s\"\n"
          "filesets:\n"
          "  rtl:\n"
          "    files:\n",
          set->design->c->name, set->top->module, set->top->title);
  put_names(f, set, "      - ");
  fprintf(f, "    file_type: verilogSource-2005\n");
  put_core_parameters(f, set, all, false);
  fprintf(f,
          "targets:\n"
          "  default: &default\n"
          "    filesets: [rtl]\n"
          "    toplevel: %s\n",
          set->top->module);
  put_core_parameters(f, set, all, true);
  fprintf(f, "  lint:\n"
             "    <<: *default\n"
             "    default_tool: verilator\n"
             "    tools:\n"
             "      verilator:\n"
             "        mode: lint-only\n"
             "        verilator_options: [-Wall]\n");
  hd_stands_free(all);
  fclose(f);
  return text;
}

/* --- signature ------------------------------------------------------------------------------------------ */

static json_t *port(const char *name, const char *dir, unsigned width, const char *meaning) {
  return json_pack("{ss ss si ss}", "name", name, "dir", dir, "width", (int)width, "meaning", meaning);
}

/* The sizes of a module that stand so: what follows from others by its expression, else by its value. */
static json_t *sizes(const struct hd_design *design, const struct hd_decl *d, const char *text,
                     enum hd_stands stands) {
  json_t *object = json_object();
  struct hd_stand all[hd_n_sizes];
  struct hd_why why;
  bool used[hd_n_sizes];
  if (!hd_stands_of(design->c, d, false, all, &why))
    abort(); /* there would be no text */
  hd_scan_sizes(text, used);
  for (size_t i = 0; i < hd_n_sizes; i++)
    if (used[i] && all[i].stands == stands)
      json_object_set_new(object, hd_sizes[i].name,
                          stands == HD_FOLLOWS ? json_string(all[i].text)
                                               : json_integer(hd_size_of(design->c, i)));
  hd_stands_free(all);
  return object;
}

static json_t *module(const struct hd_design *design, const struct hd_decl *d, const char *text) {
  json_t *ports = json_array(), *registers = json_array(), *memories = json_array(),
         *instances = json_array();
  json_array_append_new(ports, port("clk", "in", 1, "clock"));
  json_array_append_new(ports, port("rst", "in", 1, "synchronous reset, active high"));
  for (size_t i = 0; i < d->n_rows; i++) {
    const struct hd_row *r = &d->rows[i];
    if (hd_is_port(r->cls)) {
      json_t *p = port(r->var, r->cls == HD_IN ? "in" : "out", r->count * r->width, r->meaning);
      if (r->cls == HD_LATE)
        json_object_set_new(p, "late", json_true());
      json_array_append_new(ports, p);
    } else if (r->cls != HD_RAM) {
      json_t *reg = json_pack("{ss si si ss}", "name", r->var, "elements", (int)r->count, "width",
                              (int)r->width, "meaning", r->meaning);
      json_object_set_new(reg, "reset",
                          r->reset == NORESET ? json_null()
                          : r->reset == INDEX ? json_string("index")
                                              : json_integer(r->reset));
      json_array_append_new(registers, reg);
    }
  }
  for (size_t i = 0; i < d->n_mems; i++) {
    const struct hd_mem *m = &d->mems[i];
    char instance[80];
    snprintf(instance, sizeof instance, "u_%s", m->name);
    json_array_append_new(
        memories, json_pack("{ss si si si ss ss ss}", "instance", instance, "depth", (int)m->depth, "width",
                            (int)m->width, "banks", (int)m->banks, "ports", hd_ports_name(m->ports), "rdw",
                            m->rdw == HD_RDW_NEVER ? "never" : "garbage", "meaning", m->meaning));
  }
  for (size_t i = 0; i < d->n_insts; i++)
    json_array_append_new(instances,
                          json_pack("{ss ss}", "name", d->insts[i].name, "module", d->insts[i].decl->module));
  return json_pack("{ss ss so so so so so so so}", "name", d->module, "title", d->title, "parameters",
                   sizes(design, d, text, HD_FREE), "derived", sizes(design, d, text, HD_FOLLOWS),
                   "constants", sizes(design, d, text, HD_BOUND), "ports", ports, "registers", registers,
                   "memories", memories, "instances", instances);
}

char *hd_files_signature(const struct hd_set *set) {
  json_t *modules = json_array();
  for (size_t i = 0; i < set->n; i++)
    json_array_append_new(modules, module(set->design, set->decls[i], set->texts[i]));
  json_t *root = json_pack("{ss ss ss so}", "generator", "heddle", "configuration", set->design->c->name,
                           "top", set->top->module, "modules", modules);
  char *text = json_dumps(root, JSON_INDENT(2));
  json_decref(root);
  if (!text)
    abort();
  char *out = hd_format("%s\n", text);
  free(text);
  return out;
}
