/* Generations of L2 lines: events by hand, and random events recounted from a list of all accesses. 2 sets of 2 ways, 3 MSHRs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cmodel/l2/l2_generations.h"
#include "workloads/rng.h"

enum { SETS = 2, WAYS = 2, MSHRS = 3, SM = 9 };

static struct {
  struct hd_config c;
  struct hd_generations *generations;
  uint64_t now;
} b;

static int begin(void **state) {
  (void)state;
  hd_config_default(&b.c);
  b.c.memory.kind = HD_MEM_L2;
  b.c.l2.sets = SETS;
  b.c.l2.ways = WAYS;
  b.c.l2.mshrs = MSHRS;
  b.c.loscache.gate = HD_GATE_NAIVE;
  assert_int_equal(hd_config_check(&b.c, NULL, NULL, stderr), 0);
  b.generations = hd_generations_new(&b.c);
  b.now = 0;
  return b.generations ? 0 : -1;
}

static int end(void **state) {
  (void)state;
  hd_generations_free(b.generations);
  return 0;
}

static void hear(unsigned event, uint64_t pred, uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3) {
  assert_true(HD_GENERATIONS_HEARD >> event & 1);
  const uint64_t arg[4] = {a0, a1, a2, a3};
  hd_generations_hear(b.generations, b.now, pred, event, arg);
}

/* Reports of the slice, as its specification's events. */
static void hit(uint64_t line, unsigned way, uint64_t pred) {
  hear(b.now % 2 ? EV_l2_slice_read_hit : EV_l2_slice_write_hit, pred, SM, line, line % SETS, way);
}
static void miss(uint64_t line, unsigned mshr, unsigned way, uint64_t pred) {
  hear(b.now % 2 ? EV_l2_slice_read_miss : EV_l2_slice_write_miss, pred, SM, line, mshr,
       line % SETS * WAYS + way);
}
static void merge(uint64_t line, unsigned mshr, unsigned nth, uint64_t pred) {
  hear(b.now % 2 ? EV_l2_slice_read_merge : EV_l2_slice_write_merge, pred, SM, line, mshr, nth);
}
static void keep(uint64_t line, unsigned way) {
  hear(EV_l2_slice_keep_tag, 1, line, line % SETS, way, 0);
}

static void assert_figures(uint64_t live, uint64_t generations, uint64_t predicted, uint64_t exact) {
  const struct hd_generation_stats s = hd_generations_stats(b.generations);
  assert_int_equal(s.live_cycles, live);
  assert_int_equal(s.count, generations);
  assert_int_equal(s.predicted, predicted);
  assert_int_equal(s.exact, exact);
}

static void from_first_to_last_access(void **state) {
  (void)state;
  assert_figures(0, 0, 0, 0);
  b.now = 10;
  miss(2, 0, 1, 0);
  b.now = 500;
  assert_figures(0, 1, 0, 0); /* one access: needs no storage */
  merge(2, 0, 1, 3);
  assert_figures(490, 1, 1, 0);
  b.now = 510;
  hit(2, 1, 0); /* no prediction: the last one holds */
  assert_figures(500, 1, 1, 1);
  b.now = 900;
  miss(4, 0, 1, 0); /* replaces line 2 */
  b.now = 1000;
  assert_figures(500, 2, 1, 1);
  miss(2, 1, 1, 2);
  assert_figures(500, 3, 2, 1); /* another generation */
}

/* A prediction is exact if it equals the number of accesses (LoSCache VI-A). With a greater one no line sleeps too early. */
static void a_prediction_may_be_enough(void **state) {
  (void)state;
  miss(2, 0, 1, 2);
  hit(2, 1, 0);
  miss(6, 0, 2, 5); /* more than ever come */
  hit(6, 2, 0);
  miss(3, 0, 1, 1);
  hit(3, 1, 0); /* too low */
  const struct hd_generation_stats s = hd_generations_stats(b.generations);
  assert_int_equal(s.predicted, 3);
  assert_int_equal(s.exact, 1);
  assert_int_equal(s.enough, 2);
}

