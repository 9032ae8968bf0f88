/* The tag probes of MemSched's units. Spec: docs/mechanisms/l1d.md; part of the model in cmodel/l1d/l1d.c.
 *
 * Invariant: the copies say what the tags say, in every way that was ever written. So they are only written here, and
 * the tags are read for them. */
#ifndef HEDDLE_CMODEL_L1D_L1D_PROBE_H
#define HEDDLE_CMODEL_L1D_L1D_PROBE_H

#include "cmodel/l1d/l1d_sets.h"
#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

/* The tag of a line is written to the copies too. */
static inline void l1d_probe_tag(struct l1d *m, uint64_t set, unsigned way, uint64_t tag) {
  struct l1d_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t at = set * d->WAYS + way;
  if (d->PTAG_FF) {
    s->ptag[at] = tag;
    return;
  }
  uint64_t *const copy[] = {s->tags_0, s->tags_1, s->tags_2, s->tags_3};
  int64_t *const written[] = {&s->tags_0_wr, &s->tags_1_wr, &s->tags_2_wr, &s->tags_3_wr};
  for (unsigned u = 0; u < d->PROBES; u++) {
    copy[u][at] = tag;
    *written[u] = (int64_t)set;
  }
}

/* Before anything else of the cycle: what is found of the lines that came in the last one. */
static inline void l1d_probe_tick(struct l1d *m, const struct l1d_in *in) {
  struct l1d_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const bool may_send = s->m_free && s->mq_count != d->MQ;
  uint64_t hit = 0, can = 0;
  for (unsigned u = 0; u < d->PROBES; u++) {
    const uint64_t line = s->pr_q[u], set = l1d_set_of(m->base.c, line), tag = l1d_tag_of(m->base.c, line);
    const uint64_t *tags = &s->tags[set * d->WAYS], reserved = l1d_reserved(m, set);
    uint64_t same = 0;
    for (unsigned way = 0; way < d->WAYS; way++)
      same |= (uint64_t)(tags[way] == tag) << way;
    if (s->t1_valid && s->t1_set == set)
      same &= ~hd_bit(s->t1_way);
    hit |= (uint64_t)((same & s->valid[set]) != 0) << u;
    can |= (uint64_t)((same & reserved) != 0 || (reserved != l1d_all_ways(m) && may_send)) << u;
    s->pr_q[u] = in->pr_line[u];
  }
  s->pr_h = hit;
  s->pr_c = can;
  s->tags_0_wr = s->tags_1_wr = s->tags_2_wr = s->tags_3_wr = -1;
}

#endif
