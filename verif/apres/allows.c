/* Tells the scoreboard what a prefetcher allows sm_mem to do; see verif/sm/allows.h. Spec: docs/mechanisms/sap.md. */
#include "verif/sm/allows.h"

static bool there(const struct hd_config *c) {
  return c->d.PREF;
}

static bool enabled(const struct sm_mem_in *in) {
  return in->pf_en;
}

/* Returns true if the line may be prefetched. A stride prefetcher stays in the allowed pages (D-SAP-6). */
static bool fetches(const struct hd_config *c, uint64_t line) {
  const uint64_t page = line << c->d.OFFSET_W >> 16;
  return !c->d.STRIDE || (page >= c->prefetch.first_page && page <= c->prefetch.last_page);
}

const struct hd_allows hd_allows_apres = {.there = there, .enabled = enabled, .fetches = fetches};
