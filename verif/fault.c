/* One flipped bit in the RTL's state, to test that lockstep sees it and says where; see table.h. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "verif/bits.h"
#include "verif/table.h"

/* "u_l1d.fifo[12].line[3].5@900" in its parts: the name without its elements, the elements, bit and cycle. */
struct spot {
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
  size_t n = 0;
  *s = (struct spot){0};
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

/* The bit at `lsb` of row r of a variable. */
static void aim(struct hd_fault *f, const struct hd_dut_var *v, unsigned long r, size_t lsb) {
  f->byte = v->data + r * v->bytes + lsb / 8;
  f->bit = (uint8_t)(1U << lsb % 8);
}

enum hd_rc hd_fault_find(struct hd_table *t, const char *text, struct hd_fault *fault, struct hd_why *why) {
  struct spot s;
  if (!parse(text, &s))
    return hd_because(why, HD_INPUT,
                      "fault '%s': allowed is NAME@CYCLE, NAME[element].BIT@CYCLE, for memories "
                      "NAME[row][element].BIT@CYCLE",
                      text);
  *fault = (struct hd_fault){.cycle = s.cycle, .r = -1};
  const struct hd_row *row = NULL;
  unsigned long limit[2] = {0, 0};
  for (struct hd_cell *c = t->state.cell; !row && c < t->state.cell + t->state.n; c++)
    if (is_called(c->path, c->row, &s)) {
      row = c->row;
      limit[0] = row->count;
      if (s.element[0] < limit[0] && s.bit < row->width)
        aim(fault, &c->rtl, 0, s.element[0] * row->width + s.bit);
    }
  for (struct hd_ram *m = t->ram; !row && m < t->ram + t->n_rams; m++)
    for (const struct hd_row *field = m->field; !row && field < m->field + m->n_fields; field++)
      if (is_called(m->path, field, &s)) {
        row = field;
        limit[0] = m->mem->depth;
        limit[1] = (unsigned long)row->count * m->mem->banks;
        if (s.element[0] < limit[0] && s.element[1] < limit[1] && s.bit < row->width) {
          aim(fault, &m->bank[s.element[1] / row->count].mem, s.element[0],
              row->lsb + s.element[1] % row->count * row->width + s.bit);
          fault->ram = m;
          fault->r = (int64_t)s.element[0];
        }
      }
  if (!row)
    return hd_because(why, HD_INPUT,
                      "fault '%s': %s has no register or memory called '%s'; those inside an "
                      "instance are called u_x.name",
                      text, t->decl->module, s.name);
  if (!fault->byte || s.elements > (limit[1] ? 2 : 1))
    return hd_because(why, HD_INPUT, "fault '%s': %s has %lu %s of %lu elements of %u bits", text, s.name,
                      limit[1] ? limit[0] : 1, limit[1] ? "rows" : "row", limit[1] ? limit[1] : limit[0],
                      row->width);
  return HD_OK;
}

void hd_fault_strike(const struct hd_fault *fault) {
  *fault->byte ^= fault->bit;
  if (fault->ram)
    fault->ram->writing = fault->r;
}
