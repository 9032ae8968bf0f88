/* Rodinia's particlefilter. The naive version has one kernel, which draws the particles of a frame anew.
 * The float version (which computes in double) has four kernels per frame. rodinia_data_filter.h describes
 * the computation.
 *
 * Invariant: the filter is at the frame of the launch that was built last.
 */
#include "workloads/plan/kernel_code.h"
#include "workloads/rodinia/rodinia_data.h"
#include "workloads/rodinia/rodinia_data_filter.h"

#include <stdio.h>
#include <stdlib.h>

#define OWN AT(.x = 1)

enum { NAIVE_BLOCK = 128, FLOAT_BLOCK = 512, DOUBLE = 8 };
enum { KEY_PARTICLES, KEY_SIZE, KEY_FRAMES, KEY_SEED };
enum { R_U = R_LOADED, R_X, R_Y, R_SEED };

void rd_particle_release(void *data) {
  wl_filter_free(data);
  free(data);
}

bool rd_particle_prepare(struct wl_plan *p, char *err, size_t errlen) {
  struct wl_filter *f = malloc(sizeof *f);
  p->data = f;
  if (f && wl_filter_begin(f, (uint32_t)p->key[KEY_SIZE], (uint32_t)p->key[KEY_FRAMES],
                           (uint32_t)p->key[KEY_PARTICLES], p->key[KEY_SEED]))
    return true;
  snprintf(err, errlen, "particlefilter: out of memory");
  if (f)
    rd_particle_release(f);
  return false;
}

/* The search runs to the first place where the summed weights reach u, or to the end if none does. */
static bool searches(const struct wl_warp *w, unsigned l) {
  const struct wl_filter *f = w->plan->data;
  return w->k[0] <= f->index[w->x[l]];
}

static int64_t found(const struct wl_warp *w, unsigned l) {
  const struct wl_filter *f = w->plan->data;
  return f->index[w->x[l]];
}

static void position(struct wl_plan *p) {
  wl_inst(p, WL_ALU, R_POS, 0);
  wl_inst(p, WL_ALU, R_PRED, WL_R(R_POS));
}

/* Opens a block for the threads that have a particle. */
static void if_particle(struct wl_plan *p) {
  wl_inst(p, WL_ALU, WL_NO_REG, WL_R(R_PRED));
  wl_if(p, wl_lanes_inside);
}

struct arrays {
  int x, y, cdf, u, xj, yj;
};

/* Draws each particle anew. */
static void find_index(struct wl_plan *p, const char *name, uint32_t block, const struct arrays *a) {
  const struct wl_filter *f = p->data;
  wl_grid(p, name, f->particles, 1, block, 1);
  position(p);
  if_particle(p);
  wl_load(p, R_U, R_POS, a->u, OWN);
  wl_inst(p, WL_ALU, R_INDEX, 0);
  wl_while_lane(p, searches);
  wl_load(p, R_A, R_INDEX, a->cdf, AT(.k = {1}));
  wl_inst(p, WL_ALU, R_B, WL_R(R_A) | WL_R(R_U));
  wl_inst(p, WL_ALU, WL_NO_REG, WL_R(R_B));
  code_chain(p, WL_ALU, 3, R_INDEX, WL_R(R_INDEX));
  wl_inst(p, WL_ALU, R_C, WL_R(R_INDEX));
  wl_inst(p, WL_ALU, WL_NO_REG, WL_R(R_C));
  wl_end(p);
  wl_access(p, WL_LOAD, R_X, WL_R(R_INDEX), a->x, found);
  wl_access(p, WL_LOAD, R_Y, WL_R(R_INDEX), a->y, found);
  wl_store(p, WL_R(R_X), R_POS, a->xj, OWN);
  wl_store(p, WL_R(R_Y), R_POS, a->yj, OWN);
  wl_end(p);
}

bool rd_particle_naive(struct wl_plan *p, uint32_t launch) {
  struct wl_filter *f = p->data;
  const uint32_t n = f->particles;
  const struct arrays a = {wl_array(p, "arrayX", n, DOUBLE), wl_array(p, "arrayY", n, DOUBLE),
                           wl_array(p, "CDF", n, DOUBLE),    wl_array(p, "u", n, DOUBLE),
                           wl_array(p, "xj", n, DOUBLE),     wl_array(p, "yj", n, DOUBLE)};
  if (launch + 1 >= f->frames)
    return false;
  wl_filter_step(f);
  find_index(p, "particlefilter.naive", NAIVE_BLOCK, &a);
  return true;
}

