/* The store: results of runs that outlast the program, in one SQLite file (docs/store.md has its tables).
 *
 * key.c says what a result depends on; store.c keeps results and finds them; view.c makes the view that people query;
 * synth_rows.c keeps prices of modules.
 *
 * Invariant: there is at most one row a key. A row is believed only if its sum is that of its key and its figures. The same
 * question has the same row wherever and whenever it ran, but for the columns that say how long it took.
 */
#ifndef HEDDLE_CLI_STORE_H
#define HEDDLE_CLI_STORE_H

#include <jansson.h>

#include "lib/objects.h"

struct hd_store;

/* Opens the file, made if need be. One program at a time writes there: this one waits for its turn, and says so on stderr as
 * `heddle VERB`. HD_INPUT: it cannot be written, is no store, or is another version's. *store is NULL then. */
enum hd_rc hd_store_open(const char *path, const char *verb, struct hd_store **store, struct hd_why *why);
/* Opens it to find things alone: without a turn, and nothing is made. *store is NULL if there is none yet. HD_INPUT: it is no store,
 * or is another version's. */
enum hd_rc hd_store_look(const char *path, struct hd_store **store, struct hd_why *why);
/* NULL: nothing is done. */
void hd_store_close(struct hd_store *store);
/* In a child of the program that opened it: the turn stays the parent's alone. NULL: nothing is done. */
void hd_store_leave(struct hd_store *store);

/* The result that is kept of the key, to be freed; NULL: none that can be believed. */
json_t *hd_store_find(struct hd_store *store, const json_t *key);
/* Keeps a good result. It is there for good when this returns. HD_INPUT: it cannot be written. */
enum hd_rc hd_store_keep(struct hd_store *store, const json_t *key, const json_t *result, struct hd_why *why);
/* Processor time of the runs that are kept, in seconds: the mean of those of this workload, of the same machine if there are
 * some; 0: there is none. */
double hd_store_seconds(struct hd_store *store, const json_t *key);
/* How much longer all of them took than so many seconds a warp instruction and a request to the L1D; 0: there is none. */
double hd_store_pace(struct hd_store *store, double instruction, double request);

/* What a result depends on: {"model", "config", "workload", "input"}; to be freed. `input` (not taken over) is hd_key_input's
 * of the workload. */
json_t *hd_key_new(const heddle_machine *machine, const char *workload, json_t *input);
/* The contents of the files that a spec names (trace:PATH, or file=PATH among others), hashed; null: it names none. A file that
 * cannot be read makes its run fail, and so no result is ever kept under the key made then. */
json_t *hd_key_input(const char *workload);
/* 16 hexadecimal digits, of JSON with its keys in order. */
struct hd_hash_text {
  char text[17];
};
struct hd_hash_text hd_key_hash(const json_t *json);
/* The sum of a key and its result, without what tells how long it took. */
struct hd_hash_text hd_key_sum(const json_t *key, const json_t *result);

#endif
