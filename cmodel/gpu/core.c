/* One SM with its memory path; see core.h. The L1D's events tell the misses, which are classified here. */
#include "cmodel/gpu/core.h"

#include <stdlib.h>

#include "cmodel/l1d/ports.h"
#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

static void on_launch(void *ctx, const struct wl_launch *launch, unsigned n) {
  struct hd_core *core = ctx;
  core->launch = n;
  core->kernel = launch->name;
  core->warps_per_cta = launch->warps_per_cta;
}

static uint64_t now(const struct hd_core *core) {
  return core->skips ? core->lazy.now : core->now;
}

static void begin(const struct hd_core *core, enum hd_span_kind kind, unsigned unit, unsigned slot,
                  uint64_t value) {
  if (core->spans)
    hd_spans_begin(
        core->spans,
        &(struct hd_span){
            .kind = kind, .sm = core->number, .unit = unit, .slot = slot, .from = now(core), .value = value});
}

static void on_issue(void *ctx, const struct hd_sm_mem_inst *mi) {
  begin(ctx, mi->inst->op == WL_LOAD ? HD_SPAN_LOAD : HD_SPAN_STORE, mi->wid, mi->slot, mi->inst->pc);
}

static void on_done(void *ctx, unsigned wid, unsigned slot) {
  const struct hd_core *core = ctx;
  hd_spans_end(core->spans, HD_SPAN_LOAD, wid, slot, now(core));
}

static void on_cta_end(void *ctx, unsigned slot) {
  const struct hd_core *core = ctx;
  hd_spans_end(core->spans, HD_SPAN_CTA, slot, 0, now(core));
}

static void on_cta(void *ctx, unsigned slot, uint32_t cta) {
  struct hd_core *core = ctx;
  begin(core, HD_SPAN_CTA, slot, 0, cta);
  for (uint32_t w = 0; w < core->warps_per_cta; w++)
    core->warp[slot * core->warps_per_cta + w] = hd_missclass_warp(core->launch, cta, w);
}

/* The warp of `wid` in an event of the L1D. A request's warp stays in its slot until the request is answered. A prefetch has no warp. */
static uint64_t warp_of(const struct hd_core *core, uint64_t wid) {
  return wid < core->design->c->d.WARPS ? core->warp[wid] : HD_PREFETCHED;
}

/* The unit by which misses are classified: the line of the request that the L1D decides or, where a miss fetches a sector, its sector. */
static inline uint64_t unit_of(const struct hd_core *core, uint64_t line, bool sectors) {
  return sectors ? line << core->design->c->d.SECTOR_W | hd_lowest(core->m->u_l1d->s.d.sectors) : line;
}

/* True if the line in the way has a sector with data. Then the next fill is not the first one since the way was empty, whatever emptied
 * it. */
static bool holds(const struct hd_core *core, uint64_t set, uint64_t way) {
  const unsigned sectors = core->design->c->d.SECTORS;
  uint64_t any = 0;
  for (unsigned p = 0; p < sectors; p++)
    any |= core->m->u_l1d->s.sector_valid[set * sectors + p];
  return hd_has(any, (unsigned)way);
}

/* The line is about to give way to a line of warp `by`. */
static inline void replaced(struct hd_core *core, uint64_t set, uint64_t way, uint64_t by, bool sectors) {
  const struct hd_derived *d = &core->design->c->d;
  const uint64_t line = core->held[set * d->WAYS + way], *valid = core->m->u_l1d->s.sector_valid;
  if (!sectors)
    hd_missclass_replaced(core->classes, line, warp_of(core, by));
  for (unsigned p = 0; sectors && p < d->SECTORS; p++)
    if (hd_has(valid[set * d->SECTORS + p], (unsigned)way))
      hd_missclass_replaced(core->classes, line << d->SECTOR_W | p, warp_of(core, by));
}

/* Not inlined: few runs ask for accesses. The request is the one that the L1D decides. */
static __attribute__((noinline)) void call_access_watch(const struct hd_core *core, enum hd_access_kind kind,
                                                        enum hd_access_outcome outcome, uint64_t line,
                                                        uint64_t warp) {
  const unsigned slot = (unsigned)core->m->u_l1d->s.d.slot;
  const struct hd_access access = {
      .cycle = now(core),
      .line = line,
      .level = 1,
      .sm = core->number,
      .warp = (unsigned)warp,
      .pc = kind == HD_ACCESS_PREFETCH ? 0 : hd_sm_pc(core->sm, (unsigned)warp, slot),
      .kernel = core->kernel,
      .kind = kind,
      .outcome = outcome};
  core->accesses->access(core->accesses->user, &access);
}

