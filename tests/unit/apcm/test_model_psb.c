/* The protection status board: which warps protect and what ends it, by hand (docs/mechanisms/apcm.md); and random inputs against
 * the page's rules on a list of warps. */
#define RIG psb
#include "tests/unit/rig.h"

#include "cmodel/model/bits.h"
#include "tests/unit/chance.h"

static struct hd_config machine(unsigned warps) {
  struct hd_config c = defaults();
  c.apcm.manage = HD_APCM_PROTECT;
  c.sm.warps = warps;
  return c;
}

/* Runs one step, then clears the inputs. */
static void pulse(void) {
  step();
  rig.in.ps_valid = rig.in.acc_valid = rig.in.leave_valid = rig.in.exit = rig.in.clear = 0;
}

static void set_line(uint64_t wid, uint64_t last, bool loop) {
  rig.in.ps_valid = 1;
  rig.in.ps_wid = wid;
  rig.in.ps_last = last;
  rig.in.ps_loop = loop;
}

static void set_access(uint64_t wid, uint64_t lid, bool last) {
  rig.in.acc_valid = rig.in.acc_trk = 1;
  rig.in.acc_wid = wid;
  rig.in.acc_lid = lid;
  rig.in.acc_last = last;
}

static void set_leave(uint64_t wid, uint64_t from, uint64_t to) {
  rig.in.leave_valid = 1;
  rig.in.leave_wid = wid;
  rig.in.leave_from = from;
  rig.in.leave_to = to;
}

static void line(uint64_t wid, uint64_t last, bool loop) {
  set_line(wid, last, loop);
  pulse();
}

static void access(uint64_t wid, uint64_t lid, bool last) {
  set_access(wid, lid, last);
  pulse();
}

/* A warp leaves a loop. The load at `pc` is the one that ends its protection. */
static void leave(uint64_t wid, uint64_t from, uint64_t to, uint64_t id, uint64_t pc) {
  set_leave(wid, from, to);
  pulse();
  look();
  assert_int_equal(rig.out.ask_id, id);
  rig.in.ask_pc = pc;
  pulse();
  rig.in.ask_pc = 0;
}

static void protects(uint64_t warps) {
  look();
  assert_int_equal(rig.out.psb_on, warps);
}

static void until_a_load_is_done(void **state) {
  (void)state;
  build(machine(48));
  protects(0);
  line(40, 5, false);
  protects(hd_bit(40));
  assert_int_equal(rig.out.psb_last[40], 5);
  assert_false(hd_has(rig.out.psb_loop, 40));
  access(40, 5, false); /* more requests of the load follow */
  access(41, 5, true);
  access(40, 4, true);
  protects(hd_bit(40));
  set_access(40, 5, true);
  rig.in.acc_trk = 0; /* the id means nothing */
  pulse();
  leave(40, 100, 50, 5, 70); /* no loop */
  protects(hd_bit(40));
  access(40, 5, true);
  protects(0);
  access(40, 5, true);
  assert_int_equal(EVENTS(set), 1);
  assert_int_equal(EVENTS(release_load), 1);
  assert_int_equal(EVENTS(release_loop), 0);
  wreck();
}

static void until_a_loop_is_left(void **state) {
  (void)state;
  build(machine(48));
  line(3, 5, true);
  line(4, 6, true);
  protects(0x18);
  assert_int_equal(rig.out.psb_loop, 0x18);
  access(3, 5, true); /* once more in the loop */
  leave(3, 100, 50, 5, 49);
  leave(3, 100, 50, 5, 101);
  leave(5, 100, 50, 0, 70); /* another warp, which does not protect */
  protects(0x18);
  leave(3, 100, 50, 5, 100);
  protects(0x10);
  leave(4, 100, 50, 6, 50);
  protects(0);
  assert_int_equal(EVENTS(set_loop), 2);
  assert_int_equal(EVENTS(release_loop), 2);
  assert_int_equal(EVENTS(release_load), 0);
  wreck();
}

