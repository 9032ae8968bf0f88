/* The lockstep loop; see run.h. */
#include "verif/harness/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmodel/model/wired.h"
#include "verif/dropin/env_dropin.h"
#include "workloads/workloads.h"

/* Returns true if the module has an input of this name. */
static bool hears(const struct hd_decl *d, const char *name) {
  for (size_t i = 0; i < d->n_rows; i++)
    if (d->rows[i].cls == HD_IN && !strcmp(d->rows[i].var, name))
      return true;
  return false;
}

enum hd_rc hd_run_attach(struct hd_run *run, const struct hd_cosim_job *job, struct hd_dut_lib *lib,
                         struct wl_source *source, struct hd_why *why) {
  *run = (struct hd_run){
      .job = job, .lib = *lib, .decl = hd_design_find(job->design, job->module), .source = source};
  *lib = (struct hd_dut_lib){0};
  run->ops = run->decl ? hd_model_ops_of(run->decl) : NULL;
  run->log.hook = hd_run_hear;
  run->log.ctx = run;
  if (!run->decl || !run->ops)
    return hd_because(why, HD_INPUT, "%s: no such module in this machine", job->module);
  run->dut = run->lib.api->open(job->seed);
  run->model = hd_model_new(job->design, job->module, true, &run->log);
  run->in = calloc(1, run->decl->in_size);
  run->out = calloc(1, run->decl->out_size);
  if (!run->dut || !run->model || !run->in || !run->out || !hd_alloc_in(run->decl, run->in) ||
      !hd_alloc_out(run->decl, run->out))
    return hd_because(why, HD_TOOL, "out of memory");
  struct hd_why wrong;
  enum hd_rc rc =
      hd_table_make(&run->table, run->decl, run->lib.api, run->dut, run->model, run->in, run->out, &wrong);
  run->table.wake =
      hears(run->decl, "woken") ? 0 : job->design->c->d.WAKE; /* with `woken` the environment wakes rows */
  if (rc == HD_CHECK && job->rtl)
    rc = hd_because(why, HD_INPUT, "%s/%s", job->rtl, wrong.text);
  else if (rc != HD_OK)
    rc = hd_because(why, rc, "the generated %s", wrong.text);
  if (rc == HD_OK && job->fault && !job->gpu) /* in a GPU the name may belong to either module */
    rc = hd_fault_find(&run->table, job->fault, &run->fault, why);
  if (rc == HD_OK) {
    run->columns = hd_table_columns(&run->table, run->column, HD_COLUMNS);
    hd_randomize(&run->table, job->seed);
  }
  if (rc == HD_OK && job->watch)
    rc = job->watch->open(job->watch->ctx, run, why);
  return rc;
}

enum hd_rc hd_run_open(struct hd_run *run, const struct hd_cosim_job *job, bool traced, struct hd_why *why) {
  *run = (struct hd_run){.job = job};
  const struct hd_decl *decl = hd_design_find(job->design, job->module);
  if (!decl)
    return hd_because(why, HD_INPUT, "%s: no such module in this machine", job->module);
  struct hd_dut_lib lib = {0};
  /* Errors in the job's texts are reported before minutes of compiling. */
  char err[256];
  struct wl_source *source = job->workload ? wl_open(job->workload, err, sizeof err) : NULL;
  enum hd_rc rc = job->workload && !source ? hd_because(why, HD_INPUT, "%s", err) : HD_OK;
  if (rc == HD_OK && job->fault && !job->gpu) /* in a GPU the name may belong to either module */
    rc = hd_fault_check(decl, job->fault, why);
  const bool quick = job->cycles && job->cycles <= HD_DUT_FEW;
  const struct hd_dut_want want = {.rtl = job->rtl, .traced = traced, .quick = quick, .inside = job->inside};
  if (rc == HD_OK)
    rc = hd_dut_build(job->design, job->module, job->work, want, &lib, why);
  if (rc == HD_OK)
    return hd_run_attach(run, job, &lib, source, why);
  if (source)
    source->ops->close(source);
  hd_dut_unload(&lib);
  return rc;
}

