/* The findings of a search: as a table, as JSON, as machines and a plot; see explore.h.
 *
 * Invariant: every figure was measured on that machine at that input; nothing depends on how long the
 * search took.
 */
#include "base/programs.h"
#include "cli/explore/explore.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PLOT_S = 120 };

static size_t last_input(const struct hd_explore *e) {
  return e->inputs - 1;
}

static const char *input_name(const struct hd_explore *e, size_t i) {
  return *e->input[i].name ? e->input[i].name : "the workloads";
}

/* Returns the keys in which a machine differs from the first one, {"section.key": value}; to be freed. */
static json_t *changes_of(const struct hd_explore *e, const struct hd_candidate *c) {
  size_t n;
  const struct hd_key *keys = hd_keys(&n);
  json_t *changes = json_object();
  for (size_t k = 0; k < n; k++) {
    const long value = hd_config_get(&c->machine->c, &keys[k]);
    if (value == hd_config_get(&e->machine[0].machine->c, &keys[k]))
      continue;
    char *name = hd_format("%s.%s", keys[k].section, keys[k].key);
    json_object_set_new(changes, name, json_string(hd_key_text(&keys[k], value).text));
    free(name);
  }
  return changes;
}

/* --- for people ----------------------------------------------------------------------------------------- */

/* True if rows have this figure: objectives, and figures with limits. */
static bool shown(const struct hd_explore *e, enum hd_goal goal) {
  return hd_explore_wants(e, goal);
}

static void put_row(const struct hd_explore *e, const char *number, size_t machine, FILE *f) {
  const struct hd_candidate *c = &e->machine[machine];
  fprintf(f, "%5s", number);
  for (enum hd_goal goal = 0; goal < HD_GOALS; goal++)
    if (shown(e, goal))
      fprintf(f, goal == HD_GOAL_CLOCK ? " %11.0f" : " %11.4f", c->at[last_input(e)].of[goal]);
  fprintf(f, " ");
  json_t *changes = changes_of(e, c), *value;
  const char *key;
  json_object_foreach(changes, key, value) fprintf(f, " %s=%s", key, json_string_value(value));
  fprintf(f, machine ? "\n" : " %s, from which the search starts\n", e->machine[0].machine->c.name);
  json_decref(changes);
}

uint64_t hd_explore_done(const struct hd_explore *e, uint64_t *of) {
  uint64_t done = *of = 0;
  for (size_t i = 0; i < e->inputs; i++) {
    done += e->done[i];
    *of += e->most[i];
  }
  return done;
}

void hd_explore_print(const struct hd_explore *e, FILE *f) {
  size_t front = 0, machine;
  uint64_t of, done = hd_explore_done(e, &of);
  while (hd_search_said(e, "front", last_input(e), front, &machine))
    front++;
  fprintf(f, "seed %llu; evaluations:", (unsigned long long)e->seed);
  for (size_t i = 0; i < e->inputs; i++)
    fprintf(f, "%s %llu at %s", i ? "," : "", (unsigned long long)e->done[i], input_name(e, i));
  fprintf(
      f,
      "\n%zu proposals: %zu repaired, %zu no machines, %zu there already, %zu beyond a limit by their price;"
      " %zu failed\n",
      e->proposed, e->repaired, json_array_size(e->refused), e->doubles, e->beyond, e->failed);
  if (e->ended)
    fprintf(f, "ended after %llu of %llu evaluations: no other machine was found in the space\n",
            (unsigned long long)done, (unsigned long long)of);
  fprintf(f, "front: %zu machine%s\n\n%5s", front, front == 1 ? "" : "s", "#");
  for (enum hd_goal goal = 0; goal < HD_GOALS; goal++)
    if (shown(e, goal)) {
      char head[32];
      snprintf(head, sizeof head, "%s%s%s", hd_goals[goal].name, *hd_goals[goal].unit ? ", " : "",
               hd_goals[goal].unit);
      fprintf(f, " %11s", head);
    }
  fprintf(f, "  machine\n");
  bool with_first = false;
  for (size_t i = 0; hd_search_said(e, "front", last_input(e), i, &machine); i++) {
    char number[24];
    snprintf(number, sizeof number, "%zu", i + 1);
    put_row(e, number, machine, f);
    with_first |= !machine;
  }
  if (!with_first)
    put_row(e, "-", 0, f);
}

