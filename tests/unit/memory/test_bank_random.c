/* A bank of the L2 under random traffic: it may sleep and may be run ahead, and a watch sees all. The traffic decides each thing by
 * a hash of the cycle, so it does not depend on when the bank runs. */
#include "tests/unit/memory/bank_rig.h"

#include "workloads/rng.h"

enum { REQUESTS = 900, CYCLES = 30000, RESTS = 256, KEPT = 3 * REQUESTS };

/* The messages that have left the bank, with their cycles. */
struct trace {
  struct {
    uint64_t at, what;
  } e[KEPT];
  unsigned n;
  struct hd_bank_stats stats;
};

static uint64_t draw(uint64_t seed, uint64_t now, unsigned what) {
  return wl_rng_mix(seed * 16 + what, now);
}

static void note(struct trace *t, uint64_t at, uint64_t what) {
  assert_true(t->n < KEPT);
  t->e[t->n].at = at;
  t->e[t->n++].what = what;
}

/* Request n. */
static struct l2req request_of(uint64_t seed, unsigned n, unsigned lines) {
  const unsigned kind = draw(seed, n, 0) % 8;
  const bool los = b.c.d.LOS;
  return (struct l2req){.sm = n % 4,
                        .kind = kind < 3           ? HD_FILL
                                : kind < 4         ? HD_BYPASSED
                                : kind < 7 || !los ? HD_STORE
                                                   : HD_QUERY,
                        .line = draw(seed, n, 1) % lines,
                        .id = n % 32,
                        .wid = n / 32,
                        .pe = los ? n % 20 : 0,
                        .pred = los && kind < 7 ? draw(seed, n, 2) % 5 : 0,
                        .full = los && draw(seed, n, 3) % 2};
}
static unsigned number_of(uint64_t id, uint64_t wid) {
  return (unsigned)(wid * 32 + id);
}

/* EVERY: the bank runs in every cycle. AWAKE: only in cycles in which it can act. AHEAD: likewise, and then for some more cycles, as
 * far as no other unit can make a difference. */
enum way { EVERY, AWAKE, AHEAD };

static uint64_t until(uint64_t seed, enum way way) {
  const uint64_t more = way == AHEAD ? draw(seed, b.now, 11) % (hd_bank_lead(b.bank) + 1) : 0;
  return hd_bank_has_places(b.bank, (unsigned)more) ? b.now + more : b.now;
}

struct traffic {
  enum hd_gate gate;
  uint64_t seed;
  unsigned away, ways, mshrs, lines, pace;
  bool rests; /* DRAM, in every other RESTS cycles */
};

static struct traffic traffic_of(uint64_t seed) {
  static const enum hd_gate gates[] = {HD_GATE_OFF, HD_GATE_NAIVE, HD_GATE_ADAPTIVE};
  return (struct traffic){gates[seed % 3], seed, AWAY, WAYS, MSHRS, LINES, 1 + seed % 4, false};
}

static void begin_traffic(const struct traffic *traffic) {
  begin_with(traffic->gate, WAY, traffic->away, traffic->ways, traffic->mshrs);
  b.moves = (struct hd_bank_moves){0};
}

static unsigned stuck, ahead; /* runs AHEAD: without a way to DRAM; ended in a later cycle */

static void random_traffic(const struct traffic *traffic, enum way way, struct trace *t) {
  const uint64_t seed = traffic->seed;
  unsigned n = 0, held = 0;
  uint64_t filled = 0;
  t->n = 0;
  for (; b.now < CYCLES; b.now++) {
    const uint64_t now = b.now;
    if (n < REQUESTS && draw(seed, now, 4) % traffic->pace == 0 && !hd_bank_full(b.bank)) {
      const struct l2req q = request_of(seed, n++, traffic->lines);
      hd_bank_push(b.bank, &q, now + WAY);
    }
    if (way == EVERY)
      hd_bank_wake(b.bank);
    if (way == EVERY || hd_bank_next(b.bank, held < PLACES) <= now) {
      stuck += way == AHEAD && hd_bank_is_stuck(b.bank);
      b.moves = hd_bank_run(b.bank, now, until(seed, way), held < PLACES ? &b.answer : NULL);
      assert_true(!b.moves.answered || held < PLACES);
      ahead += b.moves.any && b.moves.at > now;
    }
    if (b.moves.answered && b.moves.at == now) {
      held++;
      note(t, now,
           number_of(b.answer.id, b.answer.wid) | b.answer.count << 32 | b.answer.pe << 40 |
               b.answer.kind << 48);
    }
    const struct hd_bank_fetch *f = hd_bank_fetch(b.bank);
    const bool rests = traffic->rests && now / RESTS % 2;
    if (f && f->at <= now && !rests && draw(seed, now, 5) % (2 * traffic->pace) == 0) {
      note(t, now, UINT64_C(1) << 63 | f->line << 8 | (uint64_t)f->write << 7 | f->mshr);
      const uint64_t at = now + traffic->away + draw(seed, now, 6) % 40;
      filled = at > filled ? at : filled;
      if (!f->write)
        hd_bank_fill(b.bank, f->mshr, filled);
      hd_bank_fetched(b.bank);
      hd_bank_wake(b.bank);
    }
    if (held && draw(seed, now, 7) % (1 + seed % 3) == 0) {
      held--;
      hd_bank_wake(b.bank);
    }
  }
  assert_int_equal(n, REQUESTS);
  assert_false(held || hd_bank_sending(b.bank));
  t->stats = *stats();
}

static void runs_alike(const struct traffic *traffic, enum way way) {
  static struct trace every, other;
  begin_traffic(traffic);
  random_traffic(traffic, EVERY, &every);
  end();
  begin_traffic(traffic);
  random_traffic(traffic, way, &other);
  end();
  if (memcmp(&every, &other, sizeof every) != 0)
    fail_msg("seed %d", (int)traffic->seed);
}

