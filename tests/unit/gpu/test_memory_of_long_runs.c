/* A run's memory does not grow with its length: not with launches, CTAs or instructions of a warp. All runs use the same data, since
 * the result includes a record of each line that was ever loaded (docs/speed.md). The same holds for runs on two threads, for
 * sampled runs, and for writing and reading traces of either form.
 *
 * The measure is the number of bytes that glibc says are allocated. Other C libraries give no such number. glibc also counts free
 * blocks that it keeps at hand, so the test switches these off. Under the sanitizers the number is unknown. */
#include "tests/unit/loaded.h"
#include "tests/unit/script.h"

#include <string.h>
#include <unistd.h>

#ifdef __GLIBC_PREREQ
#if __GLIBC_PREREQ(2, 33) && !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
#define COUNTED
#include <malloc.h>
#endif
#endif

#include "base/run.h"
#include "cmodel/gpu/sim.h"
#include "workloads/accelsim/accel_write.h"
#include "workloads/trace/trace_code.h"
#include "workloads/trace/trace_convert.h"
#include "workloads/trace/trace_file.h"
#include "workloads/trace/trace_temporary.h"
#include "workloads/trace_open.h"

enum { LINES = 512, WARPS = 2, TIMES = 16, CTAS = 48, INSTS = 96 };
/* Bytes. Larger growth would come from data per CTA, or from a block per CTA. OF_BLOCKS: the blocks of the warps on two SMs at a
 * time, eight CTAs each, and the block that they are compressed against. */
enum { SLACK = 1024, OF_THREADS = 16 * 1024, OF_BLOCKS = (2 * 8 * WARPS + 1) * WL_TRACE_BLOCK };

static size_t most; /* bytes that were allocated at a time */

static void look(void) {
#ifdef COUNTED
  const struct mallinfo2 now = mallinfo2();
  const size_t held = now.uordblks + now.hblkhd;
  most = held > most ? held : most;
#endif
}

static void look_at_run(void *user, const struct hd_sim_result *result) {
  (void)user, (void)result;
  look();
}

static uint32_t insts;     /* of a warp, without its EXIT */
static bool look_at_warps; /* as they begin */

/* Loads and stores of lines that all warps share. */
static struct wl_inst program(uint32_t cta, uint32_t warp, uint32_t n) {
  const uint64_t line = (cta * 7 + warp * 3 + n) % LINES;
  if (look_at_warps && !n)
    look();
  if (n == insts)
    return leave();
  if (n % 4)
    return plain(WL_ALU, 1, R0);
  return n % 32 ? access_line(WL_LOAD, 0, NOTHING, line) : access_line(WL_STORE, WL_NO_REG, R0, line);
}

static void look_at_writing(void *user, const struct wl_launch *launch, uint64_t number, uint32_t cta) {
  (void)user, (void)launch, (void)number, (void)cta;
  look();
}

/* Returns the number of instructions of a run without EXITs. A sampled run counts those that it passed too. */
static uint64_t run(const struct hd_config *c, struct wl_source *source, struct hd_sim_job job) {
  struct hd_why why;
  struct hd_sim_result r;
  struct hd_design *design = hd_design_new(c);
  job.design = design;
  job.source = source;
  if (!(look_at_warps = job.sampling.one_in)) { /* a sampled run can't be asked for its progress */
    job.so_far = look_at_run;
    job.interval = 500;
  }
  assert_int_equal(hd_sim_run(&job, &r, &why), HD_OK);
  hd_design_free(design);
  assert_true(r.loads > 1000);
  assert_true(!job.sampling.one_in || r.sampling.passed > 1000);
  return job.sampling.one_in ? r.sampling.simulated + r.sampling.passed : r.sm.instructions;
}

static bool look_at_launch(struct wl_source *source, struct wl_launch *launch) {
  look();
  return script_launch(source, launch);
}

static struct wl_source *script_of(uint32_t launches, uint32_t ctas) {
  static struct wl_source_ops ops;
  struct wl_source *source = new_script(launches, ctas, WARPS, program);
  ops = *source->ops;
  ops.next_launch = look_at_launch;
  source->ops = &ops;
  return source;
}

static uint64_t run_script(const struct hd_config *c, uint32_t launches, uint32_t ctas) {
  return run(c, script_of(launches, ctas), (struct hd_sim_job){0});
}

static uint64_t run_on_two_threads(const struct hd_config *c, uint32_t launches, uint32_t ctas) {
  return run(c, script_of(launches, ctas), (struct hd_sim_job){.threads = 2, .share_always = true});
}

static uint64_t run_sampled(const struct hd_config *c, uint32_t launches, uint32_t ctas) {
  const struct hd_sampling_options options = {.one_in = 4, .cycles = 200, .seed = 1};
  return run(c, script_of(launches, ctas), (struct hd_sim_job){.sampling = options});
}

/* Runs the source to its end. */
static uint64_t run_to_end(const struct hd_config *c, struct wl_source *source) {
  const uint64_t done = run(c, source, (struct hd_sim_job){0});
  source->ops->close(source);
  return done;
}

/* The same from a file, written first. */
static uint64_t run_trace(const struct hd_config *c, uint32_t launches, uint32_t ctas) {
  const struct wl_trace_how how = {.progress = look_at_writing};
  struct wl_trace_summary summary;
  char err[512];
  const int fd = wl_trace_temporary(err, sizeof err);
  assert_true(fd >= 0);
  if (!wl_trace_to_htrace(script_of(launches, ctas), fd, &how, &summary, err, sizeof err))
    fail_msg("%s", err);
  struct wl_source *source = wl_trace_read(fd, "trace", err, sizeof err);
  assert_non_null(source);
  const uint64_t done = run_to_end(c, source);
  assert_int_equal(summary.insts, done + (uint64_t)launches * ctas * WARPS); /* with the EXITs */
  return done;
}

