/* A sabotaged golden model poses as an L1D with check bits that poisons answers although no bit has flipped
 * (docs/mechanisms/ecc.md). */
#include "tests/unit/harness/env_wrong.h"

SHOWN(l1d_poisons, l1d, out->resp_valid && !out->resp.write, out->resp_poison = 1)
SHOWN(sm_poisons, sm_mem, out->resp_valid && !out->resp.write, out->resp_poison = 1)

static void test_wrong_poison(void **state) {
  (void)state;
  struct play l1d = of("l1d"), sm_mem = of("sm_mem");
  l1d.c.l1d.protect = HD_PROTECT_PARITY;
  sm_mem.c.l1d.protect = HD_PROTECT_SECDED;
  caught_in(l1d, l1d_poisons, "no bit has flipped");
  caught_in(sm_mem, sm_poisons, "no bit has flipped");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_wrong_poison)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
