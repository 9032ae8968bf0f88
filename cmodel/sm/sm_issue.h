/* Issue: the unit and the place in the LSU queue that an instruction takes, and when its result arrives.
 *
 * Invariant: a register is in `pending` exactly from the issue of the instruction that writes it until its
 * result arrives.
 *
 * Inlined: measured in cmodel/sm/sm_cycle.h. */
#ifndef HEDDLE_CMODEL_SM_SM_ISSUE_H
#define HEDDLE_CMODEL_SM_SM_ISSUE_H

#include "cmodel/memory/memsys.h"
#include "cmodel/sm/sm_warps.h"
#include "cmodel/sm/store_bytes.h"

/* The pipe from which the result of an instruction comes. */
static const uint8_t sm_pipe_of[] = {
    [WL_ALU] = PIPE_ALU, [WL_SFU] = PIPE_SFU,     [WL_SHARED] = PIPE_SHARED, [WL_CONST] = PIPE_CONST,
    [WL_TEX] = PIPE_TEX, [WL_LOAD] = PIPE_RETURN, [WL_STORE] = PIPES,        [WL_ATOMIC] = PIPE_RETURN,
    [WL_FENCE] = PIPES,  [WL_BARRIER] = PIPES,    [WL_EXIT] = PIPES,
};

/* The unit of the warp's scheduler is busy for `cycles` cycles, this one included. */
static inline void sm_take_unit(struct hd_sm *sm, unsigned unit, unsigned wid, unsigned cycles) {
  const unsigned sched = wid % HD_SIZE(sm->c, SCHEDS);
  if (cycles == 1)
    return;
  sm->free_at[unit][sched] = sm->now + cycles;
  sm->unit_free[unit] &= ~sm->sched_warps[sched];
  if (sm->now + cycles < sm->next_free)
    sm->next_free = sm->now + cycles;
}

static inline void sm_units(struct hd_sm *sm) {
  sm->next_free = UINT64_MAX;
  for (unsigned u = UNIT_ALU; u < UNIT_LSU; u++)
    for (unsigned s = 0; s < HD_SIZE(sm->c, SCHEDS); s++)
      if (sm->free_at[u][s] == sm->now + 1) {
        sm->unit_free[u] |= sm->sched_warps[s];
        sm->moved = true;
      } else if (sm->free_at[u][s] > sm->now && sm->free_at[u][s] < sm->next_free)
        sm->next_free = sm->free_at[u][s];
}

static inline void sm_into_pipe(struct hd_sm *sm, unsigned pipe, unsigned wid, int8_t dst, unsigned later) {
  struct sm_pipe *p = &sm->pipe[pipe];
  const uint64_t at = sm->now + p->latency + later;
  p->ring[(p->head + p->count++) & (p->size - 1)] =
      (struct sm_result){.at = at, .wid = (uint8_t)wid, .dst = dst};
  sm->filled |= 1u << pipe;
  p->next = at < p->next ? at : p->next;
  sm->next_result = at < sm->next_result ? at : sm->next_result;
}

/* All schedulers share one shared memory: an access waits until the access before it is through. Returns how many cycles the result comes
 * later than the latency. */
static inline unsigned sm_wait_shared(struct hd_sm *sm, unsigned wid) {
  const struct sm_warp *w = &sm->warp[wid];
  struct wl_inst i = {.size = 0};
  if (w->size)
    sm_next(sm, w, &i);
  const unsigned n = hd_sm_passes(sm, &i);
  const uint64_t start = sm->shared_free > sm->now ? sm->shared_free : sm->now;
  const unsigned until = (unsigned)(start - sm->now) + n;
  sm->shared_free = sm->now + until;
  sm->stats.shared_conflicts += n - 1;
  sm_take_unit(sm, UNIT_SHARED, wid, until);
  return until - 1;
}

