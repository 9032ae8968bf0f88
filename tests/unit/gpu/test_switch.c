/* A run-time enable that changes while requests wait. A lazy run must do the same as a run of every cycle. MRPB's enable may change
 * at any time and reaches the L1D without an attachment. */
#include "tests/unit/gpu/core_rig.h"
#include "workloads/rng.h"

enum { LIMIT = 400000, WINDOW = 40 };

/* Takes effect in the next cycle. In a lazy run the caller wakes the modules that the enable reaches. */
static void set_enable(struct run *r, bool on) {
  r->c.request_buffer.enable = on;
  r->core.in.mrpb_en = on;
  r->core.lazy.awake |= 1U << LAZY_BUFFER | 1U << LAZY_L1D;
}

static uint64_t waits(const struct run *r) {
  const uint64_t *ev = r->core.m->u_l1d->base.ev;
  return ev[EV_l1d_fail_line_alloc] + ev[EV_l1d_fail_mshr] + ev[EV_l1d_fail_mshr_merge];
}

static void in_mid_stall(enum hd_bypass bypass, bool any, uint64_t seed) {
  struct hd_config c;
  hd_config_default(&c);
  c.request_buffer.kind = HD_MRPB;
  c.request_buffer.bypass = bypass;
  c.l1d.sets = 4;
  c.l1d.mshrs = 8;
  struct run lazy, full;
  struct wl_rng rng = {seed};
  uint64_t stalls = 0, now = 0;
  bool on = true;
  begin(&lazy, &c);
  begin(&full, &c);
  if (any)
    lazy.core.lazy.code = &hd_lazy_code_any;
  while (!hd_sm_done(full.core.sm)) {
    const uint64_t before = waits(&full);
    now += 1 + wl_rng_below(&rng, WINDOW);
    assert_true(now < LIMIT);
    hd_core_run(&lazy.core, now, false);
    hd_core_run(&full.core, now, true);
    hd_lazy_settle(&lazy.core.lazy);
    assert_events_equal(&lazy.core.m->u_l1d->base, &full.core.m->u_l1d->base);
    assert_events_equal(&lazy.core.m->u_mrpb->base, &full.core.m->u_mrpb->base);
    stalls += waits(&full) > before;
    on = !on;
    set_enable(&lazy, on);
    set_enable(&full, on);
  }
  assert_true(hd_sm_done(lazy.core.sm));
  assert_int_equal(hd_grid_cycles(lazy.grid), hd_grid_cycles(full.grid));
  assert_true(stalls > 100 && full.core.m->u_l1d->base.ev[EV_l1d_bypass] > 100);
  end(&lazy);
  end(&full);
}

static void lines(void **state) {
  (void)state;
  in_mid_stall(HD_BYPASS_ASSOC, false, 1);
  in_mid_stall(HD_BYPASS_ASSOC, true, 2);
}
static void all(void **state) {
  (void)state;
  in_mid_stall(HD_BYPASS_ALL, false, 3);
  in_mid_stall(HD_BYPASS_ALL, true, 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines),
      cmocka_unit_test(all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
