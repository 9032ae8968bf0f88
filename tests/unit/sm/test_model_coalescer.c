/* The coalescer: requests and their cycles, worked out by hand from docs/mechanisms/coalescer.md. */
#include "tests/unit/sm/coalescer_rig.h"

static void build_lanes(unsigned lanes) {
  struct hd_config c = defaults();
  c.sm.lanes = lanes;
  c.request_buffer.kind = HD_MRPB;
  c.request_buffer.signature = HD_SIG_BLOCK;
  build(c);
  rig.in.req_ready = 1;
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
  assert_int_equal(rig.m->s.p_valid, 0x1); /* 2 left place 1 as 3 entered place 0 */
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
  step(); /* the output is empty, so it is filled all the same */
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

/* Lanes 0 and 2 begin runs of the same line. While the request is sent, the next leader is still lane 2. The line of lane 3 is a
 * cycle late. */
static void a_line_that_comes_again_costs_a_cycle(void **state) {
  (void)state;
  build_lanes(4);
  offer(1, false, 0xd, (uint64_t[]){7, 0, 7, 9});
  step();
  assert_int_equal(rig.m->s.p_head[0], 0xd);
  assert_int_equal(rig.m->s.lead, 0x1);
  rig.in.issue_valid = 0;
  step();
  assert_int_equal(EVENTS(again), 1);
  assert_int_equal(rig.m->s.lead_valid, 0);
  expect(1, 0, 7, 0x5, false);
  edge();
  nothing();
  edge();
  expect(1, 1, 9, 0x8, true);
  wreck();
}

/* As above, but all requests are sent: only the next instruction waits. */
static void again_at_the_end(void **state) {
  (void)state;
  build_lanes(4);
  offer(1, false, 0x5, (uint64_t[]){7, 0, 7, 0});
  step();
  offer(2, false, 0xf, (uint64_t[]){7, 7, 7, 7});
  step();
  rig.in.issue_valid = 0;
  expect(1, 0, 7, 0x5, true);
  edge();
  nothing();
  edge();
  expect(2, 0, 7, 0xf, true);
  assert_int_equal(EVENTS(again), 0);
  wreck();
}

/* Lines that ascend and lines that do not, in few runs and in many. */
static void runs_begin_at_their_heads(void **state) {
  (void)state;
  static const struct {
    uint64_t mask, line[8], head;
  } cases[] = {
      {0xff, {5, 5, 5, 5, 5, 5, 5, 5}, 0x01}, {0xff, {5, 5, 5, 6, 6, 6, 8, 8}, 0x49},
      {0xff, {5, 5, 6, 7, 8, 9, 9, 9}, 0x3d}, {0xff, {5, 5, 4, 4, 5, 9, 9, 9}, 0x35},
      {0xb6, {5, 5, 5, 5, 5, 6, 6, 6}, 0xb2}, {0xfe, {0, 5, 5, 5, 5, 5, 5, 5}, 0x02},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    build_lanes(8);
    offer(1, false, cases[i].mask, cases[i].line);
    memcpy(rig.in.issue_line, cases[i].line, sizeof cases[i].line);
    step();
    assert_int_equal(rig.m->s.p_head[0], cases[i].head);
    wreck();
  }
}

/* For all lines: each lane is served once, by a request to its line, in the order of the lowest lanes. */
static void every_lane_is_served(void **state) {
  (void)state;
  uint64_t seed = 1;
  build_lanes(8);
  for (unsigned n = 0; n < 2000; n++) {
    uint64_t line[8], left, num = 0;
    for (unsigned l = 0; l < 8; l++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      line[l] = seed >> 60 & (n % 2 ? 3 : 15);
    }
    left = (seed >> 40 & 0xff) | 1u << n % 8;
    offer(n % 16, false, left, line);
    memcpy(rig.in.issue_line, line, sizeof line);
    step();
    rig.in.issue_valid = 0;
    for (unsigned wait = 0; left; edge(), wait++) {
      assert_true(wait < 20);
      look();
      if (!rig.out.req_valid)
        continue;
      uint64_t lanes = 0;
      for (unsigned l = 0; l < 8; l++)
        lanes |= (left >> l & 1 && line[l] == line[__builtin_ctzll(left)]) << l;
      left &= ~lanes;
      expect(n % 16, (unsigned)num++, line[__builtin_ctzll(lanes)], lanes, !left);
    }
  }
  wreck();
}

/* Each request of a load carries the load's group, program counter and byte offset. */
static void what_a_load_brings_goes_along(void **state) {
  (void)state;
  struct hd_config c = defaults();
  c.sm.lanes = 4;
  c.scheduler.policy = HD_LAWS;
  c.prefetch.kind = HD_PF_SAP;
  build(c);
  rig.in.req_ready = 1;
  for (unsigned n = 0; n < 2; n++) {
    offer(6, false, 0xf, (uint64_t[]){7, 8, 8, 8});
    rig.in.issue_gid = n + 1;
    rig.in.issue_pc = 0x12345678 + n;
    rig.in.issue_low = 100 + n;
    step();
  }
  rig.in.issue_valid = 0;
  for (unsigned n = 0; n < 4; n++) {
    look();
    assert_int_equal(rig.out.req_valid, 1);
    assert_int_equal(rig.out.req.line, n % 2 ? 8 : 7);
    assert_int_equal(rig.out.req.gid, n / 2 + 1);
    assert_int_equal(rig.out.req.pc, 0x12345678 + n / 2);
    assert_int_equal(rig.out.req.low, 100 + n / 2);
    edge();
  }
  wreck();
}

/* CASC: more runs than ways, for any number of requests. All requests of an instruction carry the flag. */
static void many_runs(void **state) {
  (void)state;
  static const struct {
    uint64_t mask, line[8];
    unsigned requests;
    bool many;
  } cases[] = {
      {0xff, {5, 5, 5, 5, 6, 6, 6, 6}, 2, false}, {0xff, {5, 5, 5, 6, 6, 7, 7, 7}, 3, true},
      {0xff, {5, 6, 5, 6, 5, 6, 5, 6}, 2, true},  {0xf7, {5, 5, 5, 5, 5, 5, 5, 5}, 1, false},
      {0xd5, {5, 5, 5, 5, 5, 5, 5, 5}, 1, true},  {0xff, {1, 2, 3, 4, 5, 6, 7, 8}, 8, true},
      {0x81, {1, 2, 3, 4, 5, 6, 7, 8}, 2, false}, {0x83, {1, 2, 3, 4, 5, 6, 7, 8}, 3, true},
  };
  struct hd_config c = defaults();
  c.sm.lanes = 8;
  c.l1d.ways = 2;
  c.casc.scheme = HD_CASC_PER_SET;
  build(c);
  rig.in.req_ready = 1;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    offer(1, i % 2, cases[i].mask, cases[i].line);
    memcpy(rig.in.issue_line, cases[i].line, sizeof cases[i].line);
    step();
    rig.in.issue_valid = 0;
    unsigned requests = 0;
    do {
      step();
      requests += rig.out.req_valid;
      if (rig.out.req_valid)
        assert_int_equal(rig.out.req_many, cases[i].many);
    } while (!rig.out.req_valid || !rig.out.req.last);
    assert_int_equal(requests, cases[i].requests);
  }
  wreck();
}

