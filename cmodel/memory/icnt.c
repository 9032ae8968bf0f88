/* A crossbar with a queue for every output at each input; see icnt.h. */
#include "cmodel/memory/icnt.h"

#include <stdlib.h>

bool hd_xbar_init(struct hd_xbar *x, unsigned inputs, unsigned depth) {
  *x = (struct hd_xbar){.inputs = inputs, .depth = depth, .next = UINT64_MAX};
  x->place = calloc((size_t)inputs * depth, sizeof *x->place);
  for (size_t p = 0; x->place && p < (size_t)inputs * depth; p++)
    x->place[p].next = (uint16_t)(p % depth + 1);
  for (unsigned o = 0; o < HD_XBAR_PORTS; o++)
    x->may_at[o] = UINT64_MAX;
  return x->place != NULL;
}

void hd_xbar_free(struct hd_xbar *x) {
  free(x->place);
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

static struct hd_xbar_entry *front(const struct hd_xbar *x, unsigned input, unsigned output) {
  return place_of(x, input, x->head[input][output]);
}

void hd_xbar_push(struct hd_xbar *x, unsigned input, const union hd_packet *packet, unsigned output,
                  unsigned flits, uint64_t at) {
  const uint16_t p = x->free[input];
  struct hd_xbar_entry *e = place_of(x, input, p);
  const uint64_t bit = UINT64_C(1) << input;
  x->free[input] = e->next;
  x->count[input]++;
  e->packet = *packet;
  e->at = at;
  e->flits = (uint8_t)flits;
  if (x->want[output] & bit)
    place_of(x, input, x->tail[input][output])->next = p;
  else
    x->head[input][output] = p;
  x->tail[input][output] = p;
  x->want[output] |= bit;
  x->requested |= UINT64_C(1) << output;
  may_by(x, output, at);
}

void hd_xbar_room(struct hd_xbar *x, unsigned output, uint64_t cycle) {
  x->room_at[output] = cycle;
  if (x->want[output])
    may_by(x, output, later(cycle, x->port_at[output]));
}

/* The input whose turn it is, of those that can move to the output in this cycle; HD_XBAR_PORTS: none can before
 * cycle *next. */
static unsigned choose(const struct hd_xbar *x, unsigned output, uint64_t cycle, uint64_t *next) {
  uint64_t can = 0;
  *next = UINT64_MAX;
  for (uint64_t rest = x->want[output]; rest; rest &= rest - 1) {
    const unsigned i = (unsigned)__builtin_ctzll(rest);
    const uint64_t at = later(x->input_at[i], front(x, i, output)->at);
    can |= at <= cycle ? rest & -rest : 0;
    *next = sooner(*next, at);
  }
  const uint64_t from = can >> x->turn[output] << x->turn[output];
  return can ? (unsigned)__builtin_ctzll(from ? from : can) : HD_XBAR_PORTS;
}

static void move(struct hd_xbar *x, unsigned i, unsigned o, uint64_t cycle, struct hd_xbar_move *to) {
  const uint16_t p = x->head[i][o];
  struct hd_xbar_entry *e = place_of(x, i, p);
  const uint64_t done = cycle + e->flits;
  *to = (struct hd_xbar_move){&e->packet, (uint8_t)i, (uint8_t)o, e->flits};
  x->packets++;
  x->flits += e->flits;
  x->waits += cycle - e->at;
  x->port_at[o] = x->input_at[i] = done;
  x->turn[o] = (uint8_t)((i + 1) % HD_XBAR_PORTS);
  if (p == x->tail[i][o])
    x->want[o] &= ~(UINT64_C(1) << i);
  else
    x->head[i][o] = e->next;
  e->next = x->free[i];
  x->free[i] = p;
  x->count[i]--;
  if (!x->want[o])
    x->requested &= ~(UINT64_C(1) << o);
}

/* True if a packet begins to move to the output. */
static bool run_output(struct hd_xbar *x, unsigned o, uint64_t cycle, struct hd_xbar_move *to) {
  x->may_at[o] = later(x->port_at[o], x->room_at[o]);
  if (x->may_at[o] > cycle)
    return false;
  const unsigned i = choose(x, o, cycle, &x->may_at[o]);
  if (i == HD_XBAR_PORTS)
    return false;
  move(x, i, o, cycle, to);
  x->may_at[o] = x->want[o] ? x->port_at[o] : UINT64_MAX;
  return true;
}

/* Outputs choose one after the other, a different one first in each cycle. */
unsigned hd_xbar_cycle(struct hd_xbar *x, uint64_t cycle, struct hd_xbar_move *moves) {
  const unsigned first = cycle % HD_XBAR_PORTS;
  const uint64_t upper = x->requested >> first << first;
  uint64_t rest[2] = {upper, x->requested & ~upper};
  unsigned n = 0;
  x->next = UINT64_MAX;
  for (int half = 0; half < 2; half++)
    for (; rest[half]; rest[half] &= rest[half] - 1) {
      const unsigned o = (unsigned)__builtin_ctzll(rest[half]);
      if (x->may_at[o] <= cycle)
        n += run_output(x, o, cycle, &moves[n]);
      x->next = sooner(x->next, x->may_at[o]);
    }
  return n;
}

void hd_xbar_settle(struct hd_xbar *x, uint64_t cycle) {
  for (unsigned o = 0; o < HD_XBAR_PORTS; o++)
    for (uint64_t rest = x->want[o]; rest; rest &= rest - 1) {
      const unsigned i = (unsigned)__builtin_ctzll(rest);
      for (uint16_t p = x->head[i][o];; p = place_of(x, i, p)->next) {
        struct hd_xbar_entry *e = place_of(x, i, p);
        if (e->at < cycle) {
          x->waits += cycle - e->at;
          e->at = cycle;
        }
        if (p == x->tail[i][o])
          break;
      }
    }
}
