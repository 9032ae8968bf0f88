/* Golden model of contention-aware selective caching. Spec: docs/mechanisms/casc.md. The behaviour of a cycle is in
 * cmodel/casc/casc_cycle.h. */
#include "cmodel/casc/casc_cycle.h"

void casc_moore(struct casc *m, struct casc_out *out) {
  out->busy = casc_busy(m);
}

void casc_mealy(struct casc *m, const struct casc_in *in, struct casc_out *out) {
  casc_say(m, in, out);
}

uint64_t casc_tick(struct casc *m, const struct casc_in *in) {
  return casc_cycle(m, in);
}
