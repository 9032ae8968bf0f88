/* Measuring the inputs that stand for a paper's applications; see check.h. */
#include "cli/list/check.h"

#include "base/alloc.h"
#include "base/nearest_name.h"
#include "cli/sweep/sweep.h"
#include "cmodel/sm/grid.h"

#include <stdlib.h>
#include <string.h>

/* --- walking and running -------------------------------------------------------------------------------- */

static enum hd_rc walk(struct hd_check *check, struct hd_why *why) {
  const struct hd_config *c = &check->machine->c;
  for (size_t i = 0; i < check->apps; i++) {
    struct hd_check_app *app = &check->app[i];
    hd_progress((struct hd_pace){(double)i, (double)check->apps, (double)i, NULL},
                "%s: %zu of %zu applications walked", app->row->spec, i, check->apps);
    char err[sizeof why->text];
    if (!wl_walk_facts(app->row->spec, c->gpu.sms, &app->walked, err, sizeof err))
      return hd_because(why, HD_INPUT, "%s", err);
    app->fit = hd_grid_fit(c, &app->walked.main) * c->gpu.sms;
  }
  hd_progress_end();
  return HD_OK;
}

/* The paper's machine with the keys changed, each as `--set` has it, with spaces between. */
static enum hd_rc load(const struct hd_args *args, const struct wl_paper *paper, const char *keys,
                       heddle_machine **machine, struct hd_why *why) {
  char *copy = hd_format("%s", keys), *rest = NULL;
  struct hd_args one = *args;
  one.config = paper->machine;
  for (char *key = strtok_r(copy, " ", &rest); key && one.set.n < HD_MAX_LIST;
       key = strtok_r(NULL, " ", &rest))
    one.set.text[one.set.n++] = key;
  const enum hd_rc rc = hd_cli_machine(&one, NULL, machine, why);
  free(copy);
  return rc;
}

/* The paper says how a larger L1D changes the application. */
static bool compares_l1(const struct hd_check *check, const struct hd_check_app *app) {
  const struct wl_paper_row *end = check->paper->row + check->paper->rows;
  for (const struct wl_paper_row *row = app->row + 1; row < end && row->kind != WL_PAPER_APP; row++)
    if (row->kind == WL_PAPER_SAYS && row->fact == WL_FACT_big_l1)
      return true;
  return false;
}

/* Runs all applications on the paper's machine, and those that it compares L1Ds with on that with each. */
static enum hd_rc simulate(const struct hd_args *args, struct hd_check *check, hd_run_set_place place,
                           struct hd_run_set *m, struct hd_why *why) {
  enum { MACHINES = HD_CHECK_MACHINES };
  const size_t NONE = SIZE_MAX;
  const char *keys[MACHINES] = {"", check->paper->small_l1, check->paper->big_l1};
  size_t machine_of[MACHINES], (*run_of)[MACHINES] = hd_zeroed(check->apps, sizeof *run_of);
  enum hd_rc rc = HD_OK;
  *m = (struct hd_run_set){.args = args, .verb = "list", .retries = (unsigned)args->retries};
  m->machine = hd_zeroed(MACHINES, sizeof *m->machine);
  m->workload = hd_zeroed(check->apps, sizeof *m->workload);
  for (size_t i = 0; i < MACHINES && rc == HD_OK; i++) {
    machine_of[i] = i && keys[i] && *keys[i] ? m->machines : 0; /* no keys: the first */
    if (!i || machine_of[i])
      rc = load(args, check->paper, keys[i], &m->machine[m->machines++], why);
  }
  for (size_t i = 0; i < check->apps; i++)
    m->workload[m->workloads++] = hd_format("%s", check->app[i].row->spec);
  for (size_t i = 0; i < check->apps && rc == HD_OK; i++)
    for (size_t k = 0; k < MACHINES; k++)
      run_of[i][k] = !k || (machine_of[k] && compares_l1(check, &check->app[i]))
                         ? hd_run_set_add(m, machine_of[k], i)
                     : keys[k] && !*keys[k] ? run_of[i][0]
                                            : NONE;
  if (rc == HD_OK)
    rc = hd_run_set_go(m, place, why);
  for (size_t i = 0; i < check->apps && rc == HD_OK; i++)
    for (size_t k = 0; k < MACHINES; k++)
      check->app[i].run[k] = run_of[i][k] == NONE ? NULL : m->run[run_of[i][k]].result;
  check->simulated = true;
  free(run_of);
  return rc;
}

