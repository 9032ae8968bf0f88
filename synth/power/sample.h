/* Scales the windows in which the gates ran to the whole run: a ratio estimate, by the toggles of registers
 * and ports, which are counted in all cycles.
 *
 * Invariant: an error of 0 is one that is known to be 0. */
#ifndef HEDDLE_SYNTH_POWER_SAMPLE_H
#define HEDDLE_SYNTH_POWER_SAMPLE_H

#include "synth/power/watch.h"

/* *scale: the factor from the gates' counts of a part to the whole run. *error: its standard error, as a part
 * of 1 (0: all cycles were run, or nothing moved in any). Returns HD_INPUT if the windows that were run do
 * not determine the whole run. */
enum hd_rc hd_power_scale(const struct hd_power_watch *w, const struct hd_power_part *p, double *scale,
                          double *error, struct hd_why *why);
/* The estimate itself, from n windows that together are this share of all cycles: energies y, activities x,
 * and the activity of the whole run. Windows may differ in length: each counts by its activity. Returns false
 * for fewer than two windows, or no activity in them. */
bool hd_power_ratio(const double *y, const double *x, int n, double share, double all, double *scale,
                    double *error);

#endif
