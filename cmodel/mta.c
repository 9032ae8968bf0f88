/* Golden model of mta: to be written. */
#include "cmodel/models.h"

void mta_moore(struct mta *m, struct mta_out *out) {
  (void)m;
  (void)out;
}

uint64_t mta_tick(struct mta *m, const struct mta_in *in) {
  (void)m;
  (void)in;
  return HD_MOVES;
}
