/* The reports of a run about its memory requests (cmodel/memory/access.h): lines are numbered as the program knows them, and there
 * are as many as the figures count. Also a run that ends because a warp's stream is missing. */
#include "tests/unit/loaded.h"

#include <stdlib.h>
#include <string.h>

#include "cmodel/gpu/sim.h"
#include "workloads/workloads.h"

enum { LINES = 1 << 20 };
struct told {
  uint64_t loads, stores, l2; /* the first two: at L1Ds */
  uint64_t strange;           /* at the L2: lines that no L1D asked for */
  bool *asked;
};

static void on_access(void *user, const struct hd_access *access) {
  struct told *told = user;
  const uint64_t line = access->line % LINES;
  if (access->level == 2) {
    told->l2++;
    told->strange += !told->asked[line];
    return;
  }
  told->asked[line] = true;
  told->loads += access->kind == HD_ACCESS_LOAD;
  told->stores += access->kind == HD_ACCESS_STORE;
}

static struct wl_source *opened(const char *spec) {
  char err[256];
  struct wl_source *source = wl_open(spec, err, sizeof err);
  assert_non_null(source);
  return source;
}

static void run(struct hd_config c, struct wl_source *source, struct hd_sim_job job, enum hd_rc rc,
                struct hd_sim_result *r, struct hd_why *why) {
  assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
  struct hd_design *design = hd_design_new(&c);
  assert_non_null(design);
  job.design = design;
  job.source = source;
  if (hd_sim_run(&job, r, why) != rc)
    fail_msg("%s", why->text);
  source->ops->close(source);
  hd_design_free(design);
}

static struct told told_of(struct hd_config c, struct wl_source *source, struct hd_sim_result *r) {
  struct told told = {.asked = calloc(LINES, sizeof *told.asked)};
  assert_non_null(told.asked);
  struct hd_why why;
  run(c, source, (struct hd_sim_job){.accesses = {.access = on_access, .user = &told}}, HD_OK, r, &why);
  free(told.asked);
  return told;
}

/* Banks number their lines by themselves, but the reports give the lines of the L1Ds. */
static void lines_are_those_of_the_program(void **state) {
  (void)state;
  struct hd_sim_result r;
  const struct told told = told_of(loaded("gpu/fermi"), opened("spmv:tiny"), &r);
  assert_true(told.l2 > 1000);
  assert_int_equal(told.strange, 0);
}

/* The figures count an atomic as a store, whether the L1D tells the memory its kind or not. */
static void atomics_are_counted_as_stores(void **state) {
  (void)state;
  struct hd_sim_result plain, apart;
  struct hd_config c = loaded("fermi_16k");
  told_of(c, opened("histo:tiny"), &plain);
  c.l1d.request_kinds = HD_KINDS_ATOMIC;
  const struct told told = told_of(c, opened("histo:tiny"), &apart);
  assert_int_equal(told.loads, apart.loads);
  assert_int_equal(told.stores, apart.stores);
  assert_int_equal(apart.stores, plain.stores);
  assert_int_equal(apart.accesses, plain.accesses);
  assert_true(apart.stores > apart.memory.writes); /* there are some */
}

/* A source with one function replaced. */
static struct wl_source_ops whole_ops, other_ops;

static void next_uncached(void *stream, struct wl_inst *inst) {
  whole_ops.next(stream, inst);
  inst->kind = inst->op == WL_LOAD;
}

/* The figures count uncached loads as loads that bypass the L1D. */
static void uncached_loads_are_counted_as_loads(void **state) {
  (void)state;
  struct hd_sim_result plain, past;
  struct hd_config c = loaded("fermi_16k");
  c.l1d.request_kinds = HD_KINDS_ATOMIC;
  told_of(c, opened("spmv:tiny"), &plain);
  struct wl_source *source = opened("spmv:tiny");
  whole_ops = other_ops = *source->ops;
  other_ops.next = next_uncached;
  source->ops = &other_ops;
  const struct told told = told_of(c, source, &past);
  assert_true(plain.hits > 0 && past.loads > 0);
  assert_int_equal(past.bypasses, past.loads);
  assert_int_equal(past.loads, plain.loads);
  assert_int_equal(past.stores, plain.stores);
  assert_int_equal(told.loads, past.loads);
  assert_int_equal(past.classes.compulsory + past.classes.capacity + past.classes.conflict, past.loads);
}

enum { FIRST_LOST = 40 };

static void *open_some(struct wl_source *source, uint32_t cta, uint32_t warp) {
  return cta < FIRST_LOST ? whole_ops.open_warp(source, cta, warp) : NULL;
}

/* A single SM hands out CTAs to itself within a cycle. A CTA whose streams are missing must not begin in that cycle. */
static void a_lost_stream_ends_the_run(void **state) {
  (void)state;
  struct hd_sim_result r;
  struct hd_why why;
  struct wl_source *source = opened("2dconv:n=256");
  whole_ops = other_ops = *source->ops;
  other_ops.open_warp = open_some;
  source->ops = &other_ops;
  run(loaded("fermi_16k"), source, (struct hd_sim_job){0}, HD_INPUT, &r, &why);
  assert_non_null(strstr(why.text, "the stream of CTA 40, warp 0 can't be opened"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_are_those_of_the_program), cmocka_unit_test(atomics_are_counted_as_stores),
      cmocka_unit_test(uncached_loads_are_counted_as_loads), cmocka_unit_test(a_lost_stream_ends_the_run)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
