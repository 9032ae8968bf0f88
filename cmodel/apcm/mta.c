/* Golden model of the monitor tag array. Spec: docs/mechanisms/apcm.md.
 *
 * Invariant: at most one valid entry of a set has a tag; the monitored warp and the scan are never there together. Where a
 * fault puts a place outside the array, nothing outside it is touched. */
#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

/* An entry's word, taken apart. */
struct word {
  uint64_t tag, first, last, count, intra;
};

static struct word unpack(const struct hd_derived *d, uint64_t word) {
  const unsigned last_at = 2 * d->RR_W, first_at = last_at + d->LAST_W, tag_at = first_at + d->LID_W;
  return (struct word){.tag = word >> tag_at,
                       .first = word >> first_at & hd_ones(d->LID_W),
                       .last = word >> last_at & hd_ones(d->LAST_W),
                       .count = word >> d->RR_W & hd_ones(d->RR_W),
                       .intra = word & hd_ones(d->RR_W)};
}

static uint64_t pack(const struct hd_derived *d, const struct word *e) {
  uint64_t word = e->tag << d->LID_W | e->first;
  word = word << d->LAST_W | (e->last & hd_ones(d->LAST_W));
  word = word << d->RR_W | e->count;
  return word << d->RR_W | e->intra;
}

void mta_moore(struct mta *m, struct mta_out *out) {
  const struct mta_st *s = &m->s;
  out->up_valid = s->u_valid;
  out->up_id = s->u_id;
  out->up_last = s->u_last;
  out->up_count = s->u_count;
  out->up_intra = s->u_intra;
}

/* ---- Look: the access, or the entry, that was taken in the last cycle ---- */

static inline uint64_t set_of(const struct hd_derived *d, uint64_t line) {
  return line & hd_ones(d->MTA_SET_W);
}

/* The word that was written in the last cycle is that of this way: the row that was read has garbage there. */
static bool forwarded(const struct mta *m, uint64_t set, unsigned way) {
  const struct mta_st *s = &m->s;
  return !m->base.c->d.MTA_FA && s->w_valid && s->w_set == set && s->w_way == way;
}

/* The word of a way of the set whose row was read. */
static struct word word_of(const struct mta *m, uint64_t set, unsigned way) {
  const struct mta_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  if (d->MTA_FA)
    return unpack(d, s->word[way]);
  return unpack(d, forwarded(m, set, way) ? s->w_word : s->entry_q[way]);
}

static void known(struct mta *m, const struct word *e) {
  struct mta_st *s = &m->s;
  s->u_valid = 1;
  s->u_id = e->first;
  s->u_last = e->last;
  s->u_count = e->count;
  s->u_intra = e->intra;
}

static void write(struct mta *m, uint64_t set, unsigned way, const struct word *e) {
  struct mta_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t word = pack(d, e);
  if (d->MTA_FA) {
    s->word[way] = word;
    return;
  }
  s->entry[set * d->MTA_WAYS + way] = word;
  s->entry_wr = (int64_t)set;
  s->entry_n.writes++;
  s->w_set = set;
  s->w_way = way;
  s->w_word = word;
}

static void hit(struct mta *m, uint64_t set, unsigned way, struct word e, uint64_t threshold) {
  const struct mta_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const bool forward = forwarded(m, set, way);
  const uint64_t at = set * d->MTA_WAYS + way;
  if (e.count != hd_ones(d->RR_W)) {
    e.count++;
    e.intra = (e.intra + s->m_mine) & hd_ones(d->RR_W);
  }
  if (s->m_mine && s->m_trk)
    e.last = s->m_lid & hd_ones(d->LAST_W);
  write(m, set, way, &e);
  if (s->m_mine)
    HD_EV(m, mta_hit_mine, at, s->m_lid, e.count, e.intra);
  else
    HD_EV(m, mta_hit_other, at, e.count, e.intra, 0);
  if (forward)
    HD_EV(m, mta_forward_hit, at, 0, 0, 0);
  if (e.count < threshold)
    return;
  HD_EV(m, mta_enough, at, e.first, e.count, e.intra);
  known(m, &e);
}

/* The way that is to give way in a full set. */
static unsigned give_way(struct mta *m, uint64_t set) {
  const struct hd_derived *d = &m->base.c->d;
  if (!d->MTA_WAY_W)
    return 0;
  uint64_t *next = &m->s.next[set];
  const uint64_t way = *next < d->MTA_WAYS ? *next : 0;
  *next = hd_next(way, d->MTA_WAYS);
  return (unsigned)way;
}

