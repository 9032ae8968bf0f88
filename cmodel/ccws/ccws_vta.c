/* Golden model of CCWS's victim tag arrays. Spec: docs/mechanisms/ccws.md.
 *
 * An entry {there, warp, line} of `queue`, {warp, line} of `lines` and {there, tag} of `vta` are one number each: what
 * comes first is above. Invariant: a row of `vta` counts only if it is `known`; in it the tags that are there differ. */
#include "cmodel/ccws/lazy.h"
#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

enum { IDLE, TAKE_MISS, KEEP_MISS, LOOK, TAKE_VICTIM, KEEP_VICTIM, INSERT };

void ccws_vta_moore(struct ccws_vta *m, struct ccws_vta_out *out) {
  out->hit_valid = m->s.h_valid;
  out->hit_wid = m->s.h_wid;
}

/* ---- What the queue's entries say ---- */

static inline uint64_t there(const struct ccws_vta *m, uint64_t entry) {
  const struct hd_derived *d = &m->base.c->d;
  return entry >> (d->WID_W + d->LINE_W);
}
static inline uint64_t warp_of(const struct ccws_vta *m, uint64_t entry) {
  const struct hd_derived *d = &m->base.c->d;
  return entry >> d->LINE_W & hd_ones(d->WID_W);
}
static inline uint64_t line_of(const struct ccws_vta *m, uint64_t entry) {
  return entry & hd_ones(m->base.c->d.LINE_W);
}

/* ---- Lines ---- */

/* Of the way that was taken or written; way 0 if none was. */
static inline uint64_t place(const struct ccws_vta *m, const struct ccws_vta_in *in) {
  return in->outcome_set * m->base.c->d.WAYS + (in->outcome_at ? hd_lowest(in->outcome_at) : 0);
}

/* `lines` was read as that row was written. */
static inline bool same(const struct ccws_vta *m, uint64_t row) {
  return m->base.c->d.PREF && m->s.last_take && m->s.last_row == row;
}

/* `lines` reads and writes. A row that it writes and reads in one cycle it gives as garbage: what the hardware's macro
 * gives. */
static void clock_lines(struct ccws_vta *m, const struct ccws_vta_in *in) {
  struct ccws_vta_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t row = place(m, in), wid = d->ON_MISS ? in->outcome_wid : in->took_wid,
                 what = wid << d->LINE_W | (d->ON_MISS ? in->outcome_line : in->took_line);
  const bool took = in->outcome_take && in->outcome_at;
  s->lines_wr = -1;
  s->lines_n.reads += in->late_evict;
  s->lines_n.writes += took;
  if (in->late_evict) {
    const bool garbage = took && in->late_row == row;
    *s->lines_q = garbage ? ~what & hd_ones(d->WID_W + d->LINE_W) : s->lines[in->late_row];
  }
  s->last_take = d->PREF & took;
  if (!took)
    return;
  s->lines[row] = what;
  s->lines_wr = (int64_t)row;
  if (d->PREF) {
    s->last_row = row;
    s->last_line = what;
  }
}

/* ---- Push ---- */

/* A load missed in the last cycle. With on_fill its line is taken by its fill, later. */
static inline bool missed(const struct ccws_vta *m, const struct ccws_vta_in *in) {
  const struct hd_derived *d = &m->base.c->d;
  if (!d->ON_MISS)
    return in->outcome_load && !(in->outcome_hit | in->outcome_merge | in->outcome_past);
  return in->outcome_take && !(d->PREF && (in->outcome_hit | in->outcome_merge));
}

static void push(struct ccws_vta *m, const struct ccws_vta_in *in) {
  struct ccws_vta_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t flag = hd_bit(d->WID_W + d->LINE_W), row = place(m, in);
  const bool look = missed(m, in);
  if (!in->ccws_en || !(look || in->outcome_evict))
    return;
  const bool as_written = same(m, row);
  if (as_written && in->outcome_evict)
    HD_EV(m, ccws_vta_same, row, 0, 0, 0);
  if (s->count == d->VTA_Q) {
    HD_EV(m, ccws_vta_lost, in->outcome_wid, in->outcome_line, 0, 0);
    return;
  }
  uint64_t *entry = s->queue + s->tail * 2;
  entry[0] = (look ? flag : 0) | in->outcome_wid << d->LINE_W | in->outcome_line;
  entry[1] = (in->outcome_evict ? flag : 0) | (as_written ? s->last_line : *s->lines_q);
  s->queue_wr = (int64_t)s->tail;
  s->queue_n.writes++;
  s->tail = hd_next(s->tail, d->VTA_Q);
  s->count++;
}

