/* The L1 data cache: answers of the memory in consecutive cycles, and hits between them. */
#include "tests/unit/l1d/l1d_rig.h"

enum { BYPASSED = 12, STREAM = 8 };

static struct hd_config all_bypass(void) {
  struct hd_config c = small(2);
  c.l1d.loads = HD_LOADS_BYPASSED;
  c.l1d.bypass_slots = BYPASSED;
  return c;
}

/* Sends loads of `n` lines that bypass, numbered from 0. */
static void go_uncached(unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    load(100 + i, i);
    memory_gets(HD_BYPASSED, 100 + i, i);
  }
}

/* Puts the memory's answer to the load of that number, or to a store, at the port. */
static void at_port(unsigned kind, unsigned num) {
  rig.in.mrsp_valid = 1;
  rig.in.mrsp = (struct mrsp){.kind = kind, .wid = WID, .slot = SLOT, .num = num, .last = num & 1};
  for (unsigned i = 0; i < 4; i++)
    rig.in.mrsp_data[i] = 1000 * (100 + num) + i;
}

/* One answer per cycle passes. It reaches the SM one cycle after it was taken. */
static void answers_flow_one_a_cycle(void **state) {
  (void)state;
  build(all_bypass());
  go_uncached(STREAM);
  rig.in.resp_ready = 1;
  for (unsigned cycle = 0; cycle <= STREAM; cycle++) {
    at_port(HD_BYPASSED, cycle);
    rig.in.mrsp_valid = cycle < STREAM;
    look();
    assert_int_equal(rig.out.mrsp_ready, 1);
    assert_int_equal(rig.out.resp_valid, cycle > 0);
    if (cycle) {
      assert_int_equal(rig.out.resp.num, cycle - 1);
      assert_int_equal(rig.out.resp.write, 0);
      assert_int_equal(rig.out.resp_data[3], 1000 * (100 + cycle - 1) + 3);
    }
    edge();
  }
  assert_int_equal(rig.m->s.byp_count, 0);
  assert_int_equal(EVENTS(respond), STREAM);
  wreck();
}

/* While the SM takes no answer, the L1D takes two and no third. Then they leave in order, each with its line. */
static void two_wait(void **state) {
  (void)state;
  build(all_bypass());
  go_uncached(3);
  for (unsigned cycle = 0; cycle < 6; cycle++) {
    at_port(HD_BYPASSED, cycle < 2 ? cycle : 2);
    look();
    assert_int_equal(rig.out.mrsp_ready, cycle < 2);
    assert_int_equal(rig.out.resp_valid, cycle > 0);
    assert_int_equal(rig.out.resp.num, 0);
    edge();
  }
  assert_int_equal(EVENTS(behind), 1);
  assert_int_equal(rig.m->s.byp_count, 3); /* a slot is free once the SM has the answer */
  sm_gets(false, 0, 100);
  assert_int_equal(rig.m->s.byp_count, 2);
  rig.in.mrsp_valid = 0;
  sm_gets(false, 1, 101);
  memory_answers(HD_BYPASSED, 0, 2, 102);
  sm_gets(false, 2, 102);
  assert_int_equal(rig.m->s.byp_count, 0);
  wreck();
}

static struct hd_config some_bypass(void) {
  struct hd_config c = small(2);
  c.casc.scheme = HD_CASC_PER_SET;
  c.l1d.bypass_slots = BYPASSED;
  return c;
}

/* If answers and hits come in every cycle, they alternate (D-L1-8). */
static void hits_between_answers(void **state) {
  (void)state;
  build(some_bypass());
  brings(4);
  for (unsigned i = 0; i < STREAM; i++) {
    load_to_bypass(100 + i, i);
    memory_gets(HD_BYPASSED, 100 + i, i);
  }
  rig.in.resp_ready = 1;
  unsigned answers = 0, hits = 0, offered = 0;
  for (unsigned cycle = 0; cycle < 4 + 2 * STREAM; cycle++) {
    at_port(HD_BYPASSED, offered < STREAM ? offered : 0);
    rig.in.mrsp_valid = cycle >= 3 && offered < STREAM; /* the first hit is at the port in cycle 4 */
    rig.in.req_valid = 1;
    rig.in.req = (struct req){.line = 4, .num = 30};
    look();
    offered += rig.in.mrsp_valid && rig.out.mrsp_ready;
    if (cycle >= 4) {
      assert_int_equal(rig.out.resp_valid, 1);
      assert_int_equal(rig.out.resp.num, cycle % 2 ? answers : 30);
      answers += cycle % 2;
      hits += !(cycle % 2);
    }
    edge();
  }
  assert_int_equal(answers, STREAM);
  assert_int_equal(hits, STREAM);
  assert_true(EVENTS(between) > 0);
  wreck();
}

