/* The environment of `l1d`, for the two files it is in: env_l1d.c makes the inputs, l1d_checker.c judges.
 *
 * Judged at the ports: every load is answered exactly once, every store acknowledged exactly once after the
 * memory's answer, with the fields of the request. The data of a load are exactly the stores to its line that
 * were taken before it, and no later one: requests are decided in order and leave in order, a store frees its
 * line and makes a line in flight not stay, and the memory keeps the order within a line (D-L1-1, D-L1-2). A
 * store leaves once, in turn, with its bytes; a line is fetched only for a load, or once for a prefetch that
 * can still be inside, by an MSHR that is free, and not twice at a time; what is offered stays until it is
 * taken. A load that has a verdict gets it once, before its answer, in turn, with its fields; a hit is a hit
 * only if a fetch that left behind all stores to the line before it has been answered, and no flush came since. With
 * LoSCache what goes to the memory has the prediction entry of its request; a fetch that of a load of the line
 * that was inside as it was offered, or for a prefetch none.
 *
 * With the mechanisms that choose what is cached: a load goes on uncached only where something lets it, and a
 * line is not fetched for loads that are all to bypass; one that is to bypass and is not served from its line
 * goes to the memory, unless it can have merged. A line that is said to be replaced had been fetched, for a
 * load with that hash; no line has been replaced more often, or hit more often, than loads account for. With
 * MemSched: each load taken is said once, in turn, to be served or to come again, before its answer; one that is to come
 * again is never answered or sent, and is offered again later. A probe hits only
 * where a hit could be; it could be sent as a miss only if its line is in flight, or not all MSHRs wait for
 * the memory. What is judged with APCM: l1d_checker_apcm.c.
 */
#ifndef HEDDLE_VERIF_L1D_L1D_CHECKER_H
#define HEDDLE_VERIF_L1D_L1D_CHECKER_H

#include "verif/harness/env_common.h"

#include <uthash.h>

enum {
  NEVER = -1,
  UNDECIDED = 8, /* more requests than have no verdict yet at a time */
  HASHES = 256,  /* most values of a hashed program counter */
  MAX_PROBES = 4,
  MAX_WARPS = 64,
  MAX_LOADS = 32,
  MAX_ENTRIES = 63,
  NOBODY = MAX_WARPS,
  SILENCE = 16 /* cycles without a request after which no prefetch is before the memory port any more */
};

/* A line of the pool. */
struct line {
  uint64_t addr;
  unsigned set;
  uint64_t now[HD_MAX_WORDS];    /* with all stores taken at the request port */
  uint64_t memory[HD_MAX_WORDS]; /* with all stores the memory has handled */
  unsigned loads, cached;        /* taken and not answered; those of them that may bring the line */
  unsigned prefetches;   /* taken since nothing was inside, less those that were fetched without a load */
  bool fetched;          /* an MSHR waits for it */
  int64_t stores, sent;  /* taken, and gone to the memory */
  int64_t asked, filled; /* `sent` when it was fetched last, and of the answer since the last flush */
  uint64_t told;         /* cycle of the last answer of a fetch */
  uint16_t
      of_entry[MAX_ENTRIES + 1]; /* LoSCache: of `loads`, those of each prediction entry + 1, and of none */
  uint64_t counts; /* APCM: bit n = n may be its counter, after `counted` stores; 0: it is not there */
  int64_t counted;
  unsigned owner; /* APCM: the warp that protects it, as said in cycle `kept`, after `kept_stores`; NOBODY */
  bool asking;    /* the fetch for that has not left yet */
  uint64_t kept;
  int64_t kept_stores;
  UT_hash_handle hh;
};

/* A request by its name. */
struct record {
  enum {
    FREE,
    LOAD,
    WRITE,
    BEYOND,
    ACKED,
    AGAIN
  } state; /* WRITE: inside; BEYOND: the memory has it; ACKED: and answered; AGAIN: given back */
  bool last, bypassed, undecided, untried; /* its verdict is to come; what became of it is to come */
  bool byp, loc;
  bool cacheable;          /* a load: it may bring its line, as far as is known */
  bool forced;             /* a load: it surely was to bypass before it stalled */
  bool missed, may_go;     /* APCM, once it is done: it did not hit or merge; it may go on uncached */
  uint64_t hpc, pe, taken; /* taken: cycle */
  struct line *line;
  uint64_t turn;                                   /* WRITE: which store this is */
  uint64_t data[HD_MAX_WORDS], mask[HD_MAX_WORDS]; /* a load's answer; a store's bytes */
};

/* A load whose verdict is to come. */
struct trial {
  struct req r;
  struct record *record;
  int64_t stores; /* to its line before it */
};

