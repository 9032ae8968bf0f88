/* The price of memories: the closed form against CACTI, the parser of CACTI's output, and refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch/declaration/declaration.h"
#include "area/area.h"

static const struct hd_pricer by_model = {.node_nm = 45};

static struct hd_mem_price price_of(struct hd_memory mem) {
  struct hd_mem_price price;
  struct hd_why why;
  assert_int_equal(hd_mem_price(&by_model, &mem, &price, &why), HD_OK);
  return price;
}

static void assert_within(double got, double expected, double share) {
  if (fabs(got / expected - 1) > share)
    fail_msg("%g is not within %g %% of %g", got, 100 * share, expected);
}

/* CACTI 7, 45 nm, itrs-hp, 350 K, ED^2: area um2, read pJ, write pJ (0: not recorded), access ns. */
static void model_agrees_with_cacti(void **state) {
  (void)state;
  static const struct {
    struct hd_memory mem;
    double um2, read, write, access;
  } points[] = {
      {{32, 32, HD_MEM_1RW, HD_MEM_SRAM}, 650, .547, .701, .153},
      {{128, 32, HD_MEM_1RW, HD_MEM_SRAM}, 1894, .75, 0, .194},
      {{256, 32, HD_MEM_1R1W, HD_MEM_SRAM}, 7078, 1.35, 0, .226},
      {{256, 32, HD_MEM_2R1W, HD_MEM_SRAM}, 12091, 1.53, 0, .243},
      {{384, 64, HD_MEM_1RW, HD_MEM_SRAM}, 10496, 2.678, 4.470, .235},
      {{384, 64, HD_MEM_1R1W, HD_MEM_SRAM}, 21982, 3.232, 5.527, .259},
      {{2048, 64, HD_MEM_1RW, HD_MEM_SRAM}, 50753, 9.99, 8.79, .325},
      {{16, 32, HD_MEM_1RW, HD_MEM_CAM}, 1939, 1.926, .437, .210},
  };
  for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
    const struct hd_mem_price p = price_of(points[i].mem);
    assert_int_equal(p.source, HD_MEM_BY_MODEL);
    assert_within(p.area_mm2 * 1e6, points[i].um2, .10);
    assert_within(p.read_pj, points[i].read,
                  points[i].mem.depth >= 2048 ? .60 : .33); /* the stated worst errors */
    if (points[i].write > 0)
      assert_within(p.write_pj, points[i].write, .26);
    assert_within(p.access_ns, points[i].access, .17);
  }
}

static void area_grows_with_size_and_node(void **state) {
  (void)state;
  for (int ports = HD_MEM_1RW; ports <= HD_MEM_2R1W; ports++)
    for (int width = 1; width <= 128; width += 9) {
      double last = 0;
      for (int depth = 1; depth < 1 << 15; depth += 1 + depth / 7) {
        const struct hd_mem_price p =
            price_of((struct hd_memory){depth, width, (enum hd_mem_ports)ports, HD_MEM_SRAM});
        assert_true(p.area_mm2 > last && p.read_pj > 0 && p.write_pj > 0 && p.leak_mw > 0 && p.access_ns > 0);
        assert_true(p.cycle_ns > 0 || depth * width == 1);
        last = p.area_mm2;
      }
    }
  const struct hd_memory mem = {128, 32, HD_MEM_1RW, HD_MEM_SRAM};
  double last = 0;
  for (double nm = HD_MEM_NODE_MIN; nm <= HD_MEM_NODE_MAX; nm += 1) {
    struct hd_mem_price p;
    assert_int_equal(hd_mem_price(&(struct hd_pricer){.node_nm = nm}, &mem, &p, NULL), HD_OK);
    assert_true(p.area_mm2 > last);
    last = p.area_mm2;
  }
}

static void wide_words_are_sliced(void **state) {
  (void)state;
  const struct hd_mem_price one = price_of((struct hd_memory){64, 128, HD_MEM_1RW, HD_MEM_SRAM});
  const struct hd_mem_price eight = price_of((struct hd_memory){64, 1024, HD_MEM_1RW, HD_MEM_SRAM});
  assert_int_equal(one.slices, 1);
  assert_int_equal(eight.slices, 8);
  assert_within(eight.area_mm2, 8 * one.area_mm2, 1e-9);
  assert_within(eight.access_ns, one.access_ns, 1e-9);
  /* 129 bits are two slices, but no more bits than asked for */
  assert_true(price_of((struct hd_memory){64, 129, HD_MEM_1RW, HD_MEM_SRAM}).area_mm2 <
              1.2 * price_of((struct hd_memory){64, 128, HD_MEM_1RW, HD_MEM_SRAM}).area_mm2);
}

static void small_memories_say_they_are_extrapolated(void **state) {
  (void)state;
  assert_true(price_of((struct hd_memory){10, 168, HD_MEM_1RW, HD_MEM_SRAM}).outside);
  assert_true(price_of((struct hd_memory){48, 8, HD_MEM_1RW, HD_MEM_SRAM}).outside);
  assert_false(price_of((struct hd_memory){64, 8, HD_MEM_1RW, HD_MEM_SRAM}).outside);
}

