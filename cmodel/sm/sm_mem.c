/* Golden model of one SM's memory path: only wires. Spec: docs/mechanisms/sm_mem.md.
 *
 * The wires are u_<inst>_in and u_<inst>_out. Into a module, a payload is copied only in cycles in which its
 * valid is set (lane addresses: in which they are taken): else no module looks at it. The exceptions are
 * `issue_mask`, which the coalescer loads whether valid or not, and what APCM's modules hear. */
#include "cmodel/sm/attachments.h"
#include "cmodel/sm/ports.h"

/* What the tables of the L1D's attachments show to them. */
static void wire_tables(struct sm_mem *m) {
  const struct hd_derived *d = &m->base.c->d;
  if (d->LOC) {
    const struct rrt_out *ro = &m->u_rrt_out;
    m->u_degree_in.lk_known = ro->lk_known;
    m->u_degree_in.lk_sum = ro->lk_sum;
    m->u_degree_in.lk_count = ro->lk_count;
  }
  if (d->PCAL)
    m->u_pcal_in.token = m->u_sched_out.token;
  if (!d->APCM)
    return;
  struct apcm_line_in *in = &m->u_apcm_line_in;
  in->m_bypass = m->u_cait_out.bypass;
  if (!d->APCM_P)
    return;
  in->m_protect = m->u_cait_out.protect;
  hd_copy(in->m_last, m->u_cait_out.last, d->LAT);
  in->psb_on = m->u_psb_out.psb_on;
  in->psb_loop = m->u_psb_out.psb_loop;
  hd_copy(in->psb_last, m->u_psb_out.psb_last, d->WARPS);
}

void sm_mem_moore(struct sm_mem *m, struct sm_mem_out *out) {
  const struct hd_derived *d = &m->base.c->d;
  const struct coalescer_out *co = &m->u_coalescer_out;
  const struct l1d_out *lo = &m->u_l1d_out;
  if (d->LAWS)
    laws_moore(m->u_laws, &m->u_laws_out);
  coalescer_moore(m->u_coalescer, &m->u_coalescer_out);
  l1d_moore(m->u_l1d, &m->u_l1d_out);
  if (d->MRPB) {
    mrpb_moore(m->u_mrpb, &m->u_mrpb_out);
    out->drained = m->u_mrpb_out.drained;
  } else if (d->MEMSCHED) {
    memsched_moore(m->u_memsched, &m->u_memsched_out);
    out->drained = m->u_memsched_out.drained;
  } else
    request_slot_moore(m->u_slot, &m->u_slot_out);
  if (d->CASC)
    casc_moore(m->u_casc, &m->u_casc_out);
  if (d->LOC)
    rrt_moore(m->u_rrt, &m->u_rrt_out);
  if (d->RFT_IN)
    rft_moore(m->u_rft, &m->u_rft_out);
  if (d->APCM) {
    mta_moore(m->u_mta, &m->u_mta_out);
    cait_moore(m->u_cait, &m->u_cait_out);
  }
  if (d->APCM_P)
    psb_moore(m->u_psb, &m->u_psb_out);
  if (d->PCAL)
    sched_moore(m->u_sched, &m->u_sched_out);
  if (d->LOS)
    pred_table_moore(m->u_pred, &m->u_pred_out);
  if (d->STRIDE)
    sap_moore(m->u_sap, &m->u_sap_out);
  if (d->SLD)
    sld_moore(m->u_sld, &m->u_sld_out);
  wire_tables(m);
  hd_attachments_hear(m);

  out->issue_ready = co->issue_ready;
  out->busy = co->busy | m->u_casc_out.busy; /* who is not there says 0 */
  out->st_valid = co->req_valid && co->req.write;
  out->st_wid = co->req.wid;
  out->st_slot = co->req.slot;
  out->st_num = co->req.num;
  out->st_lanes = co->req_lanes;
  out->resp_valid = lo->resp_valid;
  out->resp = lo->resp;
  out->mreq_valid = lo->mreq_valid | m->u_pred_out.q_valid;
  out->mreq = d->LOS ? hd_foretold(m->u_pred, &lo->mreq) : hd_sreq_of(&lo->mreq, 0);
  out->mrsp_ready = lo->mrsp_ready;
  out->pf_class = lo->pf_class;
  out->evict_valid = m->u_line_uses_out.evict_valid;
  out->evict_hpc = m->u_line_uses_out.evict_hpc;
  out->evict_count = m->u_line_uses_out.evict_count;
  out->rft_lost = m->u_rft_out.lost;
  if (m->base.data) {
    hd_copy(out->resp_data, lo->resp_data, d->WORDS);
    hd_copy(out->mreq_wdata, lo->mreq_wdata, d->WORDS);
    hd_copy(out->mreq_wmask, lo->mreq_wmask, d->WORDS);
  }
}

