/* Results in an SQLite file; see store.h. */
#include "cli/store/store.h"
#include "base/alloc.h"
#include "cli/store/database.h"
#include "cli/store/view.h"
#include "workloads/workloads.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* "HdlS", which lets `file` and others recognise the file; the version of the tables. */
enum { APPLICATION = 0x48646c53, VERSION = 1, BUSY_MS = 60000 };

static const char tables[] = "CREATE TABLE run ("
                             "  id INTEGER PRIMARY KEY,"
                             "  config TEXT NOT NULL,"
                             "  config_hash TEXT NOT NULL,"
                             "  workload TEXT NOT NULL,"
                             "  seed INTEGER,"
                             "  input TEXT NOT NULL,"
                             "  model TEXT NOT NULL,"
                             "  figures TEXT NOT NULL,"
                             "  sum TEXT NOT NULL,"
                             "  seconds REAL NOT NULL,"
                             "  cpu_seconds REAL NOT NULL,"
                             "  peak_rss_kib INTEGER NOT NULL,"
                             "  ended TEXT NOT NULL DEFAULT (datetime()),"
                             "  UNIQUE (config_hash, workload, input, model)"
                             ") STRICT;"
                             "CREATE VIEW runs AS SELECT id FROM run;";

struct hd_store {
  sqlite3 *db;
  int turn;        /* descriptor of the file, locked during this program's turn; -1: only reading */
  json_t *columns; /* columns of the view; NULL: to be read */
  sqlite3_stmt *find, *keep;
};

/* --- opening -------------------------------------------------------------------------------------------- */

static bool does(struct hd_store *s, const char *sql) {
  return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK;
}

static int pragma(struct hd_store *s, const char *sql) {
  sqlite3_stmt *row;
  int value = -1;
  if (sqlite3_prepare_v2(s->db, sql, -1, &row, NULL) == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW)
    value = sqlite3_column_int(row, 0);
  sqlite3_finalize(row);
  return value;
}

/* Waits for the turn. The descriptor is opened before SQLite's and closed after it. Closing it earlier
 * would drop SQLite's locks. */
static enum hd_rc take_turn(struct hd_store *s, const char *path, const char *verb, struct hd_why *why) {
  s->turn = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (s->turn < 0)
    return hd_because(why, HD_INPUT, "--store: %s cannot be written: %s", path, strerror(errno));
  if (flock(s->turn, LOCK_EX | LOCK_NB)) {
    fprintf(stderr, "heddle %s: waiting for another heddle that writes to %s\n", verb, path);
    flock(s->turn, LOCK_EX);
  }
  return HD_OK;
}

static enum hd_rc make_tables(struct hd_store *s, const char *path, struct hd_why *why) {
  char *set = hd_format("BEGIN IMMEDIATE; %s PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT",
                        tables, APPLICATION, VERSION);
  const bool good = does(s, set);
  free(set);
  return good ? HD_OK
              : hd_because(why, HD_INPUT, "--store: %s cannot be written: %s", path, sqlite3_errmsg(s->db));
}

static enum hd_rc open_database(struct hd_store *s, const char *path, int flags, struct hd_why *why) {
  if (sqlite3_open_v2(path, &s->db, flags, NULL) != SQLITE_OK)
    return hd_because(why, HD_INPUT, "--store: %s cannot be opened: %s", path, sqlite3_errmsg(s->db));
  sqlite3_busy_timeout(s->db, BUSY_MS);
  const int objects = pragma(s, "SELECT count(*) FROM sqlite_master"),
            application = pragma(s, "PRAGMA application_id"), version = pragma(s, "PRAGMA user_version");
  if (objects < 0)
    return hd_because(why, HD_INPUT,
                      "--store: %s: found what is no SQLite database (%s); allowed a store, or no file yet",
                      path, sqlite3_errmsg(s->db));
  if (!objects && !application) {
    if (s->turn < 0) /* only reading */
      return HD_OK;  /* s->find stays NULL */
    const enum hd_rc rc = make_tables(s, path, why);
    if (rc != HD_OK)
      return rc;
  } else if (application != APPLICATION)
    return hd_because(why, HD_INPUT,
                      "--store: %s: found another program's SQLite database; allowed a store, or no file yet",
                      path);
  else if (version != VERSION)
    return hd_because(why, HD_INPUT,
                      "--store: %s: found tables of version %d; allowed %d; use the heddle that made it, or "
                      "another file",
                      path, version, VERSION);
  const char *find = "SELECT figures, sum, seconds, cpu_seconds, peak_rss_kib FROM run"
                     " WHERE config_hash = ?1 AND workload = ?2 AND input = ?3 AND model = ?4",
             *keep =
                 "INSERT OR REPLACE INTO run (config_hash, workload, input, model, config, seed, figures, "
                 "sum, seconds, cpu_seconds, peak_rss_kib) VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11)";
  const bool good = sqlite3_prepare_v2(s->db, find, -1, &s->find, NULL) == SQLITE_OK &&
                    sqlite3_prepare_v2(s->db, keep, -1, &s->keep, NULL) == SQLITE_OK;
  return good ? HD_OK
              : hd_because(why, HD_INPUT, "--store: %s cannot be read: %s", path, sqlite3_errmsg(s->db));
}

