/* The copy of the model that the RTL is compared with; see copies.h. */
#include "verif/harness/copies.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "verif/harness/bits.h"

enum { BLOCK = 16 /* elements that are passed over together */, WORD = 8 /* bytes */ };

/* A cell, and its copy: the string of bits that the RTL must hold. */
struct hd_copied {
  struct hd_cell *cell;
  uint64_t was; /* of one element: what was noted last. Of more the cell itself keeps that. */
  uint64_t *copy;
};

/* A memory, and its copy: each row of each bank as the RTL must hold it, from a word on. */
struct hd_copied_ram {
  struct hd_ram *ram;
  size_t stride;  /* words of a row */
  uint64_t *copy; /* bank after bank */
  uint64_t was;   /* the row that the model has written, or -1, as it was noted last */
  uint64_t row;   /* the same, in the copy */
  uint8_t *image; /* of a row that is noted: 8 bytes longer */
};

/* --- beside the model ------------------------------------------------------------------------------------- */

static void add(struct hd_changes *b, uint64_t *to, uint64_t value) {
  if (b->n == b->room) {
    b->room = 2 * b->room + 1024;
    b->change = hd_resized(b->change, b->room, sizeof *b->change);
  }
  b->change[b->n++] = (struct hd_change){to, value};
}

/* Words `from` to before `end` of a string of bits, from word `from` of its copy on. */
static void add_words(struct hd_changes *b, uint64_t *copy, const uint8_t *image, size_t from, size_t end) {
  for (size_t w = from; w < end; w++) {
    uint64_t value;
    memcpy(&value, image + w * WORD, WORD);
    add(b, copy + w, value);
  }
}

/* False: an element does not fit its width. */
static bool add_block(struct hd_changes *b, const struct hd_copied *k, unsigned e, unsigned end) {
  struct hd_cell *c = k->cell;
  const unsigned width = c->row->width;
  unsigned first = end, last = e;
  for (unsigned i = e; i < end; i++)
    if (c->model[i] != c->was[i]) {
      if (c->model[i] & ~hd_mask(width))
        return false;
      hd_put_bits(c->image, (size_t)i * width, width, c->model[i]);
      c->was[i] = c->model[i];
      first = first < i ? first : i;
      last = i;
    }
  add_words(b, k->copy, c->image, (size_t)first * width / 64, ((size_t)last * width + width - 1) / 64 + 1);
  return true;
}

static bool add_vector(struct hd_changes *b, const struct hd_copied *k) {
  const struct hd_cell *c = k->cell;
  const unsigned n = c->row->count;
  bool fits = true;
  for (unsigned e = 0; e < n; e += BLOCK) {
    const unsigned end = e + BLOCK < n ? e + BLOCK : n;
    if (memcmp(c->model + e, c->was + e, (end - e) * sizeof *c->was))
      fits &= add_block(b, k, e, end);
  }
  return fits;
}

static size_t bank_words(const struct hd_copied_ram *k) {
  return k->stride * k->ram->mem->depth;
}

static int64_t written(const struct hd_ram *m) {
  return *(const int64_t *)(const void *)((const char *)m->st + m->mem->wr_offset);
}

/* The row that the model has written. */
static bool add_row(struct hd_changes *b, const struct hd_copied_ram *k) {
  const struct hd_ram *m = k->ram;
  const unsigned r = (unsigned)written(m);
  bool fits = true;
  for (unsigned bank = 0; bank < m->mem->banks; bank++) {
    for (const struct hd_row *f = m->field; f < m->field + m->n_fields; f++) {
      const uint64_t *model = hd_ram_model(m, f, r, bank * f->count);
      for (unsigned e = 0; e < f->count; e++) {
        fits &= !(model[e] & ~hd_mask(f->width));
        hd_put_bits(k->image, f->lsb + (size_t)e * f->width, f->width, model[e] & hd_mask(f->width));
      }
    }
    add_words(b, k->copy + bank * bank_words(k) + r * k->stride, k->image, 0, k->stride);
  }
  return fits;
}

bool hd_copies_note(const struct hd_copies *k, struct hd_changes *to) {
  bool fits = true;
  for (struct hd_copied *c = k->cell; c < k->cell + k->cells; c++)
    if (c->cell->was)
      fits &= add_vector(to, c);
    else if (*c->cell->model != c->was)
      add(to, c->copy, c->was = *c->cell->model);
  for (struct hd_copied_ram *m = k->ram; m < k->ram + k->t->n_rams; m++) {
    if (written(m->ram) >= 0)
      fits &= add_row(to, m);
    if (m->was != (uint64_t)written(m->ram))
      add(to, &m->row, m->was = (uint64_t)written(m->ram));
  }
  return fits;
}

/* --- beside the RTL --------------------------------------------------------------------------------------- */

void hd_copies_drive(struct hd_copies *k) {
  hd_drive_inputs(&k->number);
  for (size_t i = 0; i < k->in.n; i++)
    memcpy(k->in.of[i]->cell->rtl.data, k->in.of[i]->copy, k->in.of[i]->cell->rtl.bytes);
}

static bool strings_agree(const struct hd_strings *s) {
  bool same = true;
  for (size_t i = 0; i < s->n; i++) {
    const struct hd_copied *k = s->of[i];
    same &= !memcmp(k->copy, k->cell->rtl.data, k->cell->rtl.bytes);
  }
  return same;
}

