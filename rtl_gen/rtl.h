/* The generator: it takes one design and writes a directory of Verilog.
 *
 * Invariant: the same configuration and top give the same bytes. An error leaves no half-written file,
 * because files are made in memory first. */
#ifndef HEDDLE_RTL_GEN_RTL_H
#define HEDDLE_RTL_GEN_RTL_H

#include "arch/declaration/modules.h"
#include "base/run.h"

/* Writes into directory `dir` (made if missing), for `top` (a module of the design) and every module below
 * it:
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
 *   <top>.synth.tcl                Yosys commands of the core's target synth
 *   apb_regs.rdl                   its register map in SystemRDL 2.0, if the design has that module
 *
 * Returns HD_INPUT if there is no such module or the directory can't be written, HD_CHECK if a behaviour and
 * its declaration differ (a bug of the generator). */
enum hd_rc hd_rtl_write(const struct hd_design *design, const char *top, const char *dir, struct hd_why *why);

/* The values that a test bench of the top replays, and the outputs that it expects: text for $readmemh, a
 * line a cycle. */
struct hd_rtl_bench {
  unsigned cycles;
  char *stimulus; /* the inputs but clk and rst, the first in the lowest bits */
  char *expected; /* the outputs likewise */
};
/* The reset of a test bench, and the start values of state without a reset value. The bench runs
 * HD_BENCH_RESET clock edges under reset with all inputs 0, writes the start values, and runs as many edges
 * again. Start values come from one sequence of numbers: each is the one before times TIMES plus PLUS, modulo
 * 2^32; the one before the first is 0. A register, or a row of a memory, takes as many numbers as it has
 * words of 32 bits, the lowest word first. The order is that of the declaration: a module's registers, then
 * its memories, macro by macro from row 0 (the last read counts as the last row), then the modules inside. */
enum { HD_BENCH_RESET = 3 };
#define HD_BENCH_TIMES UINT32_C(1664525)
#define HD_BENCH_PLUS UINT32_C(1013904223)
/* As hd_rtl_write, and with `bench` (may be NULL) also:
 *
 *   tb_<top>.v                     a test bench in Verilog-2005, which the FuseSoC core's target `sim` runs
 *   tb_<top>_in.hex, tb_<top>_out.hex
 *                                  its stimulus, and the outputs that it expects */
enum hd_rc hd_rtl_write_with(const struct hd_design *design, const char *top, const char *dir,
                             const struct hd_rtl_bench *bench, struct hd_why *why);

/* Returns HD_INPUT if there is no such module, or if it or a module below it exists in the golden model only. */
enum hd_rc hd_rtl_there(const struct hd_design *design, const char *top, struct hd_why *why);

/* The text of one module, to be freed. Returns NULL and a sentence if there is no such module, or (a bug of
 * the generator) if its behaviour names undeclared state. */
char *hd_rtl_module_text(const struct hd_design *design, const char *module, struct hd_why *why);

/* The checker of a module, MODULE_props, to be freed. Its inputs are all ports and registers of the module.
 * It holds the properties of verif/ROOM/MODULE.props.sv, if that file exists, and then `more`. Returns NULL
 * and a sentence if there is no such module. */
char *hd_rtl_checker(const struct hd_design *design, const char *module, const char *more,
                     struct hd_why *why);
/* The keys that make a machine small enough to prove the module's properties, "section.key=value ...", to be
 * freed. Returns NULL if the file names none. */
char *hd_rtl_checker_small(const char *module);
/* The names of ports whose `ready` depends on their own `valid`, separated by blanks, to be freed. Returns
 * NULL if there are none. */
char *hd_rtl_checker_looks(const char *module);

#endif
