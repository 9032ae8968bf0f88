/* Contention-aware selective caching: the examples of Choo's Figures 4.2 and 4.5, the cycles of docs/mechanisms/casc.md by
 * hand. Over 400 lines: each cycle of each example is written out. */
#include "tests/unit/casc/casc_rig.h"

#include "cmodel/model/bits.h"

/* ---- Requests through it ---- */

enum { MOST = 256 };

static struct {
  struct coalesced r[MOST];
  bool many[MOST];
  unsigned n, at;
} offered;

static struct {
  struct req r[MOST];
  unsigned cycle[MOST];
  unsigned n;
} got;

static unsigned now;

static void start(struct hd_config c) {
  build_ready(c);
  memset(&offered, 0, sizeof offered);
  memset(&got, 0, sizeof got);
  now = 0;
}

static void offer(struct coalesced r, bool many) {
  assert_true(offered.n < MOST);
  offered.many[offered.n] = many;
  offered.r[offered.n++] = r;
}

/* Offers the requests of one load. */
static void offer_load(unsigned wid, bool many, unsigned n, const uint64_t *line) {
  for (unsigned j = 0; j < n; j++)
    offer((struct coalesced){.line = line[j], .wid = wid, .slot = 1, .num = j, .last = j + 1 == n}, many);
}

/* Runs one cycle with the next offered request at the input. */
static void cycle(void) {
  rig.in.in_valid = offered.at < offered.n;
  if (rig.in.in_valid) {
    rig.in.in = offered.r[offered.at];
    rig.in.in_many = offered.many[offered.at];
  }
  look();
  if (rig.out.out_valid && rig.in.out_ready) {
    assert_true(got.n < MOST);
    got.cycle[got.n] = now;
    got.r[got.n++] = rig.out.out;
  }
  offered.at += rig.in.in_valid && rig.out.in_ready;
  edge();
  now++;
}

static void run(void) {
  while (got.n < offered.n) {
    assert_true(now < 10 * MOST);
    cycle();
  }
  cycle();
  assert_int_equal(got.n, offered.n);
  assert_int_equal(rig.out.out_valid, 0);
  assert_int_equal(rig.out.busy, 0);
}

/* Checks that the requests that came through from number `from` on are those offered, and that exactly those in `byp` bypass (bit j:
 * from + j). */
static void bypassed(unsigned from, unsigned n, uint64_t byp) {
  for (unsigned j = from; j < from + n; j++) {
    const struct req *r = &got.r[j];
    const struct coalesced *o = &offered.r[j];
    assert_int_equal(r->line, o->line);
    assert_int_equal(r->write, o->write);
    assert_int_equal(r->wid, o->wid);
    assert_int_equal(r->slot, o->slot);
    assert_int_equal(r->num, o->num);
    assert_int_equal(r->last, o->last);
    assert_int_equal(r->byp, hd_has(byp, j - from));
  }
}

/* Runs a single load with more runs than ways and checks which of its requests bypass. */
static void load_bypasses(struct hd_config c, unsigned n, const uint64_t *line, uint64_t byp) {
  start(c);
  offer_load(7, true, n, line);
  run();
  bypassed(0, n, byp);
  const unsigned bypasses = (unsigned)__builtin_popcountll(byp);
  assert_int_equal(EVENTS(bypass), bypasses);
  assert_int_equal(EVENTS(keep), n > c.l1d.ways ? n - bypasses : 0);
  assert_int_equal(EVENTS(gather), n);
  assert_int_equal(EVENTS(complete), 1);
  assert_int_equal(EVENTS(few), n <= c.l1d.ways);
  for (unsigned j = 0; j < n; j++)
    assert_int_equal(got.r[j].loc, c.casc.scheme == HD_CASC_LOCALITY && n > c.l1d.ways && !hd_has(byp, j));
  wreck();
}

/* ---- The schemes ---- */

/* Stride 4096 bytes = 32 sets of 128 bytes. */
static void figure_4_2(void **state) {
  (void)state;
  uint64_t line[32];
  for (unsigned j = 0; j < 32; j++)
    line[j] = (0x10000 + 4096 * j) / 128;
  load_bypasses(machine(HD_CASC_PER_SET, 32, 4, 32), 32, line, hd_ones(28));
  load_bypasses(machine(HD_CASC_LOCALITY, 32, 4, 32), 32, line, hd_ones(28));
}

