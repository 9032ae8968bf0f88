/* The L1 data cache with APCM on random requests, patterns and boards, against the rules of docs/mechanisms/apcm.md in their
 * plainest form, recomputed from the decisions. And no line stays pinned forever. */
#include "tests/unit/l1d/l1d_apcm_rig.h"

#include "tests/unit/chance.h"

enum { CYCLES = 30000, LINES = 12 };

/* The board's state: random, or no warp protects. */
enum board { ANY, NOBODY };

static void drive(enum board board) {
  const struct hd_derived *d = &rig.c.d;
  rig.in.resp_ready = draw_below(4) != 0;
  rig.in.mreq_ready = draw_below(4) != 0 && seen.n_asked < MANY - 1;
  if (!rig.in.mrsp_valid && seen.n_asked && draw_below(3) == 0) {
    const struct mreq *q = &seen.asked[0];
    rig.in.mrsp_valid = 1;
    rig.in.mrsp = (struct mrsp){
        .kind = q->kind, .id = q->id, .wid = q->wid, .slot = q->slot, .num = q->num, .last = q->last};
    memmove(seen.asked, seen.asked + 1, --seen.n_asked * sizeof *q);
  }
  if (!rig.in.req_valid && draw_below(2)) {
    rig.in.req_valid = 1;
    rig.in.req = (struct req){.line = draw_below(LINES),
                              .write = draw_below(8) == 0,
                              .wid = draw_below(d->WARPS),
                              .num = draw_below(4),
                              .last = draw_below(2),
                              .trk = draw_below(4) != 0,
                              .lid = draw_below(LOADS)};
    rig.in.req.byp = d->CASC && draw_below(4) == 0;
    rig.in.req.loc = d->LOC && draw_below(2);
    rig.in.req.hpc = draw() & hd_ones(d->HPC_W);
  }
  if (draw_below(32) == 0) {
    says->m_bypass = d->APCM_B ? draw() & draw() & hd_ones(LOADS) : 0;
    of_sm.apcm_en = draw_below(8) != 0;
    of_sm.rft_bypass = d->RFT ? draw() & draw() : 0;
  }
  hung->u_degree_in.lk_known = d->LOC && draw_below(2);
  if (!d->APCM_P)
    return;
  says->m_protect = board == NOBODY ? 0 : draw() & hd_ones(LOADS);
  says->psb_on = board == NOBODY ? 0 : draw() & hd_ones(d->WARPS);
  says->psb_loop = draw() & hd_ones(d->WARPS);
  for (unsigned i = 0; i < LOADS; i++)
    says->m_last[i] = draw_below(3);
  for (unsigned w = 0; w < d->WARPS; w++)
    says->psb_last[w] = draw_below(3);
}

struct done {
  uint64_t hits, early_hits, merges, misses, bypasses;
};
static struct done done(void) {
  return (struct done){EVENTS(load_hit), EVENTS(early_hit), EVENTS(load_merge), EVENTS(load_miss),
                       EVENTS(bypass)};
}

/* ---- By the rules: d's pattern, its pins and the board, from the state before ---- */

/* For each way, the warp that took its line and whether the line is to be kept. By all decisions. */
static struct {
  bool kept;
  uint64_t owner;
} taken[2][4];

/* The report expected in the next cycle. */
static struct {
  bool valid, protects;
  uint64_t line, wid, count;
} next;

static struct {
  struct req c, d;
  bool c_valid, keep, bypass, on;
  uint64_t pinned, set, evict;
  struct done done;
} was;

static void note(void) {
  const struct l1d_st *s = &rig.m->s;
  const struct hd_derived *d = &rig.c.d;
  memset(&was, 0, sizeof was);
  was.c = s->c;
  was.d = s->d;
  was.c_valid = s->c_valid;
  was.set = s->c_set;
  was.evict = EVENTS(evict);
  was.done = done();
  const bool known = of_sm.apcm_en && s->c_valid && s->c.trk && !s->c.write;
  was.bypass = known && hd_has(says->m_bypass, s->c.lid);
  if (!d->APCM_P)
    return;
  const uint64_t w = s->c.wid, last = says->m_last[s->c.lid];
  was.on = hd_has(says->psb_on, w);
  was.keep = known && hd_has(says->m_protect, s->c.lid);
  if (was.on && (says->psb_last[w] != last || hd_has(says->psb_loop, w) != (last == s->c.lid)))
    was.keep = false;
  for (unsigned way = 0; way < d->WAYS; way++) {
    const uint64_t o = taken[s->c_set][way].owner;
    if (taken[s->c_set][way].kept && (hd_has(says->psb_on, o) || (next.protects && next.wid == o)))
      was.pinned |= hd_bit(way);
  }
}

/* Checks that the decision of the cycle before, if any, is reported, with the count of the line's uses. */
static void check_outcome(void) {
  assert_int_equal(rig.out.outcome_load, next.valid);
  if (rig.c.d.APCM_P)
    assert_int_equal(hung->u_apcm_line_out.ps_valid, next.protects);
  if (next.protects)
    assert_int_equal(hung->u_apcm_line_out.ps_wid, next.wid);
  if (!next.valid)
    return;
  assert_int_equal(rig.out.outcome.line, next.line);
  assert_int_equal(hung->u_line_uses_out.uses, next.count);
}

