/* Characterising loads; see trace_stats.h. */
#include "workloads/trace/trace_stats.h"
#include "workloads/plan/line_table.h"
#include "workloads/rng.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Limits of an SM, as in the papers' machines; places in the tables of lines; kernels. */
enum { SM_WARPS = 48, SM_CTAS = 8, PLACES = 1 << 22, KERNELS = 256 };

/* The last execution of a load on an SM. */
struct last {
  uint64_t line; /* address of its line */
  uint32_t slot;
  bool any;
};

/* The loads that referenced a line since it was brought: bits of wl_line.by. BY_SAME_WARP: by the warp that
 * brought it. BY_SAME_LOAD, BY_OTHER_LOAD: by another warp, with the load that brought it or with another. */
enum { BY_SAME_LOAD = 1, BY_SAME_WARP = 2, BY_OTHER_LOAD = 4 };

static enum wl_locality type_of(unsigned by) {
  const bool others = by & (BY_SAME_LOAD | BY_OTHER_LOAD);
  if (by & BY_SAME_WARP)
    return others ? WL_INTER_INTRA : WL_INTRA;
  return by & BY_SAME_LOAD ? WL_INTER : others ? WL_INTER_OTHER : WL_STREAMING;
}

/* State of a static load beside its figures. */
struct counting {
  uint32_t strides; /* different strides that are being counted */
  struct {
    int64_t stride;
    uint64_t count;
  } stride[WL_STATS_STRIDES];
  uint64_t lines, brought[WL_LOCALITIES]; /* in this launch and its sample */
};

struct run {
  const struct wl_stats_how *how;
  struct wl_source *source;
  struct wl_stats *stats;
  struct wl_launch launch;
  uint32_t kernel; /* index of this launch's kernel */
  struct counting *count;
  uint64_t uses[WL_STATS_USES]; /* in this launch and its sample */
  uint32_t *referred;           /* references of each SM, modulo 2^32 */
  struct last *last;            /* for each load on each SM */
  struct wl_line_table lines;   /* the lines of each SM */
  struct wl_line_table seen;    /* the lines of each SM and load */
  bool failed;                  /* memory is out, or a warp could not be opened */
};

/* A running warp. */
struct warp {
  void *stream;
  uint64_t number;   /* number in the launch */
  uint32_t sm, slot; /* slot: its place on the SM */
};

static uint64_t hash(uint64_t line, uint32_t sm, uint32_t load) {
  return wl_rng_mix(wl_rng_mix(sm, line), load);
}

static void drop_seen(void *user, const struct wl_line *line) {
  ((struct run *)user)->count[line->load].lines--;
}

/* The class of a number of uses: 0, 1, 2 to 3, 4 to 7, more give 0 to 4. */
static unsigned uses_class(unsigned uses) {
  unsigned n = 0;
  while (uses >> n && n < WL_STATS_USES - 1)
    n++;
  return n;
}

/* The class of a distance: up to 16, 64, ... give 0, 1, ... */
static unsigned distance_class(uint32_t distance) {
  unsigned n = 0;
  for (uint32_t most = 16; distance > most && n < WL_STATS_DISTANCES - 1; most *= 4)
    n++;
  return n;
}

static void drop_line(void *user, const struct wl_line *line) {
  struct run *r = user;
  r->count[line->load].brought[type_of(line->by)]--;
  r->uses[uses_class(line->uses)]--;
}

/* --- one load ------------------------------------------------------------------------------------------- */

/* Counts a stride. The count is exact for few different strides; else rare strides drop out (Misra and
 * Gries, "Finding repeated elements", 1982). */
static void count_stride(struct counting *c, int64_t stride) {
  for (uint32_t i = 0; i < c->strides; i++)
    if (c->stride[i].stride == stride) {
      c->stride[i].count++;
      return;
    }
  if (c->strides < WL_STATS_STRIDES) {
    c->stride[c->strides].stride = stride;
    c->stride[c->strides++].count = 1;
    return;
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < c->strides; i++)
    if (--c->stride[i].count)
      c->stride[kept++] = c->stride[i];
  c->strides = kept;
}

/* Returns the static load's number, or WL_STATS_LOADS if there are too many. */
static uint32_t number_of(struct run *r, uint32_t pc) {
  struct wl_stats *s = r->stats;
  for (uint32_t i = s->loads; i-- > 0;) /* the current kernel's are usually the last */
    if (s->load[i].pc == pc && s->load[i].kernel == r->kernel)
      return i;
  if (s->loads == WL_STATS_LOADS)
    return WL_STATS_LOADS;
  s->load[s->loads] = (struct wl_load){.kernel = r->kernel, .pc = pc};
  return s->loads++;
}

