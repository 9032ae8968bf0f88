/* The engine: steps a warp through a plan, one instruction per call. plan.h defines plans.
 *
 * Invariant: `next` changes only its own warp, reads the constant plan, and allocates nothing. So warps may
 * be stepped in any order.
 */
#include "workloads/plan/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct plan_source {
  struct wl_source source;
  const struct wl_workload *workload;
  uint32_t launches; /* built so far */
  char error[128];   /* "": none */
  struct wl_plan plan;
};

static bool next_launch(struct wl_source *source, struct wl_launch *launch) {
  struct plan_source *src = (struct plan_source *)source;
  wl_plan_begin(&src->plan);
  src->plan.number = src->launches;
  if (!src->workload->build(&src->plan, src->launches))
    return false;
  wl_plan_end(&src->plan);
  if (src->plan.wrong) {
    snprintf(src->error, sizeof src->error, "%s: a mistake in Heddle: kernel description: %s",
             src->workload->name, src->plan.wrong);
    return false;
  }
  src->launches++;
  *launch = src->plan.launch;
  return true;
}

static void *open_warp(struct wl_source *source, uint32_t cta, uint32_t warp) {
  const struct wl_plan *plan = &((struct plan_source *)source)->plan;
  const uint32_t *grid = plan->launch.grid, *block = plan->launch.block;
  struct wl_warp *w = calloc(1, sizeof *w + plan->state_bytes);
  if (!w)
    return NULL;
  w->plan = plan;
  w->state = w + 1;
  w->cta = cta;
  w->warp = warp;
  w->bx = cta % grid[0];
  w->by = cta / grid[0] % grid[1];
  w->bz = cta / grid[0] / grid[1];
  w->row = true;
  const uint32_t first = warp * WL_LANES, threads = block[0] * block[1] * block[2];
  const uint32_t left = threads > first ? threads - first : 0;
  w->active = left < WL_LANES ? (UINT32_C(1) << left) - 1 : UINT32_MAX;
  uint32_t x = first % block[0], y = first / block[0] % block[1], z = first / block[0] / block[1];
  for (uint32_t l = 0; l < WL_LANES; l++) {
    w->tx[l] = x;
    w->ty[l] = y;
    w->tz[l] = z;
    w->x[l] = w->bx * block[0] + x;
    w->y[l] = w->by * block[1] + y;
    w->row = w->row && w->x[l] == w->x[0] + l && w->y[l] == w->y[0];
    if (++x == block[0]) {
      x = 0;
      y++;
    }
    if (y == block[1]) {
      y = 0;
      z++;
    }
  }
  return w;
}

static uint32_t lanes_where(const struct wl_warp *w, wl_lane_fn lane, uint32_t of) {
  uint32_t lanes = 0;
  for (; of; of &= of - 1) {
    const unsigned l = (unsigned)__builtin_ctz(of);
    lanes |= (uint32_t)lane(w, l) << l;
  }
  return lanes;
}

/* Starts the iteration that the block's counter gives, or leaves the block. A lane that left a loop stays
 * out of it. */
static void enter(struct wl_warp *w, const struct wl_step *block) {
  const uint32_t outer = w->outer[block->depth];
  uint32_t lanes = w->k[block->level] < block->trips ? outer : 0;
  if (lanes && block->lanes)
    lanes &= block->lanes(w);
  else if (lanes && block->lane)
    lanes = lanes_where(w, block->lane, lanes);
  w->active = lanes ? lanes : outer;
  w->at = lanes ? (uint32_t)(block - w->plan->step) + 1 : block->other + 1;
}

static void control(struct wl_warp *w, const struct wl_step *step) {
  if (step->kind == WL_STEP_CALL) {
    w->at++;
    step->call(w);
  } else if (step->kind == WL_STEP_BLOCK) {
    w->outer[step->depth] = w->active;
    w->k[step->level] = 0;
    enter(w, step);
  } else {
    const struct wl_step *block = &w->plan->step[step->other];
    w->k[block->level]++;
    enter(w, block);
  }
}

