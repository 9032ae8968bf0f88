/* The probe units in a lazy run (LEADS row of arch/memsched/wires.def). Nothing is wired to them. They read the
 * buffer and the L1D in place, and the L1D's own tags instead of their copies.
 *
 * After the ticks of a cycle everything is known that an answer depends on: the lines that probe, and the lines, the
 * tags and the last write of their sets. That is a cycle before the clock edge that gives the answer. So the answer
 * waits in `memo` for that edge.
 *
 * If all heads probe in vain, they go on so until the L1D changes what they find, or a port of the buffer has a
 * handshake. Until then the buffer sleeps and memo[MEMSCHED_VAIN] is 1. The skipped cycles are made up later, all at
 * once.
 *
 * Invariant: for a unit whose head probes, the answer is that of tag_probe_tick; for other units it means nothing.
 * Rows of groups mean nothing for units that have chosen no queue, except g0_row.
 *
 * Inlined: measured in cmodel/memsched/memsched_cycle.h. */
#ifndef HEDDLE_CMODEL_MEMSCHED_LAZY_H
#define HEDDLE_CMODEL_MEMSCHED_LAZY_H

#include "cmodel/l1d/l1d_hooks.h"
#include "cmodel/memsched/memsched_cycle.h"

/* Gives the answers of the last cycle. With PROBE_EARLY a hit is dropped if the way that held the line has been
 * written meanwhile. */
static inline void tag_probe_give(struct tag_probe *m, const struct l1d *l1d) {
  const uint64_t *const waits = &m->base.memo[TAG_PROBE_NEXT];
  uint64_t hit = waits[0];
  if (!HD_IS(m, PROBE_EARLY)) {
    m->s.pr_h = hit;
    m->s.pr_c = waits[1];
    return;
  }
  for (uint64_t left = l1d->s.outcome_write ? hit : 0; left; left &= left - 1) {
    const uint64_t row = m->base.memo[TAG_PROBE_ROW + hd_lowest(left)], ways = m->base.c->d.WAYS;
    if (l1d->s.outcome_set == row / ways && hd_has(l1d->s.outcome_at, row % ways))
      hit &= ~(left & -left);
  }
  m->base.memo[TAG_PROBE_HIT] = hit;
  m->base.memo[TAG_PROBE_CAN] = waits[1];
}

/* What a line finds in the tags: the ways that hold it, and the ways that wait for it. */
struct tag_probe_ways {
  uint64_t held, waits;
};
static inline struct tag_probe_ways tag_probe_find(const struct l1d *l1d, uint64_t set, uint64_t line) {
  const struct l1d_st *s = &l1d->s;
  const unsigned ways = (unsigned)l1d->base.c->d.WAYS;
  const uint64_t tag = l1d_tag_of(l1d->base.c, line), *const tags = &s->tags[set * ways];
  const uint64_t same = ways == 4 ? hd_places(tags, 4, tag) : hd_places(tags, ways, tag); /* mostly 4 */
  return (struct tag_probe_ways){same & s->valid[set], HD_IS(l1d, ON_MISS) ? same & s->reserved[set] : 0};
}

/* Updates memo[TAG_PROBE_ABSENT], the heads whose lines are known to be neither there nor in flight. Drops the heads
 * that came since, and those whose line has got a tag. */
static inline void tag_probe_forget(struct tag_probe *m, struct memsched *buffer, const struct l1d *l1d) {
  uint64_t *const memo = m->base.memo, tags = l1d->base.memo[L1D_TAGS];
  memo[TAG_PROBE_ABSENT] &= ~buffer->base.memo[MEMSCHED_NEW];
  buffer->base.memo[MEMSCHED_NEW] = 0;
  if (tags != memo[TAG_PROBE_TAGS] + 1 && tags != memo[TAG_PROBE_TAGS])
    memo[TAG_PROBE_ABSENT] = 0;
  for (uint64_t left = tags != memo[TAG_PROBE_TAGS] ? memo[TAG_PROBE_ABSENT] : 0; left; left &= left - 1)
    if (buffer->s.h_line[hd_lowest(left)] == l1d->base.memo[L1D_TAGGED])
      memo[TAG_PROBE_ABSENT] &= ~(left & -left);
  memo[TAG_PROBE_TAGS] = tags;
}

