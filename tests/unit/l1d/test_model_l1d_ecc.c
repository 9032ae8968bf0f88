/* The L1 data cache with check bits: bits of its memories flip, by hand from docs/mechanisms/ecc.md. And the code itself. */
#include "tests/unit/l1d/l1d_rig.h"

#include "cmodel/model/code.h"

static struct hd_config protected(enum hd_protect how) {
  struct hd_config c = small(2);
  c.l1d.protect = how;
  return c;
}

/* Columns: 7, 11, 13, 14, 19, ... with three 1s; of 64 bits, 8 check bits, the 57th is 31, the first with five. */
static void check_bits_by_hand(void **state) {
  (void)state;
  assert_int_equal(hd_code_check(1, 64, 8), 7);
  assert_int_equal(hd_code_check(2, 64, 8), 11);
  assert_int_equal(hd_code_check(3, 64, 8), 7 ^ 11);
  assert_int_equal(hd_code_check(1 << 4, 64, 8), 19);
  assert_int_equal(hd_code_check(1ull << 55, 64, 8), 0xe0);
  assert_int_equal(hd_code_check(1ull << 56, 64, 8), 31);
  assert_int_equal(hd_code_check(1ull << 57, 64, 8), 47);
  assert_int_equal(hd_code_check(1 << 3, 4, 4), 14);
  assert_int_equal(hd_code_check(7, 22, 1), 1);
  assert_int_equal(hd_code_check(5, 22, 1), 0);
}

/* For each size of the table in arch/config/derived.def: one flip is corrected, two are detected. */
static void flips_are_told_apart(void **state) {
  (void)state;
  const struct {
    unsigned bits, checks;
  } sizes[] = {{1, 4}, {4, 4}, {5, 5}, {11, 5}, {12, 6}, {26, 6}, {27, 7}, {57, 7}, {58, 8}, {64, 8}};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const unsigned bits = sizes[k].bits, checks = sizes[k].checks;
    const uint64_t word = 0x123456789abcdef1 & (~0ull >> (64 - bits)),
                   check = hd_code_check(word, bits, checks);
    for (unsigned i = 0; i < bits + checks; i++)
      for (unsigned j = i; j < bits + checks; j++) {
        uint64_t w = word, c = check;
        for (unsigned n = 0; n < 1 + (i != j); n++) {
          const unsigned flip = n ? j : i;
          *(flip < bits ? &w : &c) ^= 1ull << (flip < bits ? flip : flip - bits);
        }
        const enum hd_code_state found = hd_code_mend(&w, bits, c, checks);
        assert_int_equal(found, i == j ? HD_CODE_MENDED : HD_CODE_LOST);
        if (i == j)
          assert_int_equal(w, word);
      }
  }
}

/* Returns the line's way if it is valid. */
static int way_of(uint64_t line) {
  for (unsigned w = 0; w < 2; w++)
    if (rig.m->s.valid[line & 1] >> w & 1 && rig.m->s.tags[(line & 1) * 2 + w] == line >> 1)
      return (int)w;
  return -1;
}

static uint64_t *word_of(uint64_t line, unsigned word) {
  return &rig.m->s.data[((line & 1) * 2 + (unsigned)way_of(line)) * 4 + word];
}

/* A hit. Returns true if it is poisoned. *found, unless NULL, gets the error report of the cycle after it. */
static bool poisoned(uint64_t line, uint64_t *found) {
  load(line, 2);
  look();
  for (unsigned i = 0; !rig.out.resp_valid; i++, look()) {
    assert_true(i < PATIENCE);
    edge();
  }
  const bool poison = rig.out.resp_poison;
  if (!poison)
    for (unsigned i = 0; i < 4; i++)
      assert_int_equal(rig.out.resp_data[i], 1000 * line + i);
  rig.in.resp_ready = 1;
  step();
  rig.in.resp_ready = 0;
  look();
  if (found)
    *found = rig.out.ecc_found;
  return poison;
}

static void one_flip_of_data_is_mended(void **state) {
  (void)state;
  build(protected(HD_PROTECT_SECDED));
  brings(4);
  *word_of(4, 3) ^= 1ull << 60;
  uint64_t found;
  assert_false(poisoned(4, &found));
  assert_int_equal(found, 4);
  rig.m->s.data_check[((unsigned)way_of(4)) * 4 + 1] ^= 2;
  assert_false(poisoned(4, NULL));
  idle(3);
  assert_int_not_equal(way_of(4), -1); /* the line stays */
  wreck();
}

static void what_cannot_be_mended_goes(void **state) {
  (void)state;
  for (int parity = 0; parity < 2; parity++) {
    build(protected(parity ? HD_PROTECT_PARITY : HD_PROTECT_SECDED));
    brings(4);
    brings(6);
    *word_of(4, 3) ^= parity ? 4 : 5;
    uint64_t found;
    assert_true(poisoned(4, &found));
    assert_int_equal(found, 2);
    step();
    assert_int_equal(way_of(4), -1);
    hits(6);
    brings(4); /* filled again, correctly */
    hits(4);
    wreck();
  }
}

/* A load of the line misses. A store to it leaves nothing behind that a later flip could bring back. */
static void a_spoilt_tag_goes(void **state) {
  (void)state;
  for (int check = 0; check < 2; check++) {
    build(protected(check ? HD_PROTECT_PARITY : HD_PROTECT_SECDED));
    brings(4);
    const unsigned at = (unsigned)way_of(4);
    (check ? rig.m->s.tags_check : rig.m->s.tags)[at] ^= 1;
    brings(4);
    assert_int_equal(__builtin_popcountll(rig.m->s.valid[0]), 1);
    hits(4);
    (check ? rig.m->s.tags_check : rig.m->s.tags)[way_of(4)] ^= 1;
    store(8, 3);
    memory_gets(HD_STORE, 8, 3);
    assert_int_equal(rig.m->s.valid[0], 0); /* a store to another line of the set is enough */
    wreck();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(check_bits_by_hand),         cmocka_unit_test(flips_are_told_apart),
      cmocka_unit_test(one_flip_of_data_is_mended), cmocka_unit_test(what_cannot_be_mended_goes),
      cmocka_unit_test(a_spoilt_tag_goes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
