/* The coalescer, tested by hand: instructions of four lanes, and the request that it offers. */
#ifndef HEDDLE_TESTS_UNIT_COALESCER_RIG_H
#define HEDDLE_TESTS_UNIT_COALESCER_RIG_H

#define RIG coalescer
#include "tests/unit/rig.h"

static inline void offer(unsigned wid, bool write, uint64_t mask, const uint64_t line[4]) {
  rig.in.issue_valid = 1;
  rig.in.issue_wid = wid;
  rig.in.issue_slot = 3;
  rig.in.issue_sig = 5;
  rig.in.issue_write = write;
  rig.in.issue_mask = mask;
  memcpy(rig.in.issue_line, line, 4 * sizeof *line);
}

static inline void expect(unsigned wid, unsigned num, uint64_t line, uint64_t lanes, bool last) {
  look();
  assert_int_equal(rig.out.req_valid, 1);
  assert_int_equal(rig.out.req.wid, wid);
  assert_int_equal(rig.out.req.slot, 3);
  assert_int_equal(rig.out.req_sig, 5);
  assert_int_equal(rig.out.req.num, num);
  assert_int_equal(rig.out.req.line, line);
  assert_int_equal(rig.out.req_lanes, lanes);
  assert_int_equal(rig.out.req.last, last);
}

static inline void nothing(void) {
  look();
  assert_int_equal(rig.out.req_valid, 0);
}

#endif
