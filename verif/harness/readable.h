/* What Verilator must keep readable by name, so that both sides of a lockstep can be compared; and names of the model's side in a
 * waveform. */
#ifndef HEDDLE_VERIF_HARNESS_READABLE_H
#define HEDDLE_VERIF_HARNESS_READABLE_H

#include "arch/declaration/declaration.h"

/* A control file of Verilator: the ports of `top`, all registers below it, and what the memory wrappers hold and are asked. To be
 * freed; NULL: out of memory. */
char *hd_readable(const struct hd_decl *top, bool inside);

/* A traced module has an instance `model` beside what is in it: variables with nothing behind them, one for each
 * output and register, to show the golden model's values in the waveform. This is the name of one, to be freed (NULL: out of memory):
 * "u_l1d.", "f_pos_q" is u_l1d__f_pos_q. */
char *hd_dut_twin(const char *path, const char *var);

#endif
