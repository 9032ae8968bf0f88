/* The copy of the model's values with which the RTL is compared; see copies.h. */
#include "verif/harness/copies.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "verif/harness/bits.h"

enum { BLOCK = 16 /* elements that are skipped together if none changed */, WORD = 8 /* bytes */ };

/* A cell, and its copy: the string of bits that the RTL must hold. */
struct hd_copied {
  struct hd_cell *cell;
  uint64_t was; /* one element: its value when noted last. A vector's values are kept in the cell. */
  size_t copy;  /* its first word */
};

/* A memory, and its copy: each row of each bank, as the RTL must hold it, starts at a word of its own. */
struct hd_copied_ram {
  struct hd_ram *ram;
  size_t stride;  /* words of a row */
  size_t copy;    /* the first word of the copy: bank after bank */
  uint64_t was;   /* the row that the model has written, or -1; when noted last */
  size_t row;     /* the word of the copy that holds the same number */
  uint8_t *image; /* of the row that is being noted, 8 bytes longer */
};

/* --- on the model's side ---------------------------------------------------------------------------------- */

/* Records that word `word` of the copy gets a value. */
static void add(struct hd_changes *b, size_t word, uint64_t value) {
  if (b->n + 2 > b->room) {
    b->room = 2 * b->room + 1024;
    b->code = hd_resized(b->code, b->room, sizeof *b->code);
  }
  const bool is_long = value > UINT32_MAX;
  b->code[b->n++] = (uint64_t)word << 33 | (uint64_t)is_long << 32 | (is_long ? 0 : value);
  if (is_long)
    b->code[b->n++] = value;
}

/* Records words `from` to before `end` of a string of bits; `copy` is the first word of the string's copy. */
static void add_words(struct hd_changes *b, size_t copy, const uint8_t *image, size_t from, size_t end) {
  for (size_t w = from; w < end; w++) {
    uint64_t value;
    memcpy(&value, image + w * WORD, WORD);
    add(b, copy + w, value);
  }
}

/* Records the changes in a block of a vector. Returns false if an element does not fit its width. */
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

/* Records row r, which the model has written. Returns false if an element does not fit its width. */
static bool add_row(struct hd_changes *b, const struct hd_copied_ram *k, unsigned r) {
  const struct hd_ram *m = k->ram;
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
    const int64_t written = hd_ram_written(m->ram);
    if (written >= 0)
      fits &= add_row(to, m, (unsigned)written);
    if (m->was != (uint64_t)written)
      add(to, m->row, m->was = (uint64_t)written);
  }
  return fits;
}

/* --- on the RTL's side ------------------------------------------------------------------------------------ */

void hd_copies_apply(const struct hd_copies *k, const uint64_t *from, const uint64_t *end) {
  while (from < end) {
    const uint64_t code = *from++;
    k->word[code >> 33] = code >> 32 & 1 ? *from++ : code & UINT32_MAX;
  }
}

void hd_copies_drive(struct hd_copies *k) {
  hd_drive_inputs(&k->number);
  for (size_t i = 0; i < k->in.n; i++)
    memcpy(k->in.of[i]->cell->rtl.data, k->word + k->in.of[i]->copy, k->in.of[i]->cell->rtl.bytes);
}

static bool strings_agree(const struct hd_copies *k, const struct hd_strings *s) {
  bool same = true;
  for (size_t i = 0; i < s->n; i++) {
    const struct hd_dut_var *rtl = &s->of[i]->cell->rtl;
    same &= !memcmp(k->word + s->of[i]->copy, rtl->data, rtl->bytes);
  }
  return same;
}

bool hd_copies_outputs_agree(struct hd_copies *k) {
  return hd_outputs_agree(&k->number) && strings_agree(k, &k->out);
}

bool hd_copies_late_agrees(struct hd_copies *k) {
  return hd_late_agrees(&k->number) && strings_agree(k, &k->late);
}

bool hd_copies_state_agrees(struct hd_copies *k) {
  return hd_state_agrees(&k->number) && strings_agree(k, &k->state);
}

static bool row_agrees(const struct hd_copies *k, const struct hd_copied_ram *m, size_t r) {
  bool same = true;
  for (unsigned bank = 0; bank < m->ram->mem->banks; bank++) {
    const struct hd_dut_var *v = &m->ram->bank[bank].mem;
    same &=
        !memcmp(k->word + m->copy + bank * bank_words(m) + r * m->stride, v->data + r * v->bytes, v->bytes);
  }
  return same;
}

bool hd_copies_writes_agree(const struct hd_copies *k, uint64_t *values) {
  bool same = true;
  for (const struct hd_copied_ram *m = k->ram; m < k->ram + k->t->n_rams; m++) {
    const int64_t row[] = {m->ram->writing, (int64_t)k->word[m->row]};
    for (unsigned i = 0; i < 2; i++)
      if (row[i] >= 0 && (i == 0 || row[1] != row[0])) {
        same &= row_agrees(k, m, (size_t)row[i]);
        *values += m->ram->elements;
      }
  }
  return same;
}

