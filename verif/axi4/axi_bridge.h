/* A subordinate of AXI4 in front of something that takes lines, and answers in any order: what the manager asks comes out as
 * requests, one after the other; what is answered goes back over the bus, with stalls, other answers in between, and errors.
 *
 * Checked, of the manager: what axi_subordinate.h says; that no two transactions of a line are in flight unless both are reads; its
 * counts, where nothing has ended for some cycles; that something moves while a transaction is in flight.
 *
 * Invariant: a transaction is answered on the bus after its request has been taken and answered here. Requests come out in the
 * order in which their addresses, of a write also all its beats, have come.
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
  } state; /* COMES: a write without all its beats */
  bool write;
  uint64_t id, line, user;
  struct hd_axi_burst burst; /* a write's bytes; a read's line as it is answered */
  bool error;                /* it fails */
  uint64_t code;             /* that its beats have said so far, as one: SLVERR or DECERR; 0: none */
  unsigned beats;            /* of a read that have gone */
};

struct hd_axi_bridge {
  struct hd_axi_subordinate bus;
  struct hd_env_base *p;
  struct hd_axi_transaction read[HD_AXI_IDS], wrote[HD_AXI_IDS];
  struct hd_axi_transaction *queue[2 * HD_AXI_IDS]; /* requests that have come, in a ring */
  uint64_t came, taken;
  uint64_t address[HD_AXI_IDS], addresses, bursts; /* ids of writes, in a ring, in the order of addresses */
  struct hd_axi_burst early[HD_AXI_IDS];           /* bytes that were before their address */
  uint64_t errors;       /* transactions that failed since the counts were cleared */
  uint64_t failed[2][4]; /* reads, writes that failed, by their code */
  unsigned settled;      /* cycles in which nothing ended */
  unsigned quiet;        /* cycles in which nothing moved while a transaction was in flight */
};

void hd_axi_bridge_open(struct hd_axi_bridge *b, struct hd_env_base *p);
void hd_axi_bridge_mood(struct hd_axi_bridge *b);
/* Drives the pins, and `clear`, which goes with nothing that ends. */
void hd_axi_bridge_drive(struct hd_axi_bridge *b, const struct hd_axi_inputs *in, uint64_t *clear);
/* The clock edge. False: the text is set. */
bool hd_axi_bridge_clock(struct hd_axi_bridge *b, const struct hd_axi_outputs *out, uint64_t clear,
                         uint64_t errors, uint64_t fault);

/* The oldest request that was not taken; NULL: none. */
const struct hd_axi_transaction *hd_axi_bridge_request(const struct hd_axi_bridge *b);
void hd_axi_bridge_take(struct hd_axi_bridge *b);
/* A request that was taken is answered: of a read the line. */
void hd_axi_bridge_answer(struct hd_axi_bridge *b, bool write, uint64_t id, bool error, const uint64_t *line);
/* No transaction is in flight. */
bool hd_axi_bridge_idle(const struct hd_axi_bridge *b);

#endif
