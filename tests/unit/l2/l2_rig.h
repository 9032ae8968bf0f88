/* An L2 slice or l2_top, tested by hand from docs/mechanisms/l2.md. Define RIG before. The ports take nothing until a test allows
 * it, so that a test sees the order and the number of outputs. The memory's line holds 1000*line + i in word i. Store n writes
 * 7000*n + i where its mask is set. In a sectored slice a "line" is a sector: UNIT. */
#ifndef HEDDLE_TESTS_UNIT_L2_RIG_H
#define HEDDLE_TESTS_UNIT_L2_RIG_H

#include "tests/unit/rig.h"

#include "cmodel/model/bits.h"

enum { WORDS = 4, PATIENCE = 40 };

static inline struct hd_config small(enum hd_gate gate, unsigned ways) {
  struct hd_config c = defaults();
  c.memory.kind = HD_MEM_L2;
  c.gpu.sms = 4;
  c.gpu.dispatch_latency = 2;
  c.l1d.line_bytes = 8 * WORDS;
  c.l2.sets = 2;
  c.l2.ways = ways;
  c.l2.mshrs = 3;
  c.l2.mshr_merge = 3;
  c.l2.queue = 4;
  c.loscache.gate = gate;
  return c;
}

/* Four sectors a line. */
static inline struct hd_config small_sectored(unsigned ways) {
  struct hd_config c = small(HD_GATE_OFF, ways);
  c.l1d.line_bytes = 4 * 8 * WORDS;
  c.l1d.sector_bytes = 8 * WORDS;
  c.l1d.fill = HD_L1D_FILL_SECTOR;
  c.sm.coalesce = HD_COALESCE_SECTORS;
  c.l2.fill = HD_L2_FILL_SECTOR;
  return c;
}
#define UNIT(line, sector) (4u * (line) + (sector))

static inline void idle(unsigned cycles) {
  while (cycles--)
    step();
}

/* Keeps the request at the port from now on. `num` sets all fields that the answer echoes. */
static inline void set_request(unsigned kind, uint64_t line, unsigned num) {
  rig.in.req_valid = 1;
  rig.in.req = (struct l2req){.sm = num & 3,
                              .kind = kind,
                              .line = line,
                              .id = kind == HD_FILL ? num : 0,
                              .wid = num + 1,
                              .slot = num & 3,
                              .num = num,
                              .last = num & 1,
                              .pe = rig.c.d.LOS ? num + 2 : 0};
  if (rig.c.d.L2_SECTOR_FILL) {
    rig.in.req.line = line / 4;
    rig.in.req.sectors = UINT64_C(1) << line % 4;
  }
  for (unsigned i = 0; i < WORDS; i++) {
    rig.in.req_wdata[i] = 7000 * num + i;
    rig.in.req_wmask[i] = 0;
  }
}

static inline void take(void) {
  look();
  for (unsigned i = 0; !rig.out.req_ready; i++, look()) {
    assert_true(i < PATIENCE);
    edge();
  }
  edge();
  rig.in.req_valid = 0;
}

/* Requests that the slice takes: loads with a prediction, stores with the words whose bytes they write. */
static inline void load_of(uint64_t line, unsigned num, uint64_t pred) {
  set_request(HD_FILL, line, num);
  rig.in.req.pred = pred;
  take();
}
static inline void store_of(uint64_t line, unsigned num, unsigned words, uint64_t pred) {
  set_request(HD_STORE, line, num);
  rig.in.req.pred = pred;
  rig.in.req.full = rig.c.d.LOS && words == hd_ones(WORDS);
  for (unsigned i = 0; i < WORDS; i++)
    rig.in.req_wmask[i] = hd_has(words, i) ? 0xff : 0;
  take();
}
static inline void load(uint64_t line, unsigned num) {
  load_of(line, num, 0);
}
static inline void store(uint64_t line, unsigned num, unsigned words) {
  store_of(line, num, words, 0);
}
static inline void query(uint64_t line, unsigned num) {
  set_request(HD_QUERY, line, num);
  take();
}

/* ---- The memory ---- */

