/* What a run holds in memory does not grow with its length, whatever it is long by: launches, CTAs, instructions of a warp. The data is the
 * same, for what is remembered of each line that was ever loaded is part of the result (docs/speed.md). Nor does what writing a trace
 * holds, and reading it.
 *
 * What is held is what the C library says is allocated. It takes what is free and kept at hand for allocated too, so that is switched off;
 * under the sanitizers it knows nothing. */
#include "tests/unit/loaded.h"
#include "tests/unit/script.h"

#include <malloc.h>
#include <string.h>
#include <unistd.h>

#include "cmodel/gpu/sim.h"
#include "workloads/trace/trace_code.h"
#include "workloads/trace/trace_convert.h"
#include "workloads/trace/trace_file.h"
#include "workloads/trace/trace_temporary.h"

enum { LINES = 512, WARPS = 2, TIMES = 16, CTAS = 48, INSTS = 96 };
enum { SLACK = 1024 }; /* bytes; one more for each CTA are more */

static uint32_t insts; /* of a warp, its EXIT aside */

/* Loads and stores of lines that all warps share. */
static struct wl_inst program(uint32_t cta, uint32_t warp, uint32_t n) {
  const uint64_t line = (cta * 7 + warp * 3 + n) % LINES;
  if (n == insts)
    return leave();
  if (n % 4)
    return plain(WL_ALU, 1, R0);
  return n % 32 ? access_line(WL_LOAD, 0, NOTHING, line) : access_line(WL_STORE, WL_NO_REG, R0, line);
}

static size_t most; /* bytes that were allocated at a time */

static void look(void) {
  const struct mallinfo2 now = mallinfo2();
  const size_t held = now.uordblks + now.hblkhd;
  most = held > most ? held : most;
}

static void look_at_run(void *user, const struct hd_sim_result *result) {
  (void)user, (void)result;
  look();
}

static void look_at_writing(void *user, const struct wl_launch *launch, uint64_t number, uint32_t cta) {
  (void)user, (void)launch, (void)number, (void)cta;
  look();
}

/* The instructions of a run, EXITs aside. */
static uint64_t run(const struct hd_config *c, struct wl_source *source) {
  struct hd_why why;
  struct hd_sim_result r;
  struct hd_design *design = hd_design_new(c);
  const struct hd_sim_job job = {.design = design, .source = source, .so_far = look_at_run, .interval = 500};
  assert_int_equal(hd_sim_run(&job, &r, &why), HD_OK);
  hd_design_free(design);
  assert_true(r.loads > 1000);
  return r.sm.instructions;
}

static uint64_t run_script(const struct hd_config *c, uint32_t launches, uint32_t ctas) {
  return run(c, new_script(launches, ctas, WARPS, program));
}

/* The same from a file, which is written before. */
static uint64_t run_trace(const struct hd_config *c, uint32_t launches, uint32_t ctas) {
  const struct wl_trace_how how = {.progress = look_at_writing};
  struct wl_trace_summary summary;
  char err[512];
  const int fd = wl_trace_temporary(err, sizeof err);
  assert_true(fd >= 0);
  if (!wl_trace_to_htrace(new_script(launches, ctas, WARPS, program), fd, &how, &summary, err, sizeof err))
    fail_msg("%s", err);
  struct wl_source *source = wl_trace_read(fd, "trace", err, sizeof err);
  assert_non_null(source);
  const uint64_t done = run(c, source);
  source->ops->close(source);
  assert_int_equal(summary.insts, done + (uint64_t)launches * ctas * WARPS); /* with the EXITs */
  return done;
}

typedef uint64_t running(const struct hd_config *c, uint32_t launches, uint32_t ctas);

/* Runs of one length, and TIMES as long. long_warps: bytes that those with long warps may take more. */
static void holds_no_more(const char *machine, running *run_of, size_t long_warps) {
  const struct {
    const char *by;
    uint32_t launches, ctas, insts;
    size_t more;
  } longer[] = {{"launches", 2 * TIMES, CTAS, INSTS, SLACK},
                {"CTAs", 2, TIMES * CTAS, INSTS, SLACK},
                {"instructions of a warp", 2, CTAS, TIMES * INSTS, SLACK + long_warps}};
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
  skip();
#endif
  struct hd_config c = loaded(machine);
  c.gpu.sms = c.gpu.sms < 2 ? c.gpu.sms : 2;
  assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
  insts = INSTS;
  run_of(&c, 2, CTAS); /* what the first run of all leaves behind */
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
  holds_no_more("gpu/fermi", run_script, 0);
}

static void a_run_of_an_sm_with_all_mechanisms(void **state) {
  (void)state;
  holds_no_more("all", run_script, 0);
}

/* The block that others are compressed against is longer where warps are, up to a block's room. */
static void a_trace(void **state) {
  (void)state;
  holds_no_more("gpu/fermi", run_trace, WL_TRACE_BLOCK);
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
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
