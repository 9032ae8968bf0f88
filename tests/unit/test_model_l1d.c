/* The L1 data cache, by hand from docs/mechanisms/l1d.md. The ports take nothing until a test says so, so
 * that the order and the number of what comes out is seen. A line filled from memory holds 1000*line + i in
 * word i. */
#define RIG l1d
#include "rig.h"

enum { WID = 9, SLOT = 2, PATIENCE = 40 };
enum { FILL, BYPASSED, STORE };

static struct hd_config small(unsigned ways) {
  struct hd_config c = defaults();
  c.l1d.sets = 2;
  c.l1d.ways = ways;
  c.l1d.line_bytes = 32;
  c.l1d.mshrs = 4;
  c.l1d.mshr_merge = 2;
  c.l1d.miss_queue = 2;
  return c;
}

static void idle(unsigned cycles) {
  while (cycles--)
    step();
}

static void send(uint64_t line, bool write, unsigned num) {
  rig.in.req_valid = 1;
  rig.in.req =
      (struct req){.line = line, .write = write, .wid = WID, .slot = SLOT, .num = num, .last = num & 1};
  for (unsigned i = 0; i < 4; i++) {
    rig.in.req_wdata[i] = 7000 * num + i;
    rig.in.req_wmask[i] = num;
  }
  look();
  for (unsigned i = 0; !rig.out.req_ready; i++, look()) {
    assert_true(i < PATIENCE);
    edge();
  }
  edge();
  rig.in.req_valid = 0;
}

static void load(uint64_t line, unsigned num) {
  send(line, false, num);
}
static void store(uint64_t line, unsigned num) {
  send(line, true, num);
}

/* The next request to memory is this one; its MSHR. */
static unsigned memory_gets(unsigned kind, uint64_t line, unsigned num) {
  look();
  for (unsigned i = 0; !rig.out.mreq_valid; i++, look()) {
    assert_true(i < PATIENCE);
    edge();
  }
  assert_int_equal(rig.out.mreq.kind, kind);
  assert_int_equal(rig.out.mreq.line, line);
  assert_int_equal(rig.out.mreq.num, kind == FILL ? 0 : num);
  assert_int_equal(rig.out.mreq.wid, kind == FILL ? 0 : WID);
  assert_int_equal(rig.out.mreq.slot, kind == FILL ? 0 : SLOT);
  assert_int_equal(rig.out.mreq.last, kind == FILL ? 0 : num & 1);
  if (kind == STORE)
    for (unsigned i = 0; i < 4; i++) {
      assert_int_equal(rig.out.mreq_wdata[i], 7000 * num + i);
      assert_int_equal(rig.out.mreq_wmask[i], num);
    }
  rig.in.mreq_ready = 1;
  step();
  rig.in.mreq_ready = 0;
  return (unsigned)rig.out.mreq.id;
}

static void memory_gets_no_more(void) {
  for (unsigned i = 0; i < PATIENCE; i++, edge()) {
    look();
    assert_int_equal(rig.out.mreq_valid, 0);
  }
}

static void memory_answers(unsigned kind, unsigned id, unsigned num, uint64_t line) {
  look();
  for (unsigned i = 0; !rig.out.mrsp_ready; i++, look()) {
    assert_true(i < PATIENCE);
    edge();
  }
  rig.in.mrsp_valid = 1;
  rig.in.mrsp = (struct mrsp){.kind = kind, .id = id};
  if (kind != FILL)
    rig.in.mrsp = (struct mrsp){.kind = kind, .wid = WID, .slot = SLOT, .num = num, .last = num & 1};
  for (unsigned i = 0; i < 4; i++)
    rig.in.mrsp_data[i] = 1000 * line + i;
  step();
  rig.in.mrsp_valid = 0;
}

