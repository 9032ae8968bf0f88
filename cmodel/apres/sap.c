/* Golden model of the stride prefetchers, SAP and STR. Spec: docs/mechanisms/sap.md.
 *
 * Invariant: numbers with a sign are kept in two's complement in the bits of their registers. `pt_lru` is
 * a total order of the entries, from reset on, and `at` has one entry or none; where a fault breaks that,
 * or puts a place outside the queue, nothing outside the tables is touched. */
#include "cmodel/model/models.h"
#include "cmodel/model/pairs.h"

enum { IDLE, LOOK, SELECT, DIFFER, MULTIPLY, MATCH, DIVIDE, STORE, GENERATE };

/* The number that the low bits of v are, in all 64. */
static inline uint64_t extend(uint64_t v, unsigned bits) {
  const uint64_t sign = hd_bit(bits - 1);
  return ((v & hd_below(bits)) ^ sign) - sign;
}

static inline bool negative(uint64_t v, unsigned bits) {
  return hd_has(v, bits - 1);
}

/* |v|, of a number of so many bits. */
static inline uint64_t magnitude(uint64_t v, unsigned bits) {
  return (negative(v, bits) ? -v : v) & hd_below(bits);
}

/* (i, j) = entry i was used after entry j. */
static inline struct hd_pairs used(const struct sap *m) {
  const struct hd_derived *d = &m->base.c->d;
  return (struct hd_pairs){m->s.pt_lru, d->PT_N, d->PT_C, d->PT};
}

/* The entry takes the event's warp and address. */
static void touch(struct sap *m, unsigned entry) {
  const struct hd_pairs order = used(m);
  m->s.pt_wid[entry] = m->s.drq_q.wid;
  m->s.pt_addr[entry] = m->s.drq_q.addr;
  hd_pairs_put(&order, entry, true);
}

static inline unsigned entry_of(uint64_t at) {
  return at ? hd_lowest(at) : 0;
}

/* ---- Demand request queue ---- */

static bool push(struct sap *m, const struct load_event *ev) {
  struct sap_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  if (s->drq_count >= d->DRQ) {
    HD_EV(m, sap_drop_full, ev->wid, ev->pc, ev->addr, 0);
    return false;
  }
  HD_EV(m, sap_take, ev->wid, ev->pc, ev->addr, 0);
  if (s->drq_tail < d->DRQ) {
    s->drq[s->drq_tail] = *ev;
    s->drq_wr = (int64_t)s->drq_tail;
  }
  s->drq_tail = hd_next(s->drq_tail, d->DRQ) & hd_below(d->DRQ_W);
  return true;
}

static void pop(struct sap *m) {
  struct sap_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  if (s->drq_head < d->DRQ)
    s->drq_q = s->drq[s->drq_head];
  s->drq_head = hd_next(s->drq_head, d->DRQ) & hd_below(d->DRQ_W);
}

/* ---- Prefetch table ---- */

/* The warps to prefetch for. */
static uint64_t members(const struct sap *m) {
  const struct hd_config *c = m->base.c;
  const uint64_t all = hd_below(c->d.WARPS), w = m->s.drq_q.wid;
  if (c->prefetch.kind == HD_PF_STR)
    return all & hd_below(w + 1 + c->d.DEGREE) & ~hd_below(w + 1);
  return (c->d.GROUPED ? m->s.drq_q.group : all) & ~hd_bit(w);
}

static void look(struct sap *m) {
  struct sap_st *s = &m->s;
  s->at = 0;
  for (unsigned i = 0; i < m->base.c->d.PT; i++)
    s->at |= (uint64_t)(s->pt_pc[i] == s->drq_q.pc) << i;
  s->at &= s->pt_valid;
  s->left = members(m);
}

