/* `heddle cosim`: a lockstep run and, if it fails, its report; see cosim.h. */
#include "verif/harness/cosim.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "verif/gpu/env_gpu.h"
#include "verif/harness/ahead.h"
#include "verif/report/mismatch_report.h"

enum { WAVES_BEFORE = 300, WAVES_AFTER = 4 }; /* cycles around the failure */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void count_event(struct hd_cosim_report *r, const char *module, const char *event, uint64_t count) {
  char *name = hd_format("%s.%s", module, event);
  unsigned i = 0;
  while (i < r->n_events && strcmp(r->events[i].name, name))
    i++;
  if (i == r->n_events) {
    r->events = hd_resized(r->events, i + 1, sizeof *r->events);
    r->events[r->n_events++] = (struct hd_event_count){.name = name};
  } else
    free(name);
  r->events_seen += !r->events[i].count && count;
  r->events[i].count += count;
}

/* Counts the events of a model and of its instances. `corner` events count only in the top. */
static void count_events(const struct hd_model *m, bool top, struct hd_cosim_report *r) {
  const struct hd_decl *d = m->decl;
  for (size_t i = 0; i < d->n_insts; i++)
    count_events(*(struct hd_model *const *)(const void *)((const char *)m + d->insts[i].offset), false, r);
  for (size_t i = 0; i < d->n_events; i++) {
    if (!d->events[i].when || (d->events[i].corner && !top))
      continue;
    count_event(r, d->module, d->events[i].name, m->ev[i]);
  }
}

/* The runs of a job: one module. With `gpu` there are two: the environment of SM 0 steps the bank as a guest. */
struct runs {
  struct hd_run run, bank;
  struct hd_cosim_job bank_job;
};

/* Opens the runs. `traced`: the module that writes waveforms, or NULL. Call close_runs in any case. */
static enum hd_rc open_runs(struct runs *r, const struct hd_cosim_job *job, const char *traced,
                            struct hd_why *why) {
  r->bank = (struct hd_run){0};
  enum hd_rc rc = hd_run_open(&r->run, job, traced && !strcmp(traced, job->module), why);
  if (rc != HD_OK || !job->gpu)
    return rc;
  r->bank_job = *job;
  r->bank_job.module = "l2_top";
  r->bank_job.workload = NULL;
  r->bank_job.cycles = UINT64_MAX;
  r->bank_job.progress = NULL;
  rc = hd_run_open(&r->bank, &r->bank_job, traced && !strcmp(traced, r->bank_job.module), why);
  if (rc != HD_OK)
    return rc;
  r->run.surround = hd_gpu_env;
  r->run.ctx = &r->bank;
  r->run.host = r->bank.guest = true;
  if (job->fault && hd_fault_find(&r->bank.table, job->fault, &r->bank.fault, NULL) != HD_OK) {
    r->bank.fault.there = false;
    rc = hd_fault_find(&r->run.table, job->fault, &r->run.fault, why);
  }
  return rc;
}

/* Runs to the end. The windows are those of hd_run_go. */
static void go(struct runs *r, const struct hd_window *window, const struct hd_window *of_bank) {
  r->bank.window = of_bank;
  hd_run_go(&r->run, window);
  if (r->run.job->gpu)
    hd_run_end(&r->bank);
}

/* go() with a fault on both sides. A run without the fault goes beside it until the two differ in anything but the bit itself. */
static enum hd_rc go_twice(struct runs *r, struct hd_cosim_report *report, struct hd_why *why) {
  struct hd_run plain, *run = &r->run;
  struct hd_cosim_job job = *run->job;
  struct hd_fault fault;
  job.progress = NULL;
  job.fault = NULL;
  enum hd_rc rc = hd_run_open(&plain, &job, false, why);
  if (rc == HD_OK)
    rc = hd_fault_find(&plain.table, run->job->fault, &fault, why);
  if (rc == HD_OK) {
    hd_run_begin(run, NULL);
    hd_run_begin(&plain, NULL);
    while (run->stop == HD_RUNS) {
      hd_run_step(run);
      if (!report->fault_read)
        hd_run_step(&plain);
      if (!report->fault_read && run->cycle > fault.cycle &&
          (run->stop != plain.stop || run->cycle != plain.cycle ||
           !hd_equal_but(&run->table, &plain.table, &run->fault.rtl, &fault.rtl, false))) {
        report->fault_read = true;
        report->fault_read_at = run->cycle;
      }
    }
    hd_run_end(run);
  }
  hd_run_close(&plain);
  return rc;
}

