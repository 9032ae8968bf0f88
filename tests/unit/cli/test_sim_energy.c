/* The energy of a run, from counts made by hand: sums, dependences, and a run in which nothing happened. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "arch/declaration/declaration.h"
#include "area/memory.h"
#include "cli/sim/sim.h"

static struct hd_config c;
static struct hd_design *design;

/* One slice, and a machine of one SM. */
static void machine(enum hd_gate gate, bool enable) {
  hd_design_free(design);
  hd_config_default(&c);
  c.memory.kind = HD_MEM_L2;
  c.l2.banks = c.dram.channels = c.gpu.sms = 1;
  c.loscache.gate = gate;
  c.loscache.enable = enable;
  assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
  design = hd_design_new(&c);
  assert_non_null(design);
}

static int end(void **state) {
  (void)state;
  hd_design_free(design);
  return 0;
}

enum { CYCLES = 70000 };

/* A run with every kind of request. `awake` and `live` are shares of the lines' time. */
static struct hd_sim_result run_of(double awake, double live) {
  const double lines = (double)CYCLES * (double)c.d.L2_LINES;
  return (struct hd_sim_result){.sms = 1,
                                .sm = {.cycles = CYCLES, .loads = 500, .stores = 300},
                                .memsys = {.l2 = {.reads = 700,
                                                  .writes = 300,
                                                  .read_hits = 400,
                                                  .write_hits = 100,
                                                  .merges = 150,
                                                  .misses = 350,
                                                  .writebacks = 40,
                                                  .looks = 1100,
                                                  .data_reads = 440,
                                                  .data_writes = 450,
                                                  .line_cycles = (uint64_t)lines,
                                                  .awake_cycles = (uint64_t)(lines * awake),
                                                  .generations = {.live_cycles = (uint64_t)(lines * live)}},
                                           .dram_reads = 350,
                                           .dram_writes = 40}};
}

static struct hd_l2_energy energy_of(const struct hd_sim_result *r) {
  struct hd_l2_energy e;
  struct hd_why why;
  assert_int_equal(hd_sim_energy(design, r, &e, &why), HD_OK);
  assert_true(isfinite(e.access_nj) && isfinite(e.leak_nj) && isfinite(e.wake_nj) && isfinite(e.added_nj) &&
              isfinite(e.total_nj) && isfinite(e.ideal_nj));
  return e;
}

static void assert_near(double a, double b) {
  if (fabs(a - b) > 1e-9 * fabs(b))
    fail_msg("%.12g is not %.12g", a, b);
}

static void the_sum_is_that_of_its_parts(void **state) {
  (void)state;
  machine(HD_GATE_ADAPTIVE, true);
  struct hd_sim_result r = run_of(.5, .25);
  r.memsys.l2.wakes = 350;
  r.memsys.l2.count_writes = 900;
  r.figures.prediction.entries = 5;
  const struct hd_l2_energy e = energy_of(&r);
  assert_true(e.access_nj > 0 && e.leak_nj > 0 && e.wake_nj > 0 && e.added_nj > 0);
  assert_near(e.total_nj, e.access_nj + e.leak_nj + e.wake_nj + e.added_nj);
}

/* Without power-off the oracle saves the leakage of lines that are not live. If all powered lines are live, it saves nothing. */
static void an_oracle_saves_what_is_not_live(void **state) {
  (void)state;
  machine(HD_GATE_OFF, true);
  struct hd_sim_result r = run_of(1, 1);
  struct hd_l2_energy e = energy_of(&r);
  assert_true(e.ideal && e.wake_nj == 0 && e.added_nj == 0);
  assert_near(e.ideal_nj, e.total_nj);

  const double all = e.total_nj;
  r = run_of(1, .25);
  e = energy_of(&r);
  assert_near(e.total_nj, all);
  const double saved = all - e.ideal_nj;
  assert_true(saved > 0 && saved < e.leak_nj);
  r = run_of(1, .5);
  e = energy_of(&r);
  assert_near(all - e.ideal_nj, saved * .5 / .75);

  r.memsys.l2.generations.lived = 7; /* the oracle wakes each of them, at the cost of any other wake */
  const double woken = energy_of(&r).ideal_nj - e.ideal_nj;

  machine(HD_GATE_ADAPTIVE, true);
  r.memsys.l2.wakes = 7;
  assert_true(woken > 0);
  assert_near(energy_of(&r).wake_nj, woken);
  assert_false(energy_of(&r).ideal);
  machine(HD_GATE_ADAPTIVE, false);
  assert_true(energy_of(&r).ideal);
}

