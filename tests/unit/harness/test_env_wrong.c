/* The environments catch a module that does one thing wrong, now and then. */
#include "tests/unit/harness/env_wrong.h"

SEEN(slot_loses, request_slot, in->enq_valid, in->enq_valid = 0)
SEEN(slot_repeats, request_slot, in->deq_ready, in->deq_ready = 0)
SEEN(slot_wrong_byte, request_slot, in->enq_valid && in->enq.write, in->enq_wdata[3] ^= 1 << 9)
SHOWN(slot_wavers, request_slot, out->deq_valid && !in->deq_ready, out->deq.num ^= 1)

static void test_wrong_request_slot(void **state) {
  (void)state;
  caught("request_slot", slot_loses, "while one is inside");
  caught("request_slot", slot_repeats, "none is inside");
  caught("request_slot", slot_wrong_byte, "bytes differ");
  caught("request_slot", slot_wavers, "changed before it was taken");
}

SEEN(mrpb_loses, mrpb, in->enq_valid, in->enq_valid = 0)
SEEN(mrpb_repeats, mrpb, in->deq_ready, in->deq_ready = 0)
SEEN(mrpb_wrong_queue, mrpb, in->enq_valid, in->enq.wid ^= 1)
SHOWN(mrpb_not_drained, mrpb, true, out->drained ^= 4)
SHOWN(mrpb_wrong_line, mrpb, out->deq_valid && in->deq_ready, out->deq.line ^= 1)
SHOWN(mrpb_too_early, mrpb, !out->deq_valid && out->drained != UINT64_MAX >> 16, out->deq_valid = 1)

SHOWN(mrpb_not_ready, mrpb, out->enq_ready && !in->enq_valid, out->enq_ready = 0)
SHOWN(mrpb_too_late, mrpb, out->deq_valid && !in->deq_ready, out->deq_valid = 0)

/* The model's machine has another policy than the environment's machine, from the first cycle on. */
static struct play *player;
static void mrpb_other_policy(void *in, void *out) {
  (void)in, (void)out;
  player->c.request_buffer.drain = HD_DRAIN_LONGEST;
}
static void mrpb_not_greedy(void *in, void *out) {
  (void)in, (void)out;
  player->c.request_buffer.greedy = false;
}

static void test_wrong_mrpb(void **state) {
  (void)state;
  caught("mrpb", mrpb_loses, "queue");
  caught("mrpb", mrpb_repeats, "drained says 0 of queue");
  caught("mrpb", mrpb_wrong_queue, "queue");
  caught("mrpb", mrpb_not_drained, "of queue 2");
  caught("mrpb", mrpb_wrong_line, "deq");
  caught("mrpb", mrpb_too_early, "less than");
  caught("mrpb", mrpb_not_ready, "enq_ready is 0");
  caught("mrpb", mrpb_too_late, "by the drain policy queue");
  struct play p = of("mrpb");
  player = &p;
  p.saboteur = mrpb_other_policy;
  run(&p);
  assert_non_null(strstr(p.text, "turn by the drain policy; deq offers"));
  p = of("mrpb");
  p.c.request_buffer.greedy = true;
  p.saboteur = mrpb_not_greedy;
  run(&p);
  assert_non_null(strstr(p.text, "turn by the drain policy; deq offers"));
}

SHOWN(coalescer_lanes, coalescer, out->req_valid && in->req_ready, out->req_lanes ^= 16)
SHOWN(coalescer_last, coalescer, out->req_valid && in->req_ready, out->req.last ^= 1)
SHOWN(coalescer_busy, coalescer, true, out->busy ^= 1)
SEEN(coalescer_line, coalescer, in->issue_valid && in->issue_mask & 8, in->issue_line[3] ^= 1)
SEEN(coalescer_loses, coalescer, in->issue_valid, in->issue_valid = 0)

