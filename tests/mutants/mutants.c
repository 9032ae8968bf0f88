/* Runs mutants of a module's Verilog, or of the C of its golden model, against lockstep or against the environment alone, and
 * reports the verdict of each. tests/mutants/mutate.py has put all mutants into one file. Each mutant runs in a separate process, so
 * that a mutant that never settles or never ends is found too.
 *
 * usage: mutants CONFIG MODULE DIR WORK SEED CYCLES JOBS lockstep|alone [NUMBER...]
 * DIR: a directory of heddle gen in which MODULE.v has been mutated; -: this program is linked with a mutated golden model.
 * Mutant 0, the file as it was, must pass. Prints for each mutant a line: number, verdict, cycle of the run, cycles run before.
 * Verdicts: mismatch; check (of the environment; in lockstep also of the accesses of memories, which are counted on both sides);
 * deadlock; crash (it does not settle); slow (it takes more than ten CPU seconds and one for each 2,000 cycles of CYCLES);
 * survived. A run to its second reset and runs with resets close together come first, then long stretches, up to CYCLES.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "verif/harness/run.h"

enum { SECONDS = 10, CYCLES_A_SECOND = 2000, MOST_JOBS = 64 };

/* Cycles of the run, and cycles between resets; 0: as in heddle cosim. The last run is CYCLES long. */
static const struct {
  uint64_t cycles, segment;
} stages[] = {{400, 100}, {4000, 300}, {40000, 50}, {20000, 0}, {UINT64_MAX, 0}};

unsigned hd_mutant; /* read by a mutated golden model */

static struct hd_cosim_job job;
static struct hd_dut_lib lib;
static bool alone;

static const char *verdict_of(const struct hd_run *run) {
  switch (run->stop) {
  case HD_DIFFERS:
    return "mismatch";
  case HD_WRONG:
    return "check";
  case HD_DEADLOCK:
    return "deadlock";
  case HD_ENDED:
    return run->cycle ? "survived" : "nothing";
  default:
    return "impossible";
  }
}

/* Selects the mutant of this process. */
static bool choose(const struct hd_run *run, unsigned long mutant, struct hd_why *why) {
  hd_mutant = job.rtl ? 0 : (unsigned)mutant;
  if (!job.rtl)
    return true;
  struct hd_dut_var number;
  char *scope = hd_format("TOP.%s", job.module);
  const bool found =
      run->lib.api->find(run->dut, scope, "hd_mutant", &number) && number.bytes == sizeof(uint32_t);
  if (!found)
    hd_because(why, HD_INPUT, "%s/%s.v: no hd_mutant", job.rtl, job.module);
  const uint32_t value = (uint32_t)mutant;
  if (found)
    memcpy(number.data, &value, sizeof value);
  free(scope);
  return found;
}

/* Runs one mutant in a process of its own. */
static void run_one(unsigned long mutant, uint64_t cycles) {
  uint64_t before = 0;
  for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
    struct hd_run run;
    struct hd_why why;
    struct hd_dut_lib one = lib;
    job.cycles = stages[i].cycles < cycles ? stages[i].cycles : cycles;
    job.segment = stages[i].segment;
    job.seed += i;
    job.no_compare = alone;
    if (hd_run_attach(&run, &job, &one, NULL, &why) != HD_OK || !choose(&run, mutant, &why)) {
      printf("%lu\timpossible\t0\t0\t%s\n", mutant, why.text);
      break;
    }
    hd_run_go(&run, NULL);
    const char *verdict = verdict_of(&run);
    const bool last = i + 1 == sizeof stages / sizeof *stages || (!job.segment && job.cycles == cycles);
    if (strcmp(verdict, "survived") != 0 || last) {
      printf("%lu\t%s\t%" PRIu64 "\t%" PRIu64 "\t%s\n", mutant, verdict, run.cycle, before,
             run.stop == HD_DIFFERS ? run.diff[0].name : run.text);
      break;
    }
    before += run.cycle;
    run.lib.handle = run.lib.dir = NULL; /* stays loaded */
    hd_run_close(&run);
  }
  fflush(stdout);
}

static unsigned running;
static unsigned long number_of[MOST_JOBS];
static pid_t child_of[MOST_JOBS];

/* Waits until one process ends. */
static void collect(void) {
  int status;
  const pid_t child = wait(&status);
  for (unsigned i = 0; i < MOST_JOBS; i++)
    if (child > 0 && child_of[i] == child) {
      child_of[i] = 0;
      running--;
      if (WIFSIGNALED(status))
        printf("%lu\t%s\t0\t0\t\n", number_of[i], WTERMSIG(status) == SIGXCPU ? "slow" : "crash");
      else if (WEXITSTATUS(status))
        printf("%lu\tcrash\t0\t0\t\n", number_of[i]);
      fflush(stdout);
    }
}

static void start(unsigned long mutant, uint64_t cycles) {
  unsigned place = 0;
  while (child_of[place])
    place++;
  fflush(stdout);
  number_of[place] = mutant;
  child_of[place] = hd_fork();
  if (child_of[place] == 0) {
    if (!freopen("/dev/null", "w", stderr))
      _exit(2);
    const rlim_t most = SECONDS + cycles / CYCLES_A_SECOND;
    setrlimit(RLIMIT_CPU, &(struct rlimit){most, most + 1});
    run_one(mutant, cycles);
    _exit(0);
  }
  running++;
}

int main(int argc, char **argv) {
  if (argc < 9 || (strcmp(argv[8], "lockstep") != 0 && strcmp(argv[8], "alone") != 0)) {
    fprintf(stderr, "usage: mutants CONFIG MODULE DIR WORK SEED CYCLES JOBS lockstep|alone [NUMBER...]\n");
    return 2;
  }
  struct hd_config c;
  struct hd_why why;
  if (hd_config_load(&c, argv[1], stderr) != 0)
    return 2;
  struct hd_design *design = hd_design_new(&c);
  alone = !strcmp(argv[8], "alone");
  job = (struct hd_cosim_job){.design = design,
                              .module = argv[2],
                              .rtl = strcmp(argv[3], "-") ? argv[3] : NULL,
                              .work = argv[4],
                              .inside = !alone,
                              .seed = strtoull(argv[5], NULL, 10)};
  const uint64_t cycles = strtoull(argv[6], NULL, 10);
  const unsigned jobs = (unsigned)atoi(argv[7]);
  if (!design || !hd_design_find(design, job.module) || jobs < 1 || jobs > MOST_JOBS) {
    fprintf(stderr, "mutants: %s of %s, %u jobs: no such module, or no number of jobs\n", job.module, argv[1],
            jobs);
    return 2;
  }
  const enum hd_rc rc =
      hd_dut_build(design, job.module, job.work,
                   (struct hd_dut_want){.rtl = job.rtl, .quick = true, .inside = job.inside}, &lib, &why);
  if (rc != HD_OK) {
    fprintf(stderr, "mutants: %s\n", why.text);
    return rc;
  }
  for (int i = 9; i < argc; i++) {
    while (running == jobs)
      collect();
    start(strtoul(argv[i], NULL, 10), cycles);
  }
  while (running)
    collect();
  hd_dut_unload(&lib);
  hd_design_free(design);
  return 0;
}
