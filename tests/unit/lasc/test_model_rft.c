/* The reuse-frequency table: Choo's Figure 5.4 for an entry and the decisions of docs/mechanisms/rft.md, by hand; and random traffic
 * against a plain reference.
 * Over 400 lines: the reference is a second model. */
#define RIG rft
#include "tests/unit/rig.h"

#include "cmodel/model/bits.h"
#include "tests/unit/chance.h"

static struct hd_config machine(enum hd_rft form, unsigned entries, unsigned sharers, unsigned queue) {
  struct hd_config c = defaults();
  c.rft.form = form;
  c.rft.entries = entries;
  c.rft.sharers = sharers;
  c.rft.queue = queue;
  c.gpu.sms = sharers;
  c.gpu.dispatch_latency = 2;
  return c;
}

static void set_update(unsigned sm, uint64_t hpc, uint64_t counter) {
  rig.in.up_valid |= hd_bit(sm);
  rig.in.up_hpc[sm] = hpc;
  rig.in.up_count[sm] = counter;
}

/* Runs one step, then clears the inputs. */
static void pulse(void) {
  step();
  rig.in.up_valid = rig.in.clear = 0;
}

static void bypass_is(uint64_t entries) {
  look();
  assert_int_equal(rig.out.bypass, entries);
}

/* An update from SM 0 alone: it arrives, is chosen and done. */
static void update(uint64_t hpc, uint64_t counter) {
  set_update(0, hpc, counter);
  for (unsigned i = 0; i < 3; i++) {
    const uint64_t before = rig.out.bypass;
    bypass_is(before);
    pulse();
  }
  look();
}

/* ---- What an entry learns ---- */

/* A line evicted without reuse closes its load's entry. A line with reuse opens it for good. */
static void figure_5_4(void **state) {
  (void)state;
  build(machine(HD_RFT_BIT, 64, 1, 4));
  bypass_is(0); /* nothing is known */
  update(12, 0);
  bypass_is(hd_bit(12));
  assert_int_equal(EVENTS(first), 1);
  assert_int_equal(EVENTS(closes), 1);
  update(63, 1);
  bypass_is(hd_bit(12));
  update(12, 0);
  bypass_is(hd_bit(12));
  assert_int_equal(EVENTS(closes), 1);
  update(12, 1);
  bypass_is(0);
  assert_int_equal(EVENTS(opens), 1);
  update(12, 0); /* one of its lines was reused */
  bypass_is(0);
  assert_int_equal(EVENTS(queue), 5);
  assert_int_equal(EVENTS(first), 2);
  assert_int_equal(EVENTS(update), 3);
  assert_int_equal(EVENTS(closes), 1);
  assert_int_equal(EVENTS(opens), 1);
  wreck();
}

/* Two loads of one entry bypass only while neither has reuse. Hashes have 7 bits, entries 3. 0x55 and 0x04 share an entry (5 ^ 2 ^ 1
 * = 6; 4), and so do 0x55 and 0x06. */
static void two_loads_of_one_entry(void **state) {
  (void)state;
  struct hd_config c = machine(HD_RFT_BIT, 8, 1, 4);
  c.casc.scheme = HD_CASC_LOCALITY;
  c.casc.pc_bits = 7;
  c.l1d.count_bits = 4;
  build(c);
  update(0x55, 0);
  bypass_is(hd_bit(6));
  update(0x04, 0);
  bypass_is(hd_bit(6) | hd_bit(4));
  update(0x06, 0);
  bypass_is(hd_bit(6) | hd_bit(4));
  update(0x06, 8); /* any counter but 0 is reuse */
  bypass_is(hd_bit(4));
  update(0x55, 0);
  bypass_is(hd_bit(4));
  update(0x38, 3); /* the piece in the middle, 7 */
  update(0x40, 0); /* the last one, filled up with zeros: 1 */
  bypass_is(hd_bit(4) | hd_bit(1));
  wreck();
}

