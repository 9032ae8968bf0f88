/* The order of the instances beside the first of a part, and their blocks; see wiregen_order.h. */
#include "tools/wiregen_order.h"

#include <string.h>

enum { ROOMS = 3 };

struct hd_beside hd_beside_of(const struct hd_wiring *w, const char *part) {
  struct hd_beside out = {.n = 0};
  for (size_t i = 0; i < w->decl->n_insts; i++)
    if (hd_parts_is_beside(w, &w->decl->insts[i]) && !strcmp(hd_part_row(w, &w->decl->insts[i])->name, part))
      out.inst[out.n++] = &w->decl->insts[i];
  return out;
}

unsigned hd_number_of(const struct hd_lazy_writer *x, const struct hd_inst *inst) {
  return (unsigned)(inst - x->c.w->decl->insts);
}

bool hd_asks(const struct hd_lazy_writer *x, const struct hd_inst *inst, const struct hd_inst *other) {
  const struct hd_wiring *w = x->c.w;
  for (size_t i = 0; i < w->n_ties; i++)
    if (w->ties[i].inst == inst && hd_wire_reads(w->ties[i].expr, other, HD_MEALY))
      return true;
  return false;
}

bool hd_is_looked_into(const struct hd_lazy_writer *x, const struct hd_inst *inst,
                       const struct hd_inst *other) {
  for (size_t i = 0; i < other->decl->n_rows; i++) {
    const struct hd_inst *from;
    if (other->decl->rows[i].cls == HD_IN && hd_group_of(x, other, &other->decl->rows[i], &from) == PLACE &&
        from == inst)
      return true;
  }
  return false;
}

/* The first of `left` that waits for none of the others; one of this room if possible. Returns left->n if
 * each waits. */
static size_t next_of(const struct hd_lazy_writer *x, const struct hd_beside *left, const char *room,
                      bool (*first)(const struct hd_lazy_writer *x, const struct hd_inst *a,
                                    const struct hd_inst *b)) {
  size_t found = left->n;
  for (size_t i = left->n; i-- > 0;) {
    bool waits = false;
    for (size_t k = 0; k < left->n && !waits; k++)
      waits = k != i && first(x, left->inst[i], left->inst[k]);
    const bool better = found == left->n || strcmp(left->inst[found]->decl->room, room) != 0 ||
                        !strcmp(left->inst[i]->decl->room, room);
    if (!waits && better)
      found = i;
  }
  return found;
}

struct hd_beside hd_in_order(struct hd_lazy_writer *x, struct hd_beside left,
                             bool (*first)(const struct hd_lazy_writer *x, const struct hd_inst *a,
                                           const struct hd_inst *b)) {
  struct hd_beside out = {.n = 0};
  while (left.n) {
    const size_t next = next_of(x, &left, out.n ? out.inst[out.n - 1]->decl->room : "", first);
    if (next == left.n) {
      x->c.failed = true;
      hd_because(x->c.why, HD_CHECK, "%s: found instances of the part %s that wait for each other, one is %s",
                 x->c.w->decl->module, hd_part_row(x->c.w, left.inst[0])->name, left.inst[0]->name);
      return out;
    }
    out.inst[out.n++] = left.inst[next];
    left.n--;
    for (size_t i = next; i < left.n; i++)
      left.inst[i] = left.inst[i + 1];
  }
  return out;
}

/* True if both exist and belong to one room. */
static bool same_room(const struct hd_beside *order, size_t i, size_t k) {
  return k < order->n && !strcmp(order->inst[i]->decl->room, order->inst[k]->decl->room);
}

bool hd_open_room(const struct hd_lazy_writer *x, const struct hd_beside *order, size_t i, const char *of) {
  if (i > 0 && same_room(order, i, i - 1))
    return true;
  uint64_t set = 0;
  for (size_t k = i; same_room(order, i, k); k++)
    set |= UINT64_C(1) << hd_number_of(x, order->inst[k]);
  if (set & (set - 1))
    hd_put_line(&x->c, 1, "if (%s & UINT64_C(0x%llx)) {", of, (unsigned long long)set);
  return (set & (set - 1)) != 0;
}

void hd_close_room(const struct hd_lazy_writer *x, const struct hd_beside *order, size_t i) {
  if (!same_room(order, i, i + 1))
    hd_put_line(&x->c, 1, "}");
}

/* The block of number i. A block holds ROOMS rooms in a row. */
static size_t block_of(const struct hd_beside *order, size_t i) {
  size_t room = 0;
  for (size_t k = 1; k <= i; k++)
    room += !same_room(order, k, k - 1);
  return room / ROOMS;
}

static bool same_block(const struct hd_beside *order, size_t i, size_t k) {
  return k < order->n && block_of(order, i) == block_of(order, k);
}

static bool is_first(const struct hd_beside *order, size_t i) {
  return order->n > HD_FEW && (i == 0 || !same_block(order, i, i - 1));
}

static bool is_last(const struct hd_beside *order, size_t i) {
  return order->n > HD_FEW && !same_block(order, i, i + 1);
}

void hd_open_first(const struct hd_lazy_writer *x, const struct hd_beside *order, size_t i, const char *of) {
  if (!is_first(order, i))
    return;
  uint64_t set = 0;
  for (size_t k = 0; k < order->n; k++)
    set |= same_block(order, i, k) ? UINT64_C(1) << hd_number_of(x, order->inst[k]) : 0;
  hd_put_line(&x->c, 1, "if (%s & UINT64_C(0x%llx)) {", of, (unsigned long long)set);
}

void hd_close_last(const struct hd_lazy_writer *x, const struct hd_beside *order, size_t i) {
  if (is_last(order, i))
    hd_put_line(&x->c, 1, "}");
}

uint64_t hd_all_of(const struct hd_lazy_writer *x, const struct hd_beside *order) {
  uint64_t all = 0;
  for (size_t i = 0; i < order->n; i++)
    all |= UINT64_C(1) << hd_number_of(x, order->inst[i]);
  return all;
}
