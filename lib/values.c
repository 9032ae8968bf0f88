/* The values of a model: their names, and setting and reading their bits; see heddle.h.
 *
 * Invariant: an element never has a bit above its width. */
#include "base/nearest_name.h"
#include "cmodel/model/bits.h"
#include "lib/objects.h"

#include <stdlib.h>
#include <string.h>

/* ---- The list ---- */

static const heddle_kind kind_of[] = {
    [HD_IN] = HEDDLE_KIND_INPUT,  [HD_OUT] = HEDDLE_KIND_OUTPUT,   [HD_MEALY] = HEDDLE_KIND_MEALY,
    [HD_LATE] = HEDDLE_KIND_LATE, [HD_REG] = HEDDLE_KIND_REGISTER, [HD_CAM] = HEDDLE_KIND_REGISTER,
    [HD_RAM] = HEDDLE_KIND_MEMORY};

/* True for inputs, and for state from which the model derives no notes (hd_model.memo). */
static bool settable(const struct hd_row *r) {
  return r->cls == HD_IN || r->cls == HD_RAM || (!hd_is_port(r->cls) && r->reset == NORESET);
}

static void *base_of(const heddle_model *k, struct hd_model *m, enum hd_class cls) {
  return cls == HD_IN        ? k->in
         : cls == HD_LATE    ? (char *)m + m->decl->late_offset
         : hd_is_output(cls) ? k->out
                             : (char *)m + m->decl->st_offset;
}

static void list_row(heddle_model *k, const struct hd_part *part, const struct hd_row *r) {
  const struct hd_decl *d = part->m->decl;
  struct hd_place *at = &k->place[k->places++];
  const struct hd_mem *mem = r->mem < 0 ? NULL : &d->mems[r->mem];
  snprintf(at->name, sizeof at->name, "%s%s", part->path, r->cls == HD_RAM ? r->name : r->var);
  at->decl = d;
  at->row = r;
  at->base = base_of(k, part->m, r->cls);
  heddle_value *v = &at->value;
  *v = (heddle_value){.name = at->name,
                      .meaning = r->meaning,
                      .kind = kind_of[r->cls],
                      .count = r->count * (mem && !r->bundle ? mem->banks : 1),
                      .width = r->width,
                      .rows = mem ? mem->depth : 1,
                      .settable = settable(r)};
  v->bits = v->count * v->width;
  v->words = (v->bits + 31) / 32;
}

bool hd_values_list(heddle_model *k) {
  size_t most = 0;
  for (size_t p = 0; p < k->parts; p++)
    most += k->part[p].m->decl->n_rows;
  k->place = calloc(most + 1, sizeof *k->place);
  for (size_t p = 0; k->place && p < k->parts; p++) {
    const struct hd_decl *d = k->part[p].m->decl;
    for (size_t i = 0; i < d->n_rows; i++)
      if (!p || !hd_is_port(d->rows[i].cls)) /* inner ports are wires, of which the model keeps only some */
        list_row(k, &k->part[p], &d->rows[i]);
  }
  return k->place != NULL;
}

void hd_values_free(heddle_model *k) {
  free(k->place);
}

size_t heddle_value_count(const heddle_model *k) {
  return k->places;
}

const heddle_value *heddle_value_at(const heddle_model *k, size_t value) {
  return value < k->places ? &k->place[value].value : NULL;
}

size_t heddle_find(heddle_model *k, const char *name) {
  struct hd_near near = hd_near_to(name);
  for (size_t i = 0; i < k->places; i++) {
    if (!strcmp(k->place[i].name, name))
      return i;
    hd_near_try(&near, k->place[i].name);
  }
  hd_say(&k->said, HEDDLE_ERR_NAME,
         "value: found %s; %sallowed are the names of heddle_value_at; correct the name", name,
         hd_near_text(&near).text);
  return HEDDLE_NONE;
}

/* ---- Bits ---- */

/* Returns the elements of a row. Returns NULL, after setting the message, if there is no such value or row. */
static uint64_t *row_of(heddle_model *k, size_t value, unsigned row) {
  if (value >= k->places) {
    hd_say(&k->said, HEDDLE_ERR_ARGUMENT, "value: found index %zu; allowed: below %zu", value, k->places);
    return NULL;
  }
  const struct hd_place *at = &k->place[value];
  if (row >= at->value.rows) {
    hd_say(&k->said, HEDDLE_ERR_ARGUMENT, "%s: found row %u; allowed: below %u", at->name, row,
           at->value.rows);
    return NULL;
  }
  return hd_elem(at->decl, at->row, at->base, row, 0);
}