/* The next cycle reports what was decided in this cycle. */
static void expect(bool kept) {
  static uint64_t uses[LINES]; /* uses of each line since it was filled */
  const struct done now = done();
  const bool used = now.hits != was.done.hits || now.merges != was.done.merges ||
                    now.early_hits != was.done.early_hits,
             missed = now.misses != was.done.misses;
  next.valid = used || missed || now.bypasses != was.done.bypasses;
  next.protects = missed && kept;
  next.line = was.d.line;
  next.wid = was.d.wid;
  if (missed)
    uses[next.line] = 0;
  if (used)
    uses[next.line] += uses[next.line] < 3;
  next.count = used ? uses[next.line] : 0;
}

static void check_stuck(void) {
  const struct l1d_st *s = &rig.m->s;
  bool stuck = s->d_valid && s->d_pin;
  for (unsigned way = 0; way < rig.c.d.WAYS; way++)
    stuck &= hd_has(s->reserved[s->d_set], way) || (hd_has(s->valid[s->d_set], way) && hd_has(s->d_pin, way));
  assert_int_equal(s->d_stuck, stuck);
}

/* d has moved on: it holds the values that were computed for c. A way just taken is pinned if its load wants it. */
static void check_move(uint64_t pins, bool keep, bool bypass, bool missed, bool kept, uint64_t set) {
  const struct l1d_st *s = &rig.m->s;
  if (missed && set == was.set)
    pins = hd_with(pins, hd_lowest(s->outcome_at), kept);
  assert_int_equal(s->d_pin, was.c_valid ? pins : 0);
  assert_int_equal(line_st->d_keep, keep);
  assert_int_equal(line_st->d_apb, bypass);
}

/* Runs one cycle. A load's victim is never in a pinned way. */
static void lives(enum board board) {
  const struct l1d_st *s = &rig.m->s;
  drive(board);
  look();
  if (rig.out.mreq_valid && rig.in.mreq_ready)
    seen.asked[seen.n_asked++] = rig.out.mreq;
  check_outcome();
  note();
  if (was.c_valid)
    assert_int_equal(rig.in.pins, was.pinned);
  const bool req = rig.out.req_ready, mrsp = rig.out.mrsp_ready, kept = line_st->d_keep, d_valid = s->d_valid;
  const uint64_t pins = s->d_pin, set = s->d_set;
  edge();
  const bool missed = EVENTS(load_miss) != was.done.misses;
  expect(kept);
  check_stuck();
  if (rig.c.d.APCM_P) {
    const unsigned way = missed ? hd_lowest(s->outcome_at) : 0;
    if (EVENTS(evict) != was.evict)
      assert_false(hd_has(pins, way));
    if (missed || !d_valid)
      check_move(was.pinned, was.keep, was.bypass, missed, kept, set);
    if (missed) {
      taken[set][way].kept = kept;
      taken[set][way].owner = was.d.wid;
    }
  }
  rig.in.req_valid &= !req;
  rig.in.mrsp_valid &= !mrsp;
}

static void runs(struct hd_config c) {
  build_managed(c);
  memset(&next, 0, sizeof next);
  memset(taken, 0, sizeof taken);
  of_sm.rft_en = 1;
  for (unsigned i = 0; i < CYCLES; i++) {
    lives(ANY);
    if (i % 64 == 0)
      state_fits();
  }
  assert_true(EVENTS(load_hit) > 20 && EVENTS(evict) > 20);
  if (rig.c.d.APCM_P)
    assert_true(APCM_EVENTS(protect) > 20 && EVENTS(stuck) > 20);
  for (unsigned i = 0; i < 200; i++)
    lives(NOBODY);
  const uint64_t stuck = EVENTS(stuck), misses = EVENTS(load_miss);
  for (unsigned i = 0; i < CYCLES / 2; i++) {
    assert_int_equal(rig.m->s.d_pin, 0);
    lives(NOBODY);
  }
  assert_int_equal(EVENTS(stuck), stuck);
  assert_true(EVENTS(load_miss) > misses + 20);
  wreck();
}

static void alone(void **state) {
  (void)state;
  for (unsigned ways = 1; ways <= 4; ways++)
    runs(managed(ways, HD_APCM_BOTH));
  runs(managed(2, HD_APCM_PROTECT));
  runs(managed(2, HD_APCM_BYPASS));
}

static void with_stall_bypass(void **state) {
  (void)state;
  struct hd_config c = managed(2, HD_APCM_BOTH);
  c.request_buffer.bypass = HD_BYPASS_ALL;
  c.l1d.bypass_hit = HD_BYPASS_FORWARD;
  c.sm.warps = 11;
  runs(c);
}

static void with_choo(void **state) {
  (void)state;
  struct hd_config c = managed(3, HD_APCM_BOTH);
  c.casc.scheme = HD_CASC_LOCALITY;
  runs(c);
  c.rft.form = HD_RFT_AVERAGE;
  c.rft.entries = 8;
  c.rft.resample = 2;
  runs(c);
  c.request_buffer.kind = HD_MEMSCHED;
  runs(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(alone),
      cmocka_unit_test(with_stall_bypass),
      cmocka_unit_test(with_choo),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
