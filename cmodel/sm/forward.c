/* Passing instructions; see forward.h. It works on the state of the SM as the SM's clock left it.
 *
 * A warp that waits at a barrier has issued it in a simulated cycle: its phase is SM_WAITING. A warp that comes to a barrier while
 * passing stays before it. A warp whose next instruction is EXIT counts as ended here. The SM ends it when nothing of it is in flight. */
#include "cmodel/sm/forward.h"

#include "cmodel/sm/sm_state.h"

/* Instructions that a warp passes at a time. They are fewer where accesses are told, so that their order is like that of issue. */
enum { UNTOLD = 64, TOLD = 4 };

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

/* Tells `passed` what the warp's next instruction accesses. */
static void tell_next(const struct hd_sm *sm, const struct sm_warp *w, const struct hd_passed *passed) {
  struct wl_inst i;
  sm_next(sm, w, &i);
  tell(sm->c, &i, passed);
}

static void pass_one(struct hd_sm *sm, unsigned wid, const struct hd_passed *passed) {
  const struct sm_warp *w = &sm->warp[wid];
  if (passed && wl_is_memory((enum wl_op)w->op))
    tell_next(sm, w, passed);
  hd_sm_fetch(sm, wid);
  sm->went[wid]++;
  sm->pass[wid].left--;
  sm->pass[wid].since++;
}

/* True if the warp has arrived. When nothing of its goal is left, a warp in a loop stops at `home`, in the iteration that is nearest to
 * the goal. A warp stops at once if it is not known to have been there twice, or if it has left that loop. */
static bool is_there(struct sm_pass *p, uint32_t pc) {
  if (pc == p->home && p->since) {
    p->period = p->since;
    p->since = 0;
    return 2 * p->left <= p->period;
  }
  return p->left <= 0 && (!p->period || p->since > p->period);
}

/* True if the warp has more to pass than `part` of its goal. */
static bool wants(const struct sm_pass *p, double part) {
  return !p->there && (part <= 0 || p->left > (int64_t)(part * (double)p->goal));
}

static uint64_t pass_some(struct hd_sm *sm, unsigned wid, double part, const struct hd_passed *passed) {
  const struct sm_warp *w = &sm->warp[wid];
  struct sm_pass *p = &sm->pass[wid];
  uint64_t n = 0;
  if (!w->stream || w->phase != SM_RUNNING)
    return 0;
  while (w->op != WL_EXIT && wants(p, part)) {
    p->there = is_there(p, w->pc);
    if (p->there || w->op == WL_BARRIER)
      break;
    pass_one(sm, wid, passed);
    n++;
  }
  return n;
}

/* All warps of the CTA that have not ended are at a barrier: they pass it. Returns the instructions passed. */
static uint64_t pass_barrier(struct hd_sm *sm, unsigned slot, const struct hd_passed *passed) {
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
      pass_one(sm, wid, passed);
      n++;
    }
  }
  sm->cta[slot].arrived = 0;
  sm->cta[slot].epoch++;
  return n;
}

/* All warps of the CTA have ended: CTA `id` takes its slot. */
static void replace(struct hd_sm *sm, unsigned slot, uint32_t id) {
  const unsigned warps = sm->launch->warps_per_cta;
  sm_count_residents(sm);
  sm->residents += warps - sm->cta[slot].live;
  sm->cta[slot] = (struct sm_cta){.id = id, .live = warps};
  if (sm->watch.cta_start)
    sm->watch.cta_start(sm->watch.ctx, slot, id);
  unsigned i = 0;
  for (uint64_t rest = sm_cta_warps(sm, slot); rest; rest &= rest - 1, i++) {
    const unsigned wid = (unsigned)__builtin_ctzll(rest);
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
    sm->pass[wid].since = 0;
    sm->awake |= sm_bit(wid);
    w->stream = hd_sm_open_warp(sm, id, i);
    if (w->stream)
      hd_sm_fetch(sm, wid);
  }
}

/* A CTA has ended when its last warp has. The other warps have waited for that one, so no warp has a larger part of its goal left than
 * that one. A warp that was to pass nothing had ended before, so it does not tell when the others end. */
static void wait_for_last(struct hd_sm *sm, unsigned slot) {
  double least = 1;
  for (uint64_t rest = sm_cta_warps(sm, slot); rest; rest &= rest - 1) {
    const struct sm_pass *p = &sm->pass[__builtin_ctzll(rest)];
    const double part = p->there ? 1 : (double)p->left / (double)p->goal;
    least = part < least ? part : least;
  }
  for (uint64_t rest = sm_cta_warps(sm, slot); rest; rest &= rest - 1) {
    struct sm_pass *p = &sm->pass[__builtin_ctzll(rest)];
    if (!p->there)
      p->left = (int64_t)(least * (double)p->goal);
  }
}

