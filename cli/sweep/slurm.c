/* Submits the runs as job arrays of Slurm, and waits for the results.
 *
 * Invariant: at most one array per store is active at a time. Its name is that of its directory in the
 * store's spool. The directory exists before the array, and is removed when all results are in the store. A
 * later program finds the array by that name.
 */
#include "base/programs.h"
#include "cli/sweep/sweep.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* MOST_SHARDS: Slurm's default for the largest array is 1001. SHARDS_A_SLOT: several shards per slot, so
 * that wrong predictions even out. */
enum {
  MOST_SHARDS = 1000,
  SHARDS_A_SLOT = 4,
  POLL_S = 1,
  ASK_S = 4,
  LIMIT_S = 120,
  SILENT_S = 300,
  TRIES = 5
};

/* True if a program of Slurm failed because the controller is away, busy or starting, not because it
 * refused. */
static bool is_away(int status, const char *said) {
  static const char *const signs[] = {"contact slurm controller",
                                      "contact controller",
                                      "timed out",
                                      "Zero Bytes",
                                      "standby mode",
                                      "temporarily",
                                      "Connection refused",
                                      "Connection reset",
                                      "communication"};
  if (status == HD_RUN_TIMEOUT)
    return true;
  for (size_t i = 0; said && i < sizeof signs / sizeof *signs; i++)
    if (strstr(said, signs[i]))
      return true;
  return false;
}

/* Returns the output of a program of Slurm, to be freed, or NULL with a message. *away: the result of
 * is_away. */
static char *ask(const char *const argv[], const char *dir, bool *away, struct hd_why *why) {
  char *log = hd_format("%s/asked", dir);
  const int status = hd_run(argv, NULL, log, LIMIT_S);
  char *text = hd_slurp(log);
  if (status) {
    *away = is_away(status, text);
    if (status == HD_RUN_TIMEOUT)
      hd_because(why, HD_TOOL, "%s did not end in %d s", argv[0], LIMIT_S);
    else
      hd_because(why, HD_TOOL, "%s failed: %.*s", argv[0], text ? (int)strcspn(text, "\n") : 0,
                 text ? text : "");
    free(text);
    text = NULL;
  }
  unlink(log);
  free(log);
  return text;
}

static time_t seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec;
}

struct array {
  const char *spool, *name, *verb;
  bool at_work; /* some of its tasks wait or run */
  unsigned running;
  time_t answered; /* time of Slurm's last answer */
  bool silent;     /* the last question was not answered */
};

/* Asks for the state of the array. The controller may be away for a while; HD_TOOL after SILENT_S. */
static enum hd_rc look(struct array *a, struct hd_why *why) {
  bool away;
  char *text =
      ask((const char *const[]){"squeue", "-h", "-r", "-n", a->name, "-o", "%T", NULL}, a->spool, &away, why);
  if (!text) {
    if (!a->silent)
      hd_progress_say("heddle %s: %s; it is asked again\n", a->verb, why->text);
    a->silent = true;
    if (seconds() - a->answered < SILENT_S)
      return HD_OK;
    const struct hd_why last = *why;
    return hd_because(why, HD_TOOL,
                      "%s; so for %d minutes; the jobs may go on, and the same command takes their results",
                      last.text, SILENT_S / 60);
  }
  a->silent = false;
  a->answered = seconds();
  a->at_work = *text;
  a->running = 0;
  for (const char *at = text; (at = strstr(at, "RUNNING")); at++)
    a->running++;
  free(text);
  return HD_OK;
}

/* Returns the number of tasks at a time: the CPUs of all nodes; 1 if Slurm does not say. */
static size_t slots(const char *spool) {
  struct hd_why why;
  bool away;
  char *text = ask((const char *const[]){"sinfo", "-h", "-o", "%C", NULL}, spool, &away, &why);
  size_t all = 0;
  for (char *line = text; line && *line; line += strcspn(line, "\n") + (line[strcspn(line, "\n")] != 0)) {
    unsigned total = 0; /* allocated/idle/other/total */
    if (sscanf(line, "%*u/%*u/%*u/%u", &total) == 1)
      all += total;
  }
  free(text);
  return all ? all : 1;
}

static char *quoted(const char *text) {
  char *out = hd_format("'");
  for (; *text; text++) {
    char *more = *text == '\'' ? hd_format("%s'\\''", out) : hd_format("%s%c", out, *text);
    free(out);
    out = more;
  }
  char *all = hd_format("%s'", out);
  free(out);
  return all;
}

