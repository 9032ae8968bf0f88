/* Opening a workload by its spec, and listing what there is. The kernels are described in docs/workloads.md.
 *
 * Spec grammar:
 *
 *   spec  = name [ ":" item { "," item } ] | "trace:" path                 (a trace: workloads/trace_open.h)
 *   item  = input | key "=" value | "file=" path
 *                                       an input comes first, if at all; each key at most once
 *   value = digit { digit }             decimal, in the key's range
 *
 * An input is a named set of values for all keys: "small" (the default: about a second of the golden model,
 * one SM), "tiny" (unit tests), "paper" (the size a paper used), and others a workload may have. Keys given
 * override it. `file` is for workloads that can read the user's data; the path has no comma, and keys that describe
 * the input made up in its place are refused. Examples: "atax", "atax:paper", "atax:n=1024",
 * "gemm:ni=256,nj=256,nk=128,reload=1", "syrk:paper,reload=1".
 *
 * Invariant: the same spec gives the same streams, on every machine and every run.
 */
#ifndef HEDDLE_WORKLOADS_WORKLOADS_H
#define HEDDLE_WORKLOADS_WORKLOADS_H

#include "workloads/catalog.h"
#include "workloads/stream.h"

#include <stdio.h>

/* Opens the workload that `spec` names. Close it with source->ops->close. On failure returns NULL and writes
 * one line to err (at most errlen bytes, always terminated): what was found and what is allowed. */
struct wl_source *wl_open(const char *spec, char *err, size_t errlen);

/* Whether `spec` follows the grammar and names what there is; no file is looked at. False: one line in err, as
 * wl_open writes it. */
bool wl_check(const char *spec, char *err, size_t errlen);

/* The value that a spec gives one of its workload's keys, by itself or by its input. False: it is not in the grammar, or the
 * key is none of the workload's, or changes nothing beside the spec's `file=`. */
bool wl_value(const char *spec, const char *key, uint64_t *found);

/* The table entry of workload number `i`, from 0, in listing order; NULL: there are no more. */
const struct wl_workload *wl_workload(size_t i);

/* The name of the suite that workload number `i` is in; NULL: there is no such workload. */
const char *wl_suite(size_t i);

/* Whether the key describes the made-up input only, and so is refused beside `file=`. */
bool wl_made_up(const struct wl_workload *workload, const struct wl_key *key);

/* Prints the workloads: name, suite, launches, origin, keys with their ranges, inputs with their values. */
void wl_list(FILE *out);

/* The array of the current launch that holds byte address `addr`, or NULL if none does or the source cannot
 * tell. */
const char *wl_array_name(const struct wl_source *source, uint64_t addr);

#endif