/* Threshold 1.5. A new value has the weight of a quarter. */
static void averages(void **state) {
  (void)state;
  struct hd_config c = machine(HD_RFT_AVERAGE, 16, 1, 4);
  c.rft.threshold = 24;
  c.rft.forget = 2;
  c.l1d.count_bits = 4;
  build(c);
  update(3, 0);
  assert_int_equal(rig.m->s.average[3], 16);
  bypass_is(hd_bit(3));
  update(3, 2); /* 16 + (48 - 16) / 4: equal to the threshold is not above it */
  assert_int_equal(rig.m->s.average[3], 24);
  bypass_is(hd_bit(3));
  update(3, 1); /* 24 + (32 - 24) / 4 */
  assert_int_equal(rig.m->s.average[3], 26);
  bypass_is(0);
  assert_int_equal(EVENTS(opens), 1);
  update(3, 0); /* 26 - 2.5, rounded down */
  assert_int_equal(rig.m->s.average[3], 23);
  bypass_is(hd_bit(3));
  assert_int_equal(EVENTS(closes), 2);
  for (unsigned i = 0; i < 30; i++)
    update(3, 0);
  assert_int_equal(rig.m->s.average[3], 16); /* and down to the end */
  update(4, 15);                             /* the first value counts whole */
  assert_int_equal(rig.m->s.average[4], 256);
  bypass_is(hd_bit(3));
  for (unsigned i = 0; i < 100; i++)
    update(3, 15);
  assert_int_equal(rig.m->s.average[3], 253); /* (256 - 253) / 4 is nothing */
  bypass_is(0);
  state_fits();
  wreck();
}

/* Threshold 1.0: any reuse that is not forgotten is above it. */
static void averages_with_threshold_one(void **state) {
  (void)state;
  struct hd_config c = machine(HD_RFT_AVERAGE, 16, 1, 4);
  c.rft.threshold = 16;
  c.rft.forget = 1;
  c.l1d.count_bits = 2;
  build(c);
  update(3, 0);
  bypass_is(hd_bit(3));
  update(3, 1);
  bypass_is(0);
  assert_int_equal(rig.m->s.average[3], 24);
  static const uint64_t average[] = {20, 18, 17, 16};
  for (unsigned i = 0; i < 4; i++) {
    update(3, 0);
    assert_int_equal(rig.m->s.average[3], average[i]);
    bypass_is(i == 3 ? hd_bit(3) : 0);
  }
  wreck();
}

/* ---- Queues and turns ---- */

/* Checks the order in which entries are updated. */
static void learns(unsigned n, const uint64_t *entry) {
  for (unsigned i = 0; i < n; i++) {
    pulse();
    assert_int_equal(rig.m->s.u_valid, 1);
    assert_int_equal(rig.m->s.u_entry, entry[i]);
  }
  pulse();
  assert_int_equal(rig.m->s.u_valid, 0);
}

static void one_update_a_cycle_in_turn(void **state) {
  (void)state;
  build(machine(HD_RFT_BIT, 64, 4, 4));
  for (unsigned round = 0; round < 2; round++) {
    set_update(0, 10 + round, 0);
    set_update(1, 20 + round, 0);
    set_update(3, 30 + round, 0);
    pulse();
  }
  assert_int_equal(rig.m->s.u_entry, 10);
  learns(5, (const uint64_t[]){20, 30, 11, 21, 31});
  set_update(2, 40, 0);
  pulse();
  learns(1, (const uint64_t[]){40});
  set_update(1, 22, 0); /* 2 was the last */
  set_update(2, 41, 0);
  set_update(3, 32, 0);
  pulse();
  learns(3, (const uint64_t[]){32, 22, 41});
  assert_int_equal(rig.m->s.turn, 2);
  assert_int_equal(EVENTS(queue), 10);
  assert_int_equal(EVENTS(lost), 0);
  bypass_is(hd_bit(10) | hd_bit(11) | hd_bit(20) | hd_bit(21) | hd_bit(22) | hd_bit(30) | hd_bit(31) |
            hd_bit(32) | hd_bit(40) | hd_bit(41));
  wreck();
}

/* D-RFT-4. */
static void a_full_queue_loses(void **state) {
  (void)state;
  build(machine(HD_RFT_BIT, 64, 2, 3));
  for (unsigned i = 0; i < 4; i++) { /* SM 0 is served in cycles 1, 3, 5; SM 1 in 2, 4, 6 */
    set_update(0, i, 0);
    set_update(1, 10 + i, 0);
    pulse();
  }
  assert_int_equal(rig.m->s.q_count[0], 2);
  assert_int_equal(rig.m->s.q_count[1], 3);
  static const uint64_t lost[] = {2, 1, 0}; /* a leaving update makes no room in its cycle */
  for (unsigned i = 4; i < 7; i++) {
    if (i < 6) {
      set_update(0, i, 0);
      set_update(1, 10 + i, 0);
    }
    pulse();
    look();
    assert_int_equal(rig.out.lost, lost[i - 4]);
  }
  assert_int_equal(EVENTS(lost), 2);
  learns(4, (const uint64_t[]){3, 13, 4, 15});
  bypass_is(0x1f | 0x2f << 10);
  wreck();
}

