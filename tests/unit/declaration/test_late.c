/* LATE rows: their C, their Verilog and their signature; and lockstep, which compares them between the model's edge and the RTL's.
 * The module is tests/unit/declaration/late.def. Its RTL is a few lines of C with the interface of a Verilated module, right or
 * wrong on purpose. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arch/declaration/rows.c"

#define HD_M late
#define HD_DEF "tests/unit/declaration/late.def"
#include "arch/declaration/gen_structs.h"
#define HD_M late
#define HD_DEF "tests/unit/declaration/late.def"
#include "arch/declaration/gen_rows.h"

#include "rtl_gen/emit/emit.h"
#include "rtl_gen/emit/files.h"
#include "verif/harness/run.h"

static struct {
  struct hd_config c;
  struct hd_decl *decl[1];
  struct hd_design design;
  struct hd_why why;
} t;

static int begin(void **state) {
  (void)state;
  hd_config_default(&t.c);
  t.design = (struct hd_design){&t.c, t.decl, 1, false};
  struct declaring b = {&t.design, t.decl[0] = calloc(1, sizeof *t.decl[0]), false};
  if (!b.decl)
    return 1;
  late_declare(&b);
  return b.failed;
}

static int end(void **state) {
  (void)state;
  hd_decl_free(t.decl[0]);
  return 0;
}

static void test_declared(void **state) {
  (void)state;
  assert_int_equal(t.decl[0]->n_rows, 4); /* a row without width is absent */
  const struct hd_row *row = &t.decl[0]->rows[2];
  assert_string_equal(row->name, "next");
  assert_string_equal(row->var, "next");
  assert_int_equal(row->cls, HD_LATE);
  assert_true(hd_is_port(row->cls) && hd_is_output(row->cls) && !hd_is_port(HD_REG) && !hd_is_output(HD_IN));
  struct late *m = hd_model_new(&t.design, "late", true, NULL);
  assert_non_null(m);
  assert_ptr_equal(hd_elem(t.decl[0], row, (char *)m + t.decl[0]->late_offset, 0, 0), &m->late.next);
  m->late.next = 7;
  hd_model_reset(m);
  assert_int_equal(m->late.next, 7); /* late is no register */
  hd_model_free(m);
}

static void test_emitted(void **state) {
  (void)state;
  struct hd_why why;
  struct hd_size_role *roles = hd_size_roles_of(&t.c, t.decl[0], false, &why);
  bool used[hd_n_sizes];
  assert_non_null(roles);
  char *text = hd_frame(&t.design, t.decl[0], "\n  assign next = count_q + step;\n", (const char *[]){NULL},
                        roles, used);
  assert_non_null(strstr(text, "  output wire [7:0] next;  // the count after the edge\n"));
  struct hd_module module = {t.decl[0], text, roles, used};
  char *signature =
      hd_files_signature(&(struct hd_set){&t.design, t.decl[0], {&module, 1}, {false}, false, NULL});
  const char *late = strstr(signature, "\"late\": true");
  assert_non_null(late);
  assert_null(strstr(late + 1, "\"late\": true")); /* only this one */
  free(signature);
  hd_size_roles_free(roles);
  free(text);
}

/* --- lockstep ------------------------------------------------------------------------------------------- */

static void moore(void *model, void *out) {
  ((struct late_out *)out)->shown = ((struct late *)model)->s.count;
}
static void tick(void *model, const void *in) {
  struct late *m = model;
  m->late.next = (m->s.count + ((const struct late_in *)in)->step) & 0xff;
  m->s.count = m->late.next;
}
static const struct hd_model_ops model_ops = {"late", moore, NULL, tick};

enum { NEVER = 1000 };
/* The RTL's side. `forgets`: its register has no reset and holds the input instead. With inputs of 0 it would be 0 after the reset.
 * `wrong_at`: the rising edge before which `next` is wrong, counted from 0 and including the edges of the reset. */
