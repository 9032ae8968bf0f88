/* Interconnect, L2 and DRAM together: random traffic from many SMs, latencies worked out from docs/gpu.md, bandwidth. */
#include "tests/unit/memory/memsys_rig.h"

/* ---- Random traffic ---- */

struct traffic {
  uint64_t seed;
  unsigned requests, lines, stores, gap, laziness; /* of an SM; of 8; mean cycles; mean cycles until taken */
  unsigned step;                                   /* cycles that SMs run at a time */
  bool no_skip;
  bool apart; /* SMs and memory system exchange once a step, as if they ran at the same time: SMs are first */
};

static uint64_t draw(const struct traffic *t, unsigned sm, uint64_t now, unsigned what) {
  return wl_rng_mix(t->seed + what, now * 64 + sm);
}

static void sm_cycle(struct rig *r, const struct traffic *t, unsigned sm, uint64_t now) {
  if (draw(t, sm, now, 0) % t->laziness == 0)
    rig_take(r, sm, now);
  if (r->sent[sm] == t->requests || draw(t, sm, now, 1) % t->gap || hd_memsys_ready(r->ms, sm) > now)
    return;
  unsigned kind = draw(t, sm, now, 2) % 8 < t->stores ? HD_STORE : draw(t, sm, now, 3) % 2;
  uint64_t line = draw(t, sm, now, 4) % t->lines;
  if (draw(t, sm, now, 5) % 4 == 0)
    line = line % 8 * 4096; /* all to few banks and sets */
  if (r->c.d.LOS && draw(t, sm, now, 6) % 8 == 0)
    kind = HD_QUERY;
  const unsigned pred = r->c.d.LOS && kind != HD_QUERY ? draw(t, sm, now, 7) % 5 : 0;
  rig_predict(r, sm, now, line, kind, pred);
}

enum { PATIENCE = 4000000, TAIL = 3000 };

/* Runs until all is answered and written, and to cycle `end`, if not 0; returns the cycles. */
static uint64_t run_traffic(struct rig *r, const struct traffic *t, uint64_t end) {
  const uint64_t ahead = r->c.icnt.latency;
  uint64_t now = 0;
  assert_true(t->step <= (t->apart ? ahead : 2 * ahead));
  rig_begin(r, t->requests, t->no_skip);
  while (!rig_answered(r)) {
    t->apart ? hd_memsys_exchange(r->ms) : rig_run(r->ms, now + ahead);
    for (unsigned sm = 0; sm < r->c.gpu.sms; sm++)
      for (uint64_t c = now; c < now + t->step; c++)
        sm_cycle(r, t, sm, c);
    if (t->apart)
      hd_memsys_run(r->ms, now + ahead);
    now += t->step;
    assert_true(now < PATIENCE);
  }
  if (!end)
    end = now + TAIL;
  rig_run(r->ms, end);
  assert_true(hd_memsys_idle(r->ms));
  assert_true(hd_memsys_next(r->ms) == UINT64_MAX);
  return end;
}

/* Each request has one answer, those of an SM on one line in the order of the requests; queries do not wait for lines. */
static void assert_in_order(const struct rig *r) {
  for (unsigned sm = 0; sm < r->c.gpu.sms; sm++)
    for (unsigned n = 0; n < r->per_sm; n++) {
      const struct rig_request *q = rig_request(r, sm, n);
      assert_true(q->came > q->sent);
      for (unsigned m = n + 1; m < r->per_sm && m < n + 200; m++)
        if (rig_request(r, sm, m)->line == q->line && rig_request(r, sm, m)->kind != HD_QUERY &&
            q->kind != HD_QUERY)
          assert_true(rig_request(r, sm, m)->nth > q->nth);
    }
}

