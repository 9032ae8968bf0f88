/* The instances beside the first of a part of a lazy run, in an order in which each comes after those that it waits for, and
 * blocks of C for those of a room and of a few rooms: what is not due is asked for once. For wiregen_beside.c and
 * wiregen_active.c. */
#ifndef HEDDLE_TOOLS_WIREGEN_ORDER_H
#define HEDDLE_TOOLS_WIREGEN_ORDER_H

#include "tools/wiregen_lazy.h"

enum { HD_FEW = 4 }; /* so many are worth no block */
struct hd_beside {
  const struct hd_inst *inst[HD_INSTS];
  size_t n;
};

/* Those of the part, as they are declared. */
struct hd_beside hd_beside_of(const struct hd_wiring *w, const char *part);
/* Its place among all instances: its bit in `there`. */
unsigned hd_number_of(const struct hd_lazy_writer *x, const struct hd_inst *inst);
/* The bits of all of them. */
uint64_t hd_all_of(const struct hd_lazy_writer *x, const struct hd_beside *order);

/* One reads what the other says at once. */
bool hd_asks(const struct hd_lazy_writer *x, const struct hd_inst *inst, const struct hd_inst *other);
/* The other reads registers of it in place while that ticks. */
bool hd_is_looked_into(const struct hd_lazy_writer *x, const struct hd_inst *inst,
                       const struct hd_inst *other);
/* An order in which a comes after b where `first(x, a, b)`, one of the two above; those of a room next to each other, where
 * that can be. If they wait for each other: x->c.failed, and the reason in x->c.why. */
struct hd_beside hd_in_order(struct hd_lazy_writer *x, struct hd_beside left,
                             bool (*first)(const struct hd_lazy_writer *x, const struct hd_inst *a,
                                           const struct hd_inst *b));

/* Opens, before the first of several of a room, `if (of & ...) {`; returns whether number i is in such a block. */
bool hd_open_room(const struct hd_lazy_writer *x, const struct hd_beside *order, size_t i, const char *of);
/* Closes it behind the last of the room. */
void hd_close_room(const struct hd_lazy_writer *x, const struct hd_beside *order, size_t i);
/* Likewise a block of a few rooms, where there are many instances. */
void hd_open_first(const struct hd_lazy_writer *x, const struct hd_beside *order, size_t i, const char *of);
void hd_close_last(const struct hd_lazy_writer *x, const struct hd_beside *order, size_t i);

/* --- wiregen_active.c ------------------------------------------------------------------------------------------ */

/* The instance has an output, or input, of that kind. */
bool hd_has_rows(const struct hd_inst *inst, bool (*ok)(const struct hd_net *net));
bool hd_is_mealy(const struct hd_net *net);

/* Before they hear: who does and ticks, `hear`, and who hears, `hears`. One whose answer another hears, which reads it, hears
 * too. */
void hd_put_who_hears(struct hd_lazy_writer *x, const struct hd_beside *order);
/* Before they tick: who does, `ticks`. */
void hd_put_who_ticks(struct hd_lazy_writer *x, const struct hd_beside *order);

#endif
