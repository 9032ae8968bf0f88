/* The library's models (lib/heddle.h): loading, names, bits in and out, cycles, events. mrpb shows that a model is the one that
 * lockstep checks: with the same inputs, the model without the library gives the same in every cycle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/heddle.h"
#include "lib/objects.h"
#include "workloads/rng.h"

static heddle_machine *load(const char *path) {
  heddle_machine *machine;
  if (heddle_load(path, NULL, 0, &machine))
    fail_msg("%s", heddle_machine_message(machine));
  return machine;
}

static heddle_model *open_module(const heddle_machine *machine, const char *module) {
  heddle_model *model;
  if (heddle_open(machine, module, 0, &model))
    fail_msg("%s", heddle_model_message(model));
  return model;
}

static size_t find(heddle_model *model, const char *name) {
  const size_t value = heddle_find(model, name);
  if (value == HEDDLE_NONE)
    fail_msg("%s", heddle_model_message(model));
  return value;
}

static void test_problems(void **state) {
  (void)state;
  heddle_machine *machine;
  const char *const sets[] = {"l1d.ways=3000", "sm.wraps=4", "sm.warps=32"};
  assert_int_equal(heddle_load("configs/mrpb.yaml", sets, 3, &machine), HEDDLE_ERR_CONFIG);
  const char *said = heddle_machine_message(machine);
  assert_non_null(strstr(said, "--set l1d.ways=3000: l1d.ways: found 3000; allowed "));
  assert_non_null(strstr(said, "--set sm.wraps=4: sm.wraps: found an unknown key; "));
  assert_null(strstr(said, "--set sm.warps"));
  heddle_unload(machine);

  assert_int_equal(heddle_load("configs/nothing.yaml", NULL, 0, &machine), HEDDLE_ERR_CONFIG);
  assert_non_null(strstr(heddle_machine_message(machine), "configs/nothing.yaml: found no file to read"));
  heddle_unload(machine);
  assert_string_equal(heddle_machine_message(NULL), "out of memory");
  heddle_unload(NULL);
}

static void test_machine(void **state) {
  (void)state;
  heddle_machine *machine;
  const char *const sets[] = {"sm.warps=32"};
  assert_int_equal(heddle_load("configs/mrpb.yaml", sets, 1, &machine), HEDDLE_OK);
  assert_string_equal(heddle_machine_message(machine), "");
  assert_string_equal(heddle_machine_name(machine), "mrpb");
  int64_t value;
  assert_int_equal(heddle_key(machine, "sm.warps", &value), HEDDLE_OK);
  assert_int_equal(value, 32);
  assert_null(heddle_key_word(machine, "sm.warps"));
  assert_string_equal(heddle_key_word(machine, "request_buffer.kind"), "mrpb");
  assert_int_equal(heddle_key(machine, "sm.wraps", &value), HEDDLE_ERR_NAME);
  assert_int_equal(heddle_key(machine, "sm.", &value), HEDDLE_ERR_NAME);

  heddle_machine *plain = load("configs/mrpb.yaml"), *again = load("configs/mrpb.yaml");
  assert_true(heddle_machine_hash(plain) == heddle_machine_hash(again));
  assert_true(heddle_machine_hash(plain) != heddle_machine_hash(machine));
  const size_t modules = heddle_module_count(plain);
  assert_string_equal(heddle_module_at(plain, modules - 1)->name, "sm_mem");
  assert_null(heddle_module_at(plain, modules));
  heddle_unload(again);
  heddle_unload(plain);
  heddle_unload(machine);
}

static void test_text(void **state) {
  (void)state;
  heddle_machine *machine, *file = load("configs/mrpb.yaml");
  assert_int_equal(heddle_load_text("base: mrpb\n", "configs/mine", NULL, 0, &machine), HEDDLE_OK);
  assert_true(heddle_machine_hash(machine) == heddle_machine_hash(file));
  heddle_unload(machine);
  assert_int_equal(heddle_load_text("sm: {warps: many}\n", "mine", NULL, 0, &machine), HEDDLE_ERR_CONFIG);
  assert_non_null(strstr(heddle_machine_message(machine), "mine:1: sm.warps: found many; "));
  heddle_unload(machine);
  heddle_unload(file);
}

static void test_no_module(void **state) {
  (void)state;
  heddle_machine *machine = load("configs/mrpb.yaml");
  heddle_model *model;
  assert_int_equal(heddle_open(machine, "sm_men", 0, &model), HEDDLE_ERR_NAME);
  assert_non_null(
      strstr(heddle_model_message(model), "found sm_men; did you mean sm_mem? allowed, in mrpb: "));
  heddle_close(model);
  assert_int_equal(heddle_open(machine, "l2_top", 0, &model), HEDDLE_ERR_NAME);
  heddle_close(model);
  heddle_close(NULL);
  heddle_unload(machine);
}

/* Writes random bits to a row and reads them back, also as a number. */
static void check_bits(heddle_model *model, size_t v, unsigned row, struct wl_rng *rng) {
  const heddle_value *value = heddle_value_at(model, v);
  uint32_t in[4096], out[4096];
  assert_true(value->words < 4096);
  for (unsigned i = 0; i < value->words; i++)
    in[i] = (uint32_t)wl_rng_next(rng);
  out[value->words] = 0xdeadbeef;
  assert_int_equal(heddle_set(model, v, row, in), HEDDLE_OK);
  assert_int_equal(heddle_get(model, v, row, out), HEDDLE_OK);
  if (value->bits % 32)
    in[value->words - 1] &= UINT32_MAX >> (32 - value->bits % 32);
  assert_memory_equal(in, out, value->words * sizeof *in);
  assert_int_equal(out[value->words], 0xdeadbeef);
  if (row)
    return;
  const uint64_t low = in[0] | (value->words > 1 ? (uint64_t)in[1] << 32 : 0);
  assert_true(heddle_get_u64(model, v) == low);
  assert_int_equal(heddle_set_u64(model, v, ~low), HEDDLE_OK);
  assert_true(heddle_get_u64(model, v) ==
              (~low & (value->bits < 64 ? ~(UINT64_MAX << value->bits) : UINT64_MAX)));
}

