/* Scales sampled windows to the whole run; see sample.h. */
#include "synth/power/sample.h"

#include <math.h>

bool hd_power_ratio(const double *y, const double *x, int n, double share, double all, double *scale,
                    double *error) {
  double sum_y = 0, sum_x = 0, off = 0;
  for (int i = 0; i < n; i++) {
    sum_y += y[i];
    sum_x += x[i];
  }
  *scale = 1;
  *error = 0;
  if (share >= 1 || all <= 0)
    return true;
  if (n < 2 || sum_x <= 0)
    return false;
  const double ratio = sum_y / sum_x;
  for (int i = 0; i < n; i++)
    off += (y[i] - ratio * x[i]) * (y[i] - ratio * x[i]);
  if (sum_y > 0)
    *error = sqrt((1 - share) * off * n / (n - 1)) / sum_y;
  *scale = all / sum_x;
  return true;
}

enum hd_rc hd_power_scale(const struct hd_power_watch *w, const struct hd_power_part *p, double *scale,
                          double *error, struct hd_why *why) {
  const double all = (double)hd_toggles_of(&w->toggles, p->from, p->to),
               share = (double)p->gates.cycles / (double)w->toggles.cycles;
  if (hd_power_ratio(p->energy, p->activity, p->windows, w->sample > 1 ? share : 1, all, scale, error))
    return HD_OK;
  int moved = 0;
  for (int i = 0; i < p->windows; i++)
    moved += p->activity[i] > 0;
  return hd_because(
      why, HD_INPUT,
      "--sample %u: found %d simulated windows, %d of them with activity in %s; allowed two windows and "
      "activity in one; use a smaller --sample or a longer run",
      w->sample, p->windows, moved, p->decl->module);
}