static void test_wrong_coalescer(void **state) {
  (void)state;
  caught("coalescer", coalescer_lanes, "request");
  caught("coalescer", coalescer_last, "request");
  caught("coalescer", coalescer_busy, "busy is");
  caught("coalescer", coalescer_line, "the request (");
  caught("coalescer", coalescer_loses, "busy is");
}

SEEN(sched_not_ready, sched, !in->ready, in->ready = 1)
SHOWN(sched_idles, sched, out->pick_valid[0], out->pick_valid[0] = out->pick_wid[0] = 0)
static void sched_starves(void *in, void *out) {
  if (!out)
    ((struct sched_in *)in)->ready &= ~UINT64_C(32);
}

static void test_wrong_sched(void **state) {
  (void)state;
  caught("sched", sched_not_ready, "not its own or not ready");
  caught("sched", sched_idles, "picks warp -1, the next ready one is");
  struct play p = of("sched");
  p.saboteur = sched_starves;
  run(&p);
  assert_non_null(strstr(p.text, "the next ready one is 5"));
  p = of("sched");
  p.c.scheduler.policy = HD_GTO;
  p.saboteur = sched_starves;
  run(&p);
  assert_non_null(strstr(p.text, "the last or oldest ready one is 5"));
}

SEEN(l1d_loses, l1d, in->req_valid, in->req_valid = 0)
SEEN(l1d_repeats, l1d, in->resp_ready, in->resp_ready = 0)
SEEN(l1d_wrong_line, l1d, in->req_valid, in->req.line ^= 1)
SEEN(l1d_forgets_store, l1d, in->req_valid && in->req.write, in->req.write = 0)
SEEN(l1d_sends_twice, l1d, in->mreq_ready, in->mreq_ready = 0)
SHOWN(l1d_wrong_byte, l1d, out->resp_valid && !out->resp.write && in->resp_ready, out->resp_data[1] ^= 1)
SHOWN(l1d_wrong_store, l1d, out->mreq_valid && out->mreq.kind == HD_STORE && in->mreq_ready,
      out->mreq_wmask[1] ^= 1)

static void test_wrong_l1d(void **state) {
  (void)state;
  caught("l1d", l1d_loses, "");
  caught("l1d", l1d_repeats, "second one");
  caught("l1d", l1d_wrong_line, "");
  caught("l1d", l1d_forgets_store, "");
  caught("l1d", l1d_sends_twice, "memory port");
  caught("l1d", l1d_wrong_byte, "other data");
  caught("l1d", l1d_wrong_store, "other bytes");
}

#define ASIDE (in->req_valid && in->req.op)
SEEN(l1d_as_store, l1d, ASIDE, in->req.op = 0)
SEEN(l1d_as_load, l1d, ASIDE, in->req.write = in->req.op = 0)
SEEN(l1d_other_atomic, l1d, ASIDE, in->req.op = in->req.op == 3 ? 2 : 3)
SHOWN(l1d_wrong_atomic, l1d, out->mreq_valid && out->mreq.op > 1 && in->mreq_ready, out->mreq.op ^= 2)
SHOWN(l1d_wrong_operand, l1d, out->mreq_valid && out->mreq.op > 1, out->mreq_wdata[1] ^= 4)
SHOWN(l1d_new_for_old, l1d, out->resp_valid && !out->resp.write, out->resp_data[3]++)
SHOWN(l1d_acknowledges, l1d, out->resp_valid && !out->resp.write, out->resp.write = 1)

static void test_wrong_l1d_kinds(void **state) {
  (void)state;
  struct play p = of("l1d");
  p.c.l1d.request_kinds = HD_KINDS_ATOMIC;
  caught_in(p, l1d_as_store, "no request inside");
  caught_in(p, l1d_as_load, "");
  caught_in(p, l1d_other_atomic, "another operation");
  caught_in(p, l1d_wrong_atomic, "another operation");
  caught_in(p, l1d_wrong_operand, "other bytes");
  caught_in(p, l1d_new_for_old, "other data");
  caught_in(p, l1d_acknowledges, "differs from its request");
}

