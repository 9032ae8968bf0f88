/* What the L1D does by the access patterns of loads (APCM), and what APCM is compared with (PCAL, PD): who is to
 * bypass, which ways are pinned, what is told of a request that is done. Spec: docs/mechanisms/l1d.md; part of the
 * model in cmodel/l1d/l1d.c.
 *
 * Invariant: where ways may be pinned lines come and go on_miss and there is no prefetcher, so a tag written in a
 * cycle is that of d's load. A load that is neither early nor stuck finds a way that is neither reserved nor pinned. */
#ifndef HEDDLE_CMODEL_L1D_L1D_PIN_H
#define HEDDLE_CMODEL_L1D_L1D_PIN_H

#include "cmodel/l1d/l1d_sets.h"
#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

/* ---- Loads whose pattern is known ---- */

/* What is known of c's load. */
struct l1d_pattern {
  uint64_t bypass, keep, final, poor;
};

/* From the registers and ports at the start of the cycle. While c is empty, it may name a warp and an id that nobody
 * has. */
static inline struct l1d_pattern l1d_pattern(const struct l1d *m, const struct l1d_in *in) {
  const struct hd_derived *d = &m->base.c->d;
  const struct req *c = &m->s.c;
  const bool known = d->APCM && in->apcm_en && c->trk && !c->write;
  struct l1d_pattern p = {.bypass = d->APCM_B && known && hd_has(in->m_bypass, c->lid),
                          .poor = d->PCAL && !c->write && !hd_has(in->token, c->wid)};
  if (!d->APCM_P)
    return p;
  p.final = c->lid < d->LAT ? in->m_last[c->lid] : 0;
  /* A warp protects for one load at a time. */
  const bool free = !hd_has(in->psb_on, c->wid) ||
                    (in->psb_last[c->wid] == p.final && hd_has(in->psb_loop, c->wid) == (p.final == c->lid));
  p.keep = known && hd_has(in->m_protect, c->lid) && free;
  return p;
}

/* Before c moves into d, when d's pattern is needed no more. */
static inline void l1d_learn_pattern(struct l1d *m, const struct l1d_in *in) {
  struct l1d_st *s = &m->s;
  if (!(m->base.c->d.APCM | m->base.c->d.PCAL))
    return;
  const struct l1d_pattern p = l1d_pattern(m, in);
  s->d_apb = p.bypass;
  s->d_keep = p.keep;
  s->d_final = p.final;
  s->d_poor = p.poor;
}

/* d is empty, and what it knows is still to follow c and the ports. */
static inline bool l1d_pattern_anew(const struct l1d *m, const struct l1d_in *in) {
  const struct l1d_st *s = &m->s;
  if (!(m->base.c->d.APCM | m->base.c->d.PCAL))
    return false;
  const struct l1d_pattern p = l1d_pattern(m, in);
  return p.bypass != s->d_apb || p.keep != s->d_keep || p.final != s->d_final || p.poor != s->d_poor;
}

/* d's load is early: those who want it so are counted. */
static inline void l1d_early_by(struct l1d *m) {
  const struct l1d_st *s = &m->s;
  if (s->d_apb)
    HD_EV(m, l1d_early_apcm, s->d.wid, s->d.line, s->d.lid, 0);
  if (s->d_poor)
    HD_EV(m, l1d_early_pcal, s->d.wid, s->d.line, 0, 0);
  HD_EV(m, l1d_early, s->d.wid, s->d.line, s->d.byp, s->d_rft);
}

/* ---- Pinned ways ---- */

