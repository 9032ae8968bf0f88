/* Compares both sides every cycle; the cost depends on the number of changes. See table.h. */
#include <stdio.h>

#include "cmodel/model/bits.h"
#include "verif/harness/bits.h"
#include "verif/harness/table.h"
#include "workloads/rng.h"

static uint64_t load(const struct hd_cell *c) {
  switch (c->rtl.bytes) {
  case 1:
    return *c->rtl.data;
  case 2:
    return *(const uint16_t *)(const void *)c->rtl.data;
  case 4:
    return *(const uint32_t *)(const void *)c->rtl.data;
  default:
    return *(const uint64_t *)(const void *)c->rtl.data;
  }
}

enum { BLOCK = 16 /* elements: few change in a cycle, so whole blocks of a vector are skipped */ };

/* Updates the image of the elements from `e` to before `end`. Returns false if one does not fit its width. */
static bool update_block(struct hd_cell *c, unsigned e, unsigned end) {
  const unsigned width = c->row->width;
  const uint64_t too_wide = ~hd_ones(width);
  for (; e < end; e++) {
    const uint64_t v = c->model[e];
    if (v == c->was[e])
      continue;
    if (v & too_wide)
      return false;
    hd_put_bits(c->image, (size_t)e * width, width, v);
    c->was[e] = v;
  }
  return true;
}

static bool update_changed(struct hd_cell *c) {
  const unsigned n = c->row->count;
  bool fits = true;
  for (unsigned e = 0; e < n; e += BLOCK) {
    const unsigned end = e + BLOCK < n ? e + BLOCK : n;
    if (memcmp(c->model + e, c->was + e, (end - e) * sizeof *c->was))
      fits &= update_block(c, e, end);
  }
  return fits;
}

/* Updates the image from the model. Returns false if an element of the model does not fit its width. */
static inline bool update(struct hd_cell *c, bool *changed) {
  *changed = memcmp(c->model, c->was, c->row->count * sizeof *c->was) != 0;
  return !*changed || update_changed(c);
}

/* Returns true for elements of 64 bits: model and RTL store them in the same form, so they need no image. */
static inline bool is_plain(const struct hd_cell *c) {
  return c->row->width == 64;
}

/* Beyond the RTL's bits the image has zeros. So has a variable of up to 8 bytes, which Verilator keeps as one number. */
static inline bool image_agrees(const struct hd_cell *c) {
  uint64_t image;
  if (c->rtl.bytes > sizeof image)
    return !memcmp(c->image, c->rtl.data, c->rtl.bytes);
  memcpy(&image, c->image, sizeof image);
  return image == load(c);
}

/* Collects in `differ` the bits that differ in the cells of one kind. */
#define DIFFER(type, kind)                                                                                   \
  _Pragma("GCC unroll 4") for (const struct hd_pair *p = cells->pair[kind];                                  \
                               p < cells->pair[kind] + cells->pairs[kind]; p++) differ |=                    \
      *(const type *)(const void *)p->rtl ^ *p->model

static bool agree(const struct hd_cells *cells) {
  uint64_t differ = 0;
  DIFFER(uint8_t, 0);
  DIFFER(uint16_t, 1);
  DIFFER(uint32_t, 2);
  DIFFER(uint64_t, 3);
  for (size_t i = 0; i < cells->vectors; i++) {
    struct hd_cell *c = cells->vector[i];
    bool changed;
    differ |= is_plain(c) ? memcmp(c->model, c->rtl.data, c->rtl.bytes) != 0
                          : !update(c, &changed) || !image_agrees(c);
  }
  return differ == 0;
}

/* Gives the cells of one kind the model's values. */
#define GIVE(type, kind)                                                                                     \
  for (const struct hd_pair *p = t->in.pair[kind]; p < t->in.pair[kind] + t->in.pairs[kind]; p++)            \
  *(type *)(void *)p->rtl = (type)*p->model