static inline void wait_for_memory(bool write, uint64_t line) {
  look();
  for (unsigned i = 0; !rig.out.out_valid; i++, look()) {
    assert_true(i < PATIENCE);
    edge();
  }
  assert_int_equal(rig.out.out.write, write);
  const struct l2out *out = &rig.out.out;
  assert_int_equal(rig.c.d.L2_SECTOR_FILL ? UNIT(out->line, out->sector) : out->line, line);
}
static inline void memory_takes(void) {
  rig.in.out_ready = 1;
  look();
  edge();
  rig.in.out_ready = 0;
}
/* Checks that the slice reads a line from the memory. Returns its MSHR. */
static inline unsigned memory_reads(uint64_t line) {
  wait_for_memory(false, line);
  const unsigned id = (unsigned)rig.out.out.id;
  memory_takes();
  return id;
}
/* Checks that the slice writes a line to the memory: the memory's data but for these words of store `num`. */
static inline void memory_writes(uint64_t line, unsigned num, unsigned words) {
  wait_for_memory(true, line);
  assert_int_equal(rig.out.out.id, 0);
  for (unsigned i = 0; i < WORDS; i++)
    assert_int_equal(rig.out.out_data[i], (hd_has(words, i) ? 7000 * num : 1000 * line) + i);
  memory_takes();
}
static inline void memory_is_asked_nothing(void) {
  for (unsigned i = 0; i < PATIENCE; i++) {
    look();
    assert_int_equal(rig.out.out_valid, 0);
    edge();
  }
}
static inline void fill(unsigned id, uint64_t line) {
  rig.in.fill_valid = 1;
  rig.in.fill_id = id;
  for (unsigned i = 0; i < WORDS; i++)
    rig.in.fill_data[i] = 1000 * line + i;
  look();
  for (unsigned i = 0; !rig.out.fill_ready; i++, look()) {
    assert_true(i < PATIENCE);
    edge();
  }
  edge();
  rig.in.fill_valid = 0;
}

/* ---- Answers ---- */

/* Checks the next answer. `early`: of a line that slept. The answer stays in rig.out. */
static inline void answered(unsigned kind, unsigned num, bool early) {
  look();
  for (unsigned i = 0; !rig.out.rsp_valid; i++, look()) {
    assert_true(i < PATIENCE);
    edge();
  }
  const struct l2rsp *a = &rig.out.rsp;
  assert_int_equal(a->kind, kind);
  assert_int_equal(a->num, num);
  assert_int_equal(a->sm, num & 3);
  assert_int_equal(a->id, kind == HD_FILL ? num : 0);
  assert_int_equal(a->wid, num + 1);
  assert_int_equal(a->slot, num & 3);
  assert_int_equal(a->last, num & 1);
  assert_int_equal(a->pe, rig.c.d.LOS ? num + 2 : 0);
  if (kind != HD_QUERY)
    assert_int_equal(a->count != 0, early);
  rig.in.rsp_ready = 1;
  look();
  edge();
  rig.in.rsp_ready = 0;
}
/* Checks the answer of a load: the line as the memory has it, but for these words of store `by`. */
static inline void loaded(unsigned num, uint64_t line, unsigned by, unsigned words) {
  answered(HD_FILL, num, false);
  for (unsigned i = 0; i < WORDS; i++)
    assert_int_equal(rig.out.rsp_data[i], (hd_has(words, i) ? 7000 * by : 1000 * line) + i);
}
static inline void stored(unsigned num) {
  answered(HD_STORE, num, false);
}

/* A load that fills the line. */
static inline void brings(uint64_t line) {
  load(line, 0);
  fill(memory_reads(line), line);
  loaded(0, line, 0, 0);
}

/* The slice's oldest request has failed. Checks that the slice looks only once until something changes. */
static inline void waits_with_one_look(struct l2_slice *m, unsigned event) {
  const uint64_t *ev = m->base.ev, looks = ev[EV_l2_slice_look];
  assert_int_equal(ev[event], 1);
  assert_int_equal(m->s.blocked, 1);
  idle(10);
  assert_int_equal(ev[EV_l2_slice_look], looks);
}

#endif
