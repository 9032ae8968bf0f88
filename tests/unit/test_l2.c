/* A bank of the L2: hits, misses, merges, replacement, write-backs, and what it waits for. 4 sets of 2 ways, 3 MSHRs of 2
 * requests, one place more than the way there holds; its clock is the core's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cmodel/bank.h"

enum { LOAD = 0, STORE = HD_PACKET_STORE, SETS = 4, AWAY = 3, PLACES = 4 };

static struct {
  struct hd_config c;
  struct hd_design *design;
  struct hd_bank *l2;
  uint64_t now;
  unsigned places;
  struct hd_bank_moves moves; /* of the last cycle */
} b;

static int begin(void **state) {
  (void)state;
  hd_config_default(&b.c);
  b.c.sm.clock_mhz = b.c.l2.clock_mhz = 1000;
  b.c.l2.sets = SETS;
  b.c.l2.ways = 2;
  b.c.l2.mshrs = 3;
  b.c.l2.mshr_merge = 2;
  b.c.l2.queue = 1;
  b.c.l2.latency = 10;
  b.c.dram.latency = 2 * AWAY;
  b.design = hd_design_new(&b.c);
  b.l2 = b.design ? hd_bank_new(b.design) : NULL;
  b.now = 0;
  b.places = PLACES;
  return b.l2 ? 0 : -1;
}

static int end(void **state) {
  (void)state;
  hd_bank_free(b.l2);
  hd_design_free(b.design);
  return 0;
}

static void cycle(void) {
  b.now++;
  hd_bank_cycle(b.l2, b.now, b.now, b.places, &b.moves);
}

/* A request that may be decided in the next cycle. */
static void put(unsigned kind, uint64_t line, unsigned num) {
  assert_false(hd_bank_full(b.l2));
  const struct l2req q = {.line = line, .kind = kind, .num = num};
  hd_bank_push(b.l2, &q, b.now + 1);
}

/* That, decided in the next cycle. */
static void request(unsigned kind, uint64_t line, unsigned num) {
  put(kind, line, num);
  cycle();
  assert_true(b.moves.taken);
}

static void answered(unsigned num) {
  assert_int_equal(b.moves.answers, 1);
  assert_int_equal(b.moves.answer[0].num, num);
}

/* It has sent this, and no more. Returns the MSHR. */
static unsigned sent(bool write, uint64_t line) {
  const struct hd_bank_fetch *f = hd_bank_fetch(b.l2);
  assert_non_null(f);
  assert_int_equal(f->write, write);
  assert_int_equal(f->line, line);
  const unsigned mshr = f->mshr;
  hd_bank_fetched(b.l2);
  assert_null(hd_bank_fetch(b.l2));
  return mshr;
}

/* A line comes in, without anyone answered but its first request. */
static void fetch(unsigned kind, uint64_t line) {
  request(kind, line, 99);
  hd_bank_fill(b.l2, sent(false, line), b.now + 1);
  cycle();
  answered(99);
}

static const struct hd_bank_stats *stats(void) {
  return hd_bank_stats(b.l2, b.now + 1);
}

static void a_miss_and_then_hits(void **state) {
  (void)state;
  request(LOAD, 5, 1);
  assert_int_equal(b.moves.answers, 0);
  assert_true(b.moves.sent);
  assert_int_equal(hd_bank_fetch(b.l2)->at, b.now + AWAY);
  const unsigned mshr = sent(false, 5);
  assert_true(hd_bank_next(b.l2, PLACES) == UINT64_MAX);
  hd_bank_fill(b.l2, mshr, 50);
  assert_int_equal(hd_bank_next(b.l2, PLACES), 50);
  while (b.now < 49) {
    cycle();
    assert_int_equal(b.moves.answers, 0);
  }
  cycle();
  answered(1);
  request(LOAD, 5, 2);
  answered(2);
  request(STORE, 5, 3);
  answered(3);
  assert_int_equal(b.moves.answer[0].kind, STORE);
  assert_int_equal(stats()->reads, 2);
  assert_int_equal(stats()->writes, 1);
  assert_int_equal(stats()->misses, 1);
  assert_int_equal(stats()->read_hits, 1);
  assert_int_equal(stats()->write_hits, 1);
}

static void merged_requests_are_answered_in_order(void **state) {
  (void)state;
  request(LOAD, 5, 1);
  const unsigned mshr = sent(false, 5);
  request(STORE, 5, 2); /* merges; the line will be dirty */
  assert_null(hd_bank_fetch(b.l2));
  put(LOAD, 5, 3); /* finds the MSHR full */
  cycle();
  assert_false(b.moves.taken);
  hd_bank_fill(b.l2, mshr, b.now + 1);
  cycle();
  answered(1);
  assert_false(b.moves.taken);
  cycle(); /* the last of the MSHR, and the hit after it */
  assert_int_equal(b.moves.answers, 2);
  assert_int_equal(b.moves.answer[0].num, 2);
  assert_int_equal(b.moves.answer[1].num, 3);
  assert_int_equal(stats()->merges, 1);
  assert_int_equal(stats()->read_hits, 1);
  assert_int_equal(stats()->fails[HD_BANK_MERGE], 2);
  fetch(LOAD, 5 + SETS);
  put(LOAD, 5 + 2 * SETS, 4);
  cycle();
  sent(true, 5);
}