/* ---- The prediction table, and the scheduler that is there ---- */

/* Before the scheduler: who goes first. */
static void run_pred(struct sm_mem *m, const struct sm_mem_in *in) {
  const struct l1d_out *lo = &m->u_l1d_out;
  const bool asks = lo->mreq_valid | m->u_pred_out.q_valid;
  hd_wire_pred(m, in, &lo->mreq, lo->mreq_valid, in->issue_valid && m->u_coalescer_out.issue_ready,
               asks && in->mreq_ready, in->mrsp_valid && lo->mrsp_ready);
  pred_table_mealy(m->u_pred, &m->u_pred_in, &m->u_pred_out);
}

static void show_picks(const struct sm_mem *m, struct sm_mem_out *out, const uint64_t *valid,
                       const uint64_t *wid) {
  hd_copy(out->pick_valid, valid, m->base.c->d.SCHEDS);
  hd_copy(out->pick_wid, wid, m->base.c->d.SCHEDS);
}

static void run_sched(struct sm_mem *m, const struct sm_mem_in *in, struct sm_mem_out *out) {
  struct sched_in *si = &m->u_sched_in;
  si->ready = in->ready;
  si->prefer = m->u_pred_out.prefer; /* who is not there says 0 */
  si->boosting = m->u_pred_out.boosting;
  si->launch_valid = in->launch_valid;
  si->launch_cta = in->launch_cta;
  si->launch_warps = in->launch_warps;
  si->awake = in->awake;
  sched_mealy(m->u_sched, si, &m->u_sched_out);
  show_picks(m, out, m->u_sched_out.pick_valid, m->u_sched_out.pick_wid);
}

static void run_laws(struct sm_mem *m, const struct sm_mem_in *in, struct sm_mem_out *out) {
  const struct l1d_out *lo = &m->u_l1d_out;
  struct laws_in *wi = &m->u_laws_in;
  wi->en = in->laws_en;
  wi->ready = in->ready;
  wi->prefer = m->u_pred_out.prefer; /* who is not there says 0 */
  wi->boosting = m->u_pred_out.boosting;
  wi->launch_valid = in->launch_valid;
  wi->launch_warps = in->launch_warps;
  wi->load_valid = in->issue_valid && m->u_coalescer_out.issue_ready && !in->issue_write;
  wi->load_wid = in->issue_wid;
  wi->load_pc = in->issue_pc;
  wi->fb_valid = lo->told_load && lo->told.first;
  wi->fb_hit = lo->told_hit;
  wi->fb_gid = lo->told.gid;
  if (m->base.c->d.GROUPED) {
    wi->tgt_valid = m->u_sap_out.pf_valid && lo->pf_ready;
    wi->tgt_wid = m->u_sap_out.pf_wid;
  }
  laws_mealy(m->u_laws, wi, &m->u_laws_out);
  show_picks(m, out, m->u_laws_out.pick_valid, m->u_laws_out.pick_wid);
}

