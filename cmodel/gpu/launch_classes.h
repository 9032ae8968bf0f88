/* Launches that are alike, of a run that simulates samples (docs/gpu/sampling.md): those of a kernel with the same grid and block are a
 * class.
 *
 * Invariant: each launch of the source is either to run or passed, as hd_launch_class_way has said.
 */
#ifndef HEDDLE_CMODEL_GPU_LAUNCH_CLASSES_H
#define HEDDLE_CMODEL_GPU_LAUNCH_CLASSES_H

#include <stdbool.h>
#include <stdint.h>

#include "cmodel/gpu/doubts.h"
#include "cmodel/gpu/spread.h"
#include "workloads/stream.h"

/* How a launch is run. */
enum hd_launch_way {
  HD_LAUNCH_COLD,    /* by samples; the first of its class, which is cold, and stands for none but itself */
  HD_LAUNCH_SAMPLED, /* by samples */
  HD_LAUNCH_WHOLE,   /* all its cycles are simulated: it stands for those that are passed */
  HD_LAUNCH_PASSED   /* none is */
};

struct hd_launch_class {
  char name[sizeof((struct wl_launch *)0)->name];
  uint32_t grid[3], block[3];
  uint64_t seen, start;       /* launches; of those behind the first ones the first that runs */
  uint64_t passed;            /* instructions of launches that were passed as a whole */
  double fewest, most;        /* instructions of a launch, passed or not */
  struct hd_spread samples;   /* of launches that run: instructions passed, and the cycles for them */
  struct hd_spread launches;  /* that ran, but the cold one: all instructions, and cycles */
  struct hd_spread whole;     /* those of them all of whose cycles were simulated */
  struct hd_doubt cold, warm; /* of the cold one; of the others that run, sums */
};

struct hd_launch_classes {
  struct hd_launch_class *class; /* to be freed */
  unsigned n;
};

/* The number of the launch's class, a new one if need be: of many launches it runs one in `one_in`, `start` (below that) being the first.
 * -1: out of memory. A new one moves the others: what points to one is not valid afterwards. */
int hd_launch_class_of(struct hd_launch_classes *all, const struct wl_launch *launch, uint64_t start);

/* How the next launch of the class is to run. */
enum hd_launch_way hd_launch_class_way(struct hd_launch_class *c, unsigned one_in);

/* A launch of it was passed as a whole; or ran, whatever was passed of it, in so many cycles, of which that is in doubt. */
void hd_launch_class_passed(struct hd_launch_class *c, uint64_t instructions);
void hd_launch_class_ran(struct hd_launch_class *c, double instructions, double cycles, struct hd_doubt doubt,
                         enum hd_launch_way way);

/* In a launch that runs so many instructions were passed that no sample stands for: in how many cycles. The last sample of the class
 * stands for them too, at its pace. If the class has none, `guess` is the answer, and becomes a sample. */
double hd_launch_class_rest(struct hd_launch_class *c, double instructions, double guess);

/* Cycles of the launches that were passed as a whole. */
double hd_launch_class_cycles(const struct hd_launch_class *c);

/* Half the width of the 95 % confidence interval of all cycles, or NAN. */
double hd_launch_classes_margin(const struct hd_launch_classes *all);

#endif
