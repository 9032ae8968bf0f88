/* The L1 data cache: the reasons for which a request waits, and the stall bypass. */
#include "tests/unit/l1d/l1d_rig.h"

static void fails_without_a_line(void **state) {
  (void)state;
  build(small(2));
  load(0, 1);
  load(2, 2);
  load(4, 3);
  unsigned a = memory_gets(HD_FILL, 0, 1), b = memory_gets(HD_FILL, 2, 2);
  memory_gets_no_more();
  uint64_t tries = EVENTS(fail_line_alloc);
  assert_true(tries >= PATIENCE);
  idle(5);
  assert_int_equal(EVENTS(fail_line_alloc), tries + 5); /* every cycle counts */
  memory_answers(HD_FILL, a, 0, 0);
  sm_gets(false, 1, 0);
  assert_int_equal(EVENTS(fill_wait), 1);
  unsigned d = memory_gets(HD_FILL, 4, 3);
  assert_int_equal(EVENTS(evict), 1); /* line 0, just filled, is the only possible victim */
  memory_answers(HD_FILL, d, 0, 4);
  sm_gets(false, 3, 4);
  memory_answers(HD_FILL, b, 0, 2);
  sm_gets(false, 2, 2);
  hits(4);
  hits(2);
  wreck();
}

/* An MSHR is free only after its last load has been answered. */
static void fails_without_an_mshr(void **state) {
  (void)state;
  struct hd_config c = small(4);
  c.l1d.mshrs = 2;
  build(c);
  load(0, 1);
  load(0, 2);
  load(1, 3);
  unsigned a = memory_gets(HD_FILL, 0, 1);
  assert_int_equal(memory_gets(HD_FILL, 1, 3), 1);
  load(3, 4);
  memory_gets_no_more();
  assert_true(EVENTS(fail_mshr) > 0);
  memory_answers(HD_FILL, a, 0, 0);
  memory_gets_no_more(); /* load 1 is in the response register, load 2 still in MSHR 0 */
  sm_gets(false, 1, 0);
  sm_gets(false, 2, 0);
  assert_int_equal(memory_gets(HD_FILL, 3, 4), 0);
  wreck();
}

static void answered(unsigned mshr, unsigned num, uint64_t line) {
  memory_answers(HD_FILL, mshr, 0, line);
  sm_gets(false, num, line);
}

/* The next MSHR is the lowest free one beside the one that a miss takes, even if a lower one becomes free. If none is free, it is
 * the one that becomes free. */
static void next_mshr(void **state) {
  (void)state;
  struct hd_config c = small(4);
  c.l1d.mshrs = 3;
  build(c);
  load(0, 1);
  assert_int_equal(memory_gets(HD_FILL, 0, 1), 0);
  load(1, 2);
  assert_int_equal(memory_gets(HD_FILL, 1, 2), 1);
  answered(0, 1, 0);
  load(2, 3);
  assert_int_equal(memory_gets(HD_FILL, 2, 3), 2);
  load(3, 4);
  assert_int_equal(memory_gets(HD_FILL, 3, 4), 0);
  assert_int_equal(rig.m->s.m_free, 0);
  answered(2, 3, 2);
  load(4, 5);
  assert_int_equal(memory_gets(HD_FILL, 4, 5), 2);
  answered(1, 2, 1);

  /* 1 is the last, and is taken in the cycle in which 0 becomes free */
  load(6, 6);
  memory_answers(HD_FILL, 0, 0, 3);
  step();
  assert_int_equal(rig.m->s.mshr_wait, 5);
  step();
  assert_int_equal(rig.m->s.mshr_wait, 6);
  assert_int_equal(rig.m->s.m_next, 0);
  assert_int_equal(rig.m->s.m_free, 1);
  sm_gets(false, 4, 3);
  assert_int_equal(memory_gets(HD_FILL, 6, 6), 1);

  /* 0 is taken, 2 is free beside it, and 1 becomes free in the same cycle */
  answered(2, 5, 4);
  load(5, 7);
  memory_answers(HD_FILL, 1, 0, 6);
  step();
  assert_int_equal(rig.m->s.mshr_wait, 2);
  step();
  assert_int_equal(rig.m->s.mshr_wait, 1);
  assert_int_equal(rig.m->s.m_next, 2);
  wreck();
}

/* One request is at the memory port and two are in the queue. The fourth waits, load or store. */
static void fails_without_a_queue_place(void **state) {
  (void)state;
  for (int write = 0; write < 2; write++) {
    build(small(4));
    load(0, 1);
    store(8, 2);
    load(1, 3);
    send(3, write, 4);
    idle(20);
    assert_int_equal(EVENTS(load_miss) + EVENTS(store), 3);
    uint64_t tries = EVENTS(fail_miss_queue);
    idle(5);
    assert_int_equal(EVENTS(fail_miss_queue), tries + 5);
    memory_gets(HD_FILL, 0, 1);
    memory_gets(HD_STORE, 8, 2);
    memory_gets(HD_FILL, 1, 3);
    memory_gets(write ? HD_STORE : HD_FILL, 3, 4);
    wreck();
  }
}

