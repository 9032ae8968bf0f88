/* The single request slot, by hand from docs/mechanisms/mrpb.md, "The baseline". */
#define RIG request_slot
#include "tests/unit/rig.h"

static void offer(uint64_t line, bool write, uint64_t bytes) {
  rig.in.enq_valid = 1;
  rig.in.enq.line = line;
  rig.in.enq.write = write;
  rig.in.enq_wdata[15] = bytes;
  rig.in.enq_wmask[15] = bytes & 0xff;
}

static void one_request_at_a_time(void **state) {
  (void)state;
  build(defaults());
  offer(1, false, 0);
  look();
  assert_int_equal(rig.out.enq_ready, 1);
  assert_int_equal(rig.out.deq_valid, 0);
  edge();
  offer(2, false, 0);
  look();
  assert_int_equal(rig.out.enq_ready, 0);
  assert_int_equal(rig.out.deq_valid, 1);
  assert_int_equal(rig.out.deq.line, 1);
  edge();
  rig.in.deq_ready = 1;
  look();
  assert_int_equal(rig.out.enq_ready, 1); /* the slot empties in this cycle */
  edge();
  rig.in.enq_valid = 0;
  look();
  assert_int_equal(rig.out.deq.line, 2);
  edge();
  look();
  assert_int_equal(rig.out.deq_valid, 0);
  assert_int_equal(EVENTS(take), 2);
  assert_int_equal(EVENTS(stall), 1);
  wreck();
}

static void only_stores_load_bytes(void **state) {
  (void)state;
  build(defaults());
  rig.in.deq_ready = 1;
  offer(1, true, 0x1234);
  step();
  offer(2, false, 0x9999);
  look();
  assert_int_equal(rig.out.deq_wdata[15], 0x1234);
  assert_int_equal(rig.out.deq_wmask[15], 0x34);
  edge();
  look();
  assert_int_equal(rig.out.deq.line, 2);
  assert_int_equal(rig.out.deq_wdata[15], 0x1234);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_request_at_a_time),
      cmocka_unit_test(only_stores_load_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
