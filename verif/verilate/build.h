/* From a declaration to a loaded Verilated module.
 *
 * Invariant: a directory <work>/build/<module>-<hash> is whole: it is made elsewhere and renamed. The hash
 * covers the RTL, the list of what is readable, the adaptor, the flags and the tools' versions.
 */
#ifndef HEDDLE_VERIF_VERILATE_BUILD_H
#define HEDDLE_VERIF_VERILATE_BUILD_H

#include "arch/declaration/modules.h"
#include "base/run.h"
#include "verif/verilate/dut.h"

struct hd_dut_lib {
  void *handle;
  const struct hd_dut_api *api;
  char *dir; /* the directory: rtl/, obj/, dut.so */
};

/* Cycles for which it is quicker to compile quickly: compiling for speed pays from some millions on. */
enum { HD_DUT_FEW = 400000 };

struct hd_dut_want {
  const char *
      rtl; /* directory of the Verilog that is run, as heddle gen wrote it and edited since; NULL: what is generated now */
  bool traced; /* can write waveforms, and is slower */
  bool
      quick; /* compiled in half the time, and slower: for few cycles; one compiled for speed is taken if it is there */
  bool inside; /* ports of the modules inside, and all pins of memories, can be found; slower too */
};

/* Generates, verilates, compiles (or finds all that done) and loads. HD_INPUT: of want.rtl a file is missing, or Verilator
 * refuses one. HD_TOOL: Verilator or the compiler is missing or fails. hd_dut_unload in any case. */
enum hd_rc hd_dut_build(const struct hd_design *design, const char *module, const char *work,
                        struct hd_dut_want want, struct hd_dut_lib *lib, struct hd_why *why);
void hd_dut_unload(struct hd_dut_lib *lib);

/* --- rtl_dir.c: Verilog that is the user's ----------------------------------------------------------------- */

/* Copies the list <from>/<module>.f and the files that it names. HD_INPUT: one of them is missing. */
enum hd_rc hd_rtl_take(const char *from, const char *module, const char *to, struct hd_why *why);
/* What became of Verilator's run, rc, in which <dir>/verilator.log was written: HD_INPUT if it has refused the user's Verilog,
 * or if a port of a module inside has another width than what is connected to it. */
enum hd_rc hd_rtl_verdict(enum hd_rc rc, const char *dir, const char *from, struct hd_why *why);

#endif
