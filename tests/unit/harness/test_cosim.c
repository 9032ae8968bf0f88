/* Lockstep and its report. The test flips bits in registers, memories and outputs, on the RTL's side, the model's or both. Lockstep
 * finds each flip in its cycle and reports its name and both values. The command that the report prints shows the flip again. Needs
 * Verilator; built modules are kept from run to run. */
#include <inttypes.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/harness/cosim_rig.h"
#include "verif/harness/run.h"
#include "verif/verilate/build.h"

static char *program;

static int begin(void **state) {
  (void)state;
  const int failed = begin_small();
  program = getenv("HEDDLE") ? hd_format("%s", getenv("HEDDLE")) : hd_format("%s/heddle", t.build);
  return failed;
}

static int end(void **state) {
  (void)state;
  finish();
  free(program);
  return 0;
}

static struct hd_cosim_job of(const char *module, const char *fault) {
  return (struct hd_cosim_job){.design = t.design,
                               .module = module,
                               .seed = 7,
                               .cycles = 3000,
                               .work = t.work,
                               .program = program,
                               .fault = fault};
}

/* Returns a file of the failure's directory. The caller frees it. */
static char *saved(const char *name) {
  char *path = hd_format("%s/%s", t.r.failure_dir, name), *text = hd_slurp(path);
  if (!text)
    fail_msg("%s is missing", path);
  free(path);
  return text;
}

/* Returns the text that the last run prints. The caller frees it. */
static char *printed(void) {
  char *text = NULL;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  hd_cosim_print(&t.r, f);
  fclose(f);
  return text;
}

static void test_green(void **state) {
  (void)state;
  run(of("l1d", NULL), HD_OK);
  assert_true(t.r.cycles >= 3000 && t.r.facts_checked > 0 && t.r.mismatches == 0);
  assert_true(t.r.events_seen > 10 && t.r.events_seen <= t.r.n_events);
  assert_null(t.r.failure);
  assert_null(t.r.failure_dir);
  /* every output and register in every cycle, and also memories */
  const struct hd_decl *d = hd_design_find(t.design, "l1d");
  uint64_t each = 0;
  for (size_t i = 0; i < d->n_rows; i++)
    each += d->rows[i].cls == HD_IN || d->rows[i].cls == HD_RAM ? 0 : d->rows[i].count;
  assert_true(t.r.values_compared > t.r.cycles * each);
  char *text = printed();
  says(text, "cycles           3,");
  says(text, "values compared  ");
  says(text, ", all equal");
  says(text, "events seen      ");
  says(text, "waivers          none\n");
  says(text, "seed             7\n");
  free(text);
}

static void test_same_seed_same_run(void **state) {
  (void)state;
  struct hd_cosim_job job = of("l1d", NULL);
  uint64_t facts[3], values[3];
  for (unsigned i = 0; i < 3; i++) {
    job.seed = i < 2 ? 8 : 9;
    run(job, HD_OK);
    facts[i] = t.r.facts_checked;
    values[i] = t.r.values_compared;
  }
  assert_true(facts[0] == facts[1] && values[0] == values[1]);
  assert_true(facts[0] != facts[2] && values[0] != values[2]);
}

static void test_nothing(void **state) {
  (void)state;
  struct hd_cosim_job job = of("l1d", NULL);
  job.cycles = 0;
  run(job, HD_CHECK);
  says(t.why.text, "nothing was compared");
}

/* A run that its limit ends before the workload does has not passed. */
static void test_limit(void **state) {
  (void)state;
  struct hd_cosim_job job = of("sm_mem", NULL);
  job.workload = "random:tiny,launches=1";
  job.cycles = 100;
  run(job, HD_CHECK);
  says(t.why.text, "is not done after the limit of 100 cycles");
  assert_true(t.r.cut && t.r.cycles == 100 && t.r.mismatches == 0 && t.r.values_compared > 0);
  char *text = printed();
  says(text, "limit reached    the workload is not done\n");
  free(text);
  job.cycles = HD_DUT_FEW; /* as few as all runs here: one model of sm_mem */
  run(job, HD_OK);
  assert_false(t.r.cut);
}

