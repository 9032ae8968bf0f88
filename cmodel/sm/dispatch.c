/* CTAs on an SM: those that the dispatcher (cmodel/sm/grid.h) gave take slots, one a cycle, and their warps start.
 *
 * Invariant: warp w of the CTA in slot s is warp slot s * warps_per_cta + w. A launch begins only when every CTA of the launch before has
 * ended. A CTA ends only when all its requests have been answered. So between launches sm_mem holds only prefetches and queries of
 * LoSCache. */
#include "cmodel/sm/sm_state.h"

/* A launch begins. */
static void launch(struct hd_sm *sm) {
  sm->free_ctas = (uint32_t)(sm_bit(hd_grid_residents(sm->grid)) - 1);
  sm->launch = hd_grid_launch(sm->grid);
  sm->launch_number = (unsigned)hd_grid_launches(sm->grid);
  sm->first = true;
  sm->stats.launches++;
  if (sm->watch.launch)
    sm->watch.launch(sm->watch.ctx, sm->launch, sm->launch_number - 1);
}

void *hd_sm_open_warp(struct hd_sm *sm, uint32_t cta, unsigned i) {
  struct wl_source *source = hd_grid_source(sm->grid);
  void *stream = source->ops->open_warp(source, cta, i);
  if (stream)
    return stream;
  const char *error = source->ops->error ? source->ops->error(source) : NULL;
  hd_sm_fail(sm, "kernel %s: the stream of CTA %u, warp %u can't be opened%s%s", sm->launch->name, cta, i,
             error ? ": " : "", error ? error : "");
  return NULL;
}

/* A CTA of the launch will take a slot in cycle `at`, or in the first cycle after that in which no other CTA does. Its streams are opened
 * now, in the order in which the dispatcher hands out CTAs. */
static void give(struct hd_sm *sm, uint32_t cta, uint64_t at) {
  struct sm_given *given = &sm->given[(sm->given_head + sm->n_given++) % HD_MOST(sm, ctas)];
  given->cta = cta;
  given->at = at > sm->next_start ? at : sm->next_start;
  sm->next_start = given->at + 1;
  for (unsigned i = 0; i < sm->launch->warps_per_cta; i++)
    given->stream[i] = hd_sm_open_warp(sm, cta, i);
}

unsigned hd_sm_join(struct hd_sm *sm) {
  return hd_grid_join(sm->grid, &(struct hd_grid_sm){sm, launch, give});
}

/* A CTA takes the lowest free slot. It is announced in the next cycle, and its warps run in the one after that. */
static void place_cta(struct hd_sm *sm) {
  const struct sm_given *given = &sm->given[sm->given_head];
  const unsigned slot = (unsigned)__builtin_ctz(sm->free_ctas);
  sm->given_head = (sm->given_head + 1) % HD_MOST(sm, ctas);
  sm->n_given--;
  sm->free_ctas &= ~(uint32_t)sm_bit(slot);
  sm->used_ctas |= (uint32_t)sm_bit(slot);
  sm->starting = (int)slot;
  sm->flushing = sm->first && sm->c->gpu.flush;
  sm->kernel_ctas = sm->first ? sm->n_given + 1 : 0;
  if (sm->first && sm->loops)
    hd_loops_forget(sm->loops);
  sm->first = false;
  sm->cta[slot] = (struct sm_cta){.id = given->cta, .live = sm->launch->warps_per_cta};
  sm->stats.ctas++;
  sm_count_residents(sm);
  sm->residents += sm->launch->warps_per_cta;
  if (sm->watch.cta_start)
    sm->watch.cta_start(sm->watch.ctx, slot, given->cta);
  for (unsigned i = 0; i < sm->launch->warps_per_cta; i++) {
    const unsigned wid = slot * sm->launch->warps_per_cta + i;
    struct sm_warp *w = &sm->warp[wid];
    w->phase = SM_STARTING;
    w->buffered = 0;
    sm->hungry |= sm->c->sm.fetch ? sm_bit(wid) : 0;
    w->cta = slot;
    w->place = i;
    w->pending = 0;
    w->seq = 0;
    sm->pass[wid] = (struct sm_pass){0}; /* it does not make up for what another warp passed */
    w->stream = given->stream[i];
    hd_sm_fetch(sm, wid);
  }
}

static void start_cta(struct hd_sm *sm) {
  const unsigned first = (unsigned)sm->starting * sm->launch->warps_per_cta;
  const unsigned end =
      first + sm->launch->warps_per_cta; /* now, as the CTA may end below, and the next launch begin */
  sm->starting = SM_NONE;
  sm->flushing = false;
  sm->kernel_ctas = 0;
  for (unsigned wid = first; wid < end; wid++) {
    sm->warp[wid].phase = SM_RUNNING;
    sm->awake |= sm_bit(wid);
    hd_sm_refresh(sm, wid);
  }
}

void hd_sm_dispatch(struct hd_sm *sm) {
  if (sm->error[0]) /* a CTA that was given in this very clock may have no stream */
    return;
  sm->moved = true;
  if (sm->starting != SM_NONE)
    start_cta(sm);
  if (sm_next_cta(sm) <= sm->now)
    place_cta(sm);
}