static inline void report_access(const struct hd_core *core, enum hd_access_kind kind,
                                 enum hd_access_outcome outcome, uint64_t line, uint64_t warp) {
  if (core->accesses)
    call_access_watch(core, kind, outcome, line, warp);
}

static enum hd_uses class_of(uint32_t uses) {
  return uses <= 1   ? HD_USED_ONCE
         : uses == 2 ? HD_USED_TWICE
         : uses <= 4 ? HD_USED_TO_4
         : uses <= 8 ? HD_USED_TO_8
                     : HD_USED_MORE;
}

/* The events that follow() hears. The compiler checks that its switch has them all. fill_dead is heard for spans alone. */
#define HEARD(X)                                                                                             \
  X(load_hit)                                                                                                \
  X(load_merge)                                                                                              \
  X(load_miss)                                                                                               \
  X(bypass)                                                                                                  \
  X(uncached)                                                                                                \
  X(early_hit)                                                                                               \
  X(store)                                                                                                   \
  X(atomic)                                                                                                  \
  X(evict)                                                                                                   \
  X(store_evict)                                                                                             \
  X(store_dead)                                                                                              \
  X(fill)                                                                                                    \
  X(fill_dead)                                                                                               \
  X(pf_miss)                                                                                                 \
  X(pf_lost)
#define NAME(event) HEARD_##event = EV_l1d_##event,
enum heard { HEARD(NAME) };
#undef NAME
#define BIT(event) | UINT64_C(1) << EV_l1d_##event
static const uint64_t all_heard = 0 HEARD(BIT);
#undef BIT

/* Follows one event of the L1D. The events `evict` and `pf_lost` of an old line come before the `fill` that takes its place. */
static inline void follow(struct hd_core *core, unsigned event, uint64_t a0, uint64_t a1, uint64_t a2,
                          uint64_t a3, bool sectors) {
  const unsigned ways = core->design->c->d.WAYS;
  switch ((enum heard)event) {
  case HEARD_load_hit:
    core->hits_after_hits += core->was_hit;
    core->was_hit = true;
    core->uses[a2 * ways + a3]++;
    report_access(core, HD_ACCESS_LOAD, HD_ACCESS_HIT, a1, a0);
    hd_missclass_load(core->classes, unit_of(core, a1, sectors), core->warp[a0], false);
    break;
  case HEARD_load_merge:
    core->was_hit = false;
    core->merged[a2]++;
    report_access(core, HD_ACCESS_LOAD, HD_ACCESS_MERGE, a1, a0);
    hd_missclass_load(core->classes, unit_of(core, a1, sectors), core->warp[a0], false);
    break;
  case HEARD_pf_miss:
    core->merged[a1] = 0;
    begin(core, HD_SPAN_PREFETCH, (unsigned)a1, 0, a0);
    report_access(core, HD_ACCESS_PREFETCH, HD_ACCESS_MISS, a0, 0);
    break;
  case HEARD_early_hit: /* a load that is forwarded has used the line too */
    core->uses[a2 * ways + a3]++;
    break;
  case HEARD_load_miss:
    core->merged[a2] = 0;
    begin(core, HD_SPAN_MISS, (unsigned)a2, 0, a1);
    /* fall through */
  case HEARD_bypass:
  case HEARD_uncached:
    core->was_hit = false;
    report_access(core, HD_ACCESS_LOAD, event == EV_l1d_load_miss ? HD_ACCESS_MISS : HD_ACCESS_PAST, a1, a0);
    hd_missclass_load(core->classes, unit_of(core, a1, sectors), core->warp[a0], true);
    break;
  case HEARD_evict:
    core->evicted_uses[class_of(core->uses[a0 * ways + a1])]++;
    replaced(core, a0, a1, a3, sectors);
    break;
  case HEARD_fill:
    core->held[a2 * ways + a3] = a1;
    core->uses[a2 * ways + a3] =
        (sectors && holds(core, a2, a3) ? core->uses[a2 * ways + a3] : 0) + 1 + core->merged[a0];
    /* fall through */
  case HEARD_fill_dead:
    hd_spans_end(core->spans, HD_SPAN_MISS, (unsigned)a0, 0, now(core));
    break;
  case HEARD_pf_lost:
    hd_missclass_lost(core->classes, core->held[a0 * ways + a1]);
    break;
  case HEARD_store:
  case HEARD_atomic:
    report_access(core, HD_ACCESS_STORE, HD_ACCESS_PAST, a1, a0);
    hd_missclass_store(core->classes, unit_of(core, a1, sectors));
    break;
  case HEARD_store_evict:
  case HEARD_store_dead:
    hd_missclass_written(core->classes, unit_of(core, a0, sectors));
    break;
  }
}

