/* Several configurations x workloads: what `heddle sim` does when it is asked for more than one run.
 *
 * run_set.c makes the list of runs and goes through the stages; run_set_cost.c predicts how long each takes; run_set_pool.c runs
 * what is to be run, in children; run_set_table.c prints the results. A store (cli/store/store.h) keeps them between invocations.
 *
 * Invariant: a run's result is the answer of the single run with the same configuration and workload, whoever
 * computed it and when; a run that fails is told of and disturbs no other.
 */
#ifndef HEDDLE_CLI_RUN_SET_H
#define HEDDLE_CLI_RUN_SET_H

#include "cli/cli.h"
#include "cli/store/store.h"

struct hd_run {
  const heddle_machine *machine; /* loaded once for all its runs */
  const char *name;              /* of the machine */
  size_t number;                 /* of its workload in the set */
  const char *workload;
  json_t *key;              /* all that its result depends on; NULL: no store keeps it */
  struct hd_hash_text hash; /* of the key */
  json_t
      *result; /* workload, exit_code, error, cpu_seconds, peak_rss_kib, and if good the single run's figures;
                     NULL: not run yet */
  double cost; /* processor seconds, predicted; 0: not yet, or it is done */
  unsigned lost; /* so many times its process was killed, or crashed */
};

struct hd_run_set {
  const struct hd_args *args;
  const char *verb; /* whose messages they are */
  heddle_machine **machine;
  char **name;     /* of each machine, in tables and messages, to be freed; NULL: its configuration's */
  char **workload; /* each to be freed */
  struct hd_run *run;
  size_t machines, workloads, runs; /* in a table run i is workload i % workloads on machine i / workloads */
  struct hd_store *store;           /* NULL: none is kept */
  /* Keeps the result of a run that is done; NULL: a good one goes into the store, if there is one. */
  enum hd_rc (*keep)(const struct hd_run_set *m, const struct hd_run *run, struct hd_why *why);
  unsigned retries; /* a run that was lost is started again so many times */
  size_t there;     /* runs whose results were in the store */
};

/* Whether args ask for one run and its report alone: one configuration, one workload, none of them a list or a
 * suite, no table and no results wanted. */
bool hd_run_set_single(const struct hd_args *args);
/* The machines and workloads of its args, and all their runs. Problems are told, before any runs. */
enum hd_rc hd_run_set_load(struct hd_run_set *m, struct hd_why *why);
enum hd_rc hd_run_set(const struct hd_args *args, struct hd_why *why);

/* For a set that is not all workloads on all machines. The machine becomes the set's, with its name in tables. */
void hd_run_set_machine(struct hd_run_set *m, heddle_machine *machine, char *name);
/* Adds a run of a machine and a workload, by their numbers; returns its own number. */
size_t hd_run_set_add(struct hd_run_set *m, size_t machine, size_t workload);
/* Adds a name, a paper or a suite to the workloads, or the lines of @FILE. HD_INPUT: no such thing, or one that is there. `option` is
 * what the sentence begins with. */
enum hd_rc hd_run_set_workload(struct hd_run_set *m, const char *option, const char *spec,
                               struct hd_why *why);
/* Whether a result is below args->cycles: beyond, it is none, since the run would fail today. */
bool hd_run_set_within(const struct hd_run_set *m, const json_t *result);
/* Makes the keys of the runs, and takes the results that m->store has for them. A store that is NULL has none. */
void hd_run_set_find(struct hd_run_set *m);
/* Opens the store that args name, if they name one (with args->plan for reading), and does the same. */
enum hd_rc hd_run_set_take(struct hd_run_set *m, struct hd_why *why);
/* Makes the results that a set has not: hd_run_set_pool, or what another place has. */
typedef enum hd_rc (*hd_run_set_place)(struct hd_run_set *m, struct hd_why *why);
/* The same, and `place` runs the others. The answer is the worst run's. */
enum hd_rc hd_run_set_go(struct hd_run_set *m, hd_run_set_place place, struct hd_why *why);
/* Prints the table, writes CSV and JSON as args say. */
enum hd_rc hd_run_set_answer(struct hd_run_set *m, hd_run_set_place place, struct hd_why *why);
void hd_run_set_free(struct hd_run_set *m);

/* Runs what has no result yet, args->jobs at a time. HD_INPUT: a result could not be kept; the run's own failure is
 * in its result. */
enum hd_rc hd_run_set_pool(struct hd_run_set *m, struct hd_why *why);

/* Makes the keys of all runs that have none. */
void hd_run_set_keys(struct hd_run_set *m);
/* Predicts the cost of what has no result yet: of a workload that the store has from that, else from the instructions of the first
 * CTAs of its launches. */
void hd_run_set_costs(struct hd_run_set *m);
/* The runs that have no result, the costliest first: their numbers, to be freed; *n gets how many. */
size_t *hd_run_set_open(const struct hd_run_set *m, size_t *n);

/* The exit code of a run that is done, and what it says why. */
enum hd_rc hd_run_rc(const struct hd_run *run);
const char *hd_run_error(const struct hd_run *run);

/* The table: for people, as JSON (docs/json.md), and that as CSV. */
void hd_table_print(const struct hd_run_set *m, FILE *f);
json_t *hd_table_json(const struct hd_run_set *m);
void hd_table_csv(const json_t *table, FILE *f);

#endif
