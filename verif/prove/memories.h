/* Shows a module's memories to its checker. A memory NAME has two signals: NAME_rows has all rows, row r at NAME_rows[r*W +: W], and
 * NAME_rdata has the last read data. A memory of several banks has NAME_0_rows, NAME_0_rdata and so on. Internal to verif/prove.
 *
 * Invariant: the module's Verilog does not change, except for added ports that show the rows.
 */
#ifndef HEDDLE_VERIF_PROVE_MEMORIES_H
#define HEDDLE_VERIF_PROVE_MEMORIES_H

#include "arch/declaration/declaration.h"

/* Returns pieces of Verilog for each bank: names of the checker's ports; their declarations; the pins of its instance; nets in the module.
 * The caller frees them. */
enum hd_memory_piece { HD_MEMORY_PORTS, HD_MEMORY_INPUTS, HD_MEMORY_PINS, HD_MEMORY_NETS };
char *hd_memory_pieces(const struct hd_decl *d, enum hd_memory_piece piece);

/* Returns the module's Verilog with the rows of its memories connected to those nets; the caller frees it. Returns NULL if an instance of a
 * memory is missing. */
char *hd_memory_shown(const char *verilog, const struct hd_decl *d);
/* Returns the text of a memory wrapper with an added port `rows`; the caller frees it. Returns NULL if the text is no wrapper. */
char *hd_memory_wrapper(const char *verilog);

#endif
