/* Golden model of the single request slot. Spec: docs/mechanisms/mrpb.md, "The baseline". */
#include "cmodel/sm/ports.h"

void request_slot_moore(struct request_slot *m, struct request_slot_out *out) {
  unsigned words = m->base.c->d.WORDS;
  out->deq_valid = m->s.valid;
  out->deq = m->s.r;
  if (m->base.data) {
    hd_copy(out->deq_wdata, m->s.wdata, words);
    hd_copy(out->deq_wmask, m->s.wmask, words);
  }
}

void request_slot_mealy(struct request_slot *m, const struct request_slot_in *in,
                        struct request_slot_out *out) {
  out->enq_ready = request_slot_enq_ready(m, in->deq_ready);
}

uint64_t request_slot_tick(struct request_slot *m, const struct request_slot_in *in) {
  struct request_slot_st *s = &m->s;
  unsigned words = m->base.c->d.WORDS;
  if (s->valid && !in->deq_ready) {
    HD_EV(m, request_slot_stall, s->r.line, s->r.wid, 0, 0);
    return hd_bit(EV_request_slot_stall);
  }
  s->valid = in->enq_valid;
  if (!in->enq_valid)
    return 0;
  HD_EV(m, request_slot_take, in->enq.line, in->enq.wid, in->enq.write, 0);
  s->r = in->enq;
  if (in->enq.write && m->base.data) {
    hd_copy(s->wdata, in->enq_wdata, words);
    hd_copy(s->wmask, in->enq_wmask, words);
  }
  return hd_bit(EV_request_slot_stall);
}
