/* What prefetches add to the L1D; see l1d_prefetch.h. */
#include "cmodel/l1d/l1d_prefetch.h"

bool l1d_line_goes(struct l1d *m, uint64_t set, unsigned way) {
  if (!m->base.c->d.PREF || !hd_has(m->s.pf[set], way))
    return false;
  HD_EV(m, l1d_pf_lost, set, way, 0, 0);
  return true;
}

void l1d_line_hit(struct l1d *m, uint64_t set, unsigned way) {
  const struct req *d = &m->s.d;
  if (!m->base.c->d.PREF || !hd_has(m->s.pf[set], way))
    return;
  m->s.pf[set] &= ~hd_bit(way);
  m->s.pf_c |= 1;
  HD_EV(m, l1d_pf_useful, d->wid, d->line, set, way);
}

void l1d_mshr_hit(struct l1d *m, unsigned mshr) {
  if (!hd_has(m->s.mshr_pf, mshr))
    return;
  m->s.mshr_pf &= ~hd_bit(mshr);
  m->s.pf_c |= 2;
  HD_EV(m, l1d_pf_late, m->s.d.wid, m->s.d.line, mshr, 0);
}

void l1d_flush(struct l1d *m) {
  struct l1d_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  HD_EV(m, l1d_flush, 0, 0, 0, 0);
  for (unsigned set = 0; d->PREF && set < d->SETS; set++)
    for (uint64_t lost = s->valid[set] & s->pf[set]; lost; lost &= lost - 1)
      HD_EV(m, l1d_pf_lost, set, hd_lowest(lost), 0, 0);
  if (d->SECTOR_FILL)
    memset(s->sector_valid, 0, d->SETS * d->SECTORS * sizeof *s->sector_valid);
  else
    memset(s->valid, 0, d->SETS * sizeof *s->valid);
  s->mshr_dead |= s->mshr_wait;
  if (s->d_valid)
    HD_EV(m, l1d_pf_flush, s->d.line, 0, 0, 0);
  if (s->c_valid)
    HD_EV(m, l1d_pf_flush, s->c.line, 0, 0, 0);
  if (s->p_valid)
    HD_EV(m, l1d_pf_flush, s->p_line, 0, 0, 0);
  s->d_valid = s->c_valid = 0;
}
