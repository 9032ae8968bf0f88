/* The workload of a random run of `sm_mem`; see random_workload.h. */
#include "verif/sm/random_workload.h"

#include "workloads/workloads.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
  WORK = 128,        /* instructions of a kernel, about */
  LINE = 128,        /* bytes of a line in the workload `random` */
  MAX_SETS = 4096,   /* the largest `sets` of that workload */
  POOL = 0x40000000, /* the address of its pool */
  POOL_BITS = 22,    /* lower address bits come from the workload; the upper ones are drawn once */
  UNIT_BITS = 4,     /* log2 of the largest access of a lane, in bytes */
  PAGE_BITS = 16,    /* log2 of a prefetcher's page, in bytes */
  HOT_PC = 0x4000,   /* the program counter of the first of a few load instructions */
  NOISE = 32,        /* one of so many loads of a loop goes to any address */
  KNOWN = 32,        /* after so many instructions of a warp its loads are known, if ever */
  MOVE_BITS = 13     /* if a warp moves to other lines, its lower address bits stay the same */
};

/* The keys of a kernel (of the workload `random`). */
struct kernel {
  unsigned ctas, warps, insts, mem, stores, barriers, lines, sets, strided, pcs;
  bool regular; /* most of its loads go by strides */
};

/* A warp of the source. */
struct warp {
  struct hd_random_source *source;
  uint64_t place;  /* the address of its own lines, if warps have their own */
  uint64_t count;  /* instructions so far */
  uint64_t number; /* its number in the launch */
  uint64_t loads;  /* loads of the loop so far */
  void *stream;
  struct wl_inst inst; /* the last instruction */
};

static struct hd_random_source *random_source(struct wl_source *source) {
  return (struct hd_random_source *)((char *)source - offsetof(struct hd_random_source, source));
}

/* Returns a random number of 1..most; small numbers are as likely as large ones. */
static unsigned any_size(struct hd_env_base *p, unsigned most) {
  const unsigned n = 1U << hd_below(p, hd_clog2(most + 1) + 1);
  return 1 + hd_below(p, n < most ? n : most);
}

/* Returns the distance of two lines of one set, in the workload's lines. With a hashed index it is longer, because lines near each other
 * go to different sets. */
static unsigned lines_to_same_set(const struct hd_config *c) {
  const unsigned hashed = c->l1d.set_index == HD_INDEX_FERMI ? MAX_SETS : c->d.SETS * c->d.SETS;
  const unsigned stride = c->l1d.set_index == HD_INDEX_LINEAR ? c->d.SETS : hashed;
  const unsigned lines = stride * c->d.LINE_BYTES / LINE;
  return lines < 1 ? 1 : lines > MAX_SETS ? MAX_SETS : lines;
}

/* Returns the warps of a CTA of a regular kernel. If strides do not end at a CTA, it is at least a CTA slot's share of the SM. If they may
 * end at a CTA (D-SAP-9), it is mostly a third, a half or all of the SM: warps of other CTAs come in between, and a stride is found only
 * when three warps of one CTA follow each other. */
static unsigned regular_cta(struct hd_env_base *p, unsigned any) {
  const struct hd_config *c = p->c;
  const unsigned share = c->sm.warps / c->sm.ctas;
  if (c->d.STRIDE && hd_below(p, 4)) {
    const unsigned large = c->sm.warps / (1 + hd_below(p, 3));
    return large < WL_LANES ? large : WL_LANES;
  }
  return any < share ? share : any;
}

/* Draws a kernel that loads this machine: about as many warps as the SM holds, and a pool from a few lines to several times the cache. With
 * a prefetcher most kernels are regular: most of their PCs are strided over all warps. Some are bursts of loads, which end while the
 * prefetcher still has work. Others are calm: warps arrive one by one and find the lines prefetched for them. */
