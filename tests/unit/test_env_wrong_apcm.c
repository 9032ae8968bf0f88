/* The environments of APCM's part of the L1D and of the warp limit: what is wrong, now and then or always, is caught. */
#include "tests/unit/env_wrong.h"

static struct play apcm(const char *module) {
  struct play p = of(module);
  p.c.apcm.manage = HD_APCM_BOTH;
  return p;
}

static struct play limited(void) {
  struct play p = of("sched");
  p.c.scheduler.limit = 2;
  return p;
}

SHOWN(acc_none, l1d, out->acc_valid, out->acc_valid = out->ps_valid = 0)
SHOWN(acc_twice, l1d, !out->acc_valid, out->acc_valid = 1)
SHOWN(acc_count, l1d, out->acc_valid && out->acc.count, out->acc.count ^= 1)
SHOWN(acc_hit, l1d, out->acc_valid && !out->acc.count && !out->ps_valid, out->acc.count = 1)
SHOWN(acc_two, l1d, out->acc_valid, out->acc.two ^= 1)
SHOWN(acc_last, l1d, out->acc_valid, out->acc_last ^= 1)
SHOWN(ps_none, l1d, out->ps_valid, out->ps_valid = 0)
SHOWN(ps_more, l1d, out->acc_valid && !out->acc.count && !out->ps_valid, out->ps_valid = 1)
SHOWN(ps_last, l1d, out->ps_valid, out->ps_last ^= 1)
SHOWN(ps_loop, l1d, out->ps_valid, out->ps_loop ^= 1)

SHOWN(lat_other, lat, in->load_valid && out->load_trk, out->load_lid ^= 1)
SHOWN(lat_ask, lat, out->ask_pc != 0, out->ask_pc ^= 1)
SHOWN(mta_none, mta, out->up_valid, out->up_valid = 0)
SHOWN(mta_count, mta, out->up_valid, out->up_count ^= 1)
SHOWN(cait_bypass, cait, out->bypass != 0, out->bypass &= out->bypass - 1)
SHOWN(cait_protect, cait, out->protect != 0, out->protect &= out->protect - 1)
SHOWN(psb_off, psb, out->psb_on != 0, out->psb_on &= out->psb_on - 1)
SHOWN(psb_on, psb, ~out->psb_on & 2, out->psb_on |= 2)

/* The model hears something else, always. */
#define HEARD(name, module, port, value)                                                                     \
  static void name(void *in_, void *out_) {                                                                  \
    if (!out_)                                                                                               \
      ((struct module##_in *)in_)->port = value;                                                             \
  }
HEARD(deaf_bypass, l1d, m_bypass, 0)
HEARD(bypass_all, l1d, m_bypass, UINT64_MAX >> 48)
HEARD(deaf_protect, l1d, m_protect, 0)
HEARD(protect_all, l1d, m_protect, UINT64_MAX >> 48)
HEARD(disabled, l1d, apcm_en, 0)
HEARD(enabled, l1d, apcm_en, 1)
HEARD(unpinned, l1d, psb_on, 0)
HEARD(pinned_all, l1d, psb_on, UINT64_MAX >> 16)
HEARD(insomnia, sched, awake, UINT64_MAX >> 16)
HEARD(narcolepsy, sched, awake, 0)

static void test_wrong_report(void **state) {
  (void)state;
  caught_in(apcm("l1d"), acc_none, "comes before it is said to be served");
  caught_in(apcm("l1d"), acc_twice, "is of no load inside");
  caught_in(apcm("l1d"), acc_count, "can't be that access of its line");
  caught_in(apcm("l1d"), acc_hit, "can't be that access of its line");
  caught_in(apcm("l1d"), acc_two, "is not of the oldest load");
  caught_in(apcm("l1d"), acc_last, "is not of the oldest load");
  caught_in(apcm("l1d"), ps_none, "is to be protected, is not");
  caught_in(apcm("l1d"), ps_more, "protects, and was not to");
  caught_in(apcm("l1d"), ps_last, "protects for another warp");
  caught_in(apcm("l1d"), ps_loop, "protects for another warp");
}

static void test_wrong_patterns(void **state) {
  (void)state;
  caught_in(apcm("l1d"), deaf_bypass, "for loads that are all to bypass");
  caught_in(apcm("l1d"), bypass_all, "is a load that nothing lets bypass");
  caught_in(apcm("l1d"), deaf_protect, "is to be protected, is not");
  caught_in(apcm("l1d"), protect_all, "protects, and was not to");
  caught_in(apcm("l1d"), disabled, "is to be protected, is not");
  caught_in(apcm("l1d"), enabled, "protects, and was not to");
  caught_in(apcm("l1d"), unpinned, "protects, and was not to");
  caught_in(apcm("l1d"), pinned_all, "is to be protected, is not");
}

static void test_wrong_tables(void **state) {
  (void)state;
  caught_in(apcm("lat"), lat_other, "has trk");
  caught_in(apcm("lat"), lat_ask, "ask_pc is");
  caught_in(apcm("mta"), mta_none, "up_valid is");
  caught_in(apcm("mta"), mta_count, "accesses");
  caught_in(apcm("cait"), cait_bypass, "bypass is");
  caught_in(apcm("cait"), cait_protect, "protect is");
  caught_in(apcm("psb"), psb_off, "psb_on says");
  caught_in(apcm("psb"), psb_on, "psb_on says");
}

static void test_wrong_limit(void **state) {
  (void)state;
  caught_in(limited(), insomnia, "not its own or not ready");
  caught_in(limited(), narcolepsy, "picks nothing, but warps");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_wrong_report),
      cmocka_unit_test(test_wrong_patterns),
      cmocka_unit_test(test_wrong_tables),
      cmocka_unit_test(test_wrong_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
