/* A copy of what the golden model holds, in the layout of the RTL, which is compared with it while the model is cycles ahead.
 *
 * What a cycle has changed in the model is written down as words of the copy; later, when the RTL is in that cycle, it is made.
 * Invariant: when the changes of a cycle are made, inputs, outputs, late outputs, registers and memory rows of the copy are those of
 * the model at its end. Two threads may be at work: one calls hd_copies_note, the other all else.
 */
#ifndef HEDDLE_VERIF_HARNESS_COPIES_H
#define HEDDLE_VERIF_HARNESS_COPIES_H

#include "verif/harness/table.h"

/* Some cells of a table whose copy has more than one word: they are compared as strings, the others as numbers. */
struct hd_strings {
  struct hd_copied **of;
  size_t n;
};

struct hd_copies {
  struct hd_table *t;
  struct hd_copied *cell; /* of all cells: inputs, outputs, late ones, state */
  size_t cells;
  struct hd_copied_ram *ram; /* as in the table */
  uint64_t *word;            /* all of the copy */
  size_t words;
  struct hd_table number; /* pairs of the RTL and the copy, and no more */
  struct hd_strings in, out, late, state;
};

/* Words of the copy to be written, in this order. Each is its number, a bit, and the value in 32 bits; or if the bit is 1, the value in
 * the 64 bits behind: what goes from one thread to the other costs by its length. */
struct hd_changes {
  uint64_t *code;
  size_t n, room;
};

/* Of a table, which must live as long. From then on the model of the table may be ahead; `was` and `image` of its cells are
 * hd_copies_note's. hd_copies_free in any case. */
void hd_copies_make(struct hd_copies *k, struct hd_table *t);
void hd_copies_free(struct hd_copies *k);

/* A reset is over, and both sides are equal (hd_state_agrees, hd_memories_agree): so is the copy now. */
void hd_copies_share(struct hd_copies *k);

/* After a cycle of the model: adds what it has changed. False: a value of the model does not fit its width. */
bool hd_copies_note(const struct hd_copies *k, struct hd_changes *to);

/* Makes the changes of a cycle, which stand from `from` to before `end`. */
void hd_copies_apply(const struct hd_copies *k, const uint64_t *from, const uint64_t *end);
/* In the cycle of the RTL: the inputs into it; what is compared when, as the functions of table.h do it. */
void hd_copies_drive(struct hd_copies *k);
bool hd_copies_outputs_agree(struct hd_copies *k);
bool hd_copies_late_agrees(struct hd_copies *k);
bool hd_copies_state_agrees(struct hd_copies *k);
bool hd_copies_writes_agree(const struct hd_copies *k,
                            uint64_t *values); /* after hd_note_writes of the table */

#endif
