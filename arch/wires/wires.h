/* Connections as rows: how a module that only holds instances wires them. Spec: docs/connections.md.
 *
 * A module's rows are in arch/<room>/<module>.wires, which includes the wires.def of the rooms of its
 * instances:
 *   SOCKET(name, inst)             in all rows `name` means the one of its instances that exists in this machine
 *   CHANNEL(net, when, from, to)   valid, ready and payload; from and to: inst.prefix of the ports, or own.prefix. Its
 *                                  nets are net_valid, net_ready, ...
 *   NAME(net, when, output)        the net of an instance's output (of each of its fields) has this name
 *   WIRE(inst, when, port, expr)   an input of an instance
 *   NET(name, when, expr, why)     a net with an expression
 *   DRIVE(port, when, expr)        an output of the module itself
 *   ABOUT(when, why)               a comment on the DRIVE rows that follow
 *   HOOK(inst, port, op, ...)      the input `port`, or the fields of a bundle input, are joined by op (OR, AND or ONE)
 *                                  over all instances with an output of the same name, or of the same bundle;
 *                                  "field: op" follows for a field that is joined in another way
 * For the lazy run (cmodel/step) alone:
 *   PART(part, inst)               the instance, or the module's ports own.prefix, belong to this part. Parts stand in the order
 *                                  in which they are wired, the first instance of each first
 *   PULSE(name, part, net, ...)    the part shows these nets. Another part that hears them takes part in a cycle in which one
 *                                  is not 0
 *   LEVEL(part, net)               the part shows this net. A part that hears it takes part after a change
 *   NOTICES(inst, part, f())       replaces a LEVEL of the nets that it hears of the part: it takes part after f(m) of
 *                                  cmodel/<room of inst>/lazy.h has become 1, in a cycle of the part; for the SM f(m, in)
 *   HEARS(inst, expr)              an instance beside the first of its part takes part if the expression is 1, in the cycle
 *                                  after, and while its tick says that it moves. Without this row it takes part with its part
 *   TICKS(inst, expr)              such an instance also ticks, with the inputs that it heard last, if this expression of LATE
 *                                  outputs is 1
 *   LEADS(inst, other, f())        if `other` exists, which belongs to no part: f(m) of cmodel/<room of inst>/lazy.h does all
 *                                  its work, after each tick of inst, the first of a part. Only inst looks at `other`, and
 *                                  nothing is wired to `other`
 *   SETS(inst, other, f())         if `other` exists, f(m) of cmodel/<room of inst>/lazy.h sets the inputs of inst that are vectors
 *   ALONE(inst)                    such an instance may work on while its part sleeps. X_alone of cmodel/<room of inst>/lazy.h
 *                                  makes up for the cycles in which it received no input
 * `when` is an expression as in .def rows; the row counts if it is not 0. The net of an output has the name
 * of the port, unless a row gives another. An input that no row names is driven by the net of its own name.
 *
 * Expressions: inst.port, inst.port.field, names of own ports and nets, enum constants, numbers, ! && || ==
 * != & | ?:, CAT(a, b, ...), ANY(a): some bit is 1, GATED(a, en): a if en, else 0, MEETS(channel): valid and
 * ready. For whole bundles OF(port, field = expr, ...): the fields of a port by name, except the given ones;
 * a field without a source is 0.
 *
 * Invariant of a finished wiring: each input of an instance and each output of the module has one driver, of
 * the same width. */
#ifndef HEDDLE_ARCH_WIRES_WIRES_H
#define HEDDLE_ARCH_WIRES_WIRES_H

#include "arch/declaration/declaration.h"
#include "base/run.h"

enum hd_wire_kind {
  HD_W_SOCKET,
  HD_W_CHANNEL,
  HD_W_NAME,
  HD_W_WIRE,
  HD_W_NET,
  HD_W_DRIVE,
  HD_W_ABOUT,
  HD_W_HOOK,
  HD_W_PART,
  HD_W_PULSE,
  HD_W_LEVEL,
  HD_W_NOTICES,
  HD_W_HEARS,
  HD_W_TICKS,
  HD_W_LEADS,
  HD_W_SETS,
  HD_W_ALONE
};

/* A row as written. Members that its kind does not have are NULL. */
struct hd_wire {
  enum hd_wire_kind kind;
  const char *inst; /* SOCKET, WIRE, HOOK, NOTICES, HEARS, TICKS, LEADS, SETS, ALONE */
  const char *name; /* SOCKET: its name; CHANNEL, NAME, NET: the net; WIRE, HOOK, DRIVE: the port */
  /* CHANNEL: the giver; NAME: the output; WIRE, NET, DRIVE: the expression; HOOK: the operations */
  const char *from;
  const char *to;  /* CHANNEL: the taker */
  const char *why; /* NET, ABOUT */
  const char *when_text;
  bool when;
  const char *file;
  int line;
};

/* The rows of a module, to be freed; *n is their number. Returns NULL if the module has no rows (*n is 0), or
 * if memory is out (*n > 0). */
struct hd_wire *hd_wires_of(const struct hd_config *c, const char *module, size_t *n);

/* A net and its driver: an output of an instance, an input of the module (inst NULL), or an expression (row
 * NULL). */
