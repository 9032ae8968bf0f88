/* The stages that make prefetches of a row of the demand request queue; see sap_prefetch.h.
 *
 * Invariant: the stages run from the last to the first, so that each reads its input as it was at the start of the
 * cycle. */
#include "cmodel/apres/sap_prefetch.h"

#include "cmodel/model/bits.h"

static void pick(struct sap *m) {
  struct sap_st *s = &m->s;
  s->p_v = s->turn;
  if (s->turn) {
    s->p_wid = s->left ? hd_lowest(s->left) : 0; /* 0 only after a fault */
    s->left &= s->left - 1;
  }
  if (s->r_new) {
    s->left = s->drq_q.members;
    if (!s->left)
      HD_EV(m, sap_alone, s->drq_q.wid, 0, 0, 0);
  }
  s->turn = (s->turn || s->r_new) && s->left;
  s->r_new = 0;
}

/* Sets digits k and k + 1 of the member's distance from the four bits of b. `below`: the bit under them. */
static void put_digits(struct sap *m, unsigned k, uint64_t b, bool below) {
  struct sap_st *s = &m->s;
  for (unsigned j = 0; j < 4; j += 2, k++) {
    const bool high = hd_has(b, j + 1), low = hd_has(b, j);
    const int digit = below + low - 2 * high;
    s->m_one = hd_with(s->m_one, k, digit == 1 || digit == -1);
    s->m_two = hd_with(s->m_two, k, digit == 2 || digit == -2);
    s->m_neg = hd_with(s->m_neg, k, high);
    below = high;
  }
}

static void measure(struct sap *m) {
  struct sap_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t by = s->p_wid - s->drq_q.wid, lo = hd_extend(by, d->LO_W);
  put_digits(m, 0, lo, false);
  put_digits(m, 2, hd_shifted(by, d->WID_W + 1, d->LO_W), hd_has(lo, d->LO_W - 1));
  s->m_stride = s->drq_s_q[0];
  s->m_addr = s->drq_q.addr;
  if (d->GROUPED)
    s->m_wid = s->p_wid;
}

/* Returns the value of digits k and k + 1 together, in two's complement. */
static uint64_t part(const struct sap_st *s, unsigned k) {
  uint64_t sum = 0;
  for (unsigned j = 0; j < 2; j++) {
    const uint64_t size = hd_has(s->m_one, k + j) + 2 * (uint64_t)hd_has(s->m_two, k + j);
    sum += (hd_has(s->m_neg, k + j) ? -size : size) << (2 * j);
  }
  return sum;
}

static void multiply(struct sap *m) {
  struct sap_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t stride = hd_extend(s->m_stride, d->STRIDE_W);
  s->t_lo = part(s, 0) * stride & hd_ones(d->TERM_W);
  s->t_hi = part(s, 2) * stride & hd_ones(d->TERM_W);
  s->t_addr = s->m_addr;
  s->t_wid = s->m_wid;
}

static void sum(struct sap *m) {
  struct sap_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t lo = hd_extend(s->t_lo, d->TERM_W), hi = hd_extend(s->t_hi, d->TERM_W) << d->LO_W;
  const uint64_t half = hd_ones(d->HALF_W), low = (s->t_addr & half) + (lo & half) + (hi & half);
  const uint64_t high =
      (s->t_addr >> d->HALF_W) + hd_shifted(lo, 64, d->HALF_W) + hd_shifted(hi, 64, d->HALF_W);
  s->g_low = (low & half) >> d->OFFSET_W;
  s->g_up = low >> d->HALF_W;
  s->g_high = high & hd_ones(d->SUM_W - d->HALF_W);
  s->g_wid = s->t_wid;
}

static inline bool legal(const struct sap *m, uint64_t line) {
  const struct hd_config *c = m->base.c;
  const uint64_t page = line << c->d.OFFSET_W >> 16;
  return line >> c->d.LINE_W == 0 && /* the sign is in the bits above */
         page >= c->prefetch.first_page && page <= c->prefetch.last_page;
}

static void offer(struct sap *m) {
  struct sap_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t high = (s->g_high + s->g_up) & hd_ones(d->SUM_W - d->HALF_W);
  const uint64_t line = high << (d->HALF_W - d->OFFSET_W) | s->g_low;
  s->pf_v = legal(m, line);
  if (!s->pf_v) {
    HD_EV(m, sap_out_of_range, line, 0, 0, 0);
    return;
  }
  s->pf_l = line;
  s->pf_w = s->g_wid;
  HD_EV(m, sap_prefetch, s->pf_l, 0, 0, 0);
}

void sap_move_prefetches(struct sap *m) {
  struct sap_st *s = &m->s;
  s->pf_v = 0;
  if (s->g_v)
    offer(m);
  if (s->t_v)
    sum(m);
  s->g_v = s->t_v;
  if (s->m_v)
    multiply(m);
  s->t_v = s->m_v;
  if (s->p_v)
    measure(m);
  s->m_v = s->p_v;
  pick(m);
}
