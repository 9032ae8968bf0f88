/* The runs that the command line asks for, and their stages; see run_set.h. */
#include "cli/sim/run_set.h"
#include "base/alloc.h"
#include "base/nearest_name.h"
#include "workloads/papers/papers.h"
#include "workloads/workloads.h"

#include <stdlib.h>
#include <string.h>

/* --- lists ---------------------------------------------------------------------------------------------- */

struct names {
  char **name;
  size_t n;
};

/* Takes over `name`. Refuses a name that is there already, since it would only run twice. */
static enum hd_rc add(struct names *to, const char *option, char *name, struct hd_why *why) {
  json_t *text = json_string(name);
  json_decref(text);
  enum hd_rc rc =
      text ? HD_OK
           : hd_because(why, HD_INPUT,
                        "--%s: found a name that is not UTF-8, which a table cannot say; rename it", option);
  for (size_t i = 0; i < to->n && rc == HD_OK; i++)
    if (!strcmp(to->name[i], name))
      rc = hd_because(why, HD_INPUT, "--%s: %s: found twice; allowed once; remove one", option, name);
  if (rc != HD_OK) {
    free(name);
    return rc;
  }
  to->name = hd_resized(to->name, to->n + 1, sizeof *to->name);
  to->name[to->n++] = name;
  return HD_OK;
}

/* True if `name` is the part of the spec before the colon. */
static bool is_head(const char *name, const char *spec) {
  return strlen(name) == strcspn(spec, ":") && !strncmp(name, spec, strlen(name));
}

/* True if the spec names a suite, and no workload has that name. */
static bool is_suite(const char *spec) {
  bool found = false;
  const struct wl_workload *w;
  for (size_t i = 0; (w = wl_workload(i)); i++) {
    if (is_head(w->name, spec))
      return false;
    found |= is_head(wl_suite(i), spec);
  }
  return found;
}

static const struct wl_paper *paper_of(const char *spec) {
  const struct wl_paper *p;
  for (size_t i = 0; (p = wl_paper(i)); i++)
    if (is_head(p->name, spec))
      return p;
  return NULL;
}

/* Adds a paper: the inputs of all its applications, or, with ":" and a name, that of one application. */
static enum hd_rc add_paper(struct names *to, const struct wl_paper *p, const char *app, struct hd_why *why) {
  struct hd_near near = hd_near_to(app);
  enum hd_rc rc = HD_OK;
  bool found = false;
  for (size_t i = 0; i < p->rows && rc == HD_OK; i++) {
    const struct wl_paper_row *row = &p->row[i];
    if (row->kind != WL_PAPER_APP)
      continue;
    hd_near_try(&near, row->name);
    if (*app && strcmp(app, row->name) != 0)
      continue;
    found = true;
    rc = add(to, "workload", hd_format("%s", row->spec), why);
  }
  if (!found)
    return hd_because(
        why, HD_INPUT,
        "--workload: %s: found application %s; %sallowed are those of `heddle list workloads --check %s`; "
        "write one",
        p->name, app, hd_near_text(&near).text, p->name);
  return rc;
}

/* Adds a workload, or all workloads of a suite, each with the text after the suite's name. */
static enum hd_rc add_workload(struct names *to, const char *spec, struct hd_why *why) {
  const struct wl_paper *paper = paper_of(spec);
  if (paper)
    return add_paper(to, paper, spec + strlen(paper->name) + (spec[strlen(paper->name)] == ':'), why);
  if (!is_suite(spec))
    return add(to, "workload", hd_format("%s", spec), why);
  enum hd_rc rc = HD_OK;
  const struct wl_workload *w;
  for (size_t i = 0; rc == HD_OK && (w = wl_workload(i)); i++)
    if (is_head(wl_suite(i), spec))
      rc = add(to, "workload", hd_format("%s%s", w->name, spec + strcspn(spec, ":")), why);
  return rc;
}

static enum hd_rc add_any(struct names *to, const char *option, const char *text, struct hd_why *why) {
  return !strcmp(option, "workload") ? add_workload(to, text, why)
                                     : add(to, option, hd_format("%s", text), why);
}

