/* The L1 data cache: prefetches, flushes, and the reports of loads. */
#include "tests/unit/l1d/l1d_rig.h"

static struct hd_config with_prefetches(unsigned ways) {
  struct hd_config c = small(ways);
  c.prefetch.kind = HD_PF_SAP;
  return c;
}

static void prefetch(uint64_t line) {
  rig.in.pf_valid = 1;
  rig.in.pf_line = line;
  look();
  for (unsigned i = 0; !rig.out.pf_ready; i++, look()) {
    assert_true(i < PATIENCE);
    edge();
  }
  edge();
  rig.in.pf_valid = 0;
}

/* A prefetch that is sent and filled. No load is answered. */
static void is_prefetched(uint64_t line) {
  prefetch(line);
  memory_answers(HD_FILL, memory_gets(HD_FILL, line, 0), 0, line);
  for (unsigned i = 0; i < 4; i++, edge()) {
    look();
    assert_int_equal(rig.out.resp_valid, 0);
  }
}

/* A prefetch is taken in cycle 0, in c in 2, decided in 3, at the memory port in 5. Its fill, taken in 0, enters in 1, and the next
 * answer is taken in 2. */
static void cycles(void **state) {
  (void)state;
  build(with_prefetches(2));
  prefetch(5);
  for (unsigned cycle = 1; cycle < 5; cycle++) {
    look();
    assert_int_equal(rig.out.mreq_valid, 0);
    assert_int_equal(rig.out.pf_ready, cycle > 1);
    edge();
  }
  look();
  assert_int_equal(rig.out.mreq_valid, 1);
  unsigned id = memory_gets(HD_FILL, 5, 0);
  memory_answers(HD_FILL, id, 0, 5);
  look();
  assert_int_equal(rig.out.mrsp_ready, 0);
  edge();
  look();
  assert_int_equal(rig.out.mrsp_ready, 1);
  assert_int_equal(rig.m->s.pf[1], 1);
  hits(5);
  assert_int_equal(EVENTS(pf_useful), 1);
  assert_int_equal(rig.m->s.pf[1], 0);
  hits(5);
  assert_int_equal(EVENTS(pf_useful), 1);
  wreck();
}

static void requests_go_first(void **state) {
  (void)state;
  build(with_prefetches(2));
  brings(4);
  rig.in.resp_ready = 1;
  rig.in.req_valid = 1;
  rig.in.req = (struct req){.line = 4};
  step(); /* from here on the queue is never empty */
  prefetch(5);
  for (unsigned cycle = 0; cycle < 20; cycle++) {
    look();
    assert_int_equal(rig.out.req_ready, 1);
    assert_int_equal(rig.out.pf_ready, 0);
    edge();
  }
  rig.in.req_valid = 0;
  memory_gets(HD_FILL, 5, 0);
  assert_int_equal(EVENTS(load_hit), 22);
  wreck();
}

static void dropped_for_a_reason(void **state) {
  (void)state;
  build(with_prefetches(2));
  brings(4);
  prefetch(4);
  memory_gets_no_more();
  assert_int_equal(EVENTS(pf_hit), 1);
  load(5, 1);
  prefetch(5);
  memory_gets(HD_FILL, 5, 1);
  memory_gets_no_more();
  assert_int_equal(EVENTS(pf_merge), 1);
  load(7, 1);
  prefetch(9); /* both lines of the set are taken */
  memory_gets(HD_FILL, 7, 1);
  memory_gets_no_more();
  assert_int_equal(EVENTS(pf_fail), 1);
  load(0, 1);
  load(2, 1);
  prefetch(6); /* now all MSHRs are taken */
  memory_gets(HD_FILL, 0, 1);
  memory_gets(HD_FILL, 2, 1);
  memory_gets_no_more();
  assert_int_equal(EVENTS(pf_fail), 2);
  wreck();
  build(with_prefetches(2));
  for (unsigned n = 0; n < 3; n++)
    store(1, n); /* fill the port and the miss queue */
  prefetch(4);
  idle(PATIENCE);
  assert_int_equal(EVENTS(pf_fail), 1);
  assert_int_equal(EVENTS(pf_take), EVENTS(pf_fail));
  wreck();
}

