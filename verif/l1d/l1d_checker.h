/* The environment of `l1d`, shared by its files:
 * - env_l1d.c makes the inputs; l1d_checker_state.c keeps the known state of requests, lines and ways.
 * - l1d_checker.c checks the traffic at the ports; l1d_checker_kept.c checks which lines the cache keeps and replaces.
 * - l1d_checker_hooks.c checks the hooks' values in each cycle; l1d_checker_late.c checks LATE; l1d_checker_outcome.c checks OUTCOME.
 * - l1d_checker_load.c checks the outcome of each load, by the joining rule in l1d_checker_joining.c.
 *
 * Checks at the ports:
 * - Every load is answered exactly once. Every store is acknowledged exactly once, after the memory's answer. Both carry the fields of
 *   their request.
 * - The data of a load contain exactly the stores to its line that were taken before it. (Requests are decided in order and leave in
 *   order. A store frees its line, and a line in flight then does not stay. The memory keeps the order within a line: D-L1-1, D-L1-2.)
 * - A store leaves once, in turn, with its bytes. An uncached load and an atomic leave in turn with the stores, and return the line as it
 *   was then.
 * - A line is fetched only for a load, or once for a prefetch that can still be inside; by a free MSHR; and not twice at a time.
 * - A load bypasses only if something lets it.
 * - An error of the memory reaches exactly its requests. A line that came with an error does not stay.
 * - A valid output stays until it is taken.
 * - A request to the memory has the prediction entry of its request. A fetch has that of a load of the line that was inside when the
 *   fetch was first offered. The fetch of a prefetch has none.
 * - The first fetch after a reset uses MSHR 0 (D-L1-19).
 *
 * More checks at the ports, with on_miss, if no attachment chooses or pins ways and there is no prefetcher:
 * - The least recently used line is the victim. So a used line is not fetched again until as many other lines of its set as there are
 *   ways were used or in flight.
 * - With a stall bypass, a load that finds no line bypasses unless all bypass slots are in use. A load that finds one does not bypass.
 *
 * Checks by the hooks (docs/mechanisms/hooks.md):
 * - OUTCOME reports every load once, in turn, before its answer, with its fields.
 * - A load that is given back is never answered or sent; it is offered again later.
 * - A load may hit only if its line was fetched after all earlier stores to the line, the fetch was answered, and no flush came since.
 * - The LATE ports must announce what the other ports show after the edge.
 *
 * In some machines OUTCOME reports hits, merges and the ways that loads take (*told all*). From this the environment knows the line in
 * every way; it learns a prefetched line when the line is fetched. More checks then:
 * - Each outcome follows from the hooks' answers in that cycle by the joining rule, and the way is the victim.
 * - No load waits without a reason.
 * - LOOK, DECIDE and LINES show this state.
 */
#ifndef HEDDLE_VERIF_L1D_L1D_CHECKER_H
#define HEDDLE_VERIF_L1D_L1D_CHECKER_H

#include "verif/harness/env_common.h"

#include <uthash.h>

enum {
  NEVER = -1,
  UNDECIDED = 8, /* more than the requests that can be between port and decision */
  SILENCE = 16   /* after so many cycles without a request no prefetch is inside any more */
};

/* A line of the pool. */
struct line {
  uint64_t addr;
  uint64_t unit, sectors; /* SECTOR_FILL: this entry is one sector of the line; unit: hd_unit of both */
  unsigned set;
  uint64_t now[HD_MAX_WORDS];    /* content with all stores taken at the request port */
  uint64_t memory[HD_MAX_WORDS]; /* content with all stores that the memory has handled */
  unsigned loads, cached;        /* loads taken and not answered; those of them that may bring the line */
  unsigned owed;                 /* told all: misses whose fetch has not left yet */
  unsigned prefetches;           /* prefetches taken since nothing was inside, less fetches without a load */
  bool fetched;                  /* an MSHR waits for it */
  int64_t stores, sent;          /* number of stores taken; number of stores sent to the memory */
  int64_t asked, filled; /* `sent` at the last fetch; the same at the last answered fetch since a flush */
  uint64_t reported;     /* cycle of the last answer of a fetch */
  bool stays;            /* that answer was no error */
  uint64_t used, idle;   /* cycles: the last load that used it was taken; the last of `loads` ended */
  /* The number of `loads` with each prediction entry: [entry + 1]; [0]: without one. */
  uint16_t of_entry[HD_MOST(loscache, table) + 1];
  /* Told all: */
  struct place *place;        /* the way where it is or will be, if known; or NULL */
  struct {                    /* the MSHR that waits for it, or did last */
    bool there, filled, dead; /* it is known; it was answered, in cycle `when`; a flush came before that */
    bool fresh, unsure;       /* no load has merged into a prefetch's MSHR; it may be dead */
    bool among, pin;          /* FILL: its way is one of fill_among; its first load asked to pin it */
    int64_t stores;           /* stores to the line before the MSHR was taken */
    unsigned merged;          /* loads that it answers */
    uint64_t when, hpc, wid;  /* hpc, wid: of the first of these loads */
  } flight;
  uint64_t first, last; /* cycles of the first and last of `prefetches` */
  UT_hash_handle hh;
};

