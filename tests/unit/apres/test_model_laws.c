/* LAWS: the example of APRES Figure 8 and the decisions of docs/mechanisms/laws.md, by hand. Each test runs with both forms of the
 * queue. */
#include "tests/unit/apres/laws_rig.h"

#include "cmodel/model/bits.h"

static void build_enabled(struct hd_config c) {
  build(c);
  rig.in.en = 1;
}

/* 8 warps, one scheduler, SAP. */
static void build_small(enum hd_order queue) {
  build_enabled(machine(queue, 8, 1, HD_PF_SAP));
}

/* Runs one step, then clears all inputs but `en`. */
static void pulse(void) {
  step();
  rig.in.load_valid = rig.in.fb_valid = rig.in.tgt_valid = rig.in.launch_valid = 0;
}

static void set_load(unsigned wid, uint64_t pc) {
  rig.in.load_valid = 1;
  rig.in.load_wid = wid;
  rig.in.load_pc = pc;
}

static void set_feedback(uint64_t gid, bool hit) {
  rig.in.fb_valid = 1;
  rig.in.fb_gid = gid;
  rig.in.fb_hit = hit;
}

static void set_target(unsigned wid) {
  rig.in.tgt_valid = 1;
  rig.in.tgt_wid = wid;
}

static void set_launch(uint64_t warps) {
  rig.in.launch_valid = 1;
  rig.in.launch_warps = warps;
}

/* Issues a load and lets its group form. Returns the group's number. */
static uint64_t load(unsigned wid, uint64_t pc) {
  look();
  const uint64_t gid = rig.out.load_gid;
  set_load(wid, pc);
  pulse();
  pulse();
  return gid;
}

static void feedback(uint64_t gid, bool hit) {
  set_feedback(gid, hit);
  pulse();
}

/* Checks the queue by the picks: all warps are ready, and a picked warp is ready no longer. */
static void queue_is(const unsigned *order) {
  const uint64_t ready = rig.in.ready;
  rig.in.ready = hd_ones(rig.c.sm.warps);
  for (unsigned i = 0; i < rig.c.sm.warps; i++) {
    look();
    assert_int_equal(rig.out.pick_valid[0], 1);
    assert_int_equal(rig.out.pick_wid[0], order[i]);
    rig.in.ready &= ~hd_bit(rig.out.pick_wid[0]);
  }
  rig.in.ready = ready;
}
#define QUEUE(...) queue_is((const unsigned[]){__VA_ARGS__})

/* The state before APRES Figure 8: warps 0, 2, 3 last loaded at 0x10, warp 1 elsewhere. Each load was alone in its group, all groups
 * have ended, and the queue is as at reset. */
static void before_figure_8_on(struct hd_config c) {
  build_enabled(c);
  for (unsigned w = 4; w-- > 0;)
    feedback(load(w, w == 1 ? 0x18 : 0x10), true);
  QUEUE(0, 1, 2, 3, 4, 5, 6, 7);
  assert_int_equal(rig.m->s.wgt_valid, 0);
}

static void before_figure_8(enum hd_order queue) {
  before_figure_8_on(machine(queue, 8, 1, HD_PF_SAP));
}

static void figure_8_hit(enum hd_order queue) {
  before_figure_8(queue);
  const uint64_t gid = load(0, 0x20);
  assert_int_equal(gid, 1);
  assert_int_equal(rig.m->s.wgt[0], 0xd); /* warps 0, 2, 3 */
  assert_int_equal(rig.m->s.llt[0], 0x20);
  set_feedback(gid, true);
  look();
  assert_int_equal(rig.out.miss_valid, 0);
  assert_int_equal(rig.out.miss_group, 0);
  QUEUE(0, 1, 2, 3, 4, 5, 6, 7); /* picks see the move in the next cycle */
  pulse();
  QUEUE(0, 2, 3, 1, 4, 5, 6, 7);
  assert_int_equal(rig.m->s.wgt_valid, 0);
  assert_int_equal(EVENTS(load), 5);
  assert_int_equal(EVENTS(form), 5);
  assert_int_equal(EVENTS(merge), 1);
  assert_int_equal(EVENTS(head), 5);
  assert_int_equal(EVENTS(tail), 0);
  wreck();
}

