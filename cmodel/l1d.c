/* Golden model of the L1 data cache. Spec: docs/mechanisms/l1d.md.
 *
 * A tick is response port, decide, answers, memory port, pipeline, lookup, in this order; each part updates
 * the state in place. Invariant: a line is valid in at most one way and waited for by at most one MSHR. */
#include "cmodel/l1d_pipe.h"
#include "cmodel/l1d_prefetch.h"
#include "cmodel/l1d_sets.h"
#include "cmodel/ports.h"

/* The outcome of a decision: done, or the event that says why not. */
enum { DONE = -1 };

/* Gives a way of the line's set to the line, for the load of warp `wid` (WARPS: for a prefetch): it is not valid
 * afterwards. */
static unsigned replace(struct l1d *m, uint64_t set, uint64_t line, uint64_t wid) {
  struct l1d_st *s = &m->s;
  unsigned way = l1d_victim(m, set);
  if (hd_has(s->valid[set], way)) {
    HD_EV(m, l1d_evict, set, way, line, wid);
    l1d_line_goes(m, set, way);
  }
  s->valid[set] &= ~hd_bit(way);
  uint64_t tag = l1d_tag_of(m->base.c, line);
  if (!m->base.c->d.ON_MISS) {
    s->t1_valid = 1;
    s->t1_set = set;
    s->t1_way = way;
    s->t1_tag = tag;
  }
  s->tags[set * m->base.c->d.WAYS + way] = tag;
  s->tags_wr = (int64_t)set;
  l1d_touch(m, set, way);
  return way;
}

/* ---- Decide ---- */

/* The response register must be free. */
static void respond(struct l1d *m, struct resp r, bool fill) {
  m->s.r = r;
  m->s.r_fill = fill;
  m->s.resp_v = 1;
  HD_EV(m, l1d_respond, r.wid, r.slot, r.num, r.write);
}

static void push_miss(struct l1d *m, struct mreq e) {
  struct l1d_st *s = &m->s;
  s->mq[s->mq_tail] = e;
  s->mq_wr = (int64_t)s->mq_tail;
  s->mq_store = hd_with(s->mq_store, s->mq_tail, e.kind == 2);
  s->mq_tail = hd_next(s->mq_tail, m->base.c->d.MQ);
}

/* d's request as it goes to memory without an MSHR: a bypassed load or a store. */
static struct mreq uncached(const struct req *d, unsigned kind) {
  return (struct mreq){
      .kind = kind, .line = d->line, .wid = d->wid, .slot = d->slot, .num = d->num, .last = d->last};
}

/* d waits in row k of the MSHR's loads. */
static void add_target(struct l1d *m, uint64_t mshr, uint64_t k) {
  struct l1d_st *s = &m->s;
  uint64_t row = mshr * m->base.c->d.MERGE + k;
  s->merged[row] = (struct target){.wid = s->d.wid, .slot = s->d.slot, .num = s->d.num, .last = s->d.last};
  s->merged_wr = (int64_t)row;
  s->mshr_count[mshr] = k + 1;
}

static bool miss_queue_full(const struct l1d *m) {
  return m->s.mq_count == m->base.c->d.MQ;
}

static int bypass(struct l1d *m) {
  struct l1d_st *s = &m->s;
  if (miss_queue_full(m))
    return EV_l1d_fail_miss_queue;
  if (s->byp_count == m->base.c->d.BYPS)
    return EV_l1d_fail_bypass_slots;
  push_miss(m, uncached(&s->d, 1));
  s->byp_count++;
  HD_EV(m, l1d_bypass, s->d.wid, s->d.line, 0, 0);
  return DONE;
}

static int hit(struct l1d *m, unsigned way) {
  struct l1d_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  if (s->f_valid || s->resp_v)
    return EV_l1d_hit_wait;
  if (m->base.data)
    hd_copy(s->data_q, s->data + (s->d_set * d->WAYS + way) * d->WORDS, d->WORDS);
  HD_EV(m, l1d_load_hit, s->d.wid, s->d.line, s->d_set, way);
  l1d_line_hit(m, s->d_set, way);
  l1d_touch(m, s->d_set, way);
  respond(m, (struct resp){.wid = s->d.wid, .slot = s->d.slot, .num = s->d.num, .last = s->d.last}, false);
  return DONE;
}

