/* The totals of Parboil's kernels. Those of stencil and sgemm come from an access log of the original sources, one block each. The
 * others are counted by hand. */
#include "tests/unit/workloads/totals.h"

#define NAIVE "stencil:nx=128,ny=128,nz=32,variant=0"
#define COARSEN "stencil:nx=128,ny=128,nz=32,variant=1"
#define FERMI "stencil:nx=512,ny=512,nz=64,variant=2"

static const struct vector table[] = {
    {COARSEN, 0, 0, 5, 2, "A0", WL_LOAD, 124, 24.38, 1, 496},
    {COARSEN, 0, 0, 5, 2, "Anext", WL_STORE, 60, 31.5, 1, 240},
    {COARSEN, 1, 0, 5, 2, "Anext", WL_LOAD, 124, 24.38, 1, 496}, /* the next step, back */
    {COARSEN, 1, 0, 5, 2, "A0", WL_STORE, 60, 31.5, 1, 240},
    {NAIVE, 0, 9, 5, 126, "A0", WL_LOAD, 7, 31.5, 1.21, 20},
    {NAIVE, 0, 9, 5, 126, "Anext", WL_STORE, 1, 31.5, 1, 4},
    {FERMI, 0, 0, 5, 1, "A0", WL_LOAD, 312, 31.88, 1.37, 4032},
    {FERMI, 0, 0, 5, 1, "Anext", WL_STORE, 62, 31.88, 1, 1984},
    {"sgemm:paper", 0, 3, 5, 8, "A", WL_LOAD, 992, 32, 1, 3968},
    {"sgemm:paper", 0, 3, 5, 8, "B", WL_LOAD, 124, 32, 2, 992},
    {"sgemm:paper", 0, 3, 5, 8, "C", WL_LOAD, 16, 32, 1, 64},
    {"sgemm:paper", 0, 3, 5, 8, "C", WL_STORE, 16, 32, 1, 64},
    {"sgemm:paper,base=1", 0, 3, 5, 64, "A", WL_LOAD, 992, 32, 1, 992},
    {"sgemm:paper,base=1", 0, 3, 5, 64, "B", WL_LOAD, 992, 32, 1, 992},
    {"sgemm:paper,base=1", 0, 3, 5, 64, "C", WL_LOAD, 1, 32, 2, 16},
    {"sgemm:paper,base=1", 0, 3, 5, 64, "C", WL_STORE, 1, 32, 2, 16},
    /* Half a bin per half-warp, 335 bins. In the last batch of 15, one half-warp has one bin less than the others. */
    {"cutcp:paper", 1, 2, 3, 11, "bin", WL_LOAD, 84, 31.90, 1.99, 335},
    {"cutcp:paper", 1, 2, 3, 11, "region", WL_STORE, 4, 32, 2, 16},
    /* Five of the 19 neighbours are one cell to the right, five one to the left: they straddle lines. */
    {"lbm:paper", 0, 5, 7, 120, "even", WL_LOAD, 20, 30, 1, 80},
    {"lbm:paper", 0, 5, 7, 120, "odd", WL_STORE, 19, 30, 1.46, 81},
    {"lbm:paper,aos=1", 1, 5, 7, 120, "odd", WL_LOAD, 20, 30, 18.75, 75},
    {"lbm:paper,aos=1", 1, 5, 7, 120, "even", WL_STORE, 19, 30, 19.12, 685},
};

static void totals(void **state) {
  (void)state;
  check_totals(table, sizeof table / sizeof *table);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(totals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
