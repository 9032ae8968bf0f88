/* The work of warps that is rare, or that few machines need: barriers, accesses of the shared memory, stores with bytes, what mechanisms
 * hear of warps. The rest is in cmodel/sm/sm_warps.h and sm_issue.h. */
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

/* True if the request buffer holds no request in the queue of this warp. */
static bool drained(const struct hd_sm *sm, unsigned wid, uint64_t out_drained) {
  if (!sm->c->d.QUEUED || (!sm->c->d.MRPB && !sm->c->request_buffer.enable))
    return true; /* one slot: requests stay in order once they have left the coalescer */
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
    sm_check_barrier(sm, sm->warp[wid].cta);
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

unsigned hd_sm_passes(const struct hd_sm *sm, const struct wl_inst *i) {
  const unsigned banks = sm->c->sm.shared_banks, words = i->size <= 4 ? 1 : i->size / 4u;
  uint64_t seen[SM_MAX_PASSES]; /* the words that lanes want, each once */
  uint8_t count[HD_MOST(sm, shared_banks)] = {0};
  unsigned n = 0, most = 1;
  if (!i->size)
    return 1;
  for (uint32_t lanes = i->active; lanes; lanes &= lanes - 1)
    for (unsigned k = 0; k < words; k++) {
      const uint64_t word = i->addr[__builtin_ctz(lanes)] / 4 + k;
      const unsigned bank = word & (banks - 1);
      unsigned s = 0;
      while (s < n && seen[s] != word)
        s++;
      if (s < n)
        continue;
      seen[n++] = word;
      most = ++count[bank] > most ? count[bank] : most;
    }
  return most;
}

void hd_sm_keep_store(struct hd_sm *sm, const struct sm_warp *w, const struct wl_inst *i,
                      struct sm_bytes *bytes) {
  const uint64_t cta = wl_rng_mix(sm->launch_number, sm->cta[w->cta].id);
  bytes->content = wl_rng_mix(wl_rng_mix(sm->options.seed, cta), w->seq << 8 | w->place);
  bytes->size = i->size;
  for (uint32_t lanes = i->active; lanes; lanes &= lanes - 1) {
    const int l = __builtin_ctz(lanes);
    bytes->offset[l] = (uint8_t)(i->addr[l] & (sm->c->l1d.line_bytes - 1));
  }
}

void hd_sm_follow(struct hd_sm *sm, unsigned wid, uint32_t pc) {
  const struct sm_warp *next = &sm->warp[wid];
  if (next->op == WL_EXIT)
    hd_loops_end(sm->loops, wid, pc);
  else
    hd_loops_go(sm->loops, wid, pc, next->pc);
}
