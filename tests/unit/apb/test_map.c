/* The map of the control registers, on which software relies (D-APB-2): each name keeps the place that it first got. A new name goes
 * to the end of its list. No other line of these lists may change. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arch/config/config.h"
#include "rtl_gen/verilog/verilog.h"

static const char *const registers[] = {"id",     "version", "has_enables", "has_counters",  "control",
                                        "enable", "active",  "scratch",     "has_thresholds"};
static const char *const enables[] = {"pf_en",   "laws_en",   "memsched_en", "casc_en", "rft_en", "apcm_en",
                                      "ccws_en", "mascar_en", "reexec_en",   "los_en",  "mrpb_en"};
static const char *const thresholds[] = {"swl_limit",    "rft_threshold", "apcm_threshold",
                                         "mascar_mshrs", "mascar_places", "los_phase"};
static const char *const counters[] = {
    "cycles",       "instructions", "issues",        "issue_waits",     "loads",   "hits",
    "merges",       "misses",       "bypasses",      "evictions",       "reads",   "writes",
    "memory_waits", "prefetches",   "prefetch_hits", "prefetch_merges", "queries", "lost_updates"};

/* Fails unless the bundle's fields are exactly this list. A new field needs its name here. */
static void is_list(const char *bundle, const char *const names[], size_t n) {
  struct hd_config c;
  struct hd_bundle_field field;
  hd_config_default(&c);
  for (size_t i = 0; i < n; i++) {
    assert_true(hd_bundle_field(&c, bundle, i, &field));
    assert_string_equal(field.name, names[i]);
  }
  assert_false(hd_bundle_field(&c, bundle, n, &field));
}

static void test_places(void **state) {
  (void)state;
  is_list("apb_registers", registers, sizeof registers / sizeof *registers);
  is_list("apb_enables", enables, sizeof enables / sizeof *enables);
  is_list("apb_thresholds", thresholds, sizeof thresholds / sizeof *thresholds);
  is_list("apb_counters", counters, sizeof counters / sizeof *counters);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_places)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
