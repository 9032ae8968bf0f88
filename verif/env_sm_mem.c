/* What surrounds `sm_mem`: the SM on a workload, the memory, and the scoreboard that judges (scoreboard.c).
 * Without a workload the SM runs one random kernel after another, sizes and mixture drawn anew each time,
 * until the environment is told to stop: then every warp ends with its next instruction. The memory is then a
 * near one, and moods hold back answers and requests besides, so that it is fast for a while and then not
 * there at all; the run-time enables go by moods too, and now and then one is low from the reset on. Where the
 * reuse-frequency table is shared and so outside, its hints are what evictions say, or anything. Where nothing is
 * ordered by barriers, the SM is sometimes told that the request buffer holds nothing, so that MemSched meets a second
 * instruction of a warp (D-SM-13): that waits, and a warp's order is kept all the same.
 */
#include "verif/parts.h"
#include "verif/scoreboard.h"

#include "cmodel/grid.h"
#include "cmodel/memory.h"
#include "cmodel/sm.h"
#include "workloads/workloads.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
  WORK = 128,        /* instructions of a kernel, about */
  NEAR = 24,         /* cycles */
  LINE = 128,        /* bytes of what the workload `random` calls a line */
  MAX_SETS = 4096,   /* the largest `sets` it takes */
  POOL = 0x40000000, /* where its pool is */
  POOL_BITS = 22,    /* address bits below this are the workload's, those above are drawn once */
  UNIT_BITS = 4,     /* and those below this are a lane's access at most */
  PAGE_BITS = 16     /* of what the prefetcher's pages count */
};

/* The run-time enables. */
enum { LAWS_EN, PF_EN, CASC_EN, RFT_EN, ENABLES };

struct sm_env {
  struct hd_parts p;
  struct wl_source random;  /* the endless source below */
  struct wl_source *kernel; /* its current one */
  uint64_t base;
  bool endless;                  /* no workload given: the source above, and moods */
  unsigned accept, send, answer; /* the mood: answers taken, requests taken, answers given */
  unsigned enabled[ENABLES];     /* the mood: how often they are */
  bool never[ENABLES];           /* low from the reset on */
  bool rush, ordered[2]; /* the mood: D-SM-13 is not kept; this kernel, and the one before, has barriers */
  unsigned flip;         /* the mood: how often a hint changes by itself */
  uint64_t hints;
  unsigned silent;    /* cycles without a prefetch since the SM is done */
  bool answering;     /* an answer was offered and not taken */
  struct hd_config c; /* the machine, as one SM on the simple memory */
  struct hd_grid *grid;
  struct hd_sm *sm;
  struct hd_memory *memory;
  struct hd_port *port; /* the memory's */
  struct hd_scoreboard *board;
};

/* A warp of the endless source. */
struct warp {
  const struct sm_env *env;
  void *stream;
};

static struct sm_env *env_of(struct wl_source *source) {
  return (struct sm_env *)((char *)source - offsetof(struct sm_env, random));
}

/* 1..most, small numbers as likely as large ones. */
static unsigned any_size(struct hd_parts *p, unsigned most) {
  const unsigned n = 1U << hd_below(p, hd_clog2(most + 1) + 1);
  return 1 + hd_below(p, n < most ? n : most);
}

/* How many of the workload's lines lie between two of one set; a hash spreads those near each other. */
static unsigned lines_to_same_set(const struct hd_config *c) {
  const unsigned hashed = c->l1d.set_index == HD_INDEX_FERMI ? MAX_SETS : c->d.SETS * c->d.SETS;
  const unsigned stride = c->l1d.set_index == HD_INDEX_LINEAR ? c->d.SETS : hashed;
  const unsigned lines = stride * c->d.LINE_BYTES / LINE;
  return lines < 1 ? 1 : lines > MAX_SETS ? MAX_SETS : lines;
}

/* Opens a kernel that presses on this machine: about as many warps as it holds, a pool from a few lines to
 * some times the cache. For prefetchers most are regular, most of their PCs strided over
 * all warps: bursts of loads that end while the prefetcher has work, or calm ones in which warps come one by one
 * upon what was prefetched for them. */
