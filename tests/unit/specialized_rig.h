/* What the tests of code that is compiled for some machines (cmodel/model/specialized.h) share: the machines, and the check that
 * each runs its own code. Include with EACH_MACHINE(X) defined as one X(name, config) per machine. */
#ifndef HEDDLE_TESTS_UNIT_SPECIALIZED_RIG_H
#define HEDDLE_TESTS_UNIT_SPECIALIZED_RIG_H

#include "arch/declaration/declaration.h"
#include "tests/unit/loaded.h"

#define MACHINE(name, config) {#name, config},
static const struct {
  const char *name, *config; /* name of its code; file in configs/ */
} machines[] = {EACH_MACHINE(MACHINE)};
enum { MACHINES = sizeof machines / sizeof *machines };

/* Returns the name of the code that runs the design's machine. */
static const char *code_for(const struct hd_design *design);

/* Fails unless the code of that name runs the machine. The machine must have been checked. */
static void code_is(const struct hd_config *c, const char *name) {
  struct hd_design *design = hd_design_new(c);
  assert_non_null(design);
  assert_string_equal(code_for(design), name);
  hd_design_free(design);
}

/* The same after a change of the machine: checks the configuration first. */
static void code_becomes(struct hd_config *c, const char *name) {
  assert_int_equal(hd_config_check(c, NULL, NULL, stderr), 0);
  code_is(c, name);
}

static void each_machine_has_its_own(void **state) {
  (void)state;
  for (unsigned i = 0; i < MACHINES; i++) {
    const struct hd_config c = loaded(machines[i].config);
    code_is(&c, machines[i].name);
  }
}

#endif
