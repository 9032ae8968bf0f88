/* The outputs of sld (cmodel/sm/ports.h). Spec: docs/mechanisms/rivals.md.
 *
 * Invariant: no function here changes the model.
 *
 * Inlined: measured in cmodel/sm/ports.h. */
#ifndef HEDDLE_CMODEL_RIVALS_PORTS_H
#define HEDDLE_CMODEL_RIVALS_PORTS_H

#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

enum { SLD_LINES = 4 }; /* lines of a macro block */
static inline bool sld_pf_valid(const struct sld *m) {
  return m->s.pf_v != 0;
}
static inline uint64_t sld_pf_line(const struct sld *m) {
  return m->s.pf_block * SLD_LINES + (m->s.pf_v ? hd_lowest(m->s.pf_v) : 0);
}

#endif
