/* How SAP and STR make prefetches of a row that was read, and numbers with a sign. Spec: docs/mechanisms/sap.md, Prefetching;
 * part of the model in cmodel/apres/sap.c.
 *
 * Invariant: numbers with a sign are kept in two's complement in the bits of their registers. */
#ifndef HEDDLE_CMODEL_APRES_SAP_PREFETCH_H
#define HEDDLE_CMODEL_APRES_SAP_PREFETCH_H

#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

/* The number that the low bits of v are, in all 64. */
static inline uint64_t sap_extend(uint64_t v, unsigned bits) {
  const uint64_t sign = hd_bit(bits - 1);
  return ((v & hd_ones(bits)) ^ sign) - sign;
}

/* v shifted right, its sign coming in from above. */
static inline uint64_t sap_shifted(uint64_t v, unsigned bits, unsigned by) {
  return (uint64_t)((int64_t)sap_extend(v, bits) >> by);
}

/* What waits for the L1D moves on by a stage: in a cycle with *go*, before a row is read. */
void sap_move_prefetches(struct sap *m);

#endif
