/* One cycle of the golden model of CCWS's victim tag arrays. Spec: docs/mechanisms/ccws.md.
 *
 * An entry {there, warp, line} of `queue`, {warp, line} of `lines` and {there, tag} of `vta` are one number each,
 * with the first field in the highest bits. Invariant: a row of `vta` counts only if it is `known`. The tags in it
 * that are *there* differ.
 *
 * Inlined: measured in cmodel/ccws/ccws_score_cycle.h. */
#ifndef HEDDLE_CMODEL_CCWS_CCWS_VTA_CYCLE_H
#define HEDDLE_CMODEL_CCWS_CCWS_VTA_CYCLE_H

#include "cmodel/ccws/lazy.h"
#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

enum { VTA_IDLE, VTA_TAKE_MISS, VTA_KEEP_MISS, VTA_LOOK, VTA_TAKE_VICTIM, VTA_KEEP_VICTIM, VTA_INSERT };

/* ---- What the queue's entries say ---- */

static inline uint64_t vta_there(const struct ccws_vta *m, uint64_t entry) {
  const struct hd_derived *d = &m->base.c->d;
  return entry >> (d->WID_W + d->LINE_W);
}
static inline uint64_t vta_warp_of(const struct ccws_vta *m, uint64_t entry) {
  const struct hd_derived *d = &m->base.c->d;
  return entry >> d->LINE_W & hd_ones(d->WID_W);
}
static inline uint64_t vta_line_of(const struct ccws_vta *m, uint64_t entry) {
  return entry & hd_ones(m->base.c->d.LINE_W);
}

/* ---- Lines ---- */

/* Returns the row of `lines` for the way that was taken or written; that of way 0 if none was. */
static inline uint64_t vta_place(const struct ccws_vta *m, const struct ccws_vta_in *in) {
  return in->outcome_set * m->base.c->d.WAYS + (in->outcome_at ? hd_lowest(in->outcome_at) : 0);
}

/* True if the row of `lines` was read as it was written. */
static inline bool vta_same(const struct ccws_vta *m, uint64_t row) {
  return HD_IS(m, PREF) && m->s.last_take && m->s.last_row == row;
}

/* Clocks the macro `lines`. A row that is written and read in one cycle reads as garbage, as in the hardware's macro. */
static inline void vta_clock_lines(struct ccws_vta *m, const struct ccws_vta_in *in) {
  struct ccws_vta_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t row = vta_place(m, in), wid = HD_IS(m, ON_MISS) ? in->outcome_wid : in->took_wid,
                 what = wid << d->LINE_W | (HD_IS(m, ON_MISS) ? in->outcome_line : in->took_line);
  const bool took = in->outcome_take && in->outcome_at;
  s->lines_wr = -1;
  HD_COUNT(s->lines_n.reads, in->late_evict);
  HD_COUNT(s->lines_n.writes, took);
  if (in->late_evict) {
    const bool garbage = took && in->late_row == row;
    *s->lines_q = garbage ? ~what & hd_ones(d->WID_W + d->LINE_W) : s->lines[in->late_row];
  }
  s->last_take = HD_IS(m, PREF) & took;
  if (!took)
    return;
  s->lines[row] = what;
  s->lines_wr = (int64_t)row;
  if (HD_IS(m, PREF)) {
    s->last_row = row;
    s->last_line = what;
  }
}

/* ---- Push ---- */

/* True if a load missed in the last cycle. With on_fill the load's fill takes the line later. */
static inline bool vta_missed(const struct ccws_vta *m, const struct ccws_vta_in *in) {
  if (!HD_IS(m, ON_MISS))
    return in->outcome_load && !(in->outcome_hit | in->outcome_merge | in->outcome_past);
  return in->outcome_take && !(HD_IS(m, PREF) && (in->outcome_hit | in->outcome_merge));
}

static inline void vta_push(struct ccws_vta *m, const struct ccws_vta_in *in) {
  struct ccws_vta_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t flag = hd_bit(d->WID_W + d->LINE_W), row = vta_place(m, in);
  const bool look = vta_missed(m, in);
  if (!in->ccws_en || !(look || in->outcome_evict))
    return;
  const bool as_written = vta_same(m, row);
  if (as_written && in->outcome_evict)
    HD_EV(m, ccws_vta_same, row, 0, 0, 0);
  if (s->count == m->base.c->d.VTA_Q) {
    HD_EV(m, ccws_vta_lost, in->outcome_wid, in->outcome_line, 0, 0);
    return;
  }
  uint64_t *entry = s->queue + s->tail * 2;
  entry[0] = (look ? flag : 0) | in->outcome_wid << d->LINE_W | in->outcome_line;
  entry[1] = (in->outcome_evict ? flag : 0) | (as_written ? s->last_line : *s->lines_q);
  s->queue_wr = (int64_t)s->tail;
  HD_COUNT(s->queue_n.writes, 1);
  s->tail = hd_next(s->tail, m->base.c->d.VTA_Q, m->base.c->d.VTA_Q_W);
  s->count++;
}

