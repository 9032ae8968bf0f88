/* A DRAM channel: FR-FCFS over a window of requests, bank and bus timing. docs/gpu.md, "DRAM". Times are its command
 * cycles.
 *
 * Invariant: requests to one row of one bank are performed in the order in which they came.
 */
#ifndef HEDDLE_CMODEL_MEMORY_DRAM_H
#define HEDDLE_CMODEL_MEMORY_DRAM_H

#include "arch/config/config.h"

struct hd_dram;

struct hd_dram_request {
  uint64_t row;
  unsigned bank;
  unsigned from, id; /* the asker's */
  bool write;
};

struct hd_dram_stats {
  uint64_t reads, writes, row_hits, activates, busy;
};

struct hd_dram *hd_dram_new(const struct hd_config *c); /* NULL: out of memory */
void hd_dram_free(struct hd_dram *d);

/* There is no place for another request; no request waits. */
bool hd_dram_full(const struct hd_dram *d);
bool hd_dram_idle(const struct hd_dram *d);
/* After cycle `cycle`: it is looked at from the next one on. There must be a place. */
void hd_dram_push(struct hd_dram *d, const struct hd_dram_request *q, uint64_t cycle);

/* Runs a cycle: at most one command. True: that was a read or write; *done is its request, whose data have passed at the
 * end of cycle *last. They pass in the order of these calls. */
bool hd_dram_cycle(struct hd_dram *d, uint64_t cycle, struct hd_dram_request *done, uint64_t *last);
/* The first cycle in which it can give a command if nothing is pushed. */
uint64_t hd_dram_next(const struct hd_dram *d);

/* Requests, hits of an open row, activations, and cycles in which data passed, so far. */
const struct hd_dram_stats *hd_dram_stats(const struct hd_dram *d);

#endif
