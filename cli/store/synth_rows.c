/* The table of module prices; see synth_rows.h. */
#include "cli/store/synth_rows.h"
#include "cli/store/database.h"

#include <stdlib.h>
#include <string.h>

static const char table[] = "CREATE TABLE IF NOT EXISTS synth ("
                            "  module TEXT NOT NULL,"
                            "  rtl TEXT NOT NULL,"
                            "  lib TEXT NOT NULL,"
                            "  tools TEXT NOT NULL,"
                            "  cells INTEGER NOT NULL,"
                            "  flipflops INTEGER NOT NULL,"
                            "  area_um2 REAL NOT NULL,"
                            "  leak_nw REAL NOT NULL,"
                            "  fmax_mhz REAL NOT NULL,"
                            "  sum TEXT NOT NULL,"
                            "  seconds REAL NOT NULL,"
                            "  ended TEXT NOT NULL DEFAULT (datetime()),"
                            "  PRIMARY KEY (module, rtl, lib, tools)"
                            ") STRICT";

static struct hd_hash_text sum_of(const struct hd_synth_key *key, const struct hd_synth_figures *f) {
  char *text = hd_format("%s %s %s %s %ld %ld %.17g %.17g %.17g", key->module, key->rtl.text, key->lib,
                         key->tools, f->cells, f->flipflops, f->area_um2, f->leak_nw, f->fmax_mhz);
  struct hd_hash_text sum;
  snprintf(sum.text, sizeof sum.text, "%016llx", (unsigned long long)hd_hash_text(HD_HASH_START, text));
  free(text);
  return sum;
}

static void bind_key(sqlite3_stmt *row, const struct hd_synth_key *key) {
  sqlite3_bind_text(row, 1, key->module, -1, SQLITE_TRANSIENT);
  sqlite3_bind_text(row, 2, key->rtl.text, -1, SQLITE_TRANSIENT);
  sqlite3_bind_text(row, 3, key->lib, -1, SQLITE_TRANSIENT);
  sqlite3_bind_text(row, 4, key->tools, -1, SQLITE_TRANSIENT);
}

bool hd_store_find_synth(struct hd_store *store, const struct hd_synth_key *key, struct hd_synth_figures *f) {
  sqlite3_stmt *row;
  bool found = false;
  if (sqlite3_prepare_v2(hd_store_database(store),
                         "SELECT cells, flipflops, area_um2, leak_nw, fmax_mhz, sum FROM synth"
                         " WHERE module = ?1 AND rtl = ?2 AND lib = ?3 AND tools = ?4",
                         -1, &row, NULL) != SQLITE_OK)
    return false; /* the table does not exist yet */
  bind_key(row, key);
  if (sqlite3_step(row) == SQLITE_ROW) {
    *f = (struct hd_synth_figures){(long)sqlite3_column_int64(row, 0), (long)sqlite3_column_int64(row, 1),
                                   sqlite3_column_double(row, 2), sqlite3_column_double(row, 3),
                                   sqlite3_column_double(row, 4)};
    found = !strcmp((const char *)sqlite3_column_text(row, 5), sum_of(key, f).text);
  }
  sqlite3_finalize(row);
  return found;
}

enum hd_rc hd_store_keep_synth(struct hd_store *store, const struct hd_synth_key *key,
                               const struct hd_synth_figures *f, double seconds, struct hd_why *why) {
  sqlite3 *db = hd_store_database(store);
  sqlite3_stmt *row = NULL;
  bool good = sqlite3_exec(db, table, NULL, NULL, NULL) == SQLITE_OK &&
              sqlite3_prepare_v2(db,
                                 "INSERT OR REPLACE INTO synth (module, rtl, lib, tools, cells, flipflops, "
                                 "area_um2, leak_nw, fmax_mhz, sum, seconds) VALUES "
                                 "(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11)",
                                 -1, &row, NULL) == SQLITE_OK;
  if (good) {
    bind_key(row, key);
    sqlite3_bind_int64(row, 5, f->cells);
    sqlite3_bind_int64(row, 6, f->flipflops);
    sqlite3_bind_double(row, 7, f->area_um2);
    sqlite3_bind_double(row, 8, f->leak_nw);
    sqlite3_bind_double(row, 9, f->fmax_mhz);
    sqlite3_bind_text(row, 10, sum_of(key, f).text, -1, SQLITE_TRANSIENT);
    sqlite3_bind_double(row, 11, seconds);
    good = sqlite3_step(row) == SQLITE_DONE;
  }
  const enum hd_rc rc = good ? HD_OK
                             : hd_because(why, HD_INPUT, "--store: %s cannot be written: %s",
                                          sqlite3_db_filename(db, NULL), sqlite3_errmsg(db));
  sqlite3_finalize(row);
  return rc;
}
