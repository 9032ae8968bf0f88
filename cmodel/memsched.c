/* Golden model of `memsched`: to be written. */
#include "cmodel/ports.h"

void memsched_moore(struct memsched *m, struct memsched_out *out) {
  (void)m, (void)out;
}

void memsched_mealy(struct memsched *m, const struct memsched_in *in, struct memsched_out *out) {
  (void)m, (void)in, (void)out;
}

uint64_t memsched_tick(struct memsched *m, const struct memsched_in *in) {
  (void)m, (void)in;
  return HD_MOVES;
}