static int merge(struct l1d *m, unsigned mshr) {
  struct l1d_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  if (hd_has(s->mshr_dead, mshr) || s->mshr_count[mshr] == d->MERGE)
    return EV_l1d_fail_mshr_merge;
  HD_EV(m, l1d_load_merge, s->d.wid, s->d.line, mshr, s->mshr_count[mshr]);
  l1d_mshr_hit(m, mshr);
  add_target(m, mshr, s->mshr_count[mshr]);
  if (d->ON_MISS)
    l1d_touch(m, s->d_set, (unsigned)s->mshr_way[mshr]);
  return DONE;
}

/* The one being answered is not: its loads are still needed. */
static uint64_t free_mshrs(const struct l1d *m) {
  const struct l1d_st *s = &m->s;
  uint64_t taken = s->mshr_wait;
  if (s->f_valid && s->f.kind == 0)
    taken |= hd_bit(s->f.id);
  return hd_below(m->base.c->d.MSHRS) & ~taken;
}

/* Whether a miss of d can be sent: DONE, with the MSHR that it gets, or what it lacks. */
static int may_miss(const struct l1d *m, unsigned *mshr) {
  const struct l1d_st *s = &m->s;
  if (s->d_full)
    return EV_l1d_fail_line_alloc;
  if (!s->m_free)
    return EV_l1d_fail_mshr;
  *mshr = hd_lowest(free_mshrs(m));
  return miss_queue_full(m) ? EV_l1d_fail_miss_queue : DONE;
}

/* d's miss goes to the memory, for the load of warp `wid`, or for a prefetch. */
static void send_miss(struct l1d *m, unsigned i, uint64_t wid) {
  struct l1d_st *s = &m->s;
  s->mshr_wait |= hd_bit(i);
  s->mshr_dead &= ~hd_bit(i);
  s->mshr_pf = hd_with(s->mshr_pf, i, s->d_pf);
  s->mshr_line[i] = s->d.line;
  push_miss(m, (struct mreq){.line = s->d.line, .id = i});
  if (m->base.c->d.ON_MISS) {
    s->mshr_way[i] = replace(m, s->d_set, s->d.line, wid);
    s->reserved[s->d_set] |= hd_bit(s->mshr_way[i]);
  }
}

static int miss(struct l1d *m) {
  struct l1d_st *s = &m->s;
  unsigned i = 0;
  const int wait = may_miss(m, &i);
  if (wait != DONE)
    return wait;
  HD_EV(m, l1d_load_miss, s->d.wid, s->d.line, i, s->d_set);
  add_target(m, i, 0);
  send_miss(m, i, s->d.wid);
  return DONE;
}

/* A prefetch never waits (D-SAP-4). */
static int prefetch(struct l1d *m) {
  struct l1d_st *s = &m->s;
  unsigned i = 0;
  if (s->d_hit)
    HD_EV(m, l1d_pf_hit, s->d.line, 0, 0, 0);
  else if (s->d_mshr_eq)
    HD_EV(m, l1d_pf_merge, s->d.line, 0, 0, 0);
  else if (may_miss(m, &i) != DONE)
    HD_EV(m, l1d_pf_fail, s->d.line, 0, 0, 0);
  else {
    HD_EV(m, l1d_pf_miss, s->d.line, i, s->d_set, 0);
    s->mshr_count[i] = 0;
    send_miss(m, i, m->base.c->d.WARPS);
  }
  return DONE;
}

static int store(struct l1d *m, uint64_t hits) {
  struct l1d_st *s = &m->s;
  if (miss_queue_full(m))
    return EV_l1d_fail_miss_queue;
  push_miss(m, uncached(&s->d, 2));
  HD_EV(m, l1d_store, s->d.wid, s->d.line, 0, 0);
  if (hits) {
    s->valid[s->d_set] &= ~hits;
    HD_EV(m, l1d_store_evict, s->d.line, s->d_set, hd_lowest(hits), 0);
    l1d_line_goes(m, s->d_set, hd_lowest(hits));
  }
  if (s->d_mshr_eq) {
    s->mshr_dead |= s->d_mshr_eq;
    HD_EV(m, l1d_store_dead, s->d.line, hd_lowest(s->d_mshr_eq), 0, 0);
  }
  return DONE;
}

