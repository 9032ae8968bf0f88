/* One cycle of the L1D. Spec: docs/mechanisms/l1d.md; its attachments: docs/mechanisms/hooks.md. l1d_tick and the
 * lazy run (cmodel/step) call it. The lazy run also compiles it once more for each of some machines
 * (cmodel/model/specialized.h).
 *
 * Over 400 lines: the decision and the cycle around it; all parts that can stand alone are in the headers that it
 * includes.
 *
 * A tick runs response port, decide, answers, memory port, pipeline, lookup, in this order. Each part updates the
 * state in place. Invariant: a line is valid in at most one way and waited for by at most one MSHR.
 *
 * Inlined: with calls instead, heddle sim executes 11.8 % more instructions (fermi_16k on syrk:small, 1.5 million
 * cycles). */
#ifndef HEDDLE_CMODEL_L1D_L1D_CYCLE_H
#define HEDDLE_CMODEL_L1D_L1D_CYCLE_H

#include "cmodel/l1d/l1d_answer.h"
#include "cmodel/l1d/l1d_hooks.h"
#include "cmodel/l1d/l1d_outcome.h"
#include "cmodel/l1d/l1d_pipe.h"
#include "cmodel/l1d/l1d_prefetch.h"
#include "cmodel/l1d/l1d_queue.h"
#include "cmodel/l1d/l1d_sets.h"
#include "cmodel/l1d/ports.h"

/* The outcome of a decision: NONE: d had no decision to make; DONE; LEAVES: the request leaves and comes again; else
 * the event that says why d waits. */
enum { DONE = -1, LEAVES = -2, NONE = -3 };

/* ---- Decide ---- */

/* Puts d's load into row k of the MSHR's loads. */
static inline void add_target(struct l1d *m, uint64_t mshr, uint64_t k) {
  struct l1d_st *s = &m->s;
  uint64_t row = mshr * m->base.c->d.MERGE + k;
  s->merged[row] = (struct target){
      .wid = s->d.wid, .slot = s->d.slot, .num = s->d.num, .last = s->d.last, .hpc = s->d.hpc};
  s->merged_wr = (int64_t)row;
  HD_COUNT(s->merged_n.writes, 1);
  s->mshr_count[mshr] = k + 1;
}

/* Returns DONE if a load can go on uncached, else the event of the resource that it lacks. */
static inline int may_bypass(const struct l1d *m) {
  return l1d_queue_full(m)                     ? EV_l1d_fail_miss_queue
         : m->s.byp_count == m->base.c->d.BYPS ? EV_l1d_fail_bypass_slots
                                               : DONE;
}

static inline void bypass(struct l1d *m) {
  struct l1d_st *s = &m->s;
  l1d_push(m, l1d_uncached(&s->d, HD_BYPASSED));
  s->byp_count++;
  HD_EV(m, l1d_bypass, s->d.wid, s->d.line, 0, 0);
}

static inline int stall_bypass(struct l1d *m) {
  const int wait = may_bypass(m);
  if (wait == DONE)
    bypass(m);
  return wait;
}

/* d's load goes on uncached before it stalls, because it is early or can get no way. Returns DONE, or the resource
 * that it lacks. */
static inline int early_bypass(struct l1d *m, enum l1d_event why) {
  struct l1d_st *s = &m->s;
  const int wait = may_bypass(m);
  if (wait != DONE)
    return wait;
  if (s->d_hit)
    HD_EV(m, l1d_early_hit, s->d.wid, s->d.line, s->d_set, hd_lowest(s->d_hit));
  m->base.ev[why]++;
  if (hd_has(m->base.heard, why))
    hd_log_event(&m->base, why, s->d.wid, s->d.line,
                 why == EV_l1d_early     ? s->d.byp
                 : why == EV_l1d_refused ? 0
                                         : s->d_set,
                 0);
  bypass(m);
  return DONE;
}

