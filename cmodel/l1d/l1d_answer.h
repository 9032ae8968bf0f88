/* How lines enter the L1D and how answers reach the SM: replacement, the response register, the memory's answers in
 * f. Spec: docs/mechanisms/l1d.md; part of the model in cmodel/l1d/l1d.c.
 *
 * Invariant: a line is written to `data` only by its fill, and is valid only from then on.
 *
 * Inlined: with calls instead, heddle sim executes 1.8 % more instructions (apcm on syr2k:tiny). */
#ifndef HEDDLE_CMODEL_L1D_L1D_ANSWER_H
#define HEDDLE_CMODEL_L1D_L1D_ANSWER_H

#include "cmodel/l1d/l1d_ecc.h"
#include "cmodel/l1d/l1d_prefetch.h"
#include "cmodel/l1d/l1d_sets.h"
#include "cmodel/l1d/ports.h"

/* The fields of an answer, as initialisers. An answer moves between the port, f and g. */
#define ANSWER_OF(a)                                                                                         \
  .kind = (a).kind, .id = (a).id, .wid = (a).wid, .slot = (a).slot, .num = (a).num, .last = (a).last,        \
  .error = (a).error

/* Gives way `way` of the set to the line, for the load of warp `wid` (WARPS: for a prefetch). The way is not valid
 * afterwards. */
static inline void l1d_replace(struct l1d *m, uint64_t set, unsigned way, uint64_t line, uint64_t wid) {
  struct l1d_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  if (hd_has(l1d_valid(m, set), way)) {
    HD_EV(m, l1d_evict, set, way, line, wid);
    m->late.late_evict = !l1d_line_goes(m, set, way) && HD_IS(m, OUTCOME_EVICT);
  }
  l1d_empty(m, set, way);
  s->outcome_at = hd_bit(way);
  s->outcome_tag = l1d_tag_of(m->base.c, line);
  s->tags[set * d->WAYS + way] = s->outcome_tag;
  s->tags_wr = (int64_t)set;
  HD_COUNT(s->tags_n.writes, 1);
  if (HD_IS(m, LINES)) {
    m->base.memo[L1D_TAGS]++;
    m->base.memo[L1D_TAGGED] = line;
  }
  if (HD_IS(m, SECTOR_FILL)) {
    s->tagged_set = set;
    s->tagged_at = hd_bit(way);
    s->tagged_tag = s->outcome_tag;
  }
  if (HD_IS(m, PROTECT))
    l1d_code_tag(m, set, way);
  l1d_touch(m, set, way);
}

/* Loads the response register, which must be free. */
static inline void l1d_respond(struct l1d *m, struct resp r, bool fill) {
  m->s.r = r;
  m->s.r_fill = fill;
  m->s.resp_v = 1;
  HD_EV(m, l1d_respond, r.wid, r.slot, r.num, r.write);
  if (r.error)
    HD_EV(m, l1d_error, r.wid, r.slot, r.num, r.write);
}

/* Frees f and its MSHR after all loads of f's fill have been answered. */
static inline void l1d_fill_over(struct l1d *m) {
  m->s.f_valid = 0;
  if (m->s.mshr_wait == hd_ones(m->base.c->d.MSHRS)) /* d may have taken the last in this cycle */
    m->s.m_next = m->s.f.id;
  m->s.mshr_wait &= ~hd_bit(m->s.f.id);
}

/* A fill asks its set which way it may take. */
static inline void l1d_ask(struct l1d *m, const struct l1d_in *in) {
  struct l1d_st *s = &m->s;
  const uint64_t all = l1d_all_ways(m), loose = all & ~in->fill_pins;
  const uint64_t among = hd_has(s->mshr_among, (unsigned)s->f.id) ? in->fill_among : all;
  s->f_ask = 0;
  s->f_commit = 1;
  s->f_may = among & loose ? among & loose : loose;
  s->f_stuck = (s->valid[s->f_set] & in->fill_pins) == all;
}

/* Writes the sector that f's fill is for to the data memory. */
static inline void l1d_write_sector(struct l1d *m, uint64_t set, unsigned way) {
  struct l1d_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  HD_COUNT(s->sector_data_n.writes, 1);
  if (!HD_CARRIES(m))
    return;
  s->sector_data_wr = (int64_t)((set * d->WAYS + way) * d->SECTORS + s->f_sector);
  hd_copy(s->sector_data + (size_t)s->sector_data_wr * d->SECTOR_WORDS,
          s->f_data + s->f_sector * d->SECTOR_WORDS, d->SECTOR_WORDS);
}

