/* A whole GPU on all cores, beside one thread; and the distance between cores, which decides the gain of sharing a run's short
 * rounds. */
#include "tests/bench/bench.h"
#include "workloads/workloads.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 3 };

/* Returns the wall-clock seconds of a run on this many threads. */
static double by_threads(const struct hd_design *d, const char *workload, unsigned threads,
                         struct hd_sim_result *r) {
  struct hd_why why;
  struct wl_source *source = bench_open(workload);
  const struct hd_sim_job job = {.design = d, .source = source, .threads = threads};
  memset(r, 0, sizeof *r); /* the comparison includes the bytes between fields */
  const double start = bench_clock();
  if (hd_sim_run(&job, r, &why))
    bench_quit(why.text);
  const double used = bench_clock() - start;
  source->ops->close(source);
  r->seconds = 0;
  return used;
}

enum { TRIPS = 300000 };

/* Yields the core now and then, as both threads may be on one core. */
static void await(const _Atomic unsigned *at, unsigned n) {
  for (unsigned i = 1; atomic_load(at) != n; i++)
    if (i % 100000 == 0)
      sched_yield();
}

/* The other side of `round_trip`. */

static void *answer(void *line) {
  _Atomic unsigned *at = line;
  for (unsigned n = 1; n < 2 * TRIPS; n += 2) {
    await(at, n);
    atomic_store(at, n + 1);
  }
  return NULL;
}

/* Returns the nanoseconds for a cache line of the host to go to another core and back: the cost of a message between threads. */
static double round_trip(void) {
  static _Alignas(64) _Atomic unsigned line;
  pthread_t other;
  atomic_store(&line, 0);
  if (pthread_create(&other, NULL, answer, &line))
    bench_quit("no second thread");
  const double start = bench_clock();
  for (unsigned n = 0; n < 2 * TRIPS; n += 2) {
    atomic_store(&line, n + 1);
    await(&line, n + 2);
  }
  const double used = bench_clock() - start;
  pthread_join(other, NULL);
  return 1e9 * used / TRIPS;
}

void bench_threads(void) {
  static const char *const machines[] = {"configs/gpu/fermi.yaml", "configs/gpu/gtx480.yaml"};
  static const char *const kernels[] = {"gemm:ni=256,nj=256,nk=128", "syrk:n=128,m=128", "2dconv:n=512",
                                        "bfs:small"};
  const unsigned cores = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
  double product = 1;
  unsigned runs = 0;
  if (cores < 2) {
    printf("threads     skipped: one core\n");
    return;
  }
  for (size_t m = 0; m < sizeof machines / sizeof *machines; m++) {
    struct hd_config c;
    struct hd_design *d = bench_design(&c, machines[m], NULL);
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
      double best[2] = {INFINITY, INFINITY};
      struct hd_sim_result r[2];
      for (int n = 0; n < 2 * ROUNDS; n++)
        best[n % 2] = fmin(best[n % 2], by_threads(d, kernels[k], n % 2 ? cores : 1, &r[n % 2]));
      if (memcmp(&r[0], &r[1], sizeof r[0]))
        bench_quit("threads: figures differ from those of one thread");
      printf("threads     %-24s %-26s 1 thread %.2f s, %u threads %.2f s, ratio %.2f; a cache line to "
             "another core and back %.0f ns\n",
             machines[m], kernels[k], best[0], cores, best[1], best[0] / best[1], round_trip());
      product *= best[0] / best[1];
      runs++;
    }
    hd_design_free(d);
  }
  printf("threads     all %u: geometric mean of the ratios %.2f\n", runs, pow(product, 1.0 / runs));
}