/* --- making the copy -------------------------------------------------------------------------------------- */

void hd_copies_share(struct hd_copies *k) {
  for (struct hd_copied *c = k->cell; c < k->cell + k->cells; c++)
    if (c->cell->was)
      memcpy(k->word + c->copy, c->cell->image, c->cell->rtl.bytes);
    else
      k->word[c->copy] = c->was = *c->cell->model;
  for (struct hd_copied_ram *m = k->ram; m < k->ram + k->t->n_rams; m++) {
    k->word[m->row] = m->was = (uint64_t)hd_ram_written(m->ram);
    for (unsigned bank = 0; bank < m->ram->mem->banks; bank++)
      for (size_t r = 0; r < m->ram->mem->depth; r++) {
        const struct hd_dut_var *v = &m->ram->bank[bank].mem;
        memcpy(k->word + m->copy + bank * bank_words(m) + r * m->stride, v->data + r * v->bytes, v->bytes);
      }
  }
}

/* Reserves words of the copy. Returns the number of the first. */
static size_t take(struct hd_copies *k, size_t words) {
  k->words += words;
  return k->words - words;
}

static size_t words_of(const struct hd_dut_var *rtl) {
  return (rtl->bytes + WORD - 1) / WORD;
}

static void copy_cells(struct hd_copies *k, const struct hd_cells *cells, struct hd_strings *strings) {
  strings->of = hd_zeroed(cells->n + 1, sizeof *strings->of);
  for (struct hd_cell *cell = cells->cell; cell < cells->cell + cells->n; cell++) {
    struct hd_copied *c = &k->cell[k->cells++];
    *c = (struct hd_copied){cell, 0, take(k, words_of(&cell->rtl))};
    if (cell->rtl.bytes > WORD)
      strings->of[strings->n++] = c;
  }
}

/* Makes pairs of those cells that fit in one word, from the `n` cells that begin with number `first`. */
static void pair_cells(struct hd_copies *k, size_t first, size_t n, struct hd_cells *numbers) {
  for (unsigned kind = 0; kind < 4; kind++)
    numbers->pair[kind] = hd_zeroed(n + 1, sizeof(struct hd_pair));
  for (const struct hd_copied *c = k->cell + first; c < k->cell + first + n; c++) {
    const struct hd_dut_var *rtl = &c->cell->rtl;
    unsigned kind = 0;
    while (1U << kind < rtl->bytes)
      kind++;
    if (rtl->bytes <= WORD)
      numbers->pair[kind][numbers->pairs[kind]++] = (struct hd_pair){rtl->data, k->word + c->copy};
  }
}

void hd_copies_make(struct hd_copies *k, struct hd_table *t) {
  *k = (struct hd_copies){.t = t};
  struct hd_strings *const strings[] = {&k->in, &k->out, &k->late, &k->state};
  struct hd_cells *const cells[] = {&t->in, &t->out, &t->late, &t->state}, *const numbers[] = {
                                                                               &k->number.in, &k->number.out,
                                                                               &k->number.late,
                                                                               &k->number.state};
  k->cell = hd_zeroed(t->in.n + t->out.n + t->late.n + t->state.n + 1, sizeof *k->cell);
  for (unsigned i = 0; i < 4; i++)
    copy_cells(k, cells[i], strings[i]);
  k->ram = hd_zeroed(t->n_rams + 1, sizeof *k->ram);
  for (size_t i = 0; i < t->n_rams; i++) {
    struct hd_copied_ram *m = &k->ram[i];
    *m = (struct hd_copied_ram){.ram = &t->ram[i], .stride = words_of(&t->ram[i].bank[0].mem)};
    m->row = take(k, 1);
    m->copy = take(k, m->ram->mem->banks * bank_words(m));
    m->image = hd_zeroed(m->stride + 1, WORD);
  }
  k->word = hd_zeroed(k->words + 1, WORD);
  size_t first = 0;
  for (unsigned i = 0; i < 4; first += cells[i++]->n)
    pair_cells(k, first, cells[i]->n, numbers[i]);
}

void hd_copies_free(struct hd_copies *k) {
  struct hd_strings *const strings[] = {&k->in, &k->out, &k->late, &k->state};
  for (unsigned i = 0; i < 4; i++)
    free(strings[i]->of);
  free(k->cell);
  for (size_t i = 0; k->ram && i < k->t->n_rams; i++)
    free(k->ram[i].image);
  free(k->ram);
  free(k->word);
  hd_table_free(&k->number);
  *k = (struct hd_copies){0};
}
