/* Walks through a workload twice: for its loads, and for its launches and instructions; see walked.h. */
#include "workloads/papers/walked.h"
#include "workloads/plan/line_table.h"
#include "workloads/rng.h"
#include "workloads/trace/trace_stats.h"
#include "workloads/walk.h"
#include "workloads/workloads.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 128, PLACES = 1 << 22 };

/* --- launches and instructions -------------------------------------------------------------------------- */

struct counter {
  struct wl_walker walker; /* must be first: walk.h passes it to the functions */
  const char *main;
  struct wl_walked *walked;
  struct wl_line_table lines;
  uint64_t insts, fresh;
  bool failed;
};

static bool on_launch(struct wl_walker *self, const struct wl_source *source, const struct wl_launch *l) {
  (void)source;
  struct counter *c = (struct counter *)self;
  if (!strcmp(l->name, c->main) && l->ctas > c->walked->main.ctas)
    c->walked->main = *l;
  return true;
}

static void drop(void *user, const struct wl_line *line) {
  (void)line;
  ((struct counter *)user)->fresh--;
}

static bool on_inst(struct wl_walker *self, const struct wl_inst *inst) {
  struct counter *c = (struct counter *)self;
  if (inst->op == WL_EXIT)
    return true;
  c->insts += (uint64_t)__builtin_popcount(inst->active);
  uint64_t last = UINT64_MAX;
  for (uint32_t rest = inst->op == WL_LOAD ? inst->active : 0; rest; rest &= rest - 1) {
    const uint64_t line = inst->addr[__builtin_ctz(rest)] / LINE;
    bool fresh = false;
    if (line != last && wl_lines_find(&c->lines, wl_rng_mix(line, 0), &fresh, &c->failed))
      c->fresh += fresh;
    last = line;
  }
  return !c->failed;
}

static bool count(const char *spec, const char *main, struct wl_walked *walked, char *err, size_t errlen) {
  struct wl_source *source = wl_open(spec, err, errlen);
  if (!source)
    return false;
  struct counter c = {.walker = {.launch = on_launch, .inst = on_inst}, .main = main, .walked = walked};
  bool good = wl_lines_begin(&c.lines, PLACES);
  c.lines.dropped = drop;
  c.lines.user = &c;
  if (!good)
    c.failed = true;
  good = good && wl_walk(source, &c.walker, err, errlen);
  if (c.failed)
    snprintf(err, errlen, "out of memory");
  walked->fact[WL_FACT_ctas] = walked->main.ctas;
  walked->fact[WL_FACT_thread_insts] = 1e-6 * (double)c.insts;
  walked->fact[WL_FACT_lines] = 1e-3 * (double)(c.fresh * c.lines.every);
  wl_lines_free(&c.lines);
  source->ops->close(source);
  return good;
}

/* --- loads ---------------------------------------------------------------------------------------------- */

static double per_cent(uint64_t part, uint64_t all) {
  return all ? 100 * (double)part / (double)all : 0;
}

/* Returns the kernel whose loads reference most lines. */
static uint32_t main_of(const struct wl_stats *s) {
  uint32_t main = 0;
  for (uint32_t k = 1; k < s->kernels; k++)
    if (s->kernel[k].refs > s->kernel[main].refs)
      main = k;
  return main;
}

static void take_loads(const struct wl_stats *s, uint32_t main, uint32_t sms, struct wl_walked *walked) {
  uint64_t lines = 0, brought[WL_LOCALITIES] = {0}, all = 0;
  for (uint32_t i = 0; i < s->loads; i++) {
    const struct wl_load *l = &s->load[i];
    for (int t = 0; t < WL_LOCALITIES; t++) {
      brought[t] += l->brought[t];
      all += l->brought[t];
      lines += l->kernel == main ? l->brought[t] : 0; /* each line once */
    }
    if (l->kernel != main || walked->loads == WL_WALKED_LOADS)
      continue;
    walked->load[walked->loads++] = (struct wl_walked_load){.share = per_cent(l->refs, s->kernel[main].refs),
                                                            .lines = (double)l->lines / (double)l->refs,
                                                            .stride = l->stride,
                                                            .strides = l->strides != 0,
                                                            .stride_share = per_cent(l->strides, l->pairs)};
  }
  walked->fact[WL_FACT_load_pcs] = s->loads;
  walked->fact[WL_FACT_sm_mb] = 1e-6 * (double)lines * LINE / sms / (double)s->kernel[main].launches;
  walked->fact[WL_FACT_streaming] = per_cent(brought[WL_STREAMING], all);
  walked->fact[WL_FACT_intra] = per_cent(brought[WL_INTRA], all);
  walked->fact[WL_FACT_similarity] = wl_similarity(s, s->kernels);
}

bool wl_walk_facts(const char *spec, uint32_t sms, struct wl_walked *walked, char *err, size_t errlen) {
  *walked = (struct wl_walked){.loads = 0};
  struct wl_source *source = wl_open(spec, err, errlen);
  if (!source)
    return false;
  struct wl_stats s;
  const bool good =
      wl_stats_run(source, &(struct wl_stats_how){.sms = sms, .line_bytes = LINE}, &s, err, errlen);
  source->ops->close(source);
  if (!good)
    return false;
  const uint32_t main = main_of(&s);
  take_loads(&s, main, sms, walked);
  const bool counted = count(spec, s.kernel[main].name, walked, err, errlen);
  wl_stats_free(&s);
  return counted;
}

bool wl_walked_fact(const struct wl_walked *walked, enum wl_fact fact, unsigned n, double *value) {
  if (wl_fact_texts[fact].from != WL_FACT_WALK)
    return false;
  if (!n) {
    *value = walked->fact[fact];
    return true;
  }
  if (n > walked->loads)
    return false;
  const struct wl_walked_load *l = &walked->load[n - 1];
  if ((fact == WL_FACT_load_stride || fact == WL_FACT_load_stride_share) && !l->strides)
    return false;
  *value = fact == WL_FACT_load_share    ? l->share
           : fact == WL_FACT_load_lines  ? l->lines
           : fact == WL_FACT_load_stride ? (double)l->stride
                                         : l->stride_share;
  return true;
}