static void bypass_when_no_line(void **state) {
  (void)state;
  struct hd_config c = small(2);
  c.request_buffer.bypass = HD_BYPASS_ASSOC;
  c.l1d.bypass_slots = 1;
  build(c);
  load(0, 1);
  load(2, 2);
  load(4, 3);
  load(6, 4);
  unsigned a = memory_gets(HD_FILL, 0, 1), b = memory_gets(HD_FILL, 2, 2);
  memory_gets(HD_BYPASSED, 4, 3);
  memory_gets_no_more();
  assert_int_equal(EVENTS(bypass), 1);
  assert_true(EVENTS(fail_bypass_slots) > 0);
  memory_answers(HD_BYPASSED, 0, 3, 4);
  sm_gets(false, 3, 4);
  memory_gets(HD_BYPASSED, 6, 4); /* the slot is free again */
  memory_answers(HD_FILL, b, 0, 2);
  sm_gets(false, 2, 2);
  memory_answers(HD_BYPASSED, 0, 4, 6);
  sm_gets(false, 4, 6);
  memory_answers(HD_FILL, a, 0, 0);
  sm_gets(false, 1, 0);
  hits(0);
  hits(2);
  brings(4); /* no bypassed line stayed */
  assert_int_equal(EVENTS(fail_line_alloc), 0);
  wreck();
}

/* `assoc` waits for an MSHR or a merge place. `all` does not. */
static void bypass_of_other_stalls(void **state) {
  (void)state;
  for (int all = 0; all < 2; all++) {
    struct hd_config c = small(2);
    c.request_buffer.bypass = all ? HD_BYPASS_ALL : HD_BYPASS_ASSOC;
    c.l1d.mshrs = 2;
    build(c);
    load(0, 1);
    store(0, 2); /* MSHR 0 is dead */
    memory_gets(HD_FILL, 0, 1);
    memory_gets(HD_STORE, 0, 2);
    load(0, 3);
    if (all) {
      memory_gets(HD_BYPASSED, 0, 3);
      load(1, 4);
      memory_gets(HD_FILL, 1, 4);
      load(3, 5);
      memory_gets(HD_BYPASSED, 3, 5);
      assert_int_equal(EVENTS(fail_mshr) + EVENTS(fail_mshr_merge), 0);
    } else {
      memory_gets_no_more();
      assert_true(EVENTS(fail_mshr_merge) > 0);
    }
    assert_int_equal(EVENTS(bypass), all ? 2 : 0);
    wreck();
  }
}

/* With MRPB the stall bypass has an enable. A load that waits bypasses in the cycle in which the enable rises. While it is low,
 * loads wait. */
static void bypass_while_enabled(void **state) {
  (void)state;
  for (int all = 0; all < 2; all++) {
    struct hd_config c = small(2);
    c.request_buffer.kind = HD_MRPB;
    c.request_buffer.bypass = all ? HD_BYPASS_ALL : HD_BYPASS_ASSOC;
    build(c);
    load(0, 1);
    load(2, 2);
    memory_gets(HD_FILL, 0, 1);
    memory_gets(HD_FILL, 2, 2);
    load(4, 3);
    load(6, 4);
    idle(10);
    assert_int_equal(EVENTS(bypass), 0);
    const uint64_t tries = EVENTS(fail_line_alloc);
    assert_true(tries > 0);
    rig.in.lack_bypass = 1;
    idle(1);
    assert_int_equal(EVENTS(bypass), 1);
    assert_int_equal(EVENTS(fail_line_alloc), tries);
    rig.in.lack_bypass = 0;
    idle(5);
    assert_int_equal(EVENTS(bypass), 1);
    assert_int_equal(EVENTS(fail_line_alloc), tries + 5);
    memory_gets(HD_BYPASSED, 4, 3);
    memory_gets_no_more();
    wreck();
  }
}

static void a_taken_response_port(void **state) {
  (void)state;
  build(small(2));
  brings(5);
  load(5, 6);
  load(5, 7);
  idle(10);
  assert_int_equal(EVENTS(load_hit), 1);
  assert_true(EVENTS(hit_wait) > 0);
  sm_gets(false, 6, 5);
  sm_gets(false, 7, 5);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fails_without_a_line),
      cmocka_unit_test(fails_without_an_mshr),
      cmocka_unit_test(next_mshr),
      cmocka_unit_test(fails_without_a_queue_place),
      cmocka_unit_test(bypass_when_no_line),
      cmocka_unit_test(bypass_of_other_stalls),
      cmocka_unit_test(bypass_while_enabled),
      cmocka_unit_test(a_taken_response_port),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
