/* Lazy running of sm_mem; see lazy.h. The wires are those of cmodel/sm_mem.c.
 *
 * For each module `<module>_moves` says, before the tick, whether a register may change without a handshake:
 * every condition for a change in its page in docs/mechanisms that is not a port's, nor an event that can be
 * seen afterwards. Registers that are shifted or loaded without a valid bit do not matter.
 */
#include "cmodel/lazy.h"

#include <string.h>

enum { SCHED, COALESCER, BUFFER, L1D }; /* the parts */

static const unsigned waits[][LAZY_WAITS + 1] = {/* each row: how many, and which */
                                                 {1, EV_sched_idle},
                                                 {1, EV_coalescer_stall},
                                                 {1, EV_request_slot_stall},
                                                 {3, EV_mrpb_full, EV_mrpb_write_wait, EV_mrpb_deq_stall},
                                                 {6, EV_l1d_fail_line_alloc, EV_l1d_fail_mshr,
                                                  EV_l1d_fail_mshr_merge, EV_l1d_fail_miss_queue,
                                                  EV_l1d_fail_bypass_slots, EV_l1d_hit_wait}};

static void init_part(struct hd_lazy_part *p, const struct hd_model *base, const unsigned *wait) {
  p->ev = base->ev;
  p->waits = wait[0];
  memcpy(p->wait, wait + 1, sizeof p->wait);
}

void hd_lazy_init(struct hd_lazy *l, struct sm_mem *m) {
  *l = (struct hd_lazy){.m = m};
  init_part(&l->part[SCHED], &m->u_sched->base, waits[0]);
  init_part(&l->part[COALESCER], &m->u_coalescer->base, waits[1]);
  init_part(&l->part[BUFFER], m->u_mrpb ? &m->u_mrpb->base : &m->u_slot->base, waits[m->u_mrpb ? 3 : 2]);
  init_part(&l->part[L1D], &m->u_l1d->base, waits[4]);
}

static void wake(struct hd_lazy *l, struct hd_lazy_part *p) {
  if (!p->sleeps)
    return;
  p->sleeps = false;
  for (unsigned i = 0; i < p->waits; i++)
    p->ev[p->wait[i]] += (l->now - p->since) * p->count[i];
}

/* Before and after a tick in which the part may do nothing. */
static void watch(struct hd_lazy_part *p) {
  for (unsigned i = 0; i < p->waits; i++)
    p->count[i] = p->ev[p->wait[i]];
}
static void fall_asleep(struct hd_lazy *l, struct hd_lazy_part *p) {
  for (unsigned i = 0; i < p->waits; i++)
    p->count[i] = p->ev[p->wait[i]] - p->count[i];
  p->sleeps = true;
  p->since = l->now + 1;
}

static bool coalescer_moves(const struct coalescer_st *s) {
  return (s->w_valid && !s->o_valid) || (s->n_valid && !s->w_valid);
}

/* Entering a queue and choosing one are events. */
static bool mrpb_moves(const struct mrpb *m) {
  const struct hd_derived *d = &m->base.c->d;
  const struct mrpb_st *s = &m->s;
  const bool write_waits = !d->WIDE && s->in_valid && s->in.write && !s->count[s->in_q];
  if (s->sel_valid && !s->o_valid && !write_waits)
    return true;
  for (unsigned i = 0; i < d->DELAY; i++)
    if (s->age_valid[i])
      return true;
  return false;
}

static uint64_t mrpb_moves_made(const uint64_t *ev) {
  return ev[EV_mrpb_enqueue] + ev[EV_mrpb_forced_full] + ev[EV_mrpb_forced_write] + ev[EV_mrpb_choose];
}

/* A decision is an event. An answer in hand moves, or waits for the SM. */
static bool l1d_moves(const struct l1d_st *s) {
  return s->f_valid || s->t1_valid || (s->mq_count && !s->mo_valid) ||
         (!s->d_valid && (s->c_valid || s->a_count));
}

static uint64_t l1d_moves_made(const uint64_t *ev) {
  return ev[EV_l1d_load_hit] + ev[EV_l1d_load_merge] + ev[EV_l1d_load_miss] + ev[EV_l1d_bypass] +
         ev[EV_l1d_store];
}

