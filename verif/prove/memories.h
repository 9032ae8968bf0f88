/* What a checker sees of a module's memories: of NAME all rows, row r at NAME_rows[r*W +: W], and what was read last, NAME_rdata; of a
 * memory of several banks NAME_0_rows, NAME_0_rdata and so on. Internal to verif/prove.
 *
 * Invariant: the module's Verilog is as it is, but for ports that show the rows.
 */
#ifndef HEDDLE_VERIF_PROVE_MEMORIES_H
#define HEDDLE_VERIF_PROVE_MEMORIES_H

#include "arch/declaration/declaration.h"

/* Pieces for each bank, to be freed: names of the checker's ports; their declarations; its pins; the nets in the module. */
enum hd_memory_piece { HD_MEMORY_PORTS, HD_MEMORY_INPUTS, HD_MEMORY_PINS, HD_MEMORY_NETS };
char *hd_memory_pieces(const struct hd_decl *d, enum hd_memory_piece piece);

/* The module's Verilog with the rows of its memories on those nets, to be freed. NULL: an instance of a memory is missing. */
char *hd_memory_shown(const char *verilog, const struct hd_decl *d);
/* A memory wrapper with a port `rows`, to be freed; NULL: it is no wrapper. */
char *hd_memory_wrapper(const char *verilog);

#endif