static struct wl_source *open_kernel(struct sm_env *e) {
  struct hd_parts *p = &e->p;
  const struct hd_config *c = p->c;
  const unsigned scale = c->d.LINE_BYTES > LINE ? c->d.LINE_BYTES / LINE : 1;
  const unsigned sets = lines_to_same_set(c), capacity = c->d.SETS * c->d.WAYS * scale;
  const unsigned most = 16 * capacity + 1024 > 32 * sets ? 16 * capacity + 1024 : 32 * sets;
  const unsigned pools[] = {4, c->d.MSHRS, capacity / 2 + 1, capacity + 8, 4 * capacity + 512, most};
  const unsigned stores[] = {5, 20, 50, 90}, barriers[] = {0, 5, 40, 200};
  const unsigned any = any_size(p, c->sm.warps < WL_LANES ? c->sm.warps : WL_LANES);
  /* Loads without end, to run out of bypass slots too. */
  const bool many = c->d.EARLY || c->d.MEMSCHED; /* more of all kinds is wanted */
  const bool press = many ? c->d.BYPS && hd_below(p, 4) == 0 : c->d.BYPS && hd_below(p, 2);
  const bool regular = c->d.PREF && hd_below(p, press ? 2 : 4), burst = regular && hd_below(p, 4);
  const unsigned share = c->sm.warps / c->sm.ctas, warps = regular && any < share ? share : any;
  const unsigned full = c->sm.warps / warps;
  const bool brief = many && !regular && hd_below(p, 4); /* so that there are many */
  const unsigned ctas = regular ? full : 1 + hd_below(p, brief ? full : 2 * full);
  const unsigned insts = burst     ? 2 + hd_below(p, 4)
                         : brief   ? 2 + hd_below(p, 8)
                         : regular ? 8 + hd_below(p, 32)
                                   : 8 + hd_below(p, 2 * WORK / (ctas * warps));
  const unsigned mem = burst ? 100 : regular ? 10 + hd_below(p, 40) : 20 + hd_below(p, 81);
  const bool wide = c->d.CASC && hd_below(p, 3) == 0; /* for loads all in one set */
  const unsigned stored = press || wide || burst ? 5 : stores[hd_below(p, regular ? 2 : 4)];
  const bool free = press || regular || (c->d.MEMSCHED && hd_below(p, 2));
  const unsigned barrier = free ? 0 : barriers[hd_below(p, 4)];
  e->ordered[1] = e->ordered[0];
  e->ordered[0] = barrier > 0;
  const unsigned pool = pools[regular ? 3 + hd_below(p, 3) : hd_below(p, 6)] * scale,
                 strided = regular ? 80 + hd_below(p, 21) : 0;
  const unsigned pcs = regular ? 1U << hd_below(p, hd_below(p, 8) ? 3 : 4) : 8;
  const uint64_t seed = hd_bits(p, 63);
  char spec[256], err[256];
  snprintf(
      spec, sizeof spec,
      "random:seed=%" PRIu64
      ",launches=1,ctas=%u,warps=%u,insts=%u,mem=%u,stores=%u,barriers=%u,lines=%u,sets=%u,strided=%u,pcs=%u",
      seed, ctas, warps, insts, mem, stored, barrier, press || wide ? most : pool, sets, strided, pcs);
  struct wl_source *kernel = wl_open(spec, err, sizeof err);
  if (!kernel)
    hd_fail(&p->env, "%s: %s", spec, err);
  return kernel;
}

static bool next_launch(struct wl_source *source, struct wl_launch *launch) {
  struct sm_env *e = env_of(source);
  while (!e->p.env.stop) {
    if (e->kernel && e->kernel->ops->next_launch(e->kernel, launch))
      return true;
    if (e->kernel)
      e->kernel->ops->close(e->kernel);
    e->kernel = open_kernel(e);
    if (!e->kernel)
      return false;
  }
  return false;
}

static void *open_warp(struct wl_source *source, uint32_t cta, uint32_t number) {
  struct sm_env *e = env_of(source);
  struct warp *w = calloc(1, sizeof *w);
  if (!w)
    return NULL;
  w->env = e;
  w->stream = e->kernel->ops->open_warp(e->kernel, cta, number);
  if (w->stream)
    return w;
  free(w);
  return NULL;
}

