#include "cmodel/ports.h"
void l2_top_moore(struct l2_top *m, struct l2_top_out *out) { (void)m; (void)out; }
void l2_top_mealy(struct l2_top *m, const struct l2_top_in *in, struct l2_top_out *out) { (void)m; (void)in; (void)out; }
uint64_t l2_top_tick(struct l2_top *m, const struct l2_top_in *in) { (void)m; (void)in; return HD_MOVES; }