/* A fill waits behind an answer that the SM does not take. Loads can still merge with it. It enters when the answer has left. */
static void a_fill_behind(void **state) {
  (void)state;
  build(some_bypass());
  load_to_bypass(100, 0);
  memory_gets(HD_BYPASSED, 100, 0);
  load(5, 1);
  const unsigned id = memory_gets(HD_FILL, 5, 1);
  memory_answers(HD_BYPASSED, 0, 0, 100);
  memory_answers(HD_FILL, id, 0, 5);
  load(5, 2);
  idle(10);
  look();
  assert_int_equal(rig.out.mrsp_ready, 0);
  assert_int_equal(EVENTS(fill), 0);
  assert_int_equal(EVENTS(load_merge), 1);
  sm_gets(false, 0, 100);
  sm_gets(false, 1, 5);
  sm_gets(false, 2, 5);
  assert_int_equal(EVENTS(fill), 1);
  hits(5);
  wreck();
}

/* An acknowledgement waits behind an answer that the SM does not take. It has no line and leaves through the response register. */
static void an_acknowledgement_behind(void **state) {
  (void)state;
  build(all_bypass());
  go_uncached(1);
  store(4, 3);
  memory_gets(HD_STORE, 4, 3);
  memory_answers(HD_BYPASSED, 0, 0, 100);
  memory_answers(HD_STORE, 0, 3, 55);
  look();
  assert_int_equal(rig.out.mrsp_ready, 0);
  assert_int_equal(EVENTS(behind), 1);
  sm_gets(false, 0, 100);
  sm_gets(true, 3, 0);
  assert_int_equal(rig.m->s.byp_count, 0);
  wreck();
}

/* Uncached loads and atomics are answered as bypassed loads are, in consecutive cycles. */
static void uncached_answers_behind(void **state) {
  (void)state;
  struct hd_config c = small(2);
  c.l1d.request_kinds = HD_KINDS_ATOMIC;
  build(c);
  offer((struct req){.line = 4, .write = 1, .op = HD_UNCACHED, .num = 1});
  offer((struct req){.line = 6, .write = 1, .op = HD_ATOM_ADD, .num = 2});
  memory_gets(HD_BYPASSED, 4, 1);
  memory_gets(HD_BYPASSED, 6, 2);
  memory_answers(HD_BYPASSED, 0, 1, 4);
  memory_answers(HD_BYPASSED, 0, 2, 6);
  assert_int_equal(EVENTS(behind), 1);
  sm_gets(false, 1, 4);
  sm_gets(false, 2, 6);
  assert_int_equal(rig.m->s.byp_count, 0);
  wreck();
}

static void sm_gets_error(bool write, unsigned num, bool error) {
  look();
  for (unsigned i = 0; !rig.out.resp_valid; i++, look()) {
    assert_true(i < PATIENCE);
    edge();
  }
  assert_int_equal(rig.out.resp.write, write);
  assert_int_equal(rig.out.resp.num, num);
  assert_int_equal(rig.out.resp.error, error);
  rig.in.resp_ready = 1;
  step();
  rig.in.resp_ready = 0;
}

/* An answer that waits keeps its error and does not pass it to the answer before. For each kind of answer. */
static void an_error_behind(void **state) {
  (void)state;
  for (unsigned kind = HD_FILL; kind <= HD_STORE; kind++) {
    struct hd_config c = some_bypass();
    c.l1d.errors = true;
    build(c);
    load_to_bypass(100, 0);
    memory_gets(HD_BYPASSED, 100, 0);
    (kind == HD_STORE ? store : kind == HD_FILL ? load : load_to_bypass)(5, 1);
    const unsigned id = memory_gets(kind, 5, 1);
    memory_answers(HD_BYPASSED, 0, 0, 100);
    at_port(kind, 1);
    rig.in.mrsp.id = id;
    rig.in.mrsp.error = 1;
    step();
    rig.in.mrsp_valid = 0;
    assert_int_equal(EVENTS(behind), 1);
    sm_gets_error(false, 0, false);
    sm_gets_error(kind == HD_STORE, 1, true);
    assert_int_equal(EVENTS(error), 1);
    assert_int_equal(EVENTS(fill_error), kind == HD_FILL);
    if (kind == HD_FILL)
      brings(5); /* the line did not stay */
    wreck();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(answers_flow_one_a_cycle),  cmocka_unit_test(two_wait),
      cmocka_unit_test(hits_between_answers),      cmocka_unit_test(a_fill_behind),
      cmocka_unit_test(an_acknowledgement_behind), cmocka_unit_test(uncached_answers_behind),
      cmocka_unit_test(an_error_behind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
