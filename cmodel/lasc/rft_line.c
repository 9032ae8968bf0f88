/* Golden model of the reuse-frequency table's attachment to the L1D. Spec: docs/mechanisms/rft.md. The behaviour of a
 * cycle is in cmodel/lasc/rft_line_cycle.h. */
#include "cmodel/lasc/rft_line_cycle.h"

void rft_line_moore(struct rft_line *m, struct rft_line_out *out) {
  out->advice_bypass = m->s.d_rft;
}

uint64_t rft_line_tick(struct rft_line *m, const struct rft_line_in *in) {
  return rft_line_cycle(m, in);
}
