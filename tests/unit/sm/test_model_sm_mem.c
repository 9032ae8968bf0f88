/* The memory path as a whole: the wires between modules (docs/mechanisms/sm_mem.md), and the cycles from an instruction to the
 * memory, summed by hand from the modules' pages. */
#include "tests/unit/sm/sm_mem_rig.h"

/* An instruction issued in cycle 0 is at the coalescer's output in 2, in the slot in 3, in the L1D's queue in 4, and at the memory
 * in 8. With the MRPB it is in the input register in 3 and in the queue from 3 on. It is offered 5 cycles later, and so is at the
 * memory in 13. With MemSched it is in the input register in 3, a head in 4, offered in 6, in the L1D's queue in 7, decided in 9,
 * served in 10, and at the memory in 11. The request behind it is the head in 12. */
static void load_there_and_back(void **state) {
  (void)state;
  static const unsigned first[] = {[HD_SLOT] = 8, [HD_MRPB] = 13, [HD_MEMSCHED] = 11},
                        second[] = {[HD_SLOT] = 9, [HD_MRPB] = 14, [HD_MEMSCHED] = 19};
  for (enum hd_buffer kind = HD_SLOT; kind <= HD_MEMSCHED; kind++) {
    start(with_buffer(kind));
    rig.in.mrpb_en = rig.in.resp_ready = rig.in.mreq_ready = 1;
    issue(false, 100, 200);
    look();
    assert_int_equal(rig.out.busy, 1 << 10);
    assert_int_equal(until_memory(), first[kind] - 1);
    assert_int_equal(rig.out.mreq.kind, 0);
    assert_int_equal(rig.out.mreq.line, 100);
    assert_int_equal(rig.out.busy, 0);
    edge();
    assert_int_equal(until_memory(), second[kind] - first[kind] - 1);
    assert_int_equal(rig.out.mreq.line, 200);
    edge();
    answer((struct srsp){.id = 1}, 222);
    response(false, 1, true, 222);
    answer((struct srsp){.id = 0}, 111);
    response(false, 0, false, 111);
    wreck();
  }
}

/* The SM gives a store's bytes when st_valid asks for them. They come out beside the store's request. */
static void store_bytes(void **state) {
  (void)state;
  for (unsigned way = 0; way < 6; way++) {
    struct hd_config c = with_buffer(way / 2);
    c.casc.scheme = way % 2 ? HD_CASC_ALL : HD_CASC_OFF;
    c.l1d.ways = 2;
    start(c);
    rig.in.resp_ready = 1;
    issue(true, 100, 200);
    unsigned asked = 0;
    for (unsigned n = 0; n < PATIENCE; n++) {
      look();
      if (rig.out.st_valid) {
        assert_int_equal(rig.out.st_wid, 10);
        assert_int_equal(rig.out.st_slot, 3);
        assert_int_equal(rig.out.st_num, asked);
        assert_int_equal(rig.out.st_lanes, asked ? 0xc : 0x3);
        rig.in.st_data[15] = 1000 + asked;
        rig.in.st_mask[15] = 0xf0 + asked;
        look();
        asked++;
      }
      edge();
    }
    assert_int_equal(asked, 2);
    rig.in.mreq_ready = 1;
    for (unsigned k = 0; k < 2; k++) {
      look();
      assert_int_equal(rig.out.mreq_valid, 1);
      assert_int_equal(rig.out.mreq.kind, 2);
      assert_int_equal(rig.out.mreq.line, k ? 200 : 100);
      assert_int_equal(rig.out.mreq.num, k);
      assert_int_equal(rig.out.mreq_wdata[15], 1000 + k);
      assert_int_equal(rig.out.mreq_wmask[15], 0xf0 + k);
      edge();
    }
    answer((struct srsp){.kind = HD_STORE, .wid = 10, .slot = 3, .num = 1, .last = 1}, 0);
    response(true, 1, true, 0);
    wreck();
  }
}

/* With the L1D stopped by a full miss queue, the stall goes back to the coalescer. No request is lost. */
static void backpressure(void **state) {
  (void)state;
  for (int mrpb = 0; mrpb < 2; mrpb++) {
    struct hd_config c = with_buffer(mrpb ? HD_MRPB : HD_SLOT);
    c.l1d.miss_queue = 2;
    start(c);
    rig.in.resp_ready = 1;
    unsigned issued = 0;
    for (unsigned n = 0; n < 200; n++) {
      look();
      if (rig.out.issue_ready)
        issue(true, 2 * issued, 2 * issued + 1), issued++;
      else
        edge();
    }
    /* Places for requests: memory port 1, miss queue 2, d, c, a1, a0, buffer 1, coalescer's output: 9. So the fifth instruction has
     * one request out and one to make, and the sixth waits behind it. A write with flush on uses only the MRPB's input register. */
    assert_int_equal(issued, 6);
    rig.in.mreq_ready = 1;
    for (unsigned k = 0; k < 12; k++) {
      until_memory();
      assert_int_equal(rig.out.mreq.line, k);
      edge();
    }
    wreck();
  }
}

