/* Lockstep on two threads: the model runs ahead of the RTL. A run without a difference ends as on one thread, with the same counts.
 * Bits flipped in registers, memories and outputs are found in the same cycle as on one thread and reported in the same words. Needs
 * Verilator; built modules are kept from run to run. */
#include <stdio.h>

#include "tests/unit/harness/cosim_rig.h"
#include "verif/harness/ahead.h"

static int begin(void **state) {
  (void)state;
  return begin_small();
}

static int end(void **state) {
  (void)state;
  finish();
  return 0;
}

static struct hd_cosim_job of(const char *module, unsigned threads, const char *fault) {
  return (struct hd_cosim_job){.design = t.design,
                               .module = module,
                               .seed = 7,
                               .cycles = 3000,
                               .work = t.work,
                               .fault = fault,
                               .no_waves = true,
                               .threads = threads};
}

/* Returns the report without its duration. The caller frees it. */
static char *told(void) {
  t.r.build_seconds = t.r.run_seconds = 0;
  json_t *json = hd_cosim_json(&t.r);
  char *numbers = json_dumps(json, JSON_INDENT(1)),
       *all = hd_format("%s\n%s\n%s", numbers, t.r.failure ? t.r.failure : "", t.why.text);
  json_decref(json);
  free(numbers);
  return all;
}

/* Fails unless one thread and two give the same report. */
static void alike(struct hd_cosim_job job, enum hd_rc rc) {
  char *text[2];
  for (unsigned i = 0; i < 2; i++) {
    job.threads = i + 1;
    t.why.text[0] = 0;
    run(job, rc);
    text[i] = told();
  }
  assert_string_equal(text[0], text[1]);
  free(text[0]);
  free(text[1]);
}

static void test_equal(void **state) {
  (void)state;
  alike(of("l1d", 0, NULL), HD_OK);
  assert_true(t.r.cycles >= 3000 && t.r.values_compared > 0 && t.r.facts_checked > 0);
  alike(of("request_slot", 0, NULL), HD_OK);
  struct hd_cosim_job job = of("sm_mem", 0, NULL);
  job.segment = 10; /* many resets */
  alike(job, HD_OK);
  job = of("sm_mem", 0, NULL);
  job.cycles = 70000; /* whole memories are compared */
  job.segment = 69000;
  alike(job, HD_OK);
  job = of("sm_mem", 0, NULL);
  job.workload = "random:tiny,launches=1";
  job.cycles = 100;
  alike(job, HD_CHECK);
  assert_true(t.r.cut);
  job.cycles = 0;
  alike(job, HD_OK);
  assert_false(t.r.cut);
}

/* Runs on two threads and returns the cycle in which the run stops. */
static uint64_t stops_ahead(const char *fault, enum hd_stop *stop, bool *good) {
  const struct hd_cosim_job job = of("l1d", 2, fault);
  struct hd_run run;
  assert_int_equal(hd_run_open(&run, &job, false, &t.why), HD_OK);
  assert_true(hd_ahead_fits(&run));
  *good = hd_ahead_go(&run);
  *stop = run.stop;
  const uint64_t cycle = run.cycle;
  hd_run_close(&run);
  return cycle;
}

static uint64_t stops(const char *fault, enum hd_stop *stop) {
  const struct hd_cosim_job job = of("l1d", 1, fault);
  struct hd_run run;
  assert_int_equal(hd_run_open(&run, &job, false, &t.why), HD_OK);
  assert_false(hd_ahead_fits(&run));
  hd_run_go(&run, NULL);
  *stop = run.stop;
  const uint64_t cycle = run.cycle;
  hd_run_close(&run);
  return cycle;
}

/* Registers of one element and of many, short and long; a memory; outputs. */
static const char *const faults[] = {"f_pos@900",         "valid[1].0@2500", "lru[1]@700",
                                     "f_data[2].17@1234", "data[7][3].5@1",  "data[1][0].63@2999",
                                     "resp_valid@900",    "mreq.line.3@1700"};

