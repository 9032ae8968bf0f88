/* The static instructions that warps share are kept once. A warp with other instructions has its own from there on. */
#include "tests/unit/trace/trace_rig.h"

#include "workloads/trace/trace_statics.h"

enum { KINDS = 40, INSTS = 200 };

static struct wl_trace_statics common = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* A warp: instructions of these kinds. The first ones are in order, so that its block says so. */
struct warp {
  struct wl_inst inst[INSTS];
  struct wl_trace_encoder block;
};
static void make(struct warp *w, struct wl_rng *rng, const struct wl_inst *kind) {
  wl_trace_encode_begin(&w->block);
  for (unsigned n = 0; n < INSTS; n++) {
    struct wl_inst lanes;
    any_inst(rng, &lanes);
    w->inst[n] = kind[n < KINDS ? n : wl_rng_below(rng, KINDS)];
    memcpy(w->inst[n].addr, lanes.addr, sizeof lanes.addr);
    assert_true(wl_trace_encode(&w->block, &w->inst[n], NULL));
  }
}

static void begin(struct wl_trace_decoder *d, const struct warp *w) {
  wl_trace_decode_begin(d, w->block.bytes, w->block.used, &common);
}
/* Checks that the n-th instruction of a warp is the one written. */
static void read_one(struct wl_trace_decoder *d, const struct warp *w, unsigned n) {
  struct wl_inst back;
  assert_true(wl_trace_decode(d, &back));
  wl_trace_locate(d, &back);
  rig_same_inst(&w->inst[n], &back);
}

/* Reads the warps in turns. What one warp learns or keeps changes no other warp. */
static void warps_have_some_in_common(void **state) {
  (void)state;
  static struct warp warp[4];
  struct wl_rng rng = {11};
  struct wl_inst kind[KINDS], others[KINDS];
  struct wl_trace_decoder d[4] = {{0}};
  for (unsigned k = 0; k < KINDS; k++)
    any_inst(&rng, &kind[k]);
  memcpy(others, kind, sizeof kind);
  others[KINDS / 2].pc ^= 8; /* the first half is the same as in the others */
  for (unsigned w = 0; w < 4; w++)
    make(&warp[w], &rng, w == 2 ? others : kind);
  wl_trace_statics_begin(&common);
  for (unsigned w = 0; w < 4; w++)
    begin(&d[w], &warp[w]);
  for (unsigned n = 0; n < INSTS; n++)
    for (unsigned w = 0; w < 4; w++)
      read_one(&d[w], &warp[w], n);
  for (unsigned w = 0; w < 4; w++) {
    assert_ptr_equal(d[w].at, d[w].end);
    assert_int_equal(d[w].now.statics, KINDS);
    assert_true((d[w].known == common.known) == (w != 2));
  }
  assert_int_equal(atomic_load(&common.n), KINDS);
  /* The warp with its own instructions shares again in its next block. */
  begin(&d[2], &warp[3]);
  for (unsigned n = 0; n < INSTS; n++)
    read_one(&d[2], &warp[3], n);
  assert_ptr_equal(d[2].known, common.known);
  for (unsigned w = 0; w < 4; w++)
    wl_trace_decode_end(&d[w]);
}

/* Another launch has other instructions. A warp that reads fewer of them shares all of them. */
static void a_launch_begins_anew(void **state) {
  (void)state;
  static struct warp warp;
  struct wl_rng rng = {12};
  struct wl_inst kind[KINDS];
  struct wl_trace_decoder d = {0};
  for (unsigned launch = 0; launch < 2; launch++) {
    for (unsigned k = 0; k < KINDS; k++)
      any_inst(&rng, &kind[k]);
    make(&warp, &rng, kind);
    wl_trace_statics_begin(&common);
    begin(&d, &warp);
    for (unsigned n = 0; n < INSTS; n++)
      read_one(&d, &warp, n);
    assert_ptr_equal(d.known, common.known);
    begin(&d, &warp);
    for (unsigned n = 0; n < KINDS / 2; n++)
      read_one(&d, &warp, n);
    assert_ptr_equal(d.known, common.known);
    assert_int_equal(atomic_load(&common.n), KINDS);
  }
  wl_trace_decode_end(&d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(warps_have_some_in_common),
      cmocka_unit_test(a_launch_begins_anew),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