/* Hashes a program counter without its two low bits, which are 0, to as many bits as the L1D's lines keep. */
static void hash_is(struct hd_config c, uint64_t pc, uint64_t hash) {
  c.sm.lanes = 8;
  build(c);
  rig.in.req_ready = 1;
  rig.in.issue_pc = pc;
  offer(1, false, 0x3, (uint64_t[]){7, 8, 0, 0});
  step();
  rig.in.issue_valid = 0;
  rig.in.issue_pc = 0; /* hashed when taken */
  step();
  for (unsigned n = 0; n < 2; n++) {
    look();
    assert_int_equal(rig.out.req_valid, 1);
    assert_int_equal(rig.out.req.hpc, hash);
    edge();
  }
  wreck();
}

static void program_counters_are_hashed(void **state) {
  (void)state;
  struct hd_config c = defaults();
  c.rft.form = HD_RFT_BIT; /* 64 entries: 6 bits */
  hash_is(c, 0, 0);
  hash_is(c, 0x3, 0);
  hash_is(c, 0xfc, 0x3f);
  hash_is(c, 0x12345678, 0x1e ^ 0x16 ^ 0x11 ^ 0x23 ^ 0x04); /* pieces from bits 2, 8, 14, 20, 26 */
  hash_is(c, 0xfc000000, 0x3f);
  c.rft.entries = 16;
  hash_is(c, 0x80000000, 0x2); /* bit 31 is bit 1 of a piece of two bits */
  c.rft.form = HD_RFT_OFF;
  c = defaults();
  c.casc.scheme = HD_CASC_LOCALITY; /* 7 bits */
  hash_is(c, 0x1fc, 0x7f);
  hash_is(c, 0x804, 0x05);
  c.sm.pc_bits = 8; /* fewer bits than that */
  hash_is(c, 0xfc, 0x3f);
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
      cmocka_unit_test(a_line_that_comes_again_costs_a_cycle),
      cmocka_unit_test(again_at_the_end),
      cmocka_unit_test(runs_begin_at_their_heads),
      cmocka_unit_test(every_lane_is_served),
      cmocka_unit_test(what_a_load_brings_goes_along),
      cmocka_unit_test(many_runs),
      cmocka_unit_test(program_counters_are_hashed),
      cmocka_unit_test(full_width),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
