/* An L2 slice with gate_ctrl, by hand from docs/mechanisms/loscache.md. And on random requests, against lines that the test updates
 * in the order of the requests, beside the same model without line bytes. Ticks must do what they said. */
#define RIG l2_top
#include "tests/unit/l2/l2_rig.h"

#include "cmodel/l2/ports.h"
#include "tests/unit/chance.h"

static struct hd_config gated(unsigned ways) {
  return small(HD_GATE_ADAPTIVE, ways);
}

static void build_on(struct hd_config c) {
  build(c);
  rig.in.los_en = 1;
}

static uint64_t awake(void) {
  look();
  return rig.out.awake;
}

/* ---- By hand ---- */

static void a_line_sleeps_after_its_last_access(void **state) {
  (void)state;
  build_on(gated(2));
  load_of(6, 1, 3);
  fill(memory_reads(6), 6);
  loaded(1, 6, 0, 0);
  assert_int_equal(awake(), 1);
  assert_int_equal(rig.out.sleep[0], 2);
  load_of(6, 2, 3);
  load_of(6, 3, 3); /* the third */
  loaded(2, 6, 0, 0);
  loaded(3, 6, 0, 0);
  assert_int_equal(awake(), 0);
  query(6, 4);
  answered(HD_QUERY, 4, false);
  assert_int_equal(rig.out.rsp.count, 3);
  load_of(6, 5, 3);
  fill(memory_reads(6), 6);
  answered(HD_FILL, 5, true); /* D-LOS-3 */
  query(6, 6);
  answered(HD_QUERY, 6, false);
  assert_int_equal(rig.out.rsp.count, 1); /* D-LOS-6 */
  assert_int_equal(awake(), 1);
  wreck();
}

static void merges_count(void **state) {
  (void)state;
  build_on(gated(2));
  load_of(6, 1, 3);
  store_of(6, 2, 3, 3);
  load_of(6, 3, 3); /* the last one: the line does not stay */
  idle(10);
  fill(memory_reads(6), 6);
  loaded(1, 6, 0, 0);
  stored(2);
  loaded(3, 6, 2, 3);
  memory_writes(6, 2, 3);
  assert_int_equal(awake(), 0);
  assert_int_equal(rig.m->u_slice->base.ev[EV_l2_slice_close_fill], 1);
  wreck();
}

/* Hits of one line in consecutive cycles: counts are forwarded. */
static void one_access_a_cycle(void **state) {
  (void)state;
  struct hd_config c = gated(2);
  c.l2.replies = 8;
  build_on(c);
  brings(6);
  for (unsigned n = 1; n <= 4; n++)
    load_of(6, n, 5);
  for (unsigned n = 1; n <= 4; n++)
    loaded(n, 6, 0, 0);
  assert_int_equal(rig.m->u_gate->base.ev[EV_gate_ctrl_forward], 3);
  assert_int_equal(rig.m->u_gate->base.ev[EV_gate_ctrl_sleep_last], 1);
  assert_int_equal(awake(), 0);
  wreck();
}

/* D-LOS-12: predictions count as none. A line that sleeps stays off until it is allocated. */
static void run_time_enable(void **state) {
  (void)state;
  build(gated(2));
  load_of(6, 1, 1);
  fill(memory_reads(6), 6);
  loaded(1, 6, 0, 0);
  load_of(6, 2, 2);
  loaded(2, 6, 0, 0);
  assert_int_equal(awake(), 1);
  rig.in.los_en = 1;
  load_of(6, 3, 3);
  loaded(3, 6, 0, 0);
  assert_int_equal(awake(), 0);
  rig.in.los_en = 0;
  load_of(6, 4, 3);
  assert_int_equal(awake(), 0);
  fill(memory_reads(6), 6);
  answered(HD_FILL, 4, true);
  assert_int_equal(awake(), 1);
  wreck();
}

/* ---- Random requests ---- */

enum { LINES = 24, FLIGHTS = 64 };

/* A request that was taken, and the line that its load must see. */
struct flight {
  bool there;
  uint64_t kind, line, word[WORDS];
};
static struct flight flights[FLIGHTS]; /* by wid */
static unsigned flying;
static uint64_t performed[LINES][WORDS]; /* after all requests taken so far */
static uint64_t memory[LINES][WORDS];

struct read {
  uint64_t id, word[WORDS];
};
static struct read reads[64];
static unsigned n_reads;

