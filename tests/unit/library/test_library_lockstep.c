/* The library's lockstep (lib/heddle.h) without Verilator: a model beside an RTL whose values are all 0. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>
#include <string.h>

#include "tests/library/zero_rtl.h"

struct rtl {
  heddle_model *model;
  const char *lacks; /* a register that the RTL lacks, or NULL */
  size_t bytes;      /* bytes of each register of one bit; 0: one */
  unsigned strange;  /* scopes that were neither "" nor began with a '.' */
};

static int find(void *user, const char *scope, const char *name, heddle_rtl_variable *v) {
  struct rtl *rtl = user;
  rtl->strange += *scope && *scope != '.';
  if (rtl->lacks && !strcmp(name, rtl->lacks))
    return 0;
  const int found = zero_rtl_find(rtl->model, scope, name, v);
  if (found && v->bits == 1 && rtl->bytes)
    v->bytes = rtl->bytes;
  return found;
}

static heddle_machine *machine;

static int load(void **state) {
  (void)state;
  return heddle_load("configs/mrpb.yaml", NULL, 0, &machine);
}
static int unload(void **state) {
  (void)state;
  heddle_unload(machine);
  return 0;
}

static heddle_status open(struct rtl *rtl, const char *module, heddle_lockstep **lockstep) {
  assert_int_equal(heddle_open(machine, module, 0, &rtl->model), HEDDLE_OK);
  return heddle_lockstep_open(rtl->model, find, rtl, lockstep);
}
static void close(struct rtl *rtl, heddle_lockstep *lockstep) {
  heddle_lockstep_close(lockstep);
  heddle_close(rtl->model);
}

/* After a reset and an alignment both are 0. */
static void test_same(void **state) {
  (void)state;
  struct rtl rtl = {0};
  heddle_lockstep *lockstep;
  assert_int_equal(open(&rtl, "coalescer", &lockstep), HEDDLE_OK);
  assert_int_equal(rtl.strange, 0);
  heddle_lockstep_align(lockstep);
  assert_int_equal(heddle_lockstep_same(lockstep, 1), 1);
  assert_true(heddle_lockstep_values(lockstep) > 0);
  assert_string_equal(heddle_lockstep_message(lockstep), "");
  close(&rtl, lockstep);
}

/* If there are more differences than a message has room for, it ends with their number. */
static void test_many_differences(void **state) {
  (void)state;
  struct rtl rtl = {0};
  heddle_lockstep *lockstep;
  assert_int_equal(open(&rtl, "sm_mem", &lockstep), HEDDLE_OK);
  heddle_lockstep_align(lockstep);
  uint32_t ones[1024];
  memset(ones, 0xff, sizeof ones);
  unsigned set = 0; /* elements that differ */
  for (size_t i = 0; i < heddle_value_count(rtl.model); i++) {
    const heddle_value *v = heddle_value_at(rtl.model, i);
    if (v->kind >= HEDDLE_KIND_REGISTER && v->settable)
      assert_int_equal(heddle_set(rtl.model, i, 0, ones), HEDDLE_OK);
    uint32_t words[1024];
    heddle_get(rtl.model, i, 0, words);
    for (unsigned e = 0; v->kind >= HEDDLE_KIND_REGISTER && e < v->count; e++) {
      bool zero = true;
      for (unsigned b = e * v->width; b < (e + 1) * v->width; b++)
        zero &= !(words[b / 32] >> b % 32 & 1);
      set += !zero;
    }
  }
  assert_true(set > 100);
  assert_int_equal(heddle_lockstep_same(lockstep, 1), 0);
  const char *message = heddle_lockstep_message(lockstep);
  assert_true(strlen(message) < 1024);
  assert_non_null(strstr(message, "RTL 0x0, golden model 0x"));
  unsigned reported = 1, more = 0;
  for (const char *at = message; (at = strstr(at, "; ")); at++)
    reported += sscanf(at, "; and %u more", &more) != 1;
  assert_true(reported >= 3);
  assert_int_equal(reported + more, set);
  close(&rtl, lockstep);
}

static void test_refused(void **state) {
  (void)state;
  struct rtl lacks = {.lacks = "count_q"}, wide = {.bytes = 16}, odd = {.bytes = 3};
  heddle_lockstep *lockstep;
  assert_int_equal(open(&lacks, "sm_mem", &lockstep), HEDDLE_ERR_NAME);
  assert_non_null(strstr(heddle_lockstep_message(lockstep), "no count_q in .u_mrpb"));
  close(&lacks, lockstep);
  assert_int_equal(open(&wide, "sm_mem", &lockstep), HEDDLE_ERR_NAME);
  assert_non_null(strstr(heddle_lockstep_message(lockstep), " 1 bits in 16 bytes; allowed 1, 2, 4 or 8"));
  close(&wide, lockstep);
  assert_int_equal(open(&odd, "sm_mem", &lockstep), HEDDLE_ERR_NAME);
  close(&odd, lockstep);
}

/* A compare of line bytes refuses a model without them. */
static void test_no_data(void **state) {
  (void)state;
  static const char said[] = "found one of HEDDLE_NO_DATA; allowed";
  struct rtl rtl = {0};
  heddle_lockstep *lockstep;
  heddle_sm *sm;
  assert_int_equal(heddle_open(machine, "sm_mem", HEDDLE_NO_DATA, &rtl.model), HEDDLE_OK);
  assert_int_equal(heddle_lockstep_open(rtl.model, find, &rtl, &lockstep), HEDDLE_ERR_ARGUMENT);
  assert_non_null(strstr(heddle_lockstep_message(lockstep), said));
  assert_int_equal(heddle_sm_open(rtl.model, "atax:tiny", &sm), HEDDLE_ERR_ARGUMENT);
  assert_non_null(strstr(heddle_sm_message(sm), said));
  heddle_sm_close(sm);
  close(&rtl, lockstep);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_same),
      cmocka_unit_test(test_many_differences),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_no_data),
  };
  return cmocka_run_group_tests(tests, load, unload);
}