/* The file that Verilator and the compiler made of the L1D. */
static struct stat made(void) {
  struct hd_dut_lib lib;
  struct stat s;
  assert_int_equal(hd_dut_build(t.design, "l1d", t.work, (struct hd_dut_want){.quick = true}, &lib, &t.why),
                   HD_OK);
  char *path = hd_format("%s/dut.so", lib.dir);
  assert_int_equal(stat(path, &s), 0);
  free(path);
  hd_dut_unload(&lib);
  return s;
}

static void test_built_once(void **state) {
  (void)state;
  const struct stat before = made();
  run(of("l1d", NULL), HD_OK);
  const struct stat after = made();
  assert_true(after.st_ino == before.st_ino && after.st_mtime == before.st_mtime);
}

/* Checks the report of a fault: headline, values, events, ports, and the files beside it. */
static void report_says(const char *fault, const char *headline, const char *values, const char *wave) {
  run(of("l1d", fault), HD_CHECK);
  assert_int_equal(t.r.mismatches, 1);
  char *text = saved("report.txt"), *json = saved("report.json"), *gtkw = saved("wave.gtkw");
  assert_string_equal(text, t.r.failure);
  says(text, headline);
  says(text, fault);
  says(text, values);
  says(text, "model says, last events\n");
  says(text, "  l1d.send ");
  says(text, "req_valid req_ready");
  says(text, "  <- here\n");
  says(text, "  again ");
  says(text, "end of report\n");
  says(json, "\"differing\": 1,");
  says(gtkw, wave);
  free(text);
  free(json);
  free(gtkw);
  free(saved("config.yaml"));
  char *path = hd_format("%s/wave.fst", t.r.failure_dir);
  assert_int_equal(access(path, R_OK), 0);
  free(path);
}

/* Files that can't be written, as on a full disk. The report names them and gives the reason. No half-written file is left. */
static void test_full_disk(void **state) {
  (void)state;
  static const char *const names[] = {"config.yaml", "wave.gtkw", "report.txt"};
  enum { NAMES = sizeof names / sizeof *names };
  struct hd_cosim_job job = of("l1d", "lru[1]@811");
  job.seed = 811;
  run(job, HD_CHECK);
  assert_null(t.r.unsaved);
  char *path[NAMES];
  for (int i = 0; i < NAMES; i++) {
    path[i] = hd_format("%s/%s", t.r.failure_dir, names[i]);
    assert_int_equal(unlink(path[i]), 0);
    assert_int_equal(symlink("/dev/full", path[i]), 0);
  }
  run(job, HD_CHECK);
  says(t.r.failure, "  but      config.yaml cannot be written: No space left on device; "
                    "wave.gtkw cannot be written: No space left on device\n");
  says(t.r.failure, " && gtkwave wave.fst ");
  says(t.why.text, "report.txt, but config.yaml cannot be written: No space left on device; "
                   "wave.gtkw cannot be written: No space left on device; "
                   "report.txt cannot be written: No space left on device");
  for (int i = 0; i < NAMES; i++) {
    struct stat s;
    assert_int_equal(lstat(path[i], &s), -1);
    free(path[i]);
  }
}

static void test_register(void **state) {
  (void)state;
  static const char headline[] = "LOCKSTEP MISMATCH   module l1d   cycle 900   seed 7   config small\n";
  report_says("valid[3].1@900", headline, "  register  valid[3]   rtl ",
              "\nTOP.l1d.valid_q[7:0]\n@22\nTOP.l1d.model.valid_q[7:0]\n");
  says(t.r.failure, "   xor 2   bit w = the line holds data\n");
  report_says("model:mshr_line[1].3@900", headline, "  register  mshr_line[1]   rtl ",
              "\nTOP.l1d.mshr_line_q[");
  says(t.r.failure, "   xor 0000008   line each MSHR waits for\n");
}

