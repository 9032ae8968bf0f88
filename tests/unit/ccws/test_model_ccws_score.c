/* CCWS's scores, by hand from docs/mechanisms/ccws.md: 8 warps, base 100, K_THROTTLE 8. A pass takes PASS = 11 cycles, a
 * quotient 2 * 13 + 1. */
#define RIG ccws_score
#include "tests/unit/rig.h"

#include "tests/unit/ccws/alone_rig.h"

#include "cmodel/ccws/lazy.h"

enum { PASS = 11 };

static struct hd_config machine(void) {
  struct hd_config c = defaults();
  c.sm.warps = 8;
  c.ccws.throttle = HD_CCWS_ON;
  return c;
}
/* Starts with four warps: the cutoff is 400, and K_THROTTLE * 400 = 3200. */
static void start(struct hd_config c) {
  build(c);
  rig.in.ccws_en = 1;
  rig.in.next_load = 0xff;
  rig.in.launch_valid = 1;
  rig.in.launch_warps = 0x0f;
  step();
  rig.in.launch_valid = 0;
  step();
  assert_int_equal(rig.m->s.there_low, 4);
  assert_int_equal(rig.m->s.there_high, 0);
}

static uint64_t withheld(void) {
  look();
  return rig.out.withhold & 0x0f;
}
static void issue(unsigned instructions) {
  for (unsigned left = instructions; left; left -= 2) {
    rig.in.pick_valid[0] = rig.in.pick_valid[1] = 1;
    step();
  }
  rig.in.pick_valid[0] = rig.in.pick_valid[1] = 0;
  step();
}
static void loses(unsigned wid) {
  rig.in.hit_valid = 1;
  rig.in.hit_wid = wid;
  step();
  rig.in.hit_valid = 0;
}
static void scored(unsigned times) {
  while (EVENTS(score) < times)
    step();
}
/* Returns the number of cycles until the module rests. */
static unsigned rest(void) {
  const struct ccws_score_st *const s = &rig.m->s;
  unsigned cycles = 0;
  do {
    look();
    cycles++;
    edge();
  } while (s->waits | s->phase | s->row | s->again | s->picked ||
           s->there_low + s->there_high != (unsigned)__builtin_popcountll(s->present));
  return cycles;
}
static uint64_t score_at(unsigned rank) {
  return rig.m->s.list[rank] & 0x1fff;
}
static uint64_t warp_at(unsigned rank) {
  return rig.m->s.list[rank] >> 13;
}

/* One hit in 64 instructions gives a score of 50, raised to 100. 4 hits give 4 * 3200 / 64 = 200. Warp 2 is then first, and 200 +
 * 100 + 100 = 400 leaves nothing for warp 3. The score falls by 11 a pass: 200, 189, ..., 101, 100. In the eleventh pass it is 100
 * and all warps are allowed. */
static void a_score(void **state) {
  (void)state;
  start(machine());
  assert_int_equal(withheld(), 0);
  issue(64);
  loses(2);
  scored(1);
  assert_int_equal(rig.m->s.hold_score, 100);
  assert_int_equal(rest(), PASS - 1);
  assert_int_equal(withheld(), 0);
  for (unsigned i = 0; i < 3; i++) /* before the pass comes to warp 2 again */
    loses(2);
  assert_int_equal(rig.m->s.hits, 4);
  assert_int_equal(rig.m->s.served, 5);
  scored(2);
  assert_int_equal(rig.m->s.hold_score, 200);
  assert_int_equal(rig.m->s.hold_wid, 2);
  for (unsigned i = 1; i < PASS; i++)
    step();
  assert_int_equal(rig.m->s.row, 0);
  assert_int_equal(withheld(), 1 << 3);
  assert_int_equal(EVENTS(deny), 1);
  assert_int_equal(warp_at(0), 2);
  assert_int_equal(score_at(0), 189);
  for (unsigned rank = 1; rank < 8; rank++)
    assert_int_equal(score_at(rank), 100);
  assert_int_equal(rest(), 10 * PASS);
  assert_int_equal(withheld(), 0);
  assert_int_equal(EVENTS(allow), 1);
  assert_int_equal(score_at(0), 100);
  wreck();
}

/* One hit in 2 instructions gives a score of 1600. The third of 3 hits counts as the second: 3200. Both scores are beyond the
 * cutoff, so only the first warp may load. A warp whose next instruction is no load is not withheld. */
