/* Sampled runs (docs/gpu/sampling.md): each instruction is counted once, whatever the machine; nothing depends on lazy running or threads;
 * the interval, by hand; and a kernel whose cycles are known. */
#include "tests/unit/gpu/sim_machines.h"
#include "tests/unit/loaded.h"

#include <math.h>
#include <string.h>

#include "cmodel/gpu/sim.h"
#include "cmodel/gpu/spread.h"
#include "workloads/workloads.h"

static struct hd_sim_result run(struct hd_config c, const char *spec, struct hd_sim_job job) {
  char err[256];
  struct hd_why why;
  struct hd_sim_result r;
  memset(&r, 0, sizeof r); /* bytes between its fields are compared too */
  assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
  struct hd_design *design = hd_design_new(&c);
  job.design = design;
  job.source = wl_open(spec, err, sizeof err);
  assert_non_null(job.source);
  if (hd_sim_run(&job, &r, &why) != HD_OK)
    fail_msg("%s: %s", spec, why.text);
  job.source->ops->close(job.source);
  hd_design_free(design);
  r.seconds = 0;
  return r;
}

/* ---- The interval ---- */

/* Weights 10, 10, 20, values 20, 40, 60: the mean is 3; residuals -10, 10, 0; differences 20, -10; the variance
 * 3 / (2 * 2) * 500 / 1600 = 0.234375. As good as 1600 / 600 = 8 / 3 samples: 2 (5 / 3)^2 / (3 * 8 / 3 - 4) = 25 / 18 degrees of freedom,
 * whose inverse is 0.72; of 1 and 2 degrees Student's factors are 12.706 and 4.303. */
static void an_interval_by_hand(void **state) {
  (void)state;
  struct hd_spread s = {0};
  assert_true(hd_spread_mean(&s) == 0 && isnan(hd_spread_margin(&s)));
  hd_spread_add(&s, 10, 20);
  assert_true(isnan(hd_spread_margin(&s)));
  hd_spread_add(&s, 10, 40);
  hd_spread_add(&s, 20, 60);
  const double student = 4.303 + (0.72 - 0.5) / (1 - 0.5) * (12.706 - 4.303);
  assert_true(hd_spread_mean(&s) == 3);
  assert_true(fabs(hd_spread_margin(&s) - student * sqrt(0.234375)) < 1e-9);
}

/* Neighbours' differences have samples in common. Of four equal ones they are 2 * 9 / 8 = 2.25 degrees of freedom, not 3; of forty
 * 2 * 39^2 / 116. Values go up and down by 1 around the mean: each difference is 2, the variance n / (2 (n - 1)) * 4 (n - 1) / n^2. */
static void differences_of_neighbours_are_not_independent(void **state) {
  (void)state;
  static const unsigned samples[] = {4, 40};
  const double student[] = {4.303 + (0.5 - 1 / 2.25) * 6 * (3.182 - 4.303),
                            1.960 + 2.6 / (2 * 39.0 * 39.0 / 116)};
  for (unsigned k = 0; k < 2; k++) {
    struct hd_spread s = {0};
    for (unsigned i = 0; i < samples[k]; i++)
      hd_spread_add(&s, 1, 10 + (i % 2 ? 1 : -1));
    assert_true(fabs(hd_spread_margin(&s) - student[k] * sqrt(2.0 / samples[k])) < 1e-9);
  }
}

/* Weights of 1, 1, 8: 100 / 66, so as good as two equal ones, and Student's factor is 12.706. One that outweighs all: not known. Values
 * 2, 2, 24: the mean is 2.8; residuals -0.8, -0.8, 1.6; differences 0, 2.4. */
static void unequal_weights_are_fewer(void **state) {
  (void)state;
  struct hd_spread s = {0};
  hd_spread_add(&s, 1, 2);
  hd_spread_add(&s, 1, 2);
  hd_spread_add(&s, 8, 24);
  assert_true(fabs(hd_spread_margin(&s) - 12.706 * sqrt(0.75 * 5.76) / 10) < 1e-9);
  hd_spread_add(&s, 80, 240);
  assert_true(isnan(hd_spread_margin(&s)));
}