static void close_runs(struct runs *r) {
  hd_run_close(&r->run);
  hd_run_close(&r->bank);
}

static bool is_red(const struct hd_run *run) {
  return run->stop == HD_DIFFERS || run->stop == HD_WRONG || run->stop == HD_DEADLOCK ||
         run->stop == HD_REFUSED || run->stop == HD_IMPOSSIBLE;
}

/* Returns the run that tells how the job ended. An error of the bank ends SM 0's run too. */
static const struct hd_run *telling(const struct runs *r) {
  return is_red(&r->bank) ? &r->bank : &r->run;
}

/* Returns a job of the last segment alone: it has the seed of that segment and ends at the failing cycle. */
static struct hd_cosim_job last_segment(const struct hd_run *run, char **fault) {
  struct hd_cosim_job job = *run->job;
  job.watch = NULL;
  const uint64_t cycle = run->cycle - run->started;
  job.progress = NULL;
  if (!job.workload) {
    job.segment = hd_run_stretch(run->job, 0); /* the default depends on job.cycles, which changes */
    job.seed += run->segment;
    /* New work must end in the same cycle as in the failed run. */
    const uint64_t end = job.cycles > run->started ? job.cycles - run->started : 0;
    job.cycles = cycle + 1 < end ? cycle + 1 : end;
  } else
    job.cycles = cycle + 1;
  if (job.fault) {
    const int name = (int)strcspn(job.fault, "@");
    job.fault = *fault = hd_format("%.*s@%" PRIu64, name, job.fault, run->fault.cycle - run->started);
  }
  return job;
}

/* Returns true if the job fails in cycle `cycle` in the same way as the run `as`. */
static bool shows(const struct hd_cosim_job *job, const struct hd_run *as, uint64_t cycle) {
  struct hd_run run;
  bool same = hd_run_open(&run, job, false, NULL) == HD_OK;
  if (same) {
    hd_run_go(&run, NULL);
    same = run.stop == as->stop && run.cycle == cycle && run.moment == as->moment;
  }
  hd_run_close(&run);
  return same;
}

/* A stream and the text printed to it; free `text`. */
struct printed {
  char *text;
  size_t size;
  FILE *f;
};
static void print_to(struct printed *p) {
  p->f = hd_memory_open(&p->text, &p->size);
}

/* Writes a file of the failure's directory. If that fails it leaves no partial file, and adds the reason to s->unsaved. */
static bool save(struct hd_scene *s, const char *name, const char *text) {
  char *path = hd_format("%s/%s", s->dir, name);
  const bool good = hd_write_file(path, text);
  if (!good) {
    char *before = s->unsaved;
    s->unsaved = hd_format("%s%s%s cannot be written: %s", before ? before : "", before ? "; " : "", name,
                           strerror(errno));
    free(before);
    unlink(path);
  }
  free(path);
  return good;
}

/* Saves the configuration, because the user may change its file later. Returns the file for the printed command: the user's if there is
 * one, else the saved copy. */
static char *config_file(const struct hd_cosim_job *job, struct hd_scene *s) {
  struct printed yaml;
  print_to(&yaml);
  hd_config_print(job->design->c, yaml.f);
  hd_memory_close(yaml.f);
  save(s, "config.yaml", yaml.text);
  free(yaml.text);
  return job->config_path ? hd_format("%s", job->config_path) : hd_format("%s/config.yaml", s->dir);
}

