/* Figures of runs of the whole performance model that can be counted by hand. */
#include "tests/unit/gpu/sim_try.h"
#include "tests/unit/script.h"

/* A chain of accesses of one warp: each waits for the load before it. Line x goes to set x mod 2. */
static struct wl_inst walk(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)cta, (void)warp;
  static const struct {
    enum wl_op op;
    unsigned line;
  } of[] = {
      {WL_LOAD, 0},  /* compulsory; shadow 0 */
      {WL_LOAD, 2},  /* compulsory, takes 0's place; 2 0 */
      {WL_LOAD, 0},  /* conflict, takes 2's place; 0 2 */
      {WL_LOAD, 1},  /* compulsory; 1 0 */
      {WL_LOAD, 3},  /* compulsory, takes 1's place; 3 1 */
      {WL_LOAD, 0},  /* hit; 0 3 */
      {WL_LOAD, 2},  /* capacity, takes 0's place; 2 0 */
      {WL_STORE, 2}, /* throws it out; 0 */
      {WL_LOAD, 2},  /* capacity, by the store; 2 0 */
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

/* Line 0 twice, then 2 in its place. */
static struct wl_inst again(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)cta, (void)warp;
  static const unsigned of[] = {0, 0, 2};
  return n == sizeof of / sizeof *of ? leave() : access_line(WL_LOAD, 0, R0, of[n]);
}

/* What a flush between launches took away has no part in the uses of the line that comes after it, in a sectored L1D too. */
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

/* Four warps, one after the other: line 0 by the first in cycle 0; 2 by the second in 300, pushes 0 out; 0 by
 * the first in 613, 2 goes; 4 by the third in 900, 0 goes; 0 by the fourth in 1200. An SFU result takes 20. */
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
  for (unsigned warps = 1; warps <= 4; warps *= 2) { /* a CTA */
    struct hd_sim_result r;
    assert_int_equal(try_source(c, new_script(1, 4 / warps, warps, in_turn), (struct hd_sim_job){0}, &r),
                     HD_OK);
    assert_int_equal(r.misses, 5);
    assert_int_equal(r.classes.compulsory, 3);
    assert_int_equal(r.classes.conflict, 2); /* the two others: the shadow had 2 0, and 4 0 */
    assert_int_equal(r.classes.cross_warp, warps == 1 ? 0 : 2);
    assert_int_equal(r.classes.cross_block, warps == 1 ? 2 : 0);
  }
}

/* A load of a line of its own, and what waits for it. */
static struct wl_inst one_load(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)cta;
  return n == 0 ? access_line(WL_LOAD, 0, NOTHING, warp) : n == 1 ? plain(WL_ALU, 1, R0) : leave();
}

/* Six of them, of which none waits. */
static struct wl_inst six_loads(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)cta;
  return n < 6 ? access_line(WL_LOAD, (int8_t)n, NOTHING, 6 * warp + n) : leave();
}

/* Two MSHRs: of three warps' loads the last fails until the first is answered, and all warps wait for theirs. Of four times six loads
 * all but the first few are still to issue, and wait for the LSU alone. */
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
