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
 *   hd_ram_1r1w_ff.v, hd_ram_1r1w_latch.v, hd_table_latch.v, hd_icg.v
 *                                  the memory wrappers, those that are used
 *   <top>.f                        file list, paths relative to the directory, leaves first
 *   <top>.json                     signature: generator, configuration, parameters, ports, memories, instances
 *   <top>.core                     FuseSoC core: targets lint and synth
 *   <top>.sdc                      clock and ports, for synthesis and timing analysis
 *   <top>.upf                      power intent, if rows of a memory can be powered off
 *   <top>.synth.tcl                what the core's target synth tells Yosys
 *   apb_regs.rdl                   where that module is: its register map, SystemRDL 2.0
 *
 * HD_INPUT: no such module, or the directory can't be written. HD_CHECK: a behaviour and its declaration differ
 * (a bug of the generator). */
enum hd_rc hd_rtl_write(const struct hd_design *design, const char *top, const char *dir, struct hd_why *why);

/* What a test bench of the top replays, and holds its outputs against: as $readmemh reads it, a line a cycle. */
struct hd_rtl_bench {
  unsigned cycles;
  char *stimulus; /* the inputs but clk and rst, the first lowest */
  char *expected; /* the outputs likewise */
};
/* Clock edges under reset, with all inputs 0: so many before what has no reset value gets values, and so many after that. A
 * register, or a row of a memory, takes as many numbers as it has words of 32 bits, the lowest first: each is the one before
 * times TIMES plus PLUS, modulo 2^32; before the first it is 0. Of a module its registers come first, then its memories,
 * macro by macro from row 0 (what the last read gave is the last row), in the order of the declaration; then the modules
 * inside. */
enum { HD_BENCH_RESET = 3 };
#define HD_BENCH_TIMES UINT32_C(1664525)
#define HD_BENCH_PLUS UINT32_C(1013904223)
/* The same and besides, with `bench` (may be NULL):
 *
 *   tb_<top>.v                     a test bench in Verilog-2005, which the FuseSoC core's target `sim` runs
 *   tb_<top>_in.hex, tb_<top>_out.hex
 *                                  its stimulus, and what it expects
 */
enum hd_rc hd_rtl_write_with(const struct hd_design *design, const char *top, const char *dir,
                             const struct hd_rtl_bench *bench, struct hd_why *why);

/* Whether there is RTL of a module and all below it. HD_INPUT: no such module, or one is in the golden model only. */
enum hd_rc hd_rtl_there(const struct hd_design *design, const char *top, struct hd_why *why);

/* The text of one module alone, to be freed; NULL and a sentence: no such module, or (a bug of the generator)
 * a behaviour that names undeclared state. */
char *hd_rtl_module_text(const struct hd_design *design, const char *module, struct hd_why *why);

/* The checker of a module, MODULE_props, to be freed: its inputs are all ports and registers of the module; in it are the
 * properties of verif/ROOM/MODULE.props.sv, if there are any, and then `more`. NULL and a sentence: no such module. */
char *hd_rtl_checker(const struct hd_design *design, const char *module, const char *more,
                     struct hd_why *why);
/* What is small enough to prove them, "section.key=value ...", to be freed; NULL: nothing is written of it. */
char *hd_rtl_checker_small(const char *module);
/* Names of ports whose `ready` depends on their own `valid`, separated by blanks, to be freed; NULL: of none. */
char *hd_rtl_checker_looks(const char *module);

#endif