/* Whether stall bypass spares a load this wait. */
static bool may_bypass(const struct l1d *m, int wait) {
  const enum hd_bypass mode = m->base.c->request_buffer.bypass;
  return wait == EV_l1d_fail_line_alloc ? mode != HD_BYPASS_OFF
                                        : wait != EV_l1d_fail_miss_queue && mode == HD_BYPASS_ALL;
}

/* d's load: DONE, or what it waits for. */
static int load(struct l1d *m) {
  const uint64_t hits = m->s.d_hit, mshrs = m->s.d_mshr_eq;
  int wait = hits ? hit(m, hd_lowest(hits)) : mshrs ? merge(m, hd_lowest(mshrs)) : miss(m);
  if (wait != DONE && !hits && may_bypass(m, wait))
    wait = bypass(m);
  if (wait == DONE && m->base.c->d.VERDICT)
    l1d_judge(m, hits != 0);
  return wait;
}

/* d's request: DONE, or the event that says what it waits for. */
static int decide(struct l1d *m) {
  const struct l1d_st *s = &m->s;
  const int wait = s->d_pf ? prefetch(m) : s->d.write ? store(m, s->d_hit) : load(m);
  if (wait == DONE)
    return DONE;
  m->base.ev[wait]++;
  if (hd_has(m->base.heard, (unsigned)wait)) {
    const uint64_t where = wait == EV_l1d_fail_line_alloc   ? s->d_set
                           : wait == EV_l1d_fail_mshr_merge ? hd_lowest(s->d_mshr_eq)
                                                            : 0;
    hd_log_event(&m->base, (unsigned)wait, s->d.wid, s->d.line, where, 0);
  }
  return wait;
}

/* ---- Answers of the memory ---- */

/* The cycle in which a fill enters the cache. */
static void fill(struct l1d *m) {
  struct l1d_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t i = s->f.id, line = s->mshr_line[i], set = s->f_set;
  s->merged_q = s->merged[i * d->MERGE];
  s->mshr_wait &= ~hd_bit(i);
  s->f_commit = 0;
  s->f_pos = 0;
  s->f_count = s->mshr_count[i];
  if (s->f_count == 0) /* a prefetch alone */
    s->f_valid = 0;
  if (d->ON_MISS)
    s->reserved[set] &= ~hd_bit(s->f_way);
  if (hd_has(s->mshr_dead, i)) {
    HD_EV(m, l1d_fill_dead, i, line, 0, 0);
    if (hd_has(s->mshr_pf, i))
      HD_EV(m, l1d_pf_dead, i, line, 0, 0);
    return;
  }
  const uint64_t wid = s->f_count ? s->merged_q.wid : d->WARPS;
  unsigned way = d->ON_MISS ? (unsigned)s->f_way : replace(m, set, line, wid);
  HD_EV(m, l1d_fill, i, line, set, way);
  s->valid[set] |= hd_bit(way);
  if (d->PREF)
    s->pf[set] = hd_with(s->pf[set], way, hd_has(s->mshr_pf, i));
  if (m->base.data) {
    s->data_wr = (int64_t)(set * d->WAYS + way);
    hd_copy(s->data + (size_t)s->data_wr * d->WORDS, s->f_data, d->WORDS);
  }
}

/* f's answer goes, or one of the loads of its fill is answered. */
static void answer(struct l1d *m) {
  struct l1d_st *s = &m->s;
  if (s->f.kind != 0) {
    s->f_valid = 0;
    if (s->f.kind == 1)
      s->byp_count--;
    respond(
        m,
        (struct resp){
            .write = s->f.kind == 2, .wid = s->f.wid, .slot = s->f.slot, .num = s->f.num, .last = s->f.last},
        s->f.kind == 1);
    return;
  }
  const struct target *t = &s->merged_q;
  respond(m, (struct resp){.wid = t->wid, .slot = t->slot, .num = t->num, .last = t->last}, true);
  if (++s->f_pos == s->f_count)
    s->f_valid = 0;
  else
    s->merged_q = s->merged[s->f.id * m->base.c->d.MERGE + s->f_pos];
}

static void take_answer(struct l1d *m, const struct l1d_in *in) {
  struct l1d_st *s = &m->s;
  s->f = in->mrsp;
  s->f_valid = 1;
  s->f_commit = in->mrsp.kind == 0;
  if (s->f_commit) {
    s->f_set = l1d_set_of(m->base.c, s->mshr_line[s->f.id]);
    if (m->base.c->d.ON_MISS)
      s->f_way = s->mshr_way[s->f.id];
  }
  if (m->base.data && in->mrsp.kind != 2)
    hd_copy(s->f_data, in->mrsp_data, m->base.c->d.WORDS);
}

