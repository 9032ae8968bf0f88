/* What the modules of sm_mem show, signal by signal: X_moore and X_mealy show all of it, the lazy run
 * (cmodel/step/lazy.c) looks at what it needs. Payloads of valid ports only.
 *
 * Invariant: nothing here changes anything. memo[MRPB_FILLED] and memo[MRPB_READY] of the MRPB say which
 * queues have `count` > 0 and `avail` > 0, memo[MEMSCHED_FILLED] of MemSched likewise, memo[REEXEC_MINE] of the
 * re-execution queue which warps have `mine` > 0, so that a cycle costs the same however many queues there are.
 *
 * Inlined: with calls instead, heddle sim executes 1.9 % more instructions (gpu/apres on syr2k:tiny). */
#ifndef HEDDLE_CMODEL_SM_PORTS_H
#define HEDDLE_CMODEL_SM_PORTS_H

#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

/* The warps that the static limit withholds. */
static inline uint64_t warp_limit_withhold(const struct warp_limit *m) {
  return hd_ones(m->base.c->d.WARPS) & ~m->s.active;
}

static inline bool coalescer_issue_ready(const struct coalescer *m) {
  return m->s.p_valid != 3;
}
static inline uint64_t coalescer_busy(const struct coalescer *m) {
  const struct coalescer_st *s = &m->s;
  return (s->p_valid & 1) << s->p_wid[0] | s->p_valid >> 1 << s->p_wid[1] | s->o_valid << s->o.wid;
}

/* The XOR of the pieces of so many bits, from bit 0 up: how program counters, and their hashes, are hashed. */
static inline uint64_t hd_xor_fold(uint64_t v, unsigned bits) {
  while (v >> bits)
    v = v >> bits ^ (v & hd_ones(bits));
  return v;
}

/* The request at the input is gathered, or is to be. */
static inline bool casc_mine(const struct casc *m, const struct casc_in *in) {
  return in->in_valid && !in->in.write && in->in_many && (in->in.num ? m->s.mid : in->en);
}
static inline bool casc_idle(const struct casc *m) {
  return !(m->s.o_valid | m->s.full | m->s.mid);
}
static inline bool casc_in_ready(const struct casc *m, const struct casc_in *in) {
  return casc_mine(m, in) ? !hd_has(m->s.full, m->s.fill) : casc_idle(m) && in->out_ready;
}
static inline bool casc_out_valid(const struct casc *m, const struct casc_in *in) {
  return m->s.o_valid || (casc_idle(m) && in->in_valid && !casc_mine(m, in));
}
static inline uint64_t casc_busy(const struct casc *m) {
  const struct casc_st *s = &m->s;
  const uint64_t used = s->full | s->mid << s->fill;
  return (used & 1) << s->b_wid[0] | used >> 1 << s->b_wid[1];
}

enum { RFT_FILLED, RFT_DOUBTED };

/* Loads of which entries of the reuse-frequency table are to bypass. */
static inline uint64_t rft_bypass(const struct rft *m) {
  const struct hd_derived *d = &m->base.c->d;
  return d->RFT_CONF ? m->base.memo[RFT_DOUBTED] : m->s.known & ~(d->RFT_AVG ? m->s.above : m->s.reused);
}

/* The program counter of an id; 0 if no load has it. */
static inline uint64_t lat_ask_pc(const struct lat *m, uint64_t id) {
  return hd_has(m->s.used, id) ? m->s.pc[id] : 0;
}

static inline bool request_slot_enq_ready(const struct request_slot *m, bool deq_ready) {
  return !m->s.valid || deq_ready;
}

enum { MRPB_FILLED, MRPB_READY };

/* The queue of the request in the input register. */
static inline uint64_t mrpb_in_q(const struct mrpb *m) {
  return m->base.c->d.SIG_W ? m->s.in_q : m->s.in.wid;
}
/* What becomes of the request in the input register, in terms of the spec: none; enqueue; full; w_wait; or a
 * write that is not the next of its queue. */
enum mrpb_input { MRPB_NONE, MRPB_ENTERS, MRPB_FULL, MRPB_W_WAIT, MRPB_W_BEHIND };
static inline enum mrpb_input mrpb_input(const struct mrpb *m) {
  const struct mrpb_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  if (!s->in_valid)
    return MRPB_NONE;
  const uint64_t count = s->count[mrpb_in_q(m)];
  if (s->in.write && !d->WIDE)
    return count == 0 ? MRPB_W_WAIT : MRPB_W_BEHIND;
  return count < d->DEPTH ? MRPB_ENTERS : MRPB_FULL;
}

