/* Golden model of LoSCache's prediction table. Spec: docs/mechanisms/loscache.md. The behaviour of a cycle is in
 * cmodel/loscache/pred_table_cycle.h. */
#include "cmodel/loscache/pred_table_cycle.h"

void pred_table_moore(struct pred_table *m, struct pred_table_out *out) {
  out->prefer = m->s.predictor;
  out->q_valid = m->s.o_valid;
  out->q_line = m->s.o_line;
  out->q_pe = m->s.o_pe;
}

void pred_table_mealy(struct pred_table *m, const struct pred_table_in *in, struct pred_table_out *out) {
  pred_table_say(m, in, out);
}

uint64_t pred_table_tick(struct pred_table *m, const struct pred_table_in *in) {
  return pred_table_cycle(m, in);
}
