/* The environment of `l1d`, for the files it is in: env_l1d.c makes the inputs, l1d_checker.c checks what passes
 * the ports, l1d_checker_kept.c what the cache keeps and gives back, l1d_checker_hooks.c what the hooks show,
 * l1d_checker_outcome.c what OUTCOME says, l1d_checker_load.c what became of each load, by the joining rule in
 * l1d_checker_joining.c. What is known is in l1d_checker_state.c.
 *
 * Checked at the ports: every load is answered exactly once, every store acknowledged exactly once after the
 * memory's answer, with the fields of the request. The data of a load are exactly the stores to its line that
 * were taken before it, and no later one: requests are decided in order and leave in order, a store frees its
 * line and makes a line in flight not stay, and the memory keeps the order within a line (D-L1-1, D-L1-2). A
 * store leaves once, in turn, with its bytes; a line is fetched only for a load, or once for a prefetch that
 * can still be inside, by an MSHR that is free, and not twice at a time; an uncached load and an atomic leave in turn with
 * the stores, and bring their line as it was then; an error of the memory reaches those that it is of, and no line stays
 * that came with one; what is offered stays until it is
 * taken. What goes to the memory has the prediction entry of its request; a fetch that of a load of the line
 * that was inside as it was offered, or for a prefetch none. A load goes on uncached only where something lets it.
 *
 * Also at the ports, with on_miss and where no attachment chooses or pins ways, nor prefetches: the least recently used line gives way,
 * so a line that was used is not fetched again while fewer other lines than ways were used, or were in flight, since then. And, with a
 * stall bypass, a load that finds no line goes on uncached while not all bypassed loads are away, and none that finds one. After a reset
 * MSHR 0 is the first (D-L1-19).
 *
 * Checked by the hooks (docs/mechanisms/hooks.md): what is told is told of every load, once, in turn, before its
 * answer, with its fields; a load that comes again is never answered or sent, and is offered again later. A hit is
 * a hit only if a fetch that left behind all stores to the line before it has been answered, and no flush came
 * since. Where hits, merges, and who takes which way are told (*told all*), the environment knows from this what every
 * way holds, but of a prefetched line until it is fetched. Then each load must become what the joining rule makes of the
 * answers in that cycle, the way it takes must be the victim, no load waits for nothing, and what LOOK, DECIDE and
 * LINES show must be that. What the LATE ports say at an edge is what the other ports show after it (l1d_checker_late.c).
 */
#ifndef HEDDLE_VERIF_L1D_L1D_CHECKER_H
#define HEDDLE_VERIF_L1D_L1D_CHECKER_H

#include "verif/harness/env_common.h"

#include <uthash.h>

enum {
  NEVER = -1,
  UNDECIDED = 8, /* more requests than are between the port and the decision at a time */
  SILENCE = 16   /* cycles without a request after which no prefetch is before the memory port any more */
};

/* A line of the pool. */
struct line {
  uint64_t addr;
  uint64_t unit, sectors; /* SECTOR_FILL: the one sector of that line that it is; unit: hd_unit of both */
  unsigned set;
  uint64_t now[HD_MAX_WORDS];    /* with all stores taken at the request port */
  uint64_t memory[HD_MAX_WORDS]; /* with all stores the memory has handled */
  unsigned loads, cached;        /* taken and not answered; those of them that may bring the line */
  unsigned owed;                 /* told all: misses whose fetch has not left yet */
  unsigned prefetches;   /* taken since nothing was inside, less those that were fetched without a load */
  bool fetched;          /* an MSHR waits for it */
  int64_t stores, sent;  /* taken, and gone to the memory */
  int64_t asked, filled; /* `sent` when it was fetched last, and of the answer since the last flush */
  uint64_t reported;     /* cycle of the last answer of a fetch */
  bool stays;            /* that answer was no error */
  uint64_t used, idle;   /* cycles: a load that used it was taken; the last of `loads` ended */
  /* Of `loads`, those of each prediction entry + 1, and of none. */
  uint16_t of_entry[HD_MOST(loscache, table) + 1];
  /* Told all: */
  struct place *place;        /* where it is or will be, as far as is known; or NULL */
  struct {                    /* the MSHR that waits for it, or did last */
    bool there, filled, dead; /* one is known of; answered, in cycle `when`; a flush came before that */
    bool fresh, unsure;       /* a prefetch's, and no load has merged; or it may be dead */
    bool among, pin;          /* FILL: it takes one of fill_among; its first load is to have it pinned */
    int64_t stores;           /* to the line before it was taken */
    unsigned merged;          /* loads that it answers */
    uint64_t when, hpc, wid;  /* hpc, wid: of the first of them */
  } flight;
  uint64_t first, last; /* cycles of the first and last of `prefetches` */
  UT_hash_handle hh;
};