/* Runs the failed stretch again, with a waveform around the failure. */
static void make_waves(struct hd_scene *s, const struct hd_run *failed) {
  struct runs r;
  struct hd_why why;
  char *path = hd_format("%s/wave.fst", s->dir);
  s->wave_from = s->again_cycle > WAVES_BEFORE ? s->again_cycle - WAVES_BEFORE : 0;
  s->wave_to = s->again_cycle + WAVES_AFTER;
  const struct hd_window window = {path, s->wave_from, s->wave_to}, aside = {NULL, UINT64_MAX, UINT64_MAX};
  if (open_runs(&r, s->again, failed->job->module, &why) == HD_OK) {
    go(&r, failed->guest ? &aside : &window, failed->guest ? &window : &aside);
    if (telling(&r)->stop == HD_IMPOSSIBLE)
      s->waves = hd_format("%s", telling(&r)->text);
  } else
    s->waves = hd_format("%s", why.text);
  close_runs(&r);
  if (!s->waves) {
    struct printed list;
    print_to(&list);
    hd_mismatch_gtkw(failed, s, list.f);
    hd_memory_close(list.f);
    s->listed = save(s, "wave.gtkw", list.text);
    free(list.text);
  }
  free(path);
}

/* Returns a job that reproduces a failure in a GPU: it ends in the cycle that SM 0 had reached. */
static struct hd_cosim_job up_to_here(const struct runs *r) {
  struct hd_cosim_job job = *r->run.job;
  job.watch = NULL;
  job.progress = NULL;
  job.cycles = r->run.cycle + 1;
  return job;
}

static void tell(const struct runs *r, struct hd_cosim_report *report) {
  const struct hd_run *run = telling(r);
  const struct hd_cosim_job *job = run->job;
  char *fault = NULL;
  struct hd_cosim_job alone = r->run.job->gpu ? up_to_here(r) : last_segment(run, &fault);
  struct hd_scene s = {.again = &alone, .again_cycle = run->cycle - run->started, .alone = true};
  if (r->run.job->workload || run->segment == 0)
    s.alone = false;
  else if (!shows(&alone, run, s.again_cycle)) {
    s.again =
        job; /* the failure depends on unreset state from earlier segments: the report's most useful line */
    s.again_cycle = run->cycle;
    s.alone = false;
  }
  s.dir = hd_format("%s/fail/%s-%s-%" PRIu64 "-%" PRIu64, job->work, job->design->c->name, job->module,
                    job->seed, run->cycle);
  hd_make_dirs(s.dir);
  s.config = config_file(job, &s);
  if (job->no_waves)
    s.waves = hd_format("%s", "not wanted");
  else
    make_waves(&s, run);
  report->failure = hd_mismatch_text(run, &s);
  save(&s, "report.txt", report->failure);
  json_t *json = hd_mismatch_json(run, &s);
  char *text = json_dumps(json, JSON_INDENT(2));
  json_decref(json);
  save(&s, "report.json", text ? text : "");
  free(text);
  report->failure_dir = s.dir;
  report->unsaved = s.unsaved;
  free(s.config);
  free(s.waves);
  free(fault);
}

/* The verdict on a run without differences. Returns HD_CHECK or HD_INPUT with the reason if it still has not passed. */
static enum hd_rc green(const struct runs *r, struct hd_cosim_report *report, struct hd_why *why) {
  const struct hd_cosim_job *job = r->run.job;
  for (const struct hd_run *run = &r->run; run; run = job->gpu && run == &r->run ? &r->bank : NULL) {
    if (run->cycle == 0 || (!job->no_compare && run->values == 0) || (job->gpu && run->facts == 0))
      return hd_because(why, HD_CHECK, "nothing was compared: the run of %s has %" PRIu64 " cycles%s",
                        run->job->module, run->cycle, run->cycle ? ", and it did nothing" : "");
    if (run->fault.there && run->fault.cycle >= run->cycle)
      return hd_because(why, HD_INPUT, "fault '%s': the run ended in cycle %" PRIu64, job->fault, run->cycle);
  }
  report->cut = r->run.stop == HD_LIMIT;
  return report->cut
             ? hd_because(why, HD_CHECK,
                          "%s is not done after the limit of %" PRIu64 " cycles; all of them were equal",
                          job->workload, job->cycles)
             : HD_OK;
}

/* Makes the report. Returns HD_CHECK with a short reason and the report's place. */
static enum hd_rc failed(const struct runs *r, struct hd_cosim_report *report, const char *what,
                         const char *how, struct hd_why *why) {
  const struct hd_run *run = telling(r);
  tell(r, report);
  return hd_because(why, HD_CHECK, "%s%s, cycle %" PRIu64 ": %s; see %s/report.txt%s%s", what,
                    run->job->module, run->cycle, how, report->failure_dir, report->unsaved ? ", but " : "",
                    report->unsaved ? report->unsaved : "");
}