/* The cycle in which a fill enters the cache. */
static inline void l1d_fill(struct l1d *m) {
  struct l1d_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t i = s->f.id, line = s->mshr_line[i], set = s->f_set;
  s->merged_q = s->merged[i * d->MERGE];
  HD_COUNT(s->merged_n.reads, 1);
  s->lines_waiting &= ~hd_bit(i);
  s->f_commit = 0;
  s->f_pos = 0;
  if (HD_IS(m, LINES))
    m->base.memo[L1D_FILLS]++;
  s->f_count = s->mshr_count[i];
  if (s->f_count == 0) /* a prefetch alone */
    l1d_fill_over(m);
  if (HD_IS(m, ON_MISS))
    *l1d_reserved_of_f(m) &= ~hd_bit(s->f_way);
  if (s->f.error)
    HD_EV(m, l1d_fill_error, i, line, 0, 0);
  const bool dead = s->f.error || hd_has(s->mshr_dead, i);
  if (dead | (HD_IS(m, FILL) & s->f_stuck)) {
    if (dead)
      HD_EV(m, l1d_fill_dead, i, line, 0, 0);
    else
      HD_EV(m, l1d_fill_stuck, i, line, set, 0);
    if (hd_has(s->mshr_pf, i))
      HD_EV(m, l1d_pf_dead, i, line, 0, 0);
    l1d_sector_come(m, i, line, set, (unsigned)s->f_way);
    l1d_sector_gone(m, line, set, (unsigned)s->f_way);
    return;
  }
  const uint64_t wid = s->f_count ? s->merged_q.wid : d->WARPS;
  unsigned way = (unsigned)s->f_way;
  if (!HD_IS(m, ON_MISS)) {
    way = l1d_victim(m, set, HD_IS(m, FILL) ? s->f_may : l1d_all_ways(m));
    l1d_replace(m, set, way, line, wid);
  }
  HD_EV(m, l1d_fill, i, line, set, way);
  *l1d_valid_of_f(m) |= hd_bit(way);
  if (HD_IS(m, PREF))
    s->pf[set] = hd_with(s->pf[set], way, hd_has(s->mshr_pf, i));
  if (HD_IS(m, SECTOR_FILL)) {
    l1d_sector_come(m, i, line, set, way);
    l1d_write_sector(m, set, way);
    return;
  }
  HD_COUNT(s->data_n.writes, 1);
  if (HD_CARRIES(m)) {
    s->data_wr = (int64_t)(set * d->WAYS + way);
    hd_copy(s->data + (size_t)s->data_wr * d->WORDS, s->f_data, d->WORDS);
  }
  if (HD_IS(m, PROTECT))
    l1d_code_line(m, set * d->WAYS + way);
}

/* Sends f's acknowledgement to the SM, or answers one of the loads of f's fill. */
static inline void l1d_answer(struct l1d *m) {
  struct l1d_st *s = &m->s;
  if (s->f.kind != HD_FILL) {
    s->f_valid = 0;
    l1d_respond(m,
                (struct resp){.write = 1,
                              .wid = s->f.wid,
                              .slot = s->f.slot,
                              .num = s->f.num,
                              .last = s->f.last,
                              .error = s->f.error},
                false);
    return;
  }
  const struct target *t = &s->merged_q;
  l1d_respond(
      m, (struct resp){.wid = t->wid, .slot = t->slot, .num = t->num, .last = t->last, .error = s->f.error},
      true);
  if (++s->f_pos == s->f_count)
    l1d_fill_over(m);
  else {
    s->merged_q = s->merged[s->f.id * m->base.c->d.MERGE + s->f_pos];
    HD_COUNT(s->merged_n.reads, 1);
  }
}

/* The SM takes f's direct answer. The answer that waits behind it in g moves into f. */
static inline void l1d_leave(struct l1d *m) {
  struct l1d_st *s = &m->s;
  const struct behind g = s->g;
  s->byp_count--;
  HD_EV(m, l1d_respond, s->f.wid, s->f.slot, s->f.num, 0);
  if (s->f.error)
    HD_EV(m, l1d_error, s->f.wid, s->f.slot, s->f.num, 0);
  s->f_valid = s->g_valid;
  s->g_valid = 0;
  if (!s->f_valid)
    return;
  s->f = (struct mrsp){ANSWER_OF(g)};
  *(HD_IS(m, FILL) ? &s->f_ask : &s->f_commit) = g.kind == HD_FILL;
  if (HD_CARRIES(m))
    hd_copy(s->f_data, s->g_data, m->base.c->d.WORDS);
}

/* Takes the memory's answer at the port. Called after the previous answer has left f, if it leaves in this cycle. */
static inline void l1d_take_answer(struct l1d *m, const struct l1d_in *in) {
  struct l1d_st *s = &m->s;
  const struct mrsp *a = &in->mrsp;
  const bool fills = a->kind == HD_FILL, waits = s->f_valid;
  if (waits) {
    HD_EV(m, l1d_behind, a->kind, 0, 0, 0);
    s->g = (struct behind){ANSWER_OF(*a)};
    s->g_valid = 1;
  } else {
    s->f = *a;
    s->f_valid = 1;
    *(HD_IS(m, FILL) ? &s->f_ask : &s->f_commit) = fills;
  }
  if (fills) {
    s->f_set =
        HD_IS(m, ONE_SET) ? l1d_row_of(m, s->mshr_line[a->id]) : l1d_set_of(m->base.c, s->mshr_line[a->id]);
    if (HD_IS(m, ON_MISS))
      s->f_way = s->mshr_way[a->id];
    if (HD_IS(m, SECTOR_FILL))
      s->f_sector = s->mshr_sector[a->id];
  }
  if (HD_CARRIES(m) && a->kind != HD_STORE)
    hd_copy(waits ? s->g_data : s->f_data, in->mrsp_data, m->base.c->d.WORDS);
}

#endif
