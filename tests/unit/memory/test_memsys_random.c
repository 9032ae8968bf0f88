/* Interconnect, L2 and DRAM together: random traffic from many SMs. */
#include "tests/unit/memory/memsys_rig.h"

/* ---- Random traffic ---- */

struct traffic {
  uint64_t seed;
  unsigned requests, lines, stores, gap, laziness; /* of an SM; of 8; mean cycles; mean cycles until taken */
  unsigned step;                                   /* cycles that SMs run at a time */
  bool no_skip;
  bool apart; /* SMs and memory system exchange once a step, as if in parallel: SMs first */
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
    line = line % 8 * 4096; /* all go to a few banks and sets */
  if (r->c.d.LOS && draw(t, sm, now, 6) % 8 == 0)
    kind = HD_QUERY;
  const unsigned pred = r->c.d.LOS && kind != HD_QUERY ? draw(t, sm, now, 7) % 5 : 0;
  rig_predict(r, sm, now, line, kind, pred);
}

enum { PATIENCE = 4000000, TAIL = 3000 };

/* Runs until all requests are answered and written, and to cycle `end` unless it is 0. Returns the cycles. */
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

/* Each request has one answer. Answers to one SM for one line keep the order of the requests. Queries do not wait for lines. */
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

enum { SLOW_DRAM = 13, ALL };

/* Machines and traffic that differ in the scarce resource. */
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
  if (n == SLOW_DRAM) { /* the way to DRAM of banks that may run ahead fills up */
    r->c.gpu.sms = 16;
    r->c.sm.clock_mhz = r->c.icnt.clock_mhz = r->c.l2.clock_mhz = 1000;
    r->c.dram.clock_mhz = 100;
    r->c.icnt.latency = 16;
    r->c.l2.latency = 60;
    r->c.l2.mshrs = 64;
    r->c.dram.latency = 30;
    r->c.dram.queue = 1;
    t->lines = 1000;
    t->laziness = 1;
  } else if (n % 4 == 0) { /* the fewest places possible */
    r->c.icnt.queue = r->c.dram.queue = 1;
    r->c.l2.queue = r->c.l2.replies = r->c.l2.fills = 2;
    r->c.l2.mshrs = 2 + n % 3;
    r->c.icnt.latency = 1 + n % 7;
    r->c.l2.latency = 1 + n % 2;
    r->c.dram.latency = 2;
    r->c.l2.ways = 1 + n % 2;
    t->requests = 150;
  } else if (n %
             2) { /* far to the tags, so that banks can run long before the others; near to DRAM, or not */
    r->c.icnt.latency = 16;
    r->c.l2.latency = 60;
    r->c.dram.latency = n % 3 ? 2 : 60;
    r->c.dram.queue = n % 3 ? 1 : 8;
  } else if (n % 3) { /* banks so slow that the way to one fills up in a few core cycles */
    r->c.gpu.sms = 16;
    r->c.icnt.latency = 16;
    r->c.sm.clock_mhz = r->c.icnt.clock_mhz = 1000;
    r->c.l2.clock_mhz = 250;
    r->c.l2.latency = 60;
    r->c.l2.banks = 6;
    t->gap = 1;
  }
}

/* Cycle by cycle without skipping, in the longest windows allowed, and as if in parallel. */
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
  for (unsigned n = 0; n < ALL; n++) {
    run_all_ways(n, false);
    run_all_ways(n, true);
  }
}

/* Figures in the middle of a run include all waits and fails so far, however often they are asked for. */
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_same_however_it_is_run),
      cmocka_unit_test(figures_are_up_to_date),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
