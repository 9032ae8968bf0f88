/* Sampled runs that pass whole CTAs (docs/gpu/sampling.md): the number and the places of samples, what each sample stands for, and
 * what enters the L2 before a sample. */
#include "tests/unit/gpu/sampling_try.h"

/* ---- Runs ---- */

/* One sample leaves nothing to compare with. A launch with room for three samples has three, even if that is more than one cycle in
 * 20. */
static void enough_for_an_interval(void **state) {
  (void)state;
  static const unsigned one_in[] = {20, 1000};
  for (unsigned i = 0; i < 2; i++) {
    const struct hd_sampling_options o = {one_in[i], 1000, 1};
    assert_int_equal(assert_within(2, "2dconv:n=512", 0.3, o).sampling.samples, 3);
  }
}

/* A class has three samples, not each launch of it. The first launch of each of the two kernels has three; the two launches after it
 * have the number asked for, one. What the last sample of a launch stands for does not carry over to the next launch. */
static void of_a_class_not_of_a_launch(void **state) {
  (void)state;
  struct hd_config c = loaded("gpu/fermi");
  c.gpu.sms = 2;
  const char *spec = "srad2:rows=256,cols=256,iters=3";
  const struct hd_sim_result whole = run(c, spec, (struct hd_sim_job){0});
  const struct hd_sim_result r = run(c, spec, (struct hd_sim_job){.sampling = {8, 1000, 1}});
  assert_int_equal(r.sm.instructions, whole.sm.instructions);
  assert_int_equal(r.sampling.samples, 2 * (3 + 1 + 1));
}

/* 144 CTAs, 12 at a time. A sample takes 36, and the first and the last 12 run. With two samples less than half would be passed. */
static void too_few_for_an_interval(void **state) {
  (void)state;
  struct hd_config c = loaded("gpu/fermi");
  c.gpu.sms = 2;
  const struct hd_sim_result whole = run(c, "2dconv:n=192", (struct hd_sim_job){0});
  const struct hd_sim_result r =
      run(c, "2dconv:n=192", (struct hd_sim_job){.sampling = {.one_in = 4, .cycles = 1000, .seed = 1}});
  assert_true(r.sampling.samples == 1 && isnan(r.sampling.margin) && !r.sampling.leads_walk);
  assert_true(fabs(r.ipc / whole.ipc - 1) < 0.05);
}

/* A run that is cut off at any point, also just after CTAs were passed, when little or nothing has been measured for them. */
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

/* The last sample stands for the CTAs passed since, and so does its drift: 4.8 % off. Without that the interval is 4.3 %. */
static void cut_off_with_its_drift(void **state) {
  (void)state;
  struct hd_config c = loaded("gpu/fermi");
  c.gpu.sms = 1;
  struct hd_sim_job job = {.sampling = {.one_in = 8, .cycles = 1000, .seed = 14}, .max_cycles = 15000};
  const double whole = run(c, "2dconv:n=224", (struct hd_sim_job){0}).ipc;
  const struct hd_sim_result r = run(c, "2dconv:n=224", job);
  assert_int_equal(r.end, HD_SIM_LIMIT);
  assert_true(fabs(r.ipc / whole - 1) < r.sampling.margin && r.sampling.margin < 0.1);
}

/* A lone SM is looked at so seldom that all CTAs of a sample have run since the last look. The unmeasured part must not count as 0. */
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

/* A stream of a passed CTA can't be opened. What was passed is then incomplete, so there is no result. */
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

/* The stream that was opened last. If a warp's stream is closed before the CTA's next stream is opened, the CTA is passed. */
static struct {
  void *stream;
  bool located, closed;
} opened;
enum { MOST_PASSES = 64 };
/* Runs of passed CTAs, and how many of these were asked for their addresses. */
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

/* Runs and counts the passed CTAs in `passes`, from 1 on. */
static struct hd_sim_result watch(struct hd_design *design, const char *spec, struct hd_sampling_options o) {
  char err[256];
  struct hd_why why;
  struct hd_sim_result r;
  struct hd_sim_job job = {.design = design, .sampling = o, .source = wl_open(spec, err, sizeof err)};
  memset(&passes, 0, sizeof passes);
  whole_ops = short_ops = *job.source->ops;
  short_ops.open_warp = open_watched;
  short_ops.locate = locate_watched;
  short_ops.close_warp = close_watched;
  short_ops.stride = NULL;
  job.source->ops = &short_ops;
  assert_int_equal(hd_sim_run(&job, &r, &why), HD_OK);
  job.source->ops->close(job.source);
  return r;
}

/* The number of CTAs passed at a time is random: half to one and a half of the mean, the first time a quarter to three quarters. The
 * mean is the same all the time. 3.5 times the mean and three samples fill the CTAs between the begin and the last wave. */
static void as_many_ctas_are_passed_each_time(void **state) {
  (void)state;
  struct hd_config c = loaded("gpu/fermi");
  c.gpu.sms = 2;
  assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
  struct hd_design *design = hd_design_new(&c);
  const double mean = (1024 - 13 - 12 - 3 * 36) / 3.5, few = 3;
  double sum = 0;
  unsigned n = 0;
  for (unsigned seed = 1; seed <= 12; seed++) {
    watch(design, "2dconv:n=512", (struct hd_sampling_options){20, 1000, seed});
    for (unsigned i = 1; i < passes.n; i++) { /* the last time passes the rest */
      const double part = i == 1 ? 0.5 : 1, ctas = passes.ctas[i] / part;
      if (!(ctas >= mean / 2 - few && ctas <= 1.5 * mean + few))
        fail_msg("seed %u: pass %u of %u CTAs, %f of the mean", seed, i, passes.ctas[i], ctas / mean);
      sum += ctas;
      n++;
    }
  }
  assert_true(n > 24 && fabs(sum / (n * mean) - 1) < 0.15);
  hd_design_free(design);
}

/* Before each sample the same number of CTAs enters the L2: enough to ask it eight times for each of its lines, whatever was passed
 * before. */
static void as_many_ctas_enter_the_l2_each_time(void **state) {
  (void)state;
  struct hd_config c = loaded("gpu/fermi");
  c.gpu.sms = 2;
  c.l2.sets = 8;
  assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
  struct hd_design *design = hd_design_new(&c);
  const struct hd_sim_result r =
      watch(design, "2dconv:n=1024", (struct hd_sampling_options){.one_in = 8, .cycles = 1000, .seed = 1});
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
  hd_design_free(design);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(enough_for_an_interval),
      cmocka_unit_test(of_a_class_not_of_a_launch),
      cmocka_unit_test(too_few_for_an_interval),
      cmocka_unit_test(cut_off_anywhere),
      cmocka_unit_test(cut_off_with_its_drift),
      cmocka_unit_test(looks_far_apart),
      cmocka_unit_test(streams_that_cannot_be_opened),
      cmocka_unit_test(as_many_ctas_are_passed_each_time),
      cmocka_unit_test(as_many_ctas_enter_the_l2_each_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
