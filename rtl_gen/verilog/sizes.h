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
  const char *path; /* the file of the row; `line` is its line */
  unsigned line;
  size_t offset; /* in struct hd_derived */
};
extern const struct hd_size hd_sizes[];
extern const size_t hd_n_sizes;
unsigned hd_size_of(const struct hd_config *c, size_t i);
/* The number of the size with this name of n characters. Returns hd_n_sizes if there is none. */
size_t hd_size_named(const char *name, size_t n);
/* True if the size is a flag: 1 if something exists at all, like ON_MISS. A flag is always bound. The size is
 * given by its number, or by its name of n characters. */
bool hd_size_is_flag(size_t i);
bool hd_is_flag(const char *name, size_t n);

/* --- scan.c ----------------------------------------------------------------------------------------------- */

/* Sets used[i] if hd_sizes[i] occurs in the text, outside comments and not as the name of an instance's
 * parameter. used[] has hd_n_sizes elements. */
void hd_scan_sizes(const char *text, bool used[]);

#endif
