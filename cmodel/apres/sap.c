/* Golden model of the stride prefetchers, SAP and STR: learning, and the cycle. Spec: docs/mechanisms/sap.md. The
 * behaviour of a cycle is in cmodel/apres/sap_cycle.h. */
#include "cmodel/apres/sap_cycle.h"

void sap_moore(struct sap *m, struct sap_out *out) {
  out->pf_valid = m->s.pf_v;
  out->pf_line = m->s.pf_l;
  out->pf_wid = m->s.pf_w;
}

uint64_t sap_tick(struct sap *m, const struct sap_in *in) {
  return sap_cycle(m, in);
}