static void beyond_the_cutoff(void **state) {
  (void)state;
  start(machine());
  issue(2);
  loses(1);
  scored(1);
  assert_int_equal(rig.m->s.hold_score, 1600);
  loses(3);
  loses(3);
  scored(2);
  assert_int_equal(rig.m->s.hold_score, 3200);
  for (unsigned i = 1; i < PASS; i++)
    step();
  assert_int_equal(withheld(), 0x7);
  assert_int_equal(warp_at(0), 3);
  assert_int_equal(warp_at(1), 1);
  rig.in.next_load = 0x2;
  assert_int_equal(withheld(), 0x2);
  rig.in.ccws_en = 0; /* takes effect in the next cycle and lasts until a pass comes to the warp again */
  assert_int_equal(withheld(), 0x2);
  step();
  assert_int_equal(withheld(), 0);
  rig.in.ccws_en = 1;
  for (unsigned i = 0; i < PASS; i++)
    step();
  assert_int_equal(withheld(), 0x2);
  /* The first warp ends. Its score counts no more, its slot stays open, and the next warp in order may load. A warp that starts may
   * load at once. */
  rig.in.next_load = 0xff;
  rig.in.exit = 1 << 3;
  step();
  rig.in.exit = 0;
  for (unsigned i = 0; i < 2 * PASS; i++)
    step();
  assert_int_equal(withheld(), 0x5);
  rig.in.launch_valid = 1;
  rig.in.launch_warps = 1 << 5;
  step();
  rig.in.launch_valid = 0;
  look();
  assert_int_equal(rig.out.withhold & 0x20, 0);
  for (unsigned i = 0; i < 2 * PASS; i++)
    step();
  look();
  assert_int_equal(rig.out.withhold & 0x20, 0x20); /* a pass has come to it */
  rest();
  look();
  assert_int_equal(rig.out.withhold & 0x27, 0);
  wreck();
}

/* Three warps with the same score. The warp that got its score last goes first. Warps that wait for a score get it in turn. */
static void in_order(void **state) {
  (void)state;
  start(machine());
  issue(2);
  rig.m->s.hits = 1; /* so that every further hit counts as the second */
  rig.in.hit_valid = 1;
  for (unsigned wid = 0; wid < 3; wid++) {
    rig.in.hit_wid = wid;
    step();
  }
  rig.in.hit_valid = 0;
  assert_int_equal(rig.m->s.served, 0); /* it was the first to be looked at, and had to wait */
  assert_int_equal(rig.m->s.waits, 6);
  scored(3);
  for (unsigned i = 1; i < PASS; i++)
    step();
  assert_int_equal(warp_at(0), 2);
  assert_int_equal(warp_at(1), 1);
  assert_int_equal(warp_at(2), 0);
  assert_true(score_at(0) > score_at(1) && score_at(1) > score_at(2));
  uint64_t all = 0;
  for (unsigned rank = 0; rank < 8; rank++)
    all |= 1u << warp_at(rank);
  assert_int_equal(all, 0xff);
  wreck();
}

/* Counts of 12 bits. Both counts are halved when one of them reaches 2048. */
static void halved(void **state) {
  (void)state;
  struct hd_config c = machine();
  c.ccws.count_bits = 12;
  start(c);
  for (unsigned i = 0; i < 5; i++)
    loses(0);
  rest();
  issue(2048);
  assert_int_equal(rig.m->s.issued, 2048);
  assert_int_equal(rig.m->s.hits, 5);
  rig.in.hit_valid = 1;
  step();
  rig.in.hit_valid = 0;
  assert_int_equal(rig.m->s.issued, 1024);
  assert_int_equal(rig.m->s.hits, 3); /* 5 and the new one */
  assert_int_equal(EVENTS(halve), 1);
  wreck();
}

/* At rest only the counts of instructions change, for every set of ready warps. */
static void at_rest(void **state) {
  (void)state;
  start(machine());
  assert_int_equal(rest(), 1);
  rig.in.next_load = 0x55;
  assert_int_equal(rest(), 1);
  rig.in.exit = 1;
  assert_int_equal(rest(), 2); /* present, there */
  wreck();
}

static unsigned drawn;
static unsigned draw(unsigned n) { /* 0..n-1, the same in every run */
  drawn = drawn * 1103515245 + 12345;
  return (drawn >> 16) % n;
}

/* Warps lose locality, start and end at random. A present warp may load at the latest a pass or two after the last allowed warp has
 * ended. All warps may load once no warp has lost locality for the highest score (6400) in cycles and a few passes. */
static void progress(void **state) {
  (void)state;
  start(machine());
  drawn = 1;
  for (unsigned round = 0, denied = 0; round < 40; round++) {
    const unsigned often = 1u << draw(8);
    for (unsigned cycle = 0, alone = 0; cycle < 2000; cycle++) {
      const unsigned absent = 0xff & ~(unsigned)rig.m->s.present, one = 1u << draw(8);
      rig.in.pick_valid[0] = draw(2);
      rig.in.hit_valid = draw(often) == 0;
      rig.in.hit_wid = draw(8);
      rig.in.launch_valid = draw(50) == 0 && absent & one;
      rig.in.launch_warps = absent & one;
      rig.in.exit = draw(100) == 0 ? one & ~absent : 0;
      look();
      const uint64_t may = rig.m->s.present & ~rig.out.withhold;
      denied += (rig.m->s.present & rig.out.withhold) != 0;
      alone = may || !rig.m->s.present || rig.in.exit ? 0 : alone + 1;
      assert_true(alone <= 2 * PASS);
      edge();
    }
    rig.in.pick_valid[0] = rig.in.hit_valid = rig.in.launch_valid = rig.in.exit = 0;
    assert_true(rest() < 8 * (27 + 8 + 2 * PASS) + 6400 + 3 * PASS);
    look();
    assert_int_equal(rig.m->s.present & rig.out.withhold, 0);
    assert_true(round < 10 || denied > 0);
  }
  wreck();
}

