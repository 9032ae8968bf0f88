/* Reads and checks the files of other runs; see given.h.
 *
 * Invariant: every value that given.py and papers.py read from a file is there and has its type. So a file
 * of another kind ends the program before anything runs. The message has the place, what was found there
 * and what is allowed.
 */
#include "cli/report/given.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Types of a value, by jansson's numbers. An array must have elements, unless it may be EMPTY. */
enum {
  OBJECT = 1 << JSON_OBJECT,
  ARRAY = 1 << JSON_ARRAY,
  TEXT = 1 << JSON_STRING,
  INTEGER = 1 << JSON_INTEGER,
  NUMBER = 1 << JSON_REAL | INTEGER,
  BOOL = 1 << JSON_TRUE | 1 << JSON_FALSE,
  NONE = 1 << JSON_NULL,
  EMPTY = 1 << 8,
  ABSENT = 1 << 9,
};

/* A member of an object. A list of members ends with one without a name. */
struct member {
  const char *name;
  int types;
  int each;                /* types of an array's elements; 0: OBJECT */
  const struct member *of; /* members of the object, or of each element; NULL: they are not read */
};

static const struct member row[] = {{"name", TEXT, 0, NULL},
                                    {"mean", BOOL, 0, NULL},
                                    {"ours", ARRAY, NUMBER | NONE, NULL},
                                    {"paper", ARRAY, NUMBER | NONE, NULL},
                                    {0}};
static const struct member figure[] = {{"numbers", ARRAY | EMPTY, TEXT, NULL},
                                       {"where", TEXT, 0, NULL},
                                       {"title", TEXT, 0, NULL},
                                       {"unit", TEXT, 0, NULL},
                                       {"log", BOOL, 0, NULL},
                                       {"base", NUMBER | NONE, 0, NULL},
                                       {"series", ARRAY, TEXT, NULL},
                                       {"stacked", ARRAY | NONE, TEXT, NULL},
                                       {"rows", ARRAY, 0, row},
                                       {"note", TEXT, 0, NULL},
                                       {"made", TEXT, 0, NULL},
                                       {"page", TEXT, 0, NULL},
                                       {"command", TEXT, 0, NULL},
                                       {0}};
static const struct member missing[] = {{"numbers", ARRAY | EMPTY, TEXT, NULL}, {"why", TEXT, 0, NULL}, {0}};
static const struct member paper[] = {{"paper", TEXT, 0, NULL},
                                      {"title", TEXT, 0, NULL},
                                      {"figures", ARRAY, 0, figure},
                                      {"not_drawn", ARRAY | EMPTY, 0, missing},
                                      {0}};
static const struct member papers[] = {{"papers", ARRAY, 0, paper}, {0}};

static const struct member machine[] = {
    {"name", TEXT, 0, NULL}, {"path", TEXT | NONE | ABSENT, 0, NULL}, {0}};
static const struct member property[] = {
    {"name", TEXT, 0, NULL}, {"verdict", TEXT, 0, NULL}, {"good", BOOL, 0, NULL}, {0}};
static const struct member module[] = {{"module", TEXT, 0, NULL},
                                       {"config", OBJECT, 0, machine},
                                       {"seconds", NUMBER, 0, NULL},
                                       {"properties", ARRAY | EMPTY | ABSENT, 0, property},
                                       {0}};
/* A module without `properties`: its netlist against its Verilog. */
static const struct member netlist[] = {{"points", INTEGER, 0, NULL},
                                        {"proved", INTEGER, 0, NULL},
                                        {"differ", ARRAY | EMPTY, TEXT, NULL},
                                        {"open", ARRAY | EMPTY, TEXT, NULL},
                                        {0}};
static const struct member proofs[] = {{"made", TEXT, 0, NULL}, {"modules", ARRAY, 0, module}, {0}};

