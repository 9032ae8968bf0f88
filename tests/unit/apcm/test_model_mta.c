/* The monitor tag array: how the accesses of one warp classify its loads, by hand (docs/mechanisms/apcm.md). */
#define RIG mta
#include "tests/unit/rig.h"

#include "cmodel/model/bits.h"

static struct hd_config machine(enum hd_apcm manage, unsigned entries, unsigned ways) {
  struct hd_config c = defaults();
  c.apcm.manage = manage;
  c.apcm.entries = entries;
  c.apcm.ways = ways;
  return c;
}

/* APCM Table 5: direct-mapped, 32 entries. */
static struct hd_config papers(void) {
  return machine(HD_APCM_BOTH, 32, 1);
}

/* The first request of a tracked load of this warp. */
static void set_access(uint64_t wid, uint64_t lid, uint64_t line) {
  rig.in.acc_valid = 1;
  rig.in.acc = (struct access){.wid = wid, .trk = 1, .lid = lid, .two = 1, .line = line};
}

/* Runs one step, then clears the inputs. */
static void pulse(void) {
  step();
  rig.in.acc_valid = rig.in.exit = rig.in.clear = 0;
}

/* Checks the reported update of a load. */
static void reported(uint64_t id, uint64_t last, uint64_t count, uint64_t intra) {
  look();
  assert_int_equal(rig.out.up_valid, 1);
  assert_int_equal(rig.out.up_id, id);
  assert_int_equal(rig.out.up_last, last);
  assert_int_equal(rig.out.up_count, count);
  assert_int_equal(rig.out.up_intra, intra);
}

static void nothing_is_reported(void) {
  look();
  assert_int_equal(rig.out.up_valid, 0);
}

/* Runs the access that was set, up to the cycle in which its update would appear. */
static void done(void) {
  pulse();
  nothing_is_reported();
  pulse();
}

static void access(uint64_t wid, uint64_t lid, uint64_t line) {
  set_access(wid, lid, line);
  done();
}

/* ---- Which warp is monitored ---- */

static void the_first_warp_with_an_id(void **state) {
  (void)state;
  build(papers());
  set_access(7, 0, 100);
  rig.in.acc.trk = 0;
  done();
  assert_int_equal(rig.m->s.mon, 0);
  access(5, 0, 100);
  assert_int_equal(rig.m->s.mon, 1);
  assert_int_equal(rig.m->s.mon_wid, 5);
  access(7, 1, 101); /* lines of another warp do not get in */
  access(5, 1, 102);
  assert_int_equal(EVENTS(monitor), 1);
  assert_int_equal(EVENTS(allocate), 2);
  assert_int_equal(rig.m->s.mon_wid, 5);
  wreck();
}

/* ---- What an entry learns ---- */

static void a_line_used_once(void **state) {
  (void)state;
  build(papers());
  access(5, 3, 100);
  nothing_is_reported();
  access(5, 4, 100 + 32); /* its set */
  reported(3, 3, 1, 1);
  pulse();
  nothing_is_reported();
  access(5, 4, 101 + 32); /* another set */
  nothing_is_reported();
  assert_int_equal(EVENTS(evict), 1);
  wreck();
}

static void a_line_of_a_loop(void **state) {
  (void)state;
  build(papers());
  for (unsigned n = 1; n <= 9; n++) { /* D-APCM-3: from the threshold on */
    access(5, 3, 100);
    if (n < 8)
      nothing_is_reported();
    else
      reported(3, 3, n, n);
  }
  assert_int_equal(EVENTS(hit_mine), 8);
  assert_int_equal(EVENTS(enough), 2);
  wreck();
}

/* D-APCM-8: the last load id is of the monitored warp. A load without an id does not change it. */
static void the_last_load(void **state) {
  (void)state;
  build(papers());
  access(5, 3, 100);
  access(5, 9, 100);
  access(5, 6, 100);
  access(8, 2, 100);
  set_access(5, 0, 100);
  rig.in.acc.trk = 0;
  done();
  access(5, 1, 100 + 32);
  reported(3, 6, 5, 4);
  assert_int_equal(EVENTS(hit_other), 1);
  assert_int_equal(EVENTS(hit_mine), 3);
  wreck();
}

/* D-APCM-2: other warps used the line before. With `seen: others`, `acc_own` says that the line is the warp's own. */
static void a_line_that_was_there(void **state) {
  (void)state;
  struct hd_config c = papers();
  c.apcm.seen = HD_SEEN_OTHERS;
  build(c);
  set_access(5, 3, 100);
  rig.in.acc.count = 4;
  done();
  access(5, 3, 100);
  access(5, 1, 100 + 32);
  reported(3, 3, 6, 2);
  set_access(5, 3, 100);
  rig.in.acc.count = 15;
  done();
  reported(1, 1, 1, 1);
  access(5, 1, 100 + 32);
  reported(3, 3, 15, 1); /* saturates at all ones */
  rig.in.acc_own = 1;
  set_access(5, 3, 100);
  rig.in.acc.count = 4;
  done();
  access(5, 1, 100 + 32);
  reported(3, 3, 1, 1);
  wreck();
}

