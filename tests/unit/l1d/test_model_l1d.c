/* The L1 data cache: hits, misses, merging, fills, stores, sets and recency. */
#include "tests/unit/l1d/l1d_rig.h"

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

/* A request is taken in cycle 0, in c in 2 and decided in 3. A miss is at the memory port in 5, a hit answers in 4. A fill taken in
 * cycle 0 enters the cache in 1, and its first load is answered in 3. */
static void cycles(void **state) {
  (void)state;
  build(small(2));
  load(5, 1);
  for (unsigned cycle = 1; cycle < 5; cycle++) {
    look();
    assert_int_equal(rig.out.mreq_valid, 0);
    edge();
  }
  unsigned id = memory_gets(HD_FILL, 5, 1);
  assert_int_equal(id, 0);
  assert_int_equal(EVENTS(send), 1);
  memory_answers(HD_FILL, id, 0, 5);
  for (unsigned cycle = 1; cycle < 3; cycle++) {
    look();
    assert_int_equal(rig.out.resp_valid, 0);
    assert_int_equal(rig.out.mrsp_ready, 0);
    edge();
  }
  look();
  assert_int_equal(rig.out.resp_valid, 1);
  assert_int_equal(rig.out.mrsp_ready, 0); /* f_data goes to the SM */
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

/* Two loads merge into one MSHR and are answered in order. The third finds the MSHR full and hits afterwards. */
static void merging(void **state) {
  (void)state;
  build(small(2));
  load(5, 1);
  load(5, 2);
  load(5, 3);
  unsigned id = memory_gets(HD_FILL, 5, 1);
  memory_gets_no_more();
  assert_true(EVENTS(fail_mshr_merge) > 0);
  memory_answers(HD_FILL, id, 0, 5);
  sm_gets(false, 1, 5);
  sm_gets(false, 2, 5);
  sm_gets(false, 3, 5);
  assert_int_equal(EVENTS(load_miss), 1);
  assert_int_equal(EVENTS(load_merge), 1);
  assert_int_equal(EVENTS(load_hit), 1);
  wreck();
}

/* D-L1-1, D-L1-5. The fill answers the load before the store and does not stay. The load after the store waits and is sent after the
 * store. */
static void store_to_a_line_in_flight(void **state) {
  (void)state;
  for (int on_fill = 0; on_fill < 2; on_fill++) {
    struct hd_config c = small(2);
    c.l1d.allocate = on_fill ? HD_ON_FILL : HD_ON_MISS;
    build(c);
    load(5, 1);
    store(5, 2);
    load(5, 3);
    unsigned id = memory_gets(HD_FILL, 5, 1);
    memory_gets(HD_STORE, 5, 2);
    memory_gets_no_more();
    assert_int_equal(EVENTS(store_dead), 1);
    assert_true(EVENTS(fail_mshr_merge) > 0);
    memory_answers(HD_FILL, id, 0, 5);
    sm_gets(false, 1, 5);
    id = memory_gets(HD_FILL, 5, 3);
    memory_answers(HD_STORE, 0, 2, 0);
    sm_gets(true, 2, 0);
    memory_answers(HD_FILL, id, 0, 5);
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
  memory_gets(HD_STORE, 5, 4);
  assert_int_equal(EVENTS(store_evict), 1);
  brings(5);
  store(7, 5); /* same set, not in the cache: no line is allocated */
  memory_gets(HD_STORE, 7, 5);
  assert_int_equal(EVENTS(store_evict), 1);
  hits(5);
  brings(7);
  wreck();
}

/* Returns the way that holds a line. There are 2 sets, so the tag is the line without its lowest bit. */
static unsigned way_of(uint64_t line) {
  const struct l1d_st *s = &rig.m->s;
  const unsigned ways = rig.m->base.c->l1d.ways;
  unsigned w = 0;
  while (w < ways && !(s->valid[line & 1] >> w & 1 && s->tags[(line & 1) * ways + w] == line >> 1))
    w++;
  return w;
}

/* Lines 0 2 4 6 are in ways 0..3 of set 0. 0 is used again, so 2 and then 4 are evicted. */
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
    brings(2); /* order of use: 0 6 8 10 */
    assert_int_equal(way_of(2), 0);
    wreck();
  }
}

/* For every layout of the recency bits the way used first is evicted first. */
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

/* Lines 0 and 2 fill set 0, 4 misses, and 0 is used while 4 is in flight. With on_miss the older line, 0, is already evicted. With
 * on_fill it is still there, and 2 is evicted. */
static void when_the_victim_goes(void **state) {
  (void)state;
  for (int on_fill = 0; on_fill < 2; on_fill++) {
    struct hd_config c = small(2);
    c.l1d.allocate = on_fill ? HD_ON_FILL : HD_ON_MISS;
    build(c);
    brings(0);
    brings(2);
    load(4, 3);
    unsigned id = memory_gets(HD_FILL, 4, 3);
    assert_int_equal(EVENTS(evict), !on_fill);
    hits(on_fill ? 0 : 2);
    memory_answers(HD_FILL, id, 0, 4);
    sm_gets(false, 3, 4);
    assert_int_equal(EVENTS(evict), 1);
    hits(4);
    hits(on_fill ? 0 : 2);
    brings(on_fill ? 2 : 0);
    wreck();
  }
}

/* Stores carry their own bytes to memory, through more store data entries than there are (6). */
static void stores_keep_their_bytes(void **state) {
  (void)state;
  build(small(2));
  for (unsigned n = 0; n < 5; n++)
    store(2 * n, n);
  for (unsigned n = 5; n < 30; n++) {
    memory_gets(HD_STORE, 2 * (n - 5), n - 5);
    store(2 * n, n);
  }
  for (unsigned n = 25; n < 30; n++)
    memory_gets(HD_STORE, 2 * n, n);
  memory_gets_no_more();
  wreck();
}

/* Tags have no meaning before their first write. */
static void tags_of_power_up(void **state) {
  (void)state;
  build(small(4));
  rig.m->s.tags[1 * 4 + 2] = 5 >> 1;
  load(5, 1);
  idle(2);
  assert_int_equal(rig.m->s.d_valid, 1);
  assert_int_equal(rig.m->s.d_hit, 0);
  assert_int_equal(rig.m->s.d_mshr_eq, 0);
  memory_gets(HD_FILL, 5, 1);
  assert_int_equal(EVENTS(load_hit), 0);
  wreck();
}

/* A lookup that waits in d sees the tag that a fill writes and the MSHR that the fill frees. */
static void lookup_follows_changes(void **state) {
  (void)state;
  struct hd_config c = small(2);
  c.l1d.allocate = HD_ON_FILL;
  c.l1d.mshr_merge = 1;
  build(c);
  load(5, 1);
  load(5, 2);
  unsigned id = memory_gets(HD_FILL, 5, 1);
  idle(5);
  assert_int_equal(rig.m->s.d_mshr_eq, 1);
  assert_int_equal(rig.m->s.d_hit, 0);
  memory_answers(HD_FILL, id, 0, 5);
  assert_int_equal(rig.m->s.d_mshr_eq, 1);
  step();
  assert_int_equal(rig.m->s.d_mshr_eq, 0);
  assert_int_equal(rig.m->s.d_hit, 1);
  assert_int_equal(rig.m->s.outcome_write, 1);
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
      cmocka_unit_test(stores_keep_their_bytes),
      cmocka_unit_test(tags_of_power_up),
      cmocka_unit_test(lookup_follows_changes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
