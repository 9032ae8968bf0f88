/* Building a plan: array layout, grid shape, instruction numbering, block matching. See plan.h. */
#include "workloads/plan/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A kernel description that does not fit is a mistake in this program, never in its input. The first
 * mistake is kept. Entries beyond the end of a table then take the place of its last entry. */
static bool require(struct wl_plan *plan, bool ok, const char *what) {
  if (!ok && !plan->wrong)
    plan->wrong = what;
  return ok;
}

void wl_plan_begin(struct wl_plan *plan) {
  memset(&plan->launch, 0, sizeof plan->launch);
  plan->arrays = plan->steps = plan->insts = plan->depth = plan->loops = plan->state_bytes = 0;
  plan->top = WL_BASE;
  plan->wrong = NULL;
}

int wl_array(struct wl_plan *plan, const char *name, uint64_t count, uint32_t elem) {
  if (!require(plan, plan->arrays < WL_MAX_ARRAYS, "too many arrays"))
    return WL_MAX_ARRAYS - 1;
  struct wl_array *array = &plan->array[plan->arrays];
  *array = (struct wl_array){.name = name, .base = plan->top, .bytes = count * elem, .elem = elem};
  plan->top += (array->bytes + WL_ALIGN - 1) / WL_ALIGN * WL_ALIGN;
  require(plan, plan->top <= UINT64_C(1) << 32, "arrays go past 4 GiB");
  return (int)plan->arrays++;
}

void wl_grid_of(struct wl_plan *plan, const char *name, struct wl_dim grid, struct wl_dim block) {
  struct wl_launch *l = &plan->launch;
  const uint32_t g[3] = {grid.x, grid.y, grid.z}, b[3] = {block.x, block.y, block.z};
  uint32_t threads = 1;
  l->ctas = 1;
  for (int d = 0; d < 3; d++) {
    l->grid[d] = g[d] ? g[d] : 1;
    l->block[d] = b[d] ? b[d] : 1;
    l->ctas *= l->grid[d];
    threads *= l->block[d];
  }
  l->warps_per_cta = (threads + WL_LANES - 1) / WL_LANES;
  plan->nx = l->grid[0] * l->block[0];
  plan->ny = l->grid[1] * l->block[1];
  snprintf(l->name, sizeof l->name, "%s", name);
}

void wl_grid(struct wl_plan *plan, const char *name, uint32_t nx, uint32_t ny, uint32_t block_x,
             uint32_t block_y) {
  wl_grid_of(plan, name,
             (struct wl_dim){.x = (nx + block_x - 1) / block_x, .y = (ny + block_y - 1) / block_y},
             (struct wl_dim){.x = block_x, .y = block_y});
  plan->nx = nx;
  plan->ny = ny;
}

void wl_holds(struct wl_plan *plan, uint32_t shared_bytes, uint32_t regs) {
  plan->launch.shared_bytes = shared_bytes;
  plan->launch.regs = regs;
}

static struct wl_step *add_step(struct wl_plan *plan) {
  plan->steps -= !require(plan, plan->steps < WL_MAX_STEPS, "too many steps");
  struct wl_step *step = &plan->step[plan->steps++];
  memset(step, 0, sizeof *step);
  return step;
}

static struct wl_step *add_inst(struct wl_plan *plan, enum wl_op op, int dst, uint64_t src) {
  struct wl_step *step = add_step(plan);
  step->kind = WL_STEP_INST;
  step->op = op;
  step->pc = 8 * plan->insts++;
  step->dst = (int8_t)dst;
  step->src = src;
  return step;
}

void wl_inst(struct wl_plan *plan, enum wl_op op, int dst, uint64_t src) {
  add_inst(plan, op, dst, src);
}

/* For elements of `size` bytes that start at `base`. */
static void add_affine(struct wl_plan *plan, enum wl_op op, int dst, uint64_t src, uint64_t base,
                       uint32_t size, struct wl_at at) {
  struct wl_step *step = add_inst(plan, op, dst, src);
  step->size = (uint8_t)size;
  step->base = base + (uint64_t)at.c * size;
  step->x = (uint64_t)at.x * size;
  step->y = (uint64_t)at.y * size;
  for (int d = 0; d < WL_MAX_LOOPS; d++)
    step->k[d] = (uint64_t)at.k[d] * size;
  for (int d = 0; d < 3; d++) {
    step->b[d] = (uint64_t)at.b[d] * size;
    step->t[d] = (uint64_t)at.t[d] * size;
  }
}

