/* The GPU around SM 0's memory path; see env_gpu.h and docs/gpu.md, "Simulating one window at a time".
 *
 * SM 0 is one SM among the others. Whenever it reaches the end of a window, the memory system and the other SMs run the next window, as in
 * cmodel/gpu/sim.c. Meanwhile L2 bank 0 is observed: each of its cycles steps the run of l2_top. Nothing else in the GPU carries bytes.
 * SM 0's bytes are performed when they leave it (bank_bytes.h), so SM 0 reads what it has stored itself. So the scoreboard makes all the
 * checks that it makes for an SM alone.
 *
 * After the last CTA the other SMs take no more answers (prefetches, queries). These are taken here, so that the memory system drains.
 */
#include "verif/gpu/env_gpu.h"

#include <stdlib.h>
#include <string.h>

#include "cmodel/gpu/gpu.h"
#include "verif/gpu/bank_env.h"
#include "verif/harness/env_common.h"
#include "verif/sm/scoreboard.h"

enum {
  DEADLOCK = 1000000,  /* cycles without work of any SM, until the run fails */
  SETTLED = 64,        /* after so many cycles without a request, after the last CTA, there will be none; */
  PREFETCHES = 1 << 14 /* with a prefetcher so many, because it may have queued some */
};

struct gpu_env {
  struct hd_env_base p;
  struct hd_gpu gpu;
  struct hd_sm *sm;
  struct hd_port *port;
  struct hd_rft_port *rft; /* or NULL */
  struct hd_scoreboard *board;
  struct hd_bytes *bytes;
  struct hd_run *bank;
  uint64_t window, now;   /* now: SM 0's cycle; gpu.now: the cycle of the other SMs */
  uint64_t work, work_at; /* the work of all SMs so far, and the cycle in which it was first seen */
  unsigned silent;        /* cycles since the end without a request of SM 0 */
};

/* ---- Bank 0 ---- */

static void before(void *user, struct l2_top_in *in) {
  const struct gpu_env *e = user;
  hd_bank_env_bytes(e->bank->env, in);
}

static void after(void *user, const struct l2_top_in *in, const struct l2_top_out *out) {
  const struct gpu_env *e = user;
  hd_bank_env_cycle(e->bank->env, in, out);
  hd_run_step(e->bank);
}

static struct hd_env *around_bank(void *bytes, const struct hd_env_job *job, struct hd_why *why) {
  return hd_bank_env(job, bytes, why);
}

static bool open_bank(struct gpu_env *e, struct hd_why *why) {
  const struct hd_bank_watch watch = {before, after, e};
  e->bank->surround = around_bank;
  e->bank->ctx = e->bytes;
  hd_run_begin(e->bank, e->bank->window);
  if (e->bank->stop != HD_RUNS) {
    *why = e->bank->why;
    return false;
  }
  hd_bank_env_model(e->bank->env, e->bank->model);
  if (hd_memsys_watch(e->gpu.memsys, 0, &watch))
    return true;
  hd_because(why, HD_TOOL, "out of memory");
  return false;
}

/* ---- Windows ---- */

static void take_what_is_left(struct gpu_env *e) {
  const struct hd_memsys_answer *answer;
  for (unsigned i = 1; i < e->p.c->gpu.sms; i++)
    while (hd_sm_done(e->gpu.sm[i]) && (answer = hd_memsys_answer(e->gpu.memsys, i)) &&
           answer->at < e->gpu.now)
      hd_memsys_take(e->gpu.memsys, i, answer->at > e->now ? answer->at : e->now);
}

/* SM 0 has reached the cycle of the others: runs them for one more window. */
static void next_window(struct gpu_env *e) {
  if (e->now)
    hd_gpu_settle(&e->gpu);
  hd_gpu_run(&e->gpu, e->now + e->window);
  take_what_is_left(e);
  const uint64_t work = hd_gpu_count(&e->gpu).work;
  if (work != e->work) {
    e->work = work;
    e->work_at = e->now;
  }
}

/* ---- A cycle ---- */

static void drive(struct hd_env *env, const void *out, void *in_) {
  struct gpu_env *e = (struct gpu_env *)env;
  struct sm_mem_in *in = in_;
  if (e->now == e->gpu.now)
    next_window(e);
  hd_sm_drive(e->sm, out, in);
  e->port->ops->drive(e->port, in);
  if (in->mrsp_valid && hd_is_load(in->mrsp.kind)) {
    const struct srsp *r = &in->mrsp;
    const struct hd_carried *brought = hd_bytes_of(e->bytes, r->kind, r->id, r->wid, r->slot, r->num);
    for (unsigned w = 0; brought && w < e->p.c->d.WORDS; w++) /* NULL: the scoreboard reports it */
      in->mrsp_data[w] = brought->mask[w] ? brought->data[w] : ~brought->data[w];
  }
  if (e->rft)
    in->rft_bypass = hd_rft_port_bypass(e->rft, e->now);
}

static void tell_table(struct gpu_env *e, const struct sm_mem_in *in, const struct sm_mem_out *out) {
  if (out->evict_valid)
    hd_rft_port_evicted(e->rft, e->now, out->evict_hpc, out->evict_count);
  if (in->flush)
    hd_rft_port_flushed(e->rft, e->now);
}

