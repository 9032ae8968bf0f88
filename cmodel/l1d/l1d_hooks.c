/* The outputs of the L1D's hooks; see l1d_hooks.h. */
#include "cmodel/l1d/l1d_hooks.h"

void l1d_show_requests(const struct l1d *m, struct l1d_out *out) {
  const struct l1d_st *s = &m->s;
  out->look_valid = s->c_valid;
  out->look_set = s->c_set;
  out->look =
      (struct look){.write = s->c.write, .wid = s->c.wid, .hpc = s->c.hpc, .trk = s->c.trk, .lid = s->c.lid};
  out->decide_set =
      l1d_set_of(m->base.c, s->d.line); // the set of d's line, even if d still holds its power-up value
  out->decide = (struct decide){.wid = s->d.wid, .hpc = s->d.hpc, .loc = s->d.loc};
  if (!m->base.c->d.DECIDE_LINES)
    return;
  out->decide_lines = l1d_decide_lines(m);
  out->decide_reserved = l1d_decide_reserved(m);
  out->decide_pins = s->d_pin;
}

void l1d_show_outcome(const struct l1d *m, struct l1d_out *out) {
  const struct l1d_st *s = &m->s;
  out->outcome_load = s->outcome_load;
  out->outcome_tried = s->outcome_tried;
  out->outcome_hit = s->outcome_hit;
  out->outcome_merge = s->outcome_merge;
  out->outcome_past = s->outcome_past;
  out->outcome_write = s->outcome_write;
  out->outcome_take = s->outcome_take;
  out->outcome_evict = s->outcome_evict;
  out->outcome_set = s->outcome_set;
  out->outcome_at = s->outcome_at;
  out->outcome_nth = s->outcome_nth;
  out->outcome = s->outcome;
  out->took = l1d_took(m);
  out->took_wid = l1d_took_wid(m);
  out->took_line = l1d_took_line(m);
  out->took_pin = s->took_pin;
}

void l1d_show_lines(const struct l1d *m, struct l1d_out *out) {
  const struct hd_derived *d = &m->base.c->d;
  out->lines_waiting = m->s.lines_waiting;
  out->lines_queue = m->s.mq_count;
  if (!d->LINES)
    return;
  hd_copy(out->lines_valid, m->s.valid, d->SETS);
  if (d->ON_MISS)
    hd_copy(out->lines_reserved, m->s.reserved, d->SETS);
  out->lines_free = m->s.m_free;
  out->lines_room = l1d_lines_room(m);
}
