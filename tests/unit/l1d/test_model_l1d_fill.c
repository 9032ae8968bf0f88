/* Fills that ask attachments which way they may take, by hand from docs/mechanisms/hooks.md, FILL. */
#include "tests/unit/l1d/l1d_apcm_rig.h"

/* D-HOOK-3: A's line is pinned when B's line arrives, so B's fill only answers. Without A's protection B's fill takes the way. */
static void a_fill_finds_all_pinned(void **state) {
  (void)state;
  for (unsigned protects = 0; protects < 2; protects++) {
    struct hd_config c = managed(1, HD_APCM_PROTECT);
    c.l1d.allocate = HD_ON_FILL;
    build_managed(c);
    asks(of(A, INTRA, 2));
    assert_int_equal(seen.protects, 1);
    asks(plain(B, 4));
    says->psb_on = protects ? hd_bit(A) : 0;
    answers();
    assert_int_equal(EVENTS(fill_stuck), protects);
    assert_int_equal(EVENTS(fill), 2 - protects);
    assert_int_equal(EVENTS(respond), 2);
    ends(plain(A, 2));
    assert_int_equal(EVENTS(load_hit), protects);
    wreck();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_fill_finds_all_pinned)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
