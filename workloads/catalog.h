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

/* Forward: workloads/stream.h, workloads/plan/plan.h. */
struct wl_source;
struct wl_plan;

enum { WL_MAX_KEYS = 12, WL_MAX_INPUTS = 5 };

struct wl_key {
  const char *name; /* NULL ends a list of keys */
  uint64_t min, max;
  const char *meaning;
};

struct wl_input {
  const char *name;            /* NULL ends a list of inputs; the default input is the one called "small" */
  uint64_t value[WL_MAX_KEYS]; /* in the order of the keys */
};

/* What a spec asks for. */
struct wl_input_values {
  uint64_t value[WL_MAX_KEYS]; /* one for each key, in range */
  const char *file;            /* `file=`, valid during `open`; NULL: not given */
};

struct wl_workload {
  const char *name;
  const char *launches; /* the launches, in order, in words */
  const char *origin;   /* the benchmark suite, and the paper its `paper` input is from */
  struct wl_key key[WL_MAX_KEYS + 1];
  struct wl_input input[WL_MAX_INPUTS + 1];
  /* Makes the source. NULL: one line in err (at most errlen bytes) says why. */
  struct wl_source *(*open)(const struct wl_workload *workload, const struct wl_input_values *input,
                            char *err, size_t errlen);
  /* For open = wl_open_plan: describes launch number `launch` (from 0), see plan.h. False: no such launch. */
  bool (*build)(struct wl_plan *plan, uint32_t launch);
  /* Likewise, where the input matters; else NULL: reads plan->file or makes up the input from the keys, into
   * plan->data. False: nothing is left in it, and one line in err says why. And what frees that at the end. */
  bool (*prepare)(struct wl_plan *plan, char *err, size_t errlen);
  void (*release)(void *data);
  const char *file; /* the format of the user's input file, in words; NULL: `file=` is not allowed */
  /* With a file: the keys that describe the made-up input and nothing else, so would change nothing beside
   * `file=`; NULL ends them. */
  const char *made_up[WL_MAX_KEYS];
};

/* `open` of every workload that is described by a plan (engine.c). */
struct wl_source *wl_open_plan(const struct wl_workload *workload, const struct wl_input_values *input,
                               char *err, size_t errlen);

/* The suites: tables that end with a NULL name. */
extern const struct wl_workload wl_polybench[];
extern const struct wl_workload wl_rodinia[];
extern const struct wl_workload wl_parboil[];
extern const struct wl_workload wl_sdk[];
extern const struct wl_workload wl_mars[];
extern const struct wl_workload wl_rodinia_data[];
extern const struct wl_workload wl_graphs[];
extern const struct wl_workload wl_random[];

#endif
