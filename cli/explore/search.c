/* Asks the optimiser, a Python program in a virtual environment that is made when it is first needed; see
 * explore.h.
 *
 * Invariant: the optimiser has the version given here, and sees only the question, nothing else of the
 * store.
 */
#include "cli/explore/explore.h"
#include "cli/venv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Woverlength-strings"
/* The optimiser's program is embedded in this one. */
static const struct {
  const char *path, *text;
} program[] = {
#include "cli/explore/text.h"
};

/* The version decides which machines are proposed, so another version is another search. */
static const struct hd_venv optimiser = {"optuna==5.0.0", "explore-venv", "HEDDLE_VENV", "explore"};
enum { ASK_S = 3600 };

static enum hd_rc cannot(const char *path, struct hd_why *why) {
  return hd_because(why, HD_INPUT, "%s cannot be written: %s", path, strerror(errno));
}

enum hd_rc hd_search_python(char **python, struct hd_why *why) {
  return hd_venv_program(&optimiser, HD_BUILD_DIR, "python", python, why);
}

/* --- a question ----------------------------------------------------------------------------------------- */

/* True if the choices of an axis are ordered numbers, between which the optimiser may see a trend. */
static bool is_ordered(const struct hd_axis *axis) {
  double before = 0, step = 0;
  for (size_t i = 0; i < axis->n; i++) {
    const char *text = axis->choice[i].n == 1 ? strchr(axis->choice[i].set[0].text, '=') + 1 : "";
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end || (i > 1 && (value - before) * step <= 0))
      return false;
    step = i ? value - before : 0;
    before = value;
  }
  return axis->n > 2;
}

static json_t *axes_json(const struct hd_explore *e) {
  json_t *axes = json_array();
  for (size_t a = 0; a < e->space.n; a++)
    json_array_append_new(axes, json_pack("{s:s, s:I, s:b}", "name", e->space.axis[a].name, "values",
                                          (json_int_t)e->space.axis[a].n, "ordered",
                                          is_ordered(&e->space.axis[a])));
  return axes;
}

/* The machines with figures at an input, and at the first input also those beyond a limit. */
static json_t *input_json(const struct hd_explore *e, size_t input) {
  json_t *machines = json_array();
  for (size_t i = 0; i < e->machines; i++) {
    const struct hd_candidate *c = &e->machine[i];
    if (!c->at[input].there && (input || !c->beyond))
      continue;
    json_t *values = c->at[input].there ? json_array() : json_null();
    for (size_t k = 0; k < e->objectives && c->at[input].there; k++)
      json_array_append_new(values, json_real(c->at[input].of[e->objective[k]]));
    json_array_append_new(machines, json_pack("{s:I, s:O, s:o, s:f}", "number", (json_int_t)i, "choices",
                                              c->choices, "values", values, "over", c->at[input].over));
  }
  return machines;
}

/* The choices that must not be proposed again, and about which nothing else is known. */
static json_t *useless(const struct hd_explore *e) {
  json_t *choices = json_copy(e->refused);
  for (size_t i = 0; i < e->machines; i++)
    if (e->machine[i].failed)
      json_array_extend(choices, e->machine[i].choices);
  return choices;
}

static json_t *question(const struct hd_explore *e, uint64_t n) {
  json_t *goals = json_array(), *inputs = json_array();
  for (size_t k = 0; k < e->objectives; k++)
    json_array_append_new(goals, json_string(hd_goals[e->objective[k]].more ? "maximize" : "minimize"));
  for (size_t i = 0; i < e->inputs; i++)
    json_array_append_new(inputs, input_json(e, i));
  return json_pack("{s:I, s:I, s:I, s:o, s:o, s:o, s:o}", "seed", (json_int_t)e->seed, "step",
                   (json_int_t)e->step, "ask", (json_int_t)n, "goals", goals, "axes", axes_json(e), "inputs",
                   inputs, "useless", useless(e));
}

bool hd_search_said(const struct hd_explore *e, const char *what, size_t input, size_t i, size_t *machine) {
  const json_t *row = json_array_get(json_array_get(json_object_get(e->said, what), input), i);
  *machine = (size_t)json_integer_value(row);
  return row && *machine < e->machines;
}

static enum hd_rc ask(struct hd_explore *e, const char *dir, uint64_t n, struct hd_why *why) {
  char *script = hd_format("%s/search.py", dir), *said = hd_format("%s/ask.json", dir),
       *answer = hd_format("%s/answer.json", dir), *log = hd_format("%s/log", dir), *python = NULL;
  const char *const files[] = {script, said, answer, log, NULL};
  hd_scrap_dir(dir);
  json_t *asked = question(e, n);
  enum hd_rc rc = hd_make_dirs(dir) && hd_write_file(script, program[0].text) ? HD_OK : cannot(script, why);
  if (rc == HD_OK && json_dump_file(asked, said, JSON_REAL_PRECISION(17)))
    rc = cannot(said, why);
  if (rc == HD_OK)
    rc = hd_search_python(&python, why);
  hd_progress((struct hd_pace){0}, "asking the optimiser");
  const int status =
      rc == HD_OK ? hd_run((const char *const[]){python, script, said, answer, NULL}, NULL, log, ASK_S) : 0;
  hd_progress_end();
  json_decref(e->said);
  e->said = rc == HD_OK && !status ? json_load_file(answer, 0, NULL) : NULL;
  if (rc == HD_OK && !e->said) {
    char *line = hd_last_line(log);
    rc = hd_because(why, HD_TOOL, "the optimiser failed: %s; see %s", *line ? line : "no answer", log);
    free(line);
  } else
    for (const char *const *name = files; *name; name++)
      unlink(*name);
  rmdir(dir);
  hd_scrap_done(dir);
  json_decref(asked);
  free(python);
  free(script);
  free(said);
  free(answer);
  free(log);
  return rc;
}

enum hd_rc hd_search_ask(struct hd_explore *e, uint64_t n, struct hd_why *why) {
  char *dir = hd_format("%s.search", e->args->store); /* only this program uses the store */
  const enum hd_rc rc = ask(e, dir, n, why);
  free(dir);
  e->step++;
  return rc;
}