static inline int l1d_hit(struct l1d *m, unsigned way, bool early, bool leaves) {
  struct l1d_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  if (s->f_valid ? !leaves : s->resp_v)
    return EV_l1d_hit_wait;
  if (HD_IS(m, SECTOR_FILL)) {
    const uint64_t row = (s->d_set * d->WAYS + way) * d->SECTORS + l1d_sector(&s->d);
    HD_COUNT(s->sector_data_n.reads, 1);
    if (HD_CARRIES(m))
      hd_copy(s->sector_data_q, s->sector_data + row * d->SECTOR_WORDS, d->SECTOR_WORDS);
  } else {
    HD_COUNT(s->data_n.reads, 1);
    if (HD_CARRIES(m))
      hd_copy(s->data_q, s->data + (s->d_set * d->WAYS + way) * d->WORDS, d->WORDS);
  }
  if (HD_IS(m, PROTECT))
    l1d_code_read(m, s->d_set * d->WAYS + way, way);
  HD_EV(m, l1d_load_hit, s->d.wid, s->d.line, s->d_set, way);
  if (leaves)
    HD_EV(m, l1d_between, s->d.wid, s->d.line, 0, 0);
  l1d_line_hit(m, s->d_set, way);
  l1d_touch(m, s->d_set, way);
  if (early)
    HD_EV(m, l1d_early_hit, s->d.wid, s->d.line, s->d_set, way);
  l1d_respond(m, (struct resp){.wid = s->d.wid, .slot = s->d.slot, .num = s->d.num, .last = s->d.last},
              false);
  return DONE;
}

static inline int merge(struct l1d *m, const struct l1d_in *in, unsigned mshr, bool early) {
  struct l1d_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  if (hd_has(s->mshr_dead, mshr) || s->mshr_count[mshr] == d->MERGE)
    return early ? early_bypass(m, EV_l1d_early) : EV_l1d_fail_mshr_merge;
  HD_EV(m, l1d_load_merge, s->d.wid, s->d.line, mshr, s->mshr_count[mshr]);
  if (HD_IS(m, FILL) && hd_has(s->mshr_pf, mshr))
    s->mshr_pin = hd_with(s->mshr_pin, mshr, in->pin_new);
  l1d_mshr_hit(m, mshr);
  if (early)
    HD_EV(m, l1d_early_merge, s->d.wid, mshr, 0, 0);
  add_target(m, mshr, s->mshr_count[mshr]);
  if (HD_IS(m, ON_MISS))
    l1d_touch(m, s->d_set, (unsigned)s->mshr_way[mshr]);
  return DONE;
}

/* True if d's line has no way and cannot get one. */
static inline bool l1d_no_way(const struct l1d *m) {
  return m->s.d_full && !(HD_IS(m, SECTOR_FILL) && m->s.d_there);
}

/* Returns DONE if a miss of d can be sent, else the resource that it lacks. */
static inline int may_miss(const struct l1d *m) {
  const struct l1d_st *s = &m->s;
  if (l1d_no_way(m))
    return EV_l1d_fail_line_alloc;
  if (!s->m_free)
    return EV_l1d_fail_mshr;
  return l1d_queue_full(m) ? EV_l1d_fail_miss_queue : DONE;
}

/* Sends d's miss to the memory, for the load of warp `wid` or for a prefetch. With on_miss the victim is one of the
 * ways `among`. */
static inline void send_miss(struct l1d *m, const struct l1d_in *in, uint64_t wid, uint64_t among) {
  struct l1d_st *s = &m->s;
  const unsigned i = (unsigned)s->m_next;
  s->mshr_wait |= hd_bit(i);
  if (m->base.c->d.LINES_WAITING)
    s->lines_waiting |= hd_bit(i);
  const uint64_t others = hd_ones(m->base.c->d.MSHRS) & ~s->mshr_wait;
  if (others)
    s->m_next = hd_lowest(others);
  s->mshr_dead &= ~hd_bit(i);
  s->mshr_pf = hd_with(s->mshr_pf, i, s->d_pf);
  if (HD_IS(m, FILL)) {
    s->mshr_pin = hd_with(s->mshr_pin, i, in->pin_new);
    s->mshr_among = hd_with(s->mshr_among, i, in->hold_fill & !in->advice_keep & !l1d_pf_decides(m));
  }
  s->mshr_line[i] = s->d.line;
  l1d_push(m, (struct mreq){.line = s->d.line, .id = i});
  if (HD_IS(m, SECTOR_FILL)) {
    const unsigned way = s->d_there ? hd_lowest(s->d_there) : l1d_victim(m, s->d_set, among);
    if (s->d_there) {
      l1d_sector_missed(m, way);
      l1d_touch(m, s->d_set, way);
    } else {
      l1d_replace(m, s->d_set, way, s->d.line, wid);
    }
    s->mshr_way[i] = way;
    s->mshr_sector[i] = l1d_sector(&s->d);
    s->sector_reserved[l1d_row(m, s->d_set, s->mshr_sector[i])] |= hd_bit(way);
  } else if (HD_IS(m, ON_MISS)) {
    const unsigned way = l1d_victim(m, s->d_set, among & ~s->d_pin);
    l1d_replace(m, s->d_set, way, s->d.line, wid);
    s->mshr_way[i] = way;
    s->reserved[s->d_set] |= hd_bit(way);
  }
}