static void run_two_level(struct sm_mem *m, const struct sm_mem_in *in, struct sm_mem_out *out) {
  struct two_level_in *ti = &m->u_two_level_in;
  ti->ready = in->ready;
  ti->prefer = m->u_pred_out.prefer; /* who is not there says 0 */
  ti->boosting = m->u_pred_out.boosting;
  ti->wait_mem = in->wait_mem;
  two_level_mealy(m->u_two_level, ti, &m->u_two_level_out);
  show_picks(m, out, m->u_two_level_out.pick_valid, m->u_two_level_out.pick_wid);
}

/* ---- The prefetcher that is there, if any ---- */

/* After LAWS, which says which misses count, and of which group. */
static void wire_sap(struct sm_mem *m, const struct sm_mem_in *in) {
  const struct l1d_out *lo = &m->u_l1d_out;
  m->u_sap_in.en = in->pf_en;
  m->u_sap_in.pf_ready = lo->pf_ready;
  hd_wire_load_event(m->base.c, lo->told_load && lo->told.first, lo->told_hit, &lo->told, &m->u_laws_out,
                     &m->u_sap_in);
}

static void wire_sld(struct sm_mem *m, const struct sm_mem_in *in) {
  struct sld_in *si = &m->u_sld_in;
  si->en = in->pf_en;
  si->ev_valid = m->u_l1d_out.told_load;
  si->ev_line = m->u_l1d_out.told.line;
  si->pf_ready = m->u_l1d_out.pf_ready;
}

/* ---- What is always there ---- */

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
  ci->issue_gid = m->u_laws_out.load_gid;
  ci->issue_pc = in->issue_pc;
  ci->issue_low = in->issue_low;
  ci->issue_trk = m->u_lat_out.load_trk;
  ci->issue_lid = m->u_lat_out.load_lid;
  ci->issue_pe = m->u_pred_out.ld_pe;
  if (m->u_coalescer_out.issue_ready)
    hd_copy(ci->issue_line, in->issue_line, m->base.c->d.LANES);
}

/* CASC's, as far as they come from the coalescer. */
static void wire_casc(struct sm_mem *m, const struct sm_mem_in *in) {
  const struct coalescer_out *co = &m->u_coalescer_out;
  struct casc_in *ci = &m->u_casc_in;
  ci->en = in->casc_en;
  ci->in_valid = co->req_valid;
  if (!co->req_valid)
    return;
  ci->in = co->req;
  ci->in_sig = co->req_sig;
  ci->in_many = co->req_many;
}

static void wire_rrt(struct sm_mem *m, const struct sm_mem_in *in) {
  const struct line_uses_out *uo = &m->u_line_uses_out;
  m->u_rrt_in = (struct rrt_in){.clear = in->flush,
                                .ev_valid = uo->evict_valid,
                                .ev_hpc = uo->evict_hpc,
                                .ev_count = uo->evict_count,
                                .lk_hpc = m->u_degree_out.lk_hpc};
}

static void wire_rft(struct sm_mem *m, const struct sm_mem_in *in) {
  const struct line_uses_out *uo = &m->u_line_uses_out;
  m->u_rft_in.clear = in->flush;
  m->u_rft_in.up_valid = uo->evict_valid;
  m->u_rft_in.up_hpc[0] = uo->evict_hpc;
  m->u_rft_in.up_count[0] = uo->evict_count;
}

/* ---- APCM ---- */

/* Before the coalescer's. */
static void wire_lat(struct sm_mem *m, const struct sm_mem_in *in) {
  m->u_lat_in =
      (struct lat_in){.clear = in->flush,
                      .load_valid = in->issue_valid && m->u_coalescer_out.issue_ready && !in->issue_write,
                      .load_pc = in->issue_pc,
                      .ask_id = m->u_psb_out.ask_id};
  lat_mealy(m->u_lat, &m->u_lat_in, &m->u_lat_out);
}