/* Returns true if both are at the same step of the same pass. */
static bool same_pass(const struct ccws_score_st *a, const struct ccws_score_st *b) {
  return a->x_wid == b->x_wid && a->x_score == b->x_score && a->hold_valid == b->hold_valid &&
         a->hold_wid == b->hold_wid && a->hold_score == b->hold_score && a->y_valid == b->y_valid &&
         a->y_wid == b->y_wid && a->y_score == b->y_score && a->at == b->at && a->left == b->left &&
         a->first == b->first && a->beyond == b->beyond && a->again == b->again && a->made == b->made &&
         *a->list_q == *b->list_q && a->list_n.reads == b->list_n.reads &&
         a->list_n.writes == b->list_n.writes;
}

/* Cycles in which the module says that it is alone may be made up for at once. The state is then equal to that of a second model
 * that runs cycle by cycle, and `allowed` stays the same in these cycles. `wrong`: now and then the search for a waiting warp is set
 * to a warp that does not exist, in both models. */
static void passes_as_if_run(unsigned warps, bool wrong) {
  struct hd_config c = machine();
  c.sm.warps = c.sm.ctas = warps;
  build(c);
  rig.in.ccws_en = 1;
  unsigned wrongs = 0;
  struct ccws_score *const slow = hd_model_new(rig.design, "ccws_score", true, NULL);
  struct ccws_score *const quick = hd_model_new(rig.design, "ccws_score", true, NULL);
  assert_true(slow && quick);
  drawn = 7;
  struct alone a = {0};
  for (uint64_t cycle = 0; cycle < 60000; cycle++) {
    const unsigned often = cycle / 4000 % 2 ? 6 : 300, one = 1u << draw(warps);
    rig.in.pick_valid[0] = draw(often) == 0;
    rig.in.hit_valid = draw(often) == 0;
    rig.in.hit_wid = draw(warps);
    rig.in.launch_valid = draw(often) == 0 && !(slow->s.present & one);
    rig.in.launch_warps = rig.in.launch_valid ? one : 0;
    rig.in.exit = draw(2 * often) == 0 ? one & slow->s.present : 0;
    const bool told = rig.in.pick_valid[0] | rig.in.hit_valid | rig.in.launch_valid | (rig.in.exit != 0);
    const uint64_t allowed = slow->s.allowed;
    ccws_score_tick(slow, &rig.in);
    if (alone_passes(&a, told, cycle)) {
      assert_int_equal(slow->s.allowed, allowed);
      continue;
    }
    ccws_score_alone(quick, &rig.in, alone_ends(&a, cycle));
    alone_begins(&a, cycle, ccws_score_tick(quick, &rig.in));
    assert_int_equal(slow->s.allowed, quick->s.allowed);
    assert_int_equal(slow->s.issued, quick->s.issued);
    assert_int_equal(slow->s.hits, quick->s.hits);
    assert_int_equal(slow->s.waits, quick->s.waits);
    assert_int_equal(slow->s.phase, quick->s.phase);
    assert_int_equal(slow->s.served, quick->s.served);
    assert_int_equal(slow->s.row, quick->s.row);
    assert_int_equal(slow->s.low, quick->s.low);
    assert_true(same_pass(&slow->s, &quick->s));
    assert_memory_equal(slow->s.list, quick->s.list, warps * sizeof *slow->s.list);
    assert_memory_equal(slow->base.ev, quick->base.ev, EV_ccws_score_count_ * sizeof *slow->base.ev);
    if (wrong && !slow->s.phase && slow->s.waits && draw(2)) {
      slow->s.served = quick->s.served = warps;
      wrongs++;
    }
  }
  assert_true(a.longest > 20 && (wrongs > 100) == wrong);
  hd_model_free(slow);
  hd_model_free(quick);
  wreck();
}

static void alone(void **state) {
  (void)state;
  passes_as_if_run(8, false);
}

/* With 5 warps `served` can hold 5 to 7, which are no warps. The model steps through them, as the hardware does. */
static void alone_with_a_wrong_bit(void **state) {
  (void)state;
  passes_as_if_run(5, true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_score),  cmocka_unit_test(beyond_the_cutoff),
      cmocka_unit_test(in_order), cmocka_unit_test(progress),
      cmocka_unit_test(halved),   cmocka_unit_test(at_rest),
      cmocka_unit_test(alone),    cmocka_unit_test(alone_with_a_wrong_bit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
