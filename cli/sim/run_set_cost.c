/* Predicts how long a run takes, for the order of runs, for shards, and for the time left.
 *
 * Invariant: a prediction changes when and where a run happens, never its result.
 */
#include "base/alloc.h"
#include "cli/sim/run_set.h"
#include "workloads/workloads.h"

#include <stdlib.h>

/* Processor seconds per warp instruction and per request to the L1D. Measured with eleven workloads of 0.01
 * to 0.5 s on fermi_16k, which it predicts within a factor of 2.3, on one machine. A store tells the speed
 * of this machine. */
static const double INSTRUCTION_S = 2e-7, REQUEST_S = 5.5e-7;
enum { LOOKED_AT = 2, MOST = 100000 /* CTAs of a launch; instructions of a warp */, LINE = 128 };

/* Returns the lines that the lanes request. Lanes mostly access lines in order, so a line that comes back
 * counts again. */
static unsigned lines_of(const struct wl_inst *inst) {
  unsigned n = 0;
  uint64_t last = 0;
  for (unsigned lane = 0; lane < WL_LANES; lane++) {
    const uint64_t line = inst->addr[lane] / LINE;
    if (!(inst->active >> lane & 1) || (n && line == last))
      continue;
    last = line;
    n++;
  }
  return n;
}

static double seconds_of(struct wl_source *w, uint32_t cta, uint32_t warp) {
  void *stream = w->ops->open_warp(w, cta, warp);
  struct wl_inst inst = {.op = WL_ALU};
  double s = 0;
  if (!stream)
    return 0;
  for (unsigned n = 0; inst.op != WL_EXIT && n < MOST; n++) {
    wl_next(w, stream, &inst);
    s += INSTRUCTION_S + (wl_is_memory(inst.op) ? REQUEST_S * lines_of(&inst) : 0);
  }
  w->ops->close_warp(stream);
  return s;
}

/* Returns the cost of a workload: that of the first CTAs of each launch, times all CTAs; 0 if it cannot be
 * opened. */
static double size_of(const char *workload) {
  char err[256];
  struct wl_source *w = wl_open(workload, err, sizeof err);
  struct wl_launch launch;
  double all = 0;
  while (w && w->ops->next_launch(w, &launch)) {
    const uint32_t ctas = launch.ctas < LOOKED_AT ? launch.ctas : LOOKED_AT;
    double some = 0;
    for (uint32_t cta = 0; cta < ctas; cta++)
      for (uint32_t warp = 0; warp < launch.warps_per_cta; warp++)
        some += seconds_of(w, cta, warp);
    all += ctas ? some / ctas * launch.ctas : 0;
  }
  if (w)
    w->ops->close(w);
  return all;
}

void hd_run_set_costs(struct hd_run_set *m) {
  double *size = hd_zeroed(m->workloads, sizeof *size),
         pace = m->store ? hd_store_pace(m->store, INSTRUCTION_S, REQUEST_S) : 0;
  if (!(pace > 0))
    pace = 1;
  for (size_t i = 0; i < m->runs; i++) {
    struct hd_run *run = &m->run[i];
    run->cost = run->result || !m->store ? 0 : hd_store_seconds(m->store, run->key);
    if (run->result || run->cost > 0)
      continue;
    if (!(size[run->number] > 0))
      size[run->number] = 1e-3 + size_of(run->workload); /* a process by itself takes some time */
    run->cost = size[run->number] * pace;
  }
  free(size);
}

struct open_run {
  size_t run;
  double cost;
};

/* The costliest first; equal ones in order. */
static int compare(const void *a, const void *b) {
  const struct open_run *x = a, *y = b;
  return x->cost != y->cost ? (x->cost < y->cost) - (x->cost > y->cost)
                            : (x->run > y->run) - (x->run < y->run);
}

size_t *hd_run_set_open(const struct hd_run_set *m, size_t *n) {
  struct open_run *open = hd_zeroed(m->runs, sizeof *open);
  size_t *order = hd_zeroed(m->runs, sizeof *order);
  *n = 0;
  for (size_t i = 0; i < m->runs; i++)
    if (!m->run[i].result)
      open[(*n)++] = (struct open_run){i, m->run[i].cost};
  qsort(open, *n, sizeof *open, compare);
  for (size_t i = 0; i < *n; i++)
    order[i] = open[i].run;
  free(open);
  return order;
}
