/* Golden model of the cache access information table. Spec: docs/mechanisms/apcm.md. The behaviour of a cycle is in
 * cmodel/apcm/cait_cycle.h. */
#include "cmodel/apcm/cait_cycle.h"

void cait_moore(struct cait *m, struct cait_out *out) {
  cait_show(m, out);
}

uint64_t cait_tick(struct cait *m, const struct cait_in *in) {
  return cait_cycle(m, in);
}
