/* What the golden model of a module does under its environment's random traffic, written down for a test bench.
 *
 * Invariant: the model powers up with the values that the test bench gives the Verilog, so every bit of every output counts.
 */
#ifndef HEDDLE_VERIF_TESTBENCH_RECORD_H
#define HEDDLE_VERIF_TESTBENCH_RECORD_H

#include "arch/declaration/modules.h"
#include "base/run.h"
#include "rtl_gen/rtl.h"

/* Records so many cycles of a module after a reset, texts to be freed by hd_record_free. `progress`: NULL, or called now and
 * then. HD_INPUT: the environment refuses the machine. HD_CHECK: the environment says that the model is wrong, which lockstep finds
 * too. */
enum hd_rc hd_record(const struct hd_design *design, const char *module, unsigned cycles, uint64_t seed,
                     void (*progress)(unsigned done, unsigned of), struct hd_rtl_bench *bench,
                     struct hd_why *why);
void hd_record_free(struct hd_rtl_bench *bench);

#endif
