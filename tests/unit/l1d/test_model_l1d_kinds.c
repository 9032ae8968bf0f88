/* The L1 data cache: uncached loads and atomics, the effect of atomics on a line, and errors of the memory. */
#include "tests/unit/l1d/l1d_rig.h"

#include "cmodel/memory/atomics.h"

static struct hd_config kinds(enum hd_request_kinds which) {
  struct hd_config c = small(2);
  c.l1d.request_kinds = which;
  return c;
}

static void aside(uint64_t line, enum hd_op op, unsigned num) {
  offer((struct req){.line = line, .write = 1, .op = op, .num = num});
}

/* It goes to the memory in any case. A line in the cache is invalidated. The answer is a line. */
static void uncached_load(void **state) {
  (void)state;
  for (int on_fill = 0; on_fill < 2; on_fill++) {
    struct hd_config c = kinds(HD_KINDS_UNCACHED);
    c.l1d.allocate = on_fill ? HD_ON_FILL : HD_ON_MISS;
    build(c);
    brings(5);
    hits(5);
    aside(5, HD_UNCACHED, 4);
    memory_gets(HD_BYPASSED, 5, 4);
    assert_int_equal(rig.m->s.byp_count, 1);
    memory_answers(HD_BYPASSED, 0, 4, 6); /* another writer has changed it: 6000 in word 0 */
    sm_gets(false, 4, 6);
    assert_int_equal(rig.m->s.byp_count, 0);
    assert_int_equal(EVENTS(uncached), 1);
    assert_int_equal(EVENTS(store_evict), 1);
    assert_int_equal(EVENTS(store), 0);
    brings(5);                /* a miss */
    aside(7, HD_UNCACHED, 4); /* same set, not in the cache: no line is allocated */
    memory_gets(HD_BYPASSED, 7, 4);
    memory_answers(HD_BYPASSED, 0, 4, 7);
    sm_gets(false, 4, 7);
    hits(5);
    wreck();
  }
}

/* D-L1-13: the fill answers the load before it and does not stay. The load after it is sent after it. */
static void line_in_flight(void **state) {
  (void)state;
  build(kinds(HD_KINDS_UNCACHED));
  load(5, 1);
  aside(5, HD_UNCACHED, 2);
  load(5, 3);
  unsigned id = memory_gets(HD_FILL, 5, 1);
  memory_gets(HD_BYPASSED, 5, 2);
  memory_gets_no_more();
  assert_int_equal(EVENTS(store_dead), 1);
  memory_answers(HD_BYPASSED, 0, 2, 5);
  sm_gets(false, 2, 5);
  memory_answers(HD_FILL, id, 0, 5);
  sm_gets(false, 1, 5);
  id = memory_gets(HD_FILL, 5, 3);
  memory_answers(HD_FILL, id, 0, 5);
  sm_gets(false, 3, 5);
  assert_int_equal(EVENTS(fill_dead), 1);
  hits(5);
  wreck();
}

/* The operation, the operands and the mask go to the memory unchanged, in turn with the bytes of stores. */
static void atomic(void **state) {
  (void)state;
  build(kinds(HD_KINDS_ATOMIC));
  brings(5);
  store(4, 2);
  aside(5, HD_ATOM_CAS, 3);
  aside(6, 15, 4); /* not one of our operations */
  memory_gets(HD_STORE, 4, 2);
  for (unsigned num = 3; num < 5; num++) {
    look();
    for (unsigned i = 0; !rig.out.mreq_valid && i < PATIENCE; i++, look())
      edge();
    assert_int_equal(rig.out.mreq.op, num == 3 ? HD_ATOM_CAS : 15);
    for (unsigned i = 0; i < 4; i++) {
      assert_int_equal(rig.out.mreq_wdata[i], 7000 * num + i);
      assert_int_equal(rig.out.mreq_wmask[i], num);
    }
    memory_gets(HD_BYPASSED, num + 2, num);
  }
  memory_answers(HD_BYPASSED, 0, 4, 6);
  sm_gets(false, 4, 6);
  memory_answers(HD_BYPASSED, 0, 3, 5);
  sm_gets(false, 3, 5);
  assert_int_equal(EVENTS(atomic), 2);
  assert_int_equal(EVENTS(store), 1);
  assert_int_equal(EVENTS(store_evict), 1);
  load(5, 1);
  memory_gets(HD_FILL, 5, 1);
  assert_int_equal(rig.out.mreq.op, 0);
  wreck();
}