/* Eight requests, two ways: five to one set, three to another. */
static void figure_4_5(void **state) {
  (void)state;
  static const uint64_t line[] = {0x10, 0x20, 0x31, 0x40, 0x51, 0x60, 0x71, 0x80};
  load_bypasses(machine(HD_CASC_ALL, 16, 2, 8), 8, line, 0xff);
  load_bypasses(machine(HD_CASC_FIRST, 16, 2, 8), 8, line, 0xfc);
  load_bypasses(machine(HD_CASC_LAST, 16, 2, 8), 8, line, 0x3f);
  load_bypasses(machine(HD_CASC_PER_SET, 16, 2, 8), 8, line, 0x0f); /* 10 20 31 40: 60 80, 51 71 stay */
  load_bypasses(machine(HD_CASC_LOCALITY, 16, 2, 8), 8, line, 0x0f);
  static const uint64_t apart[] = {0x11, 0x20, 0x31, 0x40, 0x51, 0x60, 0x70, 0x80};
  load_bypasses(machine(HD_CASC_PER_SET, 16, 2, 8), 8, apart, 0x2b); /* 11; 20 40 60 */
}

/* More requests than ways in total, but never more than ways in one set. */
static void sets_apart_are_all_cached(void **state) {
  (void)state;
  static const uint64_t line[] = {0, 1, 2, 3, 16, 17, 18, 19};
  load_bypasses(machine(HD_CASC_PER_SET, 16, 2, 8), 8, line, 0);
  load_bypasses(machine(HD_CASC_PER_SET, 2, 2, 8), 8, line, 0x0f);
  load_bypasses(machine(HD_CASC_PER_SET, 2, 1, 8), 8, line, 0x3f);
}

/* The set is that of the L1D, for every index function. */
static void sets_are_those_of_the_l1d(void **state) {
  (void)state;
  struct hd_config c = machine(HD_CASC_PER_SET, 32, 4, 32);
  uint64_t line[32];
  for (unsigned j = 0; j < 32; j++)
    line[j] = j << 5;
  c.l1d.set_index = HD_INDEX_XOR; /* 32 sets */
  load_bypasses(c, 32, line, 0);
  for (unsigned j = 0; j < 32; j++)
    line[j] = j << 5 | j;
  load_bypasses(c, 32, line, hd_ones(28)); /* set 0 alone */
  c.l1d.set_index = HD_INDEX_FERMI;
  for (unsigned j = 0; j < 32; j++)
    line[j] = j << 13; /* bits that do not count for the set */
  load_bypasses(c, 32, line, hd_ones(28));
  for (unsigned j = 0; j < 32; j++)
    line[j] =
        j << 6; /* bits 6, 7, 8 and 10 give the set, bit 9 does not count: two requests in each of 16 sets */
  load_bypasses(c, 32, line, 0);
}

/* As many requests as ways: nothing bypasses. One more request starts bypassing. */
static void the_border(void **state) {
  (void)state;
  static const uint64_t line[] = {0x10, 0x20, 0x30, 0x40, 0x50};
  for (enum hd_casc scheme = HD_CASC_ALL; scheme <= HD_CASC_LOCALITY; scheme++) {
    load_bypasses(machine(scheme, 16, 4, 8), 4, line, 0);
    load_bypasses(machine(scheme, 16, 4, 8), 5, line,
                  scheme == HD_CASC_ALL     ? 0x1f
                  : scheme == HD_CASC_FIRST ? 0x10
                                            : 0x01);
  }
}

/* ---- The cycles ---- */

static void few_runs_pass_in_the_same_cycle(void **state) {
  (void)state;
  static const uint64_t line[] = {0x10, 0x20, 0x30, 0x40};
  start(machine(HD_CASC_ALL, 16, 4, 8));
  offer_load(1, false, 4, line);
  offer_load(2, false, 1, line);
  run();
  bypassed(0, 5, 0);
  for (unsigned j = 0; j < 5; j++)
    assert_int_equal(got.cycle[j], j);
  assert_int_equal(EVENTS(pass), 5);
  assert_int_equal(EVENTS(gather) + EVENTS(wait), 0);
  rig.in.in_valid = 1; /* not taken behind, so not taken here */
  rig.in.in_many = 0;
  rig.in.out_ready = 0;
  look();
  assert_int_equal(rig.out.out_valid, 1);
  assert_int_equal(rig.out.in_ready, 0);
  edge();
  assert_int_equal(EVENTS(wait), 1);
  wreck();
}

/* Lanes return to a line: many runs but only two lines. */
static void gathered_in_vain(void **state) {
  (void)state;
  static const uint64_t line[] = {0x10, 0x20};
  load_bypasses(machine(HD_CASC_ALL, 16, 4, 8), 2, line, 0);
  start(machine(HD_CASC_ALL, 16, 4, 8));
  offer_load(1, true, 2, line);
  run();
  assert_int_equal(got.cycle[0], 3); /* gathered in 0 and 1, read in 2 */
  assert_int_equal(got.cycle[1], 4);
  wreck();
}

