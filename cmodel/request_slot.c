/* Golden model of the single request slot. Spec: docs/mechanisms/mrpb.md, "The baseline". */
#include <string.h>

#include "cmodel/models.h"

void request_slot_moore(struct request_slot *m, struct request_slot_out *out) {
  size_t bytes = m->base.c->d.WORDS * sizeof(uint64_t);
  out->deq_valid = m->s.valid;
  out->deq = m->s.r;
  if (m->base.data) {
    memcpy(out->deq_wdata, m->s.wdata, bytes);
    memcpy(out->deq_wmask, m->s.wmask, bytes);
  }
}

void request_slot_mealy(struct request_slot *m, const struct request_slot_in *in, struct request_slot_out *out) {
  out->enq_ready = !m->s.valid || in->deq_ready;
}

void request_slot_tick(struct request_slot *m, const struct request_slot_in *in) {
  struct request_slot_st *s = &m->s;
  size_t bytes = m->base.c->d.WORDS * sizeof(uint64_t);
  if (s->valid && !in->deq_ready) {
    HD_EV(m, request_slot_stall, s->r.line, s->r.wid, 0, 0);
    return;
  }
  s->valid = in->enq_valid;
  if (!in->enq_valid)
    return;
  HD_EV(m, request_slot_take, in->enq.line, in->enq.wid, in->enq.write, 0);
  s->r = in->enq;
  if (in->enq.write && m->base.data) {
    memcpy(s->wdata, in->enq_wdata, bytes);
    memcpy(s->wmask, in->enq_wmask, bytes);
  }
}
