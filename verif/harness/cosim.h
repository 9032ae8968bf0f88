/* Lockstep: the generated RTL of a module, under Verilator, beside its golden model, from one stimulus.
 *
 * Every output and every declared state element is compared every cycle; memories by the rows written, and
 * whole at the start and end of each run and every HD_SWEEP cycles. Invariant: a run that compared nothing is
 * a failure, and no signal is waived.
 */
#ifndef HEDDLE_VERIF_HARNESS_COSIM_H
#define HEDDLE_VERIF_HARNESS_COSIM_H

#include <jansson.h>
#include <stdio.h>

#include "verif/harness/env.h"

enum { HD_SWEEP = 65536 };

/* Who looks at a run from outside, in each cycle. The moments: */
struct hd_run;
struct hd_watch {
  void *ctx;
  enum hd_rc (*open)(void *ctx, struct hd_run *run,
                     struct hd_why *why);       /* the run is open, before its first reset */
  void (*reset)(void *ctx, struct hd_run *run); /* a reset is over */
  /* All outputs are known and compared, the clock edge is next. */
  enum hd_watch_says {
    HD_WATCH_GO,
    HD_WATCH_ENOUGH,
    HD_WATCH_WRONG
  } (*settled)(void *ctx, struct hd_run *run, struct hd_why *why);
  void (*end)(void *ctx, struct hd_run *run); /* the run is over, before it is closed */
};

struct hd_cosim_job {
  const struct hd_design *design;
  const char *module;   /* "sm_mem" or any other module of the design */
  const char *workload; /* sm_mem: a workload spec (workloads/workloads.h) to its end; NULL: random traffic */
  bool gpu; /* sm_mem and l2_top in the whole GPU on the workload: SM 0 and L2 bank 0; the rest are models */
  uint64_t seed;
  uint64_t cycles; /* random traffic: about so many, then drained; a workload: a limit, 0 = none */
  /* Random traffic: cycles between resets in mid-flight, of the long stretches; 0 = half the run, 1000 to 100 000. */
  uint64_t segment;
  const char
      *work; /* directory for RTL, Verilator output (kept, keyed by a hash of RTL and tool) and failures */
  const char *
      rtl; /* directory of the Verilog that is compared, written by heddle gen and edited since; NULL: it is generated */
  /* For the reproducing command. The program: NULL = "build/heddle". The file that says all of the
   * configuration: NULL = there is none, then the command names a copy. */
  const char *program, *config_path;
  /* Test of the report: "NAME@CYCLE" or "NAME[element].BIT@CYCLE" flips one bit of a declared REG, CAM or RAM
   * element (memories NAME[row][element]) at the edge that ends that cycle, or of an output of the top in it:
   * of the RTL, with "model:" before it of the model, with "both:" of both; NULL: none. With `gpu`: of whichever
   * of the two has that name, in its own cycles. */
  const char *fault;
  bool storm; /* as struct hd_env_job has it */
  /* A mismatch is told without a waveform: that takes a module compiled anew and another run. */
  bool no_waves;
  /* 2: the model runs ahead on one of its own (ahead.h), unless something looks into the run; 0 is 1; the answer is the same. */
  unsigned threads;
  bool no_compare; /* bench only: the RTL alone, driven by the same stimulus; values_compared = 0 */
  /* Ports of the modules inside can be found (inside of struct hd_dut_want); accesses of memories are counted on both sides, and the
   * counts compared in every cycle. */
  bool inside;
  const struct hd_watch *watch;                               /* NULL: nobody */
  void (*progress)(void *user, uint64_t cycles, uint64_t of); /* about 10 times a second; may be NULL */
  void *user;
};

/* How often an event was, in all modules of that name. */
struct hd_event_count {
  char *name; /* "module.event" */
  uint64_t count;
};

struct hd_cosim_report {
  uint64_t cycles, values_compared, facts_checked; /* facts: checked by the environment's scoreboard */
  uint64_t accesses;   /* of memories, with `inside`: counted alike on both sides */
  uint64_t mismatches; /* 0 or 1: a run stops at the first cycle that differs */
  uint64_t l2_cycles,
      gpu_cycles; /* gpu: of bank 0, beside SM 0's; those that the workload takes, as heddle sim counts */
  bool cut;       /* the workload was not done when its limit was reached */
  /* Declared events of the module and of all inside it, in their order; `seen`: how many of them have been. */
  struct hd_event_count *events;
  unsigned n_events, events_seen;
  uint64_t seed;
  /* Of a fault on both sides, without `gpu`: whether anything but the bit itself became other than without it, and in which
   * cycle first. */
  bool fault_shared, fault_read;
  uint64_t fault_read_at;
  double build_seconds, run_seconds;
  char *failure;     /* the mismatch report, NULL if none; also in failure_dir/report.txt */
  char *failure_dir; /* report.txt report.json config.yaml wave.fst wave.gtkw; NULL if none */
  char *unsaved;     /* which of these cannot be written, and why; NULL: all are */
};

/* HD_CHECK: a mismatch, a failed check of the environment, a deadlock (nothing moved for 100 000 cycles), a
 * workload's limit reached, or nothing compared. HD_INPUT: workload, module or fault name is wrong, or the machine not one for `gpu`.
 * HD_TOOL: Verilator or the C++ compiler is missing or fails. hd_cosim_free in any case. */
enum hd_rc hd_cosim_run(const struct hd_cosim_job *job, struct hd_cosim_report *report, struct hd_why *why);
void hd_cosim_free(struct hd_cosim_report *report);
void hd_cosim_print(const struct hd_cosim_report *report, FILE *out);
json_t *hd_cosim_json(const struct hd_cosim_report *report);

#endif
