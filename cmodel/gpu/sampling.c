/* Sampling of a run; see sampling.h and docs/gpu/sampling.md, which says why it is as it is.
 *
 * Launches of a kernel with the same grid are a class; most of a class with many launches are passed as a whole. Of a launch whose CTAs
 * live long, warps pass instructions between samples; of one whose CTAs live for a short time, whole CTAs are passed.
 *
 * Over 400 lines: phases of one run, which work on one state.
 *
 * Invariant: `more` are the cycles that all instructions passed in launches that run would have taken.
 */
#include "cmodel/gpu/sampling.h"

#include <math.h>
#include <stdlib.h>

#include "cmodel/gpu/figures.h"
#include "cmodel/gpu/launch_classes.h"
#include "cmodel/sm/forward.h"
#include "workloads/rng.h"

enum {
  RAMP = 4, /* in a launch each stretch that is passed is at most so many times as long as the one before */
  LATENCIES = 8, /* mean load latencies that warming up, and measuring, take at least */
  COLD = 64,     /* instructions that a warp passes at a time, */
  WARM = 4,      /* and while lines enter the L2: in an order like the one in which warps issue */
  REQUESTS = 8,  /* that enter the L2 before a sample, for each of its lines */
  WAVES = 3      /* of CTAs: one to warm up, the others to measure */
};

/* Of a launch. TRIES: it is not known yet how long its CTAs live. */
enum mode { TRIES, IN_STREAMS, BY_CTAS };
enum phase { WARMS_UP, MEASURES };

/* What has been counted up to a cycle. */
struct counted {
  uint64_t cycle, instructions, requests, loads, load_latency;
};

struct hd_sampling {
  struct hd_sampling_options o;
  struct hd_gpu *gpu;
  struct wl_rng rng;
  struct hd_launch_classes classes;
  uint64_t next_start; /* of a class that comes new */
  bool no_memory;
  uint64_t passed; /* instructions, in launches that run */
  double more;
  struct hd_sampling_result result;

  unsigned running;        /* class of the launch that runs */
  bool cold, next_is_cold; /* it is the first of its class; the launch that was let through last is */
  uint64_t launch;         /* its number, from 1 */
  struct {
    uint64_t cycle, instructions, passed;
    double more;
  } began; /* what there was when the launch before it had ended */

  enum mode mode;
  enum phase phase;
  uint64_t since;      /* cycle in which warming up began */
  struct counted from; /* of the phase; in waves of what is measured, which begins behind the first wave */
  uint64_t *from_of;   /* instructions of each SM then */
  double stretch;      /* cycles that are passed next, at most */
  /* of each SM: instructions that it is to pass; of them, not passed yet, or, < 0, passed too many; nothing is left to pass */
  int64_t *goal, *left;
  bool *through;
  uint32_t block; /* CTAs that had been given or passed when the last were passed */
};

static struct counted count(const struct hd_gpu *gpu) {
  struct counted c = {.cycle = gpu->now};
  for (unsigned i = 0; i < gpu->cores; i++) {
    const struct hd_sm_stats *of = hd_sm_stats(gpu->sm[i]);
    c.instructions += of->instructions;
    c.requests += of->load_requests + of->store_requests;
    c.loads += of->load_requests;
    c.load_latency += of->load_latency_sum;
  }
  return c;
}

/* ---- Launches ---- */

static int class_of(struct hd_sampling *s, const struct wl_launch *launch) {
  return hd_launch_class_of(&s->classes, launch, s->next_start);
}

/* hd_pass_cta. What is wrong with a workload the launch that runs next tells, or the SM that opens the next CTA. */
static bool pass_cta(struct hd_sampling *s, struct wl_source *source, const struct wl_launch *launch,
                     uint32_t cta, const struct hd_passed *passed, uint64_t *n) {
  if (hd_pass_cta(s->gpu->c, source, launch, cta, passed, n))
    return true;
  s->no_memory = s->no_memory || !source->ops->error || !source->ops->error(source);
  return false;
}