SEEN(l1d_deaf, l1d, in->mrsp_valid && in->mrsp.error, in->mrsp.error = 0)
SEEN(l1d_nervous, l1d, in->mrsp_valid && !in->mrsp.error, in->mrsp.error = 1)
SHOWN(l1d_alarms, l1d, out->resp_valid && !out->resp.error, out->resp.error = 1)
SHOWN(l1d_conceals, l1d, out->resp_valid && out->resp.error, out->resp.error = 0)

static void test_wrong_l1d_errors(void **state) {
  (void)state;
  struct play p = of("l1d");
  p.c.l1d.errors = true;
  for (int on_fill = 0; on_fill < 2; on_fill++) {
    p.c.l1d.allocate = on_fill ? HD_ON_FILL : HD_ON_MISS;
    caught_in(p, l1d_deaf, "");
    caught_in(p, l1d_nervous, "other than the memory's");
    caught_in(p, l1d_alarms, "other than the memory's");
    caught_in(p, l1d_conceals, "");
  }
}

SEEN(l1d_prefetches, l1d, !in->pf_valid && !in->flush, (in->pf_valid = 1, in->pf_line = in->req.line))
SHOWN(l1d_wrong_outcome, l1d, out->outcome_load, out->outcome.pc ^= 1)
SHOWN(l1d_unreported, l1d, out->outcome_load, out->outcome_load = 0)
SHOWN(l1d_false_hit, l1d, out->outcome_load && !out->outcome_hit, out->outcome_hit = 1)
static void l1d_never_flushes(void *in, void *out) {
  ((struct l1d_in *)in)->flush &= out != NULL;
}

static void test_wrong_l1d_prefetch(void **state) {
  (void)state;
  const struct play p = apres("l1d", HD_LAWS, HD_PF_SAP);
  caught_in(p, l1d_prefetches, "no prefetch is of");
  caught_in(p, l1d_wrong_outcome, "other fields than it has");
  caught_in(p, l1d_unreported, "");
  caught_in(p, l1d_false_hit, "to hit what can't be there");
  caught_in(p, l1d_never_flushes, "");
}

SEEN(laws_loses_load, laws, in->load_valid, in->load_valid = 0)
SEEN(laws_wrong_pc, laws, in->load_valid, in->load_pc ^= 1)
SEEN(laws_loses_move, laws, in->fb_valid && in->fb_gid, in->fb_valid = 0)
SEEN(laws_wrong_end, laws, in->fb_valid && in->fb_gid, in->fb_hit ^= 1)
SEEN(laws_loses_target, laws, in->tgt_valid, in->tgt_valid = 0)
SEEN(laws_loses_launch, laws, in->launch_valid, in->launch_valid = 0)
SEEN(laws_disabled, laws, in->en, in->en = 0)
SHOWN(laws_no_miss, laws, out->miss_valid, out->miss_valid = out->miss_group = 0)

static void test_wrong_laws(void **state) {
  (void)state;
  struct play p = apres("laws", HD_LAWS, HD_PF_SAP);
  p.cycles = 100000;
  const struct play alone = apres("laws", HD_LAWS, HD_PF_OFF);
  caught_in(p, laws_loses_load, "the lowest free group");
  caught_in(p, laws_wrong_pc, "miss_valid");
  caught_in(alone, laws_wrong_pc, "nearest to the head");
  caught_in(p, laws_loses_move, "the lowest free group");
  caught_in(alone, laws_wrong_end, "nearest to the head");
  caught_in(p, laws_loses_target, "nearest to the head");
  caught_in(p, laws_loses_launch, "miss_valid");
  caught_in(alone, laws_disabled, "nearest to the head");
  caught_in(p, laws_no_miss, "miss_valid");
}

