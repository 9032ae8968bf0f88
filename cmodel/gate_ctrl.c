#include "cmodel/ports.h"
void gate_ctrl_moore(struct gate_ctrl *m, struct gate_ctrl_out *out) { (void)m; (void)out; }
uint64_t gate_ctrl_tick(struct gate_ctrl *m, const struct gate_ctrl_in *in) { (void)m; (void)in; return HD_MOVES; }