static enum hd_rc verdict(const struct runs *r, struct hd_cosim_report *report, struct hd_why *why) {
  const struct hd_run *run = telling(r);
  const struct hd_cosim_job *job = run->job;
  switch (run->stop) {
  case HD_REFUSED:
    return hd_because(why, HD_CHECK, "%s", run->why.text);
  case HD_IMPOSSIBLE:
    return hd_because(why, HD_INPUT, "%s", run->why.text);
  case HD_DIFFERS:
    report->mismatches = 1;
    return failed(r, report, "lockstep mismatch in ", run->diff[0].name, why);
  case HD_WRONG:
  case HD_DEADLOCK:
    if (job->no_compare)
      return hd_because(why, HD_CHECK, "%s, cycle %" PRIu64 ": %s", job->module, run->cycle, run->text);
    return failed(r, report, "", run->text, why);
  default:
    return green(r, report, why);
  }
}

/* Runs the open runs. If two threads find something, one thread runs again: only that run has the history and the model's state of the
 * failing cycle. */
static enum hd_rc go_all(struct runs *r, const struct hd_cosim_job *job, struct hd_why *why) {
  const bool ahead = hd_ahead_fits(&r->run);
  if (ahead && hd_ahead_go(&r->run))
    return HD_OK;
  const uint64_t cycle = r->run.cycle;
  enum hd_rc rc = HD_OK;
  if (ahead) {
    close_runs(r);
    rc = open_runs(r, job, NULL, why);
  }
  if (rc == HD_OK)
    go(r, NULL, NULL);
  if (rc == HD_OK && ahead && !is_red(&r->run))
    rc = hd_because(why, HD_CHECK, "%s: two threads find in cycle %" PRIu64 " what one does not find",
                    job->module, cycle);
  return rc;
}

static void account(const struct runs *r, struct hd_cosim_report *report) {
  const struct hd_run *run = &r->run, *bank = &r->bank;
  report->cycles = run->cycle;
  report->values_compared = run->job->no_compare ? 0 : run->values + bank->values;
  report->facts_checked = run->facts + bank->facts;
  report->accesses = hd_accesses_counted(&run->table) + hd_accesses_counted(&bank->table);
  count_events(run->model, true, report);
  if (!run->job->gpu)
    return;
  count_events(bank->model, true, report);
  report->l2_cycles = bank->cycle;
  report->gpu_cycles = run->env ? hd_gpu_env_cycles(run->env) : 0;
}

enum hd_rc hd_cosim_run(const struct hd_cosim_job *job, struct hd_cosim_report *report, struct hd_why *why) {
  struct runs r;
  *report = (struct hd_cosim_report){.seed = job->seed};
  if (job->gpu && (!job->workload || !job->design->c->d.L2 || job->no_compare))
    return hd_because(why, HD_INPUT,
                      "lockstep in the whole GPU: allowed on a workload, with memory.kind = l2; found %s",
                      !job->workload          ? "none"
                      : !job->design->c->d.L2 ? "memory.kind = link"
                                              : "nothing to compare");
  double start = now();
  enum hd_rc rc = open_runs(&r, job, NULL, why);
  report->build_seconds = now() - start;
  if (rc == HD_OK) {
    start = now();
    report->fault_shared = r.run.fault.there && r.run.fault.rtl.byte && r.run.fault.model.byte && !job->gpu;
    if (report->fault_shared)
      rc = go_twice(&r, report, why);
    else
      rc = go_all(&r, job, why);
    report->run_seconds = now() - start;
    if (rc == HD_OK) {
      for (struct hd_run *run = &r.run; job->watch && run; run = job->gpu && run == &r.run ? &r.bank : NULL)
        job->watch->end(job->watch->ctx, run);
      account(&r, report);
      rc = verdict(&r, report, why);
    }
  }
  close_runs(&r);
  return rc;
}

void hd_cosim_free(struct hd_cosim_report *report) {
  for (unsigned i = 0; i < report->n_events; i++)
    free(report->events[i].name);
  free(report->events);
  free(report->failure);
  free(report->failure_dir);
  free(report->unsaved);
  *report = (struct hd_cosim_report){0};
}
