/* Memory request scheduling on the bench, with tags that answer probes and an L1D that takes and gives back what the test
 * says. A request's line says who it is: 0x20 is request 0 of the load of warp 2, 0x21 its next. */
#define RIG memsched
#include "tests/unit/rig.h"

enum { WARPS = 12, ALL = (1 << WARPS) - 1, PATIENCE = 40, LINES = WARPS << 4, UNITS = 4 };

/* What the tags say of a probed line. */
static struct { bool hit, can; } tag[LINES];

static uint64_t probed[2][UNITS]; /* in the last cycle, and in the one before */

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

/* One cycle; the tags answer what was probed two cycles ago, with PROBE_EARLY in the last. */
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

/* Offers until it is taken. */
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

/* The L1D says what became of the head of the warp. */
static inline void back(unsigned wid, bool ok) {
  rig.in.back_valid = 1;
  rig.in.back_wid = wid;
  rig.in.back_ok = ok;
  cycle();
  rig.in.back_valid = 0;
}

/* Steps until something is offered to the L1D, which takes it; its line. */
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

/* Heads that come while they are held are chosen at once when they are let go. */
static inline void hold(void) {
  rig.m->s.tried = ALL;
}
static inline void let_go(void) {
  rig.m->s.tried = 0;
}
