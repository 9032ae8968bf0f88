/* Runs in child processes, so that all cores are busy, and the progress meanwhile.
 *
 * Invariant: whatever happens to a child, its run gets a result and the others go on. Children end with
 * this program, and write only to it.
 */
#include "base/alloc.h"
#include "cli/sim/run_set.h"
#include "cli/sim/sim.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TICK_MS = 500, MAX_JOBS = 1024 };

struct child {
  struct hd_run *run;
  pid_t pid;
  size_t threads;
  char *text; /* its output so far */
  size_t size;
};

struct pool {
  struct hd_run_set *m;
  size_t *order; /* order of the runs without a result */
  struct child child[MAX_JOBS];
  struct pollfd pipe[MAX_JOBS];   /* the pipe of each child */
  size_t children, jobs, threads; /* threads: of all children; jobs: the limit of that */
  struct hd_run **lost;           /* to be started again */
  size_t n_lost;
  size_t next;       /* number of runs in `order` that were started */
  size_t todo, done; /* todo: runs without a result at the start */
  double cost, done_cost;
};

/* --- a child -------------------------------------------------------------------------------------------- */

/* Writes {"exit_code", "error", "figures"} to the pipe and ends. */
static _Noreturn void be_child(const struct hd_run_set *m, const struct hd_run *run, size_t threads, int to) {
  struct hd_args one = *m->args;
  one.workload = run->workload;
  one.jobs = threads;
  hd_progress_off();
  struct hd_why why = {""};
  json_t *figures = NULL;
  FILE *report = fopen("/dev/null", "w"), *out = fdopen(to, "w");
  if (!report || !out)
    _exit(HD_TOOL);
  const enum hd_rc rc = hd_cli_simulate(&one, run->machine, report, &figures, &why);
  if (rc == HD_OK && !figures)
    _exit(HD_TOOL);
  json_t *said = json_pack("{s:i, s:o, s:o}", "exit_code", (int)rc, "error",
                           rc == HD_OK ? json_null() : hd_cli_text_json(why.text), "figures",
                           figures ? figures : json_null());
  if (!said || json_dumpf(said, out, JSON_COMPACT) || fclose(out))
    _exit(HD_TOOL);
  _exit(HD_OK);
}

/* Returns the result of a run that did not give one itself. */
static json_t *failure(enum hd_rc rc, const char *error) {
  return json_pack("{s:i, s:s}", "exit_code", (int)rc, "error", error);
}

/* Returns NULL if the run is lost and may be started again. */
static json_t *result_of(const struct hd_run_set *m, const struct child *child, int status) {
  char error[128];
  json_t *said = json_loadb(child->text ? child->text : "", child->size, 0, NULL), *result;
  if ((status || !said) && child->run->lost++ < m->retries) {
    json_decref(said);
    return NULL;
  }
  if (WIFSIGNALED(status)) {
    snprintf(error, sizeof error, "killed by signal %d, %s%s", WTERMSIG(status), strsignal(WTERMSIG(status)),
             WTERMSIG(status) == SIGKILL ? "; by hand, or by the system when memory ran out" : "");
    result = failure(HD_TOOL, error);
  } else if (WEXITSTATUS(status) || !said) {
    snprintf(error, sizeof error, "ended with exit code %d and no answer", WEXITSTATUS(status));
    result = failure(HD_TOOL, error);
  } else {
    result = json_pack("{s:O, s:O}", "exit_code", json_object_get(said, "exit_code"), "error",
                       json_object_get(said, "error"));
    json_object_update(result, json_object_get(said, "figures"));
  }
  json_decref(said);
  return result;
}

/* --- the pool ------------------------------------------------------------------------------------------- */

/* Takes the result of a run: reports a failure, keeps a good result. */
static enum hd_rc finish(struct pool *p, struct hd_run *run, json_t *result, const struct rusage *used,
                         struct hd_why *why) {
  const double cpu = (double)(used->ru_utime.tv_sec + used->ru_stime.tv_sec) +
                     1e-6 * (double)(used->ru_utime.tv_usec + used->ru_stime.tv_usec);
  json_object_set_new(result, "workload", json_string(run->workload));
  json_object_set_new(result, "cpu_seconds", json_real(cpu));
  json_object_set_new(result, "peak_rss_kib", json_integer(used->ru_maxrss));
  run->result = result;
  p->done++;
  p->done_cost += run->cost;
  if (hd_run_rc(run) != HD_OK)
    hd_progress_say("heddle %s: %s on %s: %s\n", p->m->verb, run->workload, run->name, hd_run_error(run));
  if (p->m->keep)
    return p->m->keep(p->m, run, why);
  if (hd_run_rc(run) == HD_OK)
    return p->m->store ? hd_store_keep(p->m->store, run->key, run->result, why) : HD_OK;
  return HD_OK;
}

