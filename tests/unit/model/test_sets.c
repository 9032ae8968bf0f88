/* Building blocks of the models, against a plain version: positions of a word among others, and orders kept as bits of pairs. For
 * every number of things and of elements. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cmodel/model/pairs.h"
#include "workloads/rng.h"

enum { THINGS = 24, PUTS = 200 };

static void places_are_those_of_the_word(void **state) {
  (void)state;
  uint64_t words[64];
  for (unsigned n = 0; n <= 64; n++)
    for (unsigned try = 0; try < 50; try++) {
      uint64_t set = 0;
      /* Most words differ only in one half from the word that is looked for. */
      for (unsigned i = 0; i < n; i++) {
        words[i] = wl_rng_mix(n * 64 + i, try) % 3 << 32 | wl_rng_mix(n * 64 + i, try + 64) % 2;
        set |= (uint64_t)(words[i] == (UINT64_C(1) << 32 | 1)) << i;
      }
      assert_true(hd_places(words, n, UINT64_C(1) << 32 | 1) == set);
    }
}

/* Thing i of `order` comes before the things after it. The thing put first is the last to come. */
static void check_pairs(const struct hd_pairs *o, const unsigned *order) {
  unsigned place[THINGS], bit;
  for (unsigned k = 0; k < o->things; k++)
    place[order[k]] = k;
  for (unsigned i = 0; i < o->things; i++)
    for (unsigned j = i + 1; j < o->things; j++) {
      const uint64_t e = *hd_pairs_at(o, i, j, &bit);
      assert_int_equal(hd_has(e, bit), place[i] < place[j]);
    }
}

/* Returns the thing of this set that was put first, or last. */
static unsigned found(const unsigned *order, unsigned n, uint64_t set, bool last) {
  unsigned k = last ? n - 1 : 0;
  while (!hd_has(set, order[k]))
    k += last ? -1u : 1;
  return order[k];
}

static void try_order(unsigned n, unsigned elements, unsigned per) {
  uint64_t element[THINGS * THINGS + 2];
  unsigned order[THINGS];
  for (unsigned e = 0; e < elements + 2; e++)
    element[e] = 0;
  element[0] = element[elements + 1] = 0x5a; /* guards beside the elements */
  const struct hd_pairs o = {element + 1, elements, per, n};
  for (unsigned i = n; i-- > 0;)
    hd_pairs_put(&o, i, true);
  for (unsigned i = 0; i < n; i++)
    order[i] = i;
  for (unsigned k = 0; k < PUTS; k++) {
    const unsigned i = (unsigned)(wl_rng_mix(n, k) % n);
    const bool value = wl_rng_mix(n, k + PUTS) % 4 != 0;
    hd_pairs_put(&o, i, value);
    unsigned at = 0;
    while (order[at] != i)
      at++;
    for (; value ? at > 0 : at + 1 < n; at += value ? -1u : 1)
      order[at] = order[value ? at - 1 : at + 1];
    order[at] = i;
    check_pairs(&o, order);
    const uint64_t set = (wl_rng_mix(n, k + 2 * PUTS) & hd_ones(n)) | hd_bit(wl_rng_mix(n, k + 3 * PUTS) % n);
    assert_int_equal(hd_pairs_find(&o, set, true), found(order, n, set, false));
    assert_int_equal(hd_pairs_find(&o, set, false), found(order, n, set, true));
  }
  assert_true(element[0] == 0x5a && element[elements + 1] == 0x5a);
  for (unsigned e = 1; e <= elements; e++)
    assert_int_equal(element[e] & ~hd_ones(per), 0);
}

/* Laid out as in arch/config/derived.def: in one element, or in as many as the pairs divide by. */
static void orders_are_kept(void **state) {
  (void)state;
  for (unsigned n = 2; n <= THINGS; n++) {
    const unsigned pairs = n * (n - 1) / 2, elements = n % 2 ? n : n - 1;
    if (pairs <= 64)
      try_order(n, 1, pairs);
    try_order(n, elements, pairs / elements);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(places_are_those_of_the_word),
      cmocka_unit_test(orders_are_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
