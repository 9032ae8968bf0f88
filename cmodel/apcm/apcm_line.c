/* Golden model of APCM at the L1D. Spec: docs/mechanisms/apcm.md.
 *
 * Invariant: what `prot` and `owner` say of a way written in the last cycle counts from the next one on; in this one OUTCOME
 * says it. */
#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

void apcm_line_moore(struct apcm_line *m, struct apcm_line_out *out) {
  const struct apcm_line_st *s = &m->s;
  out->advice_bypass = s->d_apb;
  out->advice_keep = out->pin_new = s->d_keep;
  out->lack_line = s->d_full;
  out->ps_last = s->e_final;
}

/* In the last cycle a load got a line that is to be protected. */
static inline bool protects(const struct apcm_line *m, const struct apcm_line_in *in) {
  return in->outcome_take && m->s.e_keep;
}

void apcm_line_mealy(struct apcm_line *m, const struct apcm_line_in *in, struct apcm_line_out *out) {
  const struct apcm_line_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  if (!d->APCM_P)
    return;
  out->own = (in->outcome_at & s->e_own) != 0;
  out->ps_valid = protects(m, in);
  out->ps_wid = in->outcome_wid;
  out->ps_loop = s->e_final == in->outcome_lid;

  const uint64_t on = in->psb_on | out->ps_valid << in->outcome_wid;
  const bool newer = in->outcome_set == in->look_set && (in->outcome_take | in->outcome_write);
  uint64_t pins = 0;
  for (uint64_t left = s->prot[in->look_set]; left; left &= left - 1)
    pins |= hd_has(on, s->owner_q[hd_lowest(left)]) ? left & -left : 0;
  out->pins = !newer ? pins : (pins & ~in->outcome_at) | (out->ps_valid ? in->outcome_at : 0);
}

/* What is known of c's load. It may name a warp and an id that do not exist. */
static void learn(struct apcm_line *m, const struct apcm_line_in *in) {
  struct apcm_line_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const bool known = in->apcm_en && in->look_valid && in->look_trk && !in->look_write;
  s->d_apb = d->APCM_B && known && hd_has(in->m_bypass, in->look_lid);
  if (s->d_apb)
    HD_EV(m, apcm_line_advise, in->look_lid, d->APCM_P ? in->look_wid : 0, 0, 0);
  s->d_full = d->APCM_F && in->apcm_en;
  if (!d->APCM_P)
    return;
  s->d_final = in->look_lid < d->LAT ? in->m_last[in->look_lid] : 0;
  /* A warp protects for one load at a time. */
  const bool free = !hd_has(in->psb_on, in->look_wid) ||
                    (in->psb_last[in->look_wid] == s->d_final &&
                     hd_has(in->psb_loop, in->look_wid) == (s->d_final == in->look_lid));
  s->d_keep = known && hd_has(in->m_protect, in->look_lid) && free;
}

/* A line was written, or taken. */
static void protect(struct apcm_line *m, const struct apcm_line_in *in) {
  uint64_t *prot = &m->s.prot[in->outcome_set];
  if (protects(m, in)) {
    *prot |= in->outcome_at;
    HD_EV(m, apcm_line_protect, in->outcome_wid, in->outcome_set,
          in->outcome_at ? hd_lowest(in->outcome_at) : 0, 0);
  } else if (in->outcome_take | in->outcome_write)
    *prot &= ~in->outcome_at;
}

/* The macros of `owner` give a row, and take the warp of d's load in that of the way that it takes; `prot` says whether that
 * counts. Of a row that is written and read in one cycle they give garbage: what the hardware's macro gives. */
static void clock_owner(struct apcm_line *m, const struct apcm_line_in *in) {
  struct apcm_line_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  s->owner_n.reads += in->late_read ? d->WAYS : 0;
  if (in->late_read)
    hd_copy(s->owner_q, s->owner + in->late_set * d->WAYS, d->WAYS);
  s->owner_wr = in->late_take ? (int64_t)in->decide_set : -1;
  for (uint64_t left = in->late_take; left; left &= left - 1) {
    const unsigned way = hd_lowest(left);
    s->owner[in->decide_set * d->WAYS + way] = in->decide_wid;
    s->owner_n.writes++;
    if (in->late_read && in->late_set == in->decide_set)
      s->owner_q[way] = ~in->decide_wid & hd_ones(d->WID_W);
  }
}

/* Ways of `set` that warp `wid` brought: those in `before`, but for what OUTCOME tells. */
static uint64_t own_ways(const struct apcm_line_in *in, uint64_t set, uint64_t wid, uint64_t before) {
  if (!in->outcome_take || in->outcome_set != set)
    return before;
  return in->outcome_wid == wid ? before | in->outcome_at : before & ~in->outcome_at;
}

/* Whose lines they are, of the request that is reported next, and of the one in d then. */
static void follow_own(struct apcm_line *m, const struct apcm_line_in *in) {
  struct apcm_line_st *s = &m->s;
  uint64_t read = 0;
  for (unsigned w = 0; w < m->base.c->d.WAYS; w++)
    read |= (uint64_t)(s->owner_q[w] == in->look_wid) << w;
  s->e_own = own_ways(in, in->decide_set, in->decide_wid, s->d_own);
  s->d_own = in->late_advance ? own_ways(in, in->look_set, in->look_wid, read) : s->e_own;
}

uint64_t apcm_line_tick(struct apcm_line *m, const struct apcm_line_in *in) {
  struct apcm_line_st *s = &m->s;
  if (m->base.c->d.APCM_P) {
    protect(m, in);
    if (m->base.c->d.APCM_O)
      follow_own(m, in); /* of the row that was read before */
    clock_owner(m, in);
    s->e_keep = s->d_keep;
    s->e_final = s->d_final;
  }
  if (in->late_advance)
    learn(m, in);
  return 0;
}
