/* Opens a workload by its spec, and lists the workloads. docs/workloads.md describes the kernels.
 *
 * Spec grammar:
 *
 *   spec  = name [ ":" item { "," item } ] | "trace:" path                 (a trace: workloads/trace_open.h)
 *   item  = input | key "=" value | "file=" path
 *                                       an input comes first, if at all; each key at most once
 *   value = digit { digit }             decimal, in the key's range
 *
 * An input is a named set of values for all keys: "small" (the default: about a second of the golden model,
 * one SM), "tiny" (unit tests), "paper" (the size a paper used), and others that a workload may have. Keys
 * in the spec override the input's values. `file` is for workloads that can read the user's data; its path
 * has no comma. Beside `file`, keys that describe the made-up input are refused. Examples: "atax",
 * "atax:paper", "atax:n=1024", "gemm:ni=256,nj=256,nk=128,reload=1", "syrk:paper,reload=1".
 *
 * Invariant: the same spec gives the same streams, on every machine and every run.
 */
#ifndef HEDDLE_WORKLOADS_WORKLOADS_H
#define HEDDLE_WORKLOADS_WORKLOADS_H

#include "workloads/catalog.h"
#include "workloads/stream.h"

#include <stdio.h>

/* Opens the workload that `spec` names. Close it with source->ops->close. Returns NULL on failure, after
 * writing one line to err (at most errlen bytes, always terminated): what was found and what is allowed. */
struct wl_source *wl_open(const char *spec, char *err, size_t errlen);

/* Returns true if `spec` follows the grammar and names a workload that exists. Does not look at files.
 * Returns false with one line in err, as wl_open. */
bool wl_check(const char *spec, char *err, size_t errlen);

/* Gives the value of one key under a spec, from the spec itself or from its input. Returns false if the
 * spec is not in the grammar, if the workload has no such key, or if the key changes nothing beside the
 * spec's `file=`. */
bool wl_value(const char *spec, const char *key, uint64_t *found);

/* Returns the table entry of workload number `i`, from 0, in listing order, or NULL after the last. */
const struct wl_workload *wl_workload(size_t i);

/* Returns the name of the suite of workload number `i`, or NULL if there is no such workload. */
const char *wl_suite(size_t i);

/* Returns true if the key describes only the made-up input, and so is refused beside `file=`. */
bool wl_made_up(const struct wl_workload *workload, const struct wl_key *key);

/* Prints all workloads: name, suite, launches, origin, keys with their ranges, inputs with their values. */
void wl_list(FILE *out);

/* Returns the name of the array of the current launch that holds byte address `addr`, or NULL if no array
 * holds it or the source cannot tell. */
const char *wl_array_name(const struct wl_source *source, uint64_t addr);

#endif
