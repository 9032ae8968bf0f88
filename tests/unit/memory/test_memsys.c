/* Interconnect, L2 and DRAM together: latencies computed from docs/gpu.md, and bandwidth. */
#include "tests/unit/memory/memsys_rig.h"

/* ---- Unloaded latencies: docs/gpu.md ---- */

static uint64_t core_of(const struct hd_config *c, uint64_t cycle, unsigned mhz) {
  return cycle * c->sm.clock_mhz / mhz;
}

static uint64_t cycle_of(const struct hd_config *c, uint64_t core, unsigned mhz) {
  return (core * mhz + c->sm.clock_mhz - 1) / c->sm.clock_mhz;
}

/* Returns the core cycle in which an L2 bank acts on the end of a way of `latency` core cycles that began in core cycle `begun`. The
 * bank itself needs `own` of these cycles, so the way may take longer. */
static uint64_t done(const struct hd_config *c, uint64_t begun, unsigned latency, unsigned own) {
  const unsigned mhz = c->l2.clock_mhz;
  const uint64_t due = cycle_of(c, begun + latency, mhz), least = cycle_of(c, begun + 1, mhz) + own;
  return core_of(c, due < least ? least : due, mhz);
}

/* decided: the cycle in which a request sent in cycle t is decided. there: the cycle in which an answer decided in cycle d arrives. */
static uint64_t decided(const struct hd_config *c, uint64_t t, unsigned flits) {
  const uint64_t first = cycle_of(c, t + c->icnt.latency, c->icnt.clock_mhz);
  const uint64_t passed = core_of(c, first + flits - 1, c->icnt.clock_mhz);
  return done(c, passed, c->l2.latency, 6);
}

static uint64_t there(const struct hd_config *c, uint64_t d, unsigned flits) {
  const uint64_t first = cycle_of(c, d + 1, c->icnt.clock_mhz);
  return core_of(c, first + flits - 1, c->icnt.clock_mhz) + c->icnt.latency;
}

/* Returns the L2 cycle that answers a request to DRAM of cycle d. `opening`: DRAM cycles until the row is open. */
static uint64_t fetched(const struct hd_config *c, uint64_t d, unsigned opening) {
  const unsigned mhz = c->dram.clock_mhz, burst = c->l1d.line_bytes / c->dram.bytes_per_cycle;
  const uint64_t window = cycle_of(c, d + c->dram.latency / 2, mhz);
  const uint64_t last = window + 1 + opening + c->dram.tCL + burst - 1;
  return done(c, core_of(c, last, mhz), c->dram.latency - c->dram.latency / 2, 7);
}

enum { SHORT = 1, LONG = 5 }; /* flits: 8 and 136 bytes by 32 */
static void unloaded_latencies(void **state) {
  (void)state;
  static const unsigned mhz[][4] = {{1400, 1400, 700, 924}, {700, 700, 700, 700},     {700, 700, 700, 924},
                                    {1150, 1150, 575, 750}, {1000, 3000, 2300, 4100}, {1300, 170, 311, 257}};
  for (unsigned n = 0; n < sizeof mhz / sizeof *mhz; n++)
    for (uint64_t phase = 0; phase < 40; phase++) {
      struct rig r;
      rig_config(&r);
      const struct hd_config *c = &r.c;
      r.c.sm.clock_mhz = mhz[n][0];
      r.c.icnt.clock_mhz = mhz[n][1];
      r.c.l2.clock_mhz = mhz[n][2];
      r.c.dram.clock_mhz = mhz[n][3];
      r.c.dram.latency = 51;
      rig_begin(&r, 16, false);
      uint64_t now = phase, t = now;
      const uint64_t row = c->dram.row_bytes * c->dram.banks * c->dram.channels / c->l1d.line_bytes;
      const unsigned opens = c->dram.tRCD, reopens = c->dram.tRP + c->dram.tRCD;
      uint64_t took = rig_alone(&r, 0, &now, 4, HD_FILL);
      assert_int_equal(t + took, there(c, fetched(c, decided(c, t, SHORT), opens), LONG));
      took = rig_alone(&r, 0, (t = now, &now), 4, HD_FILL); /* a hit */
      assert_int_equal(t + took, there(c, decided(c, t, SHORT), LONG));
      took = rig_alone(&r, 0, (t = now, &now), 4, HD_STORE);
      assert_int_equal(t + took, there(c, decided(c, t, LONG), SHORT));
      took = rig_alone(&r, 0, (t = now, &now), 5, HD_BYPASSED); /* the row is open */
      assert_int_equal(t + took, there(c, fetched(c, decided(c, t, SHORT), 0), LONG));
      took = rig_alone(&r, 0, (t = now, &now), 4 + row, HD_STORE); /* another row of that DRAM bank */
      assert_int_equal(t + took, there(c, fetched(c, decided(c, t, LONG), reopens), SHORT));
      assert_int_equal(hd_memsys_stats(r.ms)->dram_row_hits, 1);
      rig_end(&r);
    }
}