static struct {
  uint8_t clk, rst, was, step, shown, next, count;
  unsigned edges, wrong_at;
  bool forgets;
} rtl;
static bool forgetful;

static void *open_rtl(uint64_t seed) {
  (void)seed;
  return &rtl;
}
static bool find_rtl(void *dut, const char *scope, const char *name, struct hd_dut_var *var) {
  (void)dut;
  static const struct {
    const char *name;
    uint8_t *data;
    unsigned bits;
  } vars[] = {{"clk", &rtl.clk, 1},     {"rst", &rtl.rst, 1},   {"step", &rtl.step, 8},
              {"shown", &rtl.shown, 8}, {"next", &rtl.next, 8}, {"count_q", &rtl.count, 8}};
  for (size_t i = 0; i < sizeof vars / sizeof *vars && strcmp(scope, "TOP.late.model") != 0; i++)
    if (!strcmp(vars[i].name, name)) {
      *var = (struct hd_dut_var){vars[i].data, 1, vars[i].bits, 1};
      return true;
    }
  return false;
}
static void eval_rtl(void *dut) {
  (void)dut;
  if (rtl.clk && !rtl.was) {
    rtl.count = rtl.rst ? (rtl.forgets ? rtl.step : 0) : (uint8_t)(rtl.count + rtl.step);
    rtl.edges++;
  }
  rtl.was = rtl.clk;
  rtl.shown = rtl.count;
  rtl.next = (uint8_t)(rtl.count + rtl.step + (rtl.edges == rtl.wrong_at));
}
static void settle_rtl(void *dut) {
  (void)dut; /* no output depends on a register alone */
}
static void close_rtl(void *dut) {
  (void)dut;
}
static const struct hd_dut_api api = {open_rtl, find_rtl, eval_rtl, settle_rtl, NULL, NULL, close_rtl};

static void drive(struct hd_env *env, const void *out, void *in) {
  ((struct late_in *)in)->step = (3 * ((const struct late_out *)out)->shown + 1) & 0xff;
  env->checked++;
}
static bool check(struct hd_env *env, const void *in, const void *out) {
  (void)env, (void)in, (void)out;
  return true;
}
static bool over(const struct hd_env *env) {
  return env->stop;
}
static bool finish(struct hd_env *env) {
  (void)env;
  return true;
}
static void close_env(struct hd_env *env) {
  free(env);
}
static struct hd_env *surround(void *ctx, const struct hd_env_job *job, struct hd_why *why) {
  (void)ctx, (void)job, (void)why;
  static const struct hd_env_ops ops = {drive, check, over, finish, close_env};
  struct hd_env *env = calloc(1, sizeof *env);
  if (env)
    env->ops = &ops;
  return env;
}

/* Runs 50 cycles, or until something stops the run. The caller looks at the run before hd_run_close. `wrong_at`: as above, but
 * counted from the end of the reset. */
static void go(struct hd_run *run, const char *fault, unsigned wrong_at) {
  static struct hd_cosim_job job;
  job = (struct hd_cosim_job){.design = &t.design, .module = "late", .seed = 1, .cycles = 50};
  memset(&rtl, 0, sizeof rtl);
  rtl.forgets = forgetful;
  rtl.wrong_at = hd_reset_draw(&job, 0).cycles + wrong_at;
  *run = (struct hd_run){.job = &job, .decl = t.decl[0], .ops = &model_ops, .surround = surround};
  run->lib.api = &api;
  run->dut = api.open(1);
  run->model = hd_model_new(&t.design, "late", true, &run->log);
  run->in = calloc(1, sizeof(struct late_in));
  run->out = calloc(1, sizeof(struct late_out));
  if (hd_table_make(&run->table, run->decl, &api, run->dut, run->model, run->in, run->out, &t.why) != HD_OK)
    fail_msg("%s", t.why.text);
  if (fault && hd_fault_find(&run->table, fault, &run->fault, &t.why) != HD_OK)
    fail_msg("%s", t.why.text);
  hd_run_go(run, NULL);
}

