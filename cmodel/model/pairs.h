/* An order of n things kept as a bit for each pair i < j, numbered as hd_pair says, `per` to an element.
 *
 * Invariant: whatever the bits are, nothing outside the elements is touched, and who is asked for is in
 * the set he was asked among.
 *
 * Inlined: with calls instead, heddle sim executes 2.9 % more instructions (gpu/fermi on atax:n=256). */
#ifndef HEDDLE_CMODEL_MODEL_PAIRS_H
#define HEDDLE_CMODEL_MODEL_PAIRS_H

#include "cmodel/model/bits.h"

struct hd_pairs {
  uint64_t *element;
  unsigned elements, per, things;
};

/* The element that holds the bit of pair i < j, and the bit. */
static inline uint64_t *hd_pairs_at(const struct hd_pairs *o, unsigned i, unsigned j, unsigned *bit) {
  unsigned p = hd_pair(o->things, i, j);
  /* Spares most configurations the division: one element, or the eight to an element of 16 things. */
  unsigned element = o->elements == 1 ? 0 : o->per == 8 ? p / 8 : p / o->per;
  *bit = p - element * o->per;
  return &o->element[element];
}

/* hd_pairs_put of several elements. `per`: o->per. */
static inline void hd_pairs_put_apart(const struct hd_pairs *o, unsigned i, bool value, unsigned per) {
  for (unsigned h = 0, p = i - 1; h < i; p += o->things - 2 - h++)
    o->element[p / per] = hd_with(o->element[p / per], p % per, !value);
  const unsigned first = hd_pair(o->things, i, i + 1), end = first + o->things - 1 - i;
  for (unsigned p = first, n; p < end; p += n) {
    const unsigned bit = p % per;
    uint64_t *const e = &o->element[p / per];
    n = end - p < per - bit ? end - p : per - bit;
    *e = value ? *e | hd_ones(n) << bit : *e & ~(hd_ones(n) << bit);
  }
}

/* All pairs (i, j) become `value`, all (h, i) the opposite. */
static inline void hd_pairs_put(const struct hd_pairs *o, unsigned i, bool value) {
  if (o->things == 1)
    return;
  /* Pairs (i, j) are neighbours; pair (h+1, i) is n-2-h after (h, i). */
  if (o->elements == 1) {
    const uint64_t of_i = hd_ones(o->things - 1 - i) << hd_pair(o->things, i, i + 1);
    uint64_t others = 0;
    for (unsigned h = 0, p = i - 1; h < i; p += o->things - 2 - h++)
      others |= hd_bit(p);
    *o->element = (*o->element & ~(value ? others : of_i)) | (value ? of_i : others);
    return;
  }
  /* 16 things, as many as the papers' L2 slices have ways, have eight to an element: the constant spares a division for each
   * other thing. */
  if (o->per == 8)
    hd_pairs_put_apart(o, i, value, 8);
  else
    hd_pairs_put_apart(o, i, value, o->per);
}

/* The one i of the set, which is not empty, that hd_pairs_put(i, value) would have left: the order is
 * total, so one round finds it. */
static inline unsigned hd_pairs_find(const struct hd_pairs *o, uint64_t set, bool value) {
  unsigned best = hd_lowest(set), bit;
  for (set &= set - 1; set; set &= set - 1) {
    const uint64_t e = *hd_pairs_at(o, best, hd_lowest(set), &bit);
    best = hd_has(e, bit) == value ? best : hd_lowest(set);
  }
  return best;
}

#endif