/* Names are unique, can be found, and are those of the Verilog. A value that can be set keeps its bits; other values can't be set. */
static void check_values(const heddle_machine *machine, const char *module, struct wl_rng *rng) {
  heddle_model *model = open_module(machine, module);
  const size_t n = heddle_value_count(model);
  assert_null(heddle_value_at(model, n));
  for (size_t v = 0; v < n; v++) {
    const heddle_value *value = heddle_value_at(model, v);
    assert_int_equal(heddle_find(model, value->name), v);
    assert_int_equal(value->bits, value->count * value->width);
    const unsigned last = value->rows - 1;
    if (value->settable) {
      check_bits(model, v, 0, rng);
      check_bits(model, v, last, rng);
    } else {
      assert_int_equal(heddle_set_u64(model, v, 1), HEDDLE_ERR_ARGUMENT);
      assert_non_null(strstr(heddle_model_message(model), value->name));
    }
    assert_int_equal(heddle_set(model, v, last + 1, (uint32_t[4096]){0}), HEDDLE_ERR_ARGUMENT);
    assert_int_equal(heddle_get(model, v, last + 1, (uint32_t[4096]){0}), HEDDLE_ERR_ARGUMENT);
  }
  assert_int_equal(heddle_set_u64(model, n, 1), HEDDLE_ERR_ARGUMENT);
  assert_int_equal(heddle_get_u64(model, n), 0);
  for (size_t e = 0; e < heddle_event_count(model); e++)
    assert_int_equal(heddle_event_find(model, heddle_event_at(model, e)->name), e);
  heddle_close(model);
}

static void test_values(void **state) {
  (void)state;
  static const char *const paths[] = {"configs/mrpb.yaml", "configs/apres.yaml", "configs/loscache.yaml",
                                      "configs/apcm.yaml"};
  struct wl_rng rng = {1};
  for (size_t p = 0; p < sizeof paths / sizeof *paths; p++) {
    heddle_machine *machine = load(paths[p]);
    for (size_t i = 0; i < heddle_module_count(machine); i++)
      check_values(machine, heddle_module_at(machine, i)->name, &rng);
    heddle_unload(machine);
  }
}

static void test_names(void **state) {
  (void)state;
  heddle_machine *machine = load("configs/mrpb.yaml");
  heddle_model *model = open_module(machine, "sm_mem");
  const heddle_value *tags = heddle_value_at(model, find(model, "u_l1d.tags")),
                     *line = heddle_value_at(model, find(model, "u_mrpb.fifo.line")),
                     *count = heddle_value_at(model, find(model, "u_mrpb.count_q")),
                     *pick = heddle_value_at(model, find(model, "pick_wid")),
                     *mreq = heddle_value_at(model, find(model, "mreq_line"));
  assert_int_equal(tags->kind, HEDDLE_KIND_MEMORY);
  assert_int_equal(tags->rows, 32);
  assert_int_equal(tags->count, 4);
  assert_int_equal(line->kind, HEDDLE_KIND_MEMORY);
  assert_int_equal(count->kind, HEDDLE_KIND_REGISTER);
  assert_false(count->settable);
  assert_int_equal(pick->kind, HEDDLE_KIND_MEALY);
  assert_int_equal(mreq->kind, HEDDLE_KIND_OUTPUT);
  assert_int_equal(heddle_find(model, "u_l1d.tag"), HEDDLE_NONE);
  assert_non_null(strstr(heddle_model_message(model), "found u_l1d.tag; did you mean u_l1d.tags?"));
  assert_int_equal(heddle_event_find(model, "u_l1d.hit"), HEDDLE_NONE);
  assert_non_null(strstr(heddle_model_message(model), "found u_l1d.hit; "));
  heddle_close(model);
  heddle_unload(machine);
}

