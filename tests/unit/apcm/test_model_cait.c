/* The cache access information table: the class that APCM's Table 2 gives for counts, by hand (docs/mechanisms/apcm.md). */
#define RIG cait
#include "tests/unit/rig.h"

#include "cmodel/model/bits.h"
#include "tests/unit/chance.h"

static struct hd_config machine(enum hd_apcm manage, unsigned loads) {
  struct hd_config c = defaults();
  c.apcm.manage = manage;
  c.apcm.loads = loads;
  return c;
}

static void update(uint64_t id, uint64_t last, uint64_t count, uint64_t intra) {
  rig.in.up_valid = 1;
  rig.in.up_id = id;
  rig.in.up_last = last;
  rig.in.up_count = count;
  rig.in.up_intra = intra;
  step();
  rig.in.up_valid = rig.in.clear = 0;
}

static void shows(uint64_t bypass, uint64_t protect) {
  look();
  assert_int_equal(rig.out.bypass, bypass);
  assert_int_equal(rig.out.protect, protect);
}

static void table_2(void **state) {
  (void)state;
  build(machine(HD_APCM_BOTH, 16));
  shows(0, 0);
  update(3, 3, 1, 1); /* streaming */
  shows(hd_bit(3), 0);
  update(4, 7, 5, 5); /* intra-warp */
  shows(hd_bit(3), hd_bit(4));
  assert_int_equal(rig.out.last[4], 7);
  update(5, 5, 2, 1); /* inter-warp */
  update(6, 2, 9, 8); /* both */
  shows(hd_bit(3), hd_bit(4));
  assert_int_equal(EVENTS(stream), 1);
  assert_int_equal(EVENTS(intra), 1);
  assert_int_equal(EVENTS(inter), 2);
  assert_int_equal(EVENTS(stay), 0);
  wreck();
}

/* A line with more accesses replaces the entry (§5.1). A line with as many does not. */
static void more_accesses_replace(void **state) {
  (void)state;
  build(machine(HD_APCM_BOTH, 16));
  update(3, 3, 1, 1);
  update(3, 9, 1, 1);
  shows(hd_bit(3), 0);
  assert_int_equal(rig.out.last[3], 3);
  update(3, 8, 2, 2);
  shows(0, hd_bit(3));
  assert_int_equal(rig.out.last[3], 8);
  update(3, 1, 1, 1);
  update(3, 1, 2, 1);
  shows(0, hd_bit(3));
  update(3, 1, 3, 2);
  shows(0, 0);
  update(3, 1, 3, 3);
  shows(0, 0);
  update(3, 11, 15, 15);
  shows(0, hd_bit(3));
  update(3, 1, 15, 3);
  shows(0, hd_bit(3));
  assert_int_equal(rig.out.last[3], 11);
  assert_int_equal(EVENTS(stay), 5);
  wreck();
}

static void clear_forgets(void **state) {
  (void)state;
  build(machine(HD_APCM_BOTH, 16));
  update(3, 3, 1, 1);
  update(4, 7, 5, 5);
  rig.in.clear = 1;
  update(5, 5, 1, 1);
  shows(0, 0);
  assert_int_equal(EVENTS(clear), 1);
  assert_int_equal(EVENTS(stream), 1);
  update(4, 4, 1, 1);
  shows(hd_bit(4), 0);
  rig.in.clear = 1;
  update(4, 4, 1, 1); /* a forgotten entry does not stay */
  shows(0, 0);
  assert_int_equal(EVENTS(stay), 0);
  wreck();
}

static void each_half_alone(void **state) {
  (void)state;
  build(machine(HD_APCM_BYPASS, 4));
  update(0, 0, 1, 1);
  update(3, 0, 2, 2);
  look();
  assert_int_equal(rig.out.bypass, 1);
  assert_int_equal(EVENTS(intra), 1);
  state_fits();
  wreck();
  build(machine(HD_APCM_PROTECT, 4));
  update(0, 0, 1, 1);
  update(3, 2, 2, 2);
  look();
  assert_int_equal(rig.out.protect, 8);
  assert_int_equal(rig.out.last[3], 2);
  wreck();
}

static void it_never_moves_by_itself(void **state) {
  (void)state;
  build(machine(HD_APCM_BOTH, 16));
  rig.in.up_valid = rig.in.up_count = 1;
  assert_int_equal(cait_tick(rig.m, &rig.in), 0);
  wreck();
}

/* D-MIX-3: also with ids that no load has. */
static void wrong_bits_break_nothing(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 12; seed++) {
    chance_state = seed;
    build(machine(HD_APCM_BYPASS + seed % 3, 4 + (unsigned)draw_below(29)));
    for (unsigned cycle = 0; cycle < 1500; cycle++) {
      const uint64_t count = 1 + draw_below(15);
      rig.in.clear = draw_below(100) == 0;
      flip_a_bit();
      update(draw() & hd_ones(rig.c.d.LID_W), draw() & hd_ones(rig.c.d.LAST_W), count, 1 + draw_below(count));
      state_fits();
    }
    wreck();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(table_2),
      cmocka_unit_test(more_accesses_replace),
      cmocka_unit_test(clear_forgets),
      cmocka_unit_test(each_half_alone),
      cmocka_unit_test(it_never_moves_by_itself),
      cmocka_unit_test(wrong_bits_break_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
