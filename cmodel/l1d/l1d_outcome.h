/* The L1D's reports about a decided request (OUTCOME) and at the clock edge (LATE), and its use of PINS. Spec:
 * docs/mechanisms/hooks.md; part of the model in cmodel/l1d/l1d.c.
 *
 * Invariant: the memories that were written say what was done. A miss writes `merged` and `mq`, a merge only
 * `merged`, a load that goes on uncached only `mq`. l1d_replace has left the way in outcome_at, and the rest of an
 * eviction in `late`.
 *
 * Inlined: with calls instead, heddle sim executes 2.4 % more instructions (apcm on syr2k:tiny). */
#ifndef HEDDLE_CMODEL_L1D_L1D_OUTCOME_H
#define HEDDLE_CMODEL_L1D_L1D_OUTCOME_H

#include "cmodel/l1d/l1d_hooks.h"
#include "cmodel/l1d/l1d_sets.h"
#include "cmodel/l1d/ports.h"
#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"
#include "cmodel/model/request.h"

/* What became of the request in d in this cycle. */
enum l1d_result {
  L1D_WAITS,          /* or d was empty, or was flushed */
  L1D_WAITS_FOR_FILL, /* a fill has entered */
  L1D_DONE,
  L1D_LEFT /* it lacked a resource, and comes again */
};

/* memo[L1D_WAITED]: the request in d has waited, and OUTCOME reports nothing about it. While the request waits,
 * OUTCOME has nothing new to report. With on_fill OUTCOME also reports fills. */
static inline bool l1d_waited(const struct l1d *m) {
  return m->base.memo[L1D_WAITED] & m->s.d_valid;
}

/* The value of outcome_nth: the number of loads of an MSHR (docs/mechanisms/hooks.md). */
static inline uint64_t l1d_nth(const struct l1d *m, bool fills, bool merged) {
  const struct l1d_st *s = &m->s;
  if (fills)
    return (s->f_count - 1) & hd_ones(m->base.c->d.MERGE_W);
  return s->d_mshr_eq ? s->mshr_count[hd_lowest(s->d_mshr_eq)] - merged : 0;
}

/* Sets the tag that is written in this cycle, or would be. Called before any decision. */
static inline void l1d_late_tag(struct l1d *m) {
  const struct l1d_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t fill = s->f.id < d->MSHRS ? s->mshr_line[s->f.id] : 0;
  m->late.late_tag_set = HD_IS(m, ON_MISS) ? s->d_set : s->f_set;
  m->late.late_tag = l1d_tag_of(m->base.c, HD_IS(m, ON_MISS) ? s->d.line : fill);
}

/* Sets the way that is taken or written. */
static inline void l1d_show_late(struct l1d *m) {
  const struct l1d_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t set = HD_IS(m, ON_MISS) ? s->d_set : s->f_set,
                 written = s->outcome_write ? s->outcome_at : 0;
  m->late.late_take = HD_IS(m, ON_MISS) & s->outcome_take ? s->outcome_at : 0;
  if (HD_IS(m, OUTCOME_EVICT))
    m->late.late_row = set * d->WAYS + (written ? hd_lowest(written) : 0);
  m->late.late_tag_we = written;
}

/* Reports that no load was done and nothing was written. */
static inline void l1d_clear_outcome(struct l1d *m, bool there) {
  struct l1d_st *s = &m->s;
  s->outcome_load = s->outcome_tried = s->outcome_hit = s->outcome_merge = s->outcome_past = 0;
  s->outcome_write = s->outcome_take = s->outcome_evict = s->took_fill = 0;
  if (!HD_IS(m, PLACED))
    return;
  if (there) {
    s->outcome_set = s->d_set;
    s->outcome_at = 0;
    if (HD_IS(m, OUTCOME_NTH))
      s->outcome_nth = l1d_nth(m, false, false);
  }
  l1d_show_late(m);
}

/* Reports that a load was done or left, that a fill enters, or that a tag was written. Returns true if OUTCOME
 * reports it. */
