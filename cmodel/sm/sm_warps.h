/* Which warps of the SM may issue, and their next instructions.
 *
 * Invariant: `ready` is as in sm_state.h after each of these functions. A warp ends only when nothing of it is in flight.
 *
 * Inlined: measured in cmodel/sm/sm_cycle.h. */
#ifndef HEDDLE_CMODEL_SM_SM_WARPS_H
#define HEDDLE_CMODEL_SM_SM_WARPS_H

#include "cmodel/model/specialized.h"
#include "cmodel/sm/sm_state.h"

/* True if a module hears the next instructions of warps. */
static inline bool sm_reports_next(const struct hd_sm *sm) {
  return HD_SOME(sm->c, NEXT_LOAD) || HD_SOME(sm->c, NEXT_MEM);
}

/* The unit that an instruction takes. */
static const uint8_t sm_unit_of[] = {
    [WL_ALU] = UNIT_ALU,    [WL_SFU] = UNIT_SFU,      [WL_SHARED] = UNIT_SHARED, [WL_CONST] = UNIT_NONE,
    [WL_TEX] = UNIT_NONE,   [WL_LOAD] = UNIT_LSU,     [WL_STORE] = UNIT_LSU,     [WL_ATOMIC] = UNIT_LSU,
    [WL_FENCE] = UNIT_NONE, [WL_BARRIER] = UNIT_NONE, [WL_EXIT] = UNIT_NONE,
};

static inline void sm_note_next(struct hd_sm *sm, unsigned wid, enum wl_op op) {
  const uint64_t bit = sm_bit(wid);
  sm->next_load = (sm->next_load & ~bit) | (op == WL_LOAD ? bit : 0);
  sm->next_mem = (sm->next_mem & ~bit) | (wl_is_memory(op) ? bit : 0);
}

/* Gets the warp's next instruction from its stream. The caller must call sm_refresh. */
static inline void sm_fetch(struct hd_sm *sm, unsigned wid) {
  struct sm_warp *w = &sm->warp[wid];
  struct wl_inst i;
  sm->ops->next(w->stream, &i);
  w->need = i.src | sm_reg_bit(i.dst);
  w->src = i.src;
  w->pc = i.pc;
  w->active = i.active;
  w->op = (uint8_t)i.op;
  w->size = i.size;
  w->kind = i.kind;
  w->dst = i.dst;
  if (sm_reports_next(sm))
    sm_note_next(sm, wid, i.op);
}

/* Brings `wait_mem` up to date for the warp. Registers that are no longer awaited have been loaded. */
static inline void sm_refresh_wait(struct hd_sm *sm, unsigned wid) {
  const struct sm_warp *w = &sm->warp[wid];
  sm->loading[wid] &= w->pending;
  const bool waits = w->phase != SM_RUNNING || (sm->loading[wid] & w->need);
  sm->wait_mem = (sm->wait_mem & ~sm_bit(wid)) | (uint64_t)waits << wid;
}

/* Call it after anything has happened to the warp. It may end the warp. */
static inline void sm_refresh(struct hd_sm *sm, unsigned wid);

/* Opens the barrier if all live warps of the CTA have arrived. It is rare, so it is kept apart from inlined code. */
static inline __attribute__((cold)) void sm_check_barrier(struct hd_sm *sm, unsigned slot) {
  struct sm_cta *cta = &sm->cta[slot];
  if (!cta->arrived || cta->arrived != cta->live)
    return;
  cta->arrived = 0;
  cta->epoch++;
  sm->stats.barriers++;
  if (sm->watch.barrier)
    sm->watch.barrier(sm->watch.ctx, slot);
  const unsigned first = slot * sm->launch->warps_per_cta, end = first + sm->launch->warps_per_cta;
  for (unsigned wid = first; wid < end; wid++)
    if (sm->warp[wid].phase == SM_WAITING) {
      sm->warp[wid].phase = SM_RUNNING;
      sm->awake |= sm_bit(wid);
    }
  for (unsigned wid = first; wid < end; wid++)
    sm_refresh(sm, wid);
}

/* Ends a warp of which nothing is in flight. It is rare, so it is also kept apart. */
static inline __attribute__((cold)) void sm_end_warp(struct hd_sm *sm, unsigned wid) {
  struct sm_warp *w = &sm->warp[wid];
  struct sm_cta *cta = &sm->cta[w->cta];
  sm->ops->close_warp(w->stream);
  w->stream = NULL;
  w->phase = SM_ABSENT;
  sm_count_residents(sm);
  sm->residents--;
  sm->awake &= ~sm_bit(wid);
  if (HD_SOME(sm->c, EXITS))
    sm->exiting |= sm_bit(wid);
  if (HD_SOME(sm->c, WAIT_MEM))
    sm->wait_mem |= sm_bit(wid);
  sm->hungry &= ~sm_bit(wid);
  if (sm->fetching == (int)wid)
    sm->fetching = SM_NONE;
  sm->moved = true;
  if (--cta->live) {
    sm_check_barrier(sm, w->cta);
    return;
  }
  sm->free_ctas |= (uint32_t)sm_bit(w->cta);
  sm->used_ctas &= ~(uint32_t)sm_bit(w->cta);
  if (sm->watch.cta_end)
    sm->watch.cta_end(sm->watch.ctx, w->cta);
  hd_grid_ended(sm->grid, sm->number, sm->now);
}

static inline void sm_refresh(struct hd_sm *sm, unsigned wid) {
  struct sm_warp *w = &sm->warp[wid];
  const uint64_t bit = sm_bit(wid);
  if (HD_SOME(sm->c, WAIT_MEM))
    sm_refresh_wait(sm, wid);
  sm->ready[w->unit] &= ~bit;
  if (w->phase != SM_RUNNING || (w->pending & w->need))
    return;
  const enum wl_op op = (enum wl_op)w->op;
  if (op == WL_EXIT) {
    if (!w->in_flight)
      sm_end_warp(sm, wid);
    return;
  }
  if (sm->c->sm.fetch && !w->buffered)
    return;
  if ((wl_is_memory(op) && (!w->free_slots || (sm->unsent & bit))) ||
      (op == WL_FENCE && w->free_slots != sm->all_slots))
    return;
  w->unit = sm_unit_of[op];
  sm->ready[w->unit] |= bit;
  __builtin_prefetch(w->stream); /* when this instruction issues, the stream decodes the next one */
}

/* The fetches that end and begin in this cycle. Of the warps with an empty buffer, the next in turn is served. Its instructions arrive
 * one cycle later. */
static inline void sm_fetches(struct hd_sm *sm) {
  sm->moved = true;
  const int fetched = sm->fetching;
  sm->fetching = SM_NONE;
  if (sm->hungry) {
    const uint64_t after = sm->hungry & ~(UINT64_MAX >> (63 - sm->last_fetched));
    sm->last_fetched = (unsigned)__builtin_ctzll(after ? after : sm->hungry);
    sm->fetching = (int)sm->last_fetched;
    sm->hungry &= ~sm_bit(sm->last_fetched);
  }
  if (fetched == SM_NONE)
    return;
  sm->warp[fetched].buffered = (uint8_t)sm->c->sm.fetch;
  if (sm->warp[fetched].phase == SM_RUNNING)
    sm_refresh(sm, (unsigned)fetched);
}

#endif