/* Whether a launch runs; else it is passed here. */
static bool runs(void *ctx, struct wl_source *source, const struct wl_launch *launch) {
  struct hd_sampling *s = ctx;
  const int number = class_of(s, launch);
  s->no_memory = s->no_memory || number < 0;
  if (s->no_memory)
    return true;
  struct hd_launch_class *c = &s->classes.class[number];
  if (!c->seen)
    s->next_start = wl_rng_below(&s->rng, s->o.one_in);
  s->next_is_cold = !c->seen;
  if (hd_launch_class_runs(c, s->o.one_in))
    return true;
  uint64_t n = 0;
  for (uint32_t cta = 0; cta < launch->ctas; cta++)
    if (!pass_cta(s, source, launch, cta, NULL, &n))
      return true;
  hd_launch_class_passed(c, n);
  s->result.passed += n;
  s->result.launches_passed++;
  return false;
}

/* The launch that ran has ended, before this cycle. */
static void end_launch(struct hd_sampling *s, uint64_t cycle) {
  const uint64_t instructions = count(s->gpu).instructions;
  const double n = (double)(instructions - s->began.instructions + s->passed - s->began.passed);
  const double cycles = (double)(cycle - s->began.cycle) + s->more - s->began.more;
  hd_launch_class_ran(&s->classes.class[s->running], n, cycles, s -> cold);
  s->began.cycle = cycle;
  s->began.instructions = instructions;
  s->began.passed = s->passed;
  s->began.more = s->more;
}

/* ---- Samples ---- */

/* What was measured stands for `passed` instructions, which would have taken so many cycles. */
static void stand_for(struct hd_sampling *s, uint64_t passed, double cycles) {
  s->passed += passed;
  if (!passed)
    return;
  hd_spread_add(&s->classes.class[s->running].samples, (double)passed, cycles);
  s->more += cycles;
  s->result.samples++;
}

static void warm(void *ctx, uint64_t line, unsigned sector, bool store) {
  hd_memsys_warm(ctx, line, sector, store);
}

/* Instructions in front of a sample whose lines are to enter the L2, by what was measured. */
static double warming(const struct hd_sampling *s, const struct counted *now) {
  const struct hd_config *c = s->gpu->c;
  const double lines = s->gpu->memsys ? (double)c->d.L2_LINES * c->l2.banks : 0;
  return REQUESTS * lines *
         hd_per((double)(now->instructions - s->from.instructions),
                (double)(now->requests - s->from.requests));
}

static void begin(struct hd_sampling *s, enum phase phase) {
  s->phase = phase;
  s->from = count(s->gpu);
  if (phase == WARMS_UP)
    s->since = s->gpu->now;
  for (unsigned i = 0; i < s->gpu->cores; i++)
    s->from_of[i] = hd_sm_stats(s->gpu->sm[i])->instructions;
}

/* The phase has taken as long as it has to. */
static bool is_over(const struct hd_sampling *s, const struct counted *now) {
  const double took = (double)(now->cycle - s->from.cycle);
  const double latency =
      hd_per((double)(now->load_latency - s->from.load_latency), (double)(now->loads - s->from.loads));
  return took >= s->o.cycles && took >= LATENCIES * latency;
}

/* Cycles that the sample which ends now may stand for. */
static double full_stretch(const struct hd_sampling *s) {
  const double took = (double)(s->gpu->now - s->since), least = 2.0 * s->o.cycles;
  return (s->o.one_in - 1) * (took > least ? took : least);
}

/* ---- Within the streams of warps ---- */

/* How many instructions each SM is to pass: as many for each warp on all SMs; beyond that, where it issued more or fewer, its lead grows
 * as that of a random walk. */
static void set_goals(struct hd_sampling *s, const struct counted *now) {
  const struct hd_gpu *gpu = s->gpu;
  const double ratio = s->stretch / (double)(now->cycle - s->from.cycle);
  const double all = (double)(now->instructions - s->from.instructions);
  double warps = 0;
  for (unsigned i = 0; i < gpu->cores; i++)
    warps += hd_sm_warps(gpu->sm[i]);
  for (unsigned i = 0; i < gpu->cores; i++) {
    const double own = (double)(hd_sm_stats(gpu->sm[i])->instructions - s->from_of[i]);
    const double even = hd_per(all * hd_sm_warps(gpu->sm[i]), warps);
    const double goal = ratio * even + sqrt(ratio) * (own - even);
    s->goal[i] = goal > 0 ? (int64_t)goal : 0;
    s->left[i] = s->goal[i] + (s->left[i] < 0 ? s->left[i] : 0);
    s->through[i] = false;
  }
}

