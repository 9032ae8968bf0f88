/* One cycle of the golden model of the monitor tag array. Spec: docs/mechanisms/apcm.md.
 *
 * Invariant: at most one valid entry of a set has a given tag. A warp is never monitored during the scan. If a fault
 * makes an index point outside the array, nothing outside the array is touched.
 *
 * Inlined: measured in cmodel/apcm/apcm_line_cycle.h. */
#ifndef HEDDLE_CMODEL_APCM_MTA_CYCLE_H
#define HEDDLE_CMODEL_APCM_MTA_CYCLE_H

#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

/* The fields of an entry's word. */
struct mta_word {
  uint64_t tag, first, last, count, intra;
};

static inline struct mta_word mta_unpack(const struct mta *m, uint64_t word) {
  const unsigned last_at = 2 * m->base.c->d.RR_W, first_at = last_at + m->base.c->d.LAST_W,
                 tag_at = first_at + m->base.c->d.LID_W;
  return (struct mta_word){.tag = word >> tag_at,
                           .first = word >> first_at & hd_ones(m->base.c->d.LID_W),
                           .last = word >> last_at & hd_ones(m->base.c->d.LAST_W),
                           .count = word >> m->base.c->d.RR_W & hd_ones(m->base.c->d.RR_W),
                           .intra = word & hd_ones(m->base.c->d.RR_W)};
}

static inline uint64_t mta_pack(const struct mta *m, const struct mta_word *e) {
  uint64_t word = e->tag << m->base.c->d.LID_W | e->first;
  word = word << m->base.c->d.LAST_W | (e->last & hd_ones(m->base.c->d.LAST_W));
  word = word << m->base.c->d.RR_W | e->count;
  return word << m->base.c->d.RR_W | e->intra;
}

/* ---- Look: the access, or the entry, that was taken in the last cycle ---- */

static inline uint64_t mta_set_of(const struct mta *m, uint64_t line) {
  return line & hd_ones(m->base.c->d.MTA_SET_W);
}

/* True if the last cycle wrote the word of this way. The row that was read has garbage in this way. */
static inline bool mta_forwarded(const struct mta *m, uint64_t set, unsigned way) {
  const struct mta_st *s = &m->s;
  return !HD_IS(m, MTA_FA) && s->w_valid && s->w_set == set && s->w_way == way;
}

/* Returns the word of a way of the set whose row was read. */
static inline struct mta_word mta_word_of(const struct mta *m, uint64_t set, unsigned way) {
  const struct mta_st *s = &m->s;
  if (HD_IS(m, MTA_FA))
    return mta_unpack(m, s->word[way]);
  return mta_unpack(m, mta_forwarded(m, set, way) ? s->w_word : s->entry_q[way]);
}

static inline void mta_known(struct mta *m, const struct mta_word *e) {
  struct mta_st *s = &m->s;
  s->u_valid = 1;
  s->u_id = e->first;
  s->u_last = e->last;
  s->u_count = e->count;
  s->u_intra = e->intra;
}

static inline void mta_write(struct mta *m, uint64_t set, unsigned way, const struct mta_word *e) {
  struct mta_st *s = &m->s;
  const uint64_t word = mta_pack(m, e);
  if (HD_IS(m, MTA_FA)) {
    s->word[way] = word;
    return;
  }
  s->entry[set * m->base.c->d.MTA_WAYS + way] = word;
  s->entry_wr = (int64_t)set;
  HD_COUNT(s->entry_n.writes, 1);
  s->w_set = set;
  s->w_way = way;
  s->w_word = word;
}

