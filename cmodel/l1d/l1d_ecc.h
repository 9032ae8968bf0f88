/* Flipped bits of the L1D's tags and data: found, mended, and their lines dropped. Spec: docs/mechanisms/ecc.md; part of the model in
 * cmodel/l1d/l1d.c, called in a machine with PROTECT alone.
 *
 * Invariant: without a flip it changes nothing but the check bits and h_new, h_set, h_at, e_set.
 */
#ifndef HEDDLE_CMODEL_L1D_L1D_ECC_H
#define HEDDLE_CMODEL_L1D_L1D_ECC_H

#include "cmodel/model/models.h"

/* The begin of a cycle, and what it finds: whether the hit read before it has a lost word, a mended one; ways of c_set whose tags are
 * spoilt. */
struct l1d_flaws {
  bool lost, mended, looked_up;
  uint64_t set, ways;
};
struct l1d_flaws l1d_find_flaws(struct l1d *m);

/* The end of the cycle: lines go, and e_at and ecc load what was found. `moved`: c went into d. True: a line went. */
bool l1d_drop_flawed(struct l1d *m, const struct l1d_flaws *found, bool moved);

/* Those of the ways whose tags are as they were written. */
uint64_t l1d_whole_tags(const struct l1d *m, uint64_t set, uint64_t ways);

/* A tag, a line has been written: so are its check bits. */
void l1d_code_tag(struct l1d *m, uint64_t set, unsigned way);
void l1d_code_line(struct l1d *m, uint64_t row);

/* d's hit is read. */
void l1d_code_read(struct l1d *m, uint64_t row, unsigned way);

/* The line that `data` read last, mended, if it is not NULL; whether a word of it is lost, whether one was mended. */
bool l1d_read_line(const struct l1d *m, uint64_t line[], bool *mended);

#endif