/* Returns the threads of the next run. If fewer runs are left than may run at a time, they share the free
 * threads. */
static size_t threads_of_next(const struct pool *p) {
  const size_t left = p->n_lost + p->todo - p->next, free = p->jobs - p->threads;
  return left < free ? free / left : 1;
}

/* Starts a child for the run. Returns false if the system allows no more now. */
static bool start(struct pool *p, struct hd_run *run) {
  const size_t threads = threads_of_next(p);
  int ends[2];
  if (pipe(ends))
    return false;
  fflush(NULL);
  const pid_t pid = hd_fork();
  if (pid == 0) {
    close(ends[0]);
    hd_store_leave(p->m->store);
    be_child(p->m, run, threads, ends[1]);
  }
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    return false;
  }
  p->child[p->children] = (struct child){.run = run, .pid = pid, .threads = threads};
  p->threads += threads;
  p->pipe[p->children++] = (struct pollfd){.fd = ends[0], .events = POLLIN};
  return true;
}

static enum hd_rc fill(struct pool *p, struct hd_why *why) {
  enum hd_rc rc = HD_OK;
  while ((p->n_lost || p->next < p->todo) && p->threads < p->jobs) {
    struct hd_run *run = p->n_lost ? p->lost[p->n_lost - 1] : &p->m->run[p->order[p->next]];
    const bool started = start(p, run);
    if (!started && p->children)
      break; /* tried again when a child has ended */
    if (p->n_lost)
      p->n_lost--;
    else
      p->next++;
    if (started)
      continue;
    char *error = hd_format("cannot be started: %s", strerror(errno));
    rc = finish(p, run, failure(HD_TOOL, error), &(struct rusage){0}, why);
    free(error);
  }
  return rc;
}

/* Reads from child i; at the end of its output, takes the result. */
static enum hd_rc listen(struct pool *p, size_t i, struct hd_why *why) {
  struct child *child = &p->child[i];
  char bytes[65536];
  const ssize_t got = read(p->pipe[i].fd, bytes, sizeof bytes);
  if (got < 0 && errno == EINTR)
    return HD_OK;
  if (got > 0) {
    child->text = hd_resized(child->text, child->size + (size_t)got, 1);
    memcpy(child->text + child->size, bytes, (size_t)got);
    child->size += (size_t)got;
    return HD_OK;
  }
  int status = 0;
  struct rusage used = {0};
  while (wait4(child->pid, &status, 0, &used) < 0 && errno == EINTR)
    ;
  close(p->pipe[i].fd);
  json_t *result = result_of(p->m, child, status);
  if (!result) {
    hd_progress_say("heddle %s: %s on %s: its process was lost; it is started again\n", p->m->verb,
                    child->run->workload, child->run->name);
    p->lost[p->n_lost++] = child->run;
  }
  const enum hd_rc rc = result ? finish(p, child->run, result, &used, why) : HD_OK;
  free(child->text);
  p->threads -= child->threads;
  p->children--;
  memmove(child, child + 1, (p->children - i) * sizeof *child);
  memmove(&p->pipe[i], &p->pipe[i + 1], (p->children - i) * sizeof *p->pipe);
  return rc;
}

static void tell(const struct pool *p) {
  if (!p->children)
    return;
  char more[32] = "";
  if (p->children > 1)
    snprintf(more, sizeof more, " and %zu more", p->children - 1);
  char *what = hd_format("%s on %s", p->child[0].run->workload, p->child[0].run->name);
  hd_progress((struct hd_pace){p->done_cost, p->cost, (double)p->done, "runs"},
              "%zu of %zu runs done; now %.40s%s", p->done, p->todo, what, more);
  free(what);
}

enum hd_rc hd_run_set_pool(struct hd_run_set *m, struct hd_why *why) {
  struct pool *p = hd_zeroed(1, sizeof *p);
  p->m = m;
  p->jobs = hd_cli_jobs(m->args);
  p->jobs = p->jobs < MAX_JOBS ? p->jobs : MAX_JOBS;
  if (m->runs - m->there > 1)
    hd_run_set_costs(m);
  p->order = hd_run_set_open(m, &p->todo);
  p->lost = hd_zeroed(p->todo, sizeof *p->lost);
  for (size_t i = 0; i < p->todo; i++)
    p->cost += m->run[p->order[i]].cost;
  enum hd_rc rc = HD_OK;
  while (p->done < p->todo) {
    enum hd_rc one = fill(p, why);
    rc = one != HD_OK ? one : rc;
    tell(p);
    if (p->children && poll(p->pipe, p->children, TICK_MS) <= 0)
      continue;
    for (size_t i = p->children; i-- > 0;)
      if (p->pipe[i].revents) {
        one = listen(p, i, why);
        rc = one != HD_OK ? one : rc;
      }
  }
  hd_progress_end();
  free(p->order);
  free(p->lost);
  free(p);
  return rc;
}
