/* Golden model of `rrt`: to be written. */
#include "cmodel/ports.h"

void rrt_moore(struct rrt *m, struct rrt_out *out) {
  (void)m, (void)out;
}

uint64_t rrt_tick(struct rrt *m, const struct rrt_in *in) {
  (void)m, (void)in;
  return HD_MOVES;
}
