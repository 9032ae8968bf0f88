/* A clock of the SM, and its outputs: LSU queues and issue port, answers. See sm.h and docs/sm.md.
 *
 * Invariant: sm_drive only shows what the last clock left. It decides nothing and changes nothing.
 *
 * Inlined: with calls instead, heddle sim executes 12 % more instructions, those of all files of this room together: 4 headers
 * refer here. And without sizes that are constants (gpu/gtx480 on Accel-Sim's trace of gemm). */
#ifndef HEDDLE_CMODEL_SM_SM_CYCLE_H
#define HEDDLE_CMODEL_SM_SM_CYCLE_H

#include "cmodel/sm/sm_issue.h"

/* Offers the head of the next LSU queue that is not empty (round-robin). */
static inline void sm_offer(struct hd_sm *sm) {
  do
    sm->last_lsu = sm->last_lsu + 1 < HD_SIZE(sm->c, SCHEDS) ? sm->last_lsu + 1 : 0;
  while (!sm->lsu[sm->last_lsu].count);
  sm->offered = (int)sm->last_lsu;
  sm->offer_is_new = true;
}

/* The coalescer takes the offered instruction. */
static inline void sm_taken(struct hd_sm *sm) {
  struct sm_lsu *lsu = &sm->lsu[sm->offered];
  sm->warp[lsu->entry[lsu->head].wid].queued--;
  lsu->head = lsu->head + 1 < sm->c->sm.lsu_queue ? lsu->head + 1 : 0;
  lsu->count--;
  sm->lsu_count--;
  sm->unit_free[UNIT_LSU] |= sm->sched_warps[sm->offered];
  sm->offered = SM_NONE;
  sm->moved = true;
}

static inline struct sm_lsu_entry *sm_offered(struct hd_sm *sm) {
  struct sm_lsu *lsu = &sm->lsu[sm->offered];
  return &lsu->entry[lsu->head];
}

/* True if a module hears which warps end or are awake, or their next instructions. */
static inline bool sm_reports_warps(const struct hd_sm *sm) {
  return HD_SOME(sm->c, EXITS) || HD_SOME(sm->c, AWAKE) || sm_reports_next(sm);
}

/* Drives the ports through which modules hear of warps. */
static inline void sm_drive_warps(const struct hd_sm *sm, struct sm_mem_in *in) {
  const struct hd_leave *leave = sm->loops ? hd_loops_report(sm->loops) : NULL;
  in->next_load = sm->next_load;
  in->next_mem = sm->next_mem;
  in->awake = sm->awake;
  in->exit = sm->exiting;
  in->kernel = sm->kernel_ctas != 0;
  in->kernel_ctas = sm->kernel_ctas;
  in->leave_valid = leave != NULL;
  if (!leave)
    return;
  const uint32_t pc_mask = UINT32_MAX >> (32 - sm->c->d.PC_W);
  in->leave_wid = leave->wid;
  in->leave_from = leave->from & pc_mask;
  in->leave_to = leave->to & pc_mask;
}

/* Drives what changes from cycle to cycle, except the lines and the bytes. */
static inline void sm_drive(struct hd_sm *sm, struct sm_mem_in *in) {
  uint64_t ready = 0;
  for (unsigned u = 0; u < UNITS; u++)
    ready |= sm->ready[u] & sm->unit_free[u];
  in->ready = ready;
  if ((sm->starting != SM_NONE || in->launch_valid) && sm->c->d.LAUNCH) {
    in->launch_valid = sm->starting != SM_NONE;
    in->launch_cta = sm->starting != SM_NONE ? (uint64_t)sm->starting : 0;
    in->launch_warps = sm->starting != SM_NONE ? sm_cta_warps(sm, (unsigned)sm->starting) : 0;
  }
  if (HD_SOME(sm->c, WAIT_MEM))
    in->wait_mem = sm->wait_mem;
  if (sm_reports_warps(sm))
    sm_drive_warps(sm, in);
  in->flush = sm->flushing;
  in->issue_valid = sm->offered != SM_NONE;
  if (sm->offer_is_new) {
    const struct sm_lsu_entry *entry = sm_offered(sm);
    in->issue_write = entry->write;
    in->issue_op = entry->op;
    in->issue_wid = entry->wid;
    in->issue_slot = entry->slot;
    in->issue_sig = entry->sig;
    in->issue_pc = entry->pc;
    in->issue_low = entry->low;
    in->issue_mask = entry->mask;
  }
  in->resp_ready = sm->resp_ready;
}

