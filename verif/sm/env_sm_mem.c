/* The environment of `sm_mem`: the SM on a workload, the memory, and the scoreboard, which checks (scoreboard.c).
 * Without a workload the SM runs random kernels without end (random_workload.c). Then:
 * - The memory is near. Moods hold back answers and requests, so that it is fast for a while and then does not answer at all.
 * - Moods switch the run-time enables too; in some runs one is low from the reset on.
 * - If the reuse-frequency table is shared, it is outside sm_mem. Its hints follow the evictions, or change at random.
 * - With APCM or LoSCache, a warp with nothing in flight is now and then reported as ended, although the SM did not report it. With APCM a
 *   warp is now and then reported to leave a loop around a recently issued load.
 * - With LoSCache the seed differs from run to run. The memory is the same as without LoSCache, and answers queries with any count.
 * - If no barriers order anything, the SM is sometimes told that the request buffer is empty. Then MemSched gets a second instruction of a
 *   warp (D-SM-13): that one waits, and the order within the warp is still kept.
 * - With control registers an APB4 requester reads and writes them; it knows the values that it sees at ports (verif/apb/apb_requester.h).
 *   Enables that change only at rest follow at the next flush.
 * Behind a bus (verif/axi4/env_sm_mem_axi.c) only the time of the memory's answers is different.
 */
#include "verif/sm/env_sm_mem.h"
#include "arch/config/enables.h"
#include "verif/apb/apb_requester.h"
#include "verif/sm/random_workload.h"
#include "verif/sm/scoreboard.h"

#include "cmodel/memory/memory.h"
#include "cmodel/sm/grid.h"
#include "cmodel/sm/sm.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
  NEAR = 24, /* cycles */
  RECENT = 4 /* recently issued loads that are kept */
};

/* The run-time enables of all machines together. */
#define ROW(name, when, key, changes, of) +1
enum { ENABLES = HD_ENABLES(ROW) };
#undef ROW

struct sm_env {
  struct hd_env_base p;
  const struct hd_decl *decl;
  struct hd_random_source work;
  bool own_work;                 /* no workload was given: `work` and moods are used */
  unsigned accept, send, answer; /* the mood: answers taken, requests taken, answers given */
  struct {                       /* a run-time enable of this machine that may change at any time */
    const struct hd_row *port;
    bool never;   /* low from the reset on */
    unsigned set; /* the mood: how often it is high */
  } enable[ENABLES];
  unsigned n_enables;
  bool rush;     /* the mood: the SM does not keep D-SM-13 */
  unsigned flip; /* the mood: how often a hint changes at random */
  uint64_t hints;
  unsigned ends, leaves; /* the mood: how often a warp is reported to end, or to leave a loop */
  struct {
    uint64_t wid, pc;
  } recent[RECENT]; /* loads */
  unsigned silent;  /* cycles without a prefetch or a query since the SM was done */
  bool answering;   /* an answer was offered and not taken */
  struct hd_apb_requester apb;
  struct hd_config c; /* the machine, as one SM on the simple memory */
  struct hd_grid *grid;
  struct hd_sm *sm;
  struct hd_memory *memory;
  struct hd_port *port; /* the memory's */
  struct hd_scoreboard *board;
};

/* Returns the cycles after the SM's end within which all requests of a prefetcher, which learns no more, and of a walk through the
 * prediction table have come. */
static unsigned settled(const struct hd_config *c) {
  const unsigned prefetch = c->d.STRIDE ? (c->d.DRQ + 1) * (c->d.WARPS + c->d.ADDR_W + 16) : c->d.PREF * 16;
  const unsigned walk = c->d.LOS * (c->d.LPT + 4);
  return prefetch > walk ? prefetch : walk;
}

/* Draws the run-time enables. One that changes only at rest keeps the configuration's value. Of the others, every second one or all may
 * stay low. */