/* --- the verb ------------------------------------------------------------------------------------------- */

/* The paper of `name`, up to a colon. */
static const struct wl_paper *find(const char *name, struct hd_why *why) {
  char head[64], all[128] = "";
  snprintf(head, sizeof head, "%.*s", (int)strcspn(name, ":"), name);
  struct hd_near near = hd_near_to(head);
  const struct wl_paper *p;
  for (size_t i = 0; (p = wl_paper(i)); i++) {
    if (!strcmp(head, p->name))
      return p;
    hd_near_try(&near, p->name);
    const size_t n = strlen(all);
    snprintf(all + n, sizeof all - n, "%s%s", n ? ", " : "", p->name);
  }
  hd_because(why, HD_INPUT, "--check: found %s; %sallowed %s; write one of these", head,
             hd_near_text(&near).text, all);
  return NULL;
}

/* All applications of the paper, or the one that is named behind the colon. */
static enum hd_rc find_apps(struct hd_check *check, const char *name, struct hd_why *why) {
  const struct wl_paper *p = check->paper;
  const char *colon = strchr(name, ':'), *wanted = colon ? colon + 1 : NULL;
  struct hd_near near = hd_near_to(wanted ? wanted : "");
  bool inside = false;
  check->whole = !wanted;
  check->app = hd_zeroed(p->rows, sizeof *check->app);
  for (size_t i = 0; i < p->rows; i++) {
    const struct wl_paper_row *row = &p->row[i];
    if (row->kind == WL_PAPER_APP) {
      hd_near_try(&near, row->name);
      inside = !wanted || !strcmp(wanted, row->name);
      if (inside)
        check->app[check->apps++].row = row;
    } else if (row->kind == WL_PAPER_SPARSE && inside) {
      check->app[check->apps - 1].sparse = row->text;
    }
  }
  if (check->apps)
    return HD_OK;
  return hd_because(why, HD_INPUT, "--check: %s has no application %s; %sallowed are those of its table",
                    p->name, wanted, hd_near_text(&near).text);
}

enum hd_rc hd_list_check(const struct hd_args *args, FILE *report, json_t **json, struct hd_why *why) {
  struct hd_check check = {.paper = find(args->check, why)};
  if (!check.paper)
    return HD_INPUT;
  struct hd_run_set set = {.args = NULL};
  heddle_machine *machine = NULL;
  hd_run_set_place place = NULL;
  enum hd_rc rc = args->simulate ? hd_sweep_place(args, &place, why) : HD_OK;
  if (rc == HD_OK && place == hd_sweep_slurm && !args->store)
    rc = hd_because(why, HD_INPUT, "--on: found %s alone; allowed with --store FILE", args->on);
  if (rc == HD_OK)
    rc = find_apps(&check, args->check, why);
  if (rc == HD_OK)
    rc = load(args, check.paper, "", &machine, why);
  check.machine = machine;
  if (rc == HD_OK)
    rc = walk(&check, why);
  if (rc == HD_OK && args->simulate)
    rc = simulate(args, &check, place, &set, why);
  if (rc == HD_OK) {
    const size_t failed = hd_check_print(&check, report, json);
    if (failed)
      rc = hd_because(why, HD_CHECK, "%s: %zu figure%s that must match do%s not", check.paper->name, failed,
                      failed > 1 ? "s" : "", failed > 1 ? "" : "es");
  }
  if (set.args)
    hd_run_set_free(&set);
  heddle_unload(machine);
  free(check.app);
  return rc;
}
