/* Internal to arch/wires: how rows become a wiring. Each file needs those before it: names.c (names in rows),
 * hooks.c, nets.c, resolve.c (expressions), inputs.c (of instances), outputs.c (of the module), wiring.c.
 *
 * Invariant: only the first error is reported, with the row's file and line. */
#ifndef HEDDLE_ARCH_WIRES_WIRING_H
#define HEDDLE_ARCH_WIRES_WIRING_H

#include "arch/wires/wires.h"

struct hd_wiring_build {
  struct hd_wiring *w;
  struct hd_why *why;
  bool failed;
};

/* --- names.c ------------------------------------------------------------------------------------------------ */

/* All three keep the first sentence and return false. `by` NULL: no row is the cause. `one` NULL: the other
 * driver is tied by its name. */
bool hd_wires_wrong(struct hd_wiring_build *b, const struct hd_wire *by, const char *found,
                    const char *allowed);
bool hd_wires_two_drivers(struct hd_wiring_build *b, const char *port, const struct hd_wire *one,
                          const struct hd_wire *other);
bool hd_wires_no_memory(struct hd_wiring_build *b);

/* A port as sentences show it: "inst.port". */
struct hd_wires_text {
  char text[200];
};
struct hd_wires_text hd_wires_path(const struct hd_inst *inst, const struct hd_row *row);

/* hd_wires_counts: true if the row is of this kind and counts; in a wiring of all machines all rows count.
 * hd_wires_always: true if the row counts in every machine. */
bool hd_wires_counts(const struct hd_wiring *w, const struct hd_wire *row, enum hd_wire_kind kind);
bool hd_wires_always(const struct hd_wire *by);

/* hd_wires_is_inst: true if the first `length` characters of `word` mean an instance.
 * hd_wires_is_port: true if `path`, "inst.port" or "own.port", names a port, or the beginning of a port's name. */
bool hd_wires_is_inst(const struct hd_wiring *w, const char *word, size_t length);
bool hd_wires_is_port(const struct hd_wiring *w, const char *path);
const struct hd_row *hd_wires_port(const struct hd_decl *d, const char *name); /* NULL: there is none */

/* Checks, in a wiring of all machines, that everything that the row names exists. */
void hd_wires_check_row(struct hd_wiring_build *b, const struct hd_wire *row);

/* --- hooks.c ------------------------------------------------------------------------------------------------ */

/* True if both are the same field of a bundle, or ports of the same name. */
bool hd_wires_same_field(const struct hd_row *a, const struct hd_row *b);
/* hd_wires_hook_of: the hook that joins this input, or NULL. hd_wires_is_hooked: true if a hook joins this
 * output. */
const struct hd_wire *hd_wires_hook_of(const struct hd_wiring *w, const struct hd_inst *inst,
                                       const struct hd_row *port);
bool hd_wires_is_hooked(const struct hd_wiring *w, const struct hd_row *port);

/* How a hook joins a field, from its text "OR, field: AND". */
enum hd_join { HD_JOIN_OR, HD_JOIN_AND, HD_JOIN_ONE, HD_JOIN_BAD };
enum hd_join hd_wires_join_of(const struct hd_wire *hook, const char *field);

/* --- nets.c ------------------------------------------------------------------------------------------------- */

/* Adds the net `name` + `rest`, driven by an output (row) or by an expression. */
struct hd_net *hd_wires_add_net(struct hd_wiring_build *b, const char *name, const char *rest,
                                const struct hd_inst *inst, const struct hd_row *row,
                                const struct hd_wire *by);
/* Makes the nets of the module's inputs and of all outputs of instances. */
void hd_wires_make_nets(struct hd_wiring_build *b);

/* --- resolve.c ---------------------------------------------------------------------------------------------- */

/* A new expression without arguments, which the wiring frees. Returns NULL if memory is out. */
struct hd_wire_expr *hd_wires_new_expr(struct hd_wiring_build *b, enum hd_wire_op op);
/* hd_wires_may_be: adds `net` to the nets that HD_X_NET `e` may be; returns false if there are too many. The
 * other two find these nets by name, or by the output behind `dot`. */
bool hd_wires_may_be(struct hd_wiring_build *b, struct hd_wire_expr *e, const struct hd_net *net);
void hd_wires_find_net(struct hd_wiring_build *b, struct hd_wire_expr *e);
void hd_wires_find_output(struct hd_wiring_build *b, struct hd_wire_expr *e, const char *dot);
/* Finds the nets of `e` by its name, in either form. Returns false after an error if no net has the name. */
bool hd_wires_look_up(struct hd_wiring_build *b, const struct hd_wire *by, struct hd_wire_expr *e);

/* True if the expression has this width; a number takes it. Returns false after an error if the width
 * differs. */
bool hd_wires_is_wide(struct hd_wiring_build *b, const struct hd_wire *by, struct hd_wire_expr *e,
                      unsigned width, const char *what);
/* Looks up all names in the expression and checks the widths. Returns false after an error. */
bool hd_wires_resolve(struct hd_wiring_build *b, const struct hd_wire *by, struct hd_wire_expr *e);
/* hd_wires_parsed_text: a text of the row as an expression; hd_wires_parsed: the row's own expression;
 * hd_wires_expression: the same, resolved. All return NULL after an error. */
struct hd_wire_expr *hd_wires_parsed_text(struct hd_wiring_build *b, const struct hd_wire *by,
                                          const char *text);
struct hd_wire_expr *hd_wires_parsed(struct hd_wiring_build *b, const struct hd_wire *by);
struct hd_wire_expr *hd_wires_expression(struct hd_wiring_build *b, const struct hd_wire *by);

/* --- inputs.c, outputs.c -------------------------------------------------------------------------------------- */

/* Adds the driver of an input of an instance, or of an output of the module (inst NULL). With port NULL too,
 * it drives several outputs: the CAT `to`, or the bundle that `by` names. It is an error if port and
 * expression differ in width. */
void hd_wires_add_tie(struct hd_wiring_build *b, const struct hd_inst *inst, const struct hd_row *port,
                      struct hd_wire_expr *to, struct hd_wire_expr *expr, const struct hd_wire *by);
/* The net of this name as an expression. Returns NULL if there is none, or if memory is out. */
struct hd_wire_expr *hd_wires_net_named(struct hd_wiring_build *b, const char *name, const char *rest);
/* Ties an input of an instance to all its possible drivers. It is an error if there is none. */
void hd_wires_tie_input(struct hd_wiring_build *b, const struct hd_inst *inst, const struct hd_row *port);
/* hd_wires_tie_driven: ties a DRIVE row. hd_wires_tie_output: ties an output of the module, by a row or by
 * its name. */
void hd_wires_tie_driven(struct hd_wiring_build *b, const struct hd_wire *row);
void hd_wires_tie_output(struct hd_wiring_build *b, const struct hd_row *port);

#endif
