/* Miss classes on streams made and counted by hand. Lines are numbers. Warps are w0, w1 (one CTA) and far (another CTA). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cmodel/l1d/missclass.h"
#include "workloads/rng.h"

#include <string.h>
#include <sys/resource.h>

#if !defined __SANITIZE_ADDRESS__ &&                                                                         \
    !defined __SANITIZE_THREAD__ /* they need more address space than a limit leaves them */
#define LIMITED
#endif

enum { A = 100, B, C };
#define W0 hd_missclass_warp(0, 3, 0)
#define W1 hd_missclass_warp(0, 3, 1)
#define FAR hd_missclass_warp(0, 4, 0)

#define COUNTS(mc, compulsory_, capacity_, conflict_, intra, warp, block, evict)                             \
  do {                                                                                                       \
    const struct hd_miss_classes *n = hd_missclass_counts(mc);                                               \
    assert_int_equal(n->compulsory, compulsory_);                                                            \
    assert_int_equal(n->capacity, capacity_);                                                                \
    assert_int_equal(n->conflict, conflict_);                                                                \
    assert_int_equal(n->intra_warp, intra);                                                                  \
    assert_int_equal(n->cross_warp, warp);                                                                   \
    assert_int_equal(n->cross_block, block);                                                                 \
    assert_int_equal(n->write_evict, evict);                                                                 \
  } while (0)

/* The comment after each step lists the shadow's lines, the last used first. */
static void every_class(void **state) {
  (void)state;
  struct hd_missclass *mc = hd_missclass_new(2);
  hd_missclass_load(mc, A, W0, true); /* A */
  hd_missclass_load(mc, B, W0, true); /* BA */
  COUNTS(mc, 2, 0, 0, 0, 0, 0, 0);
  hd_missclass_replaced(mc, A, W0);
  hd_missclass_load(mc, A, W0, true); /* AB: the shadow had it */
  COUNTS(mc, 2, 0, 1, 1, 0, 0, 0);
  hd_missclass_load(mc, C, W1, true); /* CA */
  hd_missclass_replaced(mc, B, W1);
  hd_missclass_load(mc, B, W0, true); /* BC: the shadow did not have it */
  COUNTS(mc, 3, 1, 1, 1, 1, 0, 0);
  hd_missclass_replaced(mc, A, FAR);
  hd_missclass_load(mc, A, W0, true); /* AB */
  COUNTS(mc, 3, 2, 1, 1, 1, 1, 0);
  hd_missclass_store(mc, A); /* B */
  hd_missclass_written(mc, A);
  hd_missclass_load(mc, A, W0, true); /* AB */
  COUNTS(mc, 3, 3, 1, 1, 1, 1, 1);
  hd_missclass_free(mc);
}

static void hits_refresh_and_are_not_classified(void **state) {
  (void)state;
  struct hd_missclass *mc = hd_missclass_new(2);
  hd_missclass_load(mc, A, W0, true);
  hd_missclass_load(mc, B, W0, true);  /* BA */
  hd_missclass_load(mc, A, W1, false); /* AB */
  hd_missclass_load(mc, C, W0, true);  /* CA */
  hd_missclass_replaced(mc, A, W0);
  hd_missclass_replaced(mc, B, W0);
  hd_missclass_load(mc, A, W0, true); /* AC: the hit kept it */
  hd_missclass_load(mc, B, W0, true); /* BA: B had been evicted because of the hit */
  COUNTS(mc, 3, 1, 1, 2, 0, 0, 0);
  hd_missclass_free(mc);
}

/* A bypassed load leaves no line. The next miss is blamed on the warp that missed last. */
static void bypassed_lines_blame_the_last_to_miss(void **state) {
  (void)state;
  struct hd_missclass *mc = hd_missclass_new(2);
  hd_missclass_load(mc, A, W0, true);
  hd_missclass_load(mc, A, W1, true);
  hd_missclass_load(mc, A, W1, true);
  hd_missclass_load(mc, A, FAR, true);
  COUNTS(mc, 1, 0, 3, 1, 1, 1, 0);
  hd_missclass_free(mc);
}

static void another_launch_is_another_block(void **state) {
  (void)state;
  struct hd_missclass *mc = hd_missclass_new(2);
  hd_missclass_load(mc, A, hd_missclass_warp(0, 3, 0), true);
  hd_missclass_load(mc, A, hd_missclass_warp(1, 3, 0), true);
  COUNTS(mc, 1, 0, 1, 0, 0, 1, 0);
  hd_missclass_free(mc);
}

