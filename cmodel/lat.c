/* Golden model of lat: to be written. */
#include "cmodel/models.h"

void lat_moore(struct lat *m, struct lat_out *out) {
  (void)m;
  (void)out;
}

uint64_t lat_tick(struct lat *m, const struct lat_in *in) {
  (void)m;
  (void)in;
  return HD_MOVES;
}

void lat_mealy(struct lat *m, const struct lat_in *in, struct lat_out *out) {
  (void)m;
  (void)in;
  (void)out;
}
