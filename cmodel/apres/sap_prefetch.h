/* The stages in which SAP and STR make prefetches from a row that was read. Spec: docs/mechanisms/sap.md,
 * Prefetching; part of the model in cmodel/apres/sap.c.
 *
 * Invariant: signed numbers are kept in two's complement in the bits of their registers. */
#ifndef HEDDLE_CMODEL_APRES_SAP_PREFETCH_H
#define HEDDLE_CMODEL_APRES_SAP_PREFETCH_H

#include "cmodel/model/models.h"

/* Moves the prefetches on by a stage. Call it in a cycle with *go*, before a row is read. */
void sap_move_prefetches(struct sap *m);

#endif
