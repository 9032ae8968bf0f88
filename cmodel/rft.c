/* Golden model of `rft`: to be written. */
#include "cmodel/ports.h"

void rft_moore(struct rft *m, struct rft_out *out) {
  (void)m, (void)out;
}

uint64_t rft_tick(struct rft *m, const struct rft_in *in) {
  (void)m, (void)in;
  return HD_MOVES;
}
