/* heddle list workloads --check PAPER: compares a paper's figures of its applications with those of our
 * inputs.
 *
 * check.c walks and runs; check_measure.c gives our figures; check_print.c compares and prints. Invariant:
 * no figure of ours is typed in.
 */
#ifndef HEDDLE_CLI_CHECK_H
#define HEDDLE_CLI_CHECK_H

#include <jansson.h>

#include "cli/cli.h"
#include "workloads/papers/walked.h"

/* NONE: not measured, as a figure that needs a run without --simulate. */
enum hd_verdict { HD_VERDICT_NONE, HD_VERDICT_OK, HD_VERDICT_DIFFERS, HD_VERDICT_FAILS };

enum { HD_CHECK_MACHINES = 3 };
struct hd_check_app {
  const struct wl_paper_row *row; /* its APP row */
  const char *sparse;             /* the reason why it does not fill the machine; NULL: it does */
  struct wl_walked walked;
  unsigned fit;                   /* CTAs of the main kernel's largest launch that all SMs hold at a time */
  json_t *run[HD_CHECK_MACHINES]; /* results: base, small L1D, big L1D; NULL: not run */
};

struct hd_check {
  const struct wl_paper *paper;
  const heddle_machine *machine;
  struct hd_check_app *app;
  size_t apps;
  bool whole, simulated; /* whole: all applications of the paper */
};

/* Gives our figure. Returns false if it was not measured. */
bool hd_check_ours(const struct hd_check *check, const struct hd_check_app *app, enum wl_fact fact,
                   unsigned n, double *ours);
/* The same for a row about all applications of its class. */
bool hd_check_mean(const struct hd_check *check, const struct wl_paper_row *row, double *ours);

enum hd_rc hd_list_check(const struct hd_args *args, FILE *report, json_t **json, struct hd_why *why);

/* Prints the comparison, sets its JSON, and returns the number of figures that must match and do not. */
size_t hd_check_print(const struct hd_check *check, FILE *f, json_t **json);

#endif