/* --- JSON ----------------------------------------------------------------------------------------------- */

static json_t *values_json(const struct hd_explore *e, const struct hd_evaluation *at) {
  if (!at->there)
    return json_null();
  json_t *values = json_object();
  for (enum hd_goal goal = 0; goal < HD_GOALS; goal++)
    if (shown(e, goal))
      json_object_set_new(values, hd_goals[goal].name, json_real(at->of[goal]));
  json_object_set_new(values, "beyond_limits", json_real(at->over));
  return values;
}

static json_t *machine_json(const struct hd_explore *e, size_t number) {
  const struct hd_candidate *c = &e->machine[number];
  json_t *at = json_array();
  for (size_t i = 0; i < e->inputs; i++)
    json_array_append_new(at, values_json(e, &c->at[i]));
  return json_pack("{s:I, s:o, s:b, s:b, s:o}", "number", (json_int_t)number, "changes", changes_of(e, c),
                   "failed", c->failed, "beyond_price", c->beyond, "inputs", at);
}

json_t *hd_explore_json(const struct hd_explore *e) {
  json_t *objectives = json_array(), *inputs = json_array(), *machines = json_array(), *front = json_array();
  for (size_t k = 0; k < e->objectives; k++) {
    const struct hd_goal_row *goal = &hd_goals[e->objective[k]];
    json_array_append_new(objectives, json_pack("{s:s, s:s, s:s}", "name", goal->name, "unit", goal->unit,
                                                "goal", goal->more ? "maximize" : "minimize"));
  }
  for (size_t i = 0; i < e->inputs; i++) {
    json_t *workloads = json_array();
    for (size_t w = 0; w < e->input[i].n; w++)
      json_array_append_new(workloads, json_string(e->input[i].workload[w]));
    json_array_append_new(inputs, json_pack("{s:s, s:I, s:o}", "input", e->input[i].name, "evaluations",
                                            (json_int_t)e->done[i], "workloads", workloads));
  }
  for (size_t i = 0; i < e->machines; i++)
    json_array_append_new(machines, machine_json(e, i));
  size_t machine;
  for (size_t i = 0; hd_search_said(e, "front", last_input(e), i, &machine); i++)
    json_array_append_new(front, json_integer((json_int_t)machine));
  json_t *all = json_pack("{s:I, s:I, s:O, s:o, s:o, s:b, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o}",
                          "seed", (json_int_t)e->seed, "budget", (json_int_t)e->budget, "optuna",
                          json_object_get(e->said, "optuna"), "objectives", objectives, "inputs", inputs,
                          "ended", e->ended, "proposals", (json_int_t)e->proposed, "repaired",
                          (json_int_t)e->repaired, "no_machines", (json_int_t)json_array_size(e->refused),
                          "there_already", (json_int_t)e->doubles, "beyond_price", (json_int_t)e->beyond,
                          "failed", (json_int_t)e->failed, "front", front, "machines", machines, "config",
                          hd_cli_config_json(&e->machine[0].machine->c));
  if (e->rivals)
    json_object_set_new(all, "rivals", hd_rivals_json(e));
  return all;
}

/* --- machines ------------------------------------------------------------------------------------------- */

static const char found[] = " of the front that heddle explore found"; /* in the first line of a machine */

/* Returns a complete configuration file: all keys that differ from their defaults or from the first
 * machine. */