static void nothing_that_is_awake_is_no_division_by_it(void **state) {
  (void)state;
  machine(HD_GATE_ADAPTIVE, true);
  struct hd_sim_result r = run_of(0, 0);
  struct hd_l2_energy e = energy_of(&r);
  assert_near(e.ideal_nj, e.access_nj + e.leak_nj);
  r.memsys.l2.line_cycles = 0; /* nor is a run of no cycles */
  r.sm.cycles = 0;
  e = energy_of(&r);
  assert_true(e.leak_nj == 0 && e.access_nj > 0);
}

/* The write energy of a macro of the slice, in pJ. */
static double write_pj(const char *name) {
  const struct hd_decl *d = hd_design_find(design, "l2_slice");
  const struct hd_pricer model = {.node_nm = c.energy.node_nm};
  struct hd_mem_price price = {0};
  for (size_t i = 0; i < d->n_mems; i++)
    if (!strcmp(d->mems[i].name, name)) {
      const struct hd_memory mem = {(int)d->mems[i].depth, (int)d->mems[i].width, HD_MEM_1R1W, HD_MEM_SRAM};
      assert_int_equal(hd_mem_price(&model, &mem, &price, NULL), HD_OK);
    }
  return price.write_pj;
}

static void accesses_cost_by_the_piece(void **state) {
  (void)state;
  machine(HD_GATE_OFF, true);
  const struct hd_sim_result none = {.sm = {.cycles = CYCLES}};
  struct hd_sim_result reads = none;
  assert_true(energy_of(&none).access_nj == 0);
  reads.memsys.l2.data_reads = 440;
  const double once = energy_of(&reads).access_nj;
  assert_true(once > 0);
  reads.memsys.l2.data_reads *= 2;
  assert_near(energy_of(&reads).access_nj, 2 * once);

  /* a write-back writes both rows of the set's state */
  struct hd_sim_result back = none;
  back.memsys.l2.writebacks = 40;
  assert_near(energy_of(&back).access_nj, 40e-3 * (write_pj("lru") + write_pj("dirty")));
}

static void leakage_follows_time_and_power(void **state) {
  (void)state;
  machine(HD_GATE_ADAPTIVE, true);
  struct hd_sim_result r = run_of(0, 0);
  const double off = energy_of(&r).leak_nj;
  r = run_of(1, 0);
  const double on = energy_of(&r).leak_nj;
  r = run_of(.5, 0);
  assert_near(energy_of(&r).leak_nj, (off + on) / 2);
  r.sm.cycles *= 3;
  assert_near(energy_of(&r).leak_nj, 3 * (off + on) / 2);
  c.energy.node_nm = 91;
  struct hd_l2_energy e;
  struct hd_why why;
  assert_int_equal(hd_sim_energy(design, &r, &e, &why), HD_INPUT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_sum_is_that_of_its_parts),
      cmocka_unit_test(an_oracle_saves_what_is_not_live),
      cmocka_unit_test(nothing_that_is_awake_is_no_division_by_it),
      cmocka_unit_test(accesses_cost_by_the_piece),
      cmocka_unit_test(leakage_follows_time_and_power),
  };
  return cmocka_run_group_tests(tests, NULL, end);
}
