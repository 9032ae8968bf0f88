/* From declarations to the modules that synthesis is run for, and the bits that each must have. */
#include <stdlib.h>
#include <string.h>

#include "arch/declaration/declaration.h"
#include "arch/wires/wires.h"
#include "base/alloc.h"
#include "synth/synth.h"

static void add_cells(const struct hd_decl *d, struct hd_decl_cells *sum) {
  hd_decl_add_cells(d, sum);
  for (size_t i = 0; i < d->n_insts; i++)
    add_cells(d->insts[i].decl, sum);
}

static struct hd_synth_module module_of(const struct hd_decl_cells *cells) {
  return (struct hd_synth_module){.declared_bits = cells->flipflops + cells->latches + cells->macro_bits,
                                  .latches = cells->latches,
                                  .rows = cells->rows};
}

static bool contains(const struct hd_decl *outer, const struct hd_decl *d) {
  if (outer == d)
    return true;
  for (size_t i = 0; i < outer->n_insts; i++)
    if (contains(outer->insts[i].decl, d))
      return true;
  return false;
}

int hd_synth_modules_of(const struct hd_design *design, const char *top, struct hd_synth_module **modules) {
  const struct hd_decl *root = top ? hd_design_find(design, top) : design->decls[design->n - 1];
  *modules = root ? hd_zeroed(design->n, sizeof **modules) : NULL;
  if (!root)
    return -1;
  int n = 0;
  for (size_t i = design->n; i-- > 0;) /* the design has inner modules first */
    if (contains(root, design->decls[i])) {
      struct hd_decl_cells cells = {0};
      add_cells(design->decls[i], &cells);
      (*modules)[n] = module_of(&cells);
      (*modules)[n++].name = design->decls[i]->module;
    }
  return n;
}

/* --- a module with its attachments ------------------------------------------------------------------------ */

/* The module that has an instance of this one (*inst), and has connection rows. Returns NULL if there is
 * none. */
static const struct hd_decl *parent_of(const struct hd_design *design, const char *module,
                                       const struct hd_inst **inst) {
  for (size_t i = 0; i < design->n; i++)
    for (size_t k = 0; k < design->decls[i]->n_insts; k++) {
      *inst = &design->decls[i]->insts[k];
      if (!strcmp((*inst)->decl->module, module))
        return design->decls[i];
    }
  return NULL;
}

/* True if the expression reads an output of the instance. */
static bool reads(const struct hd_wire_expr *e, const struct hd_inst *inst) {
  bool found = e->op == HD_X_NET && e->net[0]->inst == inst;
  for (unsigned i = 0; i < e->n_args && !found; i++)
    found = e->arg[i] && reads(e->arg[i], inst);
  return found;
}

/* True if one of the two hears the other by the name of its port, or answers a hook of it: no row but HOOK
 * connects them. */
static bool attached(const struct hd_wiring *w, const struct hd_inst *one, const struct hd_inst *other) {
  for (size_t i = 0; i < w->n_ties; i++) {
    const struct hd_tie *t = &w->ties[i];
    const bool by_name = !t->by || t->by->kind == HD_W_HOOK;
    if (by_name && (t->inst == one ? reads(t->expr, other) : t->inst == other && reads(t->expr, one)))
      return true;
  }
  return false;
}

/* The texts stand behind the struct in one block, so that one free() releases all. */
static struct hd_synth_module *attached_new(const char *of, const char *module, const char *others,
                                            const struct hd_decl_cells *cells) {
  static const char format[] = "%s_attached";
  const size_t name_room = strlen(module) + sizeof format, others_room = strlen(others) + 1;
  struct hd_synth_module *one = hd_resized(NULL, sizeof *one + name_room + others_room, 1);
  char *name = (char *)(one + 1), *behind = name + name_room;
  snprintf(name, name_room, format, module);
  memcpy(behind, others, others_room);
  *one = module_of(cells);
  one->name = name;
  one->of = of;
  one->others = behind;
  return one;
}

struct hd_synth_module *hd_synth_attached(const struct hd_design *design, const char *module,
                                          struct hd_why *why) {
  const struct hd_inst *inst;
  size_t n = 0;
  const struct hd_decl *of = parent_of(design, module, &inst);
  struct hd_wire *rows = of ? hd_wires_of(design->c, of->module, &n) : NULL;
  if (!rows) {
    hd_because(
        why, HD_INPUT,
        "--attached: found %s, which nothing can be attached to; allowed a module in sm_mem or l2_top; "
        "leave it out",
        module);
    return NULL;
  }
  struct hd_synth_module *one = NULL;
  struct hd_wiring *w = hd_wiring_new(of, rows, n, false, why);
  if (w) {
    struct hd_decl_cells cells = {0};
    char *others = hd_format("%s", "");
    for (size_t i = 0; i < of->n_insts; i++) {
      if (&of->insts[i] == inst || attached(w, inst, &of->insts[i])) {
        add_cells(of->insts[i].decl, &cells);
        continue;
      }
      char *more = hd_format("%s %s/%s", others, of->module, of->insts[i].name);
      free(others);
      others = more;
    }
    one = attached_new(of->module, module, others, &cells);
    free(others);
  }
  hd_wiring_free(w);
  free(rows);
  return one;
}
