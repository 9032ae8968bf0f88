/* An order of n things, kept as one bit for each pair i < j. hd_pair numbers the pairs; an element holds `per` of them.
 *
 * Invariant: for any value of the bits, no function touches anything outside the elements, and hd_pairs_find returns a member of the
 * set that it was given.
 *
 * Inlined: with calls instead, heddle sim executes 2.9 % more instructions (gpu/fermi on atax:n=256). */
#ifndef HEDDLE_CMODEL_MODEL_PAIRS_H
#define HEDDLE_CMODEL_MODEL_PAIRS_H

#include "cmodel/model/bits.h"

struct hd_pairs {
  uint64_t *element;
  unsigned elements, per, things;
};

/* Returns the element that holds the bit of pair i < j. Sets *bit to the bit's number in it. */
static inline uint64_t *hd_pairs_at(const struct hd_pairs *o, unsigned i, unsigned j, unsigned *bit) {
  unsigned p = hd_pair(o->things, i, j);
  /* Most configurations need no division: they have one element, or the eight pairs an element of 16 things. */
  unsigned element = o->elements == 1 ? 0 : o->per == 8 ? p / 8 : p / o->per;
  *bit = p - element * o->per;
  return &o->element[element];
}

/* hd_pairs_put for more than one element. `per` is o->per. */
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

/* Sets all pairs (i, j) to `value` and all pairs (h, i) to the opposite. */
static inline void hd_pairs_put(const struct hd_pairs *o, unsigned i, bool value) {
  if (o->things == 1)
    return;
  /* Pairs (i, j) have consecutive numbers. The number of pair (h+1, i) is n-2-h more than that of (h, i). */
  if (o->elements == 1) {
    const uint64_t of_i = hd_ones(o->things - 1 - i) << hd_pair(o->things, i, i + 1);
    uint64_t others = 0;
    for (unsigned h = 0, p = i - 1; h < i; p += o->things - 2 - h++)
      others |= hd_bit(p);
    *o->element = (*o->element & ~(value ? others : of_i)) | (value ? of_i : others);
    return;
  }
  /* The papers' L2 slices have 16 ways. 16 things have eight pairs an element: the constant saves a division for each of the other
   * things. */
  if (o->per == 8)
    hd_pairs_put_apart(o, i, value, 8);
  else
    hd_pairs_put_apart(o, i, value, o->per);
}

/* Returns the i of the set (which is not empty) whose pairs within the set are as hd_pairs_put(i, value) leaves them. One pass finds it,
 * because the order is total. */
static inline unsigned hd_pairs_find(const struct hd_pairs *o, uint64_t set, bool value) {
  unsigned best = hd_lowest(set), bit;
  for (set &= set - 1; set; set &= set - 1) {
    const uint64_t e = *hd_pairs_at(o, best, hd_lowest(set), &bit);
    best = hd_has(e, bit) == value ? best : hd_lowest(set);
  }
  return best;
}

#endif
