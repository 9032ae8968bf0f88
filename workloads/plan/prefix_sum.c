/* The launches of a prefix sum. See prefix_sum.h. */
#include "workloads/plan/prefix_sum.h"

struct prefix_sum prefix_sum(struct wl_plan *p, uint32_t n, uint32_t block) {
  static const char *const name[PREFIX_LEVELS] = {"totals1", "totals2", "totals3", "totals4"};
  struct prefix_sum s = {.n = n, .block = block};
  do {
    n = (n + 2 * block - 1) / (2 * block);
    s.totals[s.levels] = wl_array(p, name[s.levels], n, 4);
    s.levels++;
  } while (n > 1 && s.levels < PREFIX_LEVELS);
  return s;
}

uint32_t prefix_sum_launches(const struct prefix_sum *s) {
  return 2 * s->levels - 1;
}

/* Returns the number of words summed at a level. */
static uint32_t words(const struct prefix_sum *s, uint32_t level) {
  uint32_t n = s->n;
  for (; level; level--)
    n = (n + 2 * s->block - 1) / (2 * s->block);
  return n;
}

/* True if the thread's first word (below: its second) exists. plan->nx is the number of words. */
static bool has_first(const struct wl_warp *w, unsigned lane) {
  return w->bx * 2 * w->plan->launch.block[0] + w->tx[lane] < w->plan->nx;
}

static bool has_second(const struct wl_warp *w, unsigned lane) {
  return (w->bx * 2 + 1) * w->plan->launch.block[0] + w->tx[lane] < w->plan->nx;
}

static bool is_first(const struct wl_warp *w, unsigned lane) {
  return w->tx[lane] == 0;
}

/* Place of the CTA's word i in shared memory. Every 17th place stays free, against bank conflicts. */
static int64_t padded(uint32_t i) {
  return i + i / 16;
}

/* The lanes and words of the tree: the first loop goes up, in iterations k[0], the second goes down. */
static bool works_up(const struct wl_warp *w, unsigned lane) {
  return w->tx[lane] < w->plan->launch.block[0] >> w->k[0];
}

static bool works_down(const struct wl_warp *w, unsigned lane) {
  return w->tx[lane] < UINT32_C(1) << w->k[0];
}

static int64_t left_up(const struct wl_warp *w, unsigned lane) {
  return padded(((2 * w->tx[lane] + 1) << w->k[0]) - 1);
}

static int64_t right_up(const struct wl_warp *w, unsigned lane) {
  return padded(((2 * w->tx[lane] + 2) << w->k[0]) - 1);
}

static int64_t left_down(const struct wl_warp *w, unsigned lane) {
  return padded((2 * w->tx[lane] + 1) * (w->plan->launch.block[0] >> w->k[0]) - 1);
}

static int64_t right_down(const struct wl_warp *w, unsigned lane) {
  return padded((2 * w->tx[lane] + 2) * (w->plan->launch.block[0] >> w->k[0]) - 1);
}

static int64_t own_first(const struct wl_warp *w, unsigned lane) {
  return padded(w->tx[lane]);
}

static int64_t own_second(const struct wl_warp *w, unsigned lane) {
  return padded(w->plan->launch.block[0] + w->tx[lane]);
}

static int64_t last(const struct wl_warp *w, unsigned lane) {
  (void)lane;
  return padded(2 * w->plan->launch.block[0] - 1);
}

/* The element of a thread's first (which = 0) or second word. */
static struct wl_at word(const struct prefix_sum *s, int which) {
  return AT(.c = which * (int64_t)s->block, .b = {2 * (int64_t)s->block}, .t = {1});
}

static void grid(struct wl_plan *p, const struct prefix_sum *s, const char *name, uint32_t n) {
  wl_grid_of(p, name, DIM((n + 2 * s->block - 1) / (2 * s->block)), DIM(s->block));
  p->nx = n;
}