/* Sends a load's miss, if it can. With HOLD the victim is one of the ways `among`, unless a way is empty. */
static inline int miss(struct l1d *m, const struct l1d_in *in, uint64_t among) {
  struct l1d_st *s = &m->s;
  const int wait = may_miss(m);
  if (wait != DONE)
    return wait;
  HD_EV(m, l1d_load_miss, s->d.wid, s->d.line, s->m_next, s->d_set);
  add_target(m, s->m_next, 0);
  send_miss(m, in, s->d.wid, among);
  return DONE;
}

/* Decides d's load if its line is neither here nor in flight: the joining rule (docs/mechanisms/hooks.md) from rule 3
 * on. */
static inline int absent(struct l1d *m, const struct l1d_in *in, bool early) {
  const struct l1d_st *s = &m->s;
  if (early)
    return early_bypass(m, EV_l1d_early);
  if (HD_IS(m, PINS) && s->d_stuck)
    return early_bypass(m, EV_l1d_stuck);
  if (l1d_no_way(m))
    return in->lack_line && !in->advice_keep ? early_bypass(m, EV_l1d_full_bypass) : EV_l1d_fail_line_alloc;
  if (!HD_IS(m, HOLD) || in->advice_keep)
    return miss(m, in, l1d_all_ways(m));
  if (in->hold)
    return EV_l1d_held;
  return in->hold_refuse ? early_bypass(m, EV_l1d_refused) : miss(m, in, in->hold_among);
}

/* A prefetch never waits (D-SAP-4). */
static inline int prefetch(struct l1d *m, const struct l1d_in *in) {
  struct l1d_st *s = &m->s;
  if (s->d_hit)
    HD_EV(m, l1d_pf_hit, s->d.line, 0, 0, 0);
  else if (s->d_mshr_eq)
    HD_EV(m, l1d_pf_merge, s->d.line, 0, 0, 0);
  else if (s->d_stuck || may_miss(m) != DONE)
    HD_EV(m, l1d_pf_fail, s->d.line, 0, 0, 0);
  else {
    HD_EV(m, l1d_pf_miss, s->d.line, s->m_next, s->d_set, 0);
    s->mshr_count[s->m_next] = 0;
    send_miss(m, in, m->base.c->d.WARPS, l1d_all_ways(m));
  }
  return DONE;
}

/* Sends an uncached load or an atomic to memory. Returns DONE, or the resource that it lacks. */
static inline int go_aside(struct l1d *m) {
  struct l1d_st *s = &m->s;
  const int wait = may_bypass(m);
  if (wait != DONE)
    return wait;
  l1d_push(m, l1d_uncached(&s->d, HD_BYPASSED));
  s->byp_count++;
  if (s->d.op == HD_UNCACHED)
    HD_EV(m, l1d_uncached, s->d.wid, s->d.line, 0, 0);
  else
    HD_EV(m, l1d_atomic, s->d.wid, s->d.line, s->d.op, 0);
  return DONE;
}

static inline int l1d_store(struct l1d *m, uint64_t hits) {
  struct l1d_st *s = &m->s;
  if (HD_IS(m, KINDS) && s->d.op) {
    const int wait = go_aside(m);
    if (wait != DONE)
      return wait;
  } else {
    if (l1d_queue_full(m))
      return EV_l1d_fail_miss_queue;
    l1d_push(m, l1d_uncached(&s->d, HD_STORE));
    HD_EV(m, l1d_store, s->d.wid, s->d.line, 0, 0);
  }
  if (hits) {
    *l1d_valid_of_d(m) &= ~hits;
    HD_EV(m, l1d_store_evict, s->d.line, s->d_set, hd_lowest(hits), 0);
    l1d_line_goes(m, s->d_set, hd_lowest(hits));
    l1d_sector_gone(m, s->d.line, s->d_set, hd_lowest(hits));
  }
  if (s->d_mshr_eq) {
    s->mshr_dead |= s->d_mshr_eq;
    HD_EV(m, l1d_store_dead, s->d.line, hd_lowest(s->d_mshr_eq), 0, 0);
  }
  return DONE;
}

/* True if stall bypass sends the load on uncached instead of this wait. */
static inline bool spared(const struct l1d *m, const struct l1d_in *in, int wait) {
  const enum hd_bypass mode = m->base.c->request_buffer.bypass;
  const bool of_others = wait == EV_l1d_fail_mshr || wait == EV_l1d_fail_mshr_merge;
  return (in->lack_bypass || !HD_IS(m, LACK_BYPASS)) &&
         (wait == EV_l1d_fail_line_alloc ? mode != HD_BYPASS_OFF : of_others && mode == HD_BYPASS_ALL);
}

