/* The L1 data cache with apcm_line: loads of known patterns, and pinned ways. By hand from docs/mechanisms/apcm.md. Even lines are
 * in set 0. */
#include "tests/unit/l1d/l1d_apcm_rig.h"

/* ---- Which loads bypass ---- */

static void a_streaming_load_bypasses(void **state) {
  (void)state;
  build_managed(managed(2, HD_APCM_BYPASS));
  ends(of(A, STREAM, 4));
  assert_int_equal(APCM_EVENTS(advise), 1);
  assert_int_equal(EVENTS(early), 1);
  assert_int_equal(EVENTS(bypass), 1);
  assert_false(holds(4));
  is_reported(of(A, STREAM, 4), 0);
  ends(plain(A, 4)); /* it has no id */
  assert_true(holds(4));
  ends(of(A, STREAM, 4)); /* a hit is served */
  assert_int_equal(EVENTS(load_hit), 1);
  assert_int_equal(EVENTS(early_hit), 1);
  is_reported(of(A, STREAM, 4), 1);
  ends(store_of(A, 4));
  assert_int_equal(EVENTS(early), 1);
  of_sm.apcm_en = 0;
  ends(of(A, STREAM, 6));
  ends(of(A, INTRA, 8));
  assert_true(holds(6) && holds(8));
  assert_int_equal(EVENTS(early), 1);
  wreck();
}

/* A store has no pattern, whatever its fields hold. */
static void stores_do_not(void **state) {
  (void)state;
  build_managed(managed(2, HD_APCM_BOTH));
  struct req r = of(A, STREAM, 4);
  r.write = 1;
  ends(r);
  r.lid = INTRA;
  ends(r);
  assert_int_equal(EVENTS(store), 2);
  assert_int_equal(EVENTS(early) + APCM_EVENTS(protect), 0);
  assert_int_equal(seen.reported, 0);
  wreck();
}

/* D-PCAL-1. */
static void a_load_without_a_token(void **state) {
  (void)state;
  struct hd_config c = small(2);
  c.l1d.miss_queue = 8;
  c.scheduler.limit = 4;
  c.scheduler.tokens = 2;
  build_managed(c);
  hung->u_pcal_in.token = hd_bit(A);
  ends(plain(A, 4));
  ends(plain(B, 6));
  ends(plain(B, 4));
  assert_int_equal(EVENTS_OF(u_pcal, pcal, advise), 2);
  assert_int_equal(EVENTS(early), 1);
  assert_int_equal(EVENTS(load_hit), 1);
  assert_true(holds(4) && !holds(6));
  ends(store_of(B, 8));
  hung->u_pcal_in.token |= hd_bit(B);
  ends(plain(B, 6));
  assert_true(holds(6));
  assert_int_equal(EVENTS(early), 1);
  wreck();
}

/* ---- Which loads protect ---- */

static void a_line_is_protected(void **state) {
  (void)state;
  build_managed(managed(2, HD_APCM_PROTECT));
  comes(of(A, INTRA, 5));
  cycles(2); /* it is decided at the end of the third */
  assert_int_equal(line_st->owner_wr, -1);
  cycle();
  assert_int_equal(line_st->owner_wr, 1);
  assert_int_equal(line_st->owner[1 * 2 + 0], A);
  assert_int_equal(APCM_EVENTS(protect), 0);
  for (unsigned i = 0; i < 2; i++) {
    cycle();
    assert_int_equal(APCM_EVENTS(protect), 1);
    assert_int_equal(line_st->prot[1], 1);
    assert_int_equal(hung->u_apcm_line_out.ps_valid, i == 0);
    assert_int_equal(hung->u_apcm_line_out.ps_wid, A);
    assert_int_equal(line_st->e_final, AFTER);
    assert_int_equal(hung->u_apcm_line_out.ps_loop, 0);
  }
  assert_int_equal(line_st->owner_wr, -1);
  says->m_last[INTRA] = INTRA; /* the line is needed until the loop ends */
  asks(of(B, INTRA, 7));
  assert_int_equal(hung->u_apcm_line_out.ps_wid, B);
  assert_int_equal(line_st->e_final, INTRA);
  assert_int_equal(hung->u_apcm_line_out.ps_loop, 1);
  answers();
  ends(of(B, INTRA, 7)); /* a hit protects nothing */
  assert_int_equal(APCM_EVENTS(protect), 2);
  ends(plain(B, 9));
  assert_int_equal(APCM_EVENTS(protect), 2);
  assert_int_equal(line_st->prot[1], 2); /* the load that replaced line 5 does not protect */
  wreck();
}