static void draw_enables(struct sm_env *e) {
  for (size_t i = 0; i < e->decl->n_rows; i++)
    if (e->decl->rows[i].enable == HD_ANY_TIME)
      e->enable[e->n_enables++].port = &e->decl->rows[i];
  const unsigned never = e->n_enables ? hd_below(&e->p, 16) : 0;
  for (unsigned i = 0; i < e->n_enables; i++)
    e->enable[i].never = never < 4 && never >> i % 2 & 1;
}

/* Reports the end of a warp, which may go on: lines that it no longer protects may be protected again. Also reports that a warp leaves a
 * loop, which may be around a load for which lines are protected. */
static void tell_more(struct sm_env *e, struct sm_mem_in *in) {
  struct hd_env_base *p = &e->p;
  const unsigned some = hd_below(p, RECENT);
  const uint64_t wid = hd_below(p, 4) ? e->recent[some].wid : hd_below(p, p->c->d.WARPS);
  if (hd_chance(p, e->ends) && !hd_scoreboard_busy(e->board, (unsigned)wid))
    in->exit |= UINT64_C(1) << wid;
  if (!p->c->d.APCM_P || in->leave_valid || !hd_chance(p, e->leaves))
    return;
  const uint64_t pcs = hd_ones(p->c->d.PC_W), at = e->recent[some].pc;
  in->leave_valid = 1;
  in->leave_wid = wid;
  in->leave_from = (at + 8 * hd_below(p, 3) - 8) & pcs;
  in->leave_to = (at - 8 * hd_below(p, 3) + 8) & pcs;
}

/* Applies the mood on top of the inputs from the SM and the memory. */
static void hold_back(struct sm_env *e, struct sm_mem_in *in) {
  struct hd_env_base *p = &e->p;
  if (hd_new_mood(p)) {
    p->mood_left %= 512; /* in a longer mood everything would stop */
    e->accept = hd_below(p, 4) ? HD_ALWAYS : hd_density(p, false);
    e->send = hd_below(p, 4) ? HD_ALWAYS : hd_density(p, false);
    e->answer = hd_below(p, p->c->d.PREF || p->c->d.APCM ? 4 : 2) ? HD_ALWAYS
                : hd_below(p, 2)                                  ? hd_density(p, false)
                                                                  : 0;
    e->rush = p->c->d.MEMSCHED && hd_below(p, 2);
    for (unsigned i = 0; i < e->n_enables; i++)
      e->enable[i].set = e->enable[i].never ? 0 : hd_below(p, 4) ? HD_ALWAYS : hd_density(p, false);
    if (p->c->d.RFT && !p->c->d.RFT_IN)
      e->flip = hd_below(p, 2) ? 0 : hd_density(p, false);
    if (p->c->d.APB)
      hd_apb_mood(&e->apb);
    if (p->c->d.EXITS) {
      e->ends = hd_below(p, 2) ? 0 : 1 + hd_below(p, 32);
      e->leaves = hd_below(p, 4) ? 0 : hd_density(p, false);
    }
  }
  if (p->c->d.EXITS)
    tell_more(e, in);
  for (unsigned i = 0; i < e->n_enables; i++)
    *hd_elem(e->decl, e->enable[i].port, in, 0, 0) = hd_chance(p, e->enable[i].set);
  if (e->flip && hd_chance(p, e->flip))
    e->hints = hd_neighbour(p, e->hints, p->c->d.RFT);
  in->resp_ready = in->resp_ready && hd_chance(p, e->accept);
  in->mreq_ready = in->mreq_ready && hd_chance(p, e->send);
  in->mrsp_valid = in->mrsp_valid && (e->answering || hd_chance(p, e->answer));
}

/* Drives the control registers. The enables are no ports in such a machine; they are set in *in for the scoreboard only. */
static void drive_apb(struct sm_env *e, struct sm_mem_in *in) {
  unsigned i = 0;
  hd_apb_drive(&e->apb, HD_APB_INPUTS(in));
#define ROW(name, when, key, changes, of) in->name = e->apb.active >> i++ & 1;
  HD_ENABLES(ROW)
#undef ROW
}

