/* Declares every module in one configuration: the .def files become tables (arch/declaration/declaration.h).
 *
 * Invariant: a row that is in a table has count >= 1 and width 1..64; tables keep the order of the .def file.
 */
#include <stdlib.h>
#include <string.h>

#include "arch/declaration/modules.h"

struct declaring {
  struct hd_design *design;
  struct hd_decl *decl;
  bool failed; /* out of memory, or an element of more than 64 bits */
};

/* A new element at the end of one of the declaration's tables. It is NULL after marking the declaration as
 * failed. */
#define MORE(b, table)                                                                                       \
  ((b)->decl->table = grow(b, (b)->decl->table, (b)->decl->n_##table, sizeof *(b)->decl->table),             \
   (b)->failed ? NULL : &(b)->decl->table[(b)->decl->n_##table++])

static void *grow(struct declaring *b, void *array, size_t n, size_t size) {
  void *bigger = realloc(array, (n + 1) * size);
  if (!bigger)
    b->failed = true;
  return bigger ? bigger : array;
}

/* True if the text begins with the name of a size and " ? "; *is: the size is not 0 here. */
static bool asks_size(const struct hd_config *c, const char *text, bool *is) {
#define DERIVED(name, expr, meaning)                                                                         \
  if (!strncmp(text, #name " ? ", strlen(#name " ? "))) {                                                    \
    *is = c->d.name != 0;                                                                                    \
    return true;                                                                                             \
  }
#include "arch/config/derived.def"
#undef DERIVED
  return false;
}

/* An expression as declared. Of `SIZE ? this : that` only the branch that holds in this configuration, so
 * that the Verilog shows that branch alone. */
static const char *chosen(struct declaring *b, const char *text) {
  const char *first = strstr(text, " ? "), *second = strstr(text, " : ");
  bool is;
  if (b->design->all || !first || !second || !asks_size(b->design->c, text, &is))
    return text;
  if (!is)
    return second + strlen(" : ");
  first += strlen(" ? ");
  char **t = MORE(b, texts);
  if (t)
    b->failed |= !(*t = strndup(first, (size_t)(second - first)));
  return t ? *t : NULL;
}

static struct hd_row *row(struct declaring *b, enum hd_class cls, unsigned count, unsigned width) {
  if (b->design->all)
    count = width = 1;
  if (count == 0 || width == 0)
    return NULL;
  b->failed |= width > 64; /* an error in the declaration, which no configuration may reach */
  struct hd_row *r = MORE(b, rows);
  if (r)
    *r = (struct hd_row){.cls = cls, .count = count, .width = width, .mem = -1, .reset = NORESET};
  return r;
}

static void value(struct declaring *b, enum hd_class cls, const char *name, unsigned count, unsigned width,
                  const char *count_txt, const char *width_txt, long long reset, size_t offset, bool pointer,
                  const char *meaning) {
  struct hd_row *r = row(b, cls, count, width);
  if (!r && !b->failed && cls == HD_REG && !pointer && reset != NORESET) {
    struct hd_absent *a = MORE(b, absents);
    if (a)
      *a = (struct hd_absent){offset, (uint64_t)reset};
  }
  if (!r)
    return;
  snprintf(r->name, sizeof r->name, "%s", name);
  snprintf(r->var, sizeof r->var, "%s%s", name, cls == HD_REG || cls == HD_CAM ? "_q" : "");
  r->width_txt = width_txt;
  r->count_txt = chosen(b, count_txt);
  r->meaning = meaning;
  r->reset = reset;
  r->offset = offset;
  r->pointer = pointer;
}

/* Declares a field of a bundle: of ports or registers called `name`, at `offset`. If cls is HD_RAM, the field
 * belongs to the memory `name`, which was declared last. */
static void field(struct declaring *b, enum hd_class cls, const char *name, size_t offset, const char *bundle,
                  const char *field_name, unsigned width, const char *width_txt, size_t field_offset,
                  const char *meaning) {
  struct hd_row *r = row(b, cls, 1, width);
  if (!r)
    return;
  snprintf(r->name, sizeof r->name, "%s.%s", name, field_name);
  r->width_txt = width_txt;
  r->count_txt = "1";
  r->meaning = meaning;
  r->bundle = bundle;
  if (cls == HD_RAM) {
    const struct hd_mem *m = &b->decl->mems[b->decl->n_mems - 1];
    snprintf(r->var, sizeof r->var, "u_%s", name);
    r->mem = (int)b->decl->n_mems - 1;
    /* the first field is on top of the word */
    const struct hd_row *above = r > b->decl->rows && r[-1].mem == r->mem ? r - 1 : NULL;
    r->lsb = (above ? above->lsb : m->width) - width;
    r->offset = offset;
    r->pointer = true;
    r->stride = m->row_bytes;
    r->field = field_offset;
  } else {
    snprintf(r->var, sizeof r->var, "%s_%s%s", name, field_name, cls == HD_REG ? "_q" : "");
    r->offset = offset + field_offset;
  }
}

/* Declares all fields of a bundle. Each keeps its own meaning. */
static void bundle_rows(struct declaring *b, enum hd_class cls, const char *bundle, const char *name,
                        size_t offset) {
  const struct hd_config *c = b->design->c;
#define DERIVED(name, expr, meaning)                                                                         \
  const unsigned name = c->d.name;                                                                           \
  (void)name;
#include "arch/config/derived.def"
#define FIELD(of, fld, width, meaning)                                                                       \
  field(b, cls, name, offset, #of, #fld, width, #width, offsetof(struct of, fld), meaning);
#define BUNDLE(of, meaning, fields)                                                                          \
  if (!strcmp(bundle, #of)) {                                                                                \
    fields                                                                                                   \
  }
#include "arch/declaration/bundles.def"
#undef BUNDLE
#undef FIELD
}

/* True if the row is the port, or one of its fields. */
static bool is_of(const struct hd_row *r, const char *port) {
  const size_t n = strlen(port);
  return hd_is_port(r->cls) && !strncmp(r->name, port, n) && (r->name[n] == '\0' || r->name[n] == '.');
}

static void sees(struct declaring *b, const char *output, const char *inputs) {
  for (size_t i = 0; i < b->decl->n_rows; i++)
    if (is_of(&b->decl->rows[i], output))
      b->decl->rows[i].sees = inputs;
}

static void shows(struct declaring *b, const char *output, const char *shown) {
  for (size_t i = 0; i < b->decl->n_rows; i++)
    if (is_of(&b->decl->rows[i], output))
      b->decl->rows[i].shows = shown;
}

static void asked(struct declaring *b, const char *input, const char *by) {
  for (size_t i = 0; i < b->decl->n_rows; i++)
    if (is_of(&b->decl->rows[i], input))
      b->decl->rows[i].asked = by;
}

/* Called after the row of the register. */
static void latched(struct declaring *b, const char *name, bool is) {
  for (size_t i = 0; i < b->decl->n_rows; i++) {
    struct hd_row *r = &b->decl->rows[i];
    if (is && (r->cls == HD_REG || r->cls == HD_CAM) && !strcmp(r->name, name))
      r->latched = true;
  }
}

/* Called after the row of the input. */
static void enables(struct declaring *b, const char *input, enum hd_enable changes, bool on) {
  for (size_t i = 0; i < b->decl->n_rows; i++)
    if (!strcmp(b->decl->rows[i].name, input)) {
      b->decl->rows[i].enable = changes;
      b->decl->rows[i].on = on;
    }
}

unsigned hd_bundle_bits(const struct hd_config *c, const char *bundle) {
#include "arch/config/derived.def"
#undef DERIVED
#define FIELD(of, fld, width, meaning) +(width)
#define BUNDLE(of, meaning, fields)                                                                          \
  if (!strcmp(bundle, #of))                                                                                  \
    return 0 fields;
#include "arch/declaration/bundles.def"
#undef BUNDLE
#undef FIELD
  return 0;
}

unsigned hd_there(const struct hd_config *c, const char *bundle) {
#include "arch/config/sizes.h"
  unsigned there = 0, i = 0;
#define FIELD(of, fld, width, meaning) there |= (unsigned)((width) != 0) << i++;
#define BUNDLE(of, meaning, fields)                                                                          \
  if (!strcmp(bundle, #of)) {                                                                                \
    fields                                                                                                   \
  }
#include "arch/declaration/bundles.def"
#undef BUNDLE
#undef FIELD
  return there;
}

unsigned hd_field_bits(const struct hd_config *c, const char *bundle, const char *field_name) {
#include "arch/config/sizes.h"
#define FIELD(of, fld, width, meaning)                                                                       \
  if (!strcmp(field_name, #fld))                                                                             \
    return width;
#define BUNDLE(of, meaning, fields)                                                                          \
  if (!strcmp(bundle, #of)) {                                                                                \
    fields                                                                                                   \
  }
#include "arch/declaration/bundles.def"
#undef BUNDLE
#undef FIELD
  return 0;
}

static struct hd_mem *memory_row(struct declaring *b, const struct hd_mem *mem) {
  if (!b->design->all && (mem->banks == 0 || mem->depth == 0 || mem->width == 0))
    return NULL;
  struct hd_mem *m = MORE(b, mems);
  if (!m)
    return NULL;
  *m = *mem;
  m->depth_txt = chosen(b, mem->depth_txt);
  return m;
}

static void memory(struct declaring *b, const struct hd_mem *mem, unsigned count, unsigned width,
                   const char *count_txt, const char *width_txt) {
  if (!memory_row(b, mem))
    return;
  struct hd_row *r = row(b, HD_RAM, count, width);
  if (!r)
    return;
  snprintf(r->name, sizeof r->name, "%s", mem->name);
  snprintf(r->var, sizeof r->var, "u_%s", mem->name);
  r->width_txt = width_txt;
  r->count_txt = chosen(b, count_txt);
  r->meaning = mem->meaning;
  r->mem = (int)b->decl->n_mems - 1;
  r->offset = mem->offset;
  r->pointer = true;
}

static void memory_of(struct declaring *b, const struct hd_mem *mem) {
  if (memory_row(b, mem))
    bundle_rows(b, HD_RAM, mem->bundle, mem->name, mem->offset);
}

static void event(struct declaring *b, const struct hd_event *event) {
  struct hd_event *e = MORE(b, events);
  if (e)
    *e = *event;
}

static void free_size(struct declaring *b, const char *name, unsigned least) {
  struct hd_free *f = MORE(b, frees);
  if (f)
    *f = (struct hd_free){name, least};
}

static const struct hd_decl *declare(struct hd_design *d, const char *module);

static void instance(struct declaring *b, const char *name, const char *module, size_t offset,
                     size_t in_offset, size_t out_offset, const char *when_text) {
  const struct hd_decl *inner = declare(b->design, module);
  struct hd_inst *i = inner ? MORE(b, insts) : NULL;
  if (i)
    *i = (struct hd_inst){name, inner, offset, in_offset, out_offset, when_text};
  else
    b->failed = true;
}

#define HD_EACH "arch/declaration/gen_rows.h"
#include "arch/each_module.h"

static const struct {
  const char *module, *room;
  void (*declare)(struct declaring *);
  bool model_only;
} modules[] = {
#define MODULE_MOORE(X, room) {#X, #room, X##_declare, false},
#define MODULE_MEALY(X, room) MODULE_MOORE(X, room)
#define MODEL_MOORE(X, room) {#X, #room, X##_declare, true},
#define MODEL_MEALY(X, room) MODEL_MOORE(X, room)
#include "arch/declaration/modules.def"
};

void hd_decl_free(struct hd_decl *d) {
  if (d->end)
    d->end(d);
  free(d->rows);
  free(d->mems);
  free(d->events);
  free(d->insts);
  free(d->frees);
  free(d->absents);
  for (size_t i = 0; i < d->n_texts; i++)
    free(d->texts[i]);
  free(d->texts);
  free(d);
}

/* Raises the least value of each free size to the least of the modules inside. */
static void take_least_of_insides(struct hd_decl *d) {
  for (size_t i = 0; i < d->n_insts; i++)
    for (size_t k = 0; k < d->insts[i].decl->n_frees; k++)
      for (size_t n = 0; n < d->n_frees; n++) {
        const struct hd_free *inner = &d->insts[i].decl->frees[k];
        if (!strcmp(inner->name, d->frees[n].name) && inner->least > d->frees[n].least)
          d->frees[n].least = inner->least;
      }
}

/* The declaration of a module. It is made with all modules below it if it does not exist yet. Returns NULL if
 * memory is out. */
static const struct hd_decl *declare(struct hd_design *d, const char *module) {
  const struct hd_decl *known = hd_design_find(d, module);
  if (known)
    return known;
  struct declaring b = {d, calloc(1, sizeof *b.decl), false};
  if (!b.decl)
    return NULL;
  for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
    if (!strcmp(modules[i].module, module)) {
      modules[i].declare(&b);
      b.decl->room = modules[i].room;
      b.decl->model_only = modules[i].model_only;
    }
  take_least_of_insides(b.decl);
  struct hd_decl **bigger = b.failed ? NULL : realloc(d->decls, (d->n + 1) * sizeof *bigger);
  if (!bigger) {
    hd_decl_free(b.decl);
    return NULL;
  }
  d->decls = bigger;
  return d->decls[d->n++] = b.decl;
}

static struct hd_design *design_of(const struct hd_config *c, bool all) {
  struct hd_design *d = calloc(1, sizeof *d);
  if (!d)
    return NULL;
  d->c = c;
  d->all = all;
  if ((!(all || c->d.RFT) || declare(d, "rft")) && (!(all || c->d.L2) || declare(d, "l2_top")) &&
      (!(all || c->d.BUS_L2) || declare(d, "l2_top_axi")) && declare(d, "sm_mem") &&
      (!(all || c->d.BUS_SM) || declare(d, "sm_mem_axi")))
    return d;
  hd_design_free(d);
  return NULL;
}

struct hd_design *hd_design_new(const struct hd_config *c) {
  return design_of(c, false);
}

struct hd_design *hd_design_all(const struct hd_config *c) {
  return design_of(c, true);
}

void hd_design_free(struct hd_design *d) {
  for (size_t i = 0; d && i < d->n; i++)
    hd_decl_free(d->decls[i]);
  if (d)
    free(d->decls);
  free(d);
}

const struct hd_decl *hd_design_find(const struct hd_design *d, const char *module) {
  for (size_t i = 0; i < d->n; i++)
    if (!strcmp(d->decls[i]->module, module))
      return d->decls[i];
  return NULL;
}

static bool is_in(const struct hd_decl *d, const char *module) {
  bool found = !strcmp(d->module, module);
  for (size_t i = 0; i < d->n_insts; i++)
    found = found || is_in(d->insts[i].decl, module);
  return found;
}

bool hd_design_in_l2(const struct hd_design *d, const char *module) {
  const struct hd_decl *top = hd_design_find(d, d->c->d.BUS_L2 ? "l2_top_axi" : "l2_top");
  return top && is_in(top, module);
}

const char *hd_design_clock(const struct hd_design *d, const char *module, unsigned *mhz) {
  const bool l2 = hd_design_in_l2(d, module);
  *mhz = l2 ? d->c->l2.clock_mhz : d->c->sm.clock_mhz;
  return l2 ? "l2.clock_mhz" : "sm.clock_mhz";
}
