/* CCWS's victim tag arrays, by hand from docs/mechanisms/ccws.md: 8 warps with 4 victims each, in 2 rows of 2, and an L1D of 2
 * sets of 2 ways. */
#define RIG ccws_vta
#include "tests/unit/rig.h"

#include "tests/unit/ccws/alone_rig.h"
#include "tests/unit/ring.h"

#include "cmodel/ccws/lazy.h"

enum { WAYS = 2 };

static struct hd_config machine(void) {
  struct hd_config c = defaults();
  c.sm.warps = 8;
  c.l1d.sets = 2;
  c.l1d.ways = WAYS;
  c.ccws.throttle = HD_CCWS_ON;
  c.ccws.entries = 4;
  c.ccws.ways = 2;
  c.ccws.queue = 2;
  return c;
}
static void start(struct hd_config c) {
  build(c);
  rig.in.ccws_en = 1;
}

/* The cycle in which the line in this way of set 0 is evicted. */
static void evicts(unsigned way) {
  rig.in.late_evict = 1;
  rig.in.late_row = way;
  step();
  rig.in.late_evict = 0;
}
/* The cycle that reports a load of the warp: it took the line in this way of set 0. `evict`: another line left the way. */
static void reported(unsigned wid, unsigned line, unsigned way, bool evict) {
  rig.in.outcome_take = 1;
  rig.in.outcome_evict = evict;
  rig.in.outcome_at = 1u << way;
  rig.in.outcome_wid = wid;
  rig.in.outcome_line = line;
  step();
  rig.in.outcome_take = rig.in.outcome_evict = 0;
}
static void miss(unsigned wid, unsigned line, unsigned way, bool evict) {
  if (evict)
    evicts(way);
  reported(wid, line, way, evict);
}

/* Runs until nothing is left to do. Returns the warp that lost locality last, or -1. */
static int settle(void) {
  int hit = -1;
  for (unsigned i = 0; i < 40; i++) {
    look();
    if (rig.out.hit_valid)
      hit = (int)rig.out.hit_wid;
    edge();
  }
  return hit;
}
static int misses(unsigned wid, unsigned line, unsigned way, bool evict) {
  miss(wid, line, way, evict);
  return settle();
}

/* Warp 5 evicts line 0x10 of warp 3, and warp 3 misses on it. The hit is reported five cycles after the miss, for one cycle. */
static void lost_and_missed(void **state) {
  (void)state;
  start(machine());
  assert_int_equal(misses(3, 0x10, 0, false), -1);
  assert_int_equal(misses(5, 0x30, 0, true), -1);
  assert_int_equal(EVENTS(miss), 2);
  assert_int_equal(EVENTS(insert), 1);
  reported(3, 0x10, 1, false);
  for (unsigned i = 1; i <= 7; i++) {
    look();
    assert_int_equal(rig.out.hit_valid, i == 5);
    if (i >= 5)
      assert_int_equal(rig.out.hit_wid, 3);
    edge();
  }
  assert_int_equal(EVENTS(hit), 1);
  assert_int_equal(misses(5, 0x10, 0, false), -1); /* warp 5 has not lost the line */
  assert_int_equal(misses(3, 0x10, 0, false), 3);  /* the tag stays */
  wreck();
}

/* A load is reported to have taken no way. Way 0 then still belongs to warp 3. */
static void taken_in_no_way(void **state) {
  (void)state;
  start(machine());
  assert_int_equal(misses(3, 0x10, 0, false), -1);
  rig.in.outcome_take = 1;
  rig.in.outcome_at = 0;
  rig.in.outcome_wid = 6;
  rig.in.outcome_line = 0x20;
  step();
  rig.in.outcome_take = 0;
  assert_int_equal(settle(), -1);
  assert_int_equal(misses(5, 0x30, 0, true), -1);
  assert_int_equal(misses(3, 0x10, 1, false), 3);
  wreck();
}

