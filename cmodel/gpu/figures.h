/* Figures of the mechanisms in a run. Each GROUP row of arch/ROOM/figures.def makes a struct, each FIGURE row a field in it.
 *
 * Invariant: the figures of a group that the machine does not have are 0. */
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
/* Sets the figures of all SMs of a GPU, for its run up to now. */
void hd_figures_count(const struct hd_gpu *gpu, struct hd_figures *figures);

#endif
