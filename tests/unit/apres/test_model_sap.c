/* The stride prefetchers: the example of APRES Figure 9 and the decisions of docs/mechanisms/sap.md, by hand.
 * Over 400 lines: one example after the other, on one rig, of one page. */
#include "tests/unit/apres/sap_rig.h"

#include "cmodel/model/bits.h"

static void build_idle(struct hd_config c) {
  build(c);
  rig.in.en = 1;
  rig.in.pf_ready = 1;
}

static void build_grouped(void) {
  build_idle(machine(HD_PF_SAP, true));
}

static void set_event(unsigned wid, uint64_t pc, uint64_t addr, uint64_t group) {
  rig.in.ev_valid = 1;
  rig.in.ev = (struct load_event){.wid = wid, .pc = pc, .addr = addr, .group = group};
}

/* The prefetches of the last event. */
static struct {
  unsigned n, wid[64];
  uint64_t line[64];
} got;

/* One cycle; notes the prefetch that the L1D takes in it, if one. */
static void cycle(void) {
  look();
  if (rig.out.pf_valid && rig.in.pf_ready) {
    got.line[got.n % 64] = rig.out.pf_line;
    got.wid[got.n++ % 64] = (unsigned)rig.out.pf_wid;
  }
  edge();
  rig.in.ev_valid = 0;
}

/* Cycles that an event takes, from the one in which it comes to the one that is idle again. */
static unsigned event(unsigned wid, uint64_t pc, uint64_t addr, uint64_t group) {
  unsigned cycles = 0;
  got.n = 0;
  set_event(wid, pc, addr, group);
  do
    cycle();
  while (++cycles && busy());
  return cycles;
}

static void got_is(unsigned i, unsigned wid, uint64_t addr) {
  assert_true(i < got.n);
  assert_int_equal(got.wid[i], rig.c.d.GROUPED ? wid : 0);
  assert_int_equal(got.line[i], addr >> rig.c.d.OFFSET_W);
}

/* The entry that APRES Figure 9 begins with: program counter 200, warp 10, address 2800, stride 100. */
static void before_figure_9(void) {
  event(8, 200, 2600, 0x100);
  event(10, 200, 2800, 0x400);
  assert_int_equal(rig.m->s.pt_valid, 1);
  assert_int_equal(rig.m->s.pt_known & 1, 1);
  assert_int_equal(rig.m->s.pt_pc[0], 200);
  assert_int_equal(rig.m->s.pt_wid[0], 10);
  assert_int_equal(rig.m->s.pt_addr[0], 2800);
  assert_int_equal(rig.m->s.pt_stride[0], 100);
  assert_int_equal(got.n, 0);
}

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
  event(13, 200, 3100, hd_bit(13)); /* alone: nobody to prefetch for */
  assert_int_equal(got.n, 0);
  assert_int_equal(EVENTS(match), 2);
  wreck();
}

/* Cycles as the stages say, for 48 warps and 32 bits: arrive, look, select, differ, align, 8 to divide, store; a row
 * that leaves unread. One that is read: read, load; with n members, n to pick, four to the port, one at it. */
