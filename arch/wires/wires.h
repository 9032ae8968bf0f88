/* Connections as rows: how the instances of a module that is nothing but instances are wired. Spec: docs/connections.md.
 *
 * A module's rows are in arch/<room>/<module>.wires, which includes the wires.def of the rooms of its instances:
 *   SOCKET(name, inst)             in all rows `name` is whichever of its instances is there
 *   CHANNEL(net, when, from, to)   valid, ready and payload; from and to: inst.prefix of the ports, or own.prefix. Its
 *                                  nets are net_valid, net_ready, ...
 *   NAME(net, when, output)        the net of an instance's output (of each of its fields) has this name
 *   WIRE(inst, when, port, expr)   an input of an instance
 *   NET(name, when, expr, why)     a net with an expression
 *   DRIVE(port, when, expr)        an output of the module itself
 *   ABOUT(when, why)               a comment on the DRIVE rows that follow
 *   HOOK(inst, port, op, ...)      the input `port`, or the fields of a bundle input, are joined by op (OR, AND or ONE)
 *                                  over all instances with an output of the same name, or of the same bundle;
 *                                  "field: op" after it for fields that are joined in another way
 * For the lazy run (cmodel/step) alone:
 *   PART(part, inst)               the instance, or the module's ports own.prefix, are of this part; parts in the order in
 *                                  which they are wired, the first instance of each first
 *   PULSE(name, part, net, ...)    the part shows these nets; another takes part if one is not 0 and it hears of it
 *   LEVEL(part, net)               the part shows this net; who hears it takes part after it has changed
 *   NOTICES(inst, part, f())       instead of a LEVEL of what it hears of the part: it takes part after f(m) of cmodel/<room of
 *                                  inst>/lazy.h has become 1, in a cycle of the part; of the SM f(m, in)
 *   HEARS(inst, expr)              an instance beside the first of its part takes part if the expression is 1, in the cycle
 *                                  after, and while its tick says that it moves; without such a row with its part
 *   TICKS(inst, expr)              such an instance ticks too, with what it heard last, if this of LATE outputs is 1
 *   LEADS(inst, other, f())        if other is there, which is of no part, f(m) of cmodel/<room of inst>/lazy.h is all that is done
 *                                  for it, after each tick of inst, the first of a part: nobody else looks at it, nor it at others
 *   SETS(inst, other, f())         f(m) of cmodel/<room of inst>/lazy.h sets those inputs that are vectors, if other is there
 *   ALONE(inst)                    such an instance may work on while its part sleeps: X_alone of cmodel/<room of inst>/lazy.h makes
 *                                  up for the cycles in which nobody told it anything
 * `when` is an expression as in .def rows: the row counts if it is not 0. An output's net has the name of the port, unless
 * a row says another; an input that no row names goes to the net of its own name.
 *
 * Expressions: inst.port, inst.port.field, names of own ports and nets, enum constants, numbers, ! && || == != & | ?:,
 * CAT(a, b, ...), ANY(a): some bit is 1, GATED(a, en): a if en, else 0, MEETS(channel): valid and ready, and for whole
 * bundles OF(port, field = expr, ...): the fields of a port by name, but for those given; a field that nothing gives
 * is 0.
 *
 * Invariant of a wiring that could be made: each input of an instance and each output of the module has one driver, of the
 * same width.
 */
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

/* A row as written. What a kind does not have is NULL. */
struct hd_wire {
  enum hd_wire_kind kind;
  const char *inst; /* SOCKET, WIRE, HOOK, NOTICES, HEARS, TICKS, LEADS, SETS, ALONE */
  const char *name; /* SOCKET: its name; CHANNEL, NAME, NET: the net; WIRE, HOOK, DRIVE: the port */
  const char *
      from; /* CHANNEL: the giver; NAME: the output; WIRE, NET, DRIVE: the expression; HOOK: the operations */
  const char *to;  /* CHANNEL: the taker */
  const char *why; /* NET, ABOUT */
  const char *when_text;
  bool when;
  const char *file;
  int line;
};

/* The rows of a module, to be freed, *n of them; NULL: it has none, or, *n > 0, out of memory. */
struct hd_wire *hd_wires_of(const struct hd_config *c, const char *module, size_t *n);

