/* A crossbar with a queue for every output at each input; one packet at a time through each input and each output.
 * docs/gpu.md, "Interconnect". Times are cycles of its clock.
 *
 * Invariant: `want` of an output has the inputs whose queue for it is not empty, `there` those of them whose first packet had come
 * when it was last looked at; no input that is not in `busy` passes a packet; nothing can move to output o before cycle may_at[o],
 * and nothing at all before `next`.
 */
#ifndef HEDDLE_CMODEL_MEMORY_ICNT_H
#define HEDDLE_CMODEL_MEMORY_ICNT_H

#include "cmodel/memory/packet.h"
#include "cmodel/memory/port_set.h"

/* Of a packet, what the crossbar looks at: apart from what it brings, so that it stays in the host's nearest cache. */
struct hd_xbar_entry {
  uint64_t at;   /* cycle in which its head is there */
  uint32_t next; /* behind it in its queue; of a free place: the next free one */
  uint8_t flits;
};

struct hd_xbar {
  unsigned inputs, outputs, depth, input_words, output_words; /* words: of a set of them */
  struct hd_xbar_entry *place;                                /* depth for each input, shared by its queues */
  union hd_packet *packet;                                    /* of each place */
  uint32_t free[HD_PORTS];                                    /* of an input: first free place, if any is */
  uint16_t count[HD_PORTS];                                   /* places taken */
  uint32_t *head, *tail;                                      /* of element output * inputs + input */
  uint64_t *front_at; /* likewise: `at` of the head, of a queue that is not empty */
  struct hd_port_set want[HD_PORTS], there[HD_PORTS], requested; /* of an output: inputs; outputs */
  struct hd_port_set busy;                                       /* inputs */
  uint64_t input_at[HD_PORTS];                                   /* input free */
  uint64_t port_at[HD_PORTS], room_at[HD_PORTS];                 /* output free; a place behind it is */
  uint8_t turn[HD_PORTS]; /* of an output: the input that comes first */
  uint64_t may_at[HD_PORTS], next;
  uint64_t packets, flits, waits;
};

struct hd_xbar_move {
  const union hd_packet *packet; /* until the next push */
  uint8_t input, output, flits;
};

/* At most HD_PORTS inputs and outputs, and 65535 places an input. False: out of memory. */
bool hd_xbar_init(struct hd_xbar *x, unsigned inputs, unsigned outputs, unsigned depth);
void hd_xbar_free(struct hd_xbar *x);

/* Where the next packet of the input is to be put; NULL: there is no place. */
union hd_packet *hd_xbar_place(const struct hd_xbar *x, unsigned input);
/* It is there, and its head comes in cycle `at`. */
void hd_xbar_push(struct hd_xbar *x, unsigned input, unsigned output, unsigned flits, uint64_t at);
/* There is no place behind `output` before `cycle`; UINT64_MAX: until this is called again. */
void hd_xbar_room(struct hd_xbar *x, unsigned output, uint64_t cycle);

/* Runs a cycle. The packets that begin to move, at most one an output, are written to `moves`; returns how many. The
 * last flit of one passes in cycle + flits - 1. Before the next cycle, hd_xbar_room for those outputs behind which no
 * place is left. */
unsigned hd_xbar_cycle(struct hd_xbar *x, uint64_t cycle, struct hd_xbar_move *moves);

/* Counts the waits of packets that have not moved up to `cycle`. */
void hd_xbar_settle(struct hd_xbar *x, uint64_t cycle);

#endif
