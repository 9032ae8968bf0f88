/* A copy of the golden model's values in the layout of the RTL. The RTL is compared with the copy while the model is cycles ahead.
 *
 * After each cycle the changes of the model are recorded as words of the copy. They are applied when the RTL reaches that cycle.
 * Invariant: after the changes of a cycle are applied, the copy's inputs, outputs, late outputs, registers and memory rows are those of
 * the model at the end of that cycle. Two threads may use a copy: one calls hd_copies_note, the other calls all other functions.
 */
#ifndef HEDDLE_VERIF_HARNESS_COPIES_H
#define HEDDLE_VERIF_HARNESS_COPIES_H

#include "verif/harness/table.h"

/* The cells of one kind whose copy has more than one word. They are compared as strings, the others as numbers. */
struct hd_strings {
  struct hd_copied **of;
  size_t n;
};

struct hd_copies {
  struct hd_table *t;
  struct hd_copied *cell; /* all cells: inputs, outputs, late outputs, state */
  size_t cells;
  struct hd_copied_ram *ram; /* in the order of the table's `ram` */
  uint64_t *word;            /* the whole copy */
  size_t words;
  struct hd_table number; /* holds only pairs: a cell of the RTL and its word of the copy */
  struct hd_strings in, out, late, state;
};

/* Words of the copy to be written, in this order. An entry has 64 bits: the word's number, one bit, and the value in 32 bits. If the
 * bit is 1, the next 64 bits hold the value instead. Entries are short because their length sets the cost of the handover. */
struct hd_changes {
  uint64_t *code;
  size_t n, room;
};

/* Makes the copy of a table, which must outlive it. From then on the model of the table may run ahead, and only hd_copies_note uses
 * `was` and `image` of the table's cells. Call hd_copies_free in any case. */
void hd_copies_make(struct hd_copies *k, struct hd_table *t);
void hd_copies_free(struct hd_copies *k);

/* Call it after a reset, when both sides are equal (hd_state_agrees, hd_memories_agree): makes the copy equal to them. */
void hd_copies_share(struct hd_copies *k);

/* After a cycle of the model: appends its changes to *to. Returns false if a value of the model does not fit its width. */
bool hd_copies_note(const struct hd_copies *k, struct hd_changes *to);

/* Applies the changes of a cycle: those from `from` to before `end`. */
void hd_copies_apply(const struct hd_copies *k, const uint64_t *from, const uint64_t *end);
/* In the cycle of the RTL: hd_copies_drive sets the RTL's inputs. The others compare at the moments of the functions in table.h. */
void hd_copies_drive(struct hd_copies *k);
bool hd_copies_outputs_agree(struct hd_copies *k);
bool hd_copies_late_agrees(struct hd_copies *k);
bool hd_copies_state_agrees(struct hd_copies *k);
bool hd_copies_writes_agree(const struct hd_copies *k,
                            uint64_t *values); /* after hd_note_writes of the table */

#endif
