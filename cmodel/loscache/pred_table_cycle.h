/* One cycle of the golden model of LoSCache's prediction table. Spec: docs/mechanisms/loscache.md. Outputs that other
 * code reads are in cmodel/loscache/ports.h.
 *
 * Invariant: entries are used in order, and only a used entry has a line. No two used entries have the same program
 * counter.
 *
 * Inlined: with calls instead, heddle sim executes 2.5 % more instructions (loscache on syrk:tiny and gemm:ni=128,nj=128,nk=32). */
#ifndef HEDDLE_CMODEL_LOSCACHE_PRED_TABLE_CYCLE_H
#define HEDDLE_CMODEL_LOSCACHE_PRED_TABLE_CYCLE_H

#include "cmodel/loscache/ports.h"

enum { NORMAL, PREDICTS, WALKS }; /* state */

/* ---- The predictor ---- */

/* Folds two bytes into one. */
static inline uint64_t pred_table_folded(uint64_t x) {
  return (x >> 8) ^ (x & 255);
}

/* Returns the CTA slot in which a kernel's predictor will start. */
static inline uint64_t pred_table_drawn(const struct pred_table *m, const struct pred_table_in *in) {
  return (m->s.fold ^ pred_table_folded(in->seed)) * in->kernel_ctas >> 8;
}

static inline uint64_t pred_table_shifted(uint64_t lfsr) {
  for (unsigned step = 0; step < 8; step++)
    lfsr = lfsr >> 1 | ((lfsr ^ lfsr >> 2 ^ lfsr >> 3 ^ lfsr >> 5) & 1) << 15;
  return lfsr;
}

/* ---- Entries ---- */

/* Returns the entry + 1 of a program counter; 0 if it has none. */
static inline uint64_t pred_table_found(const struct pred_table *m, uint64_t pc) {
  const uint64_t used = m->s.used;
  uint64_t pe = 0;
  for (uint64_t left = used ? hd_places(m->s.pc, hd_highest(used) + 1, pc) & used : 0; left; left &= left - 1)
    pe |= hd_lowest(left) + 1; /* more than one: only after a fault */
  return pe;
}

static inline uint64_t pred_table_unused(const struct pred_table *m) {
  return hd_ones(m->base.c->d.LPT) & ~m->s.used;
}

static inline uint64_t pred_table_ld_pe(const struct pred_table *m, const struct pred_table_in *in) {
  const bool predicts = m->s.state == PREDICTS;
  if (!in->en || (predicts && !hd_has(m->s.predictor, in->ld_wid)))
    return 0;
  const uint64_t pe = pred_table_found(m, in->ld_pc);
  return pe || !predicts || !pred_table_unused(m) ? pe : hd_lowest(pred_table_unused(m)) + 1;
}

/* Gives the predictor's instruction an entry, if it has none. */
static inline void pred_table_give(struct pred_table *m, const struct pred_table_in *in) {
  struct pred_table_st *s = &m->s;
  if (!in->ld_valid || !in->en || !hd_has(s->predictor, in->ld_wid) || pred_table_found(m, in->ld_pc))
    return;
  if (!pred_table_unused(m)) {
    HD_EV(m, pred_table_table_full, in->ld_pc, 0, 0, 0);
    return;
  }
  const unsigned e = hd_lowest(pred_table_unused(m));
  HD_EV(m, pred_table_give, in->ld_pc, e, 0, 0);
  s->used |= hd_bit(e);
  s->pc[e] = in->ld_pc;
  s->count[e] = 0;
  if (HD_IS(m, ADAPT))
    s->extra[e] = 0;
}

/* Takes the answer to a query. */
static inline void pred_table_answer(struct pred_table *m, const struct pred_table_in *in) {
  if (!in->ans_valid || !pred_table_has(m, in->ans_pe))
    return;
  const uint64_t e = in->ans_pe - 1;
  if (in->ans_count)
    HD_EV(m, pred_table_answer, e, in->ans_count, 0, 0);
  else
    HD_EV(m, pred_table_nothing, e, 0, 0, 0);
  m->s.count[e] = in->ans_count ? in->ans_count : m->base.c->d.GONE;
}

/* Raises `extra` of an entry whose prediction was too low (D-LOS-3). */
static inline void pred_table_grow(struct pred_table *m, const struct pred_table_in *in) {
  const struct hd_derived *d = &m->base.c->d;
  if (!HD_IS(m, ADAPT) || !in->early_valid || !pred_table_has(m, in->early_pe))
    return;
  const uint64_t e = in->early_pe - 1;
  if (!m->s.count[e])
    return;
  if (m->s.count[e] + m->s.extra[e] >= in->early_count) {
    HD_EV(m, pred_table_early_known, e, 0, 0, 0);
    return;
  }
  if (m->s.extra[e] >= d->EXTRA) {
    HD_EV(m, pred_table_early_most, e, 0, 0, 0);
    return;
  }
  m->s.extra[e]++;
  HD_EV(m, pred_table_early, e, m->s.extra[e], 0, 0);
}