/* The same from Accel-Sim's text. */
static uint64_t run_text(const struct hd_config *c, uint32_t launches, uint32_t ctas) {
  const struct wl_trace_how how = {.version = 70, .progress = look_at_writing};
  struct wl_trace_summary summary;
  char err[512], dir[] = "/tmp/heddle-long-XXXXXX";
  assert_non_null(mkdtemp(dir));
  if (!wl_trace_to_accel(script_of(launches, ctas), dir, &how, &summary, err, sizeof err))
    fail_msg("%s", err);
  struct wl_source *source = wl_trace_open(dir, err, sizeof err);
  if (!source)
    fail_msg("%s", err);
  const uint64_t done = run_to_end(c, source);
  const char *const argv[] = {"rm", "-rf", dir, NULL};
  assert_int_equal(hd_run(argv, NULL, "/dev/null", 60), 0);
  assert_int_equal(summary.insts, done + (uint64_t)launches * ctas * WARPS);
  return done;
}

typedef uint64_t running(const struct hd_config *c, uint32_t launches, uint32_t ctas);

/* Compares runs of one length with runs TIMES as long. slack: bytes that long runs may need more. long_warps: further bytes allowed
 * if the warps are longer. */
static void holds_no_more(const char *machine, running *run_of, size_t slack, size_t long_warps) {
  const struct {
    const char *by;
    uint32_t launches, ctas, insts;
    size_t more;
  } longer[] = {{"launches", 2 * TIMES, CTAS, INSTS, slack},
                {"CTAs", 2, TIMES * CTAS, INSTS, slack},
                {"instructions of a warp", 2, CTAS, TIMES * INSTS, slack + long_warps}};
#ifndef COUNTED
  skip();
#endif
  struct hd_config c = loaded(machine);
  c.gpu.sms = c.gpu.sms < 2 ? c.gpu.sms : 2;
  assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
  insts = INSTS;
  run_of(&c, 2, CTAS); /* lets the first run leave its lasting data */
  most = 0;
  const uint64_t length = run_of(&c, 2, CTAS);
  const size_t held = most;
  assert_true(held > 100000);
  for (size_t i = 0; i < sizeof longer / sizeof *longer; i++) {
    most = 0;
    insts = longer[i].insts;
    assert_int_equal(run_of(&c, longer[i].launches, longer[i].ctas), TIMES * length);
    if (most > held + longer[i].more)
      fail_msg("%s, %d times as many %s: %zu bytes, before %zu", machine, TIMES, longer[i].by, most, held);
  }
}

static void a_run_of_a_gpu(void **state) {
  (void)state;
  holds_no_more("gpu/fermi", run_script, SLACK, 0);
}

static void a_run_of_an_sm_with_all_mechanisms(void **state) {
  (void)state;
  holds_no_more("all", run_script, SLACK, 0);
}

/* Longer warps have longer blocks, up to WL_TRACE_BLOCK. */
static void a_trace(void **state) {
  (void)state;
  holds_no_more("gpu/fermi", run_trace, SLACK, OF_BLOCKS);
}

/* Of short warps, a trace holds little more than the script that it was made of: a block is not of WL_TRACE_BLOCK bytes each. */
static void a_trace_of_short_warps(void **state) {
  (void)state;
#ifndef COUNTED
  skip();
#endif
  enum { STREAMS = 2 * 8 * WARPS, OF_STREAM = 4096, OF_FILE = 400 * 1024 };
  struct hd_config c = loaded("gpu/fermi");
  c.gpu.sms = 2;
  assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
  insts = INSTS;
  run_script(&c, 2, CTAS); /* what the first run of all leaves behind */
  most = 0;
  run_script(&c, 2, CTAS);
  const size_t of_script = most;
  run_trace(&c, 2, CTAS);
  if (most > of_script + STREAMS * OF_STREAM + OF_FILE)
    fail_msg("%zu bytes, of the script %zu", most, of_script);
}

static void a_trace_of_accel_sim(void **state) {
  (void)state;
  holds_no_more("gpu/fermi", run_text, SLACK, OF_BLOCKS);
}

/* Which thread takes a block, and how much of the block is cut off, differs from run to run. */
static void a_run_on_two_threads(void **state) {
  (void)state;
  holds_no_more("gpu/fermi", run_on_two_threads, OF_THREADS, 0);
}

static void a_sampled_run(void **state) {
  (void)state;
  holds_no_more("gpu/fermi", run_sampled, SLACK, 0);
}

int main(int argc, char **argv) {
  static const char nothing_at_hand[] = "glibc.malloc.tcache_count=0:glibc.malloc.mxfast=0";
  const char *set = getenv("GLIBC_TUNABLES");
  if (argc > 0 && (!set || strcmp(set, nothing_at_hand) != 0)) {
    setenv("GLIBC_TUNABLES", nothing_at_hand, 1);
    execv("/proc/self/exe", argv);
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_run_of_a_gpu),
      cmocka_unit_test(a_run_of_an_sm_with_all_mechanisms),
      cmocka_unit_test(a_trace),
      cmocka_unit_test(a_trace_of_short_warps),
      cmocka_unit_test(a_trace_of_accel_sim),
      cmocka_unit_test(a_run_on_two_threads),
      cmocka_unit_test(a_sampled_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
