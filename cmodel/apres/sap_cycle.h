/* One cycle of the golden model of the stride prefetchers, SAP and STR: learning, and the cycle. Spec:
 * docs/mechanisms/sap.md.
 *
 * Invariant: signed numbers are kept in two's complement in the bits of their registers. The stages run from the last
 * to the first, so that each reads its input as it was at the start of the cycle. `pt_lru` is a total order of the
 * entries, from reset on, and `l_at` has one entry. If a fault breaks that, or makes an index point outside the
 * queue, nothing outside the tables is touched.
 *
 * Inlined: measured in cmodel/apres/laws_cycle.h. */
#ifndef HEDDLE_CMODEL_APRES_SAP_CYCLE_H
#define HEDDLE_CMODEL_APRES_SAP_CYCLE_H

#include "cmodel/apres/sap_prefetch.h"
#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"
#include "cmodel/model/pairs.h"

static inline uint64_t sap_after(uint64_t place, const struct hd_derived *d) {
  return hd_next(place, d->DRQ, d->DRQ_W);
}

/* (i, j) = entry i was used after entry j. */
static inline struct hd_pairs sap_used(const struct sap *m) {
  const struct hd_derived *d = &m->base.c->d;
  return (struct hd_pairs){m->s.pt_lru, d->PT_N, d->PT_C, d->PT};
}

/* ---- The stages of learning ---- */

/* Returns the warps that an event may prefetch for. */
static inline uint64_t sap_members(const struct sap *m) {
  const struct sap_st *s = &m->s;
  const struct hd_config *c = m->base.c;
  const uint64_t all = hd_ones(c->d.WARPS), w = s->e.wid;
  uint64_t warps = c->d.GROUPED ? s->e.group : all;
  if (c->prefetch.kind == HD_PF_STR)
    warps = all & hd_ones(w + 1 + c->d.DEGREE) & ~hd_ones(w + 1);
  warps &= ~hd_bit(w);
  if (!c->d.CUT)
    return warps;
  for (uint64_t left = warps; left; left &= left - 1)
    if (s->cta[hd_lowest(left)] != s->e_cta)
      warps &= ~(left & -left);
  return warps;
}

/* Returns the entries of the events in the stages behind *look*. Called before these stages do this cycle's work. */
static inline uint64_t sap_entries_ahead(const struct sap *m) {
  const struct sap_st *s = &m->s;
  uint64_t entries = (s->l_v ? s->l_at : 0) | s->o_v << s->o_at | s->d_v << s->d_at;
  const unsigned last = m->base.c->d.DIV_N;
  for (uint64_t left = s->x_v & hd_ones(last); left; left &= left - 1)
    entries |= hd_bit(s->x_at[hd_lowest(left)]);
  return hd_has(s->x_v, last) ? entries | s->x_entry : entries;
}

/* Allocates the entry for a load that the table does not know (D-SAP-1). */
static inline unsigned sap_learn(struct sap *m) {
  struct sap_st *s = &m->s;
  const uint64_t all = hd_ones(m->base.c->d.PT), free = all & ~s->pt_valid, pc = s->e.pc;
  const struct hd_pairs order = sap_used(m);
  const unsigned entry = free ? hd_lowest(free) : hd_pairs_find(&order, all, false);
  if (!free)
    HD_EV(m, sap_replace, entry, pc, 0, 0);
  HD_EV(m, sap_learn, pc, entry, 0, 0);
  s->pt_valid |= hd_bit(entry);
  s->pt_pc[entry] = pc;
  return entry;
}

/* Gives the event a row of the queue. Returns false if the queue is full. */
static inline bool sap_push(struct sap *m) {
  struct sap_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  if (s->drq_count == d->DRQ)
    return false;
  if (s->drq_tail < d->DRQ) {
    s->drq[s->drq_tail] = (struct demand){.wid = s->e.wid, .addr = s->e.addr, .members = sap_members(m)};
    s->drq_wr = (int64_t)s->drq_tail;
    HD_COUNT(s->drq_n.writes, 1);
  }
  s->drq_tail = sap_after(s->drq_tail, d);
  return true;
}

/* Takes an event, and looks it up in the table and the CTA slots as this cycle leaves them. */
static inline void sap_arrive(struct sap *m, const struct load_event *ev) {
  struct sap_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  HD_EV(m, sap_take, ev->wid, ev->pc, ev->addr, 0);
  s->e = *ev;
  s->e_at = hd_places(s->pt_pc, d->PT, ev->pc) & s->pt_valid;
  if (HD_IS(m, CUT))
    s->e_cta = ev->wid < d->WARPS ? s->cta[ev->wid] : 0;
}