/* Enables are on from the start if the configuration says so. */
static void test_enables(void **state) {
  (void)state;
  for (int on = 0; on < 2; on++) {
    heddle_machine *machine;
    const char *const sets[] = {on ? "loscache.enable=true" : "loscache.enable=false"};
    assert_int_equal(heddle_load("configs/loscache.yaml", sets, 1, &machine), HEDDLE_OK);
    for (int top = 0; top < 2; top++) {
      heddle_model *model = open_module(machine, top ? "l2_top" : "sm_mem");
      assert_int_equal(heddle_get_u64(model, find(model, "los_en")), on);
      heddle_close(model);
    }
    heddle_unload(machine);
  }
}

/* ---- Cycles ---- */

struct heard {
  uint64_t enqueued, last_cycle, wid;
  size_t event;
};
static void hear(void *user, size_t event, uint64_t cycle, const uint64_t arguments[4]) {
  struct heard *h = user;
  h->enqueued++;
  h->event = event;
  h->last_cycle = cycle;
  h->wid = arguments[1];
}

/* mrpb with and without the library, on the same requests. A request stays at the port until it is taken, as the port demands. */
static void test_cycles(void **state) {
  (void)state;
  heddle_machine *machine = load("configs/mrpb.yaml");
  heddle_model *model = open_module(machine, "mrpb");
  const struct hd_decl *d = hd_design_find(machine->design, "mrpb");
  struct mrpb *bare = hd_model_new(machine->design, "mrpb", true, NULL);
  struct mrpb_in in = {.en = 1};
  struct mrpb_out out = {0};
  assert_true(bare && hd_alloc_in(d, &in) && hd_alloc_out(d, &out));
  const size_t enq_valid = find(model, "enq_valid"), enq_line = find(model, "enq_line"),
               enq_wid = find(model, "enq_wid"), enq_ready = find(model, "enq_ready"),
               deq_ready = find(model, "deq_ready"), deq_valid = find(model, "deq_valid"),
               deq_line = find(model, "deq_line"), drained = find(model, "drained");
  const size_t enqueue = heddle_event_find(model, "enqueue");
  struct heard heard = {0};
  assert_int_equal(heddle_listen(model, hear, &heard, &enqueue, 1), HEDDLE_OK);
  struct wl_rng rng = {1};
  bool waits = false;
  uint64_t left = 0, last = 0;
  for (int cycle = 0; cycle < 3000; cycle++) {
    mrpb_moore(bare, &out);
    assert_int_equal(heddle_get_u64(model, deq_valid), out.deq_valid);
    if (out.deq_valid)
      assert_int_equal(heddle_get_u64(model, deq_line), out.deq.line);
    assert_int_equal(heddle_get_u64(model, drained), out.drained);
    const uint64_t r = wl_rng_next(&rng);
    if (!waits) {
      in.enq_valid = r & 1;
      in.enq.line = r >> 8 & 0xffff;
      in.enq.wid = (r >> 32) % 48;
    }
    in.deq_ready = (r >> 2 & 3) == 0;
    heddle_set_u64(model, find(model, "en"), in.en);
    heddle_set_u64(model, enq_valid, in.enq_valid);
    heddle_set_u64(model, enq_line, in.enq.line);
    heddle_set_u64(model, enq_wid, in.enq.wid);
    heddle_set_u64(model, deq_ready, in.deq_ready);
    mrpb_mealy(bare, &in, &out);
    if (cycle & 1) { /* in every other cycle the tick evaluates */
      heddle_eval(model);
      assert_int_equal(heddle_get_u64(model, enq_ready), out.enq_ready);
    }
    waits = in.enq_valid && !out.enq_ready;
    left += out.deq_valid && in.deq_ready;
    last = bare->base.ev[EV_mrpb_enqueue];
    mrpb_tick(bare, &in);
    assert_int_equal(heddle_cycle(model), cycle + 1);
    heddle_tick(model);
    last = bare->base.ev[EV_mrpb_enqueue] - last;
    assert_int_equal(heddle_event_total(model, enqueue), bare->base.ev[EV_mrpb_enqueue]);
    if (last)
      assert_int_equal(heard.last_cycle, cycle + 1);
  }
  assert_true(left > 500);
  assert_int_equal(heard.enqueued, bare->base.ev[EV_mrpb_enqueue]);
  assert_int_equal(heard.event, enqueue);
  assert_int_equal(heddle_listen(model, hear, &heard, &(size_t){HEDDLE_NONE}, 1), HEDDLE_ERR_ARGUMENT);

  /* without a listener events are still counted; a reset clears the counts */
  heard.enqueued = 0;
  assert_int_equal(heddle_listen(model, NULL, NULL, NULL, 0), HEDDLE_OK);
  heddle_reset(model);
  assert_true(heddle_get_u64(model, drained) == (UINT64_C(1) << 48) - 1);
  const uint64_t before = heddle_event_total(model, enqueue);
  heddle_set_u64(model, enq_valid, 1);
  heddle_tick(model);
  heddle_tick(model);
  assert_true(heddle_event_total(model, enqueue) > before);
  assert_int_equal(heard.enqueued, 0);
  hd_free_in(d, &in);
  hd_free_out(d, &out);
  hd_model_free(bare);
  heddle_close(model);
  heddle_unload(machine);
}