void hd_drive_inputs(struct hd_table *t) {
  GIVE(uint8_t, 0);
  GIVE(uint16_t, 1);
  GIVE(uint32_t, 2);
  GIVE(uint64_t, 3);
  for (size_t i = 0; i < t->in.vectors; i++) {
    struct hd_cell *c = t->in.vector[i];
    bool changed;
    if (update(c, &changed) && changed)
      memcpy(c->rtl.data, c->image, c->rtl.bytes);
  }
}

void hd_read_outputs(struct hd_table *t, enum hd_class cls) {
  for (struct hd_cell *c = t->out.cell; c < t->out.cell + t->out.n; c++) {
    if (c->row->cls != cls)
      continue;
    if (!c->was)
      *c->model = load(c);
    else if (memcmp(c->image, c->rtl.data, c->rtl.bytes)) {
      memcpy(c->image, c->rtl.data, c->rtl.bytes);
      for (unsigned e = 0; e < c->row->count; e++)
        c->model[e] = hd_cell_rtl(c, e);
    }
  }
}

bool hd_outputs_agree(struct hd_table *t) {
  return agree(&t->out);
}

bool hd_late_agrees(struct hd_table *t) {
  return agree(&t->late);
}

bool hd_state_agrees(struct hd_table *t) {
  return agree(&t->state);
}

static void show(const struct hd_cells *cells) {
  for (struct hd_cell *c = cells->cell; c < cells->cell + cells->n; c++) {
    bool changed;
    if (c->was)
      update(c, &changed);
    if (c->twin.data)
      memcpy(c->twin.data, c->was ? (const void *)c->image : c->model, c->twin.bytes);
  }
}

void hd_show_model(struct hd_table *t) {
  show(&t->state);
  show(&t->out);
}

uint64_t hd_cell_rtl(const struct hd_cell *c, unsigned e) {
  return hd_get_bits(c->rtl.data, c->rtl.bytes, (size_t)e * c->row->width, c->row->width);
}

/* Returns element k of a field in row r of a variable. */
static inline uint64_t element(const struct hd_dut_var *v, const struct hd_row *row, unsigned r, unsigned k) {
  return hd_get_bits(v->data + r * v->bytes, v->bytes, row->lsb + (size_t)k * row->width, row->width);
}

/* Returns element e of a field in row r; e counts through the banks. With `rdata` it is read from the read data, else from the memory. */
static uint64_t banked(const struct hd_ram *m, const struct hd_row *row, unsigned r, unsigned e, bool rdata) {
  const struct hd_ram_bank *b = &m->bank[e / row->count];
  return element(rdata ? &b->rdata : &b->mem, row, r, e % row->count);
}

uint64_t hd_ram_rtl(const struct hd_ram *m, const struct hd_row *row, unsigned r, unsigned e) {
  return banked(m, row, r, e, false);
}

uint64_t *hd_ram_model(const struct hd_ram *m, const struct hd_row *row, unsigned r, unsigned e) {
  return hd_elem(m->decl, row, m->st, r, e);
}

int64_t hd_ram_written(const struct hd_ram *m) {
  const int64_t row = *(const int64_t *)((const char *)m->st + m->mem->wr_offset);
  return row < (int64_t)m->mem->depth ? row : -1;
}

static bool row_agrees(const struct hd_ram *m, unsigned r) {
  for (const struct hd_row *row = m->field; row < m->field + m->n_fields; row++) {
    const uint64_t *model = hd_ram_model(m, row, r, 0); /* all banks, one behind the other */
    const bool plain = row->width == 64 && !row->bundle;
    for (unsigned b = 0; b < m->mem->banks; b++, model += row->count) {
      const struct hd_dut_var *v = &m->bank[b].mem;
      if (plain && memcmp(v->data + r * v->bytes, model, row->count * sizeof *model))
        return false;
      for (unsigned k = 0; !plain && k < row->count; k++)
        if (element(v, row, r, k) != model[k])
          return false;
    }
  }
  return true;
}