static struct hd_store *new_store(void) {
  struct hd_store *s = hd_zeroed(1, sizeof *s);
  s->turn = -1;
  return s;
}

/* Returns the store if it is good, else closes it. */
static enum hd_rc give(struct hd_store *s, enum hd_rc rc, struct hd_store **store) {
  *store = rc == HD_OK ? s : NULL;
  if (rc != HD_OK)
    hd_store_close(s);
  return rc;
}

enum hd_rc hd_store_open(const char *path, const char *verb, struct hd_store **store, struct hd_why *why) {
  struct hd_store *s = new_store();
  enum hd_rc rc = take_turn(s, path, verb, why);
  if (rc == HD_OK)
    rc = open_database(s, path, SQLITE_OPEN_READWRITE, why);
  return give(s, rc, store);
}

enum hd_rc hd_store_look(const char *path, struct hd_store **store, struct hd_why *why) {
  *store = NULL;
  struct stat file;
  if (stat(path, &file) ? errno == ENOENT : !file.st_size)
    return HD_OK; /* it does not exist yet, or is being made */
  struct hd_store *s = new_store();
  /* If possible, this rolls back what a killed writer had half written. */
  const int flags = access(path, W_OK) ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
  const enum hd_rc rc = give(s, open_database(s, path, flags, why), store);
  if (rc == HD_OK && !s->find) { /* no tables yet; hd_store_open would make them */
    hd_store_close(s);
    *store = NULL;
  }
  return rc;
}

void hd_store_close(struct hd_store *s) {
  if (!s)
    return;
  sqlite3_finalize(s->find);
  sqlite3_finalize(s->keep);
  sqlite3_close(s->db);
  if (s->turn >= 0)
    close(s->turn);
  json_decref(s->columns);
  free(s);
}

void hd_store_leave(struct hd_store *s) {
  if (s && s->turn >= 0)
    close(s->turn);
}

sqlite3 *hd_store_database(struct hd_store *s) {
  return s->db;
}

/* --- rows ----------------------------------------------------------------------------------------------- */

static const char *text_of(const json_t *key, const char *name) {
  const char *text = json_string_value(json_object_get(key, name));
  return text ? text : ""; /* no input */
}

/* Binds the four columns of the key. */
static void bind_key(sqlite3_stmt *row, const json_t *key) {
  sqlite3_reset(row);
  sqlite3_bind_text(row, 1, hd_key_hash(json_object_get(key, "config")).text, -1, SQLITE_TRANSIENT);
  sqlite3_bind_text(row, 2, text_of(key, "workload"), -1, SQLITE_TRANSIENT);
  sqlite3_bind_text(row, 3, text_of(key, "input"), -1, SQLITE_TRANSIENT);
  sqlite3_bind_text(row, 4, text_of(key, "model"), -1, SQLITE_TRANSIENT);
}

/* Returns the result of the current row. */
static json_t *result_of(sqlite3_stmt *row, const json_t *key) {
  json_t *figures = json_loads((const char *)sqlite3_column_text(row, 0), JSON_REJECT_DUPLICATES, NULL);
  json_t *result =
      figures ? json_pack("{s:i, s:n}", "exit_code", HD_OK, "error") : NULL; /* only good results are kept */
  json_object_update(result, figures);
  json_decref(figures);
  const char *sum = (const char *)sqlite3_column_text(row, 1);
  if (result && strcmp(hd_key_sum(key, result).text, sum ? sum : "") != 0) {
    json_decref(result);
    return NULL;
  }
  json_object_set_new(result, "seconds", json_real(sqlite3_column_double(row, 2)));
  json_object_set_new(result, "cpu_seconds", json_real(sqlite3_column_double(row, 3)));
  json_object_set_new(result, "peak_rss_kib", json_integer(sqlite3_column_int64(row, 4)));
  return result;
}