/* All inputs of the L1D but those from the buffer. */
static void wire_l1d(struct sm_mem *m, const struct sm_mem_in *in) {
  struct l1d_in *li = &m->u_l1d_in;
  hd_attachments_answer(m);
  li->pf_valid = m->u_sap_out.pf_valid | m->u_sld_out.pf_valid; /* who is not there says 0 */
  li->pf_line = m->u_sap_out.pf_line | m->u_sld_out.pf_line;
  li->flush = in->flush;
  li->resp_ready = in->resp_ready;
  li->mreq_ready = in->mreq_ready && !m->u_pred_out.q_valid;
  li->mrsp_valid = in->mrsp_valid && !(m->base.c->d.LOS && in->mrsp.kind == HD_QUERY);
  if (!li->mrsp_valid)
    return;
  li->mrsp = hd_mrsp_of(&in->mrsp);
  if (m->base.data)
    hd_copy(li->mrsp_data, in->mrsp_data, m->base.c->d.WORDS);
}

/* The coalescer's or CASC's request to the buffer, whichever it is. A store passes CASC in the cycle. */
static void wire_enq(const struct sm_mem *m, const struct sm_mem_in *in, uint64_t *valid, struct req *enq,
                     uint64_t *wdata, uint64_t *wmask) {
  const bool casc = m->base.c->d.CASC;
  *valid = casc ? m->u_casc_out.out_valid : m->u_coalescer_out.req_valid;
  if (!*valid)
    return;
  *enq = casc ? m->u_casc_out.out : hd_request_of(&m->u_coalescer_out.req);
  if (m->base.data && enq->write) {
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

/* What MemSched and the L1D tell each other of heads. */
static void wire_tries(struct sm_mem *m) {
  const struct l1d_out *lo = &m->u_l1d_out;
  struct memsched_in *bi = &m->u_memsched_in;
  bi->back_valid = lo->told_tried;
  bi->back_wid = lo->told.wid;
  bi->back_ok = lo->told_load;
  if (!m->base.c->d.PROBES)
    return;
  bi->pr_hit = m->u_probe_out.pr_hit;
  bi->pr_can = m->u_probe_out.pr_can;
  struct tag_probe_in *pi = &m->u_probe_in;
  hd_copy(pi->pr_line, m->u_memsched_out.pr_line, m->base.c->d.PROBES);
  hd_copy(pi->lines_valid, lo->lines_valid, m->base.c->d.SETS);
  if (m->base.c->d.ON_MISS)
    hd_copy(pi->lines_reserved, lo->lines_reserved, m->base.c->d.SETS);
  pi->lines_free = lo->lines_free;
  pi->lines_room = lo->lines_room;
}

/* Both sides of the buffer that is there; answers its enq_ready. */
static bool wire_buffer(struct sm_mem *m, const struct sm_mem_in *in) {
  if (m->base.c->d.MRPB) {
    struct mrpb_in *bi = &m->u_mrpb_in;
    struct mrpb_out *bo = &m->u_mrpb_out;
    wire_enq(m, in, &bi->enq_valid, &bi->enq, bi->enq_wdata, bi->enq_wmask);
    bi->enq_sig = m->base.c->d.CASC ? m->u_casc_out.out_sig : m->u_coalescer_out.req_sig;
    wire_deq(m, bo->deq_valid, &bo->deq, bo->deq_wdata, bo->deq_wmask);
    bi->deq_ready = m->u_l1d_out.req_ready;
    mrpb_mealy(m->u_mrpb, bi, bo);
    return bo->enq_ready;
  }
  if (m->base.c->d.MEMSCHED) {
    struct memsched_in *bi = &m->u_memsched_in;
    struct memsched_out *bo = &m->u_memsched_out;
    wire_enq(m, in, &bi->enq_valid, &bi->enq, bi->enq_wdata, bi->enq_wmask);
    wire_deq(m, bo->deq_valid, &bo->deq, bo->deq_wdata, bo->deq_wmask);
    bi->deq_ready = m->u_l1d_out.req_ready;
    bi->en = m->u_l1d_in.lack_again = in->memsched_en;
    wire_tries(m);
    memsched_mealy(m->u_memsched, bi, bo);
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

/* From the coalescer to the L1D; answers the coalescer's req_ready. What CASC offers does not depend on whether it is
 * taken. */
static bool wire_requests(struct sm_mem *m, const struct sm_mem_in *in) {
  if (!m->base.c->d.CASC)
    return wire_buffer(m, in);
  wire_casc(m, in);
  casc_mealy(m->u_casc, &m->u_casc_in, &m->u_casc_out);
  m->u_casc_in.out_ready = wire_buffer(m, in);
  casc_mealy(m->u_casc, &m->u_casc_in, &m->u_casc_out);
  return m->u_casc_out.in_ready;
}

void sm_mem_mealy(struct sm_mem *m, const struct sm_mem_in *in, struct sm_mem_out *out) {
  const struct hd_derived *d = &m->base.c->d;
  if (d->LOS)
    run_pred(m, in);
  (d->LAWS ? run_laws : d->TWO_LEVEL ? run_two_level : run_sched)(m, in, out);
  wire_l1d(m, in);
  m->u_rft_line_in.rft_en = in->rft_en;
  m->u_rft_line_in.rft_bypass = d->RFT_IN ? m->u_rft_out.bypass : in->rft_bypass;
  if (d->APCM) {
    m->u_apcm_line_in.apcm_en = in->apcm_en;
    wire_lat(m, in);
    hd_wire_patterns(m, in);
  }
  wire_coalescer(m, in, wire_requests(m, in));
  if (d->LOC)
    wire_rrt(m, in);
  if (d->RFT_IN)
    wire_rft(m, in);
  if (d->STRIDE)
    wire_sap(m, in);
  if (d->SLD)
    wire_sld(m, in);
}

/* sm_mem_mealy has set all wires from the same `in`. */
uint64_t sm_mem_tick(struct sm_mem *m, const struct sm_mem_in *in) {
  const struct hd_derived *d = &m->base.c->d;
  (void)in;
  if (d->LAWS)
    laws_tick(m->u_laws, &m->u_laws_in);
  else if (d->TWO_LEVEL)
    two_level_tick(m->u_two_level, &m->u_two_level_in);
  else
    sched_tick(m->u_sched, &m->u_sched_in);
  coalescer_tick(m->u_coalescer, &m->u_coalescer_in);
  if (d->MRPB)
    mrpb_tick(m->u_mrpb, &m->u_mrpb_in);
  else if (d->MEMSCHED)
    memsched_tick(m->u_memsched, &m->u_memsched_in);
  else
    request_slot_tick(m->u_slot, &m->u_slot_in);
  l1d_tick(m->u_l1d, &m->u_l1d_in);
  hd_attachments_tick(m);
  if (d->CASC)
    casc_tick(m->u_casc, &m->u_casc_in);
  if (d->LOC)
    rrt_tick(m->u_rrt, &m->u_rrt_in);
  if (d->RFT_IN)
    rft_tick(m->u_rft, &m->u_rft_in);
  if (d->APCM) {
    lat_tick(m->u_lat, &m->u_lat_in);
    mta_tick(m->u_mta, &m->u_mta_in);
    cait_tick(m->u_cait, &m->u_cait_in);
  }
  if (d->APCM_P)
    psb_tick(m->u_psb, &m->u_psb_in);
  if (d->LOS)
    pred_table_tick(m->u_pred, &m->u_pred_in);
  if (d->STRIDE)
    sap_tick(m->u_sap, &m->u_sap_in);
  if (d->SLD)
    sld_tick(m->u_sld, &m->u_sld_in);
  return HD_MOVES; /* ports inside may meet */
}