/* A warp protects for one load at a time. */
static void a_warp_that_protects_already(void **state) {
  (void)state;
  static const struct {
    unsigned on, last, loop, wants, keeps;
  } cases[] = {{0, 0, 0, AFTER, 1},     {1, AFTER, 0, AFTER, 1}, {1, AFTER, 1, AFTER, 0}, {1, 0, 0, AFTER, 0},
               {1, INTRA, 1, INTRA, 1}, {1, INTRA, 0, INTRA, 0}, {0, INTRA, 0, INTRA, 1}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    build_managed(managed(2, HD_APCM_BOTH));
    says->psb_on = hd_bit(B) | (uint64_t)cases[i].on << A;
    says->psb_last[A] = cases[i].last;
    says->psb_loop = (uint64_t)cases[i].loop << A;
    says->m_last[INTRA] = cases[i].wants;
    ends(of(A, INTRA, 4));
    assert_true(holds(4));
    assert_int_equal(APCM_EVENTS(protect), cases[i].keeps);
    assert_int_equal(seen.protects, cases[i].keeps);
    assert_int_equal(line_st->prot[0], cases[i].keeps);
    wreck();
  }
}

/* c may name a load or a warp that does not exist. While c is empty it gives no pattern. */
static void nobodys_pattern(void **state) {
  (void)state;
  build_managed(managed(2, HD_APCM_BOTH));
  says->m_protect = says->m_bypass = hd_ones(LOADS);
  static const struct {
    unsigned valid, lid, known, final;
  } cases[] = {{1, 7, 0, 0}, {0, INTRA, 0, 0}, {1, INTRA, 1, AFTER}};
  for (unsigned i = 0; i < 3; i++) {
    rig.m->s.c = (struct req){.trk = 1, .lid = cases[i].lid, .wid = 63};
    rig.m->s.c_valid = cases[i].valid;
    rig.m->s.d_valid = 0;
    cycle();
    assert_int_equal(line_st->d_apb, cases[i].known);
    assert_int_equal(line_st->d_keep, cases[i].known);
    if (cases[i].valid)
      assert_int_equal(line_st->d_final, cases[i].final);
  }
  wreck();
}

/* Protection wins over all other reasons to bypass and over the look at the locality degree. */
static void protection_comes_first(void **state) {
  (void)state;
  struct hd_config c = managed(2, HD_APCM_BOTH);
  c.casc.scheme = HD_CASC_LOCALITY;
  c.rft.form = HD_RFT_BIT;
  c.rft.resample = 2;
  build_managed(c);
  of_sm.rft_en = 1;
  of_sm.rft_bypass = UINT64_MAX;
  says->m_bypass = hd_bit(INTRA);
  struct req r = of(A, INTRA, 4);
  r.byp = r.loc = 1;
  ends(r);
  assert_true(holds(4));
  assert_int_equal(APCM_EVENTS(protect), 1);
  assert_int_equal(EVENTS(early) + EVENTS_OF(u_degree, locality_degree, look) + EVENTS(bypass) +
                       EVENTS_OF(u_rft_line, rft_line, resample),
                   0);
  ends(r);
  assert_int_equal(EVENTS(load_hit), 1);
  assert_int_equal(EVENTS(early_hit), 0);
  says->m_protect = 0;
  r.line = 6;
  ends(r);
  assert_int_equal(APCM_EVENTS(advise), 3); /* advised each time */
  assert_int_equal(EVENTS(early), 1);
  wreck();
}

/* ---- Pinned ways ---- */

/* Line 0 of warp A and line 2 of warp B are protected. By age alone 0 would be the victim, as it is older. */
static void two_protected(void) {
  build_managed(managed(2, HD_APCM_PROTECT));
  ends(of(A, INTRA, 0));
  ends(of(B, INTRA, 2));
  assert_int_equal(APCM_EVENTS(protect), 2);
}