void hd_note_writes(struct hd_table *t) {
  for (struct hd_ram *m = t->ram; m < t->ram + t->n_rams; m++) {
    m->writing = -1;
    for (unsigned b = 0; b < m->mem->banks; b++)
      if (*m->bank[b].we.data && (!m->bank[b].en.data || *m->bank[b].en.data)) {
        uint32_t row = 0; /* the banks share one address */
        memcpy(&row, m->bank[b].addr.data, m->bank[b].addr.bytes);
        if (row < m->mem->depth)
          m->writing = row;
      }
  }
}

bool hd_writes_agree(struct hd_table *t, uint64_t *values) {
  bool same = true;
  for (const struct hd_ram *m = t->ram; m < t->ram + t->n_rams; m++) {
    const int64_t rows[] = {m->writing, hd_ram_written(m)};
    for (unsigned i = 0; i < 2; i++)
      if (rows[i] >= 0 && (i == 0 || rows[1] != rows[0])) {
        same &= row_agrees(m, (unsigned)rows[i]);
        *values += m->elements;
      }
  }
  return same;
}

bool hd_memories_agree(const struct hd_table *t, uint64_t *values) {
  bool same = true;
  for (const struct hd_ram *m = t->ram; m < t->ram + t->n_rams; m++)
    for (unsigned r = 0; r < m->mem->depth; r++) {
      same &= row_agrees(m, r);
      *values += m->elements;
    }
  return same;
}

static void randomize(const struct hd_dut_var *v, struct wl_rng *rng) {
  for (unsigned r = 0; r < v->rows; r++) {
    uint8_t *row = v->data + r * v->bytes;
    for (size_t i = 0; i < v->bytes; i++)
      row[i] = i * 8 < v->bits ? (uint8_t)(wl_rng_next(rng) >> 56) : 0;
    if (v->bits % 8)
      row[v->bits / 8] &= (uint8_t)hd_ones(v->bits % 8);
  }
}

void hd_randomize(struct hd_table *t, uint64_t seed) {
  struct wl_rng rng = {wl_rng_mix(seed, 0x706f776572)};
  for (size_t i = 0; i < t->state.n; i++)
    randomize(&t->state.cell[i].rtl, &rng);
  for (size_t i = 0; i < t->n_rams; i++)
    for (unsigned b = 0; b < t->ram[i].mem->banks; b++) {
      randomize(&t->ram[i].bank[b].mem, &rng);
      randomize(&t->ram[i].bank[b].rdata, &rng);
    }
  for (size_t i = 0; i < t->in.n; i++)
    memset(t->in.cell[i].rtl.data, 0, t->in.cell[i].rtl.bytes);
}

static void copy_ram(const struct hd_ram *m) {
  char *q = (char *)m->st + m->mem->q_offset;
  for (const struct hd_row *row = m->field; row < m->field + m->n_fields; row++) {
    for (unsigned e = 0; e < row->count * m->mem->banks; e++) {
      uint64_t *last = row->bundle ? (uint64_t *)(void *)(q + row->field) : *(uint64_t **)(void *)q + e;
      *last = banked(m, row, 0, e, true);
      for (unsigned r = 0; r < m->mem->depth; r++)
        *hd_ram_model(m, row, r, e) = hd_ram_rtl(m, row, r, e);
    }
  }
}

void hd_copy_state(struct hd_table *t, bool all) {
  for (size_t i = 0; i < t->state.n; i++) {
    const struct hd_cell *c = &t->state.cell[i];
    for (unsigned e = 0; (all || c->row->reset == NORESET) && e < c->row->count; e++)
      c->model[e] = hd_cell_rtl(c, e);
  }
  for (size_t i = 0; i < t->n_rams; i++)
    copy_ram(&t->ram[i]);
}

uint64_t hd_state_hash(const struct hd_table *t) {
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  for (const struct hd_cell *c = t->state.cell; c < t->state.cell + t->state.n; c++)
    for (size_t i = 0; i < c->rtl.bytes; i++)
      h = (h ^ c->rtl.data[i]) * UINT64_C(0x100000001b3);
  return h;
}

/* --- two runs -------------------------------------------------------------------------------------------- */