static void flipflops_cost_more_per_bit(void **state) {
  (void)state;
  const struct hd_mem_price ff = price_of((struct hd_memory){48, 32, HD_MEM_1R1W, HD_MEM_FF});
  assert_int_equal(ff.source, HD_MEM_BY_FF);
  assert_within(ff.area_mm2 * 1e6, 12444, .05); /* synthesised: 48 x 32, one write, one read */
  assert_true(ff.area_mm2 > 5 * price_of((struct hd_memory){48, 32, HD_MEM_1R1W, HD_MEM_SRAM}).area_mm2);
}

static void impossible_memories_are_refused(void **state) {
  (void)state;
  static const struct hd_memory bad[] = {{0, 8, HD_MEM_1RW, HD_MEM_SRAM},
                                         {8, 0, HD_MEM_1RW, HD_MEM_FF},
                                         {-1, 8, HD_MEM_1RW, HD_MEM_CAM},
                                         {HD_MEM_MAX_DEPTH + 1, 8, HD_MEM_1RW, HD_MEM_SRAM},
                                         {8, HD_MEM_MAX_WIDTH + 1, HD_MEM_1RW, HD_MEM_SRAM}};
  struct hd_mem_price price;
  struct hd_why why;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_int_equal(hd_mem_price(&by_model, &bad[i], &price, &why), HD_INPUT);
    assert_non_null(strstr(why.text, "depth is 1.."));
  }
  const struct hd_memory good = {64, 32, HD_MEM_1RW, HD_MEM_SRAM};
  assert_int_equal(hd_mem_price(&(struct hd_pricer){.node_nm = 14}, &good, &price, &why), HD_INPUT);
  assert_non_null(strstr(why.text, "22 to 90 nm"));
  assert_int_equal(hd_mem_price(&(struct hd_pricer){.cacti = "/bin/true"}, &good, &price, &why), HD_INPUT);
}

/* --- CACTI ---------------------------------------------------------------------------------------------- */

#define BLOCK(read, tail)                                                                                    \
  "IO Dynamic Power (mW) = 1506 PHY Power (mW) = 232\n---------- CACTI ----------\n\nCache Parameters:\n"    \
  "    Total cache size (bytes): 3072\n\n    Access time (ns): 0.25\n    Cycle time (ns):  0.2\n" tail       \
  "    Total dynamic read energy per access (nJ): " read "\n"                                                \
  "    Total dynamic write energy per access (nJ): 0.004\n    Total leakage power of a bank (mW): 3.5\n"     \
  "    Total gate leakage power of a bank (mW): 0.5\n    Cache height x width (mm): 0.2 x 0.1\n\n"           \
  "  Data array:\n\tTotal leakage power of a bank (mW): 99\n\tCAM search delay (ns): 0.3\n"

static void cacti_output_is_read(void **state) {
  (void)state;
  struct hd_mem_price p;
  assert_true(hd_cacti_parse(BLOCK("0.002", ""), false, &p));
  assert_within(p.area_mm2, .02, 1e-9);
  assert_within(p.read_pj, 2, 1e-9);
  assert_within(p.write_pj, 4, 1e-9);
  assert_within(p.leak_mw, 4, 1e-9); /* the first figure and that of the gates, not those of the details */
  assert_within(p.access_ns, .25, 1e-9);
  assert_within(p.cycle_ns, .2, 1e-9);
  assert_true(hd_cacti_parse(
      BLOCK("0.002", "    Total dynamic associative search energy per access (nJ): 0.009\n"), true, &p));
  assert_within(p.read_pj, 9, 1e-9);
  assert_within(p.access_ns, .3, 1e-9);
}

static void failed_cacti_output_is_no_answer(void **state) {
  (void)state;
  static const char *const bad[] = {
      "",
      "Cache size must >=64\n",
      "Print level : 1\nIO Area (sq.mm) = inf\nERROR: no valid data array organizations found\n",
      "Cache Parameters:\n    Access time (ns): 0.25\n", /* cut off */
      BLOCK("nan", ""),
      BLOCK("-0.1", ""),
      BLOCK("0", ""),
  };
  struct hd_mem_price p;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_false(hd_cacti_parse(bad[i], false, &p));
  assert_false(hd_cacti_parse(BLOCK("0.002", ""), true, &p)); /* asked for a CAM, got a RAM */
}

static char *work_dir;

static int make_work_dir(void **state) {
  (void)state;
  work_dir = hd_format("/tmp/hd-area-XXXXXX");
  return mkdtemp(work_dir) ? 0 : -1;
}

static int remove_work_dir(void **state) {
  (void)state;
  char *log = hd_format("%s.log", work_dir);
  const char *const argv[] = {"rm", "-rf", work_dir, log, NULL};
  hd_run(argv, NULL, "/dev/null", 10);
  free(log);
  free(work_dir);
  return 0;
}