void hd_run_close(struct hd_run *run) {
  if (run->env)
    run->env->ops->close(run->env);
  if (run->source)
    run->source->ops->close(run->source);
  hd_table_free(&run->table);
  if (run->in)
    hd_free_in(run->decl, run->in);
  if (run->out)
    hd_free_out(run->decl, run->out);
  free(run->in);
  free(run->out);
  hd_model_free(run->model);
  if (run->dut)
    run->lib.api->close(run->dut);
  hd_dut_unload(&run->lib);
}

static void stop(struct hd_run *run, enum hd_stop why, const char *text) {
  run->stop = why;
  snprintf(run->text, sizeof run->text, "%s", text);
}

/* A check of the environment failed. */
static void wrong(struct hd_run *run) {
  if (run->env->unfit)
    hd_because(&run->why, HD_INPUT, "%s", run->env->text);
  stop(run, run->env->unfit ? HD_IMPOSSIBLE : HD_WRONG, run->env->text);
}

static void differ(struct hd_run *run, enum hd_moment moment) {
  run->stop = HD_DIFFERS;
  run->moment = moment;
  run->diffs = hd_differences(&run->table, moment, run->diff, HD_DIFFS);
}

void hd_run_clock(struct hd_run *run, uint8_t level) {
  *run->table.clk.data = level;
  run->lib.api->eval(run->dut);
}

/* Makes a new environment and a reset, at power-up or in mid-flight. After it all inputs are 0. State without a reset value is the RTL's,
 * copied to the model. */
static void reset(struct hd_run *run, bool compare) {
  struct hd_table *t = &run->table;
  const struct hd_env_job env = {.design = run->job->design,
                                 .module = run->job->module,
                                 .seed = run->job->seed + run->segment,
                                 .source = run->source,
                                 .random = run->job->workload == NULL,
                                 .storm = run->job->storm};
  if (run->env)
    run->env->ops->close(run->env);
  run->env = NULL;
  if (run->surround)
    run->env = run->surround(run->ctx, &env, &run->why);
  else
    hd_env_open(&env, &run->env, &run->why);
  if (!run->env) {
    run->stop = HD_IMPOSSIBLE;
    return;
  }
  struct hd_reset drawn = hd_reset_draw(run->job, run->segment);
  *t->reset.data = 1;
  for (unsigned i = 0; i < drawn.cycles; i++) {
    hd_reset_drive(&drawn, t);
    hd_run_clock(run, 0);
    hd_run_clock(run, 1);
  }
  for (size_t i = 0; i < t->in.n; i++)
    memset(t->in.cell[i].model, 0, t->in.cell[i].row->count * sizeof(uint64_t));
  hd_drive_inputs(t);
  *t->reset.data = 0;
  run->started = run->moved = run->cycle;
  run->stretch = hd_run_stretch(run->job, run->segment);
  run->checked = 0;
  if (run->job->watch)
    run->job->watch->reset(run->job->watch->ctx, run);
  if (run->job->no_compare)
    return;
  hd_model_reset(run->model);
  hd_copy_state(t, false);
  if (!compare)
    return;
  const bool state = hd_state_agrees(t), memories = hd_memories_agree(t, &run->values);
  if (!state || !memories) {
    differ(run, HD_AT_STATE);
    run->after_reset = true;
  }
}

static void remember(struct hd_run *run) {
  uint64_t *row = run->history[run->cycle % HD_HISTORY];
  for (unsigned i = 0; i < run->columns; i++)
    row[i] = *run->column[i]->model;
}

void hd_run_strike(struct hd_run *run, enum hd_moment moment) {
  const struct hd_fault *f = &run->fault;
  if (!f->there || f->cycle != run->cycle || f->moment != moment)
    return;
  hd_fault_strike(f);
  if (f->rtl.byte && moment == HD_AT_STATE)
    run->lib.api->settle(run->dut);
}

