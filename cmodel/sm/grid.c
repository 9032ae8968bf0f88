/* The CTA dispatcher; see grid.h.
 *
 * Invariant: `left` CTAs of the launch had not ended at the last settling. `next` is the first CTA that has not been handed out. */
#include "cmodel/sm/grid.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* A CTA that has ended, and whose place is to be filled. */
struct ended {
  uint64_t at;
  unsigned sm;
};

/* The CTAs of an SM that have ended since the last settling. SMs may note theirs at the same time. */
struct ends {
  _Alignas(64) unsigned n;
  uint64_t at[HD_MOST(sm, ctas)];
};

struct hd_grid {
  const struct hd_config *c;
  struct wl_source *source;
  struct hd_grid_sm *sm;
  unsigned sms; /* SMs that have joined */
  struct wl_launch launch;
  unsigned residents;
  uint32_t next, left;
  uint64_t launches;
  bool no_more;
  char error[256];
  uint64_t last_end;     /* last end of a CTA of this launch */
  uint64_t began;        /* the first cycle after the launch before; 0 for the first launch */
  struct ends *ends;     /* of each SM */
  atomic_bool ended_any; /* true if an SM has noted an end */
  struct ended *ended;   /* the ends of all SMs, while they are settled */
  struct hd_grid_gate gate;
};