/* All quotients are the same, so nothing is left to chance. */
static void no_spread_no_width(void **state) {
  (void)state;
  struct hd_spread s = {0};
  for (unsigned i = 1; i < 40; i++)
    hd_spread_add(&s, i % 7 + 1, 3 * (i % 7 + 1));
  assert_true(hd_spread_mean(&s) == 3 && hd_spread_margin(&s) == 0);
}

/* ---- Runs ---- */

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

/* On a GPU with an L2, barriers, several launches, whatever the threads. */
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

/* The error is in the interval, and that is no wider than `limit`. */
static void assert_within(unsigned sms, const char *spec, double limit, struct hd_sampling_options o) {
  struct hd_config c = loaded("gpu/fermi");
  c.gpu.sms = sms;
  const struct hd_sim_result whole = run(c, spec, (struct hd_sim_job){0});
  const struct hd_sim_result r = run(c, spec, (struct hd_sim_job){.sampling = o});
  const double error = fabs(r.ipc / whole.ipc - 1);
  if (!(error <= r.sampling.margin) || !(r.sampling.margin < limit))
    fail_msg("%s: IPC %f, of samples %f, margin %f", spec, whole.ipc, r.ipc, r.sampling.margin);
  assert_true(4 * r.sampling.cycles_simulated < whole.sm.cycles);
}

/* Kernels that do the same all the time: launch by launch; by CTAs. */
static void uniform_ones_are_within_the_interval(void **state) {
  (void)state;
  assert_within(2, "fdtd:n=64,tmax=60", 0.1, (struct hd_sampling_options){10, 1000, 1});
  assert_within(2, "2dconv:n=768", 0.15, (struct hd_sampling_options){8, 1000, 1});
}

/* What samples at equal distances met again and again in the same phase: the columns of a picture, 15.3 % off within 8.8 %; the order in
 * which warps come to lines that just don't fit into the L2, 41.8 % off within 11.5 %, all warps of one SM coming before those of the
 * other. */
static void what_comes_round_is_not_met_in_phase(void **state) {
  (void)state;
  assert_within(2, "2dconv:n=1024", 0.15, (struct hd_sampling_options){8, 1000, 1});
  assert_within(2, "mvt:n=512", 0.1, (struct hd_sampling_options){8, 4000, 1});
}

/* A launch begins like nothing else in it: with one sample, at its begin, it was 13 % off. One is none to compare with. */
static void too_few_for_an_interval(void **state) {
  (void)state;
  struct hd_config c = loaded("gpu/fermi");
  c.gpu.sms = 2;
  const struct hd_sim_result whole = run(c, "2dconv:n=512", (struct hd_sim_job){0});
  const struct hd_sim_result r =
      run(c, "2dconv:n=512", (struct hd_sim_job){.sampling = {.one_in = 20, .cycles = 1000, .seed = 1}});
  assert_true(r.sampling.samples == 1 && isnan(r.sampling.margin) && !r.sampling.leads_walk);
  assert_true(fabs(r.ipc / whole.ipc - 1) < 0.05);
}

/* Samples so short that the machine still changes in them: 3.3 % off, where all else leaves 3.1 %. */
static void drift_is_in_the_interval(void **state) {
  (void)state;
  assert_within(2, "bicg:n=256", 0.1, (struct hd_sampling_options){8, 200, 5});
}

/* What passing leaves behind, all samples find: 1.5 % off, where how they differ leaves 0.7 %. */
static void what_passing_leaves_is_in_the_interval(void **state) {
  (void)state;
  assert_within(2, "gesummv:n=256", 0.1, (struct hd_sampling_options){8, 500, 2});
}

/* Each at a pace that short samples don't know well: 14.4 % off, where all else leaves 12.3 %. */
static void the_last_sm_is_in_the_interval(void **state) {
  (void)state;
  assert_within(4, "syr2k:n=32", 0.2, (struct hd_sampling_options){8, 200, 13});
}

