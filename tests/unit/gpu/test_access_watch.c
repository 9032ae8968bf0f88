/* What a run tells of its memory requests (cmodel/memory/access.h): lines as the program knows them, and as many as the figures
 * count. And a run that ends because a warp's stream is not there. */
#include "tests/unit/loaded.h"

#include <stdlib.h>
#include <string.h>

#include "cmodel/gpu/sim.h"
#include "workloads/workloads.h"

enum { LINES = 1 << 20 };
struct told {
  uint64_t loads, stores, l2; /* the first two: at L1Ds */
  uint64_t strange;           /* at the L2, of lines that no L1D was asked for */
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

/* Banks number their lines by themselves; what is told of them are the lines of L1Ds. */
static void lines_are_those_of_the_program(void **state) {
  (void)state;
  struct hd_sim_result r;
  const struct told told = told_of(loaded("gpu/fermi"), opened("spmv:tiny"), &r);
  assert_true(told.l2 > 1000);
  assert_int_equal(told.strange, 0);
}

/* An atomic that the L1D tells the memory apart is a store in the figures, as one that it does not tell apart. */
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

/* A source with one of its functions another. */
static struct wl_source_ops whole_ops, other_ops;

static void next_uncached(void *stream, struct wl_inst *inst) {
  whole_ops.next(stream, inst);
  inst->kind = inst->op == WL_LOAD;
}

/* Uncached loads are loads that pass the L1D. */
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

/* One SM hands out CTAs to itself within a clock: one whose streams are not there must not begin in it. */
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
