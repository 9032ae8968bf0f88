/* Checkpoints of the library (lib/checkpoint.c): a run that continues from a checkpoint does the same as the run that was saved. A
 * checkpoint that does not fit is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/library/traffic.h"

static heddle_machine *load(const char *path, const char *set) {
  heddle_machine *machine;
  if (heddle_load(path, &set, set ? 1 : 0, &machine))
    fail_msg("%s", heddle_machine_message(machine));
  return machine;
}

static heddle_model *open_module(const heddle_machine *machine, const char *module, unsigned flags) {
  heddle_model *model;
  if (heddle_open(machine, module, flags, &model))
    fail_msg("%s", heddle_model_message(model));
  return model;
}

static void run(struct traffic *t, heddle_model *model, int cycles) {
  for (int i = 0; i < cycles; i++)
    traffic_cycle(t, model);
}

static void *saved(heddle_model *model, size_t *size) {
  *size = heddle_state_size(model);
  void *bytes = malloc(*size);
  assert_non_null(bytes);
  heddle_save(model, bytes);
  return bytes;
}

/* Continues from the checkpoint. Outputs and final state must be those of the run that was saved. */
static void check_again(heddle_model *model, const struct traffic *from, const struct traffic *to,
                        const void *end, size_t size) {
  struct traffic again = *from;
  run(&again, model, 1500);
  assert_true(again.digest == to->digest);
  assert_int_equal(again.answers, to->answers);
  size_t same;
  void *left = saved(model, &same);
  assert_int_equal(same, size);
  assert_memory_equal(left, end, size);
  free(left);
}

static void test_goes_on(void **state) {
  (void)state;
  static const char *const paths[] = {"configs/mrpb.yaml",     "configs/apres.yaml",   "configs/apcm.yaml",
                                      "configs/loscache.yaml", "configs/ccws.yaml",    "configs/mascar.yaml",
                                      "configs/casc.yaml",     "configs/memsched.yaml"};
  for (size_t p = 0; p < sizeof paths / sizeof *paths; p++) {
    heddle_machine *machine = load(paths[p], NULL);
    heddle_model *model = open_module(machine, "sm_mem", p % 2 ? HEDDLE_NO_DATA : 0),
                 *other = open_module(machine, "sm_mem", p % 2 ? HEDDLE_NO_DATA : 0);
    struct traffic t, middle;
    traffic_begin(&t, machine, model, p + 1);
    run(&t, model, 1500);
    assert_true(t.answers > 100);
    middle = t;
    size_t size;
    void *bytes = saved(model, &size), *end;
    run(&t, model, 1500);
    end = saved(model, &size);
    assert_memory_not_equal(bytes, end, size);

    assert_int_equal(heddle_restore(model, bytes, size), HEDDLE_OK);
    assert_int_equal(heddle_cycle(model), 1501);
    check_again(model, &middle, &t, end, size);
    assert_int_equal(heddle_restore(other, bytes, size), HEDDLE_OK);
    check_again(other, &middle, &t, end, size);
    free(bytes);
    free(end);
    heddle_close(other);
    heddle_close(model);
    heddle_unload(machine);
  }
}

static void refused(heddle_model *model, const void *bytes, size_t size, heddle_status status,
                    const char *why) {
  size_t same;
  void *before = saved(model, &same);
  assert_int_equal(heddle_restore(model, bytes, size), status);
  if (!strstr(heddle_model_message(model), why))
    fail_msg("said: %s; wanted: %s", heddle_model_message(model), why);
  void *after = saved(model, &same);
  assert_memory_equal(before, after, same);
  free(before);
  free(after);
}

