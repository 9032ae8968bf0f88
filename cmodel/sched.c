/* Golden model of the warp schedulers. Spec: docs/mechanisms/sched.md.
 *
 * Invariant: the pick is a function of registers and `ready`, made in one place, so that what sched_mealy
 * shows is what sched_tick remembers. */
#include "cmodel/bits.h"
#include "cmodel/models.h"

enum { NONE = -1 };

/* The oldest CTA's lowest warp among those of `ready`. */
static int oldest(const struct sched *m, uint64_t ready) {
  const struct sched_st *s = &m->s;
  uint64_t competing = 0, beaten = 0;
  for (unsigned i = 0; i < m->base.c->d.CTAS; i++)
    if (ready & s->cta_warps[i]) {
      competing |= hd_bit(i);
      beaten |= s->older[i] & ~hd_bit(i);
    }
  uint64_t best = competing & ~beaten;
  return best ? (int)hd_lowest(ready & s->cta_warps[hd_lowest(best)]) : NONE;
}

/* The warp that scheduler s issues, or NONE. */
static inline int pick(const struct sched *m, uint64_t ready, unsigned s) {
  /* Every n-th warp; moved up by s, the warps of scheduler s of n. */
  static const uint64_t every[] = {0, UINT64_MAX, 0x5555555555555555, 0x9249249249249249, 0x1111111111111111};
  const struct hd_derived *d = &m->base.c->d;
  ready &= every[d->SCHEDS] << s;
  if (!ready)
    return NONE;
  if (!d->GTO)
    return (int)hd_after(ready, m->s.last[s]);
  return m->s.ran[s] && hd_has(ready, m->s.last[s]) ? (int)m->s.last[s] : oldest(m, ready);
}

static void launch(struct sched *m, const struct sched_in *in) {
  HD_EV(m, sched_launch, in->launch_cta, in->launch_warps, 0, 0);
  for (unsigned i = 0; i < m->base.c->d.CTAS; i++)
    m->s.older[i] |= hd_bit(in->launch_cta);
  m->s.older[in->launch_cta] = hd_bit(in->launch_cta);
  m->s.cta_warps[in->launch_cta] = in->launch_warps;
}

/* Every output is MEALY. */
void sched_moore(struct sched *m, struct sched_out *out) {
  (void)m;
  (void)out;
}

void sched_mealy(struct sched *m, const struct sched_in *in, struct sched_out *out) {
  for (unsigned s = 0; s < m->base.c->d.SCHEDS; s++) {
    int wid = pick(m, in->ready, s);
    out->pick_valid[s] = wid != NONE;
    out->pick_wid[s] = wid == NONE ? 0 : (uint64_t)wid;
  }
}

void sched_tick(struct sched *m, const struct sched_in *in) {
  struct sched_st *st = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  for (unsigned s = 0; s < d->SCHEDS; s++) {
    int wid = pick(m, in->ready, s);
    if (wid == NONE) {
      HD_EV(m, sched_idle, s, 0, 0, 0);
      continue;
    }
    HD_EV(m, sched_pick, s, wid, 0, 0);
    if (d->GTO) {
      if (st->ran[s] && st->last[s] == (uint64_t)wid) /* it is picked whenever it is ready */
        HD_EV(m, sched_greedy, s, wid, 0, 0);
      st->ran[s] = 1;
    }
    st->last[s] = (uint64_t)wid;
  }
  if (d->GTO && in->launch_valid)
    launch(m, in);
}
