/* Threads that use the library at the same time. Some have a machine of their own, some share one. Each steps a model and runs a
 * workload, and all must see the same. Then come runs that use several threads themselves: their figures must be those of a run on
 * one thread. Under ThreadSanitizer this finds shared state.
 *
 *   threads CONFIG.yaml WORKLOAD */
#include <pthread.h>

#include "tests/library/traffic.h"

enum { THREADS = 4, CYCLES = 2000 };

struct job {
  const heddle_machine *shared; /* NULL: the thread loads its own */
  const char *config, *workload;
  struct traffic traffic;
  uint64_t heard, accesses, cycles;
  int failed;
};

static void on_event(void *user, size_t event, uint64_t cycle, const uint64_t arguments[4]) {
  struct job *job = user;
  job->heard += (event + 1) * cycle + arguments[0];
}
static void on_access(void *user, const heddle_access *access) {
  struct job *job = user;
  job->accesses += access->address ^ access->cycle;
}

static void *work(void *argument) {
  struct job *job = argument;
  heddle_machine *own = NULL;
  heddle_model *model = NULL;
  heddle_run *run = NULL;
  job->failed = !job->shared && heddle_load(job->config, NULL, 0, &own);
  const heddle_machine *machine = job->shared ? job->shared : own;
  job->failed = job->failed || heddle_open(machine, "sm_mem", 0, &model) ||
                heddle_run_open(machine, job->workload, 0, &run);
  if (!job->failed) {
    heddle_listen(model, on_event, job, NULL, 0);
    traffic_begin(&job->traffic, machine, model, 1);
    for (int i = 0; i < CYCLES; i++)
      traffic_cycle(&job->traffic, model);
    heddle_run_on_access(run, on_access, job);
    job->failed = heddle_run_go(run);
    job->cycles = heddle_figure_find(run, "cycles")->count;
  }
  heddle_run_close(run);
  heddle_close(model);
  heddle_unload(own);
  return NULL;
}

/* Makes a run on this many threads. Returns NULL if it failed. */
static heddle_run *run_by(const heddle_machine *machine, const char *workload, unsigned threads) {
  heddle_run *run = NULL;
  int failed = heddle_run_open(machine, workload, 0, &run);
  if (!failed) {
    heddle_run_threads(run, threads);
    failed = heddle_run_go(run);
  }
  if (!failed)
    return run;
  fprintf(stderr, "%s\n", heddle_run_message(run));
  heddle_run_close(run);
  return NULL;
}

/* Returns the number of figures that differ between one thread and several, or SIZE_MAX if a run failed. */
static size_t differences(const heddle_machine *machine, const char *workload) {
  static const unsigned threads[] = {2, 3, 8};
  heddle_run *one = run_by(machine, workload, 1);
  int failed = !one;
  size_t n = 0;
  for (size_t t = 0; one && t < sizeof threads / sizeof *threads; t++) {
    heddle_run *many = run_by(machine, workload, threads[t]);
    failed |= !many;
    for (size_t i = 0; many && i < heddle_figure_count(one); i++) {
      const heddle_figure *a = heddle_figure_at(one, i), *b = heddle_figure_at(many, i);
      if (a->count == b->count && !memcmp(&a->number, &b->number, sizeof a->number))
        continue;
      if (!strcmp(a->name, "seconds"))
        continue;
      fprintf(stderr, "%s: %.17g by one thread, %.17g by %u\n", a->name, a->number, b->number, threads[t]);
      n++;
    }
    heddle_run_close(many);
  }
  heddle_run_close(one);
  return failed ? SIZE_MAX : n;
}

int main(int argc, char **argv) {
  static struct job job[THREADS];
  pthread_t thread[THREADS];
  heddle_machine *shared;
  if (argc != 3)
    return 2;
  if (heddle_load(argv[1], NULL, 0, &shared)) {
    fprintf(stderr, "%s", heddle_machine_message(shared));
    return 1;
  }
  for (int i = 0; i < THREADS; i++) {
    job[i] = (struct job){.shared = i % 2 ? shared : NULL, .config = argv[1], .workload = argv[2]};
    if (pthread_create(&thread[i], NULL, work, &job[i]))
      return 1;
  }
  int failed = 0;
  for (int i = 0; i < THREADS; i++) {
    pthread_join(thread[i], NULL);
    failed |= job[i].failed || job[i].traffic.digest != job[0].traffic.digest ||
              job[i].heard != job[0].heard || job[i].accesses != job[0].accesses ||
              job[i].cycles != job[0].cycles;
  }
  failed |= differences(shared, argv[2]) != 0;
  heddle_unload(shared);
  printf("%s: %llu answers, %llu cycles each\n", failed ? "they differ" : "the same in all",
         (unsigned long long)job[0].traffic.answers, (unsigned long long)job[0].cycles);
  return failed || !job[0].traffic.answers || !job[0].accesses;
}
