/* The instances beside the first of a part of a lazy run, in an order in which each comes after those that it
 * waits for. C blocks enclose the instances of a room, and of a few rooms: one test skips a block in which
 * nothing is due. For wiregen_beside.c and wiregen_active.c. */
#ifndef HEDDLE_TOOLS_WIREGEN_ORDER_H
#define HEDDLE_TOOLS_WIREGEN_ORDER_H

#include "tools/wiregen_lazy.h"

enum { HD_FEW = 4 }; /* so few instances need no block */
struct hd_beside {
  const struct hd_inst *inst[HD_INSTS];
  size_t n;
};

/* The instances beside the first of the part, in the order of their declaration. */
struct hd_beside hd_beside_of(const struct hd_wiring *w, const char *part);
/* The number of an instance among all instances: its bit in `there`. */
unsigned hd_number_of(const struct hd_lazy_writer *x, const struct hd_inst *inst);
/* The bits of all these instances. */
uint64_t hd_all_of(const struct hd_lazy_writer *x, const struct hd_beside *order);

/* True if `inst` reads a MEALY output of `other`. */
bool hd_asks(const struct hd_lazy_writer *x, const struct hd_inst *inst, const struct hd_inst *other);
/* True if `other` reads registers of `inst` in place while `other` ticks. */
bool hd_is_looked_into(const struct hd_lazy_writer *x, const struct hd_inst *inst,
                       const struct hd_inst *other);
/* An order in which a comes after b if `first(x, a, b)`, which is one of the two functions above. Instances
 * of a room stand next to each other where possible. If instances wait for each other, sets x->c.failed and
 * the reason in x->c.why. */
struct hd_beside hd_in_order(struct hd_lazy_writer *x, struct hd_beside left,
                             bool (*first)(const struct hd_lazy_writer *x, const struct hd_inst *a,
                                           const struct hd_inst *b));

/* Opens `if (of & ...) {` before the first of several instances of a room. Returns true if number i is in
 * such a block. */
bool hd_open_room(const struct hd_lazy_writer *x, const struct hd_beside *order, size_t i, const char *of);
/* Closes the block behind the last instance of the room. */
void hd_close_room(const struct hd_lazy_writer *x, const struct hd_beside *order, size_t i);
/* The same for a block of a few rooms, if there are many instances. */
void hd_open_first(const struct hd_lazy_writer *x, const struct hd_beside *order, size_t i, const char *of);
void hd_close_last(const struct hd_lazy_writer *x, const struct hd_beside *order, size_t i);

/* --- wiregen_active.c ------------------------------------------------------------------------------------------ */

/* True if the instance has an output or input that satisfies `ok`. */
bool hd_has_rows(const struct hd_inst *inst, bool (*ok)(const struct hd_net *net));
bool hd_is_mealy(const struct hd_net *net);

/* Writes, before they hear, the sets `hear` (instances that hear and tick) and `hears` (instances that hear).
 * An instance also hears if another that hears reads its MEALY output. */
void hd_put_who_hears(struct hd_lazy_writer *x, const struct hd_beside *order);
/* Writes, before they tick, the set `ticks`. */
void hd_put_who_ticks(struct hd_lazy_writer *x, const struct hd_beside *order);

#endif
