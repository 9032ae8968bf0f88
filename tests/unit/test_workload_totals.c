/* The PolyBench/GPU kernels' totals against an access log of the original sources.
 *
 * The kernels of PolyBench/GPU 1.0 were run on a CPU under a shim that logged every access of one block; the
 * vectors are its counts, per warp and array. The streams must give the same with reload=1, and with reload=0
 * the same less the accumulator loads that the compiler keeps in a register. The vectors of a block list all
 * of its accesses.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "workloads/plan.h"
#include "workloads/workloads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 128 };

static struct wl_source *open_ok(const char *spec) {
  char err[512];
  struct wl_source *source = wl_open(spec, err, sizeof err);
  if (!source)
    fail_msg("%s: %s", spec, err);
  return source;
}

/* What a block does to one array by loads, or by stores. */
struct total {
  uint64_t insts, lanes, lines;
  uint64_t footprint; /* distinct lines, of the whole block */
};

static bool is_access(const struct wl_inst *inst) {
  return inst->op == WL_LOAD || inst->op == WL_STORE;
}

/* Adds the instruction's distinct lines to the total and to the block's set of lines, a byte a line from
 * WL_BASE. */
static void add_access(struct total *t, const struct wl_inst *inst, uint8_t *seen, uint8_t mark) {
  t->insts++;
  for (int l = 0; l < WL_LANES; l++) {
    if (!(inst->active >> l & 1))
      continue;
    const uint64_t line = inst->addr[l] / LINE;
    bool again = false;
    for (int m = 0; m < l; m++)
      again = again || ((inst->active >> m & 1) && inst->addr[m] / LINE == line);
    t->lanes++;
    t->lines += !again;
    uint8_t *byte = &seen[line - WL_BASE / LINE];
    t->footprint += !(*byte & mark);
    *byte |= mark;
  }
}

/* Runs one block of a launch; returns what it does to `array` by `op`, and to everything in *all. */
static struct total run_block(const char *spec, uint32_t launch, uint32_t cta, const char *array,
                              enum wl_op op, uint64_t *all) {
  struct wl_source *source = open_ok(spec);
  struct wl_launch shape;
  struct total total = {0};
  uint8_t *seen = calloc((UINT64_C(1) << 30) / LINE, 1);
  assert_non_null(seen);
  for (uint32_t l = 0; l <= launch; l++)
    assert_true(source->ops->next_launch(source, &shape));
  assert_in_range(cta, 0, shape.ctas - 1);
  *all = 0;
  for (uint32_t w = 0; w < shape.warps_per_cta; w++) {
    struct wl_inst inst;
    void *stream = source->ops->open_warp(source, cta, w);
    do {
      source->ops->next(stream, &inst);
      if (!is_access(&inst))
        continue;
      ++*all;
      const char *name = wl_array_name(source, inst.addr[__builtin_ctz(inst.active)]);
      if (inst.op == op && name && strcmp(name, array) == 0)
        add_access(&total, &inst, seen, 1);
    } while (inst.op != WL_EXIT);
    source->ops->close_warp(stream);
  }
  source->ops->close(source);
  free(seen);
  return total;
}

/* Per warp: instructions at source level and in the PTX; lanes and lines an instruction; distinct lines of
 * the block. */
