/* Golden model of one SM's memory path: only wires. Spec: docs/mechanisms/sm_mem.md.
 *
 * The wires are u_<inst>_in and u_<inst>_out. Into a module, a payload is copied only in cycles in which its
 * valid is set (lane addresses: in which they are taken): else no module looks at it. The exception is
 * `issue_mask`, which the coalescer loads whether valid or not. */
#include "cmodel/bits.h"
#include "cmodel/models.h"

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
    hd_copy(out->resp_data, lo->resp_data, d->WORDS);
    hd_copy(out->mreq_wdata, lo->mreq_wdata, d->WORDS);
    hd_copy(out->mreq_wmask, lo->mreq_wmask, d->WORDS);
  }
}

static void wire_sched(struct sm_mem *m, const struct sm_mem_in *in) {
  struct sched_in *si = &m->u_sched_in;
  si->ready = in->ready;
  si->launch_valid = in->launch_valid;
  si->launch_cta = in->launch_cta;
  si->launch_warps = in->launch_warps;
}

static void wire_coalescer(struct sm_mem *m, const struct sm_mem_in *in, bool req_ready) {
  struct coalescer_in *ci = &m->u_coalescer_in;
  ci->req_ready = req_ready;
  ci->issue_valid = in->issue_valid;
  ci->issue_mask = in->issue_mask;
  if (!in->issue_valid)
    return;
  ci->issue_write = in->issue_write;
  ci->issue_wid = in->issue_wid;
  ci->issue_slot = in->issue_slot;
  ci->issue_sig = in->issue_sig;
  if (m->u_coalescer_out.issue_ready)
    hd_copy(ci->issue_line, in->issue_line, m->base.c->d.LANES);
}

/* All inputs of the L1D but those from the buffer. */
static void wire_l1d(struct sm_mem *m, const struct sm_mem_in *in) {
  struct l1d_in *li = &m->u_l1d_in;
  li->flush = in->flush;
  li->resp_ready = in->resp_ready;
  li->mreq_ready = in->mreq_ready;
  li->mrsp_valid = in->mrsp_valid;
  if (!in->mrsp_valid)
    return;
  li->mrsp = in->mrsp;
  if (m->base.data)
    hd_copy(li->mrsp_data, in->mrsp_data, m->base.c->d.WORDS);
}

/* The coalescer's request to the buffer, whichever it is. */
static void wire_enq(const struct sm_mem *m, const struct sm_mem_in *in, uint64_t *valid, struct req *enq,
                     uint64_t *wdata, uint64_t *wmask) {
  const struct coalescer_out *co = &m->u_coalescer_out;
  *valid = co->req_valid;
  if (!co->req_valid)
    return;
  *enq = co->req;
  if (m->base.data && co->req.write) {
    hd_copy(wdata, in->st_data, m->base.c->d.WORDS);
    hd_copy(wmask, in->st_mask, m->base.c->d.WORDS);
  }
}

/* The buffer's request to the L1D. */
static void wire_deq(struct sm_mem *m, uint64_t valid, const struct req *deq, const uint64_t *wdata,
                     const uint64_t *wmask) {
  struct l1d_in *li = &m->u_l1d_in;
  li->req_valid = valid;
  if (!valid)
    return;
  li->req = *deq;
  if (m->base.data && deq->write) {
    hd_copy(li->req_wdata, wdata, m->base.c->d.WORDS);
    hd_copy(li->req_wmask, wmask, m->base.c->d.WORDS);
  }
}

/* Both sides of the buffer that is there; answers its enq_ready. */
static bool wire_buffer(struct sm_mem *m, const struct sm_mem_in *in) {
  if (m->base.c->d.QSIG) {
    struct mrpb_in *bi = &m->u_mrpb_in;
    struct mrpb_out *bo = &m->u_mrpb_out;
    wire_enq(m, in, &bi->enq_valid, &bi->enq, bi->enq_wdata, bi->enq_wmask);
    bi->enq_sig = m->u_coalescer_out.req_sig;
    wire_deq(m, bo->deq_valid, &bo->deq, bo->deq_wdata, bo->deq_wmask);
    bi->deq_ready = m->u_l1d_out.req_ready;
    mrpb_mealy(m->u_mrpb, bi, bo);
    return bo->enq_ready;
  }
  struct request_slot_in *bi = &m->u_slot_in;
  struct request_slot_out *bo = &m->u_slot_out;
  wire_enq(m, in, &bi->enq_valid, &bi->enq, bi->enq_wdata, bi->enq_wmask);
  wire_deq(m, bo->deq_valid, &bo->deq, bo->deq_wdata, bo->deq_wmask);
  bi->deq_ready = m->u_l1d_out.req_ready;
  request_slot_mealy(m->u_slot, bi, bo);
  return bo->enq_ready;
}

void sm_mem_mealy(struct sm_mem *m, const struct sm_mem_in *in, struct sm_mem_out *out) {
  wire_sched(m, in);
  sched_mealy(m->u_sched, &m->u_sched_in, &m->u_sched_out);
  for (unsigned s = 0; s < m->base.c->d.SCHEDS; s++) {
    out->pick_valid[s] = m->u_sched_out.pick_valid[s];
    out->pick_wid[s] = m->u_sched_out.pick_wid[s];
  }
  wire_l1d(m, in);
  wire_coalescer(m, in, wire_buffer(m, in));
}

/* sm_mem_mealy has set all wires from the same `in`. */
uint64_t sm_mem_tick(struct sm_mem *m, const struct sm_mem_in *in) {
  (void)in;
  sched_tick(m->u_sched, &m->u_sched_in);
  coalescer_tick(m->u_coalescer, &m->u_coalescer_in);
  if (m->base.c->d.QSIG)
    mrpb_tick(m->u_mrpb, &m->u_mrpb_in);
  else
    request_slot_tick(m->u_slot, &m->u_slot_in);
  l1d_tick(m->u_l1d, &m->u_l1d_in);
  return HD_MOVES; /* ports inside may meet */
}