static void a_line_powered_off_too_early_goes_on(void **state) {
  (void)state;
  miss(1, 0, 0, 2);
  b.now = 10;
  hit(1, 0, 2);
  assert_figures(10, 1, 1, 1);
  b.now = 100;
  miss(1, 2, 0, 3); /* in the same way */
  assert_figures(100, 1, 1, 1);
  b.now = 200;
  keep(1, 0);
  hear(EV_l2_slice_no_store_read, 1, SM, 1, 0, 0);
  assert_figures(200, 1, 1, 0);
}

static void lines_that_are_not_stored(void **state) {
  (void)state;
  hear(EV_l2_slice_no_store_write, 1, SM, 5, 0, 0); /* no tag: the generation is over */
  assert_figures(0, 1, 1, 1);
  b.now = 50;
  hear(EV_l2_slice_no_store_write, 1, SM, 5, 0, 0);
  assert_figures(0, 2, 2, 2);
  hear(EV_l2_slice_no_store_read, 1, SM, 6, 1, 0); /* lasts while it is in flight */
  b.now = 60;
  merge(6, 1, 1, 1);
  assert_figures(10, 3, 3, 2);
  hear(EV_l2_slice_no_store_fill, 0, 1, 0, 0, 0);
  b.now = 70;
  hear(EV_l2_slice_no_store_read, 1, SM, 6, 1, 0);
  assert_figures(10, 4, 4, 3);
}

/* The tag goes while the line is in flight. Later accesses belong to no tag. */
static void a_tag_may_go_first(void **state) {
  (void)state;
  keep(2, 0);
  hear(EV_l2_slice_no_store_read, 1, SM, 2, 0, 0);
  b.now = 5;
  merge(2, 0, 1, 1);
  assert_figures(5, 1, 1, 0);
  b.now = 7;
  miss(4, 1, 0, 0);
  b.now = 20;
  merge(2, 0, 2, 1);
  b.now = 30;
  merge(2, 0, 3, 2);
  assert_figures(5 + 10, 3, 2, 1);
}

/* ---- Random events ---- */

enum { ACCESSES = 4000, LINES = 14 };

/* Every access, and the number of its generation. */
static struct {
  uint64_t at, pred;
  unsigned generation;
} accessed[ACCESSES];
static unsigned n, generations;

/* The contents of a way, or of an MSHR. */
struct holder {
  uint64_t line;
  unsigned generation; /* 0: none */
};
static struct holder way_of[SETS][WAYS], flight[MSHRS];
static bool flies[MSHRS], kept[MSHRS];
static unsigned way_in[MSHRS]; /* of its line, if it is kept */

static void note(unsigned generation, uint64_t pred) {
  accessed[n].at = b.now;
  accessed[n].pred = pred;
  accessed[n++].generation = generation;
}

/* Puts the tag of a line into a way unless it is there. */
static unsigned tag(uint64_t line, unsigned way) {
  struct holder *h = &way_of[line % SETS][way];
  if (!h->generation || h->line != line)
    *h = (struct holder){line, ++generations};
  return h->generation;
}

static unsigned match(uint64_t line) {
  unsigned w = 0;
  while (w < WAYS && !(way_of[line % SETS][w].generation && way_of[line % SETS][w].line == line))
    w++;
  return w;
}

static bool busy(uint64_t line, unsigned way) {
  bool is = false;
  for (unsigned m = 0; m < MSHRS; m++)
    is |= flies[m] && kept[m] && flight[m].line % SETS == line % SETS && way_in[m] == way;
  return is;
}

static void random_merge(uint64_t line, unsigned m, uint64_t pred) {
  const unsigned w = match(line);
  if (w < WAYS) {
    note(way_of[line % SETS][w].generation, pred);
  } else {
    if (!flight[m].generation)
      flight[m].generation = ++generations;
    note(flight[m].generation, pred);
  }
  merge(line, m, 1, pred);
}