/* D-APCM-7. */
static void counts_saturate_together(void **state) {
  (void)state;
  build(papers());
  access(5, 3, 100);
  access(6, 3, 100);
  for (unsigned n = 3; n <= 20; n++)
    access(5, 3, 100);
  reported(3, 3, 15, 14);
  access(6, 3, 100);
  reported(3, 3, 15, 14);
  access(5, 2, 100); /* only the last id moves on */
  reported(3, 2, 15, 14);
  wreck();
}

/* Only the first two requests of a load get entries, but all requests count. */
static void two_requests_of_a_load(void **state) {
  (void)state;
  build(papers());
  access(5, 3, 100);
  set_access(5, 3, 101);
  rig.in.acc.two = 0;
  done();
  set_access(5, 3, 100);
  rig.in.acc.two = 0;
  done();
  assert_int_equal(EVENTS(drop), 1);
  assert_int_equal(EVENTS(allocate), 1);
  assert_int_equal(EVENTS(hit_mine), 1);
  wreck();
}

/* One access per cycle: the array uses a word before its memory returns it. */
static void accesses_follow_at_once(void **state) {
  (void)state;
  for (unsigned ways = 1; ways <= 32; ways *= 2) {
    build(machine(HD_APCM_BOTH, 32, ways));
    const uint64_t sets = 32 / ways;
    for (unsigned n = 0; n < 4; n++) {
      set_access(5, 3, 7 * sets);
      pulse();
    }
    set_access(6, 1, 7 * sets);
    pulse();
    for (unsigned w = 1; w < ways; w++) {
      set_access(5, 4, (7 + w) * sets);
      pulse();
    }
    set_access(5, 4, 200 * sets); /* the first of the set is replaced */
    done();
    reported(3, 3, 5, 4);
    wreck();
  }
}

/* ---- Associativity ---- */

/* D-APCM-9, with a number of ways that is not a power of two. */
static void ways_give_way_in_turn(void **state) {
  (void)state;
  build(machine(HD_APCM_BOTH, 24, 3));
  for (unsigned n = 0; n < 3; n++) {
    access(5, n, 8 * n + 1);
    nothing_is_reported();
  }
  access(5, 0, 1); /* a hit does not count as new */
  access(5, 3, 2); /* another set has room */
  for (unsigned n = 0; n < 7; n++) {
    access(5, 4 + n, 8 * (3 + n) + 1);
    if (n < 3)
      reported(n, n, n ? 1 : 2, n ? 1 : 2);
    else
      reported(4 + n - 3, 4 + n - 3, 1, 1);
  }
  assert_int_equal(EVENTS(evict), 7);
  assert_int_equal(rig.m->s.next[1], 1);
  wreck();
}

static void fully_associative(void **state) {
  (void)state;
  build(machine(HD_APCM_BYPASS, 10, 10));
  for (unsigned n = 0; n < 10; n++)
    access(5, n, 1000 * n);
  access(5, 12, 3000);
  access(6, 12, 3000);
  assert_int_equal(EVENTS(hit_mine) + EVENTS(hit_other), 2);
  for (unsigned n = 0; n < 5; n++) {
    access(5, 10, 7 + n);
    reported(n, 0, n == 3 ? 3 : 1, n == 3 ? 2 : 1);
  }
  wreck();
}

/* ---- The end of the monitored warp ---- */

/* From the cycle after the warp's end, MTA + 1 cycles to the register of the last update. */
static void entries_are_read_out(void **state) {
  (void)state;
  static const unsigned ways[] = {1, 4, 8};
  for (unsigned i = 0; i < 3; i++) {
    build(machine(HD_APCM_BOTH, 8, ways[i]));
    access(5, 1, 3 * 8);
    access(5, 2, 6 * 8);
    access(5, 3, 4);
    access(6, 4, 4);
    rig.in.exit = hd_bit(6) | hd_bit(5);
    pulse();
    assert_int_equal(rig.m->s.over, 1);
    uint64_t when[4] = {0};
    for (unsigned n = 1; n <= 12; n++) { /* the outputs n cycles after the end */
      look();
      if (rig.out.up_valid) {
        assert_int_equal(when[rig.out.up_id], 0);
        when[rig.out.up_id] = n;
        assert_int_equal(rig.out.up_count, rig.out.up_id == 3 ? 2 : 1);
      }
      set_access(8, 9, 4); /* no warp is monitored, so nothing happens */
      pulse();
    }
    static const unsigned expected[3][4] = {{0, 0, 3, 7}, {0, 3, 4, 5}, {0, 3, 4, 5}};
    for (unsigned id = 1; id < 4; id++) /* direct-mapped: load 2 took set 0 from load 1 */
      assert_int_equal(when[id], expected[i][id]);
    assert_int_equal(EVENTS(read), i ? 3 : 2);
    assert_int_equal(EVENTS(monitor), 1);
    assert_int_equal(rig.m->s.scan, 0);
    assert_int_equal(rig.m->s.mon, 0);
    wreck();
  }
}

