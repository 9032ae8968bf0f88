/* The data that lines keep about their loads: counters and hashes. By hand from docs/mechanisms/line_uses.md. Two sets of three
 * ways, counters of two bits. */
#define RIG line_uses
#include "tests/unit/rig.h"

enum { SET = 1, WAYS = 3 };

static struct hd_config machine(void) {
  struct hd_config c = defaults();
  c.l1d.sets = 2;
  c.l1d.ways = WAYS;
  c.l1d.count_bits = 2;
  c.casc.scheme = HD_CASC_LOCALITY;
  c.apcm.manage = HD_APCM_BYPASS;
  c.apcm.threshold = 2;
  return c;
}

/* OUTCOME of one cycle. No outcome follows it. */
static struct line_uses_in nothing(unsigned way) {
  return (struct line_uses_in){.outcome_set = SET, .outcome_at = 1u << way, .decide_set = SET};
}
static void hears(struct line_uses_in reported) {
  rig.in = reported;
  step();
  rig.in = nothing(0);
  look();
}
static void takes(unsigned way, unsigned hpc) {
  struct line_uses_in reported = nothing(way);
  reported.outcome_load = reported.outcome_take = 1;
  reported.took_hpc = hpc;
  hears(reported);
}
static void uses(unsigned way, bool hit) {
  struct line_uses_in reported = nothing(way);
  reported.outcome_load = 1;
  reported.outcome_hit = hit;
  reported.outcome_merge = !hit;
  hears(reported);
}
/* Checks the counters: each is one less than the accesses. For the way that is reported, `uses` is the number of earlier accesses. */
static void counters(unsigned a, unsigned b, unsigned c) {
  look();
  assert_int_equal(rig.out.decide_counters[0], a);
  assert_int_equal(rig.out.decide_counters[1], b);
  assert_int_equal(rig.out.decide_counters[2], c);
}

static void takes_and_uses(void **state) {
  (void)state;
  build(machine());
  takes(0, 5);
  takes(1, 6);
  takes(2, 7);
  counters(0, 0, 0);
  uses(1, true);
  uses(1, false);
  uses(2, false);
  counters(0, 2, 1);
  for (unsigned i = 0; i < 3; i++)
    uses(1, true);
  counters(0, 3, 1); /* saturated */
  takes(1, 9);
  counters(0, 0, 1);
  assert_int_equal(rig.m->s.line_hpc[SET * WAYS + 0], 5);
  assert_int_equal(rig.m->s.line_hpc[SET * WAYS + 1], 9);
  struct line_uses_in bypass = nothing(0);
  bypass.outcome_load = 1;
  bypass.outcome_at = 0;
  hears(bypass);
  counters(0, 0, 1);
  wreck();
}

/* The number of accesses to the line before and including this one. */
static void what_learns_hears(void **state) {
  (void)state;
  static const unsigned said[] = {1, 2, 3, 3};
  build(machine());
  takes(0, 5);
  for (unsigned i = 0; i < 4; i++) {
    struct line_uses_in reported = nothing(0);
    reported.outcome_load = reported.outcome_hit = 1;
    rig.in = reported;
    look();
    assert_int_equal(rig.out.uses, said[i]);
    edge();
  }
  struct line_uses_in reported = nothing(0);
  reported.outcome_load = reported.outcome_take = 1; /* its own miss: the line was not there */
  rig.in = reported;
  look();
  assert_int_equal(rig.out.uses, 0);
  reported.outcome_hit = 1; /* the load adopts: earlier uses do not count */
  rig.in = reported;
  look();
  assert_int_equal(rig.out.uses, 0);
  wreck();
}

/* The row is read at the edge of the decision. The cycle after reports it as it was before. */
static void evictions(void **state) {
  (void)state;
  build(machine());
  takes(0, 5);
  uses(0, true);
  uses(0, true);
  rig.in = nothing(0);
  rig.in.late_evict = 1;
  rig.in.late_row = SET * WAYS + 0;
  step();
  rig.in = nothing(0);
  rig.in.outcome_load = rig.in.outcome_take = rig.in.outcome_evict = 1;
  rig.in.took_hpc = 6;
  look();
  assert_int_equal(rig.out.evict_valid, 1);
  assert_int_equal(rig.out.evict_hpc, 5);
  assert_int_equal(rig.out.evict_count, 2);
  rig.in.late_evict = 1; /* the set's next eviction follows at once */
  rig.in.late_row = SET * WAYS + 1;
  edge();
  assert_int_equal(EVENTS(evict_used), 1);
  assert_int_equal(EVENTS(evict_unused), 0);
  rig.in = nothing(1);
  rig.in.outcome_load = rig.in.outcome_take = rig.in.outcome_evict = 1;
  step();
  assert_int_equal(EVENTS(evict_unused), 1);
  rig.in = nothing(0);
  look();
  assert_int_equal(rig.out.evict_valid, 0);
  counters(0, 0, 0);
  wreck();
}

/* Without a report outcome_at may have any value. */
static void several_ways(void **state) {
  (void)state;
  build(machine());
  uses(0, true);
  uses(1, true);
  uses(1, true);
  rig.in = nothing(0);
  rig.in.outcome_at = 3; /* 1 or 2 */
  look();
  assert_int_equal(rig.out.evict_count, 3);
  rig.in.outcome_at = 0;
  look();
  assert_int_equal(rig.out.evict_count, 0);
  wreck();
}

/* on_fill: a load that merges has no way yet. It is the nth of its line, up to all ones. The load that took a line is also its nth. */
static void on_fill(void **state) {
  (void)state;
  struct hd_config c = machine();
  c.l1d.allocate = HD_ON_FILL;
  build(c);
  static const unsigned nth[] = {1, 2, 3, 4, 7}, said[] = {1, 2, 3, 3, 3};
  for (unsigned i = 0; i < 5; i++) {
    rig.in = nothing(0);
    rig.in.outcome_load = rig.in.outcome_merge = 1;
    rig.in.outcome_at = 0;
    rig.in.outcome_nth = nth[i];
    look();
    assert_int_equal(rig.out.uses, said[i]);
    edge();
    rig.in = nothing(1);
    rig.in.outcome_take = 1;
    rig.in.outcome_nth = nth[i];
    step();
    counters(0, said[i], 0);
  }
  wreck();
}

/* A prefetch takes a line that the next cycle reports as a load's. Its hash is the one written, and this is an event. */
static void reported_as_written(void **state) {
  (void)state;
  struct hd_config c = machine();
  c.prefetch.kind = HD_PF_STR;
  build(c);
  takes(0, 5);
  takes(1, 6);
  step();
  rig.in = nothing(1);
  rig.in.outcome_load = rig.in.outcome_take = rig.in.outcome_evict = 1;
  rig.in.took_hpc = 7;
  step(); /* no line was taken in the cycle before */
  assert_int_equal(EVENTS(same), 0);
  look();
  assert_int_equal(rig.out.evict_hpc, 7);
  step();
  assert_int_equal(EVENTS(same), 1);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(takes_and_uses), cmocka_unit_test(what_learns_hears),
      cmocka_unit_test(evictions),      cmocka_unit_test(several_ways),
      cmocka_unit_test(on_fill),        cmocka_unit_test(reported_as_written),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
