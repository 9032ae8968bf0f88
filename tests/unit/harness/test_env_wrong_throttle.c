/* The environments of CCWS's and MASCAR's modules, and of the L1D's outputs to MASCAR, catch errors that happen now and then or
 * always. */
#include "tests/unit/harness/env_wrong.h"

SHOWN(vta_hit, ccws_vta, !out->hit_valid, out->hit_valid = 1)
SHOWN(vta_no_hit, ccws_vta, out->hit_valid, out->hit_valid = 0)
SHOWN(vta_wid, ccws_vta, out->hit_valid, out->hit_wid ^= 1)
SEEN(vta_line, ccws_vta, in->outcome_take, in->outcome_line ^= 1)
SEEN(vta_place, ccws_vta, in->outcome_take, in->outcome_at = in->outcome_at == 1 ? 2 : 1)
SEEN(vta_row, ccws_vta, in->late_evict, in->late_row ^= 1)
SEEN(vta_unseen, ccws_vta, in->outcome_evict, in->outcome_evict = 0)
SEEN(vta_adopts, ccws_vta, in->outcome_hit, in->outcome_hit = 0)
HEARD(vta_enabled, ccws_vta, ccws_en, 1)
HEARD(vta_remembers, ccws_vta, clear, 0)

static void test_wrong_vta(void **state) {
  (void)state;
  const struct play p = of("ccws_vta");
  struct play q = p;
  q.c.prefetch.kind = HD_PF_STR;
  caught_in(p, vta_hit, "hit_valid is 1");
  caught_in(p, vta_no_hit, "hit_valid is 0");
  caught_in(p, vta_wid, "was the last to lose locality");
  caught_in(p, vta_line, "hit_valid is");
  caught_in(p, vta_place, "hit_valid is");
  caught_in(p, vta_row, "hit_valid is");
  caught_in(p, vta_unseen, "hit_valid is");
  caught_in(q, vta_adopts, "hit_valid is");
  caught_in(p, vta_enabled, "hit_valid is");
  caught_in(p, vta_remembers, "hit_valid is 1");
}

SHOWN(score_withholds, ccws_score, in->next_load & ~out->withhold,
      out->withhold |= in->next_load & ~out->withhold & -(in->next_load & ~out->withhold))
SHOWN(score_allows, ccws_score, out->withhold, out->withhold &= out->withhold - 1)
SEEN(score_hit, ccws_score, in->hit_valid, in->hit_wid ^= 1)
SEEN(score_no_hit, ccws_score, in->hit_valid, in->hit_valid = 0)
SEEN(score_pick, ccws_score, true, in->pick_valid[0] ^= 1)
SEEN(score_launch, ccws_score, in->launch_valid, in->launch_valid = 0)
SEEN(score_exit, ccws_score, in->exit, in->exit = 0)
HEARD(score_enabled, ccws_score, ccws_en, 1)
SHOWN(score_stores, ccws_score, ~in->next_load & 2, out->withhold |= 2)

static void test_wrong_score(void **state) {
  (void)state;
  const struct play p = of("ccws_score");
  caught_in(p, score_withholds, "by the scores it should be");
  caught_in(p, score_allows, "by the scores it should be");
  caught_in(p, score_hit, "by the scores it should be");
  caught_in(p, score_no_hit, "by the scores it should be");
  caught_in(p, score_pick, "by the scores it should be");
  caught_in(p, score_launch, "by the scores it should be");
  caught_in(p, score_exit, "by the scores it should be");
  caught_in(p, score_enabled, "by the scores it should be 0");
  caught_in(p, score_stores, "by the scores it should be");
}

SHOWN(mascar_withholds, mascar, true, out->withhold ^= 2)
SEEN(mascar_mshrs, mascar, true, in->lines_waiting ^= 1)
SEEN(mascar_queue, mascar, true, in->lines_queue = 0)
SEEN(mascar_ready, mascar, in->ready, in->ready &= in->ready - 1)
SEEN(mascar_waits, mascar, true, in->wait_mem = 0)
SEEN(mascar_sleeps, mascar, true, in->awake = 0)
HEARD(mascar_enabled, mascar, mascar_en, 1)

