/* What a run costs by the size of the machine and of the workload. Each run is a process of its own, so that its memory is known. */
#include "tests/bench/bench.h"

#include <math.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CTA = 256 /* threads of 2dconv, each an element of the matrix */ };

/* The side of a matrix with which each SM gets so many CTAs of 2dconv. */
static unsigned side(unsigned sms, unsigned ctas) {
  return (unsigned)lround(sqrt((double)sms * ctas * CTA) / 32) * 32;
}

struct row {
  unsigned sms, warps, l1d_sets, l2_sets, ctas;
};

/* The first row of each block is the middle of all: what it is compared with. */
static const struct row rows[] = {
    {16, 64, 128, 512, 128}, {1, 64, 128, 512, 128},   {4, 64, 128, 512, 128},
    {64, 64, 128, 512, 128}, {132, 64, 128, 512, 128},                           /* SMs */
    {16, 8, 128, 512, 128},  {16, 16, 128, 512, 128},  {16, 32, 128, 512, 128},  /* warps of an SM */
    {16, 64, 8, 512, 128},   {16, 64, 32, 512, 128},                             /* L1D: 16 and 64 KB */
    {16, 64, 128, 8, 128},   {16, 64, 128, 64, 128},   {16, 64, 128, 1024, 128}, /* L2: 0.8, 6.25, 100 MB */
    {16, 64, 128, 512, 8},   {16, 64, 128, 512, 512},  {16, 64, 128, 512, 2048}, /* CTAs of an SM */
};

static void run(const struct hd_config *c, const char *workload) {
  struct hd_sim_result r;
  struct hd_design *d = hd_design_new(c);
  if (!d)
    bench_quit("out of memory");
  const double best = bench_best(d, workload, 2, &r);
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  printf("%6.0f ns a warp instruction, %5.1f ns a cycle of an SM, %4ld MB  (%llu instructions, %llu cycles, "
         "%.2f "
         "CPU s)\n",
         1e9 * best / (double)r.sm.instructions, 1e9 * best / (double)r.sm.cycles / c->gpu.sms,
         used.ru_maxrss / 1024, (unsigned long long)r.sm.instructions, (unsigned long long)r.sm.cycles, best);
  hd_design_free(d);
}

static void measure(const struct hd_config *h100, const struct row *row) {
  struct hd_config c = *h100;
  c.gpu.sms = row->sms;
  c.sm.warps = row->warps;
  c.sm.ctas = c.sm.ctas < row->warps ? c.sm.ctas : row->warps;
  c.l1d.sets = row->l1d_sets;
  c.l2.sets = row->l2_sets;
  if (hd_config_check(&c, NULL, NULL, stderr))
    bench_quit("a machine of another size is not allowed");
  char workload[64];
  snprintf(workload, sizeof workload, "2dconv:n=%u", side(row->sms, row->ctas));
  printf("scale       %3u SMs of %2u warps, L1D %3u KB, L2 %5.1f MB, %3u CTAs an SM: ", row->sms, row->warps,
         row->l1d_sets * c.l1d.ways * c.l1d.line_bytes / 1024,
         (double)row->l2_sets * c.l2.ways * c.l2.banks * c.l1d.line_bytes / (1 << 20), row->ctas);
  fflush(stdout);
  const pid_t child = fork();
  if (child < 0)
    bench_quit("no process can be made");
  if (!child) {
    run(&c, workload);
    _exit(fflush(stdout) != 0);
  }
  int status;
  if (waitpid(child, &status, 0) != child || status)
    bench_quit("a run of another size failed");
}

void bench_scale(void) {
  struct hd_config h100;
  hd_design_free(bench_design(&h100, "configs/gpu/h100.yaml"));
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    measure(&h100, &rows[i]);
}