/* ---- Step ---- */

/* True if the memory has the row `row`. Only a flipped bit makes another row. Such a row holds nothing, and a write
 * to it changes nothing. The result of a read is not specified; the model keeps what was read before. */
static inline bool vta_is_there(const struct ccws_vta *m) {
  return m->s.row < (uint64_t)m->base.c->d.WARPS * m->base.c->d.VTA_SETS;
}

/* Reads the row of the entry's warp and line. */
static inline void vta_take(struct ccws_vta *m, uint64_t entry) {
  struct ccws_vta_st *s = &m->s;
  const uint64_t line = vta_line_of(m, entry);
  s->row = vta_warp_of(m, entry) << m->base.c->d.VTA_SET_W | (line & hd_ones(m->base.c->d.VTA_SET_W));
  s->tag = line >> m->base.c->d.VTA_SET_W;
  if (vta_is_there(m))
    hd_copy(s->vta_q, s->vta + s->row * m->base.c->d.VTA_WAYS, m->base.c->d.VTA_WAYS);
  HD_COUNT(s->vta_n.reads, 1);
}

/* Copies the row that was read to `w`. If the row is not known, no element of it is there. */
static inline void vta_keep(struct ccws_vta *m) {
  struct ccws_vta_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t counts = vta_is_there(m) && s->known[s->row] ? UINT64_MAX : hd_ones(d->VTA_TAG_W);
  for (unsigned i = 0; i < m->base.c->d.VTA_WAYS; i++)
    s->w[i] = s->vta_q[i] & counts;
}

/* Returns the place of `tag` in `w`, or VTA_WAYS. */
static inline unsigned vta_find(const struct ccws_vta *m) {
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t places = hd_places(m->s.w, m->base.c->d.VTA_WAYS, hd_bit(d->VTA_TAG_W) | m->s.tag);
  return places ? hd_lowest(places) : m->base.c->d.VTA_WAYS;
}

/* Writes the row with `tag` first. Elements before place i move one further. The element at place i, or else the last
 * one, is gone. */
static inline void vta_to_front(struct ccws_vta *m, unsigned i) {
  struct ccws_vta_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  HD_COUNT(s->vta_n.writes, 1);
  if (!vta_is_there(m))
    return;
  uint64_t *row = s->vta + s->row * m->base.c->d.VTA_WAYS;
  const unsigned moved = i < m->base.c->d.VTA_WAYS ? i : m->base.c->d.VTA_WAYS - 1;
  hd_copy(row, s->w, m->base.c->d.VTA_WAYS);
  hd_copy(row + 1, s->w, moved);
  row[0] = hd_bit(d->VTA_TAG_W) | s->tag;
  s->vta_wr = (int64_t)s->row;
  s->known[s->row] = 1;
}

static inline void vta_look(struct ccws_vta *m) {
  struct ccws_vta_st *s = &m->s;
  const uint64_t wid = vta_warp_of(m, s->queue_q[0]), line = vta_line_of(m, s->queue_q[0]);
  const unsigned i = vta_find(m);
  s->step = vta_there(m, s->queue_q[1]) ? VTA_TAKE_VICTIM : VTA_IDLE;
  if (i == m->base.c->d.VTA_WAYS) {
    HD_EV(m, ccws_vta_miss, wid, line, 0, 0);
    return;
  }
  HD_EV(m, ccws_vta_hit, wid, line, i, 0);
  vta_to_front(m, i);
  s->h_valid = 1;
  s->h_wid = wid;
}

static inline void vta_insert(struct ccws_vta *m) {
  struct ccws_vta_st *s = &m->s;
  const uint64_t wid = vta_warp_of(m, s->queue_q[1]), line = vta_line_of(m, s->queue_q[1]);
  const unsigned i = vta_find(m);
  if (i == m->base.c->d.VTA_WAYS)
    HD_EV(m, ccws_vta_insert, wid, line, 0, 0);
  else
    HD_EV(m, ccws_vta_again, wid, line, i, 0);
  vta_to_front(m, i);
  s->step = VTA_IDLE;
}

static inline void vta_pop(struct ccws_vta *m) {
  struct ccws_vta_st *s = &m->s;
  hd_copy(s->queue_q, s->queue + s->head * 2, 2);
  HD_COUNT(s->queue_n.reads, 1);
  s->head = hd_next(s->head, m->base.c->d.VTA_Q, m->base.c->d.VTA_Q_W);
  s->count--;
  s->step = VTA_TAKE_MISS;
}