static inline void sm_execute(struct hd_sm *sm, unsigned wid) {
  const struct sm_warp *w = &sm->warp[wid];
  unsigned later = 0;
  if (w->op == WL_ALU)
    sm_take_unit(sm, UNIT_ALU, wid, sm->alu_cycles);
  else if (w->op == WL_SFU)
    sm_take_unit(sm, UNIT_SFU, wid, sm->c->sm.sfu_interval);
  else if (w->op == WL_SHARED)
    later = sm_wait_shared(sm, wid);
  sm_into_pipe(sm, sm_pipe_of[w->op], wid, w->dst, later);
}

static inline void sm_result(struct hd_sm *sm, unsigned wid, int8_t dst) {
  struct sm_warp *w = &sm->warp[wid];
  const uint64_t reg = sm_reg_bit(dst);
  w->pending &= ~reg;
  w->in_flight--;
  if (!HD_SOME(sm->c, WAIT_MEM) && !(w->need & reg) && w->op != WL_EXIT) /* no instruction waits for it */
    return;
  sm->moved = true;
  sm_refresh(sm, wid);
}

static inline void sm_results(struct hd_sm *sm) {
  uint64_t next = UINT64_MAX;
  for (unsigned filled = sm->filled; filled; filled &= filled - 1) {
    struct sm_pipe *p = &sm->pipe[__builtin_ctz(filled)];
    while (p->next == sm->now + 1) {
      const struct sm_result r = p->ring[p->head];
      p->head = (p->head + 1) & (p->size - 1);
      p->next = --p->count ? p->ring[p->head].at : UINT64_MAX;
      sm_result(sm, r.wid, r.dst);
    }
    if (!p->count)
      sm->filled &= ~(filled & -filled);
    next = p->next < next ? p->next : next;
  }
  sm->next_result = next;
}

/* Returns what the request port says of the instruction: HD_PLAIN (0), HD_UNCACHED, or the kind of atomic. In a machine without request
 * kinds an uncached load is a load; in one without atomics an atomic is a store. */
static inline uint8_t sm_request_op(const struct hd_config *c, const struct wl_inst *i) {
  if (i->op == WL_LOAD)
    return HD_SIZE(c, KINDS) && i->kind ? HD_UNCACHED : HD_PLAIN;
  if (i->op != WL_ATOMIC || !HD_SIZE(c, ATOMICS))
    return HD_PLAIN;
  return i->kind ? i->kind : HD_ATOM_ADD;
}

/* Sets the lines of the instruction's lanes, and their sectors. Returns false after hd_sm_fail. */
static inline bool sm_find_lines(struct hd_sm *sm, struct sm_lsu_entry *entry, const struct wl_inst *i) {
  const unsigned offset_w = sm->c->d.OFFSET_W, sector_at = offset_w - sm->c->d.SECTOR_W;
  const uint64_t sectors = sm_bit(sm->c->d.SECTOR_W) - 1;
  uint64_t used = 0, some[WL_LANES];
  const uint64_t *addr = i->addr;
  if (i->active != UINT32_MAX) {
    for (unsigned l = 0; l < WL_LANES; l++)
      some[l] = i->active >> l & 1 ? i->addr[l] : 0;
    addr = some;
  }
  /* Hot: written so that the compiler uses vector instructions. */
  for (unsigned l = 0; l < WL_LANES; l++) {
    used |= addr[l];
    entry->line[l] = addr[l] >> offset_w;
  }
  if (HD_SIZE(sm->c, SECTORED))
    for (unsigned l = 0; l < WL_LANES; l++)
      entry->sector[l] = addr[l] >> sector_at & sectors;
  entry->changes = 0;
  if (!(used >> sm->c->sm.addr_bits) && i->active)
    return true;
  hd_sm_fail(sm,
             i->active ? "kernel %s, pc %u: an address needs more than sm.addr_bits = %u bits"
                       : "kernel %s, pc %u: a memory instruction without a lane (sm.addr_bits = %u)",
             sm->launch->name, i->pc, sm->c->sm.addr_bits);
  return false;
}

/* True if the coalescer needs only the lanes at which the line changes, and the first address. */
static inline bool sm_may_tell_changes(const struct hd_sm *sm) {
  return !HD_SIZE(sm->c, SECTORED) && sm->tells_changes && !sm->stores && !sm->watch.issue;
}

/* Finds the lanes at which the line changes, for addresses that are `stride` apart. Returns false if they are not that simple;
 * sm_find_lines must then do the work. */
