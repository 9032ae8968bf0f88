/* The memory path with APCM and with the static warp limit: the wires between modules (docs/mechanisms/sm_mem.md), and APCM's
 * example of §5.3 and Figure 11. */
#include "tests/unit/sm/sm_mem_rig.h"

#include "cmodel/model/bits.h"
#include "workloads/rng.h"

/* Program counters of loads. The loop is around A. */
enum { TARGET = 0x30, A = 0x40, B = 0x50, BRANCH = 0x60, C = 0x70 };
enum { MONITORED = 9 };

/* The outcome of a load. */
enum outcome_kind { HIT, MISS, BYPASS };

/* A direct-mapped cache of two lines: one for even lines, one for odd lines. */
static void start_with(enum hd_apcm manage) {
  struct hd_config c = with_buffer(HD_SLOT);
  c.l1d.sets = 2;
  c.l1d.ways = 1;
  c.apcm.manage = manage;
  c.apcm.loads = 4;
  c.apcm.entries = 8;
  start(c);
  rig.in.resp_ready = rig.in.mreq_ready = rig.in.apcm_en = 1;
}

/* Waits until all activity has ended. */
static void settle(void) {
  for (unsigned n = 0; n < PATIENCE; n++)
    step();
  look();
}

/* Runs a load of a line to its end. Returns its outcome. */
static enum outcome_kind load(unsigned wid, unsigned pc, uint64_t line) {
  enum outcome_kind outcome = HIT;
  issue_one(false, wid, pc, line * 128);
  for (unsigned n = 0; n < PATIENCE; n++) {
    look();
    const struct sreq asked_for = rig.out.mreq;
    const bool asks = rig.out.mreq_valid;
    edge();
    if (!asks)
      continue;
    outcome = asked_for.kind ? BYPASS : MISS;
    answer((struct srsp){.kind = asked_for.kind, .id = asked_for.id, .wid = wid, .last = 1}, 0);
  }
  look();
  return outcome;
}

static void ends(unsigned wid) {
  rig.in.exit = hd_bit(wid);
  step();
  rig.in.exit = 0;
  settle();
}

/* A warp leaves the loop. */
static void leaves(unsigned wid) {
  rig.in.leave_valid = 1;
  rig.in.leave_wid = wid;
  rig.in.leave_from = BRANCH;
  rig.in.leave_to = TARGET;
  step();
  rig.in.leave_valid = 0;
  settle();
}

static void protecting(uint64_t warps) {
  assert_int_equal(rig.m->u_psb_out.psb_on, warps);
  assert_int_equal(rig.m->u_apcm_line_in.psb_on, warps);
}

/* Checks whose line is in the first place, by the tags. */
static void pinned_for(unsigned wid) {
  assert_int_equal(rig.m->u_apcm_line->s.prot[0], 1);
  assert_int_equal(rig.m->u_apcm_line->s.owner[0], wid);
}

/* The monitored warp uses a line again and again in a loop, by load A. */
static void monitored_in_a_loop(void) {
  assert_int_equal(load(MONITORED, A, 100), MISS);
  assert_int_equal(load(MONITORED, A, 100), HIT);
  assert_int_equal(load(MONITORED, A, 100), HIT);
  assert_int_equal(rig.m->u_cait_out.protect, 0);
  ends(MONITORED);
  assert_int_equal(rig.m->u_cait_out.protect, 1);
  assert_int_equal(rig.m->u_cait_out.last[0], 0);
  protecting(0);
}

