/* Lockstep inside a GPU: SM 0's memory path and bank 0 of the L2 are RTL, all else is models. The run takes as many cycles as the
 * simulator. A flipped bit in either module is reported under its module's name. A byte that the bank loses is noticed. Needs
 * Verilator; built modules are kept from run to run. */
#include <inttypes.h>
#include <unistd.h>

#include "cmodel/gpu/sim.h"
#include "tests/unit/harness/cosim_rig.h"
#include "workloads/workloads.h"

#define WORKLOAD "gaussian:tiny,n=16"

/* A small machine that is quick to build: three SMs of 16 warps, 64-byte lines, two L2 banks of 32 lines, power-gated. */
static void small(struct hd_config *c) {
  hd_config_default(c);
  strcpy(c->name, "small_gpu");
  c->gpu.sms = 3;
  c->gpu.dispatch_latency = 9;
  c->sm.warps = 16;
  c->sm.ctas = 2;
  c->l1d.line_bytes = 64;
  c->l1d.sets = 4;
  c->l1d.ways = 2;
  c->l1d.mshrs = 8;
  c->l1d.mshr_merge = 4;
  c->memory.kind = HD_MEM_L2;
  c->icnt.latency = 8;
  c->l2.banks = 2;
  c->l2.sets = 8;
  c->l2.ways = 4;
  c->l2.mshrs = 8;
  c->l2.mshr_merge = 4;
  c->l2.latency = 20;
  c->dram.channels = 1;
  c->dram.latency = 40;
  c->loscache.gate = HD_GATE_ADAPTIVE;
  c->loscache.phase = 8;
}

static int begin(void **state) {
  (void)state;
  small(&t.c);
  return begin_machine();
}

static int end(void **state) {
  (void)state;
  finish();
  return 0;
}

static struct hd_cosim_job of(const char *fault) {
  return (struct hd_cosim_job){.design = t.design,
                               .module = "sm_mem",
                               .workload = WORKLOAD,
                               .gpu = true,
                               .seed = 7,
                               .work = t.work,
                               .fault = fault};
}

/* Both clocks run, and lockstep adds no cycle to the GPU's time. */
static void test_as_sim(void **state) {
  (void)state;
  char err[256];
  struct wl_source *source = wl_open(WORKLOAD, err, sizeof err);
  assert_non_null(source);
  struct hd_sim_result sim;
  const struct hd_sim_job job = {.design = t.design, .source = source};
  assert_int_equal(hd_sim_run(&job, &sim, &t.why), HD_OK);
  source->ops->close(source);
  assert_true(sim.memsys.l2.queries > 0 && sim.memsys.l2.closes_last > 0 && sim.memsys.l2.early > 0);
  run(of(NULL), HD_OK);
  assert_int_equal(t.r.gpu_cycles, sim.sm.cycles);
  assert_true(t.r.cycles >= sim.sm.cycles && t.r.cycles < sim.sm.cycles + 5000);
  assert_in_range(t.r.l2_cycles * t.c.sm.clock_mhz / t.c.l2.clock_mhz, t.r.cycles - 100, t.r.cycles + 100);
  const struct hd_decl *sm = hd_design_find(t.design, "sm_mem"), *l2 = hd_design_find(t.design, "l2_top");
  assert_true(sm && l2 && t.r.values_compared > t.r.cycles * sm->n_rows + t.r.l2_cycles * l2->n_rows);
  assert_true(t.r.facts_checked > 0 && t.r.mismatches == 0 && !t.r.failure && !t.r.failure_dir);
}

static void test_same_seed_same_run(void **state) {
  (void)state;
  uint64_t values[2], facts[2];
  for (unsigned i = 0; i < 2; i++) {
    run(of(NULL), HD_OK);
    values[i] = t.r.values_compared;
    facts[i] = t.r.facts_checked;
  }
  assert_true(values[0] == values[1] && facts[0] == facts[1]);
}

/* A flipped bit in either module, on either side: reported with its module, in its cycle. The first two, of sm_mem, have no
 * waveform: test_cosim.c checks one, and the model would be compiled once more. */
