/* The L1D's hooks with answers given by hand: the joining rule, the reports, and LATE ports; docs/mechanisms/hooks.md. Two ways; odd
 * lines are in set 1. */
#include "tests/unit/l1d/l1d_rig.h"

/* A machine with hooks that advise, keep, pin, hold and refuse. */
static struct hd_config with_all(void) {
  struct hd_config c = small(2);
  c.l1d.miss_queue = 8;
  c.casc.scheme = HD_CASC_LOCALITY;
  c.apcm.manage = HD_APCM_BOTH;
  return c;
}

static void start(struct hd_config c) {
  build(c);
  rig.in.hold_among = 3;
}

/* ---- The joining rule ---- */

/* For a load that misses in a set of two lines. */
static void the_order(void **state) {
  (void)state;
  enum { CACHED, EARLY, STUCK, HELD, REFUSED };
  static const struct {
    unsigned bypass, keep, pins, hold, refuse, becomes;
  } cases[] = {
      {0, 0, 0, 0, 0, CACHED}, {1, 0, 0, 0, 0, EARLY},  {1, 1, 0, 0, 0, CACHED}, {0, 1, 0, 0, 0, CACHED},
      {0, 0, 3, 0, 0, STUCK},  {1, 0, 3, 0, 0, EARLY},  {0, 1, 3, 0, 0, STUCK},  {1, 1, 3, 1, 1, STUCK},
      {0, 0, 1, 0, 0, CACHED}, {0, 0, 0, 1, 0, HELD},   {0, 0, 0, 1, 1, HELD},   {0, 0, 0, 0, 1, REFUSED},
      {0, 1, 0, 1, 0, CACHED}, {0, 1, 0, 0, 1, CACHED}, {1, 0, 0, 1, 0, EARLY},  {0, 0, 3, 1, 0, STUCK},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    start(with_all());
    brings(1);
    brings(3);
    rig.in.advice_bypass = cases[i].bypass;
    rig.in.advice_keep = cases[i].keep;
    rig.in.pins = cases[i].pins;
    rig.in.hold = cases[i].hold;
    rig.in.hold_refuse = cases[i].refuse;
    load(5, 4);
    idle(8);
    assert_int_equal(EVENTS(load_miss), 2 + (cases[i].becomes == CACHED));
    assert_int_equal(EVENTS(early), cases[i].becomes == EARLY);
    assert_int_equal(EVENTS(stuck), cases[i].becomes == STUCK);
    assert_int_equal(EVENTS(held) > 0, cases[i].becomes == HELD);
    assert_int_equal(EVENTS(refused), cases[i].becomes == REFUSED);
    assert_int_equal(EVENTS(bypass), cases[i].becomes != CACHED && cases[i].becomes != HELD);
    wreck();
  }
}

/* The answers do not change a load that hits or can merge. */
static void hits_and_merges_first(void **state) {
  (void)state;
  start(with_all());
  brings(1);
  rig.in.hold = rig.in.hold_refuse = 1;
  rig.in.pins = 3;
  hits(1);
  rig.in.hold = rig.in.hold_refuse = rig.in.pins = 0;
  load(3, 1);
  idle(4);
  rig.in.hold = rig.in.hold_refuse = rig.in.advice_bypass = 1;
  rig.in.pins = 3;
  load(3, 3);
  idle(6);
  assert_int_equal(EVENTS(load_merge), 1);
  assert_int_equal(EVENTS(early_merge), 1);
  assert_int_equal(EVENTS(bypass) + EVENTS(held), 0);
  wreck();
}

/* Line 1 is older. A load with `keep` does not ask which ways may be evicted. An empty way is taken first. */
static void who_gives_way(void **state) {
  (void)state;
  for (unsigned keep = 0; keep < 2; keep++) {
    start(with_all());
    rig.in.hold_among = 2;
    brings(1); /* into way 0: it is empty */
    assert_int_equal(rig.m->s.valid[1], 1);
    brings(3);
    rig.in.advice_keep = keep;
    brings(5);
    rig.in.advice_keep = 0;
    rig.in.hold_among = 3;
    hits(keep ? 3 : 1);
    hits(5);
    wreck();
  }
}

