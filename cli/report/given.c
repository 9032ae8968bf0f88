/* See given.h.
 *
 * Invariant: what makes a file one of its kind is there and of its type, so that a file of something else ends before anything runs.
 */
#include "cli/report/given.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A kind of file: the option that names it, and what it is. */
struct kind {
  const char *option, *what;
  /* HD_INPUT, with jansson's sentence in `error`: something is missing, or of another type. */
  int (*check)(json_t *json, json_error_t *error);
};

/* line: of the file; 0: none. */
static enum hd_rc something_else(const struct kind *kind, const char *path, int line,
                                 const json_error_t *error, struct hd_why *why) {
  char at[32] = "";
  if (line > 0)
    snprintf(at, sizeof at, ", line %d", line);
  return hd_because(why, HD_INPUT, "--%s: %s%s: %s; allowed is %s", kind->option, path, at, error->text,
                    kind->what);
}

/* Each of an array; 0 if all are good. An empty one is not: it says nothing. */
static int each(json_t *array, int (*check)(json_t *, json_error_t *), json_error_t *error) {
  size_t i;
  json_t *one;
  if (!json_array_size(array))
    return json_unpack_ex(array, error, 0, "[o]", &one);
  int bad = 0;
  json_array_foreach(array, i, one) {
    if (!bad)
      bad = check(one, error);
  }
  return bad;
}

/* Each a number or null. */
static int numbers(json_t *values, json_error_t *error) {
  size_t i;
  json_t *value;
  double number;
  int bad = 0;
  json_array_foreach(values, i, value) {
    if (!bad && !json_is_null(value))
      bad = json_unpack_ex(value, error, 0, "F", &number);
  }
  return bad;
}

/* --- the papers' figures ---------------------------------------------------------------------------------- */

static int row(json_t *json, json_error_t *error) {
  const char *name;
  int mean;
  json_t *ours, *paper;
  const int bad = json_unpack_ex(json, error, 0, "{s:s, s:b, s:o, s:o}", "name", &name, "mean", &mean, "ours",
                                 &ours, "paper", &paper);
  return bad ? bad : numbers(ours, error) || numbers(paper, error) ? -1 : 0;
}

/* Each row has a value for each bar, or part of one. */
static int bars(json_t *rows, size_t series, size_t stacks, json_error_t *error) {
  const size_t allowed = series * (stacks ? stacks : 1);
  size_t i;
  json_t *one;
  json_array_foreach(rows, i, one) {
    const size_t found = json_array_size(json_object_get(one, "ours"));
    if (found != allowed || json_array_size(json_object_get(one, "paper")) != allowed) {
      snprintf(error->text, sizeof error->text, "row %s of a figure has %zu values for %zu bars",
               json_string_value(json_object_get(one, "name")), found, allowed);
      return -1;
    }
  }
  return 0;
}

static int figure(json_t *json, json_error_t *error) {
  const char *where, *title, *unit, *note, *made, *page, *command;
  int log;
  json_t *numbers_of, *base, *series, *stacked, *rows;
  const int bad =
      json_unpack_ex(json, error, 0, "{s:o, s:s, s:s, s:s, s:b, s:o, s:o, s:o, s:o, s:s, s:s, s:s, s:s}",
                     "numbers", &numbers_of, "where", &where, "title", &title, "unit", &unit, "log", &log,
                     "base", &base, "series", &series, "stacked", &stacked, "rows", &rows, "note", &note,
                     "made", &made, "page", &page, "command", &command);
  return bad                      ? bad
         : each(rows, row, error) ? -1
                                  : bars(rows, json_array_size(series), json_array_size(stacked), error);
}

static int missing(json_t *json, json_error_t *error) {
  const char *why;
  json_t *numbers_of;
  return json_unpack_ex(json, error, 0, "{s:o, s:s}", "numbers", &numbers_of, "why", &why);
}

static int paper(json_t *json, json_error_t *error) {
  const char *name, *title;
  json_t *figures, *not_drawn;
  const int bad = json_unpack_ex(json, error, 0, "{s:s, s:s, s:o, s:o}", "paper", &name, "title", &title,
                                 "figures", &figures, "not_drawn", &not_drawn);
  return bad                            ? bad
         : each(figures, figure, error) ? -1
         : !json_array_size(not_drawn)  ? 0
                                        : each(not_drawn, missing, error);
}

static int papers(json_t *json, json_error_t *error) {
  json_t *all;
  const int bad = json_unpack_ex(json, error, 0, "{s:o}", "papers", &all);
  return bad ? bad : each(all, paper, error);
}

/* --- proofs, power, lockstep ------------------------------------------------------------------------------ */

static int property(json_t *json, json_error_t *error) {
  const char *name, *verdict;
  int good;
  return json_unpack_ex(json, error, 0, "{s:s, s:s, s:b}", "name", &name, "verdict", &verdict, "good", &good);
}

static int proved(json_t *json, json_error_t *error) {
  const char *module, *config;
  json_t *properties = NULL, *differ, *open;
  double seconds;
  json_int_t points, good;
  int bad = json_unpack_ex(json, error, 0, "{s:s, s:{s:s}, s:F, s?o}", "module", &module, "config", "name",
                           &config, "seconds", &seconds, "properties", &properties);
  if (!bad && !properties)
    bad = json_unpack_ex(json, error, 0, "{s:I, s:I, s:o, s:o}", "points", &points, "proved", &good, "differ",
                         &differ, "open", &open);
  else if (!bad)
    bad = json_array_size(properties) ? each(properties, property, error) : 0;
  return bad;
}