static void reference(struct run *r, const struct warp *w, uint32_t load, uint64_t line) {
  bool fresh;
  struct wl_line *l = wl_lines_find(&r->seen, hash(line, w->sm, load + 1), &fresh, &r->failed);
  if (l && fresh) {
    l->load = (uint16_t)load;
    r->count[load].lines++;
  }
  const uint32_t now = ++r->referred[w->sm];
  l = wl_lines_find(&r->lines, hash(line, w->sm, 0), &fresh, &r->failed);
  if (!l)
    return;
  if (fresh) {
    l->load = (uint16_t)load;
    l->warp = (uint32_t)w->number;
    l->by = l->uses = 0;
  } else {
    const bool same = l->warp == (uint32_t)w->number;
    r->count[l->load].brought[type_of(l->by)]--;
    r->uses[uses_class(l->uses)]--;
    l->by |= same ? BY_SAME_WARP : l->load == load ? BY_SAME_LOAD : BY_OTHER_LOAD;
    l->uses += l->uses < UINT8_MAX;
    r->stats->kernel[r->kernel]
        .again[same ? WL_BY_SAME_WARP : WL_BY_ANOTHER][distance_class(now - l->last)] += r->lines.every;
  }
  l->last = now;
  r->count[l->load].brought[type_of(l->by)]++;
  r->uses[uses_class(l->uses)]++;
}

static void load(struct run *r, const struct warp *w, const struct wl_inst *inst) {
  const uint32_t n = number_of(r, inst->pc);
  if (n == WL_STATS_LOADS) {
    r->stats->left_out++;
    return;
  }
  struct wl_load *figures = &r->stats->load[n];
  struct last *last = &r->last[n * r->how->sms + w->sm];
  const uint64_t address = inst->addr[__builtin_ctz(inst->active)] & ~(uint64_t)(r->how->line_bytes - 1);
  figures->execs++;
  r->stats->kernel[r->kernel].threads += (unsigned)__builtin_popcount(inst->active);
  if (last->any && last->slot != w->slot) {
    const bool back = w->slot < last->slot; /* keeps `warps` positive: -2^63 divided by -1 has no value */
    const int64_t distance = (int64_t)(back ? last->line - address : address - last->line);
    const int64_t warps = back ? last->slot - w->slot : w->slot - last->slot;
    figures->pairs++;
    if (distance % warps == 0)
      count_stride(&r->count[n], distance / warps);
  }
  *last = (struct last){address, w->slot, true};
  uint64_t line[WL_LANES];
  int lines = 0;
  for (uint32_t rest = inst->active; rest; rest &= rest - 1) {
    const uint64_t at = inst->addr[__builtin_ctz(rest)] / r->how->line_bytes;
    int i = lines - 1;
    while (i >= 0 && line[i] != at)
      i--;
    if (i < 0)
      line[lines++] = at;
  }
  figures->refs += (uint64_t)lines;
  for (int i = 0; i < lines; i++)
    reference(r, w, n, line[i]);
}

/* --- launches ------------------------------------------------------------------------------------------- */

static bool failed(struct run *r) {
  return r->failed || (r->source->ops->error && r->source->ops->error(r->source));
}

/* Runs CTAs first to end - 1 at the same time. `first` is a multiple of the number of SMs. */
static void run_group(struct run *r, uint32_t first, uint32_t end, struct warp *warp) {
  uint32_t n = 0;
  for (uint32_t cta = first; cta < end; cta++)
    for (uint32_t i = 0; i < r->launch.warps_per_cta && !failed(r); i++) {
      void *stream = r->source->ops->open_warp(r->source, cta, i);
      if (stream)
        warp[n++] = (struct warp){stream, (uint64_t)cta * r->launch.warps_per_cta + i, cta % r->how->sms,
                                  (cta - first) / r->how->sms * r->launch.warps_per_cta + i};
      else
        r->failed = true;
    }
  while (n) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < n; i++) {
      struct wl_inst inst;
      wl_next(r->source, warp[i].stream, &inst);
      if (inst.op == WL_LOAD && !failed(r))
        load(r, &warp[i], &inst);
      if (inst.op == WL_EXIT || failed(r))
        r->source->ops->close_warp(warp[i].stream);
      else
        warp[left++] = warp[i];
    }
    n = left;
  }
}

/* Returns the kernel's number by its name. The last number takes all kernels beyond KERNELS. */
static uint32_t kernel_of(struct wl_stats *s, const struct wl_launch *launch) {
  uint32_t k = 0;
  while (k < s->kernels && strcmp(s->kernel[k].name, launch->name) != 0)
    k++;
  if (k == KERNELS)
    return KERNELS - 1;
  if (k == s->kernels) {
    s->kernel[k] = (struct wl_stats_kernel){.launches = 0};
    snprintf(s->kernel[k].name, sizeof s->kernel[k].name, "%s", launch->name);
    s->kernels++;
  }
  return k;
}

