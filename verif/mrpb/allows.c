/* Tells the scoreboard what MRPB's stall bypass allows sm_mem to do; see verif/sm/allows.h. Spec: docs/mechanisms/mrpb.md. */
#include "verif/sm/allows.h"

static bool there(const struct hd_config *c) {
  return c->d.LACK_BYPASS;
}

static bool enabled(const struct sm_mem_in *in) {
  return in->mrpb_en;
}

static bool bypasses(const struct hd_config *c, const uint64_t *line, unsigned n, unsigned k) {
  (void)c, (void)line, (void)n, (void)k;
  return true;
}

const struct hd_allows hd_allows_mrpb = {.there = there, .enabled = enabled, .bypasses = bypasses};
