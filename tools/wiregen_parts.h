/* The parts of a lazy run, the channels between them, and which parts take part if ports meet; see wiregen_lazy.c. */
#ifndef HEDDLE_TOOLS_WIREGEN_PARTS_H
#define HEDDLE_TOOLS_WIREGEN_PARTS_H

#include "tools/wiregen.h"

/* The PART row of an instance; NULL: it is in none. */
const struct hd_wire *hd_part_row(const struct hd_wiring *w, const struct hd_inst *inst);
/* The row is a channel between two parts. */
bool hd_parts_crossed(const struct hd_wiring *w, const struct hd_wire *row);

/* The bit of `meet` that stands for a net, which a row gives by its path or by its name; "" if none does. */
struct hd_parts_bit {
  char text[64];
};
struct hd_parts_bit hd_parts_bit_named(const char *name); /* of the channel or pulse */
struct hd_parts_bit hd_parts_bit_of(const struct hd_wiring *w, const struct hd_net *net, bool by_path);

/* The function takes_part. */
void hd_put_takes_part(const struct hd_copier *x);

#endif
