/* One lockstep run, from power-up to its end or to the first cycle in which something is wrong.
 *
 * Invariant: a run is a function of its job; the same job stops in the same cycle for the same reason.
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
  HD_LIMIT,     /* a workload is not done, but its cycles are over */
  HD_SEEN,      /* the window is over */
  HD_DIFFERS,   /* the two sides differ: run.diff says where */
  HD_WRONG,     /* both agree, and the environment says that it is wrong: run.text */
  HD_DEADLOCK,  /* run.text */
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

/* What to do with the wave file of a run that is only for looking at. */
struct hd_window {
  const char *path;  /* NULL: none, another run's is looked at */
  uint64_t from, to; /* cycles; the run ends after `to` */
};

/* An event of the model that happened in every cycle from e.cycle to `until`. */
struct hd_latest {
  struct hd_logged e;
  uint64_t until;
};

struct hd_run {
  const struct hd_cosim_job *job;
  /* Between hd_run_open and hd_run_begin. Who makes the environment, with `ctx`; NULL: hd_env_new. */
  struct hd_env *(*surround)(void *ctx, const struct hd_env_job *job, struct hd_why *why);
  void *ctx;
  bool
      guest; /* stepped by another run's environment, which knows when it is over, and whether anything moves */
  bool host; /* of one; its environment looks for deadlocks */
  const struct hd_window *window;
  const struct hd_decl *decl;
  const struct hd_model_ops *ops;
  struct hd_dut_lib lib;
  void *dut, *model; /* model: NULL if job->no_compare */
  struct hd_log log;
  struct hd_latest latest[HD_LATEST]; /* the last ones, a ring */
  uint64_t n_latest;
  uint64_t
      like[HD_LIKE]; /* by what an event says: the number of its last entry in `latest`, or another one's */
  double tell_at;    /* when progress is told of next, in seconds */
  void *in, *out;
  struct hd_table table;
  struct wl_source *source;
  struct hd_env *env;
  struct hd_fault fault;
  struct hd_why why;

  uint64_t cycle;            /* since the first reset; cycles under reset are not counted */
  uint64_t segment, started; /* number of resets in mid-flight; the cycle after the last reset */
  uint64_t stretch;          /* cycles from that one to the next */
  uint64_t values, facts;
  uint64_t moved, checked, state; /* what the search for a deadlock saw last, and when */

  const struct hd_cell *column[HD_COLUMNS]; /* ports that the report shows over the last cycles */
  unsigned columns;
  uint64_t history[HD_HISTORY][HD_COLUMNS]; /* of cycle n in [n % HD_HISTORY] */

  enum hd_stop stop;
  enum hd_moment moment; /* of HD_DIFFERS */
  bool after_reset;      /* HD_DIFFERS in what a reset left */
  struct hd_diff diff[HD_DIFFS];
  size_t diffs; /* may be more than HD_DIFFS */
  char text[1200];
};

/* The same of what is built already: *lib, and the job's workload (`source`, NULL: it has none) become the run's, whatever becomes of
 * it. hd_run_close in any case. */
enum hd_rc hd_run_attach(struct hd_run *run, const struct hd_cosim_job *job, struct hd_dut_lib *lib,
                         struct wl_source *source, struct hd_why *why);
/* Builds and opens everything; a workload that is not there, or a fault that names nothing, is told before anything is built.
 * hd_run_close in any case. */
enum hd_rc hd_run_open(struct hd_run *run, const struct hd_cosim_job *job, bool traced, struct hd_why *why);
/* Runs to the end. With a window nothing is compared: both sides run to the window's end. */
void hd_run_go(struct hd_run *run, const struct hd_window *window);
void hd_run_close(struct hd_run *run);

/* hd_run_go in its parts. The first reset; a cycle, if the run does not stop before it; what is counted at the end. */
void hd_run_begin(struct hd_run *run, const struct hd_window *window);
void hd_run_step(struct hd_run *run);
void hd_run_end(struct hd_run *run);
/* What hd_run_step does before its cycle: ends, resets, the search for a deadlock. Of so many cycles from then on, 1 or more, it would do
 * nothing before but ask the environment whether it is done; nor are memories compared as a whole before their end. */
void hd_run_between(struct hd_run *run);
uint64_t hd_run_undisturbed(const struct hd_run *run);
/* The run's fault, if it strikes in this cycle at this moment; an output is struck a second time to be as it was. */
void hd_run_strike(struct hd_run *run, enum hd_moment moment);
/* Tells the job about progress, some ten times a second. */
void hd_run_progress(struct hd_run *run);
/* Of a guest, after its last cycle: what can be checked then. */
void hd_run_finish(struct hd_run *run);

/* --- hear.c: a hook of the model's log (`ctx` is the run), which keeps the events ----------------------------- */

void hd_run_hear(void *ctx, const struct hd_model *m, unsigned event, const uint64_t arg[4]);

/* --- reset.c: what a reset is like depends on seed + segment, so that a stretch alone repeats it ----------- */

/* Cycles of random traffic from reset number `segment` to the next: one long stretch, then several short ones, and so on. */
uint64_t hd_run_stretch(const struct hd_cosim_job *job, uint64_t segment);
struct hd_reset {
  unsigned cycles; /* rst is 1 for so many edges, 1 or more */
  bool busy;       /* under it the inputs are random, anew in each cycle; else 0 */
  bool alike; /* then all inputs are one number, in their width: what is compared with one another is equal */
  struct wl_rng rng;
};
struct hd_reset hd_reset_draw(const struct hd_cosim_job *job, uint64_t segment);
/* The inputs of one of its cycles, to both sides. */
void hd_reset_drive(struct hd_reset *r, struct hd_table *t);

#endif
