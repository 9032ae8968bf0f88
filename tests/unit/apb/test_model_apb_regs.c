/* The control registers behind APB4, by hand from docs/mechanisms/apb.md: MemSched (its enable changes only at rest) and CASC; 2
 * schedulers; counters of 48 bits. */
#define RIG apb_regs
#include "tests/unit/rig.h"

enum {
  CONTROL = 0x10,
  ENABLE = 0x14,
  ACTIVE = 0x18,
  SCRATCH = 0x1c,
  CYCLES = 0x100,
  INSTRUCTIONS = 0x108,
  HITS = 0x128,
  MEMSCHED = 4,
  CASC = 8
};

static void start(void) {
  struct hd_config c = defaults();
  c.request_buffer.kind = HD_MEMSCHED;
  c.casc.scheme = HD_CASC_PER_SET;
  c.bus.control = HD_CONTROL_APB4;
  build(c);
}

/* A transfer of three cycles. Returns the value read; *error: PSLVERR. */
static uint64_t transfer(uint64_t address, bool write, uint64_t data, uint64_t strb, bool *error) {
  rig.in.s_apb_psel = 1;
  rig.in.s_apb_penable = 0;
  rig.in.s_apb_paddr = address;
  rig.in.s_apb_pwrite = write;
  rig.in.s_apb_pwdata = data;
  rig.in.s_apb_pstrb = strb;
  for (unsigned t = 0; t < 2; t++) {
    look();
    assert_int_equal(rig.out.s_apb_pready, 0);
    edge();
    rig.in.s_apb_penable = 1;
  }
  look();
  assert_int_equal(rig.out.s_apb_pready, 1);
  *error = rig.out.s_apb_pslverr;
  edge();
  rig.in.s_apb_psel = rig.in.s_apb_penable = 0;
  look();
  return rig.out.s_apb_prdata;
}

static uint64_t get(uint64_t address) {
  bool error;
  const uint64_t value = transfer(address, false, 0, 0, &error);
  assert_false(error);
  return value;
}
static void put(uint64_t address, uint64_t value) {
  bool error;
  transfer(address, true, value, 15, &error);
  assert_false(error);
}
static bool is_error(uint64_t address, bool write) {
  bool error;
  const uint64_t value = transfer(address, write, UINT32_MAX, write ? 15 : 0, &error);
  assert_true(!error || value == 0);
  return error;
}

static void test_who_it_is(void **state) {
  (void)state;
  start();
  assert_int_equal(get(0), 0x4845444c);
  assert_int_equal(get(4), 0x010000); /* base/version.h: 1.0.0 */
  assert_int_equal(get(8), MEMSCHED | CASC);
  assert_int_equal(get(12), 0x1fff); /* no prefetcher, no LoSCache, no table of LASC */
  assert_int_equal(EVENTS(read), 4);
  wreck();
}

static void test_errors(void **state) {
  (void)state;
  start();
  static const struct {
    unsigned address;
    bool read, write; /* true: such an access is an error */
  } all[] = {{0x00, false, true},  {0x04, false, true},  {0x0c, false, true},  {0x10, false, false},
             {0x14, false, false}, {0x18, false, true},  {0x1c, false, false}, {0x20, false, true},
             {0x24, true, true},   {0x80, true, true},   {0x90, true, true},   {0x98, true, true},
             {0x02, true, true},   {0x11, true, true},   {0x0fc, true, true},  {0x100, false, true},
             {0x104, false, true}, {0x160, false, true}, {0x164, false, true}, {0x168, true, true},
             {0x16c, true, true},  {0x1fc, true, true},  {0x101, true, true},  {0x900, true, true},
             {0xffc, true, true}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    assert_int_equal(is_error(all[i].address, false), all[i].read);
    assert_int_equal(is_error(all[i].address, true), all[i].write);
  }
  assert_int_equal(EVENTS(unmapped) + EVENTS(refused), 35);
  wreck();
}

static void test_bytes(void **state) {
  (void)state;
  bool error;
  start();
  put(SCRATCH, 0x12345678);
  transfer(SCRATCH, true, 0xaabbccdd, 5, &error);
  assert_int_equal(get(SCRATCH), 0x12bb56dd);
  transfer(ENABLE, true, 0, 14, &error); /* all enables are in byte 0 */
  assert_int_equal(get(ENABLE), MEMSCHED | CASC);
  put(ENABLE, UINT32_MAX); /* bits that belong to no enable stay 0 */
  assert_int_equal(get(ENABLE), MEMSCHED | CASC);
  wreck();
}

/* Thresholds of MASCAR, saturated with 2 of 20 MSHRs free or none of 6 places, and LoSCache's phase of 1000 accesses. In the map
 * they are the fourth, the fifth and the third threshold. */
