/* CUDA SDK: fastWalshTransform and histogram64, which stream through their data. */
#include "workloads/rng.h"
#include "workloads/sdk/sdk.h"

/* fastWalshTransform: passes of radix 4 over the whole data while more than IN_SHARED_LOG2 levels are left.
 * The other levels are done in shared memory, one piece per CTA. */
enum { IN_SHARED_LOG2 = 11, PASS_BLOCK = 256, RADIX_FP = 8, MODULATE_CTAS = 128, MODULATE_BLOCK = 256 };

static uint32_t passes(uint32_t log2n) {
  return log2n > IN_SHARED_LOG2 ? (log2n - IN_SHARED_LOG2 + 1) / 2 : 0;
}

/* Returns the first of the four elements, `stride` apart, of thread `pos` of the launch. */
static int64_t quad(uint32_t pos, uint32_t stride) {
  const uint32_t lo = pos & (stride - 1);
  return (int64_t)((pos - lo) << 2) + lo;
}

/* A transform has passes + 1 launches. The launch of the product comes before the last launch. */
static uint32_t pass_of(const struct wl_plan *p) {
  const uint32_t each = passes((uint32_t)p->key[0]) + 1;
  return p->number < 2 * each ? p->number % each : p->number - 2 * each - 1;
}

static uint32_t pass_stride(const struct wl_plan *p) {
  return UINT32_C(1) << (p->key[0] - 2 * (pass_of(p) + 1));
}

#define QUAD(i)                                                                                              \
  static int64_t pass_##i(const struct wl_warp *w, unsigned lane) {                                          \
    const uint32_t stride = pass_stride(w->plan);                                                            \
    return quad(w->x[lane], stride) + i * (int64_t)stride;                                                   \
  }                                                                                                          \
  static int64_t stage_##i(const struct wl_warp *w, unsigned lane) {                                         \
    const uint32_t stride = w->plan->launch.block[0] >> 2 * w->k[0];                                         \
    return quad(w->tx[lane], stride) + i * (int64_t)stride;                                                  \
  }
QUAD(0)
QUAD(1)
QUAD(2)
QUAD(3)

static const wl_elem_fn pass_quad[4] = {pass_0, pass_1, pass_2, pass_3};
static const wl_elem_fn stage_quad[4] = {stage_0, stage_1, stage_2, stage_3};
static const uint64_t four_loaded = UINT64_C(15) << R_LOADED;

static void pass(struct wl_plan *p, int data, uint32_t n) {
  wl_grid_of(p, "fwt.pass", DIM(n / 4 / PASS_BLOCK), DIM(PASS_BLOCK));
  code_position(p, 1);
  code_chain(p, WL_ALU, 5, R_INDEX, WL_R(R_POS));
  for (int i = 0; i < 4; i++)
    wl_access(p, WL_LOAD, R_LOADED + i, WL_R(R_INDEX), data, pass_quad[i]);
  const uint64_t sums = code_math(p, RADIX_FP, four_loaded);
  for (int i = 0; i < 4; i++)
    wl_access(p, WL_STORE, WL_NO_REG, WL_R(R_INDEX) | sums, data, pass_quad[i]);
}