/* ---- Step ---- */

/* `row` is one that the memory has. Another comes by a flipped bit alone: nothing of it is there, to write it changes nothing, and
 * what a read of it gives is not specified; here it is what was read before. */
static inline bool is_there(const struct ccws_vta *m) {
  return m->s.row < (uint64_t)m->base.c->d.WARPS * m->base.c->d.VTA_SETS;
}

/* The row of the entry's warp and line is read. */
static void take(struct ccws_vta *m, uint64_t entry) {
  struct ccws_vta_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t line = line_of(m, entry);
  s->row = warp_of(m, entry) << d->VTA_SET_W | (line & hd_ones(d->VTA_SET_W));
  s->tag = line >> d->VTA_SET_W;
  if (is_there(m))
    hd_copy(s->vta_q, s->vta + s->row * d->VTA_WAYS, d->VTA_WAYS);
  s->vta_n.reads++;
}

/* What was read, without what counts no more. */
static void keep(struct ccws_vta *m) {
  struct ccws_vta_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t counts = is_there(m) && s->known[s->row] ? UINT64_MAX : hd_ones(d->VTA_TAG_W);
  for (unsigned i = 0; i < d->VTA_WAYS; i++)
    s->w[i] = s->vta_q[i] & counts;
}

/* The place of `tag` in `w`, or VTA_WAYS. */
static unsigned find(const struct ccws_vta *m) {
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t places = hd_places(m->s.w, d->VTA_WAYS, hd_bit(d->VTA_TAG_W) | m->s.tag);
  return places ? hd_lowest(places) : d->VTA_WAYS;
}

/* The row is written: `tag` first, what was before place i one further; what was at i, or last of all, is gone. */
static void to_front(struct ccws_vta *m, unsigned i) {
  struct ccws_vta_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  s->vta_n.writes++;
  if (!is_there(m))
    return;
  uint64_t *row = s->vta + s->row * d->VTA_WAYS;
  const unsigned moved = i < d->VTA_WAYS ? i : d->VTA_WAYS - 1;
  hd_copy(row, s->w, d->VTA_WAYS);
  hd_copy(row + 1, s->w, moved);
  row[0] = hd_bit(d->VTA_TAG_W) | s->tag;
  s->vta_wr = (int64_t)s->row;
  s->known[s->row] = 1;
}

static void look(struct ccws_vta *m) {
  struct ccws_vta_st *s = &m->s;
  const uint64_t wid = warp_of(m, s->queue_q[0]), line = line_of(m, s->queue_q[0]);
  const unsigned i = find(m);
  s->step = there(m, s->queue_q[1]) ? TAKE_VICTIM : IDLE;
  if (i == m->base.c->d.VTA_WAYS) {
    HD_EV(m, ccws_vta_miss, wid, line, 0, 0);
    return;
  }
  HD_EV(m, ccws_vta_hit, wid, line, i, 0);
  to_front(m, i);
  s->h_valid = 1;
  s->h_wid = wid;
}

static void insert(struct ccws_vta *m) {
  struct ccws_vta_st *s = &m->s;
  const uint64_t wid = warp_of(m, s->queue_q[1]), line = line_of(m, s->queue_q[1]);
  const unsigned i = find(m);
  if (i == m->base.c->d.VTA_WAYS)
    HD_EV(m, ccws_vta_insert, wid, line, 0, 0);
  else
    HD_EV(m, ccws_vta_again, wid, line, i, 0);
  to_front(m, i);
  s->step = IDLE;
}

static void pop(struct ccws_vta *m) {
  struct ccws_vta_st *s = &m->s;
  hd_copy(s->queue_q, s->queue + s->head * 2, 2);
  s->queue_n.reads++;
  s->head = hd_next(s->head, m->base.c->d.VTA_Q);
  s->count--;
  s->step = TAKE_MISS;
}

