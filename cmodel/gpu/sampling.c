/* Sampling of a run; see sampling.h. docs/gpu/sampling.md has the reasons.
 *
 * Launches of a kernel with the same grid and block are a class. If a class has many launches, most of them are passed as a whole; those
 * that stand for them run as a whole. In another launch, if its CTAs live long, warps pass instructions between samples. If they live for
 * a short time, whole CTAs are passed.
 *
 * Invariant: `more` is the number of cycles that all instructions passed in launches that run would have taken. */
#include "cmodel/gpu/sampling.h"

#include <math.h>
#include <stdlib.h>

#include "cmodel/gpu/doubts.h"
#include "cmodel/gpu/figures.h"
#include "cmodel/gpu/launch_classes.h"
#include "cmodel/gpu/leads.h"
#include "workloads/rng.h"

enum {
  RAMP = 4, /* in a launch each stretch that is passed is at most so many times as long as the one before */
  LATENCIES = 8, /* the least time to warm up, and to measure, in mean load latencies */
  AGE = 400,     /* a sample warms up, and measures, for at least 1/AGE of its launch up to now */
  REQUESTS = 8,  /* requests that enter the L2 before a sample, for each of its lines */
  WAVES = 3,     /* of CTAs: one warms up, the others are measured */
  FEWEST = 3     /* samples of a class whose CTAs are passed: an interval needs some */
};
static const double WALKED = 0.1; /* if leads walk in a larger part of a run, it gets no interval */
/* A part of what is passed, launches passed as a whole included. All samples may be off by it in the same way, because passing leaves
 * caches and queues in a wrong state. It is measured, as samples cannot know it (docs/gpu/sampling.md, "How sure"). */
static const double LEFT_BEHIND = 0.015;

/* How a launch is sampled. TRIES: it is not known yet how long its CTAs live. */
enum mode { TRIES, IN_STREAMS, BY_CTAS };
enum phase { WARMS_UP, MEASURES };

struct hd_sampling {
  struct hd_sampling_options o;
  struct hd_gpu *gpu;
  struct wl_rng rng;
  struct hd_launch_classes classes;
  uint64_t next_start; /* of the next class that is new */
  bool no_memory;
  uint64_t passed; /* instructions passed in launches that run */
  double more;
  struct hd_sampling_result result;

  unsigned running;                 /* class of the launch that runs */
  enum hd_launch_way way, next_way; /* how it runs, and how the launch that was read last does */
  uint64_t launch;                  /* its number, from 1 */
  struct {
    uint64_t cycle, instructions, passed;
    double more;
  } began; /* the counts at the end of the launch before */

  enum mode mode;
  enum phase phase;
  double longer;  /* warming up takes so many times the least time */
  uint64_t since; /* cycle in which warming up began */
  /* At this step; when the phase began. By CTAs, measuring begins after the first wave of a sample. */
  struct hd_gpu_counts now, from;
  double stretch; /* the most cycles that are passed next */
  struct hd_leads *leads;
  struct hd_doubts *doubts;
  double walked; /* cycles of what was passed while leads walked */
  /* For launches by CTAs. */
  bool starts;    /* no CTA has been passed yet in this launch */
  double gap;     /* CTAs that are passed at a time, in the mean */
  uint32_t block; /* CTAs that had been given or passed when CTAs were last passed */
  uint64_t owed;  /* instructions of passed CTAs that the current sample stands for, besides others */
};

/* ---- Launches ---- */

/* As hd_pass_cta. An error of the workload is told by the next launch that runs, or by the SM that opens the next CTA. */
static bool pass_cta(struct hd_sampling *s, struct wl_source *source, const struct wl_launch *launch,
                     uint32_t cta, const struct hd_passed *passed, uint64_t *n) {
  if (hd_pass_cta(s->gpu->c, source, launch, cta, passed, n))
    return true;
  s->no_memory = s->no_memory || !source->ops->error || !source->ops->error(source);
  return false;
}

