/* Writers of C that is made from connection rows when Heddle is built (tools/wiregen.c). Each stands for all machines: where they
 * differ it asks, `if (d->CASC)`. */
#ifndef HEDDLE_TOOLS_WIREGEN_H
#define HEDDLE_TOOLS_WIREGEN_H

#include <stdio.h>

#include "arch/wires/wires.h"

/* X_moore, X_mealy and X_tick of the module X of a wiring of everything. False and a sentence: the inputs of some mealy
 * call, or of a tick, depend on its outputs; or, of a module that is one part, on what X_moore alone makes. */
bool hd_write_full(FILE *f, const struct hd_wiring *w, struct hd_why *why);

/* What the lazy run of the module calls (cmodel/step). `plain` is its declaration in the default machine. */
bool hd_write_lazy(FILE *f, const struct hd_wiring *w, const struct hd_decl *plain, struct hd_why *why);

/* --- for writers ------------------------------------------------------------------------------------------ */

/* Text that is put together; what does not fit ends the program. */
struct hd_text_of {
  char text[4000];
};
void hd_append(struct hd_text_of *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The most instances of a module: sets of them are words of 64 bits. False and a sentence: it has more. */
enum { HD_INSTS = 64 };
bool hd_within_insts(const struct hd_wiring *w, struct hd_why *why);

struct hd_copier {
  FILE *f;
  const struct hd_wiring *w;
  struct hd_why *why;
  bool failed;
  /* How a net's source is read, which the row gives by inst.port (by_path), or by the net's name. */
  struct hd_text_of (*read)(const struct hd_copier *x, const struct hd_net *net, bool by_path);
  const struct hd_inst *ticks; /* for a reader: whose tick asks */
  bool bits;                   /* && and || as & and |, without branches */
  bool in_place;               /* what a SHOW row names is read where it is */
  bool pointers;               /* that an instance is there is asked by its pointer */
};

/* --- tools/wiregen_expr.c --- */

/* An expression of .def or .wires rows over `d` and `c`, in C. */
struct hd_text_of hd_c_size(const char *text);

/* What goes before a copy of a field that only some machines have, and that is 0 elsewhere; or nothing. */
struct hd_text_of hd_c_if_there(const struct hd_row *row);

/* The port brings bytes of a line, or of what a slice moves of one. */
bool hd_is_bytes(const struct hd_row *port);

/* When one of two rows, or the only one (or NULL), counts: not translated; "1" if always, as without a row. */
struct hd_text_of hd_c_when(const struct hd_wire *by, const struct hd_wire * or);

/* That the source of a net is in the machine, and `by_name` that the net has that name there; "" if always. */
struct hd_text_of hd_c_there(const struct hd_copier *x, const struct hd_net *net, bool by_name);

/* All outputs and inputs that it reads are such. */
bool hd_reads_all(const struct hd_wire_expr *e, bool (*ok)(const struct hd_net *net));
/* An input that the golden model never looks at. */
bool hd_is_unread(const struct hd_row *port);
/* An output that X_moore makes: no SHOW row says where it is. */
bool hd_is_made(const struct hd_net *net);
/* What the SHOW row of an output names, where it is; 0 if the instance is not there. */
struct hd_text_of hd_c_shown(const struct hd_net *net);

/* Some net of it is a LATE output. */
bool hd_reads_late(const struct hd_wire_expr *e);

/* An expression over scalars. */
struct hd_text_of hd_c_expr(const struct hd_copier *x, const struct hd_wire_expr *e);

/* --- tools/wiregen_copy.c --- */

/* A line of C, indented by so many levels. */
void hd_put_line(const struct hd_copier *x, int depth, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* One of several things that may be done, the first whose condition ("": always) holds. */
struct hd_choice {
  struct hd_text_of when, text;
};
enum { HD_CHOICES = 16 };
/* The place of one more, without text yet, of what gives `port`. No place left: x->failed, and the reason in x->why. */
struct hd_choice *hd_next_choice(struct hd_copier *x, const struct hd_row *port, struct hd_choice *choice,
                                 size_t *n);
void hd_put_choices(const struct hd_copier *x, int depth, const struct hd_choice *choice, size_t n);
struct hd_text_of hd_tie_when(const struct hd_copier *x, const struct hd_tie *tie);

/* The rows from `first` on that are fields of the same bundle port: their number. */
size_t hd_fields_from(const struct hd_decl *d, size_t first);

/* What follows assigns to <to><port>. A port that is no bundle's. */
void hd_copy_port(struct hd_copier *x, int depth, const char *to, const struct hd_inst *inst,
                  const struct hd_row *port);
/* Whole bundles, by their ports, after n choices that come first; false: some field is not that simple. */
bool hd_copy_whole(struct hd_copier *x, int depth, const char *to, const struct hd_inst *inst,
                   const struct hd_row *field, size_t n_fields, const struct hd_choice *first, size_t n);
/* The bundle of an output of the module that DRIVE rows give as a whole, as choices: their number. */
size_t hd_driven_whole(struct hd_copier *x, const struct hd_row *field, struct hd_choice *choice);
/* n rows: a port, or all fields of a bundle. */
void hd_copy_rows(struct hd_copier *x, int depth, const char *to, const struct hd_inst *inst,
                  const struct hd_row *row, size_t n);

/* The variable before _valid of the channel whose payload an input is, and which no WIRE row sets if `bare`; "" if it is
 * none. */
struct hd_prefix {
  char text[64];
};
struct hd_prefix hd_channel_of(const struct hd_wiring *w, const struct hd_inst *inst,
                               const struct hd_row *port, bool bare);

#endif
