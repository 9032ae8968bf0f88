/* Internal to the store: its database, for the files that keep their own tables there. */
#ifndef HEDDLE_CLI_STORE_DATABASE_H
#define HEDDLE_CLI_STORE_DATABASE_H

#include <sqlite3.h>

#include "cli/store/store.h"

sqlite3 *hd_store_database(struct hd_store *store);

#endif