static void figure_11(void **state) {
  (void)state;
  start_with(HD_APCM_BOTH);
  monitored_in_a_loop();

  /* (a) Warp 0 gets a line, which is pinned. */
  assert_int_equal(load(0, A, 0), MISS);
  protecting(1);
  assert_int_equal(rig.m->u_psb_out.psb_last[0], 0);
  assert_int_equal(rig.m->u_psb_out.psb_loop, 1);
  pinned_for(0);

  /* (b) Warp 1 finds it pinned and bypasses. */
  assert_int_equal(load(1, A, 2), BYPASS);
  assert_int_equal(load(1, A, 2), BYPASS);
  protecting(1);
  pinned_for(0);
  assert_int_equal(rig.m->u_l1d->base.ev[EV_l1d_stuck], 2);

  /* (c) Warp 0 hits until it leaves the loop. */
  for (unsigned n = 0; n < 4; n++)
    assert_int_equal(load(0, A, 0), HIT);
  protecting(1);
  leaves(0);
  protecting(0);
  pinned_for(0); /* only by the tags */

  /* (d) Now warp 1 gets the line. */
  assert_int_equal(load(1, A, 2), MISS);
  protecting(2);
  pinned_for(1);
  assert_int_equal(load(1, A, 2), HIT);
  assert_int_equal(load(0, A, 0), BYPASS);
  ends(1);
  protecting(0);
  assert_int_equal(load(0, A, 0), MISS);
  protecting(1);
  assert_int_equal(rig.m->u_psb->base.ev[EV_psb_set_loop], 3);
  assert_int_equal(rig.m->u_psb->base.ev[EV_psb_release_loop], 1);
  assert_int_equal(rig.m->u_psb->base.ev[EV_psb_release_exit], 1);
  wreck();
}

/* The same, but B is the last load to use A's line. */
static void until_another_load_is_done(void **state) {
  (void)state;
  start_with(HD_APCM_PROTECT);
  load(MONITORED, A, 100);
  load(MONITORED, B, 100);
  ends(MONITORED);
  assert_int_equal(rig.m->u_cait_out.protect, 1);
  assert_int_equal(rig.m->u_cait_out.last[0], 1);
  assert_int_equal(load(4, A, 0), MISS);
  protecting(1 << 4);
  assert_int_equal(rig.m->u_psb_out.psb_loop, 0);
  assert_int_equal(load(4, A, 0), HIT);
  leaves(4);
  assert_int_equal(load(5, B, 0), HIT); /* another warp */
  protecting(1 << 4);
  assert_int_equal(load(4, B, 0), HIT);
  protecting(0);
  assert_int_equal(rig.m->u_psb->base.ev[EV_psb_release_load], 1);
  wreck();
}

/* C's lines are used once. A line that others used before does not count for C (D-APCM-2). */
static void streaming_loads_bypass(void **state) {
  (void)state;
  start_with(HD_APCM_BYPASS);
  assert_int_equal(load(MONITORED, C, 100), MISS);
  assert_int_equal(load(3, B, 101), MISS);
  assert_int_equal(load(MONITORED, B, 101), HIT);
  ends(MONITORED);
  assert_int_equal(rig.m->u_cait->s.count[0], 1);
  assert_int_equal(rig.m->u_cait->s.count[1], 2);
  assert_int_equal(rig.m->u_cait_out.bypass, 1);
  assert_int_equal(load(3, C, 0), BYPASS);
  assert_int_equal(load(4, C, 0), BYPASS);
  assert_int_equal(load(4, B, 0), MISS);
  assert_int_equal(load(4, C, 0), HIT); /* bypass_hit: serve */
  rig.in.apcm_en = 0;
  assert_int_equal(load(4, C, 2), MISS);
  wreck();
}

/* A load gets an id when it is taken. A store gets none, nor does a load that waits. */
static void ids_go_to_loads(void **state) {
  (void)state;
  start_with(HD_APCM_BOTH);
  issue_one(true, 3, B, 0);
  assert_int_equal(rig.m->u_lat->s.used, 0);
  settle();
  rig.in.issue_pc = A;
  step();
  assert_int_equal(rig.m->u_lat->s.used, 0);
  issue_one(false, 3, C, 0);
  assert_int_equal(rig.m->u_lat->s.used, 1);
  assert_int_equal(rig.m->u_lat->s.pc[0], C);
  wreck();
}

