/* Golden model of the warp schedulers. Spec: docs/mechanisms/sched.md.
 *
 * Invariant: the pick is a function of registers and `ready`, made once a cycle, by sched_mealy: memo[0] holds
 * it for sched_tick, in byte s the warp of scheduler s, or NO_WARP. `older` is a total order of the CTA slots,
 * from reset on. */
#include "cmodel/bits.h"
#include "cmodel/models.h"

enum { NONE = -1, NO_WARP = 0xff };

/* The element of `older` that holds the bit of pair i < j, and the bit. */
static inline uint64_t *pair(const struct sched *m, unsigned i, unsigned j, unsigned *bit) {
  const struct hd_derived *d = &m->base.c->d;
  unsigned p = hd_pair(d->CTAS, i, j);
  unsigned element = d->AGE_N > 1 ? p / d->AGE_C : 0; /* spares most configurations the division */
  *bit = p - element * d->AGE_C;
  return &m->s.older[element];
}

/* The oldest CTA's lowest warp among those of `ready`. */
static int oldest(const struct sched *m, uint64_t ready) {
  const struct sched_st *s = &m->s;
  uint64_t among = 0;
  for (unsigned j = 0; j < m->base.c->d.CTAS; j++) /* no branch on it, which would be a coin toss */
    among |= (uint64_t)((ready & s->cta_warps[j]) != 0) << j;
  if (!among)
    return NONE;
  unsigned best = hd_lowest(among), bit;
  for (among &= among - 1; among; among &= among - 1) {
    const uint64_t before = *pair(m, best, hd_lowest(among), &bit);
    best = hd_has(before, bit) ? best : hd_lowest(among);
  }
  return (int)hd_lowest(ready & s->cta_warps[best]);
}

/* The warp that scheduler s issues, or NONE. */
static inline int pick(const struct sched *m, uint64_t ready, unsigned s) {
  /* Every n-th warp; moved up by s, the warps of scheduler s of n. */
  static const uint64_t every[] = {0, UINT64_MAX, 0x5555555555555555, 0x9249249249249249, 0x1111111111111111};
  const struct hd_derived *d = &m->base.c->d;
  ready &= every[d->SCHEDS] << s;
  if (!ready)
    return NONE;
  uint64_t last = m->s.last[s] * d->SCHEDS + s;
  if (!d->GTO)
    return (int)hd_after(ready, last);
  return m->s.ran[s] && hd_has(ready, last) ? (int)last : oldest(m, ready);
}

static void launch(struct sched *m, const struct sched_in *in) {
  HD_EV(m, sched_launch, in->launch_cta, in->launch_warps, 0, 0);
  const unsigned c = (unsigned)in->launch_cta;
  unsigned bit;
  for (unsigned i = 0; i < c; i++) {
    uint64_t *e = pair(m, i, c, &bit);
    *e |= hd_bit(bit);
  }
  for (unsigned j = c + 1; j < m->base.c->d.CTAS; j++) {
    uint64_t *e = pair(m, c, j, &bit);
    *e &= ~hd_bit(bit);
  }
  m->s.cta_warps[c] = in->launch_warps;
}

/* Every output is MEALY. */
void sched_moore(struct sched *m, struct sched_out *out) {
  (void)m;
  (void)out;
}

void sched_mealy(struct sched *m, const struct sched_in *in, struct sched_out *out) {
  uint64_t picks = 0;
  for (unsigned s = m->base.c->d.SCHEDS; s-- > 0;) {
    int wid = pick(m, in->ready, s);
    out->pick_valid[s] = wid != NONE;
    out->pick_wid[s] = wid == NONE ? 0 : (uint64_t)wid;
    picks = picks << 8 | (uint8_t)wid;
  }
  m->base.memo[0] = picks;
}

uint64_t sched_tick(struct sched *m, const struct sched_in *in) {
  struct sched_st *st = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  for (unsigned s = 0; s < d->SCHEDS; s++) {
    const unsigned wid = m->base.memo[0] >> 8 * s & 0xff;
    if (wid == NO_WARP) {
      HD_EV(m, sched_idle, s, 0, 0, 0);
      continue;
    }
    HD_EV(m, sched_pick, s, wid, 0, 0);
    uint64_t place = wid / d->SCHEDS;
    if (d->GTO) {
      if (st->ran[s] && st->last[s] == place) /* it is picked whenever it is ready */
        HD_EV(m, sched_greedy, s, wid, 0, 0);
      st->ran[s] = 1;
    }
    st->last[s] = place;
  }
  if (d->GTO && in->launch_valid)
    launch(m, in);
  return hd_bit(EV_sched_idle); /* `ready` and `launch_valid` are ports that meet */
}
