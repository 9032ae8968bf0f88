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
  x->head = calloc((size_t)inputs * outputs, sizeof *x->head);
  x->tail = calloc((size_t)inputs * outputs, sizeof *x->tail);
  x->front_at = calloc((size_t)inputs * outputs, sizeof *x->front_at);
  for (size_t p = 0; x->place && p < (size_t)inputs * depth; p++)
    x->place[p].next = (uint16_t)(p % depth + 1);
  for (unsigned o = 0; o < HD_PORTS; o++)
    x->may_at[o] = UINT64_MAX;
  return x->place && x->head && x->tail && x->front_at;
}

void hd_xbar_free(struct hd_xbar *x) {
  free(x->place);
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

static struct hd_xbar_entry *place_of(const struct hd_xbar *x, unsigned input, unsigned place) {
  return &x->place[(size_t)input * x->depth + place];
}

static size_t queue_of(const struct hd_xbar *x, unsigned input, unsigned output) {
  return (size_t)output * x->inputs + input;
}

/* The packet in this place is the first of its queue. */
static void set_front(struct hd_xbar *x, size_t queue, unsigned input, uint16_t place) {
  x->head[queue] = place;
  x->front_at[queue] = place_of(x, input, place)->at;
}

void hd_xbar_push(struct hd_xbar *x, unsigned input, const union hd_packet *packet, unsigned output,
                  unsigned flits, uint64_t at) {
  const uint16_t p = x->free[input];
  struct hd_xbar_entry *e = place_of(x, input, p);
  const size_t queue = queue_of(x, input, output);
  x->free[input] = e->next;
  x->count[input]++;
  e->packet = *packet;
  e->at = at;
  e->flits = (uint8_t)flits;
  if (hd_port_set_has(&x->want[output], input))
    place_of(x, input, x->tail[queue])->next = p;
  else
    set_front(x, queue, input, p);
  x->tail[queue] = p;
  hd_port_set_add(&x->want[output], input);
  hd_port_set_add(&x->requested, output);
  may_by(x, output, at);
}

void hd_xbar_room(struct hd_xbar *x, unsigned output, uint64_t cycle) {
  x->room_at[output] = cycle;
  if (hd_port_set_any(&x->want[output], x->input_words))
    may_by(x, output, later(cycle, x->port_at[output]));
}

/* The input whose turn it is, of those that can move to the output in this cycle; HD_PORTS: none can before cycle *next. */
static unsigned choose(const struct hd_xbar *x, unsigned output, uint64_t cycle, uint64_t *next) {
  const uint64_t *const front_at = x->front_at + queue_of(x, 0, output);
  unsigned first = HD_PORTS; /* before its turn */
  *next = UINT64_MAX;
  for (unsigned w = 0; w < x->input_words; w++) {
    uint64_t can = 0;
    for (uint64_t rest = x->want[output].word[w]; rest; rest &= rest - 1) {
      const unsigned i = hd_port_of(w, rest);
      const uint64_t at = later(x->input_at[i], front_at[i]);
      can |= at <= cycle ? rest & -rest : 0;
      *next = sooner(*next, at);
    }
    const unsigned skip = x->turn[output] < w * 64 ? 0 : x->turn[output] - w * 64;
    const uint64_t from = skip < 64 ? can >> skip << skip : 0;
    if (from)
      return hd_port_of(w, from);
    if (can && first == HD_PORTS)
      first = hd_port_of(w, can);
  }
  return first;
}

static void move(struct hd_xbar *x, unsigned i, unsigned o, uint64_t cycle, struct hd_xbar_move *to) {
  const size_t queue = queue_of(x, i, o);
  const uint16_t p = x->head[queue];
  struct hd_xbar_entry *e = place_of(x, i, p);
  const uint64_t done = cycle + e->flits;
  *to = (struct hd_xbar_move){&e->packet, (uint8_t)i, (uint8_t)o, e->flits};
  x->packets++;
  x->flits += e->flits;
  x->waits += cycle - e->at;
  x->port_at[o] = x->input_at[i] = done;
  x->turn[o] = (uint8_t)(i + 1 == x->inputs ? 0 : i + 1);
  if (p == x->tail[queue])
    hd_port_set_drop(&x->want[o], i);
  else
    set_front(x, queue, i, e->next);
  e->next = x->free[i];
  x->free[i] = p;
  x->count[i]--;
  if (!hd_port_set_any(&x->want[o], x->input_words))
    hd_port_set_drop(&x->requested, o);
}

/* True if a packet begins to move to the output. */
static bool run_output(struct hd_xbar *x, unsigned o, uint64_t cycle, struct hd_xbar_move *to) {
  x->may_at[o] = later(x->port_at[o], x->room_at[o]);
  if (x->may_at[o] > cycle)
    return false;
  const unsigned i = choose(x, o, cycle, &x->may_at[o]);
  if (i == HD_PORTS)
    return false;
  move(x, i, o, cycle, to);
  x->may_at[o] = hd_port_set_any(&x->want[o], x->input_words) ? x->port_at[o] : UINT64_MAX;
  return true;
}

/* Outputs choose one after the other, a different one first in each cycle. */
unsigned hd_xbar_cycle(struct hd_xbar *x, uint64_t cycle, struct hd_xbar_move *moves) {
  const unsigned words = x->output_words, first = (unsigned)(cycle % (64 * words));
  const uint64_t before = hd_port_bit(first) - 1; /* of the word of the first: they are the last */
  unsigned n = 0;
  x->next = UINT64_MAX;
  for (unsigned step = 0; step <= words; step++) {
    const unsigned w = (first / 64 + step) % words;
    uint64_t rest = x->requested.word[w] & (step == 0 ? ~before : step == words ? before : UINT64_MAX);
    for (; rest; rest &= rest - 1) {
      const unsigned o = hd_port_of(w, rest);
      if (x->may_at[o] <= cycle)
        n += run_output(x, o, cycle, &moves[n]);
      x->next = sooner(x->next, x->may_at[o]);
    }
  }
  return n;
}

static void settle_queue(struct hd_xbar *x, unsigned i, unsigned o, uint64_t cycle) {
  const size_t queue = queue_of(x, i, o);
  for (uint16_t p = x->head[queue];; p = place_of(x, i, p)->next) {
    struct hd_xbar_entry *e = place_of(x, i, p);
    if (e->at < cycle) {
      x->waits += cycle - e->at;
      e->at = cycle;
    }
    if (p == x->tail[queue])
      break;
  }
  set_front(x, queue, i, x->head[queue]);
}

void hd_xbar_settle(struct hd_xbar *x, uint64_t cycle) {
  for (unsigned o = 0; o < x->outputs; o++)
    for (unsigned w = 0; w < x->input_words; w++)
      for (uint64_t rest = x->want[o].word[w]; rest; rest &= rest - 1)
        settle_queue(x, hd_port_of(w, rest), o, cycle);
}
