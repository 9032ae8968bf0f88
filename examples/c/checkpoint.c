/* Saves a model in mid-run, and continues the run in another process.
 *
 *   ./checkpoint CONFIG.yaml save FILE     runs a while, saves, runs on, prints a hash of the lines seen since
 *   ./checkpoint CONFIG.yaml restore FILE  restores, runs on, prints the same hash
 */
#include <heddle.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { BEFORE = 1000, AFTER = 1000 };

/* Offers requests to a request buffer in every cycle, and takes one in every third cycle. The requests depend only on the cycle, so the
 * program has no state of its own. A program with state must save it beside the model's. Returns a hash of the lines taken. */
static uint64_t run(heddle_model *buffer, unsigned warps, int cycles) {
  const size_t valid = heddle_find(buffer, "enq_valid"), line = heddle_find(buffer, "enq_line"),
               wid = heddle_find(buffer, "enq_wid"), ready = heddle_find(buffer, "deq_ready"),
               leaves = heddle_find(buffer, "deq_valid"), left = heddle_find(buffer, "deq_line");
  uint64_t seen = 0;
  heddle_set_u64(buffer, heddle_find(buffer, "en"), 1);
  for (int i = 0; i < cycles; i++) {
    const uint64_t now = heddle_cycle(buffer);
    heddle_set_u64(buffer, valid, 1);
    heddle_set_u64(buffer, line, now * 7 % 1024);
    heddle_set_u64(buffer, wid, now * 5 % warps);
    heddle_set_u64(buffer, ready, now % 3 == 0);
    if (now % 3 == 0 && heddle_get_u64(buffer, leaves))
      seen = seen * 31 + heddle_get_u64(buffer, left);
    heddle_tick(buffer);
  }
  return seen;
}

int main(int argc, char **argv) {
  heddle_machine *machine = NULL;
  heddle_model *buffer = NULL;
  int failed = 1;
  int64_t warps = 0;
  if (argc != 4 || (strcmp(argv[2], "save") != 0 && strcmp(argv[2], "restore") != 0)) {
    fprintf(stderr, "usage: checkpoint CONFIG.yaml save|restore FILE\n");
  } else if (heddle_load(argv[1], NULL, 0, &machine)) {
    fprintf(stderr, "%s", heddle_machine_message(machine));
  } else if (heddle_open(machine, "mrpb", 0, &buffer) || heddle_key(machine, "sm.warps", &warps)) {
    fprintf(stderr, "%s\n", heddle_model_message(buffer));
  } else {
    heddle_status status;
    if (!strcmp(argv[2], "save")) {
      run(buffer, (unsigned)warps, BEFORE);
      status = heddle_save_file(buffer, argv[3]);
    } else {
      status = heddle_restore_file(buffer, argv[3]);
    }
    if (status)
      fprintf(stderr, "%s\n", heddle_model_message(buffer));
    else
      printf("seen %016" PRIx64 "\n", run(buffer, (unsigned)warps, AFTER));
    failed = status != HEDDLE_OK;
  }
  heddle_close(buffer);
  heddle_unload(machine);
  return failed;
}
