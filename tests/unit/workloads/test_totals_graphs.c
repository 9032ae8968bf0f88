/* Pannotia's fw and fw_block and Rodinia's particlefilter: totals of one CTA against an access log of the original sources. See
 * totals.h. In the log of fw no path gets shorter, and in that of particlefilter all particles have equal weight. The tests use the
 * same. */
#include "tests/unit/workloads/totals.h"

#include "workloads/rodinia/rodinia_data.h"
#include "workloads/rodinia/rodinia_data_filter.h"

#include <unistd.h>

static void totals_of_fw(void **state) {
  (void)state;
  char path[] = "/tmp/heddle_fw_XXXXXX", spec[64];
  FILE *file = fdopen(mkstemp(path), "w");
  assert_non_null(file);
  fprintf(file, "p sp 256 0\n");
  fclose(file);
  snprintf(spec, sizeof spec, "apsp:file=%s", path);
  const struct vector v[] = {{spec, 2, 3, 5, 16, "dist", WL_LOAD, 3, 32, 11, 33}}; /* k = 3 */
  check_totals(v, 1);
  unlink(path);
}

/* The fourth block iteration. Of CTAs that do the same, the first. */
static void totals_of_fw_block(void **state) {
  (void)state;
  static const struct vector v[] = {
      {"apsp:n=512,blocked=1", 16, 0, 0, 16, "dist", WL_LOAD, 1, 32, 2, 16},
      {"apsp:n=512,blocked=1", 16, 0, 0, 16, "dist", WL_STORE, 1, 32, 2, 16},
      {"apsp:n=512,blocked=1", 17, 3, 0, 32, "dist", WL_LOAD, 2, 32, 2, 32},
      {"apsp:n=512,blocked=1", 17, 3, 0, 32, "dist", WL_STORE, 1, 32, 2, 32},
      {"apsp:n=512,blocked=1", 18, 0, 3, 16, "dist", WL_LOAD, 2, 32, 2, 32},
      {"apsp:n=512,blocked=1", 18, 0, 3, 16, "dist", WL_STORE, 1, 32, 2, 32},
      {"apsp:n=512,blocked=1", 19, 3, 5, 32, "dist", WL_LOAD, 3, 32, 2, 48},
      {"apsp:n=512,blocked=1", 19, 3, 5, 32, "dist", WL_STORE, 1, 32, 2, 48},
  };
  check_totals(v, sizeof v / sizeof *v);
}

/* The particles of a video of one colour have equal weights. */
static bool prepare_even(struct wl_plan *p, char *err, size_t errlen) {
  if (!rd_particle_prepare(p, err, errlen))
    return false;
  const struct wl_filter *f = p->data;
  memset(f->image, 100, (size_t)f->size * f->size * f->frames);
  return true;
}

/* CTA 4. The log counts the load of u in every step, the PTX has one. */
static void totals_of_particlefilter(void **state) {
  (void)state;
  static const struct wl_input_values input = {{1000, 128, 10, 1}, NULL};
  const struct wl_workload even = {.name = "even",
                                   .open = wl_open_plan,
                                   .build = rd_particle_naive,
                                   .prepare = prepare_even,
                                   .release = rd_particle_release};
  static const struct {
    const char *array;
    enum wl_op op;
    double insts, lanes, lines;
    uint64_t footprint;
  } want[] = {
      {"CDF", WL_LOAD, 592, 31.16, 1, 40}, {"u", WL_LOAD, 1, 32, 2, 8},   {"arrayX", WL_LOAD, 1, 32, 2, 8},
      {"arrayY", WL_LOAD, 1, 32, 2, 8},    {"xj", WL_STORE, 1, 32, 2, 8}, {"yj", WL_STORE, 1, 32, 2, 8},
  };
  enum { ARRAYS = sizeof want / sizeof *want, WARPS = 4 };
  struct total total[ARRAYS] = {{0}};
  uint8_t *seen = calloc((UINT64_C(1) << 30) / TOTALS_LINE, 1);
  char err[64];
  struct wl_source *source = even.open(&even, &input, err, sizeof err);
  struct wl_launch launch;
  assert_non_null(seen);
  assert_non_null(source);
  assert_true(source->ops->next_launch(source, &launch));
  assert_int_equal(launch.ctas, 8);
  assert_int_equal(launch.warps_per_cta, WARPS);
  for (uint32_t w = 0; w < WARPS; w++) {
    struct wl_inst inst;
    void *stream = source->ops->open_warp(source, 4, w);
    for (wl_next(source, stream, &inst); inst.op != WL_EXIT; wl_next(source, stream, &inst)) {
      if (!wl_is_memory(inst.op))
        continue;
      const char *name = wl_array_name(source, inst.addr[__builtin_ctz(inst.active)]);
      int a = 0;
      while (a < ARRAYS && strcmp(want[a].array, name) != 0)
        a++;
      assert_in_range(a, 0, ARRAYS - 1);
      assert_int_equal(inst.op, want[a].op);
      add_access(&total[a], &inst, true, seen);
    }
    source->ops->close_warp(stream);
  }
  for (int a = 0; a < ARRAYS; a++) {
    const double n = (double)total[a].insts;
    assert_true(near(n / WARPS, want[a].insts));
    assert_true(near((double)total[a].lanes / n, want[a].lanes));
    assert_true(near((double)total[a].lines / n, want[a].lines));
    assert_int_equal(total[a].footprint, want[a].footprint);
  }
  source->ops->close(source);
  free(seen);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(totals_of_fw),
      cmocka_unit_test(totals_of_fw_block),
      cmocka_unit_test(totals_of_particlefilter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