/* Adds the counts of the launch's tables to the figures. */
static void end_launch(struct run *r) {
  struct wl_stats *s = r->stats;
  for (uint32_t i = 0; i < s->loads; i++) {
    struct counting *c = &r->count[i];
    s->load[i].lines += c->lines * r->seen.every;
    c->lines = 0;
    for (int type = 0; type < WL_LOCALITIES; type++) {
      s->load[i].brought[type] += c->brought[type] * r->lines.every;
      c->brought[type] = 0;
    }
  }
  for (int u = 0; u < WL_STATS_USES; u++) {
    s->kernel[r->kernel].uses[u] += r->uses[u] * r->lines.every;
    r->uses[u] = 0;
  }
  if (r->seen.every > s->sampled)
    s->sampled = (uint32_t)r->seen.every;
  wl_lines_clear(&r->seen);
  wl_lines_clear(&r->lines);
  for (size_t i = 0; i < (size_t)s->loads * r->how->sms; i++)
    r->last[i].any = false;
}

static bool run_launches(struct run *r) {
  struct warp *warp = calloc((size_t)r->how->sms * SM_WARPS, sizeof *warp);
  uint64_t number = 0;
  r->failed = !warp;
  while (!failed(r) && r->source->ops->next_launch(r->source, &r->launch)) {
    const uint32_t fit = SM_WARPS / r->launch.warps_per_cta, each = fit < SM_CTAS ? fit : SM_CTAS;
    const uint32_t group = r->how->sms * each;
    r->kernel = kernel_of(r->stats, &r->launch);
    r->stats->kernel[r->kernel].launches++;
    number++;
    for (uint32_t cta = 0; cta < r->launch.ctas && !failed(r);) {
      const uint32_t end = r->launch.ctas - cta > group ? cta + group : r->launch.ctas;
      if (r->how->progress)
        r->how->progress(r->how->user, &r->launch, number, cta);
      run_group(r, cta, end, warp);
      cta = end;
    }
    end_launch(r);
  }
  free(warp);
  return !failed(r);
}

static int by_kernel(const void *a, const void *b) {
  const struct wl_load *x = a, *y = b;
  if (x->kernel != y->kernel)
    return x->kernel < y->kernel ? -1 : 1;
  if (x->refs != y->refs)
    return x->refs > y->refs ? -1 : 1;
  return x->pc < y->pc ? -1 : x->pc > y->pc;
}

static void finish(struct run *r) {
  struct wl_stats *s = r->stats;
  for (uint32_t i = 0; i < s->loads; i++) {
    struct wl_load *l = &s->load[i];
    const struct counting *c = &r->count[i];
    for (uint32_t k = 0; k < c->strides; k++)
      if (c->stride[k].count > l->strides) {
        l->strides = c->stride[k].count;
        l->stride = c->stride[k].stride;
      }
    struct wl_stats_kernel *kernel = &s->kernel[l->kernel];
    kernel->execs += l->execs;
    kernel->refs += l->refs;
    for (int type = 0; type < WL_LOCALITIES; type++)
      kernel->brought[type] += l->brought[type];
  }
  qsort(s->load, s->loads, sizeof *s->load, by_kernel);
}

bool wl_stats_run(struct wl_source *source, const struct wl_stats_how *how, struct wl_stats *stats, char *err,
                  size_t errlen) {
  struct run r = {.how = how, .source = source, .stats = stats};
  *stats = (struct wl_stats){.sampled = 1};
  stats->kernel = calloc(KERNELS, sizeof *stats->kernel);
  stats->load = calloc(WL_STATS_LOADS, sizeof *stats->load);
  r.count = calloc(WL_STATS_LOADS, sizeof *r.count);
  r.last = calloc((size_t)WL_STATS_LOADS * how->sms, sizeof *r.last);
  r.referred = calloc(how->sms, sizeof *r.referred);
  const bool seen = wl_lines_begin(&r.seen, PLACES), lines = wl_lines_begin(&r.lines, PLACES);
  r.seen.dropped = drop_seen;
  r.lines.dropped = drop_line;
  r.seen.user = r.lines.user = &r;
  const bool good =
      stats->kernel && stats->load && r.count && r.last && r.referred && seen && lines && run_launches(&r);
  const char *error = source->ops->error ? source->ops->error(source) : NULL;
  if (good)
    finish(&r);
  else
    snprintf(err, errlen, "%s", error ? error : "out of memory");
  wl_lines_free(&r.seen);
  wl_lines_free(&r.lines);
  free(r.count);
  free(r.last);
  free(r.referred);
  if (!good)
    wl_stats_free(stats);
  return good;
}

double wl_similarity(const struct wl_stats *stats, uint32_t k) {
  uint64_t all = 0, alike = 0;
  for (uint32_t i = 0; i < stats->loads; i++) {
    const struct wl_load *l = &stats->load[i];
    if (k < stats->kernels && l->kernel != k)
      continue;
    uint64_t type[WL_LOCALITIES], most = 0;
    memcpy(type, l->brought, sizeof type);
    type[WL_INTER] += type[WL_INTER_OTHER];
    type[WL_INTER_OTHER] = 0;
    for (int t = 0; t < WL_LOCALITIES; t++) {
      all += type[t];
      most = type[t] > most ? type[t] : most;
    }
    alike += most;
  }
  return all ? (double)alike / (double)all : -1;
}

void wl_stats_free(struct wl_stats *stats) {
  free(stats->kernel);
  free(stats->load);
}