static void figure_8_miss(enum hd_order queue) {
  before_figure_8(queue);
  set_feedback(load(0, 0x20), false);
  look();
  assert_int_equal(rig.out.miss_valid, 1);
  assert_int_equal(rig.out.miss_group, 0xd);
  pulse();
  QUEUE(1, 4, 5, 6, 7, 0, 2, 3);
  assert_int_equal(EVENTS(tail), 1);
  look();
  assert_int_equal(rig.out.miss_valid, 0);
  assert_int_equal(rig.out.miss_group, 0);
  wreck();
}

/* D-LAWS-8. */
static void others_or_nobody_follow_a_miss(enum hd_order queue) {
  struct hd_config c = machine(queue, 8, 1, HD_PF_SAP);
  for (unsigned nobody = 0; nobody < 2; nobody++) {
    c.laws.on_miss = nobody ? HD_MISS_NOBODY : HD_MISS_OTHERS;
    before_figure_8_on(c);
    set_feedback(load(0, 0x20), false); /* fb_wid is 0 */
    look();
    assert_int_equal(rig.out.miss_group, 0xd); /* SAP hears of the whole group */
    pulse();
    queue_is(nobody ? (const unsigned[]){0, 1, 2, 3, 4, 5, 6, 7}
                    : (const unsigned[]){0, 1, 4, 5, 6, 7, 2, 3});
    wreck();
  }
}

static void moves_keep_the_order_of_both_parts(enum hd_order queue) {
  before_figure_8(queue);
  set_target(6);
  pulse();
  set_target(3);
  pulse();
  QUEUE(3, 6, 0, 1, 2, 4, 5, 7);
  feedback(load(2, 0x20), true); /* warps of 0x10 were 0, 2, 3 */
  QUEUE(3, 0, 2, 6, 1, 4, 5, 7);
  feedback(load(0, 0x20), false); /* warps of 0x10: 0 and 3 */
  QUEUE(2, 6, 1, 4, 5, 7, 3, 0);
  assert_int_equal(EVENTS(target), 2);
  wreck();
}

/* D-LAWS-1. */
static void no_free_entry_no_group(enum hd_order queue) {
  build_small(queue);
  for (unsigned w = 0; w < 3; w++)
    assert_int_equal(load(w, 0x10), w + 1);
  set_load(3, 0x10);
  look();
  assert_int_equal(rig.out.load_gid, 0);
  pulse();
  assert_int_equal(rig.m->s.g_valid, 0);
  assert_int_equal(rig.m->s.wgt_valid, 7);
  assert_int_equal(EVENTS(ungrouped), 1);
  assert_int_equal(rig.m->s.llt_valid, 0xf); /* the load's program counter is noted all the same */
  feedback(0, false);                        /* the feedback of a load without a group */
  QUEUE(0, 1, 2, 3, 4, 5, 6, 7);
  assert_int_equal(EVENTS(tail), 0);
  set_feedback(2, true);
  look();
  assert_int_equal(rig.out.load_gid, 0); /* an entry is free in the cycle after its feedback */
  set_load(4, 0x10);
  pulse();
  look();
  assert_int_equal(rig.out.load_gid, 2);
  assert_int_equal(EVENTS(ungrouped), 2);
  feedback(1, true);
  look();
  assert_int_equal(rig.out.load_gid, 1); /* the lowest */
  wreck();
}

/* D-LAWS-2. */
static void a_first_load_is_a_group_of_one(enum hd_order queue) {
  build_small(queue);
  load(5, 0x10);
  assert_int_equal(rig.m->s.wgt[0], 0x20);
  load(6, 0x10); /* 5 loaded here, but the last load of 6 is not known */
  assert_int_equal(rig.m->s.wgt[1], 0x40);
  assert_int_equal(EVENTS(merge), 0); /* each group has one warp */
  load(5, 0x20);
  assert_int_equal(rig.m->s.wgt[2], 0x60);
  assert_int_equal(EVENTS(merge), 1);
  wreck();
}

