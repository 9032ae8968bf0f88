/* Drop-ins: the modules of one mechanism, wired to each other as inside sm_mem and l2_top, for a cache of
 * another maker. Spec: docs/integrate.md.
 *
 * A drop-in ROOM_top holds the instances of a room, and the instances of the room `reuse` whose outputs they
 * take. An input that comes from another module becomes an input of the drop-in; it has the name of the net
 * inside sm_mem (l2_top). An output that goes to another module, or to none, becomes an output. So the ports,
 * the Verilog and the golden model of a drop-in follow from the existing connection rows.
 *
 * Invariant: nothing here knows a mechanism or a port by name. */
#ifndef HEDDLE_ARCH_DROPIN_DROPIN_H
#define HEDDLE_ARCH_DROPIN_DROPIN_H

#include "arch/wires/wires.h"

enum { HD_DROPIN_PARTS = 2, HD_DROPIN_NAME = 64 };

/* One of the modules that the drop-in is taken from. */
struct hd_dropin_part {
  const struct hd_decl *decl;
  struct hd_wire *rows;
  struct hd_wiring *wiring;
};

/* The source of an input of the drop-in, in the module that it is taken from. */
struct hd_dropin_input {
  const struct hd_dropin_part *part;
  const struct hd_wire_expr *from;
};

struct hd_dropin {
  struct hd_dropin_part part[HD_DROPIN_PARTS];
  size_t n_parts;
  struct hd_wiring *wiring;      /* of the drop-in itself */
  struct hd_dropin_input *input; /* of row i of its declaration, if that row is an input */
  char name[HD_DROPIN_NAME], title[160];
};

/* Adds the declaration of a drop-in to the design, which frees it. Its name is ROOM_top, or ROOM if no module
 * has that name. Returns HD_INPUT if this machine has no such drop-in (the sentence lists its modules and
 * drop-ins), HD_TOOL if memory is out. *decl is then NULL. */
enum hd_rc hd_dropin_add(struct hd_design *design, const char *name, const struct hd_decl **decl,
                         struct hd_why *why);

/* Calls `visit` with the name of each drop-in of this machine, ROOM_top. */
void hd_dropins(const struct hd_design *design, void (*visit)(void *user, const char *name), void *user);

#endif
