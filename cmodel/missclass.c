/* Miss classes; see missclass.h.
 *
 * Invariant: `table` finds the record of every line ever loaded (open addressing, at most half full); the
 * records in the shadow are a list from `first` (used last) to `last`, never longer than `room`.
 */
#include "cmodel/missclass.h"

#include <stdlib.h>

enum { NONE = 0, WARP_BITS = 8, CTA_BITS = 32 };
#define A_STORE UINT64_MAX

struct record {
  uint64_t line;
  uint64_t by;         /* to blame for the next miss: a warp, or A_STORE */
  uint32_t prev, next; /* in the shadow; record numbers */
  bool shadowed;
};

struct hd_missclass {
  struct record *record; /* from 1; NONE is none */
  uint32_t records, record_room;
  uint32_t *table;
  unsigned table_bits;
  uint32_t first, last, length, room;
  struct hd_miss_classes counts;
};

static uint32_t *place(const struct hd_missclass *mc, uint64_t line) {
  const uint32_t mask = (UINT32_C(1) << mc->table_bits) - 1;
  uint32_t at = (uint32_t)(line * UINT64_C(0x9E3779B97F4A7C15) >> (64 - mc->table_bits));
  while (mc->table[at] != NONE && mc->record[mc->table[at]].line != line)
    at = (at + 1) & mask;
  return &mc->table[at];
}

static void new_table(struct hd_missclass *mc, unsigned bits) {
  free(mc->table);
  mc->table_bits = bits;
  mc->table = calloc(UINT64_C(1) << bits, sizeof *mc->table);
  mc->record_room = UINT32_C(1) << (bits - 1);
  struct record *record = realloc(mc->record, mc->record_room * sizeof *record);
  if (!mc->table || !record)
    abort();
  mc->record = record;
  for (uint32_t r = 1; r <= mc->records; r++)
    *place(mc, record[r].line) = r;
}

struct hd_missclass *hd_missclass_new(unsigned lines) {
  struct hd_missclass *mc = calloc(1, sizeof *mc);
  if (!mc)
    return NULL;
  mc->room = lines;
  new_table(mc, 12);
  return mc;
}

void hd_missclass_free(struct hd_missclass *mc) {
  if (!mc)
    return;
  free(mc->record);
  free(mc->table);
  free(mc);
}

uint64_t hd_missclass_warp(uint32_t launch, uint32_t cta, uint32_t warp_in_cta) {
  return (uint64_t)launch << (WARP_BITS + CTA_BITS) | (uint64_t)cta << WARP_BITS | warp_in_cta;
}

static void leave_shadow(struct hd_missclass *mc, uint32_t r) {
  struct record *rec = &mc->record[r];
  *(rec->prev ? &mc->record[rec->prev].next : &mc->first) = rec->next;
  *(rec->next ? &mc->record[rec->next].prev : &mc->last) = rec->prev;
  rec->shadowed = false;
  mc->length--;
}

static void use_in_shadow(struct hd_missclass *mc, uint32_t r) {
  struct record *rec = &mc->record[r];
  if (mc->first == r)
    return;
  if (rec->shadowed)
    leave_shadow(mc, r);
  else if (mc->length == mc->room)
    leave_shadow(mc, mc->last);
  rec->shadowed = true;
  rec->prev = NONE;
  rec->next = mc->first;
  *(mc->first ? &mc->record[mc->first].prev : &mc->last) = r;
  mc->first = r;
  mc->length++;
}

static void classify(struct hd_miss_classes *n, const struct record *rec, uint64_t warp) {
  n->conflict += rec->shadowed;
  n->capacity += !rec->shadowed;
  if (rec->by == A_STORE)
    n->write_evict++;
  else if (rec->by == warp)
    n->intra_warp++;
  else if (rec->by >> WARP_BITS == warp >> WARP_BITS)
    n->cross_warp++;
  else
    n->cross_block++;
}

void hd_missclass_load(struct hd_missclass *mc, uint64_t line, uint64_t warp, bool miss) {
  uint32_t *at = place(mc, line);
  if (*at != NONE) {
    if (miss)
      classify(&mc->counts, &mc->record[*at], warp);
  } else {
    mc->counts.compulsory++; /* a hit or a merge had a miss before it */
    if (mc->records + 1 == mc->record_room) {
      new_table(mc, mc->table_bits + 1);
      at = place(mc, line);
    }
    *at = ++mc->records;
    mc->record[*at] = (struct record){.line = line};
  }
  if (miss)
    mc->record[*at].by = warp;
  use_in_shadow(mc, *at);
}

void hd_missclass_store(struct hd_missclass *mc, uint64_t line) {
  const uint32_t r = *place(mc, line);
  if (r != NONE && mc->record[r].shadowed)
    leave_shadow(mc, r);
}

void hd_missclass_replaced(struct hd_missclass *mc, uint64_t line, uint64_t warp) {
  mc->record[*place(mc, line)].by = warp;
}

void hd_missclass_written(struct hd_missclass *mc, uint64_t line) {
  hd_missclass_replaced(mc, line, A_STORE);
}

const struct hd_miss_classes *hd_missclass_counts(const struct hd_missclass *mc) {
  return &mc->counts;
}
