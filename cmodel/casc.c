/* Golden model of `casc`: to be written. */
#include "cmodel/ports.h"

void casc_moore(struct casc *m, struct casc_out *out) {
  (void)m, (void)out;
}

void casc_mealy(struct casc *m, const struct casc_in *in, struct casc_out *out) {
  (void)m, (void)in, (void)out;
}

uint64_t casc_tick(struct casc *m, const struct casc_in *in) {
  (void)m, (void)in;
  return HD_MOVES;
}
