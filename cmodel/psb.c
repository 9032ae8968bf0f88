/* Golden model of psb: to be written. */
#include "cmodel/models.h"

void psb_moore(struct psb *m, struct psb_out *out) {
  (void)m;
  (void)out;
}

uint64_t psb_tick(struct psb *m, const struct psb_in *in) {
  (void)m;
  (void)in;
  return HD_MOVES;
}
