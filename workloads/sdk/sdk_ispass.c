/* ISPASS-2009: LIB, a Monte Carlo pricing of swaptions on the LIBOR market model, whose arrays are all in
 * local memory; and NN, a neural net that reads handwritten digits, with one launch per layer.
 *
 * Local memory: word w of thread t of the launch is element w*threads + t, so that lanes with the same
 * index are neighbours. `threads` is the launch's number of threads, or more (key `threads`), since a
 * machine reserves words for all threads that it can hold.
 */
#include "workloads/sdk/sdk.h"

enum { LIB_BLOCK = 64, FORWARDS = 80, MATURITIES = 40, OPTIONS = 15, PATH_FP = 14, BACK_FP = 12 };

struct lib {
  int v, greek;           /* results, one per path */
  int z, l, b, s, lb, l2; /* local arrays */
  int64_t word;           /* elements between two words of a thread */
};

/* Word c + k0*K_0 + k1*K_1 of a local array. */
static struct wl_at local(const struct lib *a, int64_t c, int64_t k0, int64_t k1) {
  return AT(.c = c * a->word, .x = 1, .k = {k0 * a->word, k1 * a->word});
}

/* The loops over the later forwards: i = n + 1 + k[1] up to the last forward with n = k[0]; on the way back
 * n = MATURITIES - 1 - k[0]. */
static uint32_t later_forward(const struct wl_warp *w) {
  return w->k[0] + 1 + w->k[1] < FORWARDS ? UINT32_MAX : 0;
}

static uint32_t later_forward_back(const struct wl_warp *w) {
  return w->k[1] < FORWARDS - MATURITIES + w->k[0] ? UINT32_MAX : 0;
}

/* Computes the path of the forward rates. With `keep`, every step of it is stored. */
static void path(struct wl_plan *p, const struct lib *a, bool keep) {
  code_loop(p, R_INDEX, FORWARDS);
  wl_store(p, WL_R(R_INDEX), R_INDEX, a->z, local(a, 0, 1, 0));
  wl_store(p, WL_R(R_INDEX), R_INDEX, a->l, local(a, 0, 1, 0));
  code_next(p, R_INDEX);
  if (keep) {
    code_loop(p, R_INDEX, FORWARDS);
    wl_load(p, R_A, R_INDEX, a->l, local(a, 0, 1, 0));
    wl_store(p, WL_R(R_A), R_INDEX, a->l2, local(a, 0, 1, 0));
    code_next(p, R_INDEX);
  }
  code_loop(p, R_INDEX, MATURITIES);
  wl_load(p, R_A, R_INDEX, a->z, local(a, 0, 1, 0));
  wl_inst(p, WL_ALU, R_INNER, WL_R(R_INDEX));
  wl_loop_while(p, later_forward);
  wl_inst(p, WL_CONST, R_B, WL_R(R_INNER));
  wl_load(p, R_C, R_INNER, a->l, local(a, 1, 1, 1));
  const uint64_t drift = code_math(p, PATH_FP / 2, WL_R(R_A) | WL_R(R_B) | WL_R(R_C));
  wl_inst(p, WL_SFU, R_D, drift);
  wl_inst(p, WL_SFU, R_E, drift);
  const uint64_t rate = code_math(p, PATH_FP / 2, WL_R(R_D) | WL_R(R_E));
  wl_store(p, rate, R_INNER, a->l, local(a, 1, 1, 1));
  if (keep)
    wl_store(p, rate, R_INNER, a->l2, local(a, 1 + FORWARDS, 1 + FORWARDS, 1));
  code_next(p, R_INNER);
  code_next(p, R_INDEX);
}

/* Computes the value of the swaptions: bonds and swap rates from the later forwards, the options, the
 * discount. */
static void portfolio(struct wl_plan *p, const struct lib *a) {
  static const int8_t maturity[OPTIONS] = {4, 4, 4, 8, 8, 8, 20, 20, 20, 28, 28, 28, 40, 40, 40};
  wl_inst(p, WL_ALU, R_ACC, 0);
  code_loop(p, R_INDEX, FORWARDS - MATURITIES);
  wl_load(p, R_A, R_INDEX, a->l, local(a, MATURITIES, 1, 0));
  wl_inst(p, WL_SFU, R_ACC, WL_R(R_A) | WL_R(R_ACC));
  wl_inst(p, WL_ALU, R_B, WL_R(R_ACC));
  wl_store(p, WL_R(R_ACC), R_INDEX, a->b, local(a, 0, 1, 0));
  wl_store(p, WL_R(R_B), R_INDEX, a->s, local(a, 0, 1, 0));
  code_next(p, R_INDEX);
  for (int i = 0; i < OPTIONS; i++) {
    wl_inst(p, WL_CONST, R_C, WL_R(R_POS));
    wl_load(p, R_A, R_C, a->b, local(a, maturity[i] - 1, 0, 0));
    wl_load(p, R_B, R_C, a->s, local(a, maturity[i] - 1, 0, 0));
    code_chain(p, WL_ALU, 4, R_ACC, WL_R(R_A) | WL_R(R_B) | WL_R(R_ACC));
  }
  code_loop(p, R_INDEX, MATURITIES);
  wl_load(p, R_A, R_INDEX, a->l, local(a, 0, 1, 0));
  wl_inst(p, WL_SFU, R_ACC, WL_R(R_A) | WL_R(R_ACC));
  code_next(p, R_INDEX);
}