/* SM `i` passes some of what is left for it; returns how many. */
static uint64_t go(struct hd_sampling *s, unsigned i, double warming_from) {
  struct hd_gpu *gpu = s->gpu;
  const struct hd_passed into_l2 = {.access = warm, .ctx = gpu->memsys};
  const bool warms = (double)s->left[i] <= warming_from;
  const int64_t each = s->left[i] / gpu->c->sm.warps, most = warms ? WARM : COLD;
  const uint64_t n = hd_sm_forward(gpu->sm[i],
                                   (unsigned)(each < 1      ? 1
                                              : each < most ? each
                                                            : most),
                                   warms ? &into_l2 : NULL);
  s->left[i] -= (int64_t)n;
  s->through[i] = !n;
  return n;
}

/* All SMs pass what is left for them, in turn; returns how many instructions. */
static uint64_t go_all(struct hd_sampling *s, double warming_from) {
  uint64_t n = 0;
  for (bool more = true; more;) {
    more = false;
    for (unsigned i = 0; i < s->gpu->cores; i++)
      if (!s->through[i] && s->left[i] > 0) {
        n += go(s, i, warming_from);
        more = true;
      }
  }
  return n;
}

/* The part of its way that the SM which came farthest has gone. */
static double way(const struct hd_sampling *s) {
  double most = 0;
  for (unsigned i = 0; i < s->gpu->cores; i++) {
    const int64_t left = s->left[i] > 0 ? s->left[i] : 0;
    const double part = hd_per((double)(s->goal[i] - left), (double)s->goal[i]);
    most = part > most ? part : most;
  }
  return most;
}

static void pass_in_streams(struct hd_sampling *s, const struct counted *now) {
  struct hd_gpu *gpu = s->gpu;
  for (unsigned i = 0; i < gpu->cores && !gpu->no_skip; i++)
    hd_lazy_settle(&gpu->core[i].lazy);
  set_goals(s, now);
  const uint64_t passed = go_all(s, warming(s, now) / gpu->cores);
  stand_for(s, passed, s->stretch * way(s));
  for (unsigned i = 0; i < gpu->cores; i++) {
    hd_sm_forwarded(gpu->sm[i]);
    if (!gpu->no_skip)
      hd_lazy_forwarded(&gpu->core[i].lazy);
  }
  hd_gpu_settle(gpu);
}

static void sample_streams(struct hd_sampling *s) {
  const struct counted now = count(s->gpu);
  if (!is_over(s, &now))
    return;
  if (s->phase == WARMS_UP) {
    begin(s, MEASURES);
    return;
  }
  pass_in_streams(s, &now);
  const double full = full_stretch(s);
  s->stretch = RAMP * s->stretch < full ? RAMP * s->stretch : full;
  begin(s, WARMS_UP);
}

/* ---- CTA by CTA ---- */

/* CTAs that all SMs hold. */
static uint32_t wave(const struct hd_sampling *s) {
  return hd_grid_residents(s->gpu->grid) * s->gpu->c->gpu.sms;
}

static void begin_block(struct hd_sampling *s) {
  s->block = hd_grid_given(s->gpu->grid);
  begin(s, WARMS_UP);
}

static void pass_ctas(struct hd_sampling *s, uint32_t ctas) {
  struct hd_grid *grid = s->gpu->grid;
  const struct counted now = count(s->gpu);
  const uint32_t own = hd_grid_given(grid) - s->block;
  const struct hd_passed into_l2 = {.access = warm, .ctx = s->gpu->memsys};
  const double n = (double)(now.instructions - s->from.instructions);
  const double measured = (double)own * (WAVES - 1) / WAVES;
  const double warms = warming(s, &now) * hd_per(measured, n);
  uint64_t passed = 0;
  for (uint32_t i = 0, cta; i < ctas && hd_grid_pass_cta(grid, &cta); i++)
    if (!pass_cta(s, hd_grid_source(grid), hd_grid_launch(grid), cta, ctas - i <= warms ? &into_l2 : NULL,
                  &passed))
      break;
  stand_for(s, passed, (double)(now.cycle - s->from.cycle) * hd_per((double)passed, n));
}

