/* LAWS with random traffic against a plain reference, and with wrong bits. Each test runs with both forms of the queue. */
#include "tests/unit/apres/laws_rig.h"

#include "cmodel/model/bits.h"
#include "tests/unit/chance.h"

static struct {
  unsigned order[64], last[4], at, wid;
  bool known[64], used[8], forming, had;
  uint64_t pc[64], group[8], had_pc;
} ref;

static void ref_move(uint64_t set, bool head) {
  unsigned old[64], n = 0;
  memcpy(old, ref.order, sizeof old);
  for (unsigned part = 0; part < 2; part++)
    for (unsigned k = 0; k < rig.c.sm.warps; k++)
      if (hd_has(set, old[k]) == (part == 0 ? head : !head))
        ref.order[n++] = old[k];
}

static void ref_pick(unsigned s) {
  const unsigned scheds = rig.c.sm.schedulers, warps = rig.c.sm.warps;
  int want = -1;
  for (unsigned i = 0; i < warps && want < 0; i++) {
    const unsigned w = rig.in.en ? ref.order[i] : (ref.last[s] + 1 + i) % warps;
    if (w % scheds == s && hd_has(rig.in.ready, w))
      want = (int)w;
  }
  assert_int_equal(rig.out.pick_valid[s], want >= 0);
  assert_int_equal(rig.out.pick_wid[s], want < 0 ? 0 : want);
  if (want >= 0)
    ref.last[s] = (unsigned)want;
}

/* The formed groups whose load has no feedback yet. */
static uint64_t ref_open(void) {
  uint64_t open = 0;
  for (unsigned e = 0; e < rig.c.laws.groups; e++)
    if (ref.used[e] && !(ref.forming && ref.at == e))
      open |= hd_bit(e);
  return open;
}

static void random_inputs(void) {
  const unsigned warps = rig.c.sm.warps;
  const uint64_t open = ref_open();
  rig.in.en = draw_below(8) != 0;
  rig.in.ready = draw() & draw() & hd_ones(warps);
  rig.in.load_valid = draw_below(2);
  rig.in.load_wid = draw_below(warps);
  rig.in.load_pc = 0x40 + draw_below(3);
  rig.in.launch_valid = draw_below(40) == 0;
  rig.in.launch_warps = draw() & draw() & hd_ones(warps);
  rig.in.fb_valid = draw_below(2);
  rig.in.fb_gid = open ? hd_after(open, draw_below(8)) + 1 : 0;
  rig.in.fb_hit = draw_below(2);
  rig.in.tgt_valid = rig.c.d.GROUPED && draw_below(4) == 0;
  rig.in.tgt_wid = draw_below(warps);
}

static void ref_outputs(unsigned free) {
  const uint64_t missed = rig.in.en && rig.in.fb_valid && rig.in.fb_gid && !rig.in.fb_hit;
  for (unsigned s = 0; s < rig.c.sm.schedulers; s++)
    ref_pick(s);
  assert_int_equal(rig.out.load_gid, free < rig.c.laws.groups ? free + 1 : 0);
  if (rig.c.d.GROUPED) {
    assert_int_equal(rig.out.miss_valid, missed);
    assert_int_equal(rig.out.miss_group, missed ? ref.group[rig.in.fb_gid - 1] : 0);
  }
}

static void ref_load(unsigned free) {
  const unsigned w = (unsigned)rig.in.load_wid;
  if (free < rig.c.laws.groups) {
    ref.used[free] = true;
    ref.forming = true;
    ref.at = free;
    ref.wid = w;
    ref.had = ref.known[w];
    ref.had_pc = ref.pc[w];
  }
  ref.known[w] = true;
  ref.pc[w] = rig.in.load_pc;
}