/* Mechanisms have heard these reports in this cycle, and must hear each of them once: clears them. */
static inline void sm_reported(struct hd_sm *sm) {
  if (sm->exiting) {
    sm->exiting = 0;
    sm->moved = true;
  }
  if (HD_SOME(sm->c, APCM_P) && hd_loops_report(sm->loops)) {
    hd_loops_reported(sm->loops);
    sm->moved = true;
  }
}

/* As hd_sm_clock. */
static inline void sm_clock(struct hd_sm *sm, const struct sm_mem_in *in, const struct sm_mem_out *out) {
  if (sm->error[0])
    return;
  sm->moved = false;
  if (sm_reports_warps(sm))
    sm_reported(sm);
  if (sm->waiting)
    hd_sm_barriers(sm, out);
  if (sm->unsent)
    hd_sm_sent(sm, out);
  if (out->resp_valid && in->resp_ready)
    sm_answer(sm, &out->resp);
  if (in->issue_valid && out->issue_ready)
    sm_taken(sm);
  if (in->ready)
    for (unsigned s = 0; s < HD_SIZE(sm->c, SCHEDS); s++)
      if (out->pick_valid[s])
        sm_issue(sm, (unsigned)out->pick_wid[s]);
  if (sm->next_result == sm->now + 1)
    sm_results(sm);
  if (sm->next_free == sm->now + 1)
    sm_units(sm);
  if (sm->starting != SM_NONE || sm_next_cta(sm) <= sm->now)
    hd_sm_dispatch(sm);
  if (sm->hungry || sm->fetching != SM_NONE)
    sm_fetches(sm);
  sm->offer_is_new = false;
  if (sm->offered == SM_NONE && sm->lsu_count)
    sm_offer(sm);
  if (sm->options.hesitate)
    sm->resp_ready = wl_rng_below(&sm->rng, 4) != 0;
  sm->now++;
  sm->stats.cycles++;
}

/* As hd_sm_count_ready. */
static inline void sm_count_ready(struct hd_sm *sm, uint64_t fails) {
  if (fails != sm->fails)
    sm->stats.ready_in_fails += (uint64_t)__builtin_popcountll(sm->were_ready) * (fails - sm->fails);
  sm->fails = fails;
  sm->were_ready = 0;
  for (unsigned u = 0; u < UNITS; u++)
    sm->were_ready |= sm->ready[u];
}

/* After a clock, until the next one: true if the following clocks look at `busy` and `drained`. */
static inline bool sm_orders(const struct hd_sm *sm) {
  return sm->waiting | sm->unsent;
}

/* As hd_sm_done. */
static inline bool sm_done(const struct hd_sm *sm) {
  return sm->error[0] || (!sm->used_ctas && !sm->n_given && hd_grid_done(sm->grid));
}

/* After a clock: the number of cycles from now in which nothing happens in the SM and sm_drive shows what it showed last. This holds as
 * long as the memory gives no answer and the outputs of sm_mem stay as they are. 0: not known. UINT64_MAX: forever. */
static inline uint64_t sm_idle(const struct hd_sm *sm) {
  if (sm->moved || sm->options.hesitate)
    return 0;
  /* The clock before cycle `next_result` or `next_free` does the work for that cycle. */
  uint64_t next = sm->next_result < sm->next_free ? sm->next_result : sm->next_free;
  if (next != UINT64_MAX)
    next--;
  const uint64_t cta = sm_next_cta(sm);
  next = cta < next ? cta : next;
  return next == UINT64_MAX ? UINT64_MAX : next - sm->now;
}

/* Skips to cycle `now`, runs a clock, and returns sm_idle. If that is 0, it drives `in`, except issue_line and issue_sector. These are
 * sm_lines and sm_sectors while issue_valid is 1; sm_changes tells which lanes of sm_lines are set. */
static inline uint64_t sm_step(struct hd_sm *sm, uint64_t now, struct sm_mem_in *in,
                               const struct sm_mem_out *out) {
  sm->stats.cycles += now - sm->now;
  sm->now = now;
  sm_clock(sm, in, out);
  const uint64_t idle = sm_idle(sm);
  if (!idle)
    sm_drive(sm, in);
  return idle;
}

/* The `changes` that coalescer_cycle takes, for the lines of sm_lines. */
static inline uint64_t sm_changes(struct hd_sm *sm) {
  return sm->offered == SM_NONE ? 0 : sm_offered(sm)->changes;
}
static inline uint64_t *sm_lines(struct hd_sm *sm) {
  return sm->offered == SM_NONE ? NULL : sm_offered(sm)->line;
}
static inline uint64_t *sm_sectors(struct hd_sm *sm) {
  return sm->offered == SM_NONE ? NULL : sm_offered(sm)->sector;
}

#endif