/* Lines of one row of a warp. The least recently used of two tags is dropped. A hit, or a second loss, makes a tag the most recent. */
static void two_tags(void **state) {
  (void)state;
  start(machine());
  for (unsigned line = 0x10; line <= 0x14; line += 2) { /* 0x10, 0x12 are lost in this order */
    miss(1, line, 0, line != 0x10);
    settle();
  }
  assert_int_equal(misses(1, 0x10, 1, false), 1); /* 0x10 before 0x12 */
  assert_int_equal(misses(2, 0x40, 0, true), -1); /* 0x14 is lost: 0x12 drops out */
  assert_int_equal(misses(1, 0x12, 0, false), -1);
  assert_int_equal(misses(1, 0x10, 1, false), 1);
  assert_int_equal(misses(1, 0x14, 1, false), 1);
  miss(1, 0x10, 1, false); /* 0x10 before 0x14 */
  settle();
  miss(2, 0x50, 1, true); /* lost again: it stays in front */
  settle();
  assert_int_equal(EVENTS(again), 1);
  assert_int_equal(EVENTS(insert), 3);
  assert_int_equal(misses(1, 0x11, 1, false), -1); /* a line of the other row */
  wreck();
}

/* Two misses wait and the third is lost. A miss with an eviction takes three cycles more than a miss alone. */
static void queue_full(void **state) {
  (void)state;
  start(machine());
  evicts(0);
  reported(0, 2, 0, true); /* step 0 is the next cycle */
  for (unsigned i = 0; i < 3; i++)
    reported(0, 4 + 2 * i, 0, false);
  assert_int_equal(EVENTS(lost), 1); /* one left the queue in the second cycle */
  assert_int_equal(rig.m->s.count, 2);
  for (unsigned i = 0; i < 4; i++)
    step(); /* steps 3 to 6 of the first */
  assert_int_equal(rig.m->s.step, 0);
  assert_int_equal(rig.m->s.count, 2);
  for (unsigned i = 0; i < 4; i++)
    step();
  assert_int_equal(rig.m->s.step, 0);
  assert_int_equal(rig.m->s.count, 1);
  assert_int_equal(EVENTS(miss), 2);
  wreck();
}

static void forgotten(void **state) {
  (void)state;
  start(machine());
  misses(3, 0x10, 0, false);
  misses(5, 0x30, 0, true);
  reported(3, 0x20, 1, false);
  rig.in.clear = 1;
  reported(3, 0x22, 1, false); /* not pushed */
  rig.in.clear = 0;
  assert_int_equal(rig.m->s.count, 0);
  assert_int_equal(settle(), -1);
  assert_int_equal(EVENTS(miss), 2);
  assert_int_equal(misses(3, 0x10, 0, false), -1);
  /* The row holds an old tag. It does not count, and does not come back with the next tag. */
  assert_int_equal(misses(5, 0x32, 0, true), -1); /* 0x10 is lost again: a new tag */
  assert_int_equal(EVENTS(insert), 2);
  assert_int_equal(EVENTS(again), 0);
  wreck();
}

static void not_enabled(void **state) {
  (void)state;
  start(machine());
  misses(3, 0x10, 0, false);
  rig.in.ccws_en = 0;
  misses(5, 0x30, 0, true);
  assert_int_equal(EVENTS(insert), 0);
  rig.in.ccws_en = 1;
  misses(6, 0x50, 0, true); /* lines are remembered all the same: warp 5 loses 0x30 */
  assert_int_equal(misses(5, 0x30, 1, false), 5);
  wreck();
}

