/* An output of the load alias table (cmodel/sm/ports.h). Spec: docs/mechanisms/apcm.md.
 *
 * Invariant: no function here changes the model.
 *
 * Inlined: measured in cmodel/sm/ports.h. */
#ifndef HEDDLE_CMODEL_APCM_PORTS_H
#define HEDDLE_CMODEL_APCM_PORTS_H

#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

/* Returns the program counter of an id; 0 if no load has the id. */
static inline uint64_t lat_ask_pc(const struct lat *m, uint64_t id) {
  return hd_has(m->s.used, id) ? m->s.pc[id] : 0;
}

#endif
