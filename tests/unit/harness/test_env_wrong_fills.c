/* The environments of the L1D and its attachments with lines that fills allocate: errors are caught. */
#include "tests/unit/harness/env_wrong.h"

/* A machine with hold, pins and keep. */
static struct play mixed(const char *module) {
  struct play p = of(module);
  p.c.l1d.allocate = HD_ON_FILL;
  p.c.apcm.manage = HD_APCM_BOTH;
  p.c.casc.scheme = HD_CASC_LOCALITY;
  p.c.ccws.throttle = HD_CCWS_ON;
  return p;
}

HEARD(no_pins, l1d, fill_pins, 0)
HEARD(all_pins, l1d, fill_pins, 15)
HEARD(any_among, l1d, fill_among, 15)
SHOWN(pinned, l1d, out->outcome_take && !out->outcome_load, out->took_pin ^= 1)
SHOWN(other_warp, l1d, out->outcome_take && !out->outcome_load, out->took_wid ^= 1)
SHOWN(other_line, l1d, out->outcome_take && !out->outcome_load, out->took_line ^= 1)
ALWAYS(other_set, l1d, true, out->fill_set ^= 1)

static void test_wrong_fills(void **state) {
  (void)state;
  const struct play p = mixed("l1d");
  caught_in(p, no_pins, "takes a way that is pinned");
  caught_in(p, no_pins, "a fill stays that finds every way pinned");
  caught_in(p, all_pins, "a fill does not stay, and is to");
  caught_in(p, any_among, "not one of those among which it may");
  caught_in(p, pinned, "a fill is said to be pinned");
  caught_in(p, other_warp, "with other fields than those of its first");
  caught_in(p, other_line, "with other fields than those of its first");
  caught_in(p, other_set, "a fill asks about another set");
}

SHOWN(degree_among, locality_degree, true, out->fill_among ^= 1)
SHOWN(degree_asks, locality_degree, true, out->hold_fill ^= 1)
SHOWN(uses_counter, line_uses, true, out->fill_counters[1] ^= 1)
SHOWN(line_pins, apcm_line, true, out->fill_pins ^= 1)
SHOWN(line_asks, apcm_line, true, out->ps_valid ^= 1)
HEARD(line_pinned, apcm_line, took_pin, 1)
HEARD(line_taker, apcm_line, took_wid, 0)
HEARD(vta_taker, ccws_vta, took_wid, 0)
HEARD(vta_line, ccws_vta, took_line, 0)
HEARD(vta_past, ccws_vta, outcome_past, 0)

static void test_wrong_attachments(void **state) {
  (void)state;
  caught_in(mixed("locality_degree"), degree_among, "fill_among is");
  caught_in(mixed("locality_degree"), degree_asks, "hold_fill is");
  caught_in(mixed("line_uses"), uses_counter, "the counter of set");
  caught_in(mixed("apcm_line"), line_pins, "fill_pins is");
  caught_in(mixed("apcm_line"), line_asks, "ps_valid is");
  caught_in(mixed("apcm_line"), line_pinned, "pinned are");
  caught_in(mixed("apcm_line"), line_taker, "pinned are");
  caught_in(mixed("ccws_vta"), vta_taker, "hit_valid is");
  caught_in(mixed("ccws_vta"), vta_line, "hit_valid is");
  caught_in(mixed("ccws_vta"), vta_past, "hit_valid is");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_wrong_fills),
                                     cmocka_unit_test(test_wrong_attachments)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
