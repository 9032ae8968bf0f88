/* Golden model of an L2 slice with the power of its lines: only wires. Spec: docs/mechanisms/l2.md.
 *
 * The wires are u_slice_in, u_slice_out, u_gate_in and u_gate_out. A payload is copied only in cycles in which its valid
 * is set, what gate_ctrl says only where the slice decides: else no module looks at it. `sleep` stops at the port, and is
 * shown with line bytes only; who runs without them goes by l2_ports.h, gate_ports.h, and gate_ctrl's registers. */
#include "cmodel/l2/l2_ports.h"
#include "cmodel/loscache/gate_ports.h"

void l2_top_moore(struct l2_top *m, struct l2_top_out *out) {
  const struct hd_derived *d = &m->base.c->d;
  const struct l2_slice_out *so = &m->u_slice_out;
  l2_slice_moore(m->u_slice, &m->u_slice_out);
  out->req_ready = so->req_ready;
  out->rsp_valid = so->rsp_valid;
  out->rsp = so->rsp;
  out->out_valid = so->out_valid;
  out->out = so->out;
  out->fill_ready = so->fill_ready;
  if (m->base.data) {
    hd_copy(out->rsp_data, so->rsp_data, d->WORDS);
    hd_copy(out->out_data, so->out_data, d->WORDS);
  }
  if (!d->LOS)
    return;
  out->awake = m->u_gate->s.n;
  if (m->base.data) {
    gate_ctrl_moore(m->u_gate, &m->u_gate_out);
    hd_copy(out->sleep, m->u_gate_out.sleep, d->L2_SETS);
  }
}

/* What gate_ctrl says of the set of the request that is being decided. It has no other use for the slice's
 * `looked_set` and `looked_pred`. */
static void wire_said(struct l2_top *m) {
  const struct l2_slice *slice = m->u_slice;
  struct l2_slice_in *si = &m->u_slice_in;
  si->on = gate_ctrl_on(m->u_gate, l2_slice_looked_set(slice));
  si->foretold = gate_ctrl_foretold(slice->s.b.pred);
  si->last = gate_ctrl_last(m->u_gate, slice->s.b.pred);
  si->once = gate_ctrl_once(slice->s.b.pred);
  hd_copy(si->count, gate_ctrl_row(m->u_gate), m->base.c->d.L2_WAYS);
}

static void wire_gate(struct l2_top *m) {
  const struct l2_slice *slice = m->u_slice;
  struct gate_ctrl_in *gi = &m->u_gate_in;
  gi->act = m->u_slice_out.act;
  gi->act_set = l2_slice_act_set(slice);
  gi->act_at = m->u_slice_out.act_at;
  gi->look_valid = l2_slice_look_valid(slice);
  gi->look_set = l2_slice_look_set(slice);
}

void l2_top_mealy(struct l2_top *m, const struct l2_top_in *in, struct l2_top_out *out) {
  const struct hd_derived *d = &m->base.c->d;
  struct l2_slice_in *si = &m->u_slice_in;
  (void)out;
  si->rsp_ready = in->rsp_ready;
  si->out_ready = in->out_ready;
  si->req_valid = in->req_valid;
  if (in->req_valid) {
    si->req = in->req;
    if (!in->los_en)
      si->req.pred = 0;
    if (m->base.data) {
      hd_copy(si->req_wdata, in->req_wdata, d->WORDS);
      hd_copy(si->req_wmask, in->req_wmask, d->WORDS);
    }
  }
  si->fill_valid = in->fill_valid;
  if (in->fill_valid) {
    si->fill_id = in->fill_id;
    if (m->base.data)
      hd_copy(si->fill_data, in->fill_data, d->WORDS);
  }
  if (d->LOS && m->u_slice->s.b_req)
    wire_said(m);
  l2_slice_mealy(m->u_slice, si, &m->u_slice_out);
  if (d->LOS)
    wire_gate(m);
}

/* l2_top_mealy has set all wires from the same `in`. */
uint64_t l2_top_tick(struct l2_top *m, const struct l2_top_in *in) {
  (void)in;
  const uint64_t ahead = l2_slice_tick(m->u_slice, &m->u_slice_in);
  return m->base.c->d.LOS ? ahead | gate_ctrl_tick(m->u_gate, &m->u_gate_in) : ahead;
}