/* A load in each of two cycles: the second group is also searched for after the second load. */
static void loads_follow_each_other(enum hd_order queue) {
  build_small(queue);
  for (unsigned w = 0; w < 3; w++) {
    feedback(load(w, 0x10), true);
    assert_int_equal(rig.m->s.wgt_valid, 0);
  }
  set_load(0, 0x20);
  pulse();
  set_load(1, 0x20);
  pulse();
  assert_int_equal(rig.m->s.wgt[0], 7); /* 1 records its own load at the end of this cycle */
  set_load(1, 0x30);
  pulse();
  assert_int_equal(rig.m->s.wgt[1], 6); /* 0 is at 0x20 now */
  pulse();
  assert_int_equal(rig.m->s.wgt[2], 3); /* of 0x20 */
  assert_int_equal(rig.m->s.g_valid, 0);
  wreck();
}

static void a_launch_forgets(enum hd_order queue) {
  before_figure_8(queue);
  set_launch(0x4);
  pulse();
  load(0, 0x20);
  assert_int_equal(rig.m->s.wgt[0], 0x9); /* without 2 */
  set_launch(0x8);                        /* wins over a load of the same warp in the same cycle */
  set_load(3, 0x10);
  pulse();
  assert_int_equal(rig.m->s.llt_valid, 0x3);
  pulse();
  assert_int_equal(rig.m->s.wgt[1], 0x8); /* its last load was known; 3 is in its own group in any case */
  assert_int_equal(EVENTS(launch), 2);
  QUEUE(0, 1, 2, 3, 4, 5, 6, 7); /* D-LAWS-6 */
  wreck();
}

/* D-LAWS-4. */
static void feedback_before_target(enum hd_order queue) {
  before_figure_8(queue);
  set_feedback(load(0, 0x20), false);
  set_target(2);
  pulse();
  QUEUE(2, 1, 4, 5, 6, 7, 0, 3);
  set_feedback(load(3, 0x20), true); /* warps of 0x10: 2 and 3 */
  set_target(7);
  pulse();
  QUEUE(7, 2, 3, 1, 4, 5, 6, 0);
  wreck();
}

/* D-MIX-2. */
static void en_low_goes_round_and_learns(enum hd_order queue) {
  before_figure_8(queue);
  rig.in.en = 0;
  const uint64_t gid = load(0, 0x20);
  set_feedback(gid, false);
  look();
  assert_int_equal(rig.out.miss_valid, 0);
  assert_int_equal(rig.out.miss_group, 0);
  pulse();
  static const unsigned in_turn[] = {0, 2, 5, 7, 0};
  for (unsigned i = 0; i < 5; i++) { /* reset leaves place 7 as the last */
    rig.in.ready = 0xa5;
    look();
    assert_int_equal(rig.out.pick_wid[0], in_turn[i]);
    pulse();
  }
  rig.in.en = 1;
  QUEUE(1, 4, 5, 6, 7, 0, 2, 3);
  rig.in.ready = 0xcc;
  pulse(); /* picks 6 */
  rig.in.en = 0;
  look();
  assert_int_equal(rig.out.pick_wid[0], 7); /* the next warp after the last pick of LAWS */
  rig.in.ready = 0;
  look();
  assert_int_equal(rig.out.pick_valid[0], 0);
  assert_int_equal(rig.out.pick_wid[0], 0);
  wreck();
}

static void what_repeats(enum hd_order queue) {
  build_small(queue);
  look();
  assert_int_equal(laws_tick(rig.m, &rig.in), hd_bit(EV_laws_idle));
  set_load(1, 0x10);
  look();
  assert_int_equal(laws_tick(rig.m, &rig.in), HD_MOVES); /* the group forms next */
  rig.in.load_valid = 0;
  look();
  assert_int_equal(laws_tick(rig.m, &rig.in), hd_bit(EV_laws_idle));
  assert_int_equal(EVENTS(idle), 3);
  wreck();
}

static void without_sap(enum hd_order queue) {
  build(machine(queue, 9, 2, HD_PF_OFF));
  rig.in.en = 1;
  feedback(load(3, 0x10), false);
  rig.in.ready = 0x1ff;
  look();
  assert_int_equal(rig.out.pick_wid[0], 0);
  assert_int_equal(rig.out.pick_wid[1], 1);
  rig.in.ready = 0x028; /* 5 is now before 3 */
  look();
  assert_int_equal(rig.out.pick_valid[0], 0);
  assert_int_equal(rig.out.pick_wid[1], 5);
  wreck();
}