/* A bypassed request asks for the sectors of its lanes, all others for the whole line. A store carries the sectors of its lanes if
 * each sector is a request (D-L1-20). */
static void sectors_with(enum hd_coalesce coalesce) {
  struct hd_config c = kinds(HD_KINDS_UNCACHED);
  c.sm.coalesce = coalesce;
  c.l1d.line_bytes = 64;
  c.l1d.sector_bytes = 16;
  c.l1d.ways = 1;
  c.request_buffer.bypass = HD_BYPASS_ASSOC;
  build(c);
  offer((struct req){.line = 4, .num = 1, .sectors = 2});
  offer((struct req){.line = 6, .num = 2, .sectors = 5}); /* the one way of its set is reserved */
  offer((struct req){.line = 5, .write = 1, .num = 3, .sectors = 4});
  offer((struct req){.line = 7, .write = 1, .op = HD_UNCACHED, .num = 4, .sectors = 9});
  memory_gets(HD_FILL, 4, 1);
  assert_int_equal(rig.out.mreq.sectors, 15);
  memory_gets(HD_BYPASSED, 6, 2);
  assert_int_equal(rig.out.mreq.sectors, 5);
  memory_gets(HD_STORE, 5, 3);
  assert_int_equal(rig.out.mreq.sectors, coalesce == HD_COALESCE_SECTORS ? 4 : 15);
  memory_gets(HD_BYPASSED, 7, 4);
  assert_int_equal(rig.out.mreq.sectors, 9);
  wreck();
}

static void sectors(void **state) {
  (void)state;
  sectors_with(HD_COALESCE_LINES);
  sectors_with(HD_COALESCE_SECTORS);
}

/* Uncached loads and atomics wait for a bypass slot. A store does not. */
static void slots(void **state) {
  (void)state;
  struct hd_config c = kinds(HD_KINDS_ATOMIC);
  c.l1d.bypass_slots = 1;
  build(c);
  aside(4, HD_UNCACHED, 1);
  store(5, 2);
  aside(6, HD_ATOM_ADD, 3);
  memory_gets(HD_BYPASSED, 4, 1);
  memory_gets(HD_STORE, 5, 2);
  memory_gets_no_more();
  assert_true(EVENTS(fail_bypass_slots) > 0);
  memory_answers(HD_BYPASSED, 0, 1, 4);
  sm_gets(false, 1, 4);
  memory_gets(HD_BYPASSED, 6, 3);
  wreck();
}

