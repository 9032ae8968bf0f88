/* The cycles of the SM's units: ALU width, SFU, shared-memory banks, constant and texture, fences, atomics, the way back of a load.
 * And how many CTAs fit. Rules: docs/sm.md. */
#include "tests/unit/sm/sm_rig.h"

/* Warp w issues one instruction, then one that waits for its register. */
static enum wl_op of_op;
static struct wl_inst pair(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)cta, (void)warp;
  return n == 0 ? plain(of_op, 0, NOTHING) : n == 1 ? plain(WL_ALU, 1, R0) : leave();
}

static void latencies(void **state) {
  (void)state;
  struct hd_config c = defaults();
  c.sm.const_latency = 17;
  c.sm.tex_latency = 130;
  const struct {
    enum wl_op op;
    unsigned cycles;
  } of[] = {{WL_ALU, c.sm.alu_latency},
            {WL_SFU, c.sm.sfu_latency},
            {WL_SHARED, c.sm.shared_latency},
            {WL_CONST, c.sm.const_latency},
            {WL_TEX, c.sm.tex_latency}};
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    of_op = of[i].op;
    run(c, new_script(1, 1, 1, pair));
    assert_int_equal(after(1), of[i].cycles);
    end();
  }
}

/* Three warps of one scheduler. Each issues two instructions that do not wait. */
static struct wl_inst burst(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)cta, (void)warp;
  return n < 2 ? plain(of_op, WL_NO_REG, NOTHING) : leave();
}

static void units_take_their_time(void **state) {
  (void)state;
  struct hd_config c = defaults();
  c.sm.schedulers = 1;
  for (unsigned width = 8; width <= 32; width *= 2) {
    c.sm.simd_width = width;
    of_op = WL_ALU;
    run(c, new_script(1, 1, 3, burst));
    assert_int_equal(b.n, 6);
    for (unsigned i = 0; i < b.n; i++)
      assert_int_equal(after(i), i * (32 / width));
    end();
  }
  for (unsigned cycles = 1; cycles < 9; cycles++) {
    c.sm.sfu_interval = cycles;
    of_op = WL_SFU;
    run(c, new_script(1, 1, 3, burst));
    for (unsigned i = 0; i < b.n; i++)
      assert_int_equal(after(i), i * cycles);
    end();
  }
}

/* A shared-memory access of all lanes, `stride` elements of `size` bytes apart, and an instruction that waits for it. */
static unsigned stride, size;
static struct wl_inst shared(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)cta, (void)warp;
  struct wl_inst i = plain(n == 0 ? WL_SHARED : WL_ALU, 0, n == 0 ? NOTHING : R0);
  i.size = (uint8_t)size;
  for (uint64_t l = 0; l < WL_LANES; l++)
    i.addr[l] = l * stride * size;
  return n < 2 ? i : leave();
}

static void lanes_meet_in_banks(void **state) {
  (void)state;
  static const struct {
    unsigned stride, size, passes;
  } of[] = {{0, 4, 1},  {1, 4, 1}, {2, 4, 2}, {3, 4, 1}, {16, 4, 16}, {32, 4, 32},
            {33, 4, 1}, {1, 8, 2}, {1, 1, 1}, {4, 1, 1}, {1, 16, 4}};
  struct hd_config c = defaults();
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    stride = of[i].stride;
    size = of[i].size;
    run(c, new_script(1, 1, 1, shared));
    assert_int_equal(after(1), c.sm.shared_latency + of[i].passes - 1);
    assert_int_equal(hd_sm_stats(b.sm)->shared_conflicts, of[i].passes - 1);
    end();
  }
  /* Two warps of two schedulers in one cycle: the second waits until the first is done. */
  stride = 4, size = 4;
  run(c, new_script(1, 1, 2, shared));
  assert_int_equal(after(0), 0);
  assert_int_equal(after(1), 0);
  assert_int_equal(after(2), c.sm.shared_latency + 3);
  assert_int_equal(after(3), c.sm.shared_latency + 7);
  end();
}

/* A store, a fence and an instruction; or an atomic and an instruction that waits for its result. */
static bool fence;
static struct wl_inst store_and_go(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)cta, (void)warp;
  if (n == 0)
    return access_line(fence ? WL_STORE : WL_ATOMIC, fence ? WL_NO_REG : 0, NOTHING, 5);
  if (n == 1 && fence)
    return plain(WL_FENCE, WL_NO_REG, NOTHING);
  return n == 1U + fence ? plain(WL_ALU, 1, fence ? NOTHING : R0) : leave();
}

