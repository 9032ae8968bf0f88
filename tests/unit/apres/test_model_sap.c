/* The stride prefetchers: the example of APRES Figure 9 and the decisions of docs/mechanisms/sap.md about the events of one load, by
 * hand. */
#include "tests/unit/apres/sap_events.h"

static void figure_9(void **state) {
  (void)state;
  build_grouped();
  before_figure_9();
  event(2, 200, 2000, hd_bit(1) | hd_bit(2)); /* (2000 - 2800) / (2 - 10) = 100 */
  assert_int_equal(got.n, 1);
  got_is(0, 1, 1900);
  assert_int_equal(got.line[0], 59);
  assert_int_equal(rig.m->s.pt_wid[0], 2);
  assert_int_equal(rig.m->s.pt_addr[0], 2000);
  assert_int_equal(rig.m->s.pt_stride[0], 100);
  assert_int_equal(EVENTS(match), 1);
  assert_int_equal(EVENTS(prefetch), 1);
  assert_int_equal(EVENTS(take), 3);
  wreck();
}

static void a_group_in_order_without_the_warp(void **state) {
  (void)state;
  build_grouped();
  before_figure_9();
  event(12, 200, 3000, hd_bit(0) | hd_bit(11) | hd_bit(12) | hd_bit(13) | hd_bit(47));
  assert_int_equal(got.n, 4);
  got_is(0, 0, 1800);
  got_is(1, 11, 2900);
  got_is(2, 13, 3100);
  got_is(3, 47, 6500);
  event(13, 200, 3100, hd_bit(13)); /* alone: no warp to prefetch for */
  assert_int_equal(got.n, 0);
  assert_int_equal(EVENTS(match), 2);
  wreck();
}

/* Cycles by the stages, for 48 warps and 32 bits: arrive, look, select, differ, align, 8 to divide, store. A row that is not read
 * then leaves. A row that is read: read, load; with n members, n to pick, four to the port, one at it. */
static void cycles_of_each_way(void **state) {
  (void)state;
  build_grouped();
  assert_int_equal(event(1, 200, 100, 0), 15);           /* new */
  assert_int_equal(event(1, 200, 100, 0), 15);           /* the same warp */
  assert_int_equal(event(2, 200, 200, 0), 15);           /* a stride */
  assert_int_equal(event(3, 200, 300, hd_bit(3)), 16);   /* a match, no warp to prefetch for */
  assert_int_equal(event(4, 200, 400, hd_bit(6)), 22);   /* a match, one warp */
  assert_int_equal(event(5, 200, 500, 0xf00), 25);       /* a match, two warps far apart */
  assert_int_equal(event(6, 200, 600, 1 | 1 << 30), 23); /* a match, two far apart */
  struct hd_config c = machine(HD_PF_SAP, true);
  c.sm.addr_bits = 21; /* a sixth stage of one bit */
  wreck();
  build_idle(c);
  event(1, 200, 100, 0);
  assert_int_equal(event(3, 200, 0x1fffff - 1, 0), 13);
  assert_int_equal(rig.m->s.pt_stride[0], (0x1ffffe - 100) / 2);
  wreck();
}

/* D-SAP-8: one load gives an event in each cycle. Each event finds the entry that the one before has left. */
static void an_event_in_every_cycle(void **state) {
  (void)state;
  build_grouped();
  got.n = 0;
  for (unsigned w = 0; w < 20; w++) {
    set_event(w, 200, 1000 * (uint64_t)w + (w >= 10), hd_bit(47));
    cycle();
  }
  while (busy())
    cycle();
  assert_int_equal(EVENTS(take), 20);
  assert_int_equal(EVENTS(learn), 1);
  assert_int_equal(EVENTS(follow), 19);
  assert_int_equal(EVENTS(stride), 3); /* 0 to 1, 9 to 10, 10 to 11 */
  assert_int_equal(EVENTS(match), 16);
  assert_int_equal(EVENTS(drop_full), 0);
  assert_int_equal(got.n, 16);
  for (unsigned i = 0; i < 16; i++)
    got_is(i, 47, 47000 + (i >= 8));
  wreck();
}

/* Event `follow` happens if the event before is in a stage after look, from select to store. */
static void one_behind_the_other(void **state) {
  (void)state;
  const unsigned stages = 12; /* select, differ, align, 8 to divide, store */
  for (unsigned behind = 1; behind < 20; behind++) {
    build_grouped();
    set_event(1, 200, 100, 0);
    for (unsigned i = 0; i < behind; i++)
      cycle();
    event(2, 200, 200, 0);
    assert_int_equal(EVENTS(follow), behind <= stages);
    wreck();
  }
}

