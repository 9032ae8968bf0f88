/* Tells the scoreboard what APCM allows sm_mem to do; see verif/sm/allows.h. Spec: docs/mechanisms/apcm.md. */
#include "verif/sm/allows.h"

static bool there(const struct hd_config *c) {
  return c->d.APCM;
}

static bool enabled(const struct sm_mem_in *in) {
  return in->apcm_en;
}

static bool bypasses(const struct hd_config *c, const uint64_t *line, unsigned n, unsigned k) {
  (void)c, (void)line, (void)n, (void)k;
  return true;
}

static bool protects(const struct hd_config *c) {
  return c->d.APCM_P;
}

const struct hd_allows hd_allows_apcm = {
    .there = there, .enabled = enabled, .bypasses = bypasses, .protects = protects};