struct hd_wire_expr;
struct hd_net {
  char name[64];
  const struct hd_inst *inst;
  const struct hd_row *row;
  const struct hd_wire *by;   /* the row that gave the name, or NULL */
  const struct hd_wire * or ; /* another row that gives the name, in a wiring of all machines; or NULL */
  struct hd_wire_expr *expr;
};

enum hd_wire_op {
  HD_X_NET,
  HD_X_NUMBER, /* or an enum constant; takes the width of its place */
  HD_X_NOT,
  HD_X_AND,
  HD_X_OR,
  HD_X_EQ,
  HD_X_NE,
  HD_X_BITAND,
  HD_X_BITOR,
  HD_X_COND,
  HD_X_CAT,
  HD_X_ANY,
  HD_X_GATED,
  HD_X_MEETS, /* arg: valid, ready */
  HD_X_OF,    /* arg[i]: field i of the target, NULL: 0 */
  HD_X_JOIN   /* of a hook: all args joined by OR, or by AND if value is 1; without args: all 0 or all 1 */
};

enum { HD_X_ARGS = 24, HD_X_NETS = 6 };
struct hd_wire_expr {
  enum hd_wire_op op;
  unsigned n_args, n_nets, width; /* width 0: unknown, see HD_X_NUMBER; not set for OF */
  bool by_path;                   /* HD_X_NET: written as inst.port, not as the name of a net */
  /* HD_X_NUMBER: the number; HD_X_NET: 1 for a field of the port in OF, by its name; HD_X_JOIN: 1 for AND */
  uint64_t value;
  char name[64]; /* as written; a field given in OF */
  struct hd_wire_expr *arg[HD_X_ARGS];
  /* HD_X_NET: one net; in a wiring of all machines: each net that it may be */
  const struct hd_net *net[HD_X_NETS];
  /* HD_X_OF: the fields of the target; HD_X_JOIN: field[0] is the target */
  const struct hd_row *field[HD_X_ARGS];
  struct hd_wire_expr *next; /* the list of all expressions of a wiring */
};

/* One driven port. In a wiring of all machines a port may have several ties; the first whose row counts is
 * valid. */
struct hd_tie {
  const struct hd_inst *inst; /* the instance whose input it is; NULL: an output of the module */
  const struct hd_row *port;  /* NULL: a whole bundle, or a CAT of ports, which `to` has */
  struct hd_wire_expr *to, *expr;
  const struct hd_wire *by;   /* the row; NULL: tied by the port's own name */
  const struct hd_wire * or ; /* another row with the same tie, in a wiring of all machines; or NULL */
};

struct hd_wiring {
  const struct hd_decl *decl;
  const struct hd_wire *rows;
  size_t n_rows;
  const struct hd_wire **sockets; /* the SOCKET rows, because every look-up of a name searches them */
  size_t n_sockets;
  bool all;
  struct hd_net *nets;
  /* the ties of instances in their order, port by port; then those of the module's own outputs */
  struct hd_tie *ties;
  struct hd_tie *hears; /* of HEARS and TICKS rows, in a wiring of all machines; without port */
  size_t n_nets, n_ties, n_hears;
  struct hd_wire_expr *exprs;
};

/* Makes the wiring of `decl` in its configuration, and checks the rows; `rows` stay the caller's. `all`: decl
 * is of hd_design_all, and all rows count; widths, and the rule of one driver, can't be checked then. Returns
 * NULL if a row is wrong (the sentence has file, line, what was found and what is allowed) or if memory is
 * out. */
struct hd_wiring *hd_wiring_new(const struct hd_decl *decl, const struct hd_wire *rows, size_t n, bool all,
                                struct hd_why *why);
void hd_wiring_free(struct hd_wiring *w);

/* The tie of exactly this port of an instance, or of the module (inst NULL). Returns NULL if there is none. */
const struct hd_tie *hd_wiring_tie(const struct hd_wiring *w, const struct hd_inst *inst,
                                   const struct hd_row *port);
/* The net of an instance's output. */
const struct hd_net *hd_wiring_net(const struct hd_wiring *w, const struct hd_inst *inst,
                                   const struct hd_row *port);

/* True if the first `length` characters of `word` mean this instance: by its name, or by the name of its
 * socket. */
bool hd_wire_means(const struct hd_wiring *w, const char *word, size_t length, const struct hd_inst *inst);
/* The rest of the port's variable after the prefix in `path` ("inst.prefix"; inst NULL: "own.prefix"). Returns
 * NULL if `path` names another port. */
const char *hd_wire_rest(const struct hd_wiring *w, const char *path, const struct hd_inst *inst,
                         const struct hd_row *port);
/* True if the expression reads an output of class `cls` of the instance. */
bool hd_wire_reads(const struct hd_wire_expr *e, const struct hd_inst *inst, enum hd_class cls);

/* --- internal, arch/wires/expr.c -------------------------------------------------------------------------- */

/* Parses an expression without looking up names. Returns NULL and a sentence if the text is no expression.
 * The nodes go to *all. */
struct hd_wire_expr *hd_wire_parse(struct hd_wire_expr **all, const char *text, struct hd_why *why);
/* Returns NULL if memory is out. */
struct hd_wire_expr *hd_wire_expr_new(struct hd_wire_expr **all, enum hd_wire_op op);

#endif
