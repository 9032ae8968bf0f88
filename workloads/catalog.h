/* The table entry of a workload. `wl_open` parses a spec with it, `wl_list` prints it, and the source is
 * made from it, so the three cannot disagree.
 *
 * Invariant: names are unique within their list; every input's values lie in the ranges of its keys.
 */
#ifndef HEDDLE_WORKLOADS_CATALOG_H
#define HEDDLE_WORKLOADS_CATALOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Declared in workloads/stream.h and workloads/plan/plan.h. */
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

/* The values that a spec gives. */
struct wl_input_values {
  uint64_t value[WL_MAX_KEYS]; /* one for each key, in range */
  const char *file;            /* path of `file=`, valid during `open`; NULL if not given */
};

struct wl_workload {
  const char *name;
  const char *launches; /* the launches in words, in their order */
  const char *origin;   /* the benchmark suite, and the paper that its `paper` input is from */
  struct wl_key key[WL_MAX_KEYS + 1];
  struct wl_input input[WL_MAX_INPUTS + 1];
  /* Makes the source. Returns NULL after writing one line to err (at most errlen bytes). */
  struct wl_source *(*open)(const struct wl_workload *workload, const struct wl_input_values *input,
                            char *err, size_t errlen);
  /* For open = wl_open_plan. Describes launch number `launch` (from 0), see plan.h. Returns false if there
   * is no such launch. */
  bool (*build)(struct wl_plan *plan, uint32_t launch);
  /* For open = wl_open_plan, where the kernel depends on data; else NULL. `prepare` puts the input into
   * plan->data: it reads plan->file, or makes up the input from the keys. It returns false, with one line
   * in err and nothing left in plan->data, if it fails. `release` frees plan->data at the end. */
  bool (*prepare)(struct wl_plan *plan, char *err, size_t errlen);
  void (*release)(void *data);
  const char *file; /* the format of the user's input file, in words; NULL if `file=` is not allowed */
  /* The keys that only describe the made-up input. They would change nothing beside `file=`, so they are
   * refused there. NULL ends the list. */
  const char *made_up[WL_MAX_KEYS];
};

/* The `open` of every workload that is described by a plan (engine.c). */
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
