/* One lockstep run, from power-up to its end or to the first cycle in which something is wrong.
 *
 * Invariant: a run depends on its job alone. The same job stops in the same cycle for the same reason.
 */
#ifndef HEDDLE_VERIF_HARNESS_RUN_H
#define HEDDLE_VERIF_HARNESS_RUN_H

#include "cmodel/model/models.h"
#include "verif/harness/cosim.h"
#include "verif/harness/table.h"
#include "verif/verilate/build.h"
#include "workloads/rng.h"

enum hd_stop {
  HD_RUNS,      /* not stopped */
  HD_ENDED,     /* the work is done */
  HD_LIMIT,     /* a workload reached its limit of cycles before it was done */
  HD_SEEN,      /* the window is over */
  HD_DIFFERS,   /* the two sides differ: run.diff says where */
  HD_WRONG,     /* both sides agree, but a check of the environment failed: run.text */
  HD_DEADLOCK,  /* nothing moves: run.text */
  HD_REFUSED,   /* the job's watch found something wrong: run.why */
  HD_IMPOSSIBLE /* the environment cannot be made, or its workload does not fit: run.why */
};

enum {
  HD_HISTORY = 8,
  HD_COLUMNS = 24,
  HD_DIFFS = 8,
  HD_LATEST = 16,
  HD_LIKE = 256,
  HD_STUCK = 100000,
  HD_DRAIN = 1000000
};

/* The cycles of which a run writes a wave file. Such a run compares nothing. */
struct hd_window {
  const char *path;  /* NULL: no file; the wave file is another run's */
  uint64_t from, to; /* cycles; the run ends after `to` */
};

/* An event of the model that happened in every cycle from e.cycle to `until`. */
struct hd_latest {
  struct hd_logged e;
  uint64_t until;
};

struct hd_run {
  const struct hd_cosim_job *job;
  /* Makes the environment, with `ctx`; NULL: hd_env_new does. Set it between hd_run_open and hd_run_begin. */
  struct hd_env *(*surround)(void *ctx, const struct hd_env_job *job, struct hd_why *why);
  void *ctx;
  bool guest; /* another run's environment steps this run, ends it, and looks for deadlocks */
  bool host;  /* this run's environment steps a guest, and looks for deadlocks */
  const struct hd_window *window;
  const struct hd_decl *decl;
  const struct hd_model_ops *ops;
  struct hd_dut_lib lib;
  void *dut, *model; /* model: NULL if job->no_compare */
  struct hd_log log;
  struct hd_latest latest[HD_LATEST]; /* the last events, a ring */
  uint64_t n_latest;
  /* A hash table: the number of an event's last entry in `latest`. After a collision it is another event's. */
  uint64_t like[HD_LIKE];
  double tell_at; /* the time of the next call of job->progress, in seconds */
  void *in, *out;
  struct hd_table table;
  struct wl_source *source;
  struct hd_env *env;
  struct hd_fault fault;
  struct hd_why why;

  uint64_t cycle;            /* since the first reset; cycles under reset are not counted */
  uint64_t segment, started; /* number of resets in mid-flight; the cycle after the last reset */
  uint64_t stretch;          /* cycles from the last reset to the next */
  uint64_t values, facts;
  uint64_t moved, checked, state; /* the last search for a deadlock: its cycle, and what it saw */

  const struct hd_cell *column[HD_COLUMNS]; /* ports that the report shows over the last cycles */
  unsigned columns;
  uint64_t history[HD_HISTORY][HD_COLUMNS]; /* of cycle n in [n % HD_HISTORY] */

  enum hd_stop stop;
  enum hd_moment moment; /* of HD_DIFFERS */
  bool after_reset;      /* HD_DIFFERS: the state after a reset differs */
  struct hd_diff diff[HD_DIFFS];
  size_t diffs; /* may be more than HD_DIFFS */
  char text[1200];
};

/* Opens a run of a module that is built and loaded (*lib). The run takes over *lib and the job's workload (`source`, NULL: it has none),
 * even if this fails. Call hd_run_close in any case. */
enum hd_rc hd_run_attach(struct hd_run *run, const struct hd_cosim_job *job, struct hd_dut_lib *lib,
                         struct wl_source *source, struct hd_why *why);
/* Builds and opens everything. Returns before anything is built if the workload does not exist or the fault names nothing.
 * Call hd_run_close in any case. */
enum hd_rc hd_run_open(struct hd_run *run, const struct hd_cosim_job *job, bool traced, struct hd_why *why);
/* Runs to the end. With a window both sides run to the window's end, and nothing is compared. */
void hd_run_go(struct hd_run *run, const struct hd_window *window);
void hd_run_close(struct hd_run *run);

/* The parts of hd_run_go: the first reset; one cycle, if the run does not stop before it; the counts at the end. */
void hd_run_begin(struct hd_run *run, const struct hd_window *window);
void hd_run_step(struct hd_run *run);
void hd_run_end(struct hd_run *run);
/* hd_run_between: what hd_run_step does before its cycle. It ends the run, resets, or looks for a deadlock.
 * hd_run_undisturbed: returns a number of cycles, 1 or more, in which hd_run_between would only ask the environment whether it is done.
 * Nor are whole memories compared before the end of these cycles. */
void hd_run_between(struct hd_run *run);
uint64_t hd_run_undisturbed(const struct hd_run *run);
/* Sets the RTL's clock to this level, and evaluates the RTL. */
void hd_run_clock(struct hd_run *run, uint8_t level);
/* Flips the bit of the run's fault if its cycle and moment are now. For an output a second call restores the bit. */
void hd_run_strike(struct hd_run *run, enum hd_moment moment);
/* Tells the job about progress, some ten times a second. */
void hd_run_progress(struct hd_run *run);
/* Makes the final checks of a guest, after its last cycle. */
void hd_run_finish(struct hd_run *run);

/* --- hear.c: the hook of the model's log (`ctx` is the run). It keeps the latest events --------------------- */

void hd_run_hear(void *ctx, const struct hd_model *m, unsigned event, const uint64_t arg[4]);

/* --- reset.c: a reset is drawn from seed + segment, so that a run of one stretch alone repeats it ---------- */

/* Returns the cycles of random traffic from reset number `segment` to the next: one long stretch, then several short ones, and so on. */
uint64_t hd_run_stretch(const struct hd_cosim_job *job, uint64_t segment);
struct hd_reset {
  unsigned cycles; /* rst is 1 for so many edges, 1 or more */
  bool busy;       /* the inputs are random and change in each cycle; else they are 0 */
  bool alike; /* with busy: all inputs have one number, cut to their width, so comparators see equal inputs */
  struct wl_rng rng;
};
struct hd_reset hd_reset_draw(const struct hd_cosim_job *job, uint64_t segment);
/* Sets the inputs of both sides for one cycle of the reset. */
void hd_reset_drive(struct hd_reset *r, struct hd_table *t);

#endif