static inline void sap_look(struct sap *m, uint64_t ahead) {
  struct sap_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t hits = s->e_at;
  s->l_new = !hits;
  s->l_at = hits ? hits : hd_bit(sap_learn(m));
  if (s->l_at & ahead)
    HD_EV(m, sap_follow, hd_lowest(s->l_at), 0, 0, 0);
  const struct hd_pairs order = sap_used(m);
  for (unsigned i = d->PT;
       i-- > 0;) /* after a fault two may match: then the lower one is the most recently used */
    if (hd_has(s->l_at, i))
      hd_pairs_put(&order, i, true);
  s->l_wid = s->e.wid;
  s->l_addr = s->e.addr;
  if (HD_IS(m, CUT))
    s->l_cta = s->e_cta;
}

static inline void sap_select_entry(struct sap *m) {
  struct sap_st *s = &m->s;
  uint64_t cta = 0;
  s->o_at = s->o_old_wid = s->o_old_addr = 0;
  for (uint64_t at = s->l_at; at; at &= at - 1) {
    const unsigned i = hd_lowest(at);
    s->o_at |= i;
    s->o_old_wid |= s->pt_wid[i];
    s->o_old_addr |= s->pt_addr[i];
    s->pt_wid[i] = s->l_wid;
    s->pt_addr[i] = s->l_addr;
    if (HD_IS(m, CUT)) {
      cta |= s->pt_cta[i];
      s->pt_cta[i] = s->l_cta;
    }
  }
  s->o_far = HD_IS(m, CUT) && cta != s->l_cta;
  s->o_wid = s->l_wid;
  s->o_addr = s->l_addr;
  s->o_new = s->l_new;
  s->o_row = s->l_row;
}

static inline void sap_differ(struct sap *m) {
  struct sap_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  s->d_dist = (s->o_addr - s->o_old_addr) & hd_ones(d->STRIDE_W);
  s->d_n = (s->o_wid - s->o_old_wid) & hd_ones(d->WID_W + 1);
  s->d_go = !s->o_new && s->d_n && !s->o_far;
  if (!s->o_new && !s->d_n)
    HD_EV(m, sap_same_warp, s->o_at, s->o_wid, 0, 0);
  else if (!s->o_new && s->o_far)
    HD_EV(m, sap_other_cta, s->o_at, s->o_wid, 0, 0);
  s->d_at = s->o_at;
  s->d_new = s->o_new;
  s->d_row = s->o_row;
}

/* Stage 0 of the divider. */
static inline void sap_align(struct sap *m) {
  struct sap_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t n = s->d_n & hd_ones(d->WID_W);
  const unsigned twos = n ? hd_lowest(n) : 0, zeros = n ? twos : d->WID_W;
  s->x_x[0] = hd_shifted(s->d_dist, d->STRIDE_W, twos) & hd_ones(d->STRIDE_W);
  s->x_h[0] = hd_shifted(s->d_n, d->WID_W + 1, twos + 1) & hd_ones(d->WID_W);
  s->x_rest = hd_with(s->x_rest, 0, (s->d_dist & hd_ones(zeros)) != 0);
  s->x_at[0] = s->d_at;
  s->x_go = hd_with(s->x_go, 0, s->d_go);
  s->x_new = hd_with(s->x_new, 0, s->d_new);
  s->x_row = hd_with(s->x_row, 0, s->d_row);
}

static inline int64_t sap_divisor(const struct sap *m, unsigned stage) {
  return 2 * (int64_t)hd_extend(m->s.x_h[stage], m->base.c->d.WID_W) + 1;
}