static inline bool sm_find_changes(const struct hd_sm *sm, struct sm_lsu_entry *entry, uint64_t first,
                                   uint64_t stride) {
  enum { MOST = 40 }; /* bits of a stride */
  const unsigned offset_w = sm->c->d.OFFSET_W;
  const uint64_t bytes = sm_bit(offset_w), last = first + (WL_LANES - 1) * stride;
  uint64_t changes = 0;
  if (stride >> MOST || (first | last) >> sm->c->sm.addr_bits || (stride < bytes && stride & (stride - 1)))
    return false;
  if (stride >= bytes) { /* each lane has its own line; written for vector instructions */
    uint64_t addr = first;
    for (unsigned l = 0; l < WL_LANES; l++, addr += stride)
      entry->line[l] = addr >> offset_w;
    changes = UINT32_MAX - 1;
  } else {
    entry->line[0] = first >> offset_w;
    if ((first ^ last) >> offset_w) {
      const unsigned stride_w = (unsigned)__builtin_ctzll(stride), step = (unsigned)(bytes >> stride_w);
      unsigned lane = (unsigned)((bytes - (first & (bytes - 1)) + stride - 1) >> stride_w);
      for (; lane < WL_LANES; lane += step) {
        changes |= sm_bit(lane);
        entry->line[lane] = (first + lane * stride) >> offset_w;
      }
    }
  }
  entry->changes = changes | sm_bit(WL_LANES);
  return true;
}

/* The next free place in the LSU queue of the warp's scheduler. The queue must not be full. */
static inline struct sm_lsu_entry *sm_lsu_place(struct hd_sm *sm, unsigned wid) {
  struct sm_lsu *lsu = &sm->lsu[wid % HD_SIZE(sm->c, SCHEDS)];
  const unsigned place = lsu->head + lsu->count, size = sm->c->sm.lsu_queue;
  return &lsu->entry[place < size ? place : place - size];
}

/* Puts the instruction into a slot of the warp and into the queue of its scheduler. `entry` is the place in the queue; its lines are
 * already set. */
static inline void sm_into_lsu(struct hd_sm *sm, unsigned wid, struct sm_lsu_entry *entry,
                               const struct wl_inst *i) {
  struct sm_warp *w = &sm->warp[wid];
  const unsigned s = (unsigned)__builtin_ctz(w->free_slots), sched = wid % HD_SIZE(sm->c, SCHEDS);
  w->free_slots &= (uint16_t)~sm_bit(s);
  w->slot[s] = (struct sm_slot){.write = i->op != WL_LOAD, .dst = i->dst, .pc = i->pc, .issued = sm->now};
  if (sm->stores && i->op != WL_LOAD)
    sm_find_store_bytes(sm->c, i, sm->stores + (wid * HD_MOST(sm, loads) + s) * WL_LANES);
  entry->op = sm_request_op(sm->c, i);
  entry->write = i->op != WL_LOAD || entry->op;
  if (sm->options.data && entry->write)
    hd_sm_keep_store(sm, w, i, &sm->bytes[wid][s]);
  entry->wid = wid;
  entry->slot = s;
  entry->mask = i->active;
  if (HD_SOME(sm->c, PC_W)) {
    entry->pc = i->pc & UINT32_MAX >> (32 - sm->c->d.PC_W);
    entry->low = (uint32_t)i->addr[__builtin_ctz(i->active)] & (sm->c->l1d.line_bytes - 1);
  }
  entry->sig = !HD_SOME(sm->c, SIG_W)                            ? 0
               : sm->c->request_buffer.signature == HD_SIG_BLOCK ? w->cta
                                                                 : w->place;
  w->queued++;
  if (HD_SOME(sm->c, MEMSCHED) && sm->c->request_buffer.enable)
    sm->unsent |= sm_bit(wid);
  sm->lsu_count++;
  if (++sm->lsu[sched].count == sm->c->sm.lsu_queue)
    sm->unit_free[UNIT_LSU] &= ~sm->sched_warps[sched];

  if (sm->watch.issue)
    sm->watch.issue(sm->watch.ctx, &(struct hd_sm_mem_inst){.wid = wid,
                                                            .slot = s,
                                                            .cta = sm->cta[w->cta].id,
                                                            .warp_in_cta = w->place,
                                                            .inst = i,
                                                            .seq = w->seq,
                                                            .epoch = sm->cta[w->cta].epoch});
  if (HD_SOME(sm->c, WAIT_MEM))
    sm->loading[wid] |= sm_reg_bit(i->dst);
  w->seq++;
  *(i->op != WL_LOAD ? &sm->stats.stores : &sm->stats.loads) += 1;
}

