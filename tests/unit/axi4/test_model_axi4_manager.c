/* The AXI4 manager, by hand from docs/mechanisms/axi4.md: lines of 32 bytes, beats of 64 bits, so 4 beats; 2 MSHRs, 2 bypassed
 * loads, 2 writes. */
#define RIG axi4_manager
#include "cmodel/model/bits.h"
#include "tests/unit/rig.h"

#include "tests/unit/ring.h"

enum { BEATS = 4, SLVERR = 2, DECERR = 3 };

static void start(void) {
  struct hd_config c = defaults();
  c.request_buffer.bypass = HD_BYPASS_ALL;
  c.l1d.line_bytes = 32;
  c.l1d.mshrs = 2;
  c.bus.kind = HD_BUS_AXI4;
  c.bus.data_bits = 64;
  c.bus.writes = c.bus.bypassed = 2;
  build(c);
  rig.in.rsp_ready = rig.in.m_axi_arready = rig.in.m_axi_awready = rig.in.m_axi_wready = 1;
}

static void offer(enum hd_kind kind, uint64_t line, uint64_t id) {
  rig.in.req_valid = 1;
  rig.in.req =
      (struct busreq){.kind = kind, .line = line, .id = id, .wid = 5, .slot = 1, .num = 7, .last = 1};
}

/* Returns the cycles until the request is taken, including that cycle. Returns 0 if it is not taken in ten. */
static unsigned taken(void) {
  for (unsigned t = 1; t <= 10; t++) {
    look();
    const bool ready = rig.out.req_ready;
    edge();
    if (ready) {
      rig.in.req_valid = 0;
      return t;
    }
  }
  return 0;
}

static void ask(enum hd_kind kind, uint64_t line, uint64_t id) {
  offer(kind, line, id);
  assert_int_equal(taken(), 2); /* a cycle to look it up, a cycle to take it */
}

static void beat(uint64_t id, uint64_t data, unsigned resp, bool last) {
  rig.in.m_axi_rvalid = 1;
  rig.in.m_axi_rid = id;
  rig.in.m_axi_rdata[0] = data;
  rig.in.m_axi_rresp = resp;
  rig.in.m_axi_rlast = last;
  step();
  rig.in.m_axi_rvalid = 0;
}

static void line(uint64_t id, uint64_t data) {
  for (unsigned i = 0; i < BEATS; i++)
    beat(id, data + i, 0, i == BEATS - 1);
}

static void answer(uint64_t id, unsigned resp) {
  rig.in.m_axi_bvalid = 1;
  rig.in.m_axi_bid = id;
  rig.in.m_axi_bresp = resp;
  step();
  rig.in.m_axi_bvalid = 0;
}

/* Returns the cycles until an answer is offered, without that cycle. The answer is then taken. */
static unsigned answered(void) {
  for (unsigned t = 0; t < 10; t++) {
    look();
    const bool valid = rig.out.rsp_valid;
    edge();
    if (valid)
      return t;
  }
  fail_msg("no answer");
  return 0;
}

static void test_read(void **state) {
  (void)state;
  start();
  ask(HD_FILL, 0x123, 1);
  look();
  assert_int_equal(rig.out.m_axi_arvalid, 1);
  assert_int_equal(rig.out.m_axi_arid, 1);
  assert_int_equal(rig.out.m_axi_araddr, 0x123 * 32);
  assert_int_equal(rig.out.m_axi_arlen, 3);
  assert_int_equal(rig.out.m_axi_arsize, 3);
  assert_int_equal(rig.out.m_axi_arburst, 1);
  assert_int_equal(rig.out.m_axi_aruser, (5 << 2 | 1) << 6 | 7 << 1 | 1); /* wid, slot, num, last */
  edge();
  look();
  assert_int_equal(rig.out.m_axi_arvalid, 0);
  line(1, 100);
  assert_int_equal(answered(), 2); /* r, the queue, o */
  assert_int_equal(rig.out.rsp.kind, HD_FILL);
  assert_int_equal(rig.out.rsp.id, 1);
  assert_int_equal(rig.out.rsp.wid, 5);
  assert_int_equal(rig.out.rsp_error, 0);
  for (unsigned i = 0; i < BEATS; i++)
    assert_int_equal(rig.out.rsp_data[i], 100 + i);
  wreck();
}

