/* The lines of the L1D, and their sectors if a miss fetches one sector. Spec: docs/mechanisms/sectored.md; part of
 * the model in cmodel/l1d/l1d.c.
 *
 * Invariant: a machine without sectors in its lines has `valid` and `reserved`, and its d_there is 0. Other machines
 * have `sector_valid` and `sector_reserved`.
 *
 * Inlined: with calls instead, heddle sim executes 0.8 % more instructions (fermi_16k, which has no sectors, on atax:tiny). */
#ifndef HEDDLE_CMODEL_L1D_L1D_SECTORS_H
#define HEDDLE_CMODEL_L1D_L1D_SECTORS_H

#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

/* Combines the sector rows of a set. Bit w: the line in way w has some sector. */
static inline uint64_t l1d_any_sector(const struct l1d *m, const uint64_t *rows, uint64_t set) {
  const unsigned sectors = m->base.c->d.SECTORS;
  uint64_t any = 0;
  for (unsigned p = 0; p < sectors; p++)
    any |= rows[set * sectors + p];
  return any;
}

/* The ways whose lines wait for a fill, and the ways whose lines hold data. */
static inline uint64_t l1d_reserved(const struct l1d *m, uint64_t set) {
  if (HD_IS(m, SECTOR_FILL))
    return l1d_any_sector(m, m->s.sector_reserved, set);
  return HD_IS(m, ON_MISS) ? m->s.reserved[set] : 0;
}
static inline uint64_t l1d_valid(const struct l1d *m, uint64_t set) {
  return HD_IS(m, SECTOR_FILL) ? l1d_any_sector(m, m->s.sector_valid, set) : m->s.valid[set];
}

/* The sector of a request, and the row of a request's or a fill's sector. */
static inline uint64_t l1d_sector(const struct req *r) {
  return hd_lowest(r->sectors);
}
static inline uint64_t l1d_row(const struct l1d *m, uint64_t set, uint64_t sector) {
  return set * m->base.c->d.SECTORS + sector;
}

/* The bits of d's set that say in which ways d's line, or its sector, holds data. */
static inline uint64_t *l1d_valid_of_d(struct l1d *m) {
  struct l1d_st *s = &m->s;
  return HD_IS(m, SECTOR_FILL) ? &s->sector_valid[l1d_row(m, s->d_set, l1d_sector(&s->d))]
                               : &s->valid[s->d_set];
}

/* The same bits for f's fill, and the bits of the ways that wait for it (on_miss only). */
static inline uint64_t *l1d_valid_of_f(struct l1d *m) {
  struct l1d_st *s = &m->s;
  return HD_IS(m, SECTOR_FILL) ? &s->sector_valid[l1d_row(m, s->f_set, s->f_sector)] : &s->valid[s->f_set];
}
static inline uint64_t *l1d_reserved_of_f(struct l1d *m) {
  struct l1d_st *s = &m->s;
  return HD_IS(m, SECTOR_FILL) ? &s->sector_reserved[l1d_row(m, s->f_set, s->f_sector)]
                               : &s->reserved[s->f_set];
}

/* Marks the line in the way as holding no data. */
static inline void l1d_empty(struct l1d *m, uint64_t set, unsigned way) {
  struct l1d_st *s = &m->s;
  if (!HD_IS(m, SECTOR_FILL))
    s->valid[set] &= ~hd_bit(way);
  for (unsigned p = 0; HD_IS(m, SECTOR_FILL) && p < m->base.c->d.SECTORS; p++)
    s->sector_valid[l1d_row(m, set, p)] &= ~hd_bit(way);
}

/* Called when a sector of the line has gone. The line goes with its last sector. */
static inline void l1d_sector_gone(struct l1d *m, uint64_t line, uint64_t set, unsigned way) {
  if (HD_IS(m, SECTOR_FILL) && !hd_has(l1d_valid(m, set) | l1d_reserved(m, set), way))
    HD_EV(m, l1d_sector_last, line, set, way, 0);
}

/* Called when f's fill has ended the wait of its sector, in this way. Other sectors of the line may still wait. */
static inline void l1d_sector_come(struct l1d *m, uint64_t mshr, uint64_t line, uint64_t set, unsigned way) {
  if (HD_IS(m, SECTOR_FILL) && hd_has(l1d_reserved(m, set), way))
    HD_EV(m, l1d_fill_beside, mshr, line, set, way);
}

/* Called for d's miss of a line that already has a way: no other line is evicted. */
static inline void l1d_sector_missed(struct l1d *m, unsigned way) {
  const struct l1d_st *s = &m->s;
  HD_EV(m, l1d_sector_miss, s->d.wid, s->d.line, s->d_set, way);
  if (!hd_has(l1d_valid(m, s->d_set) | l1d_reserved(m, s->d_set), way))
    HD_EV(m, l1d_sector_back, s->d.line, s->d_set, way, 0);
}

#endif
