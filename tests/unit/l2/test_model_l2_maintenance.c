/* Maintenance commands of the L2 slice, by hand from docs/mechanisms/l2.md, "Maintenance": cycles, order, and what remains. */
#define RIG l2_slice
#include "tests/unit/l2/l2_rig.h"

enum { WRITE_BACK = 1, INVALIDATE = 2 };

static void build_slice(void) {
  struct hd_config c = small(HD_GATE_OFF, 2);
  c.l2.maintenance = true;
  build(c);
}

static void command(uint64_t op) {
  rig.in.mt_valid = 1;
  rig.in.mt_op = op;
  look();
  assert_int_equal(rig.out.mt_ready, 1);
  edge();
  rig.in.mt_valid = 0;
}

/* Returns the number of cycles until the command is done. */
static unsigned cycles_to_done(void) {
  for (unsigned cycles = 1;; cycles++) {
    look();
    if (rig.out.mt_done) {
      assert_int_equal(rig.out.mt_ready, 1);
      assert_int_equal(rig.out.req_ready, 1);
      return cycles;
    }
    assert_true(cycles < 10000);
    assert_int_equal(rig.out.mt_ready, 0);
    assert_int_equal(rig.out.req_ready, 0);
    edge();
  }
}

/* An empty slice: one cycle to see that it is at rest, two per set, one to see that all has left. */
static void an_empty_slice(void **state) {
  (void)state;
  build_slice();
  for (uint64_t op = 0; op < 4; op++) {
    command(op);
    assert_int_equal(cycles_to_done(), 1 + 2 * rig.c.d.L2_SETS + 1 + 1);
    idle(1);
    look();
    assert_int_equal(rig.out.mt_done, 0);
  }
  assert_int_equal(EVENTS(mt_begin), 4);
  assert_int_equal(EVENTS(mt_end), 4);
  assert_int_equal(EVENTS(mt_back), 0);
  assert_int_equal(EVENTS(mt_drop), 2 * rig.c.d.L2_SETS);
  wreck();
}

/* Leaves a line that was filled and a line that was stored to. */
static void one_of_each(void) {
  build_slice();
  brings(6);
  brings(7);
  store(7, 3, 2);
  idle(8);
  stored(3);
}

static void written_back_lines_stay(void **state) {
  (void)state;
  one_of_each();
  command(WRITE_BACK);
  memory_writes(7, 3, 2);
  cycles_to_done();
  assert_int_equal(EVENTS(mt_back), 1);
  load(7, 4);
  idle(8);
  loaded(4, 7, 3, 2);
  assert_int_equal(EVENTS(read_hit), 1);
  command(WRITE_BACK); /* it is clean now */
  cycles_to_done();
  assert_int_equal(EVENTS(mt_back), 1);
  wreck();
}

static void invalid_lines_are_read_again(void **state) {
  (void)state;
  for (uint64_t op = INVALIDATE; op <= (WRITE_BACK | INVALIDATE); op++) {
    one_of_each();
    command(op);
    if (op & WRITE_BACK)
      memory_writes(7, 3, 2);
    cycles_to_done();
    assert_int_equal(EVENTS(mt_back), op & WRITE_BACK);
    memory_is_asked_nothing();
    load(7, 4);
    fill(memory_reads(7), 7); /* without the store's bytes, which the memory has, or which are lost */
    idle(8);
    loaded(4, 7, 0, 0);
    wreck();
  }
}

/* A request that was taken before the command is performed before it. */
static void what_is_inside_goes_first(void **state) {
  (void)state;
  build_slice();
  store(6, 5, 1);
  command(WRITE_BACK);
  fill(memory_reads(6), 6);
  memory_writes(6, 5, 1);
  cycles_to_done();
  stored(5);
  assert_int_equal(EVENTS(mt_back), 1);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_empty_slice),
      cmocka_unit_test(written_back_lines_stay),
      cmocka_unit_test(invalid_lines_are_read_again),
      cmocka_unit_test(what_is_inside_goes_first),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