static void allocate(struct mta *m, uint64_t set) {
  struct mta_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  uint64_t *valid = s->valid + set * d->MTA_WAYS;
  const struct word e = {.tag = s->m_line >> d->MTA_SET_W,
                         .first = s->m_lid,
                         .last = s->m_lid & hd_ones(d->LAST_W),
                         .count = s->m_count + (s->m_count != hd_ones(d->RR_W)),
                         .intra = 1};
  unsigned way = 0;
  while (way < d->MTA_WAYS && valid[way])
    way++;
  HD_EV(m, mta_allocate, s->m_line, s->m_lid, s->m_count, 0);
  if (way == d->MTA_WAYS) {
    way = give_way(m, set);
    const struct word old = word_of(m, set, way);
    HD_EV(m, mta_evict, set * d->MTA_WAYS + way, old.first, old.count, old.intra);
    if (forwarded(m, set, way))
      HD_EV(m, mta_forward_evict, set * d->MTA_WAYS + way, 0, 0, 0);
    known(m, &old);
  }
  write(m, set, way, &e);
  valid[way] = 1;
}

static void look_up(struct mta *m, uint64_t threshold) {
  const struct mta_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t set = set_of(d, s->m_line), tag = s->m_line >> d->MTA_SET_W;
  for (unsigned way = 0; way < d->MTA_WAYS; way++) {
    if (!s->valid[set * d->MTA_WAYS + way])
      continue;
    const struct word e = word_of(m, set, way);
    if (e.tag == tag) {
      hit(m, set, way, e, threshold);
      return;
    }
  }
  if (!s->m_mine || !s->m_trk)
    return;
  if (s->m_two)
    allocate(m, set);
  else
    HD_EV(m, mta_drop, s->m_line, s->m_lid, 0, 0);
}

static void read_out(struct mta *m) {
  struct mta_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t at = s->m_at;
  if (at >= d->MTA || !s->valid[at])
    return;
  const struct word e = word_of(m, at / d->MTA_WAYS, at % d->MTA_WAYS);
  HD_EV(m, mta_read, at, e.first, e.count, e.intra);
  if (forwarded(m, at / d->MTA_WAYS, at % d->MTA_WAYS))
    HD_EV(m, mta_forward_read, at, 0, 0, 0);
  known(m, &e);
  s->valid[at] = 0;
}

/* ---- Take ---- */

/* The row that is looked at in the next cycle. Of a way that is being written it gives garbage, which `w_word` replaces. */
static void read_row(struct mta *m, uint64_t set) {
  struct mta_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  hd_copy(s->entry_q, s->entry + set * d->MTA_WAYS, d->MTA_WAYS);
  s->entry_n.reads += d->MTA_WAYS;
  if (s->entry_wr == (int64_t)set)
    s->entry_q[s->w_way] = ~s->w_word & hd_ones(d->MTA_W);
}

/* `begin`: this access is the first of the warp that is to be monitored. */
static void take(struct mta *m, const struct mta_in *in, bool begin) {
  struct mta_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const struct access *a = &in->acc;
  if (!d->MTA_FA)
    read_row(m, s->scan ? s->scan_at / d->MTA_WAYS & hd_ones(d->MTA_SET_W) : set_of(d, a->line));
  s->m_valid = (in->acc_valid && (s->mon || begin)) || s->scan;
  s->m_scan = s->scan;
  s->m_mine = begin || a->wid == s->mon_wid;
  s->m_trk = a->trk;
  s->m_lid = a->lid;
  s->m_two = a->two;
  s->m_line = a->line;
  s->m_count = in->acc_own ? 0 : a->count;
  s->m_at = s->scan_at;
}

/* The warp that is monitored comes and goes, the scan moves on. */
static void follow(struct mta *m, const struct mta_in *in, bool begin) {
  struct mta_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  if (s->scan) {
    s->scan = s->scan_at != d->MTA - 1;
    s->scan_at = s->scan ? (s->scan_at + 1) & hd_ones(d->MTA_N_W) : 0;
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

/* `looking`: something was looked at in this cycle, in vain. */
static void clear(struct mta *m, bool looking) {
  struct mta_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  HD_EV(m, mta_clear, 0, 0, 0, 0);
  if (looking)
    HD_EV(m, mta_clear_look, 0, 0, 0, 0);
  if (s->scan)
    HD_EV(m, mta_clear_scan, 0, 0, 0, 0);
  s->mon = s->over = s->scan = s->scan_at = s->m_valid = 0;
  memset(s->valid, 0, d->MTA * sizeof *s->valid);
  if (d->MTA_WAY_W)
    memset(s->next, 0, d->MTA_SETS * sizeof *s->next);
}

uint64_t mta_tick(struct mta *m, const struct mta_in *in) {
  struct mta_st *s = &m->s;
  const bool begin = in->acc_valid && in->acc.trk && !(s->mon | s->over);
  const bool looking = s->m_valid, looks = looking && !in->clear;
  s->u_valid = 0;
  s->entry_wr = -1;
  if (looks && s->m_scan)
    read_out(m);
  else if (looks)
    look_up(m, m->base.c->d.APB ? in->apcm_threshold : m->base.c->d.ENOUGH);
  s->w_valid = s->entry_wr >= 0;
  take(m, in, begin);
  if (in->clear)
    clear(m, looking);
  else
    follow(m, in, begin);
  return s->m_valid | s->scan | s->w_valid | s->u_valid | in->clear ? HD_MOVES : 0;
}