static void in_shared(struct wl_plan *p, int data, uint32_t n, uint32_t log2_piece) {
  const int64_t piece = INT64_C(1) << log2_piece, threads = piece / 4;
  wl_grid_of(p, "fwt.shared", DIM((uint32_t)(n / piece)), DIM((uint32_t)threads));
  wl_holds(p, (uint32_t)piece * FLOAT, 0);
  code_position(p, 2);
  for (int i = 0; i < 4; i++) {
    wl_load(p, R_LOADED + i, R_POS, data, AT(.c = i * threads, .b = {piece}, .t = {1}));
    wl_shared_at(p, WL_NO_REG, WL_R(R_LOADED + i), FLOAT, AT(.c = i * threads, .t = {1}));
  }
  code_loop(p, R_INDEX, log2_piece / 2);
  code_barrier(p);
  code_chain(p, WL_ALU, 5, R_INNER, WL_R(R_INDEX));
  for (int i = 0; i < 4; i++)
    wl_shared(p, R_LOADED + i, WL_R(R_INNER), FLOAT, stage_quad[i]);
  const uint64_t sums = code_math(p, RADIX_FP, four_loaded);
  for (int i = 0; i < 4; i++)
    wl_shared(p, WL_NO_REG, WL_R(R_INNER) | sums, FLOAT, stage_quad[i]);
  code_next(p, R_INDEX);
  if (log2_piece % 2) { /* one level of radix 2 */
    const struct wl_at even = AT(.t = {2}, .k = {2 * threads}),
                       odd = AT(.c = 1, .t = {2}, .k = {2 * threads});
    code_barrier(p);
    code_loop(p, R_INDEX, 2);
    wl_shared_at(p, R_A, WL_R(R_INDEX), FLOAT, even);
    wl_shared_at(p, R_B, WL_R(R_INDEX), FLOAT, odd);
    const uint64_t pair = code_math(p, 2, WL_R(R_A) | WL_R(R_B));
    wl_shared_at(p, WL_NO_REG, pair, FLOAT, even);
    wl_shared_at(p, WL_NO_REG, pair, FLOAT, odd);
    code_next(p, R_INDEX);
  }
  code_barrier(p);
  for (int i = 0; i < 4; i++) {
    wl_shared_at(p, R_LOADED + i, WL_R(R_POS), FLOAT, AT(.c = i * threads, .t = {1}));
    wl_store(p, WL_R(R_LOADED + i), R_POS, data, AT(.c = i * threads, .b = {piece}, .t = {1}));
  }
}

static bool another_factor(const struct wl_warp *w, unsigned lane) {
  return w->x[lane] + MODULATE_CTAS * MODULATE_BLOCK * w->k[0] < UINT32_C(1) << w->plan->key[0];
}

static void modulate(struct wl_plan *p, int data, int kernel) {
  const struct wl_at own = AT(.x = 1, .k = {MODULATE_CTAS * MODULATE_BLOCK});
  wl_grid_of(p, "fwt.modulate", DIM(MODULATE_CTAS), DIM(MODULATE_BLOCK));
  code_position(p, 2);
  wl_inst(p, WL_ALU, R_INDEX, WL_R(R_POS));
  wl_while_lane(p, another_factor);
  wl_load(p, R_A, R_INDEX, data, own);
  wl_load(p, R_B, R_INDEX, kernel, own);
  code_chain(p, WL_ALU, 2, R_A, WL_R(R_A) | WL_R(R_B));
  wl_store(p, WL_R(R_A), R_INDEX, data, own);
  code_next(p, R_INDEX);
}

bool sdk_fwt(struct wl_plan *p, uint32_t launch) {
  const uint32_t log2n = (uint32_t)p->key[0], n = UINT32_C(1) << log2n, each = passes(log2n) + 1;
  const int kernel = wl_array(p, "kernel", n, FLOAT), data = wl_array(p, "data", n, FLOAT);
  const int array = launch / each == 1 ? kernel : data;
  if (launch == 2 * each)
    modulate(p, data, kernel);
  else if (pass_of(p) + 1 < each)
    pass(p, array, n);
  else
    in_shared(p, array, n, log2n - 2 * (each - 1));
  return launch < 3 * each + 1;
}

/* histogram64: a thread counts the upper six bits of its bytes in its own column in shared memory, one byte
 * per bin. The CTA adds up the columns. A second launch, with one CTA per bin, adds up the results of the
 * CTAs. */
enum {
  BINS = 64,
  HISTO_BLOCK = 64,
  BYTES_A_THREAD = 240, /* more could overflow a one-byte counter, with 16 bytes at a time */
  WORD = 16,
  MERGE_BLOCK = 256,
};

/* Returns the threads of the first launch. */
static uint32_t counters(const struct wl_plan *p) {
  const uint64_t bytes = p->key[0] * 1024;
  return (uint32_t)((bytes + HISTO_BLOCK * BYTES_A_THREAD - 1) / (HISTO_BLOCK * BYTES_A_THREAD)) *
         HISTO_BLOCK;
}

static uint32_t word(const struct wl_warp *w, unsigned lane) {
  return w->x[lane] + w->k[0] * w->plan->nx;
}

static bool another_word(const struct wl_warp *w, unsigned lane) {
  return word(w, lane) < w->plan->key[0] * 1024 / WORD;
}

/* The counter of byte k[1] of the word. A thread's column is its number with the bits moved, so that
 * neighbours are in different banks. */
