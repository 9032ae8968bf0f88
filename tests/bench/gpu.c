/* The speed of a whole GPU: configs/gpu/gtx480.yaml with 15 SMs, on PolyBench kernels and irregular ones, from their generator and
 * from a trace of the same. */
#include "tests/bench/bench.h"
#include "workloads/trace/trace_convert.h"
#include "workloads/workloads.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROUNDS = 3, NAME = 256 };

static const char *const ours[] = {
    "atax:paper",       "bicg:paper",   "gesummv:paper", "gemm:ni=256,nj=256,nk=128",
    "syrk:n=128,m=128", "2dconv:n=512", "spmv:small",    "bfs:small"};

double bench_write_trace(const char *workload, const char *path) {
  char err[256];
  struct wl_source *source = bench_open(workload);
  const int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0)
    bench_quit("build/bench cannot be written");
  const struct wl_trace_how how = {0};
  struct wl_trace_summary summary;
  const double start = bench_cpu();
  if (!wl_trace_to_htrace(source, fd, &how, &summary, err, sizeof err))
    bench_quit(err);
  const double used = bench_cpu() - start;
  source->ops->close(source);
  close(fd);
  return used;
}

static double speed(const struct hd_sim_result *r, double seconds) {
  return 1e-3 * (double)r->sm.cycles / seconds;
}

static void measure(const struct hd_design *d, const char *workload) {
  static const char path[] = "build/bench/gpu.htrace";
  struct hd_sim_result r, from_trace;
  const double best = bench_best(d, workload, ROUNDS, &r);
  printf(
      "gpu         %-26s %7.1f kcycles/s  (%llu cycles, %llu instructions, %llu L1 requests, %.2f CPU s)\n",
      workload, speed(&r, best), (unsigned long long)r.sm.cycles, (unsigned long long)r.sm.instructions,
      (unsigned long long)r.accesses, best);
  if (!strncmp(workload, "trace:", 6))
    return;
  const double writing = bench_write_trace(workload, path);
  char spec[NAME];
  snprintf(spec, sizeof spec, "trace:%s", path);
  const double reading = bench_best(d, spec, ROUNDS, &from_trace);
  struct stat file;
  if (stat(path, &file))
    bench_quit("the trace is gone");
  printf("gpu         %-26s %7.1f kcycles/s, %.2f of that  (%llu cycles, %.2f CPU s; %.0f kB, written in "
         "%.2f CPU s)\n",
         "  from its .htrace", speed(&from_trace, reading), speed(&from_trace, reading) / speed(&r, best),
         (unsigned long long)from_trace.sm.cycles, reading, 1e-3 * (double)file.st_size, writing);
  unlink(path);
}

void bench_gpu(char **workloads) {
  struct hd_config c;
  struct hd_design *d = bench_design(&c, "configs/gpu/gtx480.yaml", NULL);
  mkdir("build", 0777);
  mkdir("build/bench", 0777);
  if (workloads)
    while (*workloads)
      measure(d, *workloads++);
  else
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
      measure(d, ours[i]);
  hd_design_free(d);
}
