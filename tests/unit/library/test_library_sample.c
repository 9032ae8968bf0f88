/* Sampled runs of the library (docs/gpu/sampling.md): what is refused, and the figures of a run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "lib/heddle.h"

static heddle_machine *load(const char *path) {
  heddle_machine *machine;
  if (heddle_load(path, NULL, 0, &machine))
    fail_msg("%s", heddle_machine_message(machine));
  return machine;
}

static heddle_run *open_run(const heddle_machine *machine, const char *workload) {
  heddle_run *run;
  if (heddle_run_open(machine, workload, 0, &run))
    fail_msg("%s", heddle_run_message(run));
  return run;
}

static void hear_span(void *user, const heddle_span *span) {
  (void)user;
  (void)span;
}

static void refused(void **state) {
  (void)state;
  heddle_machine *machine = load("configs/gpu/apres.yaml"), *sleeps = load("configs/loscache.yaml");
  heddle_run *run = open_run(machine, "fdtd:tiny"), *other = open_run(sleeps, "fdtd:tiny");
  static const unsigned numbers[][2] = {{1, 1000}, {10001, 1000}, {20, 99}, {20, 10000001}};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    assert_int_equal(heddle_run_sample(run, numbers[i][0], numbers[i][1], 1), HEDDLE_ERR_ARGUMENT);
  assert_int_equal(heddle_run_sample(other, 20, 1000, 1), HEDDLE_ERR_ARGUMENT);
  assert_int_equal(heddle_run_sample(run, 20, 1000, 1), HEDDLE_OK);
  heddle_run_on_span(run, hear_span, NULL);
  assert_int_equal(heddle_run_go(run), HEDDLE_ERR_ARGUMENT);
  heddle_run_on_span(run, NULL, NULL);
  assert_int_equal(heddle_run_go(run), HEDDLE_OK);
  heddle_run_close(run);
  heddle_run_close(other);
  heddle_unload(machine);
  heddle_unload(sleeps);
}

/* fdtd:tiny has four launches of each of three kernels. The seed passes some of the last launches. */
static void figures(void **state) {
  (void)state;
  heddle_machine *machine = load("configs/gpu/apres.yaml");
  heddle_run *whole = open_run(machine, "fdtd:tiny"), *run = open_run(machine, "fdtd:tiny");
  assert_int_equal(heddle_run_go(whole), HEDDLE_OK);
  assert_null(heddle_figure_find(whole, "sampling.samples"));
  assert_int_equal(heddle_run_sample(run, 50, 1000, 1), HEDDLE_OK);
  assert_int_equal(heddle_run_go(run), HEDDLE_OK);
  const uint64_t passed = heddle_figure_find(run, "sampling.launches_passed")->count;
  assert_in_range(passed, 1, 3);
  assert_true(heddle_figure_find(run, "instructions")->count ==
              heddle_figure_find(whole, "instructions")->count);
  assert_true(heddle_figure_find(run, "sampling.instructions_simulated")->count <
              heddle_figure_find(run, "instructions")->count);
  assert_true(heddle_figure_find(run, "sampling.cycles_simulated")->count <
              heddle_figure_find(run, "cycles")->count);
  const double error = heddle_figure_find(run, "ipc")->number / heddle_figure_find(whole, "ipc")->number - 1;
  assert_true(fabs(error) < 0.05);
  heddle_run_close(whole);
  heddle_run_close(run);
  heddle_unload(machine);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(refused), cmocka_unit_test(figures)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