/* With LoSCache: preferred warps go first, in the order of the queue or in turn. */
static void preferred_warps_go_first(enum hd_order queue) {
  struct hd_config c = machine(queue, 8, 2, HD_PF_OFF);
  c.memory.kind = HD_MEM_L2;
  c.loscache.gate = HD_GATE_ADAPTIVE;
  build(c);
  rig.in.en = 1;
  feedback(load(4, 0x10), false); /* the queue is 0 1 2 3 5 6 7 4 */
  rig.in.prefer = 0x74;           /* 2, 4, 5 and 6 */
  rig.in.boosting = 1;
  static const struct {
    uint64_t ready;
    unsigned en, even, odd, boosts;
  } t[] = {{0xff, 1, 2, 5, 2}, {0xdb, 1, 6, 1, 1}, {0x9f, 1, 2, 1, 1}, {0x9b, 1, 4, 1, 1},
           {0x8b, 1, 0, 1, 0}, {0xff, 0, 2, 5, 2}, {0xff, 0, 4, 5, 2}, {0xdf, 0, 6, 7, 1}};
  uint64_t boosts = 0;
  for (unsigned i = 0; i < sizeof t / sizeof *t; i++) {
    rig.in.ready = t[i].ready;
    rig.in.en = t[i].en;
    look();
    assert_int_equal(rig.out.pick_wid[0], t[i].even);
    assert_int_equal(rig.out.pick_wid[1], t[i].odd);
    edge();
    boosts += t[i].boosts;
    assert_int_equal(EVENTS(boost), boosts);
  }
  rig.in.boosting = 0;
  rig.in.en = 1;
  rig.in.ready = 0xff;
  look();
  assert_int_equal(rig.out.pick_wid[0], 0);
  assert_int_equal(rig.out.pick_wid[1], 1);
  wreck();
}

/* A withheld warp counts as not ready and delays no other warp. */
static void withheld_warps(enum hd_order queue) {
  struct hd_config c = machine(queue, 8, 2, HD_PF_OFF);
  c.memory.kind = HD_MEM_L2;
  c.loscache.gate = HD_GATE_ADAPTIVE;
  c.scheduler.limit = 2;
  build(c);
  rig.in.en = 1;
  feedback(load(4, 0x10), false); /* the queue is 0 1 2 3 5 6 7 4 */
  static const struct {
    unsigned withhold, prefer, en, even, odd, helds, boosts;
  } t[] = {{0x03, 0, 1, 2, 3, 0, 0},    {0x47, 0, 1, 4, 3, 0, 0},    {0x57, 0, 1, 0, 3, 1, 0},
           {0x47, 0x14, 1, 4, 3, 0, 1}, {0x14, 0x14, 1, 0, 1, 0, 0}, {0x01, 0, 0, 2, 3, 0, 0}};
  uint64_t helds = 0, boosts = 0;
  rig.in.boosting = 1;
  rig.in.ready = 0xff;
  for (unsigned i = 0; i < sizeof t / sizeof *t; i++) {
    rig.in.withhold = t[i].withhold;
    rig.in.prefer = t[i].prefer;
    rig.in.en = t[i].en;
    look();
    assert_int_equal(rig.out.pick_valid[0], !t[i].helds);
    assert_int_equal(rig.out.pick_wid[0], t[i].even);
    assert_int_equal(rig.out.pick_wid[1], t[i].odd);
    edge();
    helds += t[i].helds;
    boosts += t[i].boosts;
    assert_int_equal(EVENTS(held), helds);
    assert_int_equal(EVENTS(boost), boosts);
  }
  wreck();
}

#define TESTS(X)                                                                                             \
  X(figure_8_hit)                                                                                            \
  X(figure_8_miss)                                                                                           \
  X(others_or_nobody_follow_a_miss)                                                                          \
  X(moves_keep_the_order_of_both_parts)                                                                      \
  X(no_free_entry_no_group)                                                                                  \
  X(a_first_load_is_a_group_of_one)                                                                          \
  X(loads_follow_each_other)                                                                                 \
  X(a_launch_forgets)                                                                                        \
  X(feedback_before_target)                                                                                  \
  X(en_low_goes_round_and_learns)                                                                            \
  X(what_repeats)                                                                                            \
  X(without_sap)                                                                                             \
  X(withheld_warps)                                                                                          \
  X(preferred_warps_go_first)
TESTS(BOTH)

int main(void) {
  const struct CMUnitTest tests[] = {TESTS(LISTED)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