static void test_wrong_mascar(void **state) {
  (void)state;
  const struct play p = of("mascar");
  caught_in(p, mascar_withholds, "withhold is");
  caught_in(p, mascar_mshrs, "withhold is");
  caught_in(p, mascar_queue, "the memory is saturated");
  caught_in(p, mascar_ready, "withhold is");
  caught_in(p, mascar_waits, "withhold is");
  caught_in(p, mascar_sleeps, "withhold is");
  caught_in(p, mascar_enabled, "it should be 0");
}

SHOWN(reexec_line, reexec, out->deq_valid, out->deq.line ^= 1)
SHOWN(reexec_byte, reexec, out->deq_valid && out->deq.write, out->deq_wmask[0] ^= 1)
SHOWN(reexec_silent, reexec, out->deq_valid, out->deq_valid = 0)
SHOWN(reexec_offers, reexec, !out->deq_valid, out->deq_valid = 1)
SHOWN(reexec_drained, reexec, true, out->drained ^= 1)
SHOWN(reexec_ready, reexec, true, out->enq_ready ^= 1)
SEEN(reexec_served, reexec, in->outcome_tried, in->outcome_load ^= 1)
SEEN(reexec_field, reexec, in->outcome_tried && !in->outcome_load, in->outcome_num ^= 1)
SEEN(reexec_unreported, reexec, in->outcome_tried, in->outcome_tried = 0)
SEEN(reexec_other, reexec, in->outcome_tried && in->outcome_load, in->outcome_wid ^= 1)
HEARD(reexec_enabled, reexec, reexec_en, 1)

static void test_wrong_reexec(void **state) {
  (void)state;
  const struct play p = of("reexec");
  caught_in(p, reexec_line, "or its bytes or the rest of it differ");
  caught_in(p, reexec_byte, "or its bytes or the rest of it differ");
  caught_in(p, reexec_silent, "deq offers nothing");
  caught_in(p, reexec_offers, "and nothing is due");
  caught_in(p, reexec_drained, "drained says");
  caught_in(p, reexec_ready, "enq_ready is");
  caught_in(p, reexec_served, "drained says");
  caught_in(p, reexec_field, "or its bytes or the rest of it differ");
  caught_in(p, reexec_unreported, "drained says");
  caught_in(p, reexec_other, "drained says");
  caught_in(p, reexec_enabled, "drained says");
}

/* MASCAR's inputs from the L1D. */
static struct play heard_by_mascar(void) {
  struct play p = of("l1d");
  p.c.mascar.priority = HD_MASCAR_ON;
  p.c.request_buffer.kind = HD_REEXEC;
  return p;
}
SHOWN(waits_less, l1d, out->lines_waiting, out->lines_waiting = 0)
ALWAYS(waits_more, l1d, true, out->lines_waiting |= 1)
SHOWN(queue_less, l1d, out->lines_queue, out->lines_queue = 0)
SHOWN(queue_more, l1d, !out->lines_queue, out->lines_queue = 1)
SHOWN(queue_most, l1d, true, out->lines_queue = 63)
SHOWN(outcome_slot, l1d, out->outcome_tried, out->outcome.slot ^= 1)
SHOWN(outcome_number, l1d, out->outcome_tried, out->outcome.num ^= 1)

static void test_wrong_levels(void **state) {
  (void)state;
  const struct play p = heard_by_mascar();
  caught_in(p, waits_less, "is said not to wait");
  caught_in(p, waits_more, "an MSHR is said to wait, and nothing is inside");
  caught_in(p, queue_less, "the miss queue was said to be empty");
  caught_in(p, queue_more, "the miss queue was said to hold something");
  caught_in(p, queue_most, "more than it can");
  caught_in(p, outcome_slot, "other fields than it has");
  caught_in(p, outcome_number, "other fields than it has");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_wrong_vta),    cmocka_unit_test(test_wrong_score),
      cmocka_unit_test(test_wrong_mascar), cmocka_unit_test(test_wrong_reexec),
      cmocka_unit_test(test_wrong_levels),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
