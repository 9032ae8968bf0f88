/* CCWS's scores in the lazy run, with wrong bits (D-MIX-3). The cycles that are made up for at once stay inside the list, as single
 * steps do. With 7 warps, a warp number may be one that no warp has. */
#define RIG ccws_score
#include "tests/unit/rig.h"

#include "tests/unit/ccws/alone_rig.h"
#include "tests/unit/chance.h"

#include "cmodel/ccws/lazy.h"
#include "cmodel/model/bits.h"

static void wrong_bits_break_nothing(void **state) {
  (void)state;
  uint64_t longest = 0;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    chance_state = seed;
    struct hd_config c = defaults();
    c.sm.warps = c.sm.ctas = 7;
    c.ccws.throttle = HD_CCWS_ON;
    build(c);
    struct alone a = {0};
    for (uint64_t cycle = 0; cycle < 4000; cycle++) {
      const unsigned often = cycle / 500 % 2 ? 6 : 60;
      rig.in.ccws_en = 1;
      rig.in.pick_valid[0] = draw_below(often) == 0;
      rig.in.hit_valid = draw_below(often) == 0;
      rig.in.hit_wid = draw_below(7);
      rig.in.launch_valid = draw_below(often) == 0;
      rig.in.launch_warps = rig.in.launch_valid ? hd_bit(draw_below(7)) & ~rig.m->s.present : 0;
      rig.in.exit = draw_below(2 * often) == 0 ? hd_bit(draw_below(7)) & rig.m->s.present : 0;
      if (alone_passes(&a, rig.in.pick_valid[0] | rig.in.hit_valid | rig.in.launch_valid | rig.in.exit,
                       cycle))
        continue;
      flip_a_bit();
      if (cycle % 100 == 0)
        rig.m->s.hits = rig.m->s.issued = hd_ones(rig.c.d.TALLY_W);
      ccws_score_alone(rig.m, &rig.in, alone_ends(&a, cycle));
      state_fits();
      alone_begins(&a, cycle, ccws_score_tick(rig.m, &rig.in));
      state_fits();
    }
    longest = a.longest > longest ? a.longest : longest;
    wreck();
  }
  assert_true(longest > 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(wrong_bits_break_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
