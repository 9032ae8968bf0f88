/* Every file of a Verilated module includes this file first. The program contains its text, and has g++ compile it once for all modules
 * (verif/verilate/build.c): otherwise it would take half the compile time of a small module. HD_TRACE: with a waveform writer. */
#ifndef HEDDLE_VERIF_VERILATE_DUT_PREFIX_H
#define HEDDLE_VERIF_VERILATE_DUT_PREFIX_H

#include "verilated.h"
#include "verilated_sym_props.h"
#include "verilated_syms.h"
#if HD_TRACE
#include "verilated_fst_c.h"
#endif

#endif
