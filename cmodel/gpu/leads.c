/* See leads.h. Each SM passes at the pace that was measured of it; SMs of about the same pace pass at the same. Within an SM all warps
 * pass the same number of instructions, so that warps in step stay in step. If leads have grown since the launch began, to many times
 * what a sample adds, they *walk*: what they gained in the sample is taken for a step of a random walk. */
#include "cmodel/gpu/leads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/gpu/figures.h"

enum { CTAS, WARPS, LEVELS };
/* A pace that differs from the median by at most this part of it does so by chance. */
static const double SAME = 0.05;
/* A lead walks if its variance is more than WALKS times what one sample adds to it (0.5 times for a lead that goes nowhere), and if its
 * root mean square is at least FAR instructions. */
enum { WALKS = 16, FAR = 16 };

/* Instructions of a warp: in what was measured, and since the launch began. */
struct gone {
  double measured, all;
};

/* What the slot had issued and passed when the launch began, and when measuring began; and how far it was ahead. */
struct warp_lead {
  uint64_t at_launch, from;
  struct gone lead[LEVELS];
};

struct hd_leads {
  struct hd_sm *const *sm;
  unsigned sms, warps, warps_per_cta;
  bool walk;
  /* Of each SM: instructions of a warp in what was measured; after set_paces, what a warp is to pass, divided by `ratio`. */
  double *pace;
  double *goal;         /* the sum of its warps' goals, of each SM */
  uint64_t *went;       /* what each SM passed of it */
  double *sorted;       /* paces of the SMs that have warps, in order */
  struct warp_lead *of; /* of warp slot w of SM i: i * warps + w */
};

struct hd_leads *hd_leads_new(struct hd_sm *const *sm, unsigned sms, unsigned warps) {
  struct hd_leads *l = calloc(1, sizeof *l);
  if (!l)
    return NULL;
  *l = (struct hd_leads){.sm = sm, .sms = sms, .warps = warps};
  l->of = calloc((size_t)sms * warps, sizeof *l->of);
  l->pace = calloc(sms, sizeof *l->pace);
  l->sorted = calloc(sms, sizeof *l->sorted);
  l->goal = calloc(sms, sizeof *l->goal);
  l->went = calloc(sms, sizeof *l->went);
  if (l->of && l->pace && l->sorted && l->goal && l->went)
    return l;
  hd_leads_free(l);
  return NULL;
}

void hd_leads_free(struct hd_leads *l) {
  if (!l)
    return;
  free(l->pace);
  free(l->sorted);
  free(l->goal);
  free(l->went);
  free(l->of);
  free(l);
}

void hd_leads_launch(struct hd_leads *l, unsigned warps_per_cta) {
  l->warps_per_cta = warps_per_cta;
  for (unsigned i = 0; i < l->sms * l->warps; i++)
    l->of[i].at_launch = hd_sm_went(l->sm[i / l->warps], i % l->warps);
}

void hd_leads_measure(struct hd_leads *l) {
  for (unsigned i = 0; i < l->sms * l->warps; i++)
    l->of[i].from = hd_sm_went(l->sm[i / l->warps], i % l->warps);
}

/* ---- Means and leads ---- */

static struct gone mean_of(const struct hd_leads *l, unsigned sm, uint64_t warps) {
  struct gone m = {0};
  const double n = __builtin_popcountll(warps);
  for (; warps; warps &= warps - 1) {
    const unsigned w = (unsigned)__builtin_ctzll(warps);
    const struct warp_lead *of = &l->of[sm * l->warps + w];
    const uint64_t went = hd_sm_went(l->sm[sm], w);
    m.measured += (double)(went - of->from) / n;
    m.all += (double)(went - of->at_launch) / n;
  }
  return m;
}

static struct gone over(struct gone a, struct gone b) {
  return (struct gone){a.measured - b.measured, a.all - b.all};
}