/* `waiting`: the entries of the queue at the start of the cycle. */
static void advance(struct ccws_vta *m, uint64_t waiting) {
  struct ccws_vta_st *s = &m->s;
  switch (s->step) {
  case IDLE:
    if (waiting)
      pop(m);
    break;
  case TAKE_MISS:
    if (there(m, s->queue_q[0])) {
      take(m, s->queue_q[0]);
      s->step = KEEP_MISS;
    } else
      s->step = TAKE_VICTIM;
    break;
  case KEEP_MISS:
  case KEEP_VICTIM:
    keep(m);
    s->step++;
    break;
  case LOOK:
    look(m);
    break;
  case TAKE_VICTIM:
    take(m, s->queue_q[1]);
    s->step = KEEP_VICTIM;
    break;
  default:
    insert(m);
  }
}

static void clear(struct ccws_vta *m) {
  struct ccws_vta_st *s = &m->s;
  HD_EV(m, ccws_vta_clear, 0, 0, 0, 0);
  memset(s->known, 0, (size_t)m->base.c->d.WARPS * m->base.c->d.VTA_SETS * sizeof *s->known);
  s->head = s->tail = s->count = s->step = 0;
}

/* ---- Alone ---- */

/* The entry's line is among the victims: nobody writes to `vta` before the step that looks, which comes next. */
static bool will_be_found(const struct ccws_vta *m, uint64_t entry) {
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t line = line_of(m, entry), wid = warp_of(m, entry);
  const uint64_t row = wid << d->VTA_SET_W | (line & hd_ones(d->VTA_SET_W));
  if (wid >= d->WARPS || !m->s.known[row])
    return false;
  return hd_places(m->s.vta + row * d->VTA_WAYS, d->VTA_WAYS, hd_bit(d->VTA_TAG_W) | line >> d->VTA_SET_W) !=
         0;
}

/* Cycles that come in which nothing is found, if nobody says anything; UINT64_MAX: nothing will be. What waits behind the entry that is
 * at work is looked at when that is done. */
static uint64_t quiet(const struct ccws_vta *m) {
  const struct ccws_vta_st *s = &m->s;
  if (s->h_valid)
    return 0;
  const uint64_t *const entry = s->step == IDLE ? s->queue + s->head * 2 : s->queue_q;
  const uint64_t behind = s->step == IDLE ? s->count - (s->count > 0) : s->count;
  if (s->step <= LOOK && (s->step != IDLE || s->count)) {
    const uint64_t looks = LOOK - s->step;
    if (there(m, entry[0]) && will_be_found(m, entry[0]))
      return looks;
    if (behind)
      return looks + 1;
  }
  return behind ? INSERT + 1 - s->step : UINT64_MAX;
}

void ccws_vta_alone(struct ccws_vta *m, const struct ccws_vta_in *in, uint64_t cycles) {
  struct ccws_vta_st *s = &m->s;
  (void)in;
  if (cycles)
    s->last_take = 0;
  while (cycles && (s->step | s->count)) {
    const bool looks = s->step == TAKE_MISS && there(m, s->queue_q[0]) && cycles > LOOK - TAKE_MISS;
    const bool inserts = s->step == TAKE_VICTIM && cycles > INSERT - TAKE_VICTIM;
    if (looks | inserts) { /* three steps at once, as most often */
      take(m, s->queue_q[inserts]);
      keep(m);
      (looks ? look : insert)(m);
      cycles -= 3;
    } else {
      advance(m, s->count);
      cycles--;
    }
  }
}

uint64_t ccws_vta_tick(struct ccws_vta *m, const struct ccws_vta_in *in) {
  struct ccws_vta_st *s = &m->s;
  const uint64_t waiting = s->count;
  s->queue_wr = s->vta_wr = -1;
  s->h_valid = 0;
  if (in->clear)
    clear(m);
  else {
    push(m, in);
    advance(m, waiting);
  }
  clock_lines(m, in);
  const uint64_t cycles = quiet(m);
  return HD_ALONE_FOR(cycles);
}