static void fences_and_atomics_wait_for_memory(void **state) {
  (void)state;
  const struct hd_config c = defaults();
  fence = true;
  run(c, new_script(1, 1, 1, store_and_go));
  assert_true(after(1) > c.memory.latency);
  assert_int_equal(after(2), after(1) + 1);
  const uint64_t answered = after(1);
  end();
  fence = false;
  run(c, new_script(1, 1, 1, store_and_go));
  assert_int_equal(after(1), answered);
  end();
}

static struct wl_inst load_and_go(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)cta, (void)warp;
  return n == 0 ? access_line(WL_LOAD, 0, NOTHING, 3) : n == 1 ? plain(WL_ALU, 1, R0) : leave();
}

static void the_way_back_takes_time(void **state) {
  (void)state;
  struct hd_config c = defaults();
  run(c, new_script(1, 1, 1, load_and_go));
  const uint64_t direct = after(1);
  end();
  c.sm.return_latency = 30;
  run(c, new_script(1, 1, 1, load_and_go));
  assert_int_equal(after(1), direct + 29);
  end();
}

/* ---- The resources of CTAs ---- */

static uint32_t holds_shared, holds_regs;
static bool launch_that_holds(struct wl_source *src, struct wl_launch *launch) {
  const bool more = script_launch(src, launch);
  launch->shared_bytes = holds_shared;
  launch->regs = holds_regs;
  return more;
}

static struct wl_source *holding(uint32_t shared_bytes, uint32_t regs) {
  static struct wl_source_ops ops;
  struct wl_source *source = new_script(1, 20, 4, pair);
  ops = *source->ops;
  ops.next_launch = launch_that_holds;
  source->ops = &ops;
  holds_shared = shared_bytes;
  holds_regs = regs;
  of_op = WL_SFU;
  return source;
}

static void limits_hold(void **state) {
  (void)state;
  struct hd_config c = defaults();
  static const struct {
    unsigned shared, regs, threads, residents;
  } of[] = {{0, 0, 1536, 8},  {12288, 0, 1536, 4}, {49152, 0, 1536, 1}, {0, 63, 1536, 4},
            {0, 64, 1536, 4}, {0, 65, 1536, 3},    {0, 0, 300, 2},      {0, 0, 128, 1}};
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    c.sm.threads = of[i].threads;
    run(c, holding(of[i].shared, of[i].regs));
    assert_int_equal(b.most_residents, of[i].residents);
    assert_int_equal(hd_sm_stats(b.sm)->ctas, 20);
    end();
  }
}

static void what_does_not_fit_is_refused(void **state) {
  (void)state;
  struct hd_config c = defaults();
  struct hd_why why;
  assert_int_equal(begin(c, holding(50000, 0), &why), HD_INPUT);
  assert_non_null(strstr(why.text, "50000 bytes of shared memory a CTA; the SM has sm.shared_bytes = 49152"));
  end();
  assert_int_equal(begin(c, holding(0, 300), &why), HD_INPUT);
  assert_non_null(strstr(why.text, "38400 registers a CTA; the SM has sm.registers = 32768"));
  end();
  assert_int_equal(begin(c, holding(0, UINT32_MAX), &why), HD_INPUT);
  end();
  c.sm.threads = 96;
  assert_int_equal(begin(c, holding(0, 0), &why), HD_INPUT);
  assert_non_null(strstr(why.text, "128 threads a CTA; the SM has sm.threads = 96"));
  end();
}

/* ---- CTAs that end at once ---- */

/* Launch 1 has one warp per CTA, the others four. No warp has an instruction. */
static bool growing_launch(struct wl_source *src, struct wl_launch *launch) {
  const bool more = script_launch(src, launch);
  launch->warps_per_cta = script.begun == 1 ? 1 : 4;
  return more;
}

static struct wl_inst nothing(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)cta, (void)warp, (void)n;
  return leave();
}

static void a_launch_may_end_as_its_warps_start(void **state) {
  (void)state;
  static struct wl_source_ops ops;
  struct wl_source *source = new_script(3, 2, 4, nothing);
  ops = *source->ops;
  ops.next_launch = growing_launch;
  source->ops = &ops;
  run(defaults(), source);
  assert_int_equal(b.n, 0);
  assert_int_equal(hd_sm_stats(b.sm)->ctas, 6);
  end();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(latencies),
      cmocka_unit_test(units_take_their_time),
      cmocka_unit_test(lanes_meet_in_banks),
      cmocka_unit_test(fences_and_atomics_wait_for_memory),
      cmocka_unit_test(the_way_back_takes_time),
      cmocka_unit_test(limits_hold),
      cmocka_unit_test(what_does_not_fit_is_refused),
      cmocka_unit_test(a_launch_may_end_as_its_warps_start),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