static void test_write(void **state) {
  (void)state;
  start();
  for (unsigned i = 0; i < BEATS; i++) {
    rig.in.req_wdata[i] = 200 + i;
    rig.in.req_wmask[i] = 1 << i;
  }
  rig.in.m_axi_wready = 0;
  ask(HD_STORE, 9, 0);
  step();
  rig.in.m_axi_wready = 1;
  for (unsigned i = 0; i < BEATS; i++) {
    look();
    assert_int_equal(rig.out.m_axi_wvalid, 1);
    assert_int_equal(rig.out.m_axi_wdata[0], 200 + i);
    assert_int_equal(rig.out.m_axi_wstrb[0], 1 << i);
    assert_int_equal(rig.out.m_axi_wlast, i == BEATS - 1);
    edge();
  }
  look();
  assert_int_equal(rig.out.m_axi_wvalid, 0);
  answer(0, SLVERR);
  answered();
  assert_int_equal(rig.out.rsp.kind, HD_STORE);
  assert_int_equal(rig.out.rsp_error, SLVERR);
  assert_int_equal(rig.out.errors, 1);
  wreck();
}

/* Two reads whose beats are interleaved. The younger read ends first. */
static void test_interleaved(void **state) {
  (void)state;
  start();
  ask(HD_FILL, 1, 0);
  ask(HD_BYPASSED, 2, 0); /* read 2: its id is after those of the MSHRs */
  for (unsigned i = 0; i < BEATS; i++) {
    if (i)
      beat(0, 100 + i - 1, 0, false);
    beat(2, 200 + i, 0, i == BEATS - 1);
  }
  beat(0, 103, 0, true);
  answered();
  assert_int_equal(rig.out.rsp.kind, HD_BYPASSED);
  assert_int_equal(rig.out.rsp_data[3], 203);
  answered();
  assert_int_equal(rig.out.rsp.kind, HD_FILL);
  assert_int_equal(rig.out.rsp_data[0], 100);
  assert_int_equal(EVENTS(interleave), 6); /* all but the first beat, and the last of all */
  wreck();
}

/* While a line is in flight, a further access to it may go only if both are reads. */
static void test_order(void **state) {
  (void)state;
  start();
  ask(HD_FILL, 1, 0);
  ask(HD_BYPASSED, 1, 0);
  offer(HD_STORE, 1, 0);
  assert_int_equal(taken(), 0);
  line(0, 0);
  assert_int_equal(taken(), 0);
  line(2, 0);
  assert_in_range(taken(), 1, 3);
  offer(HD_FILL, 1, 1);
  assert_int_equal(taken(), 0);
  answer(0, 0);
  assert_in_range(taken(), 1, 3);
  assert_true(EVENTS(wait_read) && EVENTS(wait_write));
  wreck();
}

/* Writes and bypassed loads use a fixed number of places in turn. */
static void test_places(void **state) {
  (void)state;
  start();
  for (unsigned i = 0; i < 2; i++) {
    offer(HD_STORE, 10 + i, 0);
    assert_in_range(taken(), 2, 6); /* the bytes of the write before leave first */
    ask(HD_BYPASSED, 20 + i, 0);
  }
  offer(HD_STORE, 12, 0);
  assert_int_equal(taken(), 0);
  answer(1, 0); /* the younger: its place is not the next one */
  assert_int_equal(taken(), 0);
  answer(0, 0);
  assert_in_range(taken(), 1, 5);
  offer(HD_BYPASSED, 22, 0);
  assert_int_equal(taken(), 0);
  line(2, 0);
  assert_in_range(taken(), 1, 5);
  assert_true(EVENTS(wait_place) && EVENTS(wait_bypass));
  wreck();
}