static void pinned_ways(void **state) {
  (void)state;
  start(with_all());
  brings(1);
  brings(3);
  rig.in.pins = 1;
  brings(5);
  rig.in.pins = 0;
  hits(1);
  hits(5);
  wreck();
}

/* The way that d takes in this cycle is pinned for c as `pin_new` says. */
static void pinned_at_once(void **state) {
  (void)state;
  for (unsigned pin_new = 0; pin_new < 2; pin_new++) {
    start(with_all());
    rig.in.pin_new = pin_new;
    load(1, 1);
    load(3, 2);
    idle(2); /* the first is done, the second is in d */
    assert_int_equal(EVENTS(load_miss), 1);
    assert_int_equal(rig.m->s.d_pin, pin_new);
    wreck();
  }
}

static void a_full_set(void **state) {
  (void)state;
  for (unsigned lets = 0; lets < 2; lets++)
    for (unsigned keep = 0; keep < 2; keep++) {
      start(with_all());
      load(1, 1);
      load(3, 2);
      idle(6);
      rig.in.lack_line = lets;
      rig.in.advice_keep = keep;
      rig.in.hold = 1; /* no load asks */
      load(5, 3);
      idle(6);
      assert_int_equal(EVENTS(full_bypass), lets && !keep);
      assert_int_equal(EVENTS(fail_line_alloc) > 0, !(lets && !keep));
      assert_int_equal(EVENTS(held), 0);
      wreck();
    }
}

/* ---- The reports ---- */

/* Checks the next cycle that has a report. */
static void tells(unsigned hit, unsigned merge, unsigned past, unsigned write, unsigned take, unsigned at) {
  look();
  for (unsigned i = 0; !rig.out.outcome_load; i++, look()) {
    assert_true(i < PATIENCE);
    edge();
  }
  assert_int_equal(rig.out.outcome_hit, hit);
  assert_int_equal(rig.out.outcome_merge, merge);
  assert_int_equal(rig.out.outcome_past, past);
  assert_int_equal(rig.out.outcome_write, write);
  assert_int_equal(rig.out.outcome_take, take);
  assert_int_equal(rig.out.outcome_set, 1);
  assert_int_equal(rig.out.outcome_at, at);
  step();
  look();
  assert_int_equal(rig.out.outcome_load | rig.out.outcome_hit | rig.out.outcome_merge | rig.out.outcome_past,
                   0);
  assert_int_equal(rig.out.outcome_write | rig.out.outcome_take | rig.out.outcome_evict, 0);
}

static void what_became_of_it(void **state) {
  (void)state;
  struct hd_config c = with_all();
  c.l1d.bypass_hit = HD_BYPASS_FORWARD;
  start(c);
  load(1, 1);
  tells(0, 0, 0, 1, 1, 1);
  load(1, 2);
  tells(0, 1, 0, 0, 0, 1);
  memory_answers(HD_FILL, memory_gets(HD_FILL, 1, 1), 0, 1);
  sm_gets(false, 1, 1);
  sm_gets(false, 2, 1);
  load(3, 1);
  tells(0, 0, 0, 1, 1, 2);
  load(1, 3);
  tells(1, 0, 0, 0, 0, 1);
  rig.in.advice_bypass = 1;
  load(1, 4);
  tells(1, 0, 1, 0, 0, 1); /* forwarded */
  load(5, 5);
  tells(0, 0, 1, 0, 0, 0);
  assert_int_equal(EVENTS(early), 2);
  wreck();
}