static void a_load_overtakes_its_prefetch(void **state) {
  (void)state;
  for (int on_fill = 0; on_fill < 2; on_fill++) {
    struct hd_config c = with_prefetches(2);
    c.l1d.allocate = on_fill ? HD_ON_FILL : HD_ON_MISS;
    build(c);
    prefetch(5);
    load(5, 1);
    load(5, 2);
    load(5, 3); /* an MSHR answers two */
    unsigned id = memory_gets(HD_FILL, 5, 0);
    memory_gets_no_more();
    assert_int_equal(EVENTS(load_merge), 2);
    assert_int_equal(EVENTS(pf_late), 1);
    memory_answers(HD_FILL, id, 0, 5);
    sm_gets(false, 1, 5);
    sm_gets(false, 2, 5);
    sm_gets(false, 3, 5);
    assert_int_equal(EVENTS(load_hit), 1);
    assert_int_equal(EVENTS(pf_useful), 0);
    brings(7);
    brings(9);
    assert_int_equal(EVENTS(evict), 1);
    assert_int_equal(EVENTS(pf_lost), 0);
    wreck();
  }
}

static void lost(void **state) {
  (void)state;
  build(with_prefetches(1));
  is_prefetched(5);
  brings(7);
  assert_int_equal(EVENTS(pf_lost), 1);
  is_prefetched(4);
  store(4, 2);
  memory_gets(HD_STORE, 4, 2);
  assert_int_equal(EVENTS(store_evict), 1);
  assert_int_equal(EVENTS(pf_lost), 2);
  brings(4); /* the line's prefetched bit was cleared */
  brings(6);
  assert_int_equal(EVENTS(pf_lost), 2);
  is_prefetched(4);
  is_prefetched(5);
  rig.in.flush = 1;
  step();
  rig.in.flush = 0;
  assert_int_equal(EVENTS(pf_lost), 4);
  brings(5);
  hits(5);
  assert_int_equal(EVENTS(pf_useful), 0);
  wreck();
}

/* The old line is evicted when the prefetch is sent, or when it is filled. The eviction belongs to no warp. */
static void a_prefetch_takes_a_line(void **state) {
  (void)state;
  for (int on_fill = 0; on_fill < 2; on_fill++) {
    static struct hd_log log;
    struct hd_config c = with_prefetches(1);
    c.l1d.allocate = on_fill ? HD_ON_FILL : HD_ON_MISS;
    build(c);
    brings(5);
    log = (struct hd_log){0};
    rig.m->base.log = &log;
    rig.m->base.heard = UINT64_C(1) << EV_l1d_evict;
    prefetch(7);
    unsigned id = memory_gets(HD_FILL, 7, 0);
    assert_int_equal(log.n, !on_fill);
    memory_answers(HD_FILL, id, 0, 7);
    idle(2);
    assert_int_equal(log.n, 1);
    assert_int_equal(log.ring[0].arg[2], 7);
    assert_int_equal(log.ring[0].arg[3], rig.m->base.c->sm.warps);
    hits(7);
    wreck();
  }
}

/* D-L1-1 */
static void store_to_a_line_being_prefetched(void **state) {
  (void)state;
  build(with_prefetches(2));
  prefetch(5);
  unsigned id = memory_gets(HD_FILL, 5, 0);
  store(5, 2);
  memory_gets(HD_STORE, 5, 2);
  load(5, 3);
  idle(5);
  assert_true(EVENTS(fail_mshr_merge) > 0);
  memory_answers(HD_FILL, id, 0, 5);
  memory_gets(HD_FILL, 5, 3);
  assert_int_equal(EVENTS(fill_dead), 1);
  assert_int_equal(EVENTS(pf_dead), 1);
  wreck();
}

static void flush(void) {
  rig.in.flush = 1;
  step();
  rig.in.flush = 0;
}

/* Prefetches may be in p, c and d, and one may arrive. */
static void flush_drops_what_is_on_its_way(void **state) {
  (void)state;
  build(with_prefetches(2));
  prefetch(5);
  prefetch(7);
  assert_int_equal(rig.m->s.d_valid && rig.m->s.p_valid, 1);
  flush();
  assert_int_equal(EVENTS(pf_flush), 2);
  memory_gets_no_more();
  wreck();
  for (unsigned age = 0; age < 4; age++) { /* in p, c, d; sent */
    build(with_prefetches(2));
    prefetch(5);
    idle(age);
    assert_int_equal(rig.m->s.p_valid + rig.m->s.c_valid + rig.m->s.d_valid, age < 3);
    rig.in.pf_valid = age % 2;
    rig.in.pf_line = 7;
    look();
    const bool another = age % 2 && rig.out.pf_ready;
    flush();
    rig.in.pf_valid = 0;
    assert_int_equal(EVENTS(pf_flush), (age < 3) + another);
    assert_int_equal(EVENTS(pf_take), 1 + another);
    assert_int_equal(rig.m->s.p_valid + rig.m->s.c_valid + rig.m->s.d_valid, 0);
    if (age == 3)
      memory_gets(HD_FILL, 5, 0);
    memory_gets_no_more();
    wreck();
  }
}