static void assert_power(const struct rig *r, const struct hd_bank_stats *s, uint64_t line_cycles) {
  assert_int_equal(s->line_cycles, line_cycles);
  assert_true(s->awake_cycles <= line_cycles && s->generations.live_cycles <= line_cycles);
  assert_true(s->generations.exact <= s->generations.predicted &&
              s->generations.predicted <= s->generations.count);
  if (!r->c.d.LOS)
    assert_int_equal(s->awake_cycles, line_cycles);
}

static void assert_sums(const struct rig *r, const struct hd_memsys_stats *s, uint64_t cycles) {
  const uint64_t all = (uint64_t)r->per_sm * r->c.gpu.sms;
  const struct hd_bank_stats *l2 = &s->l2;
  assert_int_equal(s->reads + s->writes + l2->queries, all);
  assert_int_equal(s->up_packets, all);
  assert_int_equal(s->down_packets, all);
  assert_int_equal(l2->reads, s->reads);
  assert_int_equal(l2->writes, s->writes);
  assert_int_equal(l2->read_hits + l2->write_hits + l2->merges + l2->misses + l2->queries, all);
  assert_int_equal(s->dram_reads, l2->misses - l2->no_store_writes);
  assert_int_equal(s->dram_writes, l2->writebacks + l2->close_writebacks + l2->no_store_writes);
  assert_int_equal(s->dram_activates, s->dram_reads + s->dram_writes - s->dram_row_hits);
  assert_true(l2->writebacks <= l2->misses && s->dram_busy <= s->dram_cycles);
  assert_int_equal(s->read_bytes, s->reads * r->c.l1d.line_bytes);
  const uint64_t l2_cycles = (cycles * r->c.l2.clock_mhz + r->c.sm.clock_mhz - 1) / r->c.sm.clock_mhz;
  assert_power(r, l2, l2_cycles * r->c.d.L2_LINES * r->c.l2.banks);
}

/* Machines and traffics that differ in what is scarce. */
static void vary(struct rig *r, struct traffic *t, unsigned n, bool loscache) {
  static const unsigned mhz[][4] = {{1400, 1400, 700, 924}, {700, 1000, 1300, 924}, {1150, 1400, 700, 750},
                                    {1000, 333, 4999, 100}, {500, 2500, 500, 5000}, {700, 700, 700, 924}};
  rig_config(r);
  r->c.loscache.gate = !loscache ? HD_GATE_OFF : n % 2 ? HD_GATE_NAIVE : HD_GATE_ADAPTIVE;
  *t = (struct traffic){.seed = n, .requests = 400, .lines = 30000, .stores = 2, .gap = 2, .laziness = 1};
  r->c.gpu.sms = 1 + n * 5 % 16;
  r->c.sm.clock_mhz = mhz[n % 6][0];
  r->c.icnt.clock_mhz = mhz[n % 6][1];
  r->c.l2.clock_mhz = mhz[n % 6][2];
  r->c.dram.clock_mhz = mhz[n % 6][3];
  r->c.l2.sets = 16;
  r->c.l2.banks = n % 3 == 1 ? 12 : n % 3 ? 18 : 6;
  t->laziness = n % 4 == 1 ? 40 : 1;
  t->gap = n % 4 == 2 ? 300 : 2;
  t->lines = n % 4 == 3 ? 300 : 30000;
  t->stores = n % 5 == 4 ? 7 : 2;
  if (n % 4 == 0) { /* as few places as can be */
    r->c.icnt.queue = r->c.dram.queue = 1;
    r->c.l2.queue = r->c.l2.replies = r->c.l2.fills = 2;
    r->c.l2.mshrs = 2 + n % 3;
    r->c.icnt.latency = 1 + n % 7;
    r->c.l2.latency = 1 + n % 2;
    r->c.dram.latency = 2;
    r->c.l2.ways = 1 + n % 2;
    t->requests = 150;
  }
}

