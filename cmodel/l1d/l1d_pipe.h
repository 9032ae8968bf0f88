/* How requests and prefetches reach the L1D's decision: the queue a, the prefetch that waits in p, the lookup in c
 * and d. Spec: docs/mechanisms/l1d.md; part of the model in cmodel/l1d/l1d.c.
 *
 * Where a miss fetches a sector, this part also finds the way that holds the line of the request that moves into d
 * (docs/mechanisms/sectored.md).
 *
 * Invariant: only l1d_look_up, which is called last, sets d_hit, d_full, d_mshr_eq, d_flight and d_merges.
 *
 * Inlined: with calls instead, heddle sim executes 1.2 % more instructions (gpu/apres on syr2k:tiny). */
#ifndef HEDDLE_CMODEL_L1D_L1D_PIPE_H
#define HEDDLE_CMODEL_L1D_L1D_PIPE_H

#include "cmodel/l1d/l1d_ecc.h"
#include "cmodel/l1d/l1d_sets.h"
#include "cmodel/model/request.h"

/* Takes a request. A store's bytes go to the store data at once. */
static inline void l1d_take_request(struct l1d *m, const struct l1d_in *in) {
  struct l1d_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  hd_move_request_words(s->a_count ? &s->a1 : &s->a0, &in->req);
  s->a_count++;
  if (!in->req.write)
    return;
  HD_COUNT(s->sdata_n.writes, 1);
  HD_COUNT(s->smask_n.writes, 1);
  if (HD_CARRIES(m)) {
    hd_copy(s->sdata + s->sd_tail * d->WORDS, in->req_wdata, d->WORDS);
    hd_copy(s->smask + s->sd_tail * d->WORDS, in->req_wmask, d->WORDS);
    s->sdata_wr = s->smask_wr = (int64_t)s->sd_tail;
  }
  s->sd_tail = hd_next(s->sd_tail, d->SD, d->SD_W);
}

static inline void l1d_take_prefetch(struct l1d *m, const struct l1d_in *in) {
  m->s.p_valid = 1;
  m->s.p_line = in->pf_line;
  HD_EV(m, l1d_pf_take, in->pf_line, 0, 0, 0);
  if (in->flush)
    HD_EV(m, l1d_pf_flush, in->pf_line, 0, 0, 0);
}

/* Moves c, d and the queue before them. A prefetch moves into c only if no request waits. */
static inline void l1d_advance(struct l1d *m) {
  struct l1d_st *s = &m->s;
  hd_move_request(&s->d, &s->c);
  s->d_set = s->c_set;
  s->d_valid = s->c_valid;
  hd_move_request(&s->c, &s->a0);
  s->c_valid = s->a_count > 0;
  if (s->a_count == 2)
    hd_move_request(&s->a0, &s->a1);
  s->a_count -= s->c_valid;
  if (HD_IS(m, PREF)) {
    s->d_pf = s->c_pf;
    s->c_pf = s->p_valid & !s->c_valid;
    if (s->c_pf) {
      s->c.line = s->p_line;
      s->c.write = 0;
      s->c_valid = 1;
      s->p_valid = 0;
    }
  }
  s->c_set = l1d_set_of(m->base.c, s->c.line);
}

/* At the start of a cycle: `there`: the ways that hold c's line. `recent`: the one of them whose tag was written in
 * the last cycle. */
struct l1d_found {
  uint64_t there, recent;
};
static inline struct l1d_found l1d_find_line(const struct l1d *m) {
  const struct l1d_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  struct l1d_found found = {0};
  if (!s->c_valid)
    return found;
  const uint64_t same = hd_places(&s->tags[s->c_set * d->WAYS], d->WAYS, l1d_tag_of(m->base.c, s->c.line));
  found.there = same & (l1d_valid(m, s->c_set) | l1d_reserved(m, s->c_set));
  found.recent = s->tagged && s->tagged_set == s->c_set ? found.there & s->tagged_at : 0;
  return found;
}

/* Finds the way of c's line before c moves into d. `taken`: the MSHR that d's miss has taken in this cycle, as a bit,
 * or 0. */
static inline void l1d_learn_line(struct l1d *m, const struct l1d_found *found, uint64_t taken) {
  struct l1d_st *s = &m->s;
  s->d_there = found->there;
  if (!s->c_valid)
    return;
  uint64_t recent = found->recent;
  if (taken && s->d_set == s->c_set) {
    const uint64_t way = hd_bit((unsigned)s->mshr_way[hd_lowest(taken)]);
    s->d_there &= ~way;
    recent &= ~way;
    if (s->c.line == s->d.line) {
      s->d_there |= way;
      if (s->tags_wr >= 0 && !s->c.write)
        HD_EV(m, l1d_tag_now, s->c.wid, s->c.line, s->c_set, hd_lowest(way));
    }
  }
  if (recent && !s->c.write)
    HD_EV(m, l1d_tag_last, s->c.wid, s->c.line, s->c_set, hd_lowest(recent));
}

/* Looks d's line up. With on_miss a line in flight has a reserved way with its tag, unless a bit of the tag has
 * flipped. So MSHRs are searched only if such a way exists. */
static inline void l1d_look_up(struct l1d *m) {
  struct l1d_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  s->d_hit = s->d_full = s->d_mshr_eq = s->d_flight = s->d_merges = 0;
  if (!s->d_valid)
    return;
  if (HD_IS(m, ONE_SET))
    s->d_set = l1d_row_of(m, s->d.line);
  const uint64_t valid = *l1d_valid_of_d(m), reserved = l1d_reserved(m, s->d_set);
  uint64_t same = hd_places(&s->tags[s->d_set * d->WAYS], d->WAYS, l1d_tag_of(m->base.c, s->d.line));
  if (HD_IS(m, PROTECT))
    same = l1d_whole_tags(m, s->d_set, same);
  s->d_hit = same & valid;
  s->d_full = HD_IS(m, ON_MISS) && reserved == hd_ones(d->WAYS);
  if (HD_IS(m, ON_MISS) && !HD_IS(m, PROTECT) && !(same & reserved))
    return;
  for (uint64_t waiting = l1d_lines_waiting(m); waiting; waiting &= waiting - 1)
    if (s->mshr_line[hd_lowest(waiting)] == s->d.line &&
        (!HD_IS(m, SECTOR_FILL) || s->mshr_sector[hd_lowest(waiting)] == l1d_sector(&s->d)))
      s->d_mshr_eq |= waiting & -waiting;
  s->d_flight = HD_IS(m, FLIGHT) && s->d_mshr_eq;
  s->d_merges =
      HD_IS(m, AGAIN) && s->d_mshr_eq & ~s->mshr_dead && s->mshr_count[hd_lowest(s->d_mshr_eq)] < d->MERGE;
}

#endif