static char *yaml_of(const struct hd_explore *e, size_t number, size_t machine) {
  const struct hd_config *c = &e->machine[machine].machine->c, *first = &e->machine[0].machine->c;
  const struct hd_evaluation *at = &e->machine[machine].at[last_input(e)];
  char *text = NULL;
  size_t size, n;
  const struct hd_key *keys = hd_keys(&n);
  FILE *f = hd_memory_open(&text, &size);
  const char *slash = strrchr(e->file.path, '/');
  fprintf(f, "# Machine %zu%s for %s, seed %llu, %llu evaluations.\n#", number, found,
          slash ? slash + 1 : e->file.path, (unsigned long long)e->seed, (unsigned long long)e->budget);
  for (enum hd_goal goal = 0; goal < HD_GOALS; goal++)
    if (shown(e, goal))
      fprintf(f, " %s %.5g%s%s%s;", hd_goals[goal].name, at->of[goal], *hd_goals[goal].unit ? " " : "",
              hd_goals[goal].unit, hd_goals[goal].ratio ? " of the first machine's" : "");
  fprintf(f, "\n# The first machine is %s; keys that differ from it say what it has.\n", first->name);
  fprintf(f, "name: %.50s_best%zu\n", first->name, number);
  const char *section = "";
  for (size_t k = 0; k < n; k++) {
    const long value = hd_config_get(c, &keys[k]), before = hd_config_get(first, &keys[k]);
    if (hd_config_idle(c, &keys[k]) || (value == keys[k].dflt && value == before))
      continue;
    if (strcmp(section, keys[k].section) != 0)
      fprintf(f, "%s:\n", section = keys[k].section);
    fprintf(f, "  %s: %s", keys[k].key, hd_key_text(&keys[k], value).text);
    if (value != before)
      fprintf(f, "  # %s: %s", first->name, hd_key_text(&keys[k], before).text);
    fprintf(f, "\n");
  }
  hd_memory_close(f);
  return text;
}

/* --- the plot ------------------------------------------------------------------------------------------- */

static void put_label(const struct hd_explore *e, char axis, enum hd_goal goal, FILE *f) {
  fprintf(f, "set %clabel '%s%s%s%s%s'\n", axis, hd_goals[goal].name, *hd_goals[goal].unit ? ", " : "",
          hd_goals[goal].unit, hd_goals[goal].ratio ? " over " : "",
          hd_goals[goal].ratio ? e->machine[0].machine->c.name : "");
}

/* Writes the machines at the last input, one per line: a number for the label, then the objectives. Either
 * those of the front, or all except the first machine. */
static void put_points(const struct hd_explore *e, const char *name, bool front, FILE *f) {
  const size_t last = last_input(e);
  size_t machine;
  fprintf(f, "$%s << EOD\n", name);
  for (size_t i = 0; hd_search_said(e, front ? "front" : "order", last, i, &machine); i++) {
    fprintf(f, "%zu", front ? i + 1 : machine);
    for (size_t k = 0; k < e->objectives; k++)
      fprintf(f, " %.8g", e->machine[machine].at[last].of[e->objective[k]]);
    fprintf(f, "\n");
  }
  fprintf(f, "EOD\n");
}

static void put_script(const struct hd_explore *e, FILE *f) {
  const size_t n = e->objectives, pairs = n > 1 ? n * (n - 1) / 2 : 1, columns = pairs < 3 ? pairs : 3,
               rows = (pairs + columns - 1) / columns;
  fprintf(f,
          "set terminal svg noenhanced size %zu,%zu font 'sans,12' background 'white'\nset output "
          "'front.svg'\nset grid lc rgb '#dddddd'\nset key off\nset offsets graph .05, graph .05, graph .05, "
          "graph .05\n",
          pairs > 1 ? 440 * columns : 640, pairs > 1 ? 340 * rows : 420);
  put_points(e, "all", false, f);
  put_points(e, "front", true, f);
  fprintf(f, "$first << EOD\n-");
  for (size_t k = 0; k < n; k++)
    fprintf(f, " %.8g", e->machine[0].at[last_input(e)].of[e->objective[k]]);
  fprintf(f, "\nEOD\n");
  if (n == 1) {
    put_label(e, 'y', e->objective[0], f);
    fprintf(f, "set xlabel 'machine, in the order tried'\n"
               "plot $all using 1:2 with points pt 7 ps 0.6 lc rgb '#9a9a9a', "
               "'' using 1:2 smooth unique with lines lc rgb '#cccccc'\n");
    return;
  }
  fprintf(f, "set multiplot layout %zu,%zu\n", rows, columns);
  for (size_t x = 0; x < n; x++)
    for (size_t y = x + 1; y < n; y++) {
      put_label(e, 'x', e->objective[x], f);
      put_label(e, 'y', e->objective[y], f);
      fprintf(f,
              "plot $all using %zu:%zu with points pt 7 ps 0.5 lc rgb '#9a9a9a', "
              "$front using %zu:%zu%s with %s pt 7 ps 0.7 lc rgb '#3b6ea5', "
              "'' using %zu:%zu:1 with labels offset 0.8,0.6, "
              "$first using %zu:%zu with points pt 2 ps 1 lw 2 lc rgb '#c0392b'\n",
              x + 2, y + 2, x + 2, y + 2, n == 2 ? " smooth unique" : "", n == 2 ? "linespoints" : "points",
              x + 2, y + 2, x + 2, y + 2);
    }
}

