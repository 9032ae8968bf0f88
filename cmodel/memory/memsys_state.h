/* The inside of the memory system, shared by memsys.c (ports, units, time) and memsys_units.c (making it, its figures).
 * Nobody else includes this. */
#ifndef HEDDLE_CMODEL_MEMORY_MEMSYS_STATE_H
#define HEDDLE_CMODEL_MEMORY_MEMSYS_STATE_H

#include "cmodel/memory/memsys.h"

#include "cmodel/memory/bank.h"
#include "cmodel/memory/dram.h"
#include "cmodel/memory/icnt.h"
#include "cmodel/memory/memmap.h"
#include "cmodel/model/clock.h"

/* A request on its way to the crossbar. */
struct sending {
  union hd_packet packet;
  uint64_t at; /* icnt cycle in which its head is there */
  unsigned bank, flits;
  unsigned bytes; /* of a line, that a store brings */
};

/* Between an SM and both crossbars. Requests and answers are numbered, and `depth` of each may be on their way; what belongs to number n
 * is in element n & mask. Who counts them on one side writes elements that the other side does not read before it has been told.
 *
 * Here and in struct hd_memsys, what is written while SMs and memory system run at the same time lies apart from what others read
 * then, in lines of 64 bytes of the host's cache: otherwise each core takes them from the other, again and again. */
struct port {
  /* never written */
  _Alignas(64) struct sending *sending;
  uint64_t *room_at;  /* of an answer: the core cycle from which the crossbar sees a place for it */
  uint64_t *ready_at; /* of a request: the core cycle from which the SM sees a place for it */
  struct hd_memsys_answer *answers;
  struct hd_store_bytes *stores; /* hd_memsys_stores, or NULL */
  /* the SM's, */
  _Alignas(64) uint64_t link_at; /* core cycle from which its link is free */
  unsigned sent, taken;          /* so many */
  bool acted;                    /* it has sent or taken something since the last exchange */
  /* and what hd_memsys_exchange has told it */
  unsigned known_left, known_given;
  bool news; /* it has been told something since this was cleared */
  /* the memory system's, */
  _Alignas(64) unsigned entered, left; /* requests in the crossbar so far; that have left it */
  unsigned given, freed;               /* answers; places that they have made free */
  /* and what hd_memsys_exchange has told it */
  unsigned known_sent, known_taken;
};

struct hd_memsys {
  /* never written */
  _Alignas(64) struct hd_memmap map;
  bool no_skip, full, segments; /* banks are told of stores that write whole lines; stores bring segments */
  unsigned sms, line_bytes, depth, mask; /* mask: depth or more, one less than a power of two */
  unsigned sm_words;                     /* of a set of SMs */
  uint64_t latency, l2_latency, back;    /* core cycles: to and from a crossbar, to the tags, from DRAM */
  uint64_t far;                          /* core cycles more between the GPU's halves */
  unsigned short_flits;                  /* of a packet without bytes of a line */
  uint64_t
      alone; /* core cycles that a bank can be run before the others, or 0: what is not on its way to it comes later */
  unsigned pushes; /* requests that may enter the way to a bank in a core cycle, at most */
  unsigned sector_bytes;
  uint8_t *flits_with;        /* of a packet that brings so many bytes of a line */
  struct hd_clock link_clock; /* never run: it tells times to SMs */
  struct port *port;
  /* the SMs': those that have sent or taken something since the last exchange */
  _Alignas(64) _Atomic uint64_t acted[HD_PORT_WORDS];
  /* the memory system's */
  _Alignas(64) uint64_t now; /* everything before has been run */
  struct hd_clock up_clock, l2_clock, dram_clock, down_clock;
  struct hd_xbar up, down;
  struct hd_port_set news;    /* SMs of which the last exchange has told something */
  struct hd_port_set changed; /* SMs for which something has changed here since the last exchange */
  struct hd_bank **bank;
  uint64_t *bank_next, banks_next; /* core cycles */
  struct hd_dram **channel;
  unsigned *channel_turn;
  uint64_t *pull_next, pulls_next;       /* core cycles: a request can be pulled into the window */
  uint64_t *command_next, commands_next; /* DRAM cycles */
  uint64_t channels_next;                /* core cycle: of both */
  struct hd_xbar_move moves[HD_PORTS];
  struct hd_memsys_stats stats;
};

#endif