struct float_arrays {
  struct arrays a;
  int weights, seed, objxy, ind, image, likelihood, partial;
};

/* The pixel under point k[0]. */
static int64_t pixel(const struct wl_warp *w, unsigned l) {
  return wl_filter_pixel(w->plan->data, w->x[l], w->k[0]);
}

/* A normal deviate, from two uniform ones; each is a step of the thread's own congruential generator. */
static void deviate(struct wl_plan *p, int seed) {
  for (int i = 0; i < 2; i++) {
    wl_load(p, R_SEED, R_POS, seed, OWN);
    code_chain(p, WL_ALU, 3, R_SEED, WL_R(R_SEED));
    wl_store(p, WL_R(R_SEED), R_POS, seed, OWN);
    wl_inst(p, WL_SFU, R_A, WL_R(R_SEED));
  }
  code_chain(p, WL_SFU, 3, R_A, WL_R(R_A)); /* logarithm, cosine, square root */
}

/* Adds a deviate to a coordinate. */
static void move_by_deviate(struct wl_plan *p, int coordinate, int seed) {
  deviate(p, seed);
  wl_load(p, R_X, R_POS, coordinate, OWN);
  wl_inst(p, WL_ALU, R_X, WL_R(R_X) | WL_R(R_A));
  wl_inst(p, WL_ALU, R_X, WL_R(R_X));
  wl_store(p, WL_R(R_X), R_POS, coordinate, OWN);
}

static void predict(struct wl_plan *p, const struct float_arrays *f) {
  if_particle(p);
  wl_load(p, R_X, R_POS, f->a.xj, OWN);
  wl_store(p, WL_R(R_X), R_POS, f->a.x, OWN);
  wl_load(p, R_Y, R_POS, f->a.yj, OWN);
  wl_store(p, WL_R(R_Y), R_POS, f->a.y, OWN);
  wl_inst(p, WL_SFU, R_A, 0);
  wl_store(p, WL_R(R_A), R_POS, f->weights, OWN);
  move_by_deviate(p, f->a.x, f->seed);
  move_by_deviate(p, f->a.y, f->seed);
  wl_end(p);
  code_barrier(p);
}

static void weigh(struct wl_plan *p, const struct float_arrays *f) {
  const struct wl_at point = AT(.x = WL_FILTER_POINTS, .k = {1});
  if_particle(p);
  wl_inst(p, WL_ALU, R_INDEX, WL_R(R_POS));
  wl_loop(p, WL_FILTER_POINTS);
  wl_load(p, R_X, R_POS, f->a.x, OWN);
  wl_load(p, R_B, R_INDEX, f->objxy, AT(.c = 1, .k = {2}));
  wl_inst(p, WL_ALU, R_X, WL_R(R_X) | WL_R(R_B));
  wl_load(p, R_Y, R_POS, f->a.y, OWN);
  wl_load(p, R_C, R_INDEX, f->objxy, AT(.k = {2}));
  wl_inst(p, WL_ALU, R_Y, WL_R(R_Y) | WL_R(R_C));
  code_chain(p, WL_ALU, 3, R_A, WL_R(R_X) | WL_R(R_Y));
  wl_store(p, WL_R(R_A), R_INDEX, f->ind, point);
  wl_inst(p, WL_ALU, R_INDEX, WL_R(R_INDEX));
  wl_end(p);
  wl_inst(p, WL_ALU, R_ACC, 0);
  wl_inst(p, WL_ALU, R_INDEX, WL_R(R_POS));
  wl_loop(p, WL_FILTER_POINTS);
  wl_load(p, R_B, R_INDEX, f->ind, point);
  wl_access(p, WL_LOAD, R_C, WL_R(R_B), f->image, pixel);
  code_chain(p, WL_ALU, 4, R_C, WL_R(R_C));
  wl_inst(p, WL_SFU, R_C, WL_R(R_C)); /* the division by 50 */
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_C) | WL_R(R_ACC));
  wl_inst(p, WL_ALU, R_INDEX, WL_R(R_INDEX));
  wl_end(p);
  wl_inst(p, WL_SFU, R_ACC, WL_R(R_ACC));
  wl_store(p, WL_R(R_ACC), R_POS, f->likelihood, OWN);
  wl_inst(p, WL_SFU, R_A, WL_R(R_ACC)); /* the exponential */
  wl_load(p, R_B, R_POS, f->weights, OWN);
  wl_inst(p, WL_ALU, R_A, WL_R(R_A) | WL_R(R_B));
  wl_store(p, WL_R(R_A), R_POS, f->weights, OWN);
  wl_end(p);
}

