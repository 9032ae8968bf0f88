/* Sampled runs (docs/gpu/sampling.md): each instruction is counted once on every machine, lazy running and threads change nothing,
 * and the estimates are inside the interval. test_sampling_ctas.c tests runs that pass CTAs. */
#include "tests/unit/gpu/sampling_try.h"
#include "tests/unit/gpu/sim_machines.h"

static const struct hd_sampling_options often = {.one_in = 4, .cycles = 200, .seed = 1};

static void counted_once(void **state) {
  (void)state;
  unsigned samples = 0, all = 0;
  for (unsigned i = 0; i < MACHINES; i += 2) {
    const struct hd_config c = built(machines[i]);
    if (c.d.L2_SLEEPS)
      continue;
    const char *spec = kernels[i % KERNELS];
    const struct hd_sim_result whole = run(c, spec, (struct hd_sim_job){0});
    const struct hd_sim_result a = run(c, spec, (struct hd_sim_job){.sampling = often});
    const struct hd_sim_result b = run(c, spec, (struct hd_sim_job){.sampling = often, .no_skip = true});
    assert_int_equal(a.sm.instructions, whole.sm.instructions);
    assert_int_equal(a.sm.instructions, a.sampling.simulated + a.sampling.passed);
    assert_true(a.sampling.cycles >= (double)a.sampling.cycles_simulated);
    assert_memory_equal(&a, &b, sizeof a);
    samples += a.sampling.samples != 0;
    all++;
  }
  assert_true(2 * samples > all);
}

/* A GPU with an L2, barriers and several launches gives the same result for any number of threads. */
static void threads_change_nothing(void **state) {
  (void)state;
  static const char *const specs[] = {"syrk:tiny", "scalarprod:tiny", "fdtd:tiny", "bfs:tiny"};
  const struct hd_config c = loaded("gpu/apres");
  uint64_t launches = 0;
  for (unsigned k = 0; k < sizeof specs / sizeof *specs; k++) {
    const struct hd_sim_result whole = run(c, specs[k], (struct hd_sim_job){0});
    const struct hd_sim_result a = run(c, specs[k], (struct hd_sim_job){.sampling = often});
    const struct hd_sim_result b =
        run(c, specs[k], (struct hd_sim_job){.sampling = often, .threads = 3, .share_always = true});
    assert_int_equal(a.sm.instructions, whole.sm.instructions);
    assert_memory_equal(&a, &b, sizeof a);
    launches += a.sampling.launches_passed;
  }
  assert_true(launches > 0);
}

/* Kernels that behave the same all the time: sampled by launches, and by CTAs. */
static void uniform_ones_are_within_the_interval(void **state) {
  (void)state;
  assert_within(2, "fdtd:n=64,tmax=60", 0.1, (struct hd_sampling_options){10, 1000, 1});
  assert_within(2, "2dconv:n=768", 0.15, (struct hd_sampling_options){8, 1000, 1});
}

/* Patterns that samples at equal distances would meet in the same phase again and again. The columns of a picture: 15.3 % off within
 * 8.8 %. The order in which warps come to lines that just don't fit into the L2: 41.8 % off within 11.5 %, as all warps of one SM
 * come before those of the other. */
static void what_comes_round_is_not_met_in_phase(void **state) {
  (void)state;
  assert_within(2, "2dconv:n=1024", 0.15, (struct hd_sampling_options){8, 1000, 1});
  assert_within(2, "mvt:n=512", 0.1, (struct hd_sampling_options){8, 4000, 1});
}

/* Samples so short that the machine still changes in them: 3.3 % off, where all other errors give 3.1 %. */
static void drift_is_in_the_interval(void **state) {
  (void)state;
  assert_within(2, "bicg:n=256", 0.1, (struct hd_sampling_options){8, 200, 5});
}

/* All samples see what passing leaves behind: 1.5 % off, where the spread of the samples gives 0.7 %. */
static void what_passing_leaves_is_in_the_interval(void **state) {
  (void)state;
  assert_within(2, "gesummv:n=256", 0.1, (struct hd_sampling_options){8, 500, 2});
}

/* The last SMs, at paces that short samples don't measure well: 14.4 % off, where all other errors give 12.3 %. */
static void the_last_sm_is_in_the_interval(void **state) {
  (void)state;
  assert_within(4, "syr2k:n=32", 0.2, (struct hd_sampling_options){8, 200, 13});
}

/* Two kernels, most of whose launches are passed as a whole. The launches that stand for them run as a whole. By samples, which find
 * CTAs in step, they would be 6.2 % off with an interval of 5.3 %. */
static void launches_that_stand_for_others(void **state) {
  (void)state;
  assert_within(3, "srad2:rows=64,cols=64,iters=20", 0.1, (struct hd_sampling_options){8, 350, 1});
}

/* Three CTAs on two SMs. The SM with two CTAs takes twice as long for each, so it is alone for half of the time. If its warps passed
 * as much as the others, IPC would be a quarter too high. */
static void each_sm_at_its_pace(void **state) {
  (void)state;
  assert_within(2, "bicg:n=768,reload=0", 0.1, (struct hd_sampling_options){8, 1000, 1});
}

/* The CTAs come apart more and more. The run reports this and has no interval. */
static void no_interval_where_leads_walk(void **state) {
  (void)state;
  struct hd_config c = loaded("gpu/fermi");
  c.gpu.sms = 2;
  const struct hd_sim_result r =
      run(c, "gemm:ni=128,nj=128,nk=512", (struct hd_sim_job){.sampling = {8, 500, 1}});
  assert_true(r.sampling.leads_walk && isnan(r.sampling.margin) && r.sampling.samples > 2);
}

/* One cycle in 2^30: numbers of CTAs, and four times these, need more than 32 bits. */
static void one_in_very_many(void **state) {
  (void)state;
  struct hd_config c = loaded("gpu/fermi");
  c.gpu.sms = 2;
  static const char *const specs[] = {"2dconv:tiny", "syrk:tiny"};
  for (unsigned k = 0; k < 2; k++) {
    const struct hd_sim_result whole = run(c, specs[k], (struct hd_sim_job){0});
    const struct hd_sim_result r =
        run(c, specs[k], (struct hd_sim_job){.sampling = {.one_in = 1U << 30, .cycles = 100, .seed = 1}});
    assert_int_equal(r.sm.instructions, whole.sm.instructions);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counted_once),
      cmocka_unit_test(threads_change_nothing),
      cmocka_unit_test(uniform_ones_are_within_the_interval),
      cmocka_unit_test(what_comes_round_is_not_met_in_phase),
      cmocka_unit_test(drift_is_in_the_interval),
      cmocka_unit_test(what_passing_leaves_is_in_the_interval),
      cmocka_unit_test(the_last_sm_is_in_the_interval),
      cmocka_unit_test(launches_that_stand_for_others),
      cmocka_unit_test(each_sm_at_its_pace),
      cmocka_unit_test(no_interval_where_leads_walk),
      cmocka_unit_test(one_in_very_many),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
