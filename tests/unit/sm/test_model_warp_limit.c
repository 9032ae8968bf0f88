/* The static warp limit, and PCAL's tokens: by hand from docs/mechanisms/warp_limit.md. */
#define RIG warp_limit
#include "tests/unit/rig.h"

#include "cmodel/model/bits.h"
#include "tests/unit/chance.h"

static struct hd_config limited(unsigned warps, unsigned scheds, unsigned limit) {
  struct hd_config c = defaults();
  c.sm.warps = warps;
  c.sm.schedulers = scheds;
  c.sm.ctas = 4;
  c.scheduler.limit = limit;
  return c;
}

static void awake(uint64_t warps, unsigned cycles) {
  rig.in.awake = warps;
  while (cycles--)
    step();
}

static void one_a_cycle(void **state) {
  (void)state;
  build(limited(8, 1, 2));
  static const uint64_t active[] = {0, 0x08, 0x28, 0x28};
  for (unsigned i = 0; i < 4; i++) {
    assert_int_equal(rig.m->s.active, active[i]);
    awake(0xe8, 1);
  }
  assert_int_equal(EVENTS(activate), 2);
  awake(0xff, 3); /* a lower warp does not displace others */
  assert_int_equal(rig.m->s.active, 0x28);
  awake(0xf7, 1); /* 3 waits at a barrier: another warp gets its place in the same cycle */
  assert_int_equal(rig.m->s.active, 0x21);
  awake(0xff, 2); /* 3 has no place when it is awake again */
  assert_int_equal(rig.m->s.active, 0x21);
  awake(0, 1);
  assert_int_equal(rig.m->s.active, 0);
  assert_int_equal(EVENTS(activate), 3);
  wreck();
}

/* Warps that may not issue are withheld. The output is a register's complement. So a warp that falls asleep may still issue in that
 * cycle, if its `ready` says so. */
static void all_others_are_withheld(void **state) {
  (void)state;
  build(limited(8, 1, 1));
  look();
  assert_int_equal(rig.out.withhold, 0xff);
  awake(0x06, 2);
  rig.in.awake = 0x04;
  look();
  assert_int_equal(rig.out.withhold, 0xfd);
  edge();
  look();
  assert_int_equal(rig.out.withhold, 0xfb);
  wreck();
}

/* 10 warps, 4 schedulers: 0 and 1 have three, 2 and 3 two. */
static void each_scheduler_for_itself(void **state) {
  (void)state;
  build(limited(10, 4, 1));
  awake(0x3f0, 1);
  assert_int_equal(rig.m->s.active, 0xf0);
  awake(0x3e0, 1);
  assert_int_equal(rig.m->s.active, 0x1e0);
  assert_int_equal(EVENTS(activate), 5);
  wreck();
}

static void tokens_of_the_active(void **state) {
  (void)state;
  struct hd_config c = limited(8, 1, 3);
  c.scheduler.tokens = 1;
  build(c);
  static const uint64_t tokens[] = {0, 0, 1, 1};
  for (unsigned i = 0; i < 4; i++) {
    look();
    assert_int_equal(rig.out.token, tokens[i]);
    awake(0x0f, 1);
  }
  assert_int_equal(rig.m->s.active, 0x07);
  awake(0x0e, 1); /* 0's token goes to 1, 0's place to 3 */
  assert_int_equal(rig.m->s.active, 0x0e);
  assert_int_equal(rig.m->s.tokens, 0x02);
  awake(0x0f, 3); /* 1 keeps it */
  assert_int_equal(rig.m->s.tokens, 0x02);
  awake(0x11, 1); /* no warp stays; a warp that has just become active has no token */
  assert_int_equal(rig.m->s.active, 0x01);
  assert_int_equal(rig.m->s.tokens, 0);
  awake(0x11, 1);
  assert_int_equal(rig.m->s.active, 0x11);
  assert_int_equal(rig.m->s.tokens, 0x01);
  wreck();
}

/* Random warps: never more than LIMIT of a scheduler, and never one that sleeps. If a tick says that nothing would move, nothing
 * does. */
static void never_too_many(void **state) {
  (void)state;
  struct hd_config c = limited(47, 4, 4);
  c.scheduler.tokens = 2;
  build(c);
  unsigned slept = 0;
  for (unsigned cycle = 0; cycle < 20000; cycle++) {
    const uint64_t active = rig.m->s.active;
    if (draw_below(8) == 0)
      rig.in.awake = draw() & draw() & hd_ones(47);
    look();
    assert_int_equal(rig.out.withhold, hd_ones(47) & ~active);
    const uint64_t ahead = warp_limit_tick(rig.m, &rig.in), now = rig.m->s.active, tokens = rig.m->s.tokens;
    assert_int_equal(now & ~rig.in.awake, 0);
    assert_int_equal(tokens & ~(now & active), 0);
    for (unsigned s = 0; s < 4; s++) {
      assert_true(__builtin_popcountll(now & UINT64_C(0x1111111111111111) << s) <= 4);
      assert_true(__builtin_popcountll(tokens & UINT64_C(0x1111111111111111) << s) <= 2);
    }
    if (ahead & HD_MOVES)
      continue;
    slept++;
    assert_int_equal(warp_limit_tick(rig.m, &rig.in), ahead);
    assert_int_equal(rig.m->s.active, now);
    assert_int_equal(rig.m->s.tokens, tokens);
  }
  assert_true(slept > 2000);
  wreck();
}

/* With control registers the limit is an input. When it falls, active warps stay active. No warp follows until few enough are left. */
static void the_limit_changes(void **state) {
  (void)state;
  struct hd_config c = limited(8, 1, 4);
  c.bus.control = HD_CONTROL_APB4;
  build(c);
  rig.in.swl_limit = 4;
  awake(0xff, 6);
  assert_int_equal(rig.m->s.active, 0x0f);
  rig.in.swl_limit = 2;
  awake(0xff, 2);
  assert_int_equal(rig.m->s.active, 0x0f);
  awake(0xf8, 1); /* three leave at once: one is left, and no warp follows in that cycle */
  assert_int_equal(rig.m->s.active, 0x08);
  awake(0xf8, 3);
  assert_int_equal(rig.m->s.active, 0x18);
  rig.in.swl_limit = 8;
  awake(0xff, 8);
  assert_int_equal(rig.m->s.active, 0xff);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_a_cycle),
      cmocka_unit_test(all_others_are_withheld),
      cmocka_unit_test(each_scheduler_for_itself),
      cmocka_unit_test(tokens_of_the_active),
      cmocka_unit_test(never_too_many),
      cmocka_unit_test(the_limit_changes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