static void drive(struct hd_env *env, const void *out, void *in_) {
  struct sm_env *e = (struct sm_env *)env;
  struct sm_mem_in *in = in_;
  hd_sm_drive(e->sm, out, in);
  e->port->ops->drive(e->port, in);
  if (e->own_work && !env->stop)
    hold_back(e, in);
  if (e->own_work && e->p.c->d.APB)
    drive_apb(e, in);
  if (e->p.c->d.RFT && !e->p.c->d.RFT_IN)
    in->rft_bypass = e->hints;
}

/* Updates the hints as a table outside sm_mem would: it learns from evicted lines, and is cleared by a flush. */
static void learn(struct sm_env *e, const struct sm_mem_in *in, const struct sm_mem_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  unsigned entry = 0;
  if (!d->RFT || d->RFT_IN)
    return;
  for (unsigned b = 0; out->evict_valid && b < d->HPC_W; b++)
    entry ^= (out->evict_hpc >> b & 1) << b % d->RFT_W;
  if (out->evict_valid && out->evict_count)
    e->hints &= ~(UINT64_C(1) << entry);
  else if (out->evict_valid)
    e->hints |= UINT64_C(1) << entry;
  if (in->flush)
    e->hints = 0;
}

/* Gives the APB requester the events of this cycle that the registers must count, and checks its ports. */
static bool clock_apb(struct sm_env *e, const struct sm_mem_in *in, const struct sm_mem_out *out) {
  const bool sends = out->mreq_valid && in->mreq_ready, query = out->mreq.kind == HD_QUERY,
             store = out->mreq.kind == HD_STORE;
  struct hd_apb_cycle cycle = {.flush = in->flush};
  bool moved;
  for (unsigned s = 0; s < e->p.c->d.SCHEDS; s++)
    cycle.instructions += out->pick_valid[s] != 0;
  cycle.events = (uint64_t)(in->issue_valid && out->issue_ready) << HD_APB_issues |
                 (uint64_t)(in->issue_valid && !out->issue_ready) << HD_APB_issue_waits |
                 (uint64_t)(sends && !store && !query) << HD_APB_reads |
                 (uint64_t)(sends && store) << HD_APB_writes | (uint64_t)(sends && query) << HD_APB_queries |
                 (uint64_t)(out->mreq_valid && !in->mreq_ready) << HD_APB_memory_waits;
  if (e->p.c->d.PREF)
    cycle.events |= (out->pf_class & 1) << HD_APB_prefetch_hits | (out->pf_class >> 1)
                                                                      << HD_APB_prefetch_merges;
  return hd_apb_clock(&e->apb, HD_APB_OUTPUTS(out), &cycle, &moved);
}

static bool clock(struct hd_env *env, const void *in_, const void *out_) {
  struct sm_env *e = (struct sm_env *)env;
  const struct sm_mem_in *in = in_;
  const struct sm_mem_out *out = out_;
  bool ok = hd_scoreboard_clock(e->board, in, out);
  learn(e, in, out);
  e->answering = in->mrsp_valid && !out->mrsp_ready;
  if (e->p.c->d.EXITS && in->issue_valid && out->issue_ready && !in->issue_write) {
    const unsigned some = hd_below(&e->p, RECENT);
    e->recent[some].wid = in->issue_wid;
    e->recent[some].pc = in->issue_pc;
  }
  env->checked = hd_scoreboard_checked(e->board);
  if (ok) {
    struct sm_mem_out reported = *out;
    if (e->rush && !e->work.ordered[0] && !e->work.ordered[1]) {
      reported.busy = 0;
      reported.drained = UINT64_MAX;
    }
    hd_sm_clock(e->sm, in, &reported);
    e->port->ops->clock(e->port, in, out);
    ok = !*hd_scoreboard_text(e->board);
  }
  if (!ok)
    return hd_fail(env, "%s", hd_scoreboard_text(e->board));
  if (env->text[0] || (e->own_work && e->p.c->d.APB && !clock_apb(e, in, out)))
    return false;
  if (hd_sm_error(e->sm)) {
    env->unfit = true;
    return hd_fail(env, "%s", hd_sm_error(e->sm));
  }
  e->silent = hd_sm_done(e->sm) && !out->mreq_valid && hd_memory_idle(e->memory) ? e->silent + 1 : 0;
  const bool moved = (in->issue_valid && out->issue_ready) || (out->resp_valid && in->resp_ready) ||
                     (out->mreq_valid && in->mreq_ready) || (in->mrsp_valid && out->mrsp_ready);
  if (hd_cycle_over(&e->p, hd_scoreboard_inside(e->board) > 0, moved))
    return true;
  hd_scoreboard_finish(e->board);
  return hd_fail(env, "nothing moves any more: %s", hd_scoreboard_text(e->board));
}