json_t *hd_store_find(struct hd_store *s, const json_t *key) {
  bind_key(s->find, key);
  json_t *result = sqlite3_step(s->find) == SQLITE_ROW ? result_of(s->find, key) : NULL;
  sqlite3_reset(s->find);
  return result;
}

static double number_of(const json_t *result, const char *name) {
  return json_number_value(json_object_get(result, name));
}

enum hd_rc hd_store_keep(struct hd_store *s, const json_t *key, const json_t *result, struct hd_why *why) {
  json_t *config = json_object_get(key, "config"), *figures = json_copy((json_t *)result);
  const struct hd_hash_text sum = hd_key_sum(key, result);
  for (const char *const *name =
           (const char *const[]){"exit_code", "error", "seconds", "cpu_seconds", "peak_rss_kib", NULL};
       *name; name++)
    json_object_del(figures, *name);
  char *config_text = json_dumps(config, JSON_COMPACT), *figures_text = json_dumps(figures, JSON_COMPACT);
  if (!config_text || !figures_text)
    abort();
  bind_key(s->keep, key);
  sqlite3_bind_text(s->keep, 5, config_text, -1, SQLITE_TRANSIENT);
  uint64_t seed;
  if (wl_value(text_of(key, "workload"), "seed", &seed))
    sqlite3_bind_int64(s->keep, 6, (sqlite3_int64)seed);
  else
    sqlite3_bind_null(s->keep, 6);
  sqlite3_bind_text(s->keep, 7, figures_text, -1, SQLITE_TRANSIENT);
  sqlite3_bind_text(s->keep, 8, sum.text, -1, SQLITE_TRANSIENT);
  sqlite3_bind_double(s->keep, 9, number_of(result, "seconds"));
  sqlite3_bind_double(s->keep, 10, number_of(result, "cpu_seconds"));
  sqlite3_bind_int64(s->keep, 11, json_integer_value(json_object_get(result, "peak_rss_kib")));
  if (!s->columns)
    s->columns = hd_view_columns(s->db);
  const bool good = s->columns && does(s, "BEGIN IMMEDIATE") &&
                    hd_view_add(s->db, s->columns, config, figures) && sqlite3_step(s->keep) == SQLITE_DONE &&
                    does(s, "COMMIT");
  const enum hd_rc rc = good ? HD_OK
                             : hd_because(why, HD_INPUT, "--store: %s cannot be written: %s",
                                          sqlite3_db_filename(s->db, NULL), sqlite3_errmsg(s->db));
  sqlite3_reset(s->keep);
  if (!good) {
    does(s, "ROLLBACK");
    json_decref(s->columns); /* the view is unchanged */
    s->columns = NULL;
  }
  json_decref(figures);
  free(config_text);
  free(figures_text);
  return rc;
}

/* --- how long ------------------------------------------------------------------------------------------- */

static double first_number(struct hd_store *s, const char *sql, const json_t *key) {
  sqlite3_stmt *row;
  double seconds = 0;
  if (sqlite3_prepare_v2(s->db, sql, -1, &row, NULL) != SQLITE_OK)
    return 0;
  if (key)
    bind_key(row, key);
  if (sqlite3_step(row) == SQLITE_ROW)
    seconds = sqlite3_column_double(row, 0);
  sqlite3_finalize(row);
  return seconds;
}

double hd_store_seconds(struct hd_store *s, const json_t *key) {
  return first_number(s,
                      "SELECT avg(cpu_seconds) FROM run WHERE workload = ?2 GROUP BY config_hash = ?1 "
                      "ORDER BY config_hash = ?1 DESC LIMIT 1",
                      key);
}

double hd_store_pace(struct hd_store *s, double instruction, double request) {
  char *sql =
      hd_format("SELECT sum(cpu_seconds) / sum(%g * (figures ->> '$.instructions') + %g * (figures ->> "
                "'$.l1d.accesses')) FROM run",
                instruction, request);
  const double pace = first_number(s, sql, NULL);
  free(sql);
  return pace;
}
