/* The view `runs` of a store (view.c). */
#ifndef HEDDLE_CLI_STORE_VIEW_H
#define HEDDLE_CLI_STORE_VIEW_H

#include <jansson.h>
#include <sqlite3.h>
#include <stdbool.h>

/* Returns the names of the view's columns of keys and figures, as an object, to be freed; NULL if they
 * cannot be read. */
json_t *hd_view_columns(sqlite3 *db);
/* Adds the names of the configuration's keys and of the figures to `columns`, and makes the view anew if a
 * name is new. Returns false on an error, which the database has. */
bool hd_view_add(sqlite3 *db, json_t *columns, json_t *config, json_t *figures);

#endif
