/* Golden model of the reuse-frequency table. Spec: docs/mechanisms/rft.md. The behaviour of a cycle is in
 * cmodel/lasc/rft_cycle.h. */
#include "cmodel/lasc/rft_cycle.h"

void rft_moore(struct rft *m, struct rft_out *out) {
  rft_show(m, out);
}

uint64_t rft_tick(struct rft *m, const struct rft_in *in) {
  return rft_cycle(m, in);
}
