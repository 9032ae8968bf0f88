/* Golden model of the locality degree at the L1D. Spec: docs/mechanisms/casc.md. The behaviour of a cycle is in
 * cmodel/casc/locality_degree_cycle.h. */
#include "cmodel/casc/locality_degree_cycle.h"

void locality_degree_moore(struct locality_degree *m, struct locality_degree_out *out) {
  (void)m;
  (void)out;
}

void locality_degree_mealy(struct locality_degree *m, const struct locality_degree_in *in,
                           struct locality_degree_out *out) {
  locality_degree_say(m, in, out);
}

uint64_t locality_degree_tick(struct locality_degree *m, const struct locality_degree_in *in) {
  return locality_degree_cycle(m, in);
}
