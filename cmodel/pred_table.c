#include "cmodel/ports.h"
void pred_table_moore(struct pred_table *m, struct pred_table_out *out) { (void)m; (void)out; }
void pred_table_mealy(struct pred_table *m, const struct pred_table_in *in, struct pred_table_out *out) { (void)m; (void)in; (void)out; }
uint64_t pred_table_tick(struct pred_table *m, const struct pred_table_in *in) { (void)m; (void)in; return HD_MOVES; }
