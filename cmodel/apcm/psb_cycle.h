/* One cycle of the golden model of the protection status board. Spec: docs/mechanisms/apcm.md.
 *
 * Invariant: a warp's `last` and `loop` do not change while the warp protects.
 *
 * Inlined: measured in cmodel/apcm/apcm_line_cycle.h. */
#ifndef HEDDLE_CMODEL_APCM_PSB_CYCLE_H
#define HEDDLE_CMODEL_APCM_PSB_CYCLE_H

#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

/* Returns the id of the load that ends the protection of warp w; 0 if the warp does not exist. */
static inline uint64_t psb_last_of(const struct psb *m, uint64_t w) {
  return w < m->base.c->d.WARPS ? m->s.last[w] : 0;
}

/* Returns the warps that stop protecting. */
static inline uint64_t psb_released(struct psb *m, const struct psb_in *in) {
  const struct psb_st *s = &m->s;
  const uint64_t exits = in->exit & s->on;
  uint64_t set = exits;
  if (!s->on)
    return 0;
  if (in->acc_valid && in->acc_trk && in->acc_last && hd_has(s->on & ~s->loop, in->acc_wid) &&
      psb_last_of(m, in->acc_wid) == in->acc_lid) {
    HD_EV(m, psb_release_load, in->acc_wid, in->acc_lid, 0, 0);
    set |= hd_bit(in->acc_wid);
  }
  if (s->l_valid && hd_has(s->on & s->loop, s->l_wid) && psb_last_of(m, s->l_wid) == s->l_id &&
      s->l_to <= in->ask_pc && in->ask_pc <= s->l_from) {
    HD_EV(m, psb_release_loop, s->l_wid, s->l_id, 0, 0);
    set |= hd_bit(s->l_wid);
  }
  for (uint64_t left = exits; left; left &= left - 1)
    HD_EV(m, psb_release_exit, hd_lowest(left), 0, 0, 0);
  return set;
}

/* Puts a warp on the board whose request got a line to protect. */
static inline void psb_protect(struct psb *m, const struct psb_in *in) {
  struct psb_st *s = &m->s;
  const uint64_t w = in->ps_wid;
  if (hd_has(s->on, w)) {
    if (s->last[w] != in->ps_last || hd_has(s->loop, w) != in->ps_loop)
      HD_EV(m, psb_other, w, s->last[w], in->ps_last, 0);
    return;
  }
  s->last[w] = in->ps_last;
  s->loop = hd_with(s->loop, w, in->ps_loop);
  if (hd_has(in->exit, w))
    return;
  s->on |= hd_bit(w);
  if (in->ps_loop)
    HD_EV(m, psb_set_loop, w, in->ps_last, 0, 0);
  else
    HD_EV(m, psb_set, w, in->ps_last, 0, 0);
}

static inline uint64_t psb_cycle(struct psb *m, const struct psb_in *in) {
  struct psb_st *s = &m->s;
  if (!HD_WATCHED && !(s->on | s->l_valid | in->ps_valid | in->leave_valid | in->clear))
    return 0; /* no warp protects or begins to, and nothing reads the other registers */
  const uint64_t l_id = psb_last_of(m, in->leave_wid);
  if (in->clear) {
    HD_EV(m, psb_clear, 0, 0, 0, 0);
    s->on = 0;
  } else {
    const uint64_t gone = psb_released(m, in);
    if (in->ps_valid && in->ps_wid < m->base.c->d.WARPS)
      psb_protect(m, in);
    s->on &= ~gone; /* not a warp that has just begun to protect */
  }
  s->l_valid = in->leave_valid && !in->clear;
  s->l_wid = in->leave_wid;
  s->l_from = in->leave_from;
  s->l_to = in->leave_to;
  s->l_id = l_id;
  return s->l_valid || l_id != psb_last_of(m, s->l_wid) ? HD_MOVES : 0;
}

#endif
