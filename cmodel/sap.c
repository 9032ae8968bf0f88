#include "cmodel/models.h"
void sap_moore(struct sap *m, struct sap_out *out) {
  (void)m, (void)out;
}
uint64_t sap_tick(struct sap *m, const struct sap_in *in) {
  (void)m, (void)in;
  return 0;
}
