/* Golden model of MASCAR's memory-access priority. Spec: docs/mechanisms/mascar.md. The behaviour of a cycle is in
 * cmodel/mascar/mascar_cycle.h. */
#include "cmodel/mascar/mascar_cycle.h"

/* Its one output is MEALY. */
void mascar_moore(struct mascar *m, struct mascar_out *out) {
  (void)m;
  (void)out;
}

void mascar_mealy(struct mascar *m, const struct mascar_in *in, struct mascar_out *out) {
  mascar_say(m, in, out);
}

uint64_t mascar_tick(struct mascar *m, const struct mascar_in *in) {
  return mascar_cycle(m, in);
}
