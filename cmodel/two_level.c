#include "cmodel/models.h"
void two_level_moore(struct two_level *m, struct two_level_out *out) {
  (void)m, (void)out;
}
uint64_t two_level_tick(struct two_level *m, const struct two_level_in *in) {
  (void)m, (void)in;
  return 0;
}
void two_level_mealy(struct two_level *m, const struct two_level_in *in, struct two_level_out *out) {
  (void)m, (void)in, (void)out;
}