static void sample(struct hd_run *run, uint64_t time) {
  hd_show_model(&run->table);
  run->lib.api->sample(run->dut, time);
}

/* Calls the watch. Returns false if it ends the run. */
static bool watched(struct hd_run *run) {
  const struct hd_watch *watch = run->job->watch;
  switch (watch->settled(watch->ctx, run, &run->why)) {
  case HD_WATCH_ENOUGH:
    run->stop = run->guest ? HD_RUNS : HD_SEEN;
    return run->guest;
  case HD_WATCH_WRONG:
    run->stop = HD_REFUSED;
    return false;
  default:
    return true;
  }
}

/* Runs one cycle of both sides, as cmodel/model/models.h describes it. */
static void both(struct hd_run *run) {
  struct hd_table *t = &run->table;
  const bool compare = !run->window, show = run->window && run->cycle >= run->window->from;
  run->log.cycle = run->cycle;
  run->ops->moore(run->model, run->out);
  run->env->ops->drive(run->env, run->out, run->in);
  hd_drive_inputs(t);
  hd_run_clock(run, 0);
  if (run->ops->mealy)
    run->ops->mealy(run->model, run->in, run->out);
  hd_run_strike(run, HD_AT_OUTPUTS);
  if (show)
    sample(run, 2 * run->cycle);
  remember(run);
  if (compare && !hd_outputs_agree(t)) {
    differ(run, HD_AT_OUTPUTS);
    return;
  }
  run->values += t->out.elements;
  if (!run->env->ops->clock(run->env, run->in, run->out)) {
    wrong(run);
    return;
  }
  hd_run_strike(run, HD_AT_OUTPUTS); /* restores the bit: the RTL may not write this port again for long */
  hd_note_writes(t);
  if (run->job->watch && !watched(run))
    return;
  if (run->job->inside)
    hd_note_accesses(t);
  run->ops->tick(run->model, run->in);
  hd_run_strike(run, HD_AT_LATE);
  if (compare && !hd_late_agrees(t)) {
    differ(run, HD_AT_LATE);
    return;
  }
  run->values += t->late.elements;
  hd_run_strike(run, HD_AT_LATE);
  if (run->env->late)
    run->env->late(run->env, (const char *)run->model + run->decl->late_offset);
  hd_run_clock(run, 1);
  hd_run_strike(run, HD_AT_STATE);
  if (show) {
    run->ops->moore(run->model, run->out);
    sample(run, 2 * run->cycle + 1);
  }
  if (!compare)
    return;
  bool same = hd_state_agrees(t);
  same &= hd_writes_agree(t, &run->values);
  if (run->cycle % HD_SWEEP == HD_SWEEP - 1)
    same &= hd_memories_agree(t, &run->values);
  if (!same) {
    differ(run, HD_AT_STATE);
    return;
  }
  run->values += t->state.elements;
  if (run->job->inside && !hd_accesses_agree(t, run->text, sizeof run->text))
    run->stop = HD_WRONG;
}

/* Runs one cycle of the RTL alone. */
static void rtl_alone(struct hd_run *run) {
  struct hd_table *t = &run->table;
  hd_read_outputs(t, HD_OUT);
  run->env->ops->drive(run->env, run->out, run->in);
  hd_drive_inputs(t);
  hd_run_clock(run, 0);
  hd_read_outputs(t, HD_MEALY);
  if (!run->env->ops->clock(run->env, run->in, run->out))
    wrong(run);
  hd_run_clock(run, 1);
}

/* Stops the run as a deadlock if nothing has moved since the last call. */
static void look_for_deadlock(struct hd_run *run) {
  const uint64_t state = hd_state_hash(&run->table);
  if (state == run->state && run->env->checked == run->checked) {
    snprintf(run->text, sizeof run->text, "no register changed and nothing was answered for %d cycles",
             (int)HD_STUCK);
    run->stop = HD_DEADLOCK;
  }
  run->moved = run->cycle;
  run->state = state;
  run->checked = run->env->checked;
}