/* The load is asked for in the cycle after the loop was left. It must still be the load that ends the warp's protection. */
static void a_loop_left_too_early(void **state) {
  (void)state;
  build(machine(48));
  line(3, 5, true);
  set_leave(3, 100, 50);
  rig.in.exit = 8;
  pulse();
  protects(0);
  line(3, 6, true); /* in the cycle in which load 5 is asked for */
  protects(8);
  set_leave(7, 100, 50); /* last[7] is 0 */
  set_line(7, 9, true);
  pulse();
  rig.in.ask_pc = 60;
  pulse();
  protects(0x88);
  leave(7, 100, 50, 9, 60);
  protects(8);
  wreck();
}

static void until_its_warp_ends(void **state) {
  (void)state;
  build(machine(48));
  line(3, 5, true);
  line(4, 6, false);
  line(47, 6, false);
  rig.in.exit = hd_bit(3) | hd_bit(47) | hd_bit(9);
  set_line(9, 1, false); /* too late */
  pulse();
  protects(0x10);
  assert_int_equal(rig.out.psb_last[9], 1);
  assert_int_equal(EVENTS(release_exit), 2);
  assert_int_equal(EVENTS(set), 2);
  wreck();
}

/* A warp protects for one load at a time (D-APCM-6). */
static void another_load_is_ignored(void **state) {
  (void)state;
  build(machine(48));
  line(3, 5, false);
  line(3, 5, false);
  assert_int_equal(EVENTS(other), 0);
  line(3, 6, false);
  line(3, 5, true);
  assert_int_equal(EVENTS(other), 2);
  protects(8);
  assert_int_equal(rig.out.psb_last[3], 5);
  assert_int_equal(rig.out.psb_loop, 0);
  set_access(3, 5, true); /* released in the cycle in which the warp asks again */
  set_line(3, 5, false);
  pulse();
  protects(0);
  line(3, 6, true);
  protects(8);
  assert_int_equal(rig.out.psb_last[3], 6);
  assert_int_equal(rig.out.psb_loop, 8);
  wreck();
}

static void clear_forgets(void **state) {
  (void)state;
  build(machine(48));
  line(3, 5, true);
  line(4, 5, true);
  set_leave(3, 100, 50);
  pulse();
  rig.in.clear = 1;
  set_line(4, 7, false);
  set_leave(4, 90, 30);
  pulse();
  protects(0);
  assert_int_equal(rig.out.psb_last[4], 5); /* keeps a value that now means nothing */
  assert_int_equal(rig.m->s.l_valid, 0);
  assert_int_equal(rig.m->s.l_from, 90);
  assert_int_equal(rig.m->s.l_id, 5);
  assert_int_equal(EVENTS(clear), 1);
  assert_int_equal(EVENTS(set_loop), 2);
  assert_int_equal(EVENTS(set) + EVENTS(other) + EVENTS(release_loop), 0);
  wreck();
}

static void what_repeats(void **state) {
  (void)state;
  build(machine(48));
  assert_int_equal(psb_tick(rig.m, &rig.in), 0);
  set_leave(3, 100, 50);
  set_line(3, 5, true);
  assert_int_equal(psb_tick(rig.m, &rig.in), HD_MOVES);
  rig.in.leave_valid = rig.in.ps_valid = 0;
  assert_int_equal(psb_tick(rig.m, &rig.in), 0); /* l_id has followed */
  assert_int_equal(psb_tick(rig.m, &rig.in), 0);
  set_line(3, 5, true);
  rig.in.exit = 8;
  assert_int_equal(psb_tick(rig.m, &rig.in), 0);
  rig.in.exit = 0;
  set_line(3, 6, true);
  assert_int_equal(psb_tick(rig.m, &rig.in), HD_MOVES); /* l_id is to follow */
  rig.in.ps_valid = 0;
  assert_int_equal(psb_tick(rig.m, &rig.in), 0);
  wreck();
}

/* ---- Against a reference ---- */

static struct ref_warp {
  bool on, loop;
  uint64_t last;
} ref[64];
static struct {
  bool valid;
  uint64_t wid, from, to, id;
} ref_left;