/* Two functions: where lines come whole, no event needs to test for sectors. That test took 1.3 % of a run's instructions (fermi_16k on
 * atax:tiny). */
static void on_event(const struct hd_model *m, unsigned event, uint64_t a0, uint64_t a1, uint64_t a2,
                     uint64_t a3) {
  follow(m->log->ctx, event, a0, a1, a2, a3, false);
}
static void on_sector_event(const struct hd_model *m, unsigned event, uint64_t a0, uint64_t a1, uint64_t a2,
                            uint64_t a3) {
  follow(m->log->ctx, event, a0, a1, a2, a3, true);
}

bool hd_core_open(struct hd_core *core, const struct hd_design *design, struct hd_grid *grid,
                  struct hd_port *port, struct hd_rft_port *rft, const struct hd_span_watch *spans) {
  const struct hd_decl *d = hd_design_find(design, "sm_mem");
  const struct hd_config *c = design->c;
  *core = (struct hd_core){.design = design, .port = port, .rft = rft};
  core->classes = hd_missclass_new(c->d.SETS * c->d.WAYS * (c->d.SECTOR_FILL ? c->d.SECTORS : 1));
  core->held = calloc(c->d.SETS * c->d.WAYS, sizeof *core->held);
  core->uses = calloc(c->d.SETS * c->d.WAYS, sizeof *core->uses);
  core->merged = calloc(c->d.MSHRS, sizeof *core->merged);
  core->spans = spans ? hd_spans_new(c, spans) : NULL;
  core->m = hd_model_new(design, "sm_mem", false, NULL);
  if (!port || !core->classes || !core->held || !core->uses || !core->merged || (spans && !core->spans) ||
      !core->m || !hd_alloc_in(d, &core->in) || !hd_alloc_out(d, &core->out))
    return false;
  core->log.ctx = core;
  core->m->u_l1d->base.log = &core->log;
  core->m->u_l1d->base.told = c->d.SECTOR_FILL ? on_sector_event : on_event;
  core->m->u_l1d->base.heard =
      all_heard & ~hd_bit(EV_l1d_fill_dead); /* events of other modules are not heard */
  struct hd_sm_watch watch = {.ctx = core, .launch = on_launch, .cta_start = on_cta};
  if (spans) {
    core->m->u_l1d->base.heard = all_heard;
    watch.issue = on_issue;
    watch.done = on_done;
    watch.cta_end = on_cta_end;
  }
  core->sm = hd_sm_new(c, grid, &(struct hd_sm_options){0}, &watch);
  if (!core->sm)
    return false;
  hd_lazy_init(&core->lazy, core->m, core->sm, port, &core->in, &core->out);
  if (rft) {
    core->lazy.outside = &hd_rft_port_outside;
    core->lazy.outside_user = rft;
  }
  return true;
}

void hd_core_close(struct hd_core *core) {
  const struct hd_decl *d = hd_design_find(core->design, "sm_mem");
  hd_sm_free(core->sm);
  if (core->port)
    core->port->ops->free(core->port);
  hd_missclass_free(core->classes);
  hd_model_free(core->m);
  hd_free_in(d, &core->in);
  hd_free_out(d, &core->out);
  hd_spans_free(core->spans);
  free(core->held);
  free(core->uses);
  free(core->merged);
}

bool hd_core_no_memory(const struct hd_core *core) {
  return hd_missclass_no_memory(core->classes) || hd_sm_no_memory(core->sm);
}

static void cycle(struct hd_core *core) {
  struct sm_mem_in *in = &core->in;
  struct sm_mem_out *out = &core->out;
  sm_mem_moore(core->m, out);
  hd_sm_drive(core->sm, out, in);
  core->port->ops->drive(core->port, in);
  if (core->rft) {
    in->rft_bypass = hd_rft_port_bypass(core->rft, core->now);
    if (out->evict_valid)
      hd_rft_port_evicted(core->rft, core->now, out->evict_hpc, out->evict_count);
    if (in->flush)
      hd_rft_port_flushed(core->rft, core->now);
  }
  sm_mem_mealy(core->m, in, out);
  hd_sm_clock(core->sm, in, out);
  core->port->ops->clock(core->port, in, out);
  sm_mem_tick(core->m, in);
  hd_sm_count_ready(core->sm, l1d_fails(core->m->u_l1d->base.ev));
  core->now++;
}

void hd_core_run(struct hd_core *core, uint64_t until, bool no_skip) {
  core->skips = !no_skip;
  if (!no_skip) {
    const bool news = core->news && *core->news;
    if (news)
      *core->news = false;
    hd_lazy_look(&core->lazy, news);
    hd_lazy_run(&core->lazy, until);
    return;
  }
  while (core->now < until && !hd_sm_done(core->sm))
    cycle(core);
}
