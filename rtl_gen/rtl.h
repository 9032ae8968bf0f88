/* The generator: one design in, a directory of Verilog out.
 *
 * Invariant: the same configuration and top give the same bytes; on any error nothing is left half-written
 * (files are made in memory first).
 */
#ifndef HEDDLE_RTL_GEN_RTL_H
#define HEDDLE_RTL_GEN_RTL_H

#include "arch/declaration/modules.h"
#include "base/run.h"

/* Writes into directory `dir` (made if missing), for `top` (a module of the design) and every module below it:
 *
 *   <module>.v ...                 Verilog-2005
 *   hd_ram_1rw.v, hd_ram_1r1w.v, hd_ram_1rw_m.v, hd_ram_1r1w_m.v, hd_ram_1rw_m_sleep.v
 *                                  the memory wrappers, those that are used
 *   <top>.f                        file list, paths relative to the directory, leaves first
 *   <top>.json                     signature: generator, configuration, parameters, ports, memories, instances
 *   <top>.core                     FuseSoC core
 *
 * HD_INPUT: no such module, or the directory can't be written. HD_CHECK: a behaviour and its declaration differ
 * (a bug of the generator). */
enum hd_rc hd_rtl_write(const struct hd_design *design, const char *top, const char *dir, struct hd_why *why);

/* Whether there is RTL of a module and all below it. HD_INPUT: no such module, or one is in the golden model only. */
enum hd_rc hd_rtl_there(const struct hd_design *design, const char *top, struct hd_why *why);

/* The text of one module alone, to be freed; NULL and a sentence: no such module, or (a bug of the generator)
 * a behaviour that names undeclared state. */
char *hd_rtl_module_text(const struct hd_design *design, const char *module, struct hd_why *why);

#endif
