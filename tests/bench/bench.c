/* Speeds that are promised, measured: generation, the golden model of one SM alone (model.c) and of a GPU (gpu.c), lockstep
 * against the Verilated model alone, a GPU on several threads against one, what size costs (scale.c), Accel-Sim (accelsim.c).
 * `make bench` runs all of them, from the top of the tree; a name as argument runs that one, `model`, `gpu` and `accelsim` with what
 * follows, if any. Prints, checks nothing. */
#include "tests/bench/bench.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmodel/gpu/sim.h"
#include "rtl_gen/rtl.h"
#include "verif/harness/cosim.h"
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

static const char reference[] = "configs/fermi_16k.yaml"; /* what generation is compared with */

/* The mean processor time of a generation, in milliseconds; 0: there is no RTL of this machine. */
static double generation_of(const char *path) {
  struct hd_config c;
  struct hd_design *d = bench_design(&c, path, NULL);
  struct hd_why why;
  enum { TIMES = 20 };
  const int times = hd_rtl_there(d, "sm_mem", &why) ? 0 : TIMES;
  const double start = bench_cpu();
  for (int n = 0; n < times; n++)
    if (hd_rtl_write(d, "sm_mem", "build/bench/rtl", &why))
      bench_quit(why.text);
  const double ms = times ? 1e3 * (bench_cpu() - start) / times : 0;
  hd_design_free(d);
  return ms;
}

/* Every configuration there is, and what it takes by the time of a plain one. */
static void generation(void) {
  glob_t files;
  if (glob("configs/*.yaml", 0, NULL, &files) || glob("configs/gpu/*.yaml", GLOB_APPEND, NULL, &files) ||
      glob("configs/mrpb/*.yaml", GLOB_APPEND, NULL, &files) ||
      glob("configs/lockstep/*/*.yaml", GLOB_APPEND, NULL, &files))
    bench_quit("no configurations; run it from the top of the tree");
  size_t slowest = 0;
  double most = 0;
  const double plain = generation_of(reference);
  for (size_t i = 0; i < files.gl_pathc; i++) {
    const double ms = generation_of(files.gl_pathv[i]);
    if (ms > 0)
      printf("generation  %-46s %6.1f ms, %.2f of %s\n", files.gl_pathv[i], ms, ms / plain, reference);
    else
      printf("generation  %-46s in the golden model only\n", files.gl_pathv[i]);
    if (ms > most) {
      most = ms;
      slowest = i;
    }
  }
  printf("generation  slowest of %zu: %s, %.1f ms, %.2f of %s\n", files.gl_pathc, files.gl_pathv[slowest],
         most, most / plain, reference);
  globfree(&files);
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

/* Thousand cycles a second: by the clock, and by the processor time of the thread that has the RTL. */
struct rate {
  double clock, cpu;
};

static double thread_cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct rate lockstep_of(const struct hd_design *d, const char *path, bool compare, unsigned threads) {
  const struct hd_cosim_job job = {.design = d,
                                   .module = "sm_mem",
                                   .seed = 1,
                                   .cycles = 500000,
                                   .work = "build/bench",
                                   .config_path = path,
                                   .threads = threads,
                                   .no_compare = !compare};
  struct hd_cosim_report r;
  struct hd_why why;
  const double start = thread_cpu();
  if (hd_cosim_run(&job, &r, &why))
    bench_quit(why.text);
  const double thousand = 1e-3 * (double)r.cycles;
  const struct rate rate = {thousand / r.run_seconds, thousand / (thread_cpu() - start)};
  hd_cosim_free(&r);
  return rate;
}

/* A machine of each family. The fastest of the rounds, in which each has its turn. */
static void lockstep(void) {
  static const char *const families[] = {"fermi_16k", "mrpb", "apcm", "apres",
                                         "memsched",  "casc", "ccws", "mascar"};
  enum { RTL, ONE, TWO, KINDS, TURNS = 3 };
  for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
    char path[64];
    struct hd_config c;
    snprintf(path, sizeof path, "configs/%s.yaml", families[i]);
    struct hd_design *d = bench_design(&c, path, NULL);
    struct rate best[KINDS] = {{0}};
    for (int n = 0; n < TURNS * KINDS; n++) {
      const int kind = n % KINDS;
      const struct rate rate = lockstep_of(d, path, kind != RTL, kind == TWO ? 2 : 1);
      best[kind].clock = fmax(best[kind].clock, rate.clock);
      best[kind].cpu = fmax(best[kind].cpu, rate.cpu);
    }
    printf("lockstep    %-24s sm_mem, random traffic: RTL alone %.0f kcycles/s, one thread %.2f of it, two "
           "%.2f; "
           "by the processor time of the RTL's thread %.0f, %.2f, %.2f\n",
           path, best[RTL].clock, best[ONE].clock / best[RTL].clock, best[TWO].clock / best[RTL].clock,
           best[RTL].cpu, best[ONE].cpu / best[RTL].cpu, best[TWO].cpu / best[RTL].cpu);
    hd_design_free(d);
  }
}

int main(int argc, char **argv) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  static const struct {
    const char *name;
    void (*run)(void);
  } all[] = {
      {"generation", generation}, {"lockstep", lockstep}, {"threads", bench_threads}, {"scale", bench_scale}};
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