static void add_access(struct wl_plan *plan, enum wl_op op, int dst, uint64_t src, int array,
                       struct wl_at at) {
  add_affine(plan, op, dst, src, plan->array[array].base, plan->array[array].elem, at);
}

void wl_load(struct wl_plan *plan, int dst, int index, int array, struct wl_at at) {
  add_access(plan, WL_LOAD, dst, WL_R(index), array, at);
}

void wl_store(struct wl_plan *plan, uint64_t value, int index, int array, struct wl_at at) {
  add_access(plan, WL_STORE, WL_NO_REG, value | WL_R(index), array, at);
}

void wl_scatter(struct wl_plan *plan, enum wl_op op, int dst, uint64_t src, uint32_t size, wl_addr_fn addr) {
  struct wl_step *step = add_inst(plan, op, dst, src);
  step->size = (uint8_t)size;
  step->addr = addr;
}

void wl_access(struct wl_plan *plan, enum wl_op op, int dst, uint64_t src, int array, wl_elem_fn elem) {
  struct wl_step *step = add_inst(plan, op, dst, src);
  step->size = (uint8_t)plan->array[array].elem;
  step->base = plan->array[array].base;
  step->elem = elem;
}

void wl_shared(struct wl_plan *plan, int dst, uint64_t src, uint32_t size, wl_elem_fn elem) {
  struct wl_step *step = add_inst(plan, WL_SHARED, dst, src);
  step->size = (uint8_t)size;
  step->elem = elem;
}

void wl_shared_at(struct wl_plan *plan, int dst, uint64_t src, uint32_t size, struct wl_at at) {
  add_affine(plan, WL_SHARED, dst, src, 0, size, at);
}

void wl_call(struct wl_plan *plan, wl_call_fn call) {
  struct wl_step *step = add_step(plan);
  step->kind = WL_STEP_CALL;
  step->call = call;
}

static struct wl_step *add_block(struct wl_plan *plan, uint32_t trips, uint32_t level) {
  plan->depth -= !require(plan, plan->depth < WL_MAX_DEPTH, "blocks nested too deep");
  plan->open[plan->depth] = plan->steps;
  struct wl_step *step = add_step(plan);
  step->kind = WL_STEP_BLOCK;
  step->trips = trips;
  step->level = level;
  step->depth = plan->depth++;
  return step;
}

static struct wl_step *add_loop(struct wl_plan *plan, uint32_t trips) {
  plan->loops -= !require(plan, plan->loops < WL_MAX_LOOPS, "loops nested too deep");
  return add_block(plan, trips, plan->loops++);
}

void wl_loop(struct wl_plan *plan, uint32_t trips) {
  add_loop(plan, trips);
}

void wl_loop_while(struct wl_plan *plan, wl_lanes_fn lanes) {
  add_loop(plan, UINT32_MAX)->lanes = lanes;
}

void wl_while_lane(struct wl_plan *plan, wl_lane_fn lane) {
  add_loop(plan, UINT32_MAX)->lane = lane;
}

/* An `if` is a loop of one trip whose counter is not used. */
void wl_if(struct wl_plan *plan, wl_lanes_fn lanes) {
  add_block(plan, 1, WL_MAX_LOOPS)->lanes = lanes;
}

void wl_if_lane(struct wl_plan *plan, wl_lane_fn lane) {
  add_block(plan, 1, WL_MAX_LOOPS)->lane = lane;
}

void wl_end(struct wl_plan *plan) {
  if (!require(plan, plan->depth > 0, "an end without a block"))
    return;
  const uint32_t block = plan->open[--plan->depth], end = plan->steps;
  struct wl_step *step = add_step(plan);
  step->kind = WL_STEP_END;
  step->other = block;
  plan->step[block].other = end;
  if (plan->step[block].level < WL_MAX_LOOPS)
    plan->loops--;
}

void wl_plan_end(struct wl_plan *plan) {
  require(plan, plan->depth == 0, "a block without an end");
  wl_inst(plan, WL_EXIT, WL_NO_REG, 0);
}

uint32_t wl_lanes_inside(const struct wl_warp *warp) {
  uint32_t lanes = 0;
  for (int l = 0; l < WL_LANES; l++)
    if (warp->x[l] < warp->plan->nx && warp->y[l] < warp->plan->ny)
      lanes |= UINT32_C(1) << l;
  return lanes;
}
