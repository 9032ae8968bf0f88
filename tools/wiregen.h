/* Writers of C that is made from connection rows when Heddle is built (tools/wiregen.c). Each stands for all machines: where they
 * differ it asks, `if (d->CASC)`. */
#ifndef HEDDLE_TOOLS_WIREGEN_H
#define HEDDLE_TOOLS_WIREGEN_H

#include <stdio.h>

#include "arch/wires/wires.h"

/* X_moore, X_mealy and X_tick of the module X of a wiring of everything. False and a sentence: the inputs of some mealy
 * call, or of a tick, depend on its outputs. */
bool hd_write_full(FILE *f, const struct hd_wiring *w, struct hd_why *why);

/* --- for writers, tools/wiregen_expr.c -------------------------------------------------------------------- */

/* Text that is put together; what does not fit ends the program. */
struct hd_text_of {
  char text[4000];
};

/* An expression of .def or .wires rows over `d` and `c`, in C. */
struct hd_text_of hd_c_size(const char *text);

/* When one of two rows, or the only one (or NULL), counts: not translated; "1" if always, as without a row. */
struct hd_text_of hd_c_when(const struct hd_wire *by, const struct hd_wire * or);

/* That the source of a net is in the machine, and `by_name` that the net has that name there; "" if always. */
struct hd_text_of hd_c_there(const struct hd_net *net, bool by_name);

/* How a writer reads a net's source in C: an output of an instance, or an input of the module. */
typedef struct hd_text_of hd_reader(void *user, const struct hd_net *net);

/* An expression over scalars. */
struct hd_text_of hd_c_expr(const struct hd_wire_expr *e, hd_reader *reader, void *user);

void hd_append(struct hd_text_of *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