/* A load that the table does not know (D-SAP-1). */
static void learn(struct sap *m) {
  struct sap_st *s = &m->s;
  const uint64_t all = hd_below(m->base.c->d.PT), free = all & ~s->pt_valid, pc = s->drq_q.pc;
  unsigned entry;
  if (free)
    entry = hd_lowest(free);
  else {
    const struct hd_pairs order = used(m);
    entry = hd_pairs_find(&order, all, false);
    HD_EV(m, sap_replace, entry, pc, 0, 0);
  }
  HD_EV(m, sap_learn, pc, entry, 0, 0);
  s->pt_valid |= hd_bit(entry);
  s->pt_known &= ~hd_bit(entry);
  s->pt_pc[entry] = pc;
  touch(m, entry);
}

static uint64_t select_entry(struct sap *m) {
  struct sap_st *s = &m->s;
  s->old_known = (s->pt_known & s->at) != 0;
  s->old_wid = s->old_addr = s->s = 0;
  for (uint64_t at = s->at; at; at &= at - 1) {
    const unsigned i = hd_lowest(at);
    s->old_wid |= s->pt_wid[i];
    s->old_addr |= s->pt_addr[i];
    s->s |= s->pt_stride[i];
  }
  s->v = s->left ? hd_lowest(s->left) : 0;
  if (s->at)
    return DIFFER;
  learn(m);
  return IDLE;
}

/* ---- Arithmetic ---- */

static uint64_t differ(struct sap *m) {
  struct sap_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t w = s->drq_q.wid, a = s->drq_q.addr;
  for (unsigned i = d->PT;
       i-- > 0;) /* after a fault two may be alike: then the lower one counts as used last */
    if (hd_has(s->at, i))
      touch(m, i);
  s->d = (a - s->old_addr) & hd_below(d->STRIDE_W);
  s->n = (w - s->old_wid) & hd_below(d->WID_W + 1);
  s->m = (s->v - w) & hd_below(d->WID_W + 1);
  s->left >>= s->v;
  s->x = extend(s->s, d->STRIDE_W) & hd_below(d->SUM_W);
  s->p = 0;
  s->g = a;
  s->k = 0;
  if (s->n)
    return MULTIPLY;
  HD_EV(m, sap_same_warp, s->drq_q.pc, w, 0, 0);
  return IDLE;
}

static uint64_t multiply(struct sap *m) {
  struct sap_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const bool last = s->k == d->WID_W;
  const uint64_t sum = hd_below(d->SUM_W), part = last ? -s->x : s->x;
  if (hd_has(s->n, s->k))
    s->p = (s->p + part) & sum;
  if (hd_has(s->m, s->k))
    s->g = (s->g + part) & sum;
  s->x = s->x << 1 & sum;
  s->k = (s->k + 1) & hd_below(d->STEP_W);
  return last ? MATCH : MULTIPLY;
}

static uint64_t match(struct sap *m) {
  struct sap_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  if (s->old_known && extend(s->p, d->SUM_W) == extend(s->d, d->STRIDE_W)) {
    HD_EV(m, sap_match, s->drq_q.pc, s->drq_q.wid, entry_of(s->at), 0);
    return s->left ? GENERATE : IDLE;
  }
  s->dq = magnitude(s->d, d->STRIDE_W) & hd_below(d->ADDR_W);
  s->dn = magnitude(s->n, d->WID_W + 1) & hd_below(d->WID_W);
  s->r = s->k = 0;
  return DIVIDE;
}

static uint64_t divide(struct sap *m) {
  struct sap_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  if (m->base.c->prefetch.divider == HD_DIV_COMBINATIONAL) {
    s->r = s->dn ? s->dq % s->dn : 0; /* dn is 0 after a fault only */
    s->dq = s->dn ? s->dq / s->dn : 0;
    return STORE;
  }
  const bool last = s->k == d->ADDR_W - 1;
  const uint64_t t = s->r << 1 | s->dq >> (d->ADDR_W - 1), fits = t >= s->dn;
  s->r = (fits ? t - s->dn : t) & hd_below(d->WID_W);
  s->dq = (s->dq << 1 | fits) & hd_below(d->ADDR_W);
  s->k = (s->k + 1) & hd_below(d->STEP_W);
  return last ? STORE : DIVIDE;
}