static bool clock(struct hd_env *env, const void *in_, const void *out_) {
  struct gpu_env *e = (struct gpu_env *)env;
  const struct sm_mem_in *in = in_;
  const struct sm_mem_out *out = out_;
  const bool sent = out->mreq_valid && in->mreq_ready, taken = in->mrsp_valid && out->mrsp_ready;
  if (e->bank->stop != HD_RUNS)
    return hd_fail(env, "bank 0 of the L2 has ended the run");
  bool ok = hd_scoreboard_clock(e->board, in, out);
  env->checked = hd_scoreboard_checked(e->board);
  if (ok) {
    if (taken)
      hd_bytes_answered(e->bytes, &in->mrsp);
    if (sent)
      hd_bytes_sent(e->bytes, out);
    if (e->rft)
      tell_table(e, in, out);
    hd_sm_clock(e->sm, in, out);
    e->port->ops->clock(e->port, in, out);
    ok = !*hd_scoreboard_text(e->board);
  }
  if (!ok)
    return hd_fail(env, "%s", hd_scoreboard_text(e->board));
  const char *error = e->now + 1 == e->gpu.now ? hd_gpu_error(&e->gpu) : hd_sm_error(e->sm);
  if (error) {
    env->unfit = true;
    return hd_fail(env, "%s", error);
  }
  e->now++;
  e->silent = hd_sm_done(e->sm) && !out->mreq_valid ? e->silent + 1 : 0;
  if (!hd_grid_done(e->gpu.grid) && e->now - e->work_at > DEADLOCK)
    return hd_fail(env, "no SM has done anything for %d cycles", DEADLOCK);
  const bool moved =
      (in->issue_valid && out->issue_ready) || (out->resp_valid && in->resp_ready) || sent || taken;
  if (hd_cycle_over(&e->p, hd_scoreboard_inside(e->board) > 0, moved))
    return true;
  hd_scoreboard_finish(e->board);
  return hd_fail(env, "nothing moves any more: %s", hd_scoreboard_text(e->board));
}

/* ---- The end ---- */

static bool done(const struct hd_env *env) {
  const struct gpu_env *e = (const struct gpu_env *)env;
  return hd_sm_done(e->sm) && !hd_scoreboard_inside(e->board) &&
         e->silent >= (e->p.c->d.PREF ? PREFETCHES : SETTLED) && hd_memsys_idle(e->gpu.memsys) &&
         hd_bank_env_idle(e->bank->env);
}

static bool finish(struct hd_env *env) {
  struct gpu_env *e = (struct gpu_env *)env;
  if (!hd_scoreboard_finish(e->board))
    return hd_fail(env, "%s", hd_scoreboard_text(e->board));
  hd_run_finish(e->bank);
  return e->bank->stop == HD_ENDED || hd_fail(env, "bank 0 of the L2 has not ended well");
}

static void close(struct hd_env *env) {
  struct gpu_env *e = (struct gpu_env *)env;
  hd_sm_free(e->sm);
  if (e->port)
    e->port->ops->free(e->port);
  hd_gpu_close(&e->gpu);
  hd_scoreboard_free(e->board);
  hd_bytes_free(e->bytes);
  free(e);
}

uint64_t hd_gpu_env_cycles(const struct hd_env *env) {
  return hd_grid_cycles(((const struct gpu_env *)env)->gpu.grid);
}

/* Opens SM 0, the first of the grid, then the others. Returns false if out of memory. */
static bool open_sms(struct gpu_env *e) {
  const struct hd_sm_options options = {.data = true, .seed = wl_rng_next(&e->p.rng)};
  struct hd_gpu *gpu = &e->gpu;
  e->board = hd_scoreboard_new(e->p.c, false, false);
  e->bytes = hd_bytes_new(e->p.c);
  e->port = hd_memsys_port(gpu->memsys, 0);
  e->rft = gpu->rft ? hd_shared_rft_port(gpu->rft, 0) : NULL;
  if (!e->board || !e->bytes || !e->port)
    return false;
  const struct hd_sm_watch watch = hd_scoreboard_watch(e->board);
  e->sm = hd_sm_new(e->p.c, gpu->grid, &options, &watch);
  if (!e->sm)
    return false;
  hd_sm_tell_stores(e->sm, hd_memsys_stores(gpu->memsys, 0));
  gpu->sm[0] = e->sm;
  return hd_gpu_cores(gpu, 1);
}

struct hd_env *hd_gpu_env(void *bank, const struct hd_env_job *job, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, clock, done, finish, close};
  struct gpu_env *e = hd_env_base_new(sizeof *e, job, &ops, why);
  if (!e)
    return NULL;
  e->bank = bank;
  e->window = hd_gpu_window(e->p.c);
  if (hd_gpu_open(&e->gpu, job->design, job->source, false, why) == HD_OK) {
    if (!open_sms(e))
      hd_because(why, HD_TOOL, "out of memory");
    else if (open_bank(e, why))
      return &e->p.env;
  }
  close(&e->p.env);
  return NULL;
}