/* A quarter of what is to run runs at the beginning of the launch; then for each block of waves CTAs are passed, but for a last wave. */
static void sample_ctas(struct hd_sampling *s) {
  const struct hd_grid *grid = s->gpu->grid;
  const uint32_t all = hd_grid_launch(grid)->ctas, given = hd_grid_given(grid), own = given - s->block;
  if (given < all / (4 * s->o.one_in)) {
    begin_block(s);
    return;
  }
  if (s->phase == WARMS_UP && own >= wave(s))
    begin(s, MEASURES);
  if (own < WAVES * wave(s) || all - given <= wave(s))
    return;
  const double wanted = own * (s->o.one_in - 1) * 4.0 / 3;
  const uint32_t most = all - given - wave(s);
  pass_ctas(s, wanted < most ? (uint32_t)wanted : most);
  begin_block(s);
}

/* ---- A run ---- */

/* The first CTA of the launch has ended: so it is known how long they live. */
static void choose(struct hd_sampling *s) {
  const double life = (double)(s->gpu->now - s->began.cycle) + s->more - s->began.more;
  s->mode = life < full_stretch(s) ? BY_CTAS : IN_STREAMS;
  if (s->mode == BY_CTAS)
    begin_block(s);
}

static void begin_launch(struct hd_sampling *s) {
  s->mode = TRIES;
  s->stretch = s->o.cycles;
  begin(s, WARMS_UP);
}

bool hd_sampling_step(struct hd_sampling *s) {
  const struct hd_grid *grid = s->gpu->grid;
  if (s->no_memory || hd_grid_done(grid))
    return !s->no_memory;
  if (s->launch != hd_grid_launches(grid)) {
    end_launch(s, hd_grid_began(grid));
    s->launch = hd_grid_launches(grid);
    s->cold = s->next_is_cold;
    s->running = (unsigned)class_of(s, hd_grid_launch(grid));
    begin_launch(s);
  }
  if (s->mode == TRIES && hd_grid_ended_ctas(grid))
    choose(s);
  if (s->mode == BY_CTAS)
    sample_ctas(s);
  else
    sample_streams(s);
  return !s->no_memory;
}

struct hd_sampling_result hd_sampling_end(struct hd_sampling *s) {
  struct hd_sampling_result *r = &s->result;
  r->simulated = count(s->gpu).instructions;
  r->cycles_simulated = hd_grid_done(s->gpu->grid) ? hd_grid_cycles(s->gpu->grid) : s->gpu->now;
  end_launch(s, r->cycles_simulated);
  r->passed += s->passed;
  r->cycles = (double)r->cycles_simulated + s->more;
  double squares = 0;
  for (unsigned i = 0; i < s->classes.n; i++) {
    const double margin = hd_launch_class_margin(&s->classes.class[i]);
    r->cycles += hd_launch_class_cycles(&s->classes.class[i]);
    squares += margin * margin;
  }
  r->margin = hd_per(sqrt(squares), r->cycles);
  return *r;
}

uint64_t hd_sampling_window(const struct hd_sampling_options *options) {
  return options->cycles / 8 + 1;
}

struct hd_sampling *hd_sampling_new(const struct hd_sampling_options *options, struct hd_gpu *gpu) {
  struct hd_sampling *s = calloc(1, sizeof *s);
  if (!s)
    return NULL;
  s->o = *options;
  s->gpu = gpu;
  s->rng.state = wl_rng_mix(options->seed, 0);
  s->from_of = calloc(gpu->cores, sizeof *s->from_of);
  s->goal = calloc(gpu->cores, sizeof *s->goal);
  s->left = calloc(gpu->cores, sizeof *s->left);
  s->through = calloc(gpu->cores, sizeof *s->through);
  s->next_start = wl_rng_below(&s->rng, options->one_in);
  if (!s->from_of || !s->goal || !s->left || !s->through || class_of(s, hd_grid_launch(gpu->grid)) < 0) {
    hd_sampling_free(s);
    return NULL;
  }
  s->cold = hd_launch_class_runs(&s->classes.class[0], options -> one_in);
  s->next_start = wl_rng_below(&s->rng, options->one_in);
  s->launch = hd_grid_launches(gpu->grid);
  hd_grid_set_gate(gpu->grid, &(struct hd_grid_gate){.runs = runs, .ctx = s});
  begin_launch(s);
  return s;
}

void hd_sampling_free(struct hd_sampling *s) {
  if (!s)
    return;
  free(s->classes.class);
  free(s->from_of);
  free(s->goal);
  free(s->left);
  free(s->through);
  free(s);
}