static inline bool mrpb_offers(const struct mrpb *m, enum mrpb_input input) {
  return m->s.o_valid || input == MRPB_W_WAIT;
}
static inline bool mrpb_deq_valid(const struct mrpb *m) {
  return mrpb_offers(m, mrpb_input(m));
}
static inline struct req mrpb_deq(const struct mrpb *m) {
  return m->s.o_valid ? m->s.fifo_q : m->s.in;
}
/* A write goes straight to the output. */
static inline bool mrpb_w_leaves(const struct mrpb *m, enum mrpb_input input, bool deq_ready) {
  return input == MRPB_W_WAIT && !m->s.o_valid && deq_ready;
}
static inline bool mrpb_takes(const struct mrpb *m, enum mrpb_input input, bool deq_ready) {
  return input <= MRPB_ENTERS || mrpb_w_leaves(m, input, deq_ready);
}
static inline bool mrpb_enq_ready(const struct mrpb *m, bool deq_ready) {
  return mrpb_takes(m, mrpb_input(m), deq_ready);
}
static inline uint64_t mrpb_drained(const struct mrpb *m) {
  const struct mrpb_st *s = &m->s;
  const uint64_t inside = m->base.memo[MRPB_FILLED] | s->o_valid << s->o_q | s->in_valid << mrpb_in_q(m);
  return hd_ones(m->base.c->d.QUEUES) & ~inside;
}

enum { MEMSCHED_FILLED };

/* The warps w whose queue is not `empty[w]`. */
static inline uint64_t memsched_occupied(const struct memsched *m) {
  return m->s.h_valid | m->base.memo[MEMSCHED_FILLED] | m->s.r_valid << m->s.r_wid;
}
/* What becomes of the request in the input register, in terms of the spec: none; `enters`; `full`; a read that is
 * `second`; `w_wait`; or a write that is `second`. */
enum memsched_input {
  MEMSCHED_NONE,
  MEMSCHED_ENTERS,
  MEMSCHED_FULL,
  MEMSCHED_SECOND,
  MEMSCHED_W_WAIT,
  MEMSCHED_W_SECOND
};
static inline enum memsched_input memsched_input(const struct memsched *m) {
  const struct memsched_st *s = &m->s;
  if (!s->in_valid)
    return MEMSCHED_NONE;
  const bool occupied = hd_has(memsched_occupied(m), s->in.wid);
  if (s->in_on)
    return occupied ? MEMSCHED_W_SECOND : MEMSCHED_W_WAIT;
  if (s->in.num == 0 && occupied)
    return MEMSCHED_SECOND;
  return s->count[s->in.wid] < m->base.c->d.DEPTH ? MEMSCHED_ENTERS : MEMSCHED_FULL;
}

/* The queue of unit u in this row of its own. */
static inline uint64_t memsched_queue(const struct memsched *m, const uint64_t *row, unsigned u) {
  return row[u] * m->base.c->d.UNITS + u;
}
static inline uint64_t memsched_pr_line(const struct memsched *m, unsigned u) {
  return m->s.h_line[memsched_queue(m, m->s.g0_row, u)];
}

static inline bool memsched_offers(const struct memsched *m, enum memsched_input input) {
  return m->s.o_valid || input == MEMSCHED_W_WAIT;
}
static inline bool memsched_deq_valid(const struct memsched *m) {
  return memsched_offers(m, memsched_input(m));
}
static inline struct req memsched_deq(const struct memsched *m) {
  const struct memsched_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t w = s->o_wid;
  if (!s->o_valid)
    return s->in;
  return (struct req){.line = s->o.line,
                      .wid = w,
                      .slot = s->l_slot[w],
                      .num = s->o.num,
                      .last = s->o.last,
                      .sectors = s->o.sectors,
                      .gid = d->GID_W ? s->l_gid[w] : 0,
                      .pc = d->REQ_PC_W ? s->l_pc[w] : 0,
                      .low = d->LOW_W ? s->l_low[w] : 0,
                      .hpc = d->HPC_W ? s->l_hpc[w] : 0,
                      .trk = d->APCM ? hd_has(s->l_trk, w) : 0,
                      .lid = d->APCM ? s->l_lid[w] : 0,
                      .pe = s->o.pe,
                      .byp = s->o.byp,
                      .loc = s->o.loc};
}
/* A write goes straight to the output. */
static inline bool memsched_w_leaves(const struct memsched *m, enum memsched_input input, bool deq_ready) {
  return input == MEMSCHED_W_WAIT && !m->s.o_valid && deq_ready;
}
static inline bool memsched_takes(const struct memsched *m, enum memsched_input input, bool deq_ready) {
  return input <= MEMSCHED_ENTERS || memsched_w_leaves(m, input, deq_ready);
}
static inline bool memsched_enq_ready(const struct memsched *m, bool deq_ready) {
  return memsched_takes(m, memsched_input(m), deq_ready);
}
static inline uint64_t memsched_drained(const struct memsched *m) {
  return hd_ones(m->base.c->d.QUEUES) & ~(memsched_occupied(m) | m->s.in_valid << m->s.in.wid);
}

