/* Writes a design as SystemC. For one top it writes a C++17 module with the pins of the top's Verilog. Behind the pins are the
 * Verilated RTL, the golden model of libheddle, or both in lockstep (docs/systemc.md).
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
 *   <top>_sc.vlt               the signals that Verilator keeps readable, for lockstep
 *   heddle_*                   copies from systemc/: the base of all such classes, TLM-2.0, and a makefile
 *
 * Returns HD_INPUT if there is no such module, or if it has outputs that are known only at the clock edge: a pin can't show them. */
enum hd_rc hd_sc_add(struct hd_files *files, const struct hd_design *design, const char *top, const char *dir,
                     struct hd_why *why);

#endif