/* Fits the instruction to the machine: its lanes, its address bits. */
static void next(void *stream, struct wl_inst *inst) {
  const struct warp *w = stream;
  const struct hd_config *c = w->env->p.c;
  w->env->kernel->ops->next(w->stream, inst);
  if (w->env->p.env.stop)
    *inst = (struct wl_inst){.op = WL_EXIT, .pc = inst->pc, .active = UINT32_MAX, .dst = WL_NO_REG};
  inst->active &= UINT32_MAX >> (WL_LANES - c->sm.lanes);
  if (!inst->active)
    inst->active = 1;
  for (unsigned l = 0; l < WL_LANES; l++)
    inst->addr[l] = (inst->addr[l] ^ w->env->base) & (UINT64_MAX >> (64 - c->sm.addr_bits));
}

static void close_warp(void *stream) {
  struct warp *w = stream;
  w->env->kernel->ops->close_warp(w->stream);
  free(w);
}

static void close_source(struct wl_source *source) {
  struct sm_env *e = env_of(source);
  if (e->kernel)
    e->kernel->ops->close(e->kernel);
}

/* What is added to the addresses' upper bits: mostly anything. With a prefetcher also what puts the pool to
 * either end of the address space (the upper one turned round), or to the first page it may prefetch from. */
static uint64_t draw_base(struct hd_parts *p) {
  const struct hd_config *c = p->c;
  const uint64_t above = UINT64_MAX << POOL_BITS, any = hd_bits(p, 64) & above;
  const uint64_t first = (uint64_t)c->prefetch.first_page << PAGE_BITS & above;
  const uint64_t base[] = {any, POOL, POOL ^ (UINT64_MAX << UNIT_BITS), POOL ^ first};
  return c->d.STRIDE ? base[first ? 3 : hd_below(p, 3)] : any;
}

/* Cycles after which a prefetcher that learns no more has nothing left to offer. */
static unsigned settled(const struct hd_config *c) {
  return c->d.STRIDE ? (c->d.DRQ + 1) * (c->d.WARPS + c->d.ADDR_W + 16) : c->d.PREF * 16;
}

static bool there(const struct hd_config *c, unsigned enable) {
  const bool here[ENABLES] = {
      [LAWS_EN] = c->d.LAWS, [PF_EN] = c->d.PREF, [CASC_EN] = c->d.CASC, [RFT_EN] = c->d.RFT > 0};
  return here[enable];
}

/* On top of what the SM and the memory do by themselves. */
static void hold_back(struct sm_env *e, struct sm_mem_in *in) {
  struct hd_parts *p = &e->p;
  if (hd_new_mood(p)) {
    p->mood_left %= 512; /* longer, and all is at a standstill */
    e->accept = hd_below(p, 4) ? HD_ALWAYS : hd_density(p, false);
    e->send = hd_below(p, 4) ? HD_ALWAYS : hd_density(p, false);
    e->answer = hd_below(p, p->c->d.PREF ? 4 : 2) ? HD_ALWAYS : hd_below(p, 2) * hd_density(p, false);
    e->rush = p->c->d.MEMSCHED && hd_below(p, 2);
    for (unsigned i = 0; i < ENABLES; i++)
      if (there(p->c, i))
        e->enabled[i] = e->never[i] ? 0 : hd_below(p, 4) ? HD_ALWAYS : hd_density(p, false);
    if (p->c->d.RFT && !p->c->d.RFT_IN)
      e->flip = hd_below(p, 2) ? 0 : hd_density(p, false);
  }
  uint64_t *const enable[ENABLES] = {
      [LAWS_EN] = &in->laws_en, [PF_EN] = &in->pf_en, [CASC_EN] = &in->casc_en, [RFT_EN] = &in->rft_en};
  for (unsigned i = 0; i < ENABLES; i++)
    if (there(p->c, i))
      *enable[i] = hd_chance(p, e->enabled[i]);
  if (e->flip && hd_chance(p, e->flip))
    e->hints ^= UINT64_C(1) << hd_below(p, p->c->d.RFT);
  in->resp_ready = in->resp_ready && hd_chance(p, e->accept);
  in->mreq_ready = in->mreq_ready && hd_chance(p, e->send);
  in->mrsp_valid = in->mrsp_valid && (e->answering || hd_chance(p, e->answer));
}

