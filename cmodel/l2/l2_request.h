/* The effects of a request in the cycle of its decision, in an L2 slice. Spec: docs/mechanisms/l2.md, "Decision";
 * part of the model in cmodel/l2/l2_cycle.h.
 *
 * Invariant: the plan alone says what is done; no function here decides anything more.
 *
 * Inlined: with calls instead, heddle sim executes 1.8 % more instructions (gpu/gtx480_bypass, a gather of 306 thousand
 * requests). */
#ifndef HEDDLE_CMODEL_L2_L2_REQUEST_H
#define HEDDLE_CMODEL_L2_L2_REQUEST_H

#include "cmodel/l2/l2_decide.h"
#include "cmodel/l2/l2_queues.h"

static inline void l2_answer(struct l2_slice *m, uint64_t count) {
  struct l2_slice_st *s = &m->s;
  s->c_rsp = 1;
  s->c = hd_l2rsp_to(&s->b);
  s->c.count = count;
}

/* Sends the line to the memory, or this sector of it (0 if lines come whole), or a request for it by MSHR `id`. */
static inline void l2_to_memory(struct l2_slice *m, bool write, uint64_t line, unsigned sector, unsigned id) {
  m->s.c_out = 1;
  m->s.co = (struct l2out){.write = write, .line = line, .sector = sector, .id = id};
}

/* Sets which bytes of the slot overwrite the line that leaves. */
static inline void l2_leave_bytes(struct l2_slice *m, enum l2_mask mask) {
  struct l2_slice_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  for (unsigned i = 0; i < d->L2_MASK_N; i++)
    s->c_mask[i] = mask == L2_ITS_BYTES ? s->iq_wmask_q[i] : mask == L2_ALL_BYTES ? hd_ones(d->L2_MASK_C) : 0;
}

/* Reads the row of a line, or of this sector of it, in the data macro. */
static inline void l2_read_line(struct l2_slice *m, uint64_t set, unsigned way, unsigned sector) {
  const struct hd_derived *d = &m->base.c->d;
  if (HD_WATCHED)
    m->s.data_n.reads++;
  if (HD_CARRIES(m))
    hd_copy(m->s.data_q, l2_row(m, m->s.data, l2_row_of(m, set, way, sector)), d->L2_WORDS);
}

/* Counts a write with the mask of b's store: of the whole row, or masked. */
static inline void l2_count_write(const struct l2_slice *m, struct hd_accesses *n) {
  const struct hd_derived *d = &m->base.c->d;
  bool whole = true;
  for (unsigned i = 0; i < d->L2_WORDS; i++)
    whole &= m->s.iq_wmask_q[i] == 0xff;
  *(whole ? &n->writes : &n->masked) += 1;
}

/* Returns the sector that b asks for. */
static inline unsigned l2_asked_sector(const struct l2_slice *m) {
  return l2_sector_of(m, m->s.b.sectors);
}

/* Copies b's bytes to the MSHR's rows of the store buffer. `first`: the rows are empty. */
static inline void l2_buffer_store(struct l2_slice *m, unsigned mshr, bool first) {
  struct l2_slice_st *s = &m->s;
  const unsigned words = m->base.c->d.L2_WORDS;
  if (!HD_CARRIES(m))
    return;
  uint64_t *bytes = l2_row(m, s->sb, mshr), *mask = l2_row(m, s->sb_mask, mshr);
  s->sb_wr = s->sb_mask_wr = mshr;
  if (first) {
    s->sb_n.writes++;
    s->sb_mask_n.writes++;
    hd_copy(bytes, s->iq_wdata_q, words);
    hd_copy(mask, s->iq_wmask_q, words);
    return;
  }
  l2_count_write(m, &s->sb_n);
  l2_count_write(m, &s->sb_mask_n);
  l2_patch(bytes, s->iq_wdata_q, s->iq_wmask_q, words);
  for (unsigned i = 0; i < words; i++)
    mask[i] |= s->iq_wmask_q[i];
}

/* Adds b as request k of an MSHR. */
static inline void l2_add_target(struct l2_slice *m, unsigned mshr, uint64_t k, uint64_t count) {
  struct l2_slice_st *s = &m->s;
  const uint64_t row = mshr * m->base.c->d.L2_MERGE + k;
  s->waiting[row] = hd_l2rsp_to(&s->b);
  s->waiting[row].count = count;
  if (HD_WATCHED) {
    s->waiting_wr = (int64_t)row;
    s->waiting_n.writes++;
  }
  s->mshr_count[mshr] = k + 1;
}

/* Allocates an MSHR and asks the memory for b's line. */
static inline void l2_ask(struct l2_slice *m, unsigned mshr, bool keep, uint64_t count) {
  struct l2_slice_st *s = &m->s;
  const bool store = s->b.kind == HD_STORE;
  s->mshr_used |= hd_bit(mshr);
  s->mshr_line[mshr] = s->b.line;
  if (HD_IS(m, L2_SECTOR_FILL))
    s->mshr_sector[mshr] = l2_asked_sector(m);
  s->mshr_store = hd_with(s->mshr_store, mshr, store);
  s->mshr_after &= ~hd_bit(mshr);
  if (HD_IS(m, L2_SLEEPS))
    s->mshr_keep = hd_with(s->mshr_keep, mshr, keep);
  l2_add_target(m, mshr, 0, count);
  if (store)
    l2_buffer_store(m, mshr, true);
  l2_to_memory(m, false, s->b.line, l2_asked_sector(m), mshr);
}