/* Sets the leads of all warps of an SM. */
static void set_leads(struct hd_leads *l, unsigned sm) {
  const unsigned n = l->warps_per_cta;
  const uint64_t warps = hd_sm_occupied(l->sm[sm]);
  const struct gone of_sm = mean_of(l, sm, warps);
  for (uint64_t rest = warps; rest;) {
    const unsigned first = (unsigned)__builtin_ctzll(rest) / n * n;
    const uint64_t own = (UINT64_MAX >> (64 - n)) << first;
    const struct gone cta = mean_of(l, sm, own);
    for (unsigned w = first; w < first + n; w++) {
      struct gone *lead = l->of[sm * l->warps + w].lead;
      lead[CTAS] = over(cta, of_sm);
      lead[WARPS] = over(mean_of(l, sm, UINT64_C(1) << w), cta);
    }
    rest &= ~own;
  }
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Sets the pace of each SM. Paces near the median become the median. Then all are scaled, so that the sum over warps stays what it was. */
static void set_paces(struct hd_leads *l) {
  unsigned n = 0;
  double measured = 0, sum = 0;
  for (unsigned i = 0; i < l->sms; i++) {
    const uint64_t warps = hd_sm_occupied(l->sm[i]);
    l->pace[i] = warps ? mean_of(l, i, warps).measured : 0;
    measured += __builtin_popcountll(warps) * l->pace[i];
    if (warps)
      l->sorted[n++] = l->pace[i];
  }
  qsort(l->sorted, n, sizeof *l->sorted, by_size);
  const double median = n ? (l->sorted[n / 2] + l->sorted[(n - 1) / 2]) / 2 : 0;
  for (unsigned i = 0; i < l->sms; i++) {
    if (fabs(l->pace[i] - median) <= SAME * median)
      l->pace[i] = median;
    sum += __builtin_popcountll(hd_sm_occupied(l->sm[i])) * l->pace[i];
  }
  for (unsigned i = 0; i < l->sms && sum > 0; i++)
    l->pace[i] *= measured / sum;
}

/* ---- Goals ---- */

/* Returns by what a lead's gain is multiplied. `squares`: sums over warps. The variance of a walk grows with time, but by no more than
 * there is of it. */
static double step(struct gone squares, double warps, double ratio, double share) {
  if (squares.all <= WALKS * squares.measured || squares.all < FAR * FAR * warps || !(squares.measured > 0))
    return 0;
  const double most = squares.all * share / squares.measured;
  return sqrt(ratio < most ? ratio : most);
}

double hd_leads_set_goals(struct hd_leads *l, double ratio, double share, double *of_sm) {
  struct gone squares[LEVELS] = {{0}};
  double all = 0, warps = 0, steps[LEVELS];
  set_paces(l);
  for (unsigned i = 0; i < l->sms; i++) {
    set_leads(l, i);
    for (uint64_t rest = hd_sm_occupied(l->sm[i]); rest; rest &= rest - 1, warps++) {
      const struct gone *lead = l->of[i * l->warps + (unsigned)__builtin_ctzll(rest)].lead;
      for (unsigned k = 0; k < LEVELS; k++) {
        squares[k].measured += lead[k].measured * lead[k].measured;
        squares[k].all += lead[k].all * lead[k].all;
      }
    }
  }
  for (unsigned k = 0; k < LEVELS; k++)
    steps[k] = step(squares[k], warps, ratio, share);
  l->walk = steps[CTAS] > 0 || steps[WARPS] > 0;
  for (unsigned i = 0; i < l->sms; i++) {
    const uint64_t occupied = hd_sm_occupied(l->sm[i]);
    of_sm[i] = 0;
    for (unsigned w = 0; w < l->warps; w++) {
      double goal = 0;
      if (occupied >> w & 1) {
        goal = ratio * l->pace[i];
        for (unsigned k = 0; k < LEVELS; k++)
          goal += steps[k] * l->of[i * l->warps + w].lead[k].measured;
      }
      goal = goal > 0 ? goal : 0;
      hd_sm_set_goal(l->sm[i], w, goal);
      of_sm[i] += goal;
    }
    all += of_sm[i];
  }
  return all;
}

uint64_t hd_leads_pass(struct hd_leads *l, double ratio, double share, double told,
                       const struct hd_passed *passed, double *way) {
  const double goal = hd_leads_set_goals(l, ratio, share, l->goal);
  double went = 0, wanted = 0, most = 0;
  uint64_t n = 0;
  memset(l->went, 0, l->sms * sizeof *l->went);
  hd_sms_forward(l->sm, l->sms, hd_per(told, goal), passed, l->went);
  for (unsigned i = 0; i < l->sms; i++) {
    n += l->went[i];
    most = hd_sm_way(l->sm[i]) > most ? hd_sm_way(l->sm[i]) : most;
    went += hd_sm_starved(l->sm[i]) ? 0 : (double)l->went[i];
    wanted += hd_sm_starved(l->sm[i]) ? 0 : l->goal[i];
  }
  *way = wanted > 0 ? went / wanted : most;
  return n;
}

bool hd_leads_walk(const struct hd_leads *l) {
  return l->walk;
}
