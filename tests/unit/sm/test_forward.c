/* Instructions that an SM passes over (cmodel/sm/forward.h): their number, for goals worked out by hand. */
#include "tests/unit/sm/sm_rig.h"

#include <math.h>

#include "cmodel/sm/forward.h"

/* An SM with room for one CTA, run until `cta` has started. */
static void begin_at(struct wl_source *source, unsigned cta) {
  struct hd_config c = defaults();
  c.sm.ctas = 1;
  assert_int_equal(begin(c, source, NULL), HD_OK);
  while (b.started <= cta)
    cycle();
  for (unsigned i = 0; i < 60; i++) /* so that warps that end at once have ended */
    cycle();
}

/* Returns the number of instructions passed. */
static uint64_t forward(void) {
  uint64_t n = 0;
  hd_sms_forward(&b.sm, 1, 0, NULL, &n);
  return n;
}

static struct wl_inst work(uint32_t pc) {
  struct wl_inst i = plain(WL_ALU, R0, NOTHING);
  i.pc = pc;
  return i;
}

/* Warp 0 has no instructions, warp 1 a thousand. */
static struct wl_inst lame(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)cta;
  return warp && n < 1000 ? work(n) : leave();
}

/* A warp that has ended and has nothing to pass is not the last warp of its CTA. The other warp goes on in the CTAs that follow. */
static void who_passes_nothing_keeps_nobody(void **state) {
  (void)state;
  begin_at(new_script(1, 8, 2, lame), 0);
  hd_sm_set_goal(b.sm, 0, 0);
  hd_sm_set_goal(b.sm, 1, 2500);
  assert_int_equal(forward(), 2500);
  assert_false(hd_sm_starved(b.sm));
  end();
}

/* Warp 0 has 300 instructions, warp 1 a thousand. */
static struct wl_inst uneven(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)cta;
  return n < (warp ? 1000 : 300) ? work(n) : leave();
}

/* When both warps have ended in the first CTA, warp 0 has half of its goal left and warp 1 a fifth. Warp 0 has waited for warp 1, so
 * it has a fifth left too. */
static void warps_wait_for_the_last_one(void **state) {
  (void)state;
  begin_at(new_script(1, 8, 2, uneven), 0);
  const uint64_t gone[] = {hd_sm_went(b.sm, 0), hd_sm_went(b.sm, 1)};
  const double rest[] = {300 - (double)gone[0], 1000 - (double)gone[1]};
  hd_sm_set_goal(b.sm, 0, 2 * rest[0]);
  hd_sm_set_goal(b.sm, 1, 1.25 * rest[1]);
  forward();
  assert_true(fabs((double)(hd_sm_went(b.sm, 0) - gone[0]) - 1.4 * rest[0]) <= 1);
  assert_true(fabs((double)(hd_sm_went(b.sm, 1) - gone[1]) - 1.25 * rest[1]) <= 1);
  end();
}

/* The first CTA runs a loop of ten instructions 100 times. The others run straight on. */
static struct wl_inst loop_then_line(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)warp;
  return n >= 1000 ? leave() : work(cta ? n : n % 10);
}

/* A warp is to pass 13 instructions. It stops after ten, at its place in the loop, and passes three more the next time. If its CTA
 * has ended by then, the slot's next warp does not pass them. */
static void debts_end_with_the_cta(void **state) {
  (void)state;
  begin_at(new_script(1, 2, 1, loop_then_line), 0);
  hd_sm_set_goal(b.sm, 0, 13);
  assert_int_equal(forward(), 10);
  hd_sm_set_goal(b.sm, 0, 15);
  assert_int_equal(forward(), 20); /* 18, and on to the end of the round */
  hd_sm_set_goal(b.sm, 0, 15);
  assert_int_equal(forward(), 10); /* 13 */
  hd_sm_forwarded(b.sm);
  while (b.started < 2)
    cycle();
  for (unsigned i = 0; i < 60; i++)
    cycle();
  hd_sm_set_goal(b.sm, 0, 15);
  assert_int_equal(forward(), 15);
  end();
}

/* ---- Reports of accesses, and their order ---- */

enum { WARPS = 2, BARRIER = 400 };