static inline bool l1d_set_outcome(struct l1d *m, bool fills, enum l1d_result result) {
  struct l1d_st *s = &m->s;
  const bool load = !(fills | s->d.write | l1d_pf_decides(m)), done = load & (result == L1D_DONE);
  const bool wrote = s->tags_wr >= 0, sent = s->mq_wr >= 0, waits = s->merged_wr >= 0;
  const bool hit = done & (s->d_hit != 0), merged = done & waits & !sent;
  s->outcome_write = wrote;
  s->took_fill = HD_IS(m, TOOK) & fills;
  if (HD_IS(m, OUTCOME_HEARD)) {
    /* The first load of a prefetched line adopts it. A line in flight has a way only with on_miss. */
    const bool adopts = HD_IS(m, PREF) && s->pf_c & (HD_IS(m, ON_MISS) ? 3 : 1);
    s->outcome_load = done;
    s->outcome_tried = done | (result == L1D_LEFT);
    s->outcome_hit = hit;
    s->outcome_merge = merged;
    s->outcome_past = done & sent & !waits;
    s->outcome_take = adopts | (wrote & (HD_IS(m, ON_MISS) ? done : s->f_count != 0));
    s->outcome_evict = m->late.late_evict;
  }
  if (HD_IS(m, PLACED)) {
    s->outcome_set = fills ? s->f_set : s->d_set;
    if (!wrote)
      s->outcome_at = hit                          ? s->d_hit
                      : merged & HD_IS(m, ON_MISS) ? hd_bit(s->mshr_way[hd_lowest(s->d_mshr_eq)])
                                                   : 0;
    if (HD_IS(m, OUTCOME_NTH))
      s->outcome_nth = l1d_nth(m, fills, merged);
    l1d_show_late(m);
  }
  return l1d_outcome_valid(m);
}

/* Called after the decision or the fill, before d moves on, and while `late` is still that of the last cycle.
 * `there`: d_valid at the start of the cycle. Returns true if OUTCOME reports in the next cycle. */
static inline bool l1d_report_outcome(struct l1d *m, bool there, enum l1d_result result) {
  struct l1d_st *s = &m->s;
  const bool fills = result == L1D_WAITS_FOR_FILL && !HD_IS(m, ON_MISS);
  /* OUTCOME shows the request's fields in every cycle that it spends in d. They do not change, so one copy is enough. */
  if (there & HD_IS(m, OUTCOME_HEARD) && m->late.late_advance) {
    hd_tell_request(&s->outcome, &s->d);
    s->took_hpc = s->d.hpc;
  }
  m->base.memo[L1D_WAITED] = there & HD_IS(m, ON_MISS) & (result < L1D_DONE);
  if (fills | (there & (result >= L1D_DONE)))
    return l1d_set_outcome(m, fills, result);
  l1d_clear_outcome(m, there);
  return false;
}

/* Sets what the attachments hear about the pipeline. Called after the pipeline has moved, or has not. */
static inline void l1d_late_pipeline(struct l1d *m, bool moves, bool held) {
  m->late.late_advance = moves;
  m->late.late_held = held;
  m->late.late_read = m->s.c_valid;
  m->late.late_set = m->s.c_set;
}

/* Returns the pinned ways of c's set, including what d does in this cycle. Called before c moves into d. */
static inline uint64_t l1d_learn_pins(const struct l1d *m, const struct l1d_in *in) {
  const struct l1d_st *s = &m->s;
  if (!s->c_valid)
    return 0;
  const bool none = !(s->outcome_write | s->outcome_take), filled = !HD_IS(m, ON_MISS) && s->outcome_write;
  if (none || filled || s->d_set != s->c_set)
    return in->pins;
  return (in->pins & ~s->outcome_at) | (s->outcome_take & in->pin_new ? s->outcome_at : 0);
}

/* True if d can get no way of its set, and waiting would not help. d_pin is 0 without a request in d. */
static inline bool l1d_stuck(const struct l1d *m) {
  const struct l1d_st *s = &m->s;
  const uint64_t taken = l1d_reserved(m, s->d_set) | (s->valid[s->d_set] & s->d_pin);
  return s->d_pin && taken == l1d_all_ways(m);
}

#endif