static const struct member run_of_gpu[] = {{"config", TEXT, 0, NULL},
                                           {"workload", TEXT, 0, NULL},
                                           {"time_us", NUMBER, 0, NULL},
                                           {"dynamic_uj", NUMBER, 0, NULL},
                                           {"static_uj", NUMBER, 0, NULL},
                                           {"l1d_uj", NUMBER, 0, NULL},
                                           {"l2_uj", NUMBER, 0, NULL},
                                           {"icnt_uj", NUMBER, 0, NULL},
                                           {"dram_uj", NUMBER, 0, NULL},
                                           {"low_uj", NUMBER, 0, NULL},
                                           {"uj", NUMBER, 0, NULL},
                                           {"high_uj", NUMBER, 0, NULL},
                                           {0}};
static const struct member power[] = {{"made", TEXT, 0, NULL}, {"runs", ARRAY | ABSENT, 0, run_of_gpu}, {0}};
/* A file without `runs`: milliwatts. */
static const struct member logic[] = {{"instance", TEXT, 0, NULL},
                                      {"module", TEXT, 0, NULL},
                                      {"cells", INTEGER, 0, NULL},
                                      {"flipflops", INTEGER, 0, NULL},
                                      {"activity", NUMBER, 0, NULL},
                                      {"switching_mw", NUMBER, 0, NULL},
                                      {"internal_mw", NUMBER, 0, NULL},
                                      {"clock_mw", NUMBER, 0, NULL},
                                      {"tree_mw", NUMBER, 0, NULL},
                                      {"leak_mw", NUMBER, 0, NULL},
                                      {"total_mw", NUMBER, 0, NULL},
                                      {"pj_load", NUMBER | NONE, 0, NULL},
                                      {0}};
static const struct member memory[] = {
    {"name", TEXT, 0, NULL},       {"access_mw", NUMBER, 0, NULL},      {"leak_mw", NUMBER, 0, NULL},
    {"total_mw", NUMBER, 0, NULL}, {"pj_load", NUMBER | NONE, 0, NULL}, {0}};
static const struct member milliwatts[] = {{"top", TEXT, 0, NULL},
                                           {"config", OBJECT, 0, machine},
                                           {"stimulus", TEXT, 0, NULL},
                                           {"seed", INTEGER, 0, NULL},
                                           {"logic", ARRAY | EMPTY, 0, logic},
                                           {"memories", ARRAY | EMPTY, 0, memory},
                                           {"total_mw", NUMBER, 0, NULL},
                                           {"pj_load", NUMBER | NONE, 0, NULL},
                                           {0}};

static const struct member run_of_campaign[] = {{"args", TEXT, 0, NULL},
                                                {"commit", TEXT, 0, NULL},
                                                {"date", TEXT, 0, NULL},
                                                {"seed", INTEGER, 0, NULL},
                                                {"cycles", INTEGER, 0, NULL},
                                                {"values_compared", INTEGER, 0, NULL},
                                                {"mismatches", INTEGER, 0, NULL},
                                                {"failed", INTEGER | ABSENT, 0, NULL},
                                                {0}};

/* --- checking --------------------------------------------------------------------------------------------- */

/* The place of a check in a file, and the error found there. */
struct spot {
  char path[200], wrong[160];
  size_t at; /* the end of the path */
};

