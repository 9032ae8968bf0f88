/* The L1 data cache with locality_degree and line_uses: the locality degree of CASC. Three ways per set; lines 1, 3 and 5 are in set
 * 1. */
#include "tests/unit/l1d/l1d_group_rig.h"

enum { HPC = 6 };

static struct hd_config with_degree(unsigned ways) {
  struct hd_config c = small(ways);
  c.casc.scheme = HD_CASC_LOCALITY;
  c.casc.pc_bits = 3;
  c.l1d.count_bits = 2;
  return c;
}

/* Sets the answer of the re-reference table to every lookup. */
static void knows(unsigned sum, unsigned count) {
  hung->u_degree_in.lk_known = 1;
  hung->u_degree_in.lk_sum = sum;
  hung->u_degree_in.lk_count = count;
}

static void load_by_degree(uint64_t line, unsigned num) {
  offer((struct req){.line = line, .num = num, .hpc = HPC, .loc = 1});
}

static void is_cached(uint64_t line, unsigned num) {
  load_by_degree(line, num);
  memory_answers(HD_FILL, memory_gets(HD_FILL, line, num), 0, line);
  sm_gets(false, num, line);
}

static void bypasses(uint64_t line, unsigned num) {
  load_by_degree(line, num);
  memory_gets(HD_BYPASSED, line, num);
  memory_answers(HD_BYPASSED, 0, num, line);
  sm_gets(false, num, line);
}

static void full_set(void) {
  build(with_degree(3));
  brings(1);
  brings(3);
  brings(5);
}

/* A load is in d in cycle 3 after it was taken, as always. It looks in 3, learns in 4, is sent in 5, and is at the memory port in 7.
 * The table's answer counts in 4, to the question of 3. */
static void steps_and_cycles(void **state) {
  (void)state;
  for (int known_late = 0; known_late < 2; known_late++) {
    full_set();
    knows(0, 1);
    load_by_degree(7, 3);
    for (unsigned cycle = 1; cycle < 7; cycle++) {
      hung->u_degree_in.lk_known = cycle != 4 || known_late;
      look();
      assert_int_equal(rig.out.mreq_valid, 0);
      assert_int_equal(hung->u_degree->s.l_step, cycle < 4 ? 0 : cycle < 6 ? cycle - 3 : 0);
      assert_int_equal(rig.m->s.d_valid, cycle >= 3 && cycle < 6);
      if (rig.m->s.d_valid)
        assert_int_equal(hung->u_degree_out.lk_hpc, HPC);
      edge();
    }
    look();
    assert_int_equal(rig.out.mreq_valid, 1);
    memory_gets(known_late ? HD_BYPASSED : HD_FILL, 7, 3);
    assert_int_equal(EVENTS_OF(u_degree, locality_degree, look), 1);
    wreck();
  }
}

/* D-CASC-2. */
static void an_empty_way(void **state) {
  (void)state;
  build(with_degree(3));
  knows(0, 1);
  brings(1);
  is_cached(3, 3);
  is_cached(5, 4);
  assert_int_equal(EVENTS_OF(u_degree, locality_degree, room), 2);
  assert_int_equal(EVENTS(evict), 0);
  bypasses(7, 5);
  assert_int_equal(EVENTS(refused), 1);
  store(3, 4);
  memory_gets(HD_STORE, 3, 4);
  is_cached(7, 5);
  assert_int_equal(EVENTS_OF(u_degree, locality_degree, room), 3);
  wreck();
}

/* A reserved way is neither empty nor a possible victim. */
static void others_in_flight(void **state) {
  (void)state;
  build(with_degree(3));
  brings(1);
  hits(1);
  load(3, 2);
  memory_gets(HD_FILL, 3, 2);
  load(5, 2);
  memory_gets(HD_FILL, 5, 2);
  knows(1, 1);
  bypasses(7, 3); /* 1 is not above 1 */
  knows(2, 1);
  load_by_degree(7, 3);
  memory_gets(HD_FILL, 7, 3);
  assert_int_equal(EVENTS(evict), 1);
  load_by_degree(9, 4); /* D-CASC-5: without delay */
  memory_gets(HD_BYPASSED, 9, 4);
  assert_int_equal(EVENTS(full_bypass), 1);
  assert_int_equal(EVENTS_OF(u_degree, locality_degree, look), 2);
  assert_int_equal(EVENTS(fail_line_alloc) + EVENTS(early), 0);
  wreck();
}

static void nothing_known(void **state) {
  (void)state;
  full_set();
  for (unsigned i = 0; i < 3; i++)
    hits(1);
  is_cached(7, 3); /* 3 is the least recently used of those with counter 0 */
  assert_int_equal(EVENTS_OF(u_degree, locality_degree, better), 1);
  hits(1);
  hits(5);
  brings(3);
  wreck();
}

