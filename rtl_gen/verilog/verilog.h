/* Pieces of Verilog: widths, bundles, functions; and what a text of Verilog names. Internal to rtl_gen.
 *
 * Invariant: a piece depends on declarations and the configuration alone, on no template and no module around it.
 */
#ifndef HEDDLE_RTL_GEN_VERILOG_VERILOG_H
#define HEDDLE_RTL_GEN_VERILOG_VERILOG_H

#include <stdio.h>

#include "arch/declaration/modules.h"
#include "base/run.h"

/* --- widths and names, ranges.c ----------------------------------------------------------------------------- */

/* The name of a memory wrapper's module. */
struct hd_text hd_ram_name(enum hd_ports ports);
/* That of a register of latches; a clock-gating cell, which both wrappers with latches hold. */
#define HD_TABLE_WRAPPER "hd_table_latch"
#define HD_ICG_WRAPPER "hd_icg"

/* The bits of a row as a Verilog range, "[LANES*LINE_W-1:0]"; "" for a single bit. */
struct hd_range {
  char text[80];
};
struct hd_range hd_range_of(const struct hd_row *row);

/* The product of two declared expressions, without factors that are 1; "" where nothing is left. As a range. */
struct hd_range hd_product(const char *a, const char *b);
struct hd_range hd_bits_range(struct hd_range bits);

/* A width as declared, as Verilog. */
struct hd_range hd_width_of(const char *width);
/* The same as a range: "[WID_W-1:0]"; "" for one bit. */
struct hd_range hd_width_range(const char *width);

/* --- bundles, bundle.c -------------------------------------------------------------------------------------- */

/* Field i of a bundle; false: there are no more. It is there if its width is not 0. Of a RANGED one: what it is after a
 * reset, and its range, as declared and in numbers; of others NULL and 0. */
struct hd_bundle_field {
  const char *name, *width_txt, *meaning;
  unsigned width;
  const char *reset_txt, *least_txt, *most_txt;
  unsigned reset, least, most;
};
bool hd_bundle_field(const struct hd_config *c, const char *bundle, size_t i, struct hd_bundle_field *field);

/* The fields of a bundle that are there as a concatenation, "{in_line_q, in_write_q, ...}" for ("req", "in_", "_q"). */
struct hd_fields {
  char text[480];
};
struct hd_fields hd_fields_of(const struct hd_config *c, const char *bundle, const char *prefix,
                              const char *suffix);

/* --- functions, functions.c --------------------------------------------------------------------------------- */

/* Functions that the module then has. Sizes are Verilog expressions. All are trees: their depth grows with the
 * logarithm of n.
 *   lowest   the lowest 1 of an n-bit vector, alone
 *   number   the number of the one 1 of an n-bit vector, in w bits; 0 if there is none
 *   pick     the w-bit element of a vector of n at the one 1 of an n-bit vector; 0 if there is none */
void hd_put_lowest(FILE *f, const char *name, const char *n);
void hd_put_number(FILE *f, const char *name, const char *n, const char *w);
void hd_put_pick(FILE *f, const char *name, const char *n, const char *w);
/* The XOR of the pieces of `to` bits of a vector of `from` bits, from bit `first` up, the last one filled up with zeros. */
void hd_put_xor_fold(FILE *f, const char *name, const char *from, const char *to, unsigned first);

/* --- check bits, code.c -------------------------------------------------------------------------------------- */

/* Functions of the code in docs/mechanisms/ecc.md: the r check bits of a word of w bits, 1 to 64; and a word mended by its
 * syndrome, with a bit on top that says that it is lost. r is 1 (parity; check alone), or so many that there are columns. */
void hd_put_check(FILE *f, const char *name, unsigned w, unsigned r);
void hd_put_mend(FILE *f, const char *name, unsigned w, unsigned r);

/* --- scanning, scan.c --------------------------------------------------------------------------------------- */

/* False and a sentence: the text declares or assigns state that is not in the declaration, and *at is where, or it
 * assigns some row not at all, and *at is NULL. */
bool hd_scan_state(const struct hd_decl *decl, const char *text, const char **at, struct hd_why *why);

/* Whether the text has the name outside comments. */
bool hd_scan_names(const char *text, const char *name);

#endif
