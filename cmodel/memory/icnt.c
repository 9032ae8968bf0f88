/* A crossbar with a queue for every output at each input; see icnt.h. */
#include "cmodel/memory/icnt.h"

#include <stdlib.h>

bool hd_xbar_init(struct hd_xbar *x, unsigned inputs, unsigned outputs, unsigned depth) {
  *x = (struct hd_xbar){.inputs = inputs,
                        .outputs = outputs,
                        .depth = depth,
                        .input_words = hd_port_words(inputs),
                        .output_words = hd_port_words(outputs),
                        .next = UINT64_MAX};
  x->place = calloc((size_t)inputs * depth, sizeof *x->place);
  x->packet = calloc((size_t)inputs * depth, sizeof *x->packet);
  x->head = calloc((size_t)inputs * outputs, sizeof *x->head);
  x->tail = calloc((size_t)inputs * outputs, sizeof *x->tail);
  x->front_at = calloc((size_t)inputs * outputs, sizeof *x->front_at);
  for (size_t p = 0; x->place && p < (size_t)inputs * depth; p++)
    x->place[p].next = (uint32_t)(p + 1);
  for (unsigned i = 0; i < inputs; i++)
    x->free[i] = i * depth;
  for (unsigned o = 0; o < HD_PORTS; o++)
    x->may_at[o] = UINT64_MAX;
  return x->place && x->packet && x->head && x->tail && x->front_at;
}

void hd_xbar_free(struct hd_xbar *x) {
  free(x->place);
  free(x->packet);
  free(x->head);
  free(x->tail);
  free(x->front_at);
}