/* Returns the elements of a row to set. Returns NULL, after setting the message, if it cannot be set. */
static uint64_t *row_to_set(heddle_model *k, size_t value, unsigned row) {
  uint64_t *e = row_of(k, value, row);
  if (!e)
    return NULL;
  if (k->place[value].value.settable) {
    k->evaluated = false;
    return e;
  }
  hd_say(&k->said, HEDDLE_ERR_ARGUMENT,
         "%s: found an attempt to set it; allowed: inputs, memories, registers without a reset value",
         k->place[value].name);
  return NULL;
}

static void put_words(const heddle_value *v, uint64_t *e, const uint32_t *words) {
  uint64_t bits = 0; /* the lowest `have` bits come from words and are in no element yet */
  unsigned have = 0, next = 0;
  for (unsigned i = 0; i < v->count; i++) {
    uint64_t element = bits;
    unsigned got = have < v->width ? have : v->width;
    bits = got < 64 ? bits >> got : 0;
    have -= got;
    while (got < v->width) {
      const uint64_t word = words[next++];
      element |= word << got;
      const unsigned taken = v->width - got < 32 ? v->width - got : 32;
      bits = word >> taken;
      have = 32 - taken;
      got += taken;
    }
    e[i] = element & hd_ones(v->width);
  }
}

heddle_status heddle_set(heddle_model *k, size_t value, unsigned row, const uint32_t *words) {
  uint64_t *e = row_to_set(k, value, row);
  if (!e)
    return HEDDLE_ERR_ARGUMENT;
  put_words(&k->place[value].value, e, words);
  return HEDDLE_OK;
}

heddle_status hd_put_output(heddle_model *k, size_t value, const uint32_t *words) {
  uint64_t *e = row_of(k, value, 0);
  if (!e)
    return HEDDLE_ERR_ARGUMENT;
  const struct hd_place *at = &k->place[value];
  if (at->base != k->out)
    return hd_say(&k->said, HEDDLE_ERR_ARGUMENT, "%s: found where an output is expected; allowed: outputs",
                  at->name);
  put_words(&at->value, e, words);
  return HEDDLE_OK;
}

heddle_status heddle_get(heddle_model *k, size_t value, unsigned row, uint32_t *words) {
  const uint64_t *e = row_of(k, value, row);
  if (!e)
    return HEDDLE_ERR_ARGUMENT;
  const heddle_value *v = &k->place[value].value;
  uint64_t bits = 0; /* the lowest `have` bits, fewer than 32, are in no word yet */
  unsigned have = 0, next = 0;
  for (unsigned i = 0; i < v->count; i++) {
    uint64_t element = e[i];
    for (unsigned left = v->width; left;) {
      const unsigned taken = left < 32 ? left : 32;
      bits |= (element & hd_ones(taken)) << have;
      have += taken;
      element = element >> (taken - 1) >> 1;
      left -= taken;
      if (have >= 32) {
        words[next++] = (uint32_t)bits;
        bits >>= 32;
        have -= 32;
      }
    }
  }
  if (have)
    words[next] = (uint32_t)bits;
  return HEDDLE_OK;
}

heddle_status heddle_set_u64(heddle_model *k, size_t value, uint64_t number) {
  uint64_t *e = row_to_set(k, value, 0);
  if (!e)
    return HEDDLE_ERR_ARGUMENT;
  const heddle_value *v = &k->place[value].value;
  for (unsigned i = 0; i < v->count; i++) {
    e[i] = number & hd_ones(v->width);
    number = v->width < 64 ? number >> v->width : 0;
  }
  return HEDDLE_OK;
}

uint64_t heddle_get_u64(heddle_model *k, size_t value) {
  const uint64_t *e = row_of(k, value, 0);
  if (!e)
    return 0;
  const heddle_value *v = &k->place[value].value;
  uint64_t number = 0;
  for (unsigned i = 0, at = 0; i < v->count && at < 64; i++, at += v->width)
    number |= e[i] << at;
  return number;
}
