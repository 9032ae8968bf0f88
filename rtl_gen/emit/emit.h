/* From a declaration and a behaviour to the text of a Verilog module. Internal to rtl_gen.
 *
 * Invariant: everything a module holds is in its declaration. The emitter writes ports, registers and
 * memories from the rows; a behaviour only says how they change, and is refused if it holds state of its own
 * or leaves a register alone.
 */
#ifndef HEDDLE_RTL_GEN_EMIT_EMIT_H
#define HEDDLE_RTL_GEN_EMIT_EMIT_H

#include <stdio.h>

#include "arch/declaration/modules.h"
#include "base/run.h"

/* What one module's file gives. `put` writes the module's items: wires, functions, assigns, always blocks. It
 * finds `clk`, `rst`, the rows' variables (arch/declaration/declaration.h), the names of arch/config/derived.def as parameters, and for
 * every memory NAME its signals: NAME_we _waddr _wdata _re _raddr _rdata (one read and one write port) or
 * NAME_en _we _addr _wdata _rdata (one port), all but rdata for it to drive, with the sizes NAME_ROWS,
 * NAME_ADDR_W, NAME_WORD_W. With write masks there is NAME_wmask beside NAME_wdata, where rows can be powered
 * off NAME_sleep (bit r: row r is without power), both to be driven. Where a memory has several banks, they share
 * all but NAME_we, which has a bit for each, and NAME_rdata, which has a word for each. */
struct hd_behaviour {
  const char *module;
  void (*put)(FILE *f, const struct hd_design *design, const struct hd_decl *decl);
  const char *const *keys; /* "section.key" of the choices that shape it, for the banner; ends with NULL */
};

#define IN_C(X) extern const struct hd_behaviour X##_rtl;
#include "rtl_gen/emit/in_c.def"
#undef IN_C

/* The text of a module, to be freed. NULL and a sentence: the behaviour has undeclared state, or leaves
 * declared state unassigned. */
char *hd_emit(const struct hd_design *design, const struct hd_decl *decl, struct hd_why *why);

/* --- for behaviours and writers of files ---------------------------------------------------------------- */

/* The bits of a row as a Verilog range, "[LANES*LINE_W-1:0]"; "" for a single bit. */
struct hd_range {
  char text[80];
};
struct hd_range hd_range_of(const struct hd_row *row);

/* A width as declared, as Verilog. */
struct hd_range hd_width_of(const char *width);

/* Field i of a bundle; false: there are no more. It is there if its width is not 0. */
struct hd_bundle_field {
  const char *name, *width_txt;
  unsigned width;
};
bool hd_bundle_field(const struct hd_config *c, const char *bundle, size_t i, struct hd_bundle_field *field);

/* The fields of a bundle that are there as a concatenation, "{in_line_q, in_write_q, ...}" for ("req", "in_", "_q"). */
struct hd_fields {
  char text[480];
};
struct hd_fields hd_fields_of(const struct hd_config *c, const char *bundle, const char *prefix,
                              const char *suffix);

/* Functions that the module then has. Sizes are Verilog expressions. All are trees: their depth grows with the
 * logarithm of n.
 *   lowest   the lowest 1 of an n-bit vector, alone
 *   number   the number of the one 1 of an n-bit vector, in w bits; 0 if there is none
 *   pick     the w-bit element of a vector of n at the one 1 of an n-bit vector; 0 if there is none */
void hd_put_lowest(FILE *f, const char *name, const char *n);
void hd_put_number(FILE *f, const char *name, const char *n, const char *w);
void hd_put_pick(FILE *f, const char *name, const char *n, const char *w);

/* --- scanning, rtl_gen/emit/scan.c --------------------------------------------------------------------------- */

/* False and a sentence: the text declares or assigns state that is not in the declaration, or assigns some
 * row not at all. */
bool hd_scan_state(const struct hd_decl *decl, const char *text, struct hd_why *why);

/* One derived size, as Verilog parameters see it. */
struct hd_size {
  const char *name, *meaning;
  size_t offset; /* in struct hd_derived */
};
extern const struct hd_size hd_sizes[];
extern const size_t hd_n_sizes;
unsigned hd_size_of(const struct hd_design *design, size_t i);

/* Which of hd_sizes occur in the text outside comments, and not as the name of an instance's parameter: used[i]
 * for hd_sizes[i], hd_n_sizes in all. */
void hd_scan_sizes(const char *text, bool used[]);

/* Whether the text has the name outside comments. */
bool hd_scan_names(const char *text, const char *name);

#endif