/* Adds the lines of @FILE. Empty lines and those that begin with # are skipped. */
static enum hd_rc add_file(struct names *to, const char *option, const char *path, struct hd_why *why) {
  char *text = hd_slurp(path);
  if (!text)
    return hd_because(why, HD_INPUT, "--%s: @%s cannot be read", option, path);
  const size_t before = to->n;
  enum hd_rc rc = HD_OK;
  char *rest;
  for (char *line = strtok_r(text, "\r\n", &rest); line && rc == HD_OK;
       line = strtok_r(NULL, "\r\n", &rest)) {
    line += strspn(line, " \t");
    for (size_t n = strlen(line); n && strchr(" \t", line[n - 1]);)
      line[--n] = 0;
    if (*line && *line != '#')
      rc = add_any(to, option, line, why);
  }
  free(text);
  if (rc == HD_OK && to->n == before)
    rc = hd_because(why, HD_INPUT, "--%s: found nothing in %s; write one a line", option, path);
  return rc;
}

static enum hd_rc expand(struct names *to, const char *option, const struct hd_list *list,
                         struct hd_why *why) {
  enum hd_rc rc = HD_OK;
  for (size_t i = 0; i < list->n && rc == HD_OK; i++)
    rc = list->text[i][0] == '@' ? add_file(to, option, list->text[i] + 1, why)
                                 : add_any(to, option, list->text[i], why);
  return rc;
}

bool hd_run_set_single(const struct hd_args *args) {
  const char *config = args->configs.text[0], *workload = args->workloads.text[0];
  return args->configs.n == 1 && args->workloads.n == 1 && !args->csv && !args->store && *config != '@' &&
         *workload != '@' && !is_suite(workload) && !paper_of(workload);
}

/* --- stages --------------------------------------------------------------------------------------------- */

enum hd_rc hd_run_set_workload(struct hd_run_set *m, const char *option, const char *spec,
                               struct hd_why *why) {
  struct names all = {m->workload, m->workloads};
  const size_t before = all.n;
  const struct hd_list one = {{spec}, 1};
  enum hd_rc rc = expand(&all, option, &one, why);
  m->workload = all.name;
  m->workloads = all.n;
  char err[sizeof why->text];
  for (size_t i = before; i < all.n && rc == HD_OK; i++)
    if (!wl_check(all.name[i], err, sizeof err))
      rc = hd_because(why, HD_INPUT, "--%s: %s", option, err);
  return rc;
}

enum hd_rc hd_run_set_load(struct hd_run_set *m, struct hd_why *why) {
  struct names configs = {0};
  enum hd_rc rc = expand(&configs, "config", &m->args->configs, why);
  for (size_t i = 0; i < m->args->workloads.n && rc == HD_OK; i++)
    rc = hd_run_set_workload(m, "workload", m->args->workloads.text[i], why);
  m->machine = hd_zeroed(configs.n, sizeof *m->machine);
  for (size_t i = 0; i < configs.n && rc == HD_OK; i++) {
    struct hd_args one = *m->args;
    one.config = configs.name[i];
    rc = hd_cli_machine(&one, NULL, &m->machine[m->machines++], why);
  }
  for (size_t i = 0; i < configs.n; i++)
    free(configs.name[i]);
  free(configs.name);
  for (size_t i = 0; i < m->machines && rc == HD_OK; i++)
    for (size_t k = 0; k < m->workloads; k++)
      hd_run_set_add(m, i, k);
  return rc;
}

void hd_run_set_machine(struct hd_run_set *m, heddle_machine *machine, char *name) {
  m->machine = hd_resized(m->machine, m->machines + 1, sizeof *m->machine);
  m->name = hd_resized(m->name, m->machines + 1, sizeof *m->name);
  m->name[m->machines] = name;
  m->machine[m->machines++] = machine;
}

size_t hd_run_set_add(struct hd_run_set *m, size_t machine, size_t workload) {
  m->run = hd_resized(m->run, m->runs + 1, sizeof *m->run);
  m->run[m->runs] = (struct hd_run){.machine = m->machine[machine],
                                    .name = m->name ? m->name[machine] : m->machine[machine]->c.name,
                                    .number = workload,
                                    .workload = m->workload[workload]};
  return m->runs++;
}

void hd_run_set_free(struct hd_run_set *m) {
  hd_store_close(m->store);
  for (size_t i = 0; i < m->runs; i++) {
    json_decref(m->run[i].key);
    json_decref(m->run[i].result);
  }
  for (size_t i = 0; i < m->machines; i++) {
    heddle_unload(m->machine[i]);
    if (m->name)
      free(m->name[i]);
  }
  for (size_t i = 0; i < m->workloads; i++)
    free(m->workload[i]);
  free(m->run);
  free(m->machine);
  free(m->name);
  free(m->workload);
}

