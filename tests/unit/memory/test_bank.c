/* A bank of the L2: cycles and figures of requests that are alone. */
#include "tests/unit/memory/bank_rig.h"

/* A request that has passed the crossbar in this cycle. */
static void put(unsigned kind, uint64_t line, unsigned pred) {
  const struct l2req q = {.kind = kind, .line = line, .sm = 3, .num = 5, .pred = pred};
  assert_false(hd_bank_full(b.bank));
  hd_bank_push(b.bank, &q, b.now + b.c.l2.latency);
}

/* Runs the bank until it answers, only in cycles in which it may act. Returns the cycle. */
static uint64_t answered(void) {
  for (;;) {
    const uint64_t next = hd_bank_next(b.bank, true);
    assert_true(next != UINT64_MAX);
    b.now = next > b.now ? next : b.now;
    cycle(true);
    if (b.moves.answered)
      return b.now - 1;
  }
}

/* Runs until the bank sends something to the memory, which takes it. Returns the cycle. */
static uint64_t sent(struct hd_bank_fetch *fetch) {
  do
    cycle(true);
  while (!b.moves.sent);
  *fetch = *hd_bank_fetch(b.bank);
  hd_bank_fetched(b.bank);
  hd_bank_wake(b.bank);
  return b.now - 1;
}

static void settle(void) {
  while (hd_bank_next(b.bank, true) <= b.now)
    cycle(true);
  assert_true(hd_bank_next(b.bank, true) == UINT64_MAX);
}

/* A miss whose line arrives `later` cycles after its request has left. */
static uint64_t fetched(unsigned kind, uint64_t line, unsigned pred, unsigned later) {
  struct hd_bank_fetch f;
  put(kind, line, pred);
  sent(&f);
  assert_false(f.write);
  assert_int_equal(f.line, line);
  assert_false(hd_bank_sending(b.bank));
  hd_bank_fill(b.bank, f.mshr, b.now + AWAY + later);
  const uint64_t at = answered();
  settle();
  return at;
}

/* Checks what the last access has sent to the memory. */
static void written(uint64_t line) {
  const struct hd_bank_fetch *f = hd_bank_fetch(b.bank);
  assert_true(f && f->write);
  assert_int_equal(f->line, line);
  hd_bank_fetched(b.bank);
}

static void times_are_those_of_the_ways(void **state) {
  (void)state;
  struct hd_bank_fetch f;
  begin(HD_GATE_OFF, WAY, AWAY);
  assert_true(hd_bank_next(b.bank, true) == UINT64_MAX);
  b.now = 100;
  put(HD_FILL, 7, 0);
  assert_int_equal(hd_bank_next(b.bank, true), 100 + WAY - TO_ANSWER);
  assert_int_equal(sent(&f), 100 + WAY);
  assert_int_equal(f.at, 100 + WAY + AWAY);
  settle();
  hd_bank_fill(b.bank, f.mshr, 300);
  assert_int_equal(hd_bank_next(b.bank, true), 300 - TO_RETURN);
  assert_int_equal(answered(), 300);
  assert_int_equal(b.answer.sm, 3);
  assert_int_equal(b.answer.num, 5);
  settle();
  b.now = 400;
  put(HD_STORE, 7, 0);
  assert_int_equal(answered(), 400 + WAY);
  end();
}

/* Ways shorter than the slice's own latency: a request that passed the crossbar or the DRAM arrives in the next cycle. */
static void ways_may_be_short(void **state) {
  (void)state;
  struct hd_bank_fetch f;
  begin(HD_GATE_OFF, 2, 1);
  put(HD_FILL, 7, 0);
  assert_int_equal(sent(&f), 1 + TO_ANSWER);
  const uint64_t passed = b.now;
  hd_bank_fill(b.bank, f.mshr, passed + 1);
  assert_int_equal(answered(), passed + 1 + TO_RETURN);
  end();
}

/* With the right prediction a line is powered exactly as long as it lives. */
static void a_right_prediction_is_ideal(void **state) {
  (void)state;
  begin(HD_GATE_ADAPTIVE, WAY, AWAY);
  fetched(HD_FILL, 1, 3, 50);
  b.now += 100;
  put(HD_STORE, 1, 3);
  answered();
  settle();
  b.now += 1000;
  put(HD_FILL, 1, 3);
  answered();
  settle();
  written(1);
  b.now += 5000;
  const struct hd_bank_stats *s = stats();
  assert_true(s->awake_cycles > 1100 && s->awake_cycles < 1400);
  assert_int_equal(s->awake_cycles, s->generations.live_cycles);
  assert_int_equal(s->line_cycles, b.now * SETS * WAYS);
  assert_int_equal(s->closes_last, 1);
  assert_int_equal(s->wakes, 1);
  assert_int_equal(s->close_writebacks, 1);
  assert_int_equal(s->generations.count, 1);
  assert_int_equal(s->generations.exact, 1);
  end();
}

static void what_is_read_and_written(void **state) {
  (void)state;
  begin(HD_GATE_NAIVE, WAY, AWAY);
  fetched(HD_FILL, 1, 2, 30); /* data written */
  put(HD_FILL, 1, 2);         /* read: its last */
  answered();
  settle();
  put(HD_QUERY, 1, 0);
  answered();
  assert_int_equal(b.answer.kind, HD_QUERY);
  assert_int_equal(b.answer.count, 2);
  settle();
  fetched(HD_STORE, 1, 4, 30); /* too early; data written */
  assert_true(b.answer.count);
  put(HD_STORE, 1, 2); /* its last: data read, and sent */
  answered();
  settle();
  written(1);
  fetched(HD_BYPASSED, 2, 1, 30); /* not stored; its tag is */
  const struct hd_bank_stats *s = stats();
  assert_int_equal(s->looks, 6);
  assert_int_equal(s->data_writes, 2);
  assert_int_equal(s->data_reads, 2);
  assert_int_equal(s->count_writes, 5); /* all but the query's */
  assert_int_equal(s->queries, 1);
  assert_int_equal(s->early, 1);
  assert_int_equal(s->no_store_reads, 1);
  assert_int_equal(s->wakes, 2);
  assert_int_equal(s->closes_last, 2);
  assert_int_equal(s->generations.count, 2); /* the line that was fetched again continues its generation */
  assert_int_equal(s->generations.predicted, 2);
  assert_int_equal(s->generations.exact, 1);
  assert_int_equal(stats()->misses, 3);
  assert_int_equal(stats()->reads, 3);
  assert_int_equal(stats()->writes, 2);
  end();
}

static void waits_are_counted_asleep_or_not(void **state) {
  (void)state;
  struct hd_bank_fetch f;
  begin(HD_GATE_OFF, WAY, AWAY);
  for (unsigned i = 0; i < 2; i++) {
    put(HD_FILL, 3, 0);
    cycle(true);
  }
  put(HD_FILL, 3, 0); /* the MSHR is full */
  sent(&f);
  settle();
  const uint64_t before = stats()->fails[HD_BANK_MERGE];
  b.now += 1000;
  assert_int_equal(stats()->fails[HD_BANK_MERGE], before + 1000);
  assert_int_equal(stats()->merges, 1);
  hd_bank_fill(b.bank, f.mshr, b.now + AWAY);
  answered();
  settle();
  assert_int_equal(stats()->read_hits, 1);
  end();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(times_are_those_of_the_ways),     cmocka_unit_test(ways_may_be_short),
      cmocka_unit_test(a_right_prediction_is_ideal),     cmocka_unit_test(what_is_read_and_written),
      cmocka_unit_test(waits_are_counted_asleep_or_not),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
