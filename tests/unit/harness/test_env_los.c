/* The environments of the SM's side of LoSCache. A table that is wrong now and then is caught, and so is an entry that is lost or
 * changed on its way to the memory. */
#include "tests/unit/harness/env_wrong.h"

static struct play los(const char *module) {
  struct play p = of(module);
  p.c.memory.kind = HD_MEM_L2;
  p.c.loscache.gate = HD_GATE_ADAPTIVE;
  return p;
}

/* Phases that end often, in a table that fills up soon. */
static struct play brief(const char *module) {
  struct play p = los(module);
  p.c.loscache.phase = 12;
  p.c.loscache.table = 4;
  p.cycles = 100000;
  return p;
}

static void test_passes(void **state) {
  (void)state;
  static const char *const modules[] = {"pred_table", "coalescer", "l1d",  "request_slot",
                                        "mrpb",       "memsched",  "casc", "sm_mem"};
  for (unsigned i = 0; i < 2 * sizeof modules / sizeof *modules; i++) {
    struct play p = brief(modules[i / 2]);
    p.c.loscache.gate = i % 2 ? HD_GATE_NAIVE : HD_GATE_ADAPTIVE;
    passes(&p);
  }
}

static void test_all_events(void **state) {
  (void)state;
  const struct {
    unsigned table, phase, bits, extra, schedulers;
  } cases[] = {{21, 100, 6, 3, 2}, {2, 1, 2, 1, 1}, {63, 20, 8, 7, 4}, {5, 7, 3, 2, 2}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct play p = los("pred_table");
    p.c.loscache.table = cases[i].table;
    p.c.loscache.phase = cases[i].phase;
    p.c.loscache.count_bits = cases[i].bits;
    p.c.loscache.extra = cases[i].extra;
    p.c.sm.schedulers = cases[i].schedulers;
    p.cycles = 100000;
    p.want_all = true;
    passes(&p);
    assert_int_equal(p.unseen, 0);
  }
}

SEEN(table_loses_load, pred_table, in->ld_valid, in->ld_valid = 0)
SEEN(table_other_pc, pred_table, in->ld_valid, in->ld_pc ^= 4)
SEEN(table_loses_kernel, pred_table, in->kernel, in->kernel = 0)
SEEN(table_other_seed, pred_table, in->kernel, in->seed ^= 0x8000)
SEEN(table_loses_launch, pred_table, in->launch_valid, in->launch_valid = 0)
SEEN(table_loses_exit, pred_table, in->exit, in->exit = 0)
SEEN(table_disabled, pred_table, in->en, in->en = 0)
SEEN(table_loses_line, pred_table, in->mq_taken && in->mq_pe, in->mq_taken = 0)
HEARD(table_other_line, pred_table, mq_line, ((struct pred_table_in *)in_)->mq_line ^ 1)
HEARD(table_loses_answer, pred_table, ans_valid, 0)
HEARD(table_other_answer, pred_table, ans_count, ((struct pred_table_in *)in_)->ans_count ^ 1)
SEEN(table_loses_early, pred_table, in->early_valid && in->early_pe, in->early_valid = 0)
HEARD(table_repeats, pred_table, q_ready, 0)
HEARD(table_forgets, pred_table, q_ready, 1)
SHOWN(table_other_warps, pred_table, out->prefer != 0, out->prefer &= out->prefer - 1)
SHOWN(table_other_boost, pred_table, true, out->boosting ^= 1)
SHOWN(table_other_entry, pred_table, in->ld_valid, out->ld_pe ^= 1)
SHOWN(table_no_prediction, pred_table, out->mq_pred != 0, out->mq_pred = 0)
SHOWN(table_more, pred_table, out->mq_pred != 0, out->mq_pred ^= 1)
SHOWN(table_asks_twice, pred_table, !out->q_valid, out->q_valid = 1)
SHOWN(table_asks_other, pred_table, out->q_valid, out->q_line ^= 1)
SHOWN(table_asks_for_other, pred_table, out->q_valid, out->q_pe ^= 1)