enum { REEXEC_MINE };

/* The request in the input register may go to the L1D. */
static inline bool reexec_may_go(const struct reexec *m) {
  const struct reexec_st *s = &m->s;
  if (!s->in_valid || s->in_on)
    return s->in_valid;
  return s->in.write ? !hd_has(m->base.memo[REEXEC_MINE], s->in.wid) : s->inside != m->base.c->d.DEPTH;
}
/* It is what is offered. */
static inline bool reexec_first(const struct reexec *m) {
  return reexec_may_go(m) && !m->s.stays;
}
static inline bool reexec_deq_valid(const struct reexec *m) {
  return reexec_first(m) || m->s.o_valid;
}
static inline struct req reexec_deq(const struct reexec *m) {
  return reexec_first(m) ? m->s.in : m->s.fifo_q;
}
static inline bool reexec_enq_ready(const struct reexec *m, bool deq_ready) {
  return !m->s.in_valid || (reexec_first(m) && deq_ready);
}
static inline uint64_t reexec_drained(const struct reexec *m) {
  return hd_ones(m->base.c->d.WARPS) & ~(m->base.memo[REEXEC_MINE] | m->s.in_valid << m->s.in.wid);
}

/* The entry of a request or an answer is used; pe: its number + 1, or 0. */
static inline bool pred_table_has(const struct pred_table *m, uint64_t pe) {
  return pe && hd_has(m->s.used, pe - 1);
}
/* The accesses predicted by such an entry; 0: none. */
static inline uint64_t pred_table_mq_pred(const struct pred_table *m, uint64_t pe) {
  if (!pred_table_has(m, pe) || !m->s.count[pe - 1])
    return 0;
  const uint64_t all = m->s.count[pe - 1] + (m->base.c->d.ADAPT ? m->s.extra[pe - 1] : 0),
                 most = hd_ones(m->base.c->d.CNT_W);
  return all < most ? all : most;
}

/* Bit u: the line that unit u gave two cycles ago could be sent. */
static inline uint64_t tag_probe_can(const struct tag_probe *m) {
  const struct hd_derived *d = &m->base.c->d;
  return d->ON_MISS ? m->s.pr_c : m->s.pr_c * hd_ones(d->PROBES);
}

enum { SLD_LINES = 4 }; /* of a macro block */
static inline bool sld_pf_valid(const struct sld *m) {
  return m->s.pf_v != 0;
}
static inline uint64_t sld_pf_line(const struct sld *m) {
  return m->s.pf_block * SLD_LINES + (m->s.pf_v ? hd_lowest(m->s.pf_v) : 0);
}

static inline bool l1d_req_ready(const struct l1d *m) {
  return m->s.a_count < 2;
}
static inline bool l1d_pf_ready(const struct l1d *m) {
  return !m->s.p_valid;
}
/* f's answer goes to the SM as it is; it is at the port if the response register is empty (D-L1-17). Of the kinds that
 * come here HD_BYPASSED alone has bit 0. */
static inline bool l1d_direct(const struct l1d *m) {
  return HD_IS(m, BEHIND) & m->s.f_valid & (m->s.f.kind & HD_BYPASSED);
}
static inline bool l1d_mrsp_ready(const struct l1d *m) {
  return !(m->s.g_valid | (m->s.f_valid & !l1d_direct(m)) | (m->s.resp_v & m->s.r_fill));
}
static inline bool l1d_resp_valid(const struct l1d *m) {
  return m->s.resp_v | l1d_direct(m);
}
static inline struct resp l1d_resp(const struct l1d *m) {
  const struct mrsp *f = &m->s.f;
  return m->s.resp_v || !HD_IS(m, BEHIND)
             ? m->s.r
             : (struct resp){
                   .wid = f->wid, .slot = f->slot, .num = f->num, .last = f->last, .error = f->error};
}

#endif