/* An entry is replaced while its stride is divided. The new load then has no stride. */
static void replaced_in_the_divider(void **state) {
  (void)state;
  struct hd_config c = machine(HD_PF_SAP, true);
  c.prefetch.table = 1;
  build_idle(c);
  event(1, 200, 100, 0);
  set_event(2, 200, 200, 0);
  cycle();
  set_event(3, 204, 300, 0); /* takes its entry */
  cycle();
  event(4, 204, 407, hd_bit(9));
  assert_int_equal(EVENTS(replace), 1);
  assert_int_equal(EVENTS(follow), 2); /* also counts the event that takes the entry */
  assert_int_equal(EVENTS(stride), 2); /* 100 of pc 200, then 107 of pc 204 */
  assert_int_equal(EVENTS(match), 0);
  assert_int_equal(rig.m->s.pt_stride[0], 107);
  wreck();
}

/* D-SAP-1 and 2. */
static void what_teaches_nothing(void **state) {
  (void)state;
  build_grouped();
  event(3, 200, 1000, UINT64_MAX >> 16);
  assert_int_equal(EVENTS(learn), 1);
  assert_int_equal(rig.m->s.pt_known & 1, 0);
  event(4, 200, 1100, UINT64_MAX >> 16); /* its stride is new: no prefetch */
  assert_int_equal(EVENTS(stride), 1);
  event(4, 200, 9000, UINT64_MAX >> 16);
  assert_int_equal(EVENTS(same_warp), 1);
  assert_int_equal(rig.m->s.pt_known & 1, 1); /* the stride stays, now from the new address */
  assert_int_equal(rig.m->s.pt_stride[0], 100);
  assert_int_equal(rig.m->s.pt_addr[0], 9000);
  assert_int_equal(got.n + EVENTS(prefetch), 0);
  event(5, 200, 9100, hd_bit(6));
  got_is(0, 6, 9200);
  event(6, 200, 9300, hd_bit(7)); /* another stride takes its place */
  assert_int_equal(got.n, 0);
  assert_int_equal(rig.m->s.pt_stride[0], 200);
  wreck();
}

static void strides_go_either_way(void **state) {
  (void)state;
  build_grouped();
  const uint64_t minus = hd_ones(33) - 99; /* -100 in 33 bits */
  event(3, 200, 5000, 0);
  event(5, 200, 4800, 0);
  assert_int_equal(rig.m->s.pt_stride[0], minus);
  event(1, 200, 5200, hd_bit(0) | hd_bit(2));
  assert_int_equal(got.n, 2);
  got_is(0, 0, 5300);
  got_is(1, 2, 5100);
  event(0, 200, 5200, 0); /* the same address: a stride of 0 */
  assert_int_equal(rig.m->s.pt_stride[0], 0);
  event(7, 200, 5200, hd_bit(40));
  got_is(0, 40, 5200);
  event(6, 200, 0xffffffff, 0); /* the largest strides, down and up */
  assert_int_equal(rig.m->s.pt_stride[0], hd_ones(33) & -(0xffffffff - UINT64_C(5200)));
  event(7, 200, 0, 0);
  assert_int_equal(rig.m->s.pt_stride[0], hd_ones(33) & -UINT64_C(0xffffffff));
  event(8, 200, 0xffffffff, 0);
  assert_int_equal(rig.m->s.pt_stride[0], 0xffffffff);
  wreck();
}

/* D-SAP-3. */
static void an_inexact_stride_is_none(void **state) {
  (void)state;
  build_grouped();
  before_figure_9();
  event(7, 200, 2700, UINT64_MAX >> 16); /* -100 over -3 warps */
  assert_int_equal(EVENTS(inexact), 1);
  assert_int_equal(rig.m->s.pt_known & 1, 0);
  event(8, 200, 2800, UINT64_MAX >> 16); /* the entry's old stride does not count */
  assert_int_equal(got.n, 0);
  assert_int_equal(EVENTS(match), 0);
  assert_int_equal(EVENTS(stride), 2);
  wreck();
}

/* D-SAP-4: a queue of two whose prefetches the L1D does not take. */
static void a_full_queue_drops(void **state) {
  (void)state;
  struct hd_config c = machine(HD_PF_SAP, true);
  c.prefetch.queue = 2;
  build_idle(c);
  event(1, 200, 100, 0);
  event(2, 200, 200, 0);
  rig.in.pf_ready = 0;
  /* Of the first match one prefetch is at the port, four are in stages and three are not picked yet. Two matches have rows. */
  for (unsigned w = 3; w < 9; w++) {
    set_event(w, 200, 100 * (uint64_t)w, 0xff00000);
    for (unsigned i = 0; i < 40; i++)
      cycle();
  }
  assert_int_equal(EVENTS(take), 8);
  assert_int_equal(EVENTS(match), 6);
  assert_int_equal(EVENTS(drop_full), 3);
  assert_int_equal(rig.m->s.drq_count, 2);
  assert_int_equal(rig.m->s.pt_wid[0], 8); /* all events were learned from */
  got.n = 0;
  rig.in.pf_ready = 1;
  while (busy())
    cycle();
  assert_int_equal(got.n, 24);
  wreck();
}