static void queues_of_one(void **state) {
  (void)state;
  build(machine(HD_RFT_BIT, 4, 1, 1));
  set_update(0, 1, 0);
  pulse();
  set_update(0, 2, 0); /* lost, while the other leaves */
  pulse();
  set_update(0, 3, 0);
  pulse();
  pulse();
  pulse();
  assert_int_equal(EVENTS(lost), 1);
  bypass_is(hd_bit(1) | hd_bit(3));
  wreck();
}

/* D-RFT-7: updates in the table, at its door, in a queue, and arriving. */
static void clear_forgets(void **state) {
  (void)state;
  build(machine(HD_RFT_BIT, 64, 2, 2));
  update(1, 0);
  bypass_is(hd_bit(1));
  set_update(0, 2, 0);
  set_update(1, 3, 0);
  pulse();
  set_update(0, 4, 0);
  set_update(1, 5, 0);
  pulse();
  const uint64_t queued = EVENTS(queue), first = EVENTS(first);
  assert_int_equal(rig.m->s.q_count[0] + rig.m->s.q_count[1], 3);
  set_update(0, 6, 0);
  set_update(1, 7, 0); /* finds its queue full, or would be lost */
  rig.in.clear = 1;
  pulse();
  assert_int_equal(EVENTS(queue), queued);
  assert_int_equal(EVENTS(first), first);
  assert_int_equal(EVENTS(lost), 0);
  assert_int_equal(EVENTS(clear), 1);
  assert_int_equal(rig.m->s.turn, 0); /* it moved on */
  for (unsigned i = 0; i < 5; i++) {
    look();
    assert_int_equal(rig.out.bypass, 0);
    assert_int_equal(rig.out.lost, 0);
    edge();
  }
  update(3, 1);
  bypass_is(0);
  update(1, 0);
  bypass_is(hd_bit(1));
  wreck();
}

static void what_repeats(void **state) {
  (void)state;
  build(machine(HD_RFT_BIT, 64, 1, 2));
  static const uint64_t ahead[] = {HD_MOVES, HD_MOVES, 0, 0};
  set_update(0, 1, 0);
  for (unsigned i = 0; i < 4; i++) {
    look();
    assert_int_equal(rft_tick(rig.m, &rig.in), ahead[i]);
    rig.in.up_valid = 0;
  }
  wreck();
}

/* ---- Against a reference ---- */

static struct {
  struct {
    uint64_t entry, says;
  } queue[16][16];
  unsigned count[16], last;
  bool known[64], waits; /* an update was chosen in the last cycle */
  long long value[64];   /* bit: 0 or 1; average: in sixteenths */
  uint64_t entry, says, lost;
} ref;

static uint64_t ref_entry(uint64_t hpc) {
  uint64_t entry = 0;
  for (unsigned i = 0; i < 64; i++)
    entry ^= (hpc >> i & 1) << i % rig.c.d.RFT_W;
  return entry;
}

static void ref_learn(void) {
  const uint64_t e = ref.entry;
  const long long part = 1ll << rig.c.rft.forget, value = 16 * (1 + (long long)ref.says);
  if (rig.c.rft.form == HD_RFT_BIT)
    ref.value[e] = ref.says || (ref.known[e] && ref.value[e]);
  else if (!ref.known[e])
    ref.value[e] = value;
  else {
    const long long more = value - ref.value[e];
    ref.value[e] += more / part - (more % part < 0); /* rounded down */
  }
  ref.known[e] = true;
}

static void ref_choose(const unsigned *count) {
  const unsigned n = rig.c.rft.sharers;
  ref.waits = false;
  for (unsigned i = 1; i <= n && !ref.waits; i++) {
    const unsigned s = (ref.last + i) % n;
    if (!count[s])
      continue;
    ref.waits = true;
    ref.last = s;
    ref.entry = ref.queue[s][0].entry;
    ref.says = ref.queue[s][0].says;
    memmove(&ref.queue[s][0], &ref.queue[s][1], sizeof ref.queue[s] - sizeof *ref.queue[s]);
    ref.count[s]--;
  }
}

static void ref_edge(void) {
  unsigned count[16];
  memcpy(count, ref.count, sizeof count);
  if (ref.waits)
    ref_learn();
  ref_choose(count);
  ref.lost = 0;
  for (unsigned s = 0; s < rig.c.rft.sharers; s++) {
    if (!hd_has(rig.in.up_valid, s))
      continue;
    if (count[s] == rig.c.rft.queue) {
      ref.lost |= hd_bit(s);
      continue;
    }
    ref.queue[s][ref.count[s]].entry = ref_entry(rig.in.up_hpc[s]);
    ref.queue[s][ref.count[s]++].says =
        rig.c.rft.form == HD_RFT_BIT ? rig.in.up_count[s] != 0 : rig.in.up_count[s];
  }
  if (rig.in.clear) {
    const unsigned last = ref.last;
    memset(&ref, 0, sizeof ref);
    ref.last = last;
  }
}

