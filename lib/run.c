/* Performance runs; see heddle.h.
 *
 * Invariant: a run that has been run has figures, whatever ended it. */
#include "lib/objects.h"
#include "workloads/workloads.h"

#include <stdlib.h>

heddle_status heddle_run_open(const heddle_machine *machine, const char *workload, unsigned flags,
                              heddle_run **run) {
  heddle_run *r = *run = calloc(1, sizeof *r);
  if (!r)
    return HEDDLE_ERR_MEMORY;
  r->machine = machine;
  r->source = wl_open(workload, r->said.text, sizeof r->said.text);
  r->job = (struct hd_sim_job){
      .design = machine->design, .source = r->source, .no_skip = flags & HEDDLE_NO_SKIP, .user = r};
  return r->source ? HEDDLE_OK : HEDDLE_ERR_WORKLOAD;
}

void heddle_run_close(heddle_run *r) {
  if (!r)
    return;
  if (r->source)
    r->source->ops->close(r->source);
  free(r->figure);
  free(r);
}

const char *heddle_run_message(const heddle_run *r) {
  return r ? r->said.text : "out of memory";
}

void heddle_run_limit(heddle_run *r, uint64_t cycles) {
  r->job.max_cycles = cycles;
}

void heddle_run_threads(heddle_run *r, unsigned threads) {
  r->job.threads = threads;
}

heddle_status hd_run_sample(heddle_run *r, uint64_t one_in, uint64_t cycles, uint64_t seed) {
  if (one_in < HEDDLE_LEAST_ONE_IN || one_in > HEDDLE_MOST_ONE_IN)
    return hd_say(&r->said, HEDDLE_ERR_ARGUMENT, "found one cycle in %llu; allowed one in %u to %u",
                  (unsigned long long)one_in, HEDDLE_LEAST_ONE_IN, HEDDLE_MOST_ONE_IN);
  if (cycles < HEDDLE_LEAST_SAMPLE_CYCLES || cycles > HEDDLE_MOST_SAMPLE_CYCLES)
    return hd_say(&r->said, HEDDLE_ERR_ARGUMENT, "found samples of %llu cycles; allowed %u to %u",
                  (unsigned long long)cycles, HEDDLE_LEAST_SAMPLE_CYCLES, HEDDLE_MOST_SAMPLE_CYCLES);
  if (r->machine->c.d.L2_SLEEPS)
    return hd_say(&r->said, HEDDLE_ERR_ARGUMENT,
                  "found a machine that powers lines of its L2 off (loscache); allowed one that does not");
  r->job.sampling = (struct hd_sampling_options){(unsigned)one_in, (unsigned)cycles, seed};
  return HEDDLE_OK;
}

heddle_status heddle_run_sample(heddle_run *r, unsigned one_in, unsigned cycles, uint64_t seed) {
  return hd_run_sample(r, one_in, cycles, seed);
}

static bool tell_progress(void *user, const struct hd_sim_progress *at) {
  const heddle_run *r = user;
  const heddle_progress progress = {.cycles = at->cycles,
                                    .instructions = at->instructions,
                                    .launches = at->launches,
                                    .ctas_ended = at->ended,
                                    .ctas = at->ctas};
  return !r->progress(r->progress_user, &progress);
}

void heddle_run_on_progress(heddle_run *r, heddle_progress_fn progress, void *user, unsigned milliseconds) {
  r->progress = progress;
  r->progress_user = user;
  r->job.progress = progress ? tell_progress : NULL;
  r->job.progress_ms = milliseconds;
}

static void tell_access(void *user, const struct hd_access *of) {
  static const heddle_access_kind kind[] = {[HD_ACCESS_LOAD] = HEDDLE_ACCESS_LOAD,
                                            [HD_ACCESS_STORE] = HEDDLE_ACCESS_STORE,
                                            [HD_ACCESS_PREFETCH] = HEDDLE_ACCESS_PREFETCH};
  static const heddle_outcome outcome[] = {[HD_ACCESS_HIT] = HEDDLE_HIT,
                                           [HD_ACCESS_MERGE] = HEDDLE_MERGED,
                                           [HD_ACCESS_MISS] = HEDDLE_MISS,
                                           [HD_ACCESS_PAST] = HEDDLE_UNCACHED};
  const heddle_run *r = user;
  const heddle_access access = {.cycle = of->cycle,
                                .address = of->line * r->machine->c.l1d.line_bytes,
                                .level = of->level,
                                .sm = of->sm,
                                .warp = of->warp,
                                .kind = kind[of->kind],
                                .outcome = outcome[of->outcome],
                                .pc = of->pc,
                                .kernel = of->kernel};
  r->access(r->access_user, &access);
}