/* Loads in turn more lines than the shadow holds: LRU misses all. The tables grow meanwhile. */
static void many_lines(void **state) {
  (void)state;
  enum { LINES = 10000, ROUNDS = 3 };
  struct hd_missclass *mc = hd_missclass_new(LINES - 1);
  for (unsigned i = 0; i < ROUNDS * LINES; i++)
    hd_missclass_load(mc, i % LINES, W0, true);
  COUNTS(mc, LINES, (ROUNDS - 1) * LINES, 0, (ROUNDS - 1) * LINES, 0, 0, 0);
  hd_missclass_free(mc);
  mc = hd_missclass_new(LINES);
  for (unsigned i = 0; i < ROUNDS * LINES; i++)
    hd_missclass_load(mc, i % LINES, W0, true);
  COUNTS(mc, LINES, 0, (ROUNDS - 1) * LINES, (ROUNDS - 1) * LINES, 0, 0, 0);
  hd_missclass_store(mc, 123456); /* never loaded */
  hd_missclass_free(mc);
}

/* More lines than 16 bits can count. All are in the shadow, so no miss is a capacity miss. */
static void more_lines_than_16_bits_count(void **state) {
  (void)state;
  enum { LINES = 70000 };
  struct hd_missclass *mc = hd_missclass_new(LINES);
  for (int again = 0; again < 2; again++)
    for (uint64_t line = 0; line < LINES; line++) {
      hd_missclass_load(mc, line, W0, true);
      hd_missclass_replaced(mc, line, W0);
    }
  COUNTS(mc, LINES, 0, LINES, LINES, 0, 0, 0);
  for (uint64_t line = LINES - 5000; line < LINES;
       line++) { /* a store removes its own line from the shadow, and no other */
    hd_missclass_store(mc, line);
    hd_missclass_load(mc, line, W0, true);
  }
  COUNTS(mc, LINES, 5000, LINES, LINES + 5000, 0, 0, 0);
  hd_missclass_free(mc);
}

/* A random event on a few lines that share pages, or on one of many that do not. */
static void tell_any(struct wl_rng *rng, struct hd_missclass *mc[2]) {
  const uint64_t kind = wl_rng_below(rng, 8), warp = hd_missclass_warp(0, wl_rng_below(rng, 3) != 0, 0);
  const uint64_t line = wl_rng_below(rng, 2) ? wl_rng_below(rng, 20) : 16 * wl_rng_below(rng, 2000);
  for (unsigned i = 0; i < 2; i++)
    switch (kind) {
    case 0:
      hd_missclass_store(mc[i], line);
      break;
    case 1:
      hd_missclass_replaced(mc[i], line, warp);
      break;
    case 2:
      hd_missclass_written(mc[i], line);
      break;
    case 3:
      hd_missclass_lost(mc[i], line);
      break;
    default:
      hd_missclass_load(mc[i], line, warp, kind & 1);
    }
}

/* The classes process events later. Counts are the same whether they are read after each event or only at the end. */
static void asking_changes_nothing(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    struct hd_missclass *mc[2] = {hd_missclass_new(12), hd_missclass_new(12)};
    struct wl_rng rng = {seed};
    for (unsigned n = 0; n < 3000; n++) {
      tell_any(&rng, mc);
      hd_missclass_counts(mc[0]);
    }
    const struct hd_miss_classes *often = hd_missclass_counts(mc[0]), *once = hd_missclass_counts(mc[1]);
    if (memcmp(often, once, sizeof *often) != 0)
      fail_msg("seed %u: the counts differ", (unsigned)seed);
    assert_true(often->prefetch_early && often->write_evict && often->conflict && often->cross_block);
    hd_missclass_free(mc[0]);
    hd_missclass_free(mc[1]);
  }
}

/* No memory for more lines: that is told, and the lines that it knows are counted on. */
static void no_memory(void **state) {
  (void)state;
#ifdef LIMITED
  struct hd_missclass *mc = hd_missclass_new(2);
  hd_missclass_load(mc, A, W0, true);
  assert_false(hd_missclass_no_memory(mc));
  struct rlimit before, now;
  assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
  now = (struct rlimit){0, before.rlim_max}; /* no more than what the program has */
  assert_int_equal(setrlimit(RLIMIT_AS, &now), 0);
  uint64_t lines = 1;
  for (; lines < 1000000 && !hd_missclass_no_memory(mc); lines++)
    hd_missclass_load(mc, 1000 * lines, W0, true);
  assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
  assert_true(hd_missclass_no_memory(mc) && lines > 100);
  hd_missclass_load(mc, 1000 * lines, W0, true); /* and there is memory again */
  hd_missclass_load(mc, A, W0, true);
  COUNTS(mc, lines, 1, 0, 1, 0, 0, 0);
  assert_true(hd_missclass_no_memory(mc));
  hd_missclass_free(mc);
#else
  skip();
#endif
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_class),
      cmocka_unit_test(hits_refresh_and_are_not_classified),
      cmocka_unit_test(bypassed_lines_blame_the_last_to_miss),
      cmocka_unit_test(another_launch_is_another_block),
      cmocka_unit_test(many_lines),
      cmocka_unit_test(asking_changes_nothing),
      cmocka_unit_test(more_lines_than_16_bits_count),
      cmocka_unit_test(no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
