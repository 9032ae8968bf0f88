/* The SM around the golden sm_mem and the simple memory: which warp issues in which cycle. Rules: docs/sm.md. */
#include "tests/unit/sm/sm_rig.h"

/* ---- True dependences ---- */

static struct wl_inst chain(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)cta, (void)warp;
  const struct wl_inst of[] = {
      plain(WL_ALU, 0, NOTHING),    /* 0 */
      plain(WL_ALU, 1, R0),         /* 4: reads register 0 */
      plain(WL_ALU, 2, NOTHING),    /* 5: only the order holds it */
      plain(WL_SFU, 2, NOTHING),    /* 9: one writer at a time */
      plain(WL_SHARED, 0, R2),      /* 29 */
      plain(WL_ALU, 1, R1),         /* 30 */
      plain(WL_ALU, WL_NO_REG, R0), /* 55 */
      leave(),
  };
  return of[n];
}

static void dependences_are_honoured(void **state) {
  (void)state;
  static const unsigned at[] = {0, 4, 5, 9, 29, 30, 55};
  run(defaults(), new_script(1, 1, 1, chain));
  assert_int_equal(b.n, 7);
  for (unsigned i = 0; i < b.n; i++)
    assert_int_equal(after(i), at[i]);
  end();
}

static struct wl_inst loads(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)cta, (void)warp;
  if (n < 6)
    return access_line(WL_LOAD, (int8_t)n, NOTHING, 3 * n);
  return n == 6 ? plain(WL_ALU, 10, R0) : n == 7 ? plain(WL_ALU, 11, 1 << 5) : leave();
}

/* The way of a load, by the modules' pages: picked in 0, at the issue port in 1, split in 2, at the coalescer's output in 3, in the
 * slot in 4, in the L1D's stages in 5 (a), 6 (c), 7 (d), in the miss queue in 8, at the memory in 9. It is answered in 209, in the
 * cache in 210, out of its MSHR in 211, and at the SM in 212. An instruction that waited for it issues in 213. */
enum { ROUND_TRIP = 213 };

static void loads_in_flight_are_limited(void **state) {
  (void)state;
  struct hd_config c = defaults();
  c.sm.loads = 1;
  run(c, new_script(1, 1, 1, loads));
  assert_int_equal(b.most_in_flight, 1);
  for (unsigned i = 0; i < 6; i++)
    assert_int_equal(after(i), i * ROUND_TRIP);
  assert_int_equal(after(6), after(5) + 1); /* its register was ready long before */
  assert_int_equal(after(7), after(5) + ROUND_TRIP);
  assert_int_equal(hd_sm_stats(b.sm)->load_latency_sum, 6 * (ROUND_TRIP - 1));
  end();
  c.sm.loads = 4;
  run(c, new_script(1, 1, 1, loads));
  assert_int_equal(b.most_in_flight, 4);
  assert_int_equal(after(1), 2); /* the latch is free once the coalescer has taken the one before */
  assert_int_equal(after(4), ROUND_TRIP);
  assert_int_equal(hd_sm_stats(b.sm)->load_requests, 6);
  end();
}

/* ---- Barriers ---- */

/* Warp 0 waits for warp 1, which waits for an SFU result; warp 2 has ended. */
static struct wl_inst meet(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)cta;
  const struct wl_inst slow[] = {plain(WL_SFU, 0, NOTHING), plain(WL_ALU, 1, R0),
                                 plain(WL_BARRIER, WL_NO_REG, NOTHING), plain(WL_ALU, 2, NOTHING), leave()};
  const struct wl_inst quick[] = {plain(WL_BARRIER, WL_NO_REG, NOTHING), plain(WL_ALU, 0, NOTHING), leave()};
  return warp == 0 ? quick[n] : warp == 1 ? slow[n] : leave();
}

static void barriers_hold_until_all_are_there(void **state) {
  (void)state;
  run(defaults(), new_script(1, 1, 3, meet));
  /* warp 0: barrier at 0; warp 1: 0, 20, 21; the barrier is seen in 22, both go on in 23 */
  assert_int_equal(b.n, 6);
  assert_int_equal(after(3), 21);
  assert_int_equal(after(4), 23);
  assert_int_equal(after(5), 23);
  assert_int_equal(hd_sm_stats(b.sm)->barriers, 1);
  end();
}

/* A store, then the barrier. The barrier opens when the store has left the coalescer and the buffer. */
static struct wl_inst store_and_meet(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)cta, (void)warp;
  const struct wl_inst of[] = {access_line(WL_STORE, WL_NO_REG, NOTHING, 7),
                               plain(WL_BARRIER, WL_NO_REG, NOTHING), plain(WL_ALU, 0, NOTHING), leave()};
  return of[n];
}

