/* One cycle of the golden model of LAWS, the locality-aware warp scheduler. Spec: docs/mechanisms/laws.md.
 *
 * Invariant: the picks are functions of the registers, `en`, `ready`, and the withheld and preferred warps. laws_say
 * makes them once a cycle. A wrong bit in any table only makes the model pick another warp: groups hold no warp that
 * does not exist, and each scheduler picks one of its own ready warps whenever it has one.
 *
 * Inlined: with calls instead, heddle sim executes 3.1 % more instructions: 2 headers refer here (apres on syrk:tiny and
 * gemm:ni=128,nj=128,nk=32). */
#ifndef HEDDLE_CMODEL_APRES_LAWS_CYCLE_H
#define HEDDLE_CMODEL_APRES_LAWS_CYCLE_H

#include "cmodel/apres/laws_queue.h"
#include "cmodel/sm/sched_pick.h"

/* Returns the warp that scheduler s issues, or NO_WARP. */
static inline unsigned laws_pick(const struct laws *m, const struct laws_in *in, unsigned s) {
  const bool boosting = HD_SOME(m->base.c, PREFERS) && in->boosting;
  const uint64_t own = sched_among(m->base.c, in->ready & ~in->withhold, in->prefer, boosting, s);
  if (!own)
    return NO_WARP;
  const unsigned first = in->en ? laws_first(m, own) : LAWS_NOBODY;
  return first == LAWS_NOBODY ? sched_lrr(m->base.c, own, m->s.last[s], s) : first;
}

/* Returns the group that the feedback is for. */
static inline uint64_t laws_group(const struct laws *m, const struct laws_in *in) {
  return in->fb_gid <= m->base.c->d.WGT ? m->s.wgt[in->fb_gid - 1] : 0;
}

/* Returns the free entries of the warp group table. */
static inline uint64_t laws_free_entries(const struct laws *m) {
  return hd_ones(m->base.c->d.WGT) & ~m->s.wgt_valid;
}

static inline void laws_show(struct laws *m, struct laws_out *out) {
  const uint64_t free = laws_free_entries(m);
  out->load_gid = free ? hd_lowest(free) + 1 : 0;
}

static inline void laws_say(struct laws *m, const struct laws_in *in, struct laws_out *out) {
  for (unsigned s = 0; s < HD_IS(m, SCHEDS); s++)
    sched_note(&m->base, out->pick_valid, out->pick_wid, s, laws_pick(m, in, s));
  if (HD_IS(m, GROUPED)) {
    out->miss_valid = in->en & in->fb_valid & (in->fb_gid != 0) & !in->fb_hit;
    out->miss_group = out->miss_valid ? laws_group(m, in) : 0;
  }
}

static inline void laws_issue(struct laws *m, const struct laws_in *in) {
  const uint64_t may = in->ready & ~in->withhold;
  const bool boosting = HD_SOME(m->base.c, PREFERS) && in->boosting;
  for (unsigned s = 0; s < HD_IS(m, SCHEDS); s++) {
    const uint64_t first = sched_first(m->base.c, may, in->prefer, boosting, s);
    const unsigned wid = sched_noted(&m->base, s);
    const bool held = HD_SOME(m->base.c, PICKS) && sched_held(m->base.c, in->ready, may, s);
    SCHED_TELL(laws, m, s, held, first, wid);
    if (wid == NO_WARP)
      continue;
    m->s.last[s] = wid / HD_IS(m, SCHEDS);
  }
}

/* Returns the warps of a group that go to the tail after a miss (D-LAWS-8). */
static inline uint64_t laws_follow(const struct laws *m, const struct laws_in *in) {
  switch (m->base.c->laws.on_miss) {
  case HD_MISS_GROUP:
    return UINT64_MAX;
  case HD_MISS_OTHERS:
    return ~hd_bit(in->fb_wid);
  case HD_MISS_NOBODY:
    break;
  }
  return 0;
}

static inline void laws_feedback(struct laws *m, const struct laws_in *in) {
  const uint64_t e = in->fb_gid - 1, warps = laws_group(m, in);
  if (in->fb_hit) {
    HD_EV(m, laws_head, e, warps, 0, 0);
    laws_to_head(m, warps);
  } else {
    HD_EV(m, laws_tail, e, warps, 0, 0);
    laws_to_tail(m, warps & laws_follow(m, in));
  }
}

static inline void laws_target(struct laws *m, uint64_t wid) {
  HD_EV(m, laws_target, wid, 0, 0, 0);
  laws_to_head(m, hd_bit(wid) & hd_ones(m->base.c->d.WARPS));
}

/* Forms the group: the second cycle of a load that got an entry. */
static inline void laws_form(struct laws *m) {
  struct laws_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t same = s->g_known ? hd_places(s->llt, d->WARPS, s->g_pc) & s->llt_valid : 0;
  const uint64_t warps = same | (hd_bit(s->g_wid) & hd_ones(d->WARPS));
  const uint64_t others = warps & ~hd_bit(s->g_wid);
  if (others)
    HD_EV(m, laws_merge, s->g_at, others, 0, 0);
  HD_EV(m, laws_form, s->g_at, warps, 0, 0);
  if (s->g_at < m->base.c->d.WGT)
    s->wgt[s->g_at] = warps;
}

/* The first cycle of a load. `free`: the free entries at the start of the cycle. */
static inline void laws_load(struct laws *m, const struct laws_in *in, uint64_t free) {
  struct laws_st *s = &m->s;
  const uint64_t w = in->load_wid;
  if (free) {
    const unsigned e = hd_lowest(free);
    HD_EV(m, laws_load, w, in->load_pc, e, 0);
    s->wgt_valid |= hd_bit(e);
    s->g_valid = 1;
    s->g_at = e;
    s->g_wid = w;
    s->g_known = hd_has(s->llt_valid, w);
    s->g_pc = s->llt[w];
  } else
    HD_EV(m, laws_ungrouped, w, in->load_pc, 0, 0);
  s->llt_valid |= hd_bit(w);
  s->llt[w] = in->load_pc;
}

static inline uint64_t laws_cycle(struct laws *m, const struct laws_in *in) {
  struct laws_st *s = &m->s;
  const uint64_t free = laws_free_entries(m);
  laws_issue(m, in);
  /* In this order each step reads its table as it was before the edge. Feedback reads the group before a new one is
   * formed. Forming a group searches the last loads before a new one is noted. */
  if (in->fb_valid && in->fb_gid)
    laws_feedback(m, in);
  if (HD_IS(m, GROUPED) && in->tgt_valid)
    laws_target(m, in->tgt_wid);
  if (s->g_valid)
    laws_form(m);
  s->g_valid = 0;
  if (in->load_valid)
    laws_load(m, in, free);
  if (in->fb_valid && in->fb_gid)
    s->wgt_valid &= ~hd_bit(in->fb_gid - 1);
  if (in->launch_valid) {
    HD_EV(m, laws_launch, in->launch_warps, 0, 0, 0);
    s->llt_valid &= ~in->launch_warps;
  }
  return s->g_valid ? HD_MOVES : hd_bit(EV_laws_idle); /* everything else needs a handshake */
}

#endif