void hd_run_finish(struct hd_run *run) {
  if (!run->env->ops->finish(run->env))
    stop(run, HD_WRONG, run->env->text);
  else if (!run->window && !run->job->no_compare && !hd_memories_agree(&run->table, &run->values))
    differ(run, HD_AT_STATE);
  else
    run->stop = HD_ENDED;
}

void hd_run_between(struct hd_run *run) {
  const struct hd_cosim_job *job = run->job;
  if (run->env->ops->done(run->env)) {
    hd_run_finish(run);
  } else if (job->workload) {
    if (job->cycles && run->cycle >= job->cycles)
      run->stop = HD_LIMIT;
  } else if (run->cycle >= job->cycles) {
    run->env->stop = true;
    if (run->cycle >= job->cycles + HD_DRAIN) {
      snprintf(run->text, sizeof run->text, "%d cycles after the last new work some of it is still inside",
               (int)HD_DRAIN);
      run->stop = HD_DEADLOCK;
    }
  } else if (run->cycle == run->started + run->stretch) {
    run->facts += run->env->checked;
    run->segment++;
    reset(run, !run->window);
    return;
  }
  if (run->stop == HD_RUNS && !run->host && run->cycle == run->moved + HD_STUCK)
    look_for_deadlock(run);
}

uint64_t hd_run_undisturbed(const struct hd_run *run) {
  const struct hd_cosim_job *job = run->job;
  const uint64_t due[] = {
      run->moved + HD_STUCK,
      job->workload              ? job->cycles ? job->cycles : UINT64_MAX
      : run->cycle < job->cycles ? job->cycles
                                 : job->cycles + HD_DRAIN,
      job->workload || run->cycle >= job->cycles ? UINT64_MAX : run->started + run->stretch,
      (run->cycle / HD_SWEEP + 1) * HD_SWEEP,
  };
  uint64_t until = due[0];
  for (size_t i = 1; i < sizeof due / sizeof *due; i++)
    until = due[i] < until ? due[i] : until;
  return until - run->cycle;
}

void hd_run_progress(struct hd_run *run) {
  struct timespec now;
  if (!run->job->progress)
    return;
  clock_gettime(CLOCK_MONOTONIC, &now);
  const double t = (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
  if (t < run->tell_at)
    return;
  run->tell_at = t + 0.1;
  run->job->progress(run->job->user, run->cycle, run->job->cycles);
}

void hd_run_begin(struct hd_run *run, const struct hd_window *window) {
  run->window = window;
  reset(run, !window);
  if (run->stop == HD_RUNS && !run->job->workload && run->job->cycles == 0)
    run->stop = HD_ENDED;
  if (window && window->path && run->stop == HD_RUNS && !run->lib.api->trace(run->dut, window->path))
    stop(run, HD_IMPOSSIBLE, "no wave file");
}

void hd_run_step(struct hd_run *run) {
  if (run->stop == HD_RUNS && !run->guest)
    hd_run_between(run);
  if (run->stop != HD_RUNS)
    return;
  if (run->job->no_compare)
    rtl_alone(run);
  else
    both(run);
  if (run->stop == HD_RUNS)
    run->cycle++;
  if (run->cycle % 512 == 0)
    hd_run_progress(run);
  if (run->stop == HD_RUNS && run->window && run->cycle > run->window->to)
    run->stop = HD_SEEN;
}

void hd_run_end(struct hd_run *run) {
  if (run->env)
    run->facts += run->env->checked;
}

void hd_run_go(struct hd_run *run, const struct hd_window *window) {
  hd_run_begin(run, window);
  while (run->stop == HD_RUNS)
    hd_run_step(run);
  hd_run_end(run);
}