/* Protocol violations: unknown ids, bursts that are too short or too long, an answer before its write. */
static void test_faults(void **state) {
  (void)state;
  start();
  beat(1, 0, 0, true);
  step();
  look();
  assert_int_equal(rig.out.fault, 1);
  assert_int_equal(rig.out.errors, 0);
  rig.in.clear = 1;
  step();
  rig.in.clear = 0;
  look();
  assert_int_equal(rig.out.fault, 0);
  ask(HD_FILL, 1, 0);
  beat(0, 0, 0, false);
  beat(0, 0, 0, true);
  answered();
  assert_int_equal(rig.out.rsp_error, SLVERR);
  ask(HD_FILL, 2, 1);
  for (unsigned i = 0; i < BEATS; i++)
    beat(1, i, i == 2 ? DECERR : 0, false);
  answered();
  assert_int_equal(rig.out.rsp_error, DECERR);
  rig.in.m_axi_wready = 0;
  ask(HD_STORE, 3, 0);
  answer(0, 0);
  answered();
  assert_int_equal(rig.out.rsp_error, SLVERR);
  answer(0, 0); /* a second answer, for no write */
  step();
  look();
  assert_int_equal(rig.out.fault, 1);
  assert_int_equal(rig.out.errors, 3);
  assert_int_equal(EVENTS(stray_read), 1);
  assert_int_equal(EVENTS(stray_write), 1);
  assert_int_equal(EVENTS(short_burst), 1);
  assert_int_equal(EVENTS(long_burst), 1);
  assert_int_equal(EVENTS(early_answer), 1);
  wreck();
}

/* The error counter saturates. */
static void test_many_errors(void **state) {
  (void)state;
  start();
  for (unsigned i = 0; i < 260; i++) {
    ask(HD_FILL, i, 0);
    beat(0, 0, SLVERR, true);
    answered();
  }
  look();
  assert_int_equal(rig.out.errors, 255);
  assert_int_equal(EVENTS(errors_full), 5);
  wreck();
}

/* A read and a write end in the same cycle. Waiting answers lose nothing. */
static void test_together(void **state) {
  (void)state;
  start();
  ask(HD_STORE, 7, 0);
  ask(HD_FILL, 8, 0);
  for (unsigned i = 0; i < BEATS; i++)
    step(); /* the bytes leave */
  rig.in.rsp_ready = 0;
  for (unsigned i = 0; i + 1 < BEATS; i++)
    beat(0, i, 0, false);
  rig.in.m_axi_bvalid = 1;
  beat(0, 3, 0, true);
  rig.in.m_axi_bvalid = 0;
  for (unsigned i = 0; i < 8; i++)
    step();
  assert_int_equal(EVENTS(write_waits), 1);
  rig.in.rsp_ready = 1;
  answered();
  assert_int_equal(rig.out.rsp.kind, HD_FILL);
  answered();
  assert_int_equal(rig.out.rsp.kind, HD_STORE);
  wreck();
}

static void start_with_odd_sizes(void) {
  struct hd_config c = defaults();
  c.request_buffer.bypass = HD_BYPASS_ALL;
  c.l1d.line_bytes = 32;
  c.l1d.mshrs = 4;
  c.bus.kind = HD_BUS_AXI4;
  c.bus.data_bits = 64;
  c.bus.writes = c.bus.bypassed = 3;
  build(c);
  rig.in.rsp_ready = rig.in.m_axi_arready = rig.in.m_axi_awready = rig.in.m_axi_wready = 1;
}
static void bypasses(void) {
  ask(HD_BYPASSED, 9, 0);
  line(7, 100);
}
static void writes(void) {
  ask(HD_STORE, 9, 0);
  for (unsigned i = 0; i < BEATS; i++)
    step();
  answer(3, 0);
  step();
}
static void reads(void) {
  ask(HD_FILL, 9, 1);
  line(1, 100);
  answered();
}

/* 3 writes, 3 bypassed loads, 4 MSHRs, so up to 10 answers may wait. */
static void places_that_are_not_there(void **state) {
  (void)state;
  place_moves_as_in_rtl("bypass_next", 0, 3, start_with_odd_sizes, bypasses);
  place_moves_as_in_rtl("write_next", 0, 3, start_with_odd_sizes, writes);
  place_moves_as_in_rtl("queue_tail", 0, 10, start_with_odd_sizes, reads);
  place_moves_as_in_rtl("queue_head", 0, 10, start_with_odd_sizes, reads);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_read),
      cmocka_unit_test(test_write),
      cmocka_unit_test(test_interleaved),
      cmocka_unit_test(test_order),
      cmocka_unit_test(test_places),
      cmocka_unit_test(test_faults),
      cmocka_unit_test(test_many_errors),
      cmocka_unit_test(test_together),
      cmocka_unit_test(places_that_are_not_there),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
