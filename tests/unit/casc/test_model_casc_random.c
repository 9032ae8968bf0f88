/* Contention-aware selective caching with random traffic against a reference that counts plainly. */
#include "tests/unit/casc/casc_rig.h"

#include "cmodel/casc/casc_cycle.h"
#include "cmodel/model/bits.h"
#include "tests/unit/chance.h"

static struct {
  struct req r[64]; /* expected at the output: a ring */
  unsigned first, n;
  struct coalesced gathered[32];
  unsigned gathering; /* requests of the load that is still being gathered */
} ref;

static void ref_expect(const struct coalesced *from, bool byp, bool loc) {
  struct req r = hd_request_of(from);
  r.byp = byp;
  r.loc = loc;
  assert_true(ref.n < 64);
  ref.r[(ref.first + ref.n++) % 64] = r;
}

static uint64_t ref_busy(void) {
  uint64_t warps = ref.gathering ? hd_bit(ref.gathered[0].wid) : 0;
  for (unsigned i = 0; i < ref.n; i++)
    warps |= hd_bit(ref.r[(ref.first + i) % 64].wid);
  return warps;
}

/* Returns true if request j of the gathered load bypasses. The load has d requests, more than ways. Sets are linear. */
static bool ref_bypasses(unsigned j, unsigned d) {
  const unsigned n = rig.c.l1d.ways;
  unsigned later = 0;
  for (unsigned i = j + 1; i < d; i++)
    later += ref.gathered[i].line % rig.c.l1d.sets == ref.gathered[j].line % rig.c.l1d.sets;
  switch (rig.c.casc.scheme) {
  case HD_CASC_ALL:
    return true;
  case HD_CASC_FIRST:
    return j >= n;
  case HD_CASC_LAST:
    return j < d - n;
  default:
    return later >= n;
  }
}

static void ref_gathered(void) {
  const unsigned d = ref.gathering;
  for (unsigned j = 0; j < d; j++) {
    const bool many = d > rig.c.l1d.ways, byp = many && ref_bypasses(j, d);
    ref_expect(&ref.gathered[j], byp, many && !byp && rig.c.casc.scheme == HD_CASC_LOCALITY);
  }
  ref.gathering = 0;
}

/* The source of requests: the current instruction, and the number of its requests that are left. */
static struct {
  struct coalesced next;
  unsigned left;
  bool many, offering;
  bool mine; /* the module gathers the load */
} source;

/* Draws the next instruction: a store, a load of few runs, or one of many. */
static void random_instruction(void) {
  const unsigned ways = rig.c.l1d.ways;
  source.left = 1 + (unsigned)draw_below(draw_below(3) ? rig.c.sm.lanes : ways);
  source.many = source.left > ways || draw_below(4) == 0;
  source.next = (struct coalesced){.write = draw_below(8) == 0,
                                   .wid = draw_below(rig.c.sm.warps),
                                   .slot = draw() & hd_ones(rig.c.d.SLOT_W),
                                   .hpc = draw() & hd_ones(rig.c.d.HPC_W)};
}

/* hurry and eager are in quarters: how often a request comes and how often one is taken. */
static void random_inputs(unsigned hurry, unsigned eager, bool over) {
  if (draw_below(50) == 0)
    rig.in.en = draw_below(2);
  rig.in.out_ready = over || draw_below(4) < eager;
  if (!source.left && !over)
    random_instruction();
  if (!source.offering && source.left && (over || draw_below(4) < hurry)) {
    source.offering = true;
    source.next.line = draw_below(draw_below(2) ? 8 : 1024);
    source.next.last = source.left == 1;
  }
  rig.in.in_valid = source.offering;
  rig.in.in = source.next;
  rig.in.in_many = source.many;
}

/* Checks the outputs. Gathered requests go first; a request passes at once if nothing is gathered. Returns NULL if all is right. */
static const char *check(void) {
  const bool passes = source.offering && !source.mine && !ref.n && !ref.gathering;
  const struct req as_it_is = hd_request_of(&source.next);
  if (rig.out.busy != ref_busy())
    return "busy";
  if (passes && (!rig.out.out_valid || rig.out.in_ready != rig.in.out_ready))
    return "does not pass";
  if (!rig.out.out_valid)
    return NULL;
  if (!passes && !ref.n)
    return "a request that should not be";
  if (memcmp(&rig.out.out, passes ? &as_it_is : &ref.r[ref.first], sizeof as_it_is) != 0)
    return "another request";
  if (!passes && rig.in.out_ready) {
    ref.first = (ref.first + 1) % 64;
    ref.n--;
  }
  return NULL;
}

static void take(void) {
  if (source.mine)
    ref.gathered[ref.gathering++] = source.next;
  if (source.mine && source.next.last)
    ref_gathered();
  source.next.num++;
  source.offering = false;
  source.left--;
}

/* Returns the number of requests that bypassed. */
static uint64_t random_run(uint64_t seed) {
  enum { CYCLES = 6000, OVER = 5800 };
  static const unsigned lanes[] = {4, 8, 12, 32};
  chance_state = seed;
  const unsigned l = lanes[draw_below(4)];
  build_ready(machine(HD_CASC_ALL + (enum hd_casc)(seed % 5), 2u << draw_below(5),
                      1 + (unsigned)draw_below(l - 1), l));
  memset(&ref, 0, sizeof ref);
  memset(&source, 0, sizeof source);
  const unsigned hurry = 1 + (unsigned)draw_below(4), eager = 1 + (unsigned)draw_below(4);
  for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
    random_inputs(hurry, eager, cycle >= OVER);
    look();
    if (source.offering && source.next.num == 0)
      source.mine = rig.in.en && source.many && !source.next.write;
    const char *const wrong = check();
    if (wrong)
      fail_msg("seed %llu, cycle %u: %s", (unsigned long long)seed, cycle, wrong);
    if (source.offering && rig.out.in_ready)
      take();
    edge();
  }
  assert_int_equal(ref.n + ref.gathering + source.left, 0);
  state_fits();
  assert_true(EVENTS(gather) && EVENTS(complete) && EVENTS(pass) && EVENTS(wait));
  const uint64_t bypassed = EVENTS(bypass);
  wreck();
  return bypassed;
}