static inline void sm_issue_memory(struct hd_sm *sm, unsigned wid) {
  const struct sm_warp *w = &sm->warp[wid];
  struct sm_lsu_entry *entry = sm_lsu_place(sm, wid);
  struct wl_inst i;
  uint64_t stride;
  sm_next_but_addresses(w, &i);
  if (!(sm_may_tell_changes(sm) && sm->ops->stride(w->stream, &i, i.addr, &stride) &&
        sm_find_changes(sm, entry, i.addr[0], stride))) {
    sm->ops->locate(w->stream, &i);
    if (!sm_find_lines(sm, entry, &i))
      return;
  }
  sm_into_lsu(sm, wid, entry, &i);
}

static inline void sm_issue(struct hd_sm *sm, unsigned wid) {
  struct sm_warp *w = &sm->warp[wid];
  const uint32_t pc = w->pc;
  sm->moved = true;
  sm->stats.instructions++;
  sm->went[wid]++;
  sm->stats.thread_instructions += /* the usual case needs no count, which takes a while */
      w->active == UINT32_MAX ? WL_LANES : (unsigned)__builtin_popcount(w->active);
  if (w->op == WL_BARRIER) {
    w->phase = SM_WAITING;
    sm->awake &= ~sm_bit(wid);
    sm->waiting |= sm_bit(wid);
  } else if (w->op != WL_FENCE) {
    if ((uint64_t)w->active >> sm->c->sm.lanes)
      hd_sm_fail(sm, "kernel %s, pc %u: lanes %x are active; the SM has sm.lanes = %u", sm->launch->name,
                 w->pc, w->active, sm->c->sm.lanes);
    else if (wl_is_memory((enum wl_op)w->op))
      sm_issue_memory(sm, wid);
    else
      sm_execute(sm, wid);
    w->pending |= sm_reg_bit(w->dst);
    w->in_flight++;
  }
  if (sm->c->sm.fetch && !--w->buffered)
    sm->hungry |= sm_bit(wid);
  sm_fetch(sm, wid);
  if (HD_SOME(sm->c, APCM_P))
    hd_sm_follow(sm, wid, pc);
  sm_refresh(sm, wid);
}

/* The answers of an instruction come in any order. The one with `last` tells how many there are. */
static inline void sm_answer(struct hd_sm *sm, const struct resp *r) {
  struct sm_warp *w = &sm->warp[r->wid];
  struct sm_slot *slot = &w->slot[r->slot];
  slot->answered++;
  if (r->last)
    slot->requests = (uint8_t)(r->num + 1);
  if (slot->write) {
    sm->stats.store_requests++;
  } else {
    sm->stats.load_requests++;
    sm->stats.load_latency_sum += sm->now - slot->issued;
  }
  if (slot->answered != slot->requests)
    return;
  const bool awaited = !w->free_slots || w->op == WL_FENCE; /* an instruction may wait for the slot */
  w->free_slots |= (uint16_t)sm_bit((unsigned)r->slot);
  if (sm->watch.done)
    sm->watch.done(sm->watch.ctx, (unsigned)r->wid, (unsigned)r->slot);
  if (slot->dst < 0 || sm->c->sm.return_latency == 1)
    sm_result(sm, (unsigned)r->wid, slot->dst);
  else
    sm_into_pipe(sm, PIPE_RETURN, (unsigned)r->wid, slot->dst, 0);
  if (awaited) {
    sm->moved = true;
    sm_refresh(sm, (unsigned)r->wid);
  }
}

#endif