SEEN(sap_loses, sap, in->ev_valid, in->ev_valid = 0)
SEEN(sap_wrong_wid, sap, in->ev_valid, in->ev.wid ^= 1)
SEEN(sap_wrong_group, sap, in->ev_valid, in->ev.group ^= 2)
SEEN(sap_repeats, sap, in->pf_ready, in->pf_ready = 0)
SEEN(sap_remembers, sap, in->clear, in->clear = 0)
SHOWN(sap_wrong_line, sap, out->pf_valid, out->pf_line ^= 1)
SHOWN(sap_out_of_turn, sap, !out->pf_valid, out->pf_valid = 1)

static void test_wrong_sap(void **state) {
  (void)state;
  struct play p = apres("sap", HD_LAWS, HD_PF_SAP);
  p.cycles = 200000;
  caught_in(p, sap_loses, "prefetch is");
  caught_in(p, sap_wrong_wid, "");
  caught_in(p, sap_wrong_group, "due");
  caught_in(p, sap_repeats, "");
  caught_in(p, sap_remembers, "");
  caught_in(p, sap_wrong_line, "due is line");
  caught_in(p, sap_out_of_turn, "no prefetch is due");
}

SEEN(sm_repeats, sm_mem, in->resp_ready, in->resp_ready = 0)
SEEN(sm_loses, sm_mem, in->mrsp_valid, in->mrsp_valid = 0)
SHOWN(sm_wrong_byte, sm_mem, out->resp_valid && !out->resp.write && in->resp_ready, out->resp_data[1] ^= 1)
/* Prefetches while the SM has never enabled them. */
static void sm_prefetches(void *in_, void *out) {
  struct sm_mem_in *in = in_;
  in->pf_en = !out;
}

static void test_wrong_sm_mem(void **state) {
  (void)state;
  caught("sm_mem", sm_repeats, "answered");
  caught("sm_mem", sm_loses, "");
  caught("sm_mem", sm_wrong_byte, "wrong byte");
  struct play p = apres("sm_mem", HD_LRR, HD_PF_SAP);
  p.cycles = 100000;
  caught_in(p, sm_prefetches, "no load waits for it");
}

SEEN(casc_loses, casc, in->in_valid, in->in_valid = 0)
SEEN(casc_repeats, casc, in->out_ready, in->out_ready = 0)
SEEN(casc_wrong_line, casc, in->in_valid, in->in.line ^= 1)
SEEN(casc_wrong_load, casc, in->in_valid && in->in.num == 0, in->in.hpc ^= 1)
SEEN(casc_never_gathers, casc, in->in_many && in->in.num == 0, in->in_many = 0)
SEEN(casc_disabled, casc, in->en && in->in_many && in->in.num == 0, in->en = 0)
SHOWN(casc_wrong_byp, casc, out->out_valid && in->out_ready, out->out.byp ^= 1)
SHOWN(casc_wrong_loc, casc, out->out_valid && in->out_ready && !out->out.byp, out->out.loc ^= 1)
SHOWN(casc_wrong_sig, casc, out->out_valid && in->out_ready, out->out_sig ^= 1)
SHOWN(casc_wavers, casc, out->out_valid && !in->out_ready, out->out_valid = 0)
SHOWN(casc_hesitates, casc, in->in_valid && out->in_ready, out->in_ready = 0)
SHOWN(casc_busy, casc, true, out->busy ^= 2)

static void test_wrong_casc(void **state) {
  (void)state;
  struct play p = of("casc");
  p.c.request_buffer.kind = HD_MRPB;
  p.c.request_buffer.signature = HD_SIG_BLOCK;
  p.cycles = 60000; /* few loads are gathered */
  caught_in(p, casc_loses, "");
  caught_in(p, casc_repeats, "next request of what is inside");
  caught_in(p, casc_wrong_line, "next request of what is inside");
  caught_in(p, casc_wrong_load, "or the rest of them differs");
  caught_in(p, casc_never_gathers, "to be gathered");
  caught_in(p, casc_disabled, "");
  caught_in(p, casc_wrong_byp, "byp");
  caught_in(p, casc_wrong_loc, "loc");
  caught_in(p, casc_wrong_sig, "sig");
  caught_in(p, casc_wavers, "out_valid is 0");
  caught_in(p, casc_hesitates, "not taken");
  caught_in(p, casc_busy, "the warps gathered are");
}