static uint64_t store(struct sap *m) {
  struct sap_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  if (s->r) {
    HD_EV(m, sap_inexact, s->drq_q.pc, magnitude(s->d, d->STRIDE_W), s->dn, 0);
    s->pt_known &= ~s->at;
    return IDLE;
  }
  const bool back = negative(s->d, d->STRIDE_W) != negative(s->n, d->WID_W + 1);
  const uint64_t stride = (back ? -s->dq : s->dq) & hd_below(d->STRIDE_W);
  HD_EV(m, sap_stride, s->drq_q.pc, stride, 0, 0);
  s->pt_known |= s->at;
  for (uint64_t at = s->at; at; at &= at - 1)
    s->pt_stride[hd_lowest(at)] = stride;
  return IDLE;
}

/* ---- Prefetches ---- */

static inline bool legal(const struct sap *m, uint64_t g) {
  const struct hd_config *c = m->base.c;
  return g >> c->d.ADDR_W == 0 && /* the sign is above */
         g >> 16 >= c->prefetch.first_page && g >> 16 <= c->prefetch.last_page;
}

static void offer(struct sap *m) {
  struct sap_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  if (!legal(m, s->g)) {
    HD_EV(m, sap_out_of_range, s->g, s->v, 0, 0);
    return;
  }
  s->pf_v = 1;
  s->pf_l = s->g >> d->OFFSET_W;
  if (d->GROUPED)
    s->pf_w = s->v;
  HD_EV(m, sap_prefetch, s->pf_l, s->v, 0, 0);
}

static uint64_t generate(struct sap *m) {
  struct sap_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  if (hd_has(s->left, 0))
    offer(m);
  s->left >>= 1;
  s->v = (s->v + 1) & hd_below(d->WID_W);
  s->g = (s->g + extend(s->s, d->STRIDE_W)) & hd_below(d->SUM_W);
  return s->left ? GENERATE : IDLE;
}

/* What is done with the event read last, in any phase but idle. */
static uint64_t work(struct sap *m, bool waits) {
  switch (m->s.phase) {
  case LOOK:
    look(m);
    return SELECT;
  case SELECT:
    return select_entry(m);
  case DIFFER:
    return differ(m);
  case MULTIPLY:
    return multiply(m);
  case MATCH:
    return match(m);
  case DIVIDE:
    return divide(m);
  case STORE:
    return store(m);
  case GENERATE:
    return waits ? GENERATE : generate(m);
  default:
    return m->s.phase; /* after a fault: no more prefetches */
  }
}

void sap_moore(struct sap *m, struct sap_out *out) {
  out->pf_valid = m->s.pf_v;
  out->pf_line = m->s.pf_l;
  out->pf_wid = m->s.pf_w;
}

/* What a cycle without a handshake would do. */
static uint64_t ahead(const struct sap *m) {
  switch (m->s.phase) {
  case IDLE:
    return m->s.drq_count ? HD_MOVES : 0;
  case GENERATE:
    return m->s.pf_v ? 0 : HD_MOVES;
  default:
    return HD_MOVES;
  }
}

/* A kernel begins (D-SAP-7). */
static void forget(struct sap *m) {
  struct sap_st *s = &m->s;
  HD_EV(m, sap_clear, 0, 0, 0, 0);
  s->pt_valid = 0;
  s->drq_head = s->drq_tail = s->drq_count = 0;
  s->phase = IDLE;
}

uint64_t sap_tick(struct sap *m, const struct sap_in *in) {
  struct sap_st *s = &m->s;
  const uint64_t count = s->drq_count;
  const bool waits = s->pf_v && !in->pf_ready, reads = s->phase == IDLE && count;
  s->drq_wr = -1;
  if (in->pf_ready)
    s->pf_v = 0;
  if (s->phase != IDLE)
    s->phase = work(m, waits);
  else if (reads) {
    pop(m); /* before a push: the row written is never the row read */
    s->phase = LOOK;
  }
  const bool pushes = in->en && in->ev_valid && push(m, &in->ev);
  s->drq_count = (count + pushes - reads) & hd_below(m->base.c->d.DRQN_W);
  if (in->clear)
    forget(m);
  return ahead(m);
}