/* What a way of a set holds, by what has been told. */
struct place {
  struct line *line; /* NULL: nothing */
  bool unknown;      /* or a line that was prefetched, and has not been fetched yet */
  bool dead, fresh;  /* a flush came before its fill; no load has asked for it */
  int64_t stores;    /* to the line before the request that took the way */
  uint64_t used;
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
  bool last, bypassed, unreported; /* untold: a load, what became of it is to come */
  bool byp;                        /* the request asks to bypass */
  bool cacheable;                  /* a load: it may bring its line, as far as is known */
  bool may_go, must_go;            /* a load: it may go on uncached; it surely does, unless it merges */
  bool may_fail;                   /* a load: a fetch of its line failed while it was inside */
  bool failed;                     /* the memory answered with an error */
  bool sure;                       /* it surely does not merge, or did */
  uint64_t pe, taken;              /* taken: cycle */
  struct line *line;
  uint64_t sectors;  /* that it asks for if it bypasses */
  uint64_t turn, op; /* WRITE: which store this is; or an uncached load, or an atomic */
  uint64_t data[HD_MAX_WORDS], mask[HD_MAX_WORDS]; /* a load's answer; a store's bytes */
  uint64_t old[HD_MAX_WORDS];                      /* an uncached load's answer, or an atomic's */
};

/* A request that is not known to be decided, or a load that is to come again. */
struct trial {
  struct req r;
  struct line *line;
  int64_t stores;     /* to its line before it */
  bool looked, alone; /* LOOK has shown it; it left c in the first cycle in which it does */
  uint64_t some, all; /* pins of the cycles in which it may have left c: of some, of all of them */
};

/* A request the memory has taken and not answered. */
struct pending {
  struct mreq r;
  struct line *line;
  struct record *store;
};

/* The answers of the hooks in a cycle, and what the cache shows in it. */
struct moment {
  bool bypass, keep, hold, refuse, lack_line, stalls, again, pin_new, hold_fill;
  uint64_t among, pins;
  bool answering, filled; /* an answer of the memory may be in the cache; a fill comes in */
  bool look_valid;
  uint64_t look_set, decide_set, decide_lines, decide_reserved, decide_pins;
  struct look look;
  struct decide decide;
};

struct l1d_env {
  struct hd_env_base p;
  bool byp_there; /* requests may ask to bypass */
  bool outcome_all;
  struct { /* the mood */
    unsigned offer, stores, accept, send, answer, first, lines, step, warps, prefetch;
    bool newest, sweep; /* the memory answers the newest first; lines in turn, `step` apart */
    unsigned byp, back; /* requests */
    unsigned bypass, keep, hold, refuse, choosy, lack, stalls, again, pin_new,
        change; /* answers of the hooks */
    enum { PIN_NONE, PIN_KEPT, PIN_ALL, PIN_ANY } pin;
  } m;
  struct line *pool, *by_unit;
  unsigned n_lines, of_set; /* in all, of a set (some fewer if there are few upper bits) */
  struct record *records;   /* of (warp, slot, number) */
  struct place *places;     /* of (set, way) */
  uint64_t *pinned;         /* PIN_KEPT: of each set */
  bool flushing;            /* nothing is offered until the cache is empty and has been flushed */
  bool offering;
  struct hd_request next; /* at req, valid or not */
  struct line *next_line;
  bool prefetching; /* a prefetch is offered */
  struct line *prefetch;
  struct trial trial[UNDECIDED]; /* the oldest first */
  unsigned n_trials, silent;
  struct trial *back; /* to come again: at most one a warp comes with others */
  unsigned n_back, back_room;
  struct moment now, before; /* of the last cycle */
  struct l1d_late late;      /* of the edge before this cycle, if late_said */
  bool late_said;
  bool was_queued, was_held; /* of the last cycle: the miss queue held something; a request was not taken */
  uint64_t
      advised; /* cycle after that in which a load was last told to bypass, and not to be kept, or might by a stall */
  unsigned away;                             /* bypassed loads sent and not answered */
  unsigned waited;                           /* cycles in which the oldest load could have gone on */
  uint64_t fills, evictions, stamp, flushed; /* flushed: in which cycle */
  unsigned waiting, queued; /* told all: MSHRs that wait; loads and prefetches decided and not yet sent */
  struct line *filling;     /* whose fill was answered last */
  uint64_t fill_pins, fill_among; /* FILL: what was said of its set as it asked */
  unsigned swept;
  struct pending *pending; /* in the order in which they came */
  unsigned n_pending, room;
  bool answering;
  struct pending answer; /* at mrsp, valid or not */
  unsigned ahead;        /* answers of kind 1 that were taken and have not gone to the SM */
  bool behind;           /* a fill has been taken that waits for them: `later`, an error or not */
  struct pending later;
  bool later_failing, entering; /* entering: a fill is the next to enter the cache */
  bool failing;                 /* it is an error */
  struct line *failed;          /* whose fill was one in the last cycle: it does not stay */
  uint64_t rdata[HD_MAX_WORDS];
  uint64_t mshrs;        /* bit i = MSHR i waits for the memory */
  bool asked_once;       /* a line has been fetched since the reset */
  unsigned still, kept;  /* cycles in which nothing moves; those in which something should have */
  uint64_t stores, sent; /* taken, and gone to the memory */
  unsigned inside;       /* requests without an answer */
  struct hd_held resp, mreq;
};