/* A load that was taken, and what became of it is to come; or one that is to come again. With APCM: what the
 * patterns have said of it since it was taken. */
struct attempt {
  struct req r;
  struct line *line;
  int64_t stores;              /* to its line before it */
  bool may_bypass, may_keep;   /* in some cycle */
  bool must_bypass, must_keep; /* in every cycle */
  uint64_t finals;             /* bit i = until load i */
};

/* A line that probes the tags. */
struct probe {
  bool hit, can; /* what may be answered */
};

/* A request the memory has taken and not answered. */
struct pending {
  struct mreq r;
  struct line *line;
  struct record *store;
};

struct l1d_env {
  struct hd_parts p;
  struct { /* the mood */
    unsigned offer, stores, accept, send, answer, first, lines, step, warps, prefetch;
    bool newest, sweep; /* the memory answers the newest first; lines in turn, `step` apart */
    unsigned byp, loc, hashes, again, enable, flip, known; /* requests; hints */
    bool learned; /* the re-reference table answers what it has been told */
    unsigned tracked, ids, change, release, managed; /* APCM */
    bool obeys; /* the board does as it is told, and lets go at random; else it is anything */
  } m;
  struct line *pool, *by_addr;
  unsigned n_lines, of_set; /* in all, of a set (some fewer if there are few upper bits) */
  struct record *records;   /* of (warp, slot, number) */
  bool flushing;            /* nothing is offered until the cache is empty and has been flushed */
  bool offering;
  struct hd_request next; /* at req, valid or not */
  struct line *next_line;
  bool prefetching; /* a prefetch is offered */
  struct line *prefetch;
  struct trial trial[UNDECIDED]; /* the oldest first */
  unsigned n_trials, silent;
  struct attempt attempt[UNDECIDED]; /* the oldest first */
  unsigned n_attempts;
  struct attempt *again; /* given back: at most one a warp comes with others */
  unsigned n_again, again_room;
  struct { /* APCM: what is known of loads, and the board */
    uint64_t bypass, protect, last[MAX_LOADS], on, loop, until[MAX_WARPS];
  } known;
  uint64_t high[MAX_WARPS], low[MAX_WARPS]; /* cycle after that in which psb_on was last high, low */
  unsigned away;                            /* bypassed loads sent and not answered */
  unsigned waited;                          /* cycles in which the oldest load could have gone on */
  uint64_t hints;                           /* rft_bypass */
  uint64_t said[64]; /* cycle after that in which the hint last made an entry's loads bypass */
  uint64_t lk_hpc;   /* looked up in the last cycle */
  uint64_t sum[HASHES], count[HASHES];         /* what a re-reference table would have learned */
  uint64_t bringers[HASHES], replaced[HASHES]; /* loads that may have brought a line; lines replaced */
  uint64_t references, counted;                /* loads taken; those that evict_* accounts for */
  uint64_t fetches, fills, evictions;
  struct probe probe[2][MAX_PROBES]; /* of the last cycle, and the one before */
  unsigned swept;
  struct pending *pending; /* in the order in which they came */
  unsigned n_pending, room;
  bool answering;
  struct pending answer; /* at mrsp, valid or not */
  uint64_t rdata[HD_MAX_WORDS];
  uint64_t mshrs;        /* bit i = MSHR i waits for the memory */
  uint64_t stores, sent; /* taken, and gone to the memory */
  unsigned inside;       /* requests without an answer */
  struct hd_held resp, mreq;
};

/* NULL: no request can have that name. */
struct record *hd_l1d_record(const struct l1d_env *e, uint64_t wid, uint64_t slot, uint64_t num);

/* Whether the reuse-frequency table may have had a load bypass since it was taken. */
bool hd_l1d_hinted(const struct l1d_env *e, const struct record *rec);

/* APCM (l1d_checker_apcm.c). What is said of a load's request: NULL, or what is wrong with it. To be called before the
 * request is judged in any other way. */
const char *hd_l1d_judge_access(struct l1d_env *e, const struct l1d_out *out);
/* The oldest load: NULL, or what it waits for in vain. */
const char *hd_l1d_judge_wait(struct l1d_env *e, const struct l1d_in *in, const struct l1d_out *out);
/* A line's fetch leaves; what the patterns and the board say in this cycle; the board hears of a protected line. */
void hd_l1d_fetched(struct line *line);
void hd_l1d_note_patterns(struct l1d_env *e, const struct l1d_in *in, const struct l1d_out *out);

/* hd_env_ops.clock. */
bool hd_l1d_judge(struct hd_env *env, const void *in, const void *out);

#endif
