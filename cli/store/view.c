/* The view `runs` of a store: one column per key of the configuration and per figure, with the names of
 * `heddle sim --csv`.
 *
 * Invariant: the view has every name that a row has: it is made anew in the transaction that adds a new
 * name.
 */
#include "cli/store/view.h"
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* The columns of `run` that the view has unchanged: before the others, and after them. */
#define BEFORE "id, workload, seed, model, config_hash, input"
#define AFTER "seconds, cpu_seconds, peak_rss_kib, ended"

json_t *hd_view_columns(sqlite3 *db) {
  json_t *columns = json_object();
  sqlite3_stmt *rows;
  if (sqlite3_prepare_v2(db, "SELECT name FROM pragma_table_info('runs')", -1, &rows, NULL) != SQLITE_OK) {
    json_decref(columns);
    return NULL;
  }
  while (sqlite3_step(rows) == SQLITE_ROW) {
    const char *name = (const char *)sqlite3_column_text(rows, 0);
    char *own = hd_format(" %s,", name);
    if (!strstr(" " BEFORE ", " AFTER ",", own))
      json_object_set_new(columns, name, json_true());
    free(own);
  }
  sqlite3_finalize(rows);
  return columns;
}

static void add(void *to, const char *path, json_t *value) {
  (void)value;
  json_object_set_new(to, path, json_true());
}

/* Writes a path for SQLite's JSON functions: "l1d.hits" is $."l1d"."hits"; an index of an array is [N]. */
static void put_path(FILE *f, const char *name) {
  fputc('$', f);
  for (size_t n; n = strcspn(name, "."), *name; name += n + (name[n] == '.'))
    fprintf(f, strspn(name, "0123456789") == n ? "[%.*s]" : ".\"%.*s\"", (int)n, name);
}

static char *view_of(const json_t *columns) {
  const char *name;
  json_t *always;
  char *text = NULL;
  size_t size;
  FILE *f = hd_memory_open(&text, &size);
  fprintf(f, "DROP VIEW IF EXISTS runs; CREATE VIEW runs AS SELECT " BEFORE);
  json_object_foreach((json_t *)columns, name, always) {
    const bool config = !strncmp(name, "config.", 7);
    fprintf(f, ", %s ->> '", config ? "config" : "figures");
    put_path(f, config ? name + 7 : name);
    fprintf(f, "' AS \"%s\"", name);
  }
  fprintf(f, ", " AFTER " FROM run");
  hd_memory_close(f);
  return text;
}

bool hd_view_add(sqlite3 *db, json_t *columns, json_t *config, json_t *figures) {
  const size_t before = json_object_size(columns);
  hd_cli_each_leaf(config, "config", add, columns);
  hd_cli_each_leaf(figures, "", add, columns);
  if (json_object_size(columns) == before)
    return true;
  char *text = view_of(columns);
  const bool good = sqlite3_exec(db, text, NULL, NULL, NULL) == SQLITE_OK;
  free(text);
  return good;
}
