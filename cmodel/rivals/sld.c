/* Golden model of spatial locality detection. Spec: docs/mechanisms/rivals.md.
 *
 * Invariant: a block has at most one entry; `used` orders the entries in use. */
#include "cmodel/rivals/ports.h"

/* Allocates an entry for a block, and returns it. No line of the block is seen yet. */
static unsigned replace(struct sld *m, uint64_t block) {
  struct sld_st *s = &m->s;
  unsigned entry = 0;
  for (unsigned i = 0; i < m->base.c->d.PT && s->seen[entry]; i++)
    if (!s->seen[i] || s->used[i] < s->used[entry])
      entry = i;
  s->block[entry] = block;
  s->seen[entry] = 0;
  return entry;
}

static unsigned entry_of(struct sld *m, uint64_t block) {
  for (unsigned i = 0; i < m->base.c->d.PT; i++)
    if (m->s.seen[i] && m->s.block[i] == block)
      return i;
  return replace(m, block);
}

/* Prefetches the other lines of a block of which a second line was just seen. */
static void detect(struct sld *m, unsigned entry) {
  struct sld_st *s = &m->s;
  const uint64_t others = hd_ones(SLD_LINES) & ~s->seen[entry];
  s->seen[entry] = hd_ones(SLD_LINES);
  if (s->pf_v) {
    HD_EV(m, sld_busy, s->block[entry], 0, 0, 0);
    return;
  }
  HD_EV(m, sld_detect, s->block[entry], others, 0, 0);
  s->pf_block = s->block[entry];
  s->pf_v = others;
}

static void take(struct sld *m, uint64_t line) {
  struct sld_st *s = &m->s;
  const unsigned entry = entry_of(m, line / SLD_LINES);
  const uint64_t before = s->seen[entry];
  HD_EV(m, sld_take, line, 0, 0, 0);
  s->seen[entry] |= hd_bit(line % SLD_LINES);
  s->used[entry] = s->clock;
  s->clock = (s->clock + 1) & UINT32_MAX;
  if (s->seen[entry] != before && __builtin_popcountll(s->seen[entry]) == 2)
    detect(m, entry);
}

void sld_moore(struct sld *m, struct sld_out *out) {
  out->pf_valid = sld_pf_valid(m);
  out->pf_line = sld_pf_line(m);
}

uint64_t sld_tick(struct sld *m, const struct sld_in *in) {
  if (in->pf_ready)
    m->s.pf_v &= m->s.pf_v - 1; /* 0 stays 0 */
  if (in->en && in->ev_valid)
    take(m, in->ev_line);
  if (in->clear) {
    HD_EV(m, sld_clear, 0, 0, 0, 0);
    for (unsigned i = 0; i < m->base.c->d.PT; i++)
      m->s.seen[i] = 0;
  }
  return 0;
}