/* Cycle by cycle, without skipping anything, in turns as long as they may be, and as if at the same time. */
static void run_all_ways(unsigned n, bool loscache) {
  struct rig a, b;
  struct traffic t;
  vary(&a, &t, n, loscache);
  t.step = 1;
  const uint64_t end = run_traffic(&a, &t, 0);
  const struct hd_memsys_stats sa = *hd_memsys_stats(a.ms);
  assert_in_order(&a);
  assert_sums(&a, &sa, end);
  for (unsigned way = 0; way < 3; way++) {
    vary(&b, &t, n, loscache);
    t.no_skip = way == 0;
    t.apart = way == 2;
    t.step = way == 0 ? 1 : (way == 1 ? 2 : 1) * b.c.icnt.latency;
    run_traffic(&b, &t, end);
    assert_memory_equal(a.q, b.q, (size_t)a.per_sm * a.c.gpu.sms * sizeof *a.q);
    assert_memory_equal(&sa, hd_memsys_stats(b.ms), sizeof sa);
    rig_end(&b);
  }
  rig_end(&a);
}

static void the_same_however_it_is_run(void **state) {
  (void)state;
  for (unsigned n = 0; n < 12; n++) {
    run_all_ways(n, false);
    run_all_ways(n, true);
  }
}

/* Figures in the middle of things: however often they are asked for, waits and fails so far are in them. */
static void figures_are_up_to_date(void **state) {
  (void)state;
  struct rig a, b;
  rig_config(&a);
  a.c.gpu.sms = 4;
  a.c.l2.mshrs = 2;
  a.c.icnt.flit_bytes = 8;
  b = a;
  rig_begin(&a, 200, false);
  rig_begin(&b, 200, true);
  for (uint64_t now = 0; now < 3000; now++) {
    rig_run(a.ms, now);
    rig_run(b.ms, now);
    if (now % 7 == 0)
      assert_memory_equal(hd_memsys_stats(a.ms), hd_memsys_stats(b.ms), sizeof(struct hd_memsys_stats));
    for (unsigned sm = 0; sm < 4; sm++)
      if (now % 5 == sm && a.sent[sm] < 200 && hd_memsys_ready(a.ms, sm) <= now) {
        rig_send(&a, sm, now, now % 11 * 6, now % 3);
        rig_send(&b, sm, now, now % 11 * 6, now % 3);
      }
  }
  const struct hd_memsys_stats *s = hd_memsys_stats(a.ms);
  assert_true(s->up_waits && s->down_waits && s->l2.fails[HD_BANK_MSHR] && s->l2.fails[HD_BANK_MERGE]);
  rig_end(&a);
  rig_end(&b);
}

/* ---- Unloaded latencies: docs/gpu.md ---- */

static uint64_t core_of(const struct hd_config *c, uint64_t cycle, unsigned mhz) {
  return cycle * c->sm.clock_mhz / mhz;
}

static uint64_t cycle_of(const struct hd_config *c, uint64_t core, unsigned mhz) {
  return (core * mhz + c->sm.clock_mhz - 1) / c->sm.clock_mhz;
}

/* The core cycle in which an L2 bank does what it would do on the end of a way of `latency` core cycles that was begun in
 * core cycle `begun`. A bank needs so many cycles for that, of those of the way; it may be longer. */
static uint64_t done(const struct hd_config *c, uint64_t begun, unsigned latency, unsigned own) {
  const unsigned mhz = c->l2.clock_mhz;
  const uint64_t due = cycle_of(c, begun + latency, mhz), least = cycle_of(c, begun + 1, mhz) + own;
  return core_of(c, due < least ? least : due, mhz);
}

/* The cycle in which a request sent in cycle t is decided; the one in which an answer decided in cycle d is there. */
static uint64_t decided(const struct hd_config *c, uint64_t t, unsigned flits) {
  const uint64_t first = cycle_of(c, t + c->icnt.latency, c->icnt.clock_mhz);
  const uint64_t passed = core_of(c, first + flits - 1, c->icnt.clock_mhz);
  return done(c, passed, c->l2.latency, 6);
}