static void drained_follows_the_queue(void **state) {
  (void)state;
  start(with_buffer(HD_MRPB));
  rig.in.mrpb_en = 1;
  look();
  assert_int_equal(rig.out.drained, 0xff);
  issue(false, 1, 1);
  step(); /* 1: the request is made */
  look();
  assert_int_equal(rig.out.drained, 0xff); /* 2: it is still in the coalescer */
  assert_int_equal(rig.out.busy, 1 << 10);
  edge();
  look();
  assert_int_equal(rig.out.drained, 0xff & ~(1 << 6)); /* 3: in its CTA slot's queue */
  assert_int_equal(rig.out.busy, 0);
  for (unsigned n = 0; n < 6; n++)
    step();
  look();
  assert_int_equal(rig.out.drained, 0xff); /* offered in 8, gone in 9 */
  wreck();
}

static void picks(void **state) {
  (void)state;
  struct hd_config c = with_buffer(HD_SLOT);
  c.scheduler.policy = HD_GTO;
  start(c);
  rig.in.launch_valid = 1;
  rig.in.launch_cta = 7;
  rig.in.launch_warps = 0xf0;
  step();
  rig.in.launch_valid = 0;
  rig.in.ready = 0xffff;
  look();
  assert_int_equal(rig.out.pick_valid[0], 1);
  assert_int_equal(rig.out.pick_wid[0], 4);
  assert_int_equal(rig.out.pick_wid[1], 5);
  wreck();
}

/* ---- LAWS and the prefetchers ---- */

static unsigned picked(unsigned sched, uint64_t ready) {
  rig.in.ready = ready;
  look();
  rig.in.ready = 0;
  assert_int_equal(rig.out.pick_valid[sched], 1);
  return (unsigned)rig.out.pick_wid[sched];
}

/* A load gets its group when the coalescer takes it. The group moves after the L1D's decision: the load is taken in 0, in the slot
 * in 3, decided in 6, reported in 7, and moved from 8 on. */
static void a_miss_sends_the_group_to_the_tail(void **state) {
  (void)state;
  for (int prefetch = 0; prefetch < 2; prefetch++) { /* without, the L1D only hears of groups */
    struct hd_config c = with_buffer(HD_SLOT);
    c.scheduler.policy = HD_LAWS;
    c.prefetch.kind = prefetch ? HD_PF_SAP : HD_PF_OFF;
    start(c);
    rig.in.laws_en = rig.in.pf_en = rig.in.resp_ready = rig.in.mreq_ready = 1;
    issue_one(true, 2, 0x40, 0x8000);
    assert_int_equal(rig.m->u_laws->s.wgt_valid, 0); /* stores have no group */
    issue_one(false, 4, 0x40, 0x10000);
    assert_int_equal(rig.m->u_laws->s.wgt_valid, 1);
    assert_int_equal(rig.m->u_laws->s.llt[4], 0x40);
    for (unsigned cycle = 1; cycle < 8; cycle++) {
      assert_int_equal(picked(0, 0x50), 4);
      edge();
    }
    assert_int_equal(rig.m->u_laws->s.wgt_valid, 0);
    assert_int_equal(picked(0, 0x54), 2);
    rig.in.laws_en = 0; /* then as lrr, after 4 */
    assert_int_equal(picked(0, 0x54), 6);
    wreck();
  }
}

static void a_hit_sends_it_to_the_head(void **state) {
  (void)state;
  struct hd_config c = with_buffer(HD_MRPB);
  c.scheduler.policy = HD_LAWS;
  start(c);
  rig.in.laws_en = rig.in.resp_ready = rig.in.mreq_ready = 1;
  issue_one(false, 3, 0x40, 0x10000);
  until_memory();
  edge();
  answer((struct srsp){.id = rig.out.mreq.id}, 0);
  for (unsigned n = 0; n < PATIENCE; n++)
    step();
  assert_int_equal(picked(1, 0x2a), 1);
  issue_one(false, 5, 0x40, 0x10004);
  for (unsigned n = 0; n < PATIENCE; n++)
    step();
  assert_int_equal(picked(1, 0x2a), 5);
  wreck();
}

