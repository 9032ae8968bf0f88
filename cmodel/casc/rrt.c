/* Golden model of the re-reference table. Spec: docs/mechanisms/casc.md. The behaviour of a cycle is in
 * cmodel/casc/rrt_cycle.h. */
#include "cmodel/casc/rrt_cycle.h"

void rrt_moore(struct rrt *m, struct rrt_out *out) {
  rrt_show(m, out);
}

uint64_t rrt_tick(struct rrt *m, const struct rrt_in *in) {
  return rrt_cycle(m, in);
}
