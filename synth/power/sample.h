/* From the windows in which the gates ran to the whole run: a ratio estimate, by the toggles of registers and ports, which are
 * counted in all cycles.
 *
 * Invariant: an error of 0 is one that is known to be 0.
 */
#ifndef HEDDLE_SYNTH_POWER_SAMPLE_H
#define HEDDLE_SYNTH_POWER_SAMPLE_H

#include "synth/power/watch.h"

/* Factor from what the gates of a part counted to the whole run, and the standard error of it, in parts of 1 (0: all cycles
 * were run, or nothing moved in any). HD_INPUT: the run cannot be told from the windows that were run. */
enum hd_rc hd_power_scale(const struct hd_power_watch *w, const struct hd_power_part *p, double *scale,
                          double *error, struct hd_why *why);
/* The same by itself: n windows, together this share of all cycles; energies y, activities x, activity of all. Windows may
 * differ in length: each counts by its activity. False: fewer than two windows, or no activity in them. */
bool hd_power_ratio(const double *y, const double *x, int n, double share, double all, double *scale,
                    double *error);

#endif
