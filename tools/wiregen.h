/* Writers of the C that the build makes from connection rows (tools/wiregen.c). Each text serves all
 * machines. Where they differ it asks, `if (d->CASC)`. */
#ifndef HEDDLE_TOOLS_WIREGEN_H
#define HEDDLE_TOOLS_WIREGEN_H

#include <stdio.h>

#include "arch/wires/wires.h"

/* Writes X_moore, X_mealy and X_tick of module X from a wiring of all machines. Returns false and a sentence
 * if the inputs of a mealy call or of a tick depend on its own outputs. For a module that is one part also if
 * they depend on an output that only X_moore makes. */
bool hd_write_full(FILE *f, const struct hd_wiring *w, struct hd_why *why);

/* Writes the functions that the lazy run of the module calls (cmodel/step). `plain` is its declaration in the
 * default machine. */
bool hd_write_lazy(FILE *f, const struct hd_wiring *w, const struct hd_decl *plain, struct hd_why *why);

/* --- for writers ------------------------------------------------------------------------------------------ */

/* A text that is put together. A text that is too long ends the program. */
struct hd_text_of {
  char text[4000];
};
void hd_append(struct hd_text_of *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The largest number of instances of a module, because sets of them are words of 64 bits. hd_within_insts
 * returns false and a sentence if the module has more. */
enum { HD_INSTS = 64 };
bool hd_within_insts(const struct hd_wiring *w, struct hd_why *why);

struct hd_copier {
  FILE *f;
  const struct hd_wiring *w;
  struct hd_why *why;
  bool failed;
  /* The C that reads a net's source. The row gives the source as inst.port (by_path), or by the net's name. */
  struct hd_text_of (*read)(const struct hd_copier *x, const struct hd_net *net, bool by_path);
  const struct hd_inst *ticks; /* for `read`: the instance whose tick needs the net */
  bool bits;                   /* write && and || as & and |, without branches */
  bool in_place;               /* read the register of a SHOW row in place */
  bool pointers;               /* ask by its pointer if an instance exists */
};

/* --- tools/wiregen_expr.c --- */

/* An expression of .def or .wires rows over `d` and `c`, as C. */
struct hd_text_of hd_c_size(const char *text);

/* The condition before a copy of a field that exists in some machines only and is 0 elsewhere; or "". */
struct hd_text_of hd_c_if_there(const struct hd_row *row);

/* True if the port carries bytes of a line, or of the part of a line that a slice moves. */
bool hd_is_bytes(const struct hd_row *port);

/* The condition, not translated, under which row `by` or row `or` counts; each may be NULL. "1" if one always
 * counts, or without rows. */
struct hd_text_of hd_c_when(const struct hd_wire *by, const struct hd_wire * or);

/* The condition under which the source of a net is in the machine; with `by_name` also that the net has this
 * name there. "" if always. */
struct hd_text_of hd_c_there(const struct hd_copier *x, const struct hd_net *net, bool by_name);

/* True if all outputs and inputs that the expression reads satisfy `ok`. */
bool hd_reads_all(const struct hd_wire_expr *e, bool (*ok)(const struct hd_net *net));
/* True for an input that the golden model never reads. */
bool hd_is_unread(const struct hd_row *port);
/* True for an output that X_moore makes, because no SHOW row names a register for it. */
bool hd_is_made(const struct hd_net *net);
/* The register or function of an output's SHOW row, read in place; 0 if the instance does not exist. */
struct hd_text_of hd_c_shown(const struct hd_net *net);

/* True if the expression reads a LATE output. */
bool hd_reads_late(const struct hd_wire_expr *e);

/* An expression over scalars as C. */
struct hd_text_of hd_c_expr(const struct hd_copier *x, const struct hd_wire_expr *e);

/* --- tools/wiregen_copy.c --- */

/* Writes a line of C, indented by `depth` levels. */
void hd_put_line(const struct hd_copier *x, int depth, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* One of several alternatives. The first whose condition ("": always) holds is taken. */
struct hd_choice {
  struct hd_text_of when, text;
};
enum { HD_CHOICES = 16 };
/* Adds an alternative without text, for a driver of `port`. If there is no room, sets x->failed and the
 * reason in x->why. */
struct hd_choice *hd_next_choice(struct hd_copier *x, const struct hd_row *port, struct hd_choice *choice,
                                 size_t *n);
void hd_put_choices(const struct hd_copier *x, int depth, const struct hd_choice *choice, size_t n);
struct hd_text_of hd_tie_when(const struct hd_copier *x, const struct hd_tie *tie);

/* The number of rows from `first` on that are fields of the same bundle port. */
size_t hd_fields_from(const struct hd_decl *d, size_t first);

/* These write assignments to <to><port>. hd_copy_port: a port that is no field of a bundle. */
void hd_copy_port(struct hd_copier *x, int depth, const char *to, const struct hd_inst *inst,
                  const struct hd_row *port);
/* Copies a whole bundle from bundle ports, with n alternatives that come first. Returns false if some field
 * is not that simple. */
bool hd_copy_whole(struct hd_copier *x, int depth, const char *to, const struct hd_inst *inst,
                   const struct hd_row *field, size_t n_fields, const struct hd_choice *first, size_t n);
/* Lists the alternatives of an output bundle of the module that DRIVE rows give as a whole. Returns their
 * number. */
size_t hd_driven_whole(struct hd_copier *x, const struct hd_row *field, struct hd_choice *choice);
/* Copies n rows: a port, or all fields of a bundle. */
void hd_copy_rows(struct hd_copier *x, int depth, const char *to, const struct hd_inst *inst,
                  const struct hd_row *row, size_t n);

/* The name before _valid of the channel whose payload an input belongs to. "" if there is none, or with
 * `bare` if a WIRE row sets the input. */
struct hd_prefix {
  char text[64];
};
struct hd_prefix hd_channel_of(const struct hd_wiring *w, const struct hd_inst *inst,
                               const struct hd_row *port, bool bare);

#endif