/* D-ICNT-4: 8 bytes, plus 32 for each sector of an answer or of a store's request, divided by 32. */
static void sectors_make_short_packets(void **state) {
  (void)state;
  struct rig r;
  static const unsigned sectors[] = {1, 8, 5, 14, 15}, flits[] = {2, 2, 3, 4, 5};
  for (unsigned n = 0; n < 5; n++, rig_end(&r)) {
    rig_config(&r);
    r.c.request_buffer.bypass = HD_BYPASS_ALL, r.c.l1d.sector_bytes = 32;
    rig_begin(&r, 16, false);
    uint64_t now = r.sectors = sectors[n], t, took = rig_alone(&r, 0, &now, 4, HD_FILL);
    took = rig_alone(&r, 0, (t = now, &now), 4, HD_BYPASSED);
    assert_int_equal(t + took, there(&r.c, decided(&r.c, t, SHORT), flits[n]));
    assert_int_equal(hd_memsys_stats(r.ms)->read_bytes, 96 + 32 * flits[n]);
    took = rig_alone(&r, 0, (t = now, &now), 4, HD_STORE);
    assert_int_equal(t + took, there(&r.c, decided(&r.c, t, flits[n]), SHORT));
    assert_int_equal(hd_memsys_stats(r.ms)->write_bytes, 32 * flits[n] - 32);
  }
}

/* D-ICNT-6: a hit takes twice as many more cycles if SM and bank are in different halves. */
static void the_other_half_is_farther(void **state) {
  (void)state;
  enum { FAR = 23 };
  static const unsigned sms[] = {0, 1, 2, 4}; /* of five SMs three are in the first half */
  for (unsigned n = 0; n < 4; n++) {
    uint64_t took[2][6];
    for (unsigned farther = 0; farther < 2; farther++) {
      struct rig r;
      rig_config(&r);
      r.c.gpu.sms = 5;
      r.c.sm.clock_mhz = r.c.icnt.clock_mhz = r.c.l2.clock_mhz = r.c.dram.clock_mhz = 1000;
      r.c.icnt.far_latency = farther * FAR;
      rig_begin(&r, 16, false);
      const unsigned chunk = r.c.dram.interleave / r.c.l1d.line_bytes;
      assert_int_equal(r.c.l2.banks, 6);
      uint64_t now = 1;
      for (unsigned bank = 0; bank < 6; bank++) {
        rig_alone(&r, sms[n], &now, bank * chunk, HD_FILL);
        took[farther][bank] = rig_alone(&r, sms[n], &now, bank * chunk, HD_FILL);
      }
      rig_end(&r);
    }
    for (unsigned bank = 0; bank < 6; bank++)
      assert_int_equal(took[1][bank] - took[0][bank], (sms[n] < 3) == (bank < 3) ? 0 : 2 * FAR);
  }
}

/* D-ICNT-5: 8 bytes, plus the segment that a store writes, at most its line, divided by 32. */
static void stores_bring_segments(void **state) {
  (void)state;
  struct rig r;
  static const unsigned segment[] = {32, 64, 128, 256}, flits[] = {2, 3, 5, 5};
  for (unsigned n = 0; n < 4; n++, rig_end(&r)) {
    rig_config(&r);
    r.c.icnt.stores = HD_STORES_SEGMENT;
    r.segment = segment[n];
    rig_begin(&r, 16, false);
    uint64_t now = 1, t, took = rig_alone(&r, 0, &now, 4, HD_FILL);
    took = rig_alone(&r, 0, (t = now, &now), 4, HD_STORE);
    assert_int_equal(t + took, there(&r.c, decided(&r.c, t, flits[n]), SHORT));
    assert_int_equal(hd_memsys_stats(r.ms)->write_bytes, 32 * flits[n] - 32);
  }
}

/* APRES Table III: 200 and 440 core cycles at 1400 MHz. The SM takes 13 of these. */
static void default_latencies(void **state) {
  (void)state;
  enum { SM = 13, TRIES = 60 };
  struct rig r;
  rig_config(&r);
  r.c.sm.clock_mhz = 1400;
  rig_begin(&r, 2 * TRIES, false);
  uint64_t now = 0, dram = 0, l2 = 0;
  for (unsigned i = 0; i < TRIES; i++, now++) {
    const uint64_t line = (i % 6 + i / 6 * 16 * 6) * 2; /* each in its own DRAM bank */
    dram += rig_alone(&r, 0, &now, line, HD_FILL);
    l2 += rig_alone(&r, 0, &now, line, HD_FILL);
  }
  assert_int_equal(hd_memsys_stats(r.ms)->dram_activates, TRIES);
  assert_in_range(l2, (200 - SM) * TRIES, (201 - SM) * TRIES);
  assert_in_range(dram, (439 - SM) * TRIES, (441 - SM) * TRIES);
  rig_end(&r);
}