static void test_agrees(void **state) {
  (void)state;
  struct hd_run run;
  go(&run, NULL, NEVER);
  assert_int_equal(run.stop, HD_ENDED);
  assert_int_equal(run.cycle, 51);      /* 50 cycles, and one in which the environment makes nothing new */
  assert_int_equal(run.values, 51 * 3); /* output, late output, register */
  hd_run_close(&run);
}

static void test_reset(void **state) {
  (void)state;
  struct hd_run run;
  forgetful = true;
  go(&run, NULL, NEVER);
  forgetful = false;
  assert_int_equal(run.stop, HD_DIFFERS);
  assert_true(run.after_reset);
  assert_string_equal(run.diff[0].name, "count");
  hd_run_close(&run);
}

/* Resets may last a single edge. Inputs are random during a reset, and sometimes 0. One long stretch comes before several short
 * ones. */
static void test_resets_drawn(void **state) {
  (void)state;
  const struct hd_cosim_job job = {.seed = 1, .cycles = 50000};
  unsigned one = 0, many = 0, still = 0, lengths = 0;
  for (uint64_t n = 0; n < 170; n++) {
    const struct hd_reset r = hd_reset_draw(&job, n), again = hd_reset_draw(&job, n);
    const uint64_t stretch = hd_run_stretch(&job, n);
    assert_true(r.cycles == again.cycles && r.busy == again.busy);
    assert_in_range(r.cycles, 1, 8);
    one += r.cycles == 1;
    many += r.cycles == 8;
    still += !r.busy;
    if (n % 17 == 0)
      assert_int_equal(stretch, 25000);
    else
      assert_in_range(stretch, 1, 256);
    lengths += stretch == 1;
  }
  assert_true(one > 80 && one < 120 && many > 0 && still > 5 && still < 60 && lengths > 0);
}

/* If a late output differs, the report names only that output: after its edge the model's registers are a cycle ahead. */
static void test_difference(void **state) {
  (void)state;
  struct hd_run run;
  go(&run, NULL, 20);
  assert_int_equal(run.stop, HD_DIFFERS);
  assert_int_equal(run.cycle, 20);
  assert_int_equal(run.moment, HD_AT_LATE);
  assert_int_equal(run.diffs, 1);
  assert_string_equal(run.diff[0].kind, "late");
  assert_string_equal(run.diff[0].name, "next");
  assert_int_equal(run.diff[0].rtl, (run.diff[0].model + 1) & 0xff);
  hd_run_close(&run);
}

static void test_fault(void **state) {
  (void)state;
  static const char *const faults[] = {"next.6@11", "rtl:next.6@11", "model:next.6@11"};
  struct hd_run run;
  for (unsigned i = 0; i < 3; i++) {
    go(&run, faults[i], NEVER);
    assert_int_equal(run.stop, HD_DIFFERS);
    assert_int_equal(run.cycle, 11);
    assert_int_equal(run.moment, HD_AT_LATE);
    assert_int_equal(run.diff[0].rtl ^ run.diff[0].model, 1 << 6);
    hd_run_close(&run);
  }
  go(&run, "both:next.6@11", NEVER); /* no register keeps the value */
  assert_int_equal(run.stop, HD_ENDED);
  hd_run_close(&run);
  go(&run, "count.0@11", NEVER);
  assert_int_equal(run.stop, HD_DIFFERS);
  assert_int_equal(run.moment, HD_AT_STATE);
  hd_run_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_declared), cmocka_unit_test(test_emitted),      cmocka_unit_test(test_agrees),
      cmocka_unit_test(test_reset),    cmocka_unit_test(test_resets_drawn), cmocka_unit_test(test_difference),
      cmocka_unit_test(test_fault),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