static void test_found_ahead(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    enum hd_stop stop, alone;
    bool good;
    const uint64_t cycle = stops_ahead(faults[i], &stop, &good);
    if (good || cycle != stops(faults[i], &alone) || alone != HD_DIFFERS)
      fail_msg("%s: good %d, cycle %llu", faults[i], good, (unsigned long long)cycle);
  }
  enum hd_stop stop;
  bool good;
  (void)stops_ahead(NULL, &stop, &good);
  assert_true(good && stop == HD_ENDED);
}

/* A model that changes a row of a memory without saying so. */
static struct {
  const struct hd_model_ops *ops;
  struct hd_run *run;
  unsigned ticks;
} stray;

static void tick_and_stray(void *model, const void *in) {
  const struct hd_ram *m = stray.run->table.ram;
  stray.ops->tick(model, in);
  if (++stray.ticks == HD_SWEEP - 3)
    *hd_ram_model(m, m->field, m->mem->depth - 1, 0) ^= 1;
}

/* The next compare of whole memories finds the change. */
static void test_stray_write(void **state) {
  (void)state;
  for (unsigned threads = 1; threads <= 2; threads++) {
    struct hd_cosim_job job = of("l1d", threads, NULL);
    job.cycles = job.segment = HD_SWEEP + 10000;
    struct hd_run run;
    assert_int_equal(hd_run_open(&run, &job, false, &t.why), HD_OK);
    stray.ops = run.ops;
    stray.run = &run;
    stray.ticks = 0;
    struct hd_model_ops ops = *run.ops;
    ops.tick = tick_and_stray;
    run.ops = &ops;
    if (threads == 2)
      assert_false(hd_ahead_go(&run));
    else {
      hd_run_go(&run, NULL); /* as after two threads, whose report this is */
      assert_int_equal(run.stop, HD_DIFFERS);
      assert_int_equal(run.diffs, 1);
      assert_ptr_equal(run.diff[0].row, run.table.ram->field);
      assert_int_equal(run.diff[0].rtl ^ run.diff[0].model, 1);
    }
    /* one thread stops in the cycle, two threads one cycle later */
    assert_int_equal(run.cycle, HD_SWEEP - 2 + threads);
    hd_run_close(&run);
  }
}

static void test_told_alike(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    alike(of("l1d", 0, faults[i]), HD_CHECK);
    assert_int_equal(t.r.mismatches, 1);
    says(t.r.failure, faults[i]);
  }
  alike(of("l1d", 0, "model:valid[1].0@2500"), HD_CHECK);
  alike(of("l1d", 0, "both:lru[1]@700"), HD_OK);
}

/* Two threads do not fit a run that is watched cycle by cycle, nor a fault of the model's side, since the model is cycles ahead. */
static void test_fits(void **state) {
  (void)state;
  for (unsigned i = 0; i < 2; i++) {
    const struct hd_cosim_job faulty = of("l1d", 2, i ? "both:lru[1]@700" : "model:valid[1].0@2500");
    struct hd_run open;
    assert_int_equal(hd_run_open(&open, &faulty, false, &t.why), HD_OK);
    assert_false(hd_ahead_fits(&open));
    hd_run_close(&open);
  }
  struct hd_watch watch = {0};
  struct hd_run run = {0};
  struct hd_cosim_job job = of("l1d", 2, NULL);
  run.job = &job;
  assert_true(hd_ahead_fits(&run));
  job.inside = true;
  assert_false(hd_ahead_fits(&run));
  job = of("l1d", 2, NULL);
  job.no_compare = true;
  assert_false(hd_ahead_fits(&run));
  job = of("l1d", 2, NULL);
  job.watch = &watch;
  assert_false(hd_ahead_fits(&run));
  job = of("l1d", 0, NULL);
  assert_false(hd_ahead_fits(&run));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_equal), cmocka_unit_test(test_found_ahead),
                                     cmocka_unit_test(test_stray_write), cmocka_unit_test(test_told_alike),
                                     cmocka_unit_test(test_fits)};
  return cmocka_run_group_tests(tests, begin, end);
}
