/* What Verilator must keep readable by name, so that both sides of a lockstep can be compared. */
#ifndef HEDDLE_VERIF_HARNESS_READABLE_H
#define HEDDLE_VERIF_HARNESS_READABLE_H

#include "arch/declaration/declaration.h"

/* A control file of Verilator: the ports of `top`, all registers below it, and what the memory wrappers hold and are asked. To be
 * freed; aborts when memory is out. */
char *hd_readable(const struct hd_decl *top);

#endif