/* D-SAP-6. */
static void beyond_the_ends_there_is_nothing(void **state) {
  (void)state;
  build_grouped();
  event(9, 200, 0x300, 0);
  event(8, 200, 0x200, 0);
  event(7, 200, 0x100, hd_bit(4) | hd_bit(5) | hd_bit(6) | hd_bit(8));
  assert_int_equal(got.n, 2);
  got_is(0, 6, 0);
  got_is(1, 8, 0x200);
  assert_int_equal(EVENTS(out_of_range), 2);
  event(7, 204, 0xfffffd00, 0);
  event(8, 204, 0xfffffe00, 0);
  event(9, 204, 0xffffff00, hd_bit(8) | hd_bit(10) | hd_bit(47));
  assert_int_equal(got.n, 1);
  got_is(0, 8, 0xfffffe00);
  assert_int_equal(EVENTS(out_of_range), 4);
  wreck();
}

static void outside_the_pages_there_is_nothing(void **state) {
  (void)state;
  struct hd_config c = machine(HD_PF_SAP, true);
  c.prefetch.first_page = 2;
  c.prefetch.last_page = 4;
  build_idle(c);
  event(1, 200, 0x10000, 0); /* a page outside the range is fine for learning */
  event(2, 200, 0x1ffff, 0);
  event(3, 200, 0x2fffe, 0xff & ~8u); /* 0x0001, 0x10000, ..., 0x5fffb, 0x6fffa */
  assert_int_equal(EVENTS(stride), 1);
  assert_int_equal(got.n, 2);
  got_is(0, 4, 0x3fffd);
  got_is(1, 5, 0x4fffc);
  assert_int_equal(EVENTS(out_of_range), 5);
  event(4, 204, 0x20000 - 0x40, 0);
  event(5, 204, 0x20000 - 0x20, 0);
  event(6, 204, 0x20000, 0x20 | 0x80); /* 5 is just below page 2 */
  assert_int_equal(got.n, 1);
  got_is(0, 7, 0x20020);
  wreck();
}

static void a_prefetch_waits_for_the_l1d(void **state) {
  (void)state;
  build_grouped();
  before_figure_9();
  rig.in.pf_ready = 0;
  set_event(12, 200, 3000, hd_bit(13) | hd_bit(15));
  for (unsigned i = 0; i < 30; i++)
    cycle();
  look();
  assert_int_equal(sap_tick(rig.m, &rig.in), 0); /* only the port moves anything */
  assert_int_equal(rig.out.pf_valid, 1);
  assert_int_equal(rig.out.pf_wid, 13);
  assert_int_equal(rig.m->s.g_v, 1);
  set_event(14, 204, 9999, 0); /* the event is learned while prefetches wait */
  for (unsigned i = 0; i < 20; i++)
    cycle();
  assert_int_equal(EVENTS(learn), 2);
  assert_int_equal(rig.m->s.drq_count, 0);
  rig.in.pf_ready = 1;
  cycle(); /* 13 leaves, 15 follows at once */
  look();
  assert_int_equal(rig.out.pf_valid, 1);
  assert_int_equal(rig.out.pf_wid, 15);
  assert_int_equal(rig.out.pf_line, 3300 / 32);
  cycle();
  assert_false(busy());
  wreck();
}

static void what_repeats(void **state) {
  (void)state;
  build_grouped();
  look();
  assert_int_equal(sap_tick(rig.m, &rig.in), 0);
  set_event(1, 200, 100, 0);
  look();
  assert_int_equal(sap_tick(rig.m, &rig.in), HD_MOVES);
  rig.in.ev_valid = 0;
  for (unsigned i = 0; i < 13; i++) { /* from look to store */
    look();
    assert_int_equal(sap_tick(rig.m, &rig.in), HD_MOVES);
  }
  look();
  assert_int_equal(sap_tick(rig.m, &rig.in), 0); /* its row has left */
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(figure_9),
      cmocka_unit_test(a_group_in_order_without_the_warp),
      cmocka_unit_test(cycles_of_each_way),
      cmocka_unit_test(an_event_in_every_cycle),
      cmocka_unit_test(one_behind_the_other),
      cmocka_unit_test(replaced_in_the_divider),
      cmocka_unit_test(what_teaches_nothing),
      cmocka_unit_test(strides_go_either_way),
      cmocka_unit_test(an_inexact_stride_is_none),
      cmocka_unit_test(a_full_queue_drops),
      cmocka_unit_test(beyond_the_ends_there_is_nothing),
      cmocka_unit_test(outside_the_pages_there_is_nothing),
      cmocka_unit_test(a_prefetch_waits_for_the_l1d),
      cmocka_unit_test(what_repeats),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
