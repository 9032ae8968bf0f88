/* Golden model of the probe units at the L1D. Spec: docs/mechanisms/memsched.md.
 *
 * Invariant: all copies of the tags say the same in every way that was ever written. */
#include "cmodel/l1d/l1d_sets.h"
#include "cmodel/sm/ports.h"

void tag_probe_moore(struct tag_probe *m, struct tag_probe_out *out) {
  out->pr_hit = m->s.pr_h;
  out->pr_can = tag_probe_can(m);
}

static inline uint64_t *copy_of(const struct tag_probe *m, unsigned u) {
  const struct tag_probe_st *s = &m->s;
  return m->base.c->d.PTAG_FF ? s->ptag
         : u == 0             ? s->tags_0
         : u == 1             ? s->tags_1
         : u == 2             ? s->tags_2
                              : s->tags_3;
}

/* The ways of the set whose tag is that of unit u's line, but for one that was written in the last cycle. */
static inline uint64_t match(const struct tag_probe *m, const struct tag_probe_in *in, uint64_t set,
                             unsigned u) {
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t tag = l1d_tag_of(m->base.c, m->s.pr_q[u]), *tags = copy_of(m, u) + set * d->WAYS;
  uint64_t same = 0;
  for (unsigned way = 0; way < d->WAYS; way++)
    same |= (uint64_t)(tags[way] == tag) << way;
  return in->told_write && in->told_set == set ? same & ~in->told_at : same;
}

/* Of the lines whose tags were read in the last cycle. With on_fill one bit says for all whether they could be sent. */
static inline void find(struct tag_probe *m, const struct tag_probe_in *in) {
  struct tag_probe_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const bool room = in->lines_free && in->lines_room;
  uint64_t hit = 0, can = 0;
  for (unsigned u = 0; u < d->PROBES; u++) {
    const uint64_t set = l1d_set_of(m->base.c, s->pr_q[u]), same = match(m, in, set, u);
    const uint64_t reserved = d->ON_MISS ? in->lines_reserved[set] : 0;
    hit |= (uint64_t)((same & in->lines_valid[set]) != 0) << u;
    can |= (uint64_t)((same & reserved) != 0 || (reserved != hd_below(d->WAYS) && room)) << u;
  }
  s->pr_h = hit;
  s->pr_c = d->ON_MISS ? can : room;
}

/* The copies take the tag that the L1D writes. */
static void copy_tag(struct tag_probe *m, const struct tag_probe_in *in) {
  struct tag_probe_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const unsigned copies = d->PTAG_FF ? 1 : d->PROBES;
  s->tags_0_wr = s->tags_1_wr = s->tags_2_wr = s->tags_3_wr = -1;
  if (!in->late_tag_we)
    return;
  int64_t *const written[] = {&s->tags_0_wr, &s->tags_1_wr, &s->tags_2_wr, &s->tags_3_wr};
  for (unsigned u = 0; u < copies; u++) {
    *written[u] = (int64_t)in->late_tag_set;
    for (uint64_t left = in->late_tag_we; left; left &= left - 1)
      copy_of(m, u)[in->late_tag_set * d->WAYS + hd_lowest(left)] = in->late_tag;
  }
}

uint64_t tag_probe_tick(struct tag_probe *m, const struct tag_probe_in *in) {
  struct tag_probe_st *s = &m->s;
  find(m, in);
  copy_tag(m, in);
  hd_copy(s->pr_q, in->pr_line, m->base.c->d.PROBES);
  return HD_MOVES; /* whatever the L1D does next */
}