/* Makes a program in CACTI's place that prints `says` and exits with `code`. */
static char *fake_cacti(const char *name, const char *body) {
  char *dir = hd_format("%s/%s", work_dir, name), *params = hd_format("%s/tech_params", dir);
  char *path = hd_format("%s/cacti", dir);
  assert_true(hd_make_dirs(params));
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fprintf(f, "#!/bin/sh\n%s\n", body);
  fclose(f);
  const char *const argv[] = {"chmod", "+x", path, NULL};
  assert_int_equal(hd_run(argv, NULL, "/dev/null", 10), 0);
  free(dir);
  free(params);
  return path;
}

static void a_failing_cacti_falls_back_to_the_model(void **state) {
  (void)state;
  static const char *const bodies[] = {"echo 'ERROR: no valid data array organizations found'; exit 1",
                                       "kill -11 $$", "exit 0"};
  for (int i = 0; i < 3; i++) {
    char name[16];
    snprintf(name, sizeof name, "bad%d", i);
    char *program = fake_cacti(name, bodies[i]);
    const struct hd_pricer how = {.node_nm = 45, .cacti = program, .work_dir = work_dir};
    const struct hd_memory mem = {128, 32, HD_MEM_1RW, HD_MEM_SRAM};
    struct hd_mem_price price;
    struct hd_why why = {""};
    assert_false(hd_cacti_price(&how, &mem, &price, &why));
    assert_non_null(strstr(why.text, "CACTI"));
    assert_int_equal(hd_mem_price(&how, &mem, &price, &why), HD_OK);
    assert_int_equal(price.source, HD_MEM_BY_MODEL);
    free(program);
  }
}

static void a_good_cacti_is_asked_once(void **state) {
  (void)state;
  char *program = fake_cacti("good", "[ -d tech_params ] || exit 9\n"
                                     "echo run >> ../../count\ncat <<'END'\n" BLOCK("0.002", "") "END");
  const struct hd_pricer how = {.node_nm = 45, .cacti = program, .work_dir = work_dir};
  const struct hd_memory mem = {384, 64, HD_MEM_1RW, HD_MEM_SRAM};
  struct hd_mem_price price;
  for (int i = 0; i < 2; i++) {
    assert_int_equal(hd_mem_price(&how, &mem, &price, NULL), HD_OK);
    assert_int_equal(price.source, HD_MEM_BY_CACTI);
    assert_within(price.area_mm2, .02, 1e-9);
  }
  char *count = hd_format("%s/count", work_dir), *text = hd_slurp(count);
  assert_string_equal(text, "run\n");
  free(text);
  free(count);
  /* CACTI is not run for a memory that it does not support */
  assert_false(hd_cacti_price(&how, &(struct hd_memory){16, 32, HD_MEM_1RW, HD_MEM_SRAM}, &price, NULL));
  assert_false(hd_cacti_price(&how, &(struct hd_memory){48, 8, HD_MEM_1RW, HD_MEM_SRAM}, &price, NULL));
  assert_false(hd_cacti_price(&how, &(struct hd_memory){384, 63, HD_MEM_1RW, HD_MEM_SRAM}, &price, NULL));
  free(program);
}

static void cacti_is_found_only_when_it_can_run(void **state) {
  (void)state;
  char path[4096], *program = fake_cacti("found", "exit 0");
  setenv("CACTI", program, 1);
  assert_true(hd_cacti_find("build", path, sizeof path));
  assert_string_equal(path, program);
  setenv("CACTI", "none", 1);
  assert_false(hd_cacti_find("build", path, sizeof path));
  setenv("CACTI", "/bin/sh", 1); /* a directory without tech_params */
  assert_false(hd_cacti_find("build", path, sizeof path));
  unsetenv("CACTI");
  free(program);
}

static void programs_are_bounded(void **state) {
  (void)state;
  char *log = hd_format("%s.log", work_dir);
  assert_int_equal(hd_run((const char *const[]){"sh", "-c", "exit 5", NULL}, NULL, log, 10), 5);
  assert_int_equal(hd_run((const char *const[]){"sh", "-c", "kill -9 $$", NULL}, NULL, log, 10),
                   HD_RUN_SIGNAL);
  assert_int_equal(hd_run((const char *const[]){"sleep", "30", NULL}, NULL, log, 1), HD_RUN_TIMEOUT);
  assert_int_equal(hd_run((const char *const[]){"no-such-program", NULL}, NULL, log, 10), HD_RUN_NOT_STARTED);
  assert_null(hd_find_tool("no-such-program"));
  free(log);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(model_agrees_with_cacti),
      cmocka_unit_test(area_grows_with_size_and_node),
      cmocka_unit_test(wide_words_are_sliced),
      cmocka_unit_test(small_memories_say_they_are_extrapolated),
      cmocka_unit_test(flipflops_cost_more_per_bit),
      cmocka_unit_test(impossible_memories_are_refused),
      cmocka_unit_test(cacti_output_is_read),
      cmocka_unit_test(failed_cacti_output_is_no_answer),
      cmocka_unit_test(a_failing_cacti_falls_back_to_the_model),
      cmocka_unit_test(a_good_cacti_is_asked_once),
      cmocka_unit_test(cacti_is_found_only_when_it_can_run),
      cmocka_unit_test(programs_are_bounded),
  };
  return cmocka_run_group_tests(tests, make_work_dir, remove_work_dir);
}
