/* The parts of a lazy run, the channels between them, and the parts that take part if ports meet; see
 * wiregen_lazy.c. */
#ifndef HEDDLE_TOOLS_WIREGEN_PARTS_H
#define HEDDLE_TOOLS_WIREGEN_PARTS_H

#include "tools/wiregen.h"

/* The PART row of an instance. Returns NULL if it is in no part. */
const struct hd_wire *hd_part_row(const struct hd_wiring *w, const struct hd_inst *inst);
/* True if the row is a channel between two parts. */
bool hd_parts_crossed(const struct hd_wiring *w, const struct hd_wire *row);

/* The bit of `meet` for a net, which a row gives by path or by name. "" if there is none. */
struct hd_parts_bit {
  char text[64];
};
struct hd_parts_bit hd_parts_bit_named(const char *name); /* of the channel or pulse */
struct hd_parts_bit hd_parts_bit_of(const struct hd_wiring *w, const struct hd_net *net, bool by_path);

/* True if `list`, "a, u_x.b", names the net. */
bool hd_parts_lists(const char *list, const struct hd_net *net);
/* True if the expression reads a net that stands for the channel's bit, or that the pulse lists. */
bool hd_parts_hear(const struct hd_wiring *w, const struct hd_wire_expr *e, const struct hd_wire *row);

/* The first row of the part. The lazy run calls its instance, or its socket, by name. */
const struct hd_wire *hd_parts_head(const struct hd_wiring *w, const char *part);
/* hd_parts_is_beside: true if the instance stands beside the first of its part, which alone has channels.
 * hd_parts_same: true if both are in one part. */
bool hd_parts_is_beside(const struct hd_wiring *w, const struct hd_inst *inst);
bool hd_parts_same(const struct hd_wiring *w, const struct hd_inst *a, const struct hd_inst *b);
/* True if the part has ticked when the other is wired: the L1D's part and those after it. The parts before it
 * are wired first and tick last. */
bool hd_parts_ticks_before(const struct hd_wiring *w, const struct hd_wire *part,
                           const struct hd_wire *other);

/* The HEARS or TICKS row (`kind`) of an instance; its LEADS row; its SETS row. They return NULL if it has
 * none. */
const struct hd_tie *hd_parts_hears(const struct hd_wiring *w, const struct hd_inst *inst,
                                    enum hd_wire_kind kind);
const struct hd_wire *hd_parts_leads(const struct hd_wiring *w, const struct hd_inst *inst);
const struct hd_wire *hd_parts_sets(const struct hd_wiring *w, const struct hd_inst *inst);

/* True if the instance has an ALONE row. */
bool hd_parts_is_alone(const struct hd_wiring *w, const struct hd_inst *inst);

/* Writes the function takes_part. */
void hd_put_takes_part(const struct hd_copier *x);

#endif
