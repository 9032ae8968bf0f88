/* A bank of the L2, as the memory system sees it: the golden model of the hardware slice that lockstep checks
 * (l2_top), and the ways to and from it.
 *
 * It has three ports: requests in (hd_bank_push), answers out (struct hd_bank_moves), and its DRAM channel
 * (hd_bank_fetch, hd_bank_fetched, hd_bank_fill). Times are core cycles, unless a comment says that they are the
 * bank's own cycles.
 *
 * Invariant: answers for one line leave in the order of their requests. Extra calls in cycles in which nothing can
 * happen change nothing. */
#ifndef HEDDLE_CMODEL_MEMORY_BANK_H
#define HEDDLE_CMODEL_MEMORY_BANK_H

#include "cmodel/l2/l2_generations.h"
#include "cmodel/memory/access.h"
#include "cmodel/memory/memmap.h"
#include "cmodel/memory/packet.h"

struct hd_bank;

/* Counts of a bank. All are uint64_t, so that the counts of several banks can be added up. data_reads, data_writes
 * and count_writes are accesses of a macro; cycles are the bank's own. */
enum hd_bank_fail { HD_BANK_LINE, HD_BANK_MSHR, HD_BANK_MERGE, HD_BANK_QUEUE, HD_BANK_WAKE, HD_BANK_FAILS };
struct hd_bank_stats {
  uint64_t reads, writes;                         /* requests decided */
  uint64_t read_hits, write_hits, merges, misses; /* merges: into a line in flight */
  uint64_t sector_misses;                         /* of the misses: only the sector was missing */
  uint64_t evictions, writebacks; /* valid lines replaced; of them, dirty ones: lines, or sectors of them */
  uint64_t fails[HD_BANK_FAILS];  /* cycles in which the oldest request can't be decided */
  uint64_t looks, data_reads, data_writes, count_writes;
  /* for LoSCache */
  uint64_t queries, early;                  /* early: accesses of lines that had been powered off too early */
  uint64_t no_store_reads, no_store_writes; /* of the misses: lines that were not stored */
  /* lines powered off: with their last access; after all waiting requests were answered */
  uint64_t closes_last, closes_fill;
  uint64_t wakes, fill_waits;         /* rows powered on; cycles in which a line waits for its row */
  uint64_t close_writebacks;          /* dirty lines that were powered off, not counting no_store_writes */
  uint64_t line_cycles, awake_cycles; /* cycles times lines; of these, powered */
  struct hd_generation_stats generations;
};

struct hd_bank *hd_bank_new(const struct hd_design *design); /* NULL: out of memory */
void hd_bank_free(struct hd_bank *b);

/* Takes a request; the way must have a place for it. `at`: the first core cycle in which a request may be decided
 * that passes the way to the tags (l2.latency) without a stall. Returns true if the request is alone on the way, so
 * that hd_bank_next changes. */
bool hd_bank_full(const struct hd_bank *b);
bool hd_bank_has_places(const struct hd_bank *b, unsigned n); /* true: it has more than n free places */
bool hd_bank_push(struct hd_bank *b, const struct l2req *q, uint64_t at);

/* What the bank sends to its DRAM channel, oldest first: a line, or a sector of it, to read for an MSHR, or to write.
 * It arrives in core cycle `at`. */
struct hd_bank_fetch {
  uint64_t line, at;
  unsigned mshr;
  bool write;
};
const struct hd_bank_fetch *hd_bank_fetch(const struct hd_bank *b); /* NULL: nothing */
void hd_bank_fetched(struct hd_bank *b);                            /* the oldest has left */
/* The line for MSHR `mshr` arrives in core cycle `at` and can be answered in that cycle. `at` must not be before that
 * of the last call. Returns true as hd_bank_push does. */
bool hd_bank_fill(struct hd_bank *b, unsigned mshr, uint64_t at);

/* What leaves a bank in a cycle. */
struct hd_bank_moves {
  bool answered, sent, made_room; /* an answer; something to DRAM; a request left the full way to the tags */
  bool any;                       /* one of the three */
  uint64_t at;                    /* core cycle in which something left; if nothing did: as hd_bank_next */
};

/* Runs the bank's first cycle that has not been run and does not fall before core cycle `now`. Then runs the cycles
 * after it before `until`, up to the first in which something leaves the bank. An answer goes to `room`. If `room` is
 * NULL, or the way to DRAM is full, only one cycle is run, because there may be a place by the next one. */
struct hd_bank_moves hd_bank_run(struct hd_bank *b, uint64_t now, uint64_t until, struct l2rsp *room);

/* Returns the core cycle of the first cycle that has not been run and in which the bank can do anything, if no
 * handshake happens until then. `room`: an answer has a place. */
uint64_t hd_bank_next(const struct hd_bank *b, bool room);
/* Returns the least number of core cycles until the bank sees what is pushed or filled now: 1 or more. */
uint64_t hd_bank_lead(const struct hd_bank *b);
/* True if the way to the DRAM channel is full. */
bool hd_bank_is_stuck(const struct hd_bank *b);
/* Returns the core cycle of the bank's first cycle that has not been run. */
uint64_t hd_bank_at(const struct hd_bank *b);
/* Must be called when an answer or something for DRAM has left its queue. Returns true if the bank was waiting for this. */
bool hd_bank_wake(struct hd_bank *b);

/* Returns the counts up to the bank's cycle `cycle`. */
const struct hd_bank_stats *hd_bank_stats(struct hd_bank *b, uint64_t cycle);
bool hd_bank_sending(const struct hd_bank *b); /* true: something may not have left for DRAM yet */

/* See hd_memsys_warm. */
void hd_bank_warm(struct hd_bank *b, uint64_t line, unsigned sector, bool store);

/* An observer of every cycle, for verification. `before` is called before a cycle, when all inputs but bytes are
 * known. It sets the bytes of a request (req_wdata, req_wmask) or a fill (fill_data), whether they are taken or not.
 * `after` is called after the cycle. */
struct hd_bank_watch {
  void (*before)(void *user, struct l2_top_in *in);
  void (*after)(void *user, const struct l2_top_in *in, const struct l2_top_out *out);
  void *user;
};
/* Sets the observer; call it before the first cycle. The bank's model carries bytes then. Returns false if memory
 * runs out. */
bool hd_bank_set_watch(struct hd_bank *b, const struct hd_bank_watch *watch);

/* Returns the name of the machine of configs/ for which the bank's code was compiled, with `_` for `/`; or "any"
 * (cmodel/memory/bank_cycle.c). */
const char *hd_bank_code(const struct hd_bank *b);

/* Sets the observer of the requests that the bank decides. The bank is number `number` of the machine. `map` and
 * `accesses` must outlive the bank. */
void hd_bank_set_accesses(struct hd_bank *b, unsigned number, const struct hd_memmap *map,
                          const struct hd_access_watch *accesses);

#endif