/* Returns the plot as text, to be freed, or NULL with a message. */
static char *plot_of(const struct hd_explore *e, struct hd_why *why) {
  char *dir = hd_format("%s.search", e->args->store), *path = hd_format("%s/front.gp", dir),
       *svg = hd_format("%s/front.svg", dir), *log = hd_format("%s/log", dir), *text = NULL;
  const char *const files[] = {path, svg, log, NULL};
  hd_scrap_dir(dir);
  const bool there = hd_program_need(HD_GNUPLOT, why) == HD_OK;
  FILE *f = there && hd_make_dirs(dir) ? fopen(path, "w") : NULL;
  if (there && !f)
    hd_because(why, HD_INPUT, "%s cannot be written: %s", path, strerror(errno));
  if (f) {
    put_script(e, f);
    if (hd_close_written(f) &&
        !hd_program_run(HD_GNUPLOT, (const char *const[]){"front.gp", NULL}, dir, log, PLOT_S))
      text = hd_slurp(svg);
    char *said = text ? NULL : hd_slurp(log);
    if (!text)
      hd_because(why, HD_TOOL, "gnuplot failed: %.200s", said ? said : "");
    free(said);
  }
  for (const char *const *name = files; *name; name++)
    unlink(*name);
  rmdir(dir);
  hd_scrap_done(dir);
  free(dir);
  free(path);
  free(svg);
  free(log);
  return text;
}

enum hd_rc hd_explore_write(const struct hd_explore *e, FILE *report, struct hd_why *why) {
  struct hd_files files = {0};
  struct hd_why no_plot;
  size_t n = 0, machine;
  for (; hd_search_said(e, "front", last_input(e), n, &machine); n++) {
    char stem[24];
    snprintf(stem, sizeof stem, "%zu", n + 1);
    hd_files_add(&files, e->args->out, stem, ".yaml", yaml_of(e, n + 1, machine));
  }
  char *plot = plot_of(e, &no_plot);
  if (plot)
    hd_files_add(&files, e->args->out, "front", ".svg", plot);
  const enum hd_rc rc = hd_files_write(&files, e->args->out, why);
  hd_files_free(&files);
  for (bool more = rc == HD_OK; more; n++) { /* left by an earlier search with a longer front */
    char *old = hd_format("%s/%zu.yaml", e->args->out, n + 1);
    char *text = hd_slurp(old);
    more = text && strstr(text, found) && !unlink(old);
    free(text);
    free(old);
  }
  if (rc == HD_OK)
    fprintf(report, "\nwritten: %s/: machines as NUMBER.yaml%s\n", e->args->out, plot ? ", front.svg" : "");
  if (rc == HD_OK && !plot) {
    char *old = hd_format("%s/front.svg", e->args->out);
    unlink(old); /* it shows another front */
    free(old);
    fprintf(report, "no plot: %s\n", no_plot.text);
  }
  return rc;
}