static uint32_t step_threads(const struct wl_warp *w) {
  uint32_t lanes = 0;
  for (unsigned l = 0; l < WL_LANES; l++)
    lanes |= (uint32_t)(w->tx[l] < (uint32_t)FLOAT_BLOCK / 2 >> w->k[0]) << l;
  return lanes;
}

static int64_t own_place(const struct wl_warp *w, unsigned l) {
  return w->tx[l];
}

static int64_t other_place(const struct wl_warp *w, unsigned l) {
  return w->tx[l] + (FLOAT_BLOCK / 2 >> w->k[0]);
}

static uint32_t first_thread(const struct wl_warp *w) {
  return w->tx[0] == 0;
}

static uint32_t first_of_grid(const struct wl_warp *w) {
  return w->x[0] == 0;
}

/* Sums the weights of a CTA in shared memory. */
static void reduce(struct wl_plan *p, const struct float_arrays *f) {
  wl_shared(p, WL_NO_REG, WL_R(R_POS), DOUBLE, own_place); /* zero */
  code_barrier(p);
  if_particle(p);
  wl_load(p, R_A, R_POS, f->weights, OWN);
  wl_shared(p, WL_NO_REG, WL_R(R_A) | WL_R(R_POS), DOUBLE, own_place);
  wl_end(p);
  code_barrier(p);
  wl_loop(p, 9);
  wl_inst(p, WL_ALU, WL_NO_REG, WL_R(R_POS));
  wl_if(p, step_threads);
  wl_shared(p, R_B, WL_R(R_POS), DOUBLE, own_place);
  wl_shared(p, R_C, WL_R(R_POS), DOUBLE, other_place);
  wl_inst(p, WL_ALU, R_B, WL_R(R_B) | WL_R(R_C));
  wl_shared(p, WL_NO_REG, WL_R(R_B) | WL_R(R_POS), DOUBLE, own_place);
  wl_end(p);
  code_barrier(p);
  wl_end(p);
  wl_if(p, first_thread);
  wl_shared(p, R_B, WL_R(R_POS), DOUBLE, own_place);
  wl_store(p, WL_R(R_B), R_POS, f->partial, AT(.b = {1}));
  wl_end(p);
  code_barrier(p);
}

static void likelihood(struct wl_plan *p, const struct float_arrays *f, uint32_t n) {
  wl_grid(p, "particlefilter.likelihood", n, 1, FLOAT_BLOCK, 1);
  wl_holds(p, FLOAT_BLOCK * DOUBLE, 0);
  position(p);
  predict(p, f);
  weigh(p, f);
  reduce(p, f);
}

/* One thread adds up the sums of the CTAs. */
static void sum(struct wl_plan *p, const struct float_arrays *f, uint32_t n) {
  wl_grid(p, "particlefilter.sum", n, 1, FLOAT_BLOCK, 1);
  const uint32_t ctas = p->launch.ctas;
  position(p);
  wl_if(p, first_of_grid);
  wl_inst(p, WL_ALU, R_INDEX, 0);
  wl_inst(p, WL_ALU, R_ACC, 0);
  wl_loop(p, ctas);
  wl_load(p, R_A, R_INDEX, f->partial, AT(.k = {1}));
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_A) | WL_R(R_ACC));
  wl_inst(p, WL_ALU, R_INDEX, WL_R(R_INDEX));
  wl_end(p);
  wl_store(p, WL_R(R_ACC), R_POS, f->partial, AT(0));
  wl_end(p);
}

/* Divides the weights by their sum. One thread of the grid sums them up. The other threads' u is counted
 * from the first u. */