static void test_thresholds(void **state) {
  (void)state;
  enum { HAS = 0x20, MASCAR_MSHRS = 0x8c, MASCAR_PLACES = 0x90, LOS_PHASE = 0x94 };
  bool error;
  struct hd_config c = defaults();
  c.memory.kind = HD_MEM_L2;
  c.loscache.gate = HD_GATE_ADAPTIVE;
  c.loscache.phase = 1000;
  c.mascar.priority = HD_MASCAR_ON;
  c.l1d.mshrs = 20;
  c.l1d.miss_queue = 6;
  c.mascar.mshrs = 2;
  c.mascar.places = 0;
  c.bus.control = HD_CONTROL_APB4;
  build(c);
  assert_int_equal(get(HAS), 0x38);
  assert_int_equal(get(LOS_PHASE), 1000);
  assert_int_equal(get(MASCAR_MSHRS), 2);
  assert_int_equal(get(MASCAR_PLACES), 0);
  assert_true(is_error(0x80, false) && is_error(0x88, true) && is_error(0x98, false));
  static const struct {
    unsigned address, value;
    bool legal;
  } all[] = {{MASCAR_MSHRS, 19, true},      {MASCAR_MSHRS, 20, false},       {MASCAR_MSHRS, 0, true},
             {MASCAR_MSHRS, 1 << 5, false}, {MASCAR_MSHRS, 1u << 31, false}, {MASCAR_PLACES, 5, true},
             {MASCAR_PLACES, 6, false},     {LOS_PHASE, 0, false},           {LOS_PHASE, 1, true},
             {LOS_PHASE, 1023, true},       {LOS_PHASE, 1024, false}};
  unsigned illegal = 0;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    const uint64_t before = get(all[i].address);
    transfer(all[i].address, true, all[i].value, 15, &error);
    assert_int_equal(error, !all[i].legal);
    assert_int_equal(get(all[i].address), all[i].legal ? all[i].value : before);
    illegal += !all[i].legal;
  }
  assert_int_equal(EVENTS(illegal), illegal);
  transfer(LOS_PHASE, true, 0x02ee, 2, &error); /* only its second byte: 1023 = 0x3ff */
  assert_false(error);
  assert_int_equal(get(LOS_PHASE), 0x2ff);
  look();
  assert_int_equal(rig.out.los_phase, 0x2ff);
  assert_int_equal(rig.out.mascar_places, 5);
  transfer(LOS_PHASE, true, UINT32_MAX, 0, &error); /* writes no byte: the old value is legal */
  assert_false(error);
  hd_model_reset(rig.m);
  assert_int_equal(get(LOS_PHASE), 1000);
  wreck();
}

static void test_enables(void **state) {
  (void)state;
  start();
  look();
  assert_int_equal(rig.out.casc_en, 1);
  assert_int_equal(rig.out.memsched_en, 1);
  put(ENABLE, 0);
  assert_int_equal(rig.out.casc_en, 0);
  assert_int_equal(rig.out.memsched_en, 1); /* waits for a flush */
  assert_int_equal(get(ACTIVE), MEMSCHED);
  assert_true(EVENTS(waits) > 0);
  rig.in.flush = 1;
  step();
  rig.in.flush = 0;
  look();
  assert_int_equal(rig.out.memsched_en, 0);
  assert_int_equal(EVENTS(rest), 1);
  assert_int_equal(get(ACTIVE), 0);
  wreck();
}

static void test_counters(void **state) {
  (void)state;
  start();
  rig.in.pick_valid[0] = rig.in.pick_valid[1] = 1;
  rig.in.ev.hits = 1;
  step();
  rig.in.pick_valid[1] = rig.in.ev.hits = 0;
  step();
  rig.in.pick_valid[0] = 0;
  assert_int_equal(get(INSTRUCTIONS), 3);
  assert_int_equal(get(HITS), 1);
  assert_int_equal(get(CYCLES), 9); /* 2, two transfers, and the setup of this transfer */
  put(CONTROL, 1);
  const uint64_t frozen = get(CYCLES);
  rig.in.ev.hits = 1;
  step();
  rig.in.ev.hits = 0;
  assert_int_equal(get(CYCLES), frozen);
  assert_int_equal(get(HITS), 1);
  assert_int_equal(get(CONTROL), 1);
  put(CONTROL, 2); /* clears the counters, which go on */
  assert_int_equal(get(CONTROL), 0);
  assert_int_equal(EVENTS(clear), 1);
  assert_int_equal(get(HITS), 0);
  assert_int_equal(EVENTS(freeze), 2);
  wreck();
}

/* A read of the upper half gives the value at the time of the lower half's read. */
static void test_halves(void **state) {
  (void)state;
  start();
  rig.m->s.count[0] = UINT64_C(0xfffffffffff0);
  const uint64_t low = get(CYCLES);
  assert_int_equal(low, 0xfffffff1);
  for (unsigned t = 0; t < 20; t++)
    step();
  assert_int_equal(get(CYCLES + 4), 0xffff);
  assert_true(get(CYCLES) < 0x100); /* has wrapped */
  assert_int_equal(get(CYCLES + 4), 0);
  wreck();
}

/* A reset during a transfer: the transfer is forgotten. */
static void test_reset(void **state) {
  (void)state;
  start();
  put(ENABLE, 0);
  rig.in.s_apb_psel = 1;
  rig.in.s_apb_paddr = SCRATCH;
  rig.in.s_apb_pwrite = 1;
  rig.in.s_apb_pwdata = 5;
  rig.in.s_apb_pstrb = 15;
  step();
  hd_model_reset(rig.m);
  rig.in.s_apb_psel = 0;
  step();
  look();
  assert_int_equal(rig.out.s_apb_pready, 0);
  assert_int_equal(rig.out.casc_en, 1);
  assert_int_equal(get(SCRATCH), 0);
  assert_int_equal(get(ENABLE), MEMSCHED | CASC);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_who_it_is), cmocka_unit_test(test_errors),
                                     cmocka_unit_test(test_bytes),     cmocka_unit_test(test_thresholds),
                                     cmocka_unit_test(test_enables),   cmocka_unit_test(test_counters),
                                     cmocka_unit_test(test_halves),    cmocka_unit_test(test_reset)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