static void test_wrong_table(void **state) {
  (void)state;
  caught_in(brief("pred_table"), table_loses_load, "ld_pe is");
  caught_in(brief("pred_table"), table_other_pc, "ld_pe is");
  caught_in(brief("pred_table"), table_loses_kernel, "it should be");
  caught_in(brief("pred_table"), table_other_seed, "it should be");
  caught_in(brief("pred_table"), table_loses_launch, "it should be");
  caught_in(brief("pred_table"), table_loses_exit, "it should be");
  caught_in(brief("pred_table"), table_disabled, "it should be");
  caught_in(brief("pred_table"), table_loses_line, "it should be");
  caught_in(brief("pred_table"), table_other_line, "the query is of line");
  caught_in(brief("pred_table"), table_loses_answer, "mq_pred is");
  caught_in(brief("pred_table"), table_other_answer, "mq_pred is");
  caught_in(brief("pred_table"), table_loses_early, "mq_pred is");
}

static void test_wrong_queries(void **state) {
  (void)state;
  caught_in(brief("pred_table"), table_repeats, "none is due");
  caught_in(brief("pred_table"), table_forgets, "no query is offered");
  caught_in(brief("pred_table"), table_other_warps, "prefer is");
  caught_in(brief("pred_table"), table_other_boost, "prefer is");
  caught_in(brief("pred_table"), table_other_entry, "ld_pe is");
  caught_in(brief("pred_table"), table_no_prediction, "mq_pred is");
  caught_in(brief("pred_table"), table_more, "mq_pred is");
  caught_in(brief("pred_table"), table_asks_twice, "none is due");
  caught_in(brief("pred_table"), table_asks_other, "the query is of line");
  caught_in(brief("pred_table"), table_asks_for_other, "the query is of line");
}

SEEN(sched_no_boost, sched, in->boosting, in->boosting = 0)
SEEN(sched_boosts, sched, !in->boosting, in->boosting = 1)
SEEN(sched_prefers_other, sched, in->boosting, in->prefer = ~in->prefer)
static void sched_never_boosts(void *in, void *out) {
  if (!out)
    ((struct sched_in *)in)->boosting = 0;
}
SEEN(laws_no_boost, laws, in->boosting, in->boosting = 0)
SEEN(laws_boosts, laws, !in->boosting, in->boosting = 1)

static void test_wrong_priority(void **state) {
  (void)state;
  static const enum hd_policy policies[] = {HD_LRR, HD_GTO};
  for (unsigned i = 0; i < 2; i++) {
    struct play p = los("sched");
    p.c.scheduler.policy = policies[i];
    passes(&p);
    caught_in(p, sched_no_boost, "not its own or not ready");
    caught_in(p, sched_never_boosts, "not its own or not ready");
    caught_in(p, sched_prefers_other, "not its own or not ready");
  }
  struct play p = los("sched");
  p.c.scheduler.policy = HD_GTO;
  caught_in(p, sched_boosts, "the last or oldest ready one");
  p = los("laws");
  p.c.scheduler.policy = HD_LAWS;
  passes(&p);
  caught_in(p, laws_no_boost, "nearest to the head");
  caught_in(p, laws_boosts, "nearest to the head");
}

SEEN(coalescer_entry, coalescer, in->issue_valid, in->issue_pe ^= 1)
SHOWN(coalescer_no_entry, coalescer, out->req_valid && in->req_ready && out->req.pe, out->req.pe = 0)
SEEN(l1d_entry, l1d, in->req_valid, in->req.pe ^= 1)
ALWAYS(l1d_fetch_entry, l1d, true,
       out->mreq.pe = out->mreq.kind == HD_FILL ? 1 + out->mreq.pe % 4 : out->mreq.pe)
