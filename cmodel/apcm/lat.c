/* Golden model of the load alias table. Spec: docs/mechanisms/apcm.md.
 *
 * Invariant: no two ids that are given have the same program counter. */
#include "cmodel/apcm/ports.h"

/* The ids that have this program counter: one at most. */
static uint64_t having(const struct lat *m, uint64_t pc) {
  return hd_places(m->s.pc, m->base.c->d.LAT, pc) & m->s.used;
}

static inline uint64_t not_given(const struct lat *m) {
  return hd_ones(m->base.c->d.LAT) & ~m->s.used;
}

/* The id of one, the ids of several (which only a fault makes) in one word. */
static uint64_t id_of(uint64_t same) {
  uint64_t id = 0;
  for (; same; same &= same - 1)
    id |= hd_lowest(same);
  return id;
}

/* Every output is MEALY. */
void lat_moore(struct lat *m, struct lat_out *out) {
  (void)m;
  (void)out;
}

void lat_mealy(struct lat *m, const struct lat_in *in, struct lat_out *out) {
  const uint64_t own = having(m, in->load_pc), ids = own ? own : not_given(m);
  out->load_trk = ids != 0;
  out->load_lid = own ? id_of(own) : ids ? hd_lowest(ids) : 0;
  out->ask_pc = lat_ask_pc(m, in->ask_id);
}

uint64_t lat_tick(struct lat *m, const struct lat_in *in) {
  struct lat_st *s = &m->s;
  const uint64_t pc = in->load_pc;
  if (in->clear) {
    HD_EV(m, lat_clear, 0, 0, 0, 0);
    s->used = 0;
  } else if (in->load_valid && !having(m, pc)) {
    const uint64_t ids = not_given(m);
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
