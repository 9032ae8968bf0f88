/* What the load table shows (cmodel/sm/ports.h). Spec: docs/mechanisms/apcm.md.
 *
 * Invariant: nothing here changes anything.
 *
 * Inlined: measured in cmodel/sm/ports.h. */
#ifndef HEDDLE_CMODEL_APCM_PORTS_H
#define HEDDLE_CMODEL_APCM_PORTS_H

#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

/* The program counter of an id; 0 if no load has it. */
static inline uint64_t lat_ask_pc(const struct lat *m, uint64_t id) {
  return hd_has(m->s.used, id) ? m->s.pc[id] : 0;
}

#endif
