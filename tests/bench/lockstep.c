/* Lockstep of one machine of each family, relative to the speed of the same Verilated RTL alone. */
#include "tests/bench/bench.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#include "verif/harness/cosim.h"

/* Thousand cycles per second: by wall-clock time, and by the processor time of the thread that runs the RTL. */
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

/* One machine of each family. The rounds take the machines in turn; the fastest round counts. */
void bench_lockstep(void) {
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
