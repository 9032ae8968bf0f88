/* Golden model of LAWS, the locality-aware warp scheduler. Spec: docs/mechanisms/laws.md. The behaviour of a cycle is
 * in cmodel/apres/laws_cycle.h. */
#include "cmodel/apres/laws_cycle.h"

void laws_mealy(struct laws *m, const struct laws_in *in, struct laws_out *out) {
  laws_say(m, in, out);
}

void laws_moore(struct laws *m, struct laws_out *out) {
  laws_show(m, out);
}

uint64_t laws_tick(struct laws *m, const struct laws_in *in) {
  return laws_cycle(m, in);
}
