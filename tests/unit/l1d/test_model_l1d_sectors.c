/* The sectored L1D, by hand from docs/mechanisms/sectored.md: two sectors of 16 bytes per line, two sets. Lines 4, 6 and 8 are in
 * set 0. */
#include "tests/unit/l1d/l1d_rig.h"

static struct hd_config sectored(unsigned ways, unsigned mshrs) {
  struct hd_config c = small(ways);
  c.sm.coalesce = HD_COALESCE_SECTORS;
  c.l1d.sector_bytes = 16;
  c.l1d.fill = HD_L1D_FILL_SECTOR;
  c.l1d.mshrs = mshrs;
  c.l1d.miss_queue = 4;
  return c;
}

static void ask(uint64_t line, unsigned sector, unsigned num) {
  offer((struct req){.line = line, .num = num, .sectors = 1u << sector});
}
static void put(uint64_t line, unsigned sector, unsigned num) {
  offer((struct req){.line = line, .write = 1, .num = num, .sectors = 1u << sector});
}

/* Checks that the next request fetches that sector. Returns its MSHR. */
static unsigned fetches(uint64_t line, unsigned sector) {
  const unsigned id = memory_gets(HD_FILL, line, 0);
  assert_int_equal(rig.out.mreq.sectors, 1u << sector);
  return id;
}

/* Sectors that the memory does not send have wrong data. */
static void answers_fetch(unsigned id, uint64_t line) {
  memory_answers(HD_FILL, id, 0, line);
}

/* Checks that the SM gets that sector. */
static void gets(unsigned num, uint64_t line, unsigned sector) {
  look();
  for (unsigned i = 0; !rig.out.resp_valid; i++, look()) {
    assert_true(i < PATIENCE);
    edge();
  }
  assert_int_equal(rig.out.resp.write, 0);
  assert_int_equal(rig.out.resp.num, num);
  for (unsigned i = 2 * sector; i < 2 * sector + 2; i++)
    assert_int_equal(rig.out.resp_data[i], 1000 * line + i);
  rig.in.resp_ready = 1;
  step();
  rig.in.resp_ready = 0;
}

static void stored(uint64_t line, unsigned num) {
  memory_gets(HD_STORE, line, num);
  memory_answers(HD_STORE, 0, num, line);
  sm_gets(true, num, line);
}

static void comes(uint64_t line, unsigned sector) {
  ask(line, sector, 1);
  answers_fetch(fetches(line, sector), line);
  gets(1, line, sector);
}

static void is_there(uint64_t line, unsigned sector) {
  const uint64_t before = EVENTS(load_hit);
  ask(line, sector, 2);
  gets(2, line, sector);
  assert_int_equal(EVENTS(load_hit), before + 1);
}

/* Sector 1 is fetched into the way of the line, beside sector 0. */
static void second_sector(void **state) {
  (void)state;
  build(sectored(2, 4));
  comes(4, 0);
  assert_int_equal(EVENTS(sector_miss), 0);
  is_there(4, 0);
  comes(4, 1);
  assert_int_equal(EVENTS(load_miss), 2);
  assert_int_equal(EVENTS(sector_miss), 1);
  assert_int_equal(EVENTS(evict), 0);
  assert_int_equal(rig.m->s.sector_valid[0], 1); /* rows of set 0: way 0 has both */
  assert_int_equal(rig.m->s.sector_valid[1], 1);
  is_there(4, 0);
  is_there(4, 1);
  wreck();
}

/* The least recently used line is evicted with all its sectors, whichever of its sectors was used. */
static void line_gives_way(void **state) {
  (void)state;
  build(sectored(2, 4));
  comes(4, 0);
  comes(6, 0);
  comes(4, 1);
  comes(8, 1);
  assert_int_equal(EVENTS(evict), 1);
  is_there(4, 0);
  is_there(4, 1);
  comes(6, 0); /* 6 was evicted; now 8 is */
  assert_int_equal(EVENTS(evict), 2);
  comes(8, 1);
  comes(4, 1);
  assert_int_equal(EVENTS(evict), 4);
  assert_int_equal(EVENTS(sector_miss), 1);
  wreck();
}

/* Two sectors of one line are in flight, each with its MSHR. The way waits for both. If the loads follow each other, the second
 * finds the tag that the first writes or has just written. */
