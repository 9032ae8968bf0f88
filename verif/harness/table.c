/* Makes the table of both sides; see table.h. */
#include "verif/harness/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verif/harness/readable.h"

struct making {
  struct hd_table *t;
  hd_dut_find *find;
  void *dut;
  bool twins; /* look for the variables that show the model's values in the waveform */
  struct hd_why *why;
  enum hd_rc rc;
};

static void *at(void *base, size_t offset) {
  return (char *)base + offset;
}

/* Returns true if the variable's bytes hold its bits, and a variable of at most 64 bits can be read as a number. */
static bool whole(const struct hd_dut_var *var) {
  const size_t n = var->bytes;
  return 8 * n >= var->bits && (var->bits > 64 || n == 1 || n == 2 || n == 4 || n == 8);
}

/* Finds a variable of a module with `bits` bits (0: any) and `rows` rows. Returns false if it is missing or different; the reason begins
 * with the module's file. */
static bool find(struct making *k, const char *module, const char *scope, const char *name, unsigned bits,
                 unsigned rows, struct hd_dut_var *var) {
  if (k->rc != HD_OK)
    return false;
  if (!k->find(k->dut, scope, name, var))
    k->rc = hd_because(k->why, HD_CHECK, "%s.v: no %s in %s, which is declared", module, name, scope);
  else if ((bits && var->bits != bits) || var->rows != rows)
    k->rc = hd_because(k->why, HD_CHECK, "%s.v: %s in %s is %u rows of %u bits, declared are %u of %u",
                       module, name, scope, var->rows, var->bits, rows, bits);
  else if (!whole(var))
    k->rc = hd_because(
        k->why, HD_CHECK,
        "%s.v: %s in %s has %u bits in %zu bytes; allowed 1, 2, 4 or 8 bytes, of more than 64 bits so "
        "many that they fit",
        module, name, scope, var->bits, var->bytes);
  return k->rc == HD_OK;
}

static bool no_memory(struct making *k) {
  k->rc = hd_because(k->why, HD_TOOL, "out of memory");
  return false;
}

/* Finds the variable that shows the model's value in the waveform, if there is one. Returns false if out of memory. */
static bool find_twin(struct making *k, const char *path, const char *var, struct hd_dut_var *twin) {
  char *scope = hd_try_format("TOP.%s.model", k->t->decl->module), *name = hd_dut_twin(path, var);
  const bool named = scope && name;
  if (named)
    k->find(k->dut, scope, name, twin);
  free(name);
  free(scope);
  return named;
}

static bool add_cell(struct making *k, struct hd_cells *cells, const struct hd_decl *d,
                     const struct hd_row *row, const char *scope, const char *path, void *base) {
  struct hd_cell c = {.decl = d, .row = row, .path = path, .model = hd_elem(d, row, base, 0, 0)};
  char *inside = row->latched ? hd_try_format("%s.u_%s", scope, row->name) : NULL;
  if (row->latched && !inside)
    return no_memory(k);
  const bool found = find(k, d->module, inside ? inside : scope, inside ? "q" : row->var,
                          row->count * row->width, 1, &c.rtl);
  free(inside);
  if (!found)
    return false;
  if (k->twins && cells != &k->t->in && !find_twin(k, path, row->var, &c.twin))
    return no_memory(k);
  if (row->count > 1) {
    c.was = calloc(row->count, sizeof *c.was);
    c.image = calloc(1, c.rtl.bytes + 8);
  }
  struct hd_cell *more = realloc(cells->cell, (cells->n + 1) * sizeof *more);
  if (more)
    cells->cell = more;
  if (!more || (row->count > 1 && (!c.was || !c.image))) {
    free(c.was);
    free(c.image);
    return no_memory(k);
  }
  cells->cell[cells->n++] = c;
  cells->elements += row->count;
  return true;
}

