/* Figures of the mechanisms in a run: a struct for each GROUP row of arch/ROOM/figures.def, with a field for each of its figures.
 *
 * Invariant: figures of a group that the machine does not have are 0.
 */
#ifndef HEDDLE_CMODEL_GPU_FIGURES_H
#define HEDDLE_CMODEL_GPU_FIGURES_H

#include <stdint.h>

#define GROUP(group, when, place, meaning) struct hd_##group##_figures {
#define FIGURE(group, name, value, meaning) uint64_t name;
#define END(group)                                                                                           \
  }                                                                                                          \
  ;
#include "arch/config/figures.h"

struct hd_figures {
#define GROUP(group, when, place, meaning) struct hd_##group##_figures group;
#include "arch/config/figures.h"
};

/* a / b; 0 if b is 0. */
double hd_per(double a, double b);

struct hd_gpu;
/* Of all SMs of a GPU, of its run up to now. */
void hd_figures_count(const struct hd_gpu *gpu, struct hd_figures *figures);

#endif
