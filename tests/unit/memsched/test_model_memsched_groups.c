/* Memory request scheduling with probe units: which head of a group is sent, and what happens to the others
 * (docs/mechanisms/memsched.md). */
#include "tests/unit/memsched/memsched_rig.h"

/* Heads 0 to 3 form one group whenever they are there. 1 and 3 hit. The group begins with units 0, 1, 2, 3. */
static void the_first_hit_else_the_first_that_can(void **state) {
  (void)state;
  start(queues(HD_DRAIN_GRR, 4, 8));
  hold();
  for (uint64_t wid = 0; wid < 4; wid++) {
    put(wid << 4);
    tag[wid << 4].can = true;
  }
  tag[0x10].hit = tag[0x30].hit = true;
  idle(1);
  let_go();
  assert_int_equal(comes(), 0x10);
  assert_int_equal(EVENTS(overtake), 1); /* overtakes 0 */
  assert_int_equal(comes(), 0x30);
  assert_int_equal(EVENTS(overtake), 2); /* overtakes 2 */
  assert_int_equal(EVENTS(probe_hit), 2);
  assert_int_equal(comes(), 0x20);
  assert_int_equal(comes(), 0x00);
  assert_int_equal(EVENTS(probe_can), 2);
  assert_int_equal(EVENTS(overtake), 2);
  assert_int_equal(EVENTS(choose), 4 + 3 + 2 + 1);
  nothing_comes();
  wreck();
}

/* Puts a request that hits. Its probe is shown in cycle `probed`, and it is at the output in `there`, not earlier. */
static void is_probed_and_comes(unsigned probed, unsigned there) {
  tag[0x50].hit = true;
  put(0x50);
  for (unsigned n = 1; n < there; n++) {
    look();
    assert_int_equal(rig.out.deq_valid, 0);
    if (n == probed)
      assert_int_equal(rig.out.pr_line[1], 0x50);
    cycle();
  }
  look();
  assert_int_equal(rig.out.deq_valid, 1);
}

/* A request is chosen in 2, probed in 3, answered in 5, at the output in 6. */
static void probes_take_two_cycles(void **state) {
  (void)state;
  start(queues(HD_DRAIN_GRR, 2, 8));
  is_probed_and_comes(3, 6);
  assert_int_equal(EVENTS(overtake), 0);
  wreck();
}

/* D-MSCH-10: chosen and probed in 2, answered in 3, at the output in 4, as without probes. */
static void early_probes_take_none(void **state) {
  (void)state;
  struct hd_config c = queues(HD_DRAIN_GRR, 2, 8);
  c.request_buffer.probe_early = true;
  start(c);
  is_probed_and_comes(2, 4);
  wreck();
  start(queues(HD_DRAIN_RR, 1, 8));
  put(0x50);
  idle(2);
  look();
  assert_int_equal(rig.out.deq_valid, 0);
  idle(1);
  look();
  assert_int_equal(rig.out.deq_valid, 1);
  wreck();
}

/* Heads 0 to 3 are one group, and 1 and 3 hit. Heads that are not sent may be chosen again a cycle later. */
static void early_groups(void **state) {
  (void)state;
  struct hd_config c = queues(HD_DRAIN_GRR, 4, 8);
  c.request_buffer.probe_early = true;
  start(c);
  hold();
  for (uint64_t wid = 0; wid < 4; wid++) {
    put(wid << 4);
    tag[wid << 4].can = true;
  }
  tag[0x10].hit = tag[0x30].hit = true;
  idle(1);
  let_go();
  assert_int_equal(comes(), 0x10);
  assert_int_equal(comes(), 0x30);
  assert_int_equal(EVENTS(probe_hit), 2);
  assert_int_equal(EVENTS(overtake), 2);
  assert_int_equal(comes(), 0x20);
  assert_int_equal(comes(), 0x00);
  nothing_comes();
  wreck();
}

