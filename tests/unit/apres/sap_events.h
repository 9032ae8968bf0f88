/* Gives the stride prefetchers one event at a time and collects the prefetches that result. */
#include "cmodel/model/bits.h"
#include "tests/unit/apres/sap_rig.h"

static inline void build_idle(struct hd_config c) {
  build(c);
  rig.in.en = 1;
  rig.in.pf_ready = 1;
}

static inline void build_grouped(void) {
  build_idle(machine(HD_PF_SAP, true));
}

static inline void set_event(unsigned wid, uint64_t pc, uint64_t addr, uint64_t group) {
  rig.in.ev_valid = 1;
  rig.in.ev = (struct load_event){.wid = wid, .pc = pc, .addr = addr, .group = group};
}

/* The prefetches of the last event. */
static struct {
  unsigned n, wid[64];
  uint64_t line[64];
} got;

/* Runs one cycle and records the prefetch that the L1D takes in it, if any. */
static inline void cycle(void) {
  look();
  if (rig.out.pf_valid && rig.in.pf_ready) {
    got.line[got.n % 64] = rig.out.pf_line;
    got.wid[got.n++ % 64] = (unsigned)rig.out.pf_wid;
  }
  edge();
  rig.in.ev_valid = 0;
}

/* Gives one event. Returns the cycles from its arrival to the next idle cycle. */
static inline unsigned event(unsigned wid, uint64_t pc, uint64_t addr, uint64_t group) {
  unsigned cycles = 0;
  got.n = 0;
  set_event(wid, pc, addr, group);
  do
    cycle();
  while (++cycles && busy());
  return cycles;
}

static inline void got_is(unsigned i, unsigned wid, uint64_t addr) {
  assert_true(i < got.n);
  assert_int_equal(got.wid[i], rig.c.d.GROUPED ? wid : 0);
  assert_int_equal(got.line[i], addr >> rig.c.d.OFFSET_W);
}

/* Builds the entry at the start of APRES Figure 9: program counter 200, warp 10, address 2800, stride 100. */
static inline void before_figure_9(void) {
  event(8, 200, 2600, 0x100);
  event(10, 200, 2800, 0x400);
  assert_int_equal(rig.m->s.pt_valid, 1);
  assert_int_equal(rig.m->s.pt_known & 1, 1);
  assert_int_equal(rig.m->s.pt_pc[0], 200);
  assert_int_equal(rig.m->s.pt_wid[0], 10);
  assert_int_equal(rig.m->s.pt_addr[0], 2800);
  assert_int_equal(rig.m->s.pt_stride[0], 100);
  assert_int_equal(got.n, 0);
}
