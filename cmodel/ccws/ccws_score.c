/* Golden model of CCWS's lost-locality scores. Spec: docs/mechanisms/ccws.md. The behaviour of a cycle is in
 * cmodel/ccws/ccws_score_cycle.h. */
#include "cmodel/ccws/ccws_score_cycle.h"

/* Its one output is MEALY. */
void ccws_score_moore(struct ccws_score *m, struct ccws_score_out *out) {
  (void)m;
  (void)out;
}

void ccws_score_mealy(struct ccws_score *m, const struct ccws_score_in *in, struct ccws_score_out *out) {
  ccws_score_say(m, in, out);
}

uint64_t ccws_score_tick(struct ccws_score *m, const struct ccws_score_in *in) {
  return ccws_score_cycle(m, in);
}

void ccws_score_alone(struct ccws_score *m, const struct ccws_score_in *in, uint64_t cycles) {
  ccws_score_pass(m, in, cycles);
}
