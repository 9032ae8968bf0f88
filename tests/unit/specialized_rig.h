/* What tests of code that is compiled for some machines (cmodel/model/specialized.h) share: the machines, and that each is run by its
 * code. To be included with EACH_MACHINE(X), X(name, config) for each. */
#ifndef HEDDLE_TESTS_UNIT_SPECIALIZED_RIG_H
#define HEDDLE_TESTS_UNIT_SPECIALIZED_RIG_H

#include "arch/declaration/declaration.h"
#include "tests/unit/loaded.h"

#define MACHINE(name, config) {#name, config},
static const struct {
  const char *name, *config; /* of its code; of configs/ */
} machines[] = {EACH_MACHINE(MACHINE)};
enum { MACHINES = sizeof machines / sizeof *machines };

/* The name of the code that runs the design's machine. */
static const char *code_for(const struct hd_design *design);

/* The machine, which has been checked, is run by the code of that name. */
static void code_is(const struct hd_config *c, const char *name) {
  struct hd_design *design = hd_design_new(c);
  assert_non_null(design);
  assert_string_equal(code_for(design), name);
  hd_design_free(design);
}

/* The same, once it has been changed. */
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