SEEN(casc_wrong_set, casc, in->in_valid && in->in_many, in->in.line ^= 2)
SHOWN(casc_swaps, casc, out->out_valid && out->out.num == 2, out->out.num = 3)

static void test_wrong_casc_schemes(void **state) {
  (void)state;
  for (int scheme = HD_CASC_ALL; scheme <= HD_CASC_PER_SET; scheme++) {
    struct play p = of("casc");
    p.c.casc.scheme = (enum hd_casc)scheme;
    caught_in(p, casc_wrong_byp, "byp");
    caught_in(p, casc_wrong_set, "");
    caught_in(p, casc_swaps, "number 2");
  }
}

SEEN(rrt_loses, rrt, in->ev_valid, in->ev_valid = 0)
SEEN(rrt_wrong_entry, rrt, in->ev_valid, in->ev_hpc ^= 1)
SEEN(rrt_wrong_count, rrt, in->ev_valid, in->ev_count ^= 1)
SEEN(rrt_looks_aside, rrt, true, in->lk_hpc ^= 1)
SHOWN(rrt_wrong_sum, rrt, out->lk_known, out->lk_sum ^= 1)
SHOWN(rrt_unknown, rrt, out->lk_known, out->lk_known = 0)

static void rrt_never_clears(void *in, void *out) {
  ((struct rrt_in *)in)->clear &= out != NULL;
}

static void test_wrong_rrt(void **state) {
  (void)state;
  caught("rrt", rrt_loses, "was looked up");
  caught("rrt", rrt_wrong_entry, "was looked up");
  caught("rrt", rrt_wrong_count, "sum");
  caught("rrt", rrt_looks_aside, "was looked up");
  caught("rrt", rrt_wrong_sum, "sum");
  caught("rrt", rrt_unknown, "lk_known is 0");
  struct play p = of("rrt");
  p.cycles = 100000; /* clears are rare */
  caught_in(p, rrt_never_clears, "lk_known is 1");
}

SEEN(rft_loses, rft, in->up_valid & 2, in->up_valid ^= 2)
SEEN(rft_wrong_entry, rft, in->up_valid & 1, in->up_hpc[0] ^= 1)
SEEN(rft_wrong_count, rft, in->up_valid & 1, in->up_count[0] = !in->up_count[0])
SHOWN(rft_wrong_bypass, rft, true, out->bypass ^= 8)
SHOWN(rft_not_lost, rft, out->lost, out->lost = 0)

static void rft_never_clears(void *in, void *out) {
  ((struct rft_in *)in)->clear &= out != NULL;
}

static void test_wrong_rft(void **state) {
  (void)state;
  for (int form = HD_RFT_BIT; form <= HD_RFT_AVERAGE; form++) {
    struct play p = of("rft");
    p.c.rft.form = (enum hd_rft)form;
    p.c.rft.sharers = p.c.gpu.sms = 3;
    p.c.gpu.dispatch_latency = 2;
    p.cycles = 100000;
    caught_in(p, rft_loses, "");
    caught_in(p, rft_wrong_entry, "bypass is");
    caught_in(p, rft_wrong_count, "bypass is");
    caught_in(p, rft_never_clears, "bypass is");
    caught_in(p, rft_wrong_bypass, "bypass is");
    caught_in(p, rft_not_lost, "lost is 0");
  }
}