/* The content of a way of a set, as far as OUTCOME has reported it. */
struct place {
  struct line *line; /* NULL: empty, or unknown */
  bool unknown;      /* a prefetch has taken the way; its line is known when it is fetched */
  bool dead, fresh;  /* a flush came before its fill; no load has used it */
  int64_t stores;    /* stores to the line before the request that took the way */
  uint64_t used;     /* stamp of the last use */
};

/* A request, found by its name (warp, slot, number). */
struct record {
  enum {
    FREE,
    LOAD,
    WRITE,
    BEYOND,
    ACKED,
    AGAIN
  } state; /* WRITE: inside; BEYOND: the memory has it; ACKED: the memory has answered; AGAIN: given back */
  bool last, bypassed, unreported; /* unreported: a load that OUTCOME has not reported yet */
  bool byp;                        /* the request asks to bypass */
  bool cacheable;                  /* a load: it may bring its line, as far as is known */
  bool may_go, must_go;            /* a load: it may bypass; it must bypass, unless it merges */
  bool may_fail;                   /* a load: a fetch of its line failed while it was inside */
  bool failed;                     /* the memory answered with an error */
  bool sure;                       /* it is known whether it merged */
  uint64_t pe, taken;              /* taken: cycle */
  struct line *line;
  uint64_t sectors;  /* the sectors for which it asks if it bypasses */
  uint64_t turn, op; /* WRITE: the number of the store; the op of an uncached load or atomic */
  uint64_t data[HD_MAX_WORDS], mask[HD_MAX_WORDS]; /* a load's answer; a store's bytes */
  uint64_t old[HD_MAX_WORDS];                      /* the answer of an uncached load or an atomic */
};

/* A request that is not known to be decided, or a load that was given back. */
struct trial {
  struct req r;
  struct line *line;
  int64_t stores;     /* stores to its line before it */
  bool looked, alone; /* LOOK has shown it; it left c in the first cycle in which LOOK shows it */
  uint64_t some, all; /* ways pinned in some, or in all, of the cycles in which it may have left c */
};

/* A request that the memory has taken and not answered. */
struct pending {
  struct mreq r;
  struct line *line;
  struct record *store;
};

/* The answers of the hooks in a cycle, and the hook ports that the cache drives in it. */
struct moment {
  bool bypass, keep, hold, refuse, lack_line, stalls, again, pin_new, hold_fill;
  uint64_t among, pins;
  bool answering, filled; /* an answer of the memory may be inside; a fill enters the cache */
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
    bool newest, sweep; /* the memory answers the newest request first; lines come in turn, `step` apart */
    unsigned byp, back; /* how often requests ask to bypass; how often a load that was given back comes */
    unsigned bypass, keep, hold, refuse, choosy, lack, stalls, again, pin_new,
        change; /* answers of the hooks */
    enum { PIN_NONE, PIN_KEPT, PIN_ALL, PIN_ANY } pin;
  } m;
  struct line *pool, *by_unit;
  unsigned n_lines, of_set; /* lines in all, and of a set (fewer if there are few upper address bits) */
  struct record *records;   /* for each (warp, slot, number) */
  struct place *places;     /* for each (set, way) */
  uint64_t *pinned;         /* PIN_KEPT: pinned ways of each set */
  bool flushing;            /* no request is offered until the cache is empty and flushed */
  bool offering;
  struct hd_request next; /* at req, valid or not */
  struct line *next_line;
  bool prefetching; /* a prefetch is offered */
  struct line *prefetch;
  struct trial trial[UNDECIDED]; /* the oldest first */
  unsigned n_trials, silent;
  struct trial *back; /* loads that were given back; new ones come while n_back < WARPS */
  unsigned n_back, back_room;
  struct moment now, before; /* before: of the last cycle */
  struct l1d_late late;      /* of the edge before this cycle, if late_said */
  bool late_said;
  bool was_queued, was_held; /* in the last cycle: the miss queue was not empty; a request was not taken */
  /* 1 + the last cycle in which ADVICE told a load to bypass, and not to be kept, or a stall could let one bypass. */
  uint64_t advised;
  unsigned away;   /* bypassed loads sent and not answered */
  unsigned waited; /* cycles in which nothing kept the oldest load from its decision */
  uint64_t fills, evictions, stamp, flushed; /* flushed: the cycle of the last flush */
  unsigned waiting, queued; /* told all: MSHRs that wait; loads and prefetches decided and not yet sent */
  struct line *filling;     /* the line of the fill that was answered last */
  uint64_t fill_pins, fill_among; /* FILL: the answers about its set in the cycle in which it asked */
  unsigned swept;
  struct pending *pending; /* in the order in which they came */
  unsigned n_pending, room;
  bool answering;
  struct pending answer; /* at mrsp, valid or not */
  unsigned ahead;        /* answers of kind 1 that were taken and have not gone to the SM */
  bool behind;           /* a fill, `later`, was taken and waits for them */
  struct pending later;
  bool later_failing, entering; /* `later` is an error; a fill enters the cache next */
  bool failing;                 /* `answer` is an error */
  struct line *failed;          /* the line of a fill that was an error in the last cycle: it does not stay */
  uint64_t rdata[HD_MAX_WORDS];
  uint64_t mshrs;        /* bit i = MSHR i waits for the memory */
  bool asked_once;       /* a line has been fetched since the reset */
  unsigned still, kept;  /* cycles in which nothing moves; those with a load that should bypass */
  uint64_t stores, sent; /* number of stores taken; number sent to the memory */
  unsigned inside;       /* requests without an answer */
  struct hd_held resp, mreq;
};

