/* heddle explore: searches the machines of a YAML file for the best ones in several objectives
 * (docs/explore.md).
 *
 * explore_file.c reads the file, with workloads.c, known.c (the machines tried first) and rivals.c.
 * machines.c makes machines from the optimiser's choices. evaluate.c runs and prices them, with rivals.c
 * and prices.c. search.c asks the optimiser, search.py. answer.c writes the findings. explore.c is the
 * verb, which goes from batch to batch.
 *
 * Invariant: the machines that are tried depend only on the file, the seed and the figures of the machines
 * tried before. So a search that was killed starts again from its beginning, takes the results that it had
 * from the store, and continues.
 */
#ifndef HEDDLE_CLI_EXPLORE_H
#define HEDDLE_CLI_EXPLORE_H

#include "base/new_files.h"
#include "cli/sweep/run_file.h"

/* The figures that a machine is judged by. */
enum hd_goal { HD_GOAL_IPC, HD_GOAL_ENERGY, HD_GOAL_AREA, HD_GOAL_CLOCK, HD_GOAL_LEAD, HD_GOALS };
struct hd_goal_row {
  const char *name, *unit;
  bool more;   /* a larger value is better */
  bool ratio;  /* relative to the machine that the search starts from, which has 1 */
  bool priced; /* known before any run */
};
extern const struct hd_goal_row hd_goals[HD_GOALS];

struct hd_limit {
  bool there, times; /* times: the value is multiplied by the first machine's */
  double value;
};

enum { HD_MOST_INPUTS = 4, HD_MOST_RIVALS = 16 };
/* The workloads of an input. */
struct hd_input {
  char *name; /* name in the file; "": the workloads as they are written */
  char **workload;
  size_t n;
  double *ipc, *energy; /* of the first machine, one number per workload; NULL: not run yet */
};

/* A machine to be beaten on workloads of its own. HD_GOAL_LEAD is the smallest lead that a machine has over
 * the rivals. */
enum hd_rival_by { HD_BY_IPC, HD_BY_L2_ENERGY };
struct hd_rival {
  struct hd_choice set; /* its keys, which change the first machine */
  char **spec;          /* its workloads from the file; suites and papers are expanded */
  size_t specs;
  enum hd_rival_by by;
  heddle_machine *machine;
  char *name;
  bool *on[HD_MOST_INPUTS];    /* for each workload of an input: true if the rival has it */
  double *had[HD_MOST_INPUTS]; /* its figure for each of them; NULL: not run yet */
};

/* The figures of a machine at an input. */
struct hd_evaluation {
  bool there;
  double of[HD_GOALS], over; /* over: how far the limits are exceeded, as a share of each; 0: not at all */
};

struct hd_candidate {
  heddle_machine *machine;
  char *name; /* the first machine's name, and the keys that differ */
  json_t *
      choices; /* the choices that give this machine, in the optimiser's form: for each axis, the number of its value */
  struct hd_evaluation at[HD_MOST_INPUTS];
  size_t reached; /* number of evaluations begun: the inputs below it */
  double priced[HD_GOALS];
  bool beyond; /* its price exceeds a limit: it does not run */
  bool failed; /* it cannot be priced, or one of its runs failed: it is not proposed again */
};

struct hd_explore {
  const struct hd_args *args;
  struct hd_run_file file;
  char *config;
  struct hd_recipe start; /* the first machine */
  struct hd_choice all;   /* the keys of `set:` */
  struct hd_axes space;
  struct hd_input input[HD_MOST_INPUTS];
  size_t inputs;
  struct hd_rival rival[HD_MOST_RIVALS];
  size_t rivals;
  json_t *known; /* choices to be tried first; NULL: none */
  enum hd_goal objective[HD_GOALS];
  size_t objectives;
  struct hd_limit limit[HD_GOALS];
  uint64_t seed, budget, batch, eta, most[HD_MOST_INPUTS]; /* most: evaluations at each input */
  bool logic;                                              /* synthesise the logic: whole areas, clocks */

  struct hd_store *store;
  struct hd_candidate *machine; /* the first one is the machine that the search starts from */
  size_t machines;
  json_t *hashes;  /* the machines by hash: {hash: number} */
  json_t *refused; /* choices that give no machine */
  size_t proposed, repaired, doubles, failed, beyond;
  uint64_t done[HD_MOST_INPUTS]; /* evaluations at each input, without those of the first machine */
  bool ended;                    /* the space has no further machine, and budget is left */
  uint64_t step;
  double cpu_seconds; /* of the runs */
  json_t *said;       /* the last answer of search.py */
};

/* True if the figure is an objective, or has a limit. */
bool hd_explore_wants(const struct hd_explore *e, enum hd_goal goal);