/* The ids pass through each buffer and CASC. */
static void ids_reach_the_l1d(void **state) {
  (void)state;
  for (enum hd_buffer kind = HD_SLOT; kind <= HD_MEMSCHED; kind++)
    for (int scheme = HD_CASC_OFF; scheme <= HD_CASC_ALL; scheme += HD_CASC_ALL - HD_CASC_OFF) {
      struct hd_config c = with_buffer(kind);
      c.l1d.ways = 1;
      c.apcm.manage = HD_APCM_BOTH;
      c.casc.scheme = (enum hd_casc)scheme;
      start(c);
      rig.in.resp_ready = rig.in.mreq_ready = rig.in.casc_en = 1;
      for (unsigned n = 0; n < 3; n++) {
        rig.in.issue_pc = A + 8 * n;
        issue(false, 100, 201);
        unsigned seen = 0;
        for (unsigned i = 0; i < 2 * PATIENCE; i++) {
          look();
          const struct l1d_out *o = &rig.m->u_l1d_out;
          const struct sreq asked_for = rig.out.mreq;
          const bool asks = rig.out.mreq_valid;
          if (o->outcome_load) {
            assert_int_equal(o->outcome.trk, 1);
            assert_int_equal(o->outcome.lid, n);
            assert_int_equal(o->outcome.last, seen == 1);
            assert_int_equal(o->outcome.line, seen ? 201 : 100);
            seen++;
          }
          edge();
          if (asks)
            answer((struct srsp){.kind = asked_for.kind, .id = asked_for.id, .wid = 10}, 0);
        }
        assert_int_equal(seen, 2);
      }
      wreck();
    }
}

static void a_flush_empties_all_four(void **state) {
  (void)state;
  start_with(HD_APCM_BOTH);
  monitored_in_a_loop();
  load(0, A, 0);
  protecting(1);
  rig.in.flush = 1;
  step();
  rig.in.flush = 0;
  look();
  assert_int_equal(rig.m->u_lat->s.used, 0);
  assert_int_equal(rig.m->u_mta->s.over, 0);
  assert_int_equal(rig.m->u_cait_out.protect, 0);
  protecting(0);
  assert_int_equal(load(2, C, 0), MISS); /* now monitored */
  assert_int_equal(rig.m->u_mta->s.mon_wid, 2);
  wreck();
}

/* ---- The static warp limit, and tokens ---- */

static void awake_warps_get_places_and_tokens(void **state) {
  (void)state;
  struct hd_config c = with_buffer(HD_SLOT);
  c.sm.schedulers = 1;
  c.scheduler.limit = 2;
  c.scheduler.tokens = 1;
  start(c);
  rig.in.resp_ready = rig.in.mreq_ready = 1;
  rig.in.awake = rig.in.ready = hd_bit(3) | hd_bit(7) | hd_bit(8);
  settle();
  assert_int_equal(rig.m->u_limit_out.token, hd_bit(3));
  uint64_t picked = 0;
  for (unsigned n = 0; n < 6; n++) {
    look();
    assert_int_equal(rig.out.pick_valid[0], 1);
    picked |= hd_bit(rig.out.pick_wid[0]);
    edge();
  }
  assert_int_equal(picked, hd_bit(3) | hd_bit(7));
  assert_int_equal(load(3, A, 0), MISS);
  assert_int_equal(load(7, A, 0), HIT);
  assert_int_equal(load(7, A, 1), BYPASS);
  wreck();
}

/* D-APCM-10. For any loads, leaves and ends: when all warps have ended, none protects, and every line can be evicted. */
static void no_line_stays_pinned(void **state) {
  (void)state;
  static const unsigned pcs[] = {A, B, C};
  start_with(HD_APCM_BOTH);
  monitored_in_a_loop();
  struct wl_rng rng = {11};
  uint64_t protected = 0;
  for (unsigned n = 0; n < 600; n++) {
    const unsigned wid = wl_rng_below(&rng, 8);
    const uint32_t what = wl_rng_below(&rng, 16);
    if (what == 0)
      ends(wid);
    else if (what == 1)
      leaves(wid);
    else
      load(wid, pcs[wl_rng_below(&rng, 3)], wl_rng_below(&rng, 12));
    protected |= rig.m->u_psb_out.psb_on;
  }
  assert_true(rig.m->u_l1d->base.ev[EV_l1d_stuck] > 20 && protected == 255);
  for (unsigned wid = 0; wid < 8; wid++)
    ends(wid);
  protecting(0);
  for (unsigned place = 0; place < 2; place++)
    assert_int_equal(load(place, C, 100 + place), MISS);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(figure_11),
      cmocka_unit_test(until_another_load_is_done),
      cmocka_unit_test(no_line_stays_pinned),
      cmocka_unit_test(streaming_loads_bypass),
      cmocka_unit_test(ids_go_to_loads),
      cmocka_unit_test(ids_reach_the_l1d),
      cmocka_unit_test(a_flush_empties_all_four),
      cmocka_unit_test(awake_warps_get_places_and_tokens),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
