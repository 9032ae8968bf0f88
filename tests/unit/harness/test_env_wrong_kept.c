/* Sabotaged golden models of the L1D, of which the ports show that a line or a way was not kept as it should be
 * (verif/l1d/l1d_checker_kept.c). */
#include "tests/unit/harness/env_wrong.h"

SEEN(l1d_forgets, l1d, !in->flush && !in->req_valid && !in->mrsp_valid, in->flush = 1)
HEARD(l1d_waits, l1d, lack_bypass, 0)
ALWAYS(l1d_second_mshr, l1d, out->mreq.kind == HD_FILL, out->mreq.id ^= 1)

static void test_wrong_kept(void **state) {
  (void)state;
  struct play p = of("l1d");
  caught_in(p, l1d_forgets, "fetches a line that must still be there");
  caught_in(p, l1d_second_mshr, "first after a reset, and not of MSHR 0");
  p.c.request_buffer.kind = HD_MRPB;
  p.c.request_buffer.bypass = HD_BYPASS_ASSOC;
  caught_in(p, l1d_waits, "the next load is not kept from going on uncached");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_wrong_kept)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
