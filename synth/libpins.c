/* The function of a library cell as a truth table, and the energy inside it at a transition. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "synth/liberty.h"

const struct hd_lib_pin *hd_lib_pin(const struct hd_lib_cell *cell, const char *name) {
  for (int i = 0; i < cell->pins; i++)
    if (!strcmp(cell->pin[i].name, name))
      return &cell->pin[i];
  return NULL;
}

const struct hd_lib_pin *hd_lib_output(const struct hd_lib_cell *cell) {
  const struct hd_lib_pin *found = NULL;
  for (int i = 0; i < cell->pins; i++)
    if (cell->pin[i].output && (!cell->flipflop || !strcmp(cell->pin[i].function, cell->state))) {
      if (found)
        return NULL;
      found = &cell->pin[i];
    }
  return found;
}

/* --- functions: ! before, ' behind; & * or nothing between; ^; | + -------------------------------------- */

struct formula {
  const struct hd_lib_cell *cell;
  const char *at;
  unsigned inputs; /* bit i: the value of input i */
  bool wrong;
};

static bool sum(struct formula *f);

static char peek(struct formula *f) {
  f->at += strspn(f->at, " \t\r\n\\");
  return *f->at;
}

static bool name(struct formula *f) {
  size_t n = 0;
  while (isalnum((unsigned char)f->at[n]) || strchr("_[]", f->at[n] ? f->at[n] : ' '))
    n++;
  unsigned input = 0;
  for (int i = 0; i < f->cell->pins && n; i++) {
    const struct hd_lib_pin *pin = &f->cell->pin[i];
    if (pin->output)
      continue;
    if (strlen(pin->name) == n && !strncmp(pin->name, f->at, n)) {
      f->at += n;
      return f->inputs >> input & 1;
    }
    input++;
  }
  const bool one = n == 1 && *f->at == '1';
  f->wrong |= !one && !(n == 1 && *f->at == '0');
  f->at += n;
  return one;
}

static bool factor(struct formula *f) {
  bool v;
  if (peek(f) == '!') {
    f->at++;
    return !factor(f);
  }
  if (*f->at == '(') {
    f->at++;
    v = sum(f);
    if (peek(f) == ')')
      f->at++;
    else
      f->wrong = true;
  } else
    v = name(f);
  for (; peek(f) == '\''; f->at++)
    v = !v;
  return v;
}

static bool product(struct formula *f) {
  bool v = factor(f);
  for (char c = peek(f); !f->wrong && c && !strchr("|+^)'", c); c = peek(f)) {
    f->at += c == '&' || c == '*';
    const bool other = factor(f);
    v = v && other;
  }
  return v;
}

static bool difference(struct formula *f) {
  bool v = product(f);
  while (!f->wrong && peek(f) == '^') {
    f->at++;
    const bool other = product(f);
    v = v != other;
  }
  return v;
}

static bool sum(struct formula *f) {
  bool v = difference(f);
  while (!f->wrong && (peek(f) == '|' || *f->at == '+')) {
    f->at++;
    const bool other = difference(f);
    v = v || other;
  }
  return v;
}

bool hd_lib_truth(const struct hd_lib_cell *cell, const struct hd_lib_pin *output, int max, uint64_t *truth) {
  int inputs = 0;
  for (int i = 0; i < cell->pins; i++)
    inputs += !cell->pin[i].output;
  *truth = 0;
  if (inputs > max || max > 6 || !output->function[0] || cell->flipflop || cell->latch)
    return false;
  for (unsigned i = 0; i < 1U << inputs; i++) {
    struct formula f = {.cell = cell, .at = output->function, .inputs = i};
    *truth |= (uint64_t)sum(&f) << i;
    if (f.wrong || peek(&f))
      return false;
  }
  return true;
}

/* --- energy ----------------------------------------------------------------------------------------------- */

/* Interpolates linearly between two points. Outside the range it returns the value at the end. */
static double at_load(const struct hd_lib_energy *e, double load) {
  int i = 0;
  while (i < e->n && e->load[i] < load)
    i++;
  if (i == 0 || i == e->n)
    return e->energy[i ? e->n - 1 : 0];
  const double part = (load - e->load[i - 1]) / (e->load[i] - e->load[i - 1]);
  return e->energy[i - 1] + part * (e->energy[i] - e->energy[i - 1]);
}

double hd_lib_energy(const struct hd_lib *lib, const struct hd_lib_pin *pin, double load_ff) {
  double all = 0;
  for (int i = 0; i < pin->energies; i++)
    all += at_load(&pin->energy[i], load_ff / lib->cap_ff);
  return pin->energies ? all / pin->energies * lib->cap_ff : 0;
}