/* A decision about a line that is in no MSHR. `m` is free. */
static void random_decision(struct wl_rng *rng, uint64_t line, unsigned m, uint64_t pred) {
  const unsigned there = match(line), way = there < WAYS ? there : wl_rng_below(rng, WAYS);
  const bool leaves = !busy(line, way) && wl_rng_below(rng, 2);
  if (there < WAYS && wl_rng_below(rng, 4)) {
    note(way_of[line % SETS][there].generation, pred);
    hit(line, there, pred);
    return;
  }
  if (pred != 1) {
    if (busy(line, way))
      return;
    flies[m] = kept[m] = true;
    way_in[m] = way;
    flight[m].line = line;
    note(tag(line, way), pred);
    miss(line, m, way, pred);
    return;
  }
  if (there == WAYS && !leaves)
    note(++generations, pred);
  else
    note(tag(line, way), pred);
  if (there < WAYS || leaves)
    keep(line, way);
  if (wl_rng_below(rng, 2)) {
    hear(EV_l2_slice_no_store_write, pred, SM, line, 0, 0);
    return;
  }
  flies[m] = true;
  kept[m] = false;
  flight[m] = (struct holder){line, there == WAYS && !leaves ? generations : 0};
  hear(EV_l2_slice_no_store_read, pred, SM, line, m, 0);
}

static void recount(struct hd_generation_stats *s) {
  *s = (struct hd_generation_stats){.count = generations};
  for (unsigned g = 1; g <= generations; g++) {
    uint64_t first = UINT64_MAX, last = 0, accesses = 0, pred = 0;
    for (unsigned i = 0; i < n; i++)
      if (accessed[i].generation == g) {
        first = first < accessed[i].at ? first : accessed[i].at;
        last = accessed[i].at;
        accesses++;
        pred = accessed[i].pred ? accessed[i].pred : pred;
      }
    s->live_cycles += last - first;
    s->lived += accesses > 1;
    s->predicted += pred != 0;
    s->exact += pred && pred == accesses;
    s->enough += pred && pred >= accesses;
  }
}

static void random_events(void **state) {
  (void)state;
  struct wl_rng rng = {.state = 5};
  while (n < ACCESSES) {
    const uint64_t line = wl_rng_below(&rng, LINES), pred = wl_rng_below(&rng, 4);
    const unsigned m = wl_rng_below(&rng, MSHRS);
    b.now += 1 + wl_rng_below(&rng, 9);
    unsigned in = 0;
    while (in < MSHRS && !(flies[in] && flight[in].line == line))
      in++;
    if (in < MSHRS)
      random_merge(line, in, pred);
    else if (!flies[m])
      random_decision(&rng, line, m, pred);
    if (!flies[m] || wl_rng_below(&rng, 3))
      continue;
    flies[m] = false;
    if (!kept[m])
      hear(EV_l2_slice_no_store_fill, 0, m, 0, 0, 0);
    flight[m].generation = 0;
  }
  struct hd_generation_stats s;
  recount(&s);
  assert_true(s.predicted > 100 && s.exact > 20 && s.predicted < s.count);
  assert_figures(s.live_cycles, s.count, s.predicted, s.exact);
  assert_int_equal(hd_generations_stats(b.generations).lived, s.lived);
  assert_int_equal(hd_generations_stats(b.generations).enough, s.enough);
  assert_true(s.enough > s.exact && s.enough < s.predicted);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
  const struct CMUnitTest tests[] = {
      TEST(from_first_to_last_access),
      TEST(a_prediction_may_be_enough),
      TEST(a_line_powered_off_too_early_goes_on),
      TEST(lines_that_are_not_stored),
      TEST(a_tag_may_go_first),
      TEST(random_events),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
