/* Lockstep: runs the generated RTL of a module, under Verilator, beside its golden model, with one stimulus.
 *
 * Every output and every declared state element is compared in every cycle. Of memories the written rows are compared in every cycle,
 * and all rows at the start and end of each run and every HD_SWEEP cycles.
 * Invariant: a run that compared nothing is a failure, and no signal is waived.
 */
#ifndef HEDDLE_VERIF_HARNESS_COSIM_H
#define HEDDLE_VERIF_HARNESS_COSIM_H

#include <jansson.h>
#include <stdio.h>

#include "verif/harness/env.h"

enum { HD_SWEEP = 65536 };

/* An observer of a run. The harness calls its functions at these moments: */
struct hd_run;
struct hd_watch {
  void *ctx;
  enum hd_rc (*open)(void *ctx, struct hd_run *run,
                     struct hd_why *why);       /* the run is open; its first reset comes next */
  void (*reset)(void *ctx, struct hd_run *run); /* a reset is over */
  /* All outputs are known and compared; the clock edge comes next. */
  enum hd_watch_says {
    HD_WATCH_GO,
    HD_WATCH_ENOUGH,
    HD_WATCH_WRONG
  } (*settled)(void *ctx, struct hd_run *run, struct hd_why *why);
  void (*end)(void *ctx, struct hd_run *run); /* the run is over, but not closed yet */
};

struct hd_cosim_job {
  const struct hd_design *design;
  const char *module; /* "sm_mem" or any other module of the design */
  /* sm_mem: a workload spec (workloads/workloads.h), which runs to its end; NULL: random traffic. */
  const char *workload;
  bool gpu; /* sm_mem and l2_top in the whole GPU on the workload: SM 0 and L2 bank 0; the rest are models */
  uint64_t seed;
  uint64_t cycles; /* random traffic: the run drains after about so many; a workload: a limit, 0 = none */
  /* Random traffic: the length of a long stretch, in cycles, from one reset to the next; 0 = half the run, 1000 to 100 000. */
  uint64_t segment;
  /* Directory for RTL, Verilator output (kept, keyed by a hash of RTL and tool) and failures. */
  const char *work;
  const char *
      rtl; /* directory of the Verilog that is compared: written by heddle gen, edited by the user; NULL: it is generated */
  /* For the reproducing command. `program`: NULL = "build/heddle". `config_path`: the file with the whole configuration; NULL = there
   * is none, and the command names a copy. */
  const char *program, *config_path;
  /* Tests the report: "NAME@CYCLE" or "NAME[element].BIT@CYCLE" flips one bit. The bit belongs to a declared REG, CAM or RAM element
   * (memories: NAME[row][element]) and flips at the edge that ends CYCLE; or it belongs to an output of the top and flips during
   * CYCLE. The bit is the RTL's; after "model:" it is the model's, after "both:" it flips in both. NULL: no fault. With `gpu` the
   * fault is in the module that has the name, and CYCLE counts that module's cycles. */
  const char *fault;
  bool storm; /* as in struct hd_env_job */
  /* The report of a mismatch has no waveform. A waveform costs another compilation of the module and another run. */
  bool no_waves;
  /* 2: the model runs ahead on a thread of its own (ahead.h), unless something observes the run. 0 means 1. The answer is the same. */
  unsigned threads;
  bool no_compare; /* bench only: the RTL alone, driven by the same stimulus; values_compared = 0 */
  /* Ports of the inner modules can be found (`inside` of struct hd_dut_want). Both sides count accesses of memories, and the counts
   * are compared in every cycle. */
  bool inside;
  const struct hd_watch *watch;                               /* NULL: none */
  void (*progress)(void *user, uint64_t cycles, uint64_t of); /* about 10 times a second; may be NULL */
  void *user;
};

/* How often an event happened, in all modules of that name. */
struct hd_event_count {
  char *name; /* "module.event" */
  uint64_t count;
};

struct hd_cosim_report {
  uint64_t cycles, values_compared, facts_checked; /* facts: checked by the environment's scoreboard */
  uint64_t accesses;   /* of memories, with `inside`: both sides counted the same number */
  uint64_t mismatches; /* 0 or 1: a run stops at the first cycle that differs */
  /* With `gpu`. l2_cycles: cycles of bank 0, while `cycles` are SM 0's. gpu_cycles: the workload's length, as heddle sim counts it. */
  uint64_t l2_cycles, gpu_cycles;
  bool cut; /* the workload was not done when its limit was reached */
  /* The declared events of the module and of all modules inside it, in declaration order. events_seen: how many of them happened. */
  struct hd_event_count *events;
  unsigned n_events, events_seen;
  uint64_t seed;
  /* fault_shared: the job has a fault on both sides, without `gpu`. fault_read: then anything but the bit itself became different
   * from a run without the fault, in cycle fault_read_at first. */
  bool fault_shared, fault_read;
  uint64_t fault_read_at;
  double build_seconds, run_seconds;
  char *failure;     /* the mismatch report, NULL if none; also in failure_dir/report.txt */
  char *failure_dir; /* report.txt report.json config.yaml wave.fst wave.gtkw; NULL if none */
  char *unsaved;     /* which of these could not be written, and why; NULL: all were written */
};

/* Returns HD_CHECK after a mismatch, a failed check of the environment, a deadlock (nothing moved for 100 000 cycles), a
 * workload that reached its limit, or a run that compared nothing. Returns HD_INPUT if a workload, module or fault name is wrong, or the
 * machine does not suit `gpu`. Returns HD_TOOL if Verilator or the C++ compiler is missing or fails. Call hd_cosim_free in any case. */
enum hd_rc hd_cosim_run(const struct hd_cosim_job *job, struct hd_cosim_report *report, struct hd_why *why);
void hd_cosim_free(struct hd_cosim_report *report);
void hd_cosim_print(const struct hd_cosim_report *report, FILE *out);
json_t *hd_cosim_json(const struct hd_cosim_report *report);

#endif
