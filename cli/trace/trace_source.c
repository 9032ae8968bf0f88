/* Shared by the answers of heddle trace: the workload, and names; see trace.h. */
#include "cli/trace/trace.h"
#include "workloads/workloads.h"

#include <string.h>
#include <unistd.h>

static bool is_workload(const char *spec) {
  const struct wl_workload *w;
  const size_t n = strcspn(spec, ":");
  for (size_t i = 0; (w = wl_workload(i)); i++)
    if (strlen(w->name) == n && !memcmp(w->name, spec, n))
      return true;
  return false;
}

/* True if the file exists, or if the name cannot be a workload's, since those have no / and no dot. */
static bool is_path(const char *spec) {
  const size_t n = strcspn(spec, ":");
  return access(spec, F_OK) == 0 || memchr(spec, '/', n) || memchr(spec, '.', n);
}

struct wl_source *hd_trace_source(const struct hd_args *args, struct hd_why *why) {
  char err[sizeof why->text - 16];
  const bool path = !is_workload(args->workload) && is_path(args->workload);
  struct wl_source *source =
      path ? wl_trace_open(args->workload, err, sizeof err) : wl_open(args->workload, err, sizeof err);
  if (!source)
    hd_because(why, HD_INPUT, "--workload: %s", err);
  return source;
}

enum hd_rc hd_trace_source_error(const struct wl_source *source, struct hd_why *why) {
  const char *error = source->ops->error ? source->ops->error(source) : NULL;
  return error ? hd_because(why, HD_INPUT, "%s", error) : HD_OK;
}

struct hd_pace hd_trace_pace(const struct wl_launch *launch, uint32_t cta) {
  return (struct hd_pace){cta, launch->ctas, cta, "CTAs"};
}

const char *hd_trace_op(enum wl_op op) {
  static const char *const names[] = {"alu",   "sfu",    "shared", "const",   "tex", "load",
                                      "store", "atomic", "fence",  "barrier", "exit"};
  return names[op];
}
