/* How far the cycles of a sampled launch may be off (cmodel/gpu/doubts.h), by hand. The SMs have nothing but counts
 * of issued instructions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "cmodel/gpu/doubts.h"
#include "cmodel/sm/sm_state.h"

enum { SMS = 3 };

static struct hd_sm made[SMS], *const sm[SMS] = {&made[0], &made[1], &made[2]};

static struct hd_doubts *begin(unsigned sms) {
  memset(made, 0, sizeof made);
  struct hd_doubts *d = hd_doubts_new(sm, sms);
  assert_non_null(d);
  return d;
}

static uint64_t issued_by_all(void) {
  uint64_t n = 0;
  for (unsigned i = 0; i < SMS; i++)
    n += made[i].stats.instructions;
  return n;
}

static void assert_near(double is, double wanted) {
  if (!(fabs(is - wanted) <= 1e-9 * fabs(wanted) + 1e-9))
    fail_msg("%f instead of %f", is, wanted);
}

/* Ends the launch and checks its doubt. */
static void assert_doubt(struct hd_doubts *d, double drift, double last_sm) {
  const struct hd_doubt of = hd_doubts_end_launch(d);
  assert_near(of.drift, drift);
  assert_near(of.last_sm, last_sm);
}

/* ---- Drift ---- */

/* 150 instructions, 75 of them by cycle 150 of 400. The second half took 250 cycles, a quarter more than the mean. The 1000
 * instructions from before do not count. */
static void a_slow_second_half(void **state) {
  (void)state;
  struct hd_doubts *d = begin(2);
  made[0].stats.instructions = made[1].stats.instructions = 500;
  hd_doubts_measure(d, 7000, issued_by_all());
  static const unsigned added[] = {50, 50, 25, 25};
  for (unsigned i = 0; i < 4; i++) {
    made[i % 2].stats.instructions += added[i];
    hd_doubts_look(d, 7000 + 100 * (i + 1), issued_by_all());
  }
  hd_doubts_stand_for(d, 1000, false);
  assert_doubt(d, 250, 0);
  assert_doubt(d, 0, 0); /* the next launch has none */
  hd_doubts_free(d);
}

/* A sample of `cycles` cycles, looked at in each cycle. The SM issues `first` instructions per cycle in the first half, then
 * `second`. */
static void measure(struct hd_doubts *d, unsigned cycles, unsigned first, unsigned second) {
  hd_doubts_measure(d, 0, issued_by_all());
  for (unsigned i = 0; i < cycles; i++) {
    made[0].stats.instructions += i < cycles / 2 ? first : second;
    hd_doubts_look(d, i + 1, issued_by_all());
  }
}

/* Two instructions a cycle, then one, looked at so often that not all looks are kept. Of 1500 instructions 750 are issued by cycle
 * 375 of 1000. A second sample does the reverse with half the weight, so the sum is half of the first drift. */
static void drifts_add_up(void **state) {
  (void)state;
  struct hd_doubts *d = begin(1);
  for (unsigned turn = 0; turn < 2; turn++) {
    measure(d, 1000, turn ? 1 : 2, turn ? 2 : 1);
    hd_doubts_stand_for(d, turn ? 100 : 200, false);
  }
  assert_doubt(d, 50 - 25, 0);
  hd_doubts_free(d);
}

/* A sample that later stands for more cycles drifts in them too, whatever was measured since. A sample of an earlier launch does
 * not. */
static void a_sample_that_stands_for_more(void **state) {
  (void)state;
  struct hd_doubts *d = begin(1);
  measure(d, 1000, 2, 1);
  hd_doubts_stand_for(d, 200, false);
  measure(d, 1000, 1, 2);
  hd_doubts_extend(d, 100);
  assert_doubt(d, 50 + 25, 0);
  hd_doubts_extend(d, 100);
  assert_doubt(d, 0, 0);
  hd_doubts_free(d);
}

/* No drift if the pace is constant or 0. */
static void no_drift(void **state) {
  (void)state;
  struct hd_doubts *d = begin(1);
  for (unsigned pace = 0; pace < 3; pace++) {
    measure(d, 300, pace, pace);
    hd_doubts_stand_for(d, 1000, false);
    assert_doubt(d, 0, 0);
  }
  hd_doubts_free(d);
}

/* ---- The last SM ---- */

static void sample(struct hd_doubts *d, const unsigned issued[SMS], double cycles, bool last_wave) {
  hd_doubts_measure(d, 0, issued_by_all());
  for (unsigned i = 0; i < SMS; i++)
    made[i].stats.instructions += issued[i];
  hd_doubts_look(d, 100, issued_by_all());
  hd_doubts_stand_for(d, cycles, last_wave);
}

/* Two of the SMs issue instructions. One issues 1.1 of the mean after 1, then 0.8: errors of 0.1 of 1000 cycles and 0.3 of 500,
 * whose squares are halved. The other SM has the same errors. The result is the worst SM, not the sum. While other SMs take CTAs
 * instead, the error is 0. */
static void paces_that_differ(void **state) {
  (void)state;
  struct hd_doubts *d = begin(3);
  sample(d, (const unsigned[]){100, 100, 0}, 1000, true); /* no earlier sample to compare with */
  sample(d, (const unsigned[]){220, 180, 0}, 1000, true);
  sample(d, (const unsigned[]){80, 120, 0}, 500, true);
  sample(d, (const unsigned[]){120, 80, 0}, 5000, false);
  assert_doubt(d, 0, 100 * 100 / 2.0 + 150 * 150 / 2.0);
  /* A launch's first sample is not compared with the last sample of the launch before. */
  sample(d, (const unsigned[]){80, 120, 0}, 1000, true);
  sample(d, (const unsigned[]){80, 120, 0}, 1000, true);
  assert_doubt(d, 0, 0);
  sample(d, (const unsigned[]){80, 120, 0}, 1000, true);
  sample(d, (const unsigned[]){60, 100, 20}, 1000,
         true); /* 1, 5/3, 1/3 of the mean: errors 0.2 and 0.47; the third SM is new */
  const double off = (5 / 3.0 - 1.2) * 1000;
  assert_doubt(d, 0, off * off / 2);
  hd_doubts_free(d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_slow_second_half),
      cmocka_unit_test(drifts_add_up),
      cmocka_unit_test(a_sample_that_stands_for_more),
      cmocka_unit_test(no_drift),
      cmocka_unit_test(paces_that_differ),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
