/* heddle_peek: in every cycle and for every line, the memory's bytes overlaid with those of the slice are the bytes last stored. The
 * memory answers late and in any order. Stores write parts of lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "lib/heddle.h"

enum { LINES = 24, BYTES_MOST = 256, READS_MOST = 64, CYCLES = 2500 };
enum { ANSWERS = 4 }; /* least cycles until a line that arrived has answered all that wait for it */

struct rig {
  heddle_machine *machine;
  heddle_model *model;
  unsigned bytes, stride; /* lines are 0, stride, ...: so they share few sets */
  uint64_t rng, from_slice, stores, loads;
  uint8_t stored[LINES][BYTES_MOST], memory[LINES][BYTES_MOST];
  struct read {
    uint64_t id;
    unsigned line;
    uint8_t data[BYTES_MOST];
  } read[READS_MOST];
  unsigned reads, come, since; /* reads; the last line that arrived, and the cycles since */
};

static uint64_t below(struct rig *r, uint64_t n) {
  r->rng = r->rng * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (r->rng >> 33) % n;
}
static uint64_t get(struct rig *r, const char *name) {
  const size_t value = heddle_find(r->model, name);
  return value == HEDDLE_NONE ? 0 : heddle_get_u64(r->model, value);
}
/* Sets a value. Skips names that the machine does not have. */
static void set(struct rig *r, const char *name, uint64_t number) {
  const size_t value = heddle_find(r->model, name);
  if (value != HEDDLE_NONE)
    heddle_set_u64(r->model, value, number);
}
static void set_bytes(struct rig *r, const char *name, const uint8_t *bytes) {
  heddle_set(r->model, heddle_find(r->model, name), 0, (const uint32_t *)(const void *)bytes);
}

static void open_machine(struct rig *r, const char *path) {
  memset(r, 0, sizeof *r);
  r->rng = 7;
  if (heddle_load(path, NULL, 0, &r->machine))
    fail_msg("%s", heddle_machine_message(r->machine));
  if (heddle_open(r->machine, "l2_top", 0, &r->model))
    fail_msg("%s", heddle_model_message(r->model));
  int64_t bytes, sets;
  heddle_key(r->machine, "l1d.line_bytes", &bytes);
  heddle_key(r->machine, "l2.sets", &sets);
  r->bytes = (unsigned)bytes;
  r->stride = (unsigned)sets / 2;
  r->since = ANSWERS;
  for (unsigned i = 0; i < LINES; i++)
    for (unsigned b = 0; b < r->bytes; b++)
      r->memory[i][b] = r->stored[i][b] = (uint8_t)below(r, 256);
  set(r, "los_en", 1);
}
static void close_machine(struct rig *r) {
  heddle_close(r->model);
  heddle_unload(r->machine);
}

/* Offers a request, which stays until it is taken. */
static unsigned offer(struct rig *r, uint8_t *data, uint8_t *mask) {
  const unsigned line = (unsigned)below(r, LINES);
  const int store = below(r, 2) == 0, whole = below(r, 4) == 0;
  memset(mask, 0, BYTES_MOST / 8);
  for (unsigned b = 0; store && b < r->bytes; b++)
    if (whole || below(r, 3) == 0)
      mask[b / 8] |= (uint8_t)(1 << b % 8);
  for (unsigned b = 0; b < r->bytes; b++)
    data[b] = (uint8_t)below(r, 256);
  set(r, "req_kind", store ? 2 : 0);
  set(r, "req_line", (uint64_t)line * r->stride);
  set(r, "req_full", store && whole);
  set(r, "req_pred", below(r, 4));
  set_bytes(r, "req_wdata", data);
  set_bytes(r, "req_wmask", mask);
  *(store ? &r->stores : &r->loads) += 1;
  return line;
}

/* The memory at the edge: reads and writes take effect when they are taken. */
static void memory_edge(struct rig *r, uint64_t out_ready, unsigned answered) {
  r->since++;
  if (answered < r->reads && get(r, "fill_valid") && get(r, "fill_ready")) {
    r->come = r->read[answered].line;
    r->since = 0;
    r->read[answered] = r->read[--r->reads];
  }
  if (!out_ready || !get(r, "out_valid"))
    return;
  const unsigned line = (unsigned)get(r, "out_line") / r->stride;
  assert_true(line < LINES);
  if (get(r, "out_write")) {
    heddle_get(r->model, heddle_find(r->model, "out_data"), 0, (uint32_t *)(void *)r->memory[line]);
    return;
  }
  assert_true(r->reads < READS_MOST);
  r->read[r->reads].id = get(r, "out_id");
  r->read[r->reads].line = line;
  memcpy(r->read[r->reads++].data, r->memory[line], r->bytes);
}