static void idle_groups_are_given_back(void **state) {
  (void)state;
  start(queues(HD_DRAIN_GRR, 3, 8));
  put(0x20);
  nothing_comes();
  assert_in_range(EVENTS(idle_group), PATIENCE / 4 - 1, PATIENCE / 4);
  assert_in_range(EVENTS(choose), EVENTS(idle_group), EVENTS(idle_group) + 1);
  tag[0x20].can = true;
  assert_int_equal(comes(), 0x20);
  wreck();
}

static void no_room_at_the_output(void **state) {
  (void)state;
  start(queues(HD_DRAIN_GRR, 4, 8));
  for (uint64_t wid = 0; wid < 2; wid++) {
    put(wid << 4);
    tag[wid << 4].hit = true;
  }
  idle(PATIENCE);
  assert_true(EVENTS(no_room) >= PATIENCE / 4 - 2);
  assert_int_equal(comes(), 0x00);
  assert_int_equal(comes(), 0x10);
  wreck();
}

/* Queues 1, 5 and 9 belong to unit 1: one of them per group, in turn. */
static void a_unit_has_every_kth_queue(void **state) {
  (void)state;
  start(queues(HD_DRAIN_GRR, 4, 8));
  hold();
  for (uint64_t wid = 1; wid < WARPS; wid += 4) {
    put(wid << 4);
    tag[wid << 4].can = true;
  }
  idle(1);
  rig.m->s.g0_row[1] = 1; /* 5 was the last */
  let_go();
  assert_int_equal(comes(), 0x90);
  assert_int_equal(comes(), 0x10);
  assert_int_equal(comes(), 0x50);
  assert_int_equal(EVENTS(overtake), 0);
  wreck();
}

/* A decision of CASC is kept. A request that bypasses needs neither a line nor an MSHR. */
static void bypassing_heads_can_always_be_sent(void **state) {
  (void)state;
  struct hd_config c = queues(HD_DRAIN_GRR, 2, 8);
  c.casc.scheme = HD_CASC_LOCALITY;
  start(c);
  struct req r = request(0x20, false);
  r.hpc = 5;
  r.loc = 1;
  put_request(r);
  struct req second = request(0x21, false);
  second.hpc = 5;
  second.byp = 1;
  put_request(second);
  nothing_comes();
  tag[0x20].can = true;
  rig.in.deq_ready = 1;
  idle(5);
  rig.in.deq_ready = 0;
  assert_int_equal(EVENTS(deq), 1);
  back(2, true);
  unsigned n = 0;
  for (look(); !rig.out.deq_valid; look()) {
    assert_true(n++ < PATIENCE);
    cycle();
  }
  assert_memory_equal(&rig.out.deq, &second, sizeof second);
  assert_int_equal(EVENTS(probe_can), 2);
  wreck();
}

/* A wrong bit in `turn` (D-MSCH-3), with three units: `turn` counts on to the end of its bits, as in the hardware. */
static void a_turn_of_no_unit(void **state) {
  (void)state;
  start(queues(HD_DRAIN_GRR, 3, 8));
  rig.m->s.turn = 3;
  tag[0x20].can = true;
  put(0x20);
  rig.in.deq_ready = 1;
  for (unsigned n = 0; n < PATIENCE; n++) {
    cycle();
    assert_in_range(rig.m->s.turn, 0, 3);
  }
  assert_int_equal(EVENTS(deq), 1);
  assert_int_not_equal(rig.m->s.turn, 3);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_first_hit_else_the_first_that_can),
      cmocka_unit_test(probes_take_two_cycles),
      cmocka_unit_test(early_probes_take_none),
      cmocka_unit_test(early_groups),
      cmocka_unit_test(idle_groups_are_given_back),
      cmocka_unit_test(no_room_at_the_output),
      cmocka_unit_test(a_unit_has_every_kth_queue),
      cmocka_unit_test(bypassing_heads_can_always_be_sent),
      cmocka_unit_test(a_turn_of_no_unit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