/* ---- Requests ---- */

static inline void l2_tell_count(struct l2_slice *m, const struct l2_slice_in *in,
                                 const struct l2_plan *plan) {
  const struct l2_slice_st *s = &m->s;
  const uint64_t n = plan->match ? in->count[plan->way] : 0;
  if (plan->match)
    HD_EV(m, l2_slice_query, s->b.sm, s->b.line, n, 0);
  else
    HD_EV(m, l2_slice_query_gone, s->b.sm, s->b.line, 0, 0);
  l2_answer(m, n);
}

static inline void l2_do_merge(struct l2_slice *m, const struct l2_slice_in *in, const struct l2_plan *plan) {
  struct l2_slice_st *s = &m->s;
  const unsigned mshr = plan->mshr;
  const uint64_t set = l2_slice_looked_set(m), k = s->mshr_count[mshr];
  const bool store = s->b.kind == HD_STORE, stored = hd_has(s->mshr_store, mshr);
  if (store)
    HD_EV(m, l2_slice_write_merge, s->b.sm, s->b.line, mshr, k);
  else
    HD_EV(m, l2_slice_read_merge, s->b.sm, s->b.line, mshr, k);
  l2_add_target(m, mshr, k, plan->early);
  if (store) {
    l2_buffer_store(m, mshr, !stored);
    s->mshr_store |= hd_bit(mshr);
  } else
    s->mshr_after |= (uint64_t)stored << mshr;
  if (plan->match) {
    const unsigned sector = l2_asked_sector(m);
    l2_write_rows(m, set, plan->way, sector, store || hd_has(*l2_dirty(m, set, sector), plan->way), true);
  }
  if (HD_IS(m, L2_SLEEPS) && in->predicted && l2_keeps(m, mshr))
    s->mshr_close = hd_with(s->mshr_close, mshr, plan->match && hd_has(in->last, plan->way));
}

static inline void l2_do_hit(struct l2_slice *m, const struct l2_plan *plan) {
  struct l2_slice_st *s = &m->s;
  const uint64_t set = l2_slice_looked_set(m);
  const unsigned sector = l2_asked_sector(m);
  const bool store = s->b.kind == HD_STORE, was_dirty = hd_has(*l2_dirty(m, set, sector), plan->way);
  if (store)
    HD_EV(m, l2_slice_write_hit, s->b.sm, s->b.line, set, plan->way);
  else
    HD_EV(m, l2_slice_read_hit, s->b.sm, s->b.line, set, plan->way);
  l2_answer(m, 0);
  if (plan->what == L2_HITS && store) {
    if (HD_CARRIES(m)) {
      l2_count_write(m, &s->data_n);
      s->data_wr = (int64_t)l2_row_of(m, set, plan->way, sector);
      l2_patch(l2_row(m, s->data, (uint64_t)s->data_wr), s->iq_wdata_q, s->iq_wmask_q, m->base.c->d.L2_WORDS);
    }
  } else
    l2_read_line(m, set, plan->way, sector);
  if (plan->what == L2_CLOSES_DIRTY) {
    HD_EV(m, l2_slice_close_dirty, s->b.line, set, plan->way, 0);
    l2_to_memory(m, true, s->b.line, 0, 0);
  } else if (plan->what == L2_CLOSES_CLEAN)
    HD_EV(m, l2_slice_close_hit, s->b.line, set, plan->way, 0);
  l2_write_rows(m, set, plan->way, sector, plan->what == L2_HITS && (store || was_dirty), true);
}

/* Adds a sector to a line that already has a way. */
static inline void l2_take_sector(struct l2_slice *m, const struct l2_plan *plan, bool dirty) {
  struct l2_slice_st *s = &m->s;
  const uint64_t set = l2_slice_looked_set(m);
  const unsigned sector = l2_asked_sector(m);
  s->present[set * m->base.c->d.SECTORS + sector] |= hd_bit(plan->way);
  l2_write_rows(m, set, plan->way, sector, dirty, true);
}

/* Writes the victim's tag for a miss that is done, if there is a victim. */
static inline void l2_take_way(struct l2_slice *m, const struct l2_plan *plan, bool dirty) {
  struct l2_slice_st *s = &m->s;
  const uint64_t set = l2_slice_looked_set(m);
  if (plan->early)
    HD_EV(m, l2_slice_early, s->b.line, set, plan->way, plan->early);
  if (!plan->room)
    return;
  if (hd_has(s->valid[set], plan->way) && !plan->match)
    HD_EV(m, l2_slice_evict, set, plan->way, s->b.line, 0);
  l2_write_tag(m, set, plan->way, s->b.line, l2_asked_sector(m), dirty);
}

