/* A whole GPU beside Accel-Sim on the same traces. The two run in turn on one core, measured in processor seconds. $ACCELSIM is
 * Accel-Sim's program and $ACCELSIM_CONFIG the file of its machine (see docs/speed.md). Without them nothing runs. Both programs run
 * as a user runs them, so reading the trace and printing count. */
#include "base/programs.h"
#include "base/run.h"
#include "tests/bench/bench.h"
#include "workloads/accelsim/accel_write.h"
#include "workloads/workloads.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER "build/bench/accelsim"
enum { LINE = 4096, TURNS = 2, HOURS = 4 * 3600 };

/* The program that is measured: $HEDDLE, which `make bench` sets, or the usual one. */
static const char *heddle(void) {
  const char *named = getenv("HEDDLE");
  return named ? named : "build/heddle";
}

/* From each suite that has kernels without textures, some that Accel-Sim needs 5 to 60 s for. */
static const char *const ours[] = {"mvt:n=512", "gesummv:n=512", "syr2k:n=64,m=128", "2mm:n=128",
                                   "spmv:small"};

/* Runs the program in the folder (NULL: here) and writes its output to `log`. Returns its processor seconds, including those of its
 * children. */
static double seconds_of(const char *const argv[], const char *folder, const char *log) {
  const double start = hd_program_seconds();
  const int status = hd_run(argv, folder, log, HOURS);
  if (status) {
    char *exits = status > 0                     ? hd_format("exit status %d", status)
                  : status == HD_RUN_NOT_STARTED ? hd_format("it could not be started")
                  : status == HD_RUN_TIMEOUT     ? hd_format("it took more than %d s", HOURS)
                                                 : hd_format("a signal ended it");
    bench_quit(hd_format("%s: %s; the last line of %s: %s", argv[0], exits, log, hd_last_line(log)));
  }
  return hd_program_seconds() - start;
}

/* Returns the cycles at the end of Accel-Sim's log. A run that was cut short has none. */
static unsigned long long cycles_there(const char *log) {
  static const char key[] = "gpu_tot_sim_cycle =";
  char line[LINE];
  unsigned long long cycles = 0;
  FILE *f = fopen(log, "r");
  while (f && fgets(line, sizeof line, f))
    if (!strncmp(line, key, sizeof key - 1))
      cycles = strtoull(line + sizeof key - 1, NULL, 10);
  if (f)
    fclose(f);
  if (!cycles)
    bench_quit(hd_format("%s: found no line \"%s N\"; Accel-Sim has not run to its end", log, key));
  return cycles;
}

/* Writes the workload in Accel-Sim's form into an empty folder. */
static void write_text(const char *workload, const char *folder) {
  char err[256];
  const struct wl_trace_how how = {.version = 35, .xz = true};
  struct wl_trace_summary summary;
  struct wl_source *source = bench_open(workload);
  const char *const clear[] = {"rm", "-rf", folder, NULL};
  seconds_of(clear, NULL, FOLDER "/rm.log");
  if (!hd_make_dirs(folder))
    bench_quit(FOLDER " cannot be written");
  if (!wl_trace_to_accel(source, folder, &how, &summary, err, sizeof err))
    bench_quit(err);
  source->ops->close(source);
}

enum { THERE, HTRACE, TEXT, KINDS };

/* The ratios of all traces. */
struct all {
  int runs;
  double product[KINDS], least[KINDS];
  const char *least_of[KINDS]; /* the trace with the least ratio */
};

static void add(struct all *all, const char *name, const double ratio[KINDS]) {
  for (int kind = HTRACE; kind <= TEXT; kind++) {
    all->product[kind] = ratio[kind] * (all->runs ? all->product[kind] : 1);
    if (!all->runs || ratio[kind] < all->least[kind]) {
      all->least[kind] = ratio[kind];
      all->least_of[kind] = name;
    }
  }
  all->runs++;
}

/* Runs both on the trace in Accel-Sim's folder and takes the means of the turns. Each turn has two runs of ours, one before and one
 * after Accel-Sim's run. ratio: Accel-Sim's seconds divided by ours. */
