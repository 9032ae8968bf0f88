/* An L1D tested by hand from docs/mechanisms/l1d.md. The ports take nothing until a test allows it, so that a test sees the order
 * and the number of outputs. A line filled from memory holds 1000*line + i in word i. */
#ifndef HEDDLE_TESTS_UNIT_L1D_RIG_H
#define HEDDLE_TESTS_UNIT_L1D_RIG_H

#ifndef RIG /* without attachments */
#define RIG l1d
#include "tests/unit/rig.h"
#endif

enum { WID = 9, SLOT = 2, PATIENCE = 40 };

static inline struct hd_config small(unsigned ways) {
  struct hd_config c = defaults();
  c.l1d.sets = 2;
  c.l1d.ways = ways;
  c.l1d.line_bytes = 32;
  c.l1d.mshrs = 4;
  c.l1d.mshr_merge = 2;
  c.l1d.miss_queue = 2;
  return c;
}

static inline void idle(unsigned cycles) {
  while (cycles--)
    step();
}

/* Offers a request of warp WID and steps until the L1D takes it. */
static inline void offer(struct req r) {
  rig.in.req_valid = 1;
  rig.in.req = r;
  rig.in.req.wid = WID;
  rig.in.req.slot = SLOT;
  rig.in.req.last = r.num & 1;
  for (unsigned i = 0; i < 4; i++) {
    rig.in.req_wdata[i] = 7000 * r.num + i;
    rig.in.req_wmask[i] = r.num;
  }
  look();
  for (unsigned i = 0; !rig.out.req_ready; i++, look()) {
    assert_true(i < PATIENCE);
    edge();
  }
  edge();
  rig.in.req_valid = 0;
}

static inline void send(uint64_t line, bool write, unsigned num) {
  offer((struct req){.line = line, .write = write, .num = num});
}

static inline void load(uint64_t line, unsigned num) {
  send(line, false, num);
}
static inline void store(uint64_t line, unsigned num) {
  send(line, true, num);
}

/* A load whose request is already marked to bypass. */
static inline void load_to_bypass(uint64_t line, unsigned num) {
  offer((struct req){.line = line, .num = num, .byp = 1});
}

/* Checks the next request to memory. Returns its MSHR. */
static inline unsigned memory_gets(unsigned kind, uint64_t line, unsigned num) {
  look();
  for (unsigned i = 0; !rig.out.mreq_valid; i++, look()) {
    assert_true(i < PATIENCE);
    edge();
  }
  assert_int_equal(rig.out.mreq.kind, kind);
  assert_int_equal(rig.out.mreq.line, line);
  assert_int_equal(rig.out.mreq.num, kind == HD_FILL ? 0 : num);
  assert_int_equal(rig.out.mreq.wid, kind == HD_FILL ? 0 : WID);
  assert_int_equal(rig.out.mreq.slot, kind == HD_FILL ? 0 : SLOT);
  assert_int_equal(rig.out.mreq.last, kind == HD_FILL ? 0 : num & 1);
  if (kind == HD_STORE)
    for (unsigned i = 0; i < 4; i++) {
      assert_int_equal(rig.out.mreq_wdata[i], 7000 * num + i);
      assert_int_equal(rig.out.mreq_wmask[i], num);
    }
  rig.in.mreq_ready = 1;
  step();
  rig.in.mreq_ready = 0;
  return (unsigned)rig.out.mreq.id;
}

static inline void memory_gets_no_more(void) {
  for (unsigned i = 0; i < PATIENCE; i++, edge()) {
    look();
    assert_int_equal(rig.out.mreq_valid, 0);
  }
}

static inline void memory_answers(unsigned kind, unsigned id, unsigned num, uint64_t line) {
  look();
  for (unsigned i = 0; !rig.out.mrsp_ready; i++, look()) {
    assert_true(i < PATIENCE);
    edge();
  }
  rig.in.mrsp_valid = 1;
  rig.in.mrsp = (struct mrsp){.kind = kind, .id = id};
  if (kind != HD_FILL)
    rig.in.mrsp = (struct mrsp){.kind = kind, .wid = WID, .slot = SLOT, .num = num, .last = num & 1};
  for (unsigned i = 0; i < 4; i++)
    rig.in.mrsp_data[i] = 1000 * line + i;
  step();
  rig.in.mrsp_valid = 0;
}

static inline void sm_gets(bool write, unsigned num, uint64_t line) {
  look();
  for (unsigned i = 0; !rig.out.resp_valid; i++, look()) {
    assert_true(i < PATIENCE);
    edge();
  }
  assert_int_equal(rig.out.resp.write, write);
  assert_int_equal(rig.out.resp.wid, WID);
  assert_int_equal(rig.out.resp.slot, SLOT);
  assert_int_equal(rig.out.resp.num, num);
  assert_int_equal(rig.out.resp.last, num & 1);
  for (unsigned i = 0; !write && i < 4; i++)
    assert_int_equal(rig.out.resp_data[i], 1000 * line + i);
  rig.in.resp_ready = 1;
  step();
  rig.in.resp_ready = 0;
}

/* A load that misses, until its line is filled. */
static inline void brings(uint64_t line) {
  load(line, 1);
  memory_answers(HD_FILL, memory_gets(HD_FILL, line, 1), 0, line);
  sm_gets(false, 1, line);
}

static inline void hits(uint64_t line) {
  uint64_t before = EVENTS(load_hit);
  load(line, 2);
  sm_gets(false, 2, line);
  assert_int_equal(EVENTS(load_hit), before + 1);
}

#endif
