/* heddle sweep: the runs of a YAML file (docs/sweep.md), on the cores here or as a job array of Slurm.
 *
 * sweep_file.c reads the file, with run_file.c; place.c finds out where runs happen; slurm.c submits and waits; spool.c is the directory
 * through which results come back; sweep.c is the verb, and runs one shard.
 *
 * Invariant: every run ends in the store once, whatever was killed and started again on the way.
 */
#ifndef HEDDLE_CLI_SWEEP_H
#define HEDDLE_CLI_SWEEP_H

#include "cli/sim/run_set.h"

/* What the file asks for. Problems go to stderr, a line each; HD_INPUT then. */
enum hd_rc hd_sweep_read(const char *path, struct hd_run_set *set, struct hd_why *why);

/* Where --on says: the cores here, or Slurm. HD_INPUT: another place, or --retries, --spool do not go with it; HD_TOOL: there is no
 * Slurm, and no store whose results might be all that is asked. */
enum hd_rc hd_sweep_place(const struct hd_args *args, hd_run_set_place *place, struct hd_why *why);

/* Runs what has no result on Slurm, whose set has a store. HD_TOOL: it refuses, or is not here and something is to be run. */
enum hd_rc hd_sweep_slurm(struct hd_run_set *set, struct hd_why *why);

/* --- the spool: a directory of one job array ------------------------------------------------------------- */

/* Assigns the runs `order` to `shards` by their costs, evenly, and writes machines and shards. */
enum hd_rc hd_spool_write(const struct hd_run_set *set, const size_t *order, size_t n, size_t shards,
                          const char *dir, struct hd_why *why);
/* Reads a shard back; what has a result already is left out. */
enum hd_rc hd_spool_read(const char *dir, uint64_t shard, struct hd_run_set *set, struct hd_why *why);
/* Keeps the result of a run, for the set whose args->what is the spool. */
enum hd_rc hd_spool_keep(const struct hd_run_set *set, const struct hd_run *run, struct hd_why *why);
/* Takes what is new in the spool: into the store what is good, into `set` what is asked. `taken`: the names that were looked at,
 * which a later call leaves alone. */
enum hd_rc hd_spool_merge(struct hd_run_set *set, const char *dir, json_t *taken, struct hd_why *why);
/* Removes the directory and all that is in it. */
void hd_spool_remove(const char *dir);

#endif