/* Returns whether a launch runs. If it does not, passes it here. */
static bool runs(void *ctx, struct wl_source *source, const struct wl_launch *launch) {
  struct hd_sampling *s = ctx;
  const int number = hd_launch_class_of(&s->classes, launch, s->next_start);
  s->no_memory = s->no_memory || number < 0;
  if (s->no_memory)
    return true;
  struct hd_launch_class *c = &s->classes.class[number];
  if (!c->seen)
    s->next_start = wl_rng_below(&s->rng, s->o.one_in);
  s->next_way = hd_launch_class_way(c, s->o.one_in);
  if (s->next_way != HD_LAUNCH_PASSED)
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

/* ---- Samples ---- */

/* The CTAs that all SMs hold. */
static uint32_t wave(const struct hd_sampling *s) {
  return hd_grid_residents(s->gpu->grid) * s->gpu->c->gpu.sms;
}

/* The sample stands for `passed` instructions, which would have taken `cycles` cycles. */
static void stand_for(struct hd_sampling *s, uint64_t passed, double cycles) {
  s->passed += passed;
  if (!passed)
    return;
  const uint32_t left = hd_grid_launch(s->gpu->grid)->ctas - hd_grid_given(s->gpu->grid);
  hd_doubts_stand_for(s->doubts, cycles, s->mode != BY_CTAS && left <= wave(s));
  hd_spread_add(&s->classes.class[s->running].samples, (double)passed, cycles);
  s->more += cycles;
  s->result.samples++;
}

static void warm(void *ctx, uint64_t line, unsigned sector, bool store) {
  hd_memsys_warm(ctx, line, sector, store);
}

/* Returns how many instructions before a sample bring their lines into the L2, by what was measured. */
static double warming(const struct hd_sampling *s) {
  const double lines = s->gpu->memsys ? (double)s->gpu->c->d.L2_LINES * s->gpu->c->l2.banks : 0;
  return REQUESTS * lines *
         hd_per((double)(s->now.instructions - s->from.instructions),
                (double)(s->now.requests - s->from.requests));
}

/* Returns the cycles since the launch began, estimated. */
static double since_launch(const struct hd_sampling *s) {
  return (double)(s->gpu->now - s->began.cycle) + s->more - s->began.more;
}

/* Returns the instructions since the launch began. */
static uint64_t instructions_since_launch(const struct hd_sampling *s) {
  return s->now.instructions - s->began.instructions + s->passed - s->began.passed;
}

static void begin(struct hd_sampling *s, enum phase phase) {
  s->phase = phase;
  s->from = s->now;
  if (phase == MEASURES)
    hd_doubts_measure(s->doubts, s->now.cycle, s->now.instructions);
}

/* Returns a number from 0 to 1. The lengths of what is simulated and passed are random: at equal distances, samples would meet what
 * recurs in a kernel (the columns of a picture, the order of warps) in the same phase again and again. */
static double random_part(struct hd_sampling *s) {
  return wl_rng_below(&s->rng, UINT64_C(1) << 32) * 0x1p-32;
}

static void begin_sample(struct hd_sampling *s) {
  begin(s, WARMS_UP);
  s->since = s->gpu->now;
  s->longer = 1 + random_part(s);
}

/* True if the phase has taken as long as it must. */
static bool is_over(const struct hd_sampling *s) {
  const double took = (double)(s->now.cycle - s->from.cycle);
  const double latency =
      hd_per((double)(s->now.load_latency - s->from.load_latency), (double)(s->now.loads - s->from.loads));
  const double least = fmax(fmax(s->o.cycles, LATENCIES * latency), since_launch(s) / AGE);
  return took >= least * (s->phase == WARMS_UP ? s->longer : 1);
}

/* Returns the cycles that the sample which ends now may stand for. */
static double full_stretch(const struct hd_sampling *s) {
  const double took = (double)(s->gpu->now - s->since), short_one = 2.0 * s->o.cycles;
  return (s->o.one_in - 1) * (took > short_one ? took : short_one);
}

/* ---- Within the streams of warps ---- */

static void pass_in_streams(struct hd_sampling *s) {
  struct hd_gpu *gpu = s->gpu;
  const struct hd_passed into_l2 = {.access = warm, .ctx = gpu->memsys};
  double way;
  for (unsigned i = 0; i < gpu->cores && !gpu->no_skip; i++)
    hd_lazy_settle(&gpu->core[i].lazy);
  const uint64_t passed = hd_leads_pass(s->leads, s->stretch / (double)(s->now.cycle - s->from.cycle),
                                        hd_per(s->stretch, since_launch(s)), warming(s), &into_l2, &way);
  stand_for(s, passed, s->stretch * way);
  s->walked += hd_leads_walk(s->leads) ? s->stretch * way : 0;
  for (unsigned i = 0; i < gpu->cores; i++) {
    hd_sm_forwarded(gpu->sm[i]);
    if (!gpu->no_skip)
      hd_lazy_forwarded(&gpu->core[i].lazy);
  }
  hd_gpu_settle(gpu);
}

static void sample_streams(struct hd_sampling *s) {
  if (!is_over(s))
    return;
  if (s->phase == WARMS_UP) {
    begin(s, MEASURES);
    hd_leads_measure(s->leads);
    return;
  }
  pass_in_streams(s);
  const double full = full_stretch(s);
  s->stretch = RAMP * s->stretch < full ? RAMP * s->stretch : full;
  begin_sample(s);
}

/* ---- CTA by CTA ---- */

/* Returns the mean number of CTAs that are passed at a time: as the options ask for, or fewer, so that the class gets its samples; but at
 * least half of the CTAs are left to be passed. Half a gap is left for chance. */
static double mean_gap(const struct hd_sampling *s, double left) {
  const double sample = WAVES * (double)wave(s), asked = sample * (s->o.one_in - 1) * 4.0 / 3;
  const double lacks = FEWEST - (double)s->classes.class[s->running].samples.n;
  const double samples = fmin(lacks, floor(left / (2 * sample)));
  return samples > 1 ? fmin(asked, (left - samples * sample) / (samples + 0.5)) : asked;
}

/* Passes the CTAs up to the next sample, if there is room for it and a last wave; else those up to the last wave. Before the first sample
 * these are half a gap, so that it lies in the middle of what it stands for. A sample stands for half of what is passed on each side of
 * it. At the ends it stands for all (settle_rest). */
static void pass_ctas(struct hd_sampling *s) {
  struct hd_grid *grid = s->gpu->grid;
  const double given = hd_grid_given(grid), left = hd_grid_launch(grid)->ctas - given;
  const double one_wave = wave(s), sample = WAVES * one_wave;
  s->gap = s->starts ? mean_gap(s, left - one_wave) : s->gap;
  const double between = (0.5 + random_part(s)) * s->gap, wanted = s->starts ? between / 2 : between;
  const bool is_last = left < wanted + sample + one_wave;
  const double ctas = !is_last ? wanted : s->starts ? left - sample - one_wave : left - one_wave;
  const struct hd_passed into_l2 = {.access = warm, .ctx = s->gpu->memsys};
  const double warms = warming(s) * hd_per(given, (double)(instructions_since_launch(s) + s->owed));
  uint64_t n = 0;
  for (uint32_t i = 0, cta; i + 1 <= ctas && hd_grid_pass_cta(grid, &cta); i++)
    if (!pass_cta(s, hd_grid_source(grid), hd_grid_launch(grid), cta, ctas - i <= warms ? &into_l2 : NULL,
                  &n))
      break;
  const uint64_t own = s->starts ? 0 : n / 2, passed = s->owed + own;
  const double measured = (double)(s->now.instructions - s->from.instructions);
  stand_for(s, passed, (double)(s->now.cycle - s->from.cycle) * hd_per((double)passed, measured));
  s->owed = n - own;
  s->starts = false;
  s->block = hd_grid_given(grid);
  begin_sample(s);
}

/* A quarter of what is to run runs at the beginning of the launch, which is like nothing else in it. Then CTAs are passed, between
 * samples of some waves. */
static void sample_ctas(struct hd_sampling *s) {
  const uint32_t given = hd_grid_given(s->gpu->grid), own = given - s->block;
  if (s->starts ? given < hd_grid_launch(s->gpu->grid)->ctas / (UINT64_C(4) * s->o.one_in)
                : own < (s->phase == WARMS_UP ? 1 : WAVES) * wave(s))
    return;
  if (!s->starts && s->phase == WARMS_UP)
    begin(s, MEASURES);
  else
    pass_ctas(s);
}

/* ---- A run ---- */

/* What has run since CTAs were passed is no sample: it is the last wave, or the launch was cut off. */
static void settle_rest(struct hd_sampling *s, uint64_t cycle) {
  if (!s->owed)
    return;
  const double owed = (double)s->owed, ran = (double)(s->now.instructions - s->began.instructions);
  const double guess = (double)(cycle - s->began.cycle) * hd_per(owed, ran);
  const double cycles = hd_launch_class_rest(&s->classes.class[s->running], owed, guess);
  hd_doubts_extend(s->doubts, cycles);
  s->passed += s->owed;
  s->more += cycles;
  s->owed = 0;
}

/* The launch that ran has ended before this cycle. */
static void end_launch(struct hd_sampling *s, uint64_t cycle) {
  settle_rest(s, cycle);
  const double n = (double)instructions_since_launch(s);
  const double cycles = (double)(cycle - s->began.cycle) + s->more - s->began.more;
  hd_launch_class_ran(&s->classes.class[s->running], n, cycles, hd_doubts_end_launch(s->doubts), s -> way);
  s->began.cycle = cycle;
  s->began.instructions = s->now.instructions;
  s->began.passed = s->passed;
  s->began.more = s->more;
}

/* True if the first wave of the launch is less than what is to be simulated of it. Then the first wave runs. */
static bool has_many_waves(const struct hd_sampling *s) {
  return hd_grid_launch(s->gpu->grid)->ctas >= (uint64_t)s->o.one_in * wave(s);
}

/* The first CTA of the launch has ended: it is known how long CTAs live. Those that live shorter than what a short sample stands for are
 * passed as a whole. */
static void choose(struct hd_sampling *s) {
  s->mode = since_launch(s) < (s->o.one_in - 1) * 2.0 * s->o.cycles ? BY_CTAS : IN_STREAMS;
  s->starts = s->mode == BY_CTAS;
  if (s->mode == IN_STREAMS && has_many_waves(s))
    begin_sample(s);
}

static void begin_launch(struct hd_sampling *s) {
  s->mode = TRIES;
  s->block = 0;
  s->stretch = s->o.cycles;
  hd_leads_launch(s->leads, hd_grid_launch(s->gpu->grid)->warps_per_cta);
  begin_sample(s);
}

bool hd_sampling_step(struct hd_sampling *s) {
  const struct hd_grid *grid = s->gpu->grid;
  if (s->no_memory || hd_grid_done(grid))
    return !s->no_memory;
  s->now = hd_gpu_count(s->gpu);
  if (s->launch != hd_grid_launches(grid)) {
    end_launch(s, hd_grid_began(grid));
    s->launch = hd_grid_launches(grid);
    s->way = s->next_way;
    s->running = (unsigned)hd_launch_class_of(&s->classes, hd_grid_launch(grid), s->next_start);
    begin_launch(s);
  }
  if (s->way == HD_LAUNCH_WHOLE)
    return true;
  if (s->phase == MEASURES)
    hd_doubts_look(s->doubts, s->now.cycle, s->now.instructions);
  if (s->mode == TRIES && hd_grid_ended_ctas(grid))
    choose(s);
  if (s->mode == BY_CTAS)
    sample_ctas(s);
  else if (s->mode == IN_STREAMS || !has_many_waves(s))
    sample_streams(s);
  return !s->no_memory;
}

/* Returns the margin as a part of the cycles, or NAN if the interval would reach down to zero: then it says nothing. */
static double margin(const struct hd_sampling *s) {
  const double cycles = s->result.cycles, passed = cycles - (double)s->result.cycles_simulated;
  const double of = hd_per(hd_launch_classes_margin(&s->classes) + LEFT_BEHIND * passed, cycles);
  return of < 1 ? of : NAN;
}

struct hd_sampling_result hd_sampling_end(struct hd_sampling *s) {
  struct hd_sampling_result *r = &s->result;
  s->now = hd_gpu_count(s->gpu);
  r->simulated = s->now.instructions;
  r->cycles_simulated = hd_grid_done(s->gpu->grid) ? hd_grid_cycles(s->gpu->grid) : s->gpu->now;
  end_launch(s, r->cycles_simulated);
  r->passed += s->passed;
  r->cycles = (double)r->cycles_simulated + s->more;
  for (unsigned i = 0; i < s->classes.n; i++)
    r->cycles += hd_launch_class_cycles(&s->classes.class[i]);
  r->leads_walk = s->walked > WALKED * r->cycles;
  r->margin = r->leads_walk ? NAN : margin(s);
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
  s->leads = hd_leads_new(gpu->sm, gpu->cores, gpu->c->sm.warps);
  s->doubts = hd_doubts_new(gpu->sm, gpu->cores);
  s->next_start = wl_rng_below(&s->rng, options->one_in);
  if (!s->leads || !s->doubts ||
      hd_launch_class_of(&s->classes, hd_grid_launch(gpu->grid), s->next_start) < 0) {
    hd_sampling_free(s);
    return NULL;
  }
  s->way = hd_launch_class_way(&s->classes.class[0], options -> one_in);
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
  hd_leads_free(s->leads);
  hd_doubts_free(s->doubts);
  free(s);
}
