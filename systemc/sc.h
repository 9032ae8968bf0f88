/* A design as SystemC: for one top, a C++17 module with the pins of its Verilog, behind which stand the Verilated RTL, the golden
 * model of libheddle, or both in lockstep (docs/systemc.md).
 *
 * Invariant: the same configuration and top give the same bytes.
 */
#ifndef HEDDLE_SYSTEMC_SC_H
#define HEDDLE_SYSTEMC_SC_H

#include "arch/declaration/modules.h"
#include "base/new_files.h"

/* Adds to `files`, in directory `dir`:
 *
 *   <top>_sc.h, <top>_sc.cpp   class heddle::<top>, with the configuration's text in it
 *   <top>_sc.vlt               what Verilator keeps readable, for lockstep
 *   heddle_*                   as in systemc/: what all such classes stand on, TLM-2.0, and a makefile
 *
 * HD_INPUT: no such module; or it has outputs that are known at the clock edge only, which a pin can't show. */
enum hd_rc hd_sc_add(struct hd_files *files, const struct hd_design *design, const char *top, const char *dir,
                     struct hd_why *why);

#endif
