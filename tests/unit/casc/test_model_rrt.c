/* The re-reference table: its cycles from docs/mechanisms/casc.md by hand, and random traffic against plain sums and counts. */
#define RIG rrt
#include "tests/unit/rig.h"

#include "cmodel/model/bits.h"
#include "tests/unit/chance.h"

static struct hd_config machine(unsigned pc_bits, unsigned count_bits, unsigned sample_bits) {
  struct hd_config c = defaults();
  c.casc.scheme = HD_CASC_LOCALITY;
  c.casc.pc_bits = pc_bits;
  c.casc.sample_bits = sample_bits;
  c.l1d.count_bits = count_bits;
  return c;
}

static void set_eviction(uint64_t hpc, uint64_t counter) {
  rig.in.ev_valid = 1;
  rig.in.ev_hpc = hpc;
  rig.in.ev_count = counter;
}

/* Runs one step, then clears the eviction port. */
static void pulse(void) {
  step();
  rig.in.ev_valid = rig.in.clear = 0;
}

/* Runs one eviction alone for all its cycles. */
static void eviction(uint64_t hpc, uint64_t counter) {
  set_eviction(hpc, counter);
  pulse();
  pulse();
}

/* Checks an entry by a lookup of two cycles. */
static void entry_is(uint64_t hpc, bool known, uint64_t sum, uint64_t count) {
  rig.in.lk_hpc = hpc;
  pulse();
  look();
  assert_int_equal(rig.out.lk_known, known);
  if (known) {
    assert_int_equal(rig.out.lk_sum, sum);
    assert_int_equal(rig.out.lk_count, count);
  }
}

/* Beside a larger reuse-frequency table hashes are wider than entry numbers: 5 bits for 3. 0x0d belongs to entry 4 (5 ^ 1), as 0x04
 * does; 0x14 to entry 6 (4 ^ 2). */
static void hashes_wider_than_the_table(void **state) {
  (void)state;
  struct hd_config c = machine(3, 4, 8);
  c.rft.form = HD_RFT_BIT;
  c.rft.entries = 32;
  build(c);
  assert_int_equal(rig.c.d.HPC_W, 5);
  eviction(0x0d, 3);
  entry_is(0x04, true, 3, 1);
  entry_is(0x14, false, 0, 0);
  eviction(0x14, 7);
  entry_is(0x06, true, 7, 1);
  entry_is(0x0d, true, 3, 1);
  wreck();
}

static void evictions_add_up(void **state) {
  (void)state;
  build(machine(7, 4, 8));
  entry_is(5, false, 0, 0);
  eviction(5, 3);
  entry_is(5, true, 3, 1);
  eviction(5, 0);
  eviction(5, 15);
  eviction(127, 7);
  entry_is(5, true, 18, 3);
  entry_is(127, true, 7, 1);
  entry_is(6, false, 0, 0);
  assert_int_equal(EVENTS(first), 2);
  assert_int_equal(EVENTS(add), 2);
  assert_int_equal(EVENTS(forward), 0);
  wreck();
}

/* D-CASC-3. */
static void sum_and_count_halve(void **state) {
  (void)state;
  build(machine(3, 2, 2));
  eviction(1, 3);
  eviction(1, 3);
  eviction(1, 1);
  entry_is(1, true, 7, 3);
  assert_int_equal(EVENTS(halve), 0);
  eviction(1, 2);
  entry_is(1, true, 4, 2);
  eviction(1, 0);
  eviction(1, 3);
  entry_is(1, true, 3, 2); /* 7 and 4, rounded down */
  assert_int_equal(EVENTS(halve), 2);
  assert_int_equal(EVENTS(add), 3);
  for (unsigned i = 0; i < 20; i++) /* until the largest sum */
    eviction(1, 3);
  look();
  assert_true(rig.m->s.w_sum <= 9);
  eviction(1, 3);
  state_fits();
  wreck();
}

/* One eviction per cycle, all of one entry: each finds the values that the one before has left. */
static void back_to_back(void **state) {
  (void)state;
  build(machine(7, 4, 8));
  for (unsigned i = 1; i <= 5; i++) {
    set_eviction(9, i);
    pulse();
  }
  pulse();
  entry_is(9, true, 15, 5);
  assert_int_equal(EVENTS(forward), 4);
  set_eviction(9, 1);
  pulse();
  set_eviction(10, 1); /* two entries in turn */
  pulse();
  set_eviction(9, 1);
  pulse();
  set_eviction(10, 1);
  pulse();
  pulse();
  entry_is(9, true, 17, 7);
  entry_is(10, true, 2, 2);
  assert_int_equal(EVENTS(forward), 4);
  wreck();
}

/* A lookup sees a write in the cycle of its read, and no later write. */
static void lookups_beside_writes(void **state) {
  (void)state;
  build(machine(7, 4, 8));
  eviction(9, 4);
  rig.in.lk_hpc = 9;
  set_eviction(9, 2);
  pulse();
  look(); /* read before */
  assert_int_equal(rig.out.lk_sum, 4);
  assert_int_equal(rig.out.lk_count, 1);
  pulse(); /* the write happens in this cycle */
  look();
  assert_int_equal(rig.out.lk_known, 1);
  assert_int_equal(rig.out.lk_sum, 6);
  assert_int_equal(rig.out.lk_count, 2);
  pulse();
  look(); /* and stays */
  assert_int_equal(rig.out.lk_sum, 6);
  set_eviction(20, 1); /* the first line of an entry that is being looked up */
  rig.in.lk_hpc = 20;
  pulse();
  look();
  assert_int_equal(rig.out.lk_known, 0);
  pulse();
  look();
  assert_int_equal(rig.out.lk_known, 1);
  assert_int_equal(rig.out.lk_sum, 1);
  assert_int_equal(rig.out.lk_count, 1);
  wreck();
}

