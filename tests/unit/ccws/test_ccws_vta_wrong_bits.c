/* CCWS's victim tag arrays in the lazy run, with wrong bits (D-MIX-3). The cycles that are made up for at once access only rows that
 * exist. With 7 warps, a warp number may be one that no warp has. */
#define RIG ccws_vta
#include "tests/unit/rig.h"

#include "tests/unit/ccws/alone_rig.h"
#include "tests/unit/chance.h"

#include "cmodel/ccws/lazy.h"
#include "cmodel/model/bits.h"

/* Flips a bit of a hint: not of the queue's places and count, which are no hints. */
static void flip_a_hint(void) {
  struct ccws_vta_st *s = &rig.m->s;
  const uint64_t head = s->head, tail = s->tail, count = s->count;
  flip_a_bit();
  s->head = head;
  s->tail = tail;
  s->count = count;
}

static void wrong_bits_break_nothing(void **state) {
  (void)state;
  uint64_t longest = 0, inserted = 0;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    chance_state = seed;
    struct hd_config c = defaults();
    c.sm.warps = c.sm.ctas = 7;
    c.l1d.sets = c.l1d.ways = 2;
    c.ccws.throttle = HD_CCWS_ON;
    c.ccws.entries = 4;
    c.ccws.ways = 2;
    c.ccws.queue = 3;
    build(c);
    struct alone a = {0};
    bool evicts = false;
    for (uint64_t cycle = 0; cycle < 4000; cycle++) {
      rig.in.ccws_en = 1;
      rig.in.outcome_evict = rig.in.outcome_take = evicts;
      rig.in.outcome_at = hd_bit(draw_below(2));
      rig.in.outcome_wid = draw_below(7);
      rig.in.outcome_line = draw_below(8);
      rig.in.late_evict = evicts = draw_below(cycle / 500 % 2 ? 3 : 12) == 0;
      rig.in.late_row = draw_below(2);
      if (alone_passes(&a, rig.in.outcome_take | rig.in.late_evict, cycle))
        continue;
      flip_a_hint();
      ccws_vta_alone(rig.m, &rig.in, alone_ends(&a, cycle));
      state_fits();
      alone_begins(&a, cycle, ccws_vta_tick(rig.m, &rig.in));
      state_fits();
    }
    longest = a.longest > longest ? a.longest : longest;
    inserted += EVENTS(insert);
    wreck();
  }
  assert_true(longest > 7 && inserted > 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(wrong_bits_break_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
