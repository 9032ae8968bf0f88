/* A crossbar with a queue for every output at each input; one packet at a time through each input and each output.
 * docs/gpu.md, "Interconnect". Times are cycles of the crossbar's clock.
 *
 * Invariant: `want` of an output has the inputs whose queue for the output is not empty. `there` has those of them
 * whose first packet had arrived at the last look. An input that is not in `busy` passes no packet. Nothing can move
 * to output o before cycle may_at[o], and nothing at all before `next`. */
#ifndef HEDDLE_CMODEL_MEMORY_ICNT_H
#define HEDDLE_CMODEL_MEMORY_ICNT_H

#include "cmodel/memory/packet.h"
#include "cmodel/memory/port_set.h"

/* The part of a packet that the crossbar reads. It is apart from the payload, so that it stays in the host's nearest
 * cache. */
struct hd_xbar_entry {
  uint64_t at;   /* cycle in which its head arrives */
  uint32_t next; /* the next in its queue; of a free place: the next free one */
  uint8_t flits;
};

struct hd_xbar {
  unsigned inputs, outputs, depth, input_words, output_words; /* words: 64-bit words of a set of ports */
  struct hd_xbar_entry *place;                                /* `depth` an input, shared by its queues */
  union hd_packet *packet;                                    /* by place: its packet */
  uint32_t free[HD_PORTS];                                    /* by input: first free place, if any */
  uint16_t count[HD_PORTS];                                   /* places taken */
  uint32_t *head, *tail;                                      /* element output * inputs + input: a queue */
  uint64_t *front_at; /* same index: `at` of the head, if the queue is not empty */
  struct hd_port_set want[HD_PORTS], there[HD_PORTS], requested; /* want, there: sets of inputs, by output */
  struct hd_port_set busy;                                       /* a set of inputs */
  uint64_t input_at[HD_PORTS];                                   /* input: free from */
  uint64_t port_at[HD_PORTS], room_at[HD_PORTS];                 /* output; place behind it: free from */
  uint8_t turn[HD_PORTS];                                        /* by output: the input whose turn is next */
  uint64_t may_at[HD_PORTS], next;
  uint64_t packets, flits, waits;
};

struct hd_xbar_move {
  const union hd_packet *packet; /* valid until the next push */
  uint8_t input, output, flits;
};

/* Makes a crossbar of at most HD_PORTS inputs and outputs, and 65535 places an input. Returns false if memory runs out. */
bool hd_xbar_init(struct hd_xbar *x, unsigned inputs, unsigned outputs, unsigned depth);
void hd_xbar_free(struct hd_xbar *x);

/* Returns the place for the next packet of the input. NULL: there is no place. */
union hd_packet *hd_xbar_place(const struct hd_xbar *x, unsigned input);
/* Queues the packet that was written to that place. Its head arrives in cycle `at`. */
void hd_xbar_push(struct hd_xbar *x, unsigned input, unsigned output, unsigned flits, uint64_t at);
/* There is no place behind `output` before `cycle`; UINT64_MAX: until this is called again. */
void hd_xbar_room(struct hd_xbar *x, unsigned output, uint64_t cycle);

/* Runs a cycle. Writes the packets that begin to move, at most one an output, to `moves` and returns their number.
 * The last flit of a packet passes in cycle + flits - 1. Before the next cycle, call hd_xbar_room for those outputs
 * behind which no place is left. */
unsigned hd_xbar_cycle(struct hd_xbar *x, uint64_t cycle, struct hd_xbar_move *moves);

/* Counts the waits of packets that have not moved up to `cycle`. */
void hd_xbar_settle(struct hd_xbar *x, uint64_t cycle);

#endif
