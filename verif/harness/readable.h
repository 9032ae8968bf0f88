/* The list of variables that Verilator must keep readable by name, so that lockstep can compare them; and the names of the model's
 * variables in a waveform. */
#ifndef HEDDLE_VERIF_HARNESS_READABLE_H
#define HEDDLE_VERIF_HARNESS_READABLE_H

#include "arch/declaration/declaration.h"

/* Returns a control file of Verilator. It lists the ports of `top`, all registers below it, and the contents and pins of the memory
 * wrappers; with `inside` also the ports of inner modules. The caller frees it. Returns NULL if out of memory. */
char *hd_readable(const struct hd_decl *top, bool inside);

/* A traced module has one more instance, `model`. It holds an unconnected variable for each output and register, which shows the golden
 * model's value in the waveform. Returns the name of such a variable: for "u_l1d.", "f_pos_q" it is u_l1d__f_pos_q. The caller frees
 * it. Returns NULL if out of memory. */
char *hd_dut_twin(const char *path, const char *var);

#endif