static void test_memory(void **state) {
  (void)state;
  static const char headline[] = "LOCKSTEP MISMATCH   module l1d   cycle 901   seed 7   config small\n";
  report_says("data[5][2].63@901", headline, "  memory    data[5][2]   rtl ",
              "\nTOP.l1d.u_data.wdata[255:0]\n");
  says(t.r.failure, "   xor 8000000000000000   the lines");
  says(t.r.failure, "\n      row 5, rtl   ");
  says(t.r.failure, "\n      row 5, model ");
  report_says("model:tags[2][1].4@901", headline, "  memory    tags[2][1]   rtl ",
              "\nTOP.l1d.u_tags_1.wdata[");
  report_says("merged[1].wid.0@901", headline, "  memory    merged[1].wid   rtl ",
              "\nTOP.l1d.u_merged.wdata[");
}

/* A row that the model writes by a wrong bit, and that the RTL does not have, is compared with nothing. */
static void test_no_such_row(void **state) {
  (void)state;
  int64_t row = -1;
  const struct hd_mem mem = {.depth = 3};
  const struct hd_ram ram = {.mem = &mem, .st = &row};
  for (; row < 3; row++)
    assert_int_equal(hd_ram_written(&ram), row);
  for (; row < 6; row++)
    assert_int_equal(hd_ram_written(&ram), -1);
}

static void test_output(void **state) {
  (void)state;
  static const char headline[] = "LOCKSTEP MISMATCH   module l1d   cycle 902   seed 7   config small\n";
  report_says("req_ready@902", headline, "  output    req_ready   rtl ",
              "\nTOP.l1d.req_ready\n@28\nTOP.l1d.model.req_ready\n");
  report_says("model:resp_data[3].9@902", headline, "  output    resp_data[3]   rtl ",
              "\nTOP.l1d.resp_data[255:0]\n");
}

/* The same fault on both sides. The environment must find it, in sm_mem the scoreboard. Not every cycle shows the fault; one of the
 * first must. */
static void found(const char *module, const char *output) {
  enum hd_rc rc = HD_OK;
  for (unsigned cycle = 3; rc == HD_OK && cycle < 1000; cycle++) {
    char *fault = hd_format("both:%s@%u", output, cycle);
    const struct hd_cosim_job job = of(module, fault);
    hd_cosim_free(&t.r);
    rc = hd_cosim_run(&job, &t.r, &t.why);
    free(fault);
  }
  assert_int_equal(rc, HD_CHECK);
  assert_int_equal(t.r.mismatches, 0);
}

static void test_environment(void **state) {
  (void)state;
  found("l1d", "resp_valid");
  says(t.r.failure, "LOCKSTEP FAILED CHECK   module l1d   cycle ");
  says(t.r.failure, "RTL and model agree; the environment says: ");
  found("sm_mem", "resp_valid");
  says(t.r.failure, "LOCKSTEP FAILED CHECK   module sm_mem   cycle ");
  says(t.r.failure, "no such request is in flight");
  /* the memory's answer is lost: no value differs, and no answer follows */
  found("sm_mem", "mrsp_ready");
}

/* A flip that both sides share matters only if it is read. The bytes of a line are not read before the line is there. */
static void test_read(void **state) {
  (void)state;
  run(of("l1d", "both:data[7][3].5@1"), HD_OK);
  assert_true(t.r.fault_shared && !t.r.fault_read);
  char *text = printed();
  says(text, "fault            never read");
  free(text);
  run(of("l1d", "both:lru[1]@700"), HD_OK);
  assert_true(t.r.fault_shared && t.r.fault_read && t.r.fault_read_at > 700);
  run(of("l1d", NULL), HD_OK);
  assert_true(!t.r.fault_shared);
}

