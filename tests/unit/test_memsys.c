/* Interconnect, L2 and DRAM together: random traffic from many SMs, latencies worked out from docs/gpu.md, bandwidth. */
#include "memsys_rig.h"

/* ---- Random traffic ---- */

struct traffic {
  uint64_t seed;
  unsigned requests, lines, stores, gap, laziness; /* of an SM; of 8; mean cycles; mean cycles until taken */
  unsigned step;                                   /* cycles that SMs run at a time */
  bool no_skip;
};

static uint64_t draw(const struct traffic *t, unsigned sm, uint64_t now, unsigned what) {
  return wl_rng_mix(t->seed + what, now * 64 + sm);
}

static void sm_cycle(struct rig *r, const struct traffic *t, unsigned sm, uint64_t now) {
  if (draw(t, sm, now, 0) % t->laziness == 0)
    rig_take(r, sm, now);
  if (r->sent[sm] == t->requests || draw(t, sm, now, 1) % t->gap || hd_memsys_ready(r->ms, sm) > now)
    return;
  const unsigned kind = draw(t, sm, now, 2) % 8 < t->stores ? RIG_STORE : draw(t, sm, now, 3) % 2;
  uint64_t line = draw(t, sm, now, 4) % t->lines;
  if (draw(t, sm, now, 5) % 4 == 0)
    line = line % 8 * 4096; /* all to few banks and sets */
  rig_send(r, sm, now, line, kind);
}

static bool all_answered(const struct rig *r) {
  for (unsigned sm = 0; sm < r->c.gpu.sms; sm++)
    if (r->answered[sm] < r->per_sm)
      return false;
  return true;
}

enum { PATIENCE = 4000000, TAIL = 3000 };

/* Runs until all is answered and written; returns the cycles. */
static uint64_t run_traffic(struct rig *r, const struct traffic *t) {
  const uint64_t ahead = r->c.icnt.latency;
  uint64_t now = 0;
  rig_begin(r, t->requests, t->no_skip);
  while (!all_answered(r)) {
    hd_memsys_run(r->ms, now + ahead);
    for (unsigned sm = 0; sm < r->c.gpu.sms; sm++)
      for (uint64_t c = now; c < now + t->step; c++)
        sm_cycle(r, t, sm, c);
    now += t->step;
    assert_true(now < PATIENCE);
  }
  const uint64_t end = (now / TAIL + 2) * TAIL; /* the same whatever the step */
  hd_memsys_run(r->ms, end);
  assert_true(hd_memsys_idle(r->ms));
  assert_true(hd_memsys_next(r->ms) == UINT64_MAX);
  return end;
}

/* Each request has one answer, those of an SM on one line in the order of the requests. */
static void assert_in_order(const struct rig *r) {
  for (unsigned sm = 0; sm < r->c.gpu.sms; sm++)
    for (unsigned n = 0; n < r->per_sm; n++) {
      const struct rig_request *q = rig_request(r, sm, n);
      assert_true(q->came > q->sent);
      for (unsigned m = n + 1; m < r->per_sm && m < n + 200; m++)
        if (rig_request(r, sm, m)->line == q->line)
          assert_true(rig_request(r, sm, m)->nth > q->nth);
    }
}

static void assert_sums(const struct rig *r, const struct hd_memsys_stats *s) {
  const uint64_t all = (uint64_t)r->per_sm * r->c.gpu.sms;
  assert_int_equal(s->reads + s->writes, all);
  assert_int_equal(s->up_packets, all);
  assert_int_equal(s->down_packets, all);
  assert_int_equal(s->l2_reads, s->reads);
  assert_int_equal(s->l2_writes, s->writes);
  assert_int_equal(s->l2_read_hits + s->l2_write_hits + s->l2_merges + s->l2_misses, all);
  assert_int_equal(s->dram_reads, s->l2_misses);
  assert_int_equal(s->dram_writes, s->l2_writebacks);
  assert_int_equal(s->dram_activates, s->dram_reads + s->dram_writes - s->dram_row_hits);
  assert_true(s->l2_writebacks <= s->l2_misses && s->dram_busy <= s->dram_cycles);
  assert_int_equal(s->read_bytes, s->reads * r->c.l1d.line_bytes);
}

/* Machines and traffics that differ in what is scarce. */
static void vary(struct rig *r, struct traffic *t, unsigned n) {
  static const unsigned mhz[][4] = {{1400, 1400, 700, 924}, {700, 1000, 1300, 924}, {1150, 1400, 700, 750},
                                    {1000, 333, 4999, 100}, {500, 2500, 500, 5000}, {700, 700, 700, 924}};
  rig_config(r);
  *t = (struct traffic){.seed = n, .requests = 1500, .lines = 30000, .stores = 2, .gap = 2, .laziness = 1};
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
  if (n % 4 == 0) { /* one place everywhere */
    r->c.icnt.queue = r->c.l2.queue = r->c.dram.queue = 1;
    r->c.l2.mshrs = 1 + n % 3;
    r->c.icnt.latency = 1 + n % 7;
    r->c.l2.latency = 1 + n % 2;
    r->c.dram.latency = 2;
    r->c.l2.ways = 1 + n % 2;
    t->requests = 300;
  }
}

static void the_same_however_it_is_run(void **state) {
  (void)state;
  for (unsigned n = 0; n < 24; n++) {
    struct rig a, b;
    struct traffic t;
    vary(&a, &t, n);
    t.step = 1;
    const uint64_t end = run_traffic(&a, &t);
    const struct hd_memsys_stats sa = *hd_memsys_stats(a.ms);
    assert_in_order(&a);
    assert_sums(&a, &sa);
    for (unsigned way = 0; way < 3; way++) {
      vary(&b, &t, n);
      t.no_skip = way == 0;
      t.step = way == 1 ? 2 * b.c.icnt.latency : 1;
      const uint64_t end_b = run_traffic(&b, &t);
      assert_memory_equal(a.q, b.q, (size_t)a.per_sm * a.c.gpu.sms * sizeof *a.q);
      if (end == end_b)
        assert_memory_equal(&sa, hd_memsys_stats(b.ms), sizeof sa);
      else
        fail_msg("machine %u, way %u: %ju and %ju cycles", n, way, (uintmax_t)end, (uintmax_t)end_b);
      rig_end(&b);
    }
    rig_end(&a);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_same_however_it_is_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