/* One request comes and one leaves per cycle. A third load finds both banks full until the first load has left. */
static void two_loads_back_to_back(void **state) {
  (void)state;
  uint64_t line[32];
  for (unsigned j = 0; j < 32; j++)
    line[j] = 32 * j;
  start(machine(HD_CASC_PER_SET, 32, 4, 32));
  for (unsigned w = 0; w < 3; w++)
    offer_load(w, true, 32, line);
  while (now < 64) {
    cycle();
    assert_int_equal(offered.at, now);
  }
  assert_int_equal(rig.m->s.full, 3);
  cycle(); /* the first load's last request leaves */
  assert_int_equal(offered.at, 64);
  assert_int_equal(EVENTS(wait), 1);
  assert_int_equal(got.n, 32);
  run();
  for (unsigned j = 0; j < 96; j++)
    assert_int_equal(got.cycle[j], j < 64 ? 33 + j : 34 + j);
  for (unsigned w = 0; w < 3; w++)
    bypassed(32 * w, 32, hd_ones(28));
  assert_int_equal(EVENTS(complete), 3);
  wreck();
}

static void who_passes_waits_for_what_is_gathered(void **state) {
  (void)state;
  static const uint64_t line[] = {0x10, 0x20, 0x30, 0x40, 0x50};
  start(machine(HD_CASC_LAST, 16, 4, 8));
  offer_load(1, true, 5, line);
  offer((struct coalesced){.line = 0x10, .write = 1, .wid = 1, .last = 1},
        true); /* a store is never gathered */
  offer_load(2, false, 2, line);
  offer_load(3, true, 5, line);
  offer_load(4, false, 1, line);
  while (offered.at < 5)
    cycle();
  look();
  for (unsigned i = 0; i < 6; i++) { /* one request is read, five leave */
    cycle();
    assert_int_equal(offered.at, 5);
    assert_int_equal(rig.out.in_ready, 0);
  }
  run();
  bypassed(0, 14, 1 << 0 | 1 << 8);
  assert_int_equal(got.cycle[4], 10);
  assert_int_equal(got.cycle[5], 11); /* the store */
  assert_int_equal(got.cycle[7], 13);
  assert_int_equal(got.cycle[12], 24);
  assert_int_equal(got.cycle[13], 25);
  assert_int_equal(EVENTS(pass), 4);
  assert_int_equal(EVENTS(wait), 6 + 6);
  wreck();
}

/* A load that is half gathered lets nothing pass, although nothing can leave yet. */
static void the_output_waits(void **state) {
  (void)state;
  static const uint64_t line[] = {0x10, 0x20, 0x30, 0x40, 0x50};
  start(machine(HD_CASC_FIRST, 16, 4, 8));
  offer_load(1, true, 5, line);
  rig.in.out_ready = 0;
  for (unsigned i = 0; i < 9; i++) {
    cycle();
    assert_int_equal(rig.out.out_valid, i > 5);
    if (i > 5)
      assert_int_equal(rig.out.out.line, 0x10);
  }
  offer_load(2, true, 5, line);
  offer_load(3, true, 5, line);
  for (unsigned i = 0; i < 9; i++)
    cycle();
  assert_int_equal(offered.at, 10);
  assert_int_equal(rig.m->s.next, 1);
  rig.in.out_ready = 1;
  run();
  for (unsigned w = 0; w < 3; w++)
    bypassed(5 * w, 5, 0x10);
  wreck();
}

/* D-MIX-2. A load keeps the enable that it began with. */
static void enable(void **state) {
  (void)state;
  static const uint64_t line[] = {0x10, 0x20, 0x30, 0x40, 0x50};
  start(machine(HD_CASC_ALL, 16, 4, 8));
  rig.in.en = 0;
  offer_load(1, true, 5, line);
  cycle();
  cycle();
  assert_int_equal(got.n, 2);
  rig.in.en = 1; /* in the middle of a load */
  while (offered.at < offered.n)
    cycle();
  assert_int_equal(got.n, 5);
  assert_int_equal(EVENTS(pass), 5);
  bypassed(0, 5, 0);

  offer_load(2, true, 5, line);
  cycle();
  rig.in.en = 0; /* in the middle of a load */
  offer_load(3, true, 5, line);
  while (offered.at < 10)
    cycle();
  assert_int_equal(EVENTS(gather), 5);
  run();
  assert_int_equal(EVENTS(pass), 10);
  bypassed(5, 5, 0x1f);
  bypassed(10, 5, 0);
  wreck();
}

