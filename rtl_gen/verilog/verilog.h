/* Pieces of Verilog: widths, bundles, functions; and the names in a Verilog text. Internal to rtl_gen.
 *
 * Invariant: a piece depends only on declarations and the configuration, not on a template or a module around
 * it. */
#ifndef HEDDLE_RTL_GEN_VERILOG_VERILOG_H
#define HEDDLE_RTL_GEN_VERILOG_VERILOG_H

#include <stdio.h>

#include "arch/declaration/modules.h"
#include "base/run.h"

/* --- widths and names, ranges.c ----------------------------------------------------------------------------- */

/* The module name of a memory wrapper. */
struct hd_text hd_ram_name(enum hd_ports ports);
/* The wrapper of a register of latches, and the clock-gating cell that both wrappers with latches hold. */
#define HD_TABLE_WRAPPER "hd_table_latch"
#define HD_ICG_WRAPPER "hd_icg"

/* The bits of a row as a Verilog range, "[LANES*LINE_W-1:0]"; "" for a single bit. */
struct hd_range {
  char text[80];
};
struct hd_range hd_range_of(const struct hd_row *row);

/* hd_product: the product of two declared expressions, without factors that are 1; "" for 1. hd_bits_range:
 * the same as a range. */
struct hd_range hd_product(const char *a, const char *b);
struct hd_range hd_bits_range(struct hd_range bits);

/* A declared width as Verilog. */
struct hd_range hd_width_of(const char *width);
/* A declared width as a range: "[WID_W-1:0]"; "" for one bit. */
struct hd_range hd_width_range(const char *width);

/* --- bundles, bundle.c -------------------------------------------------------------------------------------- */

/* Field i of a bundle. Returns false if the bundle has no more fields. The field exists if its width is not
 * 0. A RANGED field has its reset value and its range, as declared and in numbers; another has NULL and 0. */
struct hd_bundle_field {
  const char *name, *width_txt, *meaning;
  unsigned width;
  const char *reset_txt, *least_txt, *most_txt;
  unsigned reset, least, most;
};
bool hd_bundle_field(const struct hd_config *c, const char *bundle, size_t i, struct hd_bundle_field *field);

/* The existing fields of a bundle as a concatenation, "{in_line_q, in_write_q, ...}" for ("req", "in_",
 * "_q"). */
struct hd_fields {
  char text[480];
};
struct hd_fields hd_fields_of(const struct hd_config *c, const char *bundle, const char *prefix,
                              const char *suffix);

/* --- functions, functions.c --------------------------------------------------------------------------------- */

/* Write functions into a module. Sizes are Verilog expressions. All are trees: their depth grows with the
 * logarithm of n.
 *   lowest   the lowest 1 of an n-bit vector, alone
 *   number   the number of the one 1 of an n-bit vector, in w bits; 0 if there is none
 *   pick     the w-bit element of a vector of n at the one 1 of an n-bit vector; 0 if there is none */
void hd_put_lowest(FILE *f, const char *name, const char *n);
void hd_put_number(FILE *f, const char *name, const char *n, const char *w);
void hd_put_pick(FILE *f, const char *name, const char *n, const char *w);
/* A function that cuts a vector of `from` bits, from bit `first` up, into pieces of `to` bits and returns
 * their XOR. Zeros fill up the last piece. */
void hd_put_xor_fold(FILE *f, const char *name, const char *from, const char *to, unsigned first);

/* --- check bits, code.c -------------------------------------------------------------------------------------- */

/* Functions of the code in docs/mechanisms/ecc.md. hd_put_check: the r check bits of a word of w bits, 1 to
 * 64. hd_put_mend: the word mended by its syndrome, with a bit on top that says that it is lost. r is 1
 * (parity, which has no mend), or large enough that w columns exist. */
void hd_put_check(FILE *f, const char *name, unsigned w, unsigned r);
void hd_put_mend(FILE *f, const char *name, unsigned w, unsigned r);

/* --- scanning, scan.c --------------------------------------------------------------------------------------- */

/* Compares the state in a text with the declaration. Returns false and a sentence if the text declares or
 * assigns undeclared state (*at is the place), or if it never assigns some row (*at is NULL). */
bool hd_scan_state(const struct hd_decl *decl, const char *text, const char **at, struct hd_why *why);

/* True if the text contains the name outside comments. */
bool hd_scan_names(const char *text, const char *name);

#endif