/* Runs the command of the report. It must end with 1 and report the same values. */
static void again(const char *cycle) {
  char *command = strstr(t.r.failure, "  again    "), *line = strstr(t.r.failure, "   rtl ");
  assert_true(command && line);
  command = hd_format("%.*s >%s/again.txt 2>/dev/null", (int)strcspn(command + 11, "\n"), command + 11,
                      t.r.failure_dir);
  const int status = system(command);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 1)
    fail_msg("%s: ended with %d", command, status);
  char *path = hd_format("%s/again.txt", t.r.failure_dir), *text = hd_slurp(path);
  char *values = hd_format("%.*s", (int)strcspn(line, "\n"), line);
  says(text, values);
  says(text, cycle);
  free(values);
  free(text);
  free(path);
  free(command);
}

static void test_command(void **state) {
  (void)state;
  if (access(program, X_OK) != 0) {
    print_message("%s is not there: the command is not tried\n", program);
    skip();
  }
  run(of("l1d", "f_data[2].17@1234"), HD_CHECK);
  says(t.r.failure, "the whole run; it shows in cycle 1234\n");
  again("   cycle 1234   seed 7 ");
  /* after many resets the last stretch is enough */
  struct hd_cosim_job job = of("l1d", NULL);
  job.segment = 500;
  uint64_t resets = 0, from = 0;
  do /* up to the second long stretch */
    from += hd_run_stretch(&job, resets++);
  while (hd_run_stretch(&job, resets) < job.segment);
  char *fault =
      hd_format("model:mq_count.0@%" PRIu64, from + 234); /* has a reset: depends on this stretch alone */
  char *shown = hd_format("   cycle %" PRIu64 "   seed 7 ", from + 234);
  char *alone = hd_format("   cycle 234   seed %" PRIu64 " ", 7 + resets);
  job.fault = fault;
  run(job, HD_CHECK);
  says(t.r.failure, shown);
  says(t.r.failure, "only the stretch from the last reset on; it shows in cycle 234\n");
  again(alone);
  free(fault);
  free(shown);
  free(alone);
  job = of("sm_mem", "u_l1d.lru[1]@700");
  job.workload = "random:tiny,launches=1";
  run(job, HD_CHECK);
  again("   cycle 700   seed 7 ");
}

static void refused(const char *fault, const char *words) {
  run(of("l1d", fault), HD_INPUT);
  says(t.why.text, words);
  assert_null(t.r.failure);
}

static void test_refused(void **state) {
  (void)state;
  refused("valid", "allowed is NAME@CYCLE");
  refused("valid@", "allowed is NAME@CYCLE");
  refused("valid[1@3", "allowed is NAME@CYCLE");
  refused("valid[1].0@3x", "allowed is NAME@CYCLE");
  refused("frob@3", "no register, memory or output called 'frob'");
  refused("req_valid@3", "no register, memory or output called 'req_valid'");
  refused("valid[4]@3", "valid has 1 row of 4 elements of 2 bits");
  refused("valid[0].2@3", "valid has 1 row of 4 elements of 2 bits");
  refused("data[8][0].0@3", "data has 8 rows of 4 elements of 64 bits");
  refused("valid[0].1@999999", "the run ended in cycle 3");
  run(of("mrpb", NULL), HD_INPUT);
  says(t.why.text, "no such module in this machine");
  struct hd_cosim_job job = of("sm_mem", NULL);
  job.workload = "frob";
  run(job, HD_INPUT);
  says(t.why.text, "frob");
  job.workload = "random:tiny,warps=9"; /* of 8 warps; found in the middle of the run */
  run(job, HD_INPUT);
  says(t.why.text, "warps");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_green),      cmocka_unit_test(test_same_seed_same_run),
      cmocka_unit_test(test_nothing),    cmocka_unit_test(test_limit),
      cmocka_unit_test(test_built_once), cmocka_unit_test(test_full_disk),
      cmocka_unit_test(test_register),   cmocka_unit_test(test_memory),
      cmocka_unit_test(test_output),     cmocka_unit_test(test_environment),
      cmocka_unit_test(test_command),    cmocka_unit_test(test_refused),
      cmocka_unit_test(test_read),       cmocka_unit_test(test_no_such_row),
  };
  const int failed = cmocka_run_group_tests(tests, begin, end);
  hd_cosim_free(&t.r);
  return failed;
}
