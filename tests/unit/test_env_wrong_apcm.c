/* The environments of APCM's part of the L1D and of the warp limit: what is wrong, now and then or always, is caught. */
#include "env_wrong.h"

static struct play apcm(void) {
  struct play p = of("l1d");
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
  caught_in(apcm(), acc_none, "");
  caught_in(apcm(), acc_twice, "");
  caught_in(apcm(), acc_count, "");
  caught_in(apcm(), acc_hit, "");
  caught_in(apcm(), acc_two, "");
  caught_in(apcm(), acc_last, "");
  caught_in(apcm(), ps_none, "");
  caught_in(apcm(), ps_more, "");
  caught_in(apcm(), ps_last, "");
  caught_in(apcm(), ps_loop, "");
}

static void test_wrong_patterns(void **state) {
  (void)state;
  caught_in(apcm(), deaf_bypass, "");
  caught_in(apcm(), bypass_all, "");
  caught_in(apcm(), deaf_protect, "");
  caught_in(apcm(), protect_all, "");
  caught_in(apcm(), disabled, "");
  caught_in(apcm(), enabled, "");
  caught_in(apcm(), unpinned, "");
  caught_in(apcm(), pinned_all, "");
}

static void test_wrong_limit(void **state) {
  (void)state;
  caught_in(limited(), insomnia, "");
  caught_in(limited(), narcolepsy, "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_wrong_report),
      cmocka_unit_test(test_wrong_patterns),
      cmocka_unit_test(test_wrong_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