void heddle_run_on_access(heddle_run *r, heddle_access_fn access, void *user) {
  r->access = access;
  r->access_user = user;
  r->job.accesses = (struct hd_access_watch){.access = access ? tell_access : NULL, .user = r};
}

static void tell_span(void *user, const struct hd_span *of) {
  static const heddle_span_kind kind[] = {[HD_SPAN_CTA] = HEDDLE_SPAN_CTA,
                                          [HD_SPAN_LOAD] = HEDDLE_SPAN_LOAD,
                                          [HD_SPAN_STORE] = HEDDLE_SPAN_STORE,
                                          [HD_SPAN_MISS] = HEDDLE_SPAN_MISS,
                                          [HD_SPAN_PREFETCH] = HEDDLE_SPAN_PREFETCH};
  const heddle_run *r = user;
  const bool line = of->kind == HD_SPAN_MISS || of->kind == HD_SPAN_PREFETCH;
  const heddle_span span = {.kind = kind[of->kind],
                            .sm = of->sm,
                            .unit = of->unit,
                            .slot = of->slot,
                            .from = of->from,
                            .to = of->to,
                            .value = of->value * (line ? r->machine->c.l1d.line_bytes : 1)};
  r->span(r->span_user, &span);
}

void heddle_run_on_span(heddle_run *r, heddle_span_fn span, void *user) {
  r->span = span;
  r->span_user = user;
  r->job.spans = (struct hd_span_watch){.span = span ? tell_span : NULL, .user = r};
}

static void tell_interval(void *user, const struct hd_sim_result *result) {
  heddle_run *r = user;
  r->result = *result;
  hd_figures_fill(r);
  r->interval(r->interval_user, r);
}

void heddle_run_on_interval(heddle_run *r, heddle_interval_fn interval, void *user, uint64_t cycles) {
  r->interval = interval;
  r->interval_user = user;
  r->job.so_far = interval ? tell_interval : NULL;
  r->job.interval = cycles;
}

heddle_status heddle_run_go(heddle_run *r) {
  static const heddle_status status[] = {[HD_SIM_ENDED] = HEDDLE_OK,
                                         [HD_SIM_LIMIT] = HEDDLE_ERR_LIMIT,
                                         [HD_SIM_CANCELLED] = HEDDLE_ERR_CANCELLED,
                                         [HD_SIM_DEADLOCK] = HEDDLE_ERR_DEADLOCK,
                                         [HD_SIM_WORKLOAD] = HEDDLE_ERR_WORKLOAD,
                                         [HD_SIM_NO_MEMORY] = HEDDLE_ERR_MEMORY};
  if (!r->source || r->done)
    return hd_say(&r->said, HEDDLE_ERR_ARGUMENT, "run: found one that %s; allowed: one that was opened, once",
                  r->done ? "has been run" : "could not be opened");
  if (r->job.sampling.one_in && (r->job.accesses.access || r->job.spans.span || r->job.so_far))
    return hd_say(
        &r->said, HEDDLE_ERR_ARGUMENT,
        "run: found samples and a callback for requests, spans or intervals; allowed one of the two");
  r->done = true;
  if (!hd_figures_list(r))
    return hd_say(&r->said, HEDDLE_ERR_MEMORY, "out of memory");
  struct hd_sim_result result;
  struct hd_why why;
  if (hd_sim_run(&r->job, &result, &why) != HD_OK)
    hd_say(&r->said, HEDDLE_OK, "%s", why.text);
  r->result = result;
  hd_figures_fill(r);
  return status[r->result.end];
}
