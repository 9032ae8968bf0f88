/* The load alias table: ids by the page (docs/mechanisms/apcm.md), and random loads against a reference that keeps a plain list. */
#define RIG lat
#include "tests/unit/rig.h"

#include "cmodel/model/bits.h"
#include "tests/unit/chance.h"

static struct hd_config machine(unsigned loads) {
  struct hd_config c = defaults();
  c.apcm.manage = HD_APCM_BOTH;
  c.apcm.loads = loads;
  return c;
}

/* Checks the answer to a load. `valid`: the load is taken. */
static void load(uint64_t pc, bool valid, bool trk, uint64_t lid) {
  rig.in.load_valid = valid;
  rig.in.load_pc = pc;
  look();
  assert_int_equal(rig.out.load_trk, trk);
  assert_int_equal(rig.out.load_lid, lid);
  edge();
  rig.in.load_valid = 0;
}

static void ask(uint64_t id, uint64_t pc) {
  rig.in.ask_id = id;
  look();
  assert_int_equal(rig.out.ask_pc, pc);
}

static void ids_are_given_in_order(void **state) {
  (void)state;
  build(machine(16));
  load(0x100, false, true, 0); /* it would get an id */
  load(0x200, true, true, 0);
  load(0x100, true, true, 1);
  load(0x200, true, true, 0);
  load(0x100, false, true, 1);
  load(0, false, true, 2); /* an ordinary program counter, though pc[2] is 0 */
  load(0, true, true, 2);
  load(0, true, true, 2);
  load(0x300, true, true, 3);
  assert_int_equal(EVENTS(give), 4);
  assert_int_equal(EVENTS(full), 0);
  assert_int_equal(rig.m->s.used, 0xf);
  wreck();
}

static void no_id_is_left(void **state) {
  (void)state;
  build(machine(5));
  for (unsigned i = 0; i < 5; i++)
    load(8 * i, true, true, i);
  load(8 * 5, true, false, 0);
  load(8 * 5, false, false, 0);
  load(8 * 4, true, true, 4);
  load(8 * 6, true, false, 0);
  load(8 * 5, true, false, 0);
  assert_int_equal(EVENTS(give), 5);
  assert_int_equal(EVENTS(full), 3);
  wreck();
}

static void ids_are_asked_for(void **state) {
  (void)state;
  build(machine(5));
  ask(0, 0);
  load(0x1234, true, true, 0);
  load(0xfffffff8, true, true, 1);
  ask(0, 0x1234);
  ask(1, 0xfffffff8);
  ask(2, 0);
  ask(7, 0); /* no load has this id */
  rig.in.clear = 1;
  ask(1, 0xfffffff8);
  edge();
  ask(1, 0);
  wreck();
}

static void clear_forgets(void **state) {
  (void)state;
  build(machine(4));
  load(0x10, true, true, 0);
  load(0x20, true, true, 1);
  rig.in.clear = 1;
  load(0x20, false, true, 1); /* until the edge */
  rig.in.clear = 0;
  assert_int_equal(EVENTS(clear), 1);
  load(0x20, true, true, 0);
  load(0x10, true, true, 1);
  assert_int_equal(EVENTS(give), 4);
  wreck();
}

static void it_never_moves_by_itself(void **state) {
  (void)state;
  build(machine(4));
  rig.in.load_valid = 1;
  look();
  assert_int_equal(lat_tick(rig.m, &rig.in), 0);
  rig.in.clear = 1;
  look();
  assert_int_equal(lat_tick(rig.m, &rig.in), 0);
  wreck();
}

static void as_a_list(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    chance_state = seed;
    const unsigned loads = 4 + (unsigned)draw_below(29);
    build(machine(loads));
    uint64_t list[32];
    unsigned n = 0;
    for (unsigned cycle = 0; cycle < 1500; cycle++) {
      const uint64_t pc = 8 * draw_below(loads + 4);
      unsigned at = 0;
      while (at < n && list[at] != pc)
        at++;
      const bool has = at < loads, valid = draw_below(2), clear = draw_below(200) == 0;
      rig.in.clear = clear;
      load(pc, valid && !clear, has, has ? at : 0);
      if (clear)
        n = 0;
      else if (valid && at == n && has)
        list[n++] = pc;
      rig.in.clear = 0;
      const uint64_t id = draw_below(loads);
      ask(id, id < n ? list[id] : 0);
    }
    state_fits();
    wreck();
  }
}

/* Only a fault can give one load two ids. */
static void two_ids_of_one_load_are_their_or(void **state) {
  (void)state;
  build(machine(16));
  rig.m->s.used = hd_bit(2) | hd_bit(5);
  rig.m->s.pc[2] = rig.m->s.pc[5] = 0x300;
  load(0x300, true, true, 2 | 5);
  load(0x400, true, true, 0);
  wreck();
}

/* D-MIX-3. */
static void wrong_bits_break_nothing(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 10; seed++) {
    chance_state = seed;
    build(machine(4 + (unsigned)draw_below(29)));
    for (unsigned cycle = 0; cycle < 1500; cycle++) {
      rig.in.load_valid = draw_below(2);
      rig.in.load_pc = 8 * draw_below(40);
      rig.in.ask_id = draw() & hd_ones(rig.c.d.LID_W);
      flip_a_bit();
      step();
      assert_true(rig.out.load_lid <= hd_ones(rig.c.d.LID_W));
      state_fits();
    }
    wreck();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ids_are_given_in_order),   cmocka_unit_test(no_id_is_left),
      cmocka_unit_test(ids_are_asked_for),        cmocka_unit_test(clear_forgets),
      cmocka_unit_test(it_never_moves_by_itself), cmocka_unit_test(as_a_list),
      cmocka_unit_test(wrong_bits_break_nothing), cmocka_unit_test(two_ids_of_one_load_are_their_or),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
