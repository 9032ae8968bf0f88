/* Two-level and prefetch-aware schedulers: which warp is picked and when the group changes. By hand from docs/mechanisms/rivals.md. */
#define RIG two_level
#include "tests/unit/rig.h"

#include "cmodel/model/bits.h"
#include "tests/unit/chance.h"

static struct hd_config machine(enum hd_policy policy, unsigned warps, unsigned scheds, unsigned group) {
  struct hd_config c = defaults();
  c.scheduler.policy = policy;
  c.scheduler.group = group;
  c.sm.warps = warps;
  c.sm.schedulers = scheds;
  return c;
}

/* Scheduler s picks wid (-1: no warp). Afterwards this is its active group. */
static void picks(uint64_t ready, uint64_t wait_mem, unsigned s, int wid, unsigned active) {
  rig.in.ready = ready;
  rig.in.wait_mem = wait_mem;
  look();
  assert_int_equal(rig.out.pick_valid[s], wid >= 0);
  assert_int_equal(rig.out.pick_wid[s], wid < 0 ? 0 : wid);
  edge();
  assert_int_equal(rig.m->s.active[s], active);
}

/* Groups {0..3}, {4..7}, {8..11}. */
static void neighbours_are_a_group(void **state) {
  (void)state;
  build(machine(HD_TWO_LEVEL, 12, 1, 4));
  picks(0xfff, 0, 0, 0, 0); /* reset leaves warp 11 as the last */
  picks(0xfff, 0, 0, 1, 0);
  picks(0xffd, 0, 0, 2, 0);
  picks(0xff1, 0, 0, 0, 0);     /* round robin in the group */
  picks(0xff0, 0, 0, 4, 0);     /* 0..3 wait for a short latency: other groups fill the gap */
  picks(0xff1, 0, 0, 0, 0);     /* and the group's turn comes again */
  picks(0xff0, 0xf, 0, 4, 1);   /* all of group 0 wait for memory */
  picks(0xf21, 0xe, 0, 5, 1);   /* 0 is back, but is no longer first */
  picks(0x0f01, 0xfe, 0, 8, 2); /* group 2 follows group 1 */
  picks(0x011, 0xfee, 0, 0, 0); /* then group 0 */
  picks(0, 0xfff, 0, -1, 0);    /* no pick: no change */
  assert_int_equal(EVENTS(change), 3);
  assert_int_equal(EVENTS(idle), 1);
  assert_int_equal(EVENTS(pick), 10);
  wreck();
}

/* 12 warps in groups of 5: 3 of them, {0,3,6,9}, {1,4,7,10}, {2,5,8,11}. */
static void neighbours_are_apart(void **state) {
  (void)state;
  build(machine(HD_PA, 12, 1, 5));
  picks(0xfff, 0, 0, 0, 0);
  picks(0xfff, 0, 0, 3, 0);
  picks(0x1ff, 0, 0, 6, 0);
  picks(0x1b6, 0, 0, 7, 0);      /* group 1: the first after 6 */
  picks(0xdb6, 0x049, 0, 10, 0); /* 9 does not wait for memory */
  picks(0xdb6, 0x249, 0, 1, 1);
  picks(0xfff, 0, 0, 4, 1);
  assert_int_equal(EVENTS(change), 1);
  wreck();
}

/* For a scheduler, a group counts by the warps that the scheduler owns. */
static void each_scheduler_has_its_group(void **state) {
  (void)state;
  build(machine(HD_TWO_LEVEL, 16, 2, 4));
  picks(0xff0, 0x5, 0, 4, 1); /* 0 and 2 wait */
  assert_int_equal(rig.m->s.active[1], 0);
  assert_int_equal(rig.m->s.last[1], 5);
  picks(0xf0f, 0xfff0, 0, 8, 2);
  assert_int_equal(rig.m->s.last[1], 1);
  picks(0x8000, 0x7fff, 1, 15, 3);
  assert_int_equal(rig.m->s.active[0], 2); /* it picked no warp */
  wreck();
  build(machine(HD_PA, 16, 2, 8)); /* two groups, a scheduler each */
  picks(0xffff, 0, 1, 1, 1);       /* it owns no warp of group 0 */
  picks(0xffff, 0, 1, 3, 1);
  assert_int_equal(rig.m->s.active[0], 0);
  wreck();
}

static void the_last_group_may_be_small(void **state) {
  (void)state;
  build(machine(HD_TWO_LEVEL, 9, 1, 8));
  picks(0x100, 0xff, 0, 8, 1);
  picks(0x0ff, 0, 0, 0, 1); /* behind 8, cyclically */
  picks(0x0ff, 0x100, 0, 1, 0);
  wreck();
  build(machine(HD_TWO_LEVEL, 64, 1, 64)); /* all in one group: loose round-robin */
  picks(UINT64_MAX, UINT64_MAX, 0, 0, 0);
  picks(hd_bit(63), UINT64_MAX, 0, 63, 0);
  picks(UINT64_MAX, UINT64_MAX, 0, 0, 0);
  assert_int_equal(EVENTS(change), 0);
  wreck();
}

