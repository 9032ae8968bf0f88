/* A sectored L2 slice by hand from docs/mechanisms/l2/sectors.md: what it fetches, writes back and keeps. */
#define RIG l2_slice
#include "tests/unit/l2/l2_rig.h"

#include "cmodel/l2/l2_peek.h"
#include "cmodel/l2/l2_warm.h"

/* A load of another sector of a cached line fetches only that sector and evicts no line. */
static void a_sector_miss(void **state) {
  (void)state;
  build(small_sectored(1));
  brings(UNIT(6, 0));
  load(UNIT(6, 2), 1);
  fill(memory_reads(UNIT(6, 2)), UNIT(6, 2));
  loaded(1, UNIT(6, 2), 0, 0);
  assert_int_equal(rig.out.rsp.sectors, 4);
  load(UNIT(6, 0), 2);
  loaded(2, UNIT(6, 0), 0, 0);
  load(UNIT(6, 2), 3);
  loaded(3, UNIT(6, 2), 0, 0);
  assert_int_equal(EVENTS(read_miss), 2);
  assert_int_equal(EVENTS(sector_miss), 1);
  assert_int_equal(EVENTS(evict), 0);
  assert_int_equal(EVENTS(read_hit), 2);
  load(UNIT(6, 3), 4);
  memory_reads(UNIT(6, 3));
  memory_is_asked_nothing();
  wreck();
}

/* Sectors of a line in flight have an MSHR each and arrive in any order. The way belongs to the line until the last has arrived. */
static void two_sectors_in_flight(void **state) {
  (void)state;
  build(small_sectored(1));
  load(UNIT(6, 1), 1);
  load(UNIT(6, 3), 2);
  load(UNIT(6, 1), 3);
  const unsigned first = memory_reads(UNIT(6, 1)), second = memory_reads(UNIT(6, 3));
  assert_int_not_equal(first, second);
  assert_int_equal(EVENTS(read_merge), 1);
  load(UNIT(4, 0), 4); /* of the same set */
  fill(second, UNIT(6, 3));
  loaded(2, UNIT(6, 3), 0, 0);
  assert_int_equal(EVENTS(fill_beside), 1);
  memory_is_asked_nothing();
  assert_true(EVENTS(fail_line) > 0);
  fill(first, UNIT(6, 1));
  loaded(1, UNIT(6, 1), 0, 0);
  loaded(3, UNIT(6, 1), 0, 0);
  assert_int_equal(EVENTS(fill_beside), 1);
  fill(memory_reads(UNIT(4, 0)), UNIT(4, 0));
  loaded(4, UNIT(4, 0), 0, 0);
  wreck();
}

/* An evicted line writes its dirty sectors back, the lowest first, and no others. The new line has the sector that was asked for. */
static void dirty_sectors_leave(void **state) {
  (void)state;
  build(small_sectored(1));
  brings(UNIT(6, 0));
  store(UNIT(6, 3), 2, 5);
  fill(memory_reads(UNIT(6, 3)), UNIT(6, 3));
  stored(2);
  store(UNIT(6, 1), 3, 15);
  fill(memory_reads(UNIT(6, 1)), UNIT(6, 1));
  stored(3);
  load(UNIT(4, 0), 4);
  memory_writes(UNIT(6, 1), 3, 15);
  memory_writes(UNIT(6, 3), 2, 5);
  fill(memory_reads(UNIT(4, 0)), UNIT(4, 0));
  loaded(4, UNIT(4, 0), 0, 0);
  assert_int_equal(EVENTS(write_back), 2);
  assert_int_equal(EVENTS(sector_back), 2);
  assert_int_equal(EVENTS(evict), 1);
  load(UNIT(4, 1), 5); /* the way holds line 6's data */
  fill(memory_reads(UNIT(4, 1)), UNIT(4, 1));
  loaded(5, UNIT(4, 1), 0, 0);
  load(UNIT(6, 1), 6);
  memory_reads(UNIT(6, 1)); /* line 4 is clean */
  wreck();
}

/* A store waits only in its own sector's MSHR. The other sector is neither dirty nor fetched again. */
static void stores_by_sector(void **state) {
  (void)state;
  build(small_sectored(2));
  load(UNIT(6, 0), 1);
  store(UNIT(6, 1), 2, 1);
  store(UNIT(6, 0), 3, 2);
  const unsigned first = memory_reads(UNIT(6, 0)), second = memory_reads(UNIT(6, 1));
  idle(10);
  assert_int_equal(EVENTS(write_miss), 1);
  assert_int_equal(EVENTS(write_merge), 1);
  fill(first, UNIT(6, 0));
  fill(second, UNIT(6, 1));
  loaded(1, UNIT(6, 0), 0, 0);
  stored(3);
  stored(2);
  for (unsigned t = 0; t < 4; t++)
    assert_int_equal(rig.m->s.dirty[t] & 1, t < 2);
  load(UNIT(6, 1), 4);
  loaded(4, UNIT(6, 1), 2, 1);
  wreck();
}