ALWAYS(l1d_store_entry, l1d, true,
       out->mreq.pe = out->mreq.kind == HD_STORE ? 1 + out->mreq.pe % 4 : out->mreq.pe)
SEEN(slot_entry, request_slot, in->enq_valid, in->enq.pe ^= 1)
SEEN(mrpb_entry, mrpb, in->enq_valid, in->enq.pe ^= 1)
SEEN(memsched_entry, memsched, in->enq_valid, in->enq.pe ^= 1)
SEEN(casc_entry, casc, in->in_valid && in->in.num == 0, in->in.pe ^= 1)

static void test_wrong_entry(void **state) {
  (void)state;
  caught_in(brief("coalescer"), coalescer_entry, "does not carry its instruction's entry");
  caught_in(brief("coalescer"), coalescer_no_entry, "does not carry its instruction's entry");
  caught_in(brief("l1d"), l1d_entry, "no load that waits has that");
  caught_in(brief("l1d"), l1d_entry, "differs from its request");
  caught_in(brief("l1d"), l1d_fetch_entry, "no load that waits has that");
  caught_in(brief("l1d"), l1d_store_entry, "differs from its request");
  caught_in(brief("request_slot"), slot_entry, "given back");
  caught_in(brief("mrpb"), mrpb_entry, "deq offers");
  caught_in(brief("memsched"), memsched_entry, "the rest of it differ");
  caught_in(brief("casc"), casc_entry, "the rest of them differs");
}

ALWAYS(sm_other_query, sm_mem, true, out->mreq.line ^= out->mreq.kind == HD_QUERY)
ALWAYS(sm_query_for_nobody, sm_mem, true, out->mreq.pe = out->mreq.kind == HD_QUERY ? 0 : out->mreq.pe)
ALWAYS(sm_query_of_warp, sm_mem, true, out->mreq.wid |= out->mreq.kind == HD_QUERY)
ALWAYS(sm_other_entry, sm_mem, true,
       out->mreq.pe = out->mreq.kind == HD_STORE ? 1 + out->mreq.line % 4 : out->mreq.pe)
ALWAYS(sm_no_such_entry, sm_mem, true, out->mreq.pe = out->mreq.pe ? 7 : 0)
ALWAYS(sm_prediction_alone, sm_mem, true, out->mreq.pred = out->mreq.pred ? out->mreq.pred : 3)
ALWAYS(sm_loses_query, sm_mem, true, out->mreq_valid &= out->mreq.kind != HD_QUERY || ++chances % 3 != 0)

/* An answer to a query for an entry that did not ask. */
static void sm_answers_other(void *in_, void *out_) {
  struct sm_mem_in *in = in_;
  if (out_ && in->mrsp_valid && in->mrsp.kind == HD_QUERY)
    in->mrsp.pe = in->mrsp.pe % 4 + 1;
}

static void test_wrong_port(void **state) {
  (void)state;
  caught_in(brief("sm_mem"), sm_other_query, "not of the first line");
  caught_in(brief("sm_mem"), sm_query_for_nobody, "a query has no entry");
  caught_in(brief("sm_mem"), sm_query_of_warp, "a query has no entry");
  caught_in(brief("sm_mem"), sm_other_entry, "ever other instructions");
  caught_in(brief("sm_mem"), sm_no_such_entry, "there is no such entry");
  caught_in(brief("sm_mem"), sm_prediction_alone, "without an entry has a prediction");
  caught_in(brief("sm_mem"), sm_loses_query, "went away or changed");
  caught_in(brief("sm_mem"), sm_answers_other, "that was not asked");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_passes),         cmocka_unit_test(test_all_events),
      cmocka_unit_test(test_wrong_table),    cmocka_unit_test(test_wrong_queries),
      cmocka_unit_test(test_wrong_entry),    cmocka_unit_test(test_wrong_port),
      cmocka_unit_test(test_wrong_priority),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