/* A load that waits is not reported, nor is a store. The way of an eviction is reported, and shown by LATE ports before. */
static void of_an_eviction(void **state) {
  (void)state;
  start(with_all());
  brings(1);
  brings(3);
  store(3, 4);
  rig.in.hold = 1;
  load(5, 1);
  idle(6);
  look();
  assert_int_equal(rig.out.outcome_load, 0);
  assert_int_equal(rig.m->late.late_held, 1);
  assert_int_equal(rig.m->late.late_advance, 0);
  rig.in.hold = 0;
  step();
  assert_int_equal(rig.m->late.late_advance, 1);
  assert_int_equal(rig.m->late.late_take, 2); /* freed by the store: no eviction */
  assert_int_equal(rig.m->late.late_evict, 0);
  assert_int_equal(rig.m->late.late_row, 1 * 2 + 1);
  tells(0, 0, 0, 1, 1, 2);
  rig.in.hold_among = 1;
  load(7, 2);
  idle(2);
  assert_int_equal(rig.m->late.late_read, 0);
  step();
  assert_int_equal(rig.m->late.late_take, 1);
  assert_int_equal(rig.m->late.late_evict, 1);
  assert_int_equal(rig.m->late.late_row, 1 * 2 + 0);
  look();
  assert_int_equal(rig.out.outcome_evict, 1);
  tells(0, 0, 0, 1, 1, 1);
  step();
  assert_int_equal(rig.m->late.late_take | rig.m->late.late_evict, 0);
  assert_int_equal(rig.m->late.late_row, 1 * 2); /* no row of an eviction */
  wreck();
}

/* A machine that needs only the reports of taken and evicted lines gets them too. */
static void of_lines_alone(void **state) {
  (void)state;
  struct hd_config c = small(1);
  c.ccws.throttle = HD_CCWS_ON;
  build(c);
  unsigned taken = 0, gone = 0;
  for (unsigned line = 1; line <= 3; line += 2) {
    load(line, line);
    for (unsigned i = 0; i < 4; i++) {
      look();
      taken += rig.out.outcome_take && rig.out.outcome.line == line && rig.out.outcome_at == 1;
      gone += (unsigned)rig.out.outcome_evict;
      edge();
    }
    memory_answers(HD_FILL, memory_gets(HD_FILL, line, 0), 0, line);
    sm_gets(false, line, line);
  }
  assert_int_equal(taken, 2);
  assert_int_equal(gone, 1);
  wreck();
}

/* With on_fill the tag is that of the answer's MSHR at the begin of the cycle. A miss that takes the MSHR anew comes later. */
static void the_tag_of_a_fill(void **state) {
  (void)state;
  struct hd_config c = small(2);
  c.l1d.allocate = HD_ON_FILL;
  c.request_buffer.kind = HD_MEMSCHED;
  c.request_buffer.drain = HD_DRAIN_GRR;
  start(c);
  brings(5); /* MSHR 0 */
  load(9, 1);
  idle(3);
  assert_int_equal(EVENTS(load_miss), 2);
  assert_int_equal(rig.m->s.mshr_line[1], 9); /* D-L1-19: chosen before MSHR 0 was free */
  assert_int_equal(rig.m->late.late_tag, 5 / 2);
  assert_int_equal(rig.m->late.late_tag_set, 1);
  assert_int_equal(rig.m->late.late_tag_we, 0);
  step();
  assert_int_equal(rig.m->late.late_tag, 5 / 2); /* MSHR 0 keeps its line until a miss takes it */
  memory_answers(HD_FILL, memory_gets(HD_FILL, 9, 1), 0, 9);
  step(); /* the fill enters */
  assert_int_equal(rig.m->late.late_tag_we, 2);
  wreck();
}