static void as_the_reference(void **state) {
  (void)state;
  uint64_t bypassed = 0;
  for (uint64_t seed = 1; seed <= 60; seed++)
    bypassed += random_run(seed);
  assert_true(bypassed > 10000);
}

/* Counts as rtl_gen/casc/casc.v does: request `num` of the load in bank b goes to this set. A count has LATER_W bits. */
static void count_as_rtl(uint64_t *set, uint64_t *later, unsigned lanes, uint64_t ways, uint64_t num,
                         uint64_t to) {
  for (unsigned j = 0; j < lanes - 1; j++)
    if (j < num && set[j] == to && later[j] != ways)
      later[j] = (later[j] + 1) & hd_ones(rig.c.d.LATER_W);
  if (num < lanes - 1)
    set[num] = to;
  if (num < lanes)
    later[num] = 0;
}

/* Flips a bit of the registers that count, in the model and in the reference. */
static void flip_counts(uint64_t *set, uint64_t *later, unsigned lanes) {
  struct casc_st *const s = &rig.m->s;
  const uint64_t i = draw_below(lanes - 1), k = draw_below(2 * lanes);
  switch (draw_below(3)) {
  case 0:
    set[i] = s->set[i] ^= hd_bit((unsigned)draw_below(rig.c.d.SET_W));
    break;
  case 1:
    later[k] = s->later[k] ^= hd_bit((unsigned)draw_below(rig.c.d.LATER_W));
    break;
  default:
    s->fill ^= 1;
  }
}

/* Counts with wrong bits. `numbers`: one in the coalescer gives a request a wrong number, so that a number of the load comes twice, is
 * absent, or belongs to no lane. Otherwise they are in the registers that count. */
static void counts_with_wrong_bits(bool numbers) {
  enum { LANES = 12 };
  for (uint64_t seed = 1; seed <= 20; seed++) {
    const unsigned ways = 3 + seed % 2; /* 4 ways: with a wrong bit a count may be larger, and may wrap */
    chance_state = seed;
    build_ready(machine(HD_CASC_PER_SET, 64, ways, LANES));
    uint64_t set[LANES - 1] = {0}, later[2 * LANES] = {0}, num = 0;
    unsigned wrong = 0;
    for (unsigned cycle = 0; cycle < 3000; cycle++) {
      const bool flips = draw_below(8) == 0;
      if (flips && !numbers)
        flip_counts(set, later, LANES);
      rig.in.in_valid = rig.in.in_many = 1;
      rig.in.in.num = flips && numbers ? num ^ hd_bit(draw_below(4)) : num;
      rig.in.in.last = num == LANES - 1 || draw_below(16) == 0;
      rig.in.in.line = draw_below(2) * 32 + draw_below(3);
      look();
      const struct casc_st *const s = &rig.m->s;
      const bool takes = (s->mid || !rig.in.in.num) && !hd_has(s->full, s->fill);
      if (takes)
        count_as_rtl(set, later + s->fill * LANES, LANES, ways, rig.in.in.num, rig.in.in.line);
      if (takes || !s->mid)
        num = !rig.in.in.last && (takes || num) ? (rig.in.in.num + 1) % LANES : 0;
      wrong += takes && flips;
      edge();
      if (memcmp(rig.m->s.set, set, sizeof set) || memcmp(rig.m->s.later, later, sizeof later))
        fail_msg("seed %llu, cycle %u", (unsigned long long)seed, cycle);
    }
    assert_true(wrong > 50);
    state_fits();
    wreck();
  }
}

static void wrong_numbers(void **state) {
  (void)state;
  counts_with_wrong_bits(true);
}

static void wrong_counts(void **state) {
  (void)state;
  counts_with_wrong_bits(false);
}

/* The quick way of the lazy run counts as the hardware's way. */
static void both_ways(void **state) {
  (void)state;
  enum { LANES = 32, WAYS = 3, LOADS = 2000 };
  uint64_t full = 0;
  build_ready(machine(HD_CASC_PER_SET, 64, WAYS, LANES));
  struct casc *const quick = rig.m, *const plain = hd_model_new(rig.design, "casc", true, NULL);
  assert_non_null(plain);
  chance_state = 1;
  for (unsigned load = 0; load < LOADS; load++) {
    const uint64_t sets = 1 + draw_below(8), apart = 1 + draw_below(32), n = 1 + draw_below(LANES);
    plain->s.fill = quick->s.fill = draw_below(2);
    for (unsigned j = 0; j < n; j++) {
      const uint64_t set = draw_below(sets) * apart % 64;
      casc_count_later(quick, set, j);
      casc_count_any(plain, set, j);
    }
    assert_memory_equal(quick->s.set, plain->s.set, (LANES - 1) * sizeof *plain->s.set);
    assert_memory_equal(quick->s.later, plain->s.later, 2 * LANES * sizeof *plain->s.later);
    full += plain->s.later[plain->s.fill * LANES] == WAYS;
  }
  assert_true(full > LOADS / 10);
  hd_model_free(plain);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_the_reference), cmocka_unit_test(wrong_numbers),
                                     cmocka_unit_test(wrong_counts), cmocka_unit_test(both_ways)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