static void barriers_wait_for_the_order_of_requests(void **state) {
  (void)state;
  /* store issued in 0, offered 1, split 2, at the output 3, in the slot from 4 on: no longer busy then, so on in 5 */
  run(defaults(), new_script(1, 1, 1, store_and_meet));
  assert_int_equal(after(2), 5);
  end();
  /* in the MRPB's input register in 4, through to the L1D by 5 */
  struct hd_config c = defaults();
  c.request_buffer.kind = HD_MRPB;
  run(c, new_script(1, 1, 1, store_and_meet));
  assert_int_equal(after(2), 6);
  end();
}

/* ---- CTAs ---- */

static struct wl_inst two_alus(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)cta, (void)warp;
  return n < 2 ? plain(WL_ALU, (int8_t)n, NOTHING) : leave();
}

static void as_many_ctas_as_fit(void **state) {
  (void)state;
  static const struct {
    unsigned warps, fit; /* 48 warps, 8 CTAs */
  } t[] = {{1, 8}, {6, 8}, {7, 6}, {12, 4}, {25, 1}, {32, 1}};
  for (unsigned i = 0; i < sizeof t / sizeof *t; i++) {
    run(defaults(), new_script(1, 20, t[i].warps, chain));
    assert_int_equal(b.most_residents, t[i].fit);
    assert_int_equal(b.started, 20);
    assert_int_equal(b.residents, 0);
    assert_int_equal(hd_sm_stats(b.sm)->ctas, 20);
    assert_int_equal(b.n, 20 * t[i].warps * 7);
    end();
  }
}

static void ctas_start_one_a_cycle(void **state) {
  (void)state;
  struct hd_config c = defaults();
  c.sm.schedulers = 4;
  run(c, new_script(1, 4, 4, two_alus));
  for (unsigned i = 0; i < 4; i++) { /* warps 0..3 in cycles 0, 1; then CTA 1's warps, after these in LRR */
    assert_int_equal(b.issue[i].wid, i);
    assert_int_equal(after(i), 0);
    assert_int_equal(b.issue[4 + i].wid, 4 + i);
    assert_int_equal(after(4 + i), 1);
  }
  end();
}

/* The CTA is announced in cycle 1 and runs from cycle 2 on. Warp 0 has ended by then. Warp 1 issues in 2 and ends with its result in
 * 6. */
static struct wl_inst short_and_long(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)cta;
  return warp == 1 && n == 0 ? plain(WL_ALU, 0, NOTHING) : leave();
}

static void residents_are_counted_until_their_own_end(void **state) {
  (void)state;
  run(defaults(), new_script(1, 1, 2, short_and_long));
  assert_int_equal(hd_sm_stats(b.sm)->warp_cycles, 1 + 5);
  end();
  /* alone on an SM with one CTA at a time: the time between CTAs does not count */
  struct hd_config c = defaults();
  c.sm.ctas = 1;
  run(c, new_script(2, 3, 2, short_and_long));
  assert_int_equal(hd_sm_stats(b.sm)->warp_cycles, 2 * 3 * (1 + 5));
  end();
}

static void launches_do_not_overlap(void **state) {
  (void)state;
  run(defaults(), new_script(3, 5, 12, loads)); /* on_launch looks */
  assert_int_equal(hd_sm_stats(b.sm)->launches, 3);
  assert_int_equal(hd_sm_stats(b.sm)->loads, 3 * 5 * 12 * 6);
  end();
}

/* ---- Scheduling ---- */

static struct wl_inst three_alus(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)cta, (void)warp;
  return n < 3 ? plain(WL_ALU, (int8_t)n, NOTHING) : leave();
}

static void lrr_goes_round_and_gto_stays(void **state) {
  (void)state;
  struct hd_config c = defaults();
  c.sm.schedulers = 1;
  run(c, new_script(1, 1, 4, three_alus));
  for (unsigned i = 0; i < 12; i++)
    assert_int_equal(b.issue[i].wid, i % 4);
  end();
  c.scheduler.policy = HD_GTO;
  run(c, new_script(1, 1, 4, three_alus));
  for (unsigned i = 0; i < 12; i++)
    assert_int_equal(b.issue[i].wid, i / 3);
  end();
}

static void schedulers_issue_side_by_side(void **state) {
  (void)state;
  for (unsigned n = 1; n <= 4; n *= 2) {
    struct hd_config c = defaults();
    c.sm.schedulers = n;
    run(c, new_script(1, 1, 8, three_alus));
    assert_int_equal(after(b.n - 1), 24 / n - 1);
    for (unsigned i = 0; i < b.n; i++)
      assert_int_equal(b.issue[i].wid % n, i % n);
    end();
  }
}

