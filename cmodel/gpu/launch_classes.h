/* Classes of launches, for a run that simulates samples (docs/gpu/sampling.md). Launches of a kernel with the same grid and block are a
 * class.
 *
 * Invariant: each launch of the source either runs or is passed, as hd_launch_class_way has decided. */
#ifndef HEDDLE_CMODEL_GPU_LAUNCH_CLASSES_H
#define HEDDLE_CMODEL_GPU_LAUNCH_CLASSES_H

#include <stdbool.h>
#include <stdint.h>

#include "cmodel/gpu/doubts.h"
#include "cmodel/gpu/spread.h"
#include "workloads/stream.h"

/* How a launch is run. */
enum hd_launch_way {
  /* By samples. The first launch of its class: it is cold, so it stands for itself alone. */
  HD_LAUNCH_COLD,
  HD_LAUNCH_SAMPLED, /* by samples */
  HD_LAUNCH_WHOLE,   /* all its cycles are simulated: it stands for launches that are passed */
  HD_LAUNCH_PASSED   /* no cycle of it is simulated */
};

struct hd_launch_class {
  char name[sizeof((struct wl_launch *)0)->name];
  uint32_t grid[3], block[3];
  /* Launches seen; of those after the first ones, the number of the first that runs. */
  uint64_t seen, start;
  uint64_t passed;            /* instructions of the launches that were passed as a whole */
  double fewest, most;        /* the fewest and the most instructions of a launch, passed or not */
  struct hd_spread samples;   /* in launches that run: instructions passed, and the cycles for them */
  struct hd_spread launches;  /* launches that ran, except the cold one: all instructions, and cycles */
  struct hd_spread whole;     /* those of them of which all cycles were simulated */
  struct hd_doubt cold, warm; /* of the cold launch; of the others that ran, sums */
};

struct hd_launch_classes {
  struct hd_launch_class *class; /* to be freed */
  unsigned n;
};

/* Returns the number of the launch's class, and makes the class if it is new. Of a new class's many launches one in `one_in` runs;
 * `start`, less than that, is the first of them. Returns -1 if memory has run out. A new class moves the others: pointers to classes are
 * no longer valid. */
int hd_launch_class_of(struct hd_launch_classes *all, const struct wl_launch *launch, uint64_t start);

/* Returns how the next launch of the class runs. */
enum hd_launch_way hd_launch_class_way(struct hd_launch_class *c, unsigned one_in);

/* Note a launch of the class. hd_launch_class_passed: it was passed as a whole. hd_launch_class_ran: it ran in `cycles` cycles, whatever
 * was passed of it; `doubt` belongs to these cycles. */
void hd_launch_class_passed(struct hd_launch_class *c, uint64_t instructions);
void hd_launch_class_ran(struct hd_launch_class *c, double instructions, double cycles, struct hd_doubt doubt,
                         enum hd_launch_way way);

/* A launch that runs passed `instructions` instructions that no sample stands for. Returns the cycles for them. The last sample of the
 * class stands for them too, at its pace. If the class has no sample, it returns `guess`, which becomes a sample. */
double hd_launch_class_rest(struct hd_launch_class *c, double instructions, double guess);

/* The estimated cycles of the launches that were passed as a whole. */
double hd_launch_class_cycles(const struct hd_launch_class *c);

/* Half the width of the 95 % confidence interval of all cycles, or NAN if it is not known. */
double hd_launch_classes_margin(const struct hd_launch_classes *all);

#endif