SEEN(msch_loses, memsched, in->enq_valid, in->enq_valid = 0)
SEEN(msch_repeats, memsched, in->deq_ready, in->deq_ready = 0)
SEEN(msch_wrong_queue, memsched, in->enq_valid && !in->enq.write, in->enq.wid ^= 1)
SEEN(msch_wrong_line, memsched, in->enq_valid, in->enq.line ^= 1)
SEEN(msch_wrong_byte, memsched, in->enq_valid && in->enq.write, in->enq_wdata[3] ^= in->enq_wmask[3] ? 1 : 0)
SEEN(msch_wrong_mask, memsched, in->enq_valid && in->enq.write, in->enq_wmask[5] ^= 1)
SEEN(msch_gives_up, memsched, in->back_valid && !in->back_ok, in->back_ok = 1)
SEEN(msch_serves_twice, memsched, in->back_valid && in->back_ok, in->back_ok = 0)
SEEN(msch_forgets, memsched, in->back_valid, in->back_valid = 0)
SEEN(msch_misses_first, memsched, in->pr_hit, in->pr_hit = 0)
SEEN(msch_false_hit, memsched, true, in->pr_hit ^= 1)
SEEN(msch_cannot, memsched, in->pr_can, in->pr_can = 0)
SHOWN(msch_not_drained, memsched, true, out->drained ^= 4)
SHOWN(msch_wrong_probe, memsched, true, out->pr_line[1] ^= 1)
SHOWN(msch_out_of_turn, memsched, !out->deq_valid, out->deq_valid = 1)
SHOWN(msch_wavers, memsched, out->deq_valid && !in->deq_ready, out->deq.num ^= 1)
SHOWN(msch_hesitates, memsched, out->enq_ready, out->enq_ready = 0)
SHOWN(msch_greedy, memsched, !out->enq_ready, out->enq_ready = 1)

static void test_wrong_memsched(void **state) {
  (void)state;
  struct play p = of("memsched");
  p.cycles = 50000;
  caught_in(p, msch_loses, "drained says 1");
  caught_in(p, msch_repeats, "");
  caught_in(p, msch_wrong_queue, "drained says");
  caught_in(p, msch_wrong_line, "line 0x");
  caught_in(p, msch_wrong_byte, "its bytes");
  caught_in(p, msch_wrong_mask, "its bytes");
  caught_in(p, msch_gives_up, "");
  caught_in(p, msch_serves_twice, "");
  caught_in(p, msch_forgets, "");
  caught_in(p, msch_misses_first, "due is");
  caught_in(p, msch_false_hit, "deq");
  caught_in(p, msch_cannot, "offers nothing, due is");
  caught_in(p, msch_not_drained, "of warp 2");
  caught_in(p, msch_wrong_probe, "unit 1 probes");
  caught_in(p, msch_out_of_turn, "nothing is due");
  caught_in(p, msch_wavers, "deq offers");
  caught_in(p, msch_hesitates, "enq_ready is 0");
  caught_in(p, msch_greedy, "enq_ready is 1");
  p.c.request_buffer.drain = HD_DRAIN_RR;
  caught_in(p, msch_forgets, "");
  caught_in(p, msch_gives_up, "");
  p.c.request_buffer.drain = HD_DRAIN_FIXED;
  caught_in(p, msch_wrong_queue, "drained says");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_wrong_request_slot), cmocka_unit_test(test_wrong_mrpb),
      cmocka_unit_test(test_wrong_coalescer),    cmocka_unit_test(test_wrong_sched),
      cmocka_unit_test(test_wrong_l1d),          cmocka_unit_test(test_wrong_l1d_kinds),
      cmocka_unit_test(test_wrong_l1d_errors),   cmocka_unit_test(test_wrong_l1d_prefetch),
      cmocka_unit_test(test_wrong_laws),         cmocka_unit_test(test_wrong_sap),
      cmocka_unit_test(test_wrong_sm_mem),       cmocka_unit_test(test_wrong_casc),
      cmocka_unit_test(test_wrong_casc_schemes), cmocka_unit_test(test_wrong_rrt),
      cmocka_unit_test(test_wrong_rft),          cmocka_unit_test(test_wrong_memsched),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
