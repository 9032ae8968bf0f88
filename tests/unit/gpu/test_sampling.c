/* Sampled runs (docs/gpu/sampling.md): each instruction is counted once, whatever the machine; nothing depends on lazy running or threads;
 * what they estimate is within the interval; and what enters the L2 before a sample. */
#include "tests/unit/gpu/sim_machines.h"
#include "tests/unit/loaded.h"

#include <math.h>
#include <string.h>

#include "cmodel/gpu/sim.h"
#include "workloads/workloads.h"

/* To its end, or to the limit of cycles, if it has one. */
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
  if (hd_sim_run(&job, &r, &why) != HD_OK && (r.end != HD_SIM_LIMIT || !job.max_cycles))
    fail_msg("%s: %s", spec, why.text);
  job.source->ops->close(job.source);
  hd_design_free(design);
  r.seconds = 0;
  return r;
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

/* One sample is none to compare with: a launch with room for them has three, though that is more than one cycle in 20. */
static void enough_for_an_interval(void **state) {
  (void)state;
  assert_within(2, "2dconv:n=512", 0.4, (struct hd_sampling_options){20, 1000, 1});
  assert_within(2, "2dconv:n=512", 0.4, (struct hd_sampling_options){1000, 1000, 1});
}

/* 144 CTAs, 12 at a time, of which a sample has 36, and the first and the last 12 run: with two samples less than half would be passed. */
static void too_few_for_an_interval(void **state) {
  (void)state;
  struct hd_config c = loaded("gpu/fermi");
  c.gpu.sms = 2;
  const struct hd_sim_result r =
      run(c, "2dconv:n=192", (struct hd_sim_job){.sampling = {.one_in = 4, .cycles = 1000, .seed = 1}});
  assert_true(r.sampling.samples == 1 && isnan(r.sampling.margin) && !r.sampling.leads_walk);
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

/* A run that is cut off, wherever: just after CTAs were passed too, when nothing has been measured for them, or little. */
static void cut_off_anywhere(void **state) {
  (void)state;
  struct hd_config c = loaded("gpu/fermi");
  c.gpu.sms = 2;
  unsigned after[3] = {0}; /* 0, 1, more samples */
  const double whole = run(c, "2dconv:n=512", (struct hd_sim_job){0}).ipc;
  struct hd_sim_job job = {.sampling = {.one_in = 8, .cycles = 1000, .seed = 1}};
  const struct hd_sim_result all = run(c, "2dconv:n=512", job);
  for (job.max_cycles = 500; job.max_cycles < all.sampling.cycles_simulated; job.max_cycles += 500) {
    const struct hd_sim_result r = run(c, "2dconv:n=512", job);
    if (!r.sampling.passed)
      continue;
    if (!(fabs(r.ipc / whole - 1) < 0.15))
      fail_msg("cycle %u: IPC %f, of samples %f", (unsigned)job.max_cycles, whole, r.ipc);
    assert_true(isnan(r.sampling.margin) == (r.sampling.samples < 2));
    after[r.sampling.samples < 2 ? r.sampling.samples : 2]++;
  }
  assert_true(after[0] && after[1] && after[2]);
}

/* An SM alone is looked at so seldom that it has run all CTAs of a sample since the last time. What it has not measured is not nothing. */
static void looks_far_apart(void **state) {
  (void)state;
  struct hd_config c;
  hd_config_default(&c);
  const struct hd_sim_result whole = run(c, "2dconv:n=512", (struct hd_sim_job){0});
  const struct hd_sim_result r =
      run(c, "2dconv:n=512", (struct hd_sim_job){.sampling = {.one_in = 8, .cycles = 64000, .seed = 1}});
  assert_true(r.sampling.samples > 2 && fabs(r.ipc / whole.ipc - 1) < r.sampling.margin);
  assert_true(r.sampling.margin < 0.2);
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

/* ---- Sources that are watched ---- */

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

/* The stream that was opened last. A warp whose stream is closed before the CTA's next one is opened is passed. */
static struct {
  void *stream;
  bool located, closed;
} opened;
enum { MOST_PASSES = 64 };
/* CTAs in a row that were passed; of these those whose addresses were asked for. */
static struct {
  unsigned n, told[MOST_PASSES], ctas[MOST_PASSES];
  uint32_t next;
} passes;

static void *open_watched(struct wl_source *source, uint32_t cta, uint32_t warp) {
  if (warp == 1 && opened.closed) {
    passes.n += !passes.n || cta != passes.next;
    assert_true(passes.n < MOST_PASSES);
    passes.next = cta + 1;
    passes.ctas[passes.n]++;
    passes.told[passes.n] += opened.located;
  }
  opened.closed = opened.located = false;
  return opened.stream = whole_ops.open_warp(source, cta, warp);
}
static void locate_watched(void *stream, struct wl_inst *inst) {
  opened.located |= stream == opened.stream;
  whole_ops.locate(stream, inst);
}
static void close_watched(void *stream) {
  opened.closed |= stream == opened.stream;
  whole_ops.close_warp(stream);
}

/* As many CTAs enter the L2 before a sample as ask it eight times for each of its lines, whatever has been passed before. */
static void as_many_ctas_enter_the_l2_each_time(void **state) {
  (void)state;
  char err[256];
  struct hd_why why;
  struct hd_config c = loaded("gpu/fermi");
  c.gpu.sms = 2;
  c.l2.sets = 8;
  assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
  struct hd_design *design = hd_design_new(&c);
  struct hd_sim_job job = {.design = design, .sampling = {.one_in = 8, .cycles = 1000, .seed = 1}};
  struct hd_sim_result r;
  job.source = wl_open("2dconv:n=1024", err, sizeof err);
  whole_ops = short_ops = *job.source->ops;
  short_ops.open_warp = open_watched;
  short_ops.locate = locate_watched;
  short_ops.close_warp = close_watched;
  short_ops.stride = NULL;
  job.source->ops = &short_ops;
  assert_int_equal(hd_sim_run(&job, &r, &why), HD_OK);
  const double asks = (double)(r.sm.load_requests + r.sm.store_requests) / (double)r.sampling.simulated;
  const double of_a_cta = asks * (double)r.sm.instructions / 4096;
  const double wanted = 8.0 * c.d.L2_LINES * c.l2.banks / of_a_cta;
  assert_true(passes.n > 5);
  unsigned some = 0; /* passes in which not all enter */
  for (unsigned i = 1; i <= passes.n; i++) {
    some += passes.told[i] < passes.ctas[i];
    if (passes.told[i] < passes.ctas[i] && !(fabs(passes.told[i] / wanted - 1) < 0.2))
      fail_msg("of %u CTAs %u enter, %f are wanted", passes.ctas[i], passes.told[i], wanted);
  }
  assert_true(some > 5);
  job.source->ops->close(job.source);
  hd_design_free(design);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counted_once),
      cmocka_unit_test(threads_change_nothing),
      cmocka_unit_test(uniform_ones_are_within_the_interval),
      cmocka_unit_test(what_comes_round_is_not_met_in_phase),
      cmocka_unit_test(enough_for_an_interval),
      cmocka_unit_test(too_few_for_an_interval),
      cmocka_unit_test(drift_is_in_the_interval),
      cmocka_unit_test(what_passing_leaves_is_in_the_interval),
      cmocka_unit_test(the_last_sm_is_in_the_interval),
      cmocka_unit_test(launches_that_stand_for_others),
      cmocka_unit_test(each_sm_at_its_pace),
      cmocka_unit_test(no_interval_where_leads_walk),
      cmocka_unit_test(cut_off_anywhere),
      cmocka_unit_test(looks_far_apart),
      cmocka_unit_test(one_in_very_many),
      cmocka_unit_test(streams_that_cannot_be_opened),
      cmocka_unit_test(as_many_ctas_enter_the_l2_each_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