static bool cells_equal(const struct hd_cells *a, const struct hd_cells *b) {
  for (size_t i = 0; i < a->n; i++)
    if (memcmp(a->cell[i].rtl.data, b->cell[i].rtl.data, a->cell[i].rtl.bytes))
      return false;
  return true;
}

static bool variables_equal(const struct hd_dut_var *a, const struct hd_dut_var *b) {
  return !memcmp(a->data, b->data, a->bytes * a->rows);
}

static bool memories_equal(const struct hd_table *a, const struct hd_table *b) {
  for (size_t i = 0; i < a->n_rams; i++)
    for (unsigned bank = 0; bank < a->ram[i].mem->banks; bank++) {
      const struct hd_ram_bank *of_a = &a->ram[i].bank[bank], *of_b = &b->ram[i].bank[bank];
      if (!variables_equal(&of_a->mem, &of_b->mem) || !variables_equal(&of_a->rdata, &of_b->rdata))
        return false;
    }
  return true;
}

bool hd_equal_but(const struct hd_table *a, const struct hd_table *b, const struct hd_bit *of_a,
                  const struct hd_bit *of_b, bool memories) {
  const uint8_t was = *of_a->byte;
  *of_a->byte = (uint8_t)((was & ~of_a->mask) | (*of_b->byte & of_b->mask));
  const bool equal = cells_equal(&a->out, &b->out) && cells_equal(&a->state, &b->state) &&
                     (!memories || memories_equal(a, b));
  *of_a->byte = was;
  return equal;
}

/* --- after a mismatch; speed does not matter here ------------------------------------------------------- */

static void cell_differences(const struct hd_cells *cells, const char *kind, struct hd_diff *diff, size_t max,
                             size_t *n) {
  for (const struct hd_cell *c = cells->cell; c < cells->cell + cells->n; c++)
    for (unsigned e = 0; e < c->row->count; e++) {
      const uint64_t rtl = hd_cell_rtl(c, e);
      if (rtl == c->model[e] || (*n)++ >= max)
        continue;
      struct hd_diff *d = &diff[*n - 1];
      *d = (struct hd_diff){.kind = kind, .decl = c->decl, .row = c->row, .rtl = rtl, .model = c->model[e]};
      int end = snprintf(d->name, sizeof d->name, "%s%s", c->path, c->row->name);
      if (c->row->count > 1)
        snprintf(d->name + end, sizeof d->name - (size_t)end, "[%u]", e);
    }
}

static void row_differences(const struct hd_ram *m, unsigned r, struct hd_diff *diff, size_t max, size_t *n) {
  for (const struct hd_row *row = m->field; row < m->field + m->n_fields; row++)
    for (unsigned e = 0; e < row->count * m->mem->banks; e++) {
      const uint64_t rtl = hd_ram_rtl(m, row, r, e), model = *hd_ram_model(m, row, r, e);
      if (rtl == model || (*n)++ >= max)
        continue;
      struct hd_diff *d = &diff[*n - 1];
      *d = (struct hd_diff){
          .kind = "memory", .decl = m->decl, .row = row, .ram = m, .r = r, .rtl = rtl, .model = model};
      int end = snprintf(d->name, sizeof d->name, "%s%s[%u]%s", m->path, m->mem->name, r,
                         row->bundle ? strchr(row->name, '.') : "");
      if (row->count * m->mem->banks > 1)
        snprintf(d->name + end, sizeof d->name - (size_t)end, "[%u]", e);
    }
}

size_t hd_differences(const struct hd_table *t, enum hd_moment moment, struct hd_diff *diff, size_t max) {
  size_t n = 0;
  if (moment == HD_AT_LATE) {
    cell_differences(&t->late, "late", diff, max, &n);
    return n;
  }
  cell_differences(&t->state, "register", diff, max, &n);
  for (const struct hd_ram *m = t->ram; m < t->ram + t->n_rams; m++)
    for (unsigned r = 0; r < m->mem->depth; r++)
      row_differences(m, r, diff, max, &n);
  if (moment == HD_AT_OUTPUTS)
    cell_differences(&t->out, "output", diff, max, &n);
  return n;
}
