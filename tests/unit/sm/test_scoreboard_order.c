/* The scoreboard of sm_mem: versions and order. Correct traffic passes. Each planted error is caught, in its own words. */
#include "tests/unit/sm/scoreboard_rig.h"

static void test_stale(void **state) {
  (void)state;
  buffer(HD_SIG_WARP); /* own store, acknowledged */
  store(1, 7, 0x11);
  issue(1, LOAD, 7);
  data(1, 7, INITIAL);
  bad("wrong byte"); /* the older version is not kept: no load may return it */

  buffer(HD_SIG_WARP); /* the same, while an older load may still return it */
  issue(2, LOAD, 7);
  store(1, 7, 0x11);
  issue(1, LOAD, 7);
  data(1, 7, INITIAL);
  bad("stale data");

  buffer(HD_SIG_WARP); /* own store, not yet sent */
  issue(1, STORE, 7);
  issue(5, LOAD, 7); /* another warp's store: allowed */
  data(5, 7, INITIAL);
  assert_string_equal(hd_scoreboard_text(b.board), "");
  end();

  buffer(HD_SIG_WARP); /* a store sent before the load was issued, of any warp */
  issue(2, LOAD, 7);
  issue(6, STORE, 7);
  give(6, 0x66);
  ask(HD_STORE, 6, 7);
  issue(1, LOAD, 7);
  data(1, 7, INITIAL);
  bad("stale data");

  slot(); /* one slot: all is in order */
  issue(6, STORE, 7);
  issue(1, LOAD, 7);
  data(1, 7, INITIAL);
  bad("ordered before it was sent");
}

static void test_future(void **state) {
  (void)state;
  buffer(HD_SIG_WARP); /* a store on its way */
  issue(1, LOAD, 7);
  issue(6, STORE, 7);
  give(6, 0x66);
  data(1, 7, 0x66);
  bad("future data");

  buffer(HD_SIG_WARP); /* the same, sent: both results are allowed */
  issue(1, LOAD, 7);
  issue(2, LOAD, 7);
  issue(6, STORE, 7);
  give(6, 0x66);
  ask(HD_STORE, 6, 7);
  data(1, 7, 0x66);
  data(2, 7, INITIAL);
  assert_string_equal(hd_scoreboard_text(b.board), "");
  end();

  slot(); /* one slot: the store comes later */
  issue(1, LOAD, 7);
  issue(6, STORE, 7);
  give(6, 0x66);
  ask(HD_STORE, 6, 7);
  data(1, 7, 0x66);
  bad("future data");

  buffer(HD_SIG_BLOCK); /* of one CTA: one queue */
  issue(1, LOAD, 7);
  issue(2, STORE, 7);
  give(2, 0x22);
  ask(HD_STORE, 2, 7);
  data(1, 7, 0x22);
  bad("future data");
}

static void test_barrier(void **state) {
  (void)state;
  buffer(HD_SIG_WARP); /* a store before the barrier, not yet sent */
  issue(2, STORE, 7);
  b.epoch[1] = 1;
  issue(1, LOAD, 7);
  data(1, 7, INITIAL);
  bad("ordered before it was sent");

  buffer(HD_SIG_WARP); /* a store after the barrier */
  issue(1, LOAD, 7);
  b.epoch[2] = 1;
  issue(2, STORE, 7);
  give(2, 0x22);
  ask(HD_STORE, 2, 7);
  data(1, 7, 0x22);
  bad("future data");

  buffer(HD_SIG_WARP); /* stores on both sides swap their order */
  issue(2, STORE, 7);
  b.epoch[1] = 1;
  issue(1, STORE, 7);
  give(1, 0x11);
  ask(HD_STORE, 1, 7);
  bad("is sent before a store to its line that is ordered before it");

  buffer(HD_SIG_WARP); /* barriers of another CTA order nothing */
  issue(5, STORE, 7);
  b.epoch[1] = 1;
  issue(1, LOAD, 7);
  data(1, 7, INITIAL);
  assert_string_equal(hd_scoreboard_text(b.board), "");
  end();
}

/* Two instructions of one warp in flight: program order. */
static void test_same_warp(void **state) {
  (void)state;
  buffer(HD_SIG_WARP); /* two stores swap their order */
  issue(1, STORE, 7);
  b.slot = 1;
  issue(1, STORE, 7);
  give(1, 0x22);
  ask(HD_STORE, 1, 7);
  bad("is sent before a store to its line that is ordered before it");

  buffer(HD_SIG_WARP); /* the same to two lines: allowed */
  issue(1, STORE, 7);
  b.slot = 1;
  issue(1, STORE, 8);
  give(1, 0x22);
  ask(HD_STORE, 1, 8);
  assert_string_equal(hd_scoreboard_text(b.board), "");
  end();

  buffer(HD_SIG_WARP); /* a load overtakes the store before it */
  issue(1, STORE, 7);
  b.slot = 1;
  issue(1, LOAD, 7);
  for (unsigned w = 0; w < b.c.d.WORDS; w++)
    b.out.resp_data[w] = hd_memory_initial(7, w);
  b.out.resp = (struct resp){.wid = 1, .slot = 1, .last = 1};
  b.out.resp_valid = 1;
  tick();
  bad("ordered before it was sent");
}

/* MemSched: one queue per warp, whatever the signature, which only MRPB's queues use. */
static void test_queue_a_warp(void **state) {
  (void)state;
  begin(HD_MEMSCHED, HD_SIG_BLOCK);
  issue(1, STORE, 7);
  b.slot = 1;
  issue(1, STORE, 7);
  give(1, 0x22);
  ask(HD_STORE, 1, 7);
  bad("is sent before a store to its line that is ordered before it");

  begin(HD_MEMSCHED, HD_SIG_BLOCK);
  issue(1, STORE, 7);
  issue(2, STORE, 7);
  give(2, 0x22);
  ask(HD_STORE, 2, 7);
  assert_string_equal(hd_scoreboard_text(b.board), "");
  end();

  begin(HD_MEMSCHED, HD_SIG_BLOCK); /* barriers keep the order all the same */
  issue(1, STORE, 7);
  b.epoch[2] = 1;
  issue(2, STORE, 7);
  give(2, 0x22);
  ask(HD_STORE, 2, 7);
  bad("is sent before a store to its line that is ordered before it");
}

/* The histories do not grow: many stores to one line, with a load always inside. */
static void test_pruning(void **state) {
  (void)state;
  buffer(HD_SIG_WARP);
  unsigned old = 0;
  issue(old, LOAD, 7);
  uint64_t before = INITIAL;
  for (unsigned i = 0; i < 200; i++) {
    const unsigned new = (old + 1) % 2;
    store(5, 7, i);
    issue(new, LOAD, 7);
    data(old, 7, i % 2 ? i : before);
    done(old);
    before = i;
    old = new;
  }
  data(old, 7, before);
  good();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_stale),     cmocka_unit_test(test_future),       cmocka_unit_test(test_barrier),
      cmocka_unit_test(test_same_warp), cmocka_unit_test(test_queue_a_warp), cmocka_unit_test(test_pruning),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
