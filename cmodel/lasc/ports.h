/* The output of the reuse-frequency table (cmodel/sm/ports.h). Spec: docs/mechanisms/rft.md.
 *
 * Invariant: no function here changes the model.
 *
 * Inlined: measured in cmodel/sm/ports.h. */
#ifndef HEDDLE_CMODEL_LASC_PORTS_H
#define HEDDLE_CMODEL_LASC_PORTS_H

#include "cmodel/model/models.h"

enum { RFT_FILLED, RFT_DOUBTED };

/* Returns the entries of the reuse-frequency table whose loads are to bypass. */
static inline uint64_t rft_bypass(const struct rft *m) {
  return HD_IS(m, RFT_CONF) ? m->base.memo[RFT_DOUBTED]
                            : m->s.known & ~(HD_IS(m, RFT_AVG) ? m->s.above : m->s.reused);
}

#endif