static void check(struct rig *r, int cycle) {
  uint8_t bytes[BYTES_MOST], known[BYTES_MOST];
  for (unsigned i = 0; i < LINES; i++) {
    assert_int_equal(heddle_peek(r->model, (uint64_t)i * r->stride, bytes, known), HEDDLE_OK);
    for (unsigned b = 0; b < r->bytes; b++) {
      const uint8_t newest = known[b] ? bytes[b] : r->memory[i][b];
      if (newest != r->stored[i][b])
        fail_msg("%s, cycle %d, line %u, byte %u: %02x, stored was %02x", heddle_machine_name(r->machine),
                 cycle, i, b, newest, r->stored[i][b]);
      if (r->since < ANSWERS && r->come == i && !known[b])
        fail_msg("%s, cycle %d, line %u, byte %u has come, and is not there", heddle_machine_name(r->machine),
                 cycle, i, b);
      r->from_slice += known[b] && r->memory[i][b] != r->stored[i][b];
    }
  }
}

static void test_newest(void **state) {
  (void)state;
  static const char *const paths[] = {"configs/lockstep/l2/l2_plain.yaml",
                                      "configs/lockstep/l2/l2_starved.yaml",
                                      "configs/lockstep/l2/l2_lavish.yaml",
                                      "configs/lockstep/l2/l2_odd_ways.yaml",
                                      "configs/loscache.yaml",
                                      "configs/lockstep/loscache/los_four_sms.yaml",
                                      "configs/lockstep/loscache/los_starved.yaml",
                                      "configs/lockstep/loscache/los_one_way.yaml",
                                      "configs/lockstep/loscache/los_lavish.yaml",
                                      "configs/lockstep/l2/l2_maintenance.yaml"};
  static struct rig r;
  for (size_t p = 0; p < sizeof paths / sizeof *paths; p++) {
    open_machine(&r, paths[p]);
    uint8_t data[BYTES_MOST], mask[BYTES_MOST / 8];
    int offered = 0;
    unsigned line = 0, answered = 0, patience = 0;
    for (int cycle = 0; cycle < CYCLES; cycle++) {
      if (!offered && below(&r, 3)) {
        line = offer(&r, data, mask);
        offered = 1;
      }
      const uint64_t out_ready = below(&r, 3) == 0, was_offered = get(&r, "fill_valid");
      if (!was_offered)
        answered = r.reads ? (unsigned)below(&r, r.reads) : 0;
      const int fills = r.reads && (was_offered || (patience++ > 6 && below(&r, 4) == 0));
      set(&r, "fill_valid", fills ? 1 : 0);
      if (fills) {
        set(&r, "fill_id", r.read[answered].id);
        set_bytes(&r, "fill_data", r.read[answered].data);
      }
      set(&r, "req_valid", offered ? 1 : 0);
      set(&r, "rsp_ready", below(&r, 4) != 0);
      set(&r, "out_ready", out_ready);
      heddle_eval(r.model);
      if (offered && get(&r, "req_ready")) {
        for (unsigned b = 0; b < r.bytes; b++)
          if (mask[b / 8] >> b % 8 & 1)
            r.stored[line][b] = data[b];
        offered = 0;
      }
      const int filled = fills && get(&r, "fill_ready");
      memory_edge(&r, out_ready, answered);
      heddle_tick(r.model);
      if (filled) {
        set(&r, "fill_valid", 0);
        patience = 0;
      }
      check(&r, cycle);
    }
    assert_true(r.stores > 40 && r.loads > 40);
    assert_true(r.from_slice > 40000);
    close_machine(&r);
  }
}

/* Another module, or a model without bytes, has nothing to show. */
static void test_refused(void **state) {
  (void)state;
  static struct rig r;
  open_machine(&r, "configs/loscache.yaml");
  uint8_t bytes[BYTES_MOST], known[BYTES_MOST];
  heddle_model *other;
  assert_int_equal(heddle_open(r.machine, "sm_mem", 0, &other), HEDDLE_OK);
  assert_int_equal(heddle_peek(other, 0, bytes, known), HEDDLE_ERR_ARGUMENT);
  assert_string_equal(heddle_model_message(other),
                      "heddle_peek: found a model of sm_mem; allowed: of l2_top");
  heddle_close(other);
  assert_int_equal(heddle_open(r.machine, "l2_top", HEDDLE_NO_DATA, &other), HEDDLE_OK);
  assert_int_equal(heddle_peek(other, 0, bytes, known), HEDDLE_ERR_ARGUMENT);
  assert_non_null(strstr(heddle_model_message(other), "HEDDLE_NO_DATA"));
  heddle_close(other);
  close_machine(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_newest), cmocka_unit_test(test_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