static void clear_forgets(void **state) {
  (void)state;
  build(machine(7, 4, 8));
  eviction(1, 4);
  eviction(2, 4);
  set_eviction(3, 4);
  pulse();
  set_eviction(4, 4); /* cleared, as is 3, which is being written */
  rig.in.clear = 1;
  pulse();
  assert_int_equal(rig.m->s.u_valid | rig.m->s.w_valid, 0);
  assert_int_equal(rig.m->s.update_wr, 3);
  assert_int_equal(EVENTS(clear), 1);
  for (unsigned e = 0; e < 128; e++)
    entry_is(e, false, 0, 0);
  set_eviction(3, 1);
  pulse();
  pulse();
  entry_is(3, true, 1, 1);
  assert_int_equal(EVENTS(first), 4);
  wreck();
}

static void what_repeats(void **state) {
  (void)state;
  build(machine(7, 4, 8));
  static const uint64_t ahead[] = {HD_MOVES, HD_MOVES, 0, 0};
  set_eviction(1, 1);
  for (unsigned i = 0; i < 4; i++) { /* taken, written, no longer new */
    look();
    assert_int_equal(rrt_tick(rig.m, &rig.in), ahead[i]);
    rig.in.ev_valid = 0;
  }
  wreck();
}

/* ---- Against a reference ---- */

static struct {
  struct {
    bool known;
    uint64_t sum, count;
  } of[256];
  bool waits; /* an eviction came in the last cycle */
  uint64_t hpc, counter;
} ref;

static void ref_add(void) {
  ref.of[ref.hpc].sum = (ref.of[ref.hpc].known ? ref.of[ref.hpc].sum : 0) + ref.counter;
  ref.of[ref.hpc].count = (ref.of[ref.hpc].known ? ref.of[ref.hpc].count : 0) + 1;
  ref.of[ref.hpc].known = true;
  if (ref.of[ref.hpc].count == UINT64_C(1) << rig.c.casc.sample_bits) {
    ref.of[ref.hpc].sum /= 2;
    ref.of[ref.hpc].count /= 2;
  }
}

static void ref_edge(void) {
  if (ref.waits)
    ref_add();
  for (unsigned e = 0; e < 256; e++)
    ref.of[e].known &= !rig.in.clear;
  ref.waits = rig.in.ev_valid && !rig.in.clear;
  ref.hpc = rig.in.ev_hpc;
  ref.counter = rig.in.ev_count;
}

/* Few entries at a time, so that accesses to one entry meet. */
static void random_inputs(void) {
  const uint64_t entries = rig.c.d.RRT;
  static uint64_t about;
  if (draw_below(100) == 0)
    about = draw();
  rig.in.clear = draw_below(500) == 0;
  rig.in.ev_valid = draw_below(3) != 0;
  rig.in.ev_hpc = (about + draw_below(draw_below(8) ? 3 : entries)) % entries;
  rig.in.ev_count = draw() & hd_ones(rig.c.d.RR_W);
  rig.in.lk_hpc = (about + draw_below(draw_below(8) ? 3 : entries)) % entries;
}

static void build_random(uint64_t seed) {
  chance_state = seed;
  const unsigned pc_bits = 3 + (unsigned)draw_below(6), count_bits = 1 + (unsigned)draw_below(6);
  build(machine(pc_bits, count_bits, 2 + (unsigned)draw_below(seed % 4 ? 3 : 11)));
}

static void as_the_reference(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    build_random(seed);
    memset(&ref, 0, sizeof ref);
    for (unsigned cycle = 0; cycle < 4000; cycle++) {
      random_inputs();
      step();
      ref_edge();
      look();
      const uint64_t e = rig.in.lk_hpc;
      if (rig.out.lk_known != ref.of[e].known ||
          (ref.of[e].known && (rig.out.lk_sum != ref.of[e].sum || rig.out.lk_count != ref.of[e].count)))
        fail_msg("seed %llu, cycle %u: entry %llx: %llu %llu %llu, expected %d %llu %llu",
                 (unsigned long long)seed, cycle, (unsigned long long)e, (unsigned long long)rig.out.lk_known,
                 (unsigned long long)rig.out.lk_sum, (unsigned long long)rig.out.lk_count, ref.of[e].known,
                 (unsigned long long)ref.of[e].sum, (unsigned long long)ref.of[e].count);
    }
    state_fits();
    assert_true(EVENTS(forward) > 100 && EVENTS(first) && EVENTS(add) && EVENTS(clear));
    wreck();
  }
}

/* D-MIX-3. */
static void wrong_bits_break_nothing(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 10; seed++) {
    build_random(seed);
    for (unsigned cycle = 0; cycle < 2000; cycle++) {
      random_inputs();
      flip_a_bit();
      look();
      assert_int_equal(rig.out.lk_sum >> rig.c.d.RRSUM_W | rig.out.lk_count >> rig.c.d.SAMPLE_W |
                           rig.out.lk_known >> 1,
                       0);
      edge();
    }
    state_fits();
    wreck();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hashes_wider_than_the_table),
      cmocka_unit_test(evictions_add_up),
      cmocka_unit_test(sum_and_count_halve),
      cmocka_unit_test(back_to_back),
      cmocka_unit_test(lookups_beside_writes),
      cmocka_unit_test(clear_forgets),
      cmocka_unit_test(what_repeats),
      cmocka_unit_test(as_the_reference),
      cmocka_unit_test(wrong_bits_break_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
