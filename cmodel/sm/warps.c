/* Warps: which may issue, their instructions, barriers, and their ends.
 *
 * Invariant: a warp ends only when nothing of it is in flight.
 */
#include "cmodel/sm/sm_state.h"

#include <stdarg.h>
#include <stdio.h>

void hd_sm_fail(struct hd_sm *sm, const char *format, ...) {
  if (sm->error[0])
    return;
  va_list args;
  va_start(args, format);
  vsnprintf(sm->error, sizeof sm->error, format, args);
  va_end(args);
}

/* The unit that an instruction takes. */
static const uint8_t unit_of[] = {
    [WL_ALU] = UNIT_ALU,    [WL_SFU] = UNIT_SFU,      [WL_SHARED] = UNIT_SHARED, [WL_CONST] = UNIT_NONE,
    [WL_TEX] = UNIT_NONE,   [WL_LOAD] = UNIT_LSU,     [WL_STORE] = UNIT_LSU,     [WL_ATOMIC] = UNIT_LSU,
    [WL_FENCE] = UNIT_NONE, [WL_BARRIER] = UNIT_NONE, [WL_EXIT] = UNIT_NONE,
};

static void note_next(struct hd_sm *sm, unsigned wid, enum wl_op op) {
  const uint64_t bit = sm_bit(wid);
  sm->next_load = (sm->next_load & ~bit) | (op == WL_LOAD ? bit : 0);
  sm->next_mem = (sm->next_mem & ~bit) | (wl_is_memory(op) ? bit : 0);
}

void hd_sm_fetch(struct hd_sm *sm, unsigned wid) {
  struct sm_warp *w = &sm->warp[wid];
  struct wl_inst i;
  sm->ops->pass(w->stream, &i);
  w->need = i.src | sm_reg_bit(i.dst);
  w->src = i.src;
  w->pc = i.pc;
  w->active = i.active;
  w->op = (uint8_t)i.op;
  w->size = i.size;
  w->kind = i.kind;
  w->dst = i.dst;
  if (sm->reports_next)
    note_next(sm, wid, i.op);
}

/* Registers that are no longer awaited have been loaded. */
static void refresh_wait(struct hd_sm *sm, unsigned wid) {
  const struct sm_warp *w = &sm->warp[wid];
  sm->loading[wid] &= w->pending;
  const bool waits = w->phase != SM_RUNNING || (sm->loading[wid] & w->need);
  sm->wait_mem = (sm->wait_mem & ~sm_bit(wid)) | (uint64_t)waits << wid;
}

/* Opens it if all live warps have arrived. */
static void check_barrier(struct hd_sm *sm, unsigned slot);

/* Not inlined: so that hd_sm_refresh, which is hot, keeps no registers for it. */
static __attribute__((noinline)) void end_warp(struct hd_sm *sm, unsigned wid) {
  struct sm_warp *w = &sm->warp[wid];
  struct sm_cta *cta = &sm->cta[w->cta];
  sm->ops->close_warp(w->stream);
  w->stream = NULL;
  w->phase = SM_ABSENT;
  sm_count_residents(sm);
  sm->residents--;
  sm->awake &= ~sm_bit(wid);
  if (sm->c->d.EXITS)
    sm->exiting |= sm_bit(wid);
  if (sm->reports_wait)
    sm->wait_mem |= sm_bit(wid);
  sm->hungry &= ~sm_bit(wid);
  if (sm->fetching == (int)wid)
    sm->fetching = SM_NONE;
  sm->moved = true;
  if (--cta->live) {
    check_barrier(sm, w->cta);
    return;
  }
  sm->free_ctas |= (uint32_t)sm_bit(w->cta);
  sm->used_ctas &= ~(uint32_t)sm_bit(w->cta);
  if (sm->watch.cta_end)
    sm->watch.cta_end(sm->watch.ctx, w->cta);
  hd_grid_ended(sm->grid, sm->number, sm->now);
}

void hd_sm_refresh(struct hd_sm *sm, unsigned wid) {
  struct sm_warp *w = &sm->warp[wid];
  const uint64_t bit = sm_bit(wid);
  if (sm->reports_wait)
    refresh_wait(sm, wid);
  sm->ready[w->unit] &= ~bit;
  if (w->phase != SM_RUNNING || (w->pending & w->need))
    return;
  const enum wl_op op = (enum wl_op)w->op;
  if (op == WL_EXIT) {
    if (!w->in_flight)
      end_warp(sm, wid);
    return;
  }
  if (sm->c->sm.fetch && !w->buffered)
    return;
  if ((wl_is_memory(op) && (!w->free_slots || (sm->unsent & bit))) ||
      (op == WL_FENCE && w->free_slots != sm->all_slots))
    return;
  w->unit = unit_of[op];
  sm->ready[w->unit] |= bit;
}

/* Of the warps with an empty buffer, the next in turn is served; a cycle later its instructions are there. */
void hd_sm_fetches(struct hd_sm *sm) {
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
    hd_sm_refresh(sm, (unsigned)fetched);
}

static void check_barrier(struct hd_sm *sm, unsigned slot) {
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
    hd_sm_refresh(sm, wid);
}

/* The request buffer holds nothing in the queue of this warp. */
static bool drained(const struct hd_sm *sm, unsigned wid, uint64_t out_drained) {
  if (!sm->c->d.QUEUED || (!sm->c->d.MRPB && !sm->c->request_buffer.enable))
    return true; /* one slot: what left the coalescer stays in order */
  const enum hd_signature by = sm->c->d.MRPB ? sm->c->request_buffer.signature : HD_SIG_WARP;
  const struct sm_warp *w = &sm->warp[wid];
  return out_drained >> (by == HD_SIG_WARP ? wid : by == HD_SIG_BLOCK ? w->cta : w->place) & 1;
}

void hd_sm_barriers(struct hd_sm *sm, const struct sm_mem_out *out) {
  for (uint64_t left = sm->waiting & ~out->busy; left; left &= left - 1) {
    const unsigned wid = (unsigned)__builtin_ctzll(left);
    if (sm->warp[wid].queued || !drained(sm, wid, out->drained))
      continue;
    sm->waiting &= ~sm_bit(wid);
    sm->moved = true;
    sm->cta[sm->warp[wid].cta].arrived++;
    check_barrier(sm, sm->warp[wid].cta);
  }
}

void hd_sm_sent(struct hd_sm *sm, const struct sm_mem_out *out) {
  for (uint64_t left = sm->unsent & ~out->busy & out->drained; left; left &= left - 1) {
    const unsigned wid = (unsigned)__builtin_ctzll(left);
    if (sm->warp[wid].queued)
      continue;
    sm->unsent &= ~sm_bit(wid);
    sm->moved = true;
    hd_sm_refresh(sm, wid);
  }
}
