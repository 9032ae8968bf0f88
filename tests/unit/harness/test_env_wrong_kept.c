/* Sabotaged golden models of the L1D: the ports show that a line or a way was not kept as it should be
 * (verif/l1d/l1d_checker_kept.c). */
#include "tests/unit/harness/env_wrong.h"

#include "verif/l1d/l1d_checker.h"

SEEN(l1d_forgets, l1d, !in->flush && !in->req_valid && !in->mrsp_valid, in->flush = 1)
HEARD(l1d_waits, l1d, lack_bypass, 0)
ALWAYS(l1d_second_mshr, l1d, out->mreq.kind == HD_FILL, out->mreq.id ^= 1)

SHOWN(l1d_hides, l1d, out->resp_valid && !out->resp.write && in->resp_ready, out->resp_valid = 0)

static void test_wrong_kept(void **state) {
  (void)state;
  struct play p = of("l1d");
  caught_in(p, l1d_forgets, "fetches a line that must still be there");
  caught_in(p, l1d_second_mshr, "first after a reset, and not of MSHR 0");
  p.c.request_buffer.kind = HD_MRPB;
  p.c.request_buffer.bypass = HD_BYPASS_ASSOC;
  caught_in(p, l1d_waits, "the next load is not kept from going on uncached");
  p.c.l1d.bypass_slots = 1;
  caught_in(p, l1d_hides, "bypasses, and no slot is free"); /* its answer has never come */
}

/* Four ways, and a load that bypasses. It may bypass if four other lines of its set were in flight since it was taken, but not with
 * three. */
static void test_needless_bypass(void **state) {
  (void)state;
  struct hd_config c = of("l1d").c;
  c.request_buffer.kind = HD_MRPB;
  c.request_buffer.bypass = HD_BYPASS_ASSOC;
  assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
  assert_int_equal(c.d.WAYS, 4);
  struct line line[6] = {{.loads = 1}, {.loads = 1}, {.idle = 10},
                         {.idle = 11}, {.idle = 9},  {.set = 1, .loads = 1}};
  for (unsigned i = 0; i < 6; i++)
    line[i].addr = i * c.l1d.line_bytes;
  const struct l1d_env e = {.p.c = &c, .pool = line, .n_lines = 6};
  const struct record rec = {.line = line, .taken = 10};
  assert_string_equal(hd_l1d_check_away(&e, &rec),
                      "is of a load that bypasses, and its set has a way for it");
  line[4].loads = 1;
  assert_null(hd_l1d_check_away(&e, &rec));
  c.d.SECTOR_FILL = 1; /* in a sectored L1D two pool entries may be sectors of one line, in one way */
  line[4].addr = line[3].addr;
  assert_non_null(hd_l1d_check_away(&e, &rec));
  line[4].addr = line[0].addr; /* or sectors of its own line */
  assert_non_null(hd_l1d_check_away(&e, &rec));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_wrong_kept),
                                     cmocka_unit_test(test_needless_bypass)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
