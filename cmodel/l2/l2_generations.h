/* Generations of L2 lines, from a slice's events: what an oracle would know that powers every line off right after its last
 * use (Ideal-Gating of LoSCache), and how good the predictions of last uses are.
 *
 * A generation begins when a line gets a tag and ends when the tag is replaced. A line powered off too early that is fetched
 * again continues its generation. One that is not stored and leaves no tag has a generation as long as it is in flight.
 */
#ifndef HEDDLE_CMODEL_L2_L2_GENERATIONS_H
#define HEDDLE_CMODEL_L2_L2_GENERATIONS_H

#include "arch/declaration/modules.h"

struct hd_generations;

struct hd_generation_stats {
  uint64_t live_cycles;      /* from first to last access, of all generations, in cycles of the slice */
  uint64_t count, lived;     /* lived: with more than one access, so that their lines have to be powered */
  uint64_t predicted, exact; /* with a prediction; of them, whose last one is the number of its accesses */
  uint64_t enough;           /* of them, whose last one is that number or a greater one: not too early */
};

struct hd_generations *hd_generations_new(const struct hd_config *c); /* of one slice; NULL: out of memory */
void hd_generations_free(struct hd_generations *l);

/* Hears an event of l2_slice in cycle `cycle`, in order; `pred` is the prediction of the request that is decided there. */
void hd_generations_hear(struct hd_generations *l, uint64_t cycle, uint64_t pred, unsigned event,
                         const uint64_t arg[4]);
/* The events that it needs, a bit each. */
extern const uint64_t HD_GENERATIONS_HEARD;

/* As if every generation ended now. */
struct hd_generation_stats hd_generations_stats(struct hd_generations *l);

#endif
