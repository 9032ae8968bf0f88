/* Counts and power of an L2 slice's lines; see line_power.h. */
#include "verif/l2/line_power.h"
#include "cmodel/model/bits.h"

#include <stdlib.h>

bool hd_line_power_init(struct hd_line_power *g, const struct hd_derived *d) {
  g->ways = d->L2_WAYS;
  g->most = d->L2_SLEEPS ? hd_ones(d->CNT_W) : 0;
  g->count = calloc(d->L2_LINES, sizeof *g->count);
  g->power = calloc(d->L2_SETS, sizeof *g->power);
  return g->count && g->power;
}

void hd_line_power_free(struct hd_line_power *g) {
  free(g->count);
  free(g->power);
}

uint64_t *hd_line_power_counts(const struct hd_line_power *g, uint64_t set) {
  return &g->count[set * g->ways];
}

void hd_line_power_act(struct hd_line_power *g, uint64_t act, uint64_t set, uint64_t at) {
  if (act == HD_ACT_NONE)
    return;
  uint64_t *count = &hd_line_power_counts(g, set)[__builtin_ctzll(at)], *power = &g->power[set];
  const uint64_t was = *power;
  if (act == HD_ACT_COUNT || act == HD_ACT_COUNT_SLEEP)
    *count += *count < g->most;
  else if (act == HD_ACT_WAKE || act == HD_ACT_KEEP)
    *count = 1;
  if (act == HD_ACT_WAKE)
    *power |= at;
  else if (act >= HD_ACT_KEEP)
    *power &= ~at;
  g->awake = g->awake + (*power > was) - (*power < was);
}
