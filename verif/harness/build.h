/* From a declaration to a loaded Verilated module.
 *
 * Invariant: a directory <work>/build/<module>-<hash> is whole: it is made elsewhere and renamed. The hash
 * covers the RTL, the list of what is readable, the adaptor, the flags and the tools' versions.
 */
#ifndef HEDDLE_VERIF_HARNESS_BUILD_H
#define HEDDLE_VERIF_HARNESS_BUILD_H

#include "arch/declaration/modules.h"
#include "base/run.h"
#include "verif/harness/dut.h"

struct hd_dut_lib {
  void *handle;
  const struct hd_dut_api *api;
  char *dir; /* the directory: rtl/, obj/, dut.so */
};

/* Generates, verilates, compiles (or finds all that done) and loads. `traced`: can write waveforms, and is
 * slower. HD_TOOL: Verilator or the compiler is missing or fails. hd_dut_unload in any case. */
enum hd_rc hd_dut_build(const struct hd_design *design, const char *module, const char *work, bool traced,
                        struct hd_dut_lib *lib, struct hd_why *why);
void hd_dut_unload(struct hd_dut_lib *lib);

#endif