static void the_least_recently_used_line_goes(void **state) {
  (void)state;
  fetch(LOAD, 1);
  fetch(LOAD, 1 + SETS);
  request(LOAD, 1, 0); /* touched */
  fetch(LOAD, 1 + 2 * SETS);
  request(LOAD, 1, 7);
  answered(7);
  assert_int_equal(stats()->evictions, 1);
  request(LOAD, 1 + SETS, 8);
  assert_int_equal(b.moves.answers, 0);
  sent(false, 1 + SETS);
  assert_int_equal(stats()->misses, 4);
}

static void a_dirty_line_is_written_back(void **state) {
  (void)state;
  fetch(STORE, 1); /* a store that misses fetches the line */
  fetch(LOAD, 1 + SETS);
  put(LOAD, 1 + 2 * SETS, 4);
  cycle();
  assert_false(b.moves.taken); /* the write-back takes a cycle */
  sent(true, 1);
  cycle();
  assert_true(b.moves.taken);
  sent(false, 1 + 2 * SETS);
  put(LOAD, 1 + 3 * SETS, 5);
  cycle();
  sent(false, 1 + 3 * SETS); /* the other was clean */
  assert_int_equal(stats()->writebacks, 1);
  assert_int_equal(stats()->evictions, 2);
  for (unsigned i = 0; i < HD_BANK_FAILS; i++)
    assert_int_equal(stats()->fails[i], 0);
}

static void all_ways_in_flight(void **state) {
  (void)state;
  request(LOAD, 0, 1);
  const unsigned mshr = sent(false, 0);
  request(LOAD, SETS, 2);
  sent(false, SETS);
  put(LOAD, 2 * SETS, 3);
  for (unsigned i = 0; i < 5; i++)
    cycle();
  assert_int_equal(stats()->fails[HD_BANK_LINE], 5);
  hd_bank_fill(b.l2, mshr, b.now + 1);
  cycle();
  answered(1);
  assert_true(b.moves.taken);
  assert_int_equal(stats()->fails[HD_BANK_LINE], 5);
  assert_int_equal(stats()->evictions, 1);
}

static void all_mshrs_taken(void **state) {
  (void)state;
  for (unsigned i = 0; i < 3; i++) {
    request(LOAD, i, i);
    sent(false, i);
  }
  put(LOAD, 3, 3);
  cycle();
  assert_false(b.moves.taken);
  assert_int_equal(stats()->fails[HD_BANK_MSHR], 1);
  assert_true(hd_bank_next(b.l2, PLACES) == UINT64_MAX); /* it sleeps, and is counted all the same */
  b.now += 20;
  assert_int_equal(stats()->fails[HD_BANK_MSHR], 21);
}

static void no_place_for_answers(void **state) {
  (void)state;
  fetch(LOAD, 1);
  request(LOAD, 2, 1);
  hd_bank_fill(b.l2, sent(false, 2), b.now + 1);
  put(LOAD, 1, 2);
  b.places = 0;
  cycle();
  assert_int_equal(b.moves.answers, 0);
  assert_true(hd_bank_next(b.l2, 0) == UINT64_MAX);
  b.places = 1; /* the fill comes first */
  assert_true(hd_bank_wake(b.l2));
  cycle();
  answered(1);
  assert_false(b.moves.taken);
  assert_true(hd_bank_wake(b.l2)); /* that answer has left */
  cycle();
  answered(2);
  assert_int_equal(stats()->fails[HD_BANK_QUEUE], 2);
}

/* AWAY and one requests to DRAM, and latency and one from the crossbar. */
static void queues_are_bounded(void **state) {
  (void)state;
  end(NULL);
  b.c.l2.mshrs = 32;
  b.design = hd_design_new(&b.c);
  b.l2 = hd_bank_new(b.design);
  assert_non_null(b.l2);
  for (unsigned i = 0; i < AWAY + 1; i++)
    request(LOAD, i, i);
  unsigned held = 0;
  for (; !hd_bank_full(b.l2); held++)
    put(LOAD, 100 + held, 0);
  assert_int_equal(held, 10 + 1);
  cycle();
  assert_false(b.moves.taken);
  assert_int_equal(stats()->fails[HD_BANK_QUEUE], 1);
  hd_bank_fetched(b.l2);
  assert_true(hd_bank_wake(b.l2));
  cycle();
  assert_true(b.moves.taken);
  assert_false(hd_bank_full(b.l2));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
  const struct CMUnitTest tests[] = {
      TEST(a_miss_and_then_hits),
      TEST(merged_requests_are_answered_in_order),
      TEST(the_least_recently_used_line_goes),
      TEST(a_dirty_line_is_written_back),
      TEST(all_ways_in_flight),
      TEST(all_mshrs_taken),
      TEST(no_place_for_answers),
      TEST(queues_are_bounded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
