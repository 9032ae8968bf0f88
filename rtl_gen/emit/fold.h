/* Wide values folded into narrow ones: hashed program counters, and entries of tables by them. */
#ifndef HEDDLE_RTL_GEN_EMIT_FOLD_H
#define HEDDLE_RTL_GEN_EMIT_FOLD_H

#include <stdio.h>

/* A function that the module then has: the XOR of the pieces of `to` bits of a vector of `from` bits, from bit
 * `first` up, the last one filled up with zeros. Sizes are Verilog expressions. */
void hd_put_fold(FILE *f, const char *name, const char *from, const char *to, unsigned first);

#endif
