/* One cycle of the golden model of the load alias table. Spec: docs/mechanisms/apcm.md.
 *
 * Invariant: no two ids that are given have the same program counter.
 *
 * Inlined: measured in cmodel/apcm/apcm_line_cycle.h. */
#ifndef HEDDLE_CMODEL_APCM_LAT_CYCLE_H
#define HEDDLE_CMODEL_APCM_LAT_CYCLE_H

#include "cmodel/apcm/ports.h"

/* Returns the ids that have this program counter: at most one. */
static inline uint64_t lat_having(const struct lat *m, uint64_t pc) {
  const uint64_t used = m->s.used; /* ids are given from 0 on, one for each load of a kernel */
  return used ? hd_places(m->s.pc, hd_highest(used) + 1, pc) & used : 0;
}

static inline uint64_t lat_not_given(const struct lat *m) {
  return hd_ones(m->base.c->d.LAT) & ~m->s.used;
}

/* Returns the id of the single match. Several matches, which only a fault makes, give the OR of their ids. */
static inline uint64_t lat_id_of(uint64_t same) {
  uint64_t id = 0;
  for (; same; same &= same - 1)
    id |= hd_lowest(same);
  return id;
}

static inline void lat_say(struct lat *m, const struct lat_in *in, struct lat_out *out) {
  const uint64_t own = lat_having(m, in->load_pc), ids = own ? own : lat_not_given(m);
  out->load_trk = ids != 0;
  out->load_lid = own ? lat_id_of(own) : ids ? hd_lowest(ids) : 0;
  out->ask_pc = lat_ask_pc(m, in->ask_id);
}

static inline uint64_t lat_cycle(struct lat *m, const struct lat_in *in) {
  struct lat_st *s = &m->s;
  const uint64_t pc = in->load_pc;
  if (in->clear) {
    HD_EV(m, lat_clear, 0, 0, 0, 0);
    s->used = 0;
  } else if (in->load_valid && !lat_having(m, pc)) {
    const uint64_t ids = lat_not_given(m);
    if (!ids)
      HD_EV(m, lat_full, pc, 0, 0, 0);
    else {
      HD_EV(m, lat_give, pc, hd_lowest(ids), 0, 0);
      s->pc[hd_lowest(ids)] = pc;
      s->used |= ids & -ids;
    }
  }
  return 0;
}

#endif
