/* A crossbar with queues at its inputs; see icnt.h. */
#include "cmodel/icnt.h"

#include <stdlib.h>

bool hd_xbar_init(struct hd_xbar *x, unsigned inputs, unsigned depth) {
  *x = (struct hd_xbar){.depth = depth, .next = UINT64_MAX};
  x->fifo = calloc((size_t)inputs * depth, sizeof *x->fifo);
  return x->fifo != NULL;
}

void hd_xbar_free(struct hd_xbar *x) {
  free(x->fifo);
}

static uint64_t later(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

static void soon(struct hd_xbar *x, uint64_t cycle) {
  if (cycle < x->next)
    x->next = cycle;
}

static struct hd_xbar_entry *front(const struct hd_xbar *x, unsigned input) {
  return &x->fifo[(size_t)input * x->depth + x->head[input]];
}

/* A packet has come to the front, and can't move before `cycle`. */
static void come_forward(struct hd_xbar *x, unsigned input, uint64_t cycle) {
  x->head_at[input] = later(cycle, front(x, input)->at);
  x->pending |= UINT64_C(1) << input;
  soon(x, x->head_at[input]);
}

void hd_xbar_push(struct hd_xbar *x, unsigned input, const struct hd_packet *packet, unsigned output,
                  unsigned flits, uint64_t at) {
  unsigned place = x->head[input] + x->count[input]++;
  if (place >= x->depth)
    place -= x->depth;
  x->fifo[(size_t)input * x->depth + place] =
      (struct hd_xbar_entry){*packet, at, (uint8_t)output, (uint8_t)flits};
  if (x->count[input] == 1) /* head_at: when the input is free */
    come_forward(x, input, x->head_at[input]);
}

void hd_xbar_room(struct hd_xbar *x, unsigned output, uint64_t cycle) {
  x->room_at[output] = cycle;
  if (x->want[output])
    soon(x, later(cycle, x->port_at[output]));
}

static void promote(struct hd_xbar *x, uint64_t cycle) {
  for (uint64_t rest = x->pending; rest; rest &= rest - 1) {
    const unsigned i = (unsigned)__builtin_ctzll(rest);
    if (x->head_at[i] > cycle) {
      soon(x, x->head_at[i]);
      continue;
    }
    const unsigned o = front(x, i)->output;
    x->pending &= ~(UINT64_C(1) << i);
    x->want[o] |= UINT64_C(1) << i;
    x->wanted |= UINT64_C(1) << o;
  }
}

static unsigned choose(const struct hd_xbar *x, unsigned output) {
  const uint64_t want = x->want[output], from = want >> x->turn[output] << x->turn[output];
  return (unsigned)__builtin_ctzll(from ? from : want);
}

static void move(struct hd_xbar *x, unsigned i, unsigned o, uint64_t cycle, struct hd_xbar_move *to) {
  const struct hd_xbar_entry *e = front(x, i);
  const uint64_t done = cycle + e->flits;
  *to = (struct hd_xbar_move){e->packet, (uint8_t)i, (uint8_t)o, e->flits};
  x->packets++;
  x->flits += e->flits;
  x->waits += cycle - x->head_at[i];
  x->want[o] &= ~(UINT64_C(1) << i);
  x->port_at[o] = done;
  x->turn[o] = (uint8_t)((i + 1) % HD_XBAR_PORTS);
  if (x->want[o])
    soon(x, done);
  else
    x->wanted &= ~(UINT64_C(1) << o);
  if (++x->head[i] == x->depth)
    x->head[i] = 0;
  x->head_at[i] = done;
  if (--x->count[i])
    come_forward(x, i, done);
}

unsigned hd_xbar_cycle(struct hd_xbar *x, uint64_t cycle, struct hd_xbar_move *moves) {
  unsigned n = 0;
  x->next = UINT64_MAX;
  promote(x, cycle);
  for (uint64_t rest = x->wanted; rest; rest &= rest - 1) {
    const unsigned o = (unsigned)__builtin_ctzll(rest);
    const uint64_t at = later(x->port_at[o], x->room_at[o]);
    if (at > cycle)
      soon(x, at);
    else
      move(x, choose(x, o), o, cycle, &moves[n++]);
  }
  return n;
}

void hd_xbar_settle(struct hd_xbar *x, uint64_t cycle) {
  for (unsigned o = 0; o < HD_XBAR_PORTS; o++)
    for (uint64_t rest = x->want[o]; rest; rest &= rest - 1) {
      const unsigned i = (unsigned)__builtin_ctzll(rest);
      x->waits += cycle - x->head_at[i];
      x->head_at[i] = cycle;
    }
}