static void the_last_entry_is_read_out_last(void **state) {
  (void)state;
  build(papers());
  access(5, 1, 31);
  rig.in.exit = hd_bit(5);
  pulse();
  for (unsigned n = 0; n < 33; n++) { /* MTA + 1 */
    nothing_is_reported();
    pulse();
  }
  reported(1, 1, 1, 1);
  wreck();
}

/* The last access may be in progress at the end, and another warp's access may come in the cycle of the end. */
static void accesses_before_the_end(void **state) {
  (void)state;
  build(papers());
  access(5, 1, 0);
  set_access(5, 2, 0);
  pulse();
  set_access(6, 3, 0);
  rig.in.exit = hd_bit(5);
  pulse();
  set_access(6, 3, 0); /* too late */
  pulse();
  pulse();
  pulse();
  assert_int_equal(rig.m->s.u_valid, 0);
  assert_int_equal(EVENTS(read), 1);
  assert_int_equal(rig.m->s.u_count, 3);
  assert_int_equal(rig.m->s.u_intra, 2);
  wreck();
}

/* ---- Another kernel ---- */

static void clear_forgets(void **state) {
  (void)state;
  build(machine(HD_APCM_BOTH, 16, 2));
  for (unsigned n = 0; n < 3; n++)
    access(5, n, 8 * n);
  rig.in.exit = hd_bit(5);
  pulse();
  pulse();
  pulse();
  rig.in.clear = 1;
  pulse();
  nothing_is_reported();
  assert_int_equal(EVENTS(clear), 1);
  for (unsigned n = 0; n < 20; n++) {
    pulse();
    nothing_is_reported();
  }
  access(9, 4, 0);
  assert_int_equal(rig.m->s.mon_wid, 9);
  access(9, 5, 8); /* a free entry */
  nothing_is_reported();
  access(9, 6, 16);
  reported(4, 4, 1, 1);
  assert_int_equal(EVENTS(monitor), 2);
  set_access(9, 7, 24); /* in the cycle of its lookup */
  pulse();
  rig.in.clear = 1;
  pulse();
  nothing_is_reported();
  assert_int_equal(EVENTS(allocate), 6);
  wreck();
}

static void what_repeats(void **state) {
  (void)state;
  build(papers());
  assert_int_equal(mta_tick(rig.m, &rig.in), 0);
  set_access(5, 3, 100);
  rig.in.acc.trk = 0;
  assert_int_equal(mta_tick(rig.m, &rig.in), 0);
  rig.in.acc.trk = 1;
  assert_int_equal(mta_tick(rig.m, &rig.in), HD_MOVES); /* the lookup is next */
  rig.in.acc_valid = 0;
  assert_int_equal(mta_tick(rig.m, &rig.in), HD_MOVES); /* written: is read again */
  assert_int_equal(mta_tick(rig.m, &rig.in), 0);
  rig.in.exit = hd_bit(5);
  for (unsigned n = 0; n < 33; n++)
    assert_int_equal(mta_tick(rig.m, &rig.in), HD_MOVES);
  assert_int_equal(mta_tick(rig.m, &rig.in), 0);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_first_warp_with_an_id),
      cmocka_unit_test(a_line_used_once),
      cmocka_unit_test(a_line_of_a_loop),
      cmocka_unit_test(the_last_load),
      cmocka_unit_test(a_line_that_was_there),
      cmocka_unit_test(counts_saturate_together),
      cmocka_unit_test(two_requests_of_a_load),
      cmocka_unit_test(accesses_follow_at_once),
      cmocka_unit_test(ways_give_way_in_turn),
      cmocka_unit_test(fully_associative),
      cmocka_unit_test(entries_are_read_out),
      cmocka_unit_test(the_last_entry_is_read_out_last),
      cmocka_unit_test(accesses_before_the_end),
      cmocka_unit_test(clear_forgets),
      cmocka_unit_test(what_repeats),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
