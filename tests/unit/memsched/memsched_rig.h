/* Memory request scheduling on the bench. The tags answer probes and the L1D takes and gives back requests as the test says. The
 * line of a request identifies it: 0x20 is request 0 of the load of warp 2, 0x21 its next request. */
#define RIG memsched
#include "tests/unit/rig.h"

enum { WARPS = 12, ALL = (1 << WARPS) - 1, PATIENCE = 40, LINES = WARPS << 4, UNITS = 4 };

/* The tags' answer to a probe of each line. */
static struct { bool hit, can; } tag[LINES];

static uint64_t probed[2][UNITS]; /* lines probed in the last cycle, and in the cycle before */

static inline struct hd_config queues(enum hd_drain drain, unsigned probes, unsigned depth) {
  struct hd_config c = defaults();
  c.sm.warps = WARPS;
  c.request_buffer.kind = HD_MEMSCHED;
  c.request_buffer.drain = drain;
  c.request_buffer.probes = probes;
  c.request_buffer.depth = depth;
  return c;
}

static inline void start(struct hd_config c) {
  build(c);
  rig.in.en = 1;
  memset(tag, 0, sizeof tag);
  memset(probed, 0, sizeof probed);
  rig.in.en = 1;
}

/* One cycle. The tags answer the probes of two cycles ago; with PROBE_EARLY, those of the last cycle. */
static inline void cycle(void) {
  look();
  rig.in.pr_hit = rig.in.pr_can = 0;
  for (unsigned u = 0; u < rig.c.d.PROBES; u++) {
    const uint64_t line = probed[rig.c.d.PROBE_EARLY ? 0 : 1][u];
    rig.in.pr_hit |= (uint64_t)tag[line].hit << u;
    rig.in.pr_can |= (uint64_t)tag[line].can << u;
    probed[1][u] = probed[0][u];
    probed[0][u] = rig.out.pr_line[u];
  }
  edge();
}

static inline void idle(unsigned cycles) {
  while (cycles--)
    cycle();
}

static struct req request(uint64_t line, bool write) {
  return (struct req){
      .line = line, .write = write, .wid = line >> 4, .slot = line >> 4 & 3, .num = line & 0xf};
}

/* Offers a request until it is taken. */
static inline void put_request(struct req r) {
  unsigned n = 0;
  rig.in.enq_valid = 1;
  rig.in.enq = r;
  rig.in.enq_wdata[0] = r.line * 3;
  rig.in.enq_wmask[0] = r.write ? 0xf0 : 0;
  for (look(); !rig.out.enq_ready; look()) {
    assert_true(n++ < PATIENCE);
    cycle();
  }
  cycle();
  rig.in.enq_valid = 0;
}

static inline void put(uint64_t line) {
  put_request(request(line, false));
}

/* The L1D reports the outcome of the warp's head. */
static inline void back(unsigned wid, bool ok) {
  rig.in.back_valid = 1;
  rig.in.back_wid = wid;
  rig.in.back_ok = ok;
  cycle();
  rig.in.back_valid = 0;
}

/* Steps until a request is offered to the L1D, which takes it. Returns its line. */
static inline uint64_t comes(void) {
  unsigned n = 0;
  for (look(); !rig.out.deq_valid; look()) {
    assert_true(n++ < PATIENCE);
    cycle();
  }
  rig.in.deq_ready = 1;
  look();
  const struct req deq = rig.out.deq;
  const struct req expected = request(deq.line, deq.write);
  assert_memory_equal(&deq, &expected, sizeof deq);
  cycle();
  rig.in.deq_ready = 0;
  return deq.line;
}

static inline void nothing_comes(void) {
  for (unsigned n = 0; n < PATIENCE; n++) {
    look();
    assert_int_equal(rig.out.deq_valid, 0);
    cycle();
  }
}

/* Holds new heads back, so that the choice sees all of them at once when they are let go. */
static inline void hold(void) {
  rig.m->s.tried = ALL;
}
static inline void let_go(void) {
  rig.m->s.tried = 0;
}
