/* Golden model of the warp schedulers. Spec: docs/mechanisms/sched.md. What a cycle does is in cmodel/sm/sched_cycle.h. */
#include "cmodel/sm/sched_cycle.h"

/* Every output is MEALY. */
void sched_moore(struct sched *m, struct sched_out *out) {
  (void)m;
  (void)out;
}

void sched_mealy(struct sched *m, const struct sched_in *in, struct sched_out *out) {
  sched_say(m, in, out);
}

uint64_t sched_tick(struct sched *m, const struct sched_in *in) {
  return sched_cycle(m, in);
}
