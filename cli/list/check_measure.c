/* Our figures of a paper's applications, from the walk and the runs; see check.h. */
#include "cli/list/check.h"

#include <string.h>

static double number(const json_t *result, const char *path) {
  char part[64];
  for (const char *dot; (dot = strchr(path, '.')); path = dot + 1) {
    snprintf(part, sizeof part, "%.*s", (int)(dot - path), path);
    result = json_object_get(result, part);
  }
  return json_number_value(json_object_get(result, path));
}

static bool share(double part, double all, double *per_cent) {
  *per_cent = all > 0 ? 100 * part / all : 0;
  return all > 0;
}

static bool of_run(const struct hd_check_app *app, enum wl_fact fact, double *ours) {
  const json_t *base = app->run[0], *small = app->run[1], *big = app->run[2];
  if (!base)
    return false;
  switch (fact) {
  case WL_FACT_miss_rate:
    return share(number(base, "l1d.misses") + number(base, "l1d.bypasses"), number(base, "l1d.loads"), ours);
  case WL_FACT_dead_time:
    if (!share(number(base, "gpu.l2.power.live_cycles"), number(base, "gpu.l2.power.line_cycles"), ours))
      return false;
    *ours = 100 - *ours;
    return true;
  case WL_FACT_big_l1:
    if (!small || !big)
      return false;
    *ours = number(big, "ipc") / number(small, "ipc");
    return true;
  default:
    *ours = number(base, "resident_warps");
    return true;
  }
}

bool hd_check_ours(const struct hd_check *check, const struct hd_check_app *app, enum wl_fact fact,
                   unsigned n, double *ours) {
  switch (wl_fact_texts[fact].from) {
  case WL_FACT_WALK:
    return wl_walked_fact(&app->walked, fact, n, ours);
  case WL_FACT_FIT:
    return share(app->walked.main.ctas, app->fit, ours);
  case WL_FACT_RUN:
    return check->simulated && of_run(app, fact, ours);
  default:
    return false;
  }
}

bool hd_check_mean(const struct hd_check *check, const struct wl_paper_row *row, double *ours) {
  double sum = 0, one;
  size_t n = 0;
  for (size_t i = 0; i < check->apps; i++) {
    if (*row->group && strcmp(row->group, check->app[i].row->group) != 0)
      continue;
    if (!hd_check_ours(check, &check->app[i], row->fact, 0, &one))
      return false;
    sum += one;
    n++;
  }
  *ours = n ? sum / (double)n : 0;
  return n;
}
