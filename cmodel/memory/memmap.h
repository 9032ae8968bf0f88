/* The place of a line: its L2 bank, DRAM bank and row. docs/gpu.md, "Where a line is".
 *
 * Invariant: both maps are one to one. */
#ifndef HEDDLE_CMODEL_MEMORY_MEMMAP_H
#define HEDDLE_CMODEL_MEMORY_MEMMAP_H

#include "arch/config/config.h"

struct hd_memmap {
  unsigned banks, channels, slices; /* L2 banks; slices: L2 banks of a channel */
  unsigned chunk_w, row_w, dram_w;  /* log2: lines of a chunk, of a row; DRAM banks */
};

/* The map of a machine, by its l2 and dram keys. */
struct hd_memmap hd_memmap_of(const struct hd_config *c);

/* Returns the L2 bank of a line; *local gets the line's number in the bank. Bank b belongs to channel b mod channels. */
unsigned hd_memmap_bank(const struct hd_memmap *m, uint64_t line, uint64_t *local);

/* Returns the line that has number `local` in L2 bank `bank`. */
uint64_t hd_memmap_line(const struct hd_memmap *m, unsigned bank, uint64_t local);

/* Returns the DRAM bank of line `local` of L2 bank `bank`; *row gets its row. */
unsigned hd_memmap_dram(const struct hd_memmap *m, unsigned bank, uint64_t local, uint64_t *row);

#endif
