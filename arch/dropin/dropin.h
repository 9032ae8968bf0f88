/* Drop-ins: a mechanism's modules alone, wired to one another as they are inside sm_mem and l2_top, for a cache that somebody
 * else made. Spec: docs/integrate.md.
 *
 * A drop-in ROOM_top holds the instances of a room, and those of the room `reuse` whose outputs they take. What they take from
 * others is an input of its own, named as the net is inside sm_mem (l2_top); what others take from them, or nobody does, is an
 * output. So its ports, its Verilog and its golden model follow from the connection rows that there are.
 *
 * Invariant: nothing here knows a mechanism, nor a port, by name.
 */
#ifndef HEDDLE_ARCH_DROPIN_DROPIN_H
#define HEDDLE_ARCH_DROPIN_DROPIN_H

#include "arch/wires/wires.h"

enum { HD_DROPIN_PARTS = 2, HD_DROPIN_NAME = 64 };

/* One of the modules that it is taken from. */
struct hd_dropin_part {
  const struct hd_decl *decl;
  struct hd_wire *rows;
  struct hd_wiring *wiring;
};

/* Where an input of the drop-in comes from, in the module that it is taken from. */
struct hd_dropin_input {
  const struct hd_dropin_part *part;
  const struct hd_wire_expr *from;
};

struct hd_dropin {
  struct hd_dropin_part part[HD_DROPIN_PARTS];
  size_t n_parts;
  struct hd_wiring *wiring;      /* of the drop-in itself */
  struct hd_dropin_input *input; /* of row i of its declaration, if that is an input */
  char name[HD_DROPIN_NAME], title[160];
};

/* The declaration of a drop-in, added to the design and freed with it: its name is ROOM_top; or ROOM, if no module is called so.
 * HD_INPUT: this machine has none of that name; the sentence has those of its modules and drop-ins. HD_TOOL: out of memory.
 * *decl is NULL then. */
enum hd_rc hd_dropin_add(struct hd_design *design, const char *name, const struct hd_decl **decl,
                         struct hd_why *why);

/* The rooms whose drop-ins this machine has: calls `visit` with each name, ROOM_top. */
void hd_dropins(const struct hd_design *design, void (*visit)(void *user, const char *name), void *user);

#endif
