/* What every file of a Verilated module includes first; its text is part of the program, which has g++ compile it once for all modules
 * (verif/verilate/build.c): half the time of a small module is reading it. HD_TRACE: with a waveform writer. */
#ifndef HEDDLE_VERIF_VERILATE_DUT_PREFIX_H
#define HEDDLE_VERIF_VERILATE_DUT_PREFIX_H

#include "verilated.h"
#include "verilated_sym_props.h"
#include "verilated_syms.h"
#if HD_TRACE
#include "verilated_fst_c.h"
#endif

#endif