/* ---- The phase ---- */

/* Counts an L2 access of the predictor. Returns true if it is the phase's last. */
static inline bool pred_table_count_access(struct pred_table *m, const struct pred_table_in *in) {
  struct pred_table_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  if (!in->mq_taken || !in->mq_pe)
    return false;
  const uint64_t e = in->mq_pe - 1;
  s->seen = (s->seen + 1) & hd_ones(d->PHASE_W);
  if (pred_table_has(m, in->mq_pe) && !hd_has(s->has, e)) {
    HD_EV(m, pred_table_line, e, in->mq_line, 0, 0);
    s->block[e] = in->mq_line;
    s->has |= hd_bit(e);
  }
  return s->seen >= (d->APB ? in->los_phase : d->PHASE);
}

/* Runs a cycle of the prediction phase. */
static inline void pred_table_predict(struct pred_table *m, const struct pred_table_in *in, bool starts) {
  struct pred_table_st *s = &m->s;
  const bool enough = pred_table_count_access(m, in),
             over = !starts && s->predictor && !(s->predictor & ~in->exit);
  pred_table_give(m, in);
  if (enough)
    HD_EV(m, pred_table_end_phase, s->seen, 0, 0, 0);
  else if (over)
    HD_EV(m, pred_table_end_cta, s->seen, 0, 0, 0);
  else
    return;
  s->state = WALKS;
  s->walk = 0;
  s->seek = 0;
}

/* Begins a kernel. `slot`: the CTA slot in which its predictor will start. */
static inline void pred_table_begin_kernel(struct pred_table *m, const struct pred_table_in *in,
                                           uint64_t slot) {
  struct pred_table_st *s = &m->s;
  s->used = s->has = s->predictor = 0;
  s->lfsr = pred_table_shifted(s->lfsr);
  s->fold = pred_table_folded(s->lfsr);
  s->seek = in->en;
  s->state = in->en ? PREDICTS : NORMAL;
  if (!in->en)
    return;
  HD_EV(m, pred_table_kernel, slot, in->kernel_ctas, 0, 0);
  s->pick = slot;
  s->seen = 0;
}

/* ---- The walk ---- */

/* Walks to the next entry; the output must be free. Returns true if the entry sends a query. */
static inline bool pred_table_walk(struct pred_table *m) {
  struct pred_table_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t e = s->walk;
  const bool used = hd_has(s->used, e), asks = used && hd_has(s->has, e);
  if (asks) {
    HD_EV(m, pred_table_query, e, s->block[e], 0, 0);
    s->o_line = s->block[e];
    s->o_pe = e + 1;
  } else if (used)
    HD_EV(m, pred_table_skip, e, 0, 0, 0);
  s->walk = (e + 1) & hd_ones(d->LPT_W);
  if (!used || e == d->LPT - 1)
    s->state = NORMAL;
  return asks;
}

/* ---- The module ---- */

static inline void pred_table_say(struct pred_table *m, const struct pred_table_in *in,
                                  struct pred_table_out *out) {
  out->boosting = in->en && m->s.state == PREDICTS;
  out->ld_pe = pred_table_ld_pe(m, in);
  out->mq_pred = pred_table_mq_pred(m, in->mq_pe);
}

static inline uint64_t pred_table_cycle(struct pred_table *m, const struct pred_table_in *in) {
  struct pred_table_st *s = &m->s;
  const uint64_t state = s->state, slot = in->kernel ? pred_table_drawn(m, in) : s->pick;
  const bool seek = in->kernel ? in->en : s->seek,
             starts = in->launch_valid && seek && in->launch_cta == slot;

  /* In this order each step reads its registers as they were before the edge. */
  if (!s->o_valid || in->q_ready)
    s->o_valid = state == WALKS && !in->kernel && !in->mq_waits && pred_table_walk(m);
  if (in->kernel)
    pred_table_begin_kernel(m, in, slot);
  else {
    pred_table_grow(m, in);
    pred_table_answer(m, in);
    if (state == PREDICTS)
      pred_table_predict(m, in, starts);
    s->predictor &= ~in->exit;
  }
  if (starts) {
    HD_EV(m, pred_table_begin, in->launch_warps, 0, 0, 0);
    s->predictor = in->launch_warps;
    s->seek = 0;
  }
  return s->state == WALKS && !s->o_valid ? HD_MOVES : 0;
}

#endif
