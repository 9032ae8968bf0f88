/* Asks the optimiser, a program of Python in a virtual environment that is made when it is first wanted; see explore.h.
 *
 * Invariant: the environment is there whole, with the versions that are named here, or it is made anew.
 */
#include "base/programs.h"
#include "cli/explore/explore.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Woverlength-strings"
/* The optimiser's program travels inside this one. */
static const struct {
  const char *path, *text;
} program[] = {
#include "cli/explore/text.h"
};

/* The version decides which machines are proposed: another one is another search. */
static const char wanted[] = "optuna==5.0.0";
enum { INSTALL_S = 900, ASK_S = 3600 };

static enum hd_rc cannot(const char *path, struct hd_why *why) {
  return hd_because(why, HD_INPUT, "%s cannot be written: %s", path, strerror(errno));
}

/* The last line of a log, to be freed. */
static char *last_line(const char *log) {
  char *text = hd_slurp(log), *line = text;
  for (size_t n = text ? strlen(text) : 0; n && text[n - 1] == '\n';)
    text[--n] = 0;
  if (text && strrchr(text, '\n'))
    line = strrchr(text, '\n') + 1;
  char *copy = hd_format("%s", line ? line : "");
  free(text);
  return copy;
}

/* --- the environment ------------------------------------------------------------------------------------ */

/* Where it is, to be freed: where the user says, else in the tree that this program was built in, else in the user's cache. */
static char *place(void) {
  const char *said = getenv("HEDDLE_VENV"), *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (said && *said)
    return hd_format("%s", said);
  if (access(HD_BUILD_DIR, W_OK) == 0)
    return hd_format("%s/explore-venv", HD_BUILD_DIR);
  return cache && *cache ? hd_format("%s/heddle/explore-venv", cache)
                         : hd_format("%s/.cache/heddle/explore-venv", home ? home : "");
}

/* Whether something is in the directory, and no log beside it says that an installation made it. */
static bool is_foreign(const char *dir, const char *log) {
  DIR *d = access(log, F_OK) ? opendir(dir) : NULL;
  unsigned n = 0;
  while (d && readdir(d))
    n++;
  if (d)
    closedir(d);
  return n > 2; /* . and .. */
}

/* Makes it anew, and leaves `mark` at the end. The log is there before anything else is: one that was killed is made anew. */
static enum hd_rc install(const char *dir, const char *python, const char *log, const char *mark,
                          struct hd_why *why) {
  if (is_foreign(dir, log))
    return hd_because(
        why, HD_INPUT,
        "%s: found files that are not heddle explore's; allowed a directory that is empty, or not "
        "there; name another one in HEDDLE_VENV",
        dir);
  FILE *f = fopen(log, "w");
  if (!f || fclose(f))
    return cannot(log, why);
  hd_progress_say("heddle explore: installing %s into %s\n", wanted, dir);
  int status =
      hd_program_run(HD_PYTHON, (const char *const[]){"-m", "venv", "--clear", "--without-pip", dir, NULL},
                     NULL, log, INSTALL_S);
  if (!status)
    status = hd_program_run(HD_PYTHON,
                            (const char *const[]){"-m", "pip", "--python", python, "install", "--quiet",
                                                  "--disable-pip-version-check", wanted, NULL},
                            NULL, log, INSTALL_S);
  if (!status) {
    f = fopen(mark, "w");
    return f && !fclose(f) ? HD_OK : cannot(mark, why);
  }
  char *said = last_line(log);
  const enum hd_rc rc =
      hd_because(why, HD_TOOL,
                 "%s cannot be installed into %s: %s; it needs Python's venv and pip, and a way "
                 "to the package index; see %s",
                 wanted, dir, *said ? said : "python3 -m venv failed", log);
  free(said);
  return rc;
}

enum hd_rc hd_search_python(char **python, struct hd_why *why) {
  char *dir = place(), *mark = hd_format("%s/%s", dir, wanted);
  *python = hd_format("%s/bin/python", dir);
  enum hd_rc rc = hd_program_need(HD_PYTHON, why);
  if (rc == HD_OK && !hd_make_dirs(dir))
    rc = cannot(dir, why);
  char *turn = hd_format("%s.lock", dir), *log = hd_format("%s.log", dir);
  const int lock = rc == HD_OK ? open(turn, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
  if (rc == HD_OK && lock < 0)
    rc = cannot(turn, why);
  if (rc == HD_OK)
    flock(lock, LOCK_EX); /* one program at a time installs */
  if (rc == HD_OK && (access(mark, F_OK) || access(*python, X_OK)))
    rc = install(dir, *python, log, mark, why);
  if (lock >= 0)
    close(lock);
  free(turn);
  free(log);
  free(dir);
  free(mark);
  return rc;
}

/* --- a question ----------------------------------------------------------------------------------------- */

/* Whether the choices of an axis are numbers in order, between which the optimiser may see a trend. */
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

/* The machines of which something is known at an input. */
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

/* Choices that are not to be proposed again, and of which nothing else is known. */
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
  json_t *asked = question(e, n);
  FILE *f = hd_make_dirs(dir) ? fopen(script, "w") : NULL;
  enum hd_rc rc = f && fputs(program[0].text, f) >= 0 ? HD_OK : cannot(script, why);
  if (f && fclose(f) && rc == HD_OK)
    rc = cannot(script, why);
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
    char *line = last_line(log);
    rc = hd_because(why, HD_TOOL, "the optimiser failed: %s; see %s", *line ? line : "no answer", log);
    free(line);
  } else
    for (const char *const *name = (const char *const[]){script, said, answer, log, NULL}; *name; name++)
      unlink(*name);
  rmdir(dir);
  json_decref(asked);
  free(python);
  free(script);
  free(said);
  free(answer);
  free(log);
  return rc;
}

enum hd_rc hd_search_ask(struct hd_explore *e, uint64_t n, struct hd_why *why) {
  char *dir = hd_format("%s.search", e->args->store); /* the store is this program's alone */
  const enum hd_rc rc = ask(e, dir, n, why);
  free(dir);
  e->step++;
  return rc;
}