static int64_t counter(const struct wl_warp *w, unsigned lane) {
  const uint64_t bits = wl_rng_mix(w->plan->key[1], 2 * (uint64_t)word(w, lane) + w->k[1] / 8);
  const uint32_t t = w->tx[lane], column = (t & 15) << 2 | (t & 48) >> 4;
  return (int64_t)(bits >> 8 * (w->k[1] % 8) & 255) / 4 * HISTO_BLOCK + column;
}

/* Byte k[0] of a bin's row. Each thread starts at another word. */
static int64_t summed(const struct wl_warp *w, unsigned lane) {
  const uint32_t t = w->tx[lane];
  return t * HISTO_BLOCK + (4 * (t & 15) + w->k[0]) % HISTO_BLOCK;
}

static void count_bytes(struct wl_plan *p, int data, int partial) {
  const uint32_t threads = counters(p);
  wl_grid_of(p, "histogram64", DIM(threads / HISTO_BLOCK), DIM(HISTO_BLOCK));
  wl_holds(p, BINS * HISTO_BLOCK, 0);
  code_position(p, 5);
  wl_loop(p, BINS / 4);
  wl_shared_at(p, WL_NO_REG, WL_R(R_POS), 4, AT(.t = {1}, .k = {HISTO_BLOCK}));
  wl_end(p);
  code_barrier(p);
  wl_inst(p, WL_ALU, R_INDEX, WL_R(R_POS));
  wl_while_lane(p, another_word);
  wl_load(p, R_A, R_INDEX, data, AT(.x = 1, .k = {threads}));
  wl_loop(p, WORD);
  code_chain(p, WL_ALU, 2, R_B, WL_R(R_A));
  wl_shared(p, R_C, WL_R(R_B), 1, counter);
  wl_inst(p, WL_ALU, R_C, WL_R(R_C));
  wl_shared(p, WL_NO_REG, WL_R(R_B) | WL_R(R_C), 1, counter);
  wl_end(p);
  code_next(p, R_INDEX);
  code_barrier(p);
  wl_inst(p, WL_ALU, R_ACC, 0);
  wl_loop(p, HISTO_BLOCK);
  wl_shared(p, R_A, WL_R(R_POS), 1, summed);
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_ACC) | WL_R(R_A));
  wl_end(p);
  wl_store(p, WL_R(R_ACC), R_POS, partial, AT(.b = {BINS}, .t = {1}));
}

static bool another_partial(const struct wl_warp *w, unsigned lane) {
  return w->tx[lane] + MERGE_BLOCK * w->k[0] < counters(w->plan) / HISTO_BLOCK;
}

static bool first_thread(const struct wl_warp *w, unsigned lane) {
  return w->tx[lane] == 0;
}

static void merge(struct wl_plan *p, int partial, int histogram) {
  wl_grid_of(p, "histogram64.merge", DIM(BINS), DIM(MERGE_BLOCK));
  wl_holds(p, MERGE_BLOCK * 4, 0);
  code_position(p, 1);
  wl_inst(p, WL_ALU, R_ACC, 0);
  wl_inst(p, WL_ALU, R_INDEX, WL_R(R_POS));
  wl_while_lane(p, another_partial);
  wl_load(p, R_A, R_INDEX, partial, AT(.b = {1}, .t = {BINS}, .k = {MERGE_BLOCK * BINS}));
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_ACC) | WL_R(R_A));
  code_next(p, R_INDEX);
  wl_shared_at(p, WL_NO_REG, WL_R(R_ACC), 4, AT(.t = {1}));
  sdk_tree(p, MERGE_BLOCK, MERGE_BLOCK);
  code_branch(p, WL_R(R_POS));
  wl_if_lane(p, first_thread);
  wl_shared_at(p, R_A, WL_R(R_POS), 4, AT(.c = 0));
  wl_store(p, WL_R(R_A), R_POS, histogram, AT(.b = {1}));
  wl_end(p);
}

bool sdk_histogram64(struct wl_plan *p, uint32_t launch) {
  const int data = wl_array(p, "data", p->key[0] * 1024 / WORD, WORD),
            partial = wl_array(p, "partial", counters(p) / HISTO_BLOCK * BINS, 4),
            histogram = wl_array(p, "histogram", BINS, 4);
  if (launch == 0)
    count_bytes(p, data, partial);
  else
    merge(p, partial, histogram);
  return launch < 2;
}
