/* The predictions part of the scoreboard, with many bit flips. */
#include "tests/unit/loscache/pred_table_rig.h"

#include "verif/loscache/predictions.h"

/* A flip may give one instruction two entries. A request then has the OR of their numbers, which is beyond the last entry. */
static void an_entry_of_nobody(void **state) {
  (void)state;
  start(HD_GATE_NAIVE, 5, 100);
  const struct sreq two = {.line = 7, .pe = 3 | 4}, none = {.line = 7, .pe = 0, .pred = 1};
  for (int storm = 0; storm < 2; storm++) {
    struct hd_predictions *p = hd_predictions_new(&rig.c, storm);
    const struct sm_mem_in in = {.los_en = 1};
    const struct sm_mem_out out = {0};
    assert_non_null(p);
    assert_null(hd_predictions_clock(p, &in, &out));
    assert_int_equal(hd_predictions_sent(p, &two, NULL) == NULL, storm);
    assert_non_null(hd_predictions_sent(p, &none, NULL));
    hd_predictions_free(p);
  }
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(an_entry_of_nobody)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