/* `waiting`: the entries of the queue at the start of the cycle. */
static inline void vta_advance(struct ccws_vta *m, uint64_t waiting) {
  struct ccws_vta_st *s = &m->s;
  switch (s->step) {
  case VTA_IDLE:
    if (waiting)
      vta_pop(m);
    break;
  case VTA_TAKE_MISS:
    if (vta_there(m, s->queue_q[0])) {
      vta_take(m, s->queue_q[0]);
      s->step = VTA_KEEP_MISS;
    } else
      s->step = VTA_TAKE_VICTIM;
    break;
  case VTA_KEEP_MISS:
  case VTA_KEEP_VICTIM:
    vta_keep(m);
    s->step++;
    break;
  case VTA_LOOK:
    vta_look(m);
    break;
  case VTA_TAKE_VICTIM:
    vta_take(m, s->queue_q[1]);
    s->step = VTA_KEEP_VICTIM;
    break;
  default:
    vta_insert(m);
  }
}

static inline void vta_clear(struct ccws_vta *m) {
  struct ccws_vta_st *s = &m->s;
  HD_EV(m, ccws_vta_clear, 0, 0, 0, 0);
  memset(s->known, 0, (size_t)m->base.c->d.WARPS * m->base.c->d.VTA_SETS * sizeof *s->known);
  s->head = s->tail = s->count = s->step = 0;
}

/* ---- Alone ---- */

/* Runs at once the three steps that insert, or the six that look first, for an existing warp. While the rest of the
 * part sleeps, a look finds nothing (see vta_quiet). */
static inline void vta_insert_at_once(struct ccws_vta *m, bool looks) {
  struct ccws_vta_st *s = &m->s;
  const uint64_t missed = s->queue_q[0];
  if (looks) {
    HD_EV(m, ccws_vta_miss, vta_warp_of(m, missed), vta_line_of(m, missed), 0, 0);
    HD_COUNT(s->vta_n.reads, 1);
  }
  vta_take(m, s->queue_q[1]);
  vta_keep(m);
  vta_insert(m);
}

/* True if the entry's line is among the victims. Nothing writes to `vta` before the step that looks, which comes next. */
static inline bool vta_will_be_found(const struct ccws_vta *m, uint64_t entry) {
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t line = vta_line_of(m, entry), wid = vta_warp_of(m, entry);
  const uint64_t row = wid << m->base.c->d.VTA_SET_W | (line & hd_ones(m->base.c->d.VTA_SET_W));
  if (wid >= d->WARPS || !m->s.known[row])
    return false;
  return hd_places(m->s.vta + row * m->base.c->d.VTA_WAYS, m->base.c->d.VTA_WAYS,
                   hd_bit(d->VTA_TAG_W) | line >> m->base.c->d.VTA_SET_W) != 0;
}

/* Returns the number of cycles in which nothing is found without new inputs. UINT64_MAX: forever. An entry behind the
 * one in progress is looked up when that one is done. */
static inline uint64_t vta_quiet(const struct ccws_vta *m) {
  const struct ccws_vta_st *s = &m->s;
  if (s->h_valid)
    return 0;
  const uint64_t *const entry = s->step == VTA_IDLE ? s->queue + s->head * 2 : s->queue_q;
  const uint64_t behind = s->step == VTA_IDLE ? s->count - (s->count > 0) : s->count;
  if (s->step <= VTA_LOOK && (s->step != VTA_IDLE || s->count)) {
    const uint64_t looks = VTA_LOOK - s->step;
    if (vta_there(m, entry[0]) && vta_will_be_found(m, entry[0]))
      return looks;
    if (behind)
      return looks + 1;
  }
  return behind ? VTA_INSERT + 1 - s->step : UINT64_MAX;
}

static inline void ccws_vta_pass(struct ccws_vta *m, const struct ccws_vta_in *in, uint64_t cycles) {
  struct ccws_vta_st *s = &m->s;
  (void)in;
  if (cycles)
    s->last_take = 0;
  while (cycles && (s->step | s->count)) {
    const bool looks = s->step == VTA_TAKE_MISS && vta_there(m, s->queue_q[0]) && vta_there(m, s->queue_q[1]);
    const uint64_t steps = looks                        ? VTA_INSERT + 1 - VTA_TAKE_MISS
                           : s->step == VTA_TAKE_VICTIM ? VTA_INSERT + 1 - VTA_TAKE_VICTIM
                                                        : UINT64_MAX;
    if (steps <= cycles && vta_warp_of(m, s->queue_q[1]) < m->base.c->d.WARPS) { /* the most frequent case */
      vta_insert_at_once(m, looks);
      cycles -= steps;
    } else {
      vta_advance(m, s->count);
      cycles--;
    }
  }
}

static inline uint64_t ccws_vta_cycle(struct ccws_vta *m, const struct ccws_vta_in *in) {
  struct ccws_vta_st *s = &m->s;
  const uint64_t waiting = s->count;
  s->queue_wr = s->vta_wr = -1;
  s->h_valid = 0;
  if (in->clear)
    vta_clear(m);
  else {
    vta_push(m, in);
    vta_advance(m, waiting);
  }
  vta_clock_lines(m, in);
  const uint64_t cycles = vta_quiet(m);
  return HD_ALONE_FOR(cycles);
}

#endif
