/* Golden model of the probe units at the L1D. Spec: docs/mechanisms/memsched.md.
 *
 * Invariant: all copies of the tags agree in every way that was ever written. */
#include "cmodel/l1d/l1d_sets.h"
#include "cmodel/memsched/ports.h"

void tag_probe_moore(struct tag_probe *m, struct tag_probe_out *out) {
  out->pr_hit = tag_probe_hit(m);
  out->pr_can = tag_probe_can(m);
}

/* Answers for the lines whose tags were read in the last cycle. A way that was written in that cycle does not count.
 * A way that was never written is neither valid nor reserved, so one copy speaks for all. With on_fill one bit says
 * for all lines if they could be sent. `ways`, `probes`, `on_miss`: the machine's, as constants in the call for a
 * common machine. */
static inline __attribute__((always_inline)) void find_in(struct tag_probe *m, const struct tag_probe_in *in,
                                                          unsigned ways, unsigned probes, bool on_miss) {
  struct tag_probe_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t *const tags = d->PTAG_FF ? s->ptag : s->tags_0, *const lines = s->pr_q;
  const uint64_t room = in->lines_free & in->lines_room, all = hd_ones(ways);
  const uint64_t written = in->outcome_write ? in->outcome_at : 0;
  uint64_t hit = 0, can = 0;
  for (unsigned u = probes; u-- > 0;) {
    const uint64_t set = l1d_set_of(m->base.c, lines[u]);
    const uint64_t same = hd_places(tags + set * ways, ways, l1d_tag_of(m->base.c, lines[u])) &
                          ~(set == in->outcome_set ? written : 0);
    const uint64_t reserved = on_miss ? in->lines_reserved[set] : 0;
    hit = 2 * hit + ((same & in->lines_valid[set]) != 0);
    can = 2 * can + (((same & reserved) != 0) | ((reserved != all) & room));
  }
  s->pr_h = hit;
  s->pr_c = on_miss ? can : room;
}

/* PROBE_EARLY: reads the tags and the sets of the lines that are given, as they are before the edge. */
static void read_early(struct tag_probe *m, const struct tag_probe_in *in) {
  struct tag_probe_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  uint64_t *const read[] = {s->tags_0_q, s->tags_1_q, s->tags_2_q, s->tags_3_q};
  const uint64_t *const copy[] = {s->tags_0, s->tags_1, s->tags_2, s->tags_3};
  const uint64_t room = in->lines_free & in->lines_room;
  s->pr_room = d->ON_MISS ? 0 : room;
  for (unsigned u = 0; u < d->PROBES; u++) {
    const uint64_t set = l1d_set_of(m->base.c, in->pr_line[u]);
    const uint64_t written = set == in->late_tag_set ? in->late_tag_we : 0;
    s->pr_held[u] = in->lines_valid[set] & ~written;
    if (d->ON_MISS) {
      s->pr_wait[u] = in->lines_reserved[set] & ~written;
      s->pr_room |= (uint64_t)((in->lines_reserved[set] != hd_ones(d->WAYS)) & room) << u;
    }
    if (d->PROBE_TAGS) {
      s->pr_tag[u] = l1d_tag_of(m->base.c, in->pr_line[u]);
      hd_copy(read[u], copy[u] + set * d->WAYS, d->WAYS);
    }
  }
}

/* Returns the units whose line of the last cycle is in one of the ways `ways[u]`. */
static uint64_t found(const struct tag_probe *m, const uint64_t *ways) {
  const struct tag_probe_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t *const read[] = {s->tags_0_q, s->tags_1_q, s->tags_2_q, s->tags_3_q};
  uint64_t found = 0;
  for (unsigned u = 0; u < d->PROBES; u++) {
    const uint64_t match = d->PTAG_FF ? hd_places(&s->ptag[l1d_set_of(m->base.c, s->pr_q[u]) * d->WAYS],
                                                  d->WAYS, l1d_tag_of(m->base.c, s->pr_q[u]))
                                      : hd_places(read[u], d->WAYS, s->pr_tag[u]);
    found |= (uint64_t)((match & ways[u]) != 0) << u;
  }
  return found;
}
/* With 4 units, 4 ways and constants, heddle sim -c memsched -w atax:n=64 takes 0.92 of the instructions. */
static void find(struct tag_probe *m, const struct tag_probe_in *in) {
  const struct hd_derived *d = &m->base.c->d;
  if (d->WAYS == 4 && d->PROBES == 4 && d->ON_MISS)
    find_in(m, in, 4, 4, true);
  else
    find_in(m, in, (unsigned)d->WAYS, (unsigned)d->PROBES, d->ON_MISS);
}

/* Writes the L1D's new tag to the copies. */
static void copy_tag(struct tag_probe *m, const struct tag_probe_in *in) {
  struct tag_probe_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const unsigned copies = d->PTAG_FF ? 1 : d->PROBES;
  s->tags_0_wr = s->tags_1_wr = s->tags_2_wr = s->tags_3_wr = -1;
  struct hd_accesses *const n[] = {&s->tags_0_n, &s->tags_1_n, &s->tags_2_n, &s->tags_3_n};
  for (unsigned u = 0; u < copies; u++)
    n[u]->reads += d->WAYS; /* in every cycle */
  if (!in->late_tag_we)
    return;
  int64_t *const written[] = {&s->tags_0_wr, &s->tags_1_wr, &s->tags_2_wr, &s->tags_3_wr};
  uint64_t *const copy[] = {d->PTAG_FF ? s->ptag : s->tags_0, s->tags_1, s->tags_2, s->tags_3};
  for (unsigned u = 0; u < copies; u++) {
    *written[u] = (int64_t)in->late_tag_set;
    for (uint64_t left = in->late_tag_we; left; left &= left - 1, n[u]->writes++)
      copy[u][in->late_tag_set * d->WAYS + hd_lowest(left)] = in->late_tag;
  }
}

uint64_t tag_probe_tick(struct tag_probe *m, const struct tag_probe_in *in) {
  struct tag_probe_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  if (d->PROBE_EARLY)
    read_early(m, in);
  else
    find(m, in);
  copy_tag(m, in);
  if (d->PROBE_LINES)
    hd_copy(s->pr_q, in->pr_line, d->PROBES);
  if (d->PROBE_EARLY) {
    m->base.memo[TAG_PROBE_HIT] = found(m, s->pr_held);
    m->base.memo[TAG_PROBE_CAN] = s->pr_room | (d->ON_MISS ? found(m, s->pr_wait) : 0);
  }
  return HD_MOVES;
}
