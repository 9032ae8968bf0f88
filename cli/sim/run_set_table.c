/* The table of many runs: for people, as JSON, as CSV.
 *
 * Invariant: the CSV is made from the JSON, whatever figures that has: one column per leaf, with the same
 * digits.
 */
#include "cli/sim/run_set.h"

#include <stdlib.h>
#include <string.h>

enum hd_rc hd_run_rc(const struct hd_run *run) {
  return (enum hd_rc)json_integer_value(json_object_get(run->result, "exit_code"));
}

const char *hd_run_error(const struct hd_run *run) {
  const char *text = json_string_value(json_object_get(run->result, "error"));
  return text ? text : "";
}

/* --- for people ----------------------------------------------------------------------------------------- */

static double figure(const json_t *o, const char *key) {
  return json_number_value(json_object_get(o, key));
}

void hd_table_print(const struct hd_run_set *m, FILE *f) {
  int config = 6, workload = 8; /* widths of the columns */
  for (size_t i = 0; i < m->runs; i++)
    if ((int)strlen(m->run[i].name) > config)
      config = (int)strlen(m->run[i].name);
  for (size_t i = 0; i < m->workloads; i++)
    if ((int)strlen(m->workload[i]) > workload)
      workload = (int)strlen(m->workload[i]);
  fprintf(f, "%-*s  %-*s %14s %9s %5s %9s %9s %10s\n", config, "config", workload, "workload", "cycles",
          "IPC", "warps", "miss rate", "CPU s", "peak KiB");
  for (size_t i = 0; i < m->runs; i++) {
    const struct hd_run *run = &m->run[i];
    const json_t *r = run->result;
    fprintf(f, "%-*s  %-*s ", config, run->name, workload, run->workload);
    if (hd_run_rc(run) != HD_OK)
      fprintf(f, "%14s %9s %5s %9s", "FAILED", "-", "-", "-");
    else
      fprintf(f, "%14.0f %9.4f %5.1f %9.4f", figure(r, "cycles"), figure(r, "ipc"),
              figure(r, "resident_warps"), figure(json_object_get(r, "l1d"), "miss_rate"));
    fprintf(f, " %9.2f %10.0f%s%s\n", figure(r, "cpu_seconds"), figure(r, "peak_rss_kib"),
            hd_run_rc(run) == HD_OK ? "" : "  ", hd_run_error(run));
  }
}

/* --- JSON ----------------------------------------------------------------------------------------------- */

json_t *hd_table_json(const struct hd_run_set *m) {
  json_t *runs = json_array();
  for (size_t i = 0; i < m->runs; i++) {
    json_t *row = json_copy(m->run[i].result);
    json_object_set_new(row, "config", hd_cli_config_json(&m->run[i].machine->c));
    json_array_append_new(runs, row);
  }
  return json_pack("{s:o}", "runs", runs);
}

/* --- CSV ------------------------------------------------------------------------------------------------ */

static void add_leaf(void *to, const char *path, json_t *value) {
  json_object_set(to, path, value);
}

static void put_value(const json_t *value, FILE *f) {
  if (json_is_string(value))
    hd_cli_csv_text(json_string_value(value), f);
  else if (value && !json_is_null(value))
    json_dumpf(value, f, JSON_ENCODE_ANY | JSON_REAL_PRECISION(10));
}

static void put_line(json_t *columns, json_t *row, FILE *f) {
  const char *key;
  json_t *always;
  const char *separator = "";
  json_object_foreach(columns, key, always) {
    fputs(separator, f);
    if (row)
      put_value(json_object_get(row, key), f);
    else
      hd_cli_csv_text(key, f);
    separator = ",";
  }
  fputc('\n', f);
}

void hd_table_csv(const json_t *table, FILE *f) {
  /* The fixed columns come first, then the others in their order, those of failed runs last. */
  json_t *columns = json_pack("{s:n, s:n, s:n, s:n, s:n, s:n}", "config.name", "workload", "exit_code",
                              "error", "cpu_seconds", "peak_rss_kib");
  json_t *flat = json_array(), *row;
  size_t i;
  json_array_foreach(json_object_get(table, "runs"), i, row) {
    json_t *leaves = json_object();
    hd_cli_each_leaf(row, "", add_leaf, leaves);
    json_array_append_new(flat, leaves);
  }
  for (int failed = 0; failed < 2; failed++)
    json_array_foreach(flat, i, row) {
      if (failed == (json_integer_value(json_object_get(row, "exit_code")) != HD_OK))
        json_object_update_missing(columns, row);
    }
  put_line(columns, NULL, f);
  json_array_foreach(flat, i, row) put_line(columns, row, f);
  json_decref(columns);
  json_decref(flat);
}
