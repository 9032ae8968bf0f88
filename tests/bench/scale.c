/* The cost of a run by the size of the machine and of the workload, each figure also relative to the first row. Each run is a
 * process of its own, so that its memory is known. A round runs every row once, so that other load of the host affects all rows
 * alike. */
#include "tests/bench/bench.h"

#include <math.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CTA = 256 /* threads of 2dconv, each an element of the matrix */ };
enum { ROUNDS = 3 };
static const double LONG = 30; /* CPU seconds; a row that took longer is not measured again */

/* Returns the side of a matrix that gives each SM this many CTAs of 2dconv. */
static unsigned side(unsigned sms, unsigned ctas) {
  return (unsigned)lround(sqrt((double)sms * ctas * CTA) / 32) * 32;
}

struct row {
  unsigned sms, warps, l1d_sets, l2_sets, ctas, launches;
};

/* The first row is the reference. Each other row differs from it in one number. In turn: SMs, warps of an SM, L1D (16 to 128 KB), L2
 * (0.8 to 200 MB), CTAs of an SM, and launches that all work on the same data: 1, 4, 16 and 64 million warp instructions. */
static const struct row rows[] = {
    {16, 64, 128, 512, 128, 1},  {1, 64, 128, 512, 128, 1},   {4, 64, 128, 512, 128, 1},
    {32, 64, 128, 512, 128, 1},  {64, 64, 128, 512, 128, 1},  {132, 64, 128, 512, 128, 1},
    {16, 8, 128, 512, 128, 1},   {16, 16, 128, 512, 128, 1},  {16, 32, 128, 512, 128, 1},
    {16, 64, 8, 512, 128, 1},    {16, 64, 16, 512, 128, 1},   {16, 64, 32, 512, 128, 1},
    {16, 64, 64, 512, 128, 1},   {16, 64, 128, 8, 128, 1},    {16, 64, 128, 64, 128, 1},
    {16, 64, 128, 256, 128, 1},  {16, 64, 128, 1024, 128, 1}, {16, 64, 128, 2048, 128, 1},
    {16, 64, 128, 512, 8, 1},    {16, 64, 128, 512, 32, 1},   {16, 64, 128, 512, 512, 1},
    {16, 64, 128, 512, 2048, 1}, {16, 64, 128, 512, 8192, 1}, {16, 64, 128, 512, 128, 2},
    {16, 64, 128, 512, 128, 7},  {16, 64, 128, 512, 128, 28}, {16, 64, 128, 512, 128, 112},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* The cost of a row, as the process that ran it sends it. */
struct cost {
  double seconds; /* of the processor */
  uint64_t instructions, cycles;
  long kb; /* peak memory of the process */
};

/* Makes the machine of a row. */
static void machine(struct hd_config *c, const struct hd_config *h100, const struct row *row) {
  *c = *h100;
  c->gpu.sms = row->sms;
  c->sm.warps = row->warps;
  c->sm.ctas = c->sm.ctas < row->warps ? c->sm.ctas : row->warps;
  c->l1d.sets = row->l1d_sets;
  c->l2.sets = row->l2_sets;
  if (hd_config_check(c, NULL, NULL, stderr))
    bench_quit("a machine of another size is not allowed");
}

/* A workload whose launches repeat a number of times, at the same addresses. */
struct again {
  struct wl_source source;
  struct wl_source_ops ops;
  const char *spec;
  struct wl_source *now;
  unsigned left;
};

static bool again_launch(struct wl_source *source, struct wl_launch *launch) {
  struct again *a = (struct again *)source;
  while (!a->now->ops->next_launch(a->now, launch)) {
    if (!--a->left)
      return false;
    a->now->ops->close(a->now);
    a->now = bench_open(a->spec);
  }
  return true;
}

static void *again_open(struct wl_source *source, uint32_t cta, uint32_t warp) {
  struct wl_source *now = ((struct again *)source)->now;
  return now->ops->open_warp(now, cta, warp);
}

static void again_close(struct wl_source *source) {
  struct again *a = (struct again *)source;
  a->now->ops->close(a->now);
}

static struct cost run(const struct hd_config *c, const struct row *row) {
  char workload[64];
  snprintf(workload, sizeof workload, "2dconv:n=%u", side(row->sms, row->ctas));
  struct again again = {
      .source = {&again.ops}, .spec = workload, .now = bench_open(workload), .left = row->launches};
  again.ops = (struct wl_source_ops){.next_launch = again_launch,
                                     .open_warp = again_open,
                                     .next = again.now->ops->next,
                                     .locate = again.now->ops->locate,
                                     .stride = again.now->ops->stride,
                                     .close_warp = again.now->ops->close_warp,
                                     .close = again_close};
  struct hd_sim_result r;
  struct rusage used;
  struct hd_design *d = hd_design_new(c);
  if (!d)
    bench_quit("out of memory");
  const double seconds = bench_run(d, &again.source, &r);
  getrusage(RUSAGE_SELF, &used);
  hd_design_free(d);
  return (struct cost){seconds, r.sm.instructions, r.sm.cycles, used.ru_maxrss};
}

static struct cost measure(const struct hd_config *c, const struct row *row) {
  int ends[2];
  if (pipe(ends))
    bench_quit("no pipe can be made");
  const pid_t child = fork();
  if (child < 0)
    bench_quit("no process can be made");
  struct cost cost;
  if (!child) {
    cost = run(c, row);
    _exit(write(ends[1], &cost, sizeof cost) != sizeof cost);
  }
  close(ends[1]);
  const bool whole = read(ends[0], &cost, sizeof cost) == sizeof cost;
  close(ends[0]);
  int status;
  if (waitpid(child, &status, 0) != child || status || !whole)
    bench_quit("a run of another size failed");
  return cost;
}

static double of_instruction(const struct cost *c) {
  return 1e9 * c->seconds / (double)c->instructions;
}

static double of_cycle(const struct cost *c, const struct row *row) {
  return 1e9 * c->seconds / (double)c->cycles / row->sms;
}

/* Prints a line for each row, and writes all rows to build/bench/scale.csv. tests/bench/curves makes a table and a picture from that
 * file. */
static void report(const struct hd_config *h100, const struct cost *cost) {
  mkdir("build", 0777);
  mkdir("build/bench", 0777);
  FILE *csv = fopen("build/bench/scale.csv", "w");
  if (!csv)
    bench_quit("build/bench/scale.csv cannot be written");
  fprintf(csv, "sms,warps,l1d_kb,l2_mb,ctas,launches,ns_instruction,ns_cycle,mb,instructions,cycles,cpu_s\n");
  for (int i = 0; i < ROWS; i++) {
    const struct row *row = &rows[i];
    struct hd_config c;
    machine(&c, h100, row);
    const unsigned l1d = c.l1d.sets * c.l1d.ways * c.l1d.line_bytes / 1024;
    const double l2 = (double)c.l2.sets * c.l2.ways * c.l2.banks * c.l1d.line_bytes / (1 << 20);
    const double instruction = of_instruction(&cost[i]), cycle = of_cycle(&cost[i], row);
    printf("scale       %3u SMs of %2u warps, L1D %3u KB, L2 %5.1f MB, %4u CTAs an SM, %3u times: "
           "%4.0f ns a warp instruction (%.2f), %6.1f ns a cycle of an SM (%.2f), %3.0f MB (%.2f)  (%llu "
           "instructions, %llu cycles, %.2f CPU s)\n",
           row->sms, row->warps, l1d, l2, row->ctas, row->launches, instruction,
           instruction / of_instruction(&cost[0]), cycle, cycle / of_cycle(&cost[0], &rows[0]),
           (double)cost[i].kb / 1024, (double)cost[i].kb / (double)cost[0].kb,
           (unsigned long long)cost[i].instructions, (unsigned long long)cost[i].cycles, cost[i].seconds);
    fprintf(csv, "%u,%u,%u,%.1f,%u,%u,%.1f,%.1f,%.1f,%llu,%llu,%.3f\n", row->sms, row->warps, l1d, l2,
            row->ctas, row->launches, instruction, cycle, (double)cost[i].kb / 1024,
            (unsigned long long)cost[i].instructions, (unsigned long long)cost[i].cycles, cost[i].seconds);
  }
  if (fclose(csv))
    bench_quit("build/bench/scale.csv cannot be written");
}

void bench_scale(void) {
  struct hd_config h100;
  hd_design_free(bench_design(&h100, "configs/gpu/h100.yaml", NULL));
  struct cost cost[ROWS];
  for (int n = 0; n < ROUNDS; n++) {
    printf("scale       round %d of %d, %d machines\n", n + 1, ROUNDS, (int)ROWS);
    for (int i = 0; i < ROWS; i++) {
      if (n && cost[i].seconds > LONG)
        continue;
      struct hd_config c;
      machine(&c, &h100, &rows[i]);
      const struct cost now = measure(&c, &rows[i]);
      if (!n || now.seconds < cost[i].seconds)
        cost[i] = now;
    }
  }
  report(&h100, cost);
}
