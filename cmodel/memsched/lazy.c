/* The probe units as they run lazily; see lazy.h.
 *
 * After the ticks of a cycle all is there that an answer depends on, a cycle before the clock edge that gives it: the lines that
 * probe, and the lines, the tags and the last write of their sets. So an answer waits in `memo` for that edge.
 *
 * Invariant: for a unit whose head probes it is what tag_probe_tick would have given; of others it says nothing. */
#include "cmodel/memsched/lazy.h"
#include "cmodel/l1d/l1d_hooks.h"
#include "cmodel/memsched/ports.h"

/* The answers of the last cycle are given. Early, the way that held a line is written meanwhile if its row is. */
static void give(struct tag_probe *m, const struct l1d *l1d) {
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

/* What a line finds in the tags: ways that hold it, and that wait for it. */
struct tag_probe_ways {
  uint64_t held, waits;
};
static struct tag_probe_ways find(const struct l1d *l1d, uint64_t set, uint64_t line) {
  const struct l1d_st *s = &l1d->s;
  const unsigned ways = (unsigned)l1d->base.c->d.WAYS;
  const uint64_t tag = l1d_tag_of(l1d->base.c, line), *const tags = &s->tags[set * ways];
  const uint64_t same = ways == 4 ? hd_places(tags, 4, tag) : hd_places(tags, ways, tag); /* mostly 4 */
  return (struct tag_probe_ways){same & s->valid[set], HD_IS(l1d, ON_MISS) ? same & s->reserved[set] : 0};
}

/* Of the heads of which it is known that their lines are neither there nor in flight, those that came since are not, nor those whose line
 * has got a tag. */
static void forget(struct tag_probe *m, struct memsched *buffer, const struct l1d *l1d) {
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

/* Each unit asks of its line. */
static void ask(struct tag_probe *m, const struct memsched *buffer, const struct l1d *l1d, uint64_t room) {
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t all = hd_ones(d->WAYS);
  uint64_t *const memo = m->base.memo;
  uint64_t hit = 0, can = HD_IS(m, ON_MISS) ? 0 : room;
  for (uint64_t units = HD_IS(m, PROBE_EARLY) ? hd_ones(d->PROBES) : buffer->s.g1_valid; units;
       units &= units - 1) {
    const unsigned u = hd_lowest(units);
    const uint64_t w = HD_IS(m, PROBE_EARLY) ? 0 : memsched_queue(buffer, buffer->s.g1_row, u);
    const uint64_t line = HD_IS(m, PROBE_EARLY) ? memsched_early_line(buffer, u) : buffer->s.h_line[w];
    const uint64_t set = l1d_set_of(m->base.c, line);
    if (HD_IS(m, ON_MISS))
      can |= (room & (l1d->s.reserved[set] != all)) << u;
    if (!HD_IS(m, PROBE_EARLY) && hd_has(memo[TAG_PROBE_ABSENT], w))
      continue;
    struct tag_probe_ways found = find(l1d, set, line);
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

/* All heads probe, or will, and none will be sent, until the L1D says something else. */
static bool in_vain(const struct tag_probe *m, const struct memsched *buffer, const struct l1d *l1d,
                    uint64_t room) {
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

bool tag_probe_stirs(const struct sm_mem *m) {
  const struct l1d *l1d = m->u_l1d;
  const uint64_t *const seen = m->u_probe->base.memo;
  return l1d->base.memo[L1D_TAGS] != seen[TAG_PROBE_TAGS] ||
         l1d->base.memo[L1D_FILLS] != seen[TAG_PROBE_FILLS] ||
         (l1d->s.m_free & l1d_lines_room(l1d)) > seen[TAG_PROBE_ROOM];
}

uint64_t tag_probe_look(struct sm_mem *m, uint64_t ahead) {
  struct memsched *buffer = m->u_memsched;
  struct tag_probe *p = m->u_probe;
  const struct l1d *l1d = m->u_l1d;
  const uint64_t room = l1d->s.m_free & l1d_lines_room(l1d);
  give(p, l1d);
  forget(p, buffer, l1d);
  ask(p, buffer, l1d, room);
  buffer->base.memo[MEMSCHED_VAIN] =
      !HD_IS(m, PROBE_EARLY) && ahead & HD_MOVES && in_vain(p, buffer, l1d, room);
  if (!buffer->base.memo[MEMSCHED_VAIN])
    return ahead;
  p->s.pr_h = p->s.pr_c = p->base.memo[TAG_PROBE_NEXT] = p->base.memo[TAG_PROBE_NEXT + 1] = 0;
  p->base.memo[TAG_PROBE_FILLS] = l1d->base.memo[L1D_FILLS];
  p->base.memo[TAG_PROBE_ROOM] = room;
  return memsched_waits(buffer);
}