static void patch(uint64_t *word, const uint64_t *by, const uint64_t *mask) {
  for (unsigned i = 0; i < 8 * WORDS; i++)
    if (hd_has(mask[i / 8], i % 8))
      ((unsigned char *)word)[i] = ((const unsigned char *)by)[i];
}

static void random_request(void) {
  unsigned wid = (unsigned)draw_below(FLIGHTS);
  while (flights[wid].there)
    wid = (wid + 1) % FLIGHTS;
  const bool los = rig.c.d.LOS, all = draw_below(2);
  rig.in.req_valid = 1;
  rig.in.req = (struct l2req){.sm = draw_below(4),
                              .kind = draw_below(los ? 4 : 3),
                              .line = draw_below(draw_below(2) ? LINES : 4),
                              .wid = wid,
                              .pred = los ? draw_below(5) : 0};
  rig.in.req.full = los && rig.in.req.kind == HD_STORE && all;
  for (unsigned i = 0; i < WORDS; i++) {
    rig.in.req_wdata[i] = draw();
    rig.in.req_wmask[i] = all ? 0xff : draw() & 0xff;
  }
}

static void drive(bool more) {
  rig.in.rsp_ready = draw_below(3) != 0;
  rig.in.out_ready = draw_below(3) == 0;
  rig.in.los_en = draw_below(50) != 0;
  if (!rig.in.req_valid && more && flying < FLIGHTS - 1 && draw_below(3))
    random_request();
  if (!rig.in.fill_valid && n_reads && draw_below(6) == 0) {
    const unsigned i = (unsigned)draw_below(n_reads);
    rig.in.fill_valid = 1;
    rig.in.fill_id = reads[i].id;
    hd_copy(rig.in.fill_data, reads[i].word, WORDS);
    reads[i] = reads[--n_reads];
  }
}

static void taken(void) {
  const struct l2req *q = &rig.in.req;
  struct flight *f = &flights[q->wid];
  *f = (struct flight){.there = true, .kind = q->kind, .line = q->line};
  flying++;
  if (q->kind == HD_STORE)
    patch(performed[q->line], rig.in.req_wdata, rig.in.req_wmask);
  hd_copy(f->word, performed[q->line], WORDS);
}

static void check_answer(void) {
  const struct l2rsp *a = &rig.out.rsp;
  struct flight *f = &flights[a->wid];
  assert_true(f->there);
  assert_int_equal(a->kind, f->kind);
  if (hd_is_load(a->kind))
    assert_memory_equal(rig.out.rsp_data, f->word, sizeof f->word);
  f->there = false;
  flying--;
}

static void memory_does(void) {
  const struct l2out *o = &rig.out.out;
  if (o->write)
    hd_copy(memory[o->line], rig.out.out_data, WORDS);
  else {
    reads[n_reads].id = o->id;
    hd_copy(reads[n_reads++].word, memory[o->line], WORDS);
  }
}

/* Returns a number of all of the state, element by element. Another state has another number. */
static uint64_t state_of(const struct hd_decl *d, const void *st) {
  uint64_t h = 0;
  for (const struct hd_row *row = d->rows; row < d->rows + d->n_rows; row++)
    if (row->cls == HD_REG || row->cls == HD_CAM || row->cls == HD_RAM)
      for (unsigned r = 0; r < rows_of(d, row); r++)
        for (unsigned e = 0; e < row->count; e++)
          h = (h ^ *hd_elem(d, row, st, r, e)) * UINT64_C(0x9e3779b97f4a7c15) + (h >> 29);
  return h;
}
static uint64_t state_now(void) {
  uint64_t h = state_of(rig.m->u_slice->base.decl, &rig.m->u_slice->s);
  return rig.m->u_gate ? h ^ state_of(rig.m->u_gate->base.decl, &rig.m->u_gate->s) : h;
}

/* Random values in inputs that the slice reads only in some cycles or never. Wires set them when it reads. */
static void forget_asked(struct l2_top *m) {
  const struct hd_decl *d = m->u_slice->base.decl;
  unsigned asked = 0;
  for (size_t i = 0; i < d->n_rows; i++)
    for (unsigned e = 0; d->rows[i].asked && e < d->rows[i].count; e++, asked++)
      *hd_elem(d, &d->rows[i], &m->u_slice_in, 0, e) = draw() & hd_ones(d->rows[i].width);
  assert_int_equal(asked > 0, m->u_gate != NULL);
}

