/* The memory path with LoSCache: entries of the prediction table on their way to the memory, queries, answers, and which warps go
 * first (docs/mechanisms/sm_mem.md, loscache.md). */
#include "tests/unit/sm/sm_mem_rig.h"

#include "cmodel/model/bits.h"

enum { OTHER = 11 }; /* not of the predictor, which has warp 10 */

static struct hd_config gated(enum hd_buffer kind) {
  struct hd_config c = with_buffer(kind);
  c.memory.kind = HD_MEM_L2;
  c.loscache.gate = HD_GATE_ADAPTIVE;
  c.loscache.phase = 3;
  return c;
}

/* Begins a kernel whose only CTA is the predictor. */
static void begin(struct hd_config c) {
  start(c);
  rig.in.los_en = rig.in.casc_en = rig.in.resp_ready = rig.in.mreq_ready = 1;
  rig.in.kernel = rig.in.kernel_ctas = rig.in.launch_valid = 1;
  rig.in.launch_warps = hd_bit(10);
  step();
  rig.in.kernel = rig.in.launch_valid = 0;
}

/* Returns a request of the memory path, taken at once. */
static struct sreq taken(void) {
  until_memory();
  const struct sreq q = rig.out.mreq;
  edge();
  return q;
}

static void is(struct sreq q, uint64_t kind, uint64_t line, uint64_t pe, uint64_t pred) {
  assert_int_equal(q.kind, kind);
  assert_int_equal(q.line, line);
  assert_int_equal(q.pe, pe);
  assert_int_equal(q.pred, pred);
}

static struct srsp answer_to(struct sreq q) {
  return hd_srsp_to(&q);
}

static void settle(void) {
  for (unsigned n = 0; n < PATIENCE; n++)
    step();
  look();
}

/* ---- Entries ---- */

static void entries_reach_the_memory(void **state) {
  (void)state;
  for (enum hd_buffer kind = HD_SLOT; kind <= HD_MEMSCHED; kind++)
    for (int scheme = HD_CASC_OFF; scheme <= HD_CASC_ALL; scheme += HD_CASC_ALL - HD_CASC_OFF) {
      struct hd_config c = gated(kind);
      c.l1d.ways = 1;
      c.casc.scheme = (enum hd_casc)scheme;
      c.loscache.phase = 100;
      begin(c);
      for (unsigned n = 0; n < 6; n++) {
        const bool write = n % 3 == 2;
        rig.in.issue_pc = 0x40 + 8 * n;
        issue(write, 100 + 3 * n, 201 + 3 * n);
        const struct sreq first = taken(), second = taken();
        is(first, write ? HD_STORE : scheme ? HD_BYPASSED : HD_FILL, 100 + 3 * n, n + 1, 0);
        is(second, write ? HD_STORE : scheme ? HD_BYPASSED : HD_FILL, 201 + 3 * n, n + 1, 0);
        answer(answer_to(first), 0);
        settle();
        answer(answer_to(second), 0);
        settle();
      }
      issue_one(false, OTHER, 0x40, 300 * 128);
      is(taken(), HD_FILL, 300, 0, 0);
      assert_int_equal(rig.m->u_pred->base.ev[EV_pred_table_give], 6);
      assert_int_equal(rig.m->u_pred->base.ev[EV_pred_table_line], 6);
      assert_int_equal(rig.m->u_pred->s.seen, 12);
      wreck();
    }
}

/* A load that merges leaves no trace, and neither does a hit (D-LOS-8). */
static void what_does_not_leave_has_no_line(void **state) {
  (void)state;
  begin(gated(HD_SLOT));
  issue_one(false, 10, 0x40, 100 * 128);
  const struct sreq q = taken();
  is(q, HD_FILL, 100, 1, 0);
  issue_one(false, 10, 0x48, 100 * 128);
  settle();
  answer(answer_to(q), 0);
  settle();
  issue_one(false, 10, 0x50, 100 * 128);
  settle();
  assert_int_equal(rig.m->u_pred->s.used, 7);
  assert_int_equal(rig.m->u_pred->s.has, 1);
  assert_int_equal(rig.m->u_pred->s.seen, 1);
  wreck();
}

static void an_instruction_that_waits_has_no_entry(void **state) {
  (void)state;
  begin(gated(HD_SLOT));
  rig.in.mreq_ready = 0;
  rig.in.issue_valid = 1;
  rig.in.issue_wid = 10;
  rig.in.issue_mask = 0xf;
  for (unsigned n = 0; n < PATIENCE; n++) {
    rig.in.issue_pc = 8 * n;
    for (unsigned l = 0; l < 4; l++)
      rig.in.issue_line[l] = 4 * n + l;
    look();
    const uint64_t used = rig.m->u_pred->s.used, ready = rig.out.issue_ready;
    edge();
    assert_int_equal(rig.m->u_pred->s.used != used, ready);
  }
  assert_int_equal(rig.out.issue_ready, 0);
  wreck();
}

/* ---- Queries and answers ---- */

/* Two entries with lines 100 and 101. The phase ends with the third access. The memory takes no more requests. */
static void end_a_phase_of(struct hd_config c) {
  begin(c);
  for (unsigned n = 0; n < 3; n++) {
    issue_one(true, 10, n ? 0x48 : 0x40, (100 + n) * 128);
    const struct sreq q = taken();
    is(q, HD_STORE, 100 + n, n ? 2 : 1, 0);
    rig.in.mreq_ready = n < 2;
    answer(answer_to(q), 0);
  }
  assert_int_equal(rig.m->u_pred->base.ev[EV_pred_table_end_phase], 1);
}
static void end_a_phase(void) {
  end_a_phase_of(gated(HD_SLOT));
}

