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

/* An SM's side of both crossbars. Places are numbered modulo `depth`. */
struct port {
  uint64_t link_at;    /* core cycle from which its link is free */
  unsigned sent, left; /* places of the next request, of the oldest one in the FIFO */
  uint64_t *credit_at; /* of a place for requests: the core cycle from which the SM sees it free */
  struct hd_memsys_answer *answers;
  uint8_t *full;           /* hd_memsys_full, or NULL */
  unsigned given, untaken; /* place of the next answer; answers there */
  uint64_t *free_at;       /* of a place for answers: the core cycle from which the crossbar sees it free */
};

struct hd_memsys {
  struct hd_memmap map;
  bool no_skip, full; /* full: banks are told of stores that write whole lines */
  unsigned sms, line_bytes, depth;
  uint64_t latency, l2_latency, back; /* core cycles: to and from a crossbar, to the tags, from DRAM */
  unsigned short_flits, long_flits;   /* of a packet without and with a line */
  unsigned header_bytes, flit_bytes, sector_bytes;
  uint64_t spared, spared_up; /* bytes of lines that answers, and stores, did not bring */
  uint64_t now;               /* everything before has been run */
  struct hd_clock up_clock, l2_clock, dram_clock, down_clock;
  struct hd_xbar up, down;
  struct port *port;
  struct hd_bank **bank;
  uint64_t *bank_next, banks_next; /* core cycles */
  struct hd_dram **channel;
  unsigned *channel_turn;
  uint64_t *pull_next, pulls_next;       /* core cycles: a request can be pulled into the window */
  uint64_t *command_next, commands_next; /* DRAM cycles */
  uint64_t channels_next;                /* core cycle: of both */
  struct hd_xbar_move moves[HD_XBAR_PORTS];
  uint64_t open; /* requests without an answer taken */
  struct hd_memsys_stats stats;
};

#endif