/* A line asked for before the flush does not stay, whether it arrives later, in the next cycle or in the flush's cycle. */
static void flush_of_a_line_in_flight(void **state) {
  (void)state;
  for (unsigned when = 0; when < 3; when++) {
    build(with_prefetches(2));
    prefetch(5);
    unsigned id = memory_gets(HD_FILL, 5, 0);
    if (when == 2)
      flush();
    memory_answers(HD_FILL, id, 0, 5);
    if (when == 1) /* the fill enters now */
      flush();
    idle(1);
    if (when == 0) {
      assert_int_equal(EVENTS(fill), 1);
      flush();
    }
    assert_int_equal(EVENTS(pf_dead), when > 0);
    assert_int_equal(EVENTS(fill_dead), when > 0);
    assert_int_equal(EVENTS(pf_lost), when == 0);
    assert_int_equal(rig.m->s.valid[1], 0);
    assert_int_equal(rig.m->s.reserved[1], 0);
    brings(5);
    wreck();
  }
}

/* ---- The reports ---- */

static void expect_outcome(bool there, bool hit) {
  look();
  assert_int_equal(rig.out.outcome_load, there);
  assert_int_equal(rig.out.outcome_hit, hit);
}

/* A load taken in cycle 0 is decided in 3 at the earliest. */
static void is_reported(uint64_t line, unsigned num, bool hit) {
  rig.in.req_valid = 1;
  rig.in.req = (struct req){.line = line, .wid = WID, .num = num, .gid = 2, .pc = 0x1000 + line, .low = line};
  step();
  rig.in.req_valid = 0;
  for (unsigned i = 0; i < 3; i++) {
    expect_outcome(false, false);
    edge();
  }
  expect_outcome(true, hit);
  const struct outcome t = rig.out.outcome;
  assert_int_equal(t.first, num == 0);
  assert_int_equal(t.gid, 2);
  assert_int_equal(t.wid, WID);
  assert_int_equal(t.pc, 0x1000 + line);
  assert_int_equal(t.line, line);
  assert_int_equal(t.low, line);
  edge();
  expect_outcome(false, false);
}

static void of_loads(void **state) {
  (void)state;
  for (int sld = 0; sld < 2; sld++) {
    struct hd_config c = with_prefetches(2);
    if (sld)
      c.prefetch.kind = HD_PF_SLD;
    else
      c.scheduler.policy = HD_LAWS;
    build(c);
    rig.in.resp_ready = 1;
    is_reported(5, 0, false);
    is_reported(5, 0, false); /* a merge is a miss */
    is_reported(4, 1, false);
    unsigned id = memory_gets(HD_FILL, 5, 0);
    memory_gets(HD_FILL, 4, 1);
    memory_answers(HD_FILL, id, 0, 5);
    idle(6);
    is_reported(5, 0, true);
    store(5, 0);
    prefetch(9);
    for (unsigned i = 0; i < 8; i++, edge())
      expect_outcome(false, false);
    assert_int_equal(EVENTS(store), 1);
    assert_int_equal(EVENTS(pf_miss), 1);
    wreck();
  }
}

/* A load that waits is reported when it is done. A bypass counts as a miss. */
static void of_a_load_that_waits(void **state) {
  (void)state;
  for (int bypass = 0; bypass < 2; bypass++) {
    struct hd_config c = with_prefetches(2);
    c.l1d.ways = 1;
    c.request_buffer.kind = HD_MRPB;
    c.request_buffer.bypass = bypass ? HD_BYPASS_ASSOC : HD_BYPASS_OFF;
    build(c);
    rig.in.lack_bypass = bypass;
    load(5, 1);
    unsigned id = memory_gets(HD_FILL, 5, 1);
    load(7, 0);
    unsigned reported = 0;
    for (unsigned i = 0; i < 12; i++, edge()) {
      look();
      reported += rig.out.outcome_load != 0;
    }
    assert_int_equal(reported, bypass);
    memory_answers(HD_FILL, id, 0, 5);
    rig.in.resp_ready = 1;
    for (unsigned i = 0; i < 12; i++, edge()) {
      look();
      reported += rig.out.outcome_load != 0;
      assert_int_equal(rig.out.outcome_hit, 0);
    }
    assert_int_equal(reported, 1);
    wreck();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cycles),
      cmocka_unit_test(requests_go_first),
      cmocka_unit_test(dropped_for_a_reason),
      cmocka_unit_test(a_load_overtakes_its_prefetch),
      cmocka_unit_test(lost),
      cmocka_unit_test(a_prefetch_takes_a_line),
      cmocka_unit_test(store_to_a_line_being_prefetched),
      cmocka_unit_test(flush_drops_what_is_on_its_way),
      cmocka_unit_test(flush_of_a_line_in_flight),
      cmocka_unit_test(of_loads),
      cmocka_unit_test(of_a_load_that_waits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
