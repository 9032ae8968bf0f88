/* The CTA dispatcher: launches one after the other, CTAs onto slots, one a cycle, and their ends.
 *
 * Invariant: warp w of the CTA in slot s is warp slot s * warps_per_cta + w. A launch begins only when every
 * CTA of the one before has ended, and a CTA ends only when all its requests have been answered; so sm_mem is
 * empty between launches.
 */
#include "cmodel/sm_state.h"

enum hd_rc hd_sm_next_launch(struct hd_sm *sm, struct hd_why *why) {
  if (!sm->source->ops->next_launch(sm->source, &sm->launch)) {
    sm->no_more = true;
    return HD_OK;
  }
  const unsigned n = sm->launch.warps_per_cta;
  if (n < 1 || n > WL_LANES || n > sm->c->sm.warps)
    return hd_because(why, HD_INPUT,
                      "kernel %s: %u warps a CTA; the SM has sm.warps = %u (and 32 is the most)",
                      sm->launch.name, n, sm->c->sm.warps);
  sm->launch_waits = true;
  return HD_OK;
}

static void begin_launch(struct hd_sm *sm) {
  const unsigned by_warps = sm->c->sm.warps / sm->launch.warps_per_cta;
  sm->residents = by_warps < sm->c->sm.ctas ? by_warps : sm->c->sm.ctas;
  sm->free_ctas = (uint32_t)(sm_bit(sm->residents) - 1);
  sm->next_cta = 0;
  sm->launch_waits = false;
  sm->stats.launches++;
  if (sm->watch.launch)
    sm->watch.launch(sm->watch.ctx, &sm->launch, sm->launch_number);
  sm->launch_number++;
}

/* A CTA takes the lowest free slot; its warps run two cycles later, after it has been announced. */
static void place_cta(struct hd_sm *sm) {
  const unsigned slot = (unsigned)__builtin_ctz(sm->free_ctas);
  const uint32_t id = sm->next_cta++;
  sm->free_ctas &= ~(uint32_t)sm_bit(slot);
  sm->used_ctas |= (uint32_t)sm_bit(slot);
  sm->starting = (int)slot;
  sm->cta[slot] = (struct sm_cta){.id = id, .live = sm->launch.warps_per_cta};
  sm->stats.ctas++;
  if (sm->watch.cta_start)
    sm->watch.cta_start(sm->watch.ctx, slot, id);
  for (unsigned i = 0; i < sm->launch.warps_per_cta; i++) {
    const unsigned wid = slot * sm->launch.warps_per_cta + i;
    struct sm_warp *w = &sm->warp[wid];
    w->phase = SM_STARTING;
    w->cta = slot;
    w->place = i;
    w->pending = 0;
    w->seq = 0;
    w->stream = sm->source->ops->open_warp(sm->source, id, i);
    if (!w->stream) {
      hd_sm_fail(sm, "kernel %s: the stream of CTA %u, warp %u can't be opened", sm->launch.name, id, i);
      return;
    }
    hd_sm_fetch(sm, wid);
  }
}

static void start_cta(struct hd_sm *sm) {
  const unsigned first = (unsigned)sm->starting * sm->launch.warps_per_cta;
  sm->starting = SM_NONE;
  for (unsigned wid = first; wid < first + sm->launch.warps_per_cta; wid++) {
    sm->warp[wid].phase = SM_RUNNING;
    hd_sm_refresh(sm, wid);
  }
}

static void read_launch(struct hd_sm *sm) {
  struct hd_why why;
  if (hd_sm_next_launch(sm, &why) != HD_OK)
    hd_sm_fail(sm, "%s", why.text);
}

void hd_sm_dispatch(struct hd_sm *sm) {
  sm->moved = true;
  if (sm->starting != SM_NONE)
    start_cta(sm);
  if (!sm->used_ctas && sm->launch_waits)
    begin_launch(sm);
  sm->dispatching = !sm->no_more;
  if (sm->no_more || sm->launch_waits)
    return;
  if (sm->next_cta < sm->launch.ctas && sm->free_ctas)
    place_cta(sm);
  else if (!sm->used_ctas)
    read_launch(sm);
  else
    sm->dispatching = false; /* until a CTA ends */
}

void hd_sm_warp_ends(struct hd_sm *sm, unsigned wid) {
  struct sm_warp *w = &sm->warp[wid];
  struct sm_cta *cta = &sm->cta[w->cta];
  sm->source->ops->close_warp(w->stream);
  w->stream = NULL;
  w->phase = SM_ABSENT;
  sm->moved = true;
  if (--cta->live) {
    hd_sm_barrier_check(sm, w->cta);
    return;
  }
  sm->free_ctas |= (uint32_t)sm_bit(w->cta);
  sm->used_ctas &= ~(uint32_t)sm_bit(w->cta);
  sm->dispatching = true;
  if (sm->watch.cta_end)
    sm->watch.cta_end(sm->watch.ctx, w->cta);
}
