/* See launch_classes.h. */
#include "cmodel/gpu/launch_classes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST = 3 /* launches of a class that run in any case */ };
static const double SURE = 2; /* 95 % are within so many standard deviations */

static bool is_of(const struct hd_launch_class *c, const struct wl_launch *l) {
  return !strcmp(c->name, l->name) && !memcmp(c->grid, l->grid, sizeof c->grid) &&
         !memcmp(c->block, l->block, sizeof c->block);
}

int hd_launch_class_of(struct hd_launch_classes *all, const struct wl_launch *launch, uint64_t start) {
  for (unsigned i = 0; i < all->n; i++)
    if (is_of(&all->class[i], launch))
      return (int)i;
  struct hd_launch_class *more = realloc(all->class, (all->n + 1) * sizeof *more);
  if (!more)
    return -1;
  all->class = more;
  struct hd_launch_class *c = &more[all->n];
  *c = (struct hd_launch_class){.start = start};
  memcpy(c->name, launch->name, sizeof c->name);
  memcpy(c->grid, launch->grid, sizeof c->grid);
  memcpy(c->block, launch->block, sizeof c->block);
  return (int)all->n++;
}

/* True if its launches do the same, as far as is known: none has 5 % more instructions than another. */
static bool is_regular(const struct hd_launch_class *c) {
  return c->most <= 1.05 * c->fewest;
}

enum hd_launch_way hd_launch_class_way(struct hd_launch_class *c, unsigned one_in) {
  const uint64_t nth = c->seen++;
  if (!nth)
    return HD_LAUNCH_COLD;
  if (nth < FIRST || !is_regular(c))
    return HD_LAUNCH_SAMPLED;
  return (nth - FIRST) % one_in == c->start ? HD_LAUNCH_WHOLE : HD_LAUNCH_PASSED;
}

static void note_size(struct hd_launch_class *c, double instructions) {
  c->fewest = c->fewest > 0 && c->fewest < instructions ? c->fewest : instructions;
  c->most = c->most > instructions ? c->most : instructions;
}

void hd_launch_class_passed(struct hd_launch_class *c, uint64_t instructions) {
  c->passed += instructions;
  note_size(c, (double)instructions);
}

void hd_launch_class_ran(struct hd_launch_class *c, double instructions, double cycles, struct hd_doubt doubt,
                         enum hd_launch_way way) {
  struct hd_doubt *sum = way == HD_LAUNCH_COLD ? &c->cold : &c->warm;
  sum->drift += doubt.drift;
  sum->last_sm += doubt.last_sm;
  note_size(c, instructions);
  if (instructions > 0 && way != HD_LAUNCH_COLD)
    hd_spread_add(&c->launches, instructions, cycles);
  if (instructions > 0 && way == HD_LAUNCH_WHOLE)
    hd_spread_add(&c->whole, instructions, cycles);
}

double hd_launch_class_rest(struct hd_launch_class *c, double instructions, double guess) {
  if (c->samples.n)
    return hd_spread_extend(&c->samples, instructions);
  hd_spread_add(&c->samples, instructions, guess);
  return guess;
}

/* The launches from which those that were passed as a whole are estimated. */
static const struct hd_spread *standing(const struct hd_launch_class *c) {
  return c->whole.n ? &c->whole : &c->launches;
}

double hd_launch_class_cycles(const struct hd_launch_class *c) {
  return hd_spread_mean(standing(c)) * (double)c->passed;
}

/* Returns the squared half width that comes from the choice of samples and of launches. How far launches differ is taken from all that
 * ran, because those that stand for others are few. */
static double chosen(const struct hd_launch_class *c) {
  const double within = c->samples.n ? hd_spread_margin(&c->samples) * c->samples.weight : 0;
  const double fewer = standing(c)->n ? sqrt((double)c->launches.n / standing(c)->n) : 0;
  const double between = c->passed ? fewer * hd_spread_margin(&c->launches) * (double)c->passed : 0;
  return within * within + between * between;
}

/* Where launches that were passed are estimated from samples, the error of these samples is in all of them. So they err together: the
 * error is multiplied, not its square. Launches that ran err each by itself. */
static struct hd_doubt doubt_of(const struct hd_launch_class *c) {
  const double stands_for = c->passed && !c->whole.n ? 1 + (double)c->passed / c->launches.weight : 1;
  return (struct hd_doubt){.drift = c->cold.drift + stands_for * c->warm.drift,
                           .last_sm = c->cold.last_sm + stands_for * stands_for * c->warm.last_sm};
}

/* Samples and last SMs err to both sides, by chance. Drift goes one way within a class, but another class may have another cause. So
 * drifts of two classes are not assumed to cancel out. */
double hd_launch_classes_margin(const struct hd_launch_classes *all) {
  double squares = 0, drift = 0;
  for (unsigned i = 0; i < all->n; i++) {
    const struct hd_doubt doubt = doubt_of(&all->class[i]);
    squares += chosen(&all->class[i]) + SURE * SURE * doubt.last_sm;
    drift += fabs(doubt.drift);
  }
  return sqrt(squares) + drift;
}