static uint64_t no_moves_made(const uint64_t *ev) {
  (void)ev;
  return 0;
}

void hd_lazy_moore(struct hd_lazy *l, struct sm_mem_out *out) {
  struct sm_mem *m = l->m;
  if (!l->part[COALESCER].sleeps) {
    coalescer_moore(m->u_coalescer, &m->u_coalescer_out);
    out->issue_ready = m->u_coalescer_out.issue_ready;
    out->busy = m->u_coalescer_out.busy;
  }
  if (!l->part[BUFFER].sleeps) {
    if (m->u_mrpb) {
      mrpb_moore(m->u_mrpb, &m->u_mrpb_out);
      out->drained = m->u_mrpb_out.drained;
    } else
      request_slot_moore(m->u_slot, &m->u_slot_out);
  }
  if (!l->part[L1D].sleeps) {
    const struct l1d_out *lo = &m->u_l1d_out;
    l1d_moore(m->u_l1d, &m->u_l1d_out);
    out->resp_valid = lo->resp_valid;
    out->resp = lo->resp;
    out->mreq_valid = lo->mreq_valid;
    out->mreq = lo->mreq;
    out->mrsp_ready = lo->mrsp_ready;
  }
}

static void mealy_sched(struct hd_lazy *l, const struct sm_mem_in *in, struct sm_mem_out *out) {
  struct sm_mem *m = l->m;
  if (in->ready || in->launch_valid)
    wake(l, &l->part[SCHED]);
  if (l->part[SCHED].sleeps)
    return;
  m->u_sched_in.ready = in->ready;
  m->u_sched_in.launch_valid = in->launch_valid;
  m->u_sched_in.launch_cta = in->launch_cta;
  m->u_sched_in.launch_warps = in->launch_warps;
  sched_mealy(m->u_sched, &m->u_sched_in, &m->u_sched_out);
  for (unsigned s = 0; s < m->base.c->d.SCHEDS; s++) {
    out->pick_valid[s] = m->u_sched_out.pick_valid[s];
    out->pick_wid[s] = m->u_sched_out.pick_wid[s];
  }
}

static void mealy_l1d(struct hd_lazy *l, const struct sm_mem_in *in) {
  struct l1d_in *li = &l->m->u_l1d_in;
  const struct l1d_out *lo = &l->m->u_l1d_out;
  li->resp_ready = in->resp_ready;
  li->mreq_ready = in->mreq_ready;
  li->mrsp_valid = in->mrsp_valid;
  if (in->mrsp_valid)
    li->mrsp = in->mrsp;
  if ((lo->resp_valid && in->resp_ready) || (lo->mreq_valid && in->mreq_ready) ||
      (in->mrsp_valid && lo->mrsp_ready))
    wake(l, &l->part[L1D]);
}

/* The request between buffer and L1D; then, that known, the one between coalescer and buffer. A sleeping
 * buffer shows the same as ever unless its request is taken. */