static inline void mta_hit(struct mta *m, uint64_t set, unsigned way, struct mta_word e, uint64_t threshold) {
  const struct mta_st *s = &m->s;
  const bool forward = mta_forwarded(m, set, way);
  const uint64_t at = set * m->base.c->d.MTA_WAYS + way;
  if (e.count != hd_ones(m->base.c->d.RR_W)) {
    e.count++;
    e.intra = (e.intra + s->m_mine) & hd_ones(m->base.c->d.RR_W);
  }
  if (s->m_mine && s->m_trk)
    e.last = s->m_lid & hd_ones(m->base.c->d.LAST_W);
  mta_write(m, set, way, &e);
  if (s->m_mine)
    HD_EV(m, mta_hit_mine, at, s->m_lid, e.count, e.intra);
  else
    HD_EV(m, mta_hit_other, at, e.count, e.intra, 0);
  if (forward)
    HD_EV(m, mta_forward_hit, at, 0, 0, 0);
  if (e.count < threshold)
    return;
  HD_EV(m, mta_enough, at, e.first, e.count, e.intra);
  mta_known(m, &e);
}

/* Returns the victim's way in a full set, in turn (D-APCM-9). */
static inline unsigned mta_give_way(struct mta *m, uint64_t set) {
  if (!m->base.c->d.MTA_WAY_W)
    return 0;
  uint64_t *next = &m->s.next[set];
  const uint64_t way = *next < m->base.c->d.MTA_WAYS ? *next : 0;
  *next = hd_next(way, m->base.c->d.MTA_WAYS, m->base.c->d.MTA_WAY_W);
  return (unsigned)way;
}

static inline void mta_allocate(struct mta *m, uint64_t set) {
  struct mta_st *s = &m->s;
  uint64_t *valid = s->valid + set * m->base.c->d.MTA_WAYS;
  const struct mta_word e = {.tag = s->m_line >> m->base.c->d.MTA_SET_W,
                             .first = s->m_lid,
                             .last = s->m_lid & hd_ones(m->base.c->d.LAST_W),
                             .count = s->m_count + (s->m_count != hd_ones(m->base.c->d.RR_W)),
                             .intra = 1};
  unsigned way = 0;
  while (way < m->base.c->d.MTA_WAYS && valid[way])
    way++;
  HD_EV(m, mta_allocate, s->m_line, s->m_lid, s->m_count, 0);
  if (way == m->base.c->d.MTA_WAYS) {
    way = mta_give_way(m, set);
    const struct mta_word old = mta_word_of(m, set, way);
    HD_EV(m, mta_evict, set * m->base.c->d.MTA_WAYS + way, old.first, old.count, old.intra);
    if (mta_forwarded(m, set, way))
      HD_EV(m, mta_forward_evict, set * m->base.c->d.MTA_WAYS + way, 0, 0, 0);
    mta_known(m, &old);
  }
  mta_write(m, set, way, &e);
  valid[way] = 1;
}

static inline void mta_look_up(struct mta *m, uint64_t threshold) {
  const struct mta_st *s = &m->s;
  const uint64_t set = mta_set_of(m, s->m_line), tag = s->m_line >> m->base.c->d.MTA_SET_W;
  for (unsigned way = 0; way < m->base.c->d.MTA_WAYS; way++) {
    if (!s->valid[set * m->base.c->d.MTA_WAYS + way])
      continue;
    const struct mta_word e = mta_word_of(m, set, way);
    if (e.tag == tag) {
      mta_hit(m, set, way, e, threshold);
      return;
    }
  }
  if (!s->m_mine || !s->m_trk)
    return;
  if (s->m_two)
    mta_allocate(m, set);
  else
    HD_EV(m, mta_drop, s->m_line, s->m_lid, 0, 0);
}

static inline void mta_read_out(struct mta *m) {
  struct mta_st *s = &m->s;
  const uint64_t at = s->m_at;
  if (at >= m->base.c->d.MTA || !s->valid[at])
    return;
  const struct mta_word e = mta_word_of(m, at / m->base.c->d.MTA_WAYS, at % m->base.c->d.MTA_WAYS);
  HD_EV(m, mta_read, at, e.first, e.count, e.intra);
  if (mta_forwarded(m, at / m->base.c->d.MTA_WAYS, at % m->base.c->d.MTA_WAYS))
    HD_EV(m, mta_forward_read, at, 0, 0, 0);
  mta_known(m, &e);
  s->valid[at] = 0;
}

/* ---- Take ---- */

