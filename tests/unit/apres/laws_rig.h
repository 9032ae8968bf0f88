/* What the tests of LAWS share: machines with either form of the queue, and a way to run each test on both forms. */
#ifndef HEDDLE_TESTS_UNIT_LAWS_RIG_H
#define HEDDLE_TESTS_UNIT_LAWS_RIG_H

#define RIG laws
#include "tests/unit/rig.h"

static struct hd_config machine(enum hd_order queue, unsigned warps, unsigned scheds,
                                enum hd_prefetch prefetch) {
  struct hd_config c = defaults();
  c.scheduler.policy = HD_LAWS;
  c.laws.queue = queue;
  c.sm.warps = warps;
  c.sm.schedulers = scheds;
  c.prefetch.kind = prefetch;
  return c;
}

/* BOTH defines a test with the matrix and one with the list. LISTED lists the two. */
#define BOTH(test)                                                                                           \
  static void test##_matrix(void **state) {                                                                  \
    (void)state;                                                                                             \
    test(HD_MATRIX);                                                                                         \
  }                                                                                                          \
  static void test##_list(void **state) {                                                                    \
    (void)state;                                                                                             \
    test(HD_LIST);                                                                                           \
  }
#define LISTED(test) cmocka_unit_test(test##_matrix), cmocka_unit_test(test##_list),

#endif
