/* The store: results of runs that outlast the program, in one SQLite file (docs/sweep/store.md has its tables).
 *
 * key.c defines what a result depends on. store.c keeps results and finds them. view.c makes the view that
 * people query. synth_rows.c keeps prices of modules.
 *
 * Invariant: there is at most one row per key. A row is used only if its sum matches its key and its
 * figures. The same question has the same row wherever and whenever it ran, except for the columns with run
 * times.
 */
#ifndef HEDDLE_CLI_STORE_H
#define HEDDLE_CLI_STORE_H

#include <jansson.h>

#include "lib/objects.h"

struct hd_store;

/* Opens the file, and makes it if necessary. Only one program at a time writes there; others wait for their
 * turn, and say so on stderr as `heddle VERB`. Returns HD_INPUT with *store NULL if the file cannot be
 * written, is no store, or has another version. */
enum hd_rc hd_store_open(const char *path, const char *verb, struct hd_store **store, struct hd_why *why);
/* Opens it only to find things: takes no turn and makes nothing. *store is NULL if the file does not exist
 * yet. Returns HD_INPUT if it is no store, or has another version. */
enum hd_rc hd_store_look(const char *path, struct hd_store **store, struct hd_why *why);
/* Does nothing for NULL. */
void hd_store_close(struct hd_store *store);
/* For a child process of the program that opened the store: the turn stays with the parent. Does nothing
 * for NULL. */
void hd_store_leave(struct hd_store *store);

/* Returns the stored result of the key, to be freed, or NULL if there is no valid one. */
json_t *hd_store_find(struct hd_store *store, const json_t *key);
/* Keeps a good result. It is on the disk when this returns. Returns HD_INPUT if it cannot be written. */
enum hd_rc hd_store_keep(struct hd_store *store, const json_t *key, const json_t *result, struct hd_why *why);
/* Returns the mean processor time of the stored runs of this workload in seconds: of those on the same
 * machine if there are any, else of all; 0 if there are none. */
double hd_store_seconds(struct hd_store *store, const json_t *key);
/* Returns how many times longer all runs took than these seconds per warp instruction and per request to
 * the L1D; 0 if there is none. */
double hd_store_pace(struct hd_store *store, double instruction, double request);

/* Returns the key: all that a result depends on, {"model", "config", "workload", "input"}; to be freed.
 * `input` (not taken over) is hd_key_input of the workload. */
json_t *hd_key_new(const heddle_machine *machine, const char *workload, json_t *input);
/* Returns the hash of the files that a spec names (trace:PATH, or file=PATH among others), or null if it
 * names none. If a file cannot be read, its run fails, so no result is kept under the key made from it. */
json_t *hd_key_input(const char *workload);
/* 16 hexadecimal digits, a hash of JSON with its keys in order. */
struct hd_hash_text {
  char text[17];
};
struct hd_hash_text hd_key_hash(const json_t *json);
/* Returns the sum of a key and its result, without the run times. */
struct hd_hash_text hd_key_sum(const json_t *key, const json_t *result);

#endif