/* An access of a line that identifies its warp. A barrier is far away. */
static struct wl_inst own_line(uint32_t cta, uint32_t warp, uint32_t n) {
  struct wl_inst i = n == BARRIER ? plain(WL_BARRIER, WL_NO_REG, NOTHING)
                                  : access_line(WL_LOAD, R0, NOTHING, cta + 2 * warp);
  i.pc = n;
  return i;
}

static struct sm_rig other; /* SM 1 */

static void swap(void) {
  const struct sm_rig was = b;
  b = other;
  other = was;
}

/* Two SMs, a CTA of two warps on each. */
static void begin_two(void) {
  struct hd_config c = defaults();
  c.gpu.sms = c.gpu.dispatch_latency = 2;
  c.sm.ctas = 1;
  assert_int_equal(begin(c, new_script(1, 2, WARPS, own_line), NULL), HD_OK);
  other = b;
  swap();
  assert_true(hd_alloc_in(b.decl, &b.in) && hd_alloc_out(b.decl, &b.out));
  b.m = hd_model_new(b.design, "sm_mem", false, NULL);
  b.memory = hd_memory_new(&b.c, &(struct hd_memory_options){0});
  b.sm = hd_sm_new(&b.c, b.grid, &(struct hd_sm_options){0}, NULL);
  swap();
  for (unsigned i = 0; i < 2; i++) {
    while (hd_sm_occupied(b.sm) != (1 << WARPS) - 1)
      cycle();
    swap();
  }
}

static void end_two(void) {
  hd_sm_free(other.sm);
  hd_memory_free(other.memory);
  hd_model_free(other.m);
  hd_free_in(other.decl, &other.in);
  hd_free_out(other.decl, &other.out);
  end();
}

static char told[1024];
static unsigned tellings;

/* Records accesses. a, b: warp 0 of SM 0 and 1; c, d: warp 1. */
static void hear(void *ctx, uint64_t line, unsigned sector, bool store) {
  assert_true(!ctx && line < 4 && !sector && !store && tellings + 1 < sizeof told);
  told[tellings++] = (char)('a' + line);
}

/* Each warp passes its goal. `last`: the last part of the way, whose accesses are reported. */
static void forward_two(const double goal[2 * WARPS], double last) {
  struct hd_sm *const sm[] = {b.sm, other.sm};
  uint64_t went[2] = {0};
  for (unsigned i = 0; i < 2 * WARPS; i++)
    hd_sm_set_goal(sm[i % 2], i / 2, goal[i]);
  memset(told, 0, sizeof told);
  tellings = 0;
  hd_sms_forward(sm, 2, last, &(struct hd_passed){.access = hear}, went);
  assert_true((double)(went[0] + went[1]) == goal[0] + goal[1] + goal[2] + goal[3]);
}

/* The lines of both SMs are equally old, so the warps take turns of four instructions. The first half of the way is not reported. */
static void sms_take_turns(void **state) {
  (void)state;
  begin_two();
  forward_two((const double[]){128, 128, 128, 128}, 0.5);
  assert_int_equal(tellings, 4 * 64);
  for (unsigned i = 0; i < 16; i++)
    assert_memory_equal(told + 16 * i, "aaaabbbbccccdddd", 16);
  end_two();
}

/* Two instructions before a barrier. Up to the barrier the warps take turns. Then, SM by SM, come the barrier and the rest of the
 * turn. */
static void turns_up_to_a_barrier(void **state) {
  (void)state;
  begin_two();
  double goal[2 * WARPS];
  for (unsigned i = 0; i < 2 * WARPS; i++)
    goal[i] = BARRIER - 2 - (double)hd_sm_went(i % 2 ? other.sm : b.sm, i / 2);
  forward_two(goal, 0);
  forward_two((const double[]){8, 8, 8, 8}, 1);
  assert_string_equal(told, "aabbccdd"
                            "acbd"
                            "aaaabbbbccccdddd");
  end_two();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(who_passes_nothing_keeps_nobody), cmocka_unit_test(warps_wait_for_the_last_one),
      cmocka_unit_test(debts_end_with_the_cta),          cmocka_unit_test(sms_take_turns),
      cmocka_unit_test(turns_up_to_a_barrier),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