/* Reads the file. Problems go to stderr, one per line; then it returns HD_INPUT. Call hd_explore_free in
 * any case. */
enum hd_rc hd_explore_read(const char *path, struct hd_explore *e, struct hd_why *why);
void hd_explore_free(struct hd_explore *e);

/* Reads `try` into e->known, and reports problems. The space and the budget must be known. */
void hd_known_read(struct hd_explore *e, const yaml_node_t *list);

/* rivals.c. Reads the list of rivals, and reports problems. */
void hd_rivals_read(struct hd_explore *e, const yaml_node_t *list);
/* Assigns the workloads to the rivals, once the workloads are known. Reports a rival without any. */
void hd_rivals_match(struct hd_explore *e, const yaml_node_t *list);
/* Loads the rivals. Returns HD_INPUT after reporting a rival that is no machine, or that has no figure to
 * be beaten in. */
enum hd_rc hd_rivals_load(struct hd_explore *e, struct hd_why *why);
/* Keeps the figures of a rival's runs at an input, one run per workload. Returns HD_INPUT if one failed. */
enum hd_rc hd_rival_take(struct hd_explore *e, size_t rival, size_t input, const struct hd_run *run,
                         struct hd_why *why);
/* Returns the lead of a machine's runs at an input over the rivals. */
double hd_rivals_lead(const struct hd_explore *e, size_t input, const struct hd_run *run);
/* In the form of docs/json.md. */
json_t *hd_rivals_json(const struct hd_explore *e);
void hd_rivals_free(struct hd_explore *e);

/* Read the inputs, and the workloads at each of them, and report problems. */
void hd_inputs_read(struct hd_explore *e, const yaml_node_t *list);
void hd_workloads_read(struct hd_explore *e, const yaml_node_t *list);
/* Returns the spec at an input for the workload that the file calls `plain`; to be freed. */
char *hd_explore_spec(const struct hd_input *in, const char *plain);

/* Loads the first machine. */
enum hd_rc hd_explore_start(struct hd_explore *e, struct hd_why *why);
/* Makes machines of choices. Repairs a choice that gives no machine, and counts the results. */
void hd_explore_add(struct hd_explore *e, const json_t *choices);

/* Prices the machines without a price, if a figure needs it. A machine that cannot be priced is marked as
 * failed and reported. Returns HD_INPUT if the store cannot be written, and other codes if the first
 * machine cannot be priced. */
enum hd_rc hd_explore_price(struct hd_explore *e, struct hd_why *why);
/* Gives area in mm2 and clock in MHz of a machine's Verilog; synthesised modules are taken from the store.
 * If the store cannot be written, it returns HD_INPUT with *kept false. Other codes than HD_OK are about
 * this machine. */
enum hd_rc hd_explore_prices(struct hd_explore *e, const heddle_machine *machine, double *area_mm2,
                             double *clock_mhz, bool *kept, struct hd_why *why);

/* A machine that is to run at an input. Numbers from e->machines on are those of the rivals. */
struct hd_turn {
  size_t machine, input;
};
/* Runs the turns, as many at a time as args allow, and the first machine and the rivals where they have not
 * run yet. Returns HD_INPUT if the store cannot be written, HD_CHECK and others if the first machine
 * failed. */
enum hd_rc hd_explore_evaluate(struct hd_explore *e, const struct hd_turn *turn, size_t turns,
                               struct hd_why *why);
/* Predicts the processor seconds of a machine at an input. */
double hd_explore_cost(struct hd_explore *e, size_t input);

/* Asks for `n` new choices, and for the order of the machines at each input. The answer is in e->said. */
enum hd_rc hd_search_ask(struct hd_explore *e, uint64_t n, struct hd_why *why);
/* Gives the number of the i-th machine of "order" or "front" at an input, from e->said. Returns false after
 * the last. */
bool hd_search_said(const struct hd_explore *e, const char *what, size_t input, size_t i, size_t *machine);
/* Gives the Python that has the optimiser, to be freed. Installs it first if necessary. Returns HD_TOOL if
 * that fails. */
enum hd_rc hd_search_python(char **python, struct hd_why *why);

/* Returns the evaluations done, without those of the first machine. *of: those in the budget. */
uint64_t hd_explore_done(const struct hd_explore *e, uint64_t *of);
void hd_explore_print(const struct hd_explore *e, FILE *f);
json_t *hd_explore_json(const struct hd_explore *e);
/* Writes the machines of the front, 1.yaml and so on, and the plot, front.svg, to args->out. */
enum hd_rc hd_explore_write(const struct hd_explore *e, FILE *report, struct hd_why *why);

#endif
