/* Passing instructions over; see forward.h. It works on the state of the SM as its clock left it.
 *
 * A warp that waits at a barrier has issued it in a cycle, and is WAITING; one that comes to a barrier here stays in front of it. A warp
 * whose next instruction is EXIT has ended, as far as this goes: the SM ends it when nothing of it is in flight.
 */
#include "cmodel/sm/forward.h"

#include "cmodel/sm/sm_state.h"

static bool has_ended(const struct sm_warp *w) {
  return !w->stream || (w->phase == SM_RUNNING && w->op == WL_EXIT);
}
static bool is_at_barrier(const struct sm_warp *w) {
  return w->phase == SM_WAITING || w->op == WL_BARRIER;
}

static void tell(const struct hd_config *c, const struct wl_inst *i, const struct hd_passed *passed) {
  const unsigned sector_w = c->d.L2_SECTOR_FILL * c->d.SECTOR_W;
  uint64_t last = UINT64_MAX;
  for (uint32_t lanes = i->active; lanes; lanes &= lanes - 1) {
    const uint64_t part = i->addr[__builtin_ctz(lanes)] >> (c->d.OFFSET_W - sector_w);
    if (part != last)
      passed->access(passed->ctx, part >> sector_w, (unsigned)(part & (sm_bit(sector_w) - 1)),
                     i->op != WL_LOAD);
    last = part;
  }
}

/* What the warp's next instruction accesses. */
static void tell_next(const struct hd_sm *sm, const struct sm_warp *w, const struct hd_passed *passed) {
  struct wl_inst i;
  sm_next(sm, w, &i);
  tell(sm->c, &i, passed);
}

static uint64_t pass_some(struct hd_sm *sm, unsigned wid, unsigned each, const struct hd_passed *passed) {
  const struct sm_warp *w = &sm->warp[wid];
  uint64_t n = 0;
  if (!w->stream || w->phase != SM_RUNNING)
    return 0;
  for (; n < each && w->op != WL_EXIT && w->op != WL_BARRIER; n++) {
    if (passed && wl_is_memory((enum wl_op)w->op))
      tell_next(sm, w, passed);
    hd_sm_fetch(sm, wid);
  }
  return n;
}

/* All its warps that have not ended are at a barrier: they pass it. */
static uint64_t pass_barrier(struct hd_sm *sm, unsigned slot) {
  uint64_t n = 0;
  for (uint64_t rest = sm_cta_warps(sm, slot); rest; rest &= rest - 1) {
    const unsigned wid = (unsigned)__builtin_ctzll(rest);
    struct sm_warp *w = &sm->warp[wid];
    if (has_ended(w))
      continue;
    if (w->phase == SM_WAITING) {
      w->phase = SM_RUNNING;
      sm->awake |= sm_bit(wid);
      sm->waiting &= ~sm_bit(wid);
    } else {
      hd_sm_fetch(sm, wid);
      n++;
    }
  }
  sm->cta[slot].arrived = 0;
  sm->cta[slot].epoch++;
  return n;
}

/* All its warps have ended: another CTA is there instead. */
static void replace(struct hd_sm *sm, unsigned slot, uint32_t id) {
  const unsigned warps = sm->launch->warps_per_cta;
  sm_count_residents(sm);
  sm->residents += warps - sm->cta[slot].live;
  sm->cta[slot] = (struct sm_cta){.id = id, .live = warps};
  if (sm->watch.cta_start)
    sm->watch.cta_start(sm->watch.ctx, slot, id);
  for (unsigned i = 0; i < warps; i++) {
    const unsigned wid = slot * warps + i;
    struct sm_warp *w = &sm->warp[wid];
    if (w->stream)
      sm->ops->close_warp(w->stream);
    else if (sm->c->sm.fetch) {
      w->buffered = 0;
      sm->hungry |= sm_bit(wid);
    }
    w->phase = SM_RUNNING;
    w->cta = slot;
    w->place = i;
    w->seq = 0;
    sm->awake |= sm_bit(wid);
    w->stream = hd_sm_open_warp(sm, id, i);
    if (w->stream)
      hd_sm_fetch(sm, wid);
  }
}

static uint64_t pass_cta(struct hd_sm *sm, unsigned slot, unsigned each, const struct hd_passed *passed) {
  uint64_t n = 0;
  bool ended = true, at_barrier = true;
  for (uint64_t rest = sm_cta_warps(sm, slot); rest; rest &= rest - 1) {
    const unsigned wid = (unsigned)__builtin_ctzll(rest);
    const struct sm_warp *w = &sm->warp[wid];
    n += pass_some(sm, wid, each, passed);
    ended &= has_ended(w);
    at_barrier &= has_ended(w) || is_at_barrier(w);
  }
  uint32_t id;
  if (ended && hd_grid_pass_cta(sm->grid, &id)) {
    replace(sm, slot, id);
    return n;
  }
  return n + (!ended && at_barrier ? pass_barrier(sm, slot) : 0);
}

uint64_t hd_sm_forward(struct hd_sm *sm, unsigned each, const struct hd_passed *passed) {
  uint64_t n = 0;
  for (uint32_t slots = sm->used_ctas; slots && !sm->error[0]; slots &= slots - 1)
    if (__builtin_ctz(slots) != sm->starting)
      n += pass_cta(sm, (unsigned)__builtin_ctz(slots), each, passed);
  return n;
}

unsigned hd_sm_warps(const struct hd_sm *sm) {
  return sm->residents;
}

void hd_sm_forwarded(struct hd_sm *sm) {
  for (unsigned wid = 0; wid < sm->c->sm.warps && !sm->error[0]; wid++) {
    const struct sm_warp *w = &sm->warp[wid];
    if (w->stream && w->phase == SM_RUNNING)
      hd_sm_refresh(sm, wid);
  }
  sm->moved = true;
}

bool hd_pass_cta(const struct hd_config *c, struct wl_source *source, const struct wl_launch *launch,
                 uint32_t cta, const struct hd_passed *passed, uint64_t *n) {
  struct wl_inst inst;
  for (uint32_t i = 0; i < launch->warps_per_cta; i++) {
    void *stream = source->ops->open_warp(source, cta, i);
    if (!stream)
      return false;
    for (source->ops->next(stream, &inst); inst.op != WL_EXIT; ++*n) {
      if (passed && wl_is_memory(inst.op)) {
        source->ops->locate(stream, &inst);
        tell(c, &inst, passed);
      }
      source->ops->next(stream, &inst);
    }
    source->ops->close_warp(stream);
  }
  return true;
}