/* --- l1d_checker_state.c ------------------------------------------------------------------------------------ */

/* Returns true if an answer for the line contains its word w. With SECTOR_FILL only the words of its sector are in it. */
bool hd_l1d_brings(const struct hd_derived *d, const struct line *line, unsigned w);
/* Returns true if two answers for the line have the same data. */
bool hd_l1d_same(const struct hd_derived *d, const struct line *line, const uint64_t *a, const uint64_t *b);

/* Returns the record of a name. Returns NULL if no request can have that name. */
struct record *hd_l1d_record(const struct l1d_env *e, uint64_t wid, uint64_t slot, uint64_t num);

/* Returns true if the request is an uncached load or an atomic, not a bypassed load. */
bool hd_l1d_aside(const struct l1d_env *e, const struct mreq *r);

/* Counts a load that is inside (n = 1), or one that was given back (n = -1). */
void hd_l1d_count(struct l1d_env *e, const struct req *r, struct line *line, int n);

/* --- l1d_checker_kept.c ------------------------------------------------------------------------------------- */

/* A load of the line is answered, or given back. `used`: the load, if it used the cache; else NULL. */
void hd_l1d_loads_end(struct l1d_env *e, struct line *line, const struct record *used);
/* Check that a line may be fetched, and that a load may bypass. Return NULL, or the error. */
const char *hd_l1d_check_kept(const struct l1d_env *e, const struct line *line, const struct mreq *r);
const char *hd_l1d_check_away(const struct l1d_env *e, const struct record *rec);
/* Returns false if a load waits that must bypass by a stall. */
bool hd_l1d_check_still(struct l1d_env *e, const struct l1d_in *in, const struct l1d_out *out);

/* --- l1d_checker_outcome.c, l1d_checker_load.c ------------------------------------------------------------------ */

/* Checks OUTCOME in this cycle; it comes before all other checks of the cycle. Returns false if it is wrong. */
bool hd_l1d_check_outcome(struct l1d_env *e, const struct l1d_out *out);
/* hd_l1d_is_looked_at returns true if LOOK shows the request. hd_l1d_look notes that it may leave c in a cycle with these pins. */
bool hd_l1d_is_looked_at(const struct hd_derived *d, const struct trial *t, const struct moment *m);
void hd_l1d_look(struct trial *t, uint64_t pins);
/* Told all: a line is fetched. Returns NULL, or the error. */
const char *hd_l1d_hooks_fetch(struct l1d_env *e, struct line *line);

/* --- l1d_checker_hooks.c ------------------------------------------------------------------------------------ */

/* Checks the hooks' ports in this cycle, and that the oldest load does not wait without a reason. Returns false if it is wrong. */
bool hd_l1d_check_hooks(struct l1d_env *e, const struct l1d_in *in, const struct l1d_out *out);
/* A request is taken; a fill is answered; a fill was an error; a flush. */
void hd_l1d_hooks_take(struct l1d_env *e, const struct req *r, struct line *line);
void hd_l1d_hooks_fill(struct l1d_env *e, struct line *line);
void hd_l1d_hooks_failed(struct line *line); /* one cycle after the fill */
void hd_l1d_hooks_flush(struct l1d_env *e);

/* --- l1d_checker_late.c ------------------------------------------------------------------------------------- */

/* hd_l1d_late is hd_env.late. hd_l1d_check_late checks its values in the next cycle; it returns NULL, or the error. */
void hd_l1d_late(struct hd_env *env, const void *late);
const char *hd_l1d_check_late(struct l1d_env *e, const struct l1d_out *out);

/* Applies a store or an atomic to a line. */
void hd_l1d_perform(const struct record *rec, uint64_t *line, unsigned words);

/* hd_env_ops.clock. */
bool hd_l1d_check(struct hd_env *env, const void *in, const void *out);

#endif