/* The ways of c's set whose lines are protected, at the start of the cycle. */
static inline uint64_t l1d_pinned(const struct l1d *m, const struct l1d_in *in) {
  const struct l1d_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  uint64_t pinned = 0;
  if (!s->c_valid)
    return 0;
  if (d->PD) {
    for (unsigned way = 0; way < d->WAYS; way++)
      pinned |= (uint64_t)(s->aged[s->c_set * d->WAYS + way] < d->DISTANCE) << way;
    return pinned;
  }
  const uint64_t on = in->psb_on | s->ps_v << s->ps_w;
  for (uint64_t left = s->prot[s->c_set]; left; left &= left - 1)
    pinned |= hd_has(on, s->owner[s->c_set * d->WAYS + hd_lowest(left)]) ? left & -left : 0;
  return pinned;
}

/* Before c and its pattern move into d, after the decision: `pinned` is the word of l1d_pinned. */
static inline void l1d_learn_pins(struct l1d *m, uint64_t pinned) {
  struct l1d_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  if (s->tags_wr >= 0 && s->d_set == s->c_set)
    pinned = hd_with(pinned, s->mshr_way[(uint64_t)s->merged_wr / d->MERGE], d->PD || s->d_keep);
  s->d_pin = s->c_valid ? pinned : 0;
}

/* No way of d's set can be had, and waiting would not help. Without a d there is no d_pin. */
static inline bool l1d_stuck(const struct l1d *m) {
  const struct l1d_st *s = &m->s;
  const uint64_t taken = l1d_reserved(m, s->d_set) | (s->valid[s->d_set] & s->d_pin);
  return s->d_pin && taken == l1d_all_ways(m);
}

/* ---- What is told of a load's request ---- */

/* Before anything else of the cycle. */
static inline void l1d_pin_tick(struct l1d *m) {
  m->s.x_valid = m->s.ps_v = 0;
  m->s.owner_wr = -1;
}

static inline void l1d_show_told(const struct l1d *m, struct l1d_out *out) {
  const struct l1d_st *s = &m->s;
  out->ps_valid = s->ps_v;
  out->ps_wid = s->ps_w;
  out->ps_last = s->ps_f;
  out->ps_loop = s->ps_l;
  out->acc_valid = s->x_valid;
  out->acc = s->x;
  out->acc_last = s->x_last;
}

/* d's load got the way, and may keep it. */
static inline void l1d_protect(struct l1d *m, unsigned way) {
  struct l1d_st *s = &m->s;
  s->prot[s->d_set] = hd_with(s->prot[s->d_set], way, s->d_keep);
  if (!s->d_keep)
    return;
  s->owner[s->d_set * m->base.c->d.WAYS + way] = s->d.wid;
  s->owner_wr = (int64_t)s->d_set;
  s->ps_v = 1;
  s->ps_w = s->d.wid;
  s->ps_f = s->d_final;
  s->ps_l = s->d_final == s->d.lid;
  HD_EV(m, l1d_protect, s->d.wid, s->d.line, s->d_set, way);
}

/* d's load is done, in whatever way. */
static inline void l1d_tell(struct l1d *m) {
  struct l1d_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t row = s->d_set * d->WAYS;
  /* It hit, or waits in an MSHR for its line; else it bypassed. */
  const bool stays = s->d_hit || s->merged_wr >= 0;
  const unsigned way = s->d_hit ? hd_lowest(s->d_hit)
                       : stays  ? (unsigned)s->mshr_way[(uint64_t)s->merged_wr / d->MERGE]
                                : 0;
  if (d->APCM) {
    s->x_valid = 1;
    s->x =
        (struct access){.wid = s->d.wid,
                        .trk = s->d.trk,
                        .lid = s->d.lid,
                        .two = s->d.num < 2,
                        .line = s->d.line,
                        .count = stays ? s->rr[row + way] : 0}; /* this reference counted; 0 after a miss */
    s->x_last = s->d.last;
  }
  if (d->APCM_P && s->tags_wr >= 0)
    l1d_protect(m, way);
  if (!d->PD)
    return;
  for (unsigned w = 0; w < d->WAYS; w++)
    s->aged[row + w] += s->aged[row + w] < d->DISTANCE;
  if (stays)
    s->aged[row + way] = 0;
}

#endif