/* With a prefetcher. A load that adopts a line is no miss. Its line may be evicted at once. A prefetch evicts too. */
static void prefetches(void **state) {
  (void)state;
  struct hd_config c = machine();
  c.prefetch.kind = HD_PF_SAP;
  start(c);
  rig.in.outcome_hit = 1;
  rig.in.late_evict = 1; /* row 0 is read in the cycle of its write */
  rig.in.late_row = 0;
  reported(4, 0x10, 0, false);
  rig.in.outcome_hit = rig.in.late_evict = 0;
  assert_int_equal(rig.m->s.count, 0);
  rig.in.outcome_evict = 1; /* by a prefetch, in way 0 */
  rig.in.outcome_at = 1;
  rig.in.outcome_wid = 7;
  step();
  rig.in.outcome_evict = 0;
  assert_int_equal(EVENTS(same), 1);
  assert_int_equal(settle(), -1);
  assert_int_equal(EVENTS(miss), 0);
  assert_int_equal(EVENTS(insert), 1);
  assert_int_equal(misses(4, 0x10, 1, false), 4);
  wreck();
}

/* A miss alone takes steps 0 to 3 and finds nothing. */
static void at_rest(void **state) {
  (void)state;
  start(machine());
  look();
  assert_int_equal(ccws_vta_tick(rig.m, &rig.in), 0);
  rig.in.outcome_take = rig.in.outcome_at = 1;
  look();
  assert_int_equal(ccws_vta_tick(rig.m, &rig.in), 0);
  rig.in.outcome_take = 0;
  unsigned cycles = 0;
  do {
    step();
    cycles++;
  } while (rig.m->s.step | rig.m->s.count);
  assert_int_equal(cycles, 4);
  wreck();
}

/* D-CCWS-1: with on_fill a miss is looked up when it is decided. The line that its fill evicts becomes a victim at the fill. */
static void on_fill(void **state) {
  (void)state;
  struct hd_config c = machine();
  c.l1d.allocate = HD_ON_FILL;
  start(c);
  rig.in.took_wid = 3;
  rig.in.took_line = 0x10;
  reported(1, 0x44, 0, false); /* a fill for a load of warp 3, while another request is in d */
  assert_int_equal(rig.m->s.count, 0);
  rig.in.took_wid = 5;
  rig.in.took_line = 0x30;
  miss(1, 0x44, 0, true); /* a fill for one of warp 5 drives it out */
  assert_int_equal(settle(), -1);
  assert_int_equal(EVENTS(miss), 0);
  assert_int_equal(EVENTS(insert), 1);
  rig.in.outcome_load = 1;
  rig.in.outcome_at = 0;
  rig.in.outcome_wid = 3;
  rig.in.outcome_line = 0x10;
  rig.in.outcome_past = 1; /* a load that bypasses has lost nothing */
  step();
  rig.in.outcome_past = 0;
  rig.in.outcome_merge = 1;
  step();
  rig.in.outcome_merge = 0;
  rig.in.outcome_hit = 1;
  step();
  rig.in.outcome_hit = 0;
  assert_int_equal(rig.m->s.count, 0);
  step();
  rig.in.outcome_load = 0;
  assert_int_equal(settle(), 3);
  assert_int_equal(EVENTS(hit), 1);
  wreck();
}

/* With 7 warps, rows 14 and 15 belong to no warp. A flipped bit asks for one of them. */
static void no_such_row(void **state) {
  (void)state;
  struct hd_config c = machine();
  c.sm.warps = c.sm.ctas = 7;
  start(c);
  struct ccws_vta_st *s = &rig.m->s;
  misses(3, 0x10, 0, false);
  misses(5, 0x30, 0, true); /* row 6 holds line 0x10 */
  for (unsigned when = 1; when <= 3; when++) {
    reported(3, 0x10, 1, false);
    while (s->step != when)
      step();
    if (when == 1)
      s->queue_q[0] |= 4ull << rig.c.d.LINE_W; /* now the miss is of warp 7 */
    else
      s->row |= 8;
    /* nothing of the row exists; in step 3 it was read before */
    assert_int_equal(settle(), when == 3 ? 3 : -1);
    assert_int_equal(s->row, 14);
  }
  assert_int_equal(EVENTS(hit), 1);
  evicts(1);
  reported(5, 0x32, 1, true); /* line 0x10 is lost again */
  while (s->step != 6)
    step();
  s->row |= 8;
  uint64_t known[14];
  memcpy(known, s->known, sizeof known);
  step();
  assert_int_equal(EVENTS(again), 1);
  assert_int_equal(s->vta_wr, -1); /* and is not written */
  assert_memory_equal(known, s->known, sizeof known);
  assert_int_equal(misses(3, 0x10, 0, false), 3);
  wreck();
}

