/* heddle explore: searches the machines of a YAML file for those that are best in several objectives (docs/explore.md).
 *
 * explore_file.c reads the file, with workloads.c, known.c (what is tried first) and rivals.c; machines.c makes machines of the
 * optimiser's choices; evaluate.c runs and prices them, with rivals.c and prices.c; search.c asks the optimiser, search.py; answer.c
 * says what was found; explore.c is the verb, which goes from batch to batch.
 *
 * Invariant: which machines are tried depends on the file, the seed and the figures of those tried before, and on nothing else. So
 * a search that was killed is asked again from its beginning, takes from the store what it had, and goes on.
 */
#ifndef HEDDLE_CLI_EXPLORE_H
#define HEDDLE_CLI_EXPLORE_H

#include "base/new_files.h"
#include "cli/sweep/run_file.h"

/* What a machine is judged by. */
enum hd_goal { HD_GOAL_IPC, HD_GOAL_ENERGY, HD_GOAL_AREA, HD_GOAL_CLOCK, HD_GOAL_LEAD, HD_GOALS };
struct hd_goal_row {
  const char *name, *unit;
  bool more;   /* is better */
  bool ratio;  /* over the machine that the search starts from, which has 1 */
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
  char *name; /* as the file has it; "": as the workloads are written */
  char **workload;
  size_t n;
  double *ipc, *energy; /* of the first machine, a number a workload; NULL: not run yet */
};

/* A machine that is to be beaten on workloads of its own; HD_GOAL_LEAD is the least that a machine is better than one of them. */
enum hd_rival_by { HD_BY_IPC, HD_BY_L2_ENERGY };
struct hd_rival {
  struct hd_choice set; /* its keys, over the first machine's */
  char **spec;          /* its workloads as the file has them, suites and papers taken apart */
  size_t specs;
  enum hd_rival_by by;
  heddle_machine *machine;
  char *name;
  bool *on[HD_MOST_INPUTS];    /* of each workload of an input: whether it is one of the rival's */
  double *had[HD_MOST_INPUTS]; /* its figure on each; NULL: not run yet */
};

/* What is known of a machine at an input. */
struct hd_evaluation {
  bool there;
  double of[HD_GOALS],
      over; /* over: how far it is beyond the limits, as a share of each; 0: it keeps to them */
};

struct hd_candidate {
  heddle_machine *machine;
  char *name; /* the first machine's, and the keys that differ */
  json_t *
      choices; /* those that come to this machine, as the optimiser has them: the number of a value of each axis */
  struct hd_evaluation at[HD_MOST_INPUTS];
  size_t reached; /* evaluations that were begun: of the inputs below it */
  double priced[HD_GOALS];
  bool beyond; /* a limit, by its price: it does not run */
  bool failed; /* it can't be priced, or a run of it failed: it is not proposed again */
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
  json_t *known; /* choices that are tried first; NULL: none */
  enum hd_goal objective[HD_GOALS];
  size_t objectives;
  struct hd_limit limit[HD_GOALS];
  uint64_t seed, budget, batch, eta, most[HD_MOST_INPUTS]; /* most: evaluations at each input */
  bool logic;                                              /* is synthesised: areas are whole, clocks known */

  struct hd_store *store;
  struct hd_candidate *machine; /* the first is the one that the search starts from */
  size_t machines;
  json_t *hashes;  /* of the machines: {hash: number} */
  json_t *refused; /* choices that are no machine */
  size_t proposed, repaired, doubles, failed, beyond;
  uint64_t done[HD_MOST_INPUTS]; /* evaluations at each input, without those of the first machine */
  bool ended;                    /* no other machine was found in the space, and the budget is not used up */
  uint64_t step;
  double cpu_seconds; /* of the runs */
  json_t *said;       /* what search.py answered last */
};

/* Whether a figure is an objective, or limited. */
bool hd_explore_wants(const struct hd_explore *e, enum hd_goal goal);

/* Reads the file. Problems go to stderr, a line each; HD_INPUT then. hd_explore_free in any case. */
enum hd_rc hd_explore_read(const char *path, struct hd_explore *e, struct hd_why *why);
void hd_explore_free(struct hd_explore *e);

