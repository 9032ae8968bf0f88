/* A bank of the L2 cache: write-back, write-allocate, LRU, allocate on miss, MSHRs. docs/gpu.md, "L2".
 *
 * It knows three ports: requests in (hd_l2_push), answers out (struct hd_l2_moves), and its DRAM channel
 * (hd_l2_fetch, hd_l2_fetched, hd_l2_fill). Times are core cycles, except where they are said to be its own.
 *
 * Invariant: a line in flight has a way and an MSHR until the last request merged there is answered; so answers on
 * one line leave in the order of their requests.
 */
#ifndef HEDDLE_CMODEL_L2_H
#define HEDDLE_CMODEL_L2_H

#include "arch/config.h"
#include "cmodel/packet.h"

struct hd_l2;

enum hd_l2_fail { HD_L2_LINE, HD_L2_MSHR, HD_L2_MERGE, HD_L2_QUEUE, HD_L2_FAILS };
struct hd_l2_stats {
  uint64_t reads, writes, read_hits, write_hits, merges, misses, evictions, writebacks;
  uint64_t fails[HD_L2_FAILS]; /* its cycles */
};

struct hd_l2 *hd_l2_new(const struct hd_config *c); /* NULL: out of memory */
void hd_l2_free(struct hd_l2 *b);

/* Requests: a place for one must be there. It may be decided from cycle `at` on. */
bool hd_l2_full(const struct hd_l2 *b);
void hd_l2_push(struct hd_l2 *b, const struct hd_packet *packet, uint64_t at);

/* What it sends to its DRAM channel, oldest first: a line to read for an MSHR, or to write. It is there in `at`. */
struct hd_l2_fetch {
  uint64_t line, at;
  unsigned mshr;
  bool write;
};
const struct hd_l2_fetch *hd_l2_fetch(const struct hd_l2 *b); /* NULL: nothing */
void hd_l2_fetched(struct hd_l2 *b);                          /* has left */
void hd_l2_fill(struct hd_l2 *b, unsigned mshr,
                uint64_t at); /* its line is there in `at`, no earlier than the last */

/* Runs its cycle `cycle`, which falls into core cycle `now`; `places` for answers are free. */
struct hd_l2_moves {
  struct hd_packet answer[2];
  unsigned answers;
  bool taken, sent; /* a request was decided; something was sent to DRAM */
};
void hd_l2_cycle(struct hd_l2 *b, uint64_t now, uint64_t cycle, unsigned places, struct hd_l2_moves *moves);

/* The first cycle in which it can do anything if `places` answers have a place and no port moves till then. */
uint64_t hd_l2_next(const struct hd_l2 *b, unsigned places);
/* Must be called when an answer or something for DRAM has left; true: it waited for something like this. */
bool hd_l2_wake(struct hd_l2 *b);

/* Complete up to its cycle `cycle`. */
const struct hd_l2_stats *hd_l2_stats(struct hd_l2 *b, uint64_t cycle);
bool hd_l2_sending(const struct hd_l2 *b); /* something has not left for DRAM */

#endif
