/* The coalescer: which requests in which cycle, worked out by hand from docs/mechanisms/coalescer.md. */
#define RIG coalescer
#include "rig.h"

static void build_lanes(unsigned lanes) {
  struct hd_config c = defaults();
  c.sm.lanes = lanes;
  c.request_buffer.kind = HD_MRPB;
  c.request_buffer.signature = HD_SIG_BLOCK;
  build(c);
  rig.in.req_ready = 1;
}

static void offer(unsigned wid, bool write, uint64_t mask, const uint64_t line[4]) {
  rig.in.issue_valid = 1;
  rig.in.issue_wid = wid;
  rig.in.issue_slot = 3;
  rig.in.issue_sig = 5;
  rig.in.issue_write = write;
  rig.in.issue_mask = mask;
  memcpy(rig.in.issue_line, line, 4 * sizeof *line);
}

static void expect(unsigned wid, unsigned num, uint64_t line, uint64_t lanes, bool last) {
  look();
  assert_int_equal(rig.out.req_valid, 1);
  assert_int_equal(rig.out.req.wid, wid);
  assert_int_equal(rig.out.req.slot, 3);
  assert_int_equal(rig.out.req_sig, 5);
  assert_int_equal(rig.out.req.num, num);
  assert_int_equal(rig.out.req.line, line);
  assert_int_equal(rig.out.req_lanes, lanes);
  assert_int_equal(rig.out.req.last, last);
}

static void nothing(void) {
  look();
  assert_int_equal(rig.out.req_valid, 0);
}

static void distinct_lines_in_lane_order(void **state) {
  (void)state;
  build_lanes(4);
  offer(6, false, 0xf, (uint64_t[]){7, 3, 7, 9});
  step();
  rig.in.issue_valid = 0;
  nothing(); /* cycle 1: its first request is being made */
  assert_int_equal(rig.out.busy, 1 << 6);
  edge();
  expect(6, 0, 7, 0x5, false);
  edge();
  expect(6, 1, 3, 0x2, false);
  edge();
  expect(6, 2, 9, 0x8, true);
  edge();
  nothing();
  assert_int_equal(rig.out.busy, 0);
  assert_int_equal(EVENTS(request), 3);
  assert_int_equal(EVENTS(coalesced) + EVENTS(diverged), 0);
  wreck();
}

static void inactive_lanes_ask_for_nothing(void **state) {
  (void)state;
  build_lanes(4);
  offer(1, true, 0xa, (uint64_t[]){8, 9, 8, 9});
  step();
  rig.in.issue_valid = 0;
  step();
  expect(1, 0, 9, 0xa, true);
  assert_int_equal(rig.out.req.write, 1);
  assert_int_equal(EVENTS(coalesced), 1);
  wreck();
}

static void instructions_follow_without_a_gap(void **state) {
  (void)state;
  build_lanes(4);
  offer(1, false, 0xf, (uint64_t[]){1, 2, 3, 4});
  step(); /* 0: to place 0 */
  offer(2, false, 0xf, (uint64_t[]){5, 5, 5, 5});
  step(); /* 1: to place 1; place 0 makes request 0 */
  offer(3, false, 0x1, (uint64_t[]){6, 0, 0, 0});
  for (unsigned k = 0; k < 3; k++) { /* 2..4 */
    expect(1, k, k + 1, 1u << k, false);
    assert_int_equal(rig.out.issue_ready, 0);
    edge();
  }
  expect(1, 3, 4, 0x8, true); /* 5: place 0 is done, so there is room */
  assert_int_equal(rig.out.issue_ready, 1);
  assert_int_equal(rig.out.busy, 1 << 1 | 1 << 2);
  assert_int_equal(rig.m->s.turn, 1);
  assert_int_equal(rig.m->s.p_valid, 0x2);
  edge();
  rig.in.issue_valid = 0;
  assert_int_equal(rig.m->s.p_valid, 0x1); /* 2 has left place 1 as 3 came to place 0 */
  expect(2, 0, 5, 0xf, true);
  edge();
  expect(3, 0, 6, 0x1, true);
  assert_int_equal(EVENTS(diverged), 1);
  assert_int_equal(EVENTS(coalesced), 2);
  assert_int_equal(EVENTS(wait), 1);
  wreck();
}

static void a_request_not_taken_stays(void **state) {
  (void)state;
  build_lanes(4);
  offer(1, false, 0x3, (uint64_t[]){1, 2, 0, 0});
  step();
  rig.in.issue_valid = 0;
  rig.in.req_ready = 0;
  step(); /* the output is empty: it fills all the same */
  for (unsigned i = 0; i < 3; i++) {
    expect(1, 0, 1, 0x1, false);
    edge();
  }
  rig.in.req_ready = 1;
  step();
  expect(1, 1, 2, 0x2, true);
  assert_int_equal(EVENTS(stall), 3);
  wreck();
}

static void full_width(void **state) {
  (void)state;
  build_lanes(32);
  rig.in.issue_valid = 1;
  rig.in.issue_mask = 0xffffffff;
  for (unsigned l = 0; l < 32; l++)
    rig.in.issue_line[l] = 1000 - l;
  step();
  rig.in.issue_valid = 0;
  step();
  for (unsigned l = 0; l < 32; l++) {
    look();
    assert_int_equal(rig.out.req.line, 1000 - l);
    assert_int_equal(rig.out.req.num, l);
    assert_int_equal(rig.out.req.last, l == 31);
    edge();
  }
  nothing();
  assert_int_equal(EVENTS(diverged), 1);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(distinct_lines_in_lane_order),
      cmocka_unit_test(inactive_lanes_ask_for_nothing),
      cmocka_unit_test(instructions_follow_without_a_gap),
      cmocka_unit_test(a_request_not_taken_stays),
      cmocka_unit_test(full_width),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
