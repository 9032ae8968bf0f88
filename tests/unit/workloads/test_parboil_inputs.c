/* Parboil's data-dependent kernels: how the matrices, images and samples shape the streams. */
#include "tests/unit/workloads/totals.h"
#include "workloads/parboil/parboil_gridding.h"

#include <stdio.h>
#include <unistd.h>

/* The accesses of all warps of one launch to one array, or to shared memory (array NULL). */
struct use {
  uint64_t insts, lanes;
};

static struct use use_of(const char *spec, uint32_t launch, enum wl_op op, const char *array) {
  struct wl_source *source = open_ok(spec);
  struct wl_launch shape;
  struct use use = {0};
  for (uint32_t l = 0; l <= launch; l++)
    assert_true(source->ops->next_launch(source, &shape));
  for (uint32_t id = 0; id < shape.ctas * shape.warps_per_cta; id++) {
    struct wl_inst inst;
    void *stream = source->ops->open_warp(source, id / shape.warps_per_cta, id % shape.warps_per_cta);
    do {
      wl_next(source, stream, &inst);
      const char *name =
          array && inst.op == op ? wl_array_name(source, inst.addr[__builtin_ctz(inst.active)]) : NULL;
      if (inst.op != op || (array && (!name || strcmp(name, array) != 0)))
        continue;
      use.insts++;
      use.lanes += (uint64_t)__builtin_popcount(inst.active);
    } while (inst.op != WL_EXIT);
    source->ops->close_warp(stream);
  }
  source->ops->close(source);
  return use;
}

/* Writes the lower half of the five-point Laplacian of a square grid as a Matrix Market file. Returns the path; the caller frees it. */
static char *laplacian(int side) {
  char *path = strdup("/tmp/heddle-spmv-XXXXXX");
  const int fd = mkstemp(path);
  assert_true(fd >= 0);
  FILE *f = fdopen(fd, "w");
  fprintf(f, "%%%%MatrixMarket matrix coordinate real symmetric\n%d %d %d\n", side * side, side * side,
          side * side + 2 * side * (side - 1));
  for (int r = 1; r <= side * side; r++) {
    fprintf(f, "%d %d 4\n", r, r);
    if ((r - 1) % side)
      fprintf(f, "%d %d -1\n", r, r - 1);
    if (r > side)
      fprintf(f, "%d %d -1\n", r, r - side);
  }
  fclose(f);
  return path;
}

/* Of the grid's 10000 rows 9604 have five elements, 392 four and 4 three. Sorted, the first 301 groups of 32 begin with a row of
 * five, and the other 12 with a row of four. */
static void spmv_reads_the_users_matrix(void **state) {
  (void)state;
  char *path = laplacian(100), spec[128];
  for (int variant = 0; variant < 2; variant++) {
    snprintf(spec, sizeof spec, "spmv:tiny,variant=%d,file=%s", variant, path);
    for (int array = 0; array < 3; array++) {
      static const char *const name[3] = {"index", "data", "x"};
      const struct use use = use_of(spec, 0, WL_LOAD, name[array]);
      assert_int_equal(use.insts, 301 * 5 + 12 * 4);
      assert_int_equal(use.lanes, 32 * (301 * 5 + 12 * 4) - 16 * 4); /* the last warp has 16 rows */
    }
    assert_int_equal(use_of(spec, 0, WL_STORE, "y").lanes, 10000);
  }
  snprintf(spec, sizeof spec, "spmv:tiny,variant=2,file=%s", path);
  assert_int_equal(use_of(spec, 0, WL_TEX, NULL).insts, 301 * 5 + 12 * 4);
  assert_int_equal(use_of(spec, 0, WL_LOAD, "x").insts, 0);
  unlink(path);
  free(path);
}

