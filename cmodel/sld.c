#include "cmodel/models.h"
void sld_moore(struct sld *m, struct sld_out *out) {
  (void)m, (void)out;
}
uint64_t sld_tick(struct sld *m, const struct sld_in *in) {
  (void)m, (void)in;
  return 0;
}
