/* Tells the scoreboard what CASC allows sm_mem to do; see verif/sm/allows.h. Spec: docs/mechanisms/casc.md. */
#include "verif/sm/allows.h"

static bool there(const struct hd_config *c) {
  return c->d.CASC;
}

static bool enabled(const struct sm_mem_in *in) {
  return in->casc_en;
}

static uint64_t set_of(const struct hd_config *c, uint64_t line) {
  const uint64_t low = line & (c->d.SETS - 1);
  if (c->l1d.set_index == HD_INDEX_LINEAR)
    return low;
  if (c->l1d.set_index == HD_INDEX_XOR)
    return low ^ (line >> c->d.SET_W & (c->d.SETS - 1));
  return low ^ (line >> 6 & 3) ^ (line >> 8 & 1) << 2 ^ (line >> 10 & 1) << 3 ^ (line >> 12 & 1) << 4;
}

/* Returns true if the request always bypasses the L1D, whatever the L1D holds. The scheme by locality excludes the same requests as
 * per_set; it may also let some other requests bypass. */
static bool excludes(const struct hd_config *c, const uint64_t *line, unsigned n, unsigned k) {
  if (n <= c->d.WAYS)
    return false;
  unsigned later = 0;
  for (unsigned j = k + 1; j < n; j++)
    later += set_of(c, line[j]) == set_of(c, line[k]);
  switch (c->casc.scheme) {
  case HD_CASC_OFF:
    return false;
  case HD_CASC_ALL:
    return true;
  case HD_CASC_FIRST:
    return k >= c->d.WAYS;
  case HD_CASC_LAST:
    return k + c->d.WAYS < n;
  default:
    return later >= c->d.WAYS;
  }
}

static bool bypasses(const struct hd_config *c, const uint64_t *line, unsigned n, unsigned k) {
  return (c->d.LOC && n > c->d.WAYS) || excludes(c, line, n, k);
}

const struct hd_allows hd_allows_casc = {
    .there = there, .enabled = enabled, .bypasses = bypasses, .excludes = excludes};
