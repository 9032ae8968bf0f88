/* Draws the resets of a lockstep run; see run.h. */
#include "verif/harness/run.h"

/* SHORT_STRETCHES short stretches follow a long one. A short one has at most SHORTEST << SPREAD cycles. */
enum { SHORT_STRETCHES = 16, SHORTEST = 4, SPREAD = 6 };
/* Cycles of the longest reset, and bounds of a long stretch if the job gives no length. */
enum { LONGEST_RESET = 8, LEAST_LONG = 1000, MOST_LONG = 100000 };

static struct wl_rng drawn_for(const struct hd_cosim_job *job, uint64_t segment, uint64_t what) {
  return (struct wl_rng){wl_rng_mix(job->seed + segment, what)};
}

uint64_t hd_run_stretch(const struct hd_cosim_job *job, uint64_t segment) {
  const uint64_t half = job->cycles / 2;
  const uint64_t most = job->segment        ? job->segment
                        : half < LEAST_LONG ? LEAST_LONG
                        : half < MOST_LONG  ? half
                                            : MOST_LONG;
  if (segment % (1 + SHORT_STRETCHES) == 0)
    return most;
  struct wl_rng rng = drawn_for(job, segment, 0x73747265746368);
  const uint64_t cycles = 1 + wl_rng_below(&rng, (uint64_t)SHORTEST << wl_rng_below(&rng, SPREAD + 1));
  return cycles < most ? cycles : most;
}

struct hd_reset hd_reset_draw(const struct hd_cosim_job *job, uint64_t segment) {
  struct hd_reset r = {.rng = drawn_for(job, segment, 0x7265736574)};
  r.cycles = 1 + wl_rng_below(&r.rng, wl_rng_below(&r.rng, 2) ? LONGEST_RESET : 1);
  r.busy = wl_rng_below(&r.rng, 8) > 0;
  r.alike = wl_rng_below(&r.rng, 2);
  return r;
}

void hd_reset_drive(struct hd_reset *r, struct hd_table *t) {
  const uint64_t all = wl_rng_next(&r->rng);
  for (struct hd_cell *c = t->in.cell; c < t->in.cell + t->in.n; c++)
    for (unsigned e = 0; e < c->row->count; e++)
      c->model[e] =
          !r->busy ? 0
                   : (r->alike ? all : wl_rng_next(&r->rng)) << (64 - c->row->width) >> (64 - c->row->width);
  hd_drive_inputs(t);
}