enum { WITHOUT_WAVES = 2 };
static void test_faults(void **state) {
  (void)state;
  static const struct {
    const char *fault, *why, *report;
  } faults[] = {{"u_l1d.valid[1].0@900", "lockstep mismatch in sm_mem, cycle 900: u_l1d.valid[1]",
                 "MISMATCH   module sm_mem   cycle 900 "},
                {"model:u_pred.seen.1@700", "lockstep mismatch in sm_mem, cycle 700: u_pred.seen",
                 "MISMATCH   module sm_mem   cycle 700 "},
                {"u_slice.valid[2].1@300", "lockstep mismatch in l2_top, cycle 300: u_slice.valid[2]",
                 "MISMATCH   module l2_top   cycle 300 "},
                {"rsp_valid@250", "lockstep mismatch in l2_top, cycle 250: rsp_valid",
                 "MISMATCH   module l2_top   cycle 250 "},
                {"model:u_gate.power[3].0@400", "lockstep mismatch in l2_top, cycle 400: u_gate.power[3]",
                 "MISMATCH   module l2_top   cycle 400 "}};
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    struct hd_cosim_job job = of(faults[i].fault);
    job.no_waves = i < WITHOUT_WAVES;
    run(job, HD_CHECK);
    says(t.why.text, faults[i].why);
    says(t.r.failure, faults[i].report);
    assert_int_equal(t.r.mismatches, 1);
    if (job.no_waves)
      continue;
    char *wave = hd_format("%s/wave.fst", t.r.failure_dir);
    assert_int_equal(access(wave, R_OK), 0);
    free(wave);
  }
}

static void test_no_such_name(void **state) {
  (void)state;
  run(of("u_slice.nobody.0@100"), HD_INPUT);
  says(t.why.text, "called 'u_slice.nobody'");
  run(of("u_slice.valid[2].1@99999999"), HD_INPUT);
  says(t.why.text, "the run ended in cycle");
}

/* Runs with a fault that RTL and model share. Returns true if the report has these words. */
static bool tells(const char *fault, const char *module, const char *words) {
  struct hd_cosim_job job = of(fault);
  hd_cosim_free(&t.r);
  if (hd_cosim_run(&job, &t.r, &t.why) == HD_OK)
    return false;
  says(t.why.text, module);
  says(t.r.failure, "FAILED CHECK");
  return strstr(t.why.text, words);
}

/* A dirty bit is lost as the run ends: this shows if the line was dirty. A byte changes then: this shows if the line was powered. */
static void test_lost(void **state) {
  (void)state;
  bool lost = false, changed = false;
  run(of(NULL), HD_OK);
  const uint64_t late = t.r.l2_cycles - 2;
  for (unsigned row = 0; row < t.c.l2.sets * t.c.l2.ways && !(lost && changed); row++) {
    char *bit =
             hd_format("both:u_slice.dirty[%u][0].%u@%" PRIu64, row / t.c.l2.ways, row % t.c.l2.ways, late),
         *byte = hd_format("both:u_slice.data[%u][1].9@%" PRIu64, row, late);
    lost = lost || tells(bit, "l2_top", "are lost: stored, and neither in the memory nor dirty in the slice");
    changed = changed || tells(byte, "l2_top", "otherwise than the stores made it");
    free(bit);
    free(byte);
  }
  assert_true(lost && changed);
}

/* A byte changes where lines are kept or wait. Returns true if some row and cycle shows it. */
static bool some_row_tells(const char *memory, unsigned rows, uint64_t first, unsigned step,
                           const char *module, const char *words) {
  bool found = false;
  for (unsigned i = 0; i < 20 * rows && !found; i++) {
    char *fault = hd_format("both:%s[%u][1].3@%" PRIu64, memory, i % rows, first + i / rows * step);
    found = tells(fault, module, words);
    free(fault);
  }
  return found;
}

static void test_wrong_bytes(void **state) {
  (void)state;
  assert_true(some_row_tells("u_slice.rq_data", t.c.l2.replies, 650, 1, "l2_top",
                             "has other data than the stores to its line"));
  assert_true(
      some_row_tells("u_l1d.data", t.c.l1d.sets * t.c.l1d.ways, 7500, 250, "sm_mem", "returns a wrong byte"));
}

static void test_nothing(void **state) {
  (void)state;
  struct hd_cosim_job job = of(NULL);
  job.cycles = 20;
  run(job, HD_CHECK);
  says(t.why.text, "nothing was compared");
  job.cycles = 1000;
  run(job, HD_CHECK);
  says(t.why.text, "is not done after the limit of 1000 cycles");
  assert_true(t.r.cut);
}

static void refused(const struct hd_config *c, const char *workload, const char *words) {
  struct hd_design *design = hd_design_new(c);
  struct hd_cosim_job job = of(NULL);
  job.design = design;
  job.workload = workload;
  run(job, HD_INPUT);
  says(t.why.text, words);
  hd_design_free(design);
}

static void test_refused(void **state) {
  (void)state;
  struct hd_config c;
  small(&c);
  assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
  refused(&c, NULL, "allowed on a workload");
  c.loscache.gate = HD_GATE_OFF;
  c.memory.kind = HD_MEM_LINK;
  assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
  refused(&c, WORKLOAD, "memory.kind = link");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_as_sim),  cmocka_unit_test(test_same_seed_same_run),
      cmocka_unit_test(test_faults),  cmocka_unit_test(test_no_such_name),
      cmocka_unit_test(test_lost),    cmocka_unit_test(test_wrong_bytes),
      cmocka_unit_test(test_nothing), cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