/* Waits as long as all prefetches of a load may take. */
static void wait(void) {
  for (unsigned n = 0; n < 3 * PATIENCE; n++)
    step();
}

/* Returns the line of the next request to the memory. */
static uint64_t asked(void) {
  until_memory();
  const uint64_t line = rig.out.mreq.line;
  edge();
  return line;
}

/* Three loads one stride apart. The third prefetches for all other warps (SAP), for the others of its group (SAP with LAWS), or for
 * the next two warps (STR). */
static void a_stride_is_prefetched(void **state) {
  (void)state;
  enum { STRIDE = 0x444, FIRST = 0x40000 };
  for (enum hd_prefetch kind = HD_PF_SAP; kind <= HD_PF_STR; kind++)
    for (int laws = 0; laws < 2; laws++) {
      struct hd_config c = with_buffer(HD_SLOT);
      const bool grouped = laws && kind == HD_PF_SAP;
      c.scheduler.policy = laws ? HD_LAWS : HD_LRR;
      c.prefetch.kind = kind;
      c.prefetch.degree = 2;
      start(c);
      rig.in.laws_en = rig.in.pf_en = rig.in.resp_ready = rig.in.mreq_ready = 1;
      for (unsigned n = 0; grouped && n < 4; n++) { /* one group, as they loaded the same last */
        static const unsigned wid[] = {6, 20, 33, 40};
        issue_one(false, wid[n], 0x80, 0x20000);
        wait();
      }
      for (unsigned n = 0; n < 3; n++) {
        issue_one(false, 4 + n, 0x40, FIRST + STRIDE * n);
        assert_int_equal(asked(), (FIRST + STRIDE * n) / 128);
        wait();
      }
      const struct l1d *l1d = rig.m->u_l1d;
      assert_int_equal(l1d->base.ev[EV_l1d_pf_take], kind == HD_PF_STR ? 2 : grouped ? 3 : 47);
      if (grouped)
        assert_int_equal(rig.m->u_laws->base.ev[EV_laws_target], 3);
      bool there = false;
      for (uint64_t left = l1d->s.mshr_wait; left; left &= left - 1)
        there |=
            l1d->s.mshr_line[__builtin_ctzll(left)] == (FIRST + STRIDE * ((grouped ? 20u : 7u) - 4)) / 128;
      assert_true(there);
      wreck();
    }
}

/* Two lines of a block of four fetch the other two. Any request of a load counts. */
static void a_block_is_prefetched(void **state) {
  (void)state;
  for (int enabled = 0; enabled < 2; enabled++) {
    struct hd_config c = with_buffer(HD_SLOT);
    c.prefetch.kind = HD_PF_SLD;
    c.scheduler.policy = HD_TWO_LEVEL;
    start(c);
    rig.in.pf_en = (unsigned)enabled;
    rig.in.resp_ready = rig.in.mreq_ready = 1;
    issue(false, 40, 43);
    assert_int_equal(asked(), 40);
    assert_int_equal(asked(), 43);
    if (enabled) {
      assert_int_equal(asked(), 41);
      assert_int_equal(asked(), 42);
    }
    for (unsigned n = 0; n < PATIENCE; n++) {
      look();
      assert_int_equal(rig.out.mreq_valid, 0);
      edge();
    }
    wreck();
  }
}

static void picks_of_two_levels(void **state) {
  (void)state;
  struct hd_config c = with_buffer(HD_SLOT);
  c.scheduler.policy = HD_TWO_LEVEL;
  start(c);
  rig.in.wait_mem = 0xff;
  assert_int_equal(picked(0, 0xff00), 8);
  rig.in.ready = 0xff00;
  step(); /* all of the first group wait: the second becomes active */
  rig.in.ready = 0;
  assert_int_equal(picked(0, 0xffff), 10);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(load_there_and_back),
      cmocka_unit_test(store_bytes),
      cmocka_unit_test(backpressure),
      cmocka_unit_test(drained_follows_the_queue),
      cmocka_unit_test(picks),
      cmocka_unit_test(a_miss_sends_the_group_to_the_tail),
      cmocka_unit_test(a_hit_sends_it_to_the_head),
      cmocka_unit_test(a_stride_is_prefetched),
      cmocka_unit_test(a_block_is_prefetched),
      cmocka_unit_test(picks_of_two_levels),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
