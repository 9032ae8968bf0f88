/* Rodinia: backprop, with one thread per weight between the input and the hidden layer, 16 x 16 threads per
 * CTA. See rodinia.h. Key n: the input units, rounded up to whole CTAs.
 *
 * A row of weights has one element more than there are hidden units, so the rows are not aligned.
 */
#include "workloads/rodinia/rodinia.h"

enum { HIDDEN = TILE, ROW = HIDDEN + 1, LOG_TILE = 4 };
enum { INPUT_NODE = 0, WEIGHT = TILE, BP_WORDS = TILE + TILE * TILE };

struct layers {
  int input, weight, partial, old_weight, delta;
};

static const struct wl_at own = {.c = ROW + 1, .x = 1, .y = ROW}, own_input = {.c = 1, .y = 1},
                          own_delta = {.c = 1, .x = 1}, shared_weight = {.c = WEIGHT, .t = {1, TILE}};

static bool first_lane(const struct wl_warp *w, unsigned l) {
  return w->tx[l] == 0;
}

static bool adds(const struct wl_warp *w, unsigned l) {
  return w->ty[l] % (UINT32_C(2) << w->k[0]) == 0;
}

static int64_t other_weight(const struct wl_warp *w, unsigned l) {
  return rod_area(w, BP_WORDS) + WEIGHT + (w->ty[l] + (INT64_C(1) << w->k[0])) * TILE + w->tx[l];
}

static bool bias_row(const struct wl_warp *w, unsigned l) {
  return w->ty[l] == 0 && w->by == 0;
}

/* Multiplies inputs by weights, and sums the products over the CTA's inputs. */
static void layer_forward(struct wl_plan *p, const struct layers *a, bool unshared) {
  const struct wl_at input_node = {.c = INPUT_NODE, .t = {0, 1}};
  const struct rod_shared s = rod_shared(p, BP_WORDS, unshared);
  code_position(p, 14);
  rod_if(p, first_lane);
  wl_load(p, R_A, R_POS, a->input, own_input);
  rod_write(p, s, R_A, input_node);
  wl_end(p);
  code_barrier(p);
  code_chain(p, WL_ALU, 6, R_E, WL_R(R_POS));
  wl_load(p, R_A, R_E, a->weight, own);
  rod_write(p, s, R_A, shared_weight);
  code_barrier(p);
  rod_read(p, s, R_A, shared_weight);
  rod_read(p, s, R_B, input_node);
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_A) | WL_R(R_B));
  rod_write(p, s, R_ACC, shared_weight);
  code_barrier(p);
  rod_loop(p, R_INDEX, LOG_TILE);
  wl_inst(p, WL_ALU, R_D, WL_R(R_INDEX)); /* the power of two */
  code_chain(p, WL_ALU, 4, R_D, WL_R(R_D));
  rod_if(p, adds);
  rod_read(p, s, R_A, shared_weight);
  rod_read_by(p, s, R_B, other_weight);
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_A) | WL_R(R_B));
  rod_write(p, s, R_ACC, shared_weight);
  wl_end(p);
  code_barrier(p);
  rod_next(p, R_INDEX);
  rod_read(p, s, R_A, shared_weight);
  wl_store(p, WL_R(R_A), R_E, a->weight, own);
  code_barrier(p);
  rod_if(p, first_lane);
  rod_read(p, s, R_A, (struct wl_at){.c = WEIGHT, .t = {TILE, 1}});
  wl_store(p, WL_R(R_A), R_POS, a->partial, (struct wl_at){.y = 1});
  wl_end(p);
}

/* One update of the weights from the unit's error. The change is kept for the next update. */
static void change(struct wl_plan *p, const struct layers *a, bool input, struct wl_at delta,
                   struct wl_at at) {
  for (int i = 0; i < 2; i++) { /* computed twice: the first store may alias its operands */
    const int to = i ? a->old_weight : a->weight;
    wl_load(p, R_A, R_POS, a->delta, delta);
    if (input)
      wl_load(p, R_B, R_POS, a->input, own_input);
    wl_load(p, R_C, R_POS, a->old_weight, at);
    wl_inst(p, WL_ALU, R_D, WL_R(R_A) | (input ? WL_R(R_B) : 0));
    code_chain(p, WL_ALU, 2, R_D, WL_R(R_C) | WL_R(R_D));
    if (i == 0) {
      wl_load(p, R_E, R_POS, to, at);
      wl_inst(p, WL_ALU, R_D, WL_R(R_D) | WL_R(R_E));
    }
    wl_store(p, WL_R(R_D), R_POS, to, at);
  }
}

static void adjust_weights(struct wl_plan *p, const struct layers *a) {
  code_position(p, 16);
  change(p, a, true, own_delta, own);
  code_barrier(p);
  rod_if(p, bias_row);
  change(p, a, false, own_delta, own_delta);
  wl_end(p);
}

static bool backprop(struct wl_plan *p, uint32_t launch, bool unshared) {
  const uint32_t ctas = ((uint32_t)p->key[0] - 1) / TILE + 1;
  const uint64_t n = (uint64_t)ctas * TILE;
  const struct layers a = {.input = wl_array(p, "input", n + 1, WORD),
                           .weight = wl_array(p, "w", (n + 1) * ROW, WORD),
                           .partial = wl_array(p, "partial", n, WORD),
                           .old_weight = wl_array(p, "oldw", (n + 1) * ROW, WORD),
                           .delta = wl_array(p, "delta", ROW, WORD)};
  wl_grid_of(p, launch ? "backprop.adjust" : "backprop.forward", DIM(1, ctas, 1), DIM(TILE, TILE, 1));
  if (launch == 0)
    layer_forward(p, &a, unshared);
  else
    adjust_weights(p, &a);
  return launch < 2;
}

bool rod_backprop(struct wl_plan *p, uint32_t launch) {
  return backprop(p, launch, false);
}

bool rod_backprop_u(struct wl_plan *p, uint32_t launch) {
  return backprop(p, launch, true);
}
