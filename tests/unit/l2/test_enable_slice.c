/* D-MIX-2: an L2 slice with LoSCache whose run-time enable is low from reset on behaves as a slice without LoSCache: with the same
 * inputs its outputs are the same in every cycle. The SM's mechanisms: tests/unit/sm/test_enable.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/model/models.h"
#include "tests/unit/loaded.h"
#include "workloads/rng.h"

struct slice {
  struct hd_config c;
  struct hd_design *design;
  const struct hd_decl *decl;
  struct l2_top *m;
  struct l2_top_in in;
  struct l2_top_out out;
};

static void open_slice(struct slice *s) {
  assert_int_equal(hd_config_check(&s->c, NULL, NULL, stderr), 0);
  s->design = hd_design_new(&s->c);
  s->decl = hd_design_find(s->design, "l2_top");
  s->m = hd_model_new(s->design, "l2_top", true, NULL);
  assert_true(s->m && hd_alloc_in(s->decl, &s->in) && hd_alloc_out(s->decl, &s->out));
}

static void close_slice(struct slice *s) {
  hd_model_free(s->m);
  hd_free_in(s->decl, &s->in);
  hd_free_out(s->decl, &s->out);
  hd_design_free(s->design);
}

static void assert_slices_equal(const struct slice *a, const struct slice *b) {
  const struct l2_top_out *x = &a->out, *y = &b->out;
  const size_t line = a->c.d.WORDS * sizeof *x->rsp_data;
  assert_int_equal(x->req_ready, y->req_ready);
  assert_int_equal(x->fill_ready, y->fill_ready);
  assert_int_equal(x->rsp_valid, y->rsp_valid);
  if (x->rsp_valid) {
    assert_memory_equal(&x->rsp, &y->rsp, sizeof x->rsp);
    assert_memory_equal(x->rsp_data, y->rsp_data, line);
  }
  assert_int_equal(x->out_valid, y->out_valid);
  if (x->out_valid) {
    assert_memory_equal(&x->out, &y->out, sizeof x->out);
    if (x->out.write)
      assert_memory_equal(x->out_data, y->out_data, line);
  }
}

enum { IN_FLIGHT = 64, SLICE_CYCLES = 60000 };

/* The requests to both slices, and the memory behind them. */
struct traffic {
  struct wl_rng rng;
  uint64_t read[IN_FLIGHT];    /* MSHRs whose lines are still to come */
  unsigned n, ask, take, fill; /* in eighths */
  bool asking, filling;
};

static bool eighths(struct traffic *t, unsigned n) {
  return wl_rng_below(&t->rng, 8) < n;
}

static void draw_words(struct traffic *t, uint64_t *word, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    word[i] = wl_rng_next(&t->rng);
}

/* Few lines of few sets, with predictions that would end most of them soon. */
static void draw_request(struct traffic *t, struct slice *s) {
  const struct hd_derived *d = &s->c.d;
  struct l2req *q = &s->in.req;
  *q = (struct l2req){.sm = d->SM_W ? wl_rng_below(&t->rng, d->SMS) : 0,
                      .kind = wl_rng_below(&t->rng, 3),
                      .line = wl_rng_below(&t->rng, 3 * d->L2_WAYS) << d->L2_SET_W | wl_rng_below(&t->rng, 2),
                      .wid = wl_rng_below(&t->rng, d->WARPS)};
  if (d->LOS) {
    q->pe = wl_rng_below(&t->rng, d->LPT + 1);
    q->pred = q->pe ? wl_rng_below(&t->rng, 4) : 0;
  }
  draw_words(t, s->in.req_wdata, d->WORDS);
  const bool full = wl_rng_below(&t->rng, 2);
  for (unsigned i = 0; i < d->WORDS; i++)
    s->in.req_wmask[i] = full ? 0xff : wl_rng_next(&t->rng) & 0xff;
  q->full = d->LOS && q->kind == HD_STORE && full;
}