/* ---- Workloads that do not fit ---- */

static uint64_t far_line;
static struct wl_inst far(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)cta, (void)warp;
  return n == 0 ? access_line(WL_LOAD, 0, NOTHING, far_line) : leave();
}

static void misfits_are_reported(void **state) {
  (void)state;
  struct hd_config c = defaults();
  struct hd_why why;
  c.sm.warps = 16;
  assert_int_equal(begin(c, new_script(1, 1, 17, far), &why), HD_INPUT);
  assert_non_null(strstr(why.text, "17 warps a CTA; the SM has sm.warps = 16"));
  end();
  far_line = UINT64_C(1) << 25; /* 32 bits are 25 bits of line address */
  run(c, new_script(1, 1, 1, far));
  assert_non_null(strstr(hd_sm_error(b.sm), "sm.addr_bits = 32"));
  end();
  far_line--;
  run(c, new_script(1, 1, 1, far));
  assert_null(hd_sm_error(b.sm));
  end();
  c.sm.lanes = 16;
  run(c, new_script(1, 1, 1, two_alus));
  assert_non_null(strstr(hd_sm_error(b.sm), "sm.lanes = 16"));
  end();
}

/* ---- Inputs of the mechanisms ---- */

/* Warp 1 of CTA 1 loads with its lanes from 3 on. CTA 0 is present for a while. */
static struct wl_inst one_loads(uint32_t cta, uint32_t warp, uint32_t n) {
  struct wl_inst i = access_line(n ? WL_STORE : WL_LOAD, n ? WL_NO_REG : 0, NOTHING, 5);
  i.pc = 0xabc00 + 8 * n;
  i.active = 0xf8;
  for (unsigned l = 0; l < WL_LANES; l++)
    i.addr[l] = 0x4000 + 4 * l;
  if (cta == 0 && n == 0)
    return plain(WL_SFU, 0, NOTHING);
  return cta == 1 && warp == 1 && n < 2 ? i : leave();
}

static void loads_say_where_they_are(void **state) {
  (void)state;
  struct hd_config c = defaults();
  c.scheduler.policy = HD_LAWS;
  c.prefetch.kind = HD_PF_SAP;
  c.sm.pc_bits = 16;
  c.prefetch.enable = false;
  assert_int_equal(begin(c, new_script(1, 2, 2, one_loads), NULL), HD_OK);
  unsigned announced = 0, loaded = 0;
  while (!hd_sm_done(b.sm)) {
    cycle();
    assert_int_equal(b.in.laws_en, 1);
    assert_int_equal(b.in.pf_en, 0);
    if (b.in.launch_valid) {
      assert_int_equal(b.in.launch_warps, announced ? 0xc : 0x3);
      announced++;
    }
    if (!b.in.issue_valid || b.in.issue_write)
      continue;
    loaded++;
    assert_int_equal(b.in.issue_wid, 3);
    assert_int_equal(b.in.issue_pc, 0xbc00);
    assert_int_equal(b.in.issue_low, 4 * 3);
    assert_int_equal(b.in.issue_line[3], 0x4000 / 128);
  }
  assert_int_equal(announced, 2);
  assert_int_equal(loaded, 1);
  end();
}

/* Warp 0: a load, an instruction that does not need it and one that does. Warp 1: a long way to a barrier. */
static struct wl_inst waiting(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)cta;
  const struct wl_inst of[2][5] = {
      {access_line(WL_LOAD, 0, NOTHING, 1), plain(WL_SFU, 1, NOTHING),
       plain(WL_ALU, 2, R1), /* waits for it */
       plain(WL_ALU, 0, R0), plain(WL_BARRIER, WL_NO_REG, NOTHING)},
      {plain(WL_SFU, 0, NOTHING), plain(WL_SFU, 1, R0), plain(WL_BARRIER, WL_NO_REG, NOTHING), leave()},
  };
  return n < 5 ? of[warp][n] : leave();
}

/* Each warp runs all kinds of instructions. For each ready warp it is known whether its instruction uses the L1D. */
static struct wl_inst of_all_kinds(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)cta;
  static const enum wl_op ops[] = {WL_LOAD, WL_ALU,  WL_STORE, WL_SHARED, WL_ATOMIC,
                                   WL_TEX,  WL_LOAD, WL_CONST, WL_SFU};
  const enum wl_op op = n < 9 ? ops[(n + warp) % 9] : WL_EXIT;
  if (n >= 9)
    return leave();
  return wl_is_memory(op) ? access_line(op, (int8_t)(op == WL_STORE ? WL_NO_REG : (int)n), NOTHING, n)
                          : plain(op, (int8_t)n, NOTHING);
}

