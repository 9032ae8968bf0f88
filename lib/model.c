/* Models: construction and cycles; see heddle.h.
 *
 * Invariant: the clock edge uses what heddle_eval would compute from the present inputs. */
#include "arch/dropin/dropin.h"
#include "cmodel/model/wired.h"
#include "lib/objects.h"

#include <stdlib.h>
#include <string.h>

/* ---- Making one ---- */

/* Finds the declaration of the module, or makes that of a drop-in. A drop-in is made in a design of the model's own,
 * because the machine's design must not change. */
static heddle_status declare(heddle_model *k, const char *module) {
  k->decl = hd_design_find(k->machine->design, module);
  if (k->decl)
    return HEDDLE_OK;
  struct hd_why why;
  k->own = hd_design_new(&k->machine->c);
  const enum hd_rc rc = k->own ? hd_dropin_add(k->own, module, &k->decl, &why) : HD_TOOL;
  if (rc == HD_INPUT)
    return hd_say(&k->said, HEDDLE_ERR_NAME, "%s", why.text);
  return rc ? hd_say(&k->said, HEDDLE_ERR_MEMORY, "out of memory") : HEDDLE_OK;
}

static size_t count_parts(const struct hd_decl *d) {
  size_t n = 1;
  for (size_t i = 0; i < d->n_insts; i++)
    n += count_parts(d->insts[i].decl);
  return n;
}

/* Lists the model's parts. Returns false if a path of nested instances is too long. */
static bool list_parts(heddle_model *k, struct hd_model *m, const char *path) {
  struct hd_part *part = &k->part[k->parts++];
  part->owner = k;
  part->m = m;
  snprintf(part->path, sizeof part->path, "%s", path);
  for (size_t i = 0; i < m->decl->n_insts; i++) {
    const struct hd_inst *inst = &m->decl->insts[i];
    char inner[sizeof part->path];
    if (snprintf(inner, sizeof inner, "%s%s.", path, inst->name) >= (int)sizeof inner ||
        !list_parts(k, *(struct hd_model **)((char *)m + inst->offset), inner))
      return false;
  }
  return true;
}

static bool make(heddle_model *k, bool data) {
  k->m = hd_model_new(k->own ? k->own : k->machine->design, k->decl->module, data, NULL);
  k->in = calloc(1, k->decl->in_size);
  k->out = calloc(1, k->decl->out_size);
  k->part = calloc(count_parts(k->decl), sizeof *k->part);
  if (!k->m || !k->in || !k->out || !k->part || !hd_alloc_in(k->decl, k->in) ||
      !hd_alloc_out(k->decl, k->out))
    return false;
  return list_parts(k, k->m, "") && hd_values_list(k) && hd_events_list(k);
}

heddle_status heddle_open(const heddle_machine *machine, const char *module, unsigned flags,
                          heddle_model **model) {
  heddle_model *k = *model = calloc(1, sizeof *k);
  if (!k)
    return HEDDLE_ERR_MEMORY;
  k->machine = machine;
  const heddle_status status = declare(k, module);
  if (status)
    return status;
  k->ops = hd_model_ops_of(k->decl);
  if (!make(k, !(flags & HEDDLE_NO_DATA)))
    return hd_say(&k->said, HEDDLE_ERR_MEMORY, "out of memory");
  for (size_t i = 0; i < k->decl->n_rows; i++)
    if (k->decl->rows[i].enable)
      *hd_elem(k->decl, &k->decl->rows[i], k->in, 0, 0) = k->decl->rows[i].on;
  heddle_reset(k);
  return HEDDLE_OK;
}

void heddle_close(heddle_model *k) {
  if (!k)
    return;
  hd_values_free(k);
  hd_events_free(k);
  free(k->part);
  if (k->in)
    hd_free_in(k->decl, k->in);
  if (k->out)
    hd_free_out(k->decl, k->out);
  free(k->in);
  free(k->out);
  hd_model_free(k->m);
  hd_design_free(k->own);
  free(k);
}

const char *heddle_model_message(const heddle_model *k) {
  return k ? k->said.text : "out of memory";
}

/* ---- Its cycles ---- */

void heddle_eval(heddle_model *k) {
  if (k->ops->mealy)
    k->ops->mealy(k->m, k->in, k->out);
  k->evaluated = true;
}

static void edge_is_done(heddle_model *k) {
  k->cycle++;
  k->ops->moore(k->m, k->out);
  k->evaluated = false;
}

void heddle_tick(heddle_model *k) {
  if (!k->evaluated)
    heddle_eval(k);
  k->ops->tick(k->m, k->in);
  edge_is_done(k);
}

void heddle_reset(heddle_model *k) {
  hd_model_reset(k->m);
  edge_is_done(k);
}

uint64_t heddle_cycle(const heddle_model *k) {
  return k->cycle;
}