/* ---- The rest of the tick ---- */

/* `mreq_ready`: as at the port. True if the queue gets shorter. */
static bool memory_port(struct l1d *m, bool mreq_ready) {
  struct l1d_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  if (s->mo_valid && !mreq_ready)
    return false;
  if (s->mo_valid)
    HD_EV(m, l1d_send, s->mq_q.kind, s->mq_q.line, 0, 0);
  s->mo_valid = s->mq_count > 0;
  if (!s->mo_valid)
    return false;
  s->mq_q = s->mq[s->mq_head];
  if (hd_has(s->mq_store, s->mq_head)) {
    if (m->base.data) {
      hd_copy(s->sdata_q, s->sdata + s->sd_head * d->WORDS, d->WORDS);
      hd_copy(s->smask_q, s->smask + s->sd_head * d->WORDS, d->WORDS);
    }
    s->sd_head = hd_next(s->sd_head, d->SD);
  }
  s->mq_head = hd_next(s->mq_head, d->MQ);
  s->mq_count--;
  return true;
}

void l1d_moore(struct l1d *m, struct l1d_out *out) {
  const struct l1d_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  out->req_ready = l1d_req_ready(m);
  out->resp_valid = s->resp_v;
  out->resp = s->r;
  out->mreq_valid = s->mo_valid;
  out->mreq = s->mq_q;
  out->mrsp_ready = l1d_mrsp_ready(m);
  out->pf_ready = l1d_pf_ready(m);
  out->verdict_valid = s->v_valid;
  out->verdict = s->v;
  out->pf_class = s->pf_c;
  if (m->base.data) {
    hd_copy(out->resp_data, s->r_fill ? s->f_data : s->data_q, d->WORDS);
    hd_copy(out->mreq_wdata, s->sdata_q, d->WORDS);
    hd_copy(out->mreq_wmask, s->smask_q, d->WORDS);
  }
}

uint64_t l1d_tick(struct l1d *m, const struct l1d_in *in) {
  struct l1d_st *s = &m->s;
  const bool req = in->req_valid & l1d_req_ready(m), mrsp = in->mrsp_valid & l1d_mrsp_ready(m);
  const bool pf = in->pf_valid & l1d_pf_ready(m), fills = s->f_valid & s->f_commit;
  uint64_t ahead = HD_MOVES; /* of d */
  s->merged_wr = s->tags_wr = s->data_wr = s->mq_wr = s->sdata_wr = s->smask_wr = -1;
  s->t1_valid = s->v_valid = s->pf_c = 0;
  if (in->resp_ready)
    s->resp_v = 0;
  if (in->flush)
    l1d_flush(m);

  bool adv = !s->d_valid;
  if (fills) { /* decisions wait */
    if (s->d_valid)
      HD_EV(m, l1d_fill_wait, s->d.line, s->d.wid, 0, 0);
    fill(m);
  } else {
    if (s->d_valid) {
      const int wait = decide(m);
      adv = wait == DONE;
      if (!adv)
        ahead = hd_bit((unsigned)wait);
    }
    if (s->f_valid && !s->resp_v) {
      answer(m);
      ahead = HD_MOVES;
    }
  }
  if (mrsp)
    take_answer(m, in);
  if (memory_port(m, in->mreq_ready))
    ahead = HD_MOVES;
  s->mq_count += s->mq_wr >= 0; /* the entry pushed is there from the next cycle on */

  if (adv)
    l1d_advance(m);
  if (req)
    l1d_take_request(m, in);
  if (pf)
    l1d_take_prefetch(m, in);
  if (in->flush)
    s->c_valid = s->p_valid = 0;
  if (adv || fills)
    l1d_look_up(m);
  s->m_free = free_mshrs(m) != 0;

  /* No branch on it, which would be a coin toss. */
  const bool moves = (s->f_valid & (s->f_commit | !s->resp_v)) | s->t1_valid | s->v_valid | (s->pf_c > 0) |
                     ((s->mq_count > 0) & !s->mo_valid);
  const uint64_t of_requests = s->d_valid ? ahead : s->c_valid | s->a_count | s->p_valid ? HD_MOVES : 0;
  return moves ? HD_MOVES : of_requests;
}
