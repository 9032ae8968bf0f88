/* How a wiring is made from rows, for the files it is in; each needs those before it:
 * names.c (what rows name), hooks.c, nets.c, resolve.c (expressions), inputs.c (of instances), outputs.c (of the module),
 * wiring.c.
 *
 * Invariant: the first thing that is wrong is said, with the row's file and line, and nothing after it.
 */
#ifndef HEDDLE_ARCH_WIRES_WIRING_H
#define HEDDLE_ARCH_WIRES_WIRING_H

#include "arch/wires/wires.h"

struct hd_wiring_build {
  struct hd_wiring *w;
  struct hd_why *why;
  bool failed;
};

/* --- names.c ------------------------------------------------------------------------------------------------ */

/* All keep the first sentence and return false. `by` NULL: no row says it. `one` NULL: the other driver is by its name. */
bool hd_wires_wrong(struct hd_wiring_build *b, const struct hd_wire *by, const char *found,
                    const char *allowed);
bool hd_wires_two_drivers(struct hd_wiring_build *b, const char *port, const struct hd_wire *one,
                          const struct hd_wire *other);
bool hd_wires_no_memory(struct hd_wiring_build *b);

/* A port in sentences: "inst.port". */
struct hd_wires_text {
  char text[200];
};
struct hd_wires_text hd_wires_path(const struct hd_inst *inst, const struct hd_row *row);

/* The row is of this kind and counts; in a wiring of everything all do. It counts in every machine. */
bool hd_wires_counts(const struct hd_wiring *w, const struct hd_wire *row, enum hd_wire_kind kind);
bool hd_wires_always(const struct hd_wire *by);

/* A word of a row, so many characters, means some instance; "inst.port" or "own.port" names a port, or the beginning of some. */
bool hd_wires_is_inst(const struct hd_wiring *w, const char *word, size_t length);
bool hd_wires_is_port(const struct hd_wiring *w, const char *path);
const struct hd_row *hd_wires_port(const struct hd_decl *d, const char *name); /* NULL: there is none */
/* What follows in the variable of the port after what `path` names of it, "inst.prefix"; NULL: it names another. */
const char *hd_wires_named_by(const struct hd_wiring *w, const char *path, const struct hd_inst *inst,
                              const struct hd_row *port);

/* In a wiring of everything: what the row names is there. */
void hd_wires_check_row(struct hd_wiring_build *b, const struct hd_wire *row);

/* --- hooks.c ------------------------------------------------------------------------------------------------ */

/* Both are the same field of a bundle, or ports of one name. */
bool hd_wires_same_field(const struct hd_row *a, const struct hd_row *b);
/* The hook that joins this input; NULL: none does. Some hook joins this output. */
const struct hd_wire *hd_wires_hook_of(const struct hd_wiring *w, const struct hd_inst *inst,
                                       const struct hd_row *port);
bool hd_wires_is_hooked(const struct hd_wiring *w, const struct hd_row *port);

/* How a hook joins a field: "OR, field: AND". */
enum hd_join { HD_JOIN_OR, HD_JOIN_AND, HD_JOIN_ONE, HD_JOIN_BAD };
enum hd_join hd_wires_join_of(const struct hd_wire *hook, const char *field);

/* --- nets.c ------------------------------------------------------------------------------------------------- */

/* The net `name` followed by `rest`, of an output (row) or of an expression. */
struct hd_net *hd_wires_add_net(struct hd_wiring_build *b, const char *name, const char *rest,
                                const struct hd_inst *inst, const struct hd_row *row,
                                const struct hd_wire *by);
/* Those of the module's inputs and of all outputs of instances. */
void hd_wires_make_nets(struct hd_wiring_build *b);

/* --- resolve.c ---------------------------------------------------------------------------------------------- */

/* An expression without arguments, which is freed with the wiring; NULL: out of memory. */
struct hd_wire_expr *hd_wires_new_expr(struct hd_wiring_build *b, enum hd_wire_op op);
/* Notes that HD_X_NET `e` may be this net: one, or by name, or by the output behind `dot`. */
bool hd_wires_may_be(struct hd_wiring_build *b, struct hd_wire_expr *e, const struct hd_net *net);
void hd_wires_find_net(struct hd_wiring_build *b, struct hd_wire_expr *e);
void hd_wires_find_output(struct hd_wiring_build *b, struct hd_wire_expr *e, const char *dot);
/* The same by its name, whichever it is; false: nothing has it, or too many. */
bool hd_wires_look_up(struct hd_wiring_build *b, const struct hd_wire *by, struct hd_wire_expr *e);

/* The expression is so wide, or, a number, becomes so; false: it is not. */
bool hd_wires_is_wide(struct hd_wiring_build *b, const struct hd_wire *by, struct hd_wire_expr *e,
                      unsigned width, const char *what);
/* Looks up all names in it, and checks the widths. */
bool hd_wires_resolve(struct hd_wiring_build *b, const struct hd_wire *by, struct hd_wire_expr *e);
/* A text of the row as an expression; the row's expression; resolved too. NULL: an error. */
struct hd_wire_expr *hd_wires_parsed_text(struct hd_wiring_build *b, const struct hd_wire *by,
                                          const char *text);
struct hd_wire_expr *hd_wires_parsed(struct hd_wiring_build *b, const struct hd_wire *by);
struct hd_wire_expr *hd_wires_expression(struct hd_wiring_build *b, const struct hd_wire *by);

/* --- inputs.c, outputs.c -------------------------------------------------------------------------------------- */

/* What drives an input of an instance; an output of the module (inst NULL); or (port NULL too) several of these outputs, CAT
 * `to`, or the bundle that `by` names. An error if a port and its expression differ in width. */
void hd_wires_add_tie(struct hd_wiring_build *b, const struct hd_inst *inst, const struct hd_row *port,
                      struct hd_wire_expr *to, struct hd_wire_expr *expr, const struct hd_wire *by);
/* The net of this name, as an expression; NULL: there is none, or memory is out. */
struct hd_wire_expr *hd_wires_net_named(struct hd_wiring_build *b, const char *name, const char *rest);
/* An input of an instance, with all that may drive it; an error if nothing does. */
void hd_wires_tie_input(struct hd_wiring_build *b, const struct hd_inst *inst, const struct hd_row *port);
/* A DRIVE row; and then each output of the module, which a row or its name drives. */
void hd_wires_tie_driven(struct hd_wiring_build *b, const struct hd_wire *row);
void hd_wires_tie_output(struct hd_wiring_build *b, const struct hd_row *port);

#endif