/* Words 5 and -3 of the line, operands 7 and 2. The mask has both words, or one byte of the lower word. */
static void operations(void **state) {
  (void)state;
  static const struct {
    unsigned op;
    uint32_t low, high;
  } cases[] = {
      {HD_ATOM_ADD, 12, UINT32_MAX},
      {HD_ATOM_EXCH, 7, 2},
      {HD_ATOM_CAS, 5, (uint32_t)-3}, /* compared with 2, and with 7 */
      {HD_ATOM_MIN, 5, (uint32_t)-3},
      {HD_ATOM_MAX, 7, 2},
      {HD_ATOM_UMIN, 5, 2},
      {HD_ATOM_UMAX, 7, (uint32_t)-3},
      {HD_ATOM_AND, 5, 0},
      {HD_ATOM_OR, 7, (uint32_t)-1},
      {HD_ATOM_XOR, 2, (uint32_t)-1},
      {HD_ATOM_INC, 6, 0},
      {HD_ATOM_DEC, 4, 2},
      {14, 5, (uint32_t)-3},
      {15, 5, (uint32_t)-3},
  };
  const uint64_t line = (uint64_t)(uint32_t)-3 << 32 | 5, operands[2] = {UINT64_C(2) << 32 | 7, 1};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const uint64_t both[2] = {0xff, 0}, one[2] = {0x04, 0};
    uint64_t words[2] = {line, line};
    hd_atomic(cases[i].op, words, operands, both, 2);
    assert_int_equal(words[0], (uint64_t)cases[i].high << 32 | cases[i].low);
    assert_int_equal(words[1], line);
    words[0] = line;
    hd_atomic(cases[i].op, words, operands, one, 2);
    assert_int_equal(words[0], (line & ~UINT64_C(0xffffffff)) | cases[i].low);
  }
  uint64_t word = 5;
  const uint64_t swap = UINT64_C(5) << 32 | 9, mask = 0x0f, upper = 0xf0;
  hd_atomic(HD_ATOM_CAS, &word, &swap, &mask, 1); /* 5 is 5: 9 */
  assert_int_equal(word, 9);
  word = UINT64_C(9) << 32 | 1;
  hd_atomic(HD_ATOM_CAS, &word, &swap, &upper, 1); /* 9 is 9: 5 */
  assert_int_equal(word, UINT64_C(5) << 32 | 1);
  const uint64_t three = 3;
  word = 3;
  hd_atomic(HD_ATOM_INC, &word, &three, &mask, 1); /* wraps to 0 */
  assert_int_equal(word, 0);
  hd_atomic(HD_ATOM_DEC, &word, &three, &mask, 1);
  assert_int_equal(word, 3);
  word = 8;
  hd_atomic(HD_ATOM_DEC, &word, &three, &mask, 1);
  assert_int_equal(word, 3);
}

static void memory_fails(unsigned kind, unsigned id, unsigned num) {
  look();
  for (unsigned i = 0; !rig.out.mrsp_ready && i < PATIENCE; i++, look())
    edge();
  rig.in.mrsp_valid = 1;
  rig.in.mrsp = (struct mrsp){.kind = kind, .id = id, .error = 1};
  if (kind != HD_FILL)
    rig.in.mrsp =
        (struct mrsp){.kind = kind, .wid = WID, .slot = SLOT, .num = num, .last = num & 1, .error = 1};
  step();
  rig.in.mrsp_valid = 0;
}

static void sm_hears(bool error, bool write, unsigned num) {
  look();
  for (unsigned i = 0; !rig.out.resp_valid && i < PATIENCE; i++, look())
    edge();
  assert_int_equal(rig.out.resp_valid, 1);
  assert_int_equal(rig.out.resp.error, error);
  assert_int_equal(rig.out.resp.write, write);
  assert_int_equal(rig.out.resp.num, num);
  rig.in.resp_ready = 1;
  step();
  rig.in.resp_ready = 0;
}

/* D-L1-16: both loads get the error, the line does not stay, and the way is free again. */
static void errors(void **state) {
  (void)state;
  for (int on_fill = 0; on_fill < 2; on_fill++) {
    struct hd_config c = small(1);
    c.l1d.allocate = on_fill ? HD_ON_FILL : HD_ON_MISS;
    c.l1d.errors = true;
    build(c);
    load(5, 1);
    load(5, 2);
    memory_fails(HD_FILL, memory_gets(HD_FILL, 5, 1), 0);
    sm_hears(true, false, 1);
    sm_hears(true, false, 2);
    assert_int_equal(EVENTS(fill_error), 1);
    assert_int_equal(EVENTS(fill), 0);
    assert_int_equal(EVENTS(error), 2);
    brings(5);
    hits(5);
    store(4, 3);
    memory_gets(HD_STORE, 4, 3);
    memory_fails(HD_STORE, 0, 3);
    sm_hears(true, true, 3);
    load(5, 1); /* the answer to the store removed nothing */
    sm_hears(false, false, 1);
    assert_int_equal(EVENTS(error), 3);
    wreck();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(uncached_load), cmocka_unit_test(line_in_flight), cmocka_unit_test(atomic),
      cmocka_unit_test(sectors),       cmocka_unit_test(slots),          cmocka_unit_test(operations),
      cmocka_unit_test(errors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
