/* The cost of mechanisms in the golden model of one SM: L1 requests decided per CPU second, on PolyBench kernels, beside the same
 * machine without the mechanism. A machine and its rivals run in turn, so that a host that becomes slower affects all of them. */
#include "tests/bench/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kernels[] = {"atax", "bicg", "mvt", "gesummv", "syrk", "syr2k", "gemm", "2dconv"};
enum { KERNELS = sizeof kernels / sizeof *kernels };
enum { ROUNDS = 3 }; /* each figure is the best of this many runs */

/* A machine without a mechanism, then the same machine with some mechanisms. LoSCache's machine has interconnect, L2 and DRAM. */
enum { MOST = 6 };
struct rivals {
  const char *plain, *set; /* set: of `plain`; or NULL */
  const char *others[MOST];
};
static const struct rivals rivals[] = {
    {"fermi_16k", NULL, {"mrpb", "apcm"}},
    {"fermi_16k_gto", NULL, {"lasc", "casc", "lasc_casc", "memsched", "memsched_casc"}},
    {"apres_32k", NULL, {"apres"}},
    {"apres_32k", "scheduler.policy=gto", {"ccws", "mascar"}},
    {"loscache", "loscache.gate=off", {"loscache", "all"}}};

struct machine {
  const char *name;
  struct hd_config config;
  struct hd_design *design;
  double seconds; /* CPU seconds of all kernels so far */
  uint64_t requests;
};

static void open_machine(struct machine *m, const char *name, const char *set) {
  char path[64];
  snprintf(path, sizeof path, "configs/%s.yaml", name);
  *m = (struct machine){.name = name};
  m->design = bench_design(&m->config, path, set);
}

/* Prints a rate, and the cost of a request relative to the machine without the mechanism. */
static void say(const struct machine *m, const char *kernel, double seconds, uint64_t requests,
                double plain) {
  printf("model       %-14s %-8s %6.2f M L1 requests/s, %5.2f of what the machine without costs", m->name,
         kernel, 1e-6 * (double)requests / seconds, seconds / (double)requests / plain);
}

static void run_kernel(struct machine *m, size_t machines, const char *kernel) {
  struct hd_sim_result r[1 + MOST];
  double best[1 + MOST];
  for (int round = 0; round < ROUNDS; round++)
    for (size_t i = 0; i < machines; i++) {
      const double used = bench_run(m[i].design, bench_open(kernel), &r[i]);
      best[i] = round ? fmin(best[i], used) : used;
    }
  const double plain = best[0] / (double)r[0].accesses;
  for (size_t i = 0; i < machines; i++) {
    say(&m[i], kernel, best[i], r[i].accesses, plain);
    printf(" (%llu requests, %llu cycles, %.2f CPU s)\n", (unsigned long long)r[i].accesses,
           (unsigned long long)r[i].sm.cycles, best[i]);
    m[i].seconds += best[i];
    m[i].requests += r[i].accesses;
  }
}

static bool named(char **names, const char *name) {
  if (!names)
    return true;
  while (*names && strcmp(*names, name) != 0)
    names++;
  return *names != NULL;
}

static void run_rivals(const struct rivals *of, char **names) {
  struct machine m[1 + MOST];
  size_t machines = 1;
  for (size_t i = 0; i < MOST && of->others[i]; i++)
    if (named(names, of->others[i]))
      open_machine(&m[machines++], of->others[i], NULL);
  if (machines == 1)
    return;
  open_machine(&m[0], of->plain, of->set);
  printf("model       beside %s%s%s:\n", of->plain, of->set ? ", " : "", of->set ? of->set : "");
  for (size_t k = 0; k < KERNELS; k++)
    run_kernel(m, machines, kernels[k]);
  const double plain = m[0].seconds / (double)m[0].requests;
  for (size_t i = 0; i < machines; i++) {
    say(&m[i], "all", m[i].seconds, m[i].requests, plain);
    printf("\n");
    hd_design_free(m[i].design);
  }
}

/* Ends the program if no rival has that name. */
static void check(const char *name) {
  for (size_t i = 0; i < sizeof rivals / sizeof *rivals; i++)
    for (size_t k = 0; k < MOST && rivals[i].others[k]; k++)
      if (!strcmp(name, rivals[i].others[k]))
        return;
  fprintf(stderr, "bench: model: found %s; allowed:", name);
  for (size_t i = 0; i < sizeof rivals / sizeof *rivals; i++)
    for (size_t k = 0; k < MOST && rivals[i].others[k]; k++)
      fprintf(stderr, " %s", rivals[i].others[k]);
  fputc('\n', stderr);
  exit(1);
}

void bench_model(char **names) {
  for (char **name = names; name && *name; name++)
    check(*name);
  for (size_t i = 0; i < sizeof rivals / sizeof *rivals; i++)
    run_rivals(&rivals[i], names);
}
