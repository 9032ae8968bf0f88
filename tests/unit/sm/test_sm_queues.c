/* The SM with MemSched and CASC behind it: which warp issues in which cycle, and the inputs of these two. Rules: docs/sm.md. */
#include "tests/unit/sm/sm_rig.h"

static struct hd_config memsched(enum hd_drain drain) {
  struct hd_config c = defaults();
  c.request_buffer.kind = HD_MEMSCHED;
  c.request_buffer.drain = drain;
  return c;
}

/* ---- One memory instruction of a warp before the L1D (D-SM-13) ---- */

static enum wl_op first_op;

static struct wl_inst two_accesses(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)cta, (void)warp;
  const struct wl_inst of[] = {access_line(first_op, first_op == WL_LOAD ? 0 : WL_NO_REG, NOTHING, 7),
                               plain(WL_ALU, 1, NOTHING), access_line(WL_LOAD, 2, NOTHING, 5),
                               plain(WL_ALU, 3, NOTHING), leave()};
  return of[n];
}

/* A load is issued in 0, offered in 1, split in 2, at the coalescer's output in 3, in the buffer's input in 4, the head of its queue
 * in 5, chosen in 6, at the output in 7, and in the L1D's stages in 8 (a), 9 (c), 10 (d). The buffer hears of it in 11 and is empty
 * in 12. Probes take two more cycles. A store passes the buffer's input in 4. */
static void a_warp_waits_for_its_queue(void **state) {
  (void)state;
  static const struct {
    enum hd_buffer kind;
    enum hd_drain drain;
    enum wl_op op;
    bool enabled;
    unsigned second;
  } t[] = {
      {HD_SLOT, HD_DRAIN_FIXED, WL_LOAD, true, 2},      {HD_MEMSCHED, HD_DRAIN_FIXED, WL_LOAD, true, 13},
      {HD_MEMSCHED, HD_DRAIN_RR, WL_LOAD, true, 13},    {HD_MEMSCHED, HD_DRAIN_GRR, WL_LOAD, true, 15},
      {HD_MEMSCHED, HD_DRAIN_FIXED, WL_STORE, true, 6}, {HD_MEMSCHED, HD_DRAIN_GRR, WL_LOAD, false, 2},
  };
  for (unsigned i = 0; i < sizeof t / sizeof *t; i++) {
    struct hd_config c = memsched(t[i].drain);
    c.request_buffer.kind = t[i].kind;
    c.request_buffer.enable = t[i].enabled;
    first_op = t[i].op;
    run(c, new_script(1, 1, 1, two_accesses));
    assert_int_equal(b.n, 4);
    assert_int_equal(after(1), 1); /* an instruction without requests does not wait */
    assert_int_equal(after(2), t[i].second);
    assert_int_equal(after(3), t[i].second + 1);
    end();
  }
}

/* Each warp waits only for its own queue. */
static void other_warps_go_on(void **state) {
  (void)state;
  struct hd_config c = memsched(HD_DRAIN_RR);
  c.sm.lsu_queue = 4;
  c.sm.schedulers = 1;
  first_op = WL_LOAD;
  run(c, new_script(1, 1, 4, two_accesses));
  for (unsigned i = 0; i < 8; i++) /* the loads and the ALUs of four warps */
    assert_int_equal(after(i), i);
  assert_true(after(8) > 11);
  end();
}

/* ---- Barriers ---- */

static uint64_t lines; /* of the load, one a lane */

static struct wl_inst load_and_meet(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)cta, (void)warp;
  struct wl_inst load = access_line(WL_LOAD, 0, NOTHING, 0);
  load.active = (uint32_t)(1u << lines) - 1;
  for (unsigned l = 0; l < lines; l++)
    load.addr[l] = UINT64_C(4096) * l;
  const struct wl_inst of[] = {load, plain(WL_BARRIER, WL_NO_REG, NOTHING), plain(WL_ALU, 1, NOTHING),
                               leave()};
  return of[n];
}

static void barriers_wait_for_the_queue(void **state) {
  (void)state;
  lines = 1;
  run(memsched(HD_DRAIN_FIXED), new_script(1, 1, 1, load_and_meet));
  assert_int_equal(after(2), 13);
  end();
  struct hd_config c = memsched(HD_DRAIN_FIXED);
  c.request_buffer.signature = HD_SIG_BLOCK; /* MemSched ignores it */
  c.sm.warps = 16;
  run(c, new_script(1, 2, 8, load_and_meet));
  assert_int_equal(hd_sm_stats(b.sm)->barriers, 2);
  end();
}

/* Five requests: at the coalescer's output from 3 to 7, gathered by 8, at CASC's output from 9 to 13. */
static void barriers_wait_for_what_is_gathered(void **state) {
  (void)state;
  for (int casc = 0; casc < 2; casc++) {
    struct hd_config c = defaults();
    c.casc.scheme = casc ? HD_CASC_ALL : HD_CASC_OFF;
    lines = c.l1d.ways + 1;
    run(c, new_script(1, 1, 1, load_and_meet));
    assert_int_equal(after(2), casc ? 15 : 9);
    end();
  }
}

/* ---- Inputs of the mechanisms ---- */

static struct wl_inst one_load(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)cta, (void)warp;
  struct wl_inst i = access_line(WL_LOAD, 0, NOTHING, 5);
  i.pc = 0xabc00;
  return n ? leave() : i;
}

/* Program counters go to machines whose lines know their loads. */
static void enables_and_program_counters(void **state) {
  (void)state;
  for (int enabled = 0; enabled < 2; enabled++) {
    struct hd_config c = defaults();
    c.casc.scheme = HD_CASC_LOCALITY;
    c.casc.enable = enabled;
    c.rft.form = HD_RFT_BIT;
    c.rft.enable = !enabled;
    c.sm.pc_bits = 16;
    run(c, new_script(1, 1, 1, one_load));
    assert_int_equal(b.in.casc_en, enabled);
    assert_int_equal(b.in.rft_en, !enabled);
    assert_int_equal(b.in.issue_pc, 0xbc00);
    end();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_warp_waits_for_its_queue),   cmocka_unit_test(other_warps_go_on),
      cmocka_unit_test(barriers_wait_for_the_queue),  cmocka_unit_test(barriers_wait_for_what_is_gathered),
      cmocka_unit_test(enables_and_program_counters),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