/* Returns the command of a task. */
static char *command(const struct hd_run_set *set, const char *dir) {
  char program[PATH_MAX], place[PATH_MAX];
  const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
  program[n > 0 ? n : 0] = 0;
  char *self = quoted(program), *where = quoted(realpath(dir, place) ? place : dir);
  char *text =
      hd_format("exec %s sweep %s --shard $SLURM_ARRAY_TASK_ID -j ${SLURM_CPUS_PER_TASK:-1} "
                "--retries %llu --max-cycles %llu",
                self, where, (unsigned long long)set->args->retries, (unsigned long long)set->args->cycles);
  free(self);
  free(where);
  return text;
}

static enum hd_rc submit_once(const struct hd_run_set *set, const char *dir, const char *name, size_t shards,
                              bool *away, struct hd_why *why) {
  char *array = set->args->jobs
                    ? hd_format("--array=0-%zu%%%llu", shards - 1, (unsigned long long)set->args->jobs)
                    : hd_format("--array=0-%zu", shards - 1);
  char *wrap = command(set, dir), *job = hd_format("--job-name=%s", name),
       *out = hd_format("--output=%s/log.%%a", dir);
  char *said = ask((const char *const[]){"sbatch", "--parsable", job, array, out, "--wrap", wrap, NULL}, dir,
                   away, why);
  if (said)
    hd_progress_say("heddle %s: job %.*s, %s: %zu shards; scancel -n %s ends it\n", set->verb,
                    (int)strcspn(said, "\n"), said, name, shards, name);
  const enum hd_rc rc = said ? HD_OK : HD_TOOL;
  free(said);
  free(out);
  free(job);
  free(wrap);
  free(array);
  return rc;
}

/* Submits the array. Tries again if the controller is away, for example while it restarts. The answer of an
 * sbatch may be lost, so the array may exist anyway. *unknown: Slurm did not say whether it exists. */
static enum hd_rc submit(const struct hd_run_set *set, const char *spool, const char *name, size_t shards,
                         bool *unknown, struct hd_why *why) {
  char *dir = hd_format("%s/%s", spool, name);
  struct array array = {.spool = spool, .name = name, .answered = seconds()};
  bool away = false;
  enum hd_rc rc = submit_once(set, dir, name, shards, &away, why);
  for (unsigned wait = 1, tried = 1; rc != HD_OK && away && tried < TRIES; wait *= 2, tried++) {
    hd_progress_say("heddle %s: %s; it is tried again in %u s, %u of %d\n", set->verb, why->text, wait,
                    tried + 1, TRIES);
    nanosleep(&(struct timespec){wait, 0}, NULL);
    struct hd_why ignored;
    look(&array, &ignored);
    if (array.at_work)
      hd_progress_say("heddle %s: %s is there: the answer to its sbatch was lost\n", set->verb, name);
    rc = array.at_work ? HD_OK : submit_once(set, dir, name, shards, &away, why);
  }
  *unknown = rc != HD_OK && away && array.silent;
  free(dir);
  return rc;
}

static void tell(const struct hd_run_set *set, double all, size_t todo, unsigned running) {
  size_t done = 0;
  double cost = 0;
  for (size_t i = 0; i < set->runs; i++)
    if (set->run[i].result && set->run[i].cost > 0) {
      done++;
      cost += set->run[i].cost;
    }
  hd_progress((struct hd_pace){cost, all, (double)done, "runs"}, "%zu of %zu runs done; %u shards run", done,
              todo, running);
}

/* Takes results until the array has ended, then removes its directory. */
static enum hd_rc wait_for(struct hd_run_set *set, const char *spool, const char *name, struct hd_why *why) {
  char *dir = hd_format("%s/%s", spool, name);
  json_t *taken = json_object();
  enum hd_rc rc = HD_OK;
  double all = 0;
  size_t todo = 0;
  for (size_t i = 0; i < set->runs; i++)
    if (!set->run[i].result) {
      todo++;
      all += set->run[i].cost;
    }
  struct array array = {
      .spool = spool, .name = name, .verb = set->verb, .at_work = true, .answered = seconds()};
  for (unsigned second = 0; array.at_work && rc == HD_OK; second += POLL_S) {
    const enum hd_rc looked = second % ASK_S == 0 ? look(&array, why) : HD_OK;
    if (array.at_work && looked == HD_OK)
      nanosleep(&(struct timespec){POLL_S, 0}, NULL);
    struct hd_why merged;
    rc = hd_spool_merge(set, dir, taken, &merged); /* all results of an ended task are there */
    if (rc != HD_OK)
      *why = merged;
    rc = rc == HD_OK ? looked : rc;
    tell(set, all, todo, array.running);
  }
  hd_progress_end();
  if (rc == HD_OK)
    hd_spool_remove(dir);
  json_decref(taken);
  free(dir);
  return rc;
}

