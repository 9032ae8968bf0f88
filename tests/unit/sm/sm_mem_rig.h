/* The memory path as a whole on the bench: instructions in, requests to the memory and answers out. */
#define RIG sm_mem
#include "tests/unit/rig.h"

enum { PATIENCE = 60 };

static inline struct hd_config with_buffer(enum hd_buffer kind) {
  struct hd_config c = defaults();
  c.sm.lanes = 4;
  c.request_buffer.kind = kind;
  if (kind == HD_MRPB)
    c.request_buffer.signature = HD_SIG_BLOCK;
  return c;
}

/* Builds the path. MemSched is enabled from the start, since it may not be enabled later. */
static inline void start(struct hd_config c) {
  build(c);
  rig.in.memsched_en = 1;
}

/* Two lanes on each of two lines. The instruction is taken at once. */
static inline void issue(bool write, uint64_t first, uint64_t second) {
  rig.in.issue_valid = 1;
  rig.in.issue_write = write;
  rig.in.issue_wid = 10;
  rig.in.issue_slot = 3;
  rig.in.issue_sig = 6;
  rig.in.issue_mask = 0xf;
  for (unsigned l = 0; l < 4; l++)
    rig.in.issue_line[l] = l < 2 ? first : second;
  look();
  assert_int_equal(rig.out.issue_ready, 1);
  edge();
  rig.in.issue_valid = 0;
}

/* Steps until a request goes to the memory. Returns the number of cycles. */
static inline unsigned until_memory(void) {
  unsigned n = 0;
  for (look(); !rig.out.mreq_valid; look(), n++) {
    assert_true(n < PATIENCE);
    edge();
  }
  return n;
}

static inline void answer(struct srsp mrsp, uint64_t word0) {
  rig.in.mrsp_valid = 1;
  rig.in.mrsp = mrsp;
  rig.in.mrsp_data[0] = word0;
  look();
  assert_int_equal(rig.out.mrsp_ready, 1);
  edge();
  rig.in.mrsp_valid = 0;
}

static inline void response(bool write, unsigned num, bool last, uint64_t word0) {
  look();
  for (unsigned n = 0; !rig.out.resp_valid; look(), n++) {
    assert_true(n < PATIENCE);
    edge();
  }
  assert_int_equal(rig.out.resp.write, write);
  assert_int_equal(rig.out.resp.wid, 10);
  assert_int_equal(rig.out.resp.slot, 3);
  assert_int_equal(rig.out.resp.num, num);
  assert_int_equal(rig.out.resp.last, last);
  if (!write)
    assert_int_equal(rig.out.resp_data[0], word0);
  edge();
}

/* A load or store of one line by one lane. The instruction is taken at once. */
static inline void issue_one(bool write, unsigned wid, unsigned pc, uint64_t addr) {
  rig.in.issue_valid = 1;
  rig.in.issue_write = write;
  rig.in.issue_wid = wid;
  rig.in.issue_pc = pc;
  rig.in.issue_low = addr % 128;
  rig.in.issue_mask = 0x2;
  rig.in.issue_line[1] = addr / 128;
  look();
  assert_int_equal(rig.out.issue_ready, 1);
  edge();
  rig.in.issue_valid = 0;
}
