/* Runs a workload on the GPU of a configuration. Prints the progress, and counts the loads of each cache level by their outcome.
 *
 *   ./gpu CONFIG.yaml WORKLOAD [CYCLES]    stops after CYCLES cycles, if given
 */
#include <heddle.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct counts {
  uint64_t of[3][4]; /* level, outcome */
};

static void on_access(void *user, const heddle_access *access) {
  struct counts *counts = user;
  if (access->kind == HEDDLE_ACCESS_LOAD)
    counts->of[access->level][access->outcome]++;
}

/* Prints the progress. Returns 0; any other value would end the run. */
static int on_progress(void *user, const heddle_progress *at) {
  (void)user;
  fprintf(stderr, "cycle %" PRIu64 ": %" PRIu64 " instructions, %u of %u CTAs\n", at->cycles,
          at->instructions, at->ctas_ended, at->ctas);
  return 0;
}

static void print(const heddle_run *run, const struct counts *counts) {
  for (int level = 1; level <= 2; level++)
    printf("L%d loads: %" PRIu64 " hits, %" PRIu64 " merged, %" PRIu64 " misses, %" PRIu64 " uncached\n",
           level, counts->of[level][HEDDLE_HIT], counts->of[level][HEDDLE_MERGED],
           counts->of[level][HEDDLE_MISS], counts->of[level][HEDDLE_UNCACHED]);
  for (size_t i = 0; i < heddle_figure_count(run); i++) {
    const heddle_figure *f = heddle_figure_at(run, i);
    if (f->counts)
      printf("%s %" PRIu64 "\n", f->name, f->count);
    else
      printf("%s %.10g\n", f->name, f->number);
  }
}

int main(int argc, char **argv) {
  heddle_machine *machine = NULL;
  heddle_run *run = NULL;
  int failed = 1;
  if (argc < 3 || argc > 4) {
    fprintf(stderr, "usage: gpu CONFIG.yaml WORKLOAD [CYCLES]\n");
  } else if (heddle_load(argv[1], NULL, 0, &machine)) {
    fprintf(stderr, "%s", heddle_machine_message(machine));
  } else if (heddle_run_open(machine, argv[2], 0, &run)) {
    fprintf(stderr, "%s\n", heddle_run_message(run));
  } else {
    struct counts counts = {{{0}}};
    heddle_run_limit(run, argc == 4 ? strtoull(argv[3], NULL, 10) : 0);
    heddle_run_on_progress(run, on_progress, NULL, 1000);
    heddle_run_on_access(run, on_access, &counts);
    const heddle_status status = heddle_run_go(run);
    if (status)
      fprintf(stderr, "%s\n", heddle_run_message(run));
    if (status == HEDDLE_OK || status == HEDDLE_ERR_LIMIT)
      print(run, &counts);
    failed = status != HEDDLE_OK;
  }
  heddle_run_close(run);
  heddle_unload(machine);
  return failed;
}