/* Without a free MSHR a sector miss waits as any miss. */
static void no_mshr(void **state) {
  (void)state;
  build(small_sectored(2));
  for (unsigned t = 0; t < 4; t++)
    load(UNIT(6, t), t);
  for (unsigned t = 0; t < 3; t++)
    memory_reads(UNIT(6, t));
  memory_is_asked_nothing();
  assert_true(EVENTS(fail_mshr) > 0);
  assert_int_equal(EVENTS(sector_miss), 2);
  fill(0, UNIT(6, 0));
  loaded(0, UNIT(6, 0), 0, 0);
  memory_reads(UNIT(6, 3));
  wreck();
}

static void commands(void **state) {
  (void)state;
  struct hd_config c = small_sectored(2);
  c.l2.maintenance = true;
  build(c);
  store(UNIT(6, 2), 1, 1);
  fill(memory_reads(UNIT(6, 2)), UNIT(6, 2));
  stored(1);
  store(UNIT(6, 0), 2, 2);
  fill(memory_reads(UNIT(6, 0)), UNIT(6, 0));
  stored(2);
  rig.in.mt_valid = 1;
  rig.in.mt_op = 3;
  look();
  assert_int_equal(rig.out.mt_ready, 1);
  edge();
  rig.in.mt_valid = 0;
  memory_writes(UNIT(6, 0), 2, 2);
  memory_writes(UNIT(6, 2), 1, 1);
  memory_is_asked_nothing();
  assert_int_equal(EVENTS(mt_back), 2);
  assert_int_equal(EVENTS(sector_back), 2);
  assert_int_equal(EVENTS(mt_end), 1);
  load(UNIT(6, 0), 3);
  memory_reads(UNIT(6, 0));
  wreck();
}

/* A peek shows the real contents, sector by sector. */
static void peeked(void **state) {
  (void)state;
  build(small_sectored(2));
  brings(UNIT(6, 0));
  store(UNIT(6, 2), 3, 1);
  uint64_t word[4 * WORDS], known[4 * WORDS];
  l2_peek(rig.m, 6, UINT64_MAX, word, known);
  for (unsigned i = 0; i < 4 * WORDS; i++) {
    const bool store_there = i == 2 * WORDS, line_there = i < WORDS;
    assert_int_equal(known[i], store_there || line_there ? 0xff : 0);
    assert_int_equal(word[i], store_there ? 21000 : line_there ? 1000 * UNIT(6, 0) + i : 0);
  }
  fill(memory_reads(UNIT(6, 2)), UNIT(6, 2));
  stored(3);
  l2_peek(rig.m, 6, UINT64_MAX, word, known);
  assert_int_equal(known[2 * WORDS + 1], 0xff);
  assert_int_equal(word[2 * WORDS + 1], 1000 * UNIT(6, 2) + 1);
  assert_int_equal(known[WORDS], 0);
  wreck();
}

/* Warming takes no time: it adds a sector. If the line replaces another line, the way then holds only that sector. */
static void warmed(void **state) {
  (void)state;
  build(small_sectored(1));
  l2_warm(rig.m, 6, 1, true);
  l2_warm(rig.m, 6, 2, false);
  load(UNIT(6, 2), 1);
  answered(HD_FILL, 1, false);
  l2_warm(rig.m, 4, 2, false);
  load(UNIT(4, 2), 2);
  answered(HD_FILL, 2, false);
  load(UNIT(4, 1), 3);
  memory_reads(UNIT(4, 1));
  assert_int_equal(EVENTS(read_hit), 2);
  assert_int_equal(EVENTS(sector_miss), 1);
  assert_int_equal(EVENTS(write_back), 0);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_sector_miss),
                                     cmocka_unit_test(two_sectors_in_flight),
                                     cmocka_unit_test(dirty_sectors_leave),
                                     cmocka_unit_test(stores_by_sector),
                                     cmocka_unit_test(no_mshr),
                                     cmocka_unit_test(commands),
                                     cmocka_unit_test(peeked),
                                     cmocka_unit_test(warmed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