static bool bad(struct spot *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool bad(struct spot *s, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(s->wrong, sizeof s->wrong, format, args);
  va_end(args);
  return false;
}

/* Goes one step down in the path. Returns the previous end, for back(). */
static size_t down(struct spot *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static size_t down(struct spot *s, const char *format, ...) {
  const size_t was = s->at;
  va_list args;
  va_start(args, format);
  vsnprintf(s->path + was, sizeof s->path - was, format, args);
  va_end(args);
  s->at = strlen(s->path);
  return was;
}
static bool back(struct spot *s, size_t was) {
  s->path[s->at = was] = 0;
  return true;
}

static const char *type_of(const json_t *value) {
  static const char *const names[] = {
      [JSON_OBJECT] = "an object",   [JSON_ARRAY] = "an array", [JSON_STRING] = "a text",
      [JSON_INTEGER] = "an integer", [JSON_REAL] = "a number",  [JSON_TRUE] = "true",
      [JSON_FALSE] = "false",        [JSON_NULL] = "null"};
  return value ? names[json_typeof(value)] : "nothing";
}

static bool is_one_of(const json_t *value, int types, struct spot *s) {
  if (value ? types >> json_typeof(value) & 1 : types & ABSENT)
    return true;
  return bad(s, "found %s; allowed %s%s", type_of(value),
             types & OBJECT           ? "an object"
             : types & ARRAY          ? "an array"
             : types & TEXT           ? "a text"
             : types & BOOL           ? "true or false"
             : types & 1 << JSON_REAL ? "a number"
                                      : "an integer",
             types & NONE ? " or null" : "");
}

static bool has(const json_t *object, const struct member *of, struct spot *s);

/* Checks the elements of an array. */
static bool all(const json_t *array, const struct member *m, struct spot *s) {
  size_t i;
  json_t *one;
  if (!json_array_size(array))
    return m->types & EMPTY || bad(s, "found an empty array; allowed one that says something");
  json_array_foreach(array, i, one) {
    const size_t was = down(s, "[%zu]", i);
    if (!is_one_of(one, m->each ? m->each : OBJECT, s) || (m->of && !has(one, m->of, s)))
      return false;
    back(s, was);
  }
  return true;
}

static bool has(const json_t *object, const struct member *of, struct spot *s) {
  for (const struct member *m = of; m->name; m++) {
    const json_t *value = json_object_get(object, m->name);
    const size_t was = down(s, "%s%s", s->at ? "." : "", m->name);
    if (!is_one_of(value, m->types, s) || (json_is_array(value) && !all(value, m, s)) ||
        (json_is_object(value) && m->of && !has(value, m->of, s)))
      return false;
    back(s, was);
  }
  return true;
}

static bool is_proofs(const json_t *json, struct spot *s) {
  size_t i;
  json_t *one;
  if (!has(json, proofs, s))
    return false;
  json_array_foreach(json_object_get(json, "modules"), i, one) {
    const size_t was = down(s, "modules[%zu]", i);
    if (!json_object_get(one, "properties") && !has(one, netlist, s))
      return false;
    back(s, was);
  }
  return true;
}
static bool is_power(const json_t *json, struct spot *s) {
  return has(json, power, s) && (json_object_get(json, "runs") || has(json, milliwatts, s));
}
static bool is_run_of_campaign(const json_t *json, struct spot *s) {
  return has(json, run_of_campaign, s);
}

/* Checks that each row has a value for each bar, or for each part of one, and that some of ours are numbers
 * that fit a logarithmic axis. */
static bool is_drawn(const json_t *of, struct spot *s) {
  static const char *const whose[] = {"ours", "paper"};
  const size_t stacks = json_array_size(json_object_get(of, "stacked")),
               allowed = json_array_size(json_object_get(of, "series")) * (stacks ? stacks : 1);
  const bool log = json_is_true(json_object_get(of, "log"));
  size_t i, k, values = 0;
  json_t *one, *value;
  const size_t was = down(s, ".rows");
  json_array_foreach(json_object_get(of, "rows"), i, one) {
    for (unsigned w = 0; w < 2; w++) {
      const json_t *numbers = json_object_get(one, whose[w]);
      if (json_array_size(numbers) != allowed) {
        down(s, "[%zu].%s", i, whose[w]);
        return bad(s, "found %zu values; allowed %zu, one a bar", json_array_size(numbers), allowed);
      }
      json_array_foreach(numbers, k, value) {
        values += !w && json_is_number(value) && (!log || json_number_value(value) > 0);
      }
    }
  }
  if (!values)
    return bad(s, "found no number of ours; allowed some%s",
               log ? " above 0, for an axis that is logarithmic" : "");
  return back(s, was);
}

static bool is_papers(const json_t *json, struct spot *s) {
  size_t i, k;
  json_t *one, *of;
  if (!has(json, papers, s))
    return false;
  json_array_foreach(json_object_get(json, "papers"), i, one) {
    json_array_foreach(json_object_get(one, "figures"), k, of) {
      const size_t was = down(s, "papers[%zu].figures[%zu]", i, k);
      if (!is_drawn(of, s))
        return false;
      back(s, was);
    }
  }
  return true;
}

/* --- reading ---------------------------------------------------------------------------------------------- */

/* A kind of file: its option, its description, its check. */
struct kind {
  const char *option, *what;
  bool (*is)(const json_t *json, struct spot *s);
};
static const struct kind of_papers = {"papers",
                                      "what make results writes, docs/results/figures.json of Heddle",
                                      is_papers},
                         of_campaign = {"campaign", "what make campaign keeps, a run a line",
                                        is_run_of_campaign},
                         of_proofs = {"proofs", "what heddle prove --json writes", is_proofs},
                         of_power = {"power", "what heddle power --json writes", is_power};

/* Returns HD_OK if the file is of that kind. line: the line of the file; 0: no particular line. */
static enum hd_rc check(const struct kind *kind, const json_t *json, const char *path, int line,
                        struct hd_why *why) {
  struct spot s = {0};
  char at[32] = "";
  if (line > 0)
    snprintf(at, sizeof at, ", line %d", line);
  if (is_one_of(json, OBJECT, &s) && kind->is(json, &s))
    return HD_OK;
  return hd_because(why, HD_INPUT, "--%s: %s%s: %s%s%s: the file must be %s", kind->option, path, at, s.path,
                    s.at ? ": " : "", s.wrong, kind->what);
}

/* Returns NULL with a message in why: HD_INPUT. */
static json_t *read_file(const struct kind *kind, const char *path, struct hd_why *why) {
  json_error_t error;
  json_t *json = json_load_file(path, 0, &error);
  if (!json && error.line < 1)
    hd_because(why, HD_INPUT, "--%s: %s", kind->option, error.text);
  else if (!json)
    hd_because(why, HD_INPUT, "--%s: %s, line %d: %s; allowed is %s", kind->option, path, error.line,
               error.text, kind->what);
  else if (check(kind, json, path, 0, why) != HD_OK) {
    json_decref(json);
    json = NULL;
  }
  return json;
}

/* Reads the lines of a campaign's store. A run that was cut in mid-line is ignored, as in
 * tests/lockstep/check. A line of JSON that is no run is an error. */
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
    if (run)
      rc = check(&of_campaign, run, path, n, why);
    if (run && rc == HD_OK)
      json_array_append(rows, run);
    json_decref(run);
  }
  if (rc == HD_OK && json_array_size(rows) == before)
    rc = hd_because(why, HD_INPUT, "--campaign: %s: found no run; allowed is %s", path, of_campaign.what);
  free(line);
  fclose(f);
  return rc;
}

/* Reads all files of an option into an array, one element each; null if there are none. */
static enum hd_rc read_all(const struct kind *kind, const struct hd_list *files, json_t *data,
                           struct hd_why *why) {
  json_t *all_of = files->n ? json_array() : json_null();
  enum hd_rc rc = HD_OK;
  for (size_t i = 0; i < files->n && rc == HD_OK; i++) {
    json_t *one = kind == &of_campaign ? NULL : read_file(kind, files->text[i], why);
    if (kind == &of_campaign)
      rc = read_lines(files->text[i], all_of, why);
    else if (one)
      json_array_append_new(all_of, one);
    else
      rc = HD_INPUT;
  }
  json_object_set_new(data, kind->option, all_of);
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