/* Counters 1, 1, 2 in lines 1, 3, 5. The least recently used line is 5; of the lines with the smallest counter it is 3. */
static void who_gives_way(void **state) {
  (void)state;
  full_set();
  hits(5);
  hits(5);
  hits(3);
  hits(1);
  knows(255, 255);
  bypasses(7, 3); /* 255 is not above 1 * 255 */
  assert_int_equal(EVENTS(refused), 1);
  assert_int_equal(EVENTS(evict), 0);
  knows(256, 255);
  load_by_degree(7, 4);
  for (unsigned i = 0; !hung->u_line_uses_out.evict_valid; i++, look()) {
    assert_true(i < PATIENCE);
    edge();
  }
  assert_int_equal(hung->u_line_uses_out.evict_count, 1);
  assert_int_equal(EVENTS_OF(u_degree, locality_degree, better), 1);
  memory_answers(HD_FILL, memory_gets(HD_FILL, 7, 4), 0, 7);
  sm_gets(false, 4, 7);
  hits(5);
  hits(1);
  assert_int_equal(EVENTS(evict), 1);
  assert_int_equal(EVENTS_OF(u_line_uses, line_uses, evict_used), 1);
  knows(0, 255);
  bypasses(3, 3); /* 7 has counter 0 and would be evicted, but 0 is not above 0 */
  knows(1, 255);
  is_cached(3, 3); /* 1 is above 0 */
  brings(7);
  wreck();
}

static void a_hit_or_merge_does_not_look(void **state) {
  (void)state;
  full_set();
  knows(0, 1);
  load_by_degree(5, 3);
  sm_gets(false, 3, 5);
  load(7, 1);
  load_by_degree(7, 2);
  memory_answers(HD_FILL, memory_gets(HD_FILL, 7, 1), 0, 7);
  sm_gets(false, 1, 7);
  sm_gets(false, 2, 7);
  assert_int_equal(EVENTS_OF(u_degree, locality_degree, look), 0);
  assert_int_equal(EVENTS(load_merge), 1);
  offer((struct req){.line = 9, .num = 2, .byp = 1, .loc = 1}); /* marked to bypass, so no look */
  memory_gets(HD_BYPASSED, 9, 2);
  assert_int_equal(EVENTS_OF(u_degree, locality_degree, look), 0);
  assert_int_equal(EVENTS(early), 1);
  wreck();
}

/* A load that fails does not look again. It counts as a failure in every cycle. */
static void fails_after_looking(void **state) {
  (void)state;
  struct hd_config c = with_degree(3);
  c.l1d.mshrs = 1;
  build(c);
  load(0, 1);
  const unsigned id = memory_gets(HD_FILL, 0, 1);
  load_by_degree(1, 3);
  idle(20);
  const uint64_t tries = EVENTS(fail_mshr);
  assert_true(tries > 10);
  knows(0, 1);
  idle(5);
  assert_int_equal(EVENTS(fail_mshr), tries + 5);
  assert_int_equal(EVENTS_OF(u_degree, locality_degree, look), 1);
  assert_int_equal(EVENTS_OF(u_degree, locality_degree, room), 0); /* counts only when it is sent */
  assert_int_equal(hung->u_degree->s.l_step, 2);
  memory_answers(HD_FILL, id, 0, 0);
  sm_gets(false, 1, 0);
  memory_gets(HD_FILL, 1, 3);
  assert_int_equal(EVENTS_OF(u_degree, locality_degree, room), 1);
  assert_int_equal(hung->u_degree->s.l_step, 0);
  wreck();
}

/* The same with stall bypass: the load bypasses, but not because of its degree. */
static void spared_after_looking(void **state) {
  (void)state;
  struct hd_config c = with_degree(3);
  c.l1d.mshrs = 1;
  c.request_buffer.bypass = HD_BYPASS_ALL;
  build(c);
  load(0, 1);
  load_by_degree(1, 3);
  memory_gets(HD_FILL, 0, 1);
  memory_gets(HD_BYPASSED, 1, 3);
  assert_int_equal(EVENTS_OF(u_degree, locality_degree, look), 1);
  assert_int_equal(EVENTS_OF(u_degree, locality_degree, room), 1); /* it had found room */
  assert_int_equal(EVENTS(refused) + EVENTS(full_bypass) + EVENTS(early), 0);
  wreck();
}

/* All ways are reserved and the queue has no place. When a place comes, the load looks after all. */
static void full_no_more(void **state) {
  (void)state;
  build(with_degree(1));
  load(0, 1);
  const unsigned id = memory_gets(HD_FILL, 0, 1);
  for (unsigned n = 0; n < 3; n++)
    store(1, n);
  load_by_degree(2, 3);
  idle(20);
  assert_true(EVENTS(fail_miss_queue) > 10);
  assert_int_equal(EVENTS_OF(u_degree, locality_degree, look) + EVENTS(full_bypass), 0);
  memory_answers(HD_FILL, id, 0, 0);
  sm_gets(false, 1, 0);
  idle(5);
  assert_int_equal(EVENTS_OF(u_degree, locality_degree, look), 1);
  for (unsigned n = 0; n < 3; n++)
    memory_gets(HD_STORE, 1, n);
  memory_gets(HD_FILL, 2, 3);
  assert_int_equal(EVENTS_OF(u_degree, locality_degree, better), 1);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_and_cycles),    cmocka_unit_test(an_empty_way),
      cmocka_unit_test(others_in_flight),    cmocka_unit_test(nothing_known),
      cmocka_unit_test(who_gives_way),       cmocka_unit_test(a_hit_or_merge_does_not_look),
      cmocka_unit_test(fails_after_looking), cmocka_unit_test(spared_after_looking),
      cmocka_unit_test(full_no_more),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