static void queries_go_before_requests(void **state) {
  (void)state;
  end_a_phase();
  issue_one(false, OTHER, 0x40, 300 * 128);
  settle();
  assert_int_equal(rig.m->u_l1d_out.mreq_valid, 1);
  for (unsigned n = 0; n < 3; n++) { /* it stays until the memory takes it */
    look();
    assert_int_equal(rig.out.mreq_valid, 1);
    is(rig.out.mreq, HD_QUERY, 100, 1, 0);
    edge();
  }
  rig.in.mreq_ready = 1;
  is(taken(), HD_QUERY, 100, 1, 0);
  is(taken(), HD_QUERY, 101, 2, 0);
  const struct sreq q = rig.out.mreq;
  assert_int_equal(q.id | q.wid | q.slot | q.num | q.last, 0);
  assert_int_equal(rig.m->u_l1d->base.ev[EV_l1d_send], 3);
  is(taken(), HD_FILL, 300, 1, 0);
  settle();
  assert_int_equal(rig.out.mreq_valid, 0);
  assert_int_equal(rig.m->u_l1d->base.ev[EV_l1d_send], 4);
  wreck();
}

static void answers_predict(enum hd_gone gone) {
  struct hd_config c = gated(HD_SLOT);
  c.loscache.gone = gone;
  end_a_phase_of(c);
  settle();
  rig.in.mreq_ready = 1;
  const struct sreq first = taken(), second = taken();
  struct srsp a = answer_to(second);
  a.count = 5;
  answer(a, 0);
  a = answer_to(first); /* 0: the line is gone */
  answer(a, 0);
  settle();
  assert_int_equal(rig.out.resp_valid, 0);
  assert_int_equal(rig.m->u_l1d->base.ev[EV_l1d_respond], 3); /* to the earlier stores */

  issue_one(false, OTHER, 0x48, 300 * 128);
  struct sreq q = taken();
  is(q, HD_FILL, 300, 2, 5);
  a = answer_to(q);
  a.count = 9;
  answer(a, 0);
  settle();
  issue_one(true, OTHER, 0x48, 300 * 128);
  q = taken();
  is(q, HD_STORE, 300, 2, 6);
  answer(answer_to(q), 0);
  issue_one(false, OTHER, 0x40, 301 * 128);
  is(taken(), HD_FILL, 301, 1, gone == HD_GONE_ONCE); /* D-LOS-1 */
  wreck();
}
static void answers_become_predictions(void **state) {
  (void)state;
  answers_predict(HD_GONE_ONCE);
  answers_predict(HD_GONE_UNKNOWN);
}

/* If the L1D can't take an answer yet, no other module hears it either. */
static void an_answer_is_heard_once(void **state) {
  (void)state;
  end_a_phase();
  settle();
  rig.in.mreq_ready = 1;
  struct srsp a = answer_to(taken());
  taken();
  issue_one(false, OTHER, 0x900, 300 * 128);
  issue_one(false, OTHER, 0x900, 400 * 128);
  const struct srsp fill = answer_to(taken()), other = answer_to(taken());
  rig.in.resp_ready = 0;
  answer(fill, 0);
  settle(); /* the response waits, and so does the next one */
  rig.in.mrsp_valid = 1;
  rig.in.mrsp = other;
  look();
  const bool ready = rig.out.mrsp_ready;
  rig.in.mrsp = a;
  rig.in.mrsp.count = 4;
  look();
  assert_int_equal(rig.out.mrsp_ready, ready);
  assert_false(ready);
  edge();
  assert_int_equal(rig.m->u_pred->base.ev[EV_pred_table_answer], 0);
  rig.in.resp_ready = 1;
  for (look(); !rig.out.mrsp_ready; look())
    edge();
  edge();
  rig.in.mrsp_valid = 0;
  settle();
  assert_int_equal(rig.m->u_pred->base.ev[EV_pred_table_answer], 1);
  assert_int_equal(rig.m->u_pred->s.count[0], 4);
  answer(other, 0);
  wreck();
}

/* ---- Which warps go first ---- */

static void the_predictor_goes_first(void **state) {
  (void)state;
  static const enum hd_policy policies[] = {HD_LRR, HD_GTO, HD_LAWS, HD_TWO_LEVEL};
  for (unsigned p = 0; p < sizeof policies / sizeof *policies; p++) {
    struct hd_config c = gated(HD_SLOT);
    c.sm.schedulers = 1;
    c.scheduler.policy = policies[p];
    begin(c);
    rig.in.laws_en = 1;
    rig.in.ready = hd_ones(16);
    settle(); /* two levels need some cycles to find it */
    for (unsigned n = 0; n < 5; n++) {
      look();
      assert_int_equal(rig.out.pick_valid[0], 1);
      assert_int_equal(rig.out.pick_wid[0], 10);
      edge();
    }
    rig.in.los_en = 0;
    unsigned others = 0;
    for (unsigned n = 0; n < 20; n++) {
      look();
      others += rig.out.pick_wid[0] != 10;
      edge();
    }
    assert_true(policies[p] != HD_LRR || others > 15);
    assert_true((rig.m->u_sched  ? rig.m->u_sched->base.ev[EV_sched_boost]
                 : rig.m->u_laws ? rig.m->u_laws->base.ev[EV_laws_boost]
                                 : rig.m->u_two_level->base.ev[EV_two_level_boost]) >= 5);
    wreck();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(entries_reach_the_memory),
      cmocka_unit_test(what_does_not_leave_has_no_line),
      cmocka_unit_test(an_instruction_that_waits_has_no_entry),
      cmocka_unit_test(queries_go_before_requests),
      cmocka_unit_test(answers_become_predictions),
      cmocka_unit_test(an_answer_is_heard_once),
      cmocka_unit_test(the_predictor_goes_first),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
