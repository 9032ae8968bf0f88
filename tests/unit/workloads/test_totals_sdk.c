/* The totals of the CUDA SDK's and ISPASS-2009's kernels. Those of scalarprod, convsep, matrixmul, fwt and nn come from an access
 * log of the original sources, one block each. The others are counted by hand. */
#include "tests/unit/workloads/totals.h"

static const struct vector table[] = {
    {"scalarprod:paper", 0, 3, 0, 128, "A", WL_LOAD, 32, 32, 1, 256},
    {"scalarprod:paper", 0, 3, 0, 128, "B", WL_LOAD, 32, 32, 1, 256},
    {"scalarprod:paper", 0, 3, 0, 128, "C", WL_STORE, 0.25, 1, 1, 2},
    {"convsep:paper", 0, 3, 5, 24, "buffer", WL_STORE, 8, 32, 2, 16},
    {"convsep:paper", 0, 3, 5, 24, "input", WL_LOAD, 10, 32, 2, 24},
    {"convsep:paper", 0, 0, 5, 24, "buffer", WL_STORE, 8, 32, 2, 16}, /* at the image's edge, no halo */
    {"convsep:paper", 0, 0, 5, 24, "input", WL_LOAD, 9, 32, 2, 20},
    {"convsep:paper", 1, 3, 5, 192, "output", WL_STORE, 8, 32, 2, 64},
    {"convsep:paper", 1, 3, 5, 192, "buffer", WL_LOAD, 10, 32, 2, 80},
    {"matrixmul:paper", 0, 3, 5, 20, "A", WL_LOAD, 10, 32, 1, 320},
    {"matrixmul:paper", 0, 3, 5, 20, "B", WL_LOAD, 10, 32, 1, 320},
    {"matrixmul:paper", 0, 3, 5, 20, "C", WL_STORE, 1, 32, 1, 32},
    {"matrixmul:paper,half=1", 0, 3, 5, 40, "A", WL_LOAD, 20, 32, 2, 160},
    {"matrixmul:paper,half=1", 0, 3, 5, 40, "B", WL_LOAD, 20, 32, 2, 320},
    {"matrixmul:paper,half=1", 0, 3, 5, 40, "C", WL_STORE, 1, 32, 2, 16},
    {"fwt:paper", 0, 9, 0, 8192, "data", WL_LOAD, 4, 32, 1, 32},
    {"fwt:paper", 0, 9, 0, 8192, "data", WL_STORE, 4, 32, 1, 32},
    {"fwt:paper", 6, 9, 0, 4096, "data", WL_LOAD, 4, 32, 1, 64},
    {"fwt:paper", 6, 9, 0, 4096, "data", WL_STORE, 4, 32, 1, 64},
    {"fwt:paper", 13, 9, 0, 4096, "kernel", WL_LOAD, 4, 32, 1, 64},
    {"fwt:paper", 13, 9, 0, 4096, "kernel", WL_STORE, 4, 32, 1, 64},
    {"fwt:paper", 14, 9, 0, 128, "data", WL_LOAD, 256, 32, 1, 2048},
    {"fwt:paper", 14, 9, 0, 128, "data", WL_STORE, 256, 32, 1, 2048},
    {"fwt:paper", 14, 9, 0, 128, "kernel", WL_LOAD, 256, 32, 1, 2048},
    {"nn:paper", 0, 2, 5, 6, "N1", WL_LOAD, 25, 28.17, 4.51, 27},
    {"nn:paper", 0, 2, 5, 6, "N2", WL_STORE, 1, 28.17, 1, 6},
    {"nn:paper", 0, 2, 5, 6, "W1", WL_LOAD, 26, 28.17, 1, 2},
    {"nn:paper", 1, 2, 5, 50, "N2", WL_LOAD, 150, 25, 4.51, 33},
    {"nn:paper", 1, 2, 5, 50, "N3", WL_STORE, 1, 25, 2, 2},
    {"nn:paper", 1, 2, 5, 50, "W2", WL_LOAD, 151, 25, 1, 6},
    {"nn:paper", 2, 2, 5, 100, "N3", WL_LOAD, 1250, 1, 1, 40},
    {"nn:paper", 2, 2, 5, 100, "N4", WL_STORE, 1, 1, 1, 1},
    {"nn:paper", 2, 2, 5, 100, "W3", WL_LOAD, 1251, 1, 1, 40},
    {"nn:paper", 3, 2, 5, 10, "N4", WL_LOAD, 100, 1, 1, 4},
    {"nn:paper", 3, 2, 5, 10, "N5", WL_STORE, 1, 1, 1, 1},
    {"nn:paper", 3, 2, 5, 10, "W4", WL_LOAD, 101, 1, 1, 4},
    {"blackscholes:paper", 0, 3, 0, 15625, "S", WL_LOAD, 1, 32, 2, 8},
    {"blackscholes:paper", 0, 3, 0, 15625, "X", WL_LOAD, 1, 32, 2, 8},
    {"blackscholes:paper", 0, 3, 0, 15625, "T", WL_LOAD, 1, 32, 2, 8},
    {"blackscholes:paper", 0, 3, 0, 15625, "Call", WL_STORE, 1, 32, 2, 8},
    {"blackscholes:paper", 0, 3, 0, 15625, "Put", WL_STORE, 1, 32, 2, 8},
    /* 65 full turns of 61440 options, and part of one more. */
    {"blackscholes:paper,sdk4=1", 0, 3, 0, 480, "S", WL_LOAD, 66, 32, 1, 264},
    {"blackscholes:paper,sdk4=1", 0, 3, 0, 480, "X", WL_LOAD, 66, 32, 1, 264},
    {"blackscholes:paper,sdk4=1", 0, 3, 0, 480, "T", WL_LOAD, 66, 32, 1, 264},
    {"blackscholes:paper,sdk4=1", 0, 3, 0, 480, "Call", WL_STORE, 66, 32, 1, 264},
    {"blackscholes:paper,sdk4=1", 0, 3, 0, 480, "Put", WL_STORE, 66, 32, 1, 264},
    {"histogram64:paper", 0, 5, 0, 4370, "data", WL_LOAD, 15, 32, 4, 120},
    {"histogram64:paper", 0, 5, 0, 4370, "partial", WL_STORE, 1, 32, 1, 2},
    {"histogram64:paper", 1, 5, 0, 64, "partial", WL_LOAD, 17.12, 31.90, 31.90, 4370},
    {"histogram64:paper", 1, 5, 0, 64, "histogram", WL_STORE, 0.12, 1, 1, 1},
    /* 2380 steps of a forward at a maturity before it: 79 + 78 + .. + 40. */
    {"lib:paper", 0, 3, 0, 64, "z", WL_LOAD, 40, 32, 1, 160},
    {"lib:paper", 0, 3, 0, 64, "z", WL_STORE, 80, 32, 1, 160},
    {"lib:paper", 0, 3, 0, 64, "L", WL_LOAD, 2380 + 80, 32, 1, 160},
    {"lib:paper", 0, 3, 0, 64, "L", WL_STORE, 80 + 2380, 32, 1, 160},
    {"lib:paper", 0, 3, 0, 64, "B", WL_LOAD, 15, 32, 1, 80},
    {"lib:paper", 0, 3, 0, 64, "B", WL_STORE, 40, 32, 1, 80},
    {"lib:paper", 0, 3, 0, 64, "S", WL_LOAD, 15, 32, 1, 80},
    {"lib:paper", 0, 3, 0, 64, "S", WL_STORE, 40, 32, 1, 80},
    {"lib:paper", 0, 3, 0, 64, "v", WL_STORE, 1, 32, 1, 2},
    {"lib:paper", 1, 3, 0, 64, "z", WL_LOAD, 40, 32, 1, 160},
    {"lib:paper", 1, 3, 0, 64, "z", WL_STORE, 80, 32, 1, 160},
    {"lib:paper", 1, 3, 0, 64, "L", WL_LOAD, 80 + 2380 + 80 + 80, 32, 1, 160},
    {"lib:paper", 1, 3, 0, 64, "L", WL_STORE, 80 + 2380, 32, 1, 160},
    {"lib:paper", 1, 3, 0, 64, "B", WL_LOAD, 15, 32, 1, 80},
    {"lib:paper", 1, 3, 0, 64, "B", WL_STORE, 40, 32, 1, 80},
    {"lib:paper", 1, 3, 0, 64, "S", WL_LOAD, 15, 32, 1, 80},
    {"lib:paper", 1, 3, 0, 64, "S", WL_STORE, 40, 32, 1, 80},
    {"lib:paper", 1, 3, 0, 64, "L2", WL_LOAD, 2 * 2380, 32, 1, 4920},
    {"lib:paper", 1, 3, 0, 64, "L2", WL_STORE, 80 + 2380, 32, 1, 4920},
    {"lib:paper", 1, 3, 0, 64, "Lb", WL_LOAD, 2380 + 1, 32, 1, 160},
    {"lib:paper", 1, 3, 0, 64, "Lb", WL_STORE, 80 + 2380, 32, 1, 160},
    {"lib:paper", 1, 3, 0, 64, "v", WL_STORE, 1, 32, 1, 2},
    {"lib:paper", 1, 3, 0, 64, "Lb_out", WL_STORE, 1, 32, 1, 2},
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