static void spmv_wants_a_square_matrix(void **state) {
  (void)state;
  char path[] = "/tmp/heddle-spmv-XXXXXX", spec[64], err[256], want[128];
  const int fd = mkstemp(path);
  const char text[] = "%%MatrixMarket matrix coordinate pattern general\n2 3 1\n1 3\n";
  assert_int_equal(write(fd, text, sizeof text - 1), sizeof text - 1);
  close(fd);
  snprintf(spec, sizeof spec, "spmv:file=%s", path);
  assert_null(wl_open(spec, err, sizeof err));
  snprintf(want, sizeof want, "%s:2: a square matrix is needed, this one is 2 x 3", path);
  assert_string_equal(err, want);
  unlink(path);
}

/* One row of 2^21 + 1 elements makes 32 rows as long by padding: one element per lane more than the 2^26 allowed. */
static void spmv_refuses_what_is_mostly_padding(void **state) {
  (void)state;
  char path[] = "/tmp/heddle-spmv-XXXXXX", spec[64], err[256];
  FILE *f = fdopen(mkstemp(path), "w");
  const int elements = (1 << 21) + 1;
  fprintf(f, "%%%%MatrixMarket matrix coordinate pattern general\n1 1 %d\n", elements);
  for (int i = 0; i < elements; i++)
    fputs("1 1\n", f);
  fclose(f);
  snprintf(spec, sizeof spec, "spmv:file=%s", path);
  assert_null(wl_open(spec, err, sizeof err));
  assert_string_equal(err,
                      "spmv: 67108896 elements or more, with rows padded in groups of 32; allowed: 67108864");
  unlink(path);
}

/* A made-up matrix has about the elements asked for. */
static void spmv_has_its_mean(void **state) {
  (void)state;
  const struct use use = use_of("spmv:rows=16384,mean=25,variant=0", 0, WL_LOAD, "data");
  const double padded = (double)use.lanes / 16384;
  assert_true(padded > 24 && padded < 26.5); /* 25, less at the border, more with padding */
}

/* Every pixel is counted once. Of the accesses to shared memory, a CTA clears and copies its 6144 words, and each pixel reads and
 * writes a counter. */
static void histo_counts_every_pixel(void **state) {
  (void)state;
  struct wl_source *source = open_ok("histo:tiny");
  struct wl_launch launch;
  for (int i = 0; i < 3; i++)
    assert_true(source->ops->next_launch(source, &launch));
  assert_string_equal(launch.name, "histo.main");
  source->ops->close(source);
  assert_int_equal(use_of("histo:tiny", 2, WL_SHARED, NULL).lanes, launch.ctas * 2 * 6144 + 2 * 128 * 32);
}

static void gridding_sorts_by_cell(void **state) {
  (void)state;
  static struct wl_plan plan;
  char err[64];
  plan.key[GRIDDING_SAMPLES] = 20000;
  plan.key[GRIDDING_SIDE] = 2;
  plan.key[GRIDDING_SEED] = 5;
  assert_true(parboil_gridding_prepare(&plan, err, sizeof err));
  struct gridding *g = plan.data;
  uint32_t over = 0;
  assert_int_equal(g->cells, 16 * 16 * 16);
  assert_int_equal(g->passes, 4); /* 4096, the key of samples left out, has 13 bits */
  for (uint32_t c = 0; c < g->cells; c++)
    assert_in_range(g->first[c + 1] - g->first[c], 0, GRIDDING_BIN);
  for (uint32_t s = 0; s < g->samples; s++)
    over += g->over[s];
  assert_true(over > 1000); /* the middle, where all spokes meet, is crowded */
  assert_int_equal(g->first[g->cells] + over, g->samples);
  gridding_sort_to(g, g->passes);
  for (uint32_t i = 0; i < g->padded; i++) {
    assert_true(i == 0 || g->key[i - 1] <= g->key[i]);
    if (i < g->samples)
      assert_int_equal(g->value[i], g->order[i]);
  }
  parboil_gridding_release(g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(spmv_reads_the_users_matrix), cmocka_unit_test(spmv_wants_a_square_matrix),
      cmocka_unit_test(spmv_has_its_mean),           cmocka_unit_test(spmv_refuses_what_is_mostly_padding),
      cmocka_unit_test(histo_counts_every_pixel),    cmocka_unit_test(gridding_sorts_by_cell),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
