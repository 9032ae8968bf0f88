/* The sizes that Verilog may name: the rows of arch/config/derived.def and of the rooms. Internal to rtl_gen.
 *
 * Invariant: the expression of a size names only sizes before it.
 */
#ifndef HEDDLE_RTL_GEN_VERILOG_SIZES_H
#define HEDDLE_RTL_GEN_VERILOG_SIZES_H

#include "arch/declaration/modules.h"

/* A row of arch/config/derived.def, or of a room's. */
struct hd_size {
  const char *name, *expr, *meaning;
  const char *path; /* of the row, and its line */
  unsigned line;
  size_t offset; /* in struct hd_derived */
};
extern const struct hd_size hd_sizes[];
extern const size_t hd_n_sizes;
unsigned hd_size_of(const struct hd_config *c, size_t i);
/* The number of the size whose name the n characters are; hd_n_sizes: there is none. */
size_t hd_size_named(const char *name, size_t n);
/* A size like ON_MISS is 1 if something is there at all; such a size is always bound. By its number, or its name of n characters. */
bool hd_size_is_flag(size_t i);
bool hd_is_flag(const char *name, size_t n);

/* --- scan.c ----------------------------------------------------------------------------------------------- */

/* Which of hd_sizes occur in the text outside comments, and not as the name of an instance's parameter: used[i]
 * for hd_sizes[i], hd_n_sizes in all. */
void hd_scan_sizes(const char *text, bool used[]);

#endif
