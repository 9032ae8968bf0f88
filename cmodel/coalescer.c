/* Golden model of the coalescer. Spec: docs/mechanisms/coalescer.md.
 *
 * Invariant: an instruction's requests are made in the order of their lowest lanes, and their lane sets are
 * disjoint and make up its mask. */
#include "cmodel/bits.h"
#include "cmodel/models.h"

void coalescer_moore(struct coalescer *m, struct coalescer_out *out) {
  const struct coalescer_st *s = &m->s;
  out->issue_ready = !s->n_valid;
  out->req_valid = s->o_valid;
  out->req = s->o;
  out->req_sig = s->o_sig;
  out->req_lanes = s->o_lanes;
  out->busy = s->w_valid << s->w_wid | s->n_valid << s->n_wid | s->o_valid << s->o.wid;
}

/* Makes w's next request; true if it is its last. */
static bool emit(struct coalescer *m) {
  struct coalescer_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  unsigned leader = hd_lowest(s->w_mask);
  uint64_t line = s->w_line[leader], same = 0;
  for (unsigned l = leader; l < d->LANES; l++)
    if (s->w_line[l] == line)
      same |= hd_bit(l);
  same &= s->w_mask;
  bool last = same == s->w_mask;
  HD_EV(m, coalescer_request, s->w_wid, s->w_slot, s->w_num, line);
  if (last && s->w_num == 0)
    HD_EV(m, coalescer_coalesced, s->w_wid, s->w_slot, 0, 0);
  if (last && s->w_num == d->LANES - 1)
    HD_EV(m, coalescer_diverged, s->w_wid, s->w_slot, d->LANES, 0);
  s->o = (struct req){
      .line = line, .write = s->w_write, .wid = s->w_wid, .slot = s->w_slot, .num = s->w_num, .last = last};
  s->o_sig = s->w_sig;
  s->o_lanes = same;
  s->o_valid = 1;
  s->w_mask &= ~same;
  s->w_num = (s->w_num + 1) & hd_below(d->LANE_W);
  return last;
}

static void w_from_n(struct coalescer_st *s, unsigned lanes) {
  s->w_valid = 1;
  s->n_valid = 0;
  s->w_write = s->n_write;
  s->w_wid = s->n_wid;
  s->w_slot = s->n_slot;
  s->w_sig = s->n_sig;
  s->w_mask = s->n_mask;
  hd_copy(s->w_line, s->n_line, lanes);
  s->w_num = 0;
}

static void w_from_issue(struct coalescer_st *s, const struct coalescer_in *in, unsigned lanes) {
  s->w_valid = 1;
  s->w_write = in->issue_write;
  s->w_wid = in->issue_wid;
  s->w_slot = in->issue_slot;
  s->w_sig = in->issue_sig;
  s->w_mask = in->issue_mask;
  hd_copy(s->w_line, in->issue_line, lanes);
  s->w_num = 0;
}

static void n_from_issue(struct coalescer_st *s, const struct coalescer_in *in, unsigned lanes) {
  s->n_valid = 1;
  s->n_write = in->issue_write;
  s->n_wid = in->issue_wid;
  s->n_slot = in->issue_slot;
  s->n_sig = in->issue_sig;
  s->n_mask = in->issue_mask;
  hd_copy(s->n_line, in->issue_line, lanes);
}

void coalescer_tick(struct coalescer *m, const struct coalescer_in *in) {
  struct coalescer_st *s = &m->s;
  unsigned lanes = m->base.c->d.LANES;
  bool take = in->issue_valid && !s->n_valid;
  bool w_free = !s->w_valid;

  if (s->o_valid && !in->req_ready)
    HD_EV(m, coalescer_stall, s->o.line, 0, 0, 0);
  else if (s->w_valid)
    w_free = emit(m);
  else
    s->o_valid = 0;

  if (take)
    HD_EV(m, coalescer_take, in->issue_wid, in->issue_slot, in->issue_write, in->issue_mask);
  if (!w_free) {
    if (take) {
      HD_EV(m, coalescer_wait, in->issue_wid, 0, 0, 0);
      n_from_issue(s, in, lanes);
    }
  } else if (s->n_valid)
    w_from_n(s, lanes);
  else if (take)
    w_from_issue(s, in, lanes);
  else
    s->w_valid = 0;
}
