#include "cmodel/ports.h"
void l2_slice_moore(struct l2_slice *m, struct l2_slice_out *out) { (void)m; (void)out; }
void l2_slice_mealy(struct l2_slice *m, const struct l2_slice_in *in, struct l2_slice_out *out) { (void)m; (void)in; (void)out; }
uint64_t l2_slice_tick(struct l2_slice *m, const struct l2_slice_in *in) { (void)m; (void)in; return HD_MOVES; }