static void test_refused(void **state) {
  (void)state;
  heddle_machine *machine = load("configs/mrpb.yaml", NULL),
                 *changed = load("configs/mrpb.yaml", "l1d.mshrs=16");
  heddle_model *model = open_module(machine, "sm_mem", 0), *inner = open_module(machine, "l1d", 0),
               *bare = open_module(machine, "sm_mem", HEDDLE_NO_DATA),
               *less = open_module(changed, "sm_mem", 0);
  size_t size, same;
  char *bytes = saved(model, &size);
  refused(inner, bytes, size, HEDDLE_ERR_FIT, "found one of module sm_mem; allowed: of module l1d");
  refused(bare, bytes, size, HEDDLE_ERR_FIT,
          "found one with bytes of lines; allowed: as the model, which was opened with ");
  refused(less, bytes, size, HEDDLE_ERR_FIT, "found one of configuration mrpb with keys of hash ");
  refused(model, bytes, size - 1, HEDDLE_ERR_DAMAGED, "bytes; allowed: ");
  refused(model, bytes, 0, HEDDLE_ERR_DAMAGED, "found 0 bytes that are none; ");
  refused(model, bytes, 100, HEDDLE_ERR_DAMAGED, "found 100 bytes that are none; ");
  for (size_t i = 0; i < 4; i++) {
    const size_t place[] = {size - 1, size / 2, 300, size - 700};
    bytes[place[i]] ^= 1;
    refused(model, bytes, size, HEDDLE_ERR_DAMAGED, "have changed since it was saved");
    bytes[place[i]] ^= 1;
  }
  char *version = memmem(bytes, 64, heddle_version(), strlen(heddle_version()));
  assert_non_null(version);
  *version = '9';
  refused(model, bytes, size, HEDDLE_ERR_FIT, "found one of Heddle 9.");
  bytes[0]++;
  refused(model, bytes, size, HEDDLE_ERR_DAMAGED, "that are none");
  free(bytes);

  /* the same machine, loaded again from elsewhere */
  heddle_machine *again;
  assert_int_equal(heddle_load_text("base: mrpb\nname: mine\n", "configs/mine", NULL, 0, &again), HEDDLE_OK);
  heddle_model *same_model = open_module(again, "sm_mem", 0);
  bytes = saved(model, &size);
  free(saved(same_model, &same));
  assert_int_equal(same, size);
  assert_int_equal(heddle_restore(same_model, bytes, size), HEDDLE_OK);
  free(bytes);
  heddle_close(same_model);
  heddle_unload(again);
  heddle_close(less);
  heddle_close(bare);
  heddle_close(inner);
  heddle_close(model);
  heddle_unload(changed);
  heddle_unload(machine);
}

static void test_files(void **state) {
  (void)state;
  heddle_machine *machine = load("configs/mrpb.yaml", NULL);
  heddle_model *model = open_module(machine, "sm_mem", 0);
  struct traffic t;
  traffic_begin(&t, machine, model, 1);
  run(&t, model, 500);
  char path[] = "/tmp/heddle-state-XXXXXX";
  close(mkstemp(path));
  size_t size;
  void *bytes = saved(model, &size);
  assert_int_equal(heddle_save_file(model, path), HEDDLE_OK);
  run(&t, model, 500);
  assert_int_equal(heddle_restore_file(model, path), HEDDLE_OK);
  void *again = saved(model, &size);
  assert_memory_equal(bytes, again, size);
  free(bytes);
  free(again);
  /* a full disk: the earlier checkpoint is still there */
  struct rlimit limit, small;
  getrlimit(RLIMIT_FSIZE, &limit);
  small = (struct rlimit){size / 2, limit.rlim_max};
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  const heddle_status full = heddle_save_file(model, path);
  setrlimit(RLIMIT_FSIZE, &limit);
  assert_int_equal(full, HEDDLE_ERR_FILE);
  assert_non_null(strstr(heddle_model_message(model), "the checkpoint cannot be written: File too large"));
  assert_int_equal(heddle_restore_file(model, path), HEDDLE_OK);
  char part[sizeof path + sizeof ".part"];
  snprintf(part, sizeof part, "%s.part", path);
  assert_int_not_equal(access(part, F_OK), 0);

  FILE *f = fopen(path, "ab");
  fputc(0, f);
  fclose(f);
  assert_int_equal(heddle_restore_file(model, path), HEDDLE_ERR_DAMAGED);
  unlink(path);
  assert_int_equal(heddle_restore_file(model, path), HEDDLE_ERR_FILE);
  assert_non_null(strstr(heddle_model_message(model), "the checkpoint cannot be read: No such file"));
  assert_int_equal(heddle_save_file(model, "/nowhere/at/all"), HEDDLE_ERR_FILE);
  assert_non_null(strstr(heddle_model_message(model), "the checkpoint cannot be written: No such file"));
  assert_int_equal(heddle_save_file(model, "/dev/full"), HEDDLE_ERR_FILE);
  heddle_close(model);
  heddle_unload(machine);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_goes_on),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_files),
  };
  return cmocka_run_group_tests_name("library state", tests, NULL, NULL);
}
