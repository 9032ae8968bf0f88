/* Golden model of the power control of an L2 slice's lines. Spec: docs/mechanisms/loscache.md. The behaviour of a
 * cycle is in cmodel/loscache/gate_ctrl_cycle.h. */
#include "cmodel/loscache/gate_ctrl_cycle.h"

void gate_ctrl_moore(struct gate_ctrl *m, struct gate_ctrl_out *out) {
  const struct hd_derived *d = &m->base.c->d;
  out->awake = m->s.n;
  out->woken = gate_ctrl_woken(m);
  out->woken_mshr = gate_ctrl_woken_mshr(m);
  out->wake_room = gate_ctrl_wake_room(m);
  hd_copy(out->count, gate_ctrl_row(m), d->L2_WAYS);
  for (unsigned set = 0; m->base.data && set < d->L2_SETS; set++)
    out->sleep[set] = hd_ones(d->L2_WAYS) & ~m->s.power[set];
}

void gate_ctrl_mealy(struct gate_ctrl *m, const struct gate_ctrl_in *in, struct gate_ctrl_out *out) {
  gate_ctrl_say(m, in, out);
}

uint64_t gate_ctrl_tick(struct gate_ctrl *m, const struct gate_ctrl_in *in) {
  return gate_ctrl_cycle(m, in);
}
