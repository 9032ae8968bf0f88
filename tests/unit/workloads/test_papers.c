/* The papers' tables are complete, and the computed facts of a workload match counts by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "workloads/papers/walked.h"
#include "workloads/workloads.h"

/* A row of an application follows its application. Each is named once, gives the source of its size, and can be opened. */
static void tables_are_whole(void **state) {
  (void)state;
  const struct wl_paper *p;
  char err[256];
  size_t papers = 0;
  for (; (p = wl_paper(papers)); papers++) {
    assert_int_equal(p->row[0].kind, WL_PAPER_APP);
    for (size_t i = 0; i < p->rows; i++) {
      const struct wl_paper_row *row = &p->row[i];
      assert_true(*row->text);
      assert_true(row->value >= 0 || row->fact == WL_FACT_load_stride);
      assert_in_range(row->n, 0, WL_WALKED_LOADS);
      if (row->kind == WL_PAPER_SPARSE)
        assert_int_equal(row[-1].kind, WL_PAPER_APP);
      if (row->kind != WL_PAPER_APP)
        continue;
      if (!wl_check(row->spec, err, sizeof err))
        fail_msg("%s: %s", p->name, err);
      for (size_t k = 0; k < i; k++)
        assert_false(p->row[k].kind == WL_PAPER_APP && !strcmp(p->row[k].name, row->name));
    }
  }
  assert_int_equal(papers, 5);
}

static double fact(const struct wl_walked *w, enum wl_fact f, unsigned n) {
  double value;
  assert_true(wl_walked_fact(w, f, n, &value));
  return value;
}

static void near_to(double value, double expected) {
  if (value < expected * 0.999999 || value > expected * 1.000001)
    fail_msg("%f, expected %f", value, expected);
}

/* 16 pairs of vectors of 1024 floats, a CTA of 256 threads for each pair, and 112 CTAs without a pair. A warp's 32 floats are a
 * line. Each line is loaded once, by two loads in turn. */
static void facts_are_counted(void **state) {
  (void)state;
  struct wl_walked w;
  char err[256];
  double none;
  enum { LINES = 2 * 16 * 1024 * 4 / 128, SMS = 4 };
  assert_true(wl_walk_facts("scalarprod:tiny", SMS, &w, err, sizeof err));
  assert_string_equal(w.main.name, "scalarprod");
  assert_int_equal(w.main.warps_per_cta, 8);
  near_to(fact(&w, WL_FACT_ctas, 0), 128);
  near_to(fact(&w, WL_FACT_load_pcs, 0), 2);
  near_to(fact(&w, WL_FACT_lines, 0), 1e-3 * LINES);
  near_to(fact(&w, WL_FACT_sm_mb, 0), 1e-6 * LINES * 128 / SMS);
  near_to(fact(&w, WL_FACT_streaming, 0), 100);
  near_to(fact(&w, WL_FACT_similarity, 0), 1);
  for (unsigned n = 1; n <= 2; n++) {
    near_to(fact(&w, WL_FACT_load_share, n), 50);
    near_to(fact(&w, WL_FACT_load_lines, n), 1);
    near_to(fact(&w, WL_FACT_load_stride, n), 128);
  }
  assert_false(wl_walked_fact(&w, WL_FACT_load_share, 3, &none));
  assert_false(wl_walked_fact(&w, WL_FACT_miss_rate, 0, &none));
  assert_false(wl_walk_facts("scalarprod:huge", SMS, &w, err, sizeof err));
  assert_non_null(strstr(err, "input 'huge' is not known"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tables_are_whole), cmocka_unit_test(facts_are_counted)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
