/* The facts of a workload that follow from its streams alone (facts.def, WALK).
 *
 * Invariant: no timing; CTAs are dealt to SMs as in workloads/trace/trace_stats.h.
 */
#ifndef HEDDLE_WORKLOADS_PAPERS_WALKED_H
#define HEDDLE_WORKLOADS_PAPERS_WALKED_H

#include "workloads/papers/papers.h"
#include "workloads/stream.h"

#include <stdint.h>

enum { WL_WALKED_LOADS = 3 }; /* as many loads as a paper's table has for an application */

struct wl_walked {
  struct wl_launch main; /* the largest launch of the main kernel */
  double fact[WL_FACTS]; /* the facts of kind WALK that do not belong to a load */
  struct wl_walked_load {
    double share, lines, stride_share;
    int64_t stride;
    bool strides; /* true if it has any stride */
  } load[WL_WALKED_LOADS];
  unsigned loads;
};

/* Opens the workload and walks through it on `sms` SMs. Returns false with one line in err. */
bool wl_walk_facts(const char *spec, uint32_t sms, struct wl_walked *walked, char *err, size_t errlen);
/* Gives fact `fact` number `n`. Returns false if the workload does not have it. */
bool wl_walked_fact(const struct wl_walked *walked, enum wl_fact fact, unsigned n, double *value);

#endif
