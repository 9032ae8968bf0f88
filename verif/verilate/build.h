/* Builds a Verilated module from a declaration, and loads it.
 *
 * Invariant: a directory <work>/build/<module>-<hash> is complete, because it is made elsewhere and then renamed. The hash covers the
 * RTL, the list of readable variables, the adaptor (dut.cpp), the flags and the tools' versions.
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

/* Up to so many cycles quick compilation saves time. Compiling for speed pays from some millions on. */
enum { HD_DUT_FEW = 400000 };

struct hd_dut_want {
  const char *
      rtl; /* directory of the Verilog that is run: heddle gen wrote it, the user may have edited it; NULL: it is generated */
  bool traced; /* the model can write waveforms, and is slower */
  /* Compile in half the time; the model is slower. For few cycles. If one compiled for speed exists, that one is taken. */
  bool quick;
  bool inside; /* ports of inner modules and all pins of memories can be found; the model is slower */
};

/* Generates, verilates and compiles the module, or finds it built; then loads it. Returns HD_INPUT if a file of want.rtl is missing or
 * Verilator refuses one. Returns HD_TOOL if Verilator or the compiler is missing or fails. Call hd_dut_unload in any case. */
enum hd_rc hd_dut_build(const struct hd_design *design, const char *module, const char *work,
                        struct hd_dut_want want, struct hd_dut_lib *lib, struct hd_why *why);
void hd_dut_unload(struct hd_dut_lib *lib);

/* --- rtl_dir.c: the user's Verilog ------------------------------------------------------------------------- */

/* Copies the list <from>/<module>.f and the files that it names. Returns HD_INPUT if one of them is missing. */
enum hd_rc hd_rtl_take(const char *from, const char *module, const char *to, struct hd_why *why);
/* Judges a run of Verilator that returned `rc` and wrote <dir>/verilator.log. Returns HD_INPUT if Verilator refused the user's Verilog,
 * or if a port of an inner module and its connection differ in width; otherwise returns `rc`. */
enum hd_rc hd_rtl_verdict(enum hd_rc rc, const char *dir, const char *from, struct hd_why *why);

#endif