/* ---- Bandwidth ---- */

/* All SMs ask as often as they can and take answers at once. Returns the answers in `cycles` cycles, after a warm-up of as many. */
static uint64_t saturate(struct rig *r, uint64_t (*line)(unsigned sm, unsigned n), unsigned kind,
                         uint64_t cycles) {
  uint64_t before = 0;
  rig_begin(r, 8192, false);
  for (uint64_t now = 0; now < 2 * cycles; now++) {
    rig_run(r->ms, now + 1);
    for (unsigned sm = 0; sm < r->c.gpu.sms; sm++) {
      if (rig_take(r, sm, now))
        before += now < cycles;
      if (hd_memsys_ready(r->ms, sm) <= now)
        rig_send(r, sm, now, line(sm, r->sent[sm]), kind);
    }
  }
  uint64_t all = 0;
  for (unsigned sm = 0; sm < r->c.gpu.sms; sm++)
    all += r->answered[sm];
  return all - before;
}

static uint64_t one_bank(unsigned sm, unsigned n) {
  return (n + sm) % 4 * 12;
}

static uint64_t all_banks(unsigned sm, unsigned n) {
  return (n + sm) % 12;
}

static uint64_t stream(unsigned sm, unsigned n) {
  return n * 4 + sm;
}

static void bandwidth_of_ports(void **state) {
  (void)state;
  enum { CYCLES = 4000 };
  struct rig r;
  rig_config(&r);
  r.c.gpu.sms = 8;
  r.c.icnt.queue = 256;
  r.c.sm.clock_mhz = r.c.l2.clock_mhz = 1400;
  const struct hd_config c = r.c;
  /* a bank's port to the SMs: a line in five cycles */
  assert_in_range(saturate(&r, one_bank, HD_FILL, CYCLES), CYCLES / LONG - 1, CYCLES / LONG + 1);
  rig_end(&r);
  /* the bank's port from the SMs */
  r.c = c;
  assert_in_range(saturate(&r, one_bank, HD_STORE, CYCLES), CYCLES / LONG - 1, CYCLES / LONG + 1);
  rig_end(&r);
  /* an SM's port from the banks; and half as fast with half the clock */
  r.c = c;
  r.c.gpu.sms = 1;
  assert_in_range(saturate(&r, all_banks, HD_FILL, CYCLES), CYCLES / LONG - 1, CYCLES / LONG + 1);
  rig_end(&r);
  r.c = c;
  r.c.gpu.sms = 1;
  r.c.icnt.clock_mhz = 700;
  assert_in_range(saturate(&r, all_banks, HD_FILL, CYCLES), CYCLES / 2 / LONG - 1, CYCLES / 2 / LONG + 1);
  rig_end(&r);
  /* the SM's link */
  r.c = c;
  r.c.gpu.sms = 1;
  assert_in_range(saturate(&r, all_banks, HD_STORE, CYCLES), CYCLES / LONG - 1, CYCLES / LONG + 1);
  assert_in_range(r.sent[0], 2 * CYCLES / LONG - 1, 2 * CYCLES / LONG + 1);
  rig_end(&r);
  /* all banks at once: limited by the heads of their FIFOs */
  r.c = c;
  const uint64_t all = saturate(&r, all_banks, HD_FILL, CYCLES);
  assert_in_range(all, CYCLES / LONG * 2, CYCLES / LONG * 6);
  rig_end(&r);
}

/* A stream gets the full bandwidth of its channel's data bus. */
static void bandwidth_of_dram(void **state) {
  (void)state;
  enum { CYCLES = 5000 };
  struct rig r;
  rig_config(&r);
  r.c.gpu.sms = 4;
  r.c.sm.clock_mhz = 1400;
  r.c.dram.channels = r.c.l2.banks = 1;
  r.c.dram.clock_mhz = 700;
  r.c.l2.mshrs = 64;
  const uint64_t most = CYCLES / 2 / 4; /* a line in four cycles of half the clock */
  assert_in_range(saturate(&r, stream, HD_FILL, CYCLES), most * 93 / 100, most + 1);
  const struct hd_memsys_stats *s = hd_memsys_stats(r.ms);
  assert_true(s->dram_row_hits > s->dram_reads * 8 / 10);
  rig_end(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(unloaded_latencies),         cmocka_unit_test(default_latencies),
      cmocka_unit_test(sectors_make_short_packets), cmocka_unit_test(stores_bring_segments),
      cmocka_unit_test(the_other_half_is_farther),  cmocka_unit_test(bandwidth_of_ports),
      cmocka_unit_test(bandwidth_of_dram),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