static void both_in_flight(void **state) {
  (void)state;
  for (unsigned apart = 0; apart < 2; apart++) {
    build(sectored(1, 4));
    ask(4, 0, 1);
    if (apart)
      ask(5, 0, 7);
    ask(4, 1, 2);
    ask(4, 0, 3);
    const unsigned low = fetches(4, 0), other = apart ? fetches(5, 0) : 0, high = fetches(4, 1);
    assert_int_not_equal(low, high);
    assert_int_equal(EVENTS(tag_now), !apart);
    assert_int_equal(EVENTS(tag_last), apart);
    assert_int_equal(EVENTS(sector_miss), 1);
    answers_fetch(high, 4);
    gets(2, 4, 1);
    assert_int_equal(EVENTS(fill_beside), 1);
    assert_int_equal(rig.m->s.sector_reserved[0], 1);
    assert_int_equal(rig.m->s.sector_reserved[1], 0);
    is_there(4, 1);
    answers_fetch(low, 4);
    gets(1, 4, 0);
    gets(3, 4, 0);
    assert_int_equal(EVENTS(load_merge), 1);
    assert_int_equal(EVENTS(fill_beside), 1);
    if (apart) {
      answers_fetch(other, 5);
      gets(7, 5, 0);
    }
    is_there(4, 0);
    wreck();
  }
}

/* A store invalidates its own sector. The line ends with its last sector, and the way is then empty. */
static void store_takes_a_sector(void **state) {
  (void)state;
  build(sectored(2, 4));
  comes(4, 0);
  comes(4, 1);
  put(4, 0, 3);
  stored(4, 3);
  assert_int_equal(EVENTS(store_evict), 1);
  assert_int_equal(EVENTS(sector_last), 0);
  is_there(4, 1);
  put(4, 1, 5);
  stored(4, 5);
  assert_int_equal(EVENTS(sector_last), 1);
  comes(6, 0);
  assert_int_equal(rig.m->s.sector_valid[0], 1); /* in way 0 again */
  assert_int_equal(EVENTS(evict), 0);
  wreck();
}

/* A store to the other sector does not affect a fetch. After a store to its own sector the fetch answers but does not stay. */
static void store_to_a_sector_in_flight(void **state) {
  (void)state;
  build(sectored(1, 4));
  ask(4, 0, 1);
  put(4, 1, 3);
  unsigned id = fetches(4, 0);
  stored(4, 3);
  assert_int_equal(EVENTS(store_dead), 0);
  answers_fetch(id, 4);
  gets(1, 4, 0);
  is_there(4, 0);
  ask(4, 1, 2);
  put(4, 1, 5);
  id = fetches(4, 1);
  stored(4, 5);
  assert_int_equal(EVENTS(store_dead), 1);
  answers_fetch(id, 4);
  gets(2, 4, 1);
  assert_int_equal(EVENTS(fill_dead), 1);
  assert_int_equal(EVENTS(sector_last), 0);
  is_there(4, 0);
  comes(4, 1);
  wreck();
}

/* The only way is reserved. A sector of its line does not lack it. Another line lacks it until both sectors have arrived. */
static void no_way(void **state) {
  (void)state;
  build(sectored(1, 4));
  ask(4, 0, 1);
  ask(4, 1, 2);
  ask(6, 0, 3);
  const unsigned low = fetches(4, 0), high = fetches(4, 1);
  answers_fetch(low, 4);
  gets(1, 4, 0);
  memory_gets_no_more();
  assert_true(EVENTS(fail_line_alloc) > 0);
  answers_fetch(high, 4);
  gets(2, 4, 1);
  answers_fetch(fetches(6, 0), 6);
  gets(3, 6, 0);
  assert_int_equal(EVENTS(evict), 1);
  wreck();
}

/* A load waits for an MSHR while its line ends with a fill that does not stay. The line returns to its way. */
static void line_comes_back(void **state) {
  (void)state;
  build(sectored(2, 2));
  ask(6, 0, 1);
  ask(4, 0, 2);
  put(4, 0, 3);
  ask(4, 1, 4);
  const unsigned other = fetches(6, 0), id = fetches(4, 0);
  stored(4, 3);
  idle(4);
  assert_true(EVENTS(fail_mshr) > 0);
  answers_fetch(id, 4);
  gets(2, 4, 0);
  assert_int_equal(EVENTS(sector_last), 1);
  const unsigned back = fetches(4, 1);
  assert_int_equal(EVENTS(sector_back), 1);
  answers_fetch(back, 4);
  gets(4, 4, 1);
  assert_int_equal(rig.m->s.sector_valid[1], 2); /* way 1, as before */
  answers_fetch(other, 6);
  gets(1, 6, 0);
  is_there(4, 1);
  wreck();
}

static void flush(void **state) {
  (void)state;
  build(sectored(2, 4));
  comes(4, 0);
  comes(5, 1);
  rig.in.flush = 1;
  step();
  rig.in.flush = 0;
  for (unsigned row = 0; row < 4; row++)
    assert_int_equal(rig.m->s.sector_valid[row], 0);
  comes(4, 0);
  comes(5, 1);
  assert_int_equal(EVENTS(sector_miss), 0);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(second_sector),
      cmocka_unit_test(line_gives_way),
      cmocka_unit_test(both_in_flight),
      cmocka_unit_test(store_takes_a_sector),
      cmocka_unit_test(store_to_a_sector_in_flight),
      cmocka_unit_test(no_way),
      cmocka_unit_test(line_comes_back),
      cmocka_unit_test(flush),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
