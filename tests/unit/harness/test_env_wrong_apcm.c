/* The environments of APCM's tables and of the warp limit catch errors that happen now and then or always. */
#include "tests/unit/harness/env_wrong.h"

static struct play apcm(const char *module) {
  struct play p = of(module);
  p.c.apcm.manage = HD_APCM_BOTH;
  return p;
}

static struct play limited(const char *module) {
  struct play p = of(module);
  p.c.scheduler.limit = 2;
  return p;
}

SHOWN(lat_other, lat, in->load_valid && out->load_trk, out->load_lid ^= 1)
SHOWN(lat_ask, lat, out->ask_pc != 0, out->ask_pc ^= 1)
SHOWN(mta_none, mta, out->up_valid, out->up_valid = 0)
SHOWN(mta_count, mta, out->up_valid, out->up_count ^= 1)
SHOWN(cait_bypass, cait, out->bypass != 0, out->bypass &= out->bypass - 1)
SHOWN(cait_protect, cait, out->protect != 0, out->protect &= out->protect - 1)
SHOWN(coalescer_id, coalescer, out->req_valid && in->req_ready && out->req.trk, out->req.lid ^= 1)
SHOWN(casc_id, casc, out->out_valid && in->out_ready && out->out.trk, out->out.lid ^= 1)
SHOWN(coalescer_has_id, coalescer, out->req_valid && in->req_ready, out->req.trk ^= 1)
SHOWN(psb_off, psb, out->psb_on != 0, out->psb_on &= out->psb_on - 1)
SHOWN(psb_on, psb, ~out->psb_on & 2, out->psb_on |= 2)

HEARD(insomnia, warp_limit, awake, UINT64_MAX >> 16)
HEARD(narcolepsy, warp_limit, awake, 0)
HEARD(sched_lets_all, sched, withhold, 0)
HEARD(laws_lets_all, laws, withhold, 0)
SHOWN(limit_wants_more, warp_limit, true, out->withhold &= out->withhold - 1)
SHOWN(limit_drops, warp_limit, ~out->withhold & 2, out->withhold |= 2)

static void test_wrong_tables(void **state) {
  (void)state;
  caught_in(apcm("lat"), lat_other, "has trk");
  caught_in(apcm("lat"), lat_ask, "ask_pc is");
  caught_in(apcm("mta"), mta_none, "up_valid is");
  caught_in(apcm("mta"), mta_count, "accesses");
  caught_in(apcm("cait"), cait_bypass, "bypass is");
  caught_in(apcm("cait"), cait_protect, "protect is");
  caught_in(apcm("coalescer"), coalescer_id, "does not carry its instruction's id");
  caught_in(apcm("coalescer"), coalescer_has_id, "does not carry its instruction's id");
  caught_in(apcm("psb"), psb_off, "psb_on says");
  caught_in(apcm("psb"), psb_on, "psb_on says");
  struct play p = apcm("casc");
  p.c.casc.scheme = HD_CASC_PER_SET;
  caught_in(p, casc_id, "or the rest of them differs");
}

static void test_wrong_limit(void **state) {
  (void)state;
  caught_in(limited("warp_limit"), insomnia, "slept");
  caught_in(limited("warp_limit"), narcolepsy, "the first that waits is");
  caught_in(limited("warp_limit"), limit_wants_more, "which are more than 2");
  caught_in(limited("warp_limit"), limit_drops, "though they stayed awake");
  caught_in(limited("sched"), sched_lets_all, "not its own or not ready");
  struct play p = limited("laws");
  p.c.scheduler.policy = HD_LAWS;
  caught_in(p, laws_lets_all, "nearest to the head");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_wrong_tables),
      cmocka_unit_test(test_wrong_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
