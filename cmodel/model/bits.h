/* What the models are made of: sets of up to 64 things as one word (bit i says that thing i is in), vectors
 * of words, places that go round.
 *
 * Inlined: with calls instead, heddle sim executes 5.7 % more instructions (gpu/fermi on atax:n=256). */
#ifndef HEDDLE_CMODEL_MODEL_BITS_H
#define HEDDLE_CMODEL_MODEL_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t hd_bit(uint64_t i) {
  return UINT64_C(1) << i;
}

/* Things 0..n-1; n is 0..64. */
static inline uint64_t hd_ones(uint64_t n) {
  return n < 64 ? hd_bit(n) - 1 : UINT64_MAX;
}

static inline bool hd_has(uint64_t set, uint64_t i) {
  return set >> i & 1;
}

/* The set with i in it or not. */
static inline uint64_t hd_with(uint64_t set, uint64_t i, bool in) {
  return (set & ~hd_bit(i)) | (uint64_t)in << i;
}

/* The lowest, and the highest; the set must not be empty. */
static inline unsigned hd_lowest(uint64_t set) {
  return (unsigned)__builtin_ctzll(set);
}

static inline unsigned hd_highest(uint64_t set) {
  return 63 - (unsigned)__builtin_clzll(set);
}

/* The first after `last`, cyclically: `last` itself comes last. The set must not be empty. */
static inline unsigned hd_after(uint64_t set, uint64_t last) {
  const uint64_t beyond = set & ~UINT64_C(1) << last;
  return hd_lowest(beyond ? beyond : set);
}

/* The number that the low bits of v are, in all 64. */
static inline uint64_t hd_extend(uint64_t v, unsigned bits) {
  const uint64_t sign = hd_bit(bits - 1);
  return ((v & hd_ones(bits)) ^ sign) - sign;
}

/* v shifted right, its sign coming in from above. */
static inline uint64_t hd_shifted(uint64_t v, unsigned bits, unsigned by) {
  return (uint64_t)((int64_t)hd_extend(v, bits) >> by);
}

/* The XOR of the pieces of so many bits, from bit 0 up: how program counters, and their hashes, are hashed. */
static inline uint64_t hd_xor_fold(uint64_t v, unsigned bits) {
  while (v >> bits)
    v = v >> bits ^ (v & hd_ones(bits));
  return v;
}

static inline void hd_copy(uint64_t *to, const uint64_t *from, unsigned n) {
  if (n == 4) /* as many as the papers' caches have ways: no call */
    memcpy(to, from, 4 * sizeof *to);
  else if (n == 8)
    memcpy(to, from, 8 * sizeof *to);
  else
    memcpy(to, from, n * sizeof *to);
}

/* Copies words that have just been written one by one. A read of two words at a time would wait until both are in the host's cache. */
static inline void hd_copy_words(void *to, const void *from, size_t bytes) {
  uint64_t *const t = to;
  const uint64_t *const f = from;
  for (size_t i = 0; i < bytes / sizeof *t; i++) {
    uint64_t word = f[i];
    __asm__("" : "+r"(word)); /* by itself */
    t[i] = word;
  }
}

/* The place of `set`, not empty, with the largest count; of several the lowest. */
static inline unsigned hd_longest(uint64_t set, const uint64_t *count) {
  unsigned best = hd_lowest(set);
  for (; set; set &= set - 1)
    if (count[hd_lowest(set)] > count[best])
      best = hd_lowest(set);
  return best;
}

typedef uint32_t hd_four __attribute__((vector_size(16)));

/* hd_places of many: the low halves of four at a time, which is an instruction on most machines; compilers don't find it. Few words
 * have the same low half, so the high ones are looked at one by one. */
static inline uint64_t hd_places_by_four(const uint64_t *words, unsigned n, uint64_t x) {
  const uint32_t low = (uint32_t)x;
  const hd_four lows = {low, low, low, low};
  uint64_t set = 0;
  unsigned i = 0;
  for (; i + 3 < n; i += 32) {
    hd_four bits = {1, 2, 4, 8}, some = {0};
    for (unsigned k = i; k + 3 < n && k < i + 32; k += 4, bits <<= 4) {
      const hd_four w = {(uint32_t)words[k], (uint32_t)words[k + 1], (uint32_t)words[k + 2],
                         (uint32_t)words[k + 3]};
      some |= (hd_four)(w == lows) & bits;
    }
    set |= (uint64_t)(some[0] | some[1] | some[2] | some[3]) << i;
  }
  for (i = n & ~3U; i < n; i++)
    set |= (uint64_t)((uint32_t)words[i] == low) << i;
  for (uint64_t rest = set; rest; rest &= rest - 1)
    if (words[hd_lowest(rest)] != x)
      set ^= rest & -rest;
  return set;
}

/* The places of `words`, at most 64, in which x is. */
static inline uint64_t hd_places(const uint64_t *words, unsigned n, uint64_t x) {
  uint64_t set = 0;
  if (n > 8)
    return hd_places_by_four(words, n, x);
  for (; n % 4; n--)
    set = 2 * set + (words[n - 1] == x);
  for (; n; n -= 4) {
    const uint64_t high = 2 * (words[n - 1] == x) + (words[n - 2] == x);
    set = 16 * set + 4 * high + 2 * (words[n - 3] == x) + (words[n - 4] == x);
  }
  return set;
}

/* The number of pair i < j of n things, in the order (0,1), (0,2), ..., (1,2), ... */
static inline unsigned hd_pair(unsigned n, unsigned i, unsigned j) {
  return i * (2 * n - i - 1) / 2 + (j - i - 1);
}

/* The place after this one in a ring of `places`, numbered in `width` bits. A place outside comes of a wrong bit alone; it goes on to the
 * end of its bits, as in the hardware (rtl_gen/verilog/next.v). */
static inline uint64_t hd_next(uint64_t place, unsigned places, unsigned width) {
  const uint64_t next = place + 1;
  if (__builtin_expect(next < places, 1)) /* without the hint 0.4 % more instructions (mrpb on syrk:tiny) */
    return next;
  return next == places ? 0 : next & hd_ones(width);
}

#endif
