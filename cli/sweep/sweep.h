/* heddle sweep: the runs of a YAML file (docs/sweep.md), on the local cores or as a job array of Slurm.
 *
 * sweep_file.c reads the file, with run_file.c. place.c decides where runs happen. slurm.c submits and
 * waits. spool.c is the directory through which results come back. sweep.c is the verb, and runs one shard.
 *
 * Invariant: every run ends in the store once, whatever was killed and started again meanwhile.
 */
#ifndef HEDDLE_CLI_SWEEP_H
#define HEDDLE_CLI_SWEEP_H

#include "cli/sim/run_set.h"

/* Reads the machines and workloads of the file. Problems go to stderr, one per line; then it returns
 * HD_INPUT. */
enum hd_rc hd_sweep_read(const char *path, struct hd_run_set *set, struct hd_why *why);

/* Gives the place that --on names: the local cores, or Slurm. Returns HD_INPUT if it is another place, or
 * if --retries or --spool do not go with it; HD_TOOL if there is no Slurm, and no store that might already
 * have all results. */
enum hd_rc hd_sweep_place(const struct hd_args *args, hd_run_set_place *place, struct hd_why *why);

/* Runs the runs without a result on Slurm. The set must have a store. Returns HD_TOOL if Slurm refuses, or
 * is missing while runs are left. */
enum hd_rc hd_sweep_slurm(struct hd_run_set *set, struct hd_why *why);

/* --- the spool: a directory of one job array ------------------------------------------------------------- */

/* Distributes the runs `order` evenly over `shards` by their costs, and writes machines and shards. */
enum hd_rc hd_spool_write(const struct hd_run_set *set, const size_t *order, size_t n, size_t shards,
                          const char *dir, struct hd_why *why);
/* Reads a shard back, without the runs that have a result already. */
enum hd_rc hd_spool_read(const char *dir, uint64_t shard, struct hd_run_set *set, struct hd_why *why);
/* Keeps the result of a run, for a set whose args->what is the spool. */
enum hd_rc hd_spool_keep(const struct hd_run_set *set, const struct hd_run *run, struct hd_why *why);
/* Takes the new results of the spool: good ones into the store, those that the set asks for into `set`.
 * `taken`: the names that were read; a later call skips them. */
enum hd_rc hd_spool_merge(struct hd_run_set *set, const char *dir, json_t *taken, struct hd_why *why);
/* Removes the directory and its files. */
void hd_spool_remove(const char *dir);

#endif