/* Drives the slice that takes predictions. */
static void drive_slice(struct traffic *t, struct slice *s) {
  if (!wl_rng_below(&t->rng, 256)) {
    t->ask = 1 + wl_rng_below(&t->rng, 8);
    t->take = 1 + wl_rng_below(&t->rng, 8);
    t->fill = 1 + wl_rng_below(&t->rng, 8);
  }
  if (!t->asking && (t->asking = eighths(t, t->ask)))
    draw_request(t, s);
  if (!t->filling && t->n && (t->filling = eighths(t, t->fill))) {
    const unsigned some = wl_rng_below(&t->rng, t->n);
    s->in.fill_id = t->read[some];
    t->read[some] = t->read[--t->n];
    draw_words(t, s->in.fill_data, s->c.d.WORDS);
  }
  s->in.req_valid = t->asking;
  s->in.fill_valid = t->filling;
  s->in.rsp_ready = eighths(t, t->take);
  s->in.out_ready = eighths(t, t->take);
}

/* Drives the plain slice, which takes no predictions. */
static void drive_plain(const struct slice *from, struct slice *to) {
  const size_t line = to->c.d.WORDS * sizeof *to->in.req_wdata;
  to->in.req_valid = from->in.req_valid;
  to->in.req = from->in.req;
  to->in.req.pe = to->in.req.pred = to->in.req.full = 0;
  memcpy(to->in.req_wdata, from->in.req_wdata, line);
  memcpy(to->in.req_wmask, from->in.req_wmask, line);
  to->in.fill_valid = from->in.fill_valid;
  to->in.fill_id = from->in.fill_id;
  memcpy(to->in.fill_data, from->in.fill_data, line);
  to->in.rsp_ready = from->in.rsp_ready;
  to->in.out_ready = from->in.out_ready;
}

/* Returns the number of answers taken. LoSCache's slice also gives the entry of the request. */
static unsigned run_slices(struct slice *plain, struct slice *los, uint64_t seed) {
  struct traffic t = {.rng.state = seed, .ask = 4, .take = 4, .fill = 4};
  unsigned answers = 0;
  open_slice(plain);
  open_slice(los);
  for (unsigned now = 0; now < SLICE_CYCLES; now++) {
    l2_top_moore(plain->m, &plain->out);
    l2_top_moore(los->m, &los->out);
    los->out.rsp.pe = 0;
    assert_slices_equal(plain, los);
    drive_slice(&t, los);
    drive_plain(los, plain);
    if (los->in.out_ready && los->out.out_valid && !los->out.out.write) {
      assert_true(t.n < IN_FLIGHT);
      t.read[t.n++] = los->out.out.id;
    }
    t.asking = t.asking && !los->out.req_ready;
    t.filling = t.filling && !los->out.fill_ready;
    answers += los->out.rsp_valid && los->in.rsp_ready;
    l2_top_mealy(plain->m, &plain->in, &plain->out);
    l2_top_mealy(los->m, &los->in, &los->out);
    l2_top_tick(plain->m, &plain->in);
    l2_top_tick(los->m, &los->in);
  }
  close_slice(plain);
  close_slice(los);
  return answers;
}

static void los_disabled_slice_is_plain(void **state) {
  (void)state;
  static const struct {
    unsigned sets, ways, mshrs, merge, queue, sms;
  } cases[] = {{64, 16, 32, 4, 8, 1}, {2, 1, 2, 1, 2, 1}, {4, 3, 5, 2, 3, 3}, {16, 32, 64, 8, 16, 15}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
    for (unsigned naive = 0; naive < 2; naive++) {
      struct slice a = {.c = loaded("loscache")};
      a.c.gpu.sms = cases[i].sms;
      a.c.gpu.dispatch_latency = 2;
      a.c.l2.sets = cases[i].sets;
      a.c.l2.ways = cases[i].ways;
      a.c.l2.mshrs = cases[i].mshrs;
      a.c.l2.mshr_merge = cases[i].merge;
      a.c.l2.queue = cases[i].queue;
      struct slice b = {.c = a.c};
      a.c.loscache.gate = HD_GATE_OFF;
      b.c.loscache.gate = naive ? HD_GATE_NAIVE : HD_GATE_ADAPTIVE;
      assert_in_range(run_slices(&a, &b, 1 + i), 1000, SLICE_CYCLES);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(los_disabled_slice_is_plain)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