static void drive(struct hd_env *env, const void *out, void *in_) {
  struct sm_env *e = (struct sm_env *)env;
  struct sm_mem_in *in = in_;
  hd_sm_drive(e->sm, out, in);
  e->port->ops->drive(e->port, in);
  if (e->endless && !env->stop)
    hold_back(e, in);
  if (e->p.c->d.RFT && !e->p.c->d.RFT_IN)
    in->rft_bypass = e->hints;
}

/* A line was replaced: a table outside would learn from it, and forget at a flush. */
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

static bool clock(struct hd_env *env, const void *in_, const void *out_) {
  struct sm_env *e = (struct sm_env *)env;
  const struct sm_mem_in *in = in_;
  const struct sm_mem_out *out = out_;
  bool ok = hd_scoreboard_clock(e->board, in, out);
  learn(e, in, out);
  e->answering = in->mrsp_valid && !out->mrsp_ready;
  env->checked = hd_scoreboard_checked(e->board);
  if (ok) {
    struct sm_mem_out told = *out;
    if (e->rush && !e->ordered[0] && !e->ordered[1]) {
      told.busy = 0;
      told.drained = UINT64_MAX;
    }
    hd_sm_clock(e->sm, in, &told);
    e->port->ops->clock(e->port, in, out);
    ok = !*hd_scoreboard_text(e->board);
  }
  if (!ok)
    return hd_fail(env, "%s", hd_scoreboard_text(e->board));
  if (env->text[0])
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
  return hd_sm_done(e->sm) && hd_memory_idle(e->memory) && e->silent >= settled(e->p.c);
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
  close_source(&e->random);
  free(e);
}

struct hd_env *sm_mem_env(const struct hd_env_job *job, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, clock, done, finish, close};
  static const struct wl_source_ops random_ops = {.next_launch = next_launch,
                                                  .open_warp = open_warp,
                                                  .next = next,
                                                  .close_warp = close_warp,
                                                  .close = close_source};
  struct sm_env *e = hd_parts_new(sizeof *e, job, &ops, why);
  if (!e)
    return NULL;
  e->endless = !job->source;
  const bool random = job->random || e->endless;
  e->c = *e->p.c;
  e->c.gpu.sms = 1;
  const bool far = !e->c.d.PREF || hd_below(&e->p, 2);
  const unsigned near = NEAR + (far ? e->c.d.BYPS : 0); /* far enough for all bypass slots to be in use */
  if (e->endless && e->c.memory.latency > near)
    e->c.memory.latency = near;
  const struct hd_memory_options memory = {.data = true, .random = random, .seed = wl_rng_next(&e->p.rng)};
  const struct hd_sm_options sm = {.data = true, .hesitate = random, .seed = wl_rng_next(&e->p.rng)};
  e->random.ops = &random_ops;
  e->base = draw_base(&e->p);
  const bool any = e->c.d.LAWS || e->c.d.PREF || e->c.d.CASC || e->c.d.RFT;
  const unsigned never = any ? hd_below(&e->p, 16) : 0;
  for (unsigned i = 0; i < ENABLES; i++)
    e->never[i] = never < 4 && never >> i % 2 & 1;
  e->board = hd_scoreboard_new(e->p.c);
  e->memory = hd_memory_new(&e->c, &memory);
  if (!e->board || !e->memory) {
    hd_because(why, HD_TOOL, "out of memory");
  } else {
    const struct hd_sm_watch watch = hd_scoreboard_watch(e->board);
    e->port = hd_memory_port(e->memory);
    if (hd_grid_new(&e->c, job->source ? job->source : &e->random, &e->grid, why) == HD_OK) {
      e->sm = hd_sm_new(&e->c, e->grid, &sm, &watch);
      if (e->sm)
        return &e->p.env;
      hd_because(why, HD_TOOL, "out of memory");
    }
  }
  close(&e->p.env);
  return NULL;
}