/* The same model without line bytes has the same outputs. */
static void shows_the_same(struct l2_top *bare, struct l2_top_out *out) {
  forget_asked(bare);
  l2_top_moore(bare, out);
  l2_top_mealy(bare, &rig.in, out);
  assert_int_equal(out->req_ready, rig.out.req_ready);
  assert_int_equal(out->fill_ready, rig.out.fill_ready);
  assert_int_equal(out->rsp_valid, rig.out.rsp_valid);
  assert_memory_equal(&out->rsp, &rig.out.rsp, sizeof out->rsp);
  assert_int_equal(out->out_valid, rig.out.out_valid);
  assert_memory_equal(&out->out, &rig.out.out, sizeof out->out);
  assert_int_equal(out->awake, rig.out.awake);
}

static void random_run(struct hd_config c, uint64_t seed, unsigned cycles) {
  build_on(c);
  chance_state = seed;
  memset(flights, 0, sizeof flights);
  flying = n_reads = 0;
  for (unsigned i = 0; i < LINES * WORDS; i++)
    performed[i / WORDS][i % WORDS] = memory[i / WORDS][i % WORDS] = draw();
  struct l2_top *bare = hd_model_new(rig.design, "l2_top", false, NULL);
  struct l2_top_out out = {0};
  assert_true(bare && hd_alloc_out(bare->base.decl, &out));
  uint64_t ahead = 0, answers = 0;
  for (unsigned cycle = 0; cycle < cycles || flying; cycle++) {
    assert_true(cycle < cycles + 5000);
    drive(cycle < cycles);
    look();
    shows_the_same(bare, &out);
    const bool takes = rig.in.req_valid && rig.out.req_ready, fills = rig.in.fill_valid && rig.out.fill_ready;
    const bool replies = rig.out.rsp_valid && rig.in.rsp_ready, sends = rig.out.out_valid && rig.in.out_ready;
    if (takes)
      taken();
    if (replies)
      check_answer();
    if (sends)
      memory_does();
    answers += replies;
    const uint64_t was = ahead;
    const uint64_t state = state_now();
    ahead = l2_top_tick(rig.m, &rig.in);
    assert_int_equal(l2_top_tick(bare, &rig.in), ahead);
    assert_true(ahead == 0 || ahead == HD_MOVES);
    if (!(takes | fills | replies | sends)) /* it does what the tick had said */
      assert_int_equal(state_now() != state, was == HD_MOVES);
    if (takes)
      rig.in.req_valid = 0;
    if (fills)
      rig.in.fill_valid = 0;
  }
  assert_true(answers > cycles / 30);
  assert_int_equal(rig.m->u_slice->s.mshr_used, 0);
  for (unsigned set = 0, n = 0; rig.m->u_gate && set < rig.c.d.L2_SETS; set++) {
    n += (unsigned)__builtin_popcountll(rig.m->u_gate->s.power[set]);
    assert_true(set + 1 < rig.c.d.L2_SETS || n == rig.m->u_gate->s.n);
  }
  hd_free_out(bare->base.decl, &out);
  hd_model_free(bare);
  wreck();
}

static void random_requests(void **state) {
  (void)state;
  static const unsigned ways[] = {1, 2, 5};
  for (uint64_t seed = 1; seed <= 12; seed++) {
    struct hd_config c = small(seed % 3 == 0   ? HD_GATE_OFF
                               : seed % 3 == 1 ? HD_GATE_NAIVE
                                               : HD_GATE_ADAPTIVE,
                               ways[seed / 4 % 3]);
    c.l2.mshrs = 2 + (unsigned)seed % 5;
    c.l2.mshr_merge = 1 + (unsigned)seed % 4;
    c.l2.queue = 2 + (unsigned)seed % 4;
    c.l2.replies = 2 + (unsigned)seed % 3;
    c.l2.fills = 2 + (unsigned)seed / 3 % 3;
    c.loscache.count_bits = 2 + (unsigned)seed % 2 * 4;
    random_run(c, seed, 8000);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_line_sleeps_after_its_last_access),
      cmocka_unit_test(merges_count),
      cmocka_unit_test(one_access_a_cycle),
      cmocka_unit_test(run_time_enable),
      cmocka_unit_test(random_requests),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