bool hd_copies_outputs_agree(struct hd_copies *k) {
  return hd_outputs_agree(&k->number) && strings_agree(&k->out);
}

bool hd_copies_late_agrees(struct hd_copies *k) {
  return hd_late_agrees(&k->number) && strings_agree(&k->late);
}

bool hd_copies_state_agrees(struct hd_copies *k) {
  return hd_state_agrees(&k->number) && strings_agree(&k->state);
}

static bool row_agrees(const struct hd_copied_ram *k, size_t r) {
  bool same = true;
  for (unsigned bank = 0; bank < k->ram->mem->banks; bank++) {
    const struct hd_dut_var *v = &k->ram->bank[bank].mem;
    same &= !memcmp(k->copy + bank * bank_words(k) + r * k->stride, v->data + r * v->bytes, v->bytes);
  }
  return same;
}

bool hd_copies_writes_agree(const struct hd_copies *k, uint64_t *values) {
  bool same = true;
  for (const struct hd_copied_ram *m = k->ram; m < k->ram + k->t->n_rams; m++) {
    const int64_t row[] = {m->ram->writing, (int64_t)m->row};
    for (unsigned i = 0; i < 2; i++)
      if (row[i] >= 0 && (i == 0 || row[1] != row[0])) {
        same &= row_agrees(m, (size_t)row[i]);
        *values += m->ram->elements;
      }
  }
  return same;
}

bool hd_copies_memories_agree(const struct hd_copies *k, uint64_t *values) {
  bool same = true;
  for (const struct hd_copied_ram *m = k->ram; m < k->ram + k->t->n_rams; m++)
    for (size_t r = 0; r < m->ram->mem->depth; r++) {
      same &= row_agrees(m, r);
      *values += m->ram->elements;
    }
  return same;
}

/* --- making it -------------------------------------------------------------------------------------------- */

void hd_copies_share(struct hd_copies *k) {
  for (struct hd_copied *c = k->cell; c < k->cell + k->cells; c++)
    if (c->cell->was)
      memcpy(c->copy, c->cell->image, c->cell->rtl.bytes);
    else
      *c->copy = c->was = *c->cell->model;
  for (struct hd_copied_ram *m = k->ram; m < k->ram + k->t->n_rams; m++) {
    m->row = m->was = (uint64_t)written(m->ram);
    for (unsigned bank = 0; bank < m->ram->mem->banks; bank++)
      for (size_t r = 0; r < m->ram->mem->depth; r++) {
        const struct hd_dut_var *v = &m->ram->bank[bank].mem;
        memcpy(m->copy + bank * bank_words(m) + r * m->stride, v->data + r * v->bytes, v->bytes);
      }
  }
}

static void copy_cells(struct hd_copies *k, const struct hd_cells *cells, struct hd_cells *numbers,
                       struct hd_strings *strings) {
  strings->of = hd_zeroed(cells->n + 1, sizeof *strings->of);
  for (unsigned kind = 0; kind < 4; kind++)
    numbers->pair[kind] = hd_zeroed(cells->n + 1, sizeof(struct hd_pair));
  for (size_t i = 0; i < cells->n; i++) {
    struct hd_copied *c = &k->cell[k->cells++];
    const struct hd_dut_var *rtl = &cells->cell[i].rtl;
    *c = (struct hd_copied){&cells->cell[i], 0, hd_zeroed((rtl->bytes + WORD - 1) / WORD, WORD)};
    unsigned kind = 0;
    while (kind < 4 && 1U << kind < rtl->bytes)
      kind++;
    if (kind < 4)
      numbers->pair[kind][numbers->pairs[kind]++] = (struct hd_pair){rtl->data, c->copy};
    else
      strings->of[strings->n++] = c;
  }
}

void hd_copies_make(struct hd_copies *k, struct hd_table *t) {
  *k = (struct hd_copies){.t = t};
  k->cell = hd_zeroed(t->in.n + t->out.n + t->late.n + t->state.n + 1, sizeof *k->cell);
  copy_cells(k, &t->in, &k->number.in, &k->in);
  copy_cells(k, &t->out, &k->number.out, &k->out);
  copy_cells(k, &t->late, &k->number.late, &k->late);
  copy_cells(k, &t->state, &k->number.state, &k->state);
  k->ram = hd_zeroed(t->n_rams + 1, sizeof *k->ram);
  for (size_t i = 0; i < t->n_rams; i++) {
    struct hd_copied_ram *m = &k->ram[i];
    *m = (struct hd_copied_ram){.ram = &t->ram[i], .stride = (t->ram[i].bank[0].mem.bytes + WORD - 1) / WORD};
    m->copy = hd_zeroed(m->ram->mem->banks * bank_words(m), WORD);
    m->image = hd_zeroed(m->stride + 1, WORD);
  }
}

void hd_copies_free(struct hd_copies *k) {
  struct hd_strings *const strings[] = {&k->in, &k->out, &k->late, &k->state};
  for (unsigned i = 0; i < 4; i++)
    free(strings[i]->of);
  for (size_t i = 0; i < k->cells; i++)
    free(k->cell[i].copy);
  free(k->cell);
  for (size_t i = 0; k->ram && i < k->t->n_rams; i++) {
    free(k->ram[i].copy);
    free(k->ram[i].image);
  }
  free(k->ram);
  hd_table_free(&k->number);
  *k = (struct hd_copies){0};
}