/* Computes the value's derivatives by the forwards, from the last step back to the first. */
static void greeks(struct wl_plan *p, const struct lib *a) {
  code_loop(p, R_INDEX, FORWARDS);
  wl_load(p, R_A, R_INDEX, a->l, local(a, 0, 1, 0));
  code_chain(p, WL_ALU, 3, R_A, WL_R(R_A) | WL_R(R_ACC));
  wl_store(p, WL_R(R_A), R_INDEX, a->lb, local(a, 0, 1, 0));
  code_next(p, R_INDEX);
  code_loop(p, R_INDEX, MATURITIES);
  wl_inst(p, WL_ALU, R_INNER, WL_R(R_INDEX));
  wl_loop_while(p, later_forward_back);
  const int64_t last = FORWARDS - 1;
  wl_load(p, R_A, R_INNER, a->l2, local(a, last + FORWARDS * MATURITIES, -FORWARDS, -1));
  wl_load(p, R_B, R_INNER, a->lb, local(a, last, 0, -1));
  wl_load(p, R_C, R_INNER, a->l2, local(a, last + FORWARDS * (MATURITIES - 1), -FORWARDS, -1));
  const uint64_t sum = code_math(p, BACK_FP, WL_R(R_A) | WL_R(R_B) | WL_R(R_C));
  wl_store(p, sum, R_INNER, a->lb, local(a, last, 0, -1));
  code_next(p, R_INNER);
  code_next(p, R_INDEX);
}

bool sdk_lib(struct wl_plan *p, uint32_t launch) {
  const uint64_t paths = p->key[0], threads = (paths + LIB_BLOCK - 1) / LIB_BLOCK * LIB_BLOCK,
                 words = p->key[1] > threads ? p->key[1] : threads;
  const struct lib a = {
      .v = wl_array(p, "v", paths, FLOAT),
      .greek = wl_array(p, "Lb_out", paths, FLOAT),
      .z = wl_array(p, "z", FORWARDS * words, FLOAT),
      .l = wl_array(p, "L", FORWARDS * words, FLOAT),
      .b = wl_array(p, "B", MATURITIES * words, FLOAT),
      .s = wl_array(p, "S", MATURITIES * words, FLOAT),
      .lb = wl_array(p, "Lb", FORWARDS * words, FLOAT),
      .l2 = wl_array(p, "L2", FORWARDS * (MATURITIES + 1) * words, FLOAT),
      .word = (int64_t)words,
  };
  wl_grid(p, launch ? "lib.greeks" : "lib.value", (uint32_t)paths, 1, LIB_BLOCK, 1);
  code_position(p, 2);
  code_branch(p, WL_R(R_POS));
  wl_if(p, wl_lanes_inside);
  path(p, &a, launch == 1);
  portfolio(p, &a);
  if (launch == 1)
    greeks(p, &a);
  wl_store(p, WL_R(R_ACC), R_POS, a.v, AT(.x = 1));
  if (launch == 1) {
    wl_load(p, R_A, R_POS, a.lb, local(&a, FORWARDS - 1, 0, 0));
    wl_store(p, WL_R(R_A), R_POS, a.greek, AT(.x = 1));
  }
  wl_end(p);
  return launch < 1 + p->key[2];
}

/* NN. The first two layers are convolutions of 5 x 5 windows that are two points apart: from 29 x 29 pixels
 * to six maps of 13 x 13, then to maps of 5 x 5. The last two layers are dense. Layer number l reads
 * neurons N_l and weights W_l. A thread computes one neuron. */
enum { PIXELS = 29, MAPS_1 = 6, SIDE_1 = 13, SIDE_2 = 5, WINDOW = 5, DIGITS = 10, STRIDE = 2 };

static struct wl_at bias_of(int64_t weights) {
  return AT(.b = {weights});
}