static const struct vector {
  const char *kernel;
  uint32_t launch, bx, by, grid_x;
  const char *array;
  enum wl_op op;
  double source, ptx, lanes, lines;
  uint64_t footprint;
} vectors[] = {
    {"2dconv", 0, 5, 7, 128, "A", WL_LOAD, 9, 9, 32, 1.67, 30},
    {"2dconv", 0, 5, 7, 128, "B", WL_STORE, 1, 1, 32, 1, 8},
    {"2dconv", 0, 0, 0, 128, "A", WL_LOAD, 7.88, 7.88, 31, 1.33, 18},
    {"2dconv", 0, 0, 0, 128, "B", WL_STORE, 0.88, 0.88, 31, 1, 7},
    {"gemm", 0, 3, 7, 16, "a", WL_LOAD, 512, 512, 32, 1, 128},
    {"gemm", 0, 3, 7, 16, "b", WL_LOAD, 512, 512, 32, 1, 512},
    {"gemm", 0, 3, 7, 16, "c", WL_LOAD, 513, 1, 32, 1, 8},
    {"gemm", 0, 3, 7, 16, "c", WL_STORE, 513, 513, 32, 1, 8},
    {"atax", 0, 3, 0, 8, "A", WL_LOAD, 2048, 2048, 32, 32, 16384},
    {"atax", 0, 3, 0, 8, "tmp", WL_LOAD, 2048, 1, 32, 1, 8},
    {"atax", 0, 3, 0, 8, "tmp", WL_STORE, 2048, 2048, 32, 1, 8},
    {"atax", 0, 3, 0, 8, "x", WL_LOAD, 2048, 2048, 32, 1, 64},
    {"atax", 1, 3, 0, 8, "A", WL_LOAD, 2048, 2048, 32, 1, 16384},
    {"atax", 1, 3, 0, 8, "tmp", WL_LOAD, 2048, 2048, 32, 1, 64},
    {"atax", 1, 3, 0, 8, "y", WL_LOAD, 2048, 1, 32, 1, 8},
    {"atax", 1, 3, 0, 8, "y", WL_STORE, 2048, 2048, 32, 1, 8},
    {"bicg", 0, 3, 0, 8, "A", WL_LOAD, 2048, 2048, 32, 1, 16384},
    {"bicg", 0, 3, 0, 8, "r", WL_LOAD, 2048, 2048, 32, 1, 64},
    {"bicg", 0, 3, 0, 8, "s", WL_LOAD, 2048, 0, 32, 1, 8},
    {"bicg", 0, 3, 0, 8, "s", WL_STORE, 2049, 2049, 32, 1, 8},
    {"bicg", 1, 3, 0, 8, "A", WL_LOAD, 2048, 2048, 32, 32, 16384},
    {"bicg", 1, 3, 0, 8, "p", WL_LOAD, 2048, 2048, 32, 1, 64},
    {"bicg", 1, 3, 0, 8, "q", WL_LOAD, 2048, 0, 32, 1, 8},
    {"bicg", 1, 3, 0, 8, "q", WL_STORE, 2049, 2049, 32, 1, 8},
    {"mvt", 0, 3, 0, 8, "a", WL_LOAD, 2048, 2048, 32, 32, 16384},
    {"mvt", 0, 3, 0, 8, "x1", WL_LOAD, 2048, 1, 32, 1, 8},
    {"mvt", 0, 3, 0, 8, "x1", WL_STORE, 2048, 2048, 32, 1, 8},
    {"mvt", 0, 3, 0, 8, "y1", WL_LOAD, 2048, 2048, 32, 1, 64},
    {"mvt", 1, 3, 0, 8, "a", WL_LOAD, 2048, 2048, 32, 1, 16384},
    {"mvt", 1, 3, 0, 8, "x2", WL_LOAD, 2048, 1, 32, 1, 8},
    {"mvt", 1, 3, 0, 8, "x2", WL_STORE, 2048, 2048, 32, 1, 8},
    {"mvt", 1, 3, 0, 8, "y2", WL_LOAD, 2048, 2048, 32, 1, 64},
    {"gesummv", 0, 1, 0, 4, "a", WL_LOAD, 1024, 1024, 32, 32, 8192},
    {"gesummv", 0, 1, 0, 4, "b", WL_LOAD, 1024, 1024, 32, 32, 8192},
    {"gesummv", 0, 1, 0, 4, "tmp", WL_LOAD, 1025, 1025, 32, 1, 8},
    {"gesummv", 0, 1, 0, 4, "tmp", WL_STORE, 1024, 1024, 32, 1, 8},
    {"gesummv", 0, 1, 0, 4, "x", WL_LOAD, 2048, 2048, 32, 1, 32},
    {"gesummv", 0, 1, 0, 4, "y", WL_LOAD, 1025, 1025, 32, 1, 8},
    {"gesummv", 0, 1, 0, 4, "y", WL_STORE, 1025, 1025, 32, 1, 8},
    {"syr2k", 0, 1, 7, 4, "a", WL_LOAD, 256, 256, 32, 16.5, 128},
    {"syr2k", 0, 1, 7, 4, "b", WL_LOAD, 256, 256, 32, 16.5, 128},
    {"syr2k", 0, 1, 7, 4, "c", WL_LOAD, 129, 1, 32, 1, 8},
    {"syr2k", 0, 1, 7, 4, "c", WL_STORE, 129, 129, 32, 1, 8},
    {"syrk", 0, 1, 7, 8, "a", WL_LOAD, 512, 512, 32, 16.5, 256},
    {"syrk", 0, 1, 7, 8, "c", WL_LOAD, 257, 1, 32, 1, 8},
    {"syrk", 0, 1, 7, 8, "c", WL_STORE, 257, 257, 32, 1, 8},
};
enum { VECTORS = sizeof vectors / sizeof *vectors };

static bool has_reload(const char *kernel) {
  return strcmp(kernel, "2dconv") != 0 && strcmp(kernel, "gesummv") != 0;
}

/* The log rounds to two digits. */
static bool near(double got, double want) {
  return fabs(got - want) < 0.00501;
}

static void check_totals(bool reload) {
  uint64_t listed = 0; /* accesses of the block's vectors so far: they must be all there are */
  for (int i = 0; i < VECTORS; i++) {
    const struct vector *v = &vectors[i];
    char spec[64];
    snprintf(spec, sizeof spec, "%s:paper%s", v->kernel, reload && has_reload(v->kernel) ? ",reload=1" : "");
    uint64_t all = 0;
    const struct total t = run_block(spec, v->launch, v->by * v->grid_x + v->bx, v->array, v->op, &all);
    const double n = (double)t.insts;
    const double want = reload ? v->source : v->ptx;
    const bool ok = want == 0 ? t.insts == 0
                              : near(n / 8, want) && near((double)t.lanes / n, v->lanes) &&
                                    near((double)t.lines / n, v->lines) && t.footprint == v->footprint;
    if (!ok)
      fail_msg("%s launch %u %s %s: per warp %g insts x %g lanes x %g lines, %u distinct", spec, v->launch,
               v->array, v->op == WL_LOAD ? "LD" : "ST", n / 8, (double)t.lanes / n, (double)t.lines / n,
               (unsigned)t.footprint);
    listed += t.insts;
    const struct vector *after = i + 1 < VECTORS ? v + 1 : NULL;
    if (!after || strcmp(after->kernel, v->kernel) != 0 || after->launch != v->launch || after->bx != v->bx) {
      assert_int_equal(listed, all);
      listed = 0;
    }
  }
}

static void totals_of_the_source(void **state) {
  (void)state;
  check_totals(true);
}

static void totals_of_the_ptx(void **state) {
  (void)state;
  check_totals(false);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(totals_of_the_source),
      cmocka_unit_test(totals_of_the_ptx),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