/* Two kernels, most of whose launches are passed as a whole. Those that stand for them run as a whole: by samples, which find CTAs in step,
 * they would be 6.2 % off, and the interval 5.3 %. */
static void launches_that_stand_for_others(void **state) {
  (void)state;
  assert_within(3, "srad2:rows=64,cols=64,iters=20", 0.1, (struct hd_sampling_options){8, 350, 1});
}

/* Three CTAs on two SMs: the SM that has two of them takes twice as long for each, so it is alone for half of the time. Were its warps to
 * pass as much as the others', IPC would be a quarter too high. */
static void each_sm_at_its_pace(void **state) {
  (void)state;
  assert_within(2, "bicg:n=768,reload=0", 0.1, (struct hd_sampling_options){8, 1000, 1});
}

/* Its CTAs come apart more and more: the run says so, and has no interval. */
static void no_interval_where_leads_walk(void **state) {
  (void)state;
  struct hd_config c = loaded("gpu/fermi");
  c.gpu.sms = 2;
  const struct hd_sim_result r =
      run(c, "gemm:ni=128,nj=128,nk=512", (struct hd_sim_job){.sampling = {8, 500, 1}});
  assert_true(r.sampling.leads_walk && isnan(r.sampling.margin) && r.sampling.samples > 2);
}

/* One cycle in 2^30: numbers of CTAs, and four times as much, are beyond 32 bits. */
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

/* ---- Streams that can't be opened ---- */

static struct wl_source_ops whole_ops, short_ops;
static const char *source_error;
static uint32_t first_lost;

static void *open_some(struct wl_source *source, uint32_t cta, uint32_t warp) {
  return cta < first_lost ? whole_ops.open_warp(source, cta, warp) : NULL;
}
static const char *say_error(const struct wl_source *source) {
  (void)source;
  return source_error;
}

/* Of CTAs that are passed: what was passed is not all of it, so it is no result. */
static void streams_that_cannot_be_opened(void **state) {
  (void)state;
  char err[256];
  struct hd_config c = loaded("gpu/fermi");
  c.gpu.sms = 2;
  struct hd_design *design = hd_design_new(&c);
  first_lost = 300; /* of 1,024; a quarter of an eighth runs first */
  for (int known = 0; known < 2; known++) {
    struct hd_sim_result r;
    struct hd_why why;
    struct hd_sim_job job = {.design = design, .sampling = {.one_in = 8, .cycles = 1000, .seed = 1}};
    job.source = wl_open("2dconv:n=512", err, sizeof err);
    source_error = known ? "line 7 is torn" : NULL;
    whole_ops = short_ops = *job.source->ops;
    short_ops.open_warp = open_some;
    short_ops.error = say_error;
    job.source->ops = &short_ops;
    assert_int_equal(hd_sim_run(&job, &r, &why), known ? HD_INPUT : HD_TOOL);
    assert_non_null(strstr(why.text, known ? "line 7 is torn" : "out of memory"));
    job.source->ops->close(job.source);
  }
  hd_design_free(design);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_interval_by_hand),
      cmocka_unit_test(differences_of_neighbours_are_not_independent),
      cmocka_unit_test(unequal_weights_are_fewer),
      cmocka_unit_test(no_spread_no_width),
      cmocka_unit_test(counted_once),
      cmocka_unit_test(threads_change_nothing),
      cmocka_unit_test(uniform_ones_are_within_the_interval),
      cmocka_unit_test(what_comes_round_is_not_met_in_phase),
      cmocka_unit_test(too_few_for_an_interval),
      cmocka_unit_test(drift_is_in_the_interval),
      cmocka_unit_test(what_passing_leaves_is_in_the_interval),
      cmocka_unit_test(the_last_sm_is_in_the_interval),
      cmocka_unit_test(launches_that_stand_for_others),
      cmocka_unit_test(each_sm_at_its_pace),
      cmocka_unit_test(no_interval_where_leads_walk),
      cmocka_unit_test(one_in_very_many),
      cmocka_unit_test(streams_that_cannot_be_opened),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
