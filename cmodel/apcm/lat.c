/* Golden model of the load alias table. Spec: docs/mechanisms/apcm.md. The behaviour of a cycle is in
 * cmodel/apcm/lat_cycle.h. */
#include "cmodel/apcm/lat_cycle.h"

/* Every output is MEALY. */
void lat_moore(struct lat *m, struct lat_out *out) {
  (void)m;
  (void)out;
}

void lat_mealy(struct lat *m, const struct lat_in *in, struct lat_out *out) {
  lat_say(m, in, out);
}

uint64_t lat_tick(struct lat *m, const struct lat_in *in) {
  return lat_cycle(m, in);
}
