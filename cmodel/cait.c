/* Golden model of cait: to be written. */
#include "cmodel/models.h"

void cait_moore(struct cait *m, struct cait_out *out) {
  (void)m;
  (void)out;
}

uint64_t cait_tick(struct cait *m, const struct cait_in *in) {
  (void)m;
  (void)in;
  return HD_MOVES;
}
