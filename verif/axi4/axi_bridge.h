/* An AXI4 subordinate in front of a memory that answers in any order. The manager's transactions come out as requests, one after the
 * other. Answers go back over the bus with stalls, other answers in between, and errors.
 *
 * It checks the manager: the rules of axi_subordinate.h; two transactions of a line are in flight only if both are reads; its counts,
 * when nothing has ended for some cycles; something moves while a transaction is in flight.
 *
 * Invariant: a transaction is answered on the bus after its request was taken and answered here. Requests come out in the order in which
 * their addresses have come; a write also needs all its beats.
 */
#ifndef HEDDLE_VERIF_AXI4_AXI_BRIDGE_H
#define HEDDLE_VERIF_AXI4_AXI_BRIDGE_H

#include "verif/axi4/axi_subordinate.h"

struct hd_axi_transaction {
  enum {
    HD_AXI_FREE,
    HD_AXI_COMES,
    HD_AXI_ASKED,
    HD_AXI_DUE
  } state; /* COMES: a write that still lacks beats */
  bool write;
  uint64_t id, line, user;
  struct hd_axi_burst burst; /* a write's bytes; the line that answers a read */
  bool error;                /* it fails */
  uint64_t code;             /* the errors of its beats so far, ORed: SLVERR or DECERR; 0: none */
  unsigned beats;            /* beats of a read that have gone */
};

struct hd_axi_bridge {
  struct hd_axi_subordinate bus;
  struct hd_env_base *p;
  struct hd_axi_transaction read[HD_AXI_IDS], wrote[HD_AXI_IDS];
  struct hd_axi_transaction *queue[2 * HD_AXI_IDS]; /* requests that have come, a ring */
  uint64_t came, taken;
  uint64_t address[HD_AXI_IDS], addresses, bursts; /* ids of writes in the order of their addresses, a ring */
  struct hd_axi_burst early[HD_AXI_IDS]; /* bytes of each write, which may come before the address */
  uint64_t errors;                       /* transactions that failed since the counts were cleared */
  uint64_t failed[2][4];                 /* failed reads and writes, by their code */
  unsigned settled;                      /* cycles in which nothing ended */
  unsigned quiet;                        /* cycles in which nothing moved while a transaction was in flight */
};

void hd_axi_bridge_open(struct hd_axi_bridge *b, struct hd_env_base *p);
void hd_axi_bridge_mood(struct hd_axi_bridge *b);
/* Drives the pins and `clear`. `clear` is 1 only in cycles in which no transaction ends. */
void hd_axi_bridge_drive(struct hd_axi_bridge *b, const struct hd_axi_inputs *in, uint64_t *clear);
/* The clock edge. Returns false if a check failed; the environment's text says which. */
bool hd_axi_bridge_clock(struct hd_axi_bridge *b, const struct hd_axi_outputs *out, uint64_t clear,
                         uint64_t errors, uint64_t fault);

/* Returns the oldest request that is not taken; NULL if there is none. */
const struct hd_axi_transaction *hd_axi_bridge_request(const struct hd_axi_bridge *b);
void hd_axi_bridge_take(struct hd_axi_bridge *b);
/* Answers a request that was taken. `line`: the line of a read. */
void hd_axi_bridge_answer(struct hd_axi_bridge *b, bool write, uint64_t id, bool error, const uint64_t *line);
/* Returns true if no transaction is in flight. */
bool hd_axi_bridge_idle(const struct hd_axi_bridge *b);

#endif
