/* The prediction table on the bench: a machine with LoSCache, and one input per step. */
#define RIG pred_table
#include "tests/unit/rig.h"

#include "cmodel/model/bits.h"
#include "tests/unit/chance.h"

enum { SEED = 0x1234, SLOT_WARPS = 6 };

static inline struct hd_config machine(enum hd_gate gate, unsigned table, unsigned phase) {
  struct hd_config c = defaults();
  c.memory.kind = HD_MEM_L2;
  c.loscache.gate = gate;
  c.loscache.table = table;
  c.loscache.phase = phase;
  return c;
}

static inline void start(enum hd_gate gate, unsigned table, unsigned phase) {
  build(machine(gate, table, phase));
  rig.in.en = 1;
  rig.in.seed = SEED;
}

/* Runs one step, then clears all inputs except the lasting ones. */
static inline void pulse(void) {
  step();
  rig.in.kernel = rig.in.launch_valid = rig.in.exit = rig.in.ld_valid = rig.in.mq_taken = 0;
  rig.in.ans_valid = rig.in.early_valid = 0;
}

static inline uint64_t warps_of(uint64_t cta) {
  return hd_ones(SLOT_WARPS) << cta * SLOT_WARPS;
}

static inline void set_launch(uint64_t cta) {
  rig.in.launch_valid = 1;
  rig.in.launch_cta = cta;
  rig.in.launch_warps = warps_of(cta);
}

static inline void set_kernel(uint64_t ctas) {
  rig.in.kernel = 1;
  rig.in.kernel_ctas = ctas;
}

/* Begins a kernel. Its predictor is the CTA in slot 0, at first the only CTA. */
static inline void begin(void) {
  set_kernel(1);
  set_launch(0);
  pulse();
}

/* Checks the answer to an instruction. `taken`: the instruction is taken in this cycle. */
static inline void instruction(uint64_t wid, uint64_t pc, bool taken, uint64_t pe) {
  rig.in.ld_wid = wid;
  rig.in.ld_pc = pc;
  rig.in.ld_valid = taken;
  look();
  assert_int_equal(rig.out.ld_pe, pe);
  pulse();
}

static inline void set_request(uint64_t pe, uint64_t line) {
  rig.in.mq_taken = 1;
  rig.in.mq_pe = pe;
  rig.in.mq_line = line;
}

/* The memory takes a request with this prediction. */
static inline void request(uint64_t pe, uint64_t line, uint64_t pred) {
  set_request(pe, line);
  look();
  assert_int_equal(rig.out.mq_pred, pred);
  pulse();
}

static inline void set_answer(uint64_t pe, uint64_t count) {
  rig.in.ans_valid = 1;
  rig.in.ans_pe = pe;
  rig.in.ans_count = count;
}

static inline void answer(uint64_t pe, uint64_t count) {
  set_answer(pe, count);
  pulse();
}

static inline void early(uint64_t pe) {
  rig.in.early_valid = 1;
  rig.in.early_pe = pe;
  rig.in.early_count = hd_ones(rig.m->base.c->d.CNT_W);
  pulse();
}

/* Offers a query, which is taken. */
static inline void asks(uint64_t pe, uint64_t line) {
  look();
  assert_int_equal(rig.out.q_valid, 1);
  assert_int_equal(rig.out.q_pe, pe);
  assert_int_equal(rig.out.q_line, line);
  rig.in.q_ready = 1;
  pulse();
  rig.in.q_ready = 0;
}

static inline void asks_nothing(void) {
  look();
  assert_int_equal(rig.out.q_valid, 0);
}

/* Leaves lines in entries 1 and 3 of four. */
static inline void two_of_four(void) {
  begin();
  for (unsigned e = 0; e < 4; e++)
    instruction(0, 8 * e, true, e + 1);
  request(2, 70, 0);
  request(4, 71, 0);
  request(2, 72, 0);
  request(0, 73, 0); /* a line that no entry has */
  assert_int_equal(EVENTS(line), 2);
  assert_int_equal(rig.m->s.seen, 3);
}
