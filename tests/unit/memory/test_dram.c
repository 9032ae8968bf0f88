/* A DRAM channel: the timing of each command from the parameters, the order of requests, bandwidth, starvation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cmodel/memory/dram.h"
#include "workloads/rng.h"

enum { REQUESTS = 4096 };

static struct {
  struct hd_config c;
  struct hd_dram *d;
  uint64_t now;
  unsigned asked, done;
  uint64_t last[REQUESTS];  /* cycle of the last data of request n; 0: none yet */
  unsigned order[REQUESTS]; /* the n-th request served */
} b;

/* All timing parameters differ. A line takes 5 cycles of the bus. */
static int begin(void **state) {
  (void)state;
  hd_config_default(&b.c);
  b.c.dram.tCL = 13;
  b.c.dram.tWL = 4;
  b.c.dram.tRP = 11;
  b.c.dram.tRC = 47;
  b.c.dram.tRAS = 29;
  b.c.dram.tRCD = 17;
  b.c.dram.tRRD = 7;
  b.c.dram.tCCD = 2;
  b.c.dram.tWR = 19;
  b.c.dram.tCDLR = 6;
  b.c.dram.queue = 16;
  b.c.dram.bytes_per_cycle = 128 / 5 + 1;
  b.d = hd_dram_new(&b.c);
  b.now = b.asked = b.done = 0;
  return b.d ? 0 : -1;
}

static int end(void **state) {
  (void)state;
  hd_dram_free(b.d);
  return 0;
}

static unsigned ask(unsigned bank, uint64_t row, bool write) {
  assert_true(b.asked < REQUESTS && !hd_dram_full(b.d));
  b.last[b.asked] = 0;
  const struct hd_dram_request q = {.bank = bank, .row = row, .id = b.asked, .write = write};
  hd_dram_push(b.d, &q, b.now);
  return b.asked++;
}

/* Runs all cycles up to and including `until`. */
static void run(uint64_t until) {
  while (b.now < until) {
    struct hd_dram_request q;
    uint64_t last;
    if (!hd_dram_cycle(b.d, ++b.now, &q, &last))
      continue;
    b.last[q.id] = last;
    b.order[b.done++] = q.id;
  }
}

enum { ACT = 1 }; /* first cycle that looks at requests of cycle 0 */

static void read_times(void **state) {
  (void)state;
  const unsigned first = ask(0, 7, false), hit = ask(0, 7, false), miss = ask(0, 8, false);
  run(200);
  assert_int_equal(b.last[first], ACT + 17 + 13 + 5 - 1);
  assert_int_equal(b.last[hit], b.last[first] + 5); /* limited by the bus: 5 cycles are more than tCCD */
  /* precharge tRAS after the activate, activate tRC after it: 29 + 11 < 47 */
  assert_int_equal(b.last[miss], ACT + 47 + 17 + 13 + 5 - 1);
  assert_int_equal(hd_dram_stats(b.d)->row_hits, 1);
  assert_int_equal(hd_dram_stats(b.d)->activates, 2);
  assert_int_equal(hd_dram_stats(b.d)->busy, 15);
  /* after a long idle time only the commands cost cycles */
  const unsigned other = ask(0, 9, false);
  run(400);
  assert_int_equal(b.last[other], 201 + 11 + 17 + 13 + 5 - 1);
  const unsigned open = ask(0, 9, false);
  run(600);
  assert_int_equal(b.last[open], 401 + 13 + 5 - 1);
}

static void write_times(void **state) {
  (void)state;
  const unsigned write = ask(0, 7, true), read = ask(0, 7, false);
  run(100);
  assert_int_equal(b.last[write], ACT + 17 + 4 + 5 - 1);
  assert_int_equal(b.last[read], b.last[write] + 1 + 6 + 13 + 5 - 1); /* tCDLR after the last data */
  ask(0, 7, true);
  const unsigned miss = ask(0, 8, false);
  run(300);
  /* written from 101 + 4 to 109; tWR later the precharge */
  assert_int_equal(b.last[miss], 110 + 19 + 11 + 17 + 13 + 5 - 1);
  /* the read's data leave the bus before the write's data come */
  ask(0, 8, false);
  const unsigned after = ask(0, 8, true);
  run(500);
  assert_int_equal(b.last[after], 301 + 13 + 5 + 5 - 1);
}

static void activates_are_apart(void **state) {
  (void)state;
  const unsigned x = ask(0, 1, false), y = ask(1, 1, false), z = ask(2, 1, false);
  run(200);
  assert_int_equal(b.last[y], b.last[x] + 7); /* tRRD is longer than the bus time */
  assert_int_equal(b.last[z], b.last[x] + 14);
}