/* Decides d's load. Returns DONE, or the event that says what the load waits for. `leaves`: an answer of the memory
 * goes to the SM past the response register. */
static inline int l1d_load(struct l1d *m, const struct l1d_in *in, bool leaves) {
  const struct l1d_st *s = &m->s;
  const bool early =
      HD_IS(m, EARLY) && (s->d.byp | in->advice_bypass | HD_IS(m, BYP_ALL)) && !in->advice_keep;
  const int wait = s->d_hit       ? early && HD_IS(m, FORWARD) ? early_bypass(m, EV_l1d_early)
                                                               : l1d_hit(m, hd_lowest(s->d_hit), early, leaves)
                         : s->d_mshr_eq ? merge(m, in, hd_lowest(s->d_mshr_eq), early)
                                  : absent(m, in, early);
  return wait != DONE && spared(m, in, wait) ? stall_bypass(m) : wait;
}

/* True if the request waits because it lacks a resource. */
static inline bool lacks(int wait) {
  return wait == EV_l1d_fail_line_alloc || wait == EV_l1d_fail_mshr || wait == EV_l1d_fail_mshr_merge ||
         wait == EV_l1d_fail_miss_queue || wait == EV_l1d_fail_bypass_slots;
}

/* Counts why d's request waits. Returns `wait`. */
static inline int waits(struct l1d *m, int wait) {
  const struct l1d_st *s = &m->s;
  m->base.ev[wait]++;
  if (hd_has(m->base.heard, (unsigned)wait)) {
    const uint64_t where = wait == EV_l1d_fail_line_alloc   ? s->d_set
                           : wait == EV_l1d_fail_mshr_merge ? hd_lowest(s->d_mshr_eq)
                                                            : 0;
    hd_log_event(&m->base, (unsigned)wait, s->d.wid, s->d.line, where, 0);
  }
  return wait;
}

/* memo[L1D_LINELESS] is set if d's load lacked a line at its last decision, does not itself ask to bypass, and
 * nothing was looked up since. Such a load lacks the line again unless an attachment tells it to bypass or to leave.
 * Most loads do this in most cycles. */
static inline bool lacks_line_again(const struct l1d *m, const struct l1d_in *in) {
  return m->base.memo[L1D_LINELESS] &&
         !(in->advice_bypass | in->lack_line | in->lack_again | in->lack_bypass);
}

/* Decides d's request. Returns DONE, LEAVES, or the event that says what the request waits for. */
static inline int decide(struct l1d *m, const struct l1d_in *in, bool leaves) {
  const struct l1d_st *s = &m->s;
  if (lacks_line_again(m, in))
    return waits(m, EV_l1d_fail_line_alloc);
  const int wait = l1d_pf_decides(m) ? prefetch(m, in)
                   : s->d.write      ? l1d_store(m, s->d_hit)
                                     : l1d_load(m, in, leaves);
  if (wait < 0)
    return wait;
  m->base.memo[L1D_LINELESS] = (wait == EV_l1d_fail_line_alloc) & !(s->d.byp | HD_IS(m, BYP_ALL));
  waits(m, wait);
  if (!(HD_IS(m, AGAIN) && in->lack_again) || s->d.write || !lacks(wait))
    return wait;
  HD_EV(m, l1d_again, s->d.wid, s->d.line, 0, 0);
  return LEAVES;
}

/* The pipeline moves by one. */
static inline void advance(struct l1d *m, const struct l1d_in *in, const struct l1d_found *found,
                           uint64_t taken) {
  if (HD_IS(m, PINS))
    m->s.d_pin = l1d_learn_pins(m, in);
  if (HD_IS(m, SECTOR_FILL))
    l1d_learn_line(m, found, taken);
  l1d_advance(m);
}

static inline enum l1d_result result_of(bool fills, int wait) {
  return fills ? L1D_WAITS_FOR_FILL : wait == DONE ? L1D_DONE : wait == LEAVES ? L1D_LEFT : L1D_WAITS;
}