static inline void sap_divide(struct sap *m, unsigned i) {
  struct sap_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const unsigned bits = i + 1 < d->DIV_N ? d->DIGIT_W : d->ADDR_W - d->DIGIT_W * i;
  const uint64_t sign = s->x_x[i] & hd_bit(d->ADDR_W), low = s->x_x[i] & hd_ones(d->ADDR_W);
  const int64_t by = sap_divisor(m, i);
  int64_t c = i ? (int64_t)hd_extend(s->x_c[i - 1], d->WID_W + 1) : 0;
  uint64_t quotient = 0;
  for (unsigned b = 0; b < bits; b++) {
    c += (int64_t)(low >> b & 1);
    const bool odd = c & 1;
    quotient |= (uint64_t)odd << b;
    c = (c - odd * by) / 2;
  }
  s->x_c[i] = (uint64_t)c & hd_ones(d->WID_W + 1);
  s->x_x[i + 1] = sign | quotient << (d->ADDR_W - bits) | low >> bits;
  s->x_h[i + 1] = s->x_h[i];
  if (i + 1 < d->DIV_N)
    s->x_at[i + 1] = s->x_at[i];
  else
    s->x_entry = hd_bit(s->x_at[i]) & hd_ones(d->PT);
  s->x_rest = hd_with(s->x_rest, i + 1, hd_has(s->x_rest, i));
  s->x_go = hd_with(s->x_go, i + 1, hd_has(s->x_go, i));
  s->x_new = hd_with(s->x_new, i + 1, hd_has(s->x_new, i));
  s->x_row = hd_with(s->x_row, i + 1, hd_has(s->x_row, i));
}

/* Returns the divider's quotient with its sign bit. *exact: the remainder is 0. */
static inline uint64_t sap_quotient_of(const struct sap *m, bool *exact) {
  const struct sap_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const unsigned last = d->DIV_N;
  const int64_t c = (int64_t)hd_extend(s->x_c[last - 1], d->WID_W + 1);
  const bool sign = hd_has(s->x_x[last], d->ADDR_W), top = (c & 1) != sign;
  *exact = !hd_has(s->x_rest, last) && c - sign + top * sap_divisor(m, last) == 0;
  return (uint64_t)top << d->ADDR_W | (s->x_x[last] & hd_ones(d->ADDR_W));
}

/* Stores a stride in the entry. Returns true if the entry had the same stride before. */
static inline bool sap_teach(struct sap *m, uint64_t at, uint64_t stride, bool exact) {
  struct sap_st *s = &m->s;
  if (at >= m->base.c->d.PT)
    return false;
  const bool match = exact && hd_has(s->pt_known, at) && s->pt_stride[at] == stride;
  s->pt_stride[at] = stride;
  s->pt_known = hd_with(s->pt_known, at, exact);
  if (match)
    HD_EV(m, sap_match, at, stride, 0, 0);
  else if (exact)
    HD_EV(m, sap_stride, at, stride, 0, 0);
  else
    HD_EV(m, sap_inexact, at, 0, 0, 0);
  return match;
}

/* The event leaves the divider. Returns true if it has a row, whose outcome is now known. */
static inline bool sap_store(struct sap *m) {
  struct sap_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const unsigned last = d->DIV_N;
  const uint64_t at = s->x_entry ? hd_lowest(s->x_entry) : d->PT; /* 0 only after a fault */
  bool exact = false, match = false;
  const uint64_t stride = sap_quotient_of(m, &exact);
  if (hd_has(s->x_new, last)) {
    if (at < d->PT)
      s->pt_known &= ~hd_bit(at);
  } else if (hd_has(s->x_go, last))
    match = sap_teach(m, at, stride, exact);
  if (!hd_has(s->x_row, last)) {
    if (match)
      HD_EV(m, sap_drop_full, at, 0, 0, 0);
    return false;
  }
  if (s->drq_done < d->DRQ) {
    s->drq_s[s->drq_done] = stride;
    s->drq_s_wr = (int64_t)s->drq_done;
    HD_COUNT(s->drq_s_n.writes, 1);
    s->drq_match = hd_with(s->drq_match, s->drq_done, match);
  }
  s->drq_done = sap_after(s->drq_done, d);
  return true;
}

/* Moves the events on by a stage. Returns true if the outcome of a row is now known. */
static inline bool sap_advance(struct sap *m) {
  struct sap_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const bool decides = hd_has(s->x_v, d->DIV_N) && sap_store(m);
  for (uint64_t left = s->x_v & hd_ones(d->DIV_N); left;) {
    const unsigned i = hd_highest(left);
    sap_divide(m, i);
    left &= ~hd_bit(i);
  }
  if (s->d_v)
    sap_align(m);
  s->x_v = (s->x_v << 1 | s->d_v) & hd_ones(d->DIV_N + 1);
  if (s->o_v)
    sap_differ(m);
  s->d_v = s->o_v;
  if (s->l_v)
    sap_select_entry(m);
  s->o_v = s->l_v;
  s->l_v = s->e_v;
  return decides;
}

/* ---- Rows leave ---- */