/* Each unit looks up its line. */
static inline void tag_probe_ask(struct tag_probe *m, const struct memsched *buffer, const struct l1d *l1d,
                                 uint64_t room) {
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t all = hd_ones(d->WAYS);
  uint64_t *const memo = m->base.memo;
  uint64_t hit = 0, can = HD_IS(m, ON_MISS) ? 0 : room;
  for (uint64_t units = HD_IS(m, PROBE_EARLY) ? hd_ones(HD_IS(m, PROBES)) : buffer->s.g1_valid; units;
       units &= units - 1) {
    const unsigned u = hd_lowest(units);
    const uint64_t w = HD_IS(m, PROBE_EARLY) ? 0 : memsched_queue(buffer, buffer->s.g1_row, u);
    const uint64_t line = HD_IS(m, PROBE_EARLY) ? memsched_early_line(buffer, u) : buffer->s.h_line[w];
    const uint64_t set = l1d_set_of(m->base.c, line);
    if (HD_IS(m, ON_MISS))
      can |= (room & (l1d->s.reserved[set] != all)) << u;
    if (!HD_IS(m, PROBE_EARLY) && hd_has(memo[TAG_PROBE_ABSENT], w))
      continue;
    struct tag_probe_ways found = tag_probe_find(l1d, set, line);
    if (!HD_IS(m, PROBE_EARLY)) {
      memo[TAG_PROBE_ABSENT] |= (uint64_t) !(found.held | found.waits) << w;
      if (l1d->s.outcome_write && l1d->s.outcome_set == set) /* the copy was read as that way was written */
        found = (struct tag_probe_ways){found.held & ~l1d->s.outcome_at, found.waits & ~l1d->s.outcome_at};
    } else if (found.held)
      memo[TAG_PROBE_ROW + u] = set * d->WAYS + hd_lowest(found.held);
    hit |= (uint64_t)(found.held != 0) << u;
    can |= (uint64_t)(found.waits != 0) << u;
  }
  memo[TAG_PROBE_NEXT] = hit;
  memo[TAG_PROBE_NEXT + 1] = can;
}

/* True if all heads probe, or will, and none will be sent until the L1D changes what they find. */
static inline bool tag_probe_in_vain(const struct tag_probe *m, const struct memsched *buffer,
                                     const struct l1d *l1d, uint64_t room) {
  const uint64_t *const memo = m->base.memo, *const groups = &buffer->base.memo[MEMSCHED_G0];
  const struct memsched_st *s = &buffer->s;
  const uint64_t heads = s->h_valid & (~s->tried | groups[0] | groups[1] | groups[2]);
  const uint64_t yes = (s->g1_valid & (memo[TAG_PROBE_NEXT] | memo[TAG_PROBE_NEXT + 1])) |
                       (s->g2_valid & (m->s.pr_h | tag_probe_can(m)));
  if (yes | (heads & (~memo[TAG_PROBE_ABSENT] | s->h_byp)) | s->r_valid | memsched_deq_valid(buffer) ||
      memsched_input(buffer) == MEMSCHED_ENTERS || (room && !HD_IS(m, ON_MISS)))
    return false;
  for (uint64_t left = room ? heads : 0; left; left &= left - 1)
    if (l1d->s.reserved[l1d_set_of(m->base.c, s->h_line[hd_lowest(left)])] != hd_ones(m->base.c->d.WAYS))
      return false;
  return true;
}

/* Called after a tick of the L1D while heads probe in vain. Returns true if the L1D may have changed what they find. */
static inline bool tag_probe_stirs(const struct sm_mem *m) {
  const struct l1d *l1d = m->u_l1d;
  const uint64_t *const seen = m->u_probe->base.memo;
  return l1d->base.memo[L1D_TAGS] != seen[TAG_PROBE_TAGS] ||
         l1d->base.memo[L1D_FILLS] != seen[TAG_PROBE_FILLS] ||
         (l1d->s.m_free & l1d_lines_room(l1d)) > seen[TAG_PROBE_ROOM];
}