static struct kernel draw_kernel(struct hd_env_base *p) {
  const struct hd_config *c = p->c;
  const unsigned scale = c->d.LINE_BYTES > LINE ? c->d.LINE_BYTES / LINE : 1;
  const unsigned sets = lines_to_same_set(c), capacity = c->d.SETS * c->d.WAYS * scale;
  const unsigned most = 16 * capacity + 1024 > 32 * sets ? 16 * capacity + 1024 : 32 * sets;
  const unsigned pools[] = {4, c->d.MSHRS, capacity / 2 + 1, capacity + 8, 4 * capacity + 512, most};
  const unsigned stores[] = {5, 20, 50, 90}, barriers[] = {0, 5, 40, 200};
  const unsigned any = any_size(p, c->sm.warps < WL_LANES ? c->sm.warps : WL_LANES);
  /* `press`: many loads one after another, so that bypass slots run out too. */
  const bool many = c->d.EARLY || c->d.MEMSCHED; /* these need more variety of kernels */
  const bool press = many ? c->d.BYPS && hd_below(p, 4) == 0 : c->d.BYPS && hd_below(p, 2);
  const bool regular = c->d.PREF && hd_below(p, press ? 2 : 4), burst = regular && hd_below(p, 4);
  const unsigned warps = regular ? regular_cta(p, any) : any, full = c->sm.warps / warps;
  const bool brief = (many || c->d.STRIDE) && !regular && hd_below(p, 4); /* so that a run has many kernels */
  const unsigned ctas = regular ? full : 1 + hd_below(p, brief ? full : 2 * full);
  const unsigned insts = burst     ? 2 + hd_below(p, 4)
                         : brief   ? 2 + hd_below(p, 8)
                         : regular ? 8 + hd_below(p, 32)
                                   : 8 + hd_below(p, 2 * WORK / (ctas * warps));
  const unsigned mem = burst ? 100 : regular ? 10 + hd_below(p, 40) : 20 + hd_below(p, 81);
  const bool wide = c->d.CASC && hd_below(p, 3) == 0; /* for loads whose lines are all in one set */
  const unsigned stored = press || wide || burst ? 5 : stores[hd_below(p, regular ? 2 : 4)];
  const bool free = press || regular || (c->d.MEMSCHED && hd_below(p, 2));
  const unsigned barrier = free ? 0 : barriers[hd_below(p, 4)];
  const unsigned pool = pools[regular ? 3 + hd_below(p, 3) : hd_below(p, 6)] * scale,
                 strided = regular ? 80 + hd_below(p, 21) : 0;
  const unsigned pcs = regular ? 1U << hd_below(p, hd_below(p, 8) ? 3 : 4) : 8;
  return (struct kernel){.ctas = ctas,
                         .warps = warps,
                         .insts = insts,
                         .mem = mem,
                         .stores = stored,
                         .barriers = barrier,
                         .lines = press || wide ? most : pool,
                         .sets = sets,
                         .strided = strided,
                         .pcs = pcs,
                         .regular = regular};
}

/* Draws the patterns from which APCM learns. Half of the kernels have few loads and run long, so that APCM uses what it learned of a load.
 * In these, stores remove lines that a warp uses again, or the lines exceed the cache. */
static void draw_patterns(struct hd_random_source *e, struct kernel *k) {
  struct hd_env_base *p = e->p;
  const unsigned loads = p->c->d.LAT, hot[] = {0, 1, 4, loads / 2, loads, 2 * loads};
  const unsigned stores[] = {5, 30, 50, 50}, lines[] = {8, 16, 512, k->lines};
  e->hot = hot[hd_below(p, sizeof hot / sizeof *hot)];
  e->apart = hd_below(p, 2);
  if (hd_below(p, 2))
    return;
  e->hasty = hd_below(p, 4);
  e->narrow = hd_below(p, 2);
  e->moves = hd_below(p, 2);
  e->hot = hd_below(p, 4) ? 1 + hd_below(p, 4) : 2 * loads;
  e->apart = hd_below(p, 4);
  k->warps = hd_below(p, 2) ? 1 : any_size(p, p->c->sm.warps < 4 ? p->c->sm.warps : 4);
  k->ctas = 1 + hd_below(p, 3);
  k->insts = 48 + hd_below(p, 2 * WORK / (k->warps * k->ctas));
  k->mem = 80 + hd_below(p, 21);
  k->stores = stores[hd_below(p, 4)];
  k->lines = lines[hd_below(p, 4)];
  k->barriers = 0;
}

/* Returns a value that is XORed with the addresses' upper bits: mostly a random one. A stride prefetcher also gets values that move the
 * pool to either end of the address space (reversed at the upper end), or to the first page from which it may prefetch. */
