/* What a workload's table entry says. One entry is at once what `wl_open` parses a spec with, what `wl_list`
 * prints and what makes the source, so the three cannot disagree.
 *
 * Invariant: names are unique within their list; every input's values lie in the ranges of its keys.
 */
#ifndef HEDDLE_WORKLOADS_CATALOG_H
#define HEDDLE_WORKLOADS_CATALOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wl_source;
struct wl_plan;

enum { WL_MAX_KEYS = 10, WL_MAX_INPUTS = 5 };

struct wl_key {
  const char *name; /* NULL ends a list of keys */
  uint64_t min, max;
  const char *meaning;
};

struct wl_input {
  const char *name;            /* NULL ends a list of inputs; the default input is the one called "small" */
  uint64_t value[WL_MAX_KEYS]; /* in the order of the keys */
};

struct wl_workload {
  const char *name;
  const char *launches; /* the launches, in order, in words */
  const char *origin;   /* the benchmark suite, and the paper its `paper` input is from */
  struct wl_key key[WL_MAX_KEYS + 1];
  struct wl_input input[WL_MAX_INPUTS + 1];
  /* Makes the source from one value for each key, all in range. NULL: out of memory. */
  struct wl_source *(*open)(const struct wl_workload *workload, const uint64_t *value);
  /* For open = wl_open_plan: describes launch number `launch` (from 0), see plan.h. False: no such launch. */
  bool (*build)(struct wl_plan *plan, uint32_t launch);
};

/* `open` of every workload that is described by a plan (engine.c). */
struct wl_source *wl_open_plan(const struct wl_workload *workload, const uint64_t *value);

/* The suites: tables that end with a NULL name. */
extern const struct wl_workload wl_polybench[];
extern const struct wl_workload wl_random[];

#endif