/* A cycle of the probe units, after the ticks of the L1D and of the buffer. `ahead`: the answer of the buffer's tick.
 * Returns the answer that counts instead. */
static inline uint64_t tag_probe_look(struct sm_mem *m, uint64_t ahead) {
  struct memsched *buffer = m->u_memsched;
  struct tag_probe *p = m->u_probe;
  const struct l1d *l1d = m->u_l1d;
  const uint64_t room = l1d->s.m_free & l1d_lines_room(l1d);
  const uint64_t told = hd_bit(EV_memsched_choose) | hd_bit(EV_memsched_idle_group);
  tag_probe_give(p, l1d);
  tag_probe_forget(p, buffer, l1d);
  tag_probe_ask(p, buffer, l1d, room);
  buffer->base.memo[MEMSCHED_VAIN] = !HD_IS(m, PROBE_EARLY) && ahead & HD_MOVES &&
                                     !(buffer->base.heard & told) && tag_probe_in_vain(p, buffer, l1d, room);
  if (!buffer->base.memo[MEMSCHED_VAIN])
    return ahead;
  p->s.pr_h = p->s.pr_c = p->base.memo[TAG_PROBE_NEXT] = p->base.memo[TAG_PROBE_NEXT + 1] = 0;
  p->base.memo[TAG_PROBE_FILLS] = l1d->base.memo[L1D_FILLS];
  p->base.memo[TAG_PROBE_ROOM] = room;
  return memsched_waits(buffer);
}

/* Sets a group to these queues, at most one for each unit. */
static inline void memsched_set_group(const struct memsched *m, uint64_t queues, uint64_t *valid,
                                      uint64_t *row) {
  for (*valid = 0; queues; queues &= queues - 1) {
    const unsigned w = hd_lowest(queues), u = w % HD_IS(m, UNITS);
    *valid |= hd_bit(u);
    row[u] = w / HD_IS(m, UNITS);
  }
}

/* Makes up for cycles in which all heads have probed in vain, without a handshake. The events that memsched_waits
 * returns are counted elsewhere. */
static inline void memsched_pass(struct memsched *m, uint64_t cycles) {
  struct memsched_st *s = &m->s;
  uint64_t *const memo = m->base.memo, tried = s->tried, last[4];
  uint64_t g0 = memo[MEMSCHED_G0], g1 = memo[MEMSCHED_G1], g2 = memo[MEMSCHED_G2], chosen = 0, groups = 0;
  const unsigned units = HD_IS(m, UNITS);
  for (unsigned u = 0; u < units; u++)
    last[u] = memsched_queue(m, s->g0_row, u);
  for (; cycles; cycles--) {
    const uint64_t may = s->h_valid & ~tried;
    groups += g2 != 0;
    tried &= ~g2;
    g2 = g1;
    g1 = g0;
    g0 = 0;
    for (unsigned u = 0; u < units; u++) {
      const uint64_t set = may & memsched_every[units] << u;
      if (!set)
        continue;
      last[u] = hd_after(set, last[u]);
      g0 |= hd_bit(last[u]);
      chosen++;
    }
    tried |= g0;
  }
  m->base.ev[EV_memsched_choose] += chosen;
  m->base.ev[EV_memsched_idle_group] += groups;
  s->tried = tried;
  s->turn = (s->turn + groups) % units;
  memo[MEMSCHED_G0] = g0;
  memo[MEMSCHED_G1] = g1;
  memo[MEMSCHED_G2] = g2;
  memsched_set_group(m, g0, &s->g0_valid, s->g0_row);
  memsched_set_group(m, g1, &s->g1_valid, s->g1_row);
  memsched_set_group(m, g2, &s->g2_valid, s->g2_row);
  for (unsigned u = 0; u < units; u++)
    s->g0_row[u] = last[u] / units;
}

#endif