/* What drives a net: an output of an instance, an input of the module (inst NULL), or an expression (row NULL). */
struct hd_wire_expr;
struct hd_net {
  char name[64];
  const struct hd_inst *inst;
  const struct hd_row *row;
  const struct hd_wire *by;   /* the row that gave the name, or NULL */
  const struct hd_wire * or ; /* another that gives it, in a wiring of everything; or NULL */
  struct hd_wire_expr *expr;
};

enum hd_wire_op {
  HD_X_NET,
  HD_X_NUMBER, /* or an enum constant; as wide as its place asks */
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
  HD_X_JOIN   /* of a hook: all args by OR or, if value is 1, by AND; of none: all 0 or all 1 */
};

enum { HD_X_ARGS = 24, HD_X_NETS = 6 };
struct hd_wire_expr {
  enum hd_wire_op op;
  unsigned n_args, n_nets, width; /* width 0: not known, see HD_X_NUMBER; of OF: not set */
  bool by_path;                   /* HD_X_NET: as inst.port, not by the name of the net */
  uint64_t value; /* HD_X_NUMBER; HD_X_NET: 1: a field of the port in OF, by its name; HD_X_JOIN: 1: AND */
  char name[64];  /* as written; a field given in OF */
  struct hd_wire_expr *arg[HD_X_ARGS];
  const struct hd_net *net[HD_X_NETS];   /* HD_X_NET: one; in a wiring of everything: each that it may be */
  const struct hd_row *field[HD_X_ARGS]; /* HD_X_OF: of the target; HD_X_JOIN: field[0], the target */
  struct hd_wire_expr *next;             /* all of a wiring */
};

/* One thing that is driven. Of several on one port, in a wiring of everything, the first whose row counts is meant. */
struct hd_tie {
  const struct hd_inst *inst; /* whose input it is; NULL: an output of the module */
  const struct hd_row *port;  /* NULL: a whole bundle, or a CAT of ports: to */
  struct hd_wire_expr *to, *expr;
  const struct hd_wire *by;   /* NULL: by its own name */
  const struct hd_wire * or ; /* another that says the same, in a wiring of everything; or NULL */
};

struct hd_wiring {
  const struct hd_decl *decl;
  const struct hd_wire *rows;
  size_t n_rows;
  const struct hd_wire **sockets; /* the SOCKET rows: they are looked through for every name */
  size_t n_sockets;
  bool all;
  struct hd_net *nets;
  struct hd_tie *ties;  /* of instances in their order, port by port; then the module's own outputs */
  struct hd_tie *hears; /* of HEARS and TICKS rows, in a wiring of everything; without port */
  size_t n_nets, n_ties, n_hears;
  struct hd_wire_expr *exprs;
};

/* The wiring of `decl` in its configuration, rows checked; `rows` stay the caller's. `all`: decl is of hd_design_all, and
 * all rows count: widths, and that there is one driver alone, can't be checked. NULL and a sentence (file, line, what was
 * found, what is allowed): the rows are wrong, or memory is out. */
struct hd_wiring *hd_wiring_new(const struct hd_decl *decl, const struct hd_wire *rows, size_t n, bool all,
                                struct hd_why *why);
void hd_wiring_free(struct hd_wiring *w);

/* The tie of a port of an instance, or of an output of the module (inst NULL) alone; NULL: it is not one. */
const struct hd_tie *hd_wiring_tie(const struct hd_wiring *w, const struct hd_inst *inst,
                                   const struct hd_row *port);
/* The net of an instance's output. */
const struct hd_net *hd_wiring_net(const struct hd_wiring *w, const struct hd_inst *inst,
                                   const struct hd_row *port);

/* A word of a row, so many characters, means this instance: by its name, or as one of a socket. */
bool hd_wire_means(const struct hd_wiring *w, const char *word, size_t length, const struct hd_inst *inst);
/* An expression reads an output of this class of an instance. */
bool hd_wire_reads(const struct hd_wire_expr *e, const struct hd_inst *inst, enum hd_class cls);

/* --- inside, arch/wires/expr.c ---------------------------------------------------------------------------- */

/* Parses; names are not looked up. NULL and a sentence: no expression. The nodes go to *all. */
struct hd_wire_expr *hd_wire_parse(struct hd_wire_expr **all, const char *text, struct hd_why *why);
/* NULL: out of memory. */
struct hd_wire_expr *hd_wire_expr_new(struct hd_wire_expr **all, enum hd_wire_op op);

#endif