static void addresses(const struct wl_warp *w, const struct wl_step *step, uint64_t addr[WL_LANES]) {
  if (step->addr) {
    step->addr(w, addr);
    return;
  }
  if (step->elem) {
    for (uint32_t rest = w->active; rest; rest &= rest - 1) {
      const unsigned l = (unsigned)__builtin_ctz(rest);
      addr[l] = step->base + (uint64_t)step->elem(w, l) * step->size;
    }
    return;
  }
  /* Copies, since the compiler cannot know that `addr` does not overlap them. */
  const uint64_t x = step->x, y = step->y, t[3] = {step->t[0], step->t[1], step->t[2]};
  uint64_t base = step->base + step->b[0] * w->bx + step->b[1] * w->by + step->b[2] * w->bz;
  for (int d = 0; d < WL_MAX_LOOPS; d++)
    base += step->k[d] * w->k[d];
  if (w->row) { /* the usual shape, kept free of multiplications by lane */
    const uint64_t slope = x + t[0];
    base += x * w->x[0] + y * w->y[0] + t[0] * w->tx[0] + t[1] * w->ty[0] + t[2] * w->tz[0];
    for (int l = 0; l < WL_LANES; l++, base += slope)
      addr[l] = base;
  } else {
    for (int l = 0; l < WL_LANES; l++)
      addr[l] = base + x * w->x[l] + y * w->y[l] + t[0] * w->tx[l] + t[1] * w->ty[l] + t[2] * w->tz[l];
  }
}

static void next(void *stream, struct wl_inst *inst) {
  struct wl_warp *w = stream;
  const struct wl_step *step = &w->plan->step[w->at];
  while (step->kind != WL_STEP_INST) {
    control(w, step);
    step = &w->plan->step[w->at];
  }
  w->at++;
  inst->op = step->op;
  inst->pc = step->pc;
  inst->active = w->active;
  inst->dst = step->dst;
  inst->kind = 0;
  inst->size = step->size;
  inst->src = step->src;
}

static void locate(void *stream, struct wl_inst *inst) {
  const struct wl_warp *w = stream;
  const struct wl_step *step = &w->plan->step[w->at - 1];
  if (wl_is_memory(step->op) || (step->op == WL_SHARED && step->size))
    addresses(w, step, inst->addr);
}

static void close_warp(void *stream) {
  free(stream);
}

static void close_source(struct wl_source *source) {
  struct plan_source *src = (struct plan_source *)source;
  if (src->workload->release)
    src->workload->release(src->plan.data);
  free(src);
}

static const char *array_name(const struct wl_source *source, uint64_t addr) {
  const struct wl_plan *plan = &((const struct plan_source *)source)->plan;
  for (uint32_t a = 0; a < plan->arrays; a++)
    if (addr >= plan->array[a].base && addr - plan->array[a].base < plan->array[a].bytes)
      return plan->array[a].name;
  return NULL;
}

static const char *error(const struct wl_source *source) {
  const struct plan_source *src = (const struct plan_source *)source;
  return *src->error ? src->error : NULL;
}

static const struct wl_source_ops ops = {
    .next_launch = next_launch,
    .open_warp = open_warp,
    .next = next,
    .locate = locate,
    .close_warp = close_warp,
    .close = close_source,
    .array_name = array_name,
    .error = error,
};

struct wl_source *wl_open_plan(const struct wl_workload *workload, const struct wl_input_values *input,
                               char *err, size_t errlen) {
  struct plan_source *src = calloc(1, sizeof *src);
  if (!src) {
    snprintf(err, errlen, "%s: out of memory", workload->name);
    return NULL;
  }
  src->source.ops = &ops;
  src->workload = workload;
  memcpy(src->plan.key, input->value, sizeof src->plan.key);
  src->plan.file = input->file;
  if (!workload->prepare || workload->prepare(&src->plan, err, errlen)) {
    src->plan.file = NULL;
    return &src->source;
  }
  free(src);
  return NULL;
}