/* With LoSCache: preferred warps come first, then the order of turns. */
static void preferred_warps_go_first(void **state) {
  (void)state;
  struct hd_config c = machine(HD_TWO_LEVEL, 12, 1, 4);
  c.memory.kind = HD_MEM_L2;
  c.loscache.gate = HD_GATE_ADAPTIVE;
  build(c);
  rig.in.prefer = 0x620; /* 5, 9 and 10 */
  rig.in.boosting = 1;
  picks(0xfff, 0, 0, 5, 0); /* group 0 has warps that don't wait, so it stays active */
  picks(0xfdf, 0, 0, 9, 0);
  picks(0x9df, 0, 0, 0, 0); /* none ready: the active group, after 9 */
  picks(0xfff, 0xf, 0, 5, 1);
  assert_int_equal(EVENTS(boost), 3);
  rig.in.boosting = 0;
  picks(0xfff, 0, 0, 6, 1);
  assert_int_equal(EVENTS(boost), 3);
  wreck();
}

/* A withheld warp is not ready, delays no other warp, and does not keep its group active. */
static void withheld_warps(void **state) {
  (void)state;
  struct hd_config c = machine(HD_TWO_LEVEL, 12, 1, 4);
  c.memory.kind = HD_MEM_L2;
  c.loscache.gate = HD_GATE_ADAPTIVE;
  c.scheduler.limit = 2;
  build(c);
  rig.in.withhold = 0x3;
  picks(0xfff, 0, 0, 2, 0);
  rig.in.withhold = 0xf;
  picks(0xfff, 0, 0, 4, 1);
  rig.in.withhold = 0xff;
  picks(0x0ff, 0, 0, -1, 1);
  assert_int_equal(EVENTS(held), 1);
  rig.in.prefer = 0x210; /* 4 and 9 */
  rig.in.boosting = 1;
  rig.in.withhold = 0x200;
  picks(0xfff, 0, 0, 4, 1);
  rig.in.withhold = 0x210;
  picks(0xfff, 0, 0, 5, 1);
  assert_int_equal(EVENTS(boost), 1);
  wreck();
}

static void what_repeats(void **state) {
  (void)state;
  build(machine(HD_PA, 48, 2, 8));
  look();
  assert_int_equal(two_level_tick(rig.m, &rig.in), hd_bit(EV_two_level_idle));
  wreck();
}

/* Compares with a search warp by warp. Then wrong bits (D-MIX-3): each pick is still a ready warp of its scheduler. */
static unsigned group_of(unsigned w) {
  const unsigned groups = (rig.c.sm.warps + rig.c.scheduler.group - 1) / rig.c.scheduler.group;
  return rig.c.scheduler.policy == HD_PA ? w % groups : w / rig.c.scheduler.group;
}

static int found(unsigned s) {
  const unsigned warps = rig.c.sm.warps;
  for (unsigned g = 0; g < warps; g++) /* more warps than groups: harmless */
    for (unsigned i = 1; i <= warps; i++) {
      const unsigned w = (unsigned)(rig.m->s.last[s] + i) % warps;
      const unsigned groups = (warps + rig.c.scheduler.group - 1) / rig.c.scheduler.group;
      if (group_of(w) == (rig.m->s.active[s] + g) % groups && w % rig.c.sm.schedulers == s &&
          hd_has(rig.in.ready, w))
        return (int)w;
    }
  return -1;
}

static unsigned next_active(unsigned s, int wid) {
  const unsigned old = (unsigned)rig.m->s.active[s];
  for (unsigned w = s; w < rig.c.sm.warps; w += rig.c.sm.schedulers)
    if (wid < 0 || (group_of(w) == old && !hd_has(rig.in.wait_mem, w)))
      return old;
  return group_of((unsigned)wid);
}

static void random_cycle(bool right) {
  const unsigned warps = rig.c.sm.warps, scheds = rig.c.sm.schedulers;
  unsigned active[4];
  rig.in.ready = draw() & draw() & hd_ones(warps);
  rig.in.wait_mem = (draw() | draw() | draw()) & ~rig.in.ready & hd_ones(warps);
  look();
  for (unsigned s = 0; s < scheds; s++) {
    const int wid = rig.out.pick_valid[s] ? (int)rig.out.pick_wid[s] : -1;
    active[s] = next_active(s, wid);
    assert_int_equal(wid >= 0, found(s) >= 0);
    assert_true(wid < 0 || (hd_has(rig.in.ready, (unsigned)wid) && (unsigned)wid % scheds == s));
    if (right)
      assert_int_equal(wid, found(s));
  }
  edge();
  for (unsigned s = 0; right && s < scheds; s++)
    assert_int_equal(rig.m->s.active[s], active[s]);
  state_fits();
}

static void build_random(void) {
  build(machine(draw_below(2) ? HD_PA : HD_TWO_LEVEL, 8 + (unsigned)draw_below(57), 1u << draw_below(3),
                1 + (unsigned)draw_below(64)));
}

static void as_a_search(void **state) {
  (void)state;
  for (unsigned machines = 0; machines < 100; machines++) {
    build_random();
    for (unsigned i = 0; i < 200; i++)
      random_cycle(true);
    for (unsigned i = 0; i < 200; i++) {
      flip_a_bit();
      random_cycle(false);
    }
    wreck();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(neighbours_are_a_group),
      cmocka_unit_test(neighbours_are_apart),
      cmocka_unit_test(each_scheduler_has_its_group),
      cmocka_unit_test(the_last_group_may_be_small),
      cmocka_unit_test(preferred_warps_go_first),
      cmocka_unit_test(withheld_warps),
      cmocka_unit_test(what_repeats),
      cmocka_unit_test(as_a_search),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