/* Continues the arrays that an earlier program left: waits for each and takes its results. */
static enum hd_rc take_up(struct hd_run_set *set, const char *spool, struct hd_why *why) {
  DIR *d = opendir(spool);
  enum hd_rc rc = HD_OK;
  for (struct dirent *e; d && rc == HD_OK && (e = readdir(d));)
    if (*e->d_name != '.' && !strncmp(e->d_name, "heddle-", 7)) {
      hd_progress_say("heddle %s: %s is of an earlier sweep or list; its results are taken\n", set->verb,
                      e->d_name);
      rc = wait_for(set, spool, e->d_name, why);
    }
  if (d)
    closedir(d);
  return rc;
}

/* Counts the runs that came back neither good nor failed. A run that was lost too often has failed. */
static void count_lost(struct hd_run_set *set) {
  for (size_t i = 0; i < set->runs; i++) {
    struct hd_run *run = &set->run[i];
    if (run->result)
      continue;
    hd_progress_say("heddle %s: %s on %s: its job was lost\n", set->verb, run->workload, run->name);
    if (++run->lost > set->args->retries)
      run->result =
          json_pack("{s:i, s:s, s:s, s:f, s:i}", "exit_code", HD_TOOL, "error", "its job was lost each time",
                    "workload", run->workload, "cpu_seconds", 0.0, "peak_rss_kib", 0);
  }
}

/* Runs all runs without a result as one array. */
static enum hd_rc run_array(struct hd_run_set *set, const char *spool, struct hd_why *why) {
  size_t n;
  size_t *order = hd_run_set_open(set, &n);
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  char *seed = hd_format("%s %lld.%ld %ld", spool, (long long)now.tv_sec, now.tv_nsec, (long)getpid());
  char *name = hd_format("heddle-%016llx", (unsigned long long)hd_hash_text(HD_HASH_START, seed));
  char *dir = hd_format("%s/%s", spool, name);
  size_t shards = SHARDS_A_SLOT * (set->args->jobs ? set->args->jobs : slots(spool));
  shards = shards > n ? n : shards;
  shards = shards > MOST_SHARDS ? MOST_SHARDS : shards;
  enum hd_rc rc = hd_spool_write(set, order, n, shards, dir, why);
  bool unknown = false;
  if (rc == HD_OK)
    rc = submit(set, spool, name, shards, &unknown, why);
  if (rc == HD_OK)
    rc = wait_for(set, spool, name, why);
  else if (!unknown) /* otherwise the next sweep continues it */
    hd_spool_remove(dir);
  if (rc == HD_OK)
    count_lost(set);
  free(order);
  free(seed);
  free(name);
  free(dir);
  return rc;
}

/* Returns STORE.spool, or a directory below --spool, to be freed. Its name depends on the host and the
 * store's path, so that stores may share --spool. */
static char *spool_of(const struct hd_args *args) {
  if (!args->spool)
    return hd_format("%s.spool", args->store);
  char place[PATH_MAX], host[HOST_NAME_MAX + 1] = "";
  gethostname(host, sizeof host - 1);
  char *whose = hd_format("%s:%s", host, realpath(args->store, place) ? place : args->store),
       *spool =
           hd_format("%s/%016llx.spool", args->spool, (unsigned long long)hd_hash_text(HD_HASH_START, whose));
  free(whose);
  return spool;
}

enum hd_rc hd_sweep_slurm(struct hd_run_set *set, struct hd_why *why) {
  char *spool = spool_of(set->args);
  size_t open;
  free(hd_run_set_open(set, &open));
  if (!open && access(spool, F_OK)) { /* and no earlier program left an array */
    free(spool);
    return HD_OK;
  }
  enum hd_rc rc = hd_program_need(HD_SBATCH, why);
  if (rc == HD_OK && !hd_make_dirs(spool))
    rc = hd_because(why, HD_INPUT, "%s cannot be made: %s", spool, strerror(errno));
  if (rc == HD_OK) {
    hd_run_set_costs(set);
    rc = take_up(set, spool, why);
  }
  while (rc == HD_OK) {
    free(hd_run_set_open(set, &open));
    if (!open)
      break;
    rc = run_array(set, spool, why);
  }
  if (rc == HD_OK)
    rmdir(spool);
  free(spool);
  return rc;
}
