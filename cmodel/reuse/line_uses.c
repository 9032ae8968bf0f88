/* Golden model of the re-reference counters and hashed PCs of the L1D's lines. Spec: docs/mechanisms/line_uses.md.
 * The behaviour of a cycle is in cmodel/reuse/line_uses_cycle.h. */
#include "cmodel/reuse/line_uses_cycle.h"

void line_uses_moore(struct line_uses *m, struct line_uses_out *out) {
  (void)m;
  (void)out;
}

void line_uses_mealy(struct line_uses *m, const struct line_uses_in *in, struct line_uses_out *out) {
  line_uses_say(m, in, out);
}

uint64_t line_uses_tick(struct line_uses *m, const struct line_uses_in *in) {
  return line_uses_cycle(m, in);
}