/* A sum begins with its bias. neuron_end makes the neuron of it. */
static void neuron_begin(struct wl_plan *p, int weights, int64_t each) {
  code_position(p, 4);
  wl_load(p, R_ACC, R_POS, weights, bias_of(each));
}

static void neuron_term(struct wl_plan *p, int index, int from, struct wl_at at, int weights,
                        struct wl_at weight) {
  wl_load(p, R_B, index, from, at);
  wl_load(p, R_C, index, weights, weight);
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_B) | WL_R(R_C) | WL_R(R_ACC));
}

static void neuron_end(struct wl_plan *p, int to, struct wl_at at) {
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_ACC));
  code_chain(p, WL_SFU, 2, R_ACC, WL_R(R_ACC));
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_ACC));
  wl_store(p, WL_R(R_ACC), R_POS, to, at);
}

/* Computes `maps` maps of side * side from the `in` maps of from_side * from_side of each image. The
 * innermost loop is over the `in` maps. */
static void convolution(struct wl_plan *p, const char *name, int from, int weights, int to, uint32_t maps,
                        int64_t side, int64_t in, int64_t from_side) {
  const int64_t map = side * side, from_map = from_side * from_side, each = WINDOW * WINDOW * in + 1;
  wl_grid_of(p, name, DIM(maps, (uint32_t)p->key[0]), DIM((uint32_t)side, (uint32_t)side));
  neuron_begin(p, weights, each);
  wl_loop(p, WINDOW);
  wl_loop(p, WINDOW);
  wl_inst(p, WL_CONST, R_INDEX, WL_R(R_POS)); /* offset in the window */
  wl_inst(p, WL_ALU, R_INDEX, WL_R(R_INDEX));
  wl_loop(p, (uint32_t)in);
  neuron_term(p, R_INDEX, from,
              AT(.b = {0, in * from_map}, .t = {STRIDE, STRIDE * from_side}, .k = {from_side, 1, from_map}),
              weights, AT(.c = 1, .b = {each}, .k = {WINDOW * in, in, 1}));
  wl_end(p);
  wl_end(p);
  wl_end(p);
  neuron_end(p, to, AT(.b = {map, map * maps}, .t = {1, side}));
}

/* A dense layer, with CTAs of one thread. */
static void dense(struct wl_plan *p, const char *name, int from, int weights, int to, uint32_t neurons,
                  int64_t terms) {
  wl_grid_of(p, name, DIM(neurons, (uint32_t)p->key[0]), DIM(1));
  neuron_begin(p, weights, terms + 1);
  code_loop(p, R_INDEX, (uint32_t)terms);
  neuron_term(p, R_INDEX, from, AT(.b = {0, terms}, .k = {1}), weights,
              AT(.c = 1, .b = {terms + 1}, .k = {1}));
  code_next(p, R_INDEX);
  neuron_end(p, to, AT(.b = {1, neurons}));
}

bool sdk_nn(struct wl_plan *p, uint32_t launch) {
  const uint64_t images = p->key[0], maps = p->key[1], neurons = p->key[2], window = WINDOW * WINDOW;
  const uint64_t n2 = MAPS_1 * SIDE_1 * SIDE_1, n3 = maps * SIDE_2 * SIDE_2;
  const int N1 = wl_array(p, "N1", images * PIXELS * PIXELS, FLOAT),
            N2 = wl_array(p, "N2", images * n2, FLOAT), N3 = wl_array(p, "N3", images * n3, FLOAT),
            N4 = wl_array(p, "N4", images * neurons, FLOAT), N5 = wl_array(p, "N5", images * DIGITS, FLOAT),
            W1 = wl_array(p, "W1", MAPS_1 * (window + 1), FLOAT),
            W2 = wl_array(p, "W2", maps * (window * MAPS_1 + 1), FLOAT),
            W3 = wl_array(p, "W3", neurons * (n3 + 1), FLOAT),
            W4 = wl_array(p, "W4", DIGITS * (neurons + 1), FLOAT);
  if (launch == 0)
    convolution(p, "nn.layer1", N1, W1, N2, MAPS_1, SIDE_1, 1, PIXELS);
  else if (launch == 1)
    convolution(p, "nn.layer2", N2, W2, N3, (uint32_t)maps, SIDE_2, MAPS_1, SIDE_1);
  else if (launch == 2)
    dense(p, "nn.layer3", N3, W3, N4, (uint32_t)neurons, (int64_t)n3);
  else
    dense(p, "nn.layer4", N4, W4, N5, DIGITS, (int64_t)neurons);
  return launch < 4;
}