static void sleep_changes_nothing(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 24; seed++) {
    const struct traffic traffic = traffic_of(seed);
    runs_alike(&traffic, AWAKE);
  }
}

/* The way to DRAM and back is long, so there are cycles in which no other unit can make a difference. Requests to DRAM may have no
 * place. */
static void running_ahead_changes_nothing(void **state) {
  (void)state;
  stuck = ahead = 0;
  for (uint64_t seed = 0; seed < 24; seed++) {
    struct traffic traffic = traffic_of(seed);
    traffic.away = 15 + seed % 8;
    if (seed % 2) {
      traffic.ways = 8;
      traffic.mshrs = 32;
      traffic.lines = 80;
      traffic.rests = true;
    }
    runs_alike(&traffic, AHEAD);
  }
  assert_true(stuck > 500 && ahead > 500);
}

/* ---- A watch ---- */

struct onlooker {
  uint64_t seed;
  uint64_t stored[LINES][WORDS], memory[LINES][WORDS]; /* by requests, and by lines that left */
  uint64_t expected[REQUESTS][WORDS], fill[MSHRS][WORDS];
  uint64_t cycles, awake, reads, writes, queries, fetches, write_backs, early, loads;
};

static uint64_t bytes_of(uint64_t mask) {
  uint64_t bits = 0;
  for (unsigned i = 0; i < 8; i++)
    bits |= mask >> i & 1 ? UINT64_C(0xff) << 8 * i : 0;
  return bits;
}

static void add_bytes(void *user, struct l2_top_in *in) {
  const struct onlooker *o = user;
  const unsigned n = number_of(in->req.id, in->req.wid);
  for (unsigned w = 0; w < WORDS; w++) {
    if (in->req_valid) {
      in->req_wdata[w] = draw(o->seed, n * WORDS + w, 8);
      in->req_wmask[w] = in->req.full ? 0xff : draw(o->seed, n * WORDS + w, 9) & 0x7f;
    }
    if (in->fill_valid)
      in->fill_data[w] = o->fill[in->fill_id][w];
  }
}

static void take(struct onlooker *o, const struct l2_top_in *in) {
  const struct l2req *q = &in->req;
  uint64_t *stored = o->stored[q->line];
  o->reads += hd_is_load(q->kind);
  o->writes += q->kind == HD_STORE;
  o->queries += q->kind == HD_QUERY;
  for (unsigned w = 0; w < WORDS && q->kind == HD_STORE; w++)
    stored[w] = (stored[w] & ~bytes_of(in->req_wmask[w])) | (in->req_wdata[w] & bytes_of(in->req_wmask[w]));
  memcpy(o->expected[number_of(q->id, q->wid)], stored, sizeof o->expected[0]);
}

static void look_on(void *user, const struct l2_top_in *in, const struct l2_top_out *out) {
  struct onlooker *o = user;
  o->cycles++;
  o->awake += b.c.d.LOS ? out->awake : SETS * WAYS;
  if (out->rsp_valid && in->rsp_ready) {
    o->early += out->rsp.kind != HD_QUERY && out->rsp.count;
    if (hd_is_load(out->rsp.kind)) {
      o->loads++;
      assert_memory_equal(out->rsp_data, o->expected[number_of(out->rsp.id, out->rsp.wid)],
                          sizeof o->expected[0]);
    }
  }
  if (in->req_valid && out->req_ready)
    take(o, in);
  if (!out->out_valid || !in->out_ready)
    return;
  uint64_t *line = o->memory[out->out.line];
  o->fetches += !out->out.write;
  o->write_backs += out->out.write;
  if (out->out.write)
    memcpy(line, out->out_data, sizeof o->memory[0]);
  else
    memcpy(o->fill[out->out.id], line, sizeof o->memory[0]);
}

static void a_watch_sees_every_byte(void **state) {
  (void)state;
  static struct onlooker o;
  static struct trace alone, watched;
  for (uint64_t seed = 0; seed < 24; seed++) {
    memset(&o, 0, sizeof o);
    o.seed = seed;
    for (unsigned i = 0; i < LINES * WORDS; i++)
      o.stored[i / WORDS][i % WORDS] = o.memory[i / WORDS][i % WORDS] = draw(seed, i, 10);
    const struct traffic traffic = traffic_of(seed);
    begin_traffic(&traffic);
    const struct hd_bank_watch watch = {add_bytes, look_on, &o};
    assert_true(hd_bank_set_watch(b.bank, &watch));
    random_traffic(&traffic, AWAKE, &watched);
    const struct hd_bank_stats *s = &watched.stats;
    assert_int_equal(o.cycles, b.now);
    assert_int_equal(s->line_cycles, b.now * SETS * WAYS);
    assert_int_equal(s->awake_cycles, o.awake);
    assert_int_equal(s->reads, o.reads);
    assert_int_equal(o.loads, o.reads);
    assert_int_equal(s->writes, o.writes);
    assert_int_equal(s->queries, o.queries);
    assert_int_equal(s->misses, o.fetches + s->no_store_writes);
    assert_int_equal(s->writebacks + s->close_writebacks + s->no_store_writes, o.write_backs);
    assert_true(o.early >= s->early && (s->early || !b.c.d.LOS));
    assert_true(s->generations.live_cycles <= s->line_cycles);
    end();
    begin_traffic(&traffic);
    random_traffic(&traffic, AWAKE, &alone);
    assert_memory_equal(&alone, &watched, sizeof alone);
    end();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sleep_changes_nothing),
      cmocka_unit_test(running_ahead_changes_nothing),
      cmocka_unit_test(a_watch_sees_every_byte),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