/* Reads the row for the next cycle. A way that is being written reads as garbage; `w_word` replaces it. */
static inline void mta_read_row(struct mta *m, uint64_t set) {
  struct mta_st *s = &m->s;
  hd_copy(s->entry_q, s->entry + set * m->base.c->d.MTA_WAYS, m->base.c->d.MTA_WAYS);
  HD_COUNT(s->entry_n.reads, m->base.c->d.MTA_WAYS);
  if (s->entry_wr == (int64_t)set)
    s->entry_q[s->w_way] = ~s->w_word & hd_ones(m->base.c->d.MTA_W);
}

/* Takes an access or a scan step. `begin`: this access is the first one of the warp to monitor. */
static inline void mta_take(struct mta *m, const struct mta_in *in, bool begin) {
  struct mta_st *s = &m->s;
  const struct access *a = &in->acc;
  s->m_valid = (in->acc_valid && (s->mon || begin)) || s->scan;
  if (!HD_WATCHED && !s->m_valid) /* nothing reads the other registers */
    return;
  if (!HD_IS(m, MTA_FA))
    mta_read_row(m, s->scan ? s->scan_at / m->base.c->d.MTA_WAYS & hd_ones(m->base.c->d.MTA_SET_W)
                            : mta_set_of(m, a->line));
  s->m_scan = s->scan;
  s->m_mine = begin || a->wid == s->mon_wid;
  s->m_trk = a->trk;
  s->m_lid = a->lid;
  s->m_two = a->two;
  s->m_line = a->line;
  s->m_count = in->acc_own ? 0 : a->count;
  s->m_at = s->scan_at;
}

/* Updates the monitored warp and the scan. */
static inline void mta_follow(struct mta *m, const struct mta_in *in, bool begin) {
  struct mta_st *s = &m->s;
  if (s->scan) {
    s->scan = s->scan_at != m->base.c->d.MTA - 1;
    s->scan_at = s->scan ? (s->scan_at + 1) & hd_ones(m->base.c->d.MTA_N_W) : 0;
  }
  if (begin) {
    HD_EV(m, mta_monitor, in->acc.wid, in->acc.lid, 0, 0);
    s->mon = 1;
    s->mon_wid = in->acc.wid;
  } else if (s->mon && hd_has(in->exit, s->mon_wid)) {
    HD_EV(m, mta_leave, s->mon_wid, 0, 0, 0);
    s->mon = 0;
    s->over = s->scan = 1;
    s->scan_at = 0;
  }
}

/* Clears the array. `looking`: the look of this cycle is lost. */
static inline void mta_clear(struct mta *m, bool looking) {
  struct mta_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  HD_EV(m, mta_clear, 0, 0, 0, 0);
  if (looking)
    HD_EV(m, mta_clear_look, 0, 0, 0, 0);
  if (s->scan)
    HD_EV(m, mta_clear_scan, 0, 0, 0, 0);
  s->mon = s->over = s->scan = s->scan_at = s->m_valid = 0;
  memset(s->valid, 0, m->base.c->d.MTA * sizeof *s->valid);
  if (m->base.c->d.MTA_WAY_W)
    memset(s->next, 0, d->MTA_SETS * sizeof *s->next);
}

static inline uint64_t mta_cycle(struct mta *m, const struct mta_in *in) {
  struct mta_st *s = &m->s;
  const bool begin = in->acc_valid && in->acc.trk && !(s->mon | s->over);
  const bool looking = s->m_valid, looks = looking && !in->clear;
  s->u_valid = 0;
  s->entry_wr = -1;
  if (looks && s->m_scan)
    mta_read_out(m);
  else if (looks)
    mta_look_up(m, m->base.c->d.APB ? in->apcm_threshold : m->base.c->d.ENOUGH);
  s->w_valid = s->entry_wr >= 0;
  mta_take(m, in, begin);
  if (in->clear)
    mta_clear(m, looking);
  else
    mta_follow(m, in, begin);
  return s->m_valid | s->scan | s->w_valid | s->u_valid | in->clear ? HD_MOVES : 0;
}

#endif