static void ref_edge(void) {
  const struct psb_in *in = &rig.in;
  struct ref_warp next[64];
  memcpy(next, ref, sizeof next);
  for (unsigned w = 0; w < rig.c.sm.warps; w++) {
    const bool done = in->acc_valid && in->acc_trk && in->acc_last && in->acc_wid == w && !ref[w].loop &&
                      ref[w].last == in->acc_lid;
    const bool left = ref_left.valid && ref_left.wid == w && ref[w].loop && ref[w].last == ref_left.id &&
                      ref_left.to <= in->ask_pc && in->ask_pc <= ref_left.from;
    if (ref[w].on)
      next[w].on = !done && !left && !hd_has(in->exit, w);
    else if (in->ps_valid && in->ps_wid == w && !in->clear)
      next[w] = (struct ref_warp){!hd_has(in->exit, w), in->ps_loop, in->ps_last};
    next[w].on &= !in->clear;
  }
  ref_left.valid = in->leave_valid && !in->clear;
  ref_left.wid = in->leave_wid;
  ref_left.from = in->leave_from;
  ref_left.to = in->leave_to;
  ref_left.id = ref[in->leave_wid].last;
  memcpy(ref, next, sizeof ref);
}

static void random_inputs(void) {
  const unsigned few = rig.c.sm.warps < 6 ? rig.c.sm.warps : 6;
  rig.in.clear = draw_below(500) == 0;
  rig.in.ps_valid = rig.in.acc_valid = rig.in.leave_valid = 0;
  rig.in.exit = draw_below(20) ? 0 : hd_bit(draw_below(few));
  if (draw_below(4) == 0)
    set_line(draw_below(few), draw_below(3), draw_below(2));
  if (draw_below(2))
    set_access(draw_below(few), draw_below(3), draw_below(2));
  if (draw_below(3) == 0)
    set_leave(draw_below(few), 3 + draw_below(3), draw_below(3));
  rig.in.ask_pc = draw_below(8);
}

static void as_the_reference(void **state) {
  (void)state;
  static const unsigned warps[] = {48, 64, 12, 8, 24};
  for (uint64_t seed = 1; seed <= 20; seed++) {
    chance_state = seed;
    build(machine(warps[seed % 5]));
    memset(ref, 0, sizeof ref);
    memset(&ref_left, 0, sizeof ref_left);
    for (unsigned cycle = 0; cycle < 2000; cycle++) {
      random_inputs();
      look();
      assert_int_equal(rig.out.ask_id, ref_left.id);
      for (unsigned w = 0; w < rig.c.sm.warps; w++)
        if (hd_has(rig.out.psb_on, w) != ref[w].on || hd_has(rig.out.psb_loop, w) != ref[w].loop ||
            rig.out.psb_last[w] != ref[w].last)
          fail_msg("seed %llu, cycle %u, warp %u", (unsigned long long)seed, cycle, w);
      edge();
      ref_edge();
    }
    state_fits();
    assert_true(EVENTS(set) > 30 && EVENTS(set_loop) > 30 && EVENTS(other) > 30 &&
                EVENTS(release_load) > 10 && EVENTS(release_loop) > 10 && EVENTS(release_exit) > 10);
    wreck();
  }
}

/* D-MIX-3. */
static void wrong_bits_break_nothing(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 10; seed++) {
    chance_state = seed;
    build(machine(seed % 2 ? 48 : 12));
    for (unsigned cycle = 0; cycle < 1500; cycle++) {
      random_inputs();
      rig.in.ps_wid = draw() & hd_ones(rig.c.d.WID_W);
      rig.in.leave_wid = draw() & hd_ones(rig.c.d.WID_W);
      flip_a_bit();
      step();
      state_fits();
    }
    wreck();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(until_a_load_is_done),
      cmocka_unit_test(until_a_loop_is_left),
      cmocka_unit_test(a_loop_left_too_early),
      cmocka_unit_test(until_its_warp_ends),
      cmocka_unit_test(another_load_is_ignored),
      cmocka_unit_test(clear_forgets),
      cmocka_unit_test(what_repeats),
      cmocka_unit_test(as_the_reference),
      cmocka_unit_test(wrong_bits_break_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