/* As in test_model_ccws_score.c: while the module is alone it reports no hit, and its work may be made up for at once. */
static void alone(void **state) {
  (void)state;
  start(machine());
  struct ccws_vta *const slow = rig.m;
  struct ccws_vta *const quick = hd_model_new(rig.design, "ccws_vta", true, NULL);
  assert_non_null(quick);
  unsigned drawn = 3;
  struct alone a = {0};
  bool evicts = false;
  for (uint64_t cycle = 0; cycle < 60000; cycle++) {
    drawn = drawn * 1103515245 + 12345;
    const unsigned often = cycle / 4000 % 2 ? 3 : 12, what = drawn >> 12;
    rig.in.outcome_evict = rig.in.outcome_take = evicts;
    rig.in.outcome_at = 1u << (what & 1);
    rig.in.outcome_wid = what >> 1 & 1;
    rig.in.outcome_line = what >> 2 & 7;
    rig.in.late_evict = evicts = what >> 5 & 1 && (drawn >> 8 & 15) % often == 0;
    rig.in.late_row = what >> 6 & 1;
    rig.in.clear = what % 1000 == 0;
    const bool told = rig.in.outcome_take | rig.in.late_evict | rig.in.clear;
    ccws_vta_tick(slow, &rig.in);
    if (alone_passes(&a, told, cycle)) {
      assert_int_equal(slow->s.h_valid, 0);
      continue;
    }
    ccws_vta_alone(quick, &rig.in, alone_ends(&a, cycle));
    alone_begins(&a, cycle, ccws_vta_tick(quick, &rig.in));
    assert_int_equal(slow->s.step, quick->s.step);
    assert_int_equal(slow->s.count, quick->s.count);
    assert_int_equal(slow->s.h_valid, quick->s.h_valid);
    assert_int_equal(slow->s.row, quick->s.row);
    assert_memory_equal(slow->s.w, quick->s.w, 2 * sizeof *slow->s.w);
    assert_memory_equal(slow->s.vta, quick->s.vta, 8 * 2 * 2 * sizeof *slow->s.vta);
    assert_memory_equal(slow->base.ev, quick->base.ev, EV_ccws_vta_count_ * sizeof *slow->base.ev);
    assert_int_equal(slow->s.vta_n.writes, quick->s.vta_n.writes);
    assert_int_equal(slow->s.vta_n.reads, quick->s.vta_n.reads);
  }
  assert_true(a.longest > 7 && EVENTS(hit) > 100 && EVENTS(lost) > 100);
  hd_model_free(quick);
  wreck();
}

static void start_with_three(void) {
  struct hd_config c = machine();
  c.ccws.queue = 3;
  start(c);
}
static void load_misses(void) {
  misses(3, 0x10, 0, true);
}

static void places_that_are_not_there(void **state) {
  (void)state;
  place_moves_as_in_rtl("tail", 0, 3, start_with_three, load_misses);
  place_moves_as_in_rtl("head", 0, 3, start_with_three, load_misses);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(taken_in_no_way), cmocka_unit_test(lost_and_missed),
      cmocka_unit_test(two_tags),        cmocka_unit_test(queue_full),
      cmocka_unit_test(forgotten),       cmocka_unit_test(not_enabled),
      cmocka_unit_test(prefetches),      cmocka_unit_test(at_rest),
      cmocka_unit_test(on_fill),         cmocka_unit_test(no_such_row),
      cmocka_unit_test(alone),           cmocka_unit_test(places_that_are_not_there),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