/* A drop-in behaves as its module. Returns the number of requests that leave. */
static uint64_t leave(heddle_model *model, const char *enable, const char *event) {
  heddle_set_u64(model, find(model, enable), 1);
  heddle_set_u64(model, find(model, "deq_ready"), 1);
  heddle_set_u64(model, find(model, "enq_valid"), 1);
  for (unsigned i = 0; i < 20; i++) {
    heddle_set_u64(model, find(model, "enq_line"), i);
    heddle_tick(model);
  }
  const size_t left = heddle_event_find(model, event);
  assert_true(left != HEDDLE_NONE);
  return heddle_event_total(model, left);
}

static void test_dropin(void **state) {
  (void)state;
  heddle_machine *machine = load("configs/mrpb.yaml");
  const size_t modules = heddle_module_count(machine);
  heddle_model *inner = open_module(machine, "mrpb"), *alone = open_module(machine, "mrpb_top");
  assert_int_equal(heddle_module_count(machine), modules);
  const uint64_t left = leave(inner, "en", "deq");
  assert_true(left > 10);
  assert_int_equal(leave(alone, "mrpb_en", "u_mrpb.deq"), left);
  assert_int_equal(heddle_get_u64(alone, find(alone, "deq_line")),
                   heddle_get_u64(inner, find(inner, "deq_line")));

  /* a checkpoint of one does not fit the other; the model goes on as before */
  const size_t size = heddle_state_size(alone);
  char *bytes = malloc(size);
  assert_non_null(bytes);
  heddle_save(alone, bytes);
  assert_int_equal(heddle_restore(inner, bytes, size), HEDDLE_ERR_FIT);
  heddle_model *other = open_module(machine, "mrpb_top");
  assert_int_equal(heddle_restore(other, bytes, size), HEDDLE_OK);
  for (unsigned i = 0; i < 20; i++) {
    assert_int_equal(heddle_get_u64(other, find(other, "deq_line")),
                     heddle_get_u64(alone, find(alone, "deq_line")));
    heddle_tick(other);
    heddle_tick(alone);
  }
  free(bytes);
  heddle_close(other);
  heddle_close(inner);
  heddle_close(alone);

  assert_int_equal(heddle_open(machine, "apcm", 0, &other), HEDDLE_ERR_NAME);
  assert_non_null(strstr(heddle_model_message(other), "module: found apcm; "));
  assert_non_null(strstr(heddle_model_message(other), "sm_mem, mrpb_top; write one of these"));
  heddle_close(other);
  heddle_unload(machine);

  machine = load("configs/apcm.yaml");
  other = open_module(machine, "apcm");
  find(other, "u_mta.mon_wid_q");
  heddle_close(other);
  heddle_unload(machine);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_problems),  cmocka_unit_test(test_machine), cmocka_unit_test(test_text),
      cmocka_unit_test(test_no_module), cmocka_unit_test(test_values),  cmocka_unit_test(test_names),
      cmocka_unit_test(test_enables),   cmocka_unit_test(test_cycles),  cmocka_unit_test(test_dropin),
  };
  return cmocka_run_group_tests_name("library", tests, NULL, NULL);
}