static uint64_t draw_base(struct hd_env_base *p) {
  const struct hd_config *c = p->c;
  const uint64_t above = UINT64_MAX << POOL_BITS, any = hd_bits(p, 64) & above;
  const uint64_t first = (uint64_t)c->prefetch.first_page << PAGE_BITS & above;
  const uint64_t base[] = {any, POOL, POOL ^ (UINT64_MAX << UNIT_BITS), POOL ^ first};
  return c->d.STRIDE ? base[first ? 3 : hd_below(p, 3)] : any;
}

/* Draws the pattern that a stride prefetcher must find. A regular kernel is mostly a loop whose loads have the same order in all warps, so
 * that LAWS finds groups. Some loops are calm: a warp finds the lines prefetched for it. */
static void draw_loop(struct hd_random_source *e, struct kernel *k) {
  struct hd_env_base *p = e->p;
  const unsigned table = p->c->d.PT, loads[] = {1, 2, 2, 3, 4, 8, table, table + 2};
  e->loop = 0;
  if (!p->c->d.STRIDE)
    return;
  e->base = draw_base(p);
  if (!k->regular || hd_below(p, 4) == 0)
    return;
  e->loop = loads[hd_below(p, sizeof loads / sizeof *loads)];
  e->loop_seed = hd_bits(p, 64);
  if (hd_below(p, 4) == 0) {
    k->mem = 2 + hd_below(p, 8);
    k->insts = 16 + hd_below(p, 112);
  } else if (hd_below(p, 2))
    k->insts *= 1 + hd_below(p, 4);
}

static struct wl_source *open_kernel(struct hd_random_source *e) {
  struct hd_env_base *p = e->p;
  struct kernel k = draw_kernel(p);
  e->hot = 0;
  e->apart = e->hasty = e->narrow = e->moves = false;
  draw_loop(e, &k);
  /* SAP forgets its entries at a kernel's end (D-SAP-7), so some kernels have more loads than SAP has entries. */
  if (p->c->d.APCM && !e->loop)
    draw_patterns(e, &k);
  else if (p->c->d.PT && !e->loop)
    e->hot = hd_below(p, 8) ? 0 : 2 * p->c->d.PT;
  e->ordered[1] = e->ordered[0];
  e->ordered[0] = k.barriers > 0;
  e->warps = k.warps;
  const uint64_t seed = hd_bits(p, 63);
  char spec[256], err[256];
  snprintf(
      spec, sizeof spec,
      "random:seed=%" PRIu64
      ",launches=1,ctas=%u,warps=%u,insts=%u,mem=%u,stores=%u,barriers=%u,lines=%u,sets=%u,strided=%u,pcs=%u",
      seed, k.ctas, k.warps, k.insts, k.mem, k.stores, k.barriers, k.lines, k.sets, k.strided, k.pcs);
  struct wl_source *kernel = wl_open(spec, err, sizeof err);
  if (!kernel)
    hd_fail(&p->env, "%s: %s", spec, err);
  return kernel;
}

static void close_source(struct wl_source *source) {
  struct hd_random_source *e = random_source(source);
  if (e->kernel)
    e->kernel->ops->close(e->kernel);
  e->kernel = NULL;
}

static bool next_launch(struct wl_source *source, struct wl_launch *launch) {
  struct hd_random_source *e = random_source(source);
  while (!e->p->env.stop) {
    if (e->kernel && e->kernel->ops->next_launch(e->kernel, launch))
      return true;
    close_source(source);
    e->kernel = open_kernel(e);
    if (!e->kernel)
      return false;
  }
  return false;
}

static void *open_warp(struct wl_source *source, uint32_t cta, uint32_t number) {
  struct hd_random_source *e = random_source(source);
  struct warp *w = calloc(1, sizeof *w);
  if (!w)
    return NULL;
  w->source = e;
  w->number = (uint64_t)cta * e->warps + number;
  w->place = w->number << POOL_BITS;
  w->stream = e->kernel->ops->open_warp(e->kernel, cta, number);
  if (w->stream)
    return w;
  free(w);
  return NULL;
}

/* Makes some loads uncached, and some stores atomics. */
static void draw_kind(struct hd_env_base *p, struct wl_inst *inst) {
  inst->kind = 0;
  if (inst->op == WL_LOAD && hd_below(p, 8) == 0)
    inst->kind = HD_UNCACHED;
  if (!p->c->d.ATOMICS || inst->op != WL_STORE || hd_below(p, 2))
    return;
  inst->op = WL_ATOMIC;
  inst->kind = (uint8_t)(HD_ATOM_ADD + hd_below(p, HD_OPS - HD_ATOM_ADD));
}

