/* See doubts.h.
 *
 * An SM's pace is what it issues in a sample, divided by the mean of the SMs that issue anything. A stretch is passed at this pace. The
 * squared error of the pace is taken as half of the squared difference to the pace in the sample before, as for the mean of a pair. A
 * launch ends with its last SM, so the SM whose end is least certain counts. */
#include "cmodel/gpu/doubts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 64 };

struct pace {
  uint64_t from;   /* instructions that the SM had issued when measuring began */
  double now, was; /* in this sample and in the one before; 0: it issued nothing, or there was none */
  double variance; /* of the SM's end, in squared cycles */
};

struct hd_doubts {
  struct hd_sm *const *sm;
  unsigned sms;
  struct pace *pace;  /* of each SM, in this launch */
  double late, drift; /* of the last sample, as `lateness` returns it; summed over the launch */
  /* The cycles in which the sample was looked at. Only each `every`th look is kept, so that there is room. */
  unsigned points, every, looks;
  struct point {
    uint64_t cycle, instructions;
  } point[POINTS], last;
};

struct hd_doubts *hd_doubts_new(struct hd_sm *const *sm, unsigned sms) {
  struct hd_doubts *d = calloc(1, sizeof *d);
  if (!d)
    return NULL;
  *d = (struct hd_doubts){.sm = sm, .sms = sms};
  d->pace = calloc(sms, sizeof *d->pace);
  if (d->pace)
    return d;
  hd_doubts_free(d);
  return NULL;
}

void hd_doubts_free(struct hd_doubts *d) {
  if (!d)
    return;
  free(d->pace);
  free(d);
}

/* ---- The second half ---- */

void hd_doubts_look(struct hd_doubts *d, uint64_t cycle, uint64_t instructions) {
  d->last = (struct point){cycle, instructions};
  if (d->looks++ % d->every)
    return;
  d->point[d->points++] = d->last;
  if (d->points < POINTS)
    return;
  for (unsigned i = 0; i < POINTS / 2; i++)
    d->point[i] = d->point[2 * i];
  d->points = POINTS / 2;
  d->every *= 2;
}

/* Returns by how much longer the second half of the instructions took than the mean of both halves, as a part of that mean. */
static double lateness(const struct hd_doubts *d) {
  const struct point first = d->point[0];
  const double n = (double)(d->last.instructions - first.instructions);
  const double cycles = (double)(d->last.cycle - first.cycle);
  if (!(n > 0) || !(cycles > 0))
    return 0;
  struct point a = first, b = d->last;
  for (unsigned i = 1; i < d->points; i++)
    if ((double)(d->point[i].instructions - first.instructions) <= n / 2)
      a = d->point[i];
    else {
      b = d->point[i];
      break;
    }
  const double before = (double)(a.instructions - first.instructions);
  const double among = (double)(b.instructions - a.instructions);
  const double half =
      (double)(a.cycle - first.cycle) + (n / 2 - before) / among * (double)(b.cycle - a.cycle);
  return (cycles - half) / (cycles / 2) - 1;
}

/* ---- The last SM ---- */

static double worst(const struct hd_doubts *d) {
  double most = 0;
  for (unsigned i = 0; i < d->sms; i++)
    most = d->pace[i].variance > most ? d->pace[i].variance : most;
  return most;
}

static void set_paces(struct hd_doubts *d) {
  double sum = 0, busy = 0;
  for (unsigned i = 0; i < d->sms; i++) {
    struct pace *p = &d->pace[i];
    p->was = p->now;
    p->now = (double)(hd_sm_stats(d->sm[i])->instructions - p->from);
    sum += p->now;
    busy += p->now > 0;
  }
  for (unsigned i = 0; i < d->sms && sum > 0; i++)
    d->pace[i].now *= busy / sum;
}

/* ---- Samples ---- */

void hd_doubts_measure(struct hd_doubts *d, uint64_t cycle, uint64_t instructions) {
  for (unsigned i = 0; i < d->sms; i++)
    d->pace[i].from = hd_sm_stats(d->sm[i])->instructions;
  d->points = d->looks = 0;
  d->every = 1;
  hd_doubts_look(d, cycle, instructions);
}

void hd_doubts_stand_for(struct hd_doubts *d, double cycles, bool last_wave) {
  d->late = lateness(d);
  d->drift += d->late * cycles;
  set_paces(d);
  for (unsigned i = 0; i < d->sms && last_wave; i++) {
    struct pace *p = &d->pace[i];
    const double off = p->now > 0 && p->was > 0 ? (p->now - p->was) * cycles : 0;
    p->variance += off * off / 2;
  }
}

void hd_doubts_extend(struct hd_doubts *d, double cycles) {
  d->drift += d->late * cycles;
}

struct hd_doubt hd_doubts_end_launch(struct hd_doubts *d) {
  const struct hd_doubt of = {.drift = d->drift, .last_sm = worst(d)};
  memset(d->pace, 0, d->sms * sizeof *d->pace);
  d->drift = d->late = 0;
  return of;
}
