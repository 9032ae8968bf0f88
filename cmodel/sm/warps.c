/* Warps: barriers, and their ends. Which may issue is in cmodel/sm/sm_warps.h.
 *
 * Invariant: a warp ends only when nothing of it is in flight.
 */
#include "cmodel/sm/sm_warps.h"

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

/* Opens it if all live warps have arrived. */
static void check_barrier(struct hd_sm *sm, unsigned slot);

void hd_sm_end_warp(struct hd_sm *sm, unsigned wid) {
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
  if (sm->c->d.WAIT_MEM)
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

void hd_sm_refresh(struct hd_sm *sm, unsigned wid) {
  sm_refresh(sm, wid);
}

void hd_sm_fetch(struct hd_sm *sm, unsigned wid) {
  sm_fetch(sm, wid);
}
