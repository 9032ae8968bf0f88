/* Measures the promised speeds: generation.c, model.c (the golden model of one SM alone), gpu.c (of a GPU), lockstep.c, threads.c,
 * scale.c (cost by size), accelsim.c. And the functions that they share. `make bench` runs all of them from the top of the tree. A
 * name as argument runs one. `model`, `gpu` and `accelsim` take further arguments. Prints figures and checks nothing. */
#include "tests/bench/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "workloads/workloads.h"

double bench_clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double bench_cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

_Noreturn void bench_quit(const char *what) {
  fprintf(stderr, "bench: %s\n", what);
  exit(1);
}

struct hd_design *bench_design(struct hd_config *c, const char *path, const char *set) {
  if (hd_config_load_set(c, path, NULL, &set, set != NULL, stderr))
    bench_quit("the configuration has problems");
  struct hd_design *d = hd_design_new(c);
  if (!d)
    bench_quit("out of memory");
  return d;
}

double bench_run(const struct hd_design *d, struct wl_source *source, struct hd_sim_result *r) {
  struct hd_why why;
  const struct hd_sim_job job = {.design = d, .source = source};
  const double start = bench_cpu();
  if (hd_sim_run(&job, r, &why))
    bench_quit(why.text);
  const double used = bench_cpu() - start;
  source->ops->close(source);
  return used;
}

struct wl_source *bench_open(const char *workload) {
  char err[256];
  struct wl_source *source = wl_open(workload, err, sizeof err);
  if (!source)
    bench_quit(err);
  return source;
}

double bench_best(const struct hd_design *d, const char *workload, int rounds, struct hd_sim_result *r) {
  double best = bench_run(d, bench_open(workload), r);
  for (int n = 1; n < rounds; n++)
    best = fmin(best, bench_run(d, bench_open(workload), r));
  return best;
}

int main(int argc, char **argv) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  static const struct {
    const char *name;
    void (*run)(void);
  } all[] = {{"generation", bench_generation},
             {"lockstep", bench_lockstep},
             {"threads", bench_threads},
             {"scale", bench_scale}};
  static const struct {
    const char *name;
    void (*run)(char **rest);
  } with_rest[] = {{"model", bench_model}, {"gpu", bench_gpu}, {"accelsim", bench_accelsim}};
  const char *only = argc > 1 ? argv[1] : NULL;
  bool found = false;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (!only || !strcmp(only, all[i].name)) {
      all[i].run();
      found = true;
    }
  char **rest = argc > 2 ? argv + 2 : NULL;
  for (size_t i = 0; i < sizeof with_rest / sizeof *with_rest; i++)
    if (!only || !strcmp(only, with_rest[i].name)) {
      with_rest[i].run(rest);
      found = true;
    }
  if (!found)
    bench_quit("allowed: generation, lockstep, threads, scale, model [MACHINE...], gpu [WORKLOAD...], "
               "accelsim [MACHINE [TRACES...]]");
  return 0;
}