static bool add_ram(struct making *k, const struct hd_decl *d, const struct hd_mem *mem, const char *scope,
                    const char *path, void *st) {
  struct hd_table *t = k->t;
  struct hd_ram *more = realloc(t->ram, (t->n_rams + 1) * sizeof *more);
  if (!more)
    return no_memory(k);
  t->ram = more;
  struct hd_ram *m = &t->ram[t->n_rams];
  *m = (struct hd_ram){.decl = d, .mem = mem, .path = path, .st = st, .writing = -1};
  if (!(m->bank = calloc(mem->banks, sizeof *m->bank)))
    return no_memory(k);
  t->n_rams++;
  for (const struct hd_row *row = d->rows; row < d->rows + d->n_rows; row++)
    if (row->cls == HD_RAM && &d->mems[row->mem] == mem) {
      if (m->n_fields++ == 0)
        m->field = row;
      m->elements += (size_t)row->count * mem->banks;
    }
  for (unsigned b = 0; b < mem->banks; b++) {
    char number[16] = "";
    if (mem->banks > 1)
      snprintf(number, sizeof number, "_%u", b);
    char *inside = hd_try_format("%s.u_%s%s", scope, mem->name, number);
    struct hd_ram_bank *bank = &m->bank[b];
    if (!inside)
      return no_memory(k);
    find(k, d->module, inside, "mem", mem->width, mem->depth, &bank->mem);
    find(k, d->module, inside, "rdata", mem->width, 1, &bank->rdata);
    find(k, d->module, inside, "we", 1, 1, &bank->we);
    if (hd_one_port(mem->ports))
      find(k, d->module, inside, "en", 1, 1, &bank->en);
    find(k, d->module, inside, hd_one_port(mem->ports) ? "addr" : "waddr", 0, 1, &bank->addr);
    k->find(k->dut, inside, "re", &bank->re);
    k->find(k->dut, inside, "wmask", &bank->wmask);
    if (k->find(k->dut, inside, "sleep", &bank->sleep) &&
        (!(bank->slept = calloc(1, bank->sleep.bytes)) ||
         !(bank->woke = calloc(mem->depth, sizeof *bank->woke)))) {
      free(inside);
      return no_memory(k);
    }
    free(inside);
  }
  return k->rc == HD_OK;
}

/* Adds the state of a module and of all instances in it, inner modules first. */
static bool add_module(struct making *k, const struct hd_decl *d, const char *scope, const char *path,
                       void *model) {
  struct hd_table *t = k->t;
  for (size_t i = 0; i < d->n_insts; i++) {
    const struct hd_inst *inst = &d->insts[i];
    char **more = realloc(t->paths, (t->n_paths + 1) * sizeof *more);
    if (!more)
      return no_memory(k);
    t->paths = more;
    char *inner_path = t->paths[t->n_paths++] = hd_try_format("%s%s.", path, inst->name);
    char *inner_scope = hd_try_format("%s.%s", scope, inst->name);
    const bool named = inner_path && inner_scope;
    const bool ok =
        named && add_module(k, inst->decl, inner_scope, inner_path, *(void **)at(model, inst->offset));
    free(inner_scope);
    if (!named)
      return no_memory(k);
    if (!ok)
      return false;
  }
  void *st = at(model, d->st_offset);
  for (size_t i = 0; i < d->n_rows; i++)
    if ((d->rows[i].cls == HD_REG || d->rows[i].cls == HD_CAM) &&
        !add_cell(k, &t->state, d, &d->rows[i], scope, path, st))
      return false;
  for (size_t i = 0; i < d->n_mems; i++)
    if (!add_ram(k, d, &d->mems[i], scope, path, st))
      return false;
  return true;
}

/* Sorts the cells by the way in which they are compared: each kind gets one loop without a branch. */
static bool sort(struct making *k, struct hd_cells *cells) {
  cells->vector = calloc(cells->n + 1, sizeof(struct hd_cell *));
  for (unsigned kind = 0; kind < 4; kind++)
    cells->pair[kind] = calloc(cells->n + 1, sizeof(struct hd_pair));
  if (!cells->vector || !cells->pair[0] || !cells->pair[1] || !cells->pair[2] || !cells->pair[3])
    return no_memory(k);
  for (struct hd_cell *c = cells->cell; c < cells->cell + cells->n; c++) {
    unsigned kind = 0;
    while (1U << kind < c->rtl.bytes)
      kind++;
    if (c->was)
      cells->vector[cells->vectors++] = c;
    else
      cells->pair[kind][cells->pairs[kind]++] = (struct hd_pair){c->rtl.data, c->model};
  }
  return true;
}

