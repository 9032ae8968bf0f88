#include "cmodel/models.h"
void laws_moore(struct laws *m, struct laws_out *out) {
  (void)m, (void)out;
}
uint64_t laws_tick(struct laws *m, const struct laws_in *in) {
  (void)m, (void)in;
  return 0;
}
void laws_mealy(struct laws *m, const struct laws_in *in, struct laws_out *out) {
  (void)m, (void)in, (void)out;
}
