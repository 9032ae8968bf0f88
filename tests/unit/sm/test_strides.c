/* Addresses one stride apart. The places where the SM says that the lines change, and the coalescer's use of them, must agree with a
 * check lane by lane. */
#define RIG coalescer
#include "tests/unit/rig.h"

#include <stdlib.h>

#include "cmodel/sm/coalescer_cycle.h"
#include "cmodel/sm/sm_issue.h"
#include "workloads/rng.h"

enum { DRAWS = 20000 };

/* Returns a stride that kernels have, or a random one. */
static uint64_t any_stride(struct wl_rng *rng) {
  static const uint64_t usual[] = {0,  1,  2,   4,   8,    16,           12,
                                   20, 64, 128, 132, 4096, (uint64_t)-4, UINT64_C(1) << 39};
  if (wl_rng_below(rng, 3))
    return usual[wl_rng_below(rng, sizeof usual / sizeof *usual)];
  return wl_rng_next(rng) >> wl_rng_below(rng, 64);
}

static uint64_t line_of(const struct hd_config *c, uint64_t addr) {
  return addr >> c->d.OFFSET_W;
}

/* Returns true if sm_find_changes has to leave the instruction to sm_find_lines. */
static bool is_hard(const struct hd_config *c, uint64_t first, uint64_t stride) {
  const uint64_t last = first + 31 * stride;
  if (stride >> 40 || last >> c->sm.addr_bits || first >> c->sm.addr_bits)
    return true;
  return stride < c->l1d.line_bytes && stride & (stride - 1);
}

static void changes_are_those_of_the_lines(void **state) {
  (void)state;
  build(defaults());
  struct hd_sm *sm = calloc(1, sizeof *sm);
  struct wl_rng rng = {22};
  unsigned hard = 0, one = 0, each = 0, some = 0;
  sm->c = &rig.c;
  for (unsigned n = 0; n < DRAWS; n++) {
    struct sm_lsu_entry e;
    const uint64_t stride = any_stride(&rng), first = wl_rng_next(&rng) >> (28 + wl_rng_below(&rng, 30));
    const bool found = sm_find_changes(sm, &e, first, stride);
    assert_int_equal(found, !is_hard(&rig.c, first, stride));
    hard += !found;
    if (!found)
      continue;
    uint64_t changes = UINT64_C(1) << WL_LANES;
    assert_int_equal(e.line[0], line_of(&rig.c, first));
    for (unsigned l = 1; l < WL_LANES; l++)
      if (line_of(&rig.c, first + l * stride) != line_of(&rig.c, first + (l - 1) * stride)) {
        changes |= UINT64_C(1) << l;
        assert_int_equal(e.line[l], line_of(&rig.c, first + l * stride));
      }
    assert_int_equal(e.changes, changes);
    one += changes == UINT64_C(1) << WL_LANES;
    each += changes == UINT64_C(0x1fffffffe);
    some += changes != UINT64_C(1) << WL_LANES && changes != UINT64_C(0x1fffffffe);
  }
  assert_true(hard > 1000 && one > 1000 && each > 1000 && some > 1000);
  free(sm);
  wreck();
}

/* Records the outputs of the coalescer. */
static void note(struct coalescer *m, uint64_t to[6]) {
  struct coalescer_out *out = &rig.out;
  coalescer_moore(m, out);
  to[0] = out->req_valid;
  to[1] = out->issue_ready;
  to[2] = out->req_valid ? out->req.line : 0;
  to[3] = out->req_valid ? out->req_lanes : 0;
  to[4] = out->req_valid ? out->req.num << 1 | out->req.last : 0;
  to[5] = out->req_valid ? out->req.wid : 0;
}

/* One of two coalescers is told where the lines change. The other lanes of its input hold no valid lines. */
static void the_coalescer_believes_it(void **state) {
  (void)state;
  build(defaults());
  struct hd_sm *sm = calloc(1, sizeof *sm);
  struct coalescer *told = hd_model_new(rig.design, "coalescer", true, NULL);
  struct wl_rng rng = {23};
  uint64_t requests = 0, known = 0;
  sm->c = &rig.c;
  assert_non_null(told);
  for (unsigned n = 0; n < DRAWS; n++) {
    struct sm_lsu_entry e;
    const uint64_t first = wl_rng_next(&rng) >> 32, stride = any_stride(&rng) & 0xffff;
    memset(&e, 0x5a, sizeof e);
    const bool found = sm_find_changes(sm, &e, first, stride), ascends = wl_rng_below(&rng, 4);
    rig.in.req_ready = wl_rng_below(&rng, 4) != 0;
    rig.in.issue_valid = wl_rng_below(&rng, 3) != 0;
    rig.in.issue_wid = wl_rng_below(&rng, 48);
    rig.in.issue_mask = found ? UINT32_MAX : wl_rng_next(&rng) & UINT32_MAX;
    rig.in.issue_mask |= !rig.in.issue_mask;
    for (unsigned l = 0; l < WL_LANES; l++)
      rig.in.issue_line[l] = line_of(&rig.c, first + (ascends || found ? l : l % 5) * stride);
    struct coalescer_in in = rig.in;
    if (found)
      in.issue_line = e.line;
    known += found && in.issue_valid && coalescer_issue_ready(told);
    coalescer_cycle(rig.m, &rig.in, 0);
    coalescer_cycle(told, &in, found ? e.changes : 0);
    uint64_t a[6], b[6];
    note(rig.m, a);
    note(told, b);
    assert_memory_equal(a, b, sizeof a);
    requests += a[0];
  }
  assert_true(requests > 5000 && known > 500);
  hd_model_free(told);
  free(sm);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(changes_are_those_of_the_lines),
      cmocka_unit_test(the_coalescer_believes_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
