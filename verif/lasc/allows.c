/* Tells the scoreboard what the reuse-frequency table allows sm_mem to do; see verif/sm/allows.h. Spec: docs/mechanisms/rft.md. */
#include "verif/sm/allows.h"

static bool there(const struct hd_config *c) {
  return c->d.RFT > 0;
}

static bool enabled(const struct sm_mem_in *in) {
  return in->rft_en;
}

static bool bypasses(const struct hd_config *c, const uint64_t *line, unsigned n, unsigned k) {
  (void)c, (void)line, (void)n, (void)k;
  return true;
}

const struct hd_allows hd_allows_lasc = {.there = there, .enabled = enabled, .bypasses = bypasses};