/* Reads `try`, into e->known; problems are told. The space and the budget are known. */
void hd_known_read(struct hd_explore *e, const yaml_node_t *list);

/* Of rivals.c. Reads the list of rivals; problems are told. */
void hd_rivals_read(struct hd_explore *e, const yaml_node_t *list);
/* Once the workloads are known: which of them are whose. A rival without any is a problem, which is told. */
void hd_rivals_match(struct hd_explore *e, const yaml_node_t *list);
/* Loads them; HD_INPUT: one is no machine, which is told, or has no figure to be beaten by. */
enum hd_rc hd_rivals_load(struct hd_explore *e, struct hd_why *why);
/* Keeps what a rival's runs at an input, one a workload, come to. HD_INPUT: one failed. */
enum hd_rc hd_rival_take(struct hd_explore *e, size_t rival, size_t input, const struct hd_run *run,
                         struct hd_why *why);
/* The lead of a machine's runs at an input over the rivals. */
double hd_rivals_lead(const struct hd_explore *e, size_t input, const struct hd_run *run);
/* As docs/json.md has them. */
json_t *hd_rivals_json(const struct hd_explore *e);
void hd_rivals_free(struct hd_explore *e);

/* Read the inputs, and the workloads at each of them; problems are told. */
void hd_inputs_read(struct hd_explore *e, const yaml_node_t *list);
void hd_workloads_read(struct hd_explore *e, const yaml_node_t *list);
/* The workload of an input that the file calls `plain`; to be freed. */
char *hd_explore_spec(const struct hd_input *in, const char *plain);

/* Loads the first machine. */
enum hd_rc hd_explore_start(struct hd_explore *e, struct hd_why *why);
/* Makes machines of choices, repaired if they are no machine as they are, and counts what becomes of them. */
void hd_explore_add(struct hd_explore *e, const json_t *choices);

/* Prices what has no price yet, if a figure wants it. A machine that can't be priced has failed, which is told. HD_INPUT: the store
 * cannot be written; others: the first machine can't be priced. */
enum hd_rc hd_explore_price(struct hd_explore *e, struct hd_why *why);
/* Area in mm2 and clock in MHz of a machine's Verilog, those of its synthesised modules from the store. *kept false: HD_INPUT, the
 * store cannot be written; else what is not HD_OK is of this machine. */
enum hd_rc hd_explore_prices(struct hd_explore *e, const heddle_machine *machine, double *area_mm2,
                             double *clock_mhz, bool *kept, struct hd_why *why);

/* A machine that is to run at an input; from e->machines on the numbers are the rivals'. */
struct hd_turn {
  size_t machine, input;
};
/* Runs them, as many at a time as args say, and the first machine and the rivals where they have not run yet. HD_INPUT: the store cannot be
 * written; HD_CHECK and others: the first machine failed. */
enum hd_rc hd_explore_evaluate(struct hd_explore *e, const struct hd_turn *turn, size_t turns,
                               struct hd_why *why);
/* Predicts processor seconds of a machine at an input. */
double hd_explore_cost(struct hd_explore *e, size_t input);

/* Asks for `n` new choices, and for the order of the machines at each input; the answer is e->said. */
enum hd_rc hd_search_ask(struct hd_explore *e, uint64_t n, struct hd_why *why);
/* The number of the machine that is the i-th of "order" or "front" at an input, as e->said has it; false: there are no more. */
bool hd_search_said(const struct hd_explore *e, const char *what, size_t input, size_t i, size_t *machine);
/* The Python that has the optimiser, to be freed: it is installed first if need be. HD_TOOL: it can't. */
enum hd_rc hd_search_python(char **python, struct hd_why *why);

/* Evaluations that are done, without the first machine's; *of: those that the budget has. */
uint64_t hd_explore_done(const struct hd_explore *e, uint64_t *of);
void hd_explore_print(const struct hd_explore *e, FILE *f);
json_t *hd_explore_json(const struct hd_explore *e);
/* The machines of the front, 1.yaml and on, and the plot, front.svg, in args->out. */
enum hd_rc hd_explore_write(const struct hd_explore *e, FILE *report, struct hd_why *why);

#endif