/* Makes the next load of a loop. The address of its lowest active lane goes in equal steps, up or down, from warp to warp and from one turn
 * of the loop to the next. Half of the loads begin at one end of the pool, so that some warps are at the other end. A few loads go to any
 * address. */
static void step(struct warp *w, struct wl_inst *inst) {
  const struct hd_random_source *e = w->source;
  const uint64_t load = w->loads % e->loop, turn = w->loads++ / e->loop;
  const uint64_t first = (uint64_t)__builtin_ctz(inst->active);
  inst->pc = HOT_PC + 8 * (uint32_t)load;
  if (hd_below(e->p, NOISE) == 0)
    return;
  struct wl_rng rng = {wl_rng_mix(e->loop_seed, load)};
  inst->size = (uint8_t)(1U << wl_rng_below(&rng, UNIT_BITS + 1));
  uint64_t by_warp = wl_rng_below(&rng, 8) ? (uint64_t)inst->size << wl_rng_below(&rng, 9) : 0;
  uint64_t by_turn = wl_rng_below(&rng, 2) ? by_warp * wl_rng_below(&rng, 2) * WL_LANES
                                           : LINE * (uint64_t)wl_rng_below(&rng, 16);
  by_warp = wl_rng_below(&rng, 2) ? by_warp : -by_warp;
  by_turn = wl_rng_below(&rng, 2) ? by_turn : -by_turn;
  const uint64_t base = wl_rng_below(&rng, 2) ? wl_rng_next(&rng) / inst->size * inst->size
                                              : -(uint64_t)wl_rng_below(&rng, WL_LANES) * by_warp;
  const uint64_t at = base + w->number * by_warp + turn * by_turn;
  for (uint64_t l = 0; l < WL_LANES; l++)
    inst->addr[l] = POOL + ((at + (l - first) * inst->size) & ~(UINT64_MAX << POOL_BITS));
}

/* Makes the next instruction and fits it to the machine (lanes, address bits) and to the kernel's pattern. */
static void make_next(struct warp *w, struct wl_inst *inst) {
  struct hd_random_source *e = w->source;
  const struct hd_config *c = e->p->c;
  const uint64_t moved = e->moves && ++w->count > KNOWN ? w->count << MOVE_BITS : 0;
  const uint64_t base = e->base ^ (e->apart ? w->place : 0) ^ moved;
  wl_next(e->kernel, w->stream, inst);
  if (e->p->env.stop)
    *inst = (struct wl_inst){.op = WL_EXIT, .pc = inst->pc, .active = UINT32_MAX, .dst = WL_NO_REG};
  inst->active &= UINT32_MAX >> (WL_LANES - c->sm.lanes);
  if (!inst->active)
    inst->active = 1;
  if (e->loop && inst->op == WL_LOAD)
    step(w, inst);
  for (unsigned l = 0; l < WL_LANES; l++)
    inst->addr[l] = (inst->addr[l] ^ base) & hd_ones(c->sm.addr_bits);
  if (e->hasty)
    inst->src = 0;
  if (e->narrow)
    inst->active &= -inst->active;
  if (c->d.KINDS)
    draw_kind(e->p, inst);
  if (e->hot && inst->op == WL_LOAD)
    inst->pc = HOT_PC + 8 * hd_below(e->p, e->hot);
}

static void next(void *stream, struct wl_inst *inst) {
  struct warp *w = stream;
  make_next(w, &w->inst);
  wl_give(inst, &w->inst);
}

static void locate(void *stream, struct wl_inst *inst) {
  const struct warp *w = stream;
  wl_give_addresses(inst, &w->inst);
}

static void close_warp(void *stream) {
  struct warp *w = stream;
  w->source->kernel->ops->close_warp(w->stream);
  free(w);
}

void hd_random_source_open(struct hd_random_source *e, struct hd_env_base *p) {
  static const struct wl_source_ops ops = {.next_launch = next_launch,
                                           .open_warp = open_warp,
                                           .next = next,
                                           .locate = locate,
                                           .close_warp = close_warp,
                                           .close = close_source};
  *e = (struct hd_random_source){.source.ops = &ops, .p = p, .base = draw_base(p)};
}

void hd_random_source_close(struct hd_random_source *e) {
  close_source(&e->source);
}