static void sum(struct wl_plan *p, const struct prefix_sum *s, uint32_t n, int in, int out, int totals) {
  const uint32_t steps = (uint32_t)__builtin_ctz(s->block) + 1;
  grid(p, s, "prefix_sum", n);
  wl_holds(p, (2 * s->block + s->block / 8) * 4, 0);
  code_position(p, 3);
  for (int which = 0; which < 2; which++) {
    wl_inst(p, WL_ALU, R_A, 0);
    code_branch(p, WL_R(R_POS));
    wl_if_lane(p, which ? has_second : has_first);
    wl_load(p, R_A, R_POS, in, word(s, which));
    wl_end(p);
    wl_shared(p, WL_NO_REG, WL_R(R_A), 4, which ? own_second : own_first);
  }
  wl_inst(p, WL_ALU, R_INDEX, WL_R(R_POS));
  wl_loop(p, steps);
  code_barrier(p);
  code_branch(p, WL_R(R_INDEX));
  wl_if_lane(p, works_up);
  code_chain(p, WL_ALU, 3, R_INNER, WL_R(R_INDEX));
  wl_shared(p, R_A, WL_R(R_INNER), 4, left_up);
  wl_shared(p, R_B, WL_R(R_INNER), 4, right_up);
  wl_inst(p, WL_ALU, R_B, WL_R(R_A) | WL_R(R_B));
  wl_shared(p, WL_NO_REG, WL_R(R_B) | WL_R(R_INNER), 4, right_up);
  wl_end(p);
  code_next(p, R_INDEX);
  code_branch(p, WL_R(R_POS));
  wl_if_lane(p, is_first); /* this thread made the total itself */
  wl_shared(p, R_A, WL_R(R_POS), 4, last);
  wl_store(p, WL_R(R_A), R_POS, totals, AT(.b = {1}));
  wl_shared(p, WL_NO_REG, WL_R(R_POS), 4, last);
  wl_end(p);
  wl_loop(p, steps);
  code_barrier(p);
  code_branch(p, WL_R(R_INDEX));
  wl_if_lane(p, works_down);
  code_chain(p, WL_ALU, 3, R_INNER, WL_R(R_INDEX));
  wl_shared(p, R_A, WL_R(R_INNER), 4, left_down);
  wl_shared(p, R_B, WL_R(R_INNER), 4, right_down);
  wl_shared(p, WL_NO_REG, WL_R(R_B) | WL_R(R_INNER), 4, left_down);
  wl_inst(p, WL_ALU, R_B, WL_R(R_A) | WL_R(R_B));
  wl_shared(p, WL_NO_REG, WL_R(R_B) | WL_R(R_INNER), 4, right_down);
  wl_end(p);
  code_next(p, R_INDEX);
  code_barrier(p);
  for (int which = 0; which < 2; which++) {
    wl_shared(p, R_A, WL_R(R_POS), 4, which ? own_second : own_first);
    code_branch(p, WL_R(R_POS));
    wl_if_lane(p, which ? has_second : has_first);
    wl_store(p, WL_R(R_A), R_POS, out, word(s, which));
    wl_end(p);
  }
}

/* Adds to the words of each CTA the total of the CTAs before it. */
static void add(struct wl_plan *p, const struct prefix_sum *s, uint32_t n, int out, int totals) {
  grid(p, s, "prefix_sum.add", n);
  wl_holds(p, 4, 0);
  code_position(p, 3);
  code_branch(p, WL_R(R_POS));
  wl_if_lane(p, is_first);
  wl_load(p, R_B, R_POS, totals, AT(.b = {1}));
  wl_shared_at(p, WL_NO_REG, WL_R(R_B), 4, AT(.c = 0));
  wl_end(p);
  code_barrier(p);
  wl_shared_at(p, R_B, WL_R(R_POS), 4, AT(.c = 0));
  for (int which = 0; which < 2; which++) {
    code_branch(p, WL_R(R_POS));
    wl_if_lane(p, which ? has_second : has_first);
    wl_load(p, R_A, R_POS, out, word(s, which));
    wl_inst(p, WL_ALU, R_A, WL_R(R_A) | WL_R(R_B));
    wl_store(p, WL_R(R_A), R_POS, out, word(s, which));
    wl_end(p);
  }
}

void prefix_sum_launch(struct wl_plan *p, const struct prefix_sum *s, uint32_t step, int in, int out) {
  if (step < s->levels) {
    sum(p, s, words(s, step), step ? s->totals[step - 1] : in, step ? s->totals[step - 1] : out,
        s->totals[step]);
  } else {
    const uint32_t level = 2 * s->levels - 2 - step; /* the level of the words that are added to */
    add(p, s, words(s, level), level ? s->totals[level - 1] : out, s->totals[level]);
  }
}
