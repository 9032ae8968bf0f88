/* Generations of L2 lines, from a slice's events. They say what an oracle would reach that powers every line off
 * right after its last use (Ideal-Gating of LoSCache), and how good the predictions of last uses are.
 *
 * A generation begins when a line gets a tag and ends when the tag is replaced. A line that was powered off too early
 * and is fetched again continues its generation. A line that is not stored and leaves no tag has a generation as long
 * as it is in flight. */
#ifndef HEDDLE_CMODEL_L2_L2_GENERATIONS_H
#define HEDDLE_CMODEL_L2_L2_GENERATIONS_H

#include "arch/declaration/modules.h"

struct hd_generations;

struct hd_generation_stats {
  uint64_t live_cycles;      /* from first to last access, of all generations, in cycles of the slice */
  uint64_t count, lived;     /* lived: generations with more than one access, whose lines need power */
  uint64_t predicted, exact; /* predicted: with a prediction; exact: its last value is the access count */
  uint64_t enough;           /* the last prediction is the access count or more: not too early */
};

struct hd_generations *hd_generations_new(const struct hd_config *c); /* for one slice; NULL: no memory */
void hd_generations_free(struct hd_generations *l);

/* Takes an event of l2_slice in cycle `cycle`; events come in order. `pred`: the prediction of the request that is
 * decided in that cycle. */
void hd_generations_hear(struct hd_generations *l, uint64_t cycle, uint64_t pred, unsigned event,
                         const uint64_t arg[4]);
/* The events that hd_generations_hear needs, one bit each. */
extern const uint64_t HD_GENERATIONS_HEARD;

/* Returns the statistics as if every generation ended now. */
struct hd_generation_stats hd_generations_stats(struct hd_generations *l);

#endif