/* LOOK shows c. DECIDE shows d and its set. */
static void what_is_shown(void **state) {
  (void)state;
  start(with_all());
  brings(1);
  offer((struct req){.line = 3, .num = 1, .trk = 1, .lid = 5, .hpc = 9, .loc = 1});
  rig.in.pins = 1;
  step();
  assert_int_equal(rig.m->late.late_read, 1);
  assert_int_equal(rig.m->late.late_set, 1);
  look();
  assert_int_equal(rig.out.look_valid, 1);
  assert_int_equal(rig.out.look_set, 1);
  assert_int_equal(rig.out.look.wid, WID);
  assert_int_equal(rig.out.look.trk, 1);
  assert_int_equal(rig.out.look.lid, 5);
  edge();
  look();
  assert_int_equal(rig.out.look_valid, 0);
  assert_int_equal(rig.out.decide_set, 1);
  assert_int_equal(rig.out.decide.hpc, 9);
  assert_int_equal(rig.out.decide.loc, 1);
  assert_int_equal(rig.out.decide_lines, 1);
  assert_int_equal(rig.out.decide_reserved, 0);
  assert_int_equal(rig.out.decide_pins, 1);
  wreck();
}

/* ---- Prefetched lines ---- */

/* With a reuse-frequency table, which hears the way. */
static struct hd_config with_prefetches(enum hd_allocate allocate) {
  struct hd_config c = small(2);
  c.rft.form = HD_RFT_BIT;
  c.prefetch.kind = HD_PF_STR;
  c.scheduler.policy = HD_LAWS;
  c.l1d.allocate = allocate;
  return c;
}

static void prefetch(uint64_t line) {
  rig.in.pf_valid = 1;
  rig.in.pf_line = line;
  step();
  rig.in.pf_valid = 0;
}

/* The first load that hits a prefetched line, or merges with it, takes it over. */
static void adopted(void **state) {
  (void)state;
  for (unsigned late = 0; late < 2; late++) {
    start(with_prefetches(HD_ON_MISS));
    prefetch(1);
    const unsigned id = memory_gets(HD_FILL, 1, 0);
    if (!late)
      memory_answers(HD_FILL, id, 0, 1);
    load(1, 1);
    tells(!late, late, 0, 0, 1, 1);
    if (late)
      memory_answers(HD_FILL, id, 0, 1);
    sm_gets(false, 1, 1);
    load(1, 2);
    tells(1, 0, 0, 0, 0, 1);
    wreck();
  }
}

/* With on_fill a line in flight has no way. The fill reports which load takes the line. */
static void taken_by_its_fill(void **state) {
  (void)state;
  for (unsigned merged = 0; merged < 2; merged++) {
    start(with_prefetches(HD_ON_FILL));
    prefetch(1);
    const unsigned id = memory_gets(HD_FILL, 1, 0);
    if (merged) {
      load(1, 1);
      tells(0, 1, 0, 0, 0, 0);
    }
    memory_answers(HD_FILL, id, 0, 1);
    step(); /* the fill enters */
    look();
    assert_int_equal(rig.out.outcome_load, 0);
    assert_int_equal(rig.out.outcome_write, 1);
    assert_int_equal(rig.out.outcome_take, merged);
    assert_int_equal(rig.out.outcome_set, 1);
    assert_int_equal(rig.out.outcome_at, 1);
    wreck();
  }
}

/* At power-up d holds no request, and its set is not that of its line. The port shows the set of the line. */
static void the_set_at_power_up(void **state) {
  (void)state;
  start(with_all());
  rig.m->s.d.line = 1;
  rig.m->s.d_set = 0;
  look();
  assert_int_equal(rig.out.decide_set, 1);
  rig.m->s.d.line = 4;
  rig.m->s.d_set = 1;
  look();
  assert_int_equal(rig.out.decide_set, 0);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_order),         cmocka_unit_test(hits_and_merges_first),
      cmocka_unit_test(who_gives_way),     cmocka_unit_test(pinned_ways),
      cmocka_unit_test(pinned_at_once),    cmocka_unit_test(a_full_set),
      cmocka_unit_test(what_became_of_it), cmocka_unit_test(of_an_eviction),
      cmocka_unit_test(of_lines_alone),    cmocka_unit_test(the_tag_of_a_fill),
      cmocka_unit_test(what_is_shown),     cmocka_unit_test(adopted),
      cmocka_unit_test(taken_by_its_fill), cmocka_unit_test(the_set_at_power_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
