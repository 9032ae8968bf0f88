/* One cycle of the golden model of the power control of an L2 slice's lines. Spec: docs/mechanisms/loscache.md.
 *
 * Invariant: `n` is the number of bits in `power`.
 *
 * Inlined: with calls instead, heddle sim executes 0.4 % more instructions (loscache on syrk:tiny and gemm:ni=128,nj=128,nk=32). */
#ifndef HEDDLE_CMODEL_LOSCACHE_GATE_CTRL_CYCLE_H
#define HEDDLE_CMODEL_LOSCACHE_GATE_CTRL_CYCLE_H

#include "cmodel/loscache/ports.h"

/* Returns the ways whose next access is the last one by prediction `pred`. 0: no prediction. */
static inline uint64_t gate_last_of(const struct gate_ctrl *m, uint64_t pred) {
  const uint64_t *row = gate_ctrl_row(m);
  uint64_t last = 0;
  for (unsigned way = 0; pred && way < m->base.c->d.L2_WAYS; way++)
    last |= (uint64_t)(row[way] + 1 >= pred) << way;
  return last;
}

static inline void gate_ctrl_say(struct gate_ctrl *m, const struct gate_ctrl_in *in,
                                 struct gate_ctrl_out *out) {
  out->on = m->s.power[in->looked_set];
  out->predicted = in->looked_pred != 0;
  out->last = gate_last_of(m, in->looked_pred);
  out->once = in->looked_pred == 1;
}

/* Writes the row that was read, with the line's new count: 1, or one more (`more`). Returns the old count. */
static inline uint64_t gate_write_count(struct gate_ctrl *m, uint64_t set, uint64_t way, bool more) {
  struct gate_ctrl_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  if (!s->w_hit)
    hd_copy(s->w_row, s->counts_q, d->L2_WAYS);
  const uint64_t old = s->w_row[way];
  s->w_row[way] = more ? old + (old != hd_ones(d->CNT_W)) : 1;
  hd_copy(s->counts + set * d->L2_WAYS, s->w_row, d->L2_WAYS);
  s->counts_wr = (int64_t)set;
  HD_COUNT(s->counts_n.writes, 1);
  return old;
}

static inline void gate_switch_power(struct gate_ctrl *m, uint64_t set, uint64_t way, bool on) {
  struct gate_ctrl_st *s = &m->s;
  s->n += (uint64_t)on - hd_has(s->power[set], way);
  s->power[set] = hd_with(s->power[set], way, on);
}

static inline void gate_act(struct gate_ctrl *m, const struct gate_ctrl_in *in) {
  const struct gate_ctrl_st *s = &m->s;
  const uint64_t set = in->act_set, way = hd_lowest(in->act_at);
  switch (in->act) {
  case HD_ACT_COUNT:
    if (gate_write_count(m, set, way, true) == hd_ones(m->base.c->d.CNT_W))
      HD_EV(m, gate_ctrl_full, set, way, 0, 0);
    else
      HD_EV(m, gate_ctrl_count, set, way, s->w_row[way], 0);
    break;
  case HD_ACT_WAKE:
    if (hd_has(s->power[set], way))
      HD_EV(m, gate_ctrl_wake_again, set, way, 0, 0);
    else
      HD_EV(m, gate_ctrl_wake, set, way, 0, 0);
    gate_write_count(m, set, way, false);
    gate_switch_power(m, set, way, true);
    break;
  case HD_ACT_KEEP:
    HD_EV(m, gate_ctrl_keep, set, way, 0, 0);
    gate_write_count(m, set, way, false);
    gate_switch_power(m, set, way, false);
    break;
  case HD_ACT_COUNT_SLEEP:
    gate_write_count(m, set, way, true);
    HD_EV(m, gate_ctrl_sleep_last, set, way, s->w_row[way], 0);
    gate_switch_power(m, set, way, false);
    break;
  case HD_ACT_SLEEP:
    HD_EV(m, gate_ctrl_sleep_fill, set, way, 0, 0);
    gate_switch_power(m, set, way, false);
    break;
  default:
    break;
  }
}

/* Moves the waking rows on by a cycle. `begins`: a row that was off begins to wake, for MSHR `mshr`. */
static inline void gate_wake_on(struct gate_ctrl *m, bool begins, uint64_t mshr) {
  struct gate_ctrl_st *s = &m->s;
  if (gate_ctrl_woken(m))
    HD_EV(m, gate_ctrl_woken, gate_ctrl_woken_mshr(m), 0, 0, 0);
  for (unsigned i = m->base.c->d.WAKE - 1; i > 0; i--)
    if (hd_has(s->waking, i - 1))
      s->waking_mshr[i] = s->waking_mshr[i - 1];
  if (begins)
    s->waking_mshr[0] = mshr;
  s->waking = (s->waking << 1 | begins) & hd_ones(m->base.c->d.WAKE);
}

/* Reads the row of the set for the next cycle. A row that is written in this cycle reads as garbage; `w_row` replaces
 * it. */
static inline void gate_look(struct gate_ctrl *m, const struct gate_ctrl_in *in) {
  struct gate_ctrl_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  s->w_hit = s->counts_wr == (int64_t)in->look_set;
  HD_COUNT(s->counts_n.reads, 1);
  if (!s->w_hit) {
    hd_copy(s->counts_q, s->counts + in->look_set * d->L2_WAYS, d->L2_WAYS);
    return;
  }
  for (unsigned way = 0; way < d->L2_WAYS; way++)
    s->counts_q[way] = ~s->w_row[way] & hd_ones(d->CNT_W);
  HD_EV(m, gate_ctrl_forward, in->look_set, 0, 0, 0);
}

static inline uint64_t gate_ctrl_cycle(struct gate_ctrl *m, const struct gate_ctrl_in *in) {
  struct gate_ctrl_st *s = &m->s;
  s->counts_wr = -1;
  const uint64_t powered = s->n;
  if (in->act)
    gate_act(m, in);
  if (m->base.c->d.WAKE)
    gate_wake_on(m, s->n > powered, in->act_mshr);
  s->w_hit = 0;
  if (in->look_valid)
    gate_look(m, in);
  return s->w_hit || s->waking ? HD_MOVES : 0;
}

#endif