static void a_pinned_way_is_no_victim(void **state) {
  (void)state;
  two_protected();
  says->psb_on = hd_bit(A);
  ends(plain(C, 4));
  assert_true(holds(0) && holds(4) && !holds(2));
  says->psb_on = hd_bit(B); /* A's line may be evicted now */
  ends(plain(C, 6));
  assert_true(holds(4) && holds(6));
  assert_int_equal(EVENTS(stuck), 0);
  wreck();
}

static void all_pinned(void **state) {
  (void)state;
  two_protected();
  says->psb_on = hd_bit(A) | hd_bit(B);
  ends(plain(C, 4));
  assert_int_equal(EVENTS(stuck), 1);
  assert_int_equal(EVENTS(bypass), 1);
  assert_int_equal(EVENTS(early), 0);
  assert_true(holds(0) && holds(2));
  is_reported(plain(C, 4), 0);
  ends(plain(C, 2)); /* a hit is served */
  assert_int_equal(EVENTS(load_hit), 1);
  ends(of(C, INTRA, 6)); /* a load that would protect also needs a free way */
  assert_int_equal(EVENTS(stuck), 2);
  assert_int_equal(APCM_EVENTS(protect), 2);
  says->psb_on = 0; /* released */
  ends(plain(C, 4));
  assert_true(holds(4) && !holds(0)); /* the least recently used */
  wreck();
}

/* One way is pinned, the other in flight: waiting would be useless. A load bypasses unless its own line is in flight. */
static void pinned_or_reserved(void **state) {
  (void)state;
  build_managed(managed(2, HD_APCM_PROTECT));
  ends(of(A, INTRA, 0));
  says->psb_on = hd_bit(A);
  asks(plain(B, 2));
  asks(plain(C, 4));
  assert_int_equal(EVENTS(stuck), 1);
  asks(plain(C, 2));
  assert_int_equal(EVENTS(load_merge), 1);
  asks(plain(A, 2)); /* no merge place: it waits as always, and its line comes */
  assert_true(EVENTS(fail_mshr_merge) > 0);
  answers();
  assert_int_equal(EVENTS(stuck), 1);
  assert_int_equal(EVENTS(load_hit), 1);
  wreck();
}

/* Without a pin a load waits for a reserved way. With one pinned way among them it bypasses. */
static void all_reserved(void **state) {
  (void)state;
  for (unsigned pinned = 0; pinned < 2; pinned++) {
    build_managed(managed(2, HD_APCM_PROTECT));
    asks(pinned ? of(A, INTRA, 0) : plain(A, 0));
    asks(plain(B, 2));
    says->psb_on = hd_bit(A);
    asks(plain(C, 4));
    assert_int_equal(EVENTS(stuck), pinned);
    assert_int_equal(EVENTS(fail_line_alloc) > 0, !pinned);
    answers();
    answers();
    assert_int_equal(holds(4), !pinned);
    wreck();
  }
}

/* A stuck load waits for a place in the queue. When a line that is not pinned arrives, the load is stuck no longer. */
static void stuck_no_more(void **state) {
  (void)state;
  build_managed(managed(2, HD_APCM_PROTECT));
  ends(of(A, INTRA, 0));
  says->psb_on = hd_bit(A);
  asks(plain(B, 2));
  rig.in.mreq_ready = 0;
  for (unsigned i = 0; i < 9; i++)
    asks(store_of(C, 1));
  asks(plain(C, 4));
  assert_true(EVENTS(fail_miss_queue) > 3);
  assert_int_equal(rig.m->s.d_stuck, 1);
  answer();
  cycles(2);
  assert_int_equal(rig.m->s.d_stuck, 0);
  rig.in.mreq_ready = 1;
  cycles(20);
  answers();
  assert_true(holds(0) && holds(4));
  assert_int_equal(EVENTS(stuck), 0);
  wreck();
}

