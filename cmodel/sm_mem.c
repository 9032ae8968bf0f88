/* Golden model of one SM's memory path: only wires. Spec: docs/mechanisms/sm_mem.md.
 *
 * The wires are u_<inst>_in and u_<inst>_out. Vectors on them (line addresses, line bytes) are copied only in cycles in
 * which they are valid, and line bytes only if they are carried at all. */
#include <string.h>

#include "cmodel/models.h"

static void copy(uint64_t *to, const uint64_t *from, unsigned n) {
  memcpy(to, from, n * sizeof *to);
}

void sm_mem_moore(struct sm_mem *m, struct sm_mem_out *out) {
  const struct hd_derived *d = &m->base.c->d;
  const struct coalescer_out *co = &m->u_coalescer_out;
  const struct l1d_out *lo = &m->u_l1d_out;
  coalescer_moore(m->u_coalescer, &m->u_coalescer_out);
  l1d_moore(m->u_l1d, &m->u_l1d_out);
  if (d->QSIG) {
    mrpb_moore(m->u_mrpb, &m->u_mrpb_out);
    out->drained = m->u_mrpb_out.drained;
  } else
    request_slot_moore(m->u_slot, &m->u_slot_out);

  out->issue_ready = co->issue_ready;
  out->busy = co->busy;
  out->st_valid = co->req_valid && co->req.write;
  out->st_wid = co->req.wid;
  out->st_slot = co->req.slot;
  out->st_num = co->req.num;
  out->st_lanes = co->req_lanes;
  out->resp_valid = lo->resp_valid;
  out->resp = lo->resp;
  out->mreq_valid = lo->mreq_valid;
  out->mreq = lo->mreq;
  out->mrsp_ready = lo->mrsp_ready;
  if (m->base.data) {
    copy(out->resp_data, lo->resp_data, d->WORDS);
    copy(out->mreq_wdata, lo->mreq_wdata, d->WORDS);
    copy(out->mreq_wmask, lo->mreq_wmask, d->WORDS);
  }
}

static void wire_sched(struct sm_mem *m, const struct sm_mem_in *in) {
  m->u_sched_in.ready = in->ready;
  m->u_sched_in.launch_valid = in->launch_valid;
  m->u_sched_in.launch_cta = in->launch_cta;
  m->u_sched_in.launch_warps = in->launch_warps;
}

static void wire_coalescer(struct sm_mem *m, const struct sm_mem_in *in, bool req_ready) {
  struct coalescer_in *ci = &m->u_coalescer_in;
  ci->issue_valid = in->issue_valid;
  ci->issue_write = in->issue_write;
  ci->issue_wid = in->issue_wid;
  ci->issue_slot = in->issue_slot;
  ci->issue_sig = in->issue_sig;
  ci->issue_mask = in->issue_mask;
  if (in->issue_valid && m->u_coalescer_out.issue_ready)
    copy(ci->issue_line, in->issue_line, m->base.c->d.LANES);
  ci->req_ready = req_ready;
}

/* All inputs of the L1D but those from the buffer. */
static void wire_l1d(struct sm_mem *m, const struct sm_mem_in *in) {
  struct l1d_in *li = &m->u_l1d_in;
  li->resp_ready = in->resp_ready;
  li->mreq_ready = in->mreq_ready;
  li->mrsp_valid = in->mrsp_valid;
  li->mrsp = in->mrsp;
  if (m->base.data && in->mrsp_valid)
    copy(li->mrsp_data, in->mrsp_data, m->base.c->d.WORDS);
}

/* The buffers have the same ports, and a signature more in one. */
#define WIRE_BUFFER(m, in, u)                                                                                \
  do {                                                                                                       \
    const struct hd_derived *d_ = &(m)->base.c->d;                                                           \
    const struct coalescer_out *co_ = &(m)->u_coalescer_out;                                                 \
    struct l1d_in *li_ = &(m)->u_l1d_in;                                                                     \
    (m)->u##_in.enq_valid = co_->req_valid;                                                                  \
    (m)->u##_in.enq = co_->req;                                                                              \
    (m)->u##_in.deq_ready = (m)->u_l1d_out.req_ready;                                                        \
    li_->req_valid = (m)->u##_out.deq_valid;                                                                 \
    li_->req = (m)->u##_out.deq;                                                                             \
    if ((m)->base.data && co_->req_valid && co_->req.write) {                                                \
      copy((m)->u##_in.enq_wdata, (in)->st_data, d_->WORDS);                                                 \
      copy((m)->u##_in.enq_wmask, (in)->st_mask, d_->WORDS);                                                 \
    }                                                                                                        \
    if ((m)->base.data && li_->req_valid && li_->req.write) {                                                \
      copy(li_->req_wdata, (m)->u##_out.deq_wdata, d_->WORDS);                                               \
      copy(li_->req_wmask, (m)->u##_out.deq_wmask, d_->WORDS);                                               \
    }                                                                                                        \
  } while (0)

void sm_mem_mealy(struct sm_mem *m, const struct sm_mem_in *in, struct sm_mem_out *out) {
  const struct hd_derived *d = &m->base.c->d;
  wire_sched(m, in);
  sched_mealy(m->u_sched, &m->u_sched_in, &m->u_sched_out);
  copy(out->pick_valid, m->u_sched_out.pick_valid, d->SCHEDS);
  copy(out->pick_wid, m->u_sched_out.pick_wid, d->SCHEDS);

  wire_l1d(m, in);
  if (d->QSIG) {
    WIRE_BUFFER(m, in, u_mrpb);
    m->u_mrpb_in.enq_sig = m->u_coalescer_out.req_sig;
    mrpb_mealy(m->u_mrpb, &m->u_mrpb_in, &m->u_mrpb_out);
    wire_coalescer(m, in, m->u_mrpb_out.enq_ready);
  } else {
    WIRE_BUFFER(m, in, u_slot);
    request_slot_mealy(m->u_slot, &m->u_slot_in, &m->u_slot_out);
    wire_coalescer(m, in, m->u_slot_out.enq_ready);
  }
}

/* sm_mem_mealy has set all wires from the same `in`. */
void sm_mem_tick(struct sm_mem *m, const struct sm_mem_in *in) {
  (void)in;
  sched_tick(m->u_sched, &m->u_sched_in);
  coalescer_tick(m->u_coalescer, &m->u_coalescer_in);
  if (m->base.c->d.QSIG)
    mrpb_tick(m->u_mrpb, &m->u_mrpb_in);
  else
    request_slot_tick(m->u_slot, &m->u_slot_in);
  l1d_tick(m->u_l1d, &m->u_l1d_in);
}