static void beside(const char *accelsim, const char *there, const char *machine, const char *name,
                   const char *folder, double ratio[KINDS]) {
  static const char htrace[] = FOLDER "/it.htrace", log[] = FOLDER "/accelsim.log";
  char *at = realpath(folder, NULL), *config = realpath(there, NULL);
  if (!at)
    bench_quit(hd_format("%s: found no such folder of a trace", folder));
  if (!config)
    bench_quit(hd_format("$ACCELSIM_CONFIG: found %s; allowed: the file of a machine of Accel-Sim", there));
  char *list = hd_format("%s/kernelslist.g", at), *text = hd_format("trace:%s", list);
  /* the configuration names other files beside it */
  char *home = hd_format("%.*s", (int)(strrchr(config, '/') - config), config);
  const char *const specs[KINDS] = {[HTRACE] = "trace:" FOLDER "/it.htrace", [TEXT] = text};
  const char *const theirs[] = {accelsim, "-config", config, "-trace", list, NULL};
  double seconds[KINDS] = {0};
  unsigned long long cycles = 0;
  bench_write_trace(text, htrace);
  for (int n = 0; n < 2 * TURNS; n++) {
    for (int kind = HTRACE; kind <= TEXT; kind++) {
      const char *const own[] = {heddle(), "sim", "-j", "1", "-c", machine, "-w", specs[kind], NULL};
      seconds[kind] += seconds_of(own, NULL, FOLDER "/heddle.log") / (2 * TURNS);
    }
    if (n % 2 == 0) {
      seconds[THERE] += seconds_of(theirs, home, log) / TURNS;
      cycles = cycles_there(log);
    }
  }
  for (int kind = HTRACE; kind <= TEXT; kind++)
    ratio[kind] = seconds[THERE] / seconds[kind];
  printf("accelsim    %-18s %-18s Accel-Sim %6.1f CPU s, %llu cycles; by those of heddle "
         "from .htrace, %.3f: %.1f, from text, %.3f: %.1f\n",
         machine, name, seconds[THERE], cycles, seconds[HTRACE], ratio[HTRACE], seconds[TEXT], ratio[TEXT]);
  free(home);
  free(text);
  free(list);
  free(config);
  free(at);
}

void bench_accelsim(char **args) {
  const char *named = getenv("ACCELSIM"), *there = getenv("ACCELSIM_CONFIG");
  const char *machine = args ? *args : "gpu/gtx480";
  char **traces = args && args[1] ? args + 1 : NULL;
  if (!named || !there) {
    printf("accelsim    skipped: no $ACCELSIM, the program, and $ACCELSIM_CONFIG, its machine\n");
    return;
  }
  /* It runs in another folder. */
  char *found = hd_find_tool(named), *accelsim = found ? realpath(found, NULL) : NULL;
  if (!accelsim)
    bench_quit(hd_format("$ACCELSIM: found %s; allowed: a program", named));
  /* One core for all programs that this one starts, so that other load of the machine disturbs less. */
  cpu_set_t all, one;
  CPU_ZERO(&one);
  CPU_SET((size_t)sched_getcpu(), &one);
  if (sched_getaffinity(0, sizeof all, &all) || sched_setaffinity(0, sizeof one, &one))
    bench_quit("no core of its own");
  if (!hd_make_dirs(FOLDER))
    bench_quit(FOLDER " cannot be written");
  struct all sum = {0};
  for (size_t i = 0; traces ? traces[i] != NULL : i < sizeof ours / sizeof *ours; i++) {
    double ratio[KINDS];
    const char *name = traces ? traces[i] : ours[i], *folder = traces ? traces[i] : FOLDER "/text";
    if (!traces)
      write_text(name, folder);
    beside(accelsim, there, machine, name, folder, ratio);
    add(&sum, name, ratio);
  }
  sched_setaffinity(0, sizeof all, &all);
  static const char *const from[KINDS] = {[HTRACE] = "from .htrace", [TEXT] = "from text"};
  for (int kind = HTRACE; kind <= TEXT; kind++)
    printf("accelsim    %-18s all %d, %-12s: geometric mean of the ratios %.1f, least %.1f of %s\n", machine,
           sum.runs, from[kind], pow(sum.product[kind], 1.0 / sum.runs), sum.least[kind], sum.least_of[kind]);
  free(accelsim);
  free(found);
}