static uint64_t pass_cta(struct hd_sm *sm, unsigned slot, double part, const struct hd_passed *passed) {
  uint64_t n = 0;
  for (bool goes_on = true; goes_on;) {
    const uint64_t before = n;
    bool ended = true, at_barrier = true, more = false, running = false;
    for (uint64_t rest = sm_cta_warps(sm, slot); rest; rest &= rest - 1) {
      const unsigned wid = (unsigned)__builtin_ctzll(rest);
      const struct sm_warp *w = &sm->warp[wid];
      n += pass_some(sm, wid, part, passed);
      ended &= has_ended(w);
      at_barrier &= has_ended(w) || is_at_barrier(w);
      more |= wants(&sm->pass[wid], part);
      running |= !has_ended(w) && wants(&sm->pass[wid], part);
    }
    uint32_t id;
    goes_on = false;
    if (ended && more && hd_grid_pass_cta(sm->grid, &id)) {
      wait_for_last(sm, slot);
      replace(sm, slot, id);
      goes_on = true;
    } else if (ended && more) {
      sm->starved = true;
    } else if (running && at_barrier) {
      n += pass_barrier(sm, slot, passed);
      goes_on = n > before;
    }
  }
  return n;
}

void hd_sm_set_goal(struct hd_sm *sm, unsigned wid, double instructions) {
  struct sm_pass *p = &sm->pass[wid];
  const int64_t owed = p->there ? p->left : 0, goal = (int64_t)(instructions + 0.5) + owed;
  *p = (struct sm_pass){
      .goal = goal > 0 ? goal : 0, .left = goal, .home = sm->warp[wid].pc, .there = goal <= 0};
  sm->starved = false;
}

/* One warp passes instructions, up to a barrier or its end. Returns their number. */
static uint64_t forward_warp(struct hd_sm *sm, unsigned wid, double part, const struct hd_passed *passed) {
  return hd_sm_occupied(sm) >> wid & 1 ? pass_some(sm, wid, part, passed) : 0;
}

/* All warps of an SM pass instructions, also those of CTAs that follow. Returns the number of instructions. */
static uint64_t forward(struct hd_sm *sm, double part, const struct hd_passed *passed) {
  uint64_t n = 0;
  for (uint32_t slots = sm->used_ctas; slots && !sm->error[0]; slots &= slots - 1)
    if (__builtin_ctz(slots) != sm->starting)
      n += pass_cta(sm, (unsigned)__builtin_ctz(slots), part, passed);
  return n;
}

/* The mean goal of all warps, those without a goal included. */
static double mean_goal(struct hd_sm *const *sm, unsigned sms) {
  double all = 0, warps = 0;
  for (unsigned i = 0; i < sms; i++)
    for (uint64_t rest = hd_sm_occupied(sm[i]); rest; rest &= rest - 1, warps++)
      all += (double)sm[i]->pass[__builtin_ctzll(rest)].goal;
  return warps > 0 ? all / warps : 0;
}

void hd_sms_forward(struct hd_sm *const *sm, unsigned sms, double last, const struct hd_passed *passed,
                    uint64_t *went) {
  const double goal = mean_goal(sm, sms);
  for (double part = goal > 0; part > 0;) {
    const bool told = part <= last;
    part -= (told ? TOLD : UNTOLD) / goal;
    const double rest = part > 0 ? part : 0;
    for (unsigned wid = 0; wid < HD_MOST(sm, warps) && told; wid++)
      for (unsigned i = 0; i < sms; i++)
        went[i] += forward_warp(sm[i], wid, rest, passed);
    for (unsigned i = 0; i < sms; i++)
      went[i] += forward(sm[i], rest, told ? passed : NULL);
  }
}

bool hd_sm_starved(const struct hd_sm *sm) {
  return sm->starved;
}

double hd_sm_way(const struct hd_sm *sm) {
  double most = 0;
  for (unsigned wid = 0; wid < sm->c->sm.warps; wid++) {
    const struct sm_pass *p = &sm->pass[wid];
    const double part = !p->goal ? 0 : p->there ? 1 : (double)(p->goal - p->left) / (double)p->goal;
    most = part > most ? part : most;
  }
  return most;
}

uint64_t hd_sm_went(const struct hd_sm *sm, unsigned wid) {
  return sm->went[wid];
}

uint64_t hd_sm_occupied(const struct hd_sm *sm) {
  uint64_t all = 0;
  for (uint32_t slots = sm->used_ctas; slots; slots &= slots - 1)
    if (__builtin_ctz(slots) != sm->starting)
      all |= sm_cta_warps(sm, (unsigned)__builtin_ctz(slots));
  return all;
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
