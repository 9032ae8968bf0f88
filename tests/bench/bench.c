/* Speeds that are promised, measured: generation, the golden model of one SM alone, lockstep against the
 * Verilated model alone. Run by `make bench` from the top of the tree, which runs all of them; a name as
 * argument runs that one. Prints, judges nothing. */
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmodel/sim.h"
#include "rtl_gen/rtl.h"
#include "verif/cosim.h"
#include "workloads/workloads.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Of this process alone: what a run costs on one core, whatever else the machine does. */
static double cpu_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void quit(const char *what) {
  fprintf(stderr, "bench: %s\n", what);
  exit(1);
}

static struct hd_design *design_of(struct hd_config *c, const char *path) {
  if (hd_config_load(c, path, stderr))
    quit("the configuration has problems");
  struct hd_design *d = hd_design_new(c);
  if (!d)
    quit("out of memory");
  return d;
}

static const char *const configs[] = {"configs/fermi_16k.yaml", "configs/mrpb.yaml"};
static const char *const kernels[] = {"atax", "bicg", "mvt", "gesummv", "syrk", "syr2k", "gemm", "2dconv"};
enum { CONFIGS = sizeof configs / sizeof *configs, KERNELS = sizeof kernels / sizeof *kernels };

/* The mean time of a generation, in milliseconds. */
static double generation_of(const char *path) {
  struct hd_config c;
  struct hd_design *d = design_of(&c, path);
  struct hd_why why;
  enum { TIMES = 20 };
  const double start = now();
  for (int n = 0; n < TIMES; n++)
    if (hd_rtl_write(d, "sm_mem", "build/bench/rtl", &why))
      quit(why.text);
  const double ms = 1e3 * (now() - start) / TIMES;
  hd_design_free(d);
  return ms;
}

/* Every configuration there is. */
static void generation(void) {
  glob_t files;
  if (glob("configs/*.yaml", 0, NULL, &files) || glob("configs/lockstep/*.yaml", GLOB_APPEND, NULL, &files))
    quit("no configurations; run it from the top of the tree");
  size_t slowest = 0;
  double most = 0;
  for (size_t i = 0; i < files.gl_pathc; i++) {
    const double ms = generation_of(files.gl_pathv[i]);
    printf("generation  %-46s %6.1f ms\n", files.gl_pathv[i], ms);
    if (ms > most) {
      most = ms;
      slowest = i;
    }
  }
  printf("generation  slowest of %zu: %s, %.1f ms\n", files.gl_pathc, files.gl_pathv[slowest], most);
  globfree(&files);
}

/* Each figure is the best of so many runs: what else the machine does only ever makes one slower. */
enum { ROUNDS = 5 };

/* The CPU seconds of one run of a kernel. */
static double model_run(const struct hd_design *d, const char *kernel, struct hd_sim_result *r) {
  char err[256];
  struct hd_why why;
  struct wl_source *source = wl_open(kernel, err, sizeof err);
  if (!source)
    quit(err);
  const struct hd_sim_job job = {.design = d, .source = source};
  const double start = cpu_now();
  if (hd_sim_run(&job, r, &why))
    quit(why.text);
  const double used = cpu_now() - start;
  source->ops->close(source);
  return used;
}

static void golden_model(void) {
  for (int i = 0; i < CONFIGS; i++) {
    struct hd_config c;
    struct hd_design *d = design_of(&c, configs[i]);
    double seconds = 0;
    uint64_t requests = 0;
    for (int k = 0; k < KERNELS; k++) {
      struct hd_sim_result r;
      double best = model_run(d, kernels[k], &r);
      for (int n = 1; n < ROUNDS; n++)
        best = fmin(best, model_run(d, kernels[k], &r));
      printf("model       %-24s %-8s %6.2f M L1 requests/s  %7.2f M cycles/s  (%llu requests, %.2f CPU s)\n",
             configs[i], kernels[k], 1e-6 * (double)r.accesses / best, 1e-6 * (double)r.sm.cycles / best,
             (unsigned long long)r.accesses, best);
      seconds += best;
      requests += r.accesses;
    }
    printf("model       %-24s all      %6.2f M L1 requests/s\n", configs[i],
           1e-6 * (double)requests / seconds);
    hd_design_free(d);
  }
}

static void lockstep(void) {
  for (int i = 0; i < CONFIGS; i++) {
    struct hd_config c;
    struct hd_design *d = design_of(&c, configs[i]);
    double rate[2] = {0, 0};
    for (int n = 0; n < 2 * ROUNDS; n++) {
      const int compare = n % 2;
      const struct hd_cosim_job job = {.design = d,
                                       .module = "sm_mem",
                                       .seed = 1,
                                       .cycles = 500000,
                                       .work = "build/bench",
                                       .config_path = configs[i],
                                       .no_compare = !compare};
      struct hd_cosim_report r;
      struct hd_why why;
      if (hd_cosim_run(&job, &r, &why))
        quit(why.text);
      rate[compare] = fmax(rate[compare], (double)r.cycles / r.run_seconds);
      hd_cosim_free(&r);
    }
    printf("lockstep    %-24s sm_mem, random traffic: RTL alone %.0f kcycles/s, lockstep %.0f kcycles/s, "
           "ratio %.2f\n",
           configs[i], 1e-3 * rate[0], 1e-3 * rate[1], rate[1] / rate[0]);
    hd_design_free(d);
  }
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(void);
  } all[] = {{"generation", generation}, {"model", golden_model}, {"lockstep", lockstep}};
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (argc < 2 || !strcmp(argv[1], all[i].name))
      all[i].run();
  return 0;
}