static void normalize(struct wl_plan *p, const struct float_arrays *f, uint32_t n) {
  wl_grid(p, "particlefilter.normalize", n, 1, FLOAT_BLOCK, 1);
  wl_holds(p, 2 * DOUBLE, 0);
  position(p);
  wl_if(p, first_thread);
  wl_load(p, R_A, R_POS, f->partial, AT(0));
  wl_shared_at(p, WL_NO_REG, WL_R(R_A), DOUBLE, AT(.c = 1));
  wl_end(p);
  code_barrier(p);
  if_particle(p);
  wl_load(p, R_A, R_POS, f->weights, OWN);
  wl_shared_at(p, R_B, WL_R(R_POS), DOUBLE, AT(.c = 1));
  wl_inst(p, WL_SFU, R_A, WL_R(R_A) | WL_R(R_B));
  wl_store(p, WL_R(R_A), R_POS, f->weights, OWN);
  wl_end(p);
  code_barrier(p);
  wl_if(p, first_of_grid);
  wl_load(p, R_ACC, R_POS, f->weights, AT(0));
  wl_store(p, WL_R(R_ACC), R_POS, f->a.cdf, AT(0));
  wl_inst(p, WL_ALU, R_INDEX, 0);
  wl_loop(p, n - 1);
  wl_load(p, R_A, R_INDEX, f->weights, AT(.c = 1, .k = {1}));
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_A) | WL_R(R_ACC));
  wl_store(p, WL_R(R_ACC), R_INDEX, f->a.cdf, AT(.c = 1, .k = {1}));
  wl_inst(p, WL_ALU, R_INDEX, WL_R(R_INDEX));
  wl_end(p);
  wl_load(p, R_SEED, R_POS, f->seed, AT(0));
  wl_inst(p, WL_ALU, R_SEED, WL_R(R_SEED));
  wl_store(p, WL_R(R_SEED), R_POS, f->seed, AT(0));
  wl_inst(p, WL_SFU, R_A, WL_R(R_SEED));
  wl_store(p, WL_R(R_A), R_POS, f->a.u, AT(0));
  wl_end(p);
  code_barrier(p);
  wl_if(p, first_thread);
  wl_load(p, R_A, R_POS, f->a.u, AT(0));
  wl_shared_at(p, WL_NO_REG, WL_R(R_A), DOUBLE, AT(0));
  wl_end(p);
  code_barrier(p);
  if_particle(p);
  wl_shared_at(p, R_A, WL_R(R_POS), DOUBLE, AT(0));
  wl_inst(p, WL_SFU, R_B, WL_R(R_POS));
  wl_inst(p, WL_ALU, R_A, WL_R(R_A) | WL_R(R_B));
  wl_store(p, WL_R(R_A), R_POS, f->a.u, OWN);
  wl_end(p);
}

bool rd_particle_float(struct wl_plan *p, uint32_t launch) {
  struct wl_filter *filter = p->data;
  const uint32_t n = filter->particles;
  const uint64_t pixels = (uint64_t)filter->size * filter->size * filter->frames;
  const struct float_arrays f = {.a = {wl_array(p, "arrayX", n, DOUBLE), wl_array(p, "arrayY", n, DOUBLE),
                                       wl_array(p, "CDF", n, DOUBLE), wl_array(p, "u", n, DOUBLE),
                                       wl_array(p, "xj", n, DOUBLE), wl_array(p, "yj", n, DOUBLE)},
                                 .weights = wl_array(p, "weights", n, DOUBLE),
                                 .seed = wl_array(p, "seed", n, 4),
                                 .objxy = wl_array(p, "objxy", 2 * WL_FILTER_POINTS, 4),
                                 .ind = wl_array(p, "ind", (uint64_t)n * WL_FILTER_POINTS, 4),
                                 .image = wl_array(p, "I", pixels, 1),
                                 .likelihood = wl_array(p, "likelihood", n, DOUBLE),
                                 .partial = wl_array(p, "partial_sums", n, DOUBLE)};
  if (launch / 4 + 1 >= filter->frames)
    return false;
  switch (launch % 4) {
  case 0:
    wl_filter_step(filter);
    likelihood(p, &f, n);
    break;
  case 1:
    sum(p, &f, n);
    break;
  case 2:
    normalize(p, &f, n);
    break;
  default:
    find_index(p, "particlefilter.find_index", FLOAT_BLOCK, &f.a);
  }
  return true;
}