/* The answer of the program for all runs: the worst one. */
static enum hd_rc worst_of(const struct hd_run_set *m, enum hd_rc rc, struct hd_why *why) {
  size_t failed = 0;
  enum hd_rc worst = HD_OK;
  for (size_t i = 0; i < m->runs; i++) {
    const enum hd_rc one = hd_run_rc(&m->run[i]);
    failed += one != HD_OK;
    worst = one > worst ? one : worst;
  }
  if (rc != HD_OK || !failed)
    return rc;
  return hd_because(why, worst, "%zu of %zu runs failed", failed, m->runs);
}

void hd_run_set_keys(struct hd_run_set *m) {
  json_t **input = hd_zeroed(m->workloads, sizeof *input);
  for (size_t i = 0; i < m->runs; i++) {
    struct hd_run *run = &m->run[i];
    if (!input[run->number])
      input[run->number] = hd_key_input(run->workload);
    if (run->key)
      continue;
    run->key = hd_key_new(run->machine, run->workload, input[run->number]);
    run->hash = hd_key_hash(run->key);
  }
  for (size_t w = 0; w < m->workloads; w++)
    json_decref(input[w]);
  free(input);
}

bool hd_run_set_within(const struct hd_run_set *m, const json_t *result) {
  const json_int_t cycles = json_integer_value(json_object_get(result, "cycles"));
  return !m->args->cycles || (uint64_t)cycles < m->args->cycles;
}

void hd_run_set_find(struct hd_run_set *m) {
  hd_run_set_keys(m);
  for (size_t i = 0; i < m->runs && m->store; i++) {
    json_t *found = hd_store_find(m->store, m->run[i].key);
    if (found && hd_run_set_within(m, found))
      m->run[i].result = json_incref(found);
    json_decref(found);
    m->there += m->run[i].result != NULL;
  }
}

enum hd_rc hd_run_set_take(struct hd_run_set *m, struct hd_why *why) {
  if (!m->args->store)
    return HD_OK;
  const enum hd_rc rc = m->args->plan ? hd_store_look(m->args->store, &m->store, why)
                                      : hd_store_open(m->args->store, m->verb, &m->store, why);
  hd_run_set_find(m);
  if (rc == HD_OK)
    fprintf(stderr, "heddle %s: %zu of %zu runs are in %s already\n", m->verb, m->there, m->runs,
            m->args->store);
  return rc;
}

enum hd_rc hd_run_set_go(struct hd_run_set *m, hd_run_set_place place, struct hd_why *why) {
  const enum hd_rc rc = hd_run_set_take(m, why);
  return rc == HD_OK ? worst_of(m, place(m, why), why) : rc;
}

/* Makes the results, prints the table and gives it as JSON. Does nothing if the store cannot be used. */
static enum hd_rc make_table(struct hd_run_set *m, hd_run_set_place place, FILE *report, json_t **table,
                             struct hd_why *why) {
  enum hd_rc rc = hd_run_set_take(m, why);
  if (rc != HD_OK)
    return rc;
  rc = place(m, why);
  size_t open;
  free(hd_run_set_open(m, &open));
  if (open)
    return rc;
  hd_table_print(m, report);
  *table = hd_table_json(m);
  return worst_of(m, rc, why);
}

enum hd_rc hd_run_set_answer(struct hd_run_set *m, hd_run_set_place place, struct hd_why *why) {
  struct hd_answer answer;
  struct hd_out csv;
  json_t *table = NULL;
  const bool csv_alone = m->args->csv && !strcmp(m->args->csv, "-");
  if (csv_alone && m->args->json && !strcmp(m->args->json, "-"))
    return hd_because(why, HD_INPUT, "--csv: found -, as for --json; allowed one of them; name a file");
  enum hd_rc rc = hd_answer_open(m->args, &answer, why);
  if (rc != HD_OK)
    return rc;
  rc = hd_out_open(&csv, "csv", m->args->csv, why);
  if (rc == HD_OK) {
    FILE *report = csv_alone ? fopen("/dev/null", "w") : answer.report;
    rc = report ? make_table(m, place, report, &table, why)
                : hd_because(why, HD_TOOL, "/dev/null cannot be written");
    if (csv_alone && report)
      fclose(report);
    if (table && csv.f)
      hd_table_csv(table, csv.f);
    rc = hd_out_close(&csv, table, rc, why);
  }
  return hd_answer_close(&answer, table, rc, why);
}

enum hd_rc hd_run_set(const struct hd_args *args, struct hd_why *why) {
  struct hd_run_set m = {.args = args, .verb = "sim"};
  enum hd_rc rc = hd_run_set_load(&m, why);
  if (rc == HD_OK)
    rc = hd_run_set_answer(&m, hd_run_set_pool, why);
  hd_run_set_free(&m);
  return rc;
}