static void stuck_without_a_slot(void **state) {
  (void)state;
  struct hd_config c = managed(1, HD_APCM_PROTECT);
  c.l1d.bypass_slots = 1;
  build_managed(c);
  ends(of(A, INTRA, 0));
  says->psb_on = hd_bit(A);
  asks(plain(C, 2));
  asks(plain(C, 4));
  assert_int_equal(EVENTS(stuck), 1);
  assert_true(EVENTS(fail_bypass_slots) > 0);
  answers();
  assert_int_equal(EVENTS(stuck), 2);
  wreck();
}

/* Four loads in consecutive cycles. The first gets the line while the second is in c. The third sees `ps_valid`. The fourth reads
 * the board, which does not show the protection here. */
static void pins_at_once(void **state) {
  (void)state;
  for (unsigned keeps = 0; keeps < 2; keeps++) {
    struct hd_config c = managed(1, HD_APCM_PROTECT);
    c.sm.warps = 8;
    build_managed(c);
    comes(keeps ? of(A, INTRA, 0) : plain(A, 0));
    for (unsigned i = 1; i < 4; i++)
      comes(plain(B, 2 * i));
    cycles(8);
    assert_int_equal(APCM_EVENTS(protect), keeps);
    assert_int_equal(EVENTS(stuck), keeps ? 2 : 0);
    assert_true(EVENTS(fail_line_alloc) > 0);
    wreck();
  }
}

/* In the cycle in which a way is taken, the owner of its old line does not count. */
static void a_way_just_taken(void **state) {
  (void)state;
  build_managed(managed(1, HD_APCM_PROTECT));
  ends(of(A, INTRA, 0));
  comes(plain(B, 2));
  comes(plain(C, 4));
  cycle();
  says->psb_on = hd_bit(A);
  cycle();
  assert_int_equal(EVENTS(load_miss), 2);
  assert_int_equal(rig.m->s.d_valid, 1);
  assert_int_equal(rig.m->s.d_pin, 0);
  cycles(4);
  assert_int_equal(EVENTS(stuck), 0);
  wreck();
}

/* The store empties the way. Any load may then take it, pinned or not. */
static void stores_to_protected_lines(void **state) {
  (void)state;
  for (unsigned in_flight = 0; in_flight < 2; in_flight++) {
    build_managed(managed(1, HD_APCM_PROTECT));
    asks(of(A, INTRA, 0));
    if (!in_flight)
      answers();
    says->psb_on = hd_bit(A);
    ends(store_of(A, 0));
    assert_int_equal(EVENTS(fill_dead), in_flight);
    assert_int_equal(EVENTS(store_evict), !in_flight);
    assert_int_equal(line_st->prot[0], 1);
    ends(plain(B, 2));
    assert_true(holds(2));
    assert_int_equal(EVENTS(stuck), 0);
    assert_int_equal(line_st->prot[0], 0);
    wreck();
  }
}

static void a_flush_unpins(void **state) {
  (void)state;
  two_protected();
  says->psb_on = hd_bit(A) | hd_bit(B);
  rig.in.flush = 1;
  cycle();
  rig.in.flush = 0;
  assert_int_equal(rig.m->s.d_pin | rig.m->s.d_stuck, 0);
  ends(plain(C, 4));
  ends(plain(C, 6));
  assert_true(holds(4) && holds(6));
  assert_int_equal(EVENTS(stuck), 0);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_streaming_load_bypasses),
      cmocka_unit_test(stores_do_not),
      cmocka_unit_test(a_load_without_a_token),
      cmocka_unit_test(a_line_is_protected),
      cmocka_unit_test(a_warp_that_protects_already),
      cmocka_unit_test(nobodys_pattern),
      cmocka_unit_test(protection_comes_first),
      cmocka_unit_test(a_pinned_way_is_no_victim),
      cmocka_unit_test(all_pinned),
      cmocka_unit_test(pinned_or_reserved),
      cmocka_unit_test(all_reserved),
      cmocka_unit_test(stuck_no_more),
      cmocka_unit_test(stuck_without_a_slot),
      cmocka_unit_test(pins_at_once),
      cmocka_unit_test(a_way_just_taken),
      cmocka_unit_test(stores_to_protected_lines),
      cmocka_unit_test(a_flush_unpins),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
