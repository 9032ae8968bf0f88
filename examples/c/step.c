/* Steps the memory path of one SM by hand. It loads one line twice: the first load misses, the second hits.
 *
 *   cc step.c $(pkg-config --cflags --libs heddle) -o step
 *   ./step $(pkg-config --variable=configs heddle)/mrpb.yaml
 */
#include <heddle.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MEMORY_CYCLES = 100, LINE = 0x40 };

/* Returns the index of a port. Ends the program if the module has no port of this name. */
static size_t port(heddle_model *sm, const char *name) {
  const size_t value = heddle_find(sm, name);
  if (value == HEDDLE_NONE) {
    fprintf(stderr, "%s\n", heddle_model_message(sm));
    exit(1);
  }
  return value;
}

static void on_event(void *user, size_t event, uint64_t cycle, const uint64_t arguments[4]) {
  printf("cycle %5" PRIu64 ": %s, line %" PRIx64 "\n", cycle, heddle_event_at(user, event)->name,
         arguments[1]);
}

/* Offers a load of one line for warp 0, and answers its request to the memory. Returns the number of cycles until the load's answer. */
static uint64_t load(heddle_model *sm) {
  static const char *const fields[] = {"kind", "id", "wid", "slot", "num", "last"};
  const uint64_t start = heddle_cycle(sm);
  uint64_t due = UINT64_MAX; /* the cycle in which the memory answers */
  int offering = 1;
  heddle_set_u64(sm, port(sm, "issue_mask"), 1); /* lane 0 alone */
  heddle_set_u64(sm, port(sm, "issue_line"), LINE);
  heddle_set_u64(sm, port(sm, "resp_ready"), 1);
  heddle_set_u64(sm, port(sm, "mreq_ready"), 1);
  for (;;) {
    heddle_set_u64(sm, port(sm, "issue_valid"), (uint64_t)offering);
    heddle_set_u64(sm, port(sm, "mrsp_valid"), heddle_cycle(sm) >= due);
    heddle_eval(sm);
    if (heddle_get_u64(sm, port(sm, "issue_ready")))
      offering = 0;
    if (heddle_get_u64(sm, port(sm, "mreq_valid"))) {
      due = heddle_cycle(sm) + MEMORY_CYCLES;
      for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        char from[16], to[16];
        snprintf(from, sizeof from, "mreq_%s", fields[i]);
        snprintf(to, sizeof to, "mrsp_%s", fields[i]);
        heddle_set_u64(sm, port(sm, to), heddle_get_u64(sm, port(sm, from)));
      }
    } else if (heddle_cycle(sm) >= due && heddle_get_u64(sm, port(sm, "mrsp_ready"))) {
      due = UINT64_MAX;
    }
    const int answered = heddle_get_u64(sm, port(sm, "resp_valid")) != 0;
    heddle_tick(sm);
    if (answered)
      return heddle_cycle(sm) - start;
  }
}

int main(int argc, char **argv) {
  heddle_machine *machine = NULL;
  heddle_model *sm = NULL;
  int failed = 1;
  if (argc != 2) {
    fprintf(stderr, "usage: step CONFIG.yaml\n");
  } else if (heddle_load(argv[1], NULL, 0, &machine)) {
    fprintf(stderr, "%s", heddle_machine_message(machine));
  } else if (heddle_open(machine, "sm_mem", 0, &sm)) {
    fprintf(stderr, "%s\n", heddle_model_message(sm));
  } else {
    size_t events[2];
    events[0] = heddle_event_find(sm, "u_l1d.load_miss");
    events[1] = heddle_event_find(sm, "u_l1d.load_hit");
    heddle_listen(sm, on_event, sm, events, 2);
    const uint64_t miss = load(sm), hit = load(sm);
    printf("a miss takes %" PRIu64 " cycles, a hit %" PRIu64 "\n", miss, hit);
    failed = 0;
  }
  heddle_close(sm);
  heddle_unload(machine);
  return failed;
}
