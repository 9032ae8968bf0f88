/* Golden model of CCWS's victim tag arrays. Spec: docs/mechanisms/ccws.md. The behaviour of a cycle is in
 * cmodel/ccws/ccws_vta_cycle.h. */
#include "cmodel/ccws/ccws_vta_cycle.h"

void ccws_vta_moore(struct ccws_vta *m, struct ccws_vta_out *out) {
  out->hit_valid = m->s.h_valid;
  out->hit_wid = m->s.h_wid;
}

uint64_t ccws_vta_tick(struct ccws_vta *m, const struct ccws_vta_in *in) {
  return ccws_vta_cycle(m, in);
}

void ccws_vta_alone(struct ccws_vta *m, const struct ccws_vta_in *in, uint64_t cycles) {
  ccws_vta_pass(m, in, cycles);
}