static void cycles_of_each_way(void **state) {
  (void)state;
  build_grouped();
  assert_int_equal(event(1, 200, 100, 0), 15);           /* new */
  assert_int_equal(event(1, 200, 100, 0), 15);           /* the same warp */
  assert_int_equal(event(2, 200, 200, 0), 15);           /* a stride */
  assert_int_equal(event(3, 200, 300, hd_bit(3)), 16);   /* a match, nobody to prefetch for */
  assert_int_equal(event(4, 200, 400, hd_bit(6)), 22);   /* a match, one warp */
  assert_int_equal(event(5, 200, 500, 0xf00), 25);       /* a match, four of them */
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

/* D-SAP-8: an event in each cycle, of one load; each finds what the one before it has left. */
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

/* An entry is replaced while its stride is divided: the new load has none. */
static void replaced_in_the_divider(void **state) {
  (void)state;
  struct hd_config c = machine(HD_PF_SAP, true);
  c.prefetch.table = 1;
  build_idle(c);
  event(1, 200, 100, 0);
  set_event(2, 200, 200, 0);
  cycle();
  set_event(3, 204, 300, 0); /* its entry */
  cycle();
  event(4, 204, 407, hd_bit(9));
  assert_int_equal(EVENTS(replace), 1);
  assert_int_equal(EVENTS(stride), 2); /* 100 of pc 200, then 107 of pc 204 */
  assert_int_equal(EVENTS(match), 0);
  assert_int_equal(rig.m->s.pt_stride[0], 107);
  wreck();
}

static void start_cta(unsigned slot, uint64_t warps) {
  rig.in.launch_valid = 1;
  rig.in.launch_cta = slot;
  rig.in.launch_warps = warps;
  cycle();
  rig.in.launch_valid = 0;
}

/* D-SAP-9: groups end at the CTA of the warp that loads, and warps of two CTAs teach no stride. */
static void within_a_cta(void **state) {
  (void)state;
  build_grouped();
  start_cta(1, 0xff00);
  start_cta(2, 0xff0000);
  event(8, 200, 800, 0);
  event(9, 200, 900, 0);
  event(10, 200, 1000, hd_ones(24)); /* of CTA 1 but 10 */
  assert_int_equal(got.n, 7);
  for (unsigned i = 0; i < 7; i++)
    got_is(i, i < 2 ? 8 + i : 9 + i, 100 * (uint64_t)(i < 2 ? 8 + i : 9 + i));
  event(16, 200, 5, hd_ones(24)); /* of the next CTA: the stride stays */
  assert_int_equal(got.n, 0);
  assert_int_equal(EVENTS(other_cta), 1);
  assert_int_equal(rig.m->s.pt_known & 1, 1);
  event(17, 200, 105, hd_ones(24));
  assert_int_equal(got.n, 7);
  got_is(0, 16, 5);
  got_is(6, 23, 705);
  wreck();
}

/* The letter of APRES, prefetch.reach: sm: CTAs do not count. */
static void over_all_ctas(void **state) {
  (void)state;
  struct hd_config c = machine(HD_PF_SAP, true);
  c.prefetch.reach = HD_REACH_SM;
  build_idle(c);
  event(8, 200, 800, 0);
  event(16, 200, 1600, 0);
  event(17, 200, 1700, hd_bit(2) | hd_bit(47));
  assert_int_equal(got.n, 2);
  got_is(0, 2, 200);
  got_is(1, 47, 4700);
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
  assert_int_equal(rig.m->s.pt_known & 1, 1); /* the stride stays, from the new address */
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
  event(6, 200, 0xffffffff, 0); /* the largest there is, down and up */
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
  event(8, 200, 2800, UINT64_MAX >> 16); /* what the entry still holds does not count */
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
  for (unsigned w = 3; w < 9;
       w++) { /* the first goes out, three wait in stages and are picked of one row; two in rows */
    set_event(w, 200, 100 * (uint64_t)w, 0xff00000);
    for (unsigned i = 0; i < 40; i++)
      cycle();
  }
  assert_int_equal(EVENTS(take), 8);
  assert_int_equal(EVENTS(match), 6);
  assert_int_equal(EVENTS(drop_full), 3);
  assert_int_equal(rig.m->s.drq_count, 2);
  assert_int_equal(rig.m->s.pt_wid[0], 8); /* all have taught */
  got.n = 0;
  rig.in.pf_ready = 1;
  while (busy())
    cycle();
  assert_int_equal(got.n, 24);
  wreck();
}

/* D-MIX-2. */
static void en_low_takes_nothing_and_goes_on(void **state) {
  (void)state;
  build_grouped();
  before_figure_9();
  set_event(2, 200, 2000, hd_bit(1));
  cycle();
  rig.in.en = 0;
  event(3, 204, 100, 0);
  assert_int_equal(EVENTS(take), 3);
  assert_int_equal(got.n, 1);
  got_is(0, 1, 1900);
  assert_int_equal(rig.m->s.pt_valid, 1);
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
  event(1, 200, 0x10000, 0); /* to learn from, any page will do */
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

static void the_least_recently_used_gives_way(void **state) {
  (void)state;
  struct hd_config c = machine(HD_PF_SAP, true);
  c.prefetch.table = 3;
  build_idle(c);
  for (unsigned i = 0; i < 3; i++)
    event(1, 200 + i, 100, 0);
  assert_int_equal(EVENTS(replace), 0);
  event(1, 200, 100, 0); /* the same warp is a use, too */
  event(2, 202, 200, 0);
  event(5, 300, 100, 0); /* in place of 201 */
  assert_int_equal(EVENTS(replace), 1);
  assert_int_equal(rig.m->s.pt_pc[1], 300);
  event(6, 301, 100, 0); /* of 200 */
  assert_int_equal(rig.m->s.pt_pc[0], 301);
  event(7, 302, 100, 0); /* of 202, whose stride goes with it */
  assert_int_equal(rig.m->s.pt_pc[2], 302);
  assert_int_equal(rig.m->s.pt_known & 7, 0);
  assert_int_equal(rig.m->s.pt_wid[2], 7);
  event(8, 303, 100, 0);
  assert_int_equal(rig.m->s.pt_pc[1], 303);
  assert_int_equal(EVENTS(replace), 4);
  assert_int_equal(EVENTS(learn), 7);
  wreck();
}

/* D-SAP-7, in each stage of an event that learns a stride and would prefetch, with more that wait. */
static void a_kernel_forgets(void **state) {
  (void)state;
  build_grouped();
  for (unsigned after = 0; after < 60; after++) {
    before_figure_9();
    set_event(12, 200, after & 1 ? 3000 : 3007, 0xff00); /* as expected, or another stride to divide for */
    for (unsigned i = 0; i < after; i++) {
      cycle();
      set_event(11, 204, 100 * i, 0); /* until the queue is full; one comes in the very cycle, too */
    }
    rig.in.clear = 1;
    cycle();
    rig.in.clear = 0;
    const bool at_the_port = rig.m->s.pf_v;
    assert_int_equal(rig.m->s.pt_valid, 0);
    assert_int_equal(rig.m->s.drq_count, 0);
    assert_int_equal(rig.m->s.x_v | rig.m->s.turn | rig.m->s.g_v, 0);
    const unsigned taken = got.n;
    for (unsigned i = 0; i < 100; i++)
      cycle();
    assert_int_equal(got.n, taken + at_the_port);
    const uint64_t learnt = EVENTS(learn);
    event(13, 200, 3100, 0xff00);
    assert_int_equal(EVENTS(learn), learnt + 1);
    assert_int_equal(got.n, 0);
    rig.in.clear = 1;
    cycle();
    rig.in.clear = 0;
  }
  assert_int_equal(EVENTS(clear), 120);
  assert_true(EVENTS(prefetch) > 0);
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
  assert_int_equal(sap_tick(rig.m, &rig.in), 0); /* nothing moves but with the port */
  assert_int_equal(rig.out.pf_valid, 1);
  assert_int_equal(rig.out.pf_wid, 13);
  assert_int_equal(rig.m->s.g_v, 1);
  set_event(14, 204, 9999, 0); /* learns beside the prefetches that wait */
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

static void sap_without_laws(void **state) {
  (void)state;
  struct hd_config c = machine(HD_PF_SAP, false);
  c.sm.warps = 9;
  build_idle(c);
  event(3, 200, 3000, 0);
  event(4, 200, 4000, 0);
  event(5, 200, 5000, 0); /* for all others */
  assert_int_equal(got.n, 8);
  for (unsigned i = 0; i < 8; i++)
    got_is(i, 0, 1000 * (i < 5 ? i : i + 1));
  wreck();
}

/* D-STR-1. */
static void str_runs_ahead(void **state) {
  (void)state;
  struct hd_config c = machine(HD_PF_STR, false);
  c.prefetch.degree = 3;
  build_idle(c);
  event(3, 200, 3000, 0);
  event(4, 200, 4000, 0);
  event(2, 200, 2000, 0);
  assert_int_equal(got.n, 3);
  for (unsigned i = 0; i < 3; i++)
    got_is(i, 0, 1000 * (3 + i));
  event(45, 200, 45000, 0); /* 46 and 47 are there, no 48 */
  assert_int_equal(got.n, 2);
  event(47, 200, 47000, 0);
  assert_int_equal(got.n, 0);
  assert_int_equal(EVENTS(match), 3);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(figure_9),
      cmocka_unit_test(a_group_in_order_without_the_warp),
      cmocka_unit_test(cycles_of_each_way),
      cmocka_unit_test(an_event_in_every_cycle),
      cmocka_unit_test(replaced_in_the_divider),
      cmocka_unit_test(within_a_cta),
      cmocka_unit_test(over_all_ctas),
      cmocka_unit_test(what_teaches_nothing),
      cmocka_unit_test(strides_go_either_way),
      cmocka_unit_test(an_inexact_stride_is_none),
      cmocka_unit_test(a_full_queue_drops),
      cmocka_unit_test(en_low_takes_nothing_and_goes_on),
      cmocka_unit_test(beyond_the_ends_there_is_nothing),
      cmocka_unit_test(outside_the_pages_there_is_nothing),
      cmocka_unit_test(the_least_recently_used_gives_way),
      cmocka_unit_test(a_kernel_forgets),
      cmocka_unit_test(a_prefetch_waits_for_the_l1d),
      cmocka_unit_test(what_repeats),
      cmocka_unit_test(sap_without_laws),
      cmocka_unit_test(str_runs_ahead),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