enum hd_rc hd_table_of_state(struct hd_table *t, const struct hd_decl *top, const char *scope,
                             hd_dut_find *find, void *dut, void *model, struct hd_why *why) {
  *t = (struct hd_table){.decl = top};
  struct making k = {t, find, dut, false, why, HD_OK};
  if (add_module(&k, top, scope, "", model))
    sort(&k, &t->state);
  return k.rc;
}

enum hd_rc hd_table_make(struct hd_table *t, const struct hd_decl *top, const struct hd_dut_api *api,
                         void *dut, void *model, void *in, void *out, struct hd_why *why) {
  char *scope = hd_try_format("TOP.%s", top->module);
  struct making k = {t, api->find, dut, true, why, HD_OK};
  *t = (struct hd_table){.decl = top};
  if (!scope)
    no_memory(&k);
  else if (add_module(&k, top, scope, "", model))
    sort(&k, &t->state);
  free(scope);
  bool ok = find(&k, top->module, "TOP.TOP", "clk", 1, 1, &t->clk) &&
            find(&k, top->module, "TOP.TOP", "rst", 1, 1, &t->reset);
  for (size_t i = 0; ok && i < top->n_rows; i++) {
    const struct hd_row *row = &top->rows[i];
    if (row->cls == HD_IN)
      ok = add_cell(&k, &t->in, top, row, "TOP.TOP", "", in);
    else if (row->cls == HD_LATE)
      ok = add_cell(&k, &t->late, top, row, "TOP.TOP", "", at(model, top->late_offset));
    else if (hd_is_output(row->cls))
      ok = add_cell(&k, &t->out, top, row, "TOP.TOP", "", out);
  }
  if (ok && sort(&k, &t->in) && sort(&k, &t->out))
    sort(&k, &t->late);
  return k.rc;
}

static const struct hd_cell *port_of(const struct hd_table *t, const struct hd_row *row) {
  const struct hd_cells *ports[] = {&t->in, &t->out};
  for (unsigned p = 0; p < 2; p++)
    for (size_t i = 0; i < ports[p]->n; i++)
      if (ports[p]->cell[i].row == row)
        return &ports[p]->cell[i];
  return NULL;
}

/* Takes handshakes first, then other single bits, then narrow ports, until the line is full. */
unsigned hd_table_columns(const struct hd_table *t, const struct hd_cell **column, unsigned most) {
  const struct hd_decl *d = t->decl;
  size_t room = 90;
  unsigned n = 0;
  for (unsigned rank = 0; rank < 3; rank++)
    for (const struct hd_row *row = d->rows; row < d->rows + d->n_rows; row++) {
      const struct hd_cell *port = port_of(t, row);
      const size_t takes = strlen(row->name) + 1;
      const unsigned is = row->width > 1 ? 2 : row->bundle != NULL;
      if (!port || is != rank || row->count > 1 || row->width > 8 || takes > room || n == most)
        continue;
      column[n++] = port;
      room -= takes;
    }
  return n;
}

static void free_cells(struct hd_cells *cells) {
  for (size_t i = 0; i < cells->n; i++) {
    free(cells->cell[i].was);
    free(cells->cell[i].image);
  }
  for (unsigned kind = 0; kind < 4; kind++)
    free(cells->pair[kind]);
  free(cells->vector);
  free(cells->cell);
}

void hd_table_free(struct hd_table *t) {
  free_cells(&t->in);
  free_cells(&t->out);
  free_cells(&t->late);
  free_cells(&t->state);
  for (size_t i = 0; i < t->n_rams; i++) {
    for (unsigned b = 0; t->ram[i].bank && b < t->ram[i].mem->banks; b++) {
      free(t->ram[i].bank[b].slept);
      free(t->ram[i].bank[b].woke);
    }
    free(t->ram[i].bank);
  }
  free(t->ram);
  for (size_t i = 0; i < t->n_paths; i++)
    free(t->paths[i]);
  free(t->paths);
  *t = (struct hd_table){0};
}