static void what_is_next_is_reported(void **state) {
  (void)state;
  struct hd_config c = defaults();
  c.sm.warps = 8;
  for (unsigned heard = 0; heard < 2; heard++) {
    unsigned n[8] = {0}, loads = 0, others = 0;
    assert_int_equal(begin(c, new_script(1, 2, 3, of_all_kinds), NULL), HD_OK);
    if (heard) { /* as if a module heard it */
      b.c.d.NEXT_LOAD = b.c.d.NEXT_MEM = 1;
      hd_sm_free(b.sm);
      hd_grid_free(b.grid);
      assert_int_equal(hd_grid_new(&b.c, new_script(1, 2, 3, of_all_kinds), &b.grid, NULL), HD_OK);
      b.sm = hd_sm_new(&b.c, b.grid, &(struct hd_sm_options){0}, NULL);
    }
    while (!hd_sm_done(b.sm)) {
      cycle();
      for (unsigned w = 0; w < 6; w++) {
        if (!(b.in.ready >> w & 1))
          continue;
        const enum wl_op op = of_all_kinds(0, w % 3, n[w]).op;
        assert_int_equal(b.in.next_load >> w & 1, heard && op == WL_LOAD);
        assert_int_equal(b.in.next_mem >> w & 1, heard && wl_is_memory(op));
        loads += op == WL_LOAD;
        others += op == WL_STORE || op == WL_ATOMIC;
      }
      for (unsigned s = 0; s < b.c.sm.schedulers; s++)
        if (b.out.pick_valid[s])
          n[b.out.pick_wid[s]]++;
    }
    assert_true(loads > 6 && others > 6);
    end();
  }
}

/* For two levels: which warps wait for the memory or are absent. */
static void who_waits_for_memory(void **state) {
  (void)state;
  struct hd_config c = defaults();
  c.scheduler.policy = HD_TWO_LEVEL;
  c.sm.warps = 8;
  assert_int_equal(begin(c, new_script(1, 1, 2, waiting), NULL), HD_OK);
  uint64_t started = 0, begun[2][8], was = 0; /* cycles in which each bit rises or falls */
  unsigned changes[2] = {0};
  while (!hd_sm_done(b.sm)) {
    cycle();
    assert_int_equal(b.in.wait_mem >> 2, 0x3f);
    for (unsigned w = 0; w < 2; w++)
      if (b.now > 1 && ((b.in.wait_mem ^ was) >> w & 1)) {
        assert_true(changes[w] < 8);
        begun[w][changes[w]++] = b.now - 1;
      }
    was = b.in.wait_mem;
    if (!started && b.in.ready)
      started = b.now - 1;
  }
  /* Warp 0 issues in 0 and 1, and in 21 with the result of the SFU. Then it waits for its load, and two cycles later at the barrier,
   * which opens in the next cycle. */
  assert_int_equal(begun[0][0], started);
  assert_int_equal(begun[0][1], started + 22);
  assert_int_equal(begun[0][2], started + ROUND_TRIP);
  assert_int_equal(begun[0][3], started + ROUND_TRIP + 2);
  assert_int_equal(begun[0][4], started + ROUND_TRIP + 3);
  assert_int_equal(changes[0], 5);
  /* Warp 1 issues its SFUs in 0 and 20. It is at the barrier from 22 on until it ends. */
  assert_int_equal(begun[1][0], started);
  assert_int_equal(begun[1][1], started + 22);
  assert_int_equal(changes[1], 2);
  end();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dependences_are_honoured),
      cmocka_unit_test(loads_in_flight_are_limited),
      cmocka_unit_test(barriers_hold_until_all_are_there),
      cmocka_unit_test(barriers_wait_for_the_order_of_requests),
      cmocka_unit_test(as_many_ctas_as_fit),
      cmocka_unit_test(ctas_start_one_a_cycle),
      cmocka_unit_test(residents_are_counted_until_their_own_end),
      cmocka_unit_test(launches_do_not_overlap),
      cmocka_unit_test(lrr_goes_round_and_gto_stays),
      cmocka_unit_test(schedulers_issue_side_by_side),
      cmocka_unit_test(misfits_are_reported),
      cmocka_unit_test(loads_say_where_they_are),
      cmocka_unit_test(what_is_next_is_reported),
      cmocka_unit_test(who_waits_for_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