static uint64_t later(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

static uint64_t sooner(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

static void may_by(struct hd_xbar *x, unsigned output, uint64_t cycle) {
  x->may_at[output] = sooner(x->may_at[output], cycle);
  x->next = sooner(x->next, cycle);
}

static size_t queue_of(const struct hd_xbar *x, unsigned input, unsigned output) {
  return (size_t)output * x->inputs + input;
}

/* Makes the packet in this place the first of its queue. */
static void set_front(struct hd_xbar *x, size_t queue, uint32_t place) {
  x->head[queue] = place;
  x->front_at[queue] = x->place[place].at;
}

union hd_packet *hd_xbar_place(const struct hd_xbar *x, unsigned input) {
  return x->count[input] < x->depth ? &x->packet[x->free[input]] : NULL;
}

void hd_xbar_push(struct hd_xbar *x, unsigned input, unsigned output, unsigned flits, uint64_t at) {
  const uint32_t p = x->free[input];
  struct hd_xbar_entry *e = &x->place[p];
  const size_t queue = queue_of(x, input, output);
  x->free[input] = e->next;
  x->count[input]++;
  e->at = at;
  e->flits = (uint8_t)flits;
  if (hd_port_set_has(&x->want[output], input))
    x->place[x->tail[queue]].next = p;
  else {
    set_front(x, queue, p);
    hd_port_set_add(&x->want[output], input);
    hd_port_set_drop(&x->there[output], input);
  }
  x->tail[queue] = p;
  hd_port_set_add(&x->requested, output);
  may_by(x, output, at);
}

void hd_xbar_room(struct hd_xbar *x, unsigned output, uint64_t cycle) {
  x->room_at[output] = cycle;
  if (hd_port_set_any(&x->want[output], x->input_words))
    may_by(x, output, later(cycle, x->port_at[output]));
}

/* The functions below are compiled for up to 64 inputs and outputs, and once more for more. `inputs` and `outputs`
 * are the numbers of 64-bit words of sets of ports. Without that heddle sim executes 2.1 % more instructions
 * (gpu/gtx480_bypass, a gather of 306 thousand requests). */

/* Returns the inputs of word w whose first packet for the output has arrived. */
static inline uint64_t there(struct hd_xbar *x, unsigned output, unsigned w, uint64_t cycle) {
  const uint64_t *const front_at = x->front_at + queue_of(x, 0, output);
  uint64_t known = x->there[output].word[w];
  for (uint64_t rest = x->want[output].word[w] & ~known; rest; rest &= rest - 1)
    known |= front_at[hd_port_of(w, rest)] <= cycle ? rest & -rest : 0;
  return x->there[output].word[w] = known;
}

/* Returns the input whose turn is next among those that can move to the output in this cycle. Returns HD_PORTS if
 * none can. */
static inline unsigned choose(struct hd_xbar *x, unsigned output, uint64_t cycle, unsigned inputs) {
  unsigned first = HD_PORTS; /* the first of those before `turn` */
  for (unsigned w = 0; w < inputs; w++) {
    const uint64_t can = there(x, output, w, cycle) & ~x->busy.word[w];
    const unsigned skip = x->turn[output] < w * 64 ? 0 : x->turn[output] - w * 64;
    const uint64_t from = skip < 64 ? can >> skip << skip : 0;
    if (from)
      return hd_port_of(w, from);
    if (can && first == HD_PORTS)
      first = hd_port_of(w, can);
  }
  return first;
}

/* Returns the first cycle in which one of the inputs can move a packet to the output. */
static inline uint64_t first_of(const struct hd_xbar *x, unsigned output, unsigned inputs) {
  const uint64_t *const front_at = x->front_at + queue_of(x, 0, output);
  uint64_t first = UINT64_MAX;
  for (unsigned w = 0; w < inputs; w++)
    for (uint64_t rest = x->want[output].word[w]; rest; rest &= rest - 1) {
      const unsigned i = hd_port_of(w, rest);
      first = sooner(first, later(x->input_at[i], front_at[i]));
    }
  return first;
}

static inline void move(struct hd_xbar *x, unsigned i, unsigned o, uint64_t cycle, struct hd_xbar_move *to) {
  const size_t queue = queue_of(x, i, o);
  const uint32_t p = x->head[queue];
  struct hd_xbar_entry *e = &x->place[p];
  *to = (struct hd_xbar_move){&x->packet[p], (uint8_t)i, (uint8_t)o, e->flits};
  x->packets++;
  x->flits += e->flits;
  x->waits += cycle - e->at;
  x->port_at[o] = x->input_at[i] = cycle + e->flits;
  hd_port_set_add(&x->busy, i);
  x->turn[o] = (uint8_t)(i + 1 == x->inputs ? 0 : i + 1);
  if (p == x->tail[queue]) {
    hd_port_set_drop(&x->want[o], i);
    hd_port_set_drop(&x->there[o], i);
  } else {
    set_front(x, queue, e->next);
    if (x->front_at[queue] > cycle)
      hd_port_set_drop(&x->there[o], i);
  }
  e->next = x->free[i];
  x->free[i] = p;
  x->count[i]--;
}

/* Runs an output. Returns true if a packet begins to move to it. */
static inline bool run_output(struct hd_xbar *x, unsigned o, uint64_t cycle, struct hd_xbar_move *to,
                              unsigned inputs) {
  x->may_at[o] = later(x->port_at[o], x->room_at[o]);
  if (x->may_at[o] > cycle)
    return false;
  const unsigned i = choose(x, o, cycle, inputs);
  if (i == HD_PORTS) {
    x->may_at[o] = first_of(x, o, inputs);
    return false;
  }
  move(x, i, o, cycle, to);
  x->may_at[o] = x->port_at[o];
  if (!hd_port_set_any(&x->want[o], inputs)) {
    hd_port_set_drop(&x->requested, o);
    x->may_at[o] = UINT64_MAX;
  }
  return true;
}

/* Frees the inputs whose packet has passed. */
static inline void free_inputs(struct hd_xbar *x, uint64_t cycle, unsigned inputs) {
  for (unsigned w = 0; w < inputs; w++)
    for (uint64_t rest = x->busy.word[w]; rest; rest &= rest - 1)
      if (x->input_at[hd_port_of(w, rest)] <= cycle)
        x->busy.word[w] ^= rest & -rest;
}

/* Runs all outputs. They choose one after the other, a different one first in each cycle. */
static inline unsigned run(struct hd_xbar *x, uint64_t cycle, struct hd_xbar_move *moves, unsigned inputs,
                           unsigned outputs) {
  const unsigned first = (unsigned)(cycle % (64 * outputs));
  const uint64_t before = hd_port_bit(first) - 1; /* of that word: these outputs are the last */
  unsigned n = 0;
  uint64_t next = UINT64_MAX;
  free_inputs(x, cycle, inputs);
  for (unsigned step = 0; step <= outputs; step++) {
    const unsigned w = (first / 64 + step) % outputs;
    uint64_t rest = x->requested.word[w] & (step == 0 ? ~before : step == outputs ? before : UINT64_MAX);
    for (; rest; rest &= rest - 1) {
      const unsigned o = hd_port_of(w, rest);
      if (x->may_at[o] <= cycle)
        n += run_output(x, o, cycle, &moves[n], inputs);
      next = sooner(next, x->may_at[o]);
    }
  }
  x->next = next;
  return n;
}

unsigned hd_xbar_cycle(struct hd_xbar *x, uint64_t cycle, struct hd_xbar_move *moves) {
  return x->input_words == 1 && x->output_words == 1 ? run(x, cycle, moves, 1, 1)
                                                     : run(x, cycle, moves, x->input_words, x->output_words);
}

static void settle_queue(struct hd_xbar *x, size_t queue, uint64_t cycle) {
  for (uint32_t p = x->head[queue];; p = x->place[p].next) {
    struct hd_xbar_entry *e = &x->place[p];
    if (e->at < cycle) {
      x->waits += cycle - e->at;
      e->at = cycle;
    }
    if (p == x->tail[queue])
      break;
  }
  set_front(x, queue, x->head[queue]);
}

void hd_xbar_settle(struct hd_xbar *x, uint64_t cycle) {
  for (unsigned o = 0; o < x->outputs; o++)
    for (unsigned w = 0; w < x->input_words; w++)
      for (uint64_t rest = x->want[o].word[w]; rest; rest &= rest - 1)
        settle_queue(x, queue_of(x, hd_port_of(w, rest), o), cycle);
}