static void ref_edge(unsigned free) {
  if (rig.in.fb_valid && rig.in.fb_gid) {
    ref.used[rig.in.fb_gid - 1] = false;
    ref_move(ref.group[rig.in.fb_gid - 1], rig.in.fb_hit);
  }
  if (rig.in.tgt_valid)
    ref_move(hd_bit(rig.in.tgt_wid), true);
  if (ref.forming) {
    ref.group[ref.at] = hd_bit(ref.wid);
    for (unsigned v = 0; v < rig.c.sm.warps; v++)
      if (ref.had && ref.known[v] && ref.pc[v] == ref.had_pc)
        ref.group[ref.at] |= hd_bit(v);
  }
  ref.forming = false;
  if (rig.in.load_valid)
    ref_load(free);
  for (unsigned v = 0; rig.in.launch_valid && v < rig.c.sm.warps; v++)
    ref.known[v] &= !hd_has(rig.in.launch_warps, v);
}

static void build_random(enum hd_order queue, unsigned warps) {
  struct hd_config c = machine(queue, warps, 1u << draw_below(3), draw_below(2) ? HD_PF_SAP : HD_PF_OFF);
  c.laws.groups = 1 + (unsigned)draw_below(8);
  build(c);
}

static void as_the_reference(enum hd_order queue) {
  static const unsigned sizes[] = {8, 9, 16, 33, 47, 48, 63, 64};
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    build_random(queue, sizes[i]);
    memset(&ref, 0, sizeof ref);
    for (unsigned w = 0; w < sizes[i]; w++)
      ref.order[w] = w;
    for (unsigned s = 0; s < rig.c.sm.schedulers; s++) /* the pick after reset is the first warp */
      ref.last[s] = sizes[i] - 1;
    for (unsigned cycle = 0; cycle < 4000; cycle++) {
      random_inputs();
      look();
      unsigned free = 0;
      while (free < rig.c.laws.groups && ref.used[free])
        free++;
      ref_outputs(free);
      edge();
      ref_edge(free);
    }
    state_fits();
    assert_true(EVENTS(head) > 100 && EVENTS(tail) > 100 && EVENTS(launch) > 10);
    wreck();
  }
}

/* D-MIX-3: with any bits, each scheduler that has a ready warp picks one. */
static void wrong_bits_pick_otherwise(enum hd_order queue) {
  static const unsigned sizes[] = {8, 9, 48, 63, 64};
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    build_random(queue, sizes[i]);
    for (unsigned cycle = 0; cycle < 4000; cycle++) {
      random_inputs();
      rig.in.fb_gid = draw() & hd_ones(rig.c.d.GID_W);
      rig.in.tgt_wid = draw() & hd_ones(rig.c.d.WID_W);
      flip_a_bit();
      look();
      for (unsigned s = 0; s < rig.c.sm.schedulers; s++) {
        uint64_t own = 0;
        for (unsigned w = s; w < sizes[i]; w += rig.c.sm.schedulers)
          own |= rig.in.ready & hd_bit(w);
        assert_int_equal(rig.out.pick_valid[s], own != 0);
        assert_true(own ? hd_has(own, rig.out.pick_wid[s]) : rig.out.pick_wid[s] == 0);
      }
      assert_true(rig.out.load_gid <= rig.c.laws.groups);
      assert_int_equal(rig.out.miss_group & ~hd_ones(sizes[i]), 0);
      edge();
      state_fits();
    }
    wreck();
  }
}

/* Only a wrong bit lets a feedback meet the load that takes its entry: an entry whose load is in flight counts as free. */
static void feedback_of_an_entry_that_is_taken(enum hd_order queue) {
  build_random(queue, 8);
  rig.in.load_valid = rig.in.fb_valid = 1;
  rig.in.fb_gid = 1;
  step();
  assert_int_equal(rig.m->s.wgt_valid, 0);
  wreck();
}

#define TESTS(X)                                                                                             \
  X(as_the_reference)                                                                                        \
  X(wrong_bits_pick_otherwise)                                                                               \
  X(feedback_of_an_entry_that_is_taken)
TESTS(BOTH)

int main(void) {
  const struct CMUnitTest tests[] = {TESTS(LISTED)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
