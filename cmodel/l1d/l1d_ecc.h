/* Flipped bits of the L1D's tags and data: finds them, mends them, and drops their lines. Spec:
 * docs/mechanisms/ecc.md; part of the model in cmodel/l1d/l1d.c, called only in a machine with PROTECT.
 *
 * Invariant: without a flip it changes nothing but the check bits and h_new, h_set, h_at, e_set. */
#ifndef HEDDLE_CMODEL_L1D_L1D_ECC_H
#define HEDDLE_CMODEL_L1D_L1D_ECC_H

#include "cmodel/model/models.h"

/* What l1d_find_flaws, called at the start of a cycle, finds. `lost`, `mended`: the hit that was read before has a
 * lost word, a mended word. `looked_up`: c was valid. `ways`: the ways of c_set (`set`) whose tags have flipped bits. */
struct l1d_flaws {
  bool lost, mended, looked_up;
  uint64_t set, ways;
};
struct l1d_flaws l1d_find_flaws(struct l1d *m);

/* Called at the end of the cycle: drops the lines marked before, and loads e_at and ecc with what was found now.
 * `moved`: c went into d. Returns true if a line was dropped. */
bool l1d_drop_flawed(struct l1d *m, const struct l1d_flaws *found, bool moved);

/* Returns those of `ways` whose tags are as they were written. */
uint64_t l1d_whole_tags(const struct l1d *m, uint64_t set, uint64_t ways);

/* Write the check bits after a tag, or a line, has been written. */
void l1d_code_tag(struct l1d *m, uint64_t set, unsigned way);
void l1d_code_line(struct l1d *m, uint64_t row);

/* Reads the check bits of d's hit. */
void l1d_code_read(struct l1d *m, uint64_t row, unsigned way);

/* Copies the line that `data` read last, mended, to `line` (unless NULL). Returns true if a word is lost. `*mended`:
 * a word was mended. */
bool l1d_read_line(const struct l1d *m, uint64_t line[], bool *mended);

#endif
