/* Records the golden model of a module under its environment's random traffic, for a Verilog test bench.
 *
 * Invariant: the model powers up with the same values that the test bench gives the Verilog. So every bit of every output is compared.
 */
#ifndef HEDDLE_VERIF_TESTBENCH_RECORD_H
#define HEDDLE_VERIF_TESTBENCH_RECORD_H

#include "arch/declaration/modules.h"
#include "base/run.h"
#include "rtl_gen/rtl.h"

/* Records `cycles` cycles of a module after a reset. hd_record_free frees the texts. `progress` is called now and then, unless NULL.
 * Returns HD_INPUT if the environment refuses the machine. Returns HD_CHECK if a check of the environment fails, which lockstep would
 * find too. */
enum hd_rc hd_record(const struct hd_design *design, const char *module, unsigned cycles, uint64_t seed,
                     void (*progress)(unsigned done, unsigned of), struct hd_rtl_bench *bench,
                     struct hd_why *why);
void hd_record_free(struct hd_rtl_bench *bench);

#endif