static int proofs(json_t *json, json_error_t *error) {
  const char *made;
  json_t *modules;
  const int bad = json_unpack_ex(json, error, 0, "{s:s, s:o}", "made", &made, "modules", &modules);
  return bad ? bad : each(modules, proved, error);
}

static int priced(json_t *json, json_error_t *error) {
  const char *config, *workload;
  double uj;
  return json_unpack_ex(json, error, 0, "{s:s, s:s, s:F}", "config", &config, "workload", &workload, "uj",
                        &uj);
}

static int power(json_t *json, json_error_t *error) {
  const char *made, *top, *config;
  json_t *runs = NULL, *logic, *memories;
  double total;
  const int bad = json_unpack_ex(json, error, 0, "{s:s, s?o}", "made", &made, "runs", &runs);
  return bad    ? bad
         : runs ? each(runs, priced, error)
                : json_unpack_ex(json, error, 0, "{s:s, s:{s:s}, s:o, s:o, s:F}", "top", &top, "config",
                                 "name", &config, "logic", &logic, "memories", &memories, "total_mw", &total);
}

static int run_of_campaign(json_t *json, json_error_t *error) {
  const char *args, *commit, *date;
  json_int_t seed, cycles, values, mismatches;
  return json_unpack_ex(json, error, 0, "{s:s, s:s, s:s, s:I, s:I, s:I, s:I}", "args", &args, "commit",
                        &commit, "date", &date, "seed", &seed, "cycles", &cycles, "values_compared", &values,
                        "mismatches", &mismatches);
}

static const struct kind of_papers = {"papers",
                                      "what make results writes, docs/results/figures.json of Heddle",
                                      papers},
                         of_campaign = {"campaign", "what make campaign keeps, a run a line",
                                        run_of_campaign},
                         of_proofs = {"proofs", "what heddle prove --json writes", proofs},
                         of_power = {"power", "what heddle power --json writes", power};

/* --- reading ---------------------------------------------------------------------------------------------- */

/* NULL with a sentence in why: HD_INPUT. */
static json_t *read_file(const struct kind *kind, const char *path, struct hd_why *why) {
  json_error_t error;
  json_t *json = json_load_file(path, 0, &error);
  if (!json && error.line < 1)
    hd_because(why, HD_INPUT, "--%s: %s", kind->option, error.text);
  else if (!json)
    something_else(kind, path, error.line, &error, why);
  else if (kind->check(json, &error)) {
    something_else(kind, path, 0, &error, why);
    json_decref(json);
    json = NULL;
  }
  return json;
}

/* The lines of a campaign's store. A run that was cut in mid-line is none, as tests/lockstep/check has it; a line of JSON that is
 * no run is an error. */
static enum hd_rc read_lines(const char *path, json_t *rows, struct hd_why *why) {
  FILE *f = fopen(path, "r");
  if (!f)
    return hd_because(why, HD_INPUT, "--campaign: unable to open %s: %s", path, strerror(errno));
  char *line = NULL;
  size_t room = 0, before = json_array_size(rows);
  json_error_t error;
  enum hd_rc rc = HD_OK;
  for (int n = 1; rc == HD_OK && getline(&line, &room, f) >= 0; n++) {
    json_t *run = json_loads(line, 0, &error);
    if (run && run_of_campaign(run, &error))
      rc = something_else(&of_campaign, path, n, &error, why);
    else if (run)
      json_array_append(rows, run);
    json_decref(run);
  }
  if (rc == HD_OK && json_array_size(rows) == before)
    rc = hd_because(why, HD_INPUT, "--campaign: %s: found no run; allowed is %s", path, of_campaign.what);
  free(line);
  fclose(f);
  return rc;
}

/* All files of an option, an element each; null if there are none. */
static enum hd_rc read_all(const struct kind *kind, const struct hd_list *files, json_t *data,
                           struct hd_why *why) {
  json_t *all = files->n ? json_array() : json_null();
  enum hd_rc rc = HD_OK;
  for (size_t i = 0; i < files->n && rc == HD_OK; i++) {
    json_t *one = kind == &of_campaign ? NULL : read_file(kind, files->text[i], why);
    if (kind == &of_campaign)
      rc = read_lines(files->text[i], all, why);
    else if (one)
      json_array_append_new(all, one);
    else
      rc = HD_INPUT;
  }
  json_object_set_new(data, kind->option, all);
  return rc;
}

enum hd_rc hd_report_given(const struct hd_args *args, json_t *data, struct hd_why *why) {
  json_t *figures = args->papers ? read_file(&of_papers, args->papers, why) : json_null();
  if (!figures)
    return HD_INPUT;
  json_object_set_new(data, of_papers.option, figures);
  enum hd_rc rc = read_all(&of_campaign, &args->campaign, data, why);
  if (rc == HD_OK)
    rc = read_all(&of_proofs, &args->proofs, data, why);
  if (rc == HD_OK)
    rc = read_all(&of_power, &args->power, data, why);
  return rc;
}
