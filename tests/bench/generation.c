/* The time of generation: every configuration, and its time relative to a plain one. */
#include "tests/bench/bench.h"

#include <glob.h>
#include <stdio.h>

#include "rtl_gen/rtl.h"

static const char reference[] = "configs/fermi_16k.yaml"; /* the plain configuration */

/* Returns the mean processor time of a generation in milliseconds, 0 if the machine has no RTL. */
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

/* Prints the time of every configuration, and its ratio to the plain one. */
void bench_generation(void) {
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
