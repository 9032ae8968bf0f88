/* Flips one bit of a register, a memory or an output, in the RTL, in the model or in both. It tests that lockstep finds the bit and
 * names its place; see table.h. A flip on both sides stands for a mistake that both share: only the environment can find it. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/run.h"
#include "verif/harness/bits.h"
#include "verif/harness/table.h"

/* The parts of "model:u_l1d.fifo[12].line[3].5@900": the sides, the name without element numbers, the element numbers, bit and
 * cycle. */
struct spot {
  bool rtl, model;
  char name[160];
  unsigned long element[2];
  unsigned elements;
  unsigned long bit;
  uint64_t cycle;
};

static bool number(const char **p, unsigned long *n) {
  char *end;
  errno = 0;
  if (!isdigit((unsigned char)**p))
    return false;
  *n = strtoul(*p, &end, 10);
  *p = end;
  return errno == 0;
}

static bool parse(const char *text, struct spot *s) {
  static const struct {
    const char *word;
    bool rtl, model;
  } sides[] = {{"rtl:", true, false}, {"model:", false, true}, {"both:", true, true}};
  size_t n = 0;
  *s = (struct spot){.rtl = true};
  for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
    if (strncmp(text, sides[i].word, strlen(sides[i].word)) == 0) {
      s->rtl = sides[i].rtl;
      s->model = sides[i].model;
      text += strlen(sides[i].word);
      break;
    }
  while (*text && *text != '@') {
    if (*text == '[') {
      text++;
      if (s->elements == 2 || !number(&text, &s->element[s->elements++]) || *text++ != ']')
        return false;
    } else if (*text == '.' && isdigit((unsigned char)text[1])) {
      text++;
      if (!number(&text, &s->bit) || *text != '@')
        return false;
    } else if (n + 1 < sizeof s->name)
      s->name[n++] = *text++;
    else
      return false;
  }
  unsigned long cycle;
  if (*text++ != '@' || !number(&text, &cycle) || *text)
    return false;
  s->cycle = cycle;
  return n > 0;
}

static bool is_called(const char *path, const struct hd_row *row, const struct spot *s) {
  const size_t n = strlen(path);
  return strncmp(s->name, path, n) == 0 && strcmp(s->name + n, row->name) == 0;
}

static struct hd_bit bit_of(void *bytes, size_t n) {
  return (struct hd_bit){(uint8_t *)bytes + n / 8, (uint8_t)(1U << n % 8)};
}

/* Aims the fault at bit s->bit of an element; `lsb` is the element's lowest bit in row r of the RTL's variable. */
static void aim(struct hd_fault *f, const struct spot *s, const struct hd_dut_var *v, unsigned long r,
                size_t lsb, uint64_t *model) {
  f->there = true;
  if (s->rtl)
    f->rtl = bit_of(v->data + r * v->bytes, lsb + s->bit);
  if (s->model)
    f->model = bit_of(model, s->bit);
}

/* Finds a register or an output, and aims the fault at it. Returns NULL if none has the name. */
static const struct hd_row *find_cell(const struct hd_cells *cells, const struct spot *s,
                                      struct hd_fault *f) {
  for (struct hd_cell *c = cells->cell; c < cells->cell + cells->n; c++)
    if (is_called(c->path, c->row, s)) {
      if (s->element[0] < c->row->count && s->bit < c->row->width)
        aim(f, s, &c->rtl, 0, s->element[0] * c->row->width, &c->model[s->element[0]]);
      return c->row;
    }
  return NULL;
}

static enum hd_rc parsed(const char *text, struct spot *s, struct hd_why *why) {
  return parse(text, s)
             ? HD_OK
             : hd_because(why, HD_INPUT,
                          "fault '%s': allowed is NAME@CYCLE, NAME[element].BIT@CYCLE, for memories "
                          "NAME[row][element].BIT@CYCLE, each with rtl: (which is meant without), model: or "
                          "both: before it",
                          text);
}

static enum hd_rc unknown(const char *text, const struct hd_decl *d, const struct spot *s,
                          struct hd_why *why) {
  return hd_because(why, HD_INPUT,
                    "fault '%s': %s has no register, memory or output called '%s'; what is inside an "
                    "instance is called u_x.name",
                    text, d->module, s->name);
}

/* Returns true if a table that contains this module at this path would have the name. */
static bool is_declared(const struct hd_decl *d, const char *path, const struct spot *s) {
  for (const struct hd_row *row = d->rows; row < d->rows + d->n_rows; row++) {
    const bool state = row->cls == HD_REG || row->cls == HD_CAM || row->cls == HD_RAM,
               shown = !*path && (row->cls == HD_LATE || hd_is_output(row->cls));
    if ((state || shown) && is_called(path, row, s))
      return true;
  }
  bool found = false;
  for (size_t i = 0; i < d->n_insts && !found; i++) {
    char *inner = hd_format("%s%s.", path, d->insts[i].name);
    found = is_declared(d->insts[i].decl, inner, s);
    free(inner);
  }
  return found;
}

enum hd_rc hd_fault_check(const struct hd_decl *top, const char *text, struct hd_why *why) {
  struct spot s;
  const enum hd_rc rc = parsed(text, &s, why);
  return rc == HD_OK && !is_declared(top, "", &s) ? unknown(text, top, &s, why) : rc;
}

enum hd_rc hd_fault_find(struct hd_table *t, const char *text, struct hd_fault *fault, struct hd_why *why) {
  struct spot s;
  if (parsed(text, &s, why) != HD_OK)
    return HD_INPUT;
  *fault = (struct hd_fault){.cycle = s.cycle, .moment = HD_AT_STATE, .r = -1};
  const struct hd_row *row = find_cell(&t->state, &s, fault);
  if (!row && (row = find_cell(&t->out, &s, fault)))
    fault->moment = HD_AT_OUTPUTS;
  if (!row && (row = find_cell(&t->late, &s, fault)))
    fault->moment = HD_AT_LATE;
  unsigned long limit[2] = {row ? row->count : 0, 0};
  for (struct hd_ram *m = t->ram; !row && m < t->ram + t->n_rams; m++)
    for (const struct hd_row *field = m->field; !row && field < m->field + m->n_fields; field++)
      if (is_called(m->path, field, &s)) {
        row = field;
        limit[0] = m->mem->depth;
        limit[1] = (unsigned long)row->count * m->mem->banks;
        if (s.element[0] < limit[0] && s.element[1] < limit[1] && s.bit < row->width) {
          aim(fault, &s, &m->bank[s.element[1] / row->count].mem, s.element[0],
              row->lsb + s.element[1] % row->count * row->width,
              hd_ram_model(m, row, (unsigned)s.element[0], (unsigned)s.element[1]));
          fault->ram = m;
          fault->r = (int64_t)s.element[0];
        }
      }
  if (!row)
    return unknown(text, t->decl, &s, why);
  if (!fault->there || s.elements > (limit[1] ? 2 : 1))
    return hd_because(why, HD_INPUT, "fault '%s': %s has %lu %s of %lu elements of %u bits", text, s.name,
                      limit[1] ? limit[0] : 1, limit[1] ? "rows" : "row", limit[1] ? limit[1] : limit[0],
                      row->width);
  return HD_OK;
}

void hd_fault_strike(const struct hd_fault *fault) {
  if (fault->rtl.byte)
    *fault->rtl.byte ^= fault->rtl.mask;
  if (fault->model.byte)
    *fault->model.byte ^= fault->model.mask;
  if (fault->ram)
    fault->ram->writing = fault->r;
}