static uint64_t ref_bypass(void) {
  uint64_t entries = 0;
  for (unsigned e = 0; e < rig.c.rft.entries; e++)
    if (ref.known[e] && ref.value[e] <= (rig.c.rft.form == HD_RFT_BIT ? 0 : rig.c.rft.threshold))
      entries |= hd_bit(e);
  return entries;
}

/* `often`: how often each SM has an update, in sixteenths. */
static void random_inputs(unsigned often) {
  rig.in.clear = draw_below(1000) == 0;
  rig.in.up_valid = 0;
  for (unsigned s = 0; s < rig.c.rft.sharers; s++)
    if (draw_below(16) < often)
      set_update(s, draw() & hd_ones(rig.c.d.HPC_W),
                 draw_below(2) ? 0 : draw() & draw() & hd_ones(rig.c.d.RR_W));
}

static void build_random(uint64_t seed) {
  static const unsigned entries[] = {4, 8, 16, 32, 64}, sharers[] = {1, 2, 3, 4, 15, 16};
  chance_state = seed;
  struct hd_config c = machine(seed % 2 ? HD_RFT_BIT : HD_RFT_AVERAGE, entries[draw_below(5)],
                               sharers[draw_below(6)], 1 + (unsigned)draw_below(draw_below(2) ? 3 : 16));
  const bool locality = draw_below(2);
  if (locality) {
    c.casc.scheme = HD_CASC_LOCALITY;
    c.casc.pc_bits = 3 + (unsigned)draw_below(6);
  }
  if (c.rft.form == HD_RFT_AVERAGE) {
    c.rft.threshold = 16 + (unsigned)draw_below(17);
    c.rft.forget = 1 + (unsigned)draw_below(6);
  }
  if (locality || c.rft.form == HD_RFT_AVERAGE)
    c.l1d.count_bits = 1 + (unsigned)draw_below(6);
  build(c);
  memset(&ref, 0, sizeof ref);
  ref.last = c.rft.sharers - 1;
}

static void as_the_reference(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    build_random(seed);
    const unsigned often = 1 + (unsigned)draw_below(draw_below(2) ? 3 : 16);
    for (unsigned cycle = 0; cycle < 3000; cycle++) {
      random_inputs(often);
      look();
      if (rig.out.bypass != ref_bypass() || rig.out.lost != ref.lost)
        fail_msg("seed %llu, cycle %u: bypass %llx lost %llx, expected %llx %llx", (unsigned long long)seed,
                 cycle, (unsigned long long)rig.out.bypass, (unsigned long long)rig.out.lost,
                 (unsigned long long)ref_bypass(), (unsigned long long)ref.lost);
      edge();
      ref_edge();
    }
    state_fits();
    assert_true(EVENTS(first) > 3 && EVENTS(update) > 50 && EVENTS(closes) > 3);
    wreck();
  }
}

/* D-MIX-3. */
static void wrong_bits_break_nothing(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    build_random(seed);
    for (unsigned cycle = 0; cycle < 1500; cycle++) {
      random_inputs(4);
      flip_a_bit();
      look();
      assert_int_equal(rig.out.bypass & ~hd_ones(rig.c.rft.entries), 0);
      edge();
      state_fits();
    }
    wreck();
  }
}

/* With control registers the threshold is an input. An entry is compared with it only when the entry is updated. */
static void the_threshold_changes(void **state) {
  (void)state;
  struct hd_config c = machine(HD_RFT_AVERAGE, 64, 1, 4);
  c.bus.control = HD_CONTROL_APB4;
  build(c);
  rig.in.rft_threshold = 16;
  update(12, 1); /* two references: 32 */
  bypass_is(0);
  rig.in.rft_threshold = 32;
  bypass_is(0);
  update(9, 1);
  bypass_is(hd_bit(9));
  update(12, 1);
  bypass_is(hd_bit(9) | hd_bit(12));
  rig.in.rft_threshold = 31;
  update(12, 1);
  bypass_is(hd_bit(9));
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(figure_5_4),
      cmocka_unit_test(two_loads_of_one_entry),
      cmocka_unit_test(averages),
      cmocka_unit_test(averages_with_threshold_one),
      cmocka_unit_test(the_threshold_changes),
      cmocka_unit_test(one_update_a_cycle_in_turn),
      cmocka_unit_test(a_full_queue_loses),
      cmocka_unit_test(queues_of_one),
      cmocka_unit_test(clear_forgets),
      cmocka_unit_test(what_repeats),
      cmocka_unit_test(as_the_reference),
      cmocka_unit_test(wrong_bits_break_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