#define MEALY_BUFFER(l, u, mealy)                                                                            \
  do {                                                                                                       \
    struct sm_mem *m_ = (l)->m;                                                                              \
    m_->u##_in.deq_ready = m_->u_l1d_out.req_ready;                                                          \
    m_->u_l1d_in.req_valid = m_->u##_out.deq_valid;                                                          \
    if (m_->u##_out.deq_valid && m_->u_l1d_out.req_ready) {                                                  \
      m_->u_l1d_in.req = m_->u##_out.deq;                                                                    \
      wake(l, &(l)->part[BUFFER]);                                                                           \
      wake(l, &(l)->part[L1D]);                                                                              \
    }                                                                                                        \
    m_->u##_in.enq_valid = m_->u_coalescer_out.req_valid;                                                    \
    if (!(l)->part[COALESCER].sleeps)                                                                        \
      m_->u##_in.enq = m_->u_coalescer_out.req;                                                              \
    if (!(l)->part[BUFFER].sleeps)                                                                           \
      mealy(m_->u, &m_->u##_in, &m_->u##_out);                                                               \
    m_->u_coalescer_in.req_ready = m_->u##_out.enq_ready;                                                    \
  } while (0)

static void mealy_coalescer(struct hd_lazy *l, const struct sm_mem_in *in) {
  struct coalescer_in *ci = &l->m->u_coalescer_in;
  const struct coalescer_out *co = &l->m->u_coalescer_out;
  ci->issue_valid = in->issue_valid;
  if (in->issue_valid && co->issue_ready) {
    ci->issue_write = in->issue_write;
    ci->issue_wid = in->issue_wid;
    ci->issue_slot = in->issue_slot;
    ci->issue_sig = in->issue_sig;
    ci->issue_mask = in->issue_mask;
    memcpy(ci->issue_line, in->issue_line, l->m->base.c->d.LANES * sizeof *ci->issue_line);
    wake(l, &l->part[COALESCER]);
  }
  if (co->req_valid && ci->req_ready) {
    wake(l, &l->part[COALESCER]);
    wake(l, &l->part[BUFFER]);
  }
}

void hd_lazy_mealy(struct hd_lazy *l, const struct sm_mem_in *in, struct sm_mem_out *out) {
  mealy_sched(l, in, out);
  mealy_l1d(l, in);
  if (l->m->u_mrpb) {
    l->m->u_mrpb_in.enq_sig = l->m->u_coalescer_out.req_sig;
    MEALY_BUFFER(l, u_mrpb, mrpb_mealy);
  } else
    MEALY_BUFFER(l, u_slot, request_slot_mealy);
  mealy_coalescer(l, in);
}

/* The tick of a part, if it is awake. `moves`: it changes for sure. */
#define TICK(l, PART, moves, module, inst, made)                                                             \
  do {                                                                                                       \
    struct hd_lazy_part *p_ = &(l)->part[PART];                                                              \
    if (p_->sleeps)                                                                                          \
      break;                                                                                                 \
    const bool may_sleep_ = !(moves);                                                                        \
    const uint64_t made_ = may_sleep_ ? watch(p_), made(p_->ev) : 0;                                         \
    module##_tick((l)->m->inst, &(l)->m->inst##_in);                                                         \
    if (may_sleep_ && made(p_->ev) == made_)                                                                 \
      fall_asleep(l, p_);                                                                                    \
  } while (0)

bool hd_lazy_tick(struct hd_lazy *l, const struct sm_mem_in *in) {
  struct sm_mem *m = l->m;
  const struct coalescer_out *co = &m->u_coalescer_out;
  const struct l1d_out *lo = &m->u_l1d_out;
  const bool issue = in->issue_valid && co->issue_ready;
  const bool enq = co->req_valid && m->u_coalescer_in.req_ready;
  const bool deq = m->u_l1d_in.req_valid && lo->req_ready;
  const bool memory = (lo->mreq_valid && in->mreq_ready) || (in->mrsp_valid && lo->mrsp_ready);
  const bool answer = lo->resp_valid && in->resp_ready;
  TICK(l, SCHED, in->ready || in->launch_valid, sched, u_sched, no_moves_made);
  TICK(l, COALESCER, issue || enq || coalescer_moves(&m->u_coalescer->s), coalescer, u_coalescer,
       no_moves_made);
  if (m->u_mrpb)
    TICK(l, BUFFER, enq || deq || mrpb_moves(m->u_mrpb), mrpb, u_mrpb, mrpb_moves_made);
  else
    TICK(l, BUFFER, enq || deq, request_slot, u_slot, no_moves_made);
  TICK(l, L1D, deq || memory || answer || l1d_moves(&m->u_l1d->s), l1d, u_l1d, l1d_moves_made);
  l->now++;
  return l->part[SCHED].sleeps && l->part[COALESCER].sleeps && l->part[BUFFER].sleeps && l->part[L1D].sleeps;
}

void hd_lazy_skip(struct hd_lazy *l, uint64_t cycles) {
  l->now += cycles;
}

void hd_lazy_settle(struct hd_lazy *l) {
  for (struct hd_lazy_part *p = l->part; p < l->part + LAZY_PARTS; p++)
    wake(l, p);
}