static inline uint64_t l1d_cycle(struct l1d *m, const struct l1d_in *in) {
  struct l1d_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const bool req = in->req_valid && l1d_req_ready(m), mrsp = in->mrsp_valid && l1d_mrsp_ready(m);
  const bool pf = l1d_pf_ready(m) && in->pf_valid, fills = s->f_valid & s->f_commit;
  const bool asks = HD_IS(m, FILL) && s->f_valid & s->f_ask;
  const bool direct = l1d_direct(m), leaves = direct & in->resp_ready & !s->resp_v;
  bool reported = false; /* OUTCOME reports in the next cycle */
  const bool there = s->d_valid;
  int wait = NONE;           /* outcome of d's decision */
  uint64_t ahead = HD_MOVES; /* of d: HD_MOVES, or the event of its wait, as a bit */
  bool answers = false;
  s->merged_wr = s->tags_wr = s->mq_wr = -1;
  if (HD_WATCHED)
    s->data_wr = s->sdata_wr = s->smask_wr = -1;
  HD_COUNT(s->tags_n.reads, s->a_count | l1d_pf_waits(m) | s->c_valid ? d->WAYS : 0);
  const struct l1d_flaws flaws = HD_IS(m, PROTECT) ? l1d_find_flaws(m) : (struct l1d_flaws){0};
  const struct l1d_found found = HD_IS(m, SECTOR_FILL) ? l1d_find_line(m) : (struct l1d_found){0};
  const uint64_t waited = s->mshr_wait;
  if (HD_IS(m, SECTOR_FILL))
    s->sector_data_wr = -1;
  if (HD_IS(m, PREF))
    s->pf_c = 0;
  m->late.late_evict = 0;
  if (HD_IS(m, LINES))
    l1d_late_tag(m);
  if (HD_IS(m, FILL))
    s->took_pin = fills ? hd_has(s->mshr_pin, (unsigned)s->f.id) : in->pin_new;
  if (in->resp_ready)
    s->resp_v = 0;
  if (in->flush)
    l1d_flush(m);

  bool adv = !s->d_valid;
  if (fills | asks) { /* a fill asks or enters: decisions wait */
    if (s->d_valid)
      HD_EV(m, l1d_fill_wait, s->d.line, s->d.wid, 0, 0);
    if (fills)
      l1d_fill(m);
    else
      l1d_ask(m, in);
  } else {
    if (s->d_valid) {
      wait = decide(m, in, leaves);
      adv = wait < 0;
      if (!adv)
        ahead = hd_bit((unsigned)wait);
    }
    answers = direct ? leaves : s->f_valid & ~s->resp_v;
    if (answers) {
      (leaves ? l1d_leave : l1d_answer)(m);
      ahead = HD_MOVES;
    }
  }
  if (HD_IS(m, HOOKED) && !(l1d_waited(m) & (fills | (wait >= 0))))
    reported = l1d_report_outcome(m, there, result_of(fills, wait));
  if (mrsp)
    l1d_take_answer(m, in);
  if (l1d_memory_port(m, in->mreq_ready))
    ahead = HD_MOVES;
  s->mq_count += s->mq_wr >= 0; /* a pushed entry counts from the next cycle on */

  if (adv)
    advance(m, in, &found, s->mshr_wait & ~waited);
  if (req)
    l1d_take_request(m, in);
  if (pf)
    l1d_take_prefetch(m, in);
  if (in->flush)
    s->c_valid = s->p_valid = 0;
  const bool went = HD_IS(m, PROTECT) && l1d_drop_flawed(m, &flaws, adv);
  if (adv || fills || went) {
    m->base.memo[L1D_LINELESS] = 0;
    l1d_look_up(m);
    if (HD_IS(m, PINS))
      s->d_stuck = l1d_stuck(m);
  }
  if (adv || fills || answers)
    s->m_free = s->mshr_wait != hd_ones(d->MSHRS);
  if (HD_IS(m, HOOKED))
    l1d_late_pipeline(m, adv, wait == EV_l1d_held);
  if (HD_IS(m, FILL)) {
    m->late.late_fill = s->f_ask;
    m->late.late_fill_set = s->f_set;
  }

  if (HD_IS(m, SECTOR_FILL))
    s->tagged = s->tags_wr >= 0;

  /* Computed without branches, because the host could not predict them. */
  const uint64_t moves = (s->f_valid & (s->f_commit | s->f_ask | (s->resp_v ^ 1))) | reported |
                         (HD_IS(m, PREF) ? s->pf_c : 0) |
                         (HD_IS(m, PROTECT) ? s->h_new | s->e_at | s->ecc : 0) |
                         (HD_IS(m, SECTOR_FILL) ? s->tagged : 0) | (s->mo_valid ? 0 : s->mq_count);
  const uint64_t of_requests = s->d_valid                                    ? ahead
                               : (s->c_valid | s->a_count | l1d_pf_waits(m)) ? HD_MOVES
                                                                             : 0;
  return moves ? HD_MOVES : of_requests;
}

#endif