static uint64_t there(const struct hd_config *c, uint64_t d, unsigned flits) {
  const uint64_t first = cycle_of(c, d + 1, c->icnt.clock_mhz);
  return core_of(c, first + flits - 1, c->icnt.clock_mhz) + c->icnt.latency;
}

/* The L2 cycle that answers what it has asked DRAM for in cycle d; `opening` DRAM cycles until the row is open. */
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

/* D-ICNT-4: 8 bytes, and 32 for each sector that an answer, or a store's request, brings, by 32. */
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

/* D-ICNT-5: 8 bytes, and the segment that a store writes, at most its line, by 32. */
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

/* APRES Table III: 200 and 440 core cycles at 1400 MHz, of which an SM takes 13. */
static void default_latencies(void **state) {
  (void)state;
  enum { SM = 13, TRIES = 60 };
  struct rig r;
  rig_config(&r);
  r.c.sm.clock_mhz = 1400;
  rig_begin(&r, 2 * TRIES, false);
  uint64_t now = 0, dram = 0, l2 = 0;
  for (unsigned i = 0; i < TRIES; i++, now++) {
    const uint64_t line = (i % 6 + i / 6 * 16 * 6) * 2; /* a DRAM bank of its own */
    dram += rig_alone(&r, 0, &now, line, HD_FILL);
    l2 += rig_alone(&r, 0, &now, line, HD_FILL);
  }
  assert_int_equal(hd_memsys_stats(r.ms)->dram_activates, TRIES);
  assert_in_range(l2, (200 - SM) * TRIES, (201 - SM) * TRIES);
  assert_in_range(dram, (439 - SM) * TRIES, (441 - SM) * TRIES);
  rig_end(&r);
}

/* ---- Bandwidth ---- */

/* All SMs ask as often as they can and take at once. Returns the answers in `cycles` cycles, after as many. */
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
  /* its port from the SMs */
  r.c = c;
  assert_in_range(saturate(&r, one_bank, HD_STORE, CYCLES), CYCLES / LONG - 1, CYCLES / LONG + 1);
  rig_end(&r);
  /* an SM's port from the banks, and, half as fast, with a clock half as fast */
  r.c = c;
  r.c.gpu.sms = 1;
  assert_in_range(saturate(&r, all_banks, HD_FILL, CYCLES), CYCLES / LONG - 1, CYCLES / LONG + 1);
  rig_end(&r);
  r.c = c;
  r.c.gpu.sms = 1;
  r.c.icnt.clock_mhz = 700;
  assert_in_range(saturate(&r, all_banks, HD_FILL, CYCLES), CYCLES / 2 / LONG - 1, CYCLES / 2 / LONG + 1);
  rig_end(&r);
  /* its link */
  r.c = c;
  r.c.gpu.sms = 1;
  assert_in_range(saturate(&r, all_banks, HD_STORE, CYCLES), CYCLES / LONG - 1, CYCLES / LONG + 1);
  assert_in_range(r.sent[0], 2 * CYCLES / LONG - 1, 2 * CYCLES / LONG + 1);
  rig_end(&r);
  /* all banks at once: as much as the fronts of their FIFOs let through */
  r.c = c;
  const uint64_t all = saturate(&r, all_banks, HD_FILL, CYCLES);
  assert_in_range(all, CYCLES / LONG * 2, CYCLES / LONG * 6);
  rig_end(&r);
}

/* A stream gets what the data bus of its channel gives. */
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
      cmocka_unit_test(the_same_however_it_is_run), cmocka_unit_test(figures_are_up_to_date),
      cmocka_unit_test(unloaded_latencies),         cmocka_unit_test(default_latencies),
      cmocka_unit_test(sectors_make_short_packets), cmocka_unit_test(stores_bring_segments),
      cmocka_unit_test(bandwidth_of_ports),         cmocka_unit_test(bandwidth_of_dram),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
