/* Golden model of the coalescer. Spec: docs/mechanisms/coalescer.md.
 *
 * Invariant: an instruction's requests are made in the order of their lowest lanes, and their lane sets are
 * disjoint and make up its mask. memo[p], while place p holds an instruction: its lines ascend. */
#include "cmodel/ports.h"

void coalescer_moore(struct coalescer *m, struct coalescer_out *out) {
  const struct coalescer_st *s = &m->s;
  out->issue_ready = coalescer_issue_ready(m);
  out->req_valid = s->o_valid;
  out->req = s->o;
  out->req_sig = s->o_sig;
  out->req_lanes = s->o_lanes;
  out->busy = coalescer_busy(m);
}

/* Whether no lane's line is below that of the lane before, as nearly always. A line has less than 64 bits. */
static bool ascend(const uint64_t *line, unsigned lanes) {
  uint64_t falls = 0;
#pragma GCC unroll 8
  for (unsigned l = 1; l < lanes; l++)
    falls |= line[l] - line[l - 1];
  return !(falls >> 63);
}

/* The lanes of `mask` whose line of place t is that of the lowest of them. */
static uint64_t lanes_of_leader(const struct coalescer *m, uint64_t t, uint64_t mask) {
  const unsigned leader = hd_lowest(mask), lanes = m->base.c->d.LANES;
  const uint64_t *line = m->s.p_line + t * lanes;
  if (m->base.memo[t]) { /* they are neighbours: lanes from `first` on are not among them */
    unsigned last = leader, first = lanes;
    for (unsigned l = lanes - 1; first - last > 1; l = (last + first) / 2)
      *(line[l] == line[leader] ? &last : &first) = l;
    return mask & hd_below(first);
  }
  uint64_t same = 0;
  for (unsigned l = lanes; l-- > leader;)
    same = 2 * same + (line[l] == line[leader]);
  return same << leader & mask;
}

/* Makes the next request of the instruction whose turn it is; true if it is its last. issue_mask: as at the port. */
static bool emit(struct coalescer *m, uint64_t issue_mask) {
  struct coalescer_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t t = s->turn, mask = s->mask, wid = s->p_wid[t], slot = s->p_slot[t], num = s->num;
  const uint64_t line = s->p_line[t * d->LANES + hd_lowest(mask)], same = lanes_of_leader(m, t, mask);
  const bool last = same == mask;
  HD_EV(m, coalescer_request, wid, slot, num, line);
  if (last && num == 0)
    HD_EV(m, coalescer_coalesced, wid, slot, 0, 0);
  if (last && num == d->LANES - 1)
    HD_EV(m, coalescer_diverged, wid, slot, d->LANES, 0);
  s->o = (struct req){
      .line = line, .write = hd_has(s->p_write, t), .wid = wid, .slot = slot, .num = num, .last = last};
  if (d->SIG_W)
    s->o_sig = s->p_sig[t];
  s->o_lanes = same;
  s->o_valid = 1;
  s->mask = mask & ~same;
  s->num = last ? 0 : (num + 1) & hd_below(d->LANE_W);
  if (last) {
    s->p_valid &= ~hd_bit(t);
    s->turn = 1 - t;
    s->mask = s->p_valid ? s->n_mask : issue_mask;
  }
  return last;
}

static void put(struct coalescer *m, uint64_t place, const struct coalescer_in *in) {
  struct coalescer_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  s->p_valid |= hd_bit(place);
  s->p_write = hd_with(s->p_write, place, in->issue_write);
  s->p_wid[place] = in->issue_wid;
  s->p_slot[place] = in->issue_slot;
  if (d->SIG_W)
    s->p_sig[place] = in->issue_sig;
  s->n_mask = in->issue_mask;
  hd_copy(s->p_line + place * d->LANES, in->issue_line, d->LANES);
  m->base.memo[place] = ascend(in->issue_line, d->LANES);
}

uint64_t coalescer_tick(struct coalescer *m, const struct coalescer_in *in) {
  struct coalescer_st *s = &m->s;
  const bool take = in->issue_valid && coalescer_issue_ready(m);
  bool splits = hd_has(s->p_valid, s->turn);
  if (!splits)
    s->mask = in->issue_mask;
  uint64_t place = splits ? 1 - s->turn : s->turn;

  if (s->o_valid && !in->req_ready)
    HD_EV(m, coalescer_stall, s->o.line, 0, 0, 0);
  else if (splits)
    splits = !emit(m, in->issue_mask); /* from here on: it still does in the next cycle */
  else
    s->o_valid = 0;

  if (take) {
    HD_EV(m, coalescer_take, in->issue_wid, in->issue_slot, in->issue_write, in->issue_mask);
    if (splits)
      HD_EV(m, coalescer_wait, in->issue_wid, 0, 0, 0);
    put(m, place, in);
  }
  return s->o_valid ? hd_bit(EV_coalescer_stall) : s->p_valid ? HD_MOVES : 0;
}