static void sm_gets(bool write, unsigned num, uint64_t line) {
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

/* A load that misses, to its end. */
static void brings(uint64_t line) {
  load(line, 1);
  memory_answers(FILL, memory_gets(FILL, line, 1), 0, line);
  sm_gets(false, 1, line);
}

static void hits(uint64_t line) {
  uint64_t before = EVENTS(load_hit);
  load(line, 2);
  sm_gets(false, 2, line);
  assert_int_equal(EVENTS(load_hit), before + 1);
}

/* Line 0x1234 has bits 12, 9, 5, 4, 2; 0x1540 has bits 12, 10, 8, 6. */
static void set_indices(void **state) {
  (void)state;
  static const struct {
    enum hd_index index;
    unsigned sets;
    uint64_t line, set;
  } cases[] = {
      {HD_INDEX_LINEAR, 32, 0x1234, 0x14},
      {HD_INDEX_XOR, 32, 0x1234, 0x14 ^ 0x11},   /* next five bits: 0x91 -> 10001 */
      {HD_INDEX_XOR, 128, 0x1234, 0x34 ^ 0x24},  /* next seven: 0x24 */
      {HD_INDEX_FERMI, 32, 0x1234, 0x14 ^ 0x10}, /* of 12 10 8 7 6 only 12 is set */
      {HD_INDEX_FERMI, 64, 0x1234, 0x24},        /* and bit 5 is */
      {HD_INDEX_FERMI, 32, 0x1540, 0x1d},        /* 1 1 1 0 1 over 0 */
      {HD_INDEX_FERMI, 64, 0x0080, 0x02},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hd_config c = defaults();
    c.l1d.set_index = cases[i].index;
    c.l1d.sets = cases[i].sets;
    build(c);
    load(cases[i].line, 0);
    step();
    assert_int_equal(rig.m->s.c_valid, 1);
    assert_int_equal(rig.m->s.c_set, cases[i].set);
    wreck();
  }
}

/* Taken in cycle 0, in c in 2, decided in 3; a miss is at the memory port in 5, a hit answers in 4. A fill
 * taken in cycle 0 enters the cache in 1 and its first load is answered in 3. */
static void cycles(void **state) {
  (void)state;
  build(small(2));
  load(5, 1);
  for (unsigned cycle = 1; cycle < 5; cycle++) {
    look();
    assert_int_equal(rig.out.mreq_valid, 0);
    edge();
  }
  unsigned id = memory_gets(FILL, 5, 1);
  assert_int_equal(id, 0);
  assert_int_equal(EVENTS(send), 1);
  memory_answers(FILL, id, 0, 5);
  for (unsigned cycle = 1; cycle < 3; cycle++) {
    look();
    assert_int_equal(rig.out.resp_valid, 0);
    assert_int_equal(rig.out.mrsp_ready, 0);
    edge();
  }
  look();
  assert_int_equal(rig.out.resp_valid, 1);
  assert_int_equal(rig.out.mrsp_ready, 0); /* f_data is what the SM is shown */
  sm_gets(false, 1, 5);
  look();
  assert_int_equal(rig.out.mrsp_ready, 1);
  load(5, 3);
  for (unsigned cycle = 1; cycle < 4; cycle++) {
    look();
    assert_int_equal(rig.out.resp_valid, 0);
    edge();
  }
  look();
  assert_int_equal(rig.out.resp_valid, 1);
  sm_gets(false, 3, 5);
  wreck();
}

static void hits_flow_one_a_cycle(void **state) {
  (void)state;
  build(small(2));
  brings(4);
  rig.in.resp_ready = 1;
  rig.in.req_valid = 1;
  for (unsigned cycle = 0; cycle < 20; cycle++) {
    rig.in.req = (struct req){.line = 4, .num = cycle};
    look();
    assert_int_equal(rig.out.req_ready, 1);
    assert_int_equal(rig.out.resp_valid, cycle >= 4);
    if (cycle >= 4)
      assert_int_equal(rig.out.resp.num, cycle - 4);
    edge();
  }
  wreck();
}

/* Two merge into one MSHR and are answered in order; the third finds it full and hits afterwards. */
static void merging(void **state) {
  (void)state;
  build(small(2));
  load(5, 1);
  load(5, 2);
  load(5, 3);
  unsigned id = memory_gets(FILL, 5, 1);
  memory_gets_no_more();
  assert_true(EVENTS(fail_mshr_merge) > 0);
  memory_answers(FILL, id, 0, 5);
  sm_gets(false, 1, 5);
  sm_gets(false, 2, 5);
  sm_gets(false, 3, 5);
  assert_int_equal(EVENTS(load_miss), 1);
  assert_int_equal(EVENTS(load_merge), 1);
  assert_int_equal(EVENTS(load_hit), 1);
  wreck();
}

/* D-L1-1, D-L1-5. The fill answers the load before the store and does not stay; the load after the store
 * waits, and leaves behind the store. */
static void store_to_a_line_in_flight(void **state) {
  (void)state;
  for (int on_fill = 0; on_fill < 2; on_fill++) {
    struct hd_config c = small(2);
    c.l1d.allocate = on_fill ? HD_ON_FILL : HD_ON_MISS;
    build(c);
    load(5, 1);
    store(5, 2);
    load(5, 3);
    unsigned id = memory_gets(FILL, 5, 1);
    memory_gets(STORE, 5, 2);
    memory_gets_no_more();
    assert_int_equal(EVENTS(store_dead), 1);
    assert_true(EVENTS(fail_mshr_merge) > 0);
    memory_answers(FILL, id, 0, 5);
    sm_gets(false, 1, 5);
    id = memory_gets(FILL, 5, 3);
    memory_answers(STORE, 0, 2, 0);
    sm_gets(true, 2, 0);
    memory_answers(FILL, id, 0, 5);
    sm_gets(false, 3, 5);
    assert_int_equal(EVENTS(fill_dead), 1);
    assert_int_equal(EVENTS(fill), 1);
    hits(5);
    wreck();
  }
}

static void write_evict(void **state) {
  (void)state;
  build(small(2));
  brings(5);
  hits(5);
  store(5, 4);
  memory_gets(STORE, 5, 4);
  assert_int_equal(EVENTS(store_evict), 1);
  brings(5);
  store(7, 5); /* same set, not there: no line is taken */
  memory_gets(STORE, 7, 5);
  assert_int_equal(EVENTS(store_evict), 1);
  hits(5);
  brings(7);
  wreck();
}

/* The way that holds a line; sets are 2, so the tag is the line without its lowest bit. */
static unsigned way_of(uint64_t line) {
  const struct l1d_st *s = &rig.m->s;
  const unsigned ways = rig.m->base.c->l1d.ways;
  unsigned w = 0;
  while (w < ways && !(s->valid[line & 1] >> w & 1 && s->tags[(line & 1) * ways + w] == line >> 1))
    w++;
  return w;
}

/* Lines 0 2 4 6 are in ways 0..3 of set 0; 0 is used again, so 2 and then 4 give way. */
static void least_recently_used(void **state) {
  (void)state;
  for (int on_fill = 0; on_fill < 2; on_fill++) {
    struct hd_config c = small(4);
    c.l1d.allocate = on_fill ? HD_ON_FILL : HD_ON_MISS;
    build(c);
    for (uint64_t line = 0; line < 8; line += 2)
      brings(line);
    assert_int_equal(EVENTS(evict), 0);
    hits(0);
    brings(8);
    assert_int_equal(way_of(8), 1);
    brings(10);
    assert_int_equal(way_of(10), 2);
    assert_int_equal(EVENTS(evict), 2);
    hits(0);
    hits(6);
    hits(8);
    hits(10);
    brings(2); /* 0 6 8 10 were used in this order */
    assert_int_equal(way_of(2), 0);
    wreck();
  }
}

/* However the recency bits are laid out: whoever is used first gives way first. */
static void many_ways(void **state) {
  (void)state;
  static const unsigned ways[] = {1, 3, 11, 12, 13, 32};
  for (unsigned k = 0; k < 6; k++) {
    unsigned n = ways[k];
    build(small(n));
    for (unsigned w = 0; w < n; w++)
      brings(2 * w + 1);
    for (unsigned i = 0; i < n; i++)
      hits(2 * (i * 5 % n) + 1);
    for (unsigned i = 0; i < n; i++) {
      brings(2 * (n + i) + 1);
      assert_int_equal(way_of(2 * (n + i) + 1), i * 5 % n);
    }
    assert_int_equal(EVENTS(evict), n);
    wreck();
  }
}

/* Lines 0 and 2 fill set 0; 4 misses; 0 is used while 4 is in flight. On miss, 0 (the older) has gone
 * already. On fill it is still there, and 2 goes. */
static void when_the_victim_goes(void **state) {
  (void)state;
  for (int on_fill = 0; on_fill < 2; on_fill++) {
    struct hd_config c = small(2);
    c.l1d.allocate = on_fill ? HD_ON_FILL : HD_ON_MISS;
    build(c);
    brings(0);
    brings(2);
    load(4, 3);
    unsigned id = memory_gets(FILL, 4, 3);
    assert_int_equal(EVENTS(evict), !on_fill);
    hits(on_fill ? 0 : 2);
    memory_answers(FILL, id, 0, 4);
    sm_gets(false, 3, 4);
    assert_int_equal(EVENTS(evict), 1);
    hits(4);
    hits(on_fill ? 0 : 2);
    brings(on_fill ? 2 : 0);
    wreck();
  }
}

static void fails_without_a_line(void **state) {
  (void)state;
  build(small(2));
  load(0, 1);
  load(2, 2);
  load(4, 3);
  unsigned a = memory_gets(FILL, 0, 1), b = memory_gets(FILL, 2, 2);
  memory_gets_no_more();
  uint64_t tries = EVENTS(fail_line_alloc);
  assert_true(tries >= PATIENCE);
  idle(5);
  assert_int_equal(EVENTS(fail_line_alloc), tries + 5); /* every cycle counts */
  memory_answers(FILL, a, 0, 0);
  sm_gets(false, 1, 0);
  assert_int_equal(EVENTS(fill_wait), 1);
  unsigned d = memory_gets(FILL, 4, 3);
  assert_int_equal(EVENTS(evict), 1); /* line 0, just come, is the only one that may go */
  memory_answers(FILL, d, 0, 4);
  sm_gets(false, 3, 4);
  memory_answers(FILL, b, 0, 2);
  sm_gets(false, 2, 2);
  hits(4);
  hits(2);
  wreck();
}

/* The MSHR being answered is not free until its last load is. */
static void fails_without_an_mshr(void **state) {
  (void)state;
  struct hd_config c = small(4);
  c.l1d.mshrs = 2;
  build(c);
  load(0, 1);
  load(0, 2);
  load(1, 3);
  unsigned a = memory_gets(FILL, 0, 1);
  assert_int_equal(memory_gets(FILL, 1, 3), 1);
  load(3, 4);
  memory_gets_no_more();
  assert_true(EVENTS(fail_mshr) > 0);
  memory_answers(FILL, a, 0, 0);
  memory_gets_no_more(); /* load 1 is in the response register, load 2 still in MSHR 0 */
  sm_gets(false, 1, 0);
  sm_gets(false, 2, 0);
  assert_int_equal(memory_gets(FILL, 3, 4), 0);
  wreck();
}

/* One at the memory port and two in the queue; the fourth waits, load or store. */
static void fails_without_a_queue_place(void **state) {
  (void)state;
  for (int write = 0; write < 2; write++) {
    build(small(4));
    load(0, 1);
    store(8, 2);
    load(1, 3);
    send(3, write, 4);
    idle(20);
    assert_int_equal(EVENTS(load_miss) + EVENTS(store), 3);
    uint64_t tries = EVENTS(fail_miss_queue);
    idle(5);
    assert_int_equal(EVENTS(fail_miss_queue), tries + 5);
    memory_gets(FILL, 0, 1);
    memory_gets(STORE, 8, 2);
    memory_gets(FILL, 1, 3);
    memory_gets(write ? STORE : FILL, 3, 4);
    wreck();
  }
}

/* Stores carry their own bytes to memory, through more places than the store data has (6). */
static void stores_keep_their_bytes(void **state) {
  (void)state;
  build(small(2));
  for (unsigned n = 0; n < 5; n++)
    store(2 * n, n);
  for (unsigned n = 5; n < 30; n++) {
    memory_gets(STORE, 2 * (n - 5), n - 5);
    store(2 * n, n);
  }
  for (unsigned n = 25; n < 30; n++)
    memory_gets(STORE, 2 * n, n);
  memory_gets_no_more();
  wreck();
}

static void bypass_when_no_line(void **state) {
  (void)state;
  struct hd_config c = small(2);
  c.request_buffer.bypass = HD_BYPASS_ASSOC;
  c.l1d.bypass_slots = 1;
  build(c);
  load(0, 1);
  load(2, 2);
  load(4, 3);
  load(6, 4);
  unsigned a = memory_gets(FILL, 0, 1), b = memory_gets(FILL, 2, 2);
  memory_gets(BYPASSED, 4, 3);
  memory_gets_no_more();
  assert_int_equal(EVENTS(bypass), 1);
  assert_true(EVENTS(fail_bypass_slots) > 0);
  memory_answers(BYPASSED, 0, 3, 4);
  sm_gets(false, 3, 4);
  memory_gets(BYPASSED, 6, 4); /* the slot is free again */
  memory_answers(FILL, b, 0, 2);
  sm_gets(false, 2, 2);
  memory_answers(BYPASSED, 0, 4, 6);
  sm_gets(false, 4, 6);
  memory_answers(FILL, a, 0, 0);
  sm_gets(false, 1, 0);
  hits(0);
  hits(2);
  brings(4); /* nothing bypassed stayed */
  assert_int_equal(EVENTS(fail_line_alloc), 0);
  wreck();
}

/* `assoc` waits for an MSHR or a merge place, `all` does not. */
static void bypass_of_other_stalls(void **state) {
  (void)state;
  for (int all = 0; all < 2; all++) {
    struct hd_config c = small(2);
    c.request_buffer.bypass = all ? HD_BYPASS_ALL : HD_BYPASS_ASSOC;
    c.l1d.mshrs = 2;
    build(c);
    load(0, 1);
    store(0, 2); /* MSHR 0 is dead */
    memory_gets(FILL, 0, 1);
    memory_gets(STORE, 0, 2);
    load(0, 3);
    if (all) {
      memory_gets(BYPASSED, 0, 3);
      load(1, 4);
      memory_gets(FILL, 1, 4);
      load(3, 5);
      memory_gets(BYPASSED, 3, 5);
      assert_int_equal(EVENTS(fail_mshr) + EVENTS(fail_mshr_merge), 0);
    } else {
      memory_gets_no_more();
      assert_true(EVENTS(fail_mshr_merge) > 0);
    }
    assert_int_equal(EVENTS(bypass), all ? 2 : 0);
    wreck();
  }
}

static void a_taken_response_port(void **state) {
  (void)state;
  build(small(2));
  brings(5);
  load(5, 6);
  load(5, 7);
  idle(10);
  assert_int_equal(EVENTS(load_hit), 1);
  assert_true(EVENTS(hit_wait) > 0);
  sm_gets(false, 6, 5);
  sm_gets(false, 7, 5);
  wreck();
}

/* What the tags held before the first write means nothing. */
static void tags_of_power_up(void **state) {
  (void)state;
  build(small(4));
  rig.m->s.tags[1 * 4 + 2] = 5 >> 1;
  load(5, 1);
  idle(2);
  assert_int_equal(rig.m->s.d_valid, 1);
  assert_int_equal(rig.m->s.d_hit, 0);
  assert_int_equal(rig.m->s.d_mshr_eq, 0);
  memory_gets(FILL, 5, 1);
  assert_int_equal(EVENTS(load_hit), 0);
  wreck();
}

/* A lookup waiting in d sees the tag that a fill writes and the MSHR that it frees. */
static void lookup_follows_changes(void **state) {
  (void)state;
  struct hd_config c = small(2);
  c.l1d.allocate = HD_ON_FILL;
  c.l1d.mshr_merge = 1;
  build(c);
  load(5, 1);
  load(5, 2);
  unsigned id = memory_gets(FILL, 5, 1);
  idle(5);
  assert_int_equal(rig.m->s.d_mshr_eq, 1);
  assert_int_equal(rig.m->s.d_hit, 0);
  memory_answers(FILL, id, 0, 5);
  assert_int_equal(rig.m->s.d_mshr_eq, 1);
  step();
  assert_int_equal(rig.m->s.d_mshr_eq, 0);
  assert_int_equal(rig.m->s.d_hit, 1);
  assert_int_equal(rig.m->s.t1_valid, 1);
  sm_gets(false, 1, 5);
  sm_gets(false, 2, 5);
  assert_int_equal(EVENTS(load_hit), 1);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(set_indices),
      cmocka_unit_test(cycles),
      cmocka_unit_test(hits_flow_one_a_cycle),
      cmocka_unit_test(merging),
      cmocka_unit_test(store_to_a_line_in_flight),
      cmocka_unit_test(write_evict),
      cmocka_unit_test(least_recently_used),
      cmocka_unit_test(many_ways),
      cmocka_unit_test(when_the_victim_goes),
      cmocka_unit_test(fails_without_a_line),
      cmocka_unit_test(fails_without_an_mshr),
      cmocka_unit_test(fails_without_a_queue_place),
      cmocka_unit_test(stores_keep_their_bytes),
      cmocka_unit_test(bypass_when_no_line),
      cmocka_unit_test(bypass_of_other_stalls),
      cmocka_unit_test(a_taken_response_port),
      cmocka_unit_test(tags_of_power_up),
      cmocka_unit_test(lookup_follows_changes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
