/* The inside of the memory system, shared by memsys.c (ports, units, time) and memsys_units.c (construction,
 * figures). Only these two include this. */
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
  uint64_t at; /* icnt cycle in which its head arrives */
  unsigned bank, flits;
  unsigned bytes; /* line bytes that a store brings */
};

/* The port between an SM and both crossbars. Requests and answers are numbered, and `depth` of each may be on their
 * way. What belongs to number n is in element n & mask. The side that counts them writes elements that the other side
 * does not read before the next exchange.
 *
 * Here and in struct hd_memsys, data that one side writes while the other side runs are kept apart from data that the
 * other side reads, in lines of 64 bytes of the host's cache. Otherwise each core would take the lines from the
 * other, again and again. */
struct port {
  /* never written after construction */
  _Alignas(64) struct sending *sending;
  uint64_t *room_at;  /* by answer: the core cycle from which the crossbar sees a place for it */
  uint64_t *ready_at; /* by request: the core cycle from which the SM sees a place for it */
  struct hd_memsys_answer *answers;
  struct hd_store_bytes *stores; /* hd_memsys_stores, or NULL */
  /* written by the SM, */
  _Alignas(64) uint64_t link_at; /* core cycle from which its link is free */
  unsigned sent, taken;          /* requests sent, answers taken so far */
  bool acted;                    /* the SM has sent or taken something since the last exchange */
  /* and, for the SM, by hd_memsys_exchange */
  unsigned known_left, known_given;
  bool news; /* an exchange has told the SM something since it cleared this */
  /* written by the memory system, */
  _Alignas(64) unsigned entered, left; /* requests: have entered the crossbar so far; have left it */
  unsigned given, freed;               /* answers given so far; places that taken answers have freed */
  /* and, for the memory system, by hd_memsys_exchange */
  unsigned known_sent, known_taken;
};

struct hd_memsys {
  /* never written after construction */
  _Alignas(64) struct hd_memmap map;
  /* full: banks are told of stores that write whole lines; segments: stores bring segments */
  bool no_skip, full, segments;
  unsigned sms, line_bytes, depth, mask; /* mask: a power of two less 1, depth - 1 or more */
  unsigned sm_words;                     /* 64-bit words of a set of SMs */
  uint64_t latency, l2_latency, back;    /* core cycles: to and from a crossbar; to the tags; from DRAM */
  uint64_t far;                          /* additional core cycles between the GPU's halves */
  unsigned short_flits;                  /* flits of a packet without line bytes */
  /* core cycles that a bank may run ahead of the others, or 0: what is not on its way to the bank yet comes later */
  uint64_t alone;
  unsigned pushes; /* the most requests that may enter the way to a bank in a core cycle */
  unsigned sector_bytes;
  uint8_t *flits_with;        /* by line bytes that a packet brings */
  struct hd_clock link_clock; /* never run: converts times for SMs */
  struct port *port;
  /* written by the SMs: the SMs that have sent or taken something since the last exchange */
  _Alignas(64) _Atomic uint64_t acted[HD_PORT_WORDS];
  /* written by the memory system */
  _Alignas(64) uint64_t now; /* all cycles before this one have been run */
  struct hd_clock up_clock, l2_clock, dram_clock, down_clock;
  struct hd_xbar up, down;
  struct hd_port_set news;    /* SMs about which the last exchange had news */
  struct hd_port_set changed; /* SMs for which something has changed here since the last exchange */
  struct hd_bank **bank;
  uint64_t *bank_next, banks_next; /* core cycles */
  struct hd_dram **channel;
  unsigned *channel_turn;
  uint64_t *pull_next, pulls_next;       /* core cycles: a request can be pulled into the window */
  uint64_t *command_next, commands_next; /* DRAM cycles */
  uint64_t channels_next;                /* core cycle: the sooner of both */
  struct hd_xbar_move moves[HD_PORTS];
  struct hd_memsys_stats stats;
};

#endif