static void busy_is_what_is_gathered(void **state) {
  (void)state;
  static const uint64_t line[] = {0x10, 0x20, 0x30, 0x40, 0x50};
  start(machine(HD_CASC_ALL, 16, 4, 8));
  offer_load(47, false, 1, line);
  offer_load(5, true, 5, line);
  offer_load(9, true, 5, line);
  cycle(); /* passes */
  assert_int_equal(rig.out.busy, 0);
  for (unsigned i = 0; i < 12; i++) {
    cycle();
    const bool first = i >= 1 && i <= 10, second = i >= 6;
    assert_int_equal(rig.out.busy, (uint64_t)first << 5 | (uint64_t)second << 9);
  }
  run();
  offer_load(9, true, 5, line); /* one warp fills both banks */
  offer_load(9, true, 5, line);
  for (unsigned i = 0; i < 8; i++)
    cycle();
  assert_int_equal(rig.out.busy, 1 << 9);
  run();
  wreck();
}

/* The values that all requests of a load share, in the configurations that have them. */
static void goes_along(struct hd_config c) {
  static const uint64_t line[] = {0x10, 0x20, 0x30, 0x40, 0x50};
  start(c);
  const struct hd_derived *d = &rig.c.d;
  for (unsigned w = 0; w < 2; w++) {
    offer_load(w, true, 5, line);
    for (struct coalesced *r = &offered.r[5 * w]; r < &offered.r[5 * w + 5]; r++) {
      r->gid = (2 + w) & hd_ones(d->GID_W);
      r->pc = (0x87654321 + w) & hd_ones(d->REQ_PC_W);
      r->low = (0x71 + w) & hd_ones(d->LOW_W);
      r->hpc = (0x55 + w) & hd_ones(d->HPC_W);
    }
  }
  while (got.n < 10) {
    rig.in.in_sig = (offered.at < 5 ? 3 : 6) & hd_ones(d->SIG_W);
    cycle();
    if (rig.out.out_valid && d->SIG_W)
      assert_int_equal(rig.out.out_sig, got.n <= 5 ? 3 : 6);
  }
  for (unsigned j = 0; j < 10; j++) {
    assert_int_equal(got.r[j].gid, offered.r[j].gid);
    assert_int_equal(got.r[j].pc, offered.r[j].pc);
    assert_int_equal(got.r[j].low, offered.r[j].low);
    assert_int_equal(got.r[j].hpc, offered.r[j].hpc);
  }
  wreck();
}

static void what_a_load_brings_goes_along(void **state) {
  (void)state;
  struct hd_config c = machine(HD_CASC_LOCALITY, 16, 4, 8);
  c.request_buffer.kind = HD_MRPB;
  c.request_buffer.signature = HD_SIG_BLOCK;
  c.scheduler.policy = HD_LAWS;
  goes_along(c);
  c = machine(HD_CASC_PER_SET, 16, 4, 8);
  c.prefetch.kind = HD_PF_STR;
  goes_along(c);
}

static void what_repeats(void **state) {
  (void)state;
  static const uint64_t line[] = {0x10, 0x20, 0x30, 0x40, 0x50};
  start(machine(HD_CASC_ALL, 16, 4, 8));
  look();
  assert_int_equal(casc_tick(rig.m, &rig.in), 0);
  offer_load(1, true, 5, line);
  for (unsigned i = 0; i < 4; i++)
    cycle();
  rig.in.in_valid = 0;
  look();
  assert_int_equal(casc_tick(rig.m, &rig.in), 0); /* half a load */
  rig.in = (struct casc_in){.en = 1, .in_valid = 1, .in = offered.r[4], .in_many = 1};
  look();
  assert_int_equal(casc_tick(rig.m, &rig.in), HD_MOVES); /* complete: it is read next */
  rig.in.in.write = 1;
  look();
  assert_int_equal(casc_tick(rig.m, &rig.in), hd_bit(EV_casc_wait));
  look();
  assert_int_equal(casc_tick(rig.m, &rig.in), hd_bit(EV_casc_wait));
  rig.in.in_valid = 0;
  look();
  assert_int_equal(casc_tick(rig.m, &rig.in), 0);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(figure_4_2),
      cmocka_unit_test(figure_4_5),
      cmocka_unit_test(sets_apart_are_all_cached),
      cmocka_unit_test(sets_are_those_of_the_l1d),
      cmocka_unit_test(the_border),
      cmocka_unit_test(few_runs_pass_in_the_same_cycle),
      cmocka_unit_test(gathered_in_vain),
      cmocka_unit_test(two_loads_back_to_back),
      cmocka_unit_test(who_passes_waits_for_what_is_gathered),
      cmocka_unit_test(the_output_waits),
      cmocka_unit_test(enable),
      cmocka_unit_test(busy_is_what_is_gathered),
      cmocka_unit_test(what_a_load_brings_goes_along),
      cmocka_unit_test(what_repeats),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
