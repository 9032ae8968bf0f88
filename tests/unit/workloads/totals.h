/* Totals of the accesses of one CTA of a workload, checked against a table of vectors. For the test_totals_*.c and
 * test_workload_totals.c.
 *
 * Invariant: the vectors of a CTA stand together in their table and list all of its accesses. An access to an array, or of a kind,
 * that no vector names fails the test. */
#ifndef HEDDLE_TESTS_UNIT_TOTALS_H
#define HEDDLE_TESTS_UNIT_TOTALS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "workloads/plan/plan.h"
#include "workloads/workloads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* CTA (bx, by) of launch number `launch`, from 0: the accesses of its instructions of kind `op` to `array`. The counts are compared
 * to two decimals. insts 0: no such instruction; the other fields are not compared. */
struct vector {
  const char *spec;
  uint32_t launch, bx, by, grid_x; /* grid_x: CTAs in a row of the grid */
  const char *array;
  enum wl_op op;              /* WL_LOAD, WL_STORE or WL_ATOMIC */
  double insts, lanes, lines; /* instructions a warp; lanes and 128-byte lines an instruction */
  uint64_t footprint; /* distinct lines of the array that the CTA touches, by instructions of any kind */
};

struct total {
  uint64_t insts, lanes, lines, footprint;
  uint64_t all;   /* memory instructions of any kind to any array */
  uint32_t warps; /* of the CTA */
};

enum { TOTALS_LINE = 128 };

static inline struct wl_source *open_ok(const char *spec) {
  char err[512];
  struct wl_source *source = wl_open(spec, err, sizeof err);
  if (!source)
    fail_msg("%s: %s", spec, err);
  return source;
}

/* Returns the number of launches of a workload. */
static inline uint32_t count_launches(const char *spec) {
  struct wl_source *source = open_ok(spec);
  struct wl_launch launch;
  uint32_t n = 0;
  while (source->ops->next_launch(source, &launch))
    n++;
  source->ops->close(source);
  return n;
}

/* Adds the instruction to the total if `counts` is set. Adds its lines to the CTA's set of lines, one byte per line from WL_BASE. */
static inline void add_access(struct total *t, const struct wl_inst *inst, bool counts, uint8_t *seen) {
  t->insts += counts;
  for (int l = 0; l < WL_LANES; l++) {
    if (!(inst->active >> l & 1))
      continue;
    const uint64_t line = inst->addr[l] / TOTALS_LINE;
    bool again = !counts;
    for (int m = 0; m < l && !again; m++)
      again = (inst->active >> m & 1) && inst->addr[m] / TOTALS_LINE == line;
    t->lanes += counts;
    t->lines += !again;
    uint8_t *byte = &seen[line - WL_BASE / TOTALS_LINE];
    t->footprint += !*byte;
    *byte = 1;
  }
}

/* Runs the vector's CTA and returns its total. */
static inline struct total run_block(const struct vector *v) {
  struct wl_source *source = open_ok(v->spec);
  struct wl_launch shape;
  struct total total = {0};
  uint8_t *seen = calloc(((UINT64_C(1) << 32) - WL_BASE) / TOTALS_LINE, 1);
  assert_non_null(seen);
  for (uint32_t l = 0; l <= v->launch; l++)
    assert_true(source->ops->next_launch(source, &shape));
  assert_int_equal(shape.grid[0], v->grid_x);
  const uint32_t cta = v->by * v->grid_x + v->bx;
  assert_in_range(cta, 0, shape.ctas - 1);
  total.warps = shape.warps_per_cta;
  for (uint32_t w = 0; w < shape.warps_per_cta; w++) {
    struct wl_inst inst;
    void *stream = source->ops->open_warp(source, cta, w);
    do {
      wl_next(source, stream, &inst);
      if (!wl_is_memory(inst.op))
        continue;
      total.all++;
      const char *name = wl_array_name(source, inst.addr[__builtin_ctz(inst.active)]);
      if (name && strcmp(name, v->array) == 0)
        add_access(&total, &inst, inst.op == v->op, seen);
    } while (inst.op != WL_EXIT);
    source->ops->close_warp(stream);
  }
  source->ops->close(source);
  free(seen);
  return total;
}

/* Returns true if the two agree to the two decimals of a vector. */
static inline bool near(double got, double want) {
  return fabs(got - want) < 0.00501;
}

static inline bool same_block(const struct vector *a, const struct vector *b) {
  return strcmp(a->spec, b->spec) == 0 && a->launch == b->launch && a->bx == b->bx && a->by == b->by;
}

static inline void check_totals(const struct vector *v, size_t count) {
  static const char *const kind[WL_EXIT + 1] = {[WL_LOAD] = "LD", [WL_STORE] = "ST", [WL_ATOMIC] = "AT"};
  uint64_t listed = 0; /* instructions in the CTA's vectors so far; in the end this must be all of them */
  for (size_t i = 0; i < count; i++, v++) {
    const struct total t = run_block(v);
    const double n = (double)t.insts, warps = t.warps;
    const bool ok = v->insts == 0 ? t.insts == 0
                                  : near(n / warps, v->insts) && near((double)t.lanes / n, v->lanes) &&
                                        near((double)t.lines / n, v->lines) && t.footprint == v->footprint;
    if (!ok)
      fail_msg("%s launch %u %s %s: per warp %g insts x %g lanes x %g lines, %u distinct", v->spec, v->launch,
               v->array, kind[v->op], n / warps, (double)t.lanes / n, (double)t.lines / n,
               (unsigned)t.footprint);
    listed += t.insts;
    if (i + 1 == count || !same_block(v, v + 1)) {
      assert_int_equal(listed, t.all);
      listed = 0;
    }
  }
}

#endif
