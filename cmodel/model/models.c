/* Makes, frees and resets golden models, by their declarations; see models.h. */
#include "cmodel/model/models.h"

#include <stdlib.h>
#include <string.h>

#define MODULE_MOORE(X, room)                                                                                \
  static void X##_moore_(void *m, void *out) {                                                               \
    X##_moore(m, out);                                                                                       \
  }                                                                                                          \
  static void X##_tick_(void *m, const void *in) {                                                           \
    X##_tick(m, in);                                                                                         \
  }
#define MODULE_MEALY(X, room)                                                                                \
  MODULE_MOORE(X, room)                                                                                      \
  static void X##_mealy_(void *m, const void *in, void *out) {                                               \
    X##_mealy(m, in, out);                                                                                   \
  }
#define MODEL_MOORE(X, room) MODULE_MOORE(X, room)
#define MODEL_MEALY(X, room) MODULE_MEALY(X, room)
#include "arch/declaration/modules.def"

static const struct hd_model_ops all[] = {
#define MODULE_MOORE(X, room) {#X, X##_moore_, NULL, X##_tick_},
#define MODULE_MEALY(X, room) {#X, X##_moore_, X##_mealy_, X##_tick_},
#define MODEL_MOORE(X, room) MODULE_MOORE(X, room)
#define MODEL_MEALY(X, room) MODULE_MEALY(X, room)
#include "arch/declaration/modules.def"
};

const struct hd_model_ops *hd_model_ops(const char *module) {
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (!strcmp(all[i].module, module))
      return &all[i];
  return NULL;
}

static void *at(void *m, size_t offset) {
  return (char *)m + offset;
}
static void **inner(void *m, const struct hd_inst *i) {
  return at(m, i->offset);
}

static void *new_of(const struct hd_design *design, const struct hd_decl *d, bool data, struct hd_log *log) {
  struct hd_model *m = calloc(1, d->model_size);
  if (!m)
    return NULL;
  *m = (struct hd_model){.c = design->c,
                         .decl = d,
                         .log = log,
                         .heard = log ? UINT64_MAX : 0,
                         .told = hd_log_event,
                         .ev = calloc(d->n_events + 1, sizeof *m->ev),
                         .data = data};
  bool ok = m->ev && hd_alloc_state(d, at(m, d->st_offset));
  for (size_t i = 0; ok && i < d->n_insts; i++) {
    const struct hd_inst *inst = &d->insts[i];
    ok = (*inner(m, inst) = new_of(design, inst->decl, data, log)) &&
         hd_alloc_in(inst->decl, at(m, inst->in_offset)) && hd_alloc_out(inst->decl, at(m, inst->out_offset));
  }
  if (ok)
    return m;
  hd_model_free(m);
  return NULL;
}

void *hd_model_new(const struct hd_design *design, const char *module, bool data, struct hd_log *log) {
  const struct hd_decl *d = hd_design_find(design, module);
  return d ? new_of(design, d, data, log) : NULL;
}

void hd_model_free(void *model) {
  struct hd_model *m = model;
  if (!m)
    return;
  for (size_t i = 0; i < m->decl->n_insts; i++) {
    const struct hd_inst *inst = &m->decl->insts[i];
    hd_model_free(*inner(m, inst));
    hd_free_in(inst->decl, at(m, inst->in_offset));
    hd_free_out(inst->decl, at(m, inst->out_offset));
  }
  hd_free_state(m->decl, at(m, m->decl->st_offset));
  free(m->ev);
  free(m);
}

void hd_model_reset(void *model) {
  struct hd_model *m = model;
  hd_reset_state(m->decl, at(m, m->decl->st_offset));
  memset(m->memo, 0, sizeof m->memo);
  for (size_t i = 0; i < m->decl->n_insts; i++)
    hd_model_reset(*inner(m, &m->decl->insts[i]));
}