/* Performs a miss whose line is not stored. */
static inline void l2_do_past(struct l2_slice *m, const struct l2_plan *plan) {
  struct l2_slice_st *s = &m->s;
  const uint64_t set = l2_slice_looked_set(m);
  l2_take_way(m, plan, false);
  if (plan->room)
    HD_EV(m, l2_slice_keep_tag, s->b.line, set, plan->way, 0);
  if (plan->what == L2_READS_PAST) {
    HD_EV(m, l2_slice_no_store_read, s->b.sm, s->b.line, plan->mshr, 0);
    l2_ask(m, plan->mshr, false, plan->early);
    s->mshr_wakes &= ~hd_bit(plan->mshr);
    return;
  }
  HD_EV(m, l2_slice_no_store_write, s->b.sm, s->b.line, 0, 0);
  l2_answer(m, plan->early);
  l2_to_memory(m, true, s->b.line, 0, 0);
}

static inline void l2_do_write_back(struct l2_slice *m, const struct l2_plan *plan) {
  const uint64_t set = l2_slice_looked_set(m), line = l2_line_at(m, set, plan->way);
  const unsigned sector = plan->sector;
  HD_EV(m, l2_slice_write_back, line, set, plan->way, 0);
  if (HD_IS(m, L2_SECTOR_FILL))
    HD_EV(m, l2_slice_sector_back, line, set, plan->way, sector);
  l2_read_line(m, set, plan->way, sector);
  l2_to_memory(m, true, line, sector, 0);
  l2_write_rows(m, set, plan->way, sector, false, false);
}

static inline void l2_do_allocate(struct l2_slice *m, const struct l2_slice_in *in,
                                  const struct l2_plan *plan) {
  struct l2_slice_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t set = l2_slice_looked_set(m), at = set * d->L2_WAYS + plan->way;
  const bool store = s->b.kind == HD_STORE, beside = HD_IS(m, L2_SECTOR_FILL) && plan->match;
  if (beside)
    l2_take_sector(m, plan, store);
  else
    l2_take_way(m, plan, store);
  if (store)
    HD_EV(m, l2_slice_write_miss, s->b.sm, s->b.line, plan->mshr, at);
  else
    HD_EV(m, l2_slice_read_miss, s->b.sm, s->b.line, plan->mshr, at);
  if (beside)
    HD_EV(m, l2_slice_sector_miss, s->b.line, set, plan->way, l2_asked_sector(m));
  l2_ask(m, plan->mshr, true, plan->early);
  if (d->L2_WAY_W)
    s->mshr_way[plan->mshr] = plan->way;
  if (HD_IS(m, L2_SLEEPS))
    s->mshr_close = hd_with(s->mshr_close, plan->mshr, in->once);
  if (HD_IS(m, L2_WAKES))
    s->mshr_wakes = hd_with(s->mshr_wakes, plan->mshr, !hd_has(in->on, plan->way));
}

static inline void l2_tell_fail(struct l2_slice *m, const struct l2_plan *plan) {
  const uint64_t line = m->s.b.line;
  if (plan->what == L2_FAILS_LINE)
    HD_EV(m, l2_slice_fail_line, line, l2_set_of(&m->base.c->d, line), 0, 0);
  else if (plan->what == L2_FAILS_MSHR)
    HD_EV(m, l2_slice_fail_mshr, line, 0, 0, 0);
  else if (plan->what == L2_FAILS_MERGE)
    HD_EV(m, l2_slice_fail_merge, line, plan->mshr, 0, 0);
  else if (plan->what == L2_FAILS_QUEUE)
    HD_EV(m, l2_slice_fail_queue, line, 0, 0, 0);
  else
    HD_EV(m, l2_slice_fail_wake, line, 0, 0, 0);
}

/* Executes the plan for the request in b. A request that is done leaves its queue. */
static inline void l2_request(struct l2_slice *m, const struct l2_slice_in *in, const struct l2_plan *plan) {
  struct l2_slice_st *s = &m->s;
  if (HD_CARRIES(m)) {
    hd_copy(s->c_data, s->iq_wdata_q, m->base.c->d.L2_WORDS);
    l2_leave_bytes(m, (enum l2_mask)plan->mask);
  }
  switch (plan->what) {
  case L2_COUNTS:
    l2_tell_count(m, in, plan);
    break;
  case L2_MERGES:
    l2_do_merge(m, in, plan);
    break;
  case L2_HITS:
  case L2_CLOSES_CLEAN:
  case L2_CLOSES_DIRTY:
    l2_do_hit(m, plan);
    break;
  case L2_READS_PAST:
  case L2_WRITES_PAST:
    l2_do_past(m, plan);
    break;
  case L2_ALLOCATES:
    l2_do_allocate(m, in, plan);
    break;
  case L2_WRITES_BACK:
    l2_do_write_back(m, plan);
    return;
  default:
    l2_tell_fail(m, plan);
    return;
  }
  s->iq_head = hd_next(s->iq_head, m->base.c->d.L2_IQ, m->base.c->d.L2_IQ_W);
  s->iq_count--;
}

#endif