/* True if a row that was read is being worked on. */
static inline bool sap_in_turn(const struct sap *m) {
  return m->s.r_new || m->s.turn;
}

enum departure { STAYS, UNREAD, READ };

/* Returns whether and how the oldest row leaves. A row leaves when its outcome is known; a match only when it can be
 * read. */
static inline enum departure sap_leaves(const struct sap *m, bool go) {
  const struct sap_st *s = &m->s;
  if (!s->drq_due)
    return STAYS;
  if (s->drq_head >= m->base.c->d.DRQ || !(s->drq_match & s->drq_at))
    return UNREAD;
  return !sap_in_turn(m) && go ? READ : STAYS;
}

static inline void sap_leave(struct sap *m, enum departure how) {
  struct sap_st *s = &m->s;
  if (how == READ) {
    s->drq_q = s->drq[s->drq_head];
    s->drq_s_q[0] = s->drq_s[s->drq_head];
    HD_COUNT(s->drq_n.reads, 1);
    HD_COUNT(s->drq_s_n.reads, 1);
    s->r_new = 1;
  } else
    HD_EV(m, sap_void, s->drq_head, 0, 0, 0);
  const unsigned last = m->base.c->d.DRQ - 1;
  s->drq_head = sap_after(s->drq_head, &m->base.c->d);
  s->drq_at = (s->drq_at << 1 & hd_ones(last + 1)) | s->drq_at >> last;
}

/* ---- The cycle ---- */

/* True if an event is in a stage. */
static inline bool sap_learns(const struct sap *m) {
  const struct sap_st *s = &m->s;
  return s->e_v | s->l_v | s->o_v | s->d_v | s->x_v;
}

/* True if a row that was read, or a prefetch of it, is in a stage before the port. */
static inline bool sap_prefetches(const struct sap *m) {
  const struct sap_st *s = &m->s;
  return s->r_new | s->turn | s->p_v | s->m_v | s->t_v | s->g_v;
}

/* Returns HD_MOVES if a cycle without a handshake would change something, else 0. */
static inline uint64_t sap_next(const struct sap *m) {
  const struct sap_st *s = &m->s;
  if (sap_learns(m))
    return HD_MOVES;
  if (sap_leaves(m, !s->pf_v) != STAYS)
    return HD_MOVES;
  return !s->pf_v && sap_prefetches(m) ? HD_MOVES : 0;
}

/* Clears the tables as a kernel begins (D-SAP-7). */
static inline void sap_forget(struct sap *m) {
  struct sap_st *s = &m->s;
  s->pt_valid = 0;
  s->drq_head = s->drq_done = s->drq_tail = s->drq_count = s->drq_due = 0;
  s->drq_at = 1;
  s->e_v = s->l_v = s->o_v = s->d_v = s->x_v = 0;
  s->r_new = s->turn = s->p_v = s->m_v = s->t_v = s->g_v = 0;
}

static inline void sap_launch(struct sap *m, const struct sap_in *in) {
  for (uint64_t left = in->launch_warps; left; left &= left - 1)
    m->s.cta[hd_lowest(left)] = in->launch_cta;
}

static inline uint64_t sap_cycle(struct sap *m, const struct sap_in *in) {
  struct sap_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const bool go = !s->pf_v || in->pf_ready, looks = s->e_v,
             inside = sap_learns(m) || s->drq_count || sap_prefetches(m);
  const uint64_t ahead = looks ? sap_entries_ahead(m) : 0;
  s->drq_wr = s->drq_s_wr = -1;
  const enum departure how = sap_leaves(m, go);
  if (go)
    sap_move_prefetches(m); /* before a read, which brings the next row */
  if (how != STAYS)
    sap_leave(m, how);
  const bool decides = sap_advance(m);
  bool pushes = false;
  if (looks) {
    sap_look(m, ahead);
    pushes = sap_push(m);
    s->l_row = pushes;
  }
  s->drq_count = (s->drq_count + pushes - (how != STAYS)) & hd_ones(d->DRQN_W);
  s->drq_due = (s->drq_due + decides - (how != STAYS)) & hd_ones(d->DRQN_W);
  if (HD_IS(m, CUT) && in->launch_valid)
    sap_launch(m, in);
  s->e_v = in->en && in->ev_valid;
  if (s->e_v)
    sap_arrive(m, &in->ev);
  if (in->clear) {
    if (inside)
      HD_EV(m, sap_clear, 0, 0, 0, 0);
    sap_forget(m);
  }
  return sap_next(m);
}

#endif
