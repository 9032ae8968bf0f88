/* Figures of runs of the whole performance model that can be counted by hand. */
#include "tests/unit/gpu/sim_try.h"
#include "tests/unit/script.h"

/* A chain of accesses of one warp. Each access waits for the load before it. Line x goes to set x mod 2. */
static struct wl_inst walk(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)cta, (void)warp;
  static const struct {
    enum wl_op op;
    unsigned line;
  } of[] = {
      {WL_LOAD, 0},  /* compulsory; shadow 0 */
      {WL_LOAD, 2},  /* compulsory, replaces 0; 2 0 */
      {WL_LOAD, 0},  /* conflict, replaces 2; 0 2 */
      {WL_LOAD, 1},  /* compulsory; 1 0 */
      {WL_LOAD, 3},  /* compulsory, replaces 1; 3 1 */
      {WL_LOAD, 0},  /* hit; 0 3 */
      {WL_LOAD, 2},  /* capacity, replaces 0; 2 0 */
      {WL_STORE, 2}, /* evicts it; 0 */
      {WL_LOAD, 2},  /* capacity, due to the store; 2 0 */
  };
  if (n == sizeof of / sizeof *of)
    return leave();
  return access_line(of[n].op, of[n].op == WL_LOAD ? 0 : WL_NO_REG, R0, of[n].line);
}

static void a_walk_through_two_lines(void **state) {
  (void)state;
  struct hd_config c = built(fermi);
  struct hd_sim_result r;
  c.l1d.sets = 2;
  c.l1d.ways = 1;
  assert_int_equal(try_source(c, new_script(1, 1, 1, walk), (struct hd_sim_job){0}, &r), HD_OK);
  assert_int_equal(r.loads, 8);
  assert_int_equal(r.stores, 1);
  assert_int_equal(r.hits, 1);
  assert_int_equal(r.misses, 7);
  assert_int_equal(r.evictions, 4);
  assert_int_equal(r.evicted_uses[HD_USED_ONCE], 3);  /* 0, 2, 1 */
  assert_int_equal(r.evicted_uses[HD_USED_TWICE], 1); /* 0 */
  assert_int_equal(r.store_evicts, 1);
  assert_int_equal(r.classes.compulsory, 4);
  assert_int_equal(r.classes.conflict, 1);
  assert_int_equal(r.classes.capacity, 2);
  assert_int_equal(r.classes.intra_warp, 2);
  assert_int_equal(r.classes.write_evict, 1);
}

/* Loads line 0 twice, then line 2 in its place. */
static struct wl_inst again(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)cta, (void)warp;
  static const unsigned of[] = {0, 0, 2};
  return n == sizeof of / sizeof *of ? leave() : access_line(WL_LOAD, 0, R0, of[n]);
}

/* The uses of a line that a flush removed do not count for the next line in its way. Also in a sectored L1D. */
static void uses_end_with_a_flush(void **state) {
  (void)state;
  for (unsigned sectors = 0; sectors < 2; sectors++) {
    struct hd_config c = built(fermi);
    struct hd_sim_result r;
    c.l1d.sets = 2;
    c.l1d.ways = 1;
    if (sectors) {
      c.sm.coalesce = HD_COALESCE_SECTORS;
      c.l1d.sector_bytes = 32;
      c.l1d.fill = HD_L1D_FILL_SECTOR;
    }
    assert_int_equal(try_source(c, new_script(2, 1, 1, again), (struct hd_sim_job){0}, &r), HD_OK);
    assert_int_equal(r.loads, 6);
    assert_int_equal(r.evictions, 2);
    assert_int_equal(r.evicted_uses[HD_USED_TWICE], 2);
  }
}

/* Four warps in turn. The first loads line 0 in cycle 0. The second loads 2 in 300 and evicts 0. The first loads 0 in 613 and evicts
 * 2. The third loads 4 in 900 and evicts 0. The fourth loads 0 in 1200. An SFU result takes 20 cycles. */
static struct wl_inst in_turn(uint32_t cta, uint32_t warp, uint32_t n) {
  static const struct {
    unsigned wait, line; /* SFU results; then the load */
  } of[4][2] = {{{0, 0}, {20, 0}}, {{15, 2}}, {{45, 4}}, {{60, 0}}};
  const uint32_t turn = cta * script.warps + warp, loads = turn == 0 ? 2 : 1;
  for (uint32_t i = 0; i < loads; n -= of[turn][i++].wait + 1)
    if (n <= of[turn][i].wait)
      return n < of[turn][i].wait ? plain(WL_SFU, 0, R0) : access_line(WL_LOAD, 0, R0, of[turn][i].line);
  return leave();
}

static void who_takes_the_line(void **state) {
  (void)state;
  struct hd_config c = built(fermi);
  c.l1d.sets = 2;
  c.l1d.ways = 1;
  for (unsigned warps = 1; warps <= 4; warps *= 2) { /* warps of a CTA */
    struct hd_sim_result r;
    assert_int_equal(try_source(c, new_script(1, 4 / warps, warps, in_turn), (struct hd_sim_job){0}, &r),
                     HD_OK);
    assert_int_equal(r.misses, 5);
    assert_int_equal(r.classes.compulsory, 3);
    assert_int_equal(r.classes.conflict, 2); /* the other two: the shadow held 2 0, and 4 0 */
    assert_int_equal(r.classes.cross_warp, warps == 1 ? 0 : 2);
    assert_int_equal(r.classes.cross_block, warps == 1 ? 2 : 0);
  }
}

/* A load of a line of its own, and an instruction that waits for it. */
static struct wl_inst one_load(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)cta;
  return n == 0 ? access_line(WL_LOAD, 0, NOTHING, warp) : n == 1 ? plain(WL_ALU, 1, R0) : leave();
}

/* Six such loads. None of them waits. */
static struct wl_inst six_loads(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)cta;
  return n < 6 ? access_line(WL_LOAD, (int8_t)n, NOTHING, 6 * warp + n) : leave();
}

/* Two MSHRs. Of three warps' loads the last fails until the first is answered, and all warps wait for their loads. Of four times six
 * loads all but the first few are still to issue and wait only for the LSU. */
static void who_is_ready_while_requests_fail(void **state) {
  (void)state;
  struct hd_config c = built(fermi);
  struct hd_sim_result r;
  c.l1d.mshrs = 2;
  assert_int_equal(try_source(c, new_script(1, 1, 3, one_load), (struct hd_sim_job){0}, &r), HD_OK);
  assert_in_range(r.fail_mshr, c.memory.latency, c.memory.latency + 10); /* a miss takes so long in the L1D */
  assert_int_equal(r.sm.ready_in_fails, 0);
  c.sm.loads = 8;
  assert_int_equal(try_source(c, new_script(1, 1, 4, six_loads), (struct hd_sim_job){0}, &r), HD_OK);
  assert_in_range(r.fail_mshr, 11 * c.memory.latency, 12 * c.memory.latency); /* 24 loads, two at a time */
  assert_in_range(r.sm.ready_in_fails, r.fail_mshr, 4 * r.fail_mshr);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_walk_through_two_lines),
      cmocka_unit_test(uses_end_with_a_flush),
      cmocka_unit_test(who_takes_the_line),
      cmocka_unit_test(who_is_ready_while_requests_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