static void columns_are_apart(void **state) {
  (void)state;
  end(NULL);
  begin(NULL);
  hd_dram_free(b.d);
  b.c.dram.bytes_per_cycle = 128;
  b.c.dram.tCCD = 9;
  b.d = hd_dram_new(&b.c);
  assert_non_null(b.d);
  const unsigned x = ask(0, 1, false), y = ask(0, 1, false);
  run(200);
  assert_int_equal(b.last[x], ACT + 17 + 13);
  assert_int_equal(b.last[y], b.last[x] + 9);
}

static void row_hits_first_then_oldest(void **state) {
  (void)state;
  ask(0, 1, false); /* 0 */
  run(30);
  ask(0, 2, false); /* 1 */
  ask(0, 1, false); /* 2 */
  ask(1, 5, false); /* 3 */
  ask(0, 1, true);  /* 4 */
  ask(0, 2, false); /* 5 */
  ask(0, 1, false); /* 6: after 4, which is to the same row */
  run(400);
  static const unsigned want[] = {0, 2, 4, 3, 6, 1, 5};
  assert_int_equal(b.done, 7);
  for (unsigned i = 0; i < 7; i++)
    assert_int_equal(b.order[i], want[i]);
}

/* The bus limits a stream, as rows are opened in time. */
static void a_stream_fills_the_bus(void **state) {
  (void)state;
  enum { LINES = 2000, ROW = 16 };
  for (unsigned n = 0; n < LINES;) {
    for (; n < LINES && !hd_dram_full(b.d); n++)
      ask(n / ROW % 4, n / ROW / 4, false);
    run(b.now + 1);
  }
  run(b.now + 200);
  const struct hd_dram_stats *s = hd_dram_stats(b.d);
  assert_int_equal(s->reads, LINES);
  assert_int_equal(s->busy, LINES * 5);
  assert_int_equal(s->activates, LINES / ROW);
  const uint64_t took = b.last[b.order[LINES - 1]];
  assert_in_range(took, LINES * 5, LINES * 5 * 103 / 100);
}

/* Endless reads to an open row delay neither another row nor a write for more than the bound. */
static void nobody_starves(void **state) {
  (void)state;
  for (unsigned write = 0; write < 2; write++) {
    end(NULL);
    begin(NULL);
    ask(0, 1, false);
    const unsigned victim = ask(write, 2, write);
    while (!b.last[victim]) {
      if (!hd_dram_full(b.d))
        ask(0, 1, false);
      run(b.now + 1);
    }
    assert_true(b.done > 20); /* it had to wait for its turn */
    assert_in_range(b.asked, 8 * 16, 10 * 16);
  }
}

/* Random requests: all are served, the bus carries one line at a time, requests to one row keep their order, and `next` is never
 * late. */
static void random_requests(void **state) {
  (void)state;
  struct wl_rng rng = {9};
  static uint64_t row[REQUESTS];
  static unsigned bank[REQUESTS];
  uint64_t bus = 0;
  while (b.done < REQUESTS) {
    if (b.asked < REQUESTS && !hd_dram_full(b.d) && wl_rng_below(&rng, 4)) {
      const unsigned n = b.asked;
      bank[n] = wl_rng_below(&rng, 4);
      row[n] = wl_rng_below(&rng, 3);
      ask(bank[n], row[n], wl_rng_below(&rng, 3) == 0);
    }
    const uint64_t next = hd_dram_next(b.d), commands = b.done + hd_dram_stats(b.d)->activates;
    run(b.now + 1);
    if (b.done + hd_dram_stats(b.d)->activates != commands)
      assert_true(next <= b.now);
    assert_true(b.now < 40 * REQUESTS);
  }
  for (unsigned n = 0; n < REQUESTS; n++) {
    const unsigned id = b.order[n];
    assert_true(b.last[id] >= bus + 5);
    bus = b.last[id];
    for (unsigned later = n + 1; later < REQUESTS && later < n + 100; later++)
      if (bank[b.order[later]] == bank[id] && row[b.order[later]] == row[id])
        assert_true(b.order[later] > id);
  }
  assert_true(hd_dram_idle(b.d) && hd_dram_next(b.d) >= b.now);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
  const struct CMUnitTest tests[] = {
      TEST(read_times),
      TEST(write_times),
      TEST(activates_are_apart),
      TEST(columns_are_apart),
      TEST(row_hits_first_then_oldest),
      TEST(a_stream_fills_the_bus),
      TEST(nobody_starves),
      TEST(random_requests),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