static void fail(struct hd_grid *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void fail(struct hd_grid *g, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(g->error, sizeof g->error, format, args);
  va_end(args);
}

/* Returns true if the SM has as much of something as one CTA needs. Otherwise notes an error and returns false. */
static bool has_for_one(struct hd_grid *g, const char *what, uint64_t needs, const char *key, unsigned has) {
  if (needs > has)
    fail(g, "kernel %s: %llu %s a CTA; the SM has %s = %u", g->launch.name, (unsigned long long)needs, what,
         key, has);
  return needs <= has;
}

static uint64_t threads_of(const struct wl_launch *l) {
  return (uint64_t)l->warps_per_cta * WL_LANES;
}
static uint64_t registers_of(const struct wl_launch *l) {
  return ((uint64_t)l->regs + 3) / 4 * 4 * threads_of(l);
}

unsigned hd_grid_fit(const struct hd_config *c, const struct wl_launch *l) {
  const struct {
    uint64_t needs;
    unsigned has;
  } t[] = {{l->warps_per_cta, c->sm.warps},
           {threads_of(l), c->sm.threads},
           {registers_of(l), c->sm.registers},
           {l->shared_bytes, c->sm.shared_bytes}};
  unsigned most = c->sm.ctas;
  for (unsigned i = 0; i < sizeof t / sizeof *t; i++)
    while (t[i].needs * most > t[i].has)
      most--;
  return most;
}

/* Returns how many CTAs of the launch an SM can hold. Returns 0 after noting an error if it can hold none. */
static unsigned residents_of(struct hd_grid *g) {
  const struct wl_launch *l = &g->launch;
  const struct hd_config *c = g->c;
  if (l->warps_per_cta < 1 || l->warps_per_cta > WL_LANES || !l->ctas) {
    fail(g, "kernel %s: %u CTAs of %u warps; allowed at least 1, of 1 to 32 warps", l->name, l->ctas,
         l->warps_per_cta);
    return 0;
  }
  const bool fits =
      has_for_one(g, "warps", l->warps_per_cta, "sm.warps", c->sm.warps) &&
      has_for_one(g, "threads", threads_of(l), "sm.threads", c->sm.threads) &&
      has_for_one(g, "registers", registers_of(l), "sm.registers", c->sm.registers) &&
      has_for_one(g, "bytes of shared memory", l->shared_bytes, "sm.shared_bytes", c->sm.shared_bytes);
  return fits ? hd_grid_fit(c, l) : 0;
}

/* Moves on to the next launch that is to run. Returns false if there is none. */
static bool next_launch(struct hd_grid *g) {
  bool there;
  do
    there = g->source->ops->next_launch(g->source, &g->launch);
  while (there && g->gate.runs && !g->gate.runs(g->gate.ctx, g->source, &g->launch));
  return there;
}

/* Reads the next launch, if there is one. */
static void read_launch(struct hd_grid *g) {
  struct wl_source *source = g->source;
  if (!next_launch(g)) {
    const char *error = source->ops->error ? source->ops->error(source) : NULL;
    if (error)
      fail(g, "%s", error);
    g->no_more = true;
    return;
  }
  g->residents = residents_of(g);
  g->next = 0;
  g->left = g->residents ? g->launch.ctas : 0;
  g->no_more = !g->residents;
}

enum hd_rc hd_grid_new(const struct hd_config *c, struct wl_source *source, struct hd_grid **grid,
                       struct hd_why *why) {
  struct hd_grid *g = *grid = malloc(sizeof *g);
  const size_t sms = c->gpu.sms;
  if (g)
    *g = (struct hd_grid){.c = c,
                          .source = source,
                          .sm = calloc(sms, sizeof *g->sm),
                          .ends = aligned_alloc(_Alignof(struct ends), sms * sizeof *g->ends),
                          .ended = malloc(sms * HD_MOST(sm, ctas) * sizeof *g->ended)};
  if (!g || !g->sm || !g->ends || !g->ended) {
    hd_grid_free(g);
    *grid = NULL;
    return hd_because(why, HD_TOOL, "out of memory");
  }
  memset(g->ends, 0, sms * sizeof *g->ends);
  read_launch(g);
  if (!g->error[0])
    return HD_OK;
  const enum hd_rc rc = hd_because(why, HD_INPUT, "%s", g->error);
  hd_grid_free(g);
  *grid = NULL;
  return rc;
}

void hd_grid_free(struct hd_grid *grid) {
  if (!grid)
    return;
  free(grid->sm);
  free(grid->ends);
  free(grid->ended);
  free(grid);
}

/* Hands out the CTAs with which a launch starts, in the cycles from `at` on. */
static void begin_launch(struct hd_grid *g, uint64_t at) {
  g->launches++;
  for (unsigned s = 0; s < g->sms; s++)
    g->sm[s].launch(g->sm[s].sm);
  for (unsigned k = 0; k < g->residents; k++)
    for (unsigned s = 0; s < g->sms && g->next < g->launch.ctas; s++)
      g->sm[s].give(g->sm[s].sm, g->next++, at + k);
}

unsigned hd_grid_join(struct hd_grid *grid, const struct hd_grid_sm *sm) {
  if (grid->sms == grid->c->gpu.sms)
    return HD_GRID_FULL;
  const unsigned number = grid->sms++;
  grid->sm[number] = *sm;
  if (grid->sms == grid->c->gpu.sms && !grid->no_more)
    begin_launch(grid, 0);
  return number;
}

static int earlier(const void *a, const void *b) {
  const struct ended *x = a, *y = b;
  if (x->at != y->at)
    return x->at < y->at ? -1 : 1;
  return x->sm < y->sm ? -1 : x->sm > y->sm;
}

/* Takes the CTAs that have ended, in the order of their ends, and returns their number. */
static unsigned gather(struct hd_grid *g) {
  unsigned n = 0;
  if (!g->ended_any)
    return 0;
  g->ended_any = false;
  for (unsigned s = 0; s < g->sms; s++) {
    for (unsigned i = 0; i < g->ends[s].n; i++)
      g->ended[n++] = (struct ended){g->ends[s].at[i], s};
    g->ends[s].n = 0;
  }
  qsort(g->ended, n, sizeof *g->ended, earlier);
  g->left -= n;
  if (n && g->ended[n - 1].at > g->last_end)
    g->last_end = g->ended[n - 1].at;
  return n;
}

/* A CTA that takes a slot in cycle `at` is announced in the next one. So `later` is 1 less than the latency. */
void hd_grid_settle(struct hd_grid *g) {
  const uint64_t later = g->c->gpu.dispatch_latency - 1;
  const unsigned n = gather(g);
  for (unsigned i = 0; i < n && g->next < g->launch.ctas; i++) {
    const struct hd_grid_sm *sm = &g->sm[g->ended[i].sm];
    sm->give(sm->sm, g->next++, g->ended[i].at + later);
  }
  if (g->left || g->no_more)
    return;
  read_launch(g);
  g->began = g->last_end + 1;
  if (!g->no_more)
    begin_launch(g, g->last_end + 1 + later);
}

void hd_grid_ended(struct hd_grid *grid, unsigned sm, uint64_t at) {
  struct ends *ends = &grid->ends[sm];
  ends->at[ends->n++] = at;
  grid->ended_any = true;
  if (grid->sms == 1)
    hd_grid_settle(grid);
}

bool hd_grid_pass_cta(struct hd_grid *grid, uint32_t *cta) {
  if (grid->next == grid->launch.ctas)
    return false;
  *cta = grid->next++;
  grid->left--;
  return true;
}

void hd_grid_set_gate(struct hd_grid *grid, const struct hd_grid_gate *gate) {
  grid->gate = *gate;
}

const struct wl_launch *hd_grid_launch(const struct hd_grid *grid) {
  return &grid->launch;
}

struct wl_source *hd_grid_source(const struct hd_grid *grid) {
  return grid->source;
}

unsigned hd_grid_residents(const struct hd_grid *grid) {
  return grid->residents;
}

uint64_t hd_grid_launches(const struct hd_grid *grid) {
  return grid->launches;
}

uint32_t hd_grid_ended_ctas(const struct hd_grid *grid) {
  return (uint32_t)(grid->launch.ctas - grid->left);
}

uint64_t hd_grid_cycles(const struct hd_grid *grid) {
  return grid->last_end + 1;
}

uint32_t hd_grid_given(const struct hd_grid *grid) {
  return grid->next;
}

uint64_t hd_grid_began(const struct hd_grid *grid) {
  return grid->began;
}

bool hd_grid_done(const struct hd_grid *grid) {
  return grid->no_more;
}

const char *hd_grid_error(const struct hd_grid *grid) {
  return grid->error[0] ? grid->error : NULL;
}
