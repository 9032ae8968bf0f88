/* A bank of the L2, as the memory system sees it: the golden model of the hardware slice that lockstep checks (l2_top), behind
 * the ways to and from it.
 *
 * It has three ports: requests in (hd_bank_push), answers out (struct hd_bank_moves), and its DRAM channel (hd_bank_fetch,
 * hd_bank_fetched, hd_bank_fill). Times are core cycles, except where they are said to be its own.
 *
 * Invariant: answers on one line leave in the order of their requests; what happens does not depend on how often it is run
 * for nothing.
 */
#ifndef HEDDLE_CMODEL_MEMORY_BANK_H
#define HEDDLE_CMODEL_MEMORY_BANK_H

#include "cmodel/l2/l2_generations.h"
#include "cmodel/memory/access.h"
#include "cmodel/memory/memmap.h"
#include "cmodel/memory/packet.h"

struct hd_bank;

/* What it did. All are uint64_t, so that figures of banks can be added up. Reads and writes are those of a macro; cycles its
 * own. */
enum hd_bank_fail { HD_BANK_LINE, HD_BANK_MSHR, HD_BANK_MERGE, HD_BANK_QUEUE, HD_BANK_WAKE, HD_BANK_FAILS };
struct hd_bank_stats {
  uint64_t reads, writes;                         /* requests decided */
  uint64_t read_hits, write_hits, merges, misses; /* merges: into a line in flight */
  uint64_t sector_misses;                         /* of the misses: of a sector whose line was there */
  uint64_t evictions, writebacks; /* valid lines replaced; of them, dirty ones: lines, or sectors of them */
  uint64_t fails[HD_BANK_FAILS];  /* cycles in which its oldest request can't be decided */
  uint64_t looks, data_reads, data_writes, count_writes;
  /* of LoSCache */
  uint64_t queries, early;                  /* early: accesses of lines that had been powered off too early */
  uint64_t no_store_reads, no_store_writes; /* of the misses: lines that were not stored */
  uint64_t closes_last,
      closes_fill;            /* lines powered off with their last access; as all that waited were answered */
  uint64_t wakes, fill_waits; /* rows powered on; cycles in which a line waits for its row */
  uint64_t close_writebacks;  /* dirty lines that were powered off, not counting no_store_writes */
  uint64_t line_cycles, awake_cycles; /* cycles times lines; of these, powered */
  struct hd_generation_stats generations;
};

struct hd_bank *hd_bank_new(const struct hd_design *design); /* NULL: out of memory */
void hd_bank_free(struct hd_bank *b);

/* Requests: a place for one must be there. `at`: the first core cycle in which one may be decided that passes the way to
 * the tags (l2.latency) unhindered. True: it is alone on it, so that hd_bank_next changes. */
bool hd_bank_full(const struct hd_bank *b);
bool hd_bank_has_places(const struct hd_bank *b, unsigned n); /* for more than n */
bool hd_bank_push(struct hd_bank *b, const struct l2req *q, uint64_t at);

/* What it sends to its DRAM channel, oldest first: a line, or a sector of it, to read for an MSHR, or to write. It is there in `at`. */
struct hd_bank_fetch {
  uint64_t line, at;
  unsigned mshr;
  bool write;
};
const struct hd_bank_fetch *hd_bank_fetch(const struct hd_bank *b); /* NULL: nothing */
void hd_bank_fetched(struct hd_bank *b);                            /* has left */
/* Its line is there in `at`, no earlier than the last, and can be answered in that cycle. True as for hd_bank_push. */
bool hd_bank_fill(struct hd_bank *b, unsigned mshr, uint64_t at);

/* What leaves it in a cycle. */
struct hd_bank_moves {
  bool answered, sent,
      made_room; /* an answer; something to DRAM; a request has left the way to the tags, which was full */
  bool any;      /* one of these */
  uint64_t at;   /* core cycle: in which something did; or, if nothing did, as hd_bank_next */
};

/* Runs its first cycle that has not been run and does not fall before core cycle `now`, and those after it before `until`, up to the
 * first in which something leaves it. An answer goes to `room`; if that is NULL, or the way to DRAM is full, only one cycle is run:
 * there may be a place by the next. */
struct hd_bank_moves hd_bank_run(struct hd_bank *b, uint64_t now, uint64_t until, struct l2rsp *room);

/* The core cycle of its first cycle that has not been run and in which it can do anything, if an answer has a place or not, and no
 * port moves till then. */
uint64_t hd_bank_next(const struct hd_bank *b, bool room);
/* In how many core cycles at least it sees what is pushed or filled now: 1 or more. */
uint64_t hd_bank_lead(const struct hd_bank *b);
/* What it sends to its DRAM channel has no place. */
bool hd_bank_is_stuck(const struct hd_bank *b);
/* The core cycle of its first cycle that has not been run. */
uint64_t hd_bank_at(const struct hd_bank *b);
/* Must be called when an answer or something for DRAM has left; true: it waited for something like this. */
bool hd_bank_wake(struct hd_bank *b);

/* Complete up to its cycle `cycle`. */
const struct hd_bank_stats *hd_bank_stats(struct hd_bank *b, uint64_t cycle);
bool hd_bank_sending(const struct hd_bank *b); /* something may not have left for DRAM */

/* See hd_memsys_warm. */
void hd_bank_warm(struct hd_bank *b, uint64_t line, unsigned sector, bool store);

/* Looks on at every cycle, for verification: before it, when all its inputs are known but bytes, to put
 * in those of a request (req_wdata, req_wmask) or a fill (fill_data), whether they are taken or not; and after it. */
struct hd_bank_watch {
  void (*before)(void *user, struct l2_top_in *in);
  void (*after)(void *user, const struct l2_top_in *in, const struct l2_top_out *out);
  void *user;
};
/* From now on, before its first cycle; it carries bytes then. False: out of memory. */
bool hd_bank_set_watch(struct hd_bank *b, const struct hd_bank_watch *watch);

/* The name of the machine of configs/ for which what runs it was compiled, `/` as `_`; or "any" (cmodel/memory/bank_cycle.c). */
const char *hd_bank_code(const struct hd_bank *b);

/* From now on `accesses`, which must stay, hears of the requests that it decides. It is bank `number` of the machine, whose
 * map must stay too. */
void hd_bank_set_accesses(struct hd_bank *b, unsigned number, const struct hd_memmap *map,
                          const struct hd_access_watch *accesses);

#endif
