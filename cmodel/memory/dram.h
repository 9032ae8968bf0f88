/* A DRAM channel: FR-FCFS over a window of requests, bank and bus timing. docs/gpu.md, "DRAM". Times are the
 * channel's command cycles.
 *
 * Invariant: requests to one row of one bank are performed in the order in which they came. */
#ifndef HEDDLE_CMODEL_MEMORY_DRAM_H
#define HEDDLE_CMODEL_MEMORY_DRAM_H

#include "arch/config/config.h"

struct hd_dram;

struct hd_dram_request {
  uint64_t row;
  unsigned bank;
  unsigned from, id; /* the requester's */
  bool write;
};

struct hd_dram_stats {
  uint64_t reads, writes, row_hits, activates, busy;
};

struct hd_dram *hd_dram_new(const struct hd_config *c); /* NULL: no memory */
void hd_dram_free(struct hd_dram *d);

/* True if there is no place for another request; true if no request waits. */
bool hd_dram_full(const struct hd_dram *d);
bool hd_dram_idle(const struct hd_dram *d);
/* Adds a request after cycle `cycle`: it can be served from the next cycle on. There must be a place. */
void hd_dram_push(struct hd_dram *d, const struct hd_dram_request *q, uint64_t cycle);

/* Runs a cycle: at most one command. Returns true if the command was a read or write. Then *done is its request,
 * whose data have passed at the end of cycle *last. Data pass in the order of these calls. */
bool hd_dram_cycle(struct hd_dram *d, uint64_t cycle, struct hd_dram_request *done, uint64_t *last);
/* Returns the first cycle in which the channel can issue a command if nothing is pushed. */
uint64_t hd_dram_next(const struct hd_dram *d);

/* The counts so far: requests, hits of an open row, activations, and cycles in which data passed. */
const struct hd_dram_stats *hd_dram_stats(const struct hd_dram *d);

#endif