static bool done(const struct hd_env *env) {
  const struct sm_env *e = (const struct sm_env *)env;
  return hd_sm_done(e->sm) && hd_memory_idle(e->memory) && e->silent >= settled(e->p.c) &&
         hd_apb_is_idle(&e->apb);
}

static bool finish(struct hd_env *env) {
  struct sm_env *e = (struct sm_env *)env;
  return hd_scoreboard_finish(e->board) || hd_fail(env, "%s", hd_scoreboard_text(e->board));
}

static void close(struct hd_env *env) {
  struct sm_env *e = (struct sm_env *)env;
  hd_sm_free(e->sm);
  hd_grid_free(e->grid);
  hd_memory_free(e->memory);
  hd_scoreboard_free(e->board);
  hd_random_source_close(&e->work);
  free(e);
}

struct hd_env *hd_sm_mem_env(const struct hd_env_job *job, bool behind_bus, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, clock, done, finish, close};
  struct sm_env *e = hd_env_base_new(sizeof *e, job, &ops, why);
  if (!e)
    return NULL;
  e->decl = hd_design_find(job->design, "sm_mem");
  e->own_work = !job->source;
  const bool random = job->random || e->own_work;
  e->c = *e->p.c;
  e->c.gpu.sms = 1;
  const bool far = !e->c.d.PREF || hd_below(&e->p, 2);
  const unsigned near = NEAR + (far ? e->c.d.BYPS : 0); /* with `far` all bypass slots can be in use */
  if (e->own_work && e->c.memory.latency > near)
    e->c.memory.latency = near;
  if (e->own_work && e->c.d.APCM && hd_below(&e->p, 4)) { /* fast: a run has many kernels */
    e->c.memory.latency = NEAR;
    e->c.memory.bytes_per_cycle = e->c.d.LINE_BYTES;
  }
  const struct hd_memory_options memory = {.data = true, .random = random, .seed = wl_rng_next(&e->p.rng)};
  const struct hd_sm_options sm = {.data = true, .hesitate = random, .seed = wl_rng_next(&e->p.rng)};
  hd_random_source_open(&e->work, &e->p);
  draw_enables(e);
  hd_apb_open(&e->apb, &e->p);
  hd_apb_know(&e->apb, behind_bus ? HD_APB_SEEN & ~HD_APB_AT_MEMORY : HD_APB_SEEN);
  if (e->c.d.LOS && e->own_work)
    e->c.loscache.seed = (unsigned)hd_bits(&e->p, 16);
  e->board = hd_scoreboard_new(e->p.c, behind_bus, job->storm);
  e->memory = hd_memory_new(&e->c, &memory);
  if (!e->board || !e->memory) {
    hd_because(why, HD_TOOL, "out of memory");
  } else {
    const struct hd_sm_watch watch = hd_scoreboard_watch(e->board);
    e->port = hd_memory_port(e->memory);
    if (hd_grid_new(&e->c, job->source ? job->source : &e->work.source, &e->grid, why) == HD_OK) {
      e->sm = hd_sm_new(&e->c, e->grid, &sm, &watch);
      if (e->sm)
        return &e->p.env;
      hd_because(why, HD_TOOL, "out of memory");
    }
  }
  close(&e->p.env);
  return NULL;
}

struct hd_env *sm_mem_env(const struct hd_env_job *job, struct hd_why *why) {
  return hd_sm_mem_env(job, false, why);
}