/* --- l1d_checker_state.c ------------------------------------------------------------------------------------ */

/* Whether an answer to requests of the line has its word w: all, or its sector's. */
bool hd_l1d_brings(const struct hd_derived *d, const struct line *line, unsigned w);
/* Whether the line is the same in two answers. */
bool hd_l1d_same(const struct hd_derived *d, const struct line *line, const uint64_t *a, const uint64_t *b);

/* NULL: no request can have that name. */
struct record *hd_l1d_record(const struct l1d_env *e, uint64_t wid, uint64_t slot, uint64_t num);

/* The request is an uncached load or an atomic, not a bypassed load. */
bool hd_l1d_aside(const struct l1d_env *e, const struct mreq *r);

/* A load is inside (n = 1), or was not after all (n = -1). */
void hd_l1d_count(struct l1d_env *e, const struct req *r, struct line *line, int n);

/* --- l1d_checker_kept.c ------------------------------------------------------------------------------------- */

/* A load of the line is answered, after it used the cache or not; or it left to come again. */
void hd_l1d_loads_end(struct l1d_env *e, struct line *line, const struct record *used);
/* A line is fetched: NULL, or what is wrong with it. */
const char *hd_l1d_check_kept(const struct l1d_env *e, const struct line *line, const struct mreq *r);
/* A load goes on uncached: the same. */
const char *hd_l1d_check_away(const struct l1d_env *e, const struct record *rec);
/* A load that is to go on uncached does; false: it waits. */
bool hd_l1d_check_still(struct l1d_env *e, const struct l1d_in *in, const struct l1d_out *out);

/* --- l1d_checker_outcome.c, l1d_checker_load.c ------------------------------------------------------------------ */

/* What is told in this cycle, before the cycle is checked in any other way; false: it is wrong. */
bool hd_l1d_check_outcome(struct l1d_env *e, const struct l1d_in *in, const struct l1d_out *out);
/* LOOK shows the request; it may have left c in a cycle with these pins. */
bool hd_l1d_is_looked_at(const struct hd_derived *d, const struct trial *t, const struct moment *m);
void hd_l1d_look(struct trial *t, uint64_t pins);
/* A line is fetched: NULL, or what is wrong with it. */
const char *hd_l1d_hooks_fetch(struct l1d_env *e, struct line *line);

/* --- l1d_checker_hooks.c ------------------------------------------------------------------------------------ */

/* What the cache shows and is answered in this cycle; the oldest load, which may wait in vain. */
bool hd_l1d_check_hooks(struct l1d_env *e, const struct l1d_in *in, const struct l1d_out *out);
/* A request is taken; a fill is answered; a flush. */
void hd_l1d_hooks_take(struct l1d_env *e, const struct req *r, struct line *line);
void hd_l1d_hooks_fill(struct l1d_env *e, struct line *line);
void hd_l1d_hooks_failed(struct line *line); /* the cycle after that of a fill that is an error */
void hd_l1d_hooks_flush(struct l1d_env *e);

/* --- l1d_checker_late.c ------------------------------------------------------------------------------------- */

/* hd_env.late. In the cycle after: NULL, or what was wrong with it. */
void hd_l1d_late(struct hd_env *env, const void *late);
const char *hd_l1d_check_late(struct l1d_env *e, const struct l1d_out *out);

/* What a request with bytes does to a line. */
void hd_l1d_perform(const struct record *rec, uint64_t *line, unsigned words);

/* hd_env_ops.clock. */
bool hd_l1d_check(struct hd_env *env, const void *in, const void *out);

#endif
